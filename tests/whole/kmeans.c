#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIM 4
#define K 8

typedef struct { float c[DIM]; } point_t;

static float dist2(const point_t *a, const point_t *b)
{
    float s = 0.0f;
    for (int d = 0; d < DIM; d++) {
        float t = a->c[d] - b->c[d];
        s += t * t;
    }
    return s;
}

static int nearest(const point_t *p, const point_t *centroids, float *best)
{
    int arg = 0;
    float m = FLT_MAX;
    for (int k = 0; k < K; k++) {
        float d = dist2(p, &centroids[k]);
        if (d < m) {
            m = d;
            arg = k;
        }
    }
    *best = m;
    return arg;
}

int kmeans(const point_t *points, int n, point_t *centroids, int *labels, int max_iter)
{
    int iter;
    for (int i = 0; i < n; i++) labels[i] = -1;
    for (iter = 0; iter < max_iter; iter++) {
        int moved = 0;
        float sums[K][DIM];
        int counts[K];
        memset(sums, 0, sizeof sums);
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < n; i++) {
            float d;
            int k = nearest(&points[i], centroids, &d);
            if (k != labels[i]) {
                labels[i] = k;
                moved++;
            }
            counts[k]++;
            for (int j = 0; j < DIM; j++) sums[k][j] += points[i].c[j];
        }
        for (int k = 0; k < K; k++) {
            if (counts[k] == 0) continue;
            for (int j = 0; j < DIM; j++) centroids[k].c[j] = sums[k][j] / counts[k];
        }
        if (moved == 0) break;
    }
    return iter;
}

int main(void)
{
    enum { N = 5000 };
    static point_t pts[N], cent[K];
    static int labels[N];
    for (int i = 0; i < N; i++)
        for (int d = 0; d < DIM; d++) pts[i].c[d] = (float)rand() / RAND_MAX;
    memcpy(cent, pts, sizeof cent);
    int it = kmeans(pts, N, cent, labels, 50);
    printf("%d iterations\n", it);
    return 0;
}
