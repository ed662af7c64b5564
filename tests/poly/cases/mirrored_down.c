// A Hartley-like transform, whose reversed places a helper makes by counting its bits down. want: parallel
#include <math.h>
static unsigned mirror(unsigned x, int bits)
{
    unsigned r = 0;
    while (bits-- > 0) {
        r = (r << 1) | (x & 1u);
        x >>= 1;
    }
    return r;
}

int mirrored_down(float *a, int log2n)
{
    if (log2n < 0 || log2n > 20) return -1;
    const unsigned n = 1u << log2n;
    for (unsigned i = 0; i < n; i++) {
        unsigned j = mirror(i, log2n);
        if (j > i) {
            float t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (unsigned half = 1; half < n; half <<= 1)
        for (unsigned base = 0; base < n; base += 2 * half)
            for (unsigned k = 0; k < half; k++) {
                float u = a[base + k], v = cosf(3.14159265f * (float)k / (float)half) * a[base + k + half];
                a[base + k] = u + v;
                a[base + k + half] = u - v;
            }
    return 0;
}
