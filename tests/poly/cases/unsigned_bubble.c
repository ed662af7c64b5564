// One array is sorted with counters that have no sign. want: parallel
#include <stddef.h>
void unsigned_bubble(size_t n, float *x)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j + 1 < n - i; j++)
            if (x[j] > x[j + 1]) {
                float t = x[j];
                x[j] = x[j + 1];
                x[j + 1] = t;
            }
}
