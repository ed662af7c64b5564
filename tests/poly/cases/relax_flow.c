// What reaches a block is what its predecessors let out, computed anew until nothing changes, and kept beside. want: parallel
// chain: parallelize@C
#include <stdbool.h>
#include <stdint.h>
#pragma regraph size(n=600) size(n=5)
void reaching(int n, const int *pred_at, const int *pred, const uint32_t *gen, const uint32_t *kill, uint32_t *in, uint32_t *out)
{
    bool changed = true;
    for (int b = 0; b < n; b++) out[b] = gen[b];
    while (changed) {
        changed = false;
        for (int b = 0; b < n; b++) {
            uint32_t x = 0;
            for (int k = pred_at[b]; k < pred_at[b + 1]; k++) x |= out[pred[k]];
            in[b] = x;
            uint32_t y = gen[b] | (x & ~kill[b]);
            if (y != out[b]) {
                out[b] = y;
                changed = true;
            }
        }
    }
}
