// Two recurrences of a row, each with its chunk. want: parallel
// chain: parallelize,prefetch.register
// shows: u_ahead_2\[AHEAD\]
#pragma regraph size(n=40,m=50) size(n=7,m=13)
void ahead_twice(int n, int m, const double u[n][m], double y[n][m], double z[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++) y[i][j] = 0.5 * y[i][j - 1] + u[i][j];
        for (int j = m - 2; j >= 0; j--) z[i][j] = 0.25 * z[i][j + 1] + u[i][j] * y[i][0];
    }
}
