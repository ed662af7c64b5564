/* y = alpha A x + beta y, A row by row */
#pragma regraph size(m=4096, n=4096)
void gemv(int m, int n, float alpha, const float A[m][n], const float x[n], float beta, float y[m])
{
    for (int i = 0; i < m; i++) {
        float s = 0.0f;
        for (int j = 0; j < n; j++)
            s += A[i][j] * x[j];
        y[i] = alpha * s + beta * y[i];
    }
}
