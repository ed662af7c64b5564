#include <stdlib.h>
/* DP over a table of row pointers that the function allocates itself */
int lcs(const char *a, int n, const char *b, int m)
{
    int **t = malloc((n + 1) * sizeof(int *));
    for (int i = 0; i <= n; i++) t[i] = calloc(m + 1, sizeof(int));
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            t[i][j] = a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
    int r = t[n][m];
    for (int i = 0; i <= n; i++) free(t[i]);
    free(t);
    return r;
}
