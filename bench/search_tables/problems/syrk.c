/* lower triangle of C = alpha A A^T + beta C */
#pragma regraph size(n=512, m=512) size(n=61, m=40)
void syrk(int n, int m, float alpha, float beta, const float A[n][m], float C[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0.0f;
            for (int k = 0; k < m; k++) s += A[i][k] * A[j][k];
            C[i][j] = beta * C[i][j] + alpha * s;
        }
}
