/* Breadth-first search over a graph in CSR form: level[v] is the number of edges on the shortest path from `source` to v,
 * -1 when there is none. The queue becomes rounds, each over the vertices of a level. */
#include <stdlib.h>

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* A random graph: every edge leaves a random vertex and enters a random vertex. */
static void make_graph(int n, int m, int row[n + 1], int col[m])
{
    unsigned state = 12345u + (unsigned)n;
    for (int v = 0; v <= n; v++)
        row[v] = 0;
    for (int e = 0; e < m; e++)
        row[next_random(&state) % (unsigned)n + 1]++;
    for (int v = 0; v < n; v++)
        row[v + 1] += row[v];
    for (int e = 0; e < m; e++)
        col[e] = (int)(next_random(&state) % (unsigned)n);
}

#pragma regraph size(n=50000, m=400000, source=0) size(n=1009, m=3001, source=17) size(n=3, m=5, source=1)
#pragma regraph require(source >= 0 && source < n)
#pragma regraph role(level: out) init(make_graph)
void bfs(int n, int m, int source, const int row[n + 1], const int col[m], int level[n])
{
    int *queue = malloc((size_t)n * sizeof *queue);
    for (int v = 0; v < n; v++)
        level[v] = -1;
    int head = 0, tail = 0;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int v = queue[head++];
        for (int e = row[v]; e < row[v + 1]; e++) {
            int w = col[e];
            if (level[w] < 0) {
                level[w] = level[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(queue);
}
