#include <stdlib.h>
#include <string.h>

/* solver state */
static int    nx, ny;
static double alpha;
static double *u = NULL, *unew = NULL;

static int heat_init(int w, int h, double a, const double *initial)
{
    if (w <= 0 || h <= 0) return -1;
    nx = w; ny = h; alpha = a;
    u    = (double *) malloc(sizeof(double) * nx * ny);
    unew = (double *) malloc(sizeof(double) * nx * ny);
    if (!u || !unew) return -2;
    memcpy(u, initial, sizeof(double) * nx * ny);
    memcpy(unew, initial, sizeof(double) * nx * ny);
    return 0;
}

static void heat_step(void)
{
    double *tmp;
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++)
            unew[j * nx + i] = u[j * nx + i] + alpha * (u[j * nx + i - 1] + u[j * nx + i + 1]
                              + u[(j - 1) * nx + i] + u[(j + 1) * nx + i] - 4.0 * u[j * nx + i]);
    tmp = u; u = unew; unew = tmp;
}

static void heat_free(void)
{
    free(u); free(unew);
    u = unew = NULL;
}

void heat_run(int w, int h, int steps, double a, const double *initial, double *result)
{
    if (heat_init(w, h, a, initial) != 0) return;
    for (int s = 0; s < steps; s++)
        heat_step();
    memcpy(result, u, sizeof(double) * nx * ny);
    heat_free();
}
