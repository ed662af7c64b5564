// Rounds that count, a width that doubles in them, a number of elements that doubles itself up, half angles. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_d\(
#include <math.h>
#pragma regraph size(dir=1,m=10) size(dir=2,m=3) size(dir=1,m=1)
int transform(int dir, long m, double *x, double *y)
{
    long n = 1, i, j = 0, k, l, width = 1, half, other;
    double c = -1, s = 0;
    for (i = 0; i < m; i++) n *= 2;
    half = n >> 1;
    for (i = 0; i < n - 1; i++) {
        if (i < j) {
            double a = x[i], b = y[i];
            x[i] = x[j], y[i] = y[j];
            x[j] = a, y[j] = b;
        }
        k = half;
        while (k <= j) {
            j -= k;
            k >>= 1;
        }
        j += k;
    }
    for (l = 0; l < m; l++) {
        long before = width;
        double u = 1, v = 0, z;
        width <<= 1;
        for (j = 0; j < before; j++) {
            for (i = j; i < n; i += width) {
                other = i + before;
                double p = u * x[other] - v * y[other], q = u * y[other] + v * x[other];
                x[other] = x[i] - p;
                y[other] = y[i] - q;
                x[i] += p;
                y[i] += q;
            }
            z = u * c - v * s;
            v = u * s + v * c;
            u = z;
        }
        s = sqrt((1 - c) / 2);
        if (dir == 1) s = -s;
        c = sqrt((1 + c) / 2);
    }
    if (dir == 1)
        for (i = 0; i < n; i++) {
            x[i] /= n;
            y[i] /= n;
        }
    return 1;
}
