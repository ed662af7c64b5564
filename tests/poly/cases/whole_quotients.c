// want: parallel
// Behind the test, bits are eights: rows have bits / 8 bytes, as many as (bits + 7) / 8, and a loop over bits stays in its row.
#pragma regraph size(n=37,bits=64) size(n=5,bits=8) size(n=3,bits=13)
int pack(const unsigned char *x, unsigned char *out, int n, int bits)
{
    if (bits <= 0 || bits % 8) return -1;
    for (int p = 0; p < n; p++) {
        unsigned char *o = out + p * (bits / 8);
        for (int k = 0; k < (bits + 7) / 8; k++) o[k] = 0;
        for (int i = bits - 1; i >= 0; i--)
            if (x[p * bits + i] & 1) o[i >> 3] |= (unsigned char)(0x80 >> (i & 7));
    }
    return bits % 8;
}
