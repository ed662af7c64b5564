#pragma regraph size(n=5000) size(n=1) size(n=2) size(n=3) size(n=301) input(x: uniform(-3, 3)) extent(x: n) extent(y: n)
#include <stdbool.h>
struct s { bool on; int k; };
int bool_used(int n, const int *x, int *y, bool *set)
{
    bool f = 0, g = 1, once = false;
    struct s w = {0, 3};
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0 && f++) c++;
        y[i] = g-- + 2 * w.on--;
        c += once++ ? 0 : 100;
        while (!w.on++) c += w.k;
        if (--f) c += 7;
    }
    *set = 1;
    if ((*set)++) c += 1000;
    set[0]++;
    return c * 2 + *set;
}
