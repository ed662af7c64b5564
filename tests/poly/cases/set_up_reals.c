// want: parallel
/* Real numbers of a set-up function: parked under other names in a structure that leads to others, and one that it
 * only computes with, which is a number like any other. */
#include <stddef.h>
typedef struct { float x, y; } vec2;
typedef struct { vec2 r, v; float m; } body;
static struct { body *b; int n; float grav, eps2, dt; } sys;
int sys_bodies(body *b, int n)
{
    if (n <= 0 || b == NULL) return 1;
    sys.b = b;
    sys.n = n;
    return 0;
}
void sys_constants(float G, double softening, float step)
{
    sys.grav = G;
    sys.eps2 = softening * softening;
    sys.dt = step;
}
#pragma regraph init(sys_constants) size(sys.n=20000) size(sys.n=70) size(sys.n=1) extent(sys.b: sys.n)
void sys_drift(void)
{
    for (int i = 0; i < sys.n; i++) {
        body *q = sys.b + i;
        float pull = sys.grav * q->m / (q->r.x * q->r.x + q->r.y * q->r.y + sys.eps2);
        q->v.x -= sys.dt * pull * q->r.x;
        q->v.y -= sys.dt * pull * q->r.y;
        q->r.x += sys.dt * q->v.x;
        q->r.y += sys.dt * q->v.y;
    }
}
