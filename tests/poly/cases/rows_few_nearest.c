// The m nearest points of each point, nearest first, by distances that move up in rows of two tables. want: parallel
#pragma regraph size(n=150, m=4) size(n=9, m=2) extent(x: n) extent(y: n)
void rows_few_nearest(int n, int m, const double *x, const double *y, double dist[n][m], long near[n][m])
{
    for (long p = 0; p < n; p++) {
        for (int j = 0; j < m; j++) dist[p][j] = 1e300, near[p][j] = -1;
        for (long q = 0; q < n; q++) {
            double dx = x[p] - x[q], dy = y[p] - y[q], d = dx * dx + dy * dy;
            int at;
            if (q == p || d >= dist[p][m - 1]) continue;
            for (at = m - 1; at > 0 && dist[p][at - 1] > d; --at) {
                dist[p][at] = dist[p][at - 1];
                near[p][at] = near[p][at - 1];
            }
            dist[p][at] = d;
            near[p][at] = q;
        }
    }
}
