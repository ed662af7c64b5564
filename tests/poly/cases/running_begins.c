// A counter that asks whether it has begun: stretches of near values, which gaps end, with their extremes. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-9, 9)) input(tol: uniform(1, 4)) extent(calm: 1) role(calm: out)
#include <stdint.h>
struct run { int64_t begin, length; int lo, hi; };
void running_begins(const int *x, int64_t n, int tol, struct run *calm)
{
    struct run best = {-1, 0, 0, 0}, now = {-1, 0, 0, 0};
    for (int64_t i = 0; i < n; i++) {
        if (x[i] == -9) {
            now.length = 0;
            continue;
        }
        int joins = 0;
        if (now.length > 0) {
            int64_t d = (int64_t)x[i] - x[i - 1];
            joins = d <= tol && -d <= tol;
        }
        if (!joins) {
            now = (struct run){i, 1, x[i], x[i]};
        } else {
            now.length++;
            if (x[i] < now.lo) now.lo = x[i];
            if (x[i] > now.hi) now.hi = x[i];
        }
        if (now.length > best.length) best = now;
    }
    *calm = best;
}
