// Points of two colours on a torus: with an even number of rows and columns none of a colour touch. want: parallel
// chain: parallelize,coalesce
#pragma regraph size(n=128, m=96, sweeps=3) size(n=6, m=4, sweeps=2)
void redblack_wrap(int n, int m, int sweeps, const double *f, double *u)
{
    for (int s = 0; s < sweeps; s++)
        for (int color = 0; color < 2; color++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) {
                    if ((i + j) % 2 != color) continue;
                    int up = (i + n - 1) % n, dn = i + 1 < n ? i + 1 : 0, lf = (j + m - 1) % m, rt = (j + 1) % m;
                    u[i * m + j] = 0.25 * (u[up * m + j] + u[dn * m + j] + u[i * m + lf] + u[i * m + rt] - f[i * m + j]);
                }
}
