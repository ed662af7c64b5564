// memmove within an array: up, down, and as data say, with private rows for each of many. want: parallel
#include <string.h>
#pragma regraph size(n=64, m=300) size(n=1, m=2) size(n=7, m=3)
#pragma regraph extent(rows: m*(n + 3)) extent(by: m) input(by: uniform(0, 2))
void memmove_overlap(int n, int m, int *rows, const int *by)
{
    for (int r = 0; r < m; r++) {
        int *v = rows + r * (n + 3), w[8];
        for (int i = 0; i < 8; i++) w[i] = v[i % n] + i;
        memmove(w + 1, w, 7 * sizeof *w);
        memmove(w, w + 2, 5 * sizeof *w);
        memmove(v + 1, v + by[r], n * sizeof *v);
        for (int i = 0; i < n; i++) v[i] += w[i % 8];
    }
}
