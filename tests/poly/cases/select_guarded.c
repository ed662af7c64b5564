// The k-th smallest with the C of a library around it: bad arguments, no memory, a median of three, an early end. want: parallel
// shows: rg_sort_tile
#pragma regraph size(n=3000, k=70) size(n=40, k=39) size(n=5, k=7) extent(v: n)
#include <stdlib.h>
#include <string.h>
static void exchange(double *p, double *q)
{
    double t = *p;
    *p = *q;
    *q = t;
}
double select_guarded(const double *v, int n, int k)
{
    double *w, found;
    int from = 0, to = n - 1;
    if (k < 0 || k >= n) return -1.0;
    w = malloc(n * sizeof *w);
    if (!w) return -2.0;
    memcpy(w, v, n * sizeof *w);
    while (from < to) {
        int middle = from + (to - from) / 2, i = from, j = to;
        double p;
        if (w[middle] < w[from]) exchange(&w[middle], &w[from]);
        if (w[to] < w[from]) exchange(&w[to], &w[from]);
        if (w[to] < w[middle]) exchange(&w[to], &w[middle]);
        p = w[middle];
        do {
            while (w[i] < p) i++;
            while (p < w[j]) j--;
            if (i <= j) {
                exchange(w + i, w + j);
                i++;
                j--;
            }
        } while (i <= j);
        if (k <= j) to = j;
        else if (k >= i) from = i;
        else break;
    }
    found = w[k];
    free(w);
    return found;
}
