// A recurrence counted by an unsigned variable. want: parallel
// chain: parallelize,prefetch.register
// shows: u_ahead\[AHEAD\]
#pragma regraph size(n=40,m=50) size(n=7,m=13)
void ahead_unsigned(unsigned n, unsigned m, const double u[n][m], double y[n][m]) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 1; j < m; j++) y[i][j] = 0.5 * y[i][j - 1] + u[i][j];
}
