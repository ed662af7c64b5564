// want: parallel
/* Three functions set things up, one behind the other: the first allocates and turns back where it cannot, the others
 * fill what it left. Two take a number of one name, which is one. */
#include <stdlib.h>
static struct { int nx, ny; float *now, *next, *speed; float k; } g;
int field_open(int nx, int ny)
{
    if (nx < 3 || ny < 3) return -1;
    g.nx = nx;
    g.ny = ny;
    g.now = calloc((size_t)nx * ny, sizeof(float));
    g.next = calloc((size_t)nx * ny, sizeof(float));
    g.speed = malloc(sizeof(float) * nx * ny);
    return g.now && g.next && g.speed ? 0 : -1;
}
void field_medium(float fast)
{
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++) g.speed[j * g.nx + i] = i < g.nx / 2 ? fast : 1.0f;
}
void field_pulse(int nx, float dt, float dx)
{
    for (int i = 0; i < nx; i++) g.now[nx + i] = 1.0f / (float)(1 + i);
    g.k = dt / (dx * dx);
}
#pragma regraph init(field_open, field_medium, field_pulse) size(g.nx=200,g.ny=150) size(g.nx=7,g.ny=5) size(g.nx=3,g.ny=3)
void field_step(void)
{
    for (int j = 1; j < g.ny - 1; j++)
        for (int i = 1; i < g.nx - 1; i++) {
            int at = j * g.nx + i;
            float lap = g.now[at - 1] + g.now[at + 1] + g.now[at - g.nx] + g.now[at + g.nx] - 4 * g.now[at];
            g.next[at] = g.now[at] + g.k * g.speed[at] * lap;
        }
}
