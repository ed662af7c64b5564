// Peeling: whoever has few neighbours left goes, and takes one from each of them. want: parallel
// chain: parallelize@C
#pragma regraph size(n = 3000) size(n = 40) size(n = 1) extent(row: n + 1) extent(removed: 1)
void firing_core(int n, const long *row, const int *adj, int k, int *deg, unsigned char *gone, int *removed)
{
    int count, all = 0;
    for (int v = 0; v < n; v++) {
        deg[v] = (int)(row[v + 1] - row[v]);
        gone[v] = 0;
    }
    do {
        count = 0;
        for (int v = 0; v < n; v++) {
            if (gone[v] || k <= deg[v]) continue;
            gone[v] = 1;
            count++;
            for (long e = row[v]; e < row[v + 1]; e++) {
                int w = adj[e];
                deg[w] -= 1;
            }
        }
    } while (count > 0);
    for (int v = 0; v < n; v++) all += gone[v];
    removed[0] = all;
}
