#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Screened Poisson equation, -lap u + k2 u = b on n x n cells with zero walls, by V-cycles over halved grids.
 * Damped Jacobi with a buffer of its own, residuals averaged over 2 x 2 cells, corrections spread to all four. */

#define DEEPEST 14

struct grid {
    int n;
    float h2;
    float *u, *b, *r;
};

struct solver {
    int grids, down, up, rounds;
    float k2;
    struct grid grid[DEEPEST];
};

static float at(const struct grid *g, const float *a, int y, int x)
{
    return y < 0 || x < 0 || y >= g->n || x >= g->n ? 0.0f : a[y * g->n + x];
}

static void residual(struct grid *g, float k2)
{
    for (int y = 0; y < g->n; y++)
        for (int x = 0; x < g->n; x++) {
            float around = at(g, g->u, y - 1, x) + at(g, g->u, y + 1, x) + at(g, g->u, y, x - 1) + at(g, g->u, y, x + 1);
            g->r[y * g->n + x] = g->b[y * g->n + x] - ((4.0f + k2 * g->h2) * g->u[y * g->n + x] - around) / g->h2;
        }
}

static void relax(struct grid *g, float k2, int times)
{
    for (int t = 0; t < times; t++) {
        residual(g, k2);
        for (int k = 0; k < g->n * g->n; k++) g->u[k] += 0.8f * g->h2 / (4.0f + k2 * g->h2) * g->r[k];
    }
}

static void cycle(struct solver *s, int level)
{
    struct grid *g = s->grid + level;
    if (level + 1 == s->grids) {
        relax(g, s->k2, 30);
        return;
    }
    relax(g, s->k2, s->down);
    residual(g, s->k2);
    struct grid *c = g + 1;
    for (int y = 0; y < c->n; y++)
        for (int x = 0; x < c->n; x++) {
            c->b[y * c->n + x] = 0.25f * (g->r[2 * y * g->n + 2 * x] + g->r[2 * y * g->n + 2 * x + 1] +
                                          g->r[(2 * y + 1) * g->n + 2 * x] + g->r[(2 * y + 1) * g->n + 2 * x + 1]);
            c->u[y * c->n + x] = 0.0f;
        }
    for (int again = 0; again < s->rounds; again++) cycle(s, level + 1);
    for (int y = 0; y < 2 * c->n; y++)
        for (int x = 0; x < 2 * c->n; x++) g->u[y * g->n + x] += c->u[y / 2 * c->n + x / 2];
    relax(g, s->k2, s->up);
}

static int open_solver(struct solver *s, int n, float k2)
{
    memset(s, 0, sizeof *s);
    s->down = 2;
    s->up = 2;
    s->rounds = 1;
    s->k2 = k2;
    for (;;) {
        if (s->grids == DEEPEST) break;
        struct grid *g = &s->grid[s->grids];
        g->n = n;
        g->h2 = 1.0f / ((float)n * n);
        g->u = calloc((size_t)n * n, sizeof *g->u);
        g->b = malloc((size_t)n * n * sizeof *g->b);
        g->r = malloc((size_t)n * n * sizeof *g->r);
        if (!g->u || !g->b || !g->r) return -1;
        s->grids++;
        if (n < 8) break;
        n /= 2;
    }
    return 0;
}

/* b[n][n] -> u[n][n]; -1: no memory */
int screened(int n, float k2, int cycles, const float *b, float *u)
{
    struct solver s;
    if (open_solver(&s, n, k2)) return -1;
    memcpy(s.grid[0].b, b, sizeof(float) * n * n);
    for (int c = 0; c < cycles; c++) cycle(&s, 0);
    memcpy(u, s.grid[0].u, sizeof(float) * n * n);
    for (int i = s.grids; i-- > 0;) {
        free(s.grid[i].u);
        free(s.grid[i].b);
        free(s.grid[i].r);
    }
    return 0;
}

int main(void)
{
    int n = 256;
    float *b = malloc(sizeof(float) * n * n), *u = malloc(sizeof(float) * n * n);
    for (int k = 0; k < n * n; k++) b[k] = sinf(0.01f * k);
    if (screened(n, 3.0f, 2, b, u)) return 1;
    printf("%g\n", u[n * n / 2]);
    free(b);
    free(u);
    return 0;
}
