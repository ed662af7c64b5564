#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <float.h>
typedef struct { int n, d, k; double **pts; double **cent; int *label; int *count; } kmeans_t;
static double dist2(const double *a, const double *b, int d) { double s = 0; for (int i = 0; i < d; i++) { double t = a[i] - b[i]; s += t * t; } return s; }
kmeans_t *kmeans_new(int n, int d, int k)
{
    kmeans_t *m = malloc(sizeof *m);
    m->n = n; m->d = d; m->k = k;
    m->pts = malloc(n * sizeof(double *)); m->cent = malloc(k * sizeof(double *));
    for (int i = 0; i < n; i++) { m->pts[i] = malloc(d * sizeof(double)); for (int j = 0; j < d; j++) m->pts[i][j] = (i * 7 + j * 13) % 101 / 101.0 + (i % k); }
    for (int c = 0; c < k; c++) { m->cent[c] = malloc(d * sizeof(double)); memcpy(m->cent[c], m->pts[c * (n / k)], d * sizeof(double)); }
    m->label = malloc(n * sizeof(int)); m->count = malloc(k * sizeof(int));
    for (int i = 0; i < n; i++) m->label[i] = -1;
    return m;
}
int kmeans_fit(kmeans_t *m, int iters)
{
    int it, changed = 1;
    for (it = 0; it < iters && changed; it++) {
        changed = 0;
        for (int i = 0; i < m->n; i++) {
            double best = DBL_MAX; int arg = 0;
            for (int c = 0; c < m->k; c++) { double d = dist2(m->pts[i], m->cent[c], m->d); if (d < best) { best = d; arg = c; } }
            if (m->label[i] != arg) { m->label[i] = arg; changed++; }
        }
        for (int c = 0; c < m->k; c++) { m->count[c] = 0; for (int j = 0; j < m->d; j++) m->cent[c][j] = 0; }
        for (int i = 0; i < m->n; i++) { int c = m->label[i]; m->count[c]++; for (int j = 0; j < m->d; j++) m->cent[c][j] += m->pts[i][j]; }
        for (int c = 0; c < m->k; c++) if (m->count[c]) for (int j = 0; j < m->d; j++) m->cent[c][j] /= m->count[c];
    }
    return it;
}
int main(void) { kmeans_t *m = kmeans_new(5000, 8, 10); printf("%d\n", kmeans_fit(m, 10)); return 0; }
