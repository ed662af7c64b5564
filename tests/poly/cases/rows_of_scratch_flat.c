// Scratch that a loop over all elements fills and one over pieces of 64 reads: no rows, of which the first would be all. want: parallel
#include <stdlib.h>
#pragma regraph extent(x: 64 * pieces) extent(most: pieces)
void rows_of_scratch_flat(const float *x, float *most, int pieces)
{
    float *was = malloc((size_t)pieces * 64 * sizeof(float));
    int n = pieces * 64 - 5;
    for (int e = 0; e < n; e++) was[e] = x[e] * x[e];
    for (int t = 0; t < pieces; t++) {
        float m = 0;
        for (int j = 0; j < 64; j++)
            if (t * 64 + j < n && was[t * 64 + j] > m) m = was[t * 64 + j];
        most[t] = m;
    }
    free(was);
}
