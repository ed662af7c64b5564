// The least and the most of those that take part, a flag that says that there was none yet goes down behind. want: parallel
#include <stdbool.h>
#pragma regraph size(n=4000) size(n=7) size(n=1) extent(x: n) extent(kind: n) input(kind: uniform(0, 9))
float first_flag(int n, const float *x, const int *kind, float out[3])
{
    bool first = true;
    int at = -1, found = 0;
    float low = 0, high = 0, nearest = 0;
    for (int i = 0; i < n; i++) {
        if (kind[i] % 3 == 0) continue;
        if (first || x[i] < low) low = x[i];
        if (first || x[i] > high) high = x[i];
        first = false;
    }
    for (int i = 0; i < n; i++)
        if (kind[i] > 2) {
            if (!found || x[i] * x[i] - x[i] < nearest) {
                nearest = x[i] * x[i] - x[i];
                at = i;
            }
            found = 1;
        }
    out[0] = low;
    out[1] = nearest;
    out[2] = at;
    return high - low;
}
