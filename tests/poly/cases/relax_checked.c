// A loop behind the rounds looks for a circle that still shortens a way: its reads that data lead ask for their array. want: parallel
// chain: parallelize@C
// shows: atomic
#include <stdbool.h>
#pragma regraph size(n=300, m=2000, s=7) size(n=5, m=6, s=0) input(w: uniform(-1, 60)) extent(dist: n)
bool bellman_ford(const int *from, const int *to, const int *w, int m, int n, int s, int *dist)
{
    for (int v = 0; v < n; v++) dist[v] = 1000000000;
    dist[s] = 0;
    for (int r = 0; r < n - 1; r++) {
        bool changed = false;
        for (int e = 0; e < m; e++) {
            int u = from[e], v = to[e];
            if (dist[u] != 1000000000 && dist[u] + w[e] < dist[v]) {
                dist[v] = dist[u] + w[e];
                changed = true;
            }
        }
        if (!changed) return true;
    }
    for (int e = 0; e < m; e++)
        if (dist[from[e]] != 1000000000 && dist[from[e]] + w[e] < dist[to[e]]) return false;
    return true;
}
