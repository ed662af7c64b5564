// The same of size_t, whose j comes round where there is nothing; all that is around is read once. want: parallel
#pragma regraph size(n=100000) size(n=1) size(n=2) size(n=3) size(n=64) size(n=65)
#include <stddef.h>
void meeting_sizes(const double *restrict x, double *restrict y, size_t n)
{
    for (size_t i = 0, j = n - 1; i < j; i++, j--) {
        if (x[i] == x[j]) continue;
        y[i] = x[i] - x[j];
        y[j] = x[j] * x[i];
    }
}
