// The largest sum of neighbours and where it is, the smallest one, and that of reals, in the usual spellings. want: parallel
#include <math.h>
#pragma regraph size(n=40000) size(n=1) size(n=300) input(a: uniform(-100, 100)) input(x: uniform(-1, 1)) require(n >= 1)
long long largest(const int *a, const float *x, int n, int *from, int *to, int *least, float *real)
{
    long long best = a[0], cur = a[0];
    int start = 0, low = 0, down = 0;
    float end = x[0], most = x[0];
    *from = *to = 0;
    for (int i = 1; i < n; i++) {
        if (cur < 0) {
            cur = a[i];
            start = i;
        } else {
            cur += a[i];
        }
        if (cur > best) {
            best = cur;
            *from = start;
            *to = i;
        }
    }
    for (int i = 0; i < n; i++) {
        down += a[i];
        if (down < low) low = down;
        if (down > 0) down = 0;
    }
    for (int i = 1; i < n; i++) {
        end = fmaxf(x[i], end + x[i]);
        most = most < end ? end : most;
    }
    *least = low;
    *real = most;
    return best;
}
