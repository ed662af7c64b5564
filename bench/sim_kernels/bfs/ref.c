#include <stdlib.h>
/* distances from node 0 in a graph with 8 edges out of every node; -1 where there is no way */
void ref_bfs(int n, const int *to, int *level)
{
    int *queue = malloc(sizeof *queue * n), head = 0, tail = 1;
    for (int i = 0; i < n; i++) level[i] = -1;
    level[queue[0] = 0] = 0;
    while (head < tail) {
        int u = queue[head++];
        for (int k = 0; k < 8; k++) {
            int v = to[8 * u + k];
            if (level[v] < 0) { level[v] = level[u] + 1; queue[tail++] = v; }
        }
    }
    free(queue);
}
