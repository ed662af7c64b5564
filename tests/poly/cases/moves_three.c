// Three buffers in turn, filled anew for each row, however many rounds it has: none, one, two, more. want: parallel
#pragma regraph size(rows=200, rounds=9, n=30) size(rows=20, rounds=1, n=33) size(rows=33, rounds=2, n=20) size(rows=50, rounds=3, n=9) size(rows=50, rounds=4, n=9)
#include <stdlib.h>
void moves_three(int rows, int rounds, int n, const float x[rows][n], float y[rows])
{
    float *a = malloc(n * sizeof(float)), *b = malloc(n * sizeof(float)), *c = malloc(n * sizeof(float));
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < n; i++) {
            a[i] = x[r][i];
            b[i] = x[r][n - 1 - i];
        }
        for (int k = 1; k < rounds; k++) {
            for (int i = 0; i < n; i++) c[i] = 0.5f * b[i] - 0.3f * a[n - 1 - i];
            float *t = a;
            a = b;
            b = c;
            c = t;
        }
        float sum = 0;
        for (int i = 0; i < n; i++) sum += a[i] * (i + 1) + b[i];
        y[r] = sum;
    }
    free(a);
    free(b);
    free(c);
}
