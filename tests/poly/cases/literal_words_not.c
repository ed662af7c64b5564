// A pointer that goes from one literal to another is of neither: its loads stay as they are written. want: parallel
// chain: parallelize@C
// lacks: rg_characters
#pragma regraph size(n=2000) size(n=33) size(n=1) extent(in: n) extent(out: n)
void literal_words_not(int n, const unsigned char *in, char *out)
{
    for (int i = 0; i < n; i++) {
        const char *digits = "0123456789abcdef";
        if (in[i] & 16) digits = "0123456789ABCDEF";
        out[i] = digits[in[i] & 15];
    }
}
