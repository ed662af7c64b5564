// A pointer goes from record to record until one ends the loop: sixteen bytes of each. want: parallel
#pragma regraph input(buf: uniform(0, 250)) size(n=20000) size(n=1) size(n=33)
unsigned long sums(const unsigned char *buf, unsigned long n, unsigned *out)
{
    const unsigned char *p = buf;
    for (unsigned long r = 0; r < n; r++) out[r] = 0;
    for (unsigned long r = 0; r < n; r++, p += 16) {
        unsigned sum = 0x5a;
        for (int k = 0; k < 15; k++) sum += p[k] * (unsigned)(k + 1);
        if (p[15] == 255) return r;
        out[r] = sum;
    }
    return n;
}
