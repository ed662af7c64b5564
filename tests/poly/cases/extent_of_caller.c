// Slots that are not used end a row, and what they say leads nowhere: how long x is, only the caller can say. want: parallel
// chain: parallelize@C
// shows: x_size
#include <stdint.h>
#pragma regraph size(m.rows=900, m.width=7, x.size=700) size(m.rows=33, m.width=3, x.size=5) size(m.rows=1, m.width=1, x.size=1)
typedef struct { uint32_t rows, width; const int32_t *col; const float *val; } padded;
void padded_multiply(const padded *m, float alpha, const float *x, float *y)
{
    for (uint32_t r = 0; r < m->rows; r++) {
        float sum = 0;
        for (uint32_t s = 0; s < m->width; s++) {
            int32_t c = m->col[s * m->rows + r];
            if (c < 0) break;
            sum += m->val[s * m->rows + r] * x[c];
        }
        y[r] += alpha * sum;
    }
}
