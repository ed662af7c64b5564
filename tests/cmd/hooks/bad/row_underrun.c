// says: row_underrun.c:8:
// says: the index is -1, and that dimension has
#pragma regraph size(n=40, m=30)
void lag(int n, int m, const double A[n][m], double B[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            B[i][j] = A[i][j] - (i > 0 ? A[i][j - 1] : 0);
}
