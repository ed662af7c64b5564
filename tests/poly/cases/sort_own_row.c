// A row that is allocated inside the parallel loop and sorted there: its elements lie together. want: parallel
// chain: parallelize,coalesce
// lacks: elements alternate
#pragma regraph input(x: uniform(0, k - 1))
#pragma regraph size(rows=4000,m=9,k=40) size(rows=7,m=5,k=9)
#include <stdlib.h>
static int up(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
void sort_own_row(int rows, int m, int k, const int x[rows][m], int y[rows])
{
    for (int r = 0; r < rows; r++) {
        int *w = malloc((size_t)k * sizeof(int));
        for (int i = 0; i < k; i++) w[i] = x[r][i % m];
        qsort(w, (size_t)k, sizeof(int), up);
        y[r] = w[x[r][0]];
        free(w);
    }
}
