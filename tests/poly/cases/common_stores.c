// Both arms of conditions store one element, by way of values of their own, and a counter moves in some: the loop carries sums that begin anew. want: parallel
// chain: scan.block
#include <stddef.h>
#pragma regraph size(n=30000) size(n=70) size(n=3) size(n=1) input(group: uniform(0, 3))
unsigned common_stores(size_t n, const int group[n], const double x[n], double dist[n], unsigned trip[n])
{
    unsigned trips = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || group[i] != group[i - 1]) {
            dist[i] = 0.0;
            trip[i] = ++trips;
        } else if (x[i] > 0.8) {
            dist[i] = dist[i - 1];
            trip[i] = ++trips;
        } else {
            const double h = x[i] * 0.5, q = h * h + 0.25;
            dist[i] = dist[i - 1] + q * h;
            trip[i] = trips;
        }
    }
    return trips;
}
