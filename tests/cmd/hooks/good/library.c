// moved by the C library; sorted, printed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
#pragma regraph size(n=500) role(y: out)
void ordered(int n, const float *x, float *y)
{
    memcpy(y, x, n * sizeof *y);
    qsort(y, n, sizeof *y, by_value);
    printf("%g\n", y[0]);
}
