// Run-length encoding of bytes: what is estimated in parts leaves the inputs of other cases alone. want: parallel
#pragma regraph extent(s: n) extent(value: n) extent(count: n)
#include <stddef.h>
size_t runs_bytes(const unsigned char *s, size_t n, unsigned char *value, unsigned *count)
{
    size_t o = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || s[i] != s[i - 1]) {
            unsigned char c = s[i];
            size_t j = i + 1;
            while (j < n && s[j] == c) j++;
            value[o] = c;
            count[o] = (unsigned)(j - i);
            o++;
        }
    }
    return o;
}
