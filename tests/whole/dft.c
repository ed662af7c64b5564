#include <complex.h>
#include <math.h>
void dft(const float complex *x, float complex *y, int n)
{
    for (int k = 0; k < n; k++) {
        float complex s = 0.0f;
        for (int t = 0; t < n; t++) {
            float ang = -2.0f * (float)M_PI * (float)((long)k * t % n) / n;
            s += x[t] * (cosf(ang) + I * sinf(ang));
        }
        y[k] = s;
    }
}
