// What a row before has left in the scratch is sorted, too, where a row has fewer elements: one scratch for all. want: parallel
// chain: parallelize@C
// shows: for .int s = 0; s < r
#include <stdlib.h>
static int up(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
#pragma regraph size(r=40, n=51) size(r=7, n=5)
void medians_of_all(int r, int n, const int x[r][n], int *med)
{
    int *tmp = calloc(n, sizeof *tmp);
    for (int s = 0; s < r; s++) {
        int m = 0;
        for (int i = 0; i < n; i++)
            if (x[s][i] > 3) tmp[m++] = x[s][i];
        qsort(tmp, n, sizeof *tmp, up);
        med[s] = tmp[n / 2];
    }
    free(tmp);
}
