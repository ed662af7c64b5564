/* Particles in the order of their cells: counted, summed up, placed. */
#include <stdlib.h>

typedef struct {
    float x, y;
    int id;
} particle;

void bin_particles(int n, int cells, float h, int nx, const particle *p, int *start, particle *out)
{
    for (int c = 0; c <= cells; c++) start[c] = 0;
    for (int i = 0; i < n; i++) {
        int c = (int)(p[i].y / h) * nx + (int)(p[i].x / h);
        start[c + 1]++;
    }
    for (int c = 0; c < cells; c++) start[c + 1] += start[c];
    int *fill = malloc(cells * sizeof(int));
    for (int c = 0; c < cells; c++) fill[c] = start[c];
    for (int i = 0; i < n; i++) {
        int c = (int)(p[i].y / h) * nx + (int)(p[i].x / h);
        out[fill[c]++] = p[i];
    }
    free(fill);
}
