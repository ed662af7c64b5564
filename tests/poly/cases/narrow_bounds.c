// Counters of 8 and 16 bits go to bounds that are computed of others, as far as the types say they get. want: parallel
#include <stdint.h>
#define ROWS (240u / 40u)
void narrow_bounds(const uint16_t *restrict x, uint32_t *restrict sum, uint16_t *restrict y)
{
    uint8_t row, lane;
    for (row = 0; row < ROWS; row++) {
        sum[row] = 0;
        for (uint16_t k = row * 40u; k < (row + 1u) * 40u; k++) {
            sum[row] += x[k];
            y[k] = x[k] + row;
        }
        for (lane = 0; lane <= (row >> 2); ++lane) sum[row] += lane;
    }
}
