#include <stdlib.h>
#include <stdio.h>
#include <string.h>
/* one V-cycle per call on a hierarchy of 2-D grids, size 2^k + 1 */
struct level {
    int n;
    double h;
    double *u, *f, *r;
};
struct mg {
    int levels;
    struct level *lev;
};
static struct mg *mg_create(int k)
{
    struct mg *m = malloc(sizeof *m);
    m->levels = k;
    m->lev = malloc(k * sizeof *m->lev);
    int n = (1 << k) + 1;
    for (int i = 0; i < k; i++) {
        m->lev[i].n = n;
        m->lev[i].h = 1.0 / (n - 1);
        m->lev[i].u = calloc((size_t)n * n, sizeof(double));
        m->lev[i].f = calloc((size_t)n * n, sizeof(double));
        m->lev[i].r = calloc((size_t)n * n, sizeof(double));
        n = (n - 1) / 2 + 1;
    }
    return m;
}
static void smooth(struct level *l, int sweeps)
{
    int n = l->n;
    double h2 = l->h * l->h;
    for (int s = 0; s < sweeps; s++)
        for (int color = 0; color < 2; color++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + color) % 2; j < n - 1; j += 2)
                    l->u[i * n + j] = 0.25 * (l->u[(i - 1) * n + j] + l->u[(i + 1) * n + j] + l->u[i * n + j - 1] +
                                              l->u[i * n + j + 1] + h2 * l->f[i * n + j]);
}
static void residual(struct level *l)
{
    int n = l->n;
    double ih2 = 1.0 / (l->h * l->h);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            l->r[i * n + j] = l->f[i * n + j] + ih2 * (l->u[(i - 1) * n + j] + l->u[(i + 1) * n + j] +
                              l->u[i * n + j - 1] + l->u[i * n + j + 1] - 4 * l->u[i * n + j]);
}
static void restrict_to(struct level *fine, struct level *coarse)
{
    int n = coarse->n, m = fine->n;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            coarse->f[i * n + j] = 0.25 * (fine->r[2 * i * m + 2 * j]) + 0.125 * (fine->r[(2 * i - 1) * m + 2 * j] +
                fine->r[(2 * i + 1) * m + 2 * j] + fine->r[2 * i * m + 2 * j - 1] + fine->r[2 * i * m + 2 * j + 1]);
        }
    memset(coarse->u, 0, sizeof(double) * n * n);
}
static void prolong(struct level *coarse, struct level *fine)
{
    int n = coarse->n, m = fine->n;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            fine->u[2 * i * m + 2 * j] += coarse->u[i * n + j];
}
static void vcycle(struct mg *m)
{
    for (int k = 0; k < m->levels - 1; k++) {
        smooth(&m->lev[k], 2);
        residual(&m->lev[k]);
        restrict_to(&m->lev[k], &m->lev[k + 1]);
    }
    smooth(&m->lev[m->levels - 1], 10);
    for (int k = m->levels - 2; k >= 0; k--) {
        prolong(&m->lev[k + 1], &m->lev[k]);
        smooth(&m->lev[k], 2);
    }
}
static void mg_free(struct mg *m)
{
    for (int i = 0; i < m->levels; i++) { free(m->lev[i].u); free(m->lev[i].f); free(m->lev[i].r); }
    free(m->lev);
    free(m);
}
/* solves -lap u = f on the unit square, n = 2^k + 1 points a side */
void poisson(int k, int cycles, const double *f, double *u)
{
    struct mg *m = mg_create(k);
    int n = (1 << k) + 1;
    for (int i = 0; i < n * n; i++) m->lev[0].f[i] = f[i];
    for (int c = 0; c < cycles; c++) vcycle(m);
    for (int i = 0; i < n * n; i++) u[i] = m->lev[0].u[i];
    mg_free(m);
}
int main(void)
{
    int k = 7, n = (1 << k) + 1;
    double *f = malloc(sizeof(double) * n * n), *u = malloc(sizeof(double) * n * n);
    for (int i = 0; i < n * n; i++) f[i] = 1.0;
    poisson(k, 4, f, u);
    printf("%g\n", u[n * n / 2]);
    return 0;
}
