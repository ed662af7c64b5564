// The best so far is a pointer, NULL until there is one: of structures with a condition, by a walking pointer, and with a flag that says none. want: parallel
#include <stddef.h>
#pragma regraph size(n=3000, m=70) size(n=5, m=3) size(n=1, m=2)
#pragma regraph extent(all: n) extent(x: n) extent(q: m) extent(near: m)
struct body { double mass; int kind, id; };
int best_null(int n, int m, const struct body *all, const float *x, const float *q, int *near, double out[2])
{
    const struct body *heaviest = NULL;
    for (int i = 0; i < n; i++) {
        if (all[i].kind < 0) continue;
        if (!heaviest || all[i].mass > heaviest->mass) heaviest = &all[i];
    }
    const float *low = 0;
    for (const float *p = x; p < x + n; p++)
        if (low == 0 || *p < *low) low = p;
    out[0] = low ? *low : -1;
    int none = 1, last = -7;
    double most = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0.25f && (none || x[i] * x[i] >= most)) {
            most = x[i] * x[i];
            last = i;
            none = 0;
        }
    out[1] = none ? -1 : last;
    for (int j = 0; j < m; j++) {
        const struct body *b = NULL;
        for (int i = 0; i < n; i++)
            if (b == NULL || (all[i].mass - q[j]) * (all[i].mass - q[j]) < (b->mass - q[j]) * (b->mass - q[j])) b = all + i;
        near[j] = b->id;
    }
    return heaviest != NULL ? heaviest->id : -1;
}
