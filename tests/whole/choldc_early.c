/* Cholesky decomposition of the upper triangle; the factor goes below the diagonal, its diagonal to p. */
#include <math.h>

int choldc(int n, double *a, double *p)
{
    int i, j, k;
    double sum;

    for (i = 0; i < n; i++) {
        for (j = i; j < n; j++) {
            for (sum = a[i * n + j], k = i - 1; k >= 0; k--)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j) {
                if (sum <= 0.0)
                    return -1;
                p[i] = sqrt(sum);
            } else {
                a[j * n + i] = sum / p[i];
            }
        }
    }
    return 0;
}

void kernel_matrix(int n, double *a, double *p)
{
    for (int i = 0; i < n; i++) {
        p[i] = 0.0;
        for (int j = 0; j < n; j++)
            a[i * n + j] = n % 5 == 4 && i == n / 2 && j == i ? -1 : exp(-fabs((double)(i - j)) / 25.0) + (i == j ? 0.1 : 0.0);
    }
}
