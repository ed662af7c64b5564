// Places kept in structures and in an order that is sorted lead no further than they were made: no extent needs to be stated, and each is the last to store to its own. want: parallel
// chain: parallelize@C
#include <stdlib.h>
struct item { float key; int place; };
static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->place - y->place;
}
#pragma regraph size(n=3000) size(n=33) size(n=1)
void places_held(const float *key, int n, int *rank, float *sorted)
{
    struct item *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++) {
        t[i].key = key[i];
        t[i].place = i;
    }
    qsort(t, n, sizeof *t, by_key);
    for (int i = 0; i < n; i++) {
        rank[t[i].place] = i;
        sorted[i] = key[t[i].place];
    }
    free(t);
}
