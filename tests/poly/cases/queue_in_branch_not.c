// The queue has an element already where a check in front says so: it stays a queue. want: parallel
// chain: parallelize@C
// lacks: front
#pragma regraph size(nv=3000, ne=24000, from=5) size(nv=40, ne=200, from=0) extent(first: nv + 1) extent(to: ne) extent(hops: nv)
int queue_in_branch_not(const int *first, const int *to, int nv, int ne, int from, int *hops)
{
    int queue[5000], head = 0, tail = 0;
    if (from < 0 || from >= nv || nv > 4000) return -1;
    for (int i = 0; i < nv; i++) hops[i] = -1;
    if (from > 2) queue[tail++] = 0;
    if (ne > 0) {
        hops[from] = 0;
        queue[tail++] = from;
        while (head < tail) {
            int u = queue[head++];
            for (int e = first[u]; e < first[u + 1]; e++) {
                int w = to[e];
                if (hops[w] < 0) {
                    hops[w] = hops[u] + 1;
                    queue[tail++] = w;
                }
            }
        }
    }
    return tail;
}
