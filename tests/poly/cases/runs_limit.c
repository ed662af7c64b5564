// Runs in pieces of at most 255: they begin every so many from where the run does. want: parallel
#pragma regraph extent(s: n) extent(out: 2 * n)
#include <stddef.h>
size_t runs_limit(const unsigned char *s, size_t n, unsigned char *out)
{
    size_t o = 0, i = 0;
    while (i < n) {
        unsigned char c = s[i];
        size_t run = 1;
        while (i + run < n && s[i + run] == c && run < 255) run++;
        out[o++] = (unsigned char)run;
        out[o++] = c;
        i += run;
    }
    return o;
}
