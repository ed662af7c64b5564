/* Numbers with their weights in order, a decimal digit at a time, as it is taught. */
#include <stdlib.h>
#include <string.h>

#define BASE 10

static void by_digit(int *a, double *w, int *tmp, double *tmp_w, int n, int exp)
{
    int i, d, count[BASE] = {0};

    for (i = 0; i < n; i++)
        count[(a[i] / exp) % BASE]++;
    for (d = 1; d < BASE; d++)
        count[d] += count[d - 1];
    for (i = n - 1; i >= 0; i--) {
        d = (a[i] / exp) % BASE;
        tmp[count[d] - 1] = a[i];
        tmp_w[count[d] - 1] = w[i];
        count[d]--;
    }
    for (i = 0; i < n; i++) {
        a[i] = tmp[i];
        w[i] = tmp_w[i];
    }
}

void radix_sort(int *a, double *w, int n)
{
    int exp, i, m = 0, *tmp = malloc(n * sizeof *tmp);
    double *tmp_w = malloc(n * sizeof *tmp_w);

    for (i = 0; i < n; i++)
        if (a[i] > m)
            m = a[i];
    for (exp = 1; m / exp > 0; exp *= BASE)
        by_digit(a, w, tmp, tmp_w, n, exp);
    free(tmp);
    free(tmp_w);
}
