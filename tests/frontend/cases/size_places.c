// a source and a row of receivers must lie in the field: that they must makes them no amount of work
// explain: nx=250, nz=250, nt=250, sx=1, as nobody said what to time
#include <stdlib.h>
int spread(int nx, int nz, int nt, const double *src, int sx, int sz, int row, double *seis)
{
    double *u = calloc((size_t)nx * nz, sizeof *u);
    int ok = u != NULL;
    for (int it = 0; ok && it < nt; it++) {
        for (int j = 0; j < nz; j++)
            for (int i = 0; i < nx; i++) u[j * nx + i] *= 0.5;
        u[sz * nx + sx] += src[it];
        for (int i = 0; i < nx; i++) seis[it * nx + i] = u[row * nx + i];
    }
    free(u);
    return ok ? 0 : -1;
}
