// want: parallel
/* Rows behind pointers, from 1: the row of a pivot that is none is returned. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=120) size(n=1) size(n=2) size(n=3) size(n=64)
#pragma regraph input(a: uniform(0.3, 0.7)) extent(a: n + 1, n + 1)
size_t exits_by_place_rows(double **a, size_t n, double p[], double *logdet)
{
    size_t i, j, k;
    double sum;
    *logdet = 0.0;
    for (i = 1; i <= n; i++) {
        for (j = i; j <= n; j++) {
            for (sum = a[i][j], k = 1; k < i; k++) sum -= a[i][k] * a[j][k];
            if (i == j) {
                if (sum <= 0.0) return i;
                p[i] = sqrt(sum);
                *logdet += 2.0 * log(p[i]);
            } else
                a[j][i] = sum / p[i];
        }
    }
    return 0;
}
