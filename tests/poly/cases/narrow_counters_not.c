// A counter of 8 bits below a wider bound starts again at 256; at what is said here it does not, and may. want: sequential
#pragma regraph size(n=250) size(n=9) size(n=2) require(n <= 255)
#include <stdint.h>
void copied(const float *x, int n, float *y)
{
    for (uint8_t k = 0; k < n; k++) y[k] = x[k] + 1;
}
