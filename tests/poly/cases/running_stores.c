// Stores in both arms: each asks a flag of its own. want: parallel
#include <stdint.h>
#pragma regraph extent(a : n) extent(out : n) size(n = 2000) input(a : uniform(0, 255))
void running_stores(const uint8_t *a, uint8_t *out, int n)
{
    uint8_t s = 0;
    uint16_t t = 7;
    int8_t w = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 128) {
            s += a[i];
            if (s > 40) {
                t = t * 3 + s;
                w++;
            } else {
                t -= 1;
                out[i] = (uint8_t)t;
            }
        } else {
            w -= 3;
            s -= 5;
            out[i] = w < 0;
        }
    }
}
