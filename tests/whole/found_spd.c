/* Solves a symmetric positive definite system by Cholesky's factorisation; rows behind pointers, sizes in main alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDER 160

static double **new_matrix(int n)
{
    double **m = malloc(n * sizeof *m);
    for (int i = 0; i < n; i++) m[i] = malloc(n * sizeof **m);
    return m;
}

/* B B^T with a dominant diagonal: whatever B is, this can be factored. */
static void make_spd(double **m, int n, double shift)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = i == j ? shift : 0;
            for (int k = 0; k < 5; k++) s += sin(i * 3.1 + k) * sin(j * 3.1 + k);
            m[i][j] = s;
        }
}

static void right_side(double *b, int n)
{
    srand(7);
    for (int i = 0; i < n; i++) b[i] = rand() % 1000 / 1000.0 - 0.5;
}

int solve(double **m, double *b, double *x, int n)
{
    int i, j, k;
    for (j = 0; j < n; j++) {
        for (k = 0; k < j; k++)
            for (i = j; i < n; i++) m[i][j] -= m[i][k] * m[j][k];
        m[j][j] = sqrt(m[j][j]);
        for (i = j + 1; i < n; i++) m[i][j] /= m[j][j];
    }
    for (i = 0; i < n; i++) {
        double s = b[i];
        for (k = 0; k < i; k++) s -= m[i][k] * x[k];
        x[i] = s / m[i][i];
    }
    for (i = n - 1; i >= 0; i--) {
        double s = x[i];
        for (k = i + 1; k < n; k++) s -= m[k][i] * x[k];
        x[i] = s / m[i][i];
    }
    return n;
}

int main(void)
{
    int n = ORDER;
    double **m = new_matrix(n), *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x);
    make_spd(m, n, 4.0);
    right_side(b, n);
    solve(m, b, x, n);
    printf("%g\n", x[0]);
    return 0;
}
