// Decimation in frequency in C89: the loop over groups is the inner one. want: parallel
// chain: parallelize@C
// shows: e \^ half_
#include <math.h>
/* C89, declared at the top, decimation in frequency, twiddles computed for each */
#pragma regraph size(n=1024) size(n=8)
void fft89(double *xr, double *xi, int n)
{
    int le, half, i, j, k;
    double ang, wr, wi, tr, ti;
    for (le = n; le > 1; le = le / 2) {
        half = le >> 1;
        for (j = 0; j < half; j++) {
            ang = 6.283185307179586 * j / le;
            wr = cos(ang); wi = -sin(ang);
            for (i = j; i < n; i += le) {
                k = i + half;
                tr = xr[i] - xr[k]; ti = xi[i] - xi[k];
                xr[i] = xr[i] + xr[k]; xi[i] = xi[i] + xi[k];
                xr[k] = tr * wr - ti * wi; xi[k] = tr * wi + ti * wr;
            }
        }
    }
}
