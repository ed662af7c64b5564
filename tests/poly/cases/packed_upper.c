// want: parallel
/* The upper one, as packed storage of symmetric matrices has it. */
#pragma regraph size(n=180)
#include <stddef.h>
void outer_upper(int n, const double *x, double *ap)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = i; j < (size_t)n; j++) ap[i * n - i * (i - 1) / 2 + j - i] = x[i] * x[j];
}
