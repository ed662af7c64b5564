#include <stdio.h>
#include <stdlib.h>
#include <math.h>

/* Invert an n by n matrix in place by Gauss-Jordan elimination; inv starts as the identity. */
int invert(int n, double *a, double *inv)
{
    int c, r, j, piv;
    for (r = 0; r < n; r++)
        for (j = 0; j < n; j++) inv[r*n + j] = (r == j) ? 1.0 : 0.0;
    for (c = 0; c < n; c++) {
        piv = c;
        for (r = c + 1; r < n; r++)
            if (fabs(a[r*n + c]) > fabs(a[piv*n + c])) piv = r;
        if (a[piv*n + c] == 0.0) return -1;
        if (piv != c) {
            for (j = 0; j < n; j++) {
                double t = a[c*n + j]; a[c*n + j] = a[piv*n + j]; a[piv*n + j] = t;
                t = inv[c*n + j]; inv[c*n + j] = inv[piv*n + j]; inv[piv*n + j] = t;
            }
        }
        double d = 1.0 / a[c*n + c];
        for (j = 0; j < n; j++) { a[c*n + j] *= d; inv[c*n + j] *= d; }
        for (r = 0; r < n; r++) {
            if (r == c) continue;
            double f = a[r*n + c];
            if (f == 0.0) continue;
            for (j = 0; j < n; j++) {
                a[r*n + j] -= f * a[c*n + j];
                inv[r*n + j] -= f * inv[c*n + j];
            }
        }
    }
    return 0;
}

int main(void)
{
    int n = 100;
    double *a = malloc(n*n*sizeof *a), *b = malloc(n*n*sizeof *b);
    for (int i = 0; i < n*n; i++) a[i] = rand() / (double)RAND_MAX - 0.5;
    printf("%d\n", invert(n, a, b));
    printf("%g\n", b[0]);
    return 0;
}
