// Memory of a byte more than its elements take, lest it is nothing. want: parallel
#include <stdlib.h>
int spare_bytes(int *key, const int *to, size_t n)
{
#pragma regraph extent(key: n) extent(to: n)
#pragma regraph input(to: permutation)
    int *moved = malloc(n * sizeof *moved + 1);
    if (!moved) return -1;
    for (size_t i = 0; i < n; i++) moved[i] = 0;
    for (size_t i = 0; i < n; i++) moved[to[i]] = key[i] * 3;
    for (size_t i = 0; i < n; i++) key[i] = moved[i] - (int)i;
    free(moved);
    return 0;
}
