// Levels by a queue that two pointers walk, in memory that is asked for: nothing of the queue is left. want: parallel
#pragma regraph size(nv=3000, ne=24000, from=5) size(nv=40, ne=200, from=0) extent(first: nv + 1) extent(to: ne) extent(depth: nv)
#include <stdlib.h>
int queue_pointers(const int *first, const int *to, int nv, int ne, int from, int *depth)
{
    int *q, *in, *out, far = 0;
    if (from < 0 || from >= nv) return -1;
    if (!(q = malloc(nv * sizeof *q))) return -2;
    for (int v = 0; v < nv; v++) depth[v] = -1;
    in = out = q;
    *in++ = from;
    depth[from] = 0;
    while (out != in) {
        int u = *out++;
        for (int e = first[u]; e < first[u + 1]; e++) {
            int w = to[e];
            if (depth[w] >= 0) continue;
            depth[w] = depth[u] + 1;
            if (depth[w] > far) far = depth[w];
            *in++ = w;
        }
    }
    free(q);
    return far;
}
