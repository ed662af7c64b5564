// expect: 'above' returns a pointer ('int *')
// size: n=4
#include <stdlib.h>
int *above(const int *a, int n, int *m)
{
    int cap = 4, k = 0, *out = malloc(cap * sizeof *out);
    for (int i = 0; i < n; i++) {
        if (k == cap) out = realloc(out, (cap *= 2) * sizeof *out);
        if (a[i] > 50) out[k++] = a[i];
    }
    *m = k;
    return out;
}
