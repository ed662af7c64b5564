// The largest value since data began a run anew, in 64 bits from the least number on; the largest of all behind it. want: parallel
// chain: scan.block@C
// lacks: one thread: loop
#include <stdint.h>
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-50, 49)) input(start: uniform(0, 40)) role(top: out)
int64_t scan_resets_max(const int *x, const int *start, int64_t *top, int n)
{
    int64_t high = -1000, low = 7;
    for (int i = 0; i < n; i++) {
        if (start[i] == 0) {
            high = INT64_MIN;
            low = x[i] < 0 ? INT64_MAX : 40;
        }
        if (start[i] == 1) low = 1;
        high = x[i] > high ? x[i] : high;
        low = x[i] < low ? x[i] : low;
        top[i] = high - (low < 0 ? low : 0);
    }
    return high;
}
