// A pointer to one of two literals, as a condition says, and a helper that is passed one of two. want: parallel
// chain: parallelize@C
// shows: rg_characters
// lacks: opaque
#pragma regraph size(n=2000, upper=1) size(n=33, upper=0) size(n=7, upper=1) extent(in: n) extent(out: 2*n) extent(like: n)
static int common(const char *w, unsigned v)
{
    int k = 0;
    while (*w && (v & 1)) {
        v >>= 1;
        k += *w++;
    }
    return k;
}
void literal_choice(int n, int upper, const unsigned char *in, char *out, int *like)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    for (int i = 0; i < n; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
        like[i] = common(in[i] > 100 ? "gra\"ph" : "net", in[i]);
    }
}
