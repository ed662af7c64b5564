// says: local_rows.c:9:
// says: row[m] the index is
#pragma regraph size(n=50, m=20)
void shift(int n, int m, const float A[n][m], float B[n][m])
{
    for (int i = 0; i < n; i++) {
        float row[m];
        for (int j = 0; j < m; j++) row[j] = A[i][j];
        row[m] = 0;
        for (int j = 0; j < m; j++) B[i][j] = row[m - 1 - j];
    }
}
