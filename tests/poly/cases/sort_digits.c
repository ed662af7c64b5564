// Radix sort of unsigned integers by eight bits; of integers by decimal digits, which negative ones have not. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static void by_digit(int *a, int *to, int n, int unit)
{
    int count[10] = {0};
    for (int i = 0; i < n; i++) count[a[i] / unit % 10]++;
    for (int d = 1; d < 10; d++) count[d] += count[d - 1];
    for (int i = n - 1; i >= 0; i--) to[--count[a[i] / unit % 10]] = a[i];
    for (int i = 0; i < n; i++) a[i] = to[i];
}
#pragma regraph size(n=3000) size(n=40)
void digits(uint32_t *key, int *a, int n)
{
    uint32_t *other = malloc(n * sizeof *other);
    for (int shift = 0; shift < 32; shift += 8) {
        int start[257] = {0};
        for (int i = 0; i < n; i++) start[(key[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++) start[d + 1] += start[d];
        for (int i = 0; i < n; i++) other[start[key[i] >> shift & 255]++] = key[i];
        memcpy(key, other, n * sizeof *key);
    }
    free(other);
    int *to = malloc(n * sizeof(int)), most = a[0];
    for (int i = 1; i < n; i++) most = a[i] > most ? a[i] : most;
    for (int unit = 1; most / unit > 0; unit *= 10) by_digit(a, to, n, unit);
    free(to);
}
