/* One small kernel per spelled instruction, the same inputs for all: what a device gives for it. Run on a GPU and on
 * the simulated device and compared (tests/gpu/test_opcodes_cuda.c), or on the simulated device and compared with what
 * a GPU once gave (tests/sim/test_opcodes.c). */
#ifndef SIM_OPCODES_H
#define SIM_OPCODES_H
#include "tests/sim/opcodes_table.h"

static inline void op_text(const struct op *p, int number, struct rg_buf *out)
{
    rg_buf_printf(out,
                  ".visible .entry k%d(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 po)\n{\n.reg .pred "
                  "%%p<8>; .reg .b16 %%h<8>; .reg .b32 %%r<64>; .reg .b64 %%q<64>;\n",
                  number);
    rg_buf_printf(out, ".shared .align 16 .b8 s%d[1024];\n", number);
    rg_buf_printf(
        out,
        "mov.u32 %%r20, %%ctaid.x; mov.u32 %%r21, %%ntid.x; mov.u32 %%r22, %%tid.x; mad.lo.s32 %%r20, %%r20, %%r21, "
        "%%r22;\n"
        "mov.u32 %%r19, s%d; shl.b32 %%r18, %%r22, 3; add.u32 %%r19, %%r19, %%r18;\n"
        "ld.param.u64 %%q10, [pa]; ld.param.u64 %%q11, [pb]; ld.param.u64 %%q12, [pc]; ld.param.u64 %%q13, [po];\n"
        "mul.wide.u32 %%q14, %%r20, 8; add.u64 %%q15, %%q10, %%q14; ld.global.u64 %%q0, [%%q15]; add.u64 %%q15, %%q11, "
        "%%q14; ld.global.u64 %%q1, [%%q15];\n"
        "add.u64 %%q15, %%q12, %%q14; ld.global.u64 %%q2, [%%q15]; add.u64 %%q15, %%q13, %%q14;\n",
        number);
    for (int i = 0; i < 3; i++) rg_buf_printf(out, "cvt.u32.u64 %%r%d, %%q%d; cvt.u16.u64 %%h%d, %%q%d;\n", i, i, i, i);
    rg_buf_printf(out, "and.b32 %%r18, %%r2, 1; setp.ne.u32 %%p1, %%r18, 0;\n%s\n", p->body);
    char r = p->out == T_PRED                                         ? 'p'
             : p->out == T_U16 || p->out == T_F16 || p->out == T_BF16 ? 'h'
             : p->out == T_U64 || p->out == T_F64                     ? 'q'
                                                                      : 'r';
    for (int k = 0; k < p->results; k++) {
        if (r == 'p')
            rg_buf_printf(out, "selp.u64 %%q60, 1, 0, %%p%d;\n", 3 + k);
        else if (r == 'q')
            rg_buf_printf(out, "mov.u64 %%q60, %%q%d;\n", 3 + k);
        else
            rg_buf_printf(out, "cvt.u64.u%d %%q60, %%%c%d;\n", r == 'h' ? 16 : 32, r, 3 + k);
        rg_buf_printf(out, "st.global.u64 [%%q15+%d], %%q60;\n", 8 * OP_N * k);
    }
    rg_buf_printf(out, "ret;\n}\n");
}

/* ---- inputs: special values against one another first, then any ---- */

static inline uint64_t op_value(enum op_in kind, struct rg_rng *r, int i, int operand)
{
    static const uint32_t f32[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000,
                                   0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x7f7fffff,
                                   0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x4b000000,
                                   0x4b000001, 0x4affffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x5f000000, 0x42fe0000,
                                   0x43000000, 0x477fe000, 0x477ff000, 0x33800001};
    static const uint16_t f16[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x3800,
                                   0x3e00, 0x4100, 0xc100, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01};
    static const uint16_t b16[] = {0,      0x8000, 1,      0x8001, 0x007f, 0x0080, 0x8080, 0x3f80, 0xbf80, 0x3f00,
                                   0x3fc0, 0x4020, 0xc020, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81};
    static const uint64_t ints[] = {0,
                                    1,
                                    ~(uint64_t)0,
                                    0x8000000080000000u,
                                    0x7fffffff7fffffffu,
                                    0x8000000000000000u,
                                    0x7fffffffffffffffu,
                                    2,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    65,
                                    127,
                                    128,
                                    255,
                                    256,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x10000,
                                    0x7fffff,
                                    0x800000,
                                    0x1000001,
                                    0xffffffff,
                                    0x100000000u,
                                    0xaaaaaaaaaaaaaaaau,
                                    0xffffffffffff8000u,
                                    0xffffffffffffff80u,
                                    0x20000000000001u,
                                    0x3fffffffffffffu};
    uint64_t any = rg_rng_u64(r);
    double u = (double)(rg_rng_u64(r) >> 11) * 0x1p-53;
    int which = operand == 0 ? i % 32 : operand == 1 ? i / 32 % 32 : (i * 7 + i / 1024) % 32;
    bool special = i < 1024;
    float f;
    double d;
    uint32_t w;
    switch (kind) {
    case IN_F32:
        if (special) return f32[which];
        if (i % 2) return (uint32_t)any;
        f = (float)ldexp(u * 2 - 1, (int)(any % 40) - 8);
        break;
    case IN_F64:
        if (special) {
            memcpy(&f, &f32[which], 4);
            d = which == 2    ? 0x1p-1074
                : which == 3  ? -0x1p-1074
                : which == 13 ? 0x1.fffffffffffffp1023
                : which == 4  ? 0x1p-1023
                : which == 20 ? 0x1.0000001p0
                : which == 21 ? 0x1.000001000000fp0
                : which == 24 ? 0x1p63
                : which == 25 ? 0x1.fffffep127
                : which == 26 ? 0x1p-149
                : which == 27 ? 0x1.8p-150
                : which == 5  ? 0x1p-1022
                              : (double)f;
        } else if (i % 2)
            return any;
        else
            d = ldexp(u * 2 - 1, (int)(any % 160) - 60);
        memcpy(&any, &d, 8);
        return any;
    case IN_F16:
    case IN_BF16: {
        const uint16_t *s = kind == IN_F16 ? f16 : b16;
        if (special) return s[which % 20] | (uint32_t)s[(which + operand * 3 + i / 32) % 20] << 16;
        if (i % 2) return any & 0xffffffffu;
        uint32_t m = kind == IN_F16 ? 0xbfffbfffu : 0xc1ffc1ffu,
                 base = kind == IN_F16 ? 0x20002000u : 0x3e003e00u; /* moderate exponents */
        return ((uint32_t)any & m & (kind == IN_F16 ? 0x9fff9fffu : m)) | base;
    }
    case IN_UNIT32:
        f = (float)(u * 2 - 1);
        break;
    case IN_ANGLE:
        f = (float)((u * 2 - 1) * 3.14159);
        break;
    case IN_POW:
        f = (float)(i % 4 ? (u * 2 - 1) * 20 : (u * 2 - 1) * 155);
        if (i < 32) memcpy(&f, &f32[i], 4);
        break;
    case IN_POSITIVE:
        f = (float)ldexp(1 + u, i % 3 ? (int)(any % 8) - 4 : (int)(any % 250) - 125);
        if (i < 32) memcpy(&f, &f32[i], 4);
        break;
    case IN_UNIT16:
    case IN_UNITB16: { /* exponents 2^-5 to 2^-1 */
        uint32_t v = (uint32_t)any;
        if (kind == IN_UNIT16)
            return (v & 0x83ff83ffu) | ((10 + (uint32_t)(any >> 32) % 5) << 10) |
                   ((10 + (uint32_t)(any >> 40) % 5) << 26);
        return (v & 0x807f807fu) | ((122 + (uint32_t)(any >> 32) % 5) << 7) | ((122 + (uint32_t)(any >> 40) % 5) << 23);
    }
    case IN_UNIT64:
        d = u * 2 - 1;
        memcpy(&any, &d, 8);
        return any;
    case IN_SMALL16: { /* -8..8 as halves */
        static const uint16_t whole[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
        return (whole[any % 8] | (any >> 8 & 0x8000u)) | (uint64_t)(whole[any >> 32 & 7] | (any >> 40 & 0x8000u)) << 16;
    }
    case IN_SMALLB16: {
        uint32_t v[2];
        for (int k = 0; k < 2; k++) f = (float)((int)(any >> (32 * k) & 15) - 8), memcpy(&v[k], &f, 4);
        return v[0] >> 16 | (v[1] & 0xffff0000u);
    }
    case IN_SMALL32:
        f = (float)((int)(any & 15) - 8);
        break;
    case IN_SMALL64:
        d = (double)((int)(any & 15) - 8);
        memcpy(&any, &d, 8);
        return any;
    default:
        return special      ? ints[which]
               : i % 4 == 1 ? any & 127
               : i % 4 == 2 ? (uint64_t)((int64_t)any >> (any & 63))
                            : any;
    }
    memcpy(&w, &f, 4);
    return w;
}
static inline uint64_t *op_inputs(void) /* [kind][operand][OP_N] */
{
    uint64_t *v = calloc((size_t)OP_N_IN * 3 * OP_N, sizeof *v);
    struct rg_rng r;
    rg_rng_seed(&r, 20261120);
    for (int k = 0; v && k < OP_N_IN; k++)
        for (int o = 0; o < 3; o++)
            for (int i = 0; i < OP_N; i++) v[(k * 3 + o) * OP_N + i] = op_value((enum op_in)k, &r, i, o);
    return v;
}

/* ---- results ---- */

static inline bool op_nan(enum op_type t, uint64_t v)
{
    switch (t) {
    case T_F16:
        return (v & 0x7fff) > 0x7c00;
    case T_BF16:
        return (v & 0x7fff) > 0x7f80;
    case T_F32:
        return (v & 0x7fffffff) > 0x7f800000;
    case T_F64:
        return (v & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
    default:
        return false;
    }
}
/* the halves of a pair one by one */
static inline int op_parts(enum op_type t, uint64_t v, enum op_type *of, uint64_t part[2])
{
    if (t == T_F16X2 || t == T_BF16X2) {
        *of = t == T_F16X2 ? T_F16 : T_BF16;
        part[0] = v & 0xffff, part[1] = v >> 16 & 0xffff;
        return 2;
    }
    *of = t;
    part[0] = v;
    return 1;
}
/* One NaN for all of them. */
static inline uint64_t op_canonical(enum op_type t, uint64_t v)
{
    enum op_type of;
    uint64_t p[2] = {0, 0};
    int n = op_parts(t, v, &of, p);
    for (int i = 0; i < n; i++)
        if (op_nan(of, p[i]))
            p[i] = of == T_F16 || of == T_BF16 ? 0x7fff : of == T_F32 ? 0x7fffffff : 0x7fffffffffffffffu;
    return n == 2 ? p[0] | p[1] << 16 : p[0];
}
static inline double op_real(enum op_type t, uint64_t v)
{
    uint32_t w = (uint32_t)v;
    float f;
    double d;
    switch (t) {
    case T_F16: {
        int e = (int)(v >> 10 & 31), m = (int)(v & 1023);
        d = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
        return v & 0x8000 ? -d : d;
    }
    case T_BF16:
        w <<= 16;
        memcpy(&f, &w, 4);
        return (double)f;
    case T_F32:
        memcpy(&f, &w, 4);
        return (double)f;
    default:
        memcpy(&d, &v, 8);
        return d;
    }
}
static inline int64_t op_order(enum op_type t, uint64_t v) /* neighbours differ by one */
{
    int bits = t == T_F64 ? 64 : t == T_F32 ? 32 : 16;
    uint64_t sign = (uint64_t)1 << (bits - 1), mag = v & (sign - 1);
    return v & sign ? -(int64_t)mag : (int64_t)mag;
}
static inline void op_compare(const struct op *p, uint64_t want, uint64_t got, int at, struct op_diff *d)
{
    enum op_type t;
    uint64_t w[2], g[2];
    int n = op_parts(p->out, want, &t, w);
    op_parts(p->out, got, &t, g);
    for (int i = 0; i < n; i++) {
        if (w[i] == g[i]) continue;
        if (op_nan(t, w[i]) && op_nan(t, g[i])) {
            d->nans++;
            continue;
        }
        double e = 0;
        if (p->how != BY_BITS) {
            double a = op_real(t, w[i]), b = op_real(t, g[i]);
            e = p->how == BY_ULP
                    ? fabs((double)(op_order(t, w[i]) - op_order(t, g[i])))
                    : fabs(a - b) / (p->how == BY_ABS ? 1 : fmax(fabs(a), p->how == BY_REL ? 0x1p-1022 : 1));
            if (!(e >= 0)) e = INFINITY;
            if (e > d->worst) d->worst = e;
            if (e <= p->tol) continue;
        }
        if (!d->different++) d->first = at;
    }
}

/* ---- running ---- */

struct op_machine {
    struct rg_device d;
    rg_addr in[OP_N_IN][3], out;
};

static inline enum rg_status op_open(struct op_machine *m, const uint64_t *inputs, struct rg_error *e)
{
    enum rg_status s = m->d.alloc(m->d.self, 8 * (size_t)OP_OUT, "out", &m->out, e);
    for (int k = 0; !s && k < OP_N_IN; k++)
        for (int o = 0; !s && o < 3; o++) {
            s = m->d.alloc(m->d.self, 8 * OP_N, "in", &m->in[k][o], e);
            if (!s) s = m->d.to_device(m->d.self, m->in[k][o], inputs + (k * 3 + o) * OP_N, 8 * OP_N, e);
        }
    return s;
}

/* out: OP_N * p->results values. A kernel the device refuses or breaks on is in *fault. */
static inline enum rg_status op_run(struct op_machine *m, const struct op *p, uint64_t *out, struct rg_fault *fault,
                                    struct rg_error *e)
{
    struct rg_buf text = RG_BUF_INIT;
    struct rg_module *module = NULL;
    rg_buf_printf(&text, ".version 8.6\n.target sm_90\n.address_size 64\n");
    op_text(p, 0, &text);
    const char *names[] = {"k0"};
    struct rg_kernel_attributes attributes[] = {{.regs = 32, .max_threads = 1024}};
    struct rg_blob blob = {.cubin = text.data,
                           .cubin_len = text.len + 1,
                           .ptx = text.data,
                           .ptx_len = text.len,
                           .n_kernels = 1,
                           .lowered = names,
                           .attributes = attributes};
    memset(fault, 0, sizeof *fault);
    enum rg_status s = m->d.load(m->d.self, &blob, &module, fault, e);
    const void *args[4] = {&m->in[p->in[0]][0], &m->in[p->in[1]][1], &m->in[p->in[2]][2], &m->out};
    const size_t bytes[4] = {8, 8, 8, 8};
    struct rg_launch l = {.module = module,
                          .grid = {OP_N / 128, 1, 1},
                          .block = {128, 1, 1},
                          .n_args = 4,
                          .args = args,
                          .arg_bytes = bytes};
    if (!s && !fault->outcome) s = m->d.launch(m->d.self, &l, fault, e);
    if (!s && !fault->outcome) s = m->d.sync(m->d.self, fault, e);
    if (!s && !fault->outcome) s = m->d.from_device(m->d.self, out, m->out, 8 * (size_t)OP_N * (size_t)p->results, e);
    if (module) m->d.unload(m->d.self, module);
    rg_buf_release(&text);
    return s;
}
#endif
