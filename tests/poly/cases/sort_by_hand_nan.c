// Elements that are in no order, and zeros of either sign, are moved as the C moves them. want: parallel
// chain: parallelize@C
#include <math.h>
#pragma regraph size(n=300) size(n=64) size(n=1)
void with_nan(const float *x, float *a, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i % 7 == 3 ? sqrtf(-1.0f - x[i] * x[i]) : x[i];
        b[i] = i % 5 == 0 ? -0.0 : i % 5 == 1 ? 0.0 : x[i] - 0.5;
    }
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            float t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    for (int i = 0; i < n - 1; i++)
        for (int j = i + 1; j < n; j++)
            if (b[i] > b[j]) {
                double t = b[i];
                b[i] = b[j];
                b[j] = t;
            }
    for (int i = 0; i < n; i++) {
        a[i] = a[i] != a[i] ? -1.0f : a[i];
        b[i] = b[i] == 0 ? 1 / b[i] < 0 ? -3 : 3 : b[i];
    }
}
