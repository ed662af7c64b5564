// What is added may make the sum wrap around, and in the second loop be negative. want: sequential
#pragma regraph input(x: uniform(0, 4294967295))
#include <stdint.h>
uint32_t modular_not(const uint32_t *x, const int *y, long n, int *out)
{
    uint32_t a = 1;
    int b = 0;
    for (long i = 0; i < n; i++)
        a = (a + x[i]) % 65521;
    for (long i = 0; i < n; i++)
        b = (b + y[i] - 50) % 1009;
    out[0] = b;
    return a;
}
