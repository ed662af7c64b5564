// The nearest of those that are not masked, in a structure that says whether there is one; the last loop finds none. want: parallel
#include <stdbool.h>
#pragma regraph size(n=50000) size(n=1) size(n=300) input(mask: uniform(0, 2)) input(limit: uniform(0.5, 1.0))
typedef struct { int id; float dist; bool valid; } hit;
hit nearest(const float *d, const unsigned char *mask, int n, float limit, int *none)
{
    hit h = {-1, 0.0f, false};
    int any = -1;
    for (int i = 0; i < n; ++i) {
        float v = d[i] * 2.0f;
        if (mask[i] == 0 || v > limit) continue;
        if (!h.valid || v < h.dist) {
            h.id = i;
            h.dist = v;
            h.valid = true;
        }
    }
    for (int i = 0; i < n; i++)
        if (mask[i] > 2 && (any < 0 || d[i] > d[any])) any = i;
    *none = any;
    return h;
}
