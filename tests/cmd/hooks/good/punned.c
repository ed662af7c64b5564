// bytes of other types, bit fields, booleans
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#pragma regraph size(n=1000)
void signs(int n, const float *x, uint32_t *bits, bool *negative)
{
    for (int i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &x[i], 4);
        bits[i] = u ^ u >> 29;
        negative[i] = x[i] < 0;
    }
}
