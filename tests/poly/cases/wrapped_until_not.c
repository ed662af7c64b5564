// What ends the loop is its data too: nobody knows the last iteration from counters. want: sequential
#include <stddef.h>
#pragma regraph size(n_in=3000,max_out=5000,up=160,down=147) size(n_in=7,max_out=9,up=5,down=23) size(n_in=4,max_out=1,up=7,down=1)
#pragma regraph extent(in: n_in) require(up > 0) require(down > 0) input(in: uniform(0, 1))
size_t wrapped_until(const float *in, size_t n_in, int up, int down, float *out, size_t max_out)
{
    size_t n = 0;
    long pos = 0;
    int phase = 0;
    float level = 1;
    while (n < max_out && (size_t)pos < n_in && level > 0.001f) {
        level = level * 0.99f + in[pos] * 0.005f;
        out[n++] = level;
        phase += down;
        while (phase >= up) {
            phase -= up;
            pos++;
        }
    }
    return n * 1000 + (size_t)pos;
}
