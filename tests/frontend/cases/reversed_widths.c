#pragma regraph size(n=1000,b=40) size(n=8,b=31) size(n=7,b=32) size(n=5,b=63) extent(y: n) extent(x: n) extent(z: n) extent(w: n) extent(q: n) input(x: uniform(-2000000000, 2000000000))
#include <stdint.h>
void widths2(int n, int b, const int *x, unsigned *y, long *z, int *w, signed char *q)
{
    for (int i = 0; i < n; i++) {
        unsigned r = 0, u = x[i];
        int v = x[i], v2 = v, m = 0, v3 = v;
        long s = 0;
        signed char c = 0;
        for (int k = 0; k < 40; k++) { r = r << 1 | (v & 1); v >>= 1; }
        for (int k = 0; k < 40; k++) { s = s << 1 | (v2 & 1); v2 >>= 1; }
        for (int k = 0; k < 45; k++) { m = m << 1 | (u & 1); u >>= 1; }
        for (int k = 0; k < b; k++) { c = c << 1 | (v3 & 1); v3 >>= 1; }
        y[i] = r;
        z[i] = s + v2;
        w[i] = m + v3;
        q[i] = c;
    }
}
