// Places by a carry that asks for the bit and whether one is left. want: parallel
#pragma regraph size(n=4096) extent(x: n)
#include <stddef.h>
int reversed_while(float *x, size_t n)
{
    size_t j = 0;
    if (n < 2 || (n & (n - 1)))
        return -1;
    for (size_t i = 0; i < n - 1; ++i) {
        if (i < j) {
            float t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        size_t m = n >> 1;
        while (m && (j & m)) {
            j ^= m;
            m >>= 1;
        }
        j |= m;
    }
    return 0;
}
