// Counts of shifts that are drawn stay where C defines the shift, in a helper and in members, too. want: parallel
#include <stdint.h>

struct scale { int32_t mult; int8_t exponent; uint8_t drop; };

static int32_t scaled(int32_t x, int32_t mult, int shift)
{
    int64_t p = (int64_t)x * mult + ((int64_t)1 << (30 + shift));
    return (int32_t)(p >> (31 + shift));
}

static int32_t by_power(int32_t x, int e) { return e >= 0 ? (int32_t)((uint32_t)x << e) : x >> -e; }

void shift_counts(int n, const int32_t *restrict x, const int32_t *restrict mult, const uint8_t *restrict shift,
                  const struct scale *restrict s, int32_t *restrict y, uint64_t *restrict bits)
{
    for (int i = 0; i < n; i++) {
        int left = 40 - s[i].drop;
        y[i] = by_power(scaled(x[i], mult[i], shift[i]), s[i].exponent) + (int32_t)(((int64_t)x[i] * s[i].mult) >> 20);
        bits[i] = ((uint64_t)1 << left) | (uint64_t)x[i] >> (s[i].drop - 1);
    }
}
