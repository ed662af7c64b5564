/* Staggered grid, transverse waves between two plates. Fields are matrices with contiguous storage. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nx, ny;
    double **ez, **hx, **hy;
    double *loss;
} grid_t;

static double **alloc2d(int rows, int cols)
{
    double **p = malloc(rows * sizeof(double *));
    if (!p) return NULL;
    p[0] = calloc((size_t)rows * cols, sizeof(double));
    if (!p[0]) {
        free(p);
        return NULL;
    }
    for (int i = 1; i < rows; i++)
        p[i] = p[0] + (size_t)i * cols;
    return p;
}

static void free2d(double **p)
{
    if (p) {
        free(p[0]);
        free(p);
    }
}

static int grid_init(grid_t *g, int nx, int ny)
{
    g->nx = nx;
    g->ny = ny;
    g->ez = alloc2d(nx, ny);
    g->hx = alloc2d(nx, ny);
    g->hy = alloc2d(nx, ny);
    g->loss = malloc(nx * sizeof(double));
    if (!g->ez || !g->hx || !g->hy || !g->loss) return 0;
    for (int i = 0; i < nx; i++)
        g->loss[i] = 1.0 / (1.0 + 0.01 * i);
    return 1;
}

static void grid_free(grid_t *g)
{
    free2d(g->ez);
    free2d(g->hx);
    free2d(g->hy);
    free(g->loss);
}

/* probe[t][j]: the field along a line after every step */
void waves(int nx, int ny, int nsteps, double *probe)
{
    grid_t g;
    if (!grid_init(&g, nx, ny)) {
        fprintf(stderr, "waves: no memory\n");
        exit(1);
    }
    for (int t = 0; t < nsteps; t++) {
        for (int i = 0; i < g.nx; i++)
            for (int j = 0; j < g.ny - 1; j++)
                g.hx[i][j] -= 0.5 * (g.ez[i][j + 1] - g.ez[i][j]);
        for (int i = 0; i < g.nx - 1; i++)
            for (int j = 0; j < g.ny; j++)
                g.hy[i][j] += 0.5 * (g.ez[i + 1][j] - g.ez[i][j]);
        for (int i = 1; i < g.nx; i++)
            for (int j = 1; j < g.ny; j++)
                g.ez[i][j] += g.loss[i] * 0.5 * (g.hy[i][j] - g.hy[i - 1][j] - g.hx[i][j] + g.hx[i][j - 1]);
        g.ez[nx / 2][ny / 2] += 1.0 / (1 + t);
        for (int j = 0; j < ny; j++)
            probe[t * ny + j] = g.ez[nx / 3][j];
    }
    grid_free(&g);
}

int main(void)
{
    static double probe[50 * 120];
    waves(150, 120, 50, probe);
    printf("%g\n", probe[49 * 120 + 60]);
    return 0;
}
