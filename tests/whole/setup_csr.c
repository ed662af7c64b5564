#include <stdlib.h>
#include <string.h>
/* a handle with pointers, as libraries keep it */
typedef struct sparse { int rows, nonzeros; int *start, *column; double *value, *scratch; } sparse_t;
static sparse_t matrix;

int sparse_setup(int rows, int nonzeros, const int *start, const int *column, const double *value)
{
    matrix.rows = rows;
    matrix.nonzeros = nonzeros;
    matrix.start = malloc(sizeof(int) * (rows + 1));
    matrix.column = malloc(sizeof(int) * nonzeros);
    matrix.value = malloc(sizeof(double) * nonzeros);
    matrix.scratch = malloc(sizeof(double) * rows);
    if (!matrix.start || !matrix.column || !matrix.value || !matrix.scratch) return -1;
    memcpy(matrix.start, start, sizeof(int) * (rows + 1));
    memcpy(matrix.column, column, sizeof(int) * nonzeros);
    memcpy(matrix.value, value, sizeof(double) * nonzeros);
    return 0;
}

static double row_dot(const sparse_t *a, int row, const double *x)
{
    double sum = 0.0;
    for (int k = a->start[row]; k < a->start[row + 1]; k++)
        sum += a->value[k] * x[a->column[k]];
    return sum;
}

void sparse_apply(const double *x, double *y)
{
    for (int i = 0; i < matrix.rows; i++)
        matrix.scratch[i] = row_dot(&matrix, i, x);
    for (int i = 0; i < matrix.rows; i++)
        y[i] = 0.5 * y[i] + matrix.scratch[i];
}

void sparse_close(void)
{
    free(matrix.start); free(matrix.column); free(matrix.value); free(matrix.scratch);
    memset(&matrix, 0, sizeof matrix);
}
