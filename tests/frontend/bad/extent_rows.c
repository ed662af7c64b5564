// expect: --extent 'adj: n*n'
/* places that data lead along: rows of n */
void reach(int n, int source, const int *adj, int *dist)
{
    int queue[4096], head = 0, tail = 0;
    for (int i = 0; i < n; i++) dist[i] = -1;
    dist[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int u = queue[head++];
        for (int v = 0; v < n; v++)
            if (adj[u * n + v] && dist[v] < 0) {
                dist[v] = dist[u] + 1;
                queue[tail++] = v;
            }
    }
}
