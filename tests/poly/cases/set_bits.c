// A tally for each bit that is set, in order: all 64 bits ask by themselves, and so do the tries of each. want: parallel
#pragma regraph size(set=2868903935, tries=900) size(set=70, tries=3) size(set=0, tries=2) size(set=4611686018427387905, tries=5)
#pragma regraph extent(x: 64*tries) extent(out: 64)
// chain: reduce.block@loop:k
// shows: atomicAdd|__syncthreads|__shfl
#include <stdint.h>
#include <string.h>
typedef struct {
    int bit;
    long more, less, sum;
} tally;
int set_bits(uint64_t set, int tries, const int *restrict x, tally *restrict out)
{
    int n = 0;
    for (uint64_t m = set; m; m &= m - 1) {
        tally *t = &out[n];
        memset(t, 0, sizeof *t);
        t->bit = __builtin_ctzll(m);
        for (int k = 0; k < tries; k++) {
            int v = x[t->bit * tries + k] + n;
            if (v > 0)
                t->more++;
            else if (v < 0)
                t->less++;
            t->sum += v;
        }
        n++;
    }
    return n;
}
