// Scratch that an iteration fills in part: it reads what the one before has left there. want: parallel
// chain: parallelize@C
// lacks: z_all
#include <math.h>
#include <stdlib.h>
static unsigned long long next(unsigned long long *s)
{
    unsigned long long z = (*s += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    return z ^ (z >> 31);
}
static int walk(const double *z, int n, double start, double sign, double *sum, double *top)
{
    double x = start, at = start * 0.5, least = start, most = start;
    int out = 0;
    for (int k = 0; k < n; k++) {
        x += sign * z[k];
        if (x >= start + 1.5) out = 1;
        at += exp(-fabs(x));
        most = x > most ? x : most;
        least = x < least ? x : least;
    }
    *sum = at / n;
    *top = most - least;
    return out;
}

#pragma regraph size(n=3000,steps=20) size(n=1,steps=1) size(n=37,steps=5) input(start: constant(0.25)) extent(mean: n)
long paths(int n, int steps, double start, double *restrict mean, double *restrict spread)
{
    double s = 0, ss = 0, width = 0, *z = calloc(steps, sizeof *z);
    long out = 0;
    if (!z) return -1;
    for (int i = 0; i < n; i++) {
        unsigned long long g = 17ULL + i;
        double a, b, c, d;
        for (int k = i % 2; k < steps; k += 2) z[k] += (double)(next(&g) >> 11) / 9007199254740992.0 - 0.5;
        out += walk(z, steps, start, 1.0, &a, &c);
        out += walk(z, steps, start, -1.0, &b, &d);
        mean[i] = 0.5 * (a + b);
        s += mean[i];
        ss += mean[i] * mean[i];
        width += c + d;
    }
    spread[0] = width / n;
    spread[1] = s / n;
    spread[2] = ss / n;
    free(z);
    return out;
}
