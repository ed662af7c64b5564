// Letters that are kept, in memory which the function allocates: the rest of it is not set, however short. want: parallel
#pragma regraph size(n=3000) size(n=9) extent(s: n) extent(m: 1)
#include <stdlib.h>
char *bytes_kept(const char *s, int n, int *m)
{
    char *kept = malloc(n);
    int k = 0;
    for (int i = 0; i < n; i++)
        if (s[i] & 1) kept[k++] = s[i];
    *m = k;
    return kept;
}
