// Those of a row that are numbers are sorted, as many as there are: each row has scratch of its own. want: parallel
// chain: parallelize,coalesce
// lacks: rg_sort_tile<[0-9]+,
#include <math.h>
#include <stdlib.h>
static int up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
#pragma regraph size(r=400, n=51) size(r=7, n=5)
void medians_of_some(int r, int n, const double x[r][n], double *med, int *count)
{
    double *tmp = malloc(n * sizeof *tmp);
    for (int s = 0; s < r; s++) {
        int m = 0;
        for (int i = 0; i < n; i++)
            if (!isnan(x[s][i]) && x[s][i] > 0.3) tmp[m++] = x[s][i];
        qsort(tmp, m, sizeof *tmp, up);
        med[s] = m ? tmp[m / 2] : NAN;
        count[s] = m;
    }
    free(tmp);
}
