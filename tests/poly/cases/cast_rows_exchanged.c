// want: parallel
/* Pointers to rows of flat arrays take turns. */
#pragma regraph size(nx=120, ny=90, steps=6) size(nx=7, ny=9, steps=3) extent(u: nx*ny) extent(v: nx*ny)
void heat(int nx, int ny, int steps, double *u, double *v)
{
    double (*a)[ny] = (double (*)[ny])u, (*b)[ny] = (double (*)[ny])v;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < nx - 1; i++)
            for (int j = 1; j < ny - 1; j++) b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        double (*tmp)[ny] = a;
        a = b;
        b = tmp;
    }
}
