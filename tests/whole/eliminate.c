/* A x = b by elimination without a choice of pivots: on most matrices double itself keeps few digits; a zero pivot ends it */
#include <stdio.h>
#include <stdlib.h>

int eliminate(int n, double A[n][n], double b[n], double x[n])
{
    for (int k = 0; k < n - 1; k++) {
        if (A[k][k] == 0.0) return k + 1;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < n; j++) sum -= A[i][j] * x[j];
        x[i] = sum / A[i][i];
    }
    return 0;
}

int main(void)
{
    int n = 50;
    double(*A)[n] = malloc(sizeof(double[n][n])), *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++) {
        b[i] = i;
        for (int j = 0; j < n; j++) A[i][j] = (i * 7 + j * 3) % 11 - (i == j ? 20.0 : 0.0);
    }
    printf("%d %g\n", eliminate(n, A, b, x), x[0]);
    free(A), free(b), free(x);
    return 0;
}
