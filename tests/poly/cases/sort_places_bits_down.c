// Places of doubles, the highest first, by digits of what a union says their bits are. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*rg_keys
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#pragma regraph size(n=3000) size(n=40) extent(score: n) extent(order: n) input(score: uniform(-3, 3))
void rank_down(const double *score, int *order, int n)
{
    uint64_t *k = malloc(n * sizeof *k), *k2 = malloc(n * sizeof *k2);
    int *o2 = malloc(n * sizeof *o2);
    for (int i = 0; i < n; i++) {
        union { double d; uint64_t u; } x = {.d = score[i]};
        k[i] = x.u >> 63 ? x.u : ~x.u & INT64_MAX;
        order[i] = i;
    }
    for (int shift = 0; shift < 64; shift += 8) {
        int first[257] = {0};
        for (int i = 0; i < n; i++) first[(k[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++) first[d + 1] += first[d];
        for (int i = 0; i < n; i++) {
            int at = first[k[i] >> shift & 255]++;
            k2[at] = k[i];
            o2[at] = order[i];
        }
        memcpy(k, k2, n * sizeof *k);
        memcpy(order, o2, n * sizeof *o2);
    }
    free(k);
    free(k2);
    free(o2);
}
