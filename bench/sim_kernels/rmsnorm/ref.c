#include <math.h>
/* RMS norm with the residual added first; x, r, h and y are bits of IEEE half numbers, positive and normal */
static double of_half(unsigned short b) { return ldexp(1 + (b & 1023) / 1024.0, (b >> 10) - 15); }
static unsigned short to_half(double v)
{
    int e = ilogb(v);
    return (unsigned short)((e + 15) * 1024 + (int)rint(ldexp(v, 10 - e)) - 1024);
}
void ref_rmsnorm(int m, int n, const unsigned short *x, const unsigned short *r, const float *g, unsigned short *h, unsigned short *y)
{
    for (int i = 0; i < m; i++) {
        double q = 0;
        for (int j = 0; j < n; j++) {
            double v = of_half(x[i * n + j]) + of_half(r[i * n + j]);
            q += v * v;
            h[i * n + j] = to_half(v);
        }
        q = 1 / sqrt(q / n + 1e-5);
        for (int j = 0; j < n; j++) y[i * n + j] = to_half((of_half(x[i * n + j]) + of_half(r[i * n + j])) * q * g[j]);
    }
}
