// Staggered fields of unlike extents, a boundary row from a source and one from its neighbour. want: parallel
// chain: time.tile@loop:t
// shows: swap\(p, p_next\)
#pragma regraph size(T=21, n=60, m=75) size(T=5, n=8, m=9) size(T=2, n=33, m=4)
void time_staggered(int T, int n, int m, double u[n + 1][m], double v[n][m + 1], double p[n][m], const double s[T])
{
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < m; j++) u[0][j] = s[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++) u[i][j] -= 0.4 * (p[i][j] - p[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++) v[i][j] -= 0.4 * (p[i][j] - p[i][j - 1]);
        for (int j = 0; j < m; j++) u[n][j] = u[n - 1][j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) p[i][j] -= 0.5 * (u[i + 1][j] - u[i][j] + v[i][j + 1] - v[i][j]);
    }
}
