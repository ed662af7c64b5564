// Loops that the file does not write stand where what makes them does. want: parallel
// refused: parallelize,fission@loop:k : loop k (tests/poly/cases/calloc_line.c:8) has one statement
#include <stdlib.h>
#pragma regraph size(n=300,m=40) size(n=7,m=5)
void calloc_line(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double *t = calloc((size_t)m, sizeof *t);
        for (int r = 0; r < 3; r++)
            for (int j = 0; j < m; j++) t[j] += x[i * m + j] * r;
        double s = 0;
        for (int j = 0; j < m; j++) s += t[j] * t[m - 1 - j];
        y[i] = s;
        free(t);
    }
}
