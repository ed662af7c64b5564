// The second real goes by what the first has become: that is no multiplication, and its steps stay in order. want: sequential
#include <math.h>
#pragma regraph size(n=256) size(n=8) size(n=2) extent(xr: n) extent(xi: n)
void not_turned(double *xr, double *xi, int n)
{
    for (int len = 2; len <= n; len <<= 1) {
        double wpr = cos(6.28318530717958648 / len), wpi = sin(6.28318530717958648 / len);
        for (int i = 0; i < n; i += len) {
            double wr = 1, wi = 0;
            for (int j = 0; j < len / 2; j++) {
                int p = i + j, q = i + j + len / 2;
                double br = xr[q] * wr - xi[q] * wi, bi = xr[q] * wi + xi[q] * wr;
                xr[q] = xr[p] - br;
                xi[q] = xi[p] - bi;
                xr[p] += br;
                xi[p] += bi;
                wr = wr * wpr - wi * wpi;
                wi = wi * wpr + wr * wpi;
            }
        }
    }
}
