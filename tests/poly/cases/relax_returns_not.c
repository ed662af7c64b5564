// The number of rounds is returned: it depends on how soon each sees what others have changed, and stays that of the C. want: parallel
// chain: parallelize@C
// lacks: atomic
#pragma regraph size(n=400, m=3000, s=7) size(n=5, m=6, s=0) input(cost: uniform(1, 50)) extent(dist: n)
int rounds(int n, int m, const int *from, const int *to, const int *cost, int s, int *dist)
{
    for (int v = 0; v < n; v++) dist[v] = 1000000;
    dist[s] = 0;
    for (int round = 1; round <= n; round++) {
        int changed = 0;
        for (int e = 0; e < m; e++)
            if (dist[from[e]] != 1000000 && dist[from[e]] + cost[e] < dist[to[e]]) {
                dist[to[e]] = dist[from[e]] + cost[e];
                changed = 1;
            }
        if (!changed) return round;
    }
    return -1;
}
