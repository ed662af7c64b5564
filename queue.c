#include <stdlib.h>
void bfsq(int n, int m, const int *off, const int *nbr, int s, int *dist)
{
    int *queue = malloc(n * sizeof(int)), head = 0, tail = 0;
    for (int i = 0; i < n; i++) dist[i] = -1;
    dist[s] = 0; queue[tail++] = s;
    while (head < tail) {
        int u = queue[head++];
        for (int e = off[u]; e < off[u+1]; e++) {
            int v = nbr[e];
            if (dist[v] < 0) { dist[v] = dist[u] + 1; queue[tail++] = v; }
        }
    }
    free(queue);
}
