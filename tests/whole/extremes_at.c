#include <float.h>
#include <stdio.h>

/* Where the smallest and the largest sample stand: the first of equal minima, the last of equal maxima; through pointers, as old code has it. */
void extremes(const float *v, int count, float *lo, int *lo_at, float *hi, int *hi_at)
{
    int k;

    *lo = FLT_MAX;
    *hi = -FLT_MAX;
    *lo_at = *hi_at = -1;
    for (k = 0; k < count; k++) {
        if (v[k] < *lo) {
            *lo = v[k];
            *lo_at = k;
        }
        if (v[k] >= *hi) {
            *hi = v[k];
            *hi_at = k;
        }
    }
}

int main(void)
{
    float v[4] = {2, 1, 1, 2}, lo, hi;
    int a, b;
    extremes(v, 4, &lo, &a, &hi, &b);
    printf("%g %d %g %d\n", lo, a, hi, b);
    return 0;
}
