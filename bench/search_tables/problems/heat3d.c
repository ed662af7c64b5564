#pragma regraph size(n=96, steps=4) size(n=19, steps=3)
void heat3d(int n, int steps, float A[n][n][n], float B[n][n][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    B[i][j][k] = 0.125f * (A[i+1][j][k] - 2.0f * A[i][j][k] + A[i-1][j][k])
                               + 0.125f * (A[i][j+1][k] - 2.0f * A[i][j][k] + A[i][j-1][k])
                               + 0.125f * (A[i][j][k+1] - 2.0f * A[i][j][k] + A[i][j][k-1]) + A[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    A[i][j][k] = 0.125f * (B[i+1][j][k] - 2.0f * B[i][j][k] + B[i-1][j][k])
                               + 0.125f * (B[i][j+1][k] - 2.0f * B[i][j][k] + B[i][j-1][k])
                               + 0.125f * (B[i][j][k+1] - 2.0f * B[i][j][k] + B[i][j][k-1]) + B[i][j][k];
    }
}
