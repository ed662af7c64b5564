// What a round halves to has a name of its own, in both kinds of loops. want: parallel
// chain: parallelize@C
// shows: half
#include <string.h>
#pragma regraph size(n=1024) size(n=8) size(n=1) extent(data: n) extent(tmp: n) extent(sums: n)
void wavelet(float *data, float *tmp, float *sums, int n)
{
    int len, half, i, width = n;
    for (len = n; len > 1; len = half) {
        half = len / 2;
        for (i = 0; i < half; i++) {
            float a = data[2 * i], b = data[2 * i + 1];
            tmp[i] = (a + b) * 0.70710678f;
            tmp[half + i] = (a - b) * 0.70710678f;
        }
        memcpy(data, tmp, len * sizeof(float));
    }
    while (width > 1) {
        int next = width >> 1;
        for (int k = 0; k < next; k++) sums[k] += sums[k + next];
        width = next;
    }
}
