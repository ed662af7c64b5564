// Sizes that conditions step, and steps without a condition, stay sizes. want: parallel
// chain: parallelize
// shows: __global__
// lacks: one thread: .*loop
#pragma regraph extent(a: n + 4) extent(b: n + 4) input(a: uniform(0, 1)) require(n >= 1)
#pragma regraph size(n=5000,k=3) size(n=1,k=2) size(n=2,k=9) size(n=33,k=4) size(n=70,k=5)
void clamped_steps(int n, unsigned k, const float *restrict a, float *restrict b)
{
    int m = n;
    if (m < 2)
        m = 2;
    if (m % 2 != 0)
        m++;
    for (int i = 0; i < m; i += 2)
        b[i] = a[i] + a[i + 1];
    unsigned w = k;
    w += w % 2u;
    if (w > 6)
        w -= 4;
    else
        w *= 2;
    w--;
    for (int i = 1; i < m; i += 2)
        for (unsigned q = 0; q < w; q++)
            b[i] = 0.5f * b[i] + a[i] * (float)q;
}
