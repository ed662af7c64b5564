// Passes of a sort by digits that choose their buffers by the counter: a remainder, a bit, a bound; swaps within. want: parallel
// lacks: moves between arrays
#include <stdint.h>
#include <stdlib.h>
#pragma regraph size(n=20000) size(n=1) size(n=700) input(key: uniform(0, 1000000)) role(order: out)
void few_trips(const uint32_t *key, int *order, int n)
{
    int *other = malloc(n * sizeof *other);
    int next[128];
    for (int i = 0; i < n; i++) order[i] = n - 1 - i;
    for (unsigned bits = 0; bits <= 14; bits += 7) {
        int *from = bits == 7 ? other : order, *to = (bits / 7) & 1 ? order : other;
        if (n > 0) {
            for (int d = 0; d < 128; d++) next[d] = 0;
        }
        for (int i = 0; i < n; i++) next[(key[i] >> bits) & 127]++;
        int sum = 0;
        for (int d = 0; d < 128; d++) {
            int c = next[d];
            next[d] = sum;
            sum += c;
        }
        for (int i = 0; i < n; i++) {
            int e = from[i];
            to[next[(key[e] >> bits) & 127]++] = e;
        }
    }
    for (int i = 0; i < n; i++) order[i] = other[i];
    free(other);
}
