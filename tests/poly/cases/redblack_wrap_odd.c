// On a torus with odd numbers of rows and columns neighbours across the seam are of one colour. want: sequential
#pragma regraph size(n=15, m=17, sweeps=3) size(n=5, m=7, sweeps=2)
void redblack_wrap_odd(int n, int m, int sweeps, const double *f, double *u)
{
    for (int s = 0; s < sweeps; s++)
        for (int color = 0; color < 2; color++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    if (((i ^ j) & 1) == color)
                        u[i * m + j] = 0.25 * (u[(i + n - 1) % n * m + j] + u[(i + 1) % n * m + j] +
                                               u[i * m + (j + m - 1) % m] + u[i * m + (j + 1) % m] - f[i * m + j]);
}
