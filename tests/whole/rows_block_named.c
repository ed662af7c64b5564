#include <stdlib.h>
#include <stdio.h>
/* matrix with row pointers; one block, so that it can be handed to LAPACK as well */
double **dmatrix(int rows, int cols)
{
    double **m = (double **)malloc(rows * sizeof(double *));
    double *block = (double *)calloc((size_t)rows * cols, sizeof *block);
    int i;
    for (i = 0; i < rows; i++)
        m[i] = block + i * cols;
    return m;
}

void gram(int n, int k, const double *x, double *g)
{
    double **a = dmatrix(n, k), **c = dmatrix(n, n);
    int i, j, l;
    for (i = 0; i < n; i++)
        for (j = 0; j < k; j++)
            a[i][j] = x[i * k + j] - x[j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            for (l = 0; l < k; l++) c[i][j] += a[i][l] * a[j][l];
            g[i * n + j] = c[i][j] / k;
        }
    free(a[0]); free(a);
    free(c[0]); free(c);
}

int main(void)
{
    int n = 60, k = 20, i;
    double *x = malloc(sizeof(double) * n * k), *g = malloc(sizeof(double) * n * n);
    for (i = 0; i < n * k; i++) x[i] = (i * 7 % 13) * 0.1;
    gram(n, k, x, g);
    printf("%f\n", g[n + 1]);
    return 0;
}
