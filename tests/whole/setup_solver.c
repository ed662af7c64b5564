#include <stdlib.h>
#include <math.h>
static int n1, n2;
static double hx, hy, omega;
static double *phi, *rhs;
static double **work;
void solver_open(int nx, int ny)
{
    n1 = nx; n2 = ny;
    hx = 1.0 / (nx + 1); hy = 1.0 / (ny + 1);
    omega = 0.8;
    phi = malloc(sizeof(double) * (nx + 2) * (ny + 2));
    rhs = malloc(sizeof(double) * (nx + 2) * (ny + 2));
    work = malloc(sizeof(double *) * (nx + 2));
    for (int i = 0; i < nx + 2; i++) work[i] = calloc(ny + 2, sizeof(double));
    for (int i = 0; i < nx + 2; i++)
        for (int j = 0; j < ny + 2; j++) {
            phi[i * (ny + 2) + j] = 0.1 * i - 0.2 * j;
            rhs[i * (ny + 2) + j] = sin(i * hx) * cos(j * hy);
        }
}
void solver_sweep(double *res)
{
    double cx = 1 / (hx * hx), cy = 1 / (hy * hy), d = 2 * (cx + cy);
    for (int i = 1; i <= n1; i++)
        for (int j = 1; j <= n2; j++) {
            double *p = &phi[i * (n2 + 2) + j];
            work[i][j] = (rhs[i * (n2 + 2) + j] + cx * (p[-(n2 + 2)] + p[n2 + 2]) + cy * (p[-1] + p[1])) / d;
        }
    for (int i = 1; i <= n1; i++)
        for (int j = 1; j <= n2; j++) {
            double old = phi[i * (n2 + 2) + j];
            phi[i * (n2 + 2) + j] = (1 - omega) * old + omega * work[i][j];
            res[(i - 1) * n2 + j - 1] = work[i][j] - old;
        }
}
