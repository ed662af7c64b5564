/* many small products: C[b] = A[b] B[b] */
#pragma regraph size(b=512, n=32) size(b=7, n=13)
void bmm(int b, int n, const float A[b][n][n], const float B[b][n][n], float C[b][n][n])
{
    for (int l = 0; l < b; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float s = 0.0f;
                for (int k = 0; k < n; k++) s += A[l][i][k] * B[l][k][j];
                C[l][i][j] = s;
            }
}
