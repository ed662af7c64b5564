/* Two passes of a stable sort by counters, their buffers chosen by the counter. */
#include <stdlib.h>
#pragma regraph size(n=24) size(n=5)
void few_trips(const unsigned *key, unsigned *a, int n)
{
    unsigned *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = key[i] % 1000;
    for (int pass = 0; pass < 2; pass++) {
        unsigned *from = pass == 0 ? a : b, *to = pass == 0 ? b : a;
        int next[17] = {0};
        for (int i = 0; i < n; i++) next[(from[i] >> 4 * pass & 15) + 1]++;
        for (int d = 0; d < 16; d++) next[d + 1] += next[d];
        for (int i = 0; i < n; i++) to[next[from[i] >> 4 * pass & 15]++] = from[i];
    }
    free(b);
}
