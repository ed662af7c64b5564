// Who fails is asked with the round in which it does, which another order makes another one. want: sequential
#pragma regraph size(n=3000) size(n=40) size(n=1) extent(row: n + 1) input(failed: uniform(0, 1))
int firing_round_not(int n, const long *row, const int *adj, const int *limit, int *load, int *failed, int *when)
{
    int changed = 1, round = 0;
    while (changed) {
        changed = 0;
        for (int v = 0; v < n; v++) {
            if (failed[v] == 0 && load[v] > limit[v]) {
                failed[v] = 1;
                when[v] = round;
                changed++;
                for (long e = row[v]; e < row[v + 1]; e++) load[adj[e]] += 2;
            }
        }
        round++;
    }
    return round;
}
