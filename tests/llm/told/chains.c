#include <stdio.h>
#include <stdlib.h>

/* Lengths of the longest chain of dependencies in front of each task of a build.
 * Rounds go on until nothing moves; weights are the seconds a task takes. */
int chain_lengths(int n, int m, const int *first, const int *dep, const int *cost, int *finish)
{
    for (int v = 0; v < n; v++) finish[v] = cost[v];
    int rounds = 0, moved = 1;
    while (moved) {
        moved = 0;
        for (int v = 0; v < n; v++) {
            int latest = 0;
            for (int k = first[v]; k < first[v + 1]; k++)
                if (finish[dep[k]] > latest) latest = finish[dep[k]];
            if (latest + cost[v] > finish[v]) {
                finish[v] = latest + cost[v];
                moved = 1;
            }
        }
        rounds++;
    }
    return rounds;
}

static void make_tasks(int n, int m, int *first, int *dep, int *cost)
{
    unsigned s = 12345;
    first[0] = 0;
    for (int v = 0; v < n; v++) {
        int k = first[v];
        for (int e = 0; e < 4 && k < m; e++) {
            s = s * 1103515245u + 12345u;
            if (v > 0 && (s >> 16) % 3) dep[k++] = (int)((s >> 8) % (unsigned)v);
        }
        first[v + 1] = k;
        cost[v] = 1 + (int)((s >> 20) % 9);
    }
}

int main(void)
{
    int n = 20000, m = 80000;
    int *first = malloc((n + 1) * sizeof *first), *dep = calloc(m, sizeof *dep);
    int *cost = malloc(n * sizeof *cost), *finish = malloc(n * sizeof *finish);
    make_tasks(n, m, first, dep, cost);
    int r = chain_lengths(n, m, first, dep, cost, finish);
    printf("%d rounds, last %d\n", r, finish[n - 1]);
    return 0;
}
