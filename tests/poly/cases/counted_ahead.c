// Segments whose first element a counter is one ahead of: least element, length and sum of each, one loop. want: parallel
#include <stddef.h>
#pragma regraph size(n=3000) size(n=1) size(n=40) extent(v: n) extent(flag: n) extent(lo: n) extent(len: n)
size_t segments(size_t n, const double *v, const int *flag, double *lo, int *len)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || flag[i] != flag[i - 1]) {
            lo[m] = v[i];
            len[m] = 1;
            m++;
        } else {
            if (v[i] < lo[m - 1]) lo[m - 1] = v[i];
            len[m - 1]++;
        }
    }
    return m;
}
