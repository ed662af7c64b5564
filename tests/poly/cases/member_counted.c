// Sums, counts and extremes in members of one structure, each alone in its loop. want: parallel
#include <stddef.h>
struct moments { double sum; float least; };
struct report { int bad; size_t good; unsigned bits; struct moments m; };
#pragma regraph size(n=900,w=30,h=20) size(n=8,w=3,h=5) size(n=1,w=1,h=1)
void member_counted(const float *x, const unsigned char *lab, int n, int w, int h, struct report *r)
{
    size_t *good = &r->good;
    r->bad = 0;
    *good = 0;
    r->bits = 0;
    r->m.sum = 0;
    r->m.least = 1e30f;
    for (int i = 0; i < n; i++) r->bad += x[i] > 0.5f;
    for (int y = 0; y < h; y++)
        for (int c = 0; c < w; c++) {
            if (lab[y * w + c] < 3) continue;
            *good += lab[y * w + c] & 1;
        }
    for (int i = 0; i < n; i++) r->bits ^= (unsigned)(x[i] * 1000.0f);
    for (int i = 0; i < n; i++)
        if (x[i] > 0.25f) r->m.sum += (double)x[i] * x[i];
    for (int i = 0; i < n; i++)
        if (x[i] < r->m.least) r->m.least = x[i];
}
