// Levels by a queue that begins in front of the checks the search is behind. want: parallel
#pragma regraph size(nv=3000, ne=24000, from=5) size(nv=40, ne=200, from=0) extent(first: nv + 1) extent(to: ne) extent(hops: nv)
#include <stdlib.h>
int queue_in_branch(const int *first, const int *to, int nv, int ne, int from, int *hops)
{
    int head, tail, i, e, u, w;
    unsigned char *seen;
    int *queue;
    if (nv <= 0 || from < 0 || from >= nv) return -1;
    head = tail = 0;
    seen = calloc(nv, 1);
    queue = malloc(nv * sizeof *queue);
    if (!seen || !queue) {
        free(seen);
        free(queue);
        return -2;
    }
    for (i = 0; i < nv; i++) hops[i] = -1;
    if (ne > 0) {
        queue[tail++] = from;
        seen[from] = 1;
        hops[from] = 0;
        while (head != tail) {
            u = queue[head++];
            for (e = first[u]; e < first[u + 1]; e++) {
                w = to[e];
                if (seen[w]) continue;
                seen[w] = 1;
                hops[w] = hops[u] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(seen);
    free(queue);
    return tail;
}
