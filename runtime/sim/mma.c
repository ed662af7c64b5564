#include "runtime/sim/mma.h"
#include "runtime/sim/scalar.h"
#include <string.h>

/* Fragment layouts: PTX ISA, "Warp-level matrix instructions", mma.m16n8k*; group = lane / 4, t = lane % 4. */
static const struct sim_mma shapes[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0, 16, 8, 16, 4, 4, 2, 4, 0, PTX_F16, PTX_F32},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 1, 16, 8, 8, 4, 2, 1, 4, 0, PTX_F16, PTX_F32},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 2, 16, 8, 16, 4, 4, 2, 4, 0, PTX_BF16, PTX_F32},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 3, 16, 8, 8, 4, 2, 1, 4, 0, PTX_BF16, PTX_F32},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 16, 8, 16, 2, 4, 2, 2, 0, PTX_F16, PTX_F16},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 5, 16, 8, 8, 2, 2, 1, 2, 0, PTX_F16, PTX_F16},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 6, 16, 8, 8, 4, 4, 2, 4, 0, PTX_TF32, PTX_F32},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 7, 16, 8, 4, 4, 2, 1, 4, 0, PTX_TF32, PTX_F32},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 8, 4, 2, 1, 1, 2, 2, PTX_F64, PTX_F64},
};

const struct sim_mma *rg__sim_mma_find(const char *op)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(shapes[i].op, op)) return &shapes[i];
    return NULL;
}
const struct sim_mma *rg__sim_mma_get(int id) { return &shapes[id]; }

static uint32_t reg32(const char *frame, int32_t off, int lane)
{
    uint32_t v;
    memcpy(&v, frame + off + 4 * lane, 4);
    return v;
}
static double reg64(const char *frame, int32_t off, int lane)
{
    double v;
    memcpy(&v, frame + off + 8 * lane, 8);
    return v;
}
static double element(const struct sim_mma *m, uint32_t v, int half)
{
    if (m->ab == PTX_F16) return rg__sim_half_to_double((uint16_t)(v >> (16 * half)));
    if (m->ab == PTX_BF16) return rg__sim_bf16_to_double((uint16_t)(v >> (16 * half)));
    return sim_f32(v & 0xffffe000u); /* tf32: the low bits are not read */
}

static void run_f64(const struct sim_mma *m, char *frame, const int32_t *r)
{
    double a[8][4], b[4][8];
    for (int lane = 0; lane < 32; lane++) {
        a[lane / 4][lane % 4] = reg64(frame, r[2], lane);
        b[lane % 4][lane / 4] = reg64(frame, r[3], lane);
    }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 2; i++) {
            int row = lane / 4, col = lane % 4 * 2 + i;
            double s = reg64(frame, r[4 + i], lane);
            for (int k = 0; k < 4; k++) s = __builtin_fma(a[row][k], b[k][col], s);
            memcpy(frame + r[i] + 8 * lane, &s, 8);
        }
}

void rg__sim_mma_run(const struct sim_mma *m, char *frame, const int32_t *r)
{
    if (m->ab == PTX_F64) {
        run_f64(m, frame, r);
        return;
    }
    const int32_t *ra = r + m->nd, *rb = ra + m->na, *rc = rb + m->nb;
    double a[16][16], b[16][8];
    int per = m->ab == PTX_TF32 ? 1 : 2; /* elements a register */
    for (int lane = 0; lane < 32; lane++) {
        int g = lane / 4, t = lane % 4;
        for (int i = 0; i < m->na; i++)
            for (int h = 0; h < per; h++) /* registers: (g, t) (g+8, t) then the upper half of k */
                a[g + 8 * (i & 1)][t * per + h + 4 * per * (i >> 1)] = element(m, reg32(frame, ra[i], lane), h);
        for (int i = 0; i < m->nb; i++)
            for (int h = 0; h < per; h++) b[t * per + h + 4 * per * i][g] = element(m, reg32(frame, rb[i], lane), h);
    }
    for (int lane = 0; lane < 32; lane++) {
        int g = lane / 4, t = lane % 4;
        float out[4];
        for (int i = 0; i < 4; i++) {
            int row = g + 8 * (i >> 1), col = t * 2 + (i & 1);
            double s;
            if (m->cd == PTX_F32) s = sim_f32(reg32(frame, rc[i], lane));
            else s = rg__sim_half_to_double((uint16_t)(reg32(frame, rc[i >> 1], lane) >> (16 * (i & 1))));
            for (int k = 0; k < m->k; k++) s += a[row][k] * b[k][col];
            out[i] = (float)s;
        }
        if (m->cd == PTX_F32) {
            for (int i = 0; i < 4; i++) memcpy(frame + r[i] + 4 * lane, &out[i], 4);
        } else {
            for (int i = 0; i < 2; i++) {
                uint32_t v = rg__sim_double_to_half(out[2 * i], SIM_RN) |
                             (uint32_t)rg__sim_double_to_half(out[2 * i + 1], SIM_RN) << 16;
                memcpy(frame + r[i] + 4 * lane, &v, 4);
            }
        }
    }
}

/* ---- wmma ---- */

static void gather(const char *frame, const int32_t *regs, int n_regs, enum ptx_type t, int elements, double *out)
{
    int per = t == PTX_F16 || t == PTX_BF16 ? 2 : 1, run = n_regs * per;
    for (int i = 0; i < elements; i++) {
        uint32_t v = reg32(frame, regs[i % run / per], i / run);
        out[i] = t == PTX_F16 ? rg__sim_half_to_double((uint16_t)(v >> (16 * (i % per)))) : t == PTX_BF16 ? rg__sim_bf16_to_double((uint16_t)(v >> (16 * (i % per))))
                 : t == PTX_TF32 ? sim_f32(v & 0xffffe000u) : (double)sim_f32(v);
    }
}

void rg__sim_wmma_run(char *frame, const struct sim_inst *in, const int32_t *regs)
{
    int m = SIM_WMMA_M(in->imm), n = SIM_WMMA_N(in->imm), k = SIM_WMMA_K(in->imm);
    enum ptx_type ab = (enum ptx_type)SIM_WMMA_TYPE(in->imm), td = in->imm & SIM_WMMA_D16 ? PTX_F16 : PTX_F32,
                  tc = in->imm & SIM_WMMA_C16 ? PTX_F16 : PTX_F32;
    int nc = tc == PTX_F16 ? 4 : 8, nd = in->y, na, nb;
    if (ab == PTX_F16) na = nb = 8;
    else if (ab == PTX_BF16) na = m * k / 64, nb = n * k / 64;
    else na = m * k / 32, nb = n * k / 32;
    double a[512], b[512], c[256];
    gather(frame, regs + nd, na, ab, m * k, a);
    gather(frame, regs + nd + na, nb, ab, n * k, b);
    gather(frame, regs + nd + na + nb, nc, tc, m * n, c);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = c[i * n + j];
            for (int q = 0; q < k; q++) s += a[i * k + q] * b[j * k + q];
            int e = i * n + j, lane = e / 8, at = e % 8;
            float f = (float)s;
            if (td == PTX_F32) memcpy(frame + regs[at] + 4 * lane, &f, 4);
            else {
                uint16_t h = rg__sim_double_to_half((double)f, SIM_RN);
                memcpy(frame + regs[at / 2] + 4 * lane + 2 * (at % 2), &h, 2);
            }
        }
}
