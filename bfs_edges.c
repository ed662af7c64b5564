int bfs_edges(int n, int m, const int *from, const int *to, int root, int level[])
{
    int depth = 0, i, e, found;
    for (i = 0; i < n; i++) level[i] = 1 << 30;
    level[root] = 0;
    do {
        found = 0;
        for (e = 0; e < m; e++) {
            if (level[from[e]] == depth && level[to[e]] > depth + 1) {
                level[to[e]] = depth + 1;
                found++;
            }
        }
        depth++;
    } while (found > 0);
    return depth - 1;
}
