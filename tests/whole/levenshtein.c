#include <stdlib.h>
#include <string.h>
static inline int min3(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }
int levenshtein(const char *s, const char *t)
{
    int n = (int)strlen(s), m = (int)strlen(t);
    if (n == 0) return m;
    if (m == 0) return n;
    int *prev = malloc((m + 1) * sizeof *prev), *cur = malloc((m + 1) * sizeof *cur);
    for (int j = 0; j <= m; j++) prev[j] = j;
    for (int i = 1; i <= n; i++) {
        cur[0] = i;
        for (int j = 1; j <= m; j++)
            cur[j] = min3(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (s[i - 1] != t[j - 1]));
        int *tmp = prev; prev = cur; cur = tmp;
    }
    int d = prev[m];
    free(prev); free(cur);
    return d;
}
