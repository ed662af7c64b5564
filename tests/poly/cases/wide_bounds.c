// want: parallel
/* Bounds, conditions and subscripts that the C computes in 64 bits, of numbers of 32. */
#pragma regraph size(n=100, t=3, base=3000000000) size(n=1, t=1, base=1000000000) size(n=7, t=4, base=4000000000)
#pragma regraph extent(x: n) extent(o: n) extent(p: n)
void wide_bounds(int n, int t, long base, const float *x, float *o, float *p)
{
    for (long w = (long)t * 1000000000; w < (long)t * 1000000000 + n; w++) o[w % n] += x[w % n];
    for (int i = 0; i < n; i++)
        if ((long)i * 1000000000 + t < 5000000000) p[i] = x[i];
    for (int i = 0; i < n; i++) p[(long)t * 1000000000 - base + i] += x[i];
}
