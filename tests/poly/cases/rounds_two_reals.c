// A running twiddle of two reals, started anew for each block, is a power of the first. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_f\(rg_cmake_f\(wpr, wpi\)
#include <math.h>
#pragma regraph size(n=1024) size(n=8) size(n=2) extent(xr: n) extent(xi: n)
int butterflies(float *xr, float *xi, unsigned n)
{
    if (n == 0 || (n & (n - 1)) != 0) return -1;
    for (unsigned len = 2; len <= n; len = len * 2) {
        float th = -6.2831853f / len, wpr = cosf(th), wpi = sinf(th);
        for (unsigned i = 0; i < n; i += len) {
            float wr = 1.0f, wi = 0.0f, t;
            for (unsigned j = i; j < i + len / 2; j++) {
                unsigned p = j + len / 2;
                float br = xr[p] * wr - xi[p] * wi, bi = xr[p] * wi + xi[p] * wr;
                xr[p] = xr[j] - br;
                xi[p] = xi[j] - bi;
                xr[j] += br;
                xi[j] += bi;
                t = wr;
                wr = wr * wpr - wi * wpi;
                wi = wi * wpr + t * wpi;
            }
        }
    }
    return 0;
}
