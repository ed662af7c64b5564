#include <math.h>
#pragma regraph size(n=128)
float norm(const float *x, int n)
{
    float s = 0;
    if (!x || n < 1) return 0;
    for (int i = 0; i < n; ++i) {
        if (isnan(x[i])) continue;
        s += powf(fabsf(x[i]), 1.5f) + fmaxf(x[i], 0.0f) + (x[i] > 0 ? 1 : -1) * 0.5;
    }
    return sqrt(s);
}
