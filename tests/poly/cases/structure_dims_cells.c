// Sizes in a small array that is a member (int dim[3]): particles are counted into cells, and placed. want: parallel
#pragma regraph extent(out: n)
#pragma regraph size(g.dim[0]=4,g.dim[1]=5,g.dim[2]=3,n=3000) size(g.dim[0]=1,g.dim[1]=1,g.dim[2]=1,n=1) size(g->dim[0]=3,g->dim[1]=2,g->dim[2]=7,n=77)
#include <stdlib.h>
#include <string.h>

typedef struct { float x, y, z; int id; } particle;

typedef struct {
    float origin[3];
    float inv_size;
    int   dim[3];
} cellgrid;

static int clampi(int v, int hi) { return v < 0 ? 0 : v > hi ? hi : v; }

static int cell_of(const cellgrid *g, const particle *p)
{
    int cx = clampi((int)((p->x - g->origin[0]) * g->inv_size), g->dim[0] - 1);
    int cy = clampi((int)((p->y - g->origin[1]) * g->inv_size), g->dim[1] - 1);
    int cz = clampi((int)((p->z - g->origin[2]) * g->inv_size), g->dim[2] - 1);
    return (cz * g->dim[1] + cy) * g->dim[0] + cx;
}

/* Reorders particles by cell; start has ncells+1 entries. */
int bin_particles(const cellgrid *g, const particle *in, particle *out,
                  int n, int *start)
{
    int ncell = g->dim[0] * g->dim[1] * g->dim[2];
    int *cursor = calloc((size_t)ncell + 1, sizeof *cursor);
    if (!cursor) return -1;

    memset(start, 0, sizeof(int) * ((size_t)ncell + 1));
    for (int i = 0; i < n; i++)
        start[cell_of(g, &in[i]) + 1]++;
    for (int c = 0; c < ncell; c++)
        start[c + 1] += start[c];

    memcpy(cursor, start, sizeof(int) * (size_t)ncell);
    for (int i = 0; i < n; i++)
        out[cursor[cell_of(g, in + i)]++] = in[i];

    free(cursor);
    return ncell;
}
