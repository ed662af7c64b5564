// Scratch of one row that each row is copied to and sorted in: a matrix of them, whose rows are sorted at once. want: parallel
// chain: parallelize@C
// shows: sort: blocks sort tiles, then merge runs of them, a piece for each s
#include <math.h>
#include <stdlib.h>
static int up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
#pragma regraph size(r=70, n=101) size(r=3, n=5) size(r=2, n=1)
void robust(int r, int n, const double *x, double *med, double *mad)
{
    double *tmp = malloc(n * sizeof *tmp);
    for (int s = 0; s < r; s++) {
        const double *row = x + (size_t)s * n;
        for (int i = 0; i < n; i++) tmp[i] = row[i];
        qsort(tmp, n, sizeof *tmp, up);
        double c = tmp[n / 2];
        for (int i = 0; i < n; i++) tmp[i] = fabs(row[i] - c);
        qsort(tmp, n, sizeof *tmp, up);
        med[s] = c;
        mad[s] = 1.4826 * tmp[n / 2];
    }
    free(tmp);
}
