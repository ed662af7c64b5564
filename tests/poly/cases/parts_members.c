// A function sets the members of a structure to parts of a block. want: parallel
// chain: array.expand@loop:r,parallelize
#include <stdlib.h>

struct work {
    float *p, *q, *r;
};

static void cut(struct work *w, float *base, int n)
{
    w->p = base;
    w->q = w->p + n;
    w->r = w->q + n;
}

#pragma regraph size(rows=30, n=50) size(rows=2, n=3)
int parts_members(float *y, const float *x, int rows, int n)
{
    struct work w;
    float *mem = malloc(3 * (size_t)n * sizeof *mem);
    if (!mem) return -1;
    cut(&w, mem, n);
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < n; i++) w.p[i] = x[(size_t)r * n + i] * 3.0f;
        for (int i = 0; i < n; i++) w.q[i] = w.p[n - 1 - i] - 1.0f;
        for (int i = 0; i < n; i++) w.r[i] = w.p[i] * w.q[i];
        for (int i = 0; i < n; i++) y[(size_t)r * n + i] = w.r[i] + w.q[i];
    }
    free(mem);
    return 0;
}
