/* Warp-wide matrix products (mma.sync): which shapes are simulated and how fragments lie in registers. */
#ifndef RG_SIM_MMA_H
#define RG_SIM_MMA_H
#include <stdbool.h>
#include <stdint.h>

struct sim_mma {
    const char *op; /* "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" */
    int id, m, n, k;
    int nd, na, nb, nc; /* registers a lane */
    int wide;           /* 64-bit registers: 1 accumulators, 2 all */
    int ab, cd;         /* enum ptx_type of the elements; S8: bytes, signed or not as SIM_MMA_ says */
};
/* What an instruction adds to its shape, above the shape's number in imm. */
enum { SIM_MMA_SHAPE = 255, SIM_MMA_UNSIGNED_A = 256, SIM_MMA_UNSIGNED_B = 512, SIM_MMA_SATURATE = 1024 };

/* NULL: not simulated. how: SIM_MMA_ of it. */
const struct sim_mma *rg__sim_mma_find(const char *op, int *how);
const struct sim_mma *rg__sim_mma_get(int id);
/* frame: the warp's registers; d, a, b, c: byte offsets as in the aux list. */
void rg__sim_mma_run(int how, char *frame, const int32_t *regs);

/* ---- wmma. A fragment's elements are numbered row by row (A: m x k, C: m x n; B column by column), dealt out to the
 * lanes in runs of as many as a lane holds; a fragment with more room than elements repeats itself. imm of the
 * instructions: ---- */
static inline int64_t sim_wmma(int m, int n, int k, int which, bool col, int type)
{
    return m | n << 8 | k << 16 | which << 24 | (int64_t)col << 28 | (int64_t)type << 32;
}
#define SIM_WMMA_M(v) ((int)((v)&255))
#define SIM_WMMA_N(v) ((int)((v) >> 8 & 255))
#define SIM_WMMA_K(v) ((int)((v) >> 16 & 255))
#define SIM_WMMA_WHICH(v) ((int)((v) >> 24 & 3))
#define SIM_WMMA_COL(v) ((v) >> 28 & 1)
#define SIM_WMMA_TYPE(v) ((int)((v) >> 32 & 255))
#define SIM_WMMA_SHARED ((int64_t)1 << 40)
#define SIM_WMMA_GLOBAL ((int64_t)1 << 41)
#define SIM_WMMA_D16 ((int64_t)1 << 42)
#define SIM_WMMA_C16 ((int64_t)1 << 43)
#define SIM_WMMA_SATURATE ((int64_t)1 << 44)
/* Bytes of an element, elements a 32-bit register holds (a double has a 64-bit one to itself). */
int rg__sim_wmma_element(int type);
struct sim_inst;
/* regs: D, A, B, C as in the aux list. (Loads and stores of fragments: access.c.) */
void rg__sim_wmma_run(char *frame, const struct sim_inst *in, const int32_t *regs);
#endif
