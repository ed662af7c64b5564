/* Bellman-Ford over compressed rows */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define INF INT_MAX

static int relaxations;

int shortest_paths(int num_nodes, int num_edges, const int *row_start, const int *col, const int *weight,
                   int source, int *dist, int *parent)
{
    int rounds = 0;
    relaxations = 0;
    for (int v = 0; v < num_nodes; v++) {
        dist[v] = INF;
        parent[v] = -1;
    }
    dist[source] = 0;
    bool changed = true;
    while (changed && rounds < num_nodes) {
        changed = false;
        for (int u = 0; u < num_nodes; u++) {
            if (dist[u] == INF)
                continue;
            for (int e = row_start[u]; e < row_start[u + 1]; e++) {
                int v = col[e];
                int d = dist[u] + weight[e];
                if (d < dist[v]) {
                    dist[v] = d;
                    parent[v] = u;
                    relaxations++;
                    changed = true;
                }
            }
        }
        rounds++;
    }
    return rounds;
}

int main(void)
{
    enum { N = 1000, M = 8000 };
    static int row[N + 1], col[M], w[M], dist[N], parent[N];
    for (int i = 0; i <= N; i++) row[i] = i * (M / N);
    for (int e = 0; e < M; e++) {
        col[e] = rand() % N;
        w[e] = 1 + rand() % 100;
    }
    int r = shortest_paths(N, M, row, col, w, 0, dist, parent);
    printf("%d rounds, %d relaxations, dist[N-1]=%d\n", r, relaxations, dist[N - 1]);
    return 0;
}
