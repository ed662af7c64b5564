// The one of two fields that a loop has left when nothing moves any more is returned. want: parallel
// chain: parallelize@C
#pragma regraph size(n=400, most=9) size(n=61, most=4) size(n=3, most=3)
#include <math.h>
float *settle(float *a, float *b, int n, float tol, int most)
{
    for (int k = 0; k < most; k++) {
        float far = 0;
        b[0] = a[0];
        b[n - 1] = a[n - 1];
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
            far = fmaxf(far, fabsf(b[i] - a[i]));
        }
        float *t = a;
        a = b;
        b = t;
        if (far < tol) return a;
    }
    return a;
}
