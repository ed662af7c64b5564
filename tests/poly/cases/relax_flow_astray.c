// The same from sets that are no beginning of it: elements grow and shrink, the order tells, and it is that of the C. want: parallel
// chain: parallelize@C
#include <stdbool.h>
#include <stdint.h>
#pragma regraph size(n=600) size(n=7) size(n=40)
int living(int n, const int *succ_at, const int *succ, const uint32_t *use, const uint32_t *def, uint32_t *live)
{
    int round = 0;
    bool changed = true;
    while (changed && round < 40) {
        changed = false;
        for (int b = 0; b < n; b++) {
            uint32_t x = 0;
            for (int k = succ_at[b]; k < succ_at[b + 1]; k++) x |= live[succ[k]];
            x = (use[b] & 0x11) | (x & ~(def[b] & 0xff00ff));
            if (x != live[b]) {
                live[b] = x;
                changed = true;
            }
        }
        round++;
    }
    return changed;
}
