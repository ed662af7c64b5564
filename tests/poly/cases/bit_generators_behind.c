// want: parallel
/* A generator that begins behind the end of what there is: nothing is drawn, and there is room for where it stands. */
#include <stdint.h>
#pragma regraph size(n=30000,m=7) size(n=131,m=140) size(n=1,m=1) size(n=2,m=9) extent(x: n)
uint32_t bit_generators_behind(int n, int m, float *x)
{
    uint32_t r = 2463534242u;
    for (int i = m; i < n; i++) {
        r ^= r << 13;
        r ^= r >> 17;
        r ^= r << 5;
        x[i] = (float)(r >> 8) * 0x1p-24f;
    }
    return r;
}
