// Breadth-first search whose vertex is a variable that another loop has used; how many were found is returned. want: parallel
#include <stdlib.h>
#pragma regraph size(n=600,m=3000,from=0) size(n=5,m=9,from=1) extent(at: n+1) extent(to: m) extent(level: n) role(level: out)
#pragma regraph input(at: prefix(m)) input(to: uniform(0, n-1))
int vertices_named_before(int n, int m, const int *at, const int *to, int from, int *level)
{
    int *queue = malloc(n * sizeof *queue), head = 0, tail = 0, v;
    for (v = 0; v < n; v++) level[v] = -1;
    level[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        v = queue[head++];
        for (int e = at[v]; e < at[v + 1] && e < m; e++) {
            int w = to[e];
            if (level[w] < 0) {
                level[w] = level[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(queue);
    return tail;
}
