// Truth values that steps set, and that each condition leaves or ends: one is set by any step. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=7) input(x: uniform(0, 3)) extent(x: n)
#include <stdbool.h>
int bool_steps(int n, const int *x)
{
    bool f = 0, all = 1, odd = 0;
    for (int i = 0; i < n; i++)
        if (x[i] == 2) f++;
    for (int i = 0; i < n; i++) {
        all &= x[i] < 3;
        odd ^= x[i] == 1;
    }
    return f + 2 * all + 4 * odd;
}
