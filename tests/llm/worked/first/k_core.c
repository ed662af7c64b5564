/* k-core decomposition of an undirected graph in CSR form: core[v] is the largest k for which v belongs to a subgraph
 * in which every vertex has at least k neighbours. Peels the vertices of least degree, level by level. */
#include <stdlib.h>

#define REMOVED 1
#pragma regraph size(n=50000, m=800000) size(n=1009, m=5003) init(make_graph)

static int degree_of(const int *row, int v) { return row[v + 1] - row[v]; }

static void make_graph(int n, int m, int *row, int *col)
{
    unsigned s = 12345u;
    for (int v = 0; v <= n; v++) row[v] = (int)((double)v / n * v / n * m);
    for (int e = 0; e < m; e++) { s = s * 1664525u + 1013904223u; col[e] = (int)((s >> 8) % (unsigned)n); }
}

int kcore(int n, int m, const int row[n + 1], const int col[m], int core[n])
{
    int *deg = malloc(n * sizeof *deg);
    unsigned char *gone = malloc(n);
    int left = n, k = 0, levels = 0;
    for (int v = 0; v < n; v++) {
        deg[v] = degree_of(row, v);
        gone[v] = 0;
        core[v] = 0;
    }
    while (left > 0) {
        int again = 1;
        levels++;
        while (again) {
            again = 0;
            for (int v = 0; v < n; v++) {
                if (gone[v] == REMOVED || deg[v] > k) continue;
                gone[v] = REMOVED;
                core[v] = k;
                left--;
                for (int e = row[v]; e < row[v + 1]; e++) {
                    int w = col[e];
                    if (gone[w] != REMOVED) {
                        deg[w]--;
                        again = 1;
                    }
                }
            }
        }
        k++;
    }
    free(deg);
    free(gone);
    return levels;
}
