#include <stdlib.h>
#include <math.h>
#include <string.h>
struct species { double q, m; long np; double *x, *v, *w; };
struct grid { int nx; double dx, *rho, *E; };
struct plasma { int ns; struct species *sp; struct grid g; };

static void *xalloc(size_t n)
{
    void *p = calloc(1, n);
    if (!p) abort();
    return p;
}
static struct plasma *plasma_new(int ns, long np, int nx, const double *x0, const double *v0)
{
    struct plasma *p = xalloc(sizeof *p);
    p->ns = ns;
    p->sp = xalloc(ns * sizeof *p->sp);
    p->g.nx = nx;
    p->g.dx = 1.0 / nx;
    p->g.rho = xalloc(nx * sizeof(double));
    p->g.E = xalloc(nx * sizeof(double));
    for (int s = 0; s < ns; s++) {
        struct species *k = &p->sp[s];
        k->np = np;
        k->q = s == 0 ? -1.0 : 1.0;
        k->m = s == 0 ? 1.0 : 100.0;
        k->x = xalloc(np * sizeof(double));
        k->v = xalloc(np * sizeof(double));
        k->w = xalloc(np * sizeof(double));
        for (long i = 0; i < np; i++) {
            k->x[i] = x0[i];
            k->v[i] = v0[i] / k->m;
            k->w[i] = 1.0;
        }
    }
    return p;
}
static void plasma_delete(struct plasma *p)
{
    for (int s = 0; s < p->ns; s++) {
        free(p->sp[s].x);
        free(p->sp[s].v);
        free(p->sp[s].w);
    }
    free(p->sp);
    free(p->g.rho);
    free(p->g.E);
    free(p);
}
static void push(struct species *s, const struct grid *g, double dt)
{
    for (long i = 0; i < s->np; i++) {
        int c = (int)(s->x[i] / g->dx);
        c = c < 0 ? 0 : c >= g->nx ? g->nx - 1 : c;
        s->v[i] += s->q / s->m * g->E[c] * dt;
        s->x[i] += s->v[i] * dt;
        if (s->x[i] < 0) s->x[i] += 1.0;
        if (s->x[i] >= 1.0) s->x[i] -= 1.0;
    }
}
static void field(struct plasma *p)
{
    for (int c = 0; c < p->g.nx; c++) p->g.E[c] = 0.01 * sin(6.28 * c * p->g.dx);
}
/* ke[s]: kinetic energy of species s */
void simulate(int ns, long np, int nx, int steps, const double *x0, const double *v0, double *ke)
{
    struct plasma *p = plasma_new(ns, np, nx, x0, v0);
    for (int t = 0; t < steps; t++) {
        field(p);
        for (int s = 0; s < p->ns; s++) push(&p->sp[s], &p->g, 0.001);
    }
    for (int s = 0; s < p->ns; s++) {
        double e = 0;
        for (long i = 0; i < p->sp[s].np; i++) e += 0.5 * p->sp[s].m * p->sp[s].v[i] * p->sp[s].v[i];
        ke[s] = e;
    }
    plasma_delete(p);
}
