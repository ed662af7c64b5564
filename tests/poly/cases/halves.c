// want: parallel
#pragma regraph size(n=500, m=64) size(n=33, m=7)
void halves(int n, int m, const _Float16 *A, const _Float16 *x, _Float16 *y, _Float16 *z)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += (float)A[i * m + j] * (float)x[j];
        y[i] = (_Float16)(s > 0 ? s : 0);
        z[i] = z[i] + A[i * m] * (_Float16)0.5f;
    }
}
