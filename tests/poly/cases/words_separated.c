// Fields between either of two separators, in a loop that a break ends. want: parallel
#pragma regraph extent(from: n) extent(to: n) size(n=5000) size(n=67) size(n=2) size(n=1)
#include <stddef.h>
size_t words_separated(const char *s, size_t n, size_t *from, size_t *to)
{
    size_t k = 0, i = 0;
    for (;;) {
        while (i < n && (s[i] == ',' || s[i] == ' ')) i++;
        if (i == n) break;
        from[k] = i;
        while (i < n && s[i] != ',' && s[i] != ' ') i++;
        to[k] = i;
        k++;
    }
    return k;
}
