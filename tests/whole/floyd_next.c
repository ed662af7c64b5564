#include <stdio.h>
#include <stdlib.h>
#include <float.h>

#define NO_EDGE DBL_MAX

struct graph {
    int n;
    double *w;     /* n x n */
    int *next;     /* n x n */
};

static double *at(struct graph *g, int i, int j) { return &g->w[(size_t)i * g->n + j]; }

/* all pairs; returns the number of pairs that are joined */
int all_pairs(struct graph *g)
{
    int n = g->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            g->next[i * n + j] = *at(g, i, j) < NO_EDGE ? j : -1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            double ik = *at(g, i, k);
            if (ik == NO_EDGE) continue;
            for (int j = 0; j < n; j++) {
                double through = ik + *at(g, k, j);
                if (through < *at(g, i, j)) {
                    *at(g, i, j) = through;
                    g->next[i * n + j] = g->next[i * n + k];
                }
            }
        }
    int joined = 0;
    for (int i = 0; i < n * n; i++) joined += g->next[i] >= 0;
    return joined;
}

int main(void)
{
    enum { N = 100 };
    struct graph g = { N, malloc(N * N * sizeof(double)), malloc(N * N * sizeof(int)) };
    for (int i = 0; i < N * N; i++) g.w[i] = rand() % 7 ? NO_EDGE : 1 + rand() % 10;
    printf("%d\n", all_pairs(&g));
    return 0;
}
