// Kept elements go one place further on than they are read: the next iteration reads what was stored. want: sequential
#include <stddef.h>
#pragma regraph size(n=3000) size(n=1) size(n=70) extent(s: n + 1)
size_t lists_in_place_walked_not(float *s, size_t n, float least)
{
    float *to = s + 1;
    for (const float *p = s, *end = s + n; p < end; ++p) {
        if (*p < least) continue;
        *to++ = *p * 0.5f;
    }
    return (size_t)(to - s);
}
