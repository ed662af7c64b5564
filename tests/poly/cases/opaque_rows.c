// want: parallel
/* Rows are independent although what happens in each ends by its data: a break, a while loop, a sort. */
#pragma regraph size(n=200, m=40) size(n=7, m=5)
void rows(int n, int m, const float B[n][m], float A[n][m], int S[n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (B[i][j] > 0.9f)
                break;
            A[i][j] = 0.5f * B[i][j];
        }
        for (int j = 1; j < m; j++) {
            int x = S[i][j], k = j - 1;
            while (k >= 0 && S[i][k] > x) {
                S[i][k + 1] = S[i][k];
                k--;
            }
            S[i][k + 1] = x;
        }
    }
}
