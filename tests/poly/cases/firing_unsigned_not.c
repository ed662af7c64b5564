// Counts that fall below 0 are large again: whether one goes depends on who went before. want: sequential
#pragma regraph size(n = 3000) size(n = 40) size(n = 1) extent(row: n + 1)
void firing_unsigned_not(int n, const long *row, const int *adj, unsigned k, unsigned *deg, unsigned char *alive)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int v = 0; v < n; v++)
            if (alive[v] && deg[v] < k) {
                alive[v] = 0;
                changed = 1;
                for (long e = row[v]; e < row[v + 1]; e++) deg[adj[e]]--;
            }
    }
}
