#pragma regraph size(n=1000) size(n=8) extent(y: n) extent(x: n) extent(z: n) input(x: uniform(-500, 500))
#include <stdint.h>
#include <stdbool.h>
void not_cut(int n, const int *x, unsigned *y, unsigned *z)
{
    for (int i = 0; i < n; i++) {
        unsigned r = 0, s = 0, q = 0, w = 0;
        int v = x[i], u = x[i];
        for (int k = 0; k < 10; k++) if ((uint8_t)x[i] >> k & 1) r |= 1u << (9 - k);
        for (int k = 0; k < 10; k++) { s = (uint8_t)(s << 1) | (v & 1); v >>= 1; }
        for (int k = 0; k < 10; k++) q = q << 1 | ((bool)(x[i] >> k) & 1);
        for (int k = 0; k < 10; k++) { w = w << 1 | (u & 1); u = (uint8_t)u >> 1; }
        y[i] = r + s * 1024;
        z[i] = q + w * 1024;
    }
}
