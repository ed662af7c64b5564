// Tests of rows for NULL, which none is where the kernel runs (NAME_auto calls the C). want: parallel
#include <stddef.h>
#pragma regraph extent(a: n, m) extent(b: n, m) size(n=40,m=30) size(n=3,m=7)
void scale(double **a, const double *const *b, int n, int m, double s)
{
    for (int i = 0; i < n; i++) {
        const double *from = b[i];
        if (a[i] != NULL && NULL != from)
            for (int j = 0; j < m; j++) a[i][j] = s * from[j];
    }
}
