// Butterflies with a second counter, the place in a table of twiddle factors, that a stride is added to. want: parallel
// chain: parallelize@C
// shows: \^ half
#include <math.h>
#include <stdlib.h>
#pragma regraph size(n=1024) size(n=64) require(1073741824 % n == 0)
void transform(float *re, float *im, int n)
{
    float *cs = malloc(n / 2 * sizeof(float)), *sn = malloc(n / 2 * sizeof(float));
    for (int i = 0; i < n / 2; i++) {
        cs[i] = cosf(2 * 3.14159265f * i / n);
        sn[i] = sinf(2 * 3.14159265f * i / n);
    }
    for (int size = 2; size <= n; size *= 2) {
        int half = size / 2, stride = n / size;
        for (int i = 0; i < n; i += size)
            for (int j = i, k = 0; j < i + half; j++, k += stride) {
                float tr = re[j + half] * cs[k] + im[j + half] * sn[k];
                float ti = -re[j + half] * sn[k] + im[j + half] * cs[k];
                re[j + half] = re[j] - tr;
                im[j + half] = im[j] - ti;
                re[j] += tr;
                im[j] += ti;
            }
    }
    free(cs);
    free(sn);
}
