// Sums of a few components by a loop over these are one reduction with what is summed beside. want: parallel
// chain: reduce.block@loop:i
// shows: reduce.block: partial results of loop i
#include <stddef.h>
struct part {
    float x[3], w;
};
#pragma regraph size(n=6000) size(n=1) size(n=70) input(q: uniform(-1, 1))
double short_sums(const struct part *q, size_t n, double c[3], double t[3][3], int *restrict counts)
{
    double m = 0, far = 0;
    size_t i = 0;
    int a, b;
    for (a = 2; a >= 0; a--) {
        c[a] = 0.5;
        for (b = 0; b < 3; b++) t[a][b] = 0;
    }
    counts[0] = counts[2] = counts[1] = counts[3] = 0;
    while (i < n) {
        double r = 0;
        m += q[i].w;
        for (a = 2; a >= 0; a--) {
            double v = q[i].x[a];
            r += v * v;
            c[a] += q[i].w * v;
            for (b = 0; b < 3; b++) t[a][b] += v * q[i].x[b];
        }
        for (int k = 0; k < 4; k += 2)
            if (q[i].x[k / 2] > 0.0f) counts[k + 1] = counts[k + 1] + 2;
        if (r > far) far = r;
        i++;
    }
    return m + far;
}
