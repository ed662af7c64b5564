// want: parallel
/* Two functions set things up, and the one that is named only parks numbers: how long the arrays are says the other. */
#include <stdlib.h>
static struct { int nx, ny; float *now, *next, *speed; float k; } g;
int field_open(int nx, int ny)
{
    g.nx = nx;
    g.ny = ny;
    g.now = calloc((size_t)nx * ny, sizeof(float));
    g.next = calloc((size_t)nx * ny, sizeof(float));
    g.speed = malloc(sizeof(float) * nx * ny);
    return g.now && g.next && g.speed ? 0 : -1;
}
void field_physics(float dt, float dx) { g.k = dt / (dx * dx); }
#pragma regraph init(field_physics) size(g.nx=200,g.ny=150) size(g.nx=7,g.ny=5) size(g.nx=3,g.ny=3)
void field_step(void)
{
    for (int j = 1; j < g.ny - 1; j++)
        for (int i = 1; i < g.nx - 1; i++) {
            int at = j * g.nx + i;
            float lap = g.now[at - 1] + g.now[at + 1] + g.now[at - g.nx] + g.now[at + g.nx] - 4 * g.now[at];
            g.next[at] = g.now[at] + g.k * g.speed[at] * lap;
        }
}
