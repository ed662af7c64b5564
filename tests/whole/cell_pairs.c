/* Neighbours within a radius in a periodic square: cells of a side that the density says, lists of structures through
 * them, a local place for each particle. The set-up states the density. */
#include <math.h>
#include <stdlib.h>

#define RADIUS 1.5

struct particle {
    double x, y, field;
    int cell, next;
};

struct grid {
    int side;
    double width;
    int *head;
};

static int place(double x, const struct grid *g)
{
    int k = (int)(x / g->width);
    return k < 0 ? 0 : k >= g->side ? g->side - 1 : k;
}

static void fill(int n, struct particle *p, struct grid *g)
{
    for (int c = 0; c < g->side * g->side; c++) g->head[c] = -1;
    for (int i = 0; i < n; i++) {
        struct particle *q = &p[i];
        q->cell = place(q->y, g) * g->side + place(q->x, g);
        q->next = g->head[q->cell];
        g->head[q->cell] = i;
    }
}

int cell_pairs(int n, double density, struct particle *p)
{
    double box = sqrt(n / density);
    struct grid g;

    g.side = (int)(box / RADIUS);
    if (g.side < 3) return -1;
    g.width = box / g.side;
    g.head = malloc(sizeof(int) * g.side * g.side);
    if (!g.head) return -2;
    fill(n, p, &g);
    for (int i = 0; i < n; i++) {
        struct particle *q = &p[i];
        double sum = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int cx = (q->cell % g.side + dx + g.side) % g.side, cy = (q->cell / g.side + dy + g.side) % g.side;
                for (int j = g.head[cy * g.side + cx]; j >= 0; j = p[j].next) {
                    double ex = fabs(q->x - p[j].x), ey = fabs(q->y - p[j].y);
                    if (ex > 0.5 * box) ex = box - ex;
                    if (ey > 0.5 * box) ey = box - ey;
                    if (ex * ex + ey * ey < RADIUS * RADIUS) sum += exp(-ex * ex - ey * ey);
                }
            }
        q->field = sum;
    }
    free(g.head);
    return g.side;
}

void scatter(int n, double *density, struct particle *p)
{
    unsigned s = 7;
    *density = 0.8;
    double box = sqrt(n / *density);
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        p[i].x = (s >> 8) / 16777216.0 * box;
        s = s * 1664525u + 1013904223u;
        p[i].y = (s >> 8) / 16777216.0 * box;
        p[i].field = 0;
        p[i].cell = p[i].next = 0;
    }
}
