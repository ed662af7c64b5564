// Statistics per class in structures: counts, sums, least and most, by conditions, choices and calls. want: parallel
#include <math.h>
typedef struct { unsigned cells; double mean; float lo, hi; int first, last; } stat;
#pragma regraph size(n=900,k=6) size(n=7,k=3) size(n=1,k=1) extent(st: k) input(x: uniform(-5,5))
void class_extremes(const float *x, const unsigned char *key, stat *st, int n, int k)
{
    for (int c = 0; c < k; c++) st[c] = (stat){.lo = 1e9f, .hi = -1e9f, .first = 1 << 30};
    for (int i = 0; i < n; i++) {
        if (x[i] < -4) continue;
        stat *s = &st[key[i] % k];
        s->cells++;
        s->mean += x[i];
        if (x[i] < s->lo) s->lo = x[i];
        if (s->hi < x[i]) s->hi = x[i];
        s->first = i < s->first ? i : s->first;
        if (i >= s->last) s->last = i;
    }
    for (int i = 0; i < n; i++) {
        stat *s = &st[(key[i] >> 1) % k];
        s->lo = fminf(s->lo, x[i] + 1);
    }
    for (int c = 0; c < k; c++)
        if (st[c].cells) st[c].mean /= st[c].cells;
}
