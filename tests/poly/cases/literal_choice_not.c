// A choice between a literal and an array that is passed is no place in a table. want: parallel
// chain: parallelize@C
// lacks: rg_characters
#pragma regraph size(n=2000, own=1) size(n=33, own=0) size(n=7, own=1) extent(in: n) extent(out: n) extent(given: 16)
void literal_choice_not(int n, int own, const char *given, const unsigned char *in, char *out)
{
    for (int i = 0; i < n; i++) {
        const char *digits = own ? given : "0123456789abcdef";
        out[i] = digits[in[i] & 15];
    }
}
