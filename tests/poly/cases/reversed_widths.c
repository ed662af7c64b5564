// Bits reversed in a narrower and a wider variable than they come from. want: parallel
#include <stdint.h>
#pragma regraph size(n=3000) size(n=5) extent(x: n) extent(v: n) extent(y: n) extent(z: n)
void widths(int n, const uint16_t *x, const uint64_t *v, uint8_t *y, uint32_t *z)
{
    for (int i = 0; i < n; i++) {
        uint16_t a = x[i];
        uint64_t b = v[i] * 40503u + 11;
        uint8_t r = 0;
        uint32_t s = 0;
        for (int k = 0; k < 16; k++) {
            r = (uint8_t)(r << 1 | (a & 1));
            a >>= 1;
        }
        for (int k = 0; k < 40; k++) {
            s = s << 1 | (uint32_t)(b & 1);
            b >>= 1;
        }
        y[i] = r;
        z[i] = s;
    }
}
