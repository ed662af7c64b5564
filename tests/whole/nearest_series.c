#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float dtw(const float *a, int n, const float *b, int m, int window)
{
    float *D = (float *)malloc((n + 1) * (m + 1) * sizeof(float));
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= m; ++j) D[i * (m + 1) + j] = FLT_MAX;
    D[0] = 0;
    int w = window > abs(n - m) ? window : abs(n - m);
    for (int i = 1; i <= n; ++i) {
        int lo = i - w > 1 ? i - w : 1, hi = i + w < m ? i + w : m;
        for (int j = lo; j <= hi; ++j) {
            float c = fabsf(a[i - 1] - b[j - 1]);
            float best = fminf(D[(i - 1) * (m + 1) + j], fminf(D[i * (m + 1) + j - 1], D[(i - 1) * (m + 1) + j - 1]));
            D[i * (m + 1) + j] = c + best;
        }
    }
    float r = D[n * (m + 1) + m];
    free(D);
    return r;
}

void classify(const float *train, const int *labels, int ntrain, const float *query, int nquery, int len, int window, int *out)
{
    for (int q = 0; q < nquery; ++q) {
        float best = FLT_MAX;
        int lab = -1;
        for (int t = 0; t < ntrain; ++t) {
            float d = dtw(query + q * len, len, train + t * len, len, window);
            if (d < best) { best = d; lab = labels[t]; }
        }
        out[q] = lab;
    }
}

int main(void)
{
    int nt = 50, nq = 40, len = 128;
    float *tr = malloc(sizeof(float) * nt * len), *qu = malloc(sizeof(float) * nq * len);
    int *lb = malloc(sizeof(int) * nt), *o = malloc(sizeof(int) * nq);
    for (int i = 0; i < nt * len; i++) tr[i] = sinf(i * 0.1f) + rand() % 100 * 0.01f;
    for (int i = 0; i < nq * len; i++) qu[i] = sinf(i * 0.11f) + rand() % 100 * 0.01f;
    for (int i = 0; i < nt; i++) lb[i] = i % 5;
    classify(tr, lb, nt, qu, nq, len, 10, o);
    for (int i = 0; i < nq; i++) printf("%d", o[i]);
    puts("");
    return 0;
}
