// Runs of at most so many as a parameter says, which may be none. want: sequential
#pragma regraph extent(s: n) extent(out: 2 * n)
#include <stddef.h>
size_t runs_limit_not(const unsigned char *s, size_t n, size_t most, unsigned char *out)
{
    size_t o = 0, i = 0;
    while (i < n) {
        unsigned char c = s[i];
        size_t j = i + 1;
        while (j < n && s[j] == c && j - i < most) j++;
        out[o++] = (unsigned char)(j - i);
        out[o++] = c;
        i = j;
    }
    return o;
}
