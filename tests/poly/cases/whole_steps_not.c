// An odd size is stated, a last pair is asked for, neighbours of every second element are read: all lengths are taken. want: parallel
// chain: parallelize@C
// lacks: n - 1
#pragma regraph size(n=1001, m=77) size(n=7, m=12) extent(x: n + 1) extent(y: m + 1)
void pairs(int n, int m, const float *x, float *a, float *b, const float *y)
{
    for (int i = 0; i < n; i += 2)
        a[i] = x[i] + x[i + 1];
    for (int i = 0; i < m; i += 2) {
        b[i] = y[i];
        if (i + 1 < m) b[i + 1] = y[i] - y[i + 1];
    }
}
