/* float **: the problem has one block, the C gets a table of pointers into it. Helpers take rows and tables. */
#include <string.h>
#pragma regraph size(n=53, m=39, p=26, d=5)
static float dot(const float *row, float **b, int j, int m)
{
    float s = 0;
    for (int k = 0; k < m; k++) s += row[k] * b[k][j];
    return s;
}
void f(int n, int m, int p, int d, float **a, float **b, float *c[], double ***t)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) c[i][j] = dot(a[i], b, j, m);
    for (int i = 0; i < n; i++) {
        float *row = c[i];
        for (int j = 1; j < p; j++) row[j] += row[j - 1];
    }
    for (int x = 0; x < d; x++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) t[x][i][j] = 2 * t[x][i][j] + a[i][j];
}
