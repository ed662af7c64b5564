// Only those that are left lose one: how many it is in the end depends on the order. want: sequential
#pragma regraph size(n = 3000) size(n = 40) size(n = 1) extent(row: n + 1)
void firing_those_left_not(int n, const long *row, const int *adj, int k, int *deg, unsigned char *alive)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int v = 0; v < n; v++)
            if (alive[v] && deg[v] < k) {
                alive[v] = 0;
                changed = 1;
                for (long e = row[v]; e < row[v + 1]; e++)
                    if (alive[adj[e]]) deg[adj[e]]--;
            }
    }
}
