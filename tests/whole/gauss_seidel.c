#include <math.h>
#include <stdio.h>
/* homework 7: solve the Poisson equation with Gauss-Seidel */
#define SIZE 200
double u[SIZE][SIZE], f[SIZE][SIZE];

double relax(int iterations)
{
    double diff = 0;
    for (int k = 0; k < iterations; k++) {
        diff = 0;
        for (int i = 1; i < SIZE - 1; i++)
            for (int j = 1; j < SIZE - 1; j++) {
                double old = u[i][j];
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
                if (fabs(u[i][j] - old) > diff) diff = fabs(u[i][j] - old);
            }
    }
    return diff;
}

int main()
{
    for (int i = 0; i < SIZE; i++) f[i][i] = 1.0 / (SIZE * SIZE);
    printf("%g\n", relax(20));
}
