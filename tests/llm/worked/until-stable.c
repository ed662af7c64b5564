/* Shortest distances from vertex 0, edge by edge until nothing is lowered: what the worked example of the prompts solves. */
#pragma regraph size(n=20000, m=60000) size(n=300, m=900) size(n=1, m=3)
#pragma regraph extent(from: m) extent(to: m) extent(w: m) extent(dist: n) role(dist: out)
#pragma regraph input(from: uniform(0, n - 1)) input(to: uniform(0, n - 1)) input(w: uniform(1, 9))
void distances(int n, int m, const int *from, const int *to, const int *w, int *dist)
{
    int changed;
    for (int v = 0; v < n; v++) dist[v] = v == 0 ? 0 : 1 << 30;
    do {
        changed = 0;
        for (int e = 0; e < m; e++) {
            int d = dist[from[e]] + w[e];
            if (d < dist[to[e]]) {
                dist[to[e]] = d;
                changed = 1;
            }
        }
    } while (changed);
}
