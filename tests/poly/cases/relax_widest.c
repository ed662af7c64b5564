// Widest paths: the greatest of the least, by the C library's functions, a bound on the rounds. want: parallel
// chain: parallelize@C
#include <math.h>
#include <stdbool.h>
#pragma regraph size(n=20000, m=80000, s=5) size(n=40, m=200, s=0) input(cap: uniform(0, 100)) extent(width: n)
void widest(int n, int m, const int *a, const int *b, const double *cap, int s, double *width)
{
    for (int v = 0; v < n; v++) width[v] = -1.0;
    width[s] = 1e9;
    for (int it = 0; it < n; ++it) {
        bool any = false;
        for (int e = 0; e < m; ++e) {
            const double through = fmin(width[a[e]], cap[e]);
            if (through > width[b[e]]) {
                any = true;
                width[b[e]] = through;
            }
        }
        if (!any) break;
    }
}
