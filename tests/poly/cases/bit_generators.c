// Numbers drawn by shifts and exclusive ors: by a helper, 64 bits multiplied when given out, a register that is rotated. want: parallel
#include <stdint.h>
#pragma regraph size(n=30000) size(n=131) size(n=1) extent(x: n) extent(y: n) input(state: uniform(1, 100000))
static uint32_t next(uint32_t *s)
{
    uint32_t x = *s;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *s = x;
}
double bit_generators(int n, uint32_t state[1], float *x, double *y)
{
    int inside = 0;
    for (int i = 0; i < n; i++) {
        double u = next(state) * 0x1p-32, v = next(state) * 0x1p-32;
        if (u * u + v * v < 1) inside++;
    }
    uint64_t s = 88172645463325252u;
    for (int i = 0; i < n; i++) {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        y[i] = (double)((s * 2685821657736338717u) >> 11) * 0x1p-53;
    }
    uint32_t r = state[0] | 1;
    for (int i = 3; i < n; i++) {
        r = ((r << 7) | (r >> 25)) ^ (r & 0x00ff00ffu) << 3;
        x[i] = (float)(r >> 8) * 0x1p-24f;
    }
    return 4.0 * inside / n + (double)(r >> 4) * 1e-12;
}
