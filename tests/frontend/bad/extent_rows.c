// expect: --extent 'adj: n*n'
/* places that data lead along: rows of n */
void reach(int n, int source, const int *adj, int *order)
{
    int u = source;
    for (int k = 0; k < n; k++) {
        int most = -1, next = u;
        for (int v = 0; v < n; v++)
            if (adj[u * n + v] > most) {
                most = adj[u * n + v];
                next = u ^ v;
            }
        order[k] = u;
        u = next;
    }
}
