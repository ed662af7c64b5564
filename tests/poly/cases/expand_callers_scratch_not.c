// want: sequential
/* The last iteration fills less of it than those before: what they left there stays. */
#pragma regraph size(nx=60, ny=80) size(nx=1, ny=1) size(nx=7, ny=9)
#pragma regraph extent(a: nx * ny) extent(cp: ny) extent(d: nx * ny)
#pragma regraph require(nx <= ny)
void expand_callers_scratch_not(int nx, int ny, const double *a, double *d, double *cp)
{
    for (int i = 0; i < nx; i++) {
        cp[0] = a[i];
        for (int j = 1; j < ny - i; j++) cp[j] = a[j * nx + i] / (2 + cp[j - 1] * cp[j - 1]);
        for (int j = ny - i - 2; j >= 0; j--) d[j * nx + i] = cp[j] / (2 + d[(j + 1) * nx + i] * d[(j + 1) * nx + i]);
    }
}
