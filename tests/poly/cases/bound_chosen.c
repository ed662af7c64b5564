// The longest common subsequence by rows: where letters agree the value is another row's, else the larger of two neighbours. want: parallel
// chain: scan.block@C
// lacks: one thread: loop
#include <stdlib.h>
#pragma regraph size(n=120,m=3000) size(n=7,m=5) size(n=3,m=700) input(a: uniform(65, 68)) input(b: uniform(65, 68))
int bound_chosen(const char *a, int n, const char *b, int m)
{
    int *above = calloc(m + 1, sizeof(int)), *row = calloc(m + 1, sizeof(int));
    for (int i = 0; i < n; i++) {
        for (int j = 1; j <= m; j++)
            row[j] = a[i] == b[j - 1] ? above[j - 1] + 1 : above[j] > row[j - 1] ? above[j] : row[j - 1];
        for (int j = 0; j <= m; j++) above[j] = row[j];
    }
    int length = above[m];
    free(above);
    free(row);
    return length;
}
