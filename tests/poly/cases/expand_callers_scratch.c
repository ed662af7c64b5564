// want: parallel
/* Scratch of the caller's, whose first element is filled by itself: the last iteration's is left there, all of it. */
#pragma regraph size(nx=60, ny=40) size(nx=1, ny=1) size(nx=7, ny=1) size(nx=5, ny=2) size(nx=1, ny=9)
#pragma regraph extent(c: nx * ny) extent(cp: ny) extent(dp: ny) input(b: uniform(3, 4)) input(a: uniform(-1, 1))
#pragma regraph input(c: uniform(-1, 1)) extent(a: nx * ny) extent(b: nx * ny) extent(d: nx * ny)
void expand_callers_scratch(int nx, int ny, const double *a, const double *b, const double *c, double *d, double *cp,
                            double *dp)
{
    for (int i = 0; i < nx; i++) {
        cp[0] = c[i] / b[i];
        dp[0] = d[i] / b[i];
        for (int j = 1; j < ny; j++) {
            double den = b[j * nx + i] - a[j * nx + i] * cp[j - 1];
            cp[j] = c[j * nx + i] / den;
            dp[j] = (d[j * nx + i] - a[j * nx + i] * dp[j - 1]) / den;
        }
        d[(ny - 1) * nx + i] = dp[ny - 1];
        for (int j = ny - 2; j >= 0; j--) d[j * nx + i] = dp[j] - cp[j] * d[(j + 1) * nx + i];
    }
}
