// A sort in every round of a loop, in a direction that a file-scope variable gives. want: parallel
// chain: parallelize@C
// shows: for \(int run[0-9]+ = [0-9]+; run[0-9]+ < n; run[0-9]+ \*= 4\)
#include <stdlib.h>
static int descending;
static int cmp(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    int c = (d > 0) - (d < 0);
    return descending ? -c : c;
}
#pragma regraph size(n=3000,t=3) size(n=12,t=5)
void rounds(double *x, const double *v, int n, int t)
{
    descending = 1;
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++) x[i] += 0.5 * v[i];
        qsort(x, n, sizeof *x, cmp);
        for (int i = 0; i < n; i++) x[i] = 0.9 * x[i];
    }
}
