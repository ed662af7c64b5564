/* Warp-wide matrix products (mma.sync): which shapes are simulated and how fragments lie in registers. */
#ifndef RG_SIM_MMA_H
#define RG_SIM_MMA_H
#include <stdint.h>

struct sim_mma {
    const char *op;         /* "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" */
    int id, m, n, k;
    int nd, na, nb, nc;     /* registers a lane */
    int wide;               /* 64-bit registers: 1 accumulators, 2 all */
    int ab, cd;             /* enum ptx_type of the elements */
};

/* NULL: not simulated. */
const struct sim_mma *rg__sim_mma_find(const char *op);
const struct sim_mma *rg__sim_mma_get(int id);
/* frame: the warp's registers; d, a, b, c: byte offsets as in the aux list. */
void rg__sim_mma_run(const struct sim_mma *m, char *frame, const int32_t *regs);
#endif
