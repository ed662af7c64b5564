/* What an instruction costs a warp once ptxas has had it: how many issue slots, of which pipe, how long until its
 * result. Sources: CUDA C++ programming guide, table of arithmetic throughput (compute capability 9.0); lengths of the
 * expansions of division, roots and 64-bit arithmetic from SASS listings of nvcc 13.0. */
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/arith/mma.h"
#include "runtime/sim/arith/scalar.h"
#include <stdlib.h>
#include <string.h>

struct shape {
    enum sim_pipe pipe;
    float issue, busy;
}; /* busy: in warp instructions of that pipe */

static const struct {
    sim_scalar_fn fn;
    struct shape s;
} scalar_shapes[] = {{rg__sim_div_s32, {SIM_PIPE_INT, 16, 13}},    {rg__sim_div_u32, {SIM_PIPE_INT, 13, 11}},
                     {rg__sim_rem_s32, {SIM_PIPE_INT, 16, 13}},    {rg__sim_rem_u32, {SIM_PIPE_INT, 13, 11}},
                     {rg__sim_div_s64, {SIM_PIPE_INT, 90, 80}},    {rg__sim_div_u64, {SIM_PIPE_INT, 80, 70}},
                     {rg__sim_rem_s64, {SIM_PIPE_INT, 90, 80}},    {rg__sim_rem_u64, {SIM_PIPE_INT, 80, 70}},
                     {rg__sim_div_s16, {SIM_PIPE_INT, 14, 12}},    {rg__sim_div_u16, {SIM_PIPE_INT, 12, 10}},
                     {rg__sim_rem_s16, {SIM_PIPE_INT, 15, 13}},    {rg__sim_rem_u16, {SIM_PIPE_INT, 13, 11}},
                     {rg__sim_mulhi_s64, {SIM_PIPE_INT, 8, 8}},    {rg__sim_mulhi_u64, {SIM_PIPE_INT, 8, 8}},
                     {rg__sim_popc32, {SIM_PIPE_SFU, 1, 1}},       {rg__sim_popc64, {SIM_PIPE_SFU, 3, 2}},
                     {rg__sim_clz32, {SIM_PIPE_SFU, 2, 1}},        {rg__sim_clz64, {SIM_PIPE_SFU, 4, 2}},
                     {rg__sim_brev32, {SIM_PIPE_SFU, 1, 1}},       {rg__sim_brev64, {SIM_PIPE_SFU, 2, 2}},
                     {rg__sim_sin_f32, {SIM_PIPE_SFU, 2, 1}},      {rg__sim_cos_f32, {SIM_PIPE_SFU, 2, 1}},
                     {rg__sim_tanh_f32, {SIM_PIPE_SFU, 1, 1}},     {rg__sim_rsqrt_f32, {SIM_PIPE_SFU, 3, 1}},
                     {rg__sim_rsqrt_f64, {SIM_PIPE_FP64, 16, 12}}, {rg__sim_rsqrt_ftz_f64, {SIM_PIPE_SFU, 1, 1}},
                     {rg__sim_rcp_ftz_f64, {SIM_PIPE_SFU, 1, 1}},  {rg__sim_cvt, {SIM_PIPE_SFU, 1, 1}},
                     {rg__sim_cvt_pack2, {SIM_PIPE_FP32, 1, 1}},   {rg__sim_h_add, {SIM_PIPE_FP32, 1, 1}},
                     {rg__sim_h_sub, {SIM_PIPE_FP32, 1, 1}},       {rg__sim_h_mul, {SIM_PIPE_FP32, 1, 1}},
                     {rg__sim_h_fma, {SIM_PIPE_FP32, 1, 1}},       {rg__sim_h_ex2, {SIM_PIPE_SFU, 1, 1}},
                     {rg__sim_h_tanh, {SIM_PIPE_SFU, 1, 1}}};

static struct shape shape_of(const struct sim_inst *in)
{
    if (in->op >= SIM_FADD32 && in->op <= SIM_FMUL32) return (struct shape){SIM_PIPE_FP32, 1, 1};
    if (in->op >= SIM_FADD64 && in->op <= SIM_FMUL64) return (struct shape){SIM_PIPE_FP64, 1, 1};
    switch (in->op) {
    case SIM_FFMA32:
        return (struct shape){SIM_PIPE_FP32, 1, 1};
    case SIM_MAD32:
    case SIM_MUL32:
    case SIM_MULWIDES:
    case SIM_MULWIDEU:
    case SIM_MADWIDES:
    case SIM_MADWIDEU:
        return (struct shape){SIM_PIPE_IMAD, 1, 1};
    case SIM_ADD32:
    case SIM_SUB32:
    case SIM_MOV32:
    case SIM_SHL32: /* ptxas makes products of half of them, where that pipe has room */
        return (struct shape){SIM_PIPE_INT, 1, 0.5f};
    case SIM_FDIV32:
        return (struct shape){SIM_PIPE_FP32, 10, 9};
    case SIM_FRCP32:
        return (struct shape){SIM_PIPE_SFU, 5, 1};
    case SIM_FSQRT32:
        return (struct shape){SIM_PIPE_SFU, 8, 1};
    case SIM_FSQRT64:
        return (struct shape){SIM_PIPE_FP64, 18, 12};
    case SIM_FDIV64:
        return (struct shape){SIM_PIPE_FP64, 20, 14};
    case SIM_FFMA64:
        return (struct shape){SIM_PIPE_FP64, 1, 1};
    case SIM_FMIN64:
    case SIM_FMAX64:
    case SIM_FEQ64:
    case SIM_FLT64:
    case SIM_FLE64:
    case SIM_FNE64:
    case SIM_FORD64:
        return (struct shape){SIM_PIPE_FP64, 1, 1};
    case SIM_FRND32:
        return in->x == 3   ? (struct shape){SIM_PIPE_FP32, 10, 9}
               : in->x == 4 ? (struct shape){SIM_PIPE_SFU, 8, 1}
                            : (struct shape){SIM_PIPE_FP32, 1, 1};
    case SIM_FRND64:
        return in->x >= 3 && in->x <= 4 ? (struct shape){SIM_PIPE_FP64, 20, 14} : (struct shape){SIM_PIPE_FP64, 1, 1};
    case SIM_EX2F32:
    case SIM_LG2F32:
        return (struct shape){SIM_PIPE_SFU, 3, 1};
    case SIM_CVTF64F32:
    case SIM_CVTF32F64:
    case SIM_CVTF64S32:
        return (struct shape){SIM_PIPE_SFU, 1, 1};
    case SIM_CVTF32S32:
    case SIM_CVTS32F32Z:
        return (struct shape){SIM_PIPE_SFU, 1, 1};
    case SIM_MUL64:
        return (struct shape){SIM_PIPE_IMAD, 4, 4}; /* by a constant: see rg__sim_costs */
    case SIM_MAD64:
        return (struct shape){SIM_PIPE_IMAD, 5, 5};
    /* An address's 64-bit add folds into the wide multiply before it or into a uniform register often enough. */
    case SIM_ADD64:
    case SIM_SUB64:
    case SIM_AND64:
    case SIM_OR64:
    case SIM_XOR64:
    case SIM_EQ64:
        return (struct shape){SIM_PIPE_INT, 1.4f, 1.4f};
    case SIM_LTS64:
    case SIM_LES64:
    case SIM_LTU64:
    case SIM_LEU64:
    case SIM_SEL64:
    case SIM_MINS64:
    case SIM_MAXS64:
    case SIM_MINU64:
    case SIM_MAXU64:
    case SIM_ABS64:
    case SIM_NEG64:
    case SIM_NOT64:
    case SIM_MOV64:
    case SIM_FNEG64:
    case SIM_FABS64:
        return (struct shape){SIM_PIPE_INT, 2, 2};
    case SIM_SHL64:
    case SIM_SHRU64:
    case SIM_SHRS64:
        return (struct shape){SIM_PIPE_INT, 2, 2};
    case SIM_CVTS64S32:
        return (struct shape){SIM_PIPE_INT, 1, 1};
    case SIM_CVTU64U32:
    case SIM_CVTU32U64:
    case SIM_PACK64:
    case SIM_LO32:
    case SIM_HI32:
    case SIM_CVTA:
        return (struct shape){SIM_PIPE_INT, 0, 0}; /* renames */
    case SIM_PMOV:
    case SIM_PNOT:
    case SIM_PAND:
    case SIM_POR:
    case SIM_PXOR:
    case SIM_PSEL:
        return (struct shape){SIM_PIPE_INT, 0.3f, 0.3f}; /* mostly folded into the comparison */
    case SIM_BB:
    case SIM_MARK:
        return (struct shape){SIM_PIPE_CONTROL, 0, 0};
    case SIM_BRA:
    case SIM_BRAP:
    case SIM_EXIT:
    case SIM_BAR:
    case SIM_WARPSYNC:
    case SIM_FENCE:
    case SIM_TRAP:
        return (struct shape){SIM_PIPE_CONTROL, 1, 1};
    case SIM_CALL:
        return (struct shape){SIM_PIPE_CONTROL, 3, 3}; /* with the return address, which the callee puts away */
    case SIM_RET:
        return (struct shape){SIM_PIPE_CONTROL, 3, 3};
    case SIM_PASS:
        return (struct shape){SIM_PIPE_LSU, (float)in->imm / 4, (float)in->imm / 4};
    case SIM_SHFL:
        return (struct shape){SIM_PIPE_LSU, 1, 1};
    case SIM_VOTE:
    case SIM_ACTIVE:
    case SIM_ELECT:
    case SIM_CLOCK:
        return (struct shape){SIM_PIPE_INT, 1, 1};
    case SIM_MATCH:
        return (struct shape){SIM_PIPE_LSU, 2, in->x ? 4 : 60}; /* one distinct value after another */
    case SIM_REDUX:
        return (struct shape){SIM_PIPE_SFU, 1, 1};
    case SIM_LDG:
    case SIM_STG:
    case SIM_LDG32:
    case SIM_STG32:
    case SIM_LDS:
    case SIM_STS:
    case SIM_LDS32:
    case SIM_STS32:
    case SIM_LDL:
    case SIM_STL:
    case SIM_LDX:
    case SIM_STX:
    case SIM_ATOM:
    case SIM_CPASYNC:
    case SIM_LDMATRIX:
        return (struct shape){SIM_PIPE_LSU, 1, 1};
    case SIM_MMA: {
        const struct sim_mma *m = rg__sim_mma_get((int)in->imm);
        float macs = (float)(m->m * m->n * m->k); /* in units of dense fp16 */
        return (struct shape){SIM_PIPE_TENSOR, 1,
                              m->ab == PTX_F64    ? macs * 8
                              : m->ab == PTX_TF32 ? macs * 2
                              : m->ab == PTX_S8   ? macs / 2
                                                  : macs};
    }
    case SIM_WMMA: {
        int t = SIM_WMMA_TYPE(in->imm);
        float macs = (float)(SIM_WMMA_M(in->imm) * SIM_WMMA_N(in->imm) * SIM_WMMA_K(in->imm)) *
                     (t == PTX_F64                 ? 8
                      : t == PTX_TF32              ? 2
                      : t == PTX_S8 || t == PTX_U8 ? 0.5f
                                                   : 1);
        return (struct shape){SIM_PIPE_TENSOR, 2, macs};
    }
    case SIM_WMMALD:
    case SIM_WMMAST:
        return (struct shape){SIM_PIPE_LSU, 8, 8};
    case SIM_CARRY:
        return (struct shape){SIM_PIPE_INT, in->x >= 2 ? 2.0f : 1.0f, in->x >= 2 ? 2.0f : 1.0f};
    case SIM_SCALAR:
    case SIM_SCALARP:
        for (size_t i = 0; i < sizeof scalar_shapes / sizeof *scalar_shapes; i++)
            if (scalar_shapes[i].fn == in->fn) return scalar_shapes[i].s;
        return (struct shape){SIM_PIPE_INT, 1, 1};
    default:
        return (struct shape){SIM_PIPE_INT, 1, 1};
    }
}

static float latency_of(const struct sim_model *m, const struct sim_inst *in, struct shape s)
{
    double extra = s.issue > 2 ? (s.issue - 1) * (s.pipe == SIM_PIPE_FP64 ? m->fp64_latency : m->alu_latency) * 0.7 : 0;
    switch (s.pipe) {
    case SIM_PIPE_FP64:
        return (float)(m->fp64_latency + extra);
    case SIM_PIPE_SFU:
        return (float)(m->sfu_latency + extra);
    case SIM_PIPE_TENSOR:
        return (float)m->sfu_latency + 14;
    case SIM_PIPE_LSU:
        return (float)m->shared_latency; /* exchanges; loads bring their own */
    default:
        switch (in->op) { /* two in a row, by the carry */
        case SIM_SUB64:
        case SIM_LTS64:
        case SIM_LES64:
        case SIM_LTU64:
        case SIM_LEU64:
        case SIM_EQ64:
        case SIM_SHL64:
        case SIM_SHRU64:
        case SIM_SHRS64:
        case SIM_ADD64:
        case SIM_MUL64:
        case SIM_MAD64:
            return (float)(2 * m->alu_latency + extra);
        default:
            return s.issue <= 0 ? 0 : (float)(m->alu_latency + extra);
        }
    }
}

struct gather {
    struct sim_estimate *e;
    int *number;
    int cap;
    bool results;
    const struct sim_kernel *k;
};

static int value_of(struct gather *g, int32_t off)
{
    int *n = &g->number[off / 4];
    if (*n < 0) *n = g->e->n_values++;
    return *n;
}

static void put(struct gather *g, int32_t off, const bool *constants)
{
    if (off < 0 || constants[off / 4]) return;
    RG_GROW(g->e->operands, g->e->n_operands, g->cap);
    g->e->operands[g->e->n_operands++] = value_of(g, off);
}

static int put_all(struct gather *g, const struct sim_inst *in, const bool *constants)
{
    int from = g->e->n_operands;
    const char *s = rg__sim_op_shape(in->op);
    bool both = s[0] == 'V' && s[1] == 'v';
    for (; *s; s++) {
        bool result = *s == 'd' || *s == 'p' || *s == 'V' || *s == 'W';
        const struct sim_call *call = *s == 'W' || *s == 'w' ? &g->k->calls[in->p] : NULL;
        if (*s == '&' || result != g->results) continue;
        switch (*s) {
        case 'd':
            put(g, in->d, constants);
            break;
        case 'p':
            put(g, in->p, constants);
            break;
        case 'a':
            put(g, in->a, constants);
            break;
        case 'b':
            put(g, in->b, constants);
            break;
        case 'c':
            put(g, in->c, constants);
            break;
        case 'e':
            put(g, in->e, constants);
            break;
        case 'V':
            for (int i = 0; i < in->y; i++) put(g, g->k->aux[in->e + i], constants);
            break;
        case 'v':
            for (int i = 0, n = both ? in->x : in->y; i < n; i++)
                put(g, g->k->aux[in->e + (both ? in->y : 0) + i], constants);
            break;
        case 'W':
        case 'w':
            for (int i = 0; i < call->n; i++) put(g, g->k->aux[call->aux + i], constants);
            break;
        default:
            break;
        }
    }
    return g->e->n_operands - from;
}

void rg__sim_costs(const struct sim_model *m, const struct sim_kernel *k, struct sim_estimate *e)
{
    e->costs = rg_xcalloc((size_t)k->n_code + 1, sizeof *e->costs);
    int words = k->frame_bytes / 4 + 1;
    struct gather g = {e, rg_xmalloc(sizeof(int) * (size_t)words), 0, false, k};
    bool *constants = rg_xcalloc((size_t)words, sizeof *constants);
    memset(g.number, -1, sizeof(int) * (size_t)words);
    for (int i = 0; i < k->n_consts; i++)
        if (k->consts[i].used) constants[k->consts[i].slot / 4] = true;
    int block = -1;
    for (int i = 0; i < k->n_code; i++) {
        const struct sim_inst *in = &k->code[i];
        struct shape s = shape_of(in);
        struct sim_cost *c = &e->costs[i];
        /* A double constant is no immediate: it is moved into place first. */
        if (s.pipe == SIM_PIPE_FP64 && ((in->b >= 0 && constants[in->b / 4]) || (in->c >= 0 && constants[in->c / 4])))
            s.issue += 1;
        if (in->op == SIM_SAVE || in->op == SIM_RESTORE) {
            const struct sim_call *call = &k->calls[in->p];
            s = (struct shape){SIM_PIPE_LSU, (float)(2 * call->n64 + call->n32) + (float)(call->n_preds > 0), 0};
            s.busy = s.issue;
        }
        bool constant = in->b >= 0 && constants[in->b / 4];
        if (constant && (in->op == SIM_MUL64 || in->op == SIM_MAD64)) s.issue = s.busy = 3; /* its upper half is zero */
        if (constant && (in->op == SIM_SHL64 || in->op == SIM_SHRU64 || in->op == SIM_SHRS64)) s.issue = s.busy = 1.6f;
        bool ahead = in->op == SIM_BRA &&
                     in->imm > i; /* the blocks of a branch are laid out one after another, short ones predicated */
        if (ahead) s.issue = s.busy = 0.5f;
        c->issue = s.issue;
        c->busy = s.busy;
        c->pipe = (uint8_t)s.pipe;
        c->latency = latency_of(m, in, s);
        c->stall = ahead                                     ? 2
                   : in->op == SIM_BRA || in->op == SIM_BRAP ? 8
                   : in->op == SIM_CALL || in->op == SIM_RET ? 16
                                                             : s.issue;
        if (in->op == SIM_ATOM && in->x == SIM_A_ADD && !ptx_is_float((enum ptx_type)in->y) &&
            (in->a < 0 || constants[in->a / 4]))
            c->elected = in->b < 0 || constants[in->b / 4] || in->d < 0;
        if (in->op == SIM_BB) block++;
        c->block = block;
        c->unroll = (uint8_t)k->blocks[block].unroll;
        c->early = in->flags & SIM_F_EARLY;
        c->region = k->blocks[block].region;
        c->skips = in->op == SIM_BRAP && c->region && block + 1 < k->n_blocks &&
                   k->blocks[block + 1].region == c->region && c->region != block + 2;
        if (c->skips) c->stall = 1;
        c->branch = in->op == SIM_BRAP && (in->flags & SIM_F_CONTROL);
        if (in->flags & SIM_F_CONTROL) {
            c->issue /= c->unroll;
            c->busy /= c->unroll;
            c->stall /= c->unroll;
        }
        if (in->op == SIM_FDIV32 || in->op == SIM_FSQRT32 ||
            (in->op == SIM_FRND32 && in->x >= 3)) { /* a branch to the slow path ends their block */
            c->latency = 60;
            c->stall = 25;
        }
        if (in->op == SIM_FENCE && !in->x && !(in->flags & SIM_F_BLOCK))
            c->stall = (float)(2 * m->l2_latency); /* what was stored must have arrived */
        c->operands = e->n_operands;
        g.results = false;
        c->n_sources = (uint16_t)put_all(&g, in, constants);
        g.results = true;
        c->n_results = (uint16_t)put_all(&g, in, constants);
    }
    free(g.number);
    free(constants);
}

void rg__sim_costs_free(struct sim_estimate *e)
{
    free(e->costs);
    free(e->operands);
    e->costs = NULL;
    e->operands = NULL;
}
