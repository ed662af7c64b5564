// What one purchase and one sale bring at best, the days with a new low, and the sum of the lows, from the last day on. want: parallel
#include <math.h>
#pragma regraph size(n=60000) size(n=2) size(n=700) require(n >= 2)
struct trade { double best, lows; long records; };
struct trade trade(const double *p, long n, const double *fee)
{
    struct trade t = {0, 0, 1};
    double hi = p[n - 1];
    for (long day = n - 2; day >= 0; --day) {
        t.best = fmax(t.best, hi - p[day] - fee[day]);
        if (hi < p[day]) {
            hi = p[day];
            t.records++;
        }
        t.lows += hi;
    }
    return t;
}
