/* The depth of each place of a heap, from the one above it; goes on until nothing changes, within a bound that is never
 * met. */
#pragma regraph size(n=1000000) extent(depth: n) extent(next: n) role(depth: out) role(next: out)
void depths(int n, int *depth, int *next)
{
    for (int v = 0; v < n; v++) depth[v] = v == 0 ? 0 : 1 << 30;
    for (int r = 0; r < n; r++) {
        int changed = 0;
        for (int v = 0; v < n; v++) {
            int above = v == 0 ? 0 : depth[(v - 1) / 2] + 1;
            next[v] = above < depth[v] ? above : depth[v];
            if (next[v] != depth[v]) changed = 1;
        }
        for (int v = 0; v < n; v++) depth[v] = next[v];
        if (!changed) break;
    }
}
