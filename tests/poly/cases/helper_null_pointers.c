// A helper that keeps places in a text, none at first, only reads it. want: parallel
// chain: parallelize@C
#pragma regraph size(n=40, m=100) size(n=3, m=40) input(pool: string(m - 1, 97, 100)) input(off: uniform(0, m - 20)) extent(pool: m) require(m >= 30)
#include <stddef.h>
static int repeats(const char *s)
{
    const char *last = NULL, *p = s;
    int found = 0;
    while (*p && found < 5) {
        if (last && *last == *p)
            found++;
        last = p++;
    }
    return last == NULL ? -1 : found;
}
void each(const char *pool, const int *off, int n, int m, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = repeats(pool + off[i]);
}
