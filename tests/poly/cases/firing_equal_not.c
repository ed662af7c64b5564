// Who has none left goes; one that has fewer stays, so it matters when it is asked. want: sequential
#pragma regraph size(n = 3000) size(n = 40) size(n = 1) extent(row: n + 1)
void firing_equal_not(int n, const long *row, const int *adj, int *deg, unsigned char *done)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int v = 0; v < n; v++)
            if (!done[v] && deg[v] == 0) {
                done[v] = 1;
                changed = 1;
                for (long e = row[v]; e < row[v + 1]; e++) deg[adj[e]]--;
            }
    }
}
