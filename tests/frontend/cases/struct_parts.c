/* Structures with pointers in them, as parameters: by address and by value, one inside another, behind another, with members that are written, and
 * passed on to helpers. */
#include <stdlib.h>
#include <string.h>
#pragma regraph size(A.n=37, A.m=5, grid.nx=9, grid.ny=7) extent(A.x: A.n*A.m)
struct vec { int n, m; const double *x; };
struct box { double *cell; int dims[2]; double scale; };
struct world { const struct vec *from; struct box box; int steps; double total; };
typedef struct { int nx, ny; float *f, *g; } Grid;
static double at(const struct vec *v, int i, int j) { return v->x[i * v->m + j]; }
static void put(struct world *w, int i, double v) { w->box.cell[i] += v * w->box.scale; }
static float wrap(Grid g, int i, int j) { return g.f[((i + g.nx) % g.nx) * g.ny + (j + g.ny) % g.ny]; }
int f(const struct vec *A, struct world *w, Grid grid)
{
    struct { double *sums; int *counts; } ws;
    ws.sums = malloc(A->m * sizeof(double));
    ws.counts = calloc(A->m, sizeof *ws.counts);
    memset(ws.sums, 0, A->m * sizeof(double));
    w->total = 0;
    for (int i = 0; i < (*A).n; i++)
        for (int j = 0; j < A->m; j++) {
            ws.sums[j] += at(A, i, j);
            ws.counts[j]++;
            w->total += w->from->x[j];
        }
    for (int j = 0; j < A->m; j++) put(w, j, ws.sums[j] / ws.counts[j]);
    for (int i = 0; i < grid.nx; i++)
        for (int j = 0; j < grid.ny; j++) grid.g[i * grid.ny + j] = wrap(grid, i - 1, j) + wrap(grid, i, j + 1);
    w->steps++;
    w->box.dims[1] = A->m;
    free(ws.sums);
    free(ws.counts);
    return w->steps;
}
