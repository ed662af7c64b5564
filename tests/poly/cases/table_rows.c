// Tables of rows that functions of the file allocate, a row at a time or in one block, with rows from 1: the call says how long rows are. want: parallel
#include <stdio.h>
#include <stdlib.h>
struct model { int n, m; double **a, **b; float **c; };
static double *vector(int n)
{
    double *v = malloc((n + 1) * sizeof(double));
    if (!v) exit(1);
    return v;
}
static double **matrix(int rows, int columns)
{
    double **t = malloc((rows + 1) * sizeof(double *));
    if (!t) exit(1);
    for (int i = 1; i <= rows; i++) t[i] = vector(columns);
    t[0] = vector(columns);
    return t;
}
static float **block(long low, long high, int width)
{
    long n = high - low + 1;
    float **t = malloc(sizeof(float *) * (n + 1));
    if (!t) return NULL;
    t += 1;
    t -= low;
    t[0] = NULL;
    t[low] = calloc((size_t)n * width, sizeof(float));
    for (long i = low + 1; i <= high; i++) t[i] = t[i - 1] + width;
    return t;
}
void table_rows(const struct model *m, const int *seen, int length, double *out)
{
    for (int j = 1; j <= m->n; j++) {
        double sum = 0;
        for (int t = 0; t < length; t++) sum += m->b[j][seen[t]] * m->a[j][j] + m->c[j][seen[t]];
        out[j] = sum;
    }
}
int main(void)
{
    struct model h;
    h.n = 60;
    h.m = 9;
    h.a = matrix(h.n, h.n);
    h.b = matrix(h.n, h.m);
    h.c = block(1, h.n, h.m + 1);
    int seen[1000];
    double out[61], s = 0;
    for (int i = 1; i <= h.n; i++)
        for (int j = 1; j <= h.n; j++) h.a[i][j] = i - j;
    for (int i = 1; i <= h.n; i++)
        for (int j = 1; j <= h.m; j++) h.b[i][j] = i * j, h.c[i][j] = i ^ j;
    for (int t = 0; t < 1000; t++) seen[t] = 1 + t % 9;
    table_rows(&h, seen, 1000, out);
    for (int i = 1; i <= h.n; i++) s += out[i];
    printf("%g\n", s);
    return 0;
}
