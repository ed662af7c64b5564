#include <stdio.h>
#include <stdlib.h>

/* Edit distance with affine gaps between two strings; three tables, row by row. */
float affine_distance(int n, int m, const char *a, const char *b, float open, float extend, float *M, float *X, float *Y)
{
    const float inf = 1e9f;
    int w = m + 1;
    for (int j = 0; j <= m; j++) {
        M[j] = j ? inf : 0;
        X[j] = inf;
        Y[j] = open + extend * j;
    }
    for (int i = 1; i <= n; i++) {
        M[i * w] = inf;
        X[i * w] = open + extend * i;
        Y[i * w] = inf;
        for (int j = 1; j <= m; j++) {
            float s = a[i - 1] == b[j - 1] ? 0.0f : 1.0f, d = M[(i - 1) * w + j - 1];
            if (X[(i - 1) * w + j - 1] < d) d = X[(i - 1) * w + j - 1];
            if (Y[(i - 1) * w + j - 1] < d) d = Y[(i - 1) * w + j - 1];
            M[i * w + j] = d + s;
            float up = M[(i - 1) * w + j] + open + extend, ux = X[(i - 1) * w + j] + extend;
            X[i * w + j] = up < ux ? up : ux;
            float le = M[i * w + j - 1] + open + extend, ly = Y[i * w + j - 1] + extend;
            Y[i * w + j] = le < ly ? le : ly;
        }
    }
    float r = M[n * w + m];
    if (X[n * w + m] < r) r = X[n * w + m];
    if (Y[n * w + m] < r) r = Y[n * w + m];
    return r;
}

int main(void)
{
    int n = 1000, m = 900;
    char *a = malloc(n), *b = malloc(m);
    size_t cells = (size_t)(n + 1) * (m + 1);
    float *M = malloc(cells * sizeof *M), *X = malloc(cells * sizeof *X), *Y = malloc(cells * sizeof *Y);
    for (int i = 0; i < n; i++) a[i] = "acgt"[(i * 7 + i / 3) & 3];
    for (int j = 0; j < m; j++) b[j] = "acgt"[(j * 5 + j / 7) & 3];
    printf("%g\n", affine_distance(n, m, a, b, 2.0f, 0.5f, M, X, Y));
    return 0;
}
