// A bound that the counter's type may not hold: it begins again at 0, and what ends the loop is something else. want: parallel
#include <stdint.h>
void narrow_bounds_not(int n, const uint8_t *restrict rows, int *restrict y)
{
    for (int r = 0; r < n; r++) {
        int rounds = 0, sum = 0;
        for (uint8_t i = 250; i < (rows[r] + 1u) * 2u; i++) {
            sum += i;
            if (++rounds == 20) break;
        }
        y[r] = sum;
    }
}
#pragma regraph extent(rows: n) extent(y: n) input(rows: uniform(0, 255))
