// Loops that go on until two places meet, and a length without a sign: their order is required. want: parallel
#include <stddef.h>
#pragma regraph size(a.count=6, b.count=60, c.count=80)
#pragma regraph size(a.count=6, b.count=6, c.count=7)
void ends_in_order(float *x, float *a, float *b, float *c)
{
    for (float *p = x; p != a; p++) *p += 1;
    for (float *p = a; p != b; p++) *p *= 2;
    const size_t n = (size_t)(c - b);
    for (size_t i = 0; i < n; i++) b[i] -= 3;
}
