// Three dimensions with corners, weights from point to point, a scalar that two statements of a point share. want: parallel
// chain: time.tile@loop:t
// shows: W_r\[
#pragma regraph size(T=6, n=27, m=22, q=35) size(T=3, n=9, m=9, q=9) size(T=2, n=5, m=4, q=17)
void time_box(int T, int n, int m, int q, const float W[n][m][q], float A[n][m][q], float B[n][m][q])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < q - 1; k++) {
                    float c = A[i - 1][j - 1][k + 1] + A[i + 1][j + 1][k - 1];
                    float d = A[i][j][k - 1] - A[i][j][k + 1];
                    B[i][j][k] = A[i][j][k] + 0.1f * W[i][j][k] * (c - 2 * A[i][j][k]) + 0.05f * d * c;
                }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < q; k++) A[i][j][k] = 0.99f * B[i][j][k];
    }
}
