// A helper that reverses bits, whose loop steps two variables. want: parallel
// chain: parallelize@C
// shows: rg_mirrored
#include <stddef.h>
static size_t backwards(size_t v, int bits)
{
    size_t r = 0;
    for (int k = 0; k < bits; k++, v >>= 1) r = r << 1 | (v & 1);
    return r;
}
#pragma regraph size(bits=10) size(bits=3)
void shuffle(double *x, int bits)
{
    size_t n = (size_t)1 << bits;
    for (size_t i = 0; i < n; i++) {
        size_t j = backwards(i, bits);
        if (j > i) {
            double t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
}
