// Failures spread as loads rise, and are counted through all rounds. want: parallel
// chain: parallelize@C
// shows: fires\[
#pragma regraph size(n=3000) size(n=40) size(n=1) extent(row: n + 1) input(failed: uniform(0, 1))
int firing_spread(int n, const long *row, const int *adj, const int *limit, int *load, int *failed, int *by)
{
    int changed = 1, total = 0;
    while (changed) {
        changed = 0;
        for (int v = 0; v < n; v++) {
            if (failed[v] == 0 && load[v] > limit[v]) {
                failed[v] = 1;
                by[v] = limit[v];
                total++;
                changed++;
                for (long e = row[v]; e < row[v + 1]; e++) load[adj[e]] += 2;
            }
        }
    }
    return total;
}
