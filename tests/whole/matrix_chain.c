#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define N_MAX 200

static long cost[N_MAX][N_MAX];
static int split[N_MAX][N_MAX];

long matrix_chain(const int *dims, int n)
{
    for (int i = 0; i < n; i++) cost[i][i] = 0;
    for (int len = 2; len <= n; len++) {
        for (int i = 0; i + len - 1 < n; i++) {
            int j = i + len - 1;
            cost[i][j] = LONG_MAX;
            for (int k = i; k < j; k++) {
                long q = cost[i][k] + cost[k + 1][j] + (long)dims[i] * dims[k + 1] * dims[j + 1];
                if (q < cost[i][j]) {
                    cost[i][j] = q;
                    split[i][j] = k;
                }
            }
        }
    }
    return cost[0][n - 1];
}

int main(void)
{
    int d[101];
    for (int i = 0; i <= 100; i++) d[i] = 5 + (i * 37) % 50;
    printf("%ld\n", matrix_chain(d, 100));
    return 0;
}
