#include "runtime/sim/arith/mma.h"
#include "runtime/sim/arith/scalar.h"
#include <stdio.h>
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
    {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 9, 16, 8, 4, 4, 2, 1, 4, 2, PTX_F64, PTX_F64},
    {"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 10, 16, 8, 8, 4, 4, 2, 4, 2, PTX_F64, PTX_F64},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 11, 16, 8, 16, 4, 8, 4, 4, 2, PTX_F64, PTX_F64},
    {"m8n8k16", 12, 8, 8, 16, 2, 1, 1, 2, 0, PTX_S8, PTX_S32}, /* bytes: signs and .satfinite in all combinations */
    {"m16n8k16", 13, 16, 8, 16, 4, 2, 1, 4, 0, PTX_S8, PTX_S32},
    {"m16n8k32", 14, 16, 8, 32, 4, 4, 2, 4, 0, PTX_S8, PTX_S32},
};

const struct sim_mma *rg__sim_mma_find(const char *op, int *how)
{
    char shape[16], a, b;
    int end = 0;
    *how = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(shapes[i].op, op)) return *how = shapes[i].id, &shapes[i];
    if (sscanf(op, "mma.sync.aligned.%15[mnk0-9].row.col%n", shape, &end) != 1 || !end) return NULL;
    const char *rest = op + end;
    if (!strncmp(rest, ".satfinite", 10)) *how |= SIM_MMA_SATURATE, rest += 10;
    end = 0;
    if (sscanf(rest, ".s32.%c8.%c8.s32%n", &a, &b, &end) != 2 || !end || rest[end] || !strchr("su", a) ||
        !strchr("su", b))
        return NULL;
    if (a == 'u') *how |= SIM_MMA_UNSIGNED_A;
    if (b == 'u') *how |= SIM_MMA_UNSIGNED_B;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].ab == PTX_S8 && !strcmp(shapes[i].op, shape)) return *how |= shapes[i].id, &shapes[i];
    return NULL;
}
const struct sim_mma *rg__sim_mma_get(int id)
{
    return &shapes[id & SIM_MMA_SHAPE];
}

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

/* Rows of A and columns of B lie over the lanes as in the other shapes, an element a register. */
static void run_f64(const struct sim_mma *m, char *frame, const int32_t *r)
{
    const int32_t *ra = r + m->nd, *rb = ra + m->na, *rc = rb + m->nb;
    double a[16][16], b[16][8];
    int two = m->m == 16;
    for (int lane = 0; lane < 32; lane++) {
        int g = lane / 4, t = lane % 4;
        for (int i = 0; i < m->na; i++) a[two ? g + 8 * (i & 1) : g][t + 4 * (i >> two)] = reg64(frame, ra[i], lane);
        for (int i = 0; i < m->nb; i++) b[t + 4 * i][g] = reg64(frame, rb[i], lane);
    }
    double out[4][32];
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < m->nd; i++) {
            int row = lane / 4 + 8 * (i >> 1), col = lane % 4 * 2 + (i & 1);
            double s = reg64(frame, rc[i], lane);
            for (int k = 0; k < m->k; k++) s = __builtin_fma(a[row][k], b[k][col], s);
            out[i][lane] = s;
        }
    for (int i = 0; i < m->nd; i++) memcpy(frame + r[i], out[i], sizeof out[i]);
}

static int32_t byte_of(uint32_t v, int i, bool is_unsigned)
{
    return is_unsigned ? (int32_t)(uint8_t)(v >> (8 * i)) : (int32_t)(int8_t)(v >> (8 * i));
}
static int32_t total(int64_t s, bool saturate)
{
    if (saturate) return (int32_t)(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
    return (int32_t)(uint32_t)(uint64_t)s;
}

static void run_bytes(const struct sim_mma *m, int how, char *frame, const int32_t *r)
{
    const int32_t *ra = r + m->nd, *rb = ra + m->na, *rc = rb + m->nb;
    int32_t a[16][32], b[32][8], out[4][32];
    int two = m->m == 16;
    for (int lane = 0; lane < 32; lane++) {
        int g = lane / 4, t = lane % 4;
        for (int i = 0; i < m->na; i++)
            for (int e = 0; e < 4; e++)
                a[two ? g + 8 * (i & 1) : g][t * 4 + e + 16 * (i >> two)] =
                    byte_of(reg32(frame, ra[i], lane), e, how & SIM_MMA_UNSIGNED_A);
        for (int i = 0; i < m->nb; i++)
            for (int e = 0; e < 4; e++)
                b[t * 4 + e + 16 * i][g] = byte_of(reg32(frame, rb[i], lane), e, how & SIM_MMA_UNSIGNED_B);
    }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < m->nd; i++) {
            int row = lane / 4 + 8 * (i >> 1), col = lane % 4 * 2 + (i & 1);
            int64_t s = (int32_t)reg32(frame, rc[i], lane);
            for (int k = 0; k < m->k; k++) s += a[row][k] * b[k][col];
            out[i][lane] = total(s, how & SIM_MMA_SATURATE);
        }
    for (int i = 0; i < m->nd; i++) memcpy(frame + r[i], out[i], sizeof out[i]);
}

void rg__sim_mma_run(int how, char *frame, const int32_t *r)
{
    const struct sim_mma *m = rg__sim_mma_get(how);
    if (m->ab == PTX_F64) {
        run_f64(m, frame, r);
        return;
    }
    if (m->ab == PTX_S8) {
        run_bytes(m, how, frame, r);
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
            if (m->cd == PTX_F32)
                s = sim_f32(reg32(frame, rc[i], lane));
            else
                s = rg__sim_half_to_double((uint16_t)(reg32(frame, rc[i >> 1], lane) >> (16 * (i & 1))));
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

int rg__sim_wmma_element(int type)
{
    return type == PTX_F64 ? 8 : type == PTX_F16 || type == PTX_BF16 ? 2 : type == PTX_S8 || type == PTX_U8 ? 1 : 4;
}

static void gather(const char *frame, const int32_t *regs, int n_regs, enum ptx_type t, int elements, double *out)
{
    int size = rg__sim_wmma_element(t), per = size < 4 ? 4 / size : 1, run = n_regs * per;
    for (int i = 0; i < elements; i++) {
        int at = regs[i % run / per], e = i % per;
        uint32_t v = t == PTX_F64 ? 0 : reg32(frame, at, i / run) >> (8 * size * e % 32);
        out[i] = t == PTX_F64    ? reg64(frame, at, i / run)
                 : t == PTX_F16  ? rg__sim_half_to_double((uint16_t)v)
                 : t == PTX_BF16 ? rg__sim_bf16_to_double((uint16_t)v)
                 : t == PTX_TF32 ? sim_f32(v & 0xffffe000u)
                 : t == PTX_S8   ? (double)(int8_t)v
                 : t == PTX_U8   ? (double)(uint8_t)v
                 : t == PTX_S32  ? (double)(int32_t)v
                                 : (double)sim_f32(v);
    }
}

void rg__sim_wmma_run(char *frame, const struct sim_inst *in, const int32_t *regs)
{
    int m = SIM_WMMA_M(in->imm), n = SIM_WMMA_N(in->imm), k = SIM_WMMA_K(in->imm);
    enum ptx_type ab = (enum ptx_type)SIM_WMMA_TYPE(in->imm);
    bool bytes = ab == PTX_S8 || ab == PTX_U8;
    enum ptx_type td = ab == PTX_F64            ? PTX_F64
                       : bytes                  ? PTX_S32
                       : in->imm & SIM_WMMA_D16 ? PTX_F16
                                                : PTX_F32,
                  tc = ab == PTX_F64            ? PTX_F64
                       : bytes                  ? PTX_S32
                       : in->imm & SIM_WMMA_C16 ? PTX_F16
                                                : PTX_F32;
    int nd = in->y, nc = tc == PTX_F16 ? 4 : nd == 4 ? 8 : nd, na, nb;
    if (ab == PTX_F16)
        na = nb = 8;
    else {
        int size = rg__sim_wmma_element(ab), per = size < 4 ? 4 / size : 1;
        na = m * k / 32 / per;
        nb = n * k / 32 / per;
    }
    double a[512], b[512], c[256];
    gather(frame, regs + nd, na, ab, m * k, a);
    gather(frame, regs + nd + na, nb, ab, n * k, b);
    gather(frame, regs + nd + na + nb, nc, tc, m * n, c);
    int per_lane = m * n / 32;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = c[i * n + j];
            if (ab == PTX_F64)
                for (int q = 0; q < k; q++) s = __builtin_fma(a[i * k + q], b[j * k + q], s);
            else
                for (int q = 0; q < k; q++) s += a[i * k + q] * b[j * k + q];
            int e = i * n + j, lane = e / per_lane, at = e % per_lane;
            float f = (float)s;
            if (td == PTX_F32)
                memcpy(frame + regs[at] + 4 * lane, &f, 4);
            else if (td == PTX_F64)
                memcpy(frame + regs[at] + 8 * lane, &s, 8);
            else if (td == PTX_S32) {
                int32_t v = total((int64_t)s, in->imm & SIM_WMMA_SATURATE);
                memcpy(frame + regs[at] + 4 * lane, &v, 4);
            } else {
                uint16_t h = rg__sim_double_to_half((double)f, SIM_RN);
                memcpy(frame + regs[at / 2] + 4 * lane + 2 * (at % 2), &h, 2);
            }
        }
}
