#include <math.h>
/* forward transforms of b rows of 1024 complex numbers (real, imaginary), by definition */
void ref_fft(int b, const float *x, float *y)
{
    static double c[1024], s[1024];
    for (int i = 0; i < 1024; i++) { c[i] = cos(2 * 3.14159265358979323846 * i / 1024); s[i] = -sin(2 * 3.14159265358979323846 * i / 1024); }
    for (int r = 0; r < b; r++)
        for (int k = 0; k < 1024; k++) {
            double re = 0, im = 0;
            for (int i = 0; i < 1024; i++) {
                int t = i * k & 1023;
                double u = x[r * 2048 + 2 * i], v = x[r * 2048 + 2 * i + 1];
                re += u * c[t] - v * s[t];
                im += u * s[t] + v * c[t];
            }
            y[r * 2048 + 2 * k] = re;
            y[r * 2048 + 2 * k + 1] = im;
        }
}
