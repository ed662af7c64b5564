// Several time steps a launch: none at all, fewer than a launch has, and a number that is no multiple. want: parallel
// chain: time.tile@loop:t
// shows: swap\(u, u_next\)
#pragma regraph size(T=13, n=90, m=70) size(T=1, n=20, m=33) size(T=2, n=15, m=9) size(T=64, n=40, m=3)
void time_ends(int T, int n, int m, float u[n][m], float v[n][m])
{
    for (int t = 1; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) v[i][j] = 0.2f * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) u[i][j] = v[i][j] + 0.1f * (v[i][j - 1] - v[i][j + 1]);
    }
}
