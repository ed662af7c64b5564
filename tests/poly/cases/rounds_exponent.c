// The size is an exponent, pointers walk over blocks of a stride that doubles. want: parallel
// chain: parallelize@C
// shows: e \^ \(long\)h
#include <stdint.h>
#pragma regraph size(bits=10) size(bits=3) size(bits=0) extent(buf: 1024)
void walsh(int32_t *buf, unsigned bits)
{
    const uint32_t n = (uint32_t)1 << bits;
    uint32_t h = 1;
    while (h < n) {
        int32_t *p = buf, *end = buf + n;
        while (p < end) {
            int32_t *q = p + h;
            for (uint32_t i = 0; i < h; ++i) {
                int32_t a = p[i], b = q[i];
                p[i] = a + b;
                q[i] = a - b;
            }
            p += 2 * h;
        }
        h <<= 1;
    }
}
