/* malloc'd scratch, 1-D, returned through the parameter */
#include <stdlib.h>
#include <string.h>
#pragma regraph size(n=1000000, steps=30) extent(x: n)
void smooth(float *x, int n, int steps)
{
    float *tmp = malloc(n * sizeof *tmp);
    float *cur = x, *next = tmp, *t;
    memcpy(tmp, x, n * sizeof(float));
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.25f * cur[i - 1] + 0.5f * cur[i] + 0.25f * cur[i + 1];
        t = cur; cur = next; next = t;
    }
    if (steps % 2 == 1)
        for (int i = 0; i < n; i++) x[i] = tmp[i];
    free(tmp);
}
