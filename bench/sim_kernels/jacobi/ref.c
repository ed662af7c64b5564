#include <stdlib.h>
#include <string.h>
void ref_jacobi(int n, int steps, const double *a, double *b)
{
    double *t = malloc(sizeof *t * n * n);
    memcpy(b, a, sizeof *b * n * n);
    for (int s = 0; s < steps; s++) {
        memcpy(t, b, sizeof *b * n * n);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) b[i * n + j] = 0.25 * (t[(i - 1) * n + j] + t[(i + 1) * n + j] + t[i * n + j - 1] + t[i * n + j + 1]);
    }
    free(t);
}
