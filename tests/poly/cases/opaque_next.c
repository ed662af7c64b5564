// want: sequential
/* Of the row, one subscript is known and another row's is written: i and i + 1 meet. */
#pragma regraph size(n=50, m=20) size(n=5, m=3)
void next_row(int n, int m, float A[n + 1][m])
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m && A[i][j] < 0.9f) {
            A[i + 1][j] = 0.5f * A[i][j] + 0.1f;
            j++;
        }
    }
}
