// expect: the extent of 'rank' cannot be read off
// Two bytes do not hold every place: what was stored comes back as something else.
#include <stdlib.h>
#pragma regraph size(n=40000)
void places(const float *key, int n, int *rank)
{
    short *at = malloc(n * sizeof *at);
    for (int i = 0; i < n; i++) at[i] = i;
    for (int i = 0; i < n; i++) rank[at[i]] = key[i] > 0;
    free(at);
}
