// Keys that move with the places, and keys that are read behind the sort. want: parallel
#include <stdint.h>
#include <stdlib.h>
#pragma regraph size(n=4000) size(n=1) size(n=700) input(depth: uniform(0, 90)) role(order: out) role(first: out)
void sort_local_keys_not(const float *depth, int n, int *order, int *first)
{
    int *key = malloc(n * sizeof *key), *place = malloc(n * sizeof *place), *other = malloc(n * sizeof *other);
    for (int i = 0; i < n; i++) {
        key[i] = (int)(depth[i] * 2.5f);
        order[i] = i;
    }
    int next[257] = {0};
    for (int i = 0; i < n; i++) next[(key[i] & 255) + 1]++;
    for (int d = 0; d < 256; d++) next[d + 1] += next[d];
    for (int i = 0; i < n; i++) {
        place[i] = next[key[i] & 255]++;
        other[place[i]] = order[i];
    }
    for (int i = 0; i < n; i++) order[i] = other[i];
    for (int i = 0; i < n; i++) key[i] += 1;
    for (int i = 0; i < n; i++) first[i] = key[i];
    free(key);
    free(place);
    free(other);
}
