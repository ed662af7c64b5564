// Memory for a number that was changed in front of it: not what the function was called with. want: sequential
#include <stdlib.h>
void memory_of_changed_not(const float *x, float *y, int n, int m)
{
#pragma regraph extent(x: n) extent(y: n + m)
    if (m > 3) n += m;
    float *tmp = malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) tmp[i] = i < m ? 1.0f : x[i - m];
    for (int i = 0; i < n; i++) y[i] = tmp[n - 1 - i] * 2;
    free(tmp);
    n = 0;
}
