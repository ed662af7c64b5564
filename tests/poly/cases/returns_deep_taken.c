// The same where it does return: a while loop that returns error numbers, inside the loop over intervals. want: parallel
#pragma regraph size(nx=20000,nr=3) size(nx=70,nr=2) size(nx=3,nr=4) input(rain: uniform(-1, 1)) input(h: uniform(-0.01, 0.2)) require(nx > 0)
#include <math.h>
int returns_deep_taken(int nx, int nr, const double *rain, double *h, double *out)
{
    for (int k = 0; k < nr; k++) {
        double left = 1.0;
        while (left > 0) {
            double dt = 0.3;
            for (int i = 0; i < nx; i++) dt = fmin(dt, 0.9 / (1 + h[i]));
            if (dt < 1e-3) return 1;
            if (dt > left) dt = left;
            double low = 0;
            for (int i = 0; i < nx; i++) {
                h[i] += dt * (rain[k] - 0.1 * h[i]);
                low = fmin(low, h[i]);
            }
            if (low < -1e-2) return 2;
            left -= dt;
        }
        out[k] = left;
    }
    return 0;
}
