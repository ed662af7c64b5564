/* Arguments that are null, and helpers that ask for it. */
#include <stddef.h>

typedef struct { double value, slope; int steps; } parts;

static double root(double x, int rounds, parts *p)
{
    double y[9];
    y[0] = x > 1 ? x : 1;
    for (int i = 0; i < rounds; i++) y[i + 1] = 0.5 * (y[i] + x / y[i]);
    if (p) {
        p->value = y[rounds];
        p->slope = 0.5 / y[rounds];
        p->steps = rounds;
    }
    return y[rounds];
}

static int follow(const int *next, int i, int left, int *seen)
{
    if (seen != NULL) seen[0] += i;
    if (left == 0) return i;
    return follow(next, next[i], left - 1, seen);
}

// function: optional
// not(optional): root(
// not(optional): opaque parts
#pragma regraph size(n=100) extent(x: n) extent(out: n) input(x: uniform(0.5, 9.0))
void optional(int n, const double *x, parts *out)
{
    for (int k = 0; k < n; k++) {
        root(x[k], 8, &out[k]);
        out[k].slope += (root(x[k] + 0.01, 8, 0) - out[k].value) / 0.01 - root(x[k], 4, NULL);
    }
}

// function: not_inlined
#pragma regraph size(n=100) extent(next: n) extent(sum: n) extent(end: n) input(next: uniform(0, n - 1))
void not_inlined(int n, const int *next, int *sum, int *end)
{
    for (int i = 0; i < n; i++) {
        sum[i] = 0;
        end[i] = follow(next, i, 5, NULL) - follow(next, i, 7, &sum[i]);
    }
}
