#include <stdlib.h>
#include <stdio.h>
static double **u, **v;
static int n, m;

void setup(int rows, int cols)
{
    n = rows;
    m = cols;
    u = malloc(n * sizeof(double *));
    v = malloc(n * sizeof(double *));
    u[0] = malloc((size_t)n * m * sizeof(double));
    v[0] = calloc((size_t)n * m, sizeof(double));
    for (int i = 1; i < n; i++) {
        u[i] = u[0] + (size_t)i * m;
        v[i] = v[i - 1] + m;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = 0.01 * i + 0.02 * (j % 7);
}

void diffuse(int steps, double c)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + c * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j]);
        double **tmp = u;
        u = v;
        v = tmp;
    }
}

int main(void)
{
    setup(100, 80);
    diffuse(10, 0.1);
    printf("%g\n", u[3][4]);
    return 0;
}
