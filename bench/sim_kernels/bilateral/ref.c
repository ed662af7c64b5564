#include <math.h>
/* 7x7 bilateral filter of bytes, edges clamped */
void ref_bilateral(int w, int h, const unsigned char *x, float *y)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            double s = 0, n = 0, c = x[i * w + j];
            for (int u = -3; u <= 3; u++)
                for (int v = -3; v <= 3; v++) {
                    int p = i + u < 0 ? 0 : i + u >= h ? h - 1 : i + u, q = j + v < 0 ? 0 : j + v >= w ? w - 1 : j + v;
                    double d = x[p * w + q], g = exp(-(u * u + v * v) / 18.0 - (d - c) * (d - c) / 1800.0);
                    s += g * d;
                    n += g;
                }
            y[i * w + j] = s / n;
        }
}
