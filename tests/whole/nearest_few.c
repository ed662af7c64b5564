/* k nearest neighbours: classify a set of queries by majority vote */
#include <stdio.h>
#include <stdlib.h>
#include <float.h>

typedef struct { double d; int id; } cand;

static double dist2(const double *a, const double *b, int dim)
{
    double s = 0.0;
    for (int i = 0; i < dim; ++i) { double t = a[i] - b[i]; s += t * t; }
    return s;
}

void knn_search(const double *train, int ntrain, const double *query, int nquery, int dim, int k, int *idx, double *dst)
{
    cand *best = malloc(k * sizeof(cand));
    for (int q = 0; q < nquery; ++q) {
        for (int i = 0; i < k; ++i) { best[i].d = DBL_MAX; best[i].id = -1; }
        for (int t = 0; t < ntrain; ++t) {
            double d = dist2(query + q * dim, train + t * dim, dim);
            if (d >= best[k - 1].d) continue;
            int p = k - 1;
            while (p > 0 && best[p - 1].d > d) {
                best[p] = best[p - 1];
                --p;
            }
            best[p].d = d;
            best[p].id = t;
        }
        for (int i = 0; i < k; ++i) {
            idx[q * k + i] = best[i].id;
            dst[q * k + i] = best[i].d;
        }
    }
    free(best);
}

int main(void)
{
    int nt = 2000, nq = 500, dim = 3, k = 5;
    double *tr = malloc(nt * dim * sizeof *tr), *qu = malloc(nq * dim * sizeof *qu);
    int *idx = malloc(nq * k * sizeof *idx);
    double *dst = malloc(nq * k * sizeof *dst);
    for (int i = 0; i < nt * dim; i++) tr[i] = rand() / (double)RAND_MAX;
    for (int i = 0; i < nq * dim; i++) qu[i] = rand() / (double)RAND_MAX;
    knn_search(tr, nt, qu, nq, dim, k, idx, dst);
    printf("%d %f\n", idx[0], dst[0]);
    return 0;
}
