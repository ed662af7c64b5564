#include <float.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float x, y; int cluster; } point;
typedef struct { float x, y; int count; } centroid;
#define MAX_ITER 50
int lloyd(point *pts, int n, centroid *c, int k)
{
    float *sx = malloc(k * sizeof *sx), *sy = malloc(k * sizeof *sy);
    int iter = 0, moved;
    do {
        moved = 0;
        for (int i = 0; i < n; i++) {
            int best = 0; float bd = FLT_MAX;
            for (int j = 0; j < k; j++) {
                float dx = pts[i].x - c[j].x, dy = pts[i].y - c[j].y, d = dx * dx + dy * dy;
                if (d < bd) { bd = d; best = j; }
            }
            if (best != pts[i].cluster) { moved++; pts[i].cluster = best; }
        }
        for (int j = 0; j < k; j++) { sx[j] = sy[j] = 0; c[j].count = 0; }
        for (int i = 0; i < n; i++) {
            sx[pts[i].cluster] += pts[i].x;
            sy[pts[i].cluster] += pts[i].y;
            c[pts[i].cluster].count++;
        }
        for (int j = 0; j < k; j++)
            if (c[j].count > 0) { c[j].x = sx[j] / c[j].count; c[j].y = sy[j] / c[j].count; }
    } while (moved > 0 && ++iter < MAX_ITER);
    free(sx); free(sy);
    return iter;
}
