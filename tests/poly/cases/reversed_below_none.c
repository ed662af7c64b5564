// want: parallel
/* Fewer rounds than none: nothing is reversed, and no place is. */
#pragma regraph size(n=64, bits=6) size(n=2, bits=1) size(n=1000, bits=12)
#pragma regraph input(v: uniform(-100000, 100000)) extent(o: n) extent(p: n) extent(v: n)
void reversed_below_none(int n, int bits, const int *v, int *o, int *p)
{
    for (int i = 0; i < n; i++) {
        int r = 0, x = v[i];
        for (int k = 0; k < bits - 4; k++) r = r << 1 | (x >> k & 1);
        o[i] = r;
        int b = v[i] % 40, s = 0;
        if (b > 31) b = 31;
        for (int k = 0; k < b; k++)
            if (x >> k & 1) s |= 1 << (b - 1 - k);
        p[i] = s;
    }
}
