// Places sorted by digits of keys that the function made of reals, which the sort reads alone. want: parallel
// lacks: last.writer
#include <stdint.h>
#include <stdlib.h>
#pragma regraph size(n=20000) size(n=1) size(n=700) input(depth: uniform(0, 90)) role(order: out)
void sort_local_keys(const float *depth, int n, int *order)
{
    uint16_t *key = malloc(n * sizeof *key);
    int *other = malloc(n * sizeof *other);
    for (int i = 0; i < n; i++) {
        key[i] = depth[i] >= 90.0f ? 0 : (uint16_t)(65535.0f - depth[i] * 700.0f);
        order[i] = i;
    }
    for (int shift = 0; shift < 16; shift += 8) {
        int *from = shift ? other : order, *to = shift ? order : other, next[256] = {0};
        for (int i = 0; i < n; i++) next[key[i] >> shift & 255]++;
        for (int d = 0, sum = 0; d < 256; d++) {
            int c = next[d];
            next[d] = sum;
            sum += c;
        }
        for (int i = 0; i < n; i++) to[next[key[from[i]] >> shift & 255]++] = from[i];
    }
    free(key);
    free(other);
}
