// says: row_overrun.c:8:
// says: in A[i][j + 1] the index is
// says: beyond it lies another row
#pragma regraph size(n=40, m=30)
void blur(int n, int m, const float A[n][m], float B[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) B[i][j] = 0.5f * A[i][j] + (i < n - 1 ? 0.5f * A[i][j + 1] : 0);
}
