// The place is set behind the partitions: others are asked for than the one they put there. want: parallel
// chain: parallelize@C
// lacks: rg_sort_tile
#pragma regraph size(n=3000, k=70) size(n=40, k=40) size(n=5, k=7) extent(v: n)
#include <stdlib.h>
#include <string.h>
double select_shifted_not(const double *v, int n, int k, int *ok)
{
    int from = 0, to = n - 1, i, j;
    double p, *w;
    *ok = 0;
    if (n < 1 || k < 1 || k > n) return 0;
    if (!(w = malloc(n * sizeof *w))) return 0;
    memcpy(w, v, n * sizeof *w);
    --k;
    while (from < to) {
        p = w[k];
        i = from;
        j = to;
        do {
            while (w[i] < p) i++;
            while (p < w[j]) j--;
            if (i <= j) {
                double t = w[i];
                w[i] = w[j];
                w[j] = t;
                i++;
                j--;
            }
        } while (i <= j);
        if (j < k) from = i;
        if (k < i) to = j;
    }
    k /= 2;
    p = w[k];
    free(w);
    *ok = 1;
    return p;
}
