#include <stdlib.h>
/* multigrid kept at file scope; each public call does one sweep on all levels */
struct level { int n; double h; double *u, *f; };
static struct level *lev;
static int nlev;
void mg_init(int k)
{
    nlev = k;
    lev = malloc(sizeof(struct level) * k);
    for (int i = 0; i < k; i++) {
        int n = 1 << (k - i + 3);
        lev[i].n = n;
        lev[i].h = 1.0 / n;
        lev[i].u = calloc(n, sizeof(double));
        lev[i].f = calloc(n, sizeof(double));
        for (int j = 0; j < n; j++) lev[i].f[j] = j % 5;
    }
}
void mg_jacobi(double *sum)
{
    *sum = 0;
    for (int l = 0; l < nlev; l++) {
        struct level *p = lev + l;
        double h2 = p->h * p->h;
        for (int j = 1; j < p->n - 1; j++) p->u[j] = p->u[j] + h2 * p->f[j];
        double s = 0;
        for (int j = 0; j < p->n; j++) s += p->u[j];
        *sum += s;
    }
}
