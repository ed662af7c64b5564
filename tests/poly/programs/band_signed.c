/* test-threads: 1 (few points by design) */
/* 64-bit counters that start below zero, from 32-bit bounds */
#pragma regraph size(n=300, w=11) size(n=20, w=3) size(n=5, w=9)
#pragma regraph extent(a: n) extent(x: n) extent(y: n) extent(z: n)
void around(int n, int w, const float *a, const float *x, float *y, float *z)
{
    for (long i = 0; i < n; i++) {
        float s = 0, m = 0;
        for (long j = -w; j < w; j++) s += a[i] * (j + 1);
        for (long k = -w; k > w - n; k--) m += x[i] * (float)k;
        y[i] = s;
        z[i] = m;
    }
}
