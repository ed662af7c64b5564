// Compaction in place by pointers that walk to an end: structures that pass stay in front, in order. want: parallel
#include <math.h>
#include <stddef.h>
struct sample {
    double t;
    float value;
    int quality;
};
#pragma regraph size(n=3000) size(n=1) size(n=70) extent(s: n) input(least: constant(2))
size_t lists_in_place_walked(struct sample *s, size_t n, int least)
{
    struct sample *to = s;
    for (const struct sample *p = s, *end = s + n; p < end; ++p) {
        if (p->quality < least || !isfinite(p->value)) continue;
        *to++ = *p;
    }
    return (size_t)(to - s);
}
