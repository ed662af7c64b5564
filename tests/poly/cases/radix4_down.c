// A transform of radix 4 whose rounds are counted beside a span that shrinks to a quarter, real and imaginary parts apart. want: parallel
#include <math.h>
#pragma regraph size(n=1024, levels=5) size(n=32, levels=4) extent(xr: n) extent(xi: n)
void radix4(double *xr, double *xi, int n, int levels)
{
    int n2 = n;
    for (int s = 0; s < levels; s++) {
        int n1 = n2;
        n2 /= 4;
        double e = 6.283185307179586 / n1;
        for (int j = 0; j < n2; j++) {
            double a = j * e, b = a + a, c = a + b;
            double c1 = cos(a), s1 = sin(a), c2 = cos(b), s2 = sin(b), c3 = cos(c), s3 = sin(c);
            for (int i = j; i < n; i += n1) {
                int i1 = i + n2, i2 = i1 + n2, i3 = i2 + n2;
                double r1 = xr[i] + xr[i2], r3 = xr[i] - xr[i2], t1 = xi[i] + xi[i2], t3 = xi[i] - xi[i2];
                double r2 = xr[i1] + xr[i3], r4 = xr[i1] - xr[i3], t2 = xi[i1] + xi[i3], t4 = xi[i1] - xi[i3];
                xr[i] = r1 + r2;
                r2 = r1 - r2;
                r1 = r3 - t4;
                r3 = r3 + t4;
                xi[i] = t1 + t2;
                t2 = t1 - t2;
                t1 = t3 + r4;
                t3 = t3 - r4;
                xr[i1] = c1 * r3 + s1 * t3;
                xi[i1] = c1 * t3 - s1 * r3;
                xr[i2] = c2 * r2 + s2 * t2;
                xi[i2] = c2 * t2 - s2 * r2;
                xr[i3] = c3 * r1 + s3 * t1;
                xi[i3] = c3 * t1 - s3 * r1;
            }
        }
    }
}
