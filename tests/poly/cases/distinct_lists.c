// What is on a list of a loop's counters is there once: elements that it names are updated at once. want: parallel
// chain: scan.block
// lacks: atomic
#pragma regraph size(n=3000) size(n=7) size(n=1) extent(far: n) extent(near: n) input(x: uniform(0, 1))
#include <stddef.h>
typedef struct { float mass, speed; } body;
void split(size_t n, const float x[n], body b[n], size_t *far, unsigned *near, float y[n])
{
    size_t n_far = 0, k;
    int n_near = 0;
    for (k = 0; k < n; k++)
        if (x[k] > 0.75f) far[n_far++] = k;
    for (unsigned i = 0; i < (unsigned)n; i++) {
        if (x[i] >= 0.25f) continue;
        near[n_near] = i;
        n_near++;
    }
    for (k = 0; k < n_far; k++) {
        body *p = &b[far[k]];
        p->speed = 0.5f * p->speed + p->mass;
    }
    for (int j = 0; j < n_near; j++) {
        const unsigned at = near[j];
        y[at] = y[at] * y[at] + x[at];
    }
}
