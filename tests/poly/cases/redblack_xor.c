// The same by exclusive or, points of the other colour passed over. want: parallel
// chain: parallelize,coalesce
// shows: \(i \+ j \+ half_\) % 2
#pragma regraph size(n=60,T=4) size(n=17,T=3)
void redblack_xor(int n, int T, double u[n][n], const double f[n][n]) {
    for (int t = 0; t < T; t++)
        for (int half = 0; half < 2 * T; half++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++) {
                    if (((i ^ j ^ half) & 1)) continue;
                    u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - f[i][j]);
                }
}
