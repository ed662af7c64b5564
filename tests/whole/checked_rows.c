/* Scales the rows of a table; gives up at the first that can't be scaled. */
#include <math.h>

#define BAD_WEIGHT (-2)
#define NOT_A_NUMBER (-1)

int scale_rows(int n, int m, const double *a, double *out, double *weight)
{
    int i, j;

    for (i = 0; i < n; i++) {
        double sum = 0, big = 0;

        if (weight[i] < 0)
            return BAD_WEIGHT;
        for (j = 0; j < m; j++) {
            if (isnan(a[i * m + j]))
                return NOT_A_NUMBER;
            sum += a[i * m + j] * a[i * m + j];
            if (fabs(a[i * m + j]) > big)
                big = fabs(a[i * m + j]);
        }
        if (big == 0.0)
            return i + 1;
        weight[i] *= sqrt(sum);
        for (j = 0; j < m; j++)
            out[i * m + j] = a[i * m + j] / big;
    }
    return 0;
}

/* Some of the tables have a bad weight somewhere. */
void some_rows(int n, int m, double *a, double *weight)
{
    unsigned x = 12345u;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        weight[i] = n % 3 == 1 && i == n / 2 ? -1 : (x >> 16) % 100 / 10.0;
        for (int j = 0; j < m; j++) {
            x = x * 1103515245u + 12345u;
            a[i * m + j] = (x >> 16) % 1000 / 500.0 - 1;
        }
    }
}
