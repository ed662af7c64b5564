// Members of structures, counters from 1 with bounds that are met, the mirror carried on from the half. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_f\(
#include <math.h>
struct number { float re, im; };
#pragma regraph size(n=1024) size(n=8) size(n=2)
void turn(struct number *x, int n)
{
    int i, j = n / 2, k, l, rounds = 0, wide, half;
    for (i = n; i > 1; i >>= 1) rounds++;
    for (i = 1; i <= n - 2; i++) {
        if (i < j) {
            struct number t = x[j];
            x[j] = x[i];
            x[i] = t;
        }
        k = n / 2;
        while (k <= j) {
            j -= k;
            k /= 2;
        }
        j += k;
    }
    for (l = 1; l <= rounds; l++) {
        wide = 1 << l;
        half = wide / 2;
        float ur = 1, ui = 0, sr = cosf(3.14159265f / half), si = -sinf(3.14159265f / half), t, p, q;
        for (j = 1; j <= half; j++) {
            int first = j - 1;
            for (i = first; i <= n - 1; i += wide) {
                int other = i + half;
                p = x[other].re * ur - x[other].im * ui;
                q = x[other].re * ui + x[other].im * ur;
                x[other].re = x[i].re - p;
                x[other].im = x[i].im - q;
                x[i].re += p;
                x[i].im += q;
            }
            t = ur;
            ur = t * sr - ui * si;
            ui = t * si + ui * sr;
        }
    }
}
