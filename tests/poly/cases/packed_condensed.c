// want: parallel
/* Distances of all pairs, condensed: without the diagonal. */
#pragma regraph size(n=150, d=3)
#include <math.h>
void pairs(int n, int d, const float *x, float *dist)
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++) {
            float s = 0;
            for (k = 0; k < d; k++) s += (x[i * d + k] - x[j * d + k]) * (x[i * d + k] - x[j * d + k]);
            dist[i * (i - 1) / 2 + j] = sqrtf(s);
        }
}
