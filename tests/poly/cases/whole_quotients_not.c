// want: sequential
// Nothing says that bits are eights: the last byte of a row is the first of the next.
#pragma regraph size(n=37,bits=61) size(n=5,bits=8) extent(out: n * (bits / 8) + 2)
int pack(const unsigned char *x, unsigned char *out, int n, int bits)
{
    if (bits <= 8 || bits % 8 > 6) return -1;
    for (int p = 0; p < n; p++) {
        unsigned char *o = out + p * (bits / 8);
        for (int k = 0; k < (bits + 7) / 8; k++) o[k] = (unsigned char)(o[k] >> 1);
        for (int i = bits - 1; i >= 0; i--)
            if (x[p * bits + i] & 1) o[i >> 3] |= (unsigned char)(0x80 >> (i & 7));
    }
    return bits % 8;
}
