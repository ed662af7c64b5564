/* Modified Gram-Schmidt of columns of which most depend on the others: what is left of those is rounding alone */
#include <math.h>
#include <stdio.h>

void fill(int rows, int cols, float A[rows][cols])
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) A[i][j] = (float)((i * j) % rows) / rows * 100 + 10;
}

void orthogonalise(int rows, int cols, float A[rows][cols], float R[cols][cols], float Q[rows][cols])
{
    for (int k = 0; k < cols; k++) {
        float norm = 0;
        for (int i = 0; i < rows; i++) norm += A[i][k] * A[i][k];
        R[k][k] = sqrtf(norm);
        for (int i = 0; i < rows; i++) Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < cols; j++) {
            float dot = 0;
            for (int i = 0; i < rows; i++) dot += Q[i][k] * A[i][j];
            R[k][j] = dot;
            for (int i = 0; i < rows; i++) A[i][j] -= Q[i][k] * dot;
        }
    }
}

int main(void)
{
    static float A[60][40], R[40][40], Q[60][40];
    fill(60, 40, A);
    orthogonalise(60, 40, A, R, Q);
    printf("%g\n", Q[1][1]);
    return 0;
}
