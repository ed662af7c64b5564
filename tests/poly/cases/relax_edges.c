// Bellman-Ford over a list of edges, as many rounds as there are vertices, without a test for the end. want: parallel
// chain: parallelize@C
// shows: atomic
#define INF 1000000000
#pragma regraph size(n=4000, m=16000, source=7) size(n=50, m=300, source=0) input(w: uniform(1, 50)) extent(dist: n)
void bellman_ford(int n, int m, const int *from, const int *to, const int *w, int source, int *dist)
{
    for (int v = 0; v < n; v++) dist[v] = INF;
    dist[source] = 0;
    for (int round = 1; round < n; round++)
        for (int e = 0; e < m; e++) {
            if (dist[from[e]] == INF) continue;
            if (dist[from[e]] + w[e] < dist[to[e]]) dist[to[e]] = dist[from[e]] + w[e];
        }
}
