// The size of memory steps a number, which is not lost. want: sequential
#include <stdlib.h>
#pragma regraph extent(x : n) size(n = 200)
float memory_steps(const float *x, int n)
{
    float s = 0;
    int k = 3;
    float *q = malloc(++k * sizeof *q);
    for (int i = 0; i < k; i++) q[i] = i;
    for (int i = 0; i < n; i++) s += x[i] * q[i % k];
    free(q);
    return s + n + k;
}
