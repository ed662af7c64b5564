// The rounds of Bellman and Ford: the function returns from the first that changes nothing, false where none does. want: parallel
// chain: parallelize@C
// shows: atomic
#include <stdbool.h>
#define FAR (1 << 30)
#pragma regraph size(n=400, m=3000, s=7) size(n=5, m=6, s=0) input(cost: uniform(1, 50)) extent(dist: n)
bool shortest(long n, long m, const int *from, const int *to, const int *cost, long s, int *dist)
{
    for (long v = 0; v < n; v++) dist[v] = FAR;
    dist[s] = 0;
    for (long round = 1; round <= n; round++) {
        bool changed = false;
        for (long e = 0; e < m; e++) {
            long u = from[e];
            int d = dist[u];
            if (d == FAR) continue;
            int candidate = d + cost[e];
            if (candidate < dist[to[e]]) {
                dist[to[e]] = candidate;
                changed = true;
            }
        }
        if (!changed) return true;
    }
    return false;
}
