// The first place of a pattern with wild cards, compared by two pointers that step together. want: parallel
#include <stddef.h>
long equal_counters(const char *text, size_t n, const char *pat, size_t m)
{
    if (m == 0 || m > n) return -1;
    for (const char *s = text; s <= text + (n - m); s++) {
        const char *a = s, *b = pat;
        while (b < pat + m && (*b == '?' || *a == *b)) {
            a++;
            b++;
        }
        if (b == pat + m) return s - text;
    }
    return -1;
}
