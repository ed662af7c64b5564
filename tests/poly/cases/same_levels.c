// Breadth-first levels: every writer of a round stores the same level. want: parallel
// chain: parallelize@C
// shows: level_before
#pragma regraph size(n=3000, m=12000, root=5) size(n=70, m=90, root=0) extent(nbr: m)
void levels(int n, int m, const int *off, const int *nbr, int root, int *level)
{
    for (int i = 0; i < n; i++) level[i] = -1;
    level[root] = 0;
    for (int d = 0, more = 1; more; d++) {
        more = 0;
        for (int u = 0; u < n; u++) {
            if (level[u] != d) continue;
            for (int k = off[u]; k < off[u + 1]; k++)
                if (level[nbr[k]] < 0) { level[nbr[k]] = d + 1; more = 1; }
        }
    }
}
