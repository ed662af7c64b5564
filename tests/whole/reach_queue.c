/* Distances in hops with the queue that every textbook has. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, m;
    int *xadj, *adjncy;
} graph_t;

static int eccentricity(const graph_t *g, int root, int *hops, int *far_sum)
{
    int *fifo = malloc(g->n * sizeof(*fifo));
    int get = 0, put = 0, i, e, visited = 0, sum = 0, v, w;

    for (i = 0; i < g->n; i++)
        hops[i] = -1;
    hops[root] = 0;
    fifo[put++] = root;
    while (get != put) {
        v = fifo[get++];
        visited++;
        sum += hops[v];
        for (e = g->xadj[v]; e < g->xadj[v + 1]; e++) {
            w = g->adjncy[e];
            if (hops[w] != -1)
                continue;
            hops[w] = hops[v] + 1;
            fifo[put++] = w;
        }
    }
    free(fifo);
    *far_sum = sum;
    return visited;
}

int reach(const graph_t *g, int root, int *hops, int *far_sum)
{
    return eccentricity(g, root, hops, far_sum);
}

int main(void)
{
    enum { N = 5000, DEG = 8 };
    graph_t g = {N, N * DEG, malloc((N + 1) * sizeof(int)), malloc(N * DEG * sizeof(int))};
    int *hops = malloc(N * sizeof(int)), sum;
    srand(3);
    for (int i = 0; i <= N; i++) g.xadj[i] = i * DEG;
    for (int i = 0; i < N * DEG; i++) g.adjncy[i] = rand() % N;
    printf("%d", reach(&g, 0, hops, &sum));
    printf(" %d\n", sum);
    return 0;
}
