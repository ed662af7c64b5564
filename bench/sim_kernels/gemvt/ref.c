void ref_gemvt(int m, int n, const float *A, const float *x, float *y)
{
    for (int j = 0; j < n; j++) {
        double s = 0;
        for (int i = 0; i < m; i++) s += (double)A[i * n + j] * x[i];
        y[j] = s;
    }
}
