/* A structure that an init function allocates and fills; the function has sizes of its own beside those in it. */
#include <stdlib.h>

typedef struct {
    int nx, ny, cells;
    double tau;
    double *f, *old;
    double (*at)[2];
    unsigned char *solid;
} grid;

int create(grid *g, int nx, int ny)
{
    int n = nx * ny;
    g->nx = nx;
    g->ny = ny;
    g->cells = n;
    g->tau = 0.625;
    g->f = malloc(3 * n * sizeof *g->f);
    g->old = malloc(3 * n * sizeof *g->old);
    g->at = malloc(g->cells * sizeof *g->at);
    g->solid = calloc(n, 1);
    if (!g->f || !g->old || !g->at || !g->solid) return -1;
    for (int i = 0; i < n; i++) {
        g->at[i][0] = i % nx * 0.5;
        g->at[i][1] = i / nx * 0.25;
        g->solid[i] = i / nx == 0 || i / nx == ny - 1;
        for (int q = 0; q < 3; q++) g->f[q * n + i] = g->old[q * n + i] = 1.0 + q + i % 5;
    }
    return 0;
}

// function: run
// explain(run): g.nx=24, g.ny=16, g.cells=384, nx=24, ny=16, steps=3
// explain(run): g.f              inout  double[3*(nx*ny)]
// explain(run): require g.nx == nx
// explain(run): require g.cells == nx*ny
// explain(run): g.at             in     double[nx*ny][2]
#pragma regraph size(nx=24, ny=16, steps=3) extent(g: 1) extent(out: nx*ny) init(create)
void run(grid *g, int nx, int ny, int steps, double *out)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < g->cells; i++) {
            if (g->solid[i]) continue;
            for (int q = 0; q < 3; q++) g->old[q * nx * ny + i] = g->tau * g->f[q * nx * ny + i - g->nx] + g->at[i][1];
        }
        for (int i = 0; i < 3 * nx * ny; i++) g->f[i] = g->old[i] * 0.5;
    }
    for (int i = 0; i < nx * ny; i++) out[i] = g->f[i] + g->at[i][0];
}
