// function: extent_table_rows
// expect: the extent of 'lower', 'either', 'grown' cannot be read off the code
/* rows that are longer each, a table that is one of two, a length that grows */
#include <stdlib.h>
static double **triangle(int n)
{
    double **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++) t[i] = malloc((i + 1) * sizeof(double));
    return t;
}
static double **one_of_two(int n, int wide)
{
    double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) b[i] = malloc(2 * n * sizeof(double));
    return wide ? b : a;
}
static double **grown_by(int n, int by)
{
    int width = n;
    double **t = malloc(n * sizeof *t);
    width += by;
    for (int i = 0; i < n; i++) t[i] = malloc(width * sizeof(double));
    return t;
}
void extent_table_rows(double **lower, double **either, double **grown, const int *at, int n, double *out)
{
    for (int i = 0; i < n; i++) out[i] = lower[i][at[i]] + either[i][at[i]] + grown[i][at[i]];
}
void use(int n, const int *at, double *out)
{
    double **lower = triangle(n), **either = one_of_two(n, 1), **grown = grown_by(n, 3);
    extent_table_rows(lower, either, grown, at, n, out);
}
