// want: parallel
/* Data lead a few elements further than they say, where conditions leave some of them out: the extents that callers say have room for it. */
#pragma regraph size(n=30) size(n=12) size(n=7)
struct edge { int to; int weight; };
void extent_of_caller_more(int n, const struct edge *e, int *dist, int *count)
{
    for (int i = 0; i < n; i++) {
        int u = e[i].to;
        if (u < 0) continue;
        count[u + 3]++;
        if (dist[u] > e[i].weight) dist[u] = e[i].weight;
    }
}
