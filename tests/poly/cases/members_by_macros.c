// A macro puts its argument in parentheses: members bound loops and say how long rows are. want: parallel
#include <stddef.h>

struct box {
    int nx, ny, nz;
    float h;
};

#define AT(g, i, j, k) (((size_t)(k) * (g)->ny + (j)) * (g)->nx + (i))

void waves(const struct box *g, float *u, const float *v, const float *c)
{
    const size_t sy = (size_t)g->nx, sz = (size_t)g->nx * g->ny;
    for (int k = 0; k < g->nz; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                size_t p = AT(g, i, j, k);
                if (i == 0 || j == 0 || k == 0 || i == g->nx - 1 || j == g->ny - 1 || k == g->nz - 1) {
                    u[p] = g->h * v[p];
                    continue;
                }
                float lap = v[p - 1] + v[p + 1] + v[p - sy] + v[p + sy] + v[p - sz] + v[p + sz] - 6.0f * v[p];
                u[p] = 2.0f * v[p] - u[p] + c[p] * lap;
            }
}
