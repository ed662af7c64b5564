#include <stdlib.h>
#include <math.h>
static double *fx, *fy, *fz;
static size_t cap;
static double eps4, sig6, rc2, box;

static void ensure(size_t n)
{
    if (n > cap) {
        free(fx); free(fy); free(fz);
        fx = malloc(n * sizeof *fx);
        fy = malloc(n * sizeof *fy);
        fz = malloc(n * sizeof *fz);
        cap = n;
    }
}
static double wrap(double d) { if (d > 0.5 * box) d -= box; else if (d < -0.5 * box) d += box; return d; }
static double compute(size_t n, const double *x, const double *y, const double *z)
{
    double pot = 0;
    for (size_t i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (size_t j = 0; j < n; j++) {
            if (j == i) continue;
            double dx = wrap(x[i] - x[j]), dy = wrap(y[i] - y[j]), dz = wrap(z[i] - z[j]);
            double r2 = dx * dx + dy * dy + dz * dz + 0.01;
            if (r2 >= rc2) continue;
            double s = sig6 / (r2 * r2 * r2);
            double ff = 6 * eps4 * s * (2 * s - 1) / r2;
            ax += ff * dx; ay += ff * dy; az += ff * dz;
            pot += 0.5 * eps4 * s * (s - 1);
        }
        fx[i] = ax; fy[i] = ay; fz[i] = az;
    }
    return pot;
}
double md_step(size_t n, double *x, double *y, double *z, double *vx, double *vy, double *vz, double dt, double cutoff, double L)
{
    ensure(n);
    eps4 = 4.0; sig6 = 1e-3; rc2 = cutoff * cutoff; box = L;
    double e = compute(n, x, y, z);
    for (size_t i = 0; i < n; i++) {
        vx[i] += dt * fx[i]; vy[i] += dt * fy[i]; vz[i] += dt * fz[i];
        x[i] += dt * vx[i]; y[i] += dt * vy[i]; z[i] += dt * vz[i];
    }
    return e;
}
