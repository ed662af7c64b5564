// A counter that is 0 before the first iteration alone: anything may be asked where it is more. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-9, 9)) input(tol: uniform(1, 4))
#include <stdlib.h>
int running_begins_once(const int *x, int n, int tol, int *at)
{
    unsigned count = 0, best = 0;
    int from = -1, before = 0;
    for (int i = 0; i < n; i++) {
        if (count == 0)
            count = 1;
        else if (abs(x[i] - before) <= tol)
            ++count;
        else
            count = 1;
        before = x[i];
        if (count > best) {
            best = count;
            from = i - (int)count + 1;
        }
    }
    *at = from;
    return (int)best;
}
