// says: three_dimensions.c:10:
// says: in A[i][j + 1] the index is
// says: that dimension has
#pragma regraph size(n=12, m=10, p=9)
void lift(int n, int m, int p, const float A[n][m][p], float B[n][m][p])
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                B[i][j][k] = A[i][j][k] + A[i][j + 1][k];
}
