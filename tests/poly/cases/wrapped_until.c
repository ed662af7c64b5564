// A phase that is taken back below a number in a loop that ends with its input or its output, whichever is first. want: parallel
// chain: parallelize@C
// shows: first_mem
#include <stddef.h>
#pragma regraph size(n_in=3000,max_out=5000,up=160,down=147) size(n_in=7,max_out=9,up=5,down=23) size(n_in=4,max_out=1,up=7,down=1)
#pragma regraph extent(in: n_in) extent(h: up) require(up > 0) require(down > 0)
size_t wrapped_until(const float *in, size_t n_in, const float *h, int up, int down, float *out, size_t max_out)
{
    size_t n = 0;
    long pos = 0;
    int phase = 0;
    while (n < max_out && (size_t)pos < n_in) {
        out[n++] = in[pos] * h[phase];
        phase += down;
        while (phase >= up) {
            phase -= up;
            pos++;
        }
    }
    return n * 1000 + (size_t)pos + (size_t)phase;
}
