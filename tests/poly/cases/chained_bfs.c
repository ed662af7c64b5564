// Breadth-first search along chained lists of edges, by their heads; how many were reached. want: parallel
#pragma regraph size(n=3000,m=9000) size(n=40,m=60) size(n=3,m=2) extent(edge: m) init(chains)
#pragma regraph require(0 <= src) require(src < n) input(src: constant(0))
#include <stdlib.h>
struct edge { int to, next, open; };
void chains(int n, int m, struct edge *edge, int *head)
{
    unsigned x = 2463534242u;
    for (int i = 0; i < n; i++) head[i] = -1;
    for (int e = 0; e < m; e++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        unsigned u = x % (unsigned)n;
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        edge[e].to = (int)(x % (unsigned)n);
        edge[e].open = x % 7 != 0;
        edge[e].next = head[u];
        head[u] = e;
    }
}
int chained_bfs(int n, int m, const struct edge *edge, const int *head, int src, int *level)
{
    int *queue = malloc(sizeof(int) * n), qh = 0, qt = 0;
    (void)m;
    for (int i = 0; i < n; i++) level[i] = -1;
    level[src] = 0;
    queue[qt++] = src;
    while (qh < qt) {
        int u = queue[qh++];
        for (int e = head[u]; e != -1; e = edge[e].next) {
            if (!edge[e].open) continue;
            if (level[edge[e].to] >= 0) continue;
            level[edge[e].to] = level[u] + 1;
            queue[qt++] = edge[e].to;
        }
    }
    free(queue);
    return qt;
}
