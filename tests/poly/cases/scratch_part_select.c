// The median of those of a row that count, by Hoare's partition in a part of scratch: scans stop at elements, inside of it. want: parallel
// chain: parallelize@C
// lacks: ONE THREAD
#include <math.h>
#include <stdlib.h>
static double kth(double *a, int n, int k)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        double p = a[(lo + hi) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) {
                double t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (k <= j)
            hi = j;
        else if (k >= i)
            lo = i;
        else
            break;
    }
    return a[k];
}
#pragma regraph size(r=40, n=61) size(r=7, n=5) size(r=2, n=1)
long spread(int r, int n, const double *x, double *med, double *mad)
{
    double *tmp = malloc(n * sizeof *tmp);
    long far = 0;
    for (int s = 0; s < r; s++) {
        const double *row = x + (size_t)s * n;
        int m = 0;
        for (int i = 0; i < n; i++)
            if (!isnan(row[i]) && row[i] > 0.2) tmp[m++] = row[i];
        if (m == 0) {
            med[s] = mad[s] = -1;
            continue;
        }
        med[s] = kth(tmp, m, (m - 1) / 2);
        for (int i = 0; i < m; i++) tmp[i] = fabs(tmp[i] - med[s]);
        mad[s] = kth(tmp, m, (m - 1) / 2);
        for (int i = 0; i < n; i++) far += fabs(row[i] - med[s]) > 2 * mad[s];
    }
    free(tmp);
    return far;
}
