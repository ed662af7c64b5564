/* counts the triangles of a graph whose lists of neighbours are sorted */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t count_triangles(int n, const int *xadj, const int *adj)
{
    uint64_t total = 0;
    for (int u = 0; u < n; u++)
        for (int e = xadj[u]; e < xadj[u + 1]; e++) {
            int v = adj[e];
            if (v <= u) continue;
            int i = xadj[u], j = xadj[v];
            while (i < xadj[u + 1] && j < xadj[v + 1]) {
                if (adj[i] < adj[j]) i++;
                else if (adj[i] > adj[j]) j++;
                else {
                    if (adj[i] > v) total++;
                    i++;
                    j++;
                }
            }
        }
    return total;
}

/* each with four on either side, at distances that differ from one to the next */
static void ring(int n, int *xadj, int *adj)
{
    int k = 0;
    for (int u = 0; u < n; u++) {
        xadj[u] = k;
        for (int d = -4; d <= 4; d++)
            if (d && k < 8 * n) adj[k++] = (u + d * (1 + (u & 3)) + 16 * n) % n;
        for (int a = xadj[u] + 1; a < k; a++)
            for (int b = a; b > xadj[u] && adj[b - 1] > adj[b]; b--) {
                int t = adj[b];
                adj[b] = adj[b - 1];
                adj[b - 1] = t;
            }
    }
    xadj[n] = k;
}

int main(void)
{
    enum { N = 5000 };
    int *xadj = malloc((N + 1) * sizeof *xadj), *adj = malloc(8 * N * sizeof *adj);
    ring(N, xadj, adj);
    printf("%llu triangles\n", (unsigned long long)count_triangles(N, xadj, adj));
    free(xadj);
    free(adj);
    return 0;
}
