// ... and what it steps is the size that loops go by behind it. want: sequential
#include <stdlib.h>
#pragma regraph extent(x : n) size(n = 200)
float memory_steps_back(const float *x, int n)
{
    float s = 0;
    float *t = malloc(sizeof(float) * n--);
    for (int i = 0; i <= n; i++) t[i] = x[i];
    for (int i = 0; i <= n; i++) s += t[i] * t[n - i];
    free(t);
    return s + n;
}
