// Runs that are known by how long they are. want: parallel
#pragma regraph extent(s: n) extent(value: n) extent(count: n)
#include <stddef.h>
size_t runs_lengths(const int *s, size_t n, int *value, unsigned *count)
{
    size_t o = 0, i = 0;
    while (i < n) {
        int c = s[i];
        unsigned run = 1;
        while (i + run < n && s[i + run] == c) run++;
        value[o] = c;
        count[o] = run;
        o++;
        i += run;
    }
    return o;
}
