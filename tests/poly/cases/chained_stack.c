// The same by a while loop, a stack and marks. want: parallel
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
int chained_stack(int n, int m, const struct edge *edge, const int *head, int src, int *seen)
{
    int *stack = malloc(sizeof(int) * n), top = 0, reached = 0;
    (void)m;
    for (int i = 0; i < n; i++) seen[i] = 0;
    seen[src] = 1;
    stack[top++] = src;
    while (top > 0) {
        int u = stack[--top], e = head[u];
        reached++;
        while (e >= 0) {
            int v = edge[e].to;
            if (!seen[v] && edge[e].open) {
                seen[v] = 1;
                stack[top++] = v;
            }
            e = edge[e].next;
        }
    }
    free(stack);
    return reached;
}
