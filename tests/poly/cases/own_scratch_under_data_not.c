// A row of scratch that only some items fill anew: the others go on from what was left. want: parallel
// chain: parallelize@C
// lacks: bad_part
#include <stdlib.h>
struct item {
    double rate, start;
    int kind;
};
struct result {
    double value, slope;
};
static double back(const struct item *o, int n, double *v, double *slope)
{
    for (int j = 0; j <= n && o->kind != 2; j++) v[j] = o->start * j;
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j <= i; j++) {
            double next = o->rate * v[j + 1] + (1.0 - o->rate) * v[j];
            v[j] = o->kind == 1 && next < o->start ? o->start : next;
        }
        if (i == 1 && slope) *slope = v[1] - v[0];
    }
    return v[0];
}

#pragma regraph size(n=300,steps=40) size(n=1,steps=2) size(n=37,steps=5)
#pragma regraph input(book.rate: uniform(-0.2, 1)) input(book.kind: uniform(0, 3))
int work_out(const struct item *restrict book, int n, int steps, struct result *restrict res)
{
    int bad = 0;
    double *v = calloc(steps + 1, sizeof *v);
    if (!v) return -1;
    for (int k = 0; k < n; k++) {
        const struct item *o = &book[k];
        struct result *r = &res[k];
        if (o->rate <= 0.0) {
            r->value = r->slope = 0.0;
            bad++;
            continue;
        }
        r->value = back(o, steps, v, &r->slope);
        r->value += back(o, steps / 2, v, NULL);
    }
    free(v);
    return bad;
}
