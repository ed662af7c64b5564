// Words and counters declared once, in front of the loop, as C of old does: every iteration fills them anew. want: parallel
#pragma regraph size(n=30000, most=200000) size(n=300, most=90000000) extent(x: n) extent(out: 2)
#include <stdint.h>
int search_scratch(const uint32_t *x, int n, uint32_t most, int *out)
{
    uint32_t w[16], st[3], t;
    int i, k;
    for (i = 0; i < n; i++) {
        st[0] = 17u;
        st[1] = x[i];
        st[2] = st[0] ^ (uint32_t)i;
        for (k = 0; k < 4; k++) w[k] = x[i] * (2 * k + 1) ^ (x[i] >> (k + 3));
        for (k = 4; k < 16; k++) {
            t = w[k - 1] ^ w[k - 4] << 3;
            w[k] = t + w[k - 2];
        }
        for (k = 0; k < 16; k++) st[k % 3] += w[k] ^ st[(k + 1) % 3] >> 5;
        if (st[1] < most) {
            out[0] = (int)(st[2] >> 1);
            out[1] = (int)(w[15] >> 1);
            break;
        }
    }
    return i;
}
