// No recurrences modulo a number: one that may begin below 0, one that chooses its element, one of two moduli, one that wraps around, one that is cut. want: sequential
#include <stdint.h>
#pragma regraph size(n=3000, seed=7) size(n=131, seed=0) size(n=1, seed=3) extent(seen: 97) extent(out: n) input(out: uniform(0, 9))
uint32_t modular_recurrences_not(int n, int seed, int *seen, int *out)
{
    int x = seed - 5;
    uint32_t w = 1, y = 1, z = 2, c = 3;
    for (int i = 0; i < n; i++) x = (x * 3 + 1) % 97;
    for (int i = 0; i < n; i++) {
        w = (w * 5u + (uint32_t)(out[i] * out[i] - 20 > 0)) % 97;
        seen[w] += (int)w;
        if (seen[w] > 9) out[i] = seen[w];
    }
    for (int i = 0; i < n; i++) y = (y * 7 % 101 + 3) % 103;
    for (int i = 0; i < n; i++) z = (z * 5000011 + 3) % 1000003;
    for (int i = 0; i < n; i++) c = (uint8_t)((c * 5u + 3) % 1009);
    return (uint32_t)x + w + y + z + c;
}
