#include <stdlib.h>
/* how often each key occurs among the n keys */
void ref_hash(int n, int cap, const int *key, int *y)
{
    int *count = calloc(n, sizeof *count);
    for (int i = 0; i < n; i++) count[key[i]]++;
    for (int i = 0; i < n; i++) y[i] = count[key[i]];
    free(count);
}
