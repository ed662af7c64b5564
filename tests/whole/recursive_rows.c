#include <stdlib.h>
#include <math.h>
/* 1-D V-cycles for -u'' = f on (0, 1), rows by level */
static void relax(double *u, const double *f, int n, double h, int times)
{
    double *t = malloc((n + 1) * sizeof *t);
    for (int s = 0; s < times; s++) {
        for (int i = 1; i < n; i++) t[i] = u[i] + 0.66 * 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i] - 2 * u[i]);
        for (int i = 1; i < n; i++) u[i] = t[i];
    }
    free(t);
}
static void descend(double **u, double **f, const int *n, int k, int levels)
{
    double h = 1.0 / n[k];
    if (k + 1 >= levels) {
        relax(u[k], f[k], n[k], h, 40);
        return;
    }
    relax(u[k], f[k], n[k], h, 3);
    int half = n[k + 1];
    for (int i = 1; i < half; i++) {
        double r0 = f[k][2*i] + (u[k][2*i-1] - 2*u[k][2*i] + u[k][2*i+1]) / (h*h);
        f[k + 1][i] = r0;
        u[k + 1][i] = 0;
    }
    u[k + 1][0] = u[k + 1][half] = 0;
    descend(u, f, n, k + 1, levels);
    for (int i = 1; i < n[k]; i++)
        u[k][i] += i % 2 ? 0.5 * (u[k + 1][i / 2] + u[k + 1][i / 2 + 1]) : u[k + 1][i / 2];
    relax(u[k], f[k], n[k], h, 3);
}
void poisson1d(int n, int cycles, const double *rhs, double *out)
{
    double *u[20], *f[20];
    int size[20], levels = 0;
    for (int m = n; m >= 2 && levels < 20; m /= 2) {
        size[levels] = m;
        u[levels] = calloc(m + 1, sizeof(double));
        f[levels] = calloc(m + 1, sizeof(double));
        levels++;
    }
    for (int i = 0; i <= n; i++) f[0][i] = rhs[i];
    for (int c = 0; c < cycles; c++) descend(u, f, size, 0, levels);
    for (int i = 0; i <= n; i++) out[i] = u[0][i];
    for (int l = 0; l < levels; l++) { free(u[l]); free(f[l]); }
}
