// Two local arrays, one large, under two grid axes. want: parallel
#pragma regraph size(n=64,m=40) size(n=13,m=5)
void vla2(int n, int m, const float A[n][n][m], float B[n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float tmp[m], big[5000];
        for (int k = 0; k < m; k++) { tmp[k] = A[i][j][k]; big[k * 7] = tmp[k] * 2; }
        float s = 0;
        for (int k = 0; k < m; k++) s += tmp[m - 1 - k] * big[k * 7];
        B[i][j] = s;
    }
}
