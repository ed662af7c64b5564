// Arrays that are exchanged an odd number of times and asked for behind it, and by a condition: passes as they stand. want: parallel
#include <stdint.h>
#pragma regraph size(n=300) size(n=1) size(n=70) extent(a: n) extent(b: n)
void few_trips_swapped_not(uint32_t *a, uint32_t *b, unsigned n)
{
    for (int pass = 0; pass < 3; pass++) {
        uint32_t next[16] = {0};
        for (unsigned i = 0; i < n; i++) next[(a[i] >> (4 * pass)) & 15]++;
        for (uint32_t d = 0, sum = 0; d < 16; d++) {
            uint32_t c = next[d];
            next[d] = sum;
            sum += c;
        }
        for (unsigned i = 0; i < n; i++) b[next[(a[i] >> (4 * pass)) & 15]++] = a[i];
        uint32_t *t = a;
        a = b;
        b = t;
    }
    a[0] += 5;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t next[4] = {0};
        for (unsigned i = 0; i < n; i++) next[(a[i] >> (2 * pass)) & 3]++;
        for (unsigned i = 0; i + next[0] < n; i++) b[next[0]++] = a[i];
        if (next[1] > next[2]) {
            uint32_t *t = a;
            a = b;
            b = t;
        }
    }
    b[0] ^= 1;
}
