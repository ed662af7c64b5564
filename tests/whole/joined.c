#include "joined.h"
static real sq(real x) { return x * x; }
typedef struct { float a, b; } range;
void field(int n, int m, const point *p, const real *rows, real *out, real *sm, range *lim)
{
    for (int i = 0; i < n; i++) {
        real s = 0;
        for (int j = 0; j < n; j++) {
            real dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
            s += kernel(sq(dx) + sq(dy), j) * p[j].w;
        }
        out[i] = s + weight(&p[i], MODE_CUBIC);
        lim[i].a = (float)s; lim[i].b = (float)(s + 1);
    }
    for (int i = 0; i < n; i++) smooth_row(rows + i * m, sm + i * m, m);
}
