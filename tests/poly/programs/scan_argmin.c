/* nearest point: the first of equal ones */
#pragma regraph size(n=500, m=1000) input(p: uniform(0, 9)) input(q: uniform(0, 9))
void nearest(int n, int m, const int p[n][2], const int q[m][2], int at[n], int far[n])
{
    for (int i = 0; i < n; i++) {
        int best = 1000000, b = -1, most = -1, f = -1;
        for (int j = 0; j < m; j++) {
            int dx = p[i][0] - q[j][0], dy = p[i][1] - q[j][1], d = dx * dx + dy * dy;
            if (d < best) {
                best = d;
                b = j;
            }
            if (d >= most) {
                f = j;
                most = d;
            }
        }
        at[i] = b;
        far[i] = f;
    }
}
