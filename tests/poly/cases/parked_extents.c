// want: parallel
/* Arrays that data lead into, parked by a set-up function that main calls with its own: how long they are says main, by
 * the numbers that are parked beside them; and memory whose size is a number that another function has parked. */
#include <stdlib.h>
typedef struct { int a, b, kind; } spring;
static struct {
    int np, ns;
    const double *rest, *x;
    const spring *s;
    double *force;
    int *order;
} mesh;
static int sort_springs(void)
{
    mesh.order = malloc(sizeof(int) * 2 * mesh.ns);
    if (!mesh.order) return -1;
    for (int i = 0; i < 2 * mesh.ns; i++) mesh.order[i] = i % 2 ? mesh.ns - 1 - i / 2 : i / 2;
    return 0;
}
int mesh_open(int points, const double *x, const spring *s, int count, const double *by_kind)
{
    mesh.x = x;
    mesh.np = points;
    mesh.s = s;
    mesh.ns = count;
    mesh.rest = by_kind;
    mesh.force = malloc(sizeof(double) * count);
    return mesh.force ? sort_springs() : -1;
}
#pragma regraph input(k: uniform(1, 2))
void tension(double k)
{
    for (int i = 0; i < mesh.ns; i++) {
        const spring *s = &mesh.s[mesh.order[2 * i]];
        mesh.force[i] = k * (mesh.x[s->b] - mesh.x[s->a] - mesh.rest[s->kind]);
    }
}
int main(void)
{
    enum { POINTS = 3000, SPRINGS = 20000 };
    static double at[POINTS];
    static spring s[SPRINGS];
    const double rest[3] = {0.5, 1.0, 2.0};
    for (int i = 0; i < POINTS; i++) at[i] = 0.01 * i;
    for (int i = 0; i < SPRINGS; i++) s[i] = (spring){i % POINTS, (7 * i + 1) % POINTS, i % 3};
    if (mesh_open(POINTS, at, s, SPRINGS, rest)) return 1;
    tension(2.0);
    free(mesh.force);
    free(mesh.order);
    return 0;
}
