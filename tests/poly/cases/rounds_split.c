// Butterflies on split arrays, a twiddle for each: the pairs of e and e ^ half. want: parallel
// chain: parallelize@C
// shows: e \^ half_
#include <math.h>
#pragma regraph size(n=1024) size(n=8) size(n=2)
void dit(float *re, float *im, int n)
{
    for (int half = 1; half < n; half *= 2) {
        for (int base = 0; base < n; base += 2 * half) {
            for (int k = 0; k < half; k++) {
                float c = cosf(-3.14159265f * k / half), s = sinf(-3.14159265f * k / half);
                int p = base + k, q = p + half;
                float tr = re[q] * c - im[q] * s, ti = re[q] * s + im[q] * c;
                re[q] = re[p] - tr; im[q] = im[p] - ti;
                re[p] += tr; im[p] += ti;
            }
        }
    }
}
