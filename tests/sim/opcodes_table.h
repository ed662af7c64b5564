/* The instructions that are spelled, with what their inputs look like and how results are compared. */
#ifndef SIM_OPCODES_TABLE_H
#define SIM_OPCODES_TABLE_H
#include "runtime/device.h"
#include <rg/buf.h>
#include <rg/rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OP_N = 8192, OP_MAX = 1600, OP_OUT = 4 * OP_N, OP_SAMPLES = 64 };
/* what the inputs look like */
enum op_in {
    IN_INT,
    IN_F32,
    IN_F64,
    IN_F16,
    IN_BF16,
    IN_UNIT32 /* in [-1, 1] */,
    IN_ANGLE,
    IN_POW,
    IN_POSITIVE,
    IN_UNIT16,
    IN_UNITB16,
    IN_UNIT64,
    IN_SMALL16 /* whole numbers up to 8 */,
    IN_SMALLB16,
    IN_SMALL32,
    IN_SMALL64,
    OP_N_IN
};
/* how results are compared: bits (any NaN for any NaN), units in the last place, absolute, relative, relative but
 * absolute below 1 */
enum op_how { BY_BITS, BY_ULP, BY_ABS, BY_REL, BY_EITHER };
enum op_type { T_U16, T_U32, T_U64, T_F16, T_BF16, T_F16X2, T_BF16X2, T_F32, T_F64, T_PRED, T_F32X2 };
struct op {
    char name[96];
    enum op_in in[3];
    enum op_type out;
    enum op_how how;
    double tol;
    int results; /* a thread */
    char body[2600];
};
struct op_diff {
    long different, nans;
    double worst;
    int first;
};
struct ops {
    int n;
    struct op *at;
};

static inline struct op *op_add(struct ops *o, const char *name, enum op_in a, enum op_in b, enum op_in c,
                                enum op_type out, enum op_how how, double tol)
{
    if (o->n == OP_MAX) abort();
    struct op *p = &o->at[o->n++];
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", name);
    p->in[0] = a, p->in[1] = b, p->in[2] = c;
    p->out = out, p->how = how, p->tol = tol, p->results = 1;
    return p;
}

/* ---- the instructions ---- */

static inline char op_reg(const char *t) /* register letter of a type */
{
    return strstr(t, "64") ? 'q'
           : !strcmp(t, "f16") || !strcmp(t, "bf16") || !strcmp(t, "s16") || !strcmp(t, "u16") || !strcmp(t, "b16")
               ? 'h'
               : 'r';
}
static inline enum op_type op_type_of(const char *t)
{
    return !strcmp(t, "f16")                         ? T_F16
           : !strcmp(t, "bf16")                      ? T_BF16
           : !strcmp(t, "f16x2")                     ? T_F16X2
           : !strcmp(t, "bf16x2")                    ? T_BF16X2
           : !strcmp(t, "f32") || !strcmp(t, "tf32") ? T_F32
           : !strcmp(t, "f64")                       ? T_F64
           : !strcmp(t, "pred")                      ? T_PRED
           : op_reg(t) == 'q'                        ? T_U64
           : op_reg(t) == 'h'                        ? T_U16
                                                     : T_U32;
}
static inline enum op_in op_in_of(const char *t)
{
    return !strcmp(t, "f16") || !strcmp(t, "f16x2")     ? IN_F16
           : !strcmp(t, "bf16") || !strcmp(t, "bf16x2") ? IN_BF16
           : !strcmp(t, "f32")                          ? IN_F32
           : !strcmp(t, "f64")                          ? IN_F64
                                                        : IN_INT;
}
/* "add.rn.f32" over n sources of type t */
static inline struct op *op_plain(struct ops *o, const char *spelled, const char *td, const char *t, int n,
                                  enum op_how how, double tol)
{
    enum op_in in = op_in_of(t);
    struct op *p = op_add(o, spelled, in, in, in, op_type_of(td), how, tol);
    char d = op_reg(td), s = op_reg(t);
    if (n == 1) snprintf(p->body, sizeof p->body, "%s %%%c3, %%%c0;", spelled, d, s);
    if (n == 2) snprintf(p->body, sizeof p->body, "%s %%%c3, %%%c0, %%%c1;", spelled, d, s, s);
    if (n == 3) snprintf(p->body, sizeof p->body, "%s %%%c3, %%%c0, %%%c1, %%%c2;", spelled, d, s, s, s);
    return p;
}
static inline void op_body(struct ops *o, const char *name, const char *td, const char *t, enum op_how how, double tol,
                           const char *body)
{
    enum op_in in = op_in_of(t);
    struct op *p = op_add(o, name, in, in, in, op_type_of(td), how, tol);
    snprintf(p->body, sizeof p->body, "%s", body);
}

static inline void ops_integer(struct ops *o)
{
    static const char *const all[] = {"s16", "u16", "s32", "u32", "s64", "u64"}, *const wide[] = {"s32", "u32", "s64",
                                                                                                  "u64"};
    char n[96], b[256];
    for (int i = 0; i < 6; i++) {
        const char *t = all[i];
        static const char *const two[] = {"add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"};
        for (int k = 0; k < 8; k++) snprintf(n, sizeof n, "%s.%s", two[k], t), op_plain(o, n, t, t, 2, BY_BITS, 0);
        snprintf(n, sizeof n, "mad.lo.%s", t), op_plain(o, n, t, t, 3, BY_BITS, 0);
        snprintf(n, sizeof n, "sad.%s", t), op_plain(o, n, t, t, 3, BY_BITS, 0);
        if (t[0] == 's')
            snprintf(n, sizeof n, "abs.%s", t), op_plain(o, n, t, t, 1, BY_BITS, 0), snprintf(n, sizeof n, "neg.%s", t),
                op_plain(o, n, t, t, 1, BY_BITS, 0);
        snprintf(n, sizeof n, "shr.%s", t), snprintf(b, sizeof b, "%s %%%c3, %%%c0, %%r1;", n, op_reg(t), op_reg(t)),
            op_body(o, n, t, t, BY_BITS, 0, b);
        static const char *const cmp[] = {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
        for (int k = 0; k < (t[0] == 'u' ? 10 : 6); k++)
            snprintf(n, sizeof n, "setp.%s.%s", cmp[k], t),
                snprintf(b, sizeof b, "%s %%p3, %%%c0, %%%c1;", n, op_reg(t), op_reg(t)),
                op_body(o, n, "pred", t, BY_BITS, 0, b);
    }
    for (int i = 0; i < 4; i++) {
        const char *t = wide[i];
        snprintf(n, sizeof n, "mad.hi.%s", t), op_plain(o, n, t, t, 3, BY_BITS, 0);
        snprintf(n, sizeof n, "bfe.%s", t),
            snprintf(b, sizeof b, "%s %%%c3, %%%c0, %%r1, %%r2;", n, op_reg(t), op_reg(t)),
            op_body(o, n, t, t, BY_BITS, 0, b);
        snprintf(n, sizeof n, "bfind.%s", t), op_plain(o, n, "u32", t, 1, BY_BITS, 0);
        snprintf(n, sizeof n, "bfind.shiftamt.%s", t), op_plain(o, n, "u32", t, 1, BY_BITS, 0);
    }
    static const char *const widening[] = {"s16", "u16", "s32", "u32"};
    for (int i = 0; i < 4; i++) {
        const char *t = widening[i], *td = i < 2 ? "u32" : "u64";
        snprintf(n, sizeof n, "mul.wide.%s", t), op_plain(o, n, td, t, 2, BY_BITS, 0);
        snprintf(n, sizeof n, "mad.wide.%s", t),
            snprintf(b, sizeof b, "%s %%%c3, %%%c0, %%%c1, %%%c2;", n, op_reg(td), op_reg(t), op_reg(t), op_reg(td)),
            op_body(o, n, td, t, BY_BITS, 0, b);
    }
    static const char *const bits[] = {"b16", "b32", "b64"};
    for (int i = 0; i < 3; i++) {
        const char *t = bits[i];
        static const char *const two[] = {"and", "or", "xor"}, *const one[] = {"not", "cnot", "popc", "clz", "brev"};
        for (int k = 0; k < 3; k++) snprintf(n, sizeof n, "%s.%s", two[k], t), op_plain(o, n, t, t, 2, BY_BITS, 0);
        for (int k = 0; k < (i ? 5 : 2); k++)
            snprintf(n, sizeof n, "%s.%s", one[k], t), op_plain(o, n, k == 2 || k == 3 ? "u32" : t, t, 1, BY_BITS, 0);
        snprintf(n, sizeof n, "shl.%s", t), snprintf(b, sizeof b, "%s %%%c3, %%%c0, %%r1;", n, op_reg(t), op_reg(t)),
            op_body(o, n, t, t, BY_BITS, 0, b);
        if (i)
            snprintf(n, sizeof n, "bfi.%s", t),
                snprintf(b, sizeof b, "%s %%%c3, %%%c0, %%%c1, %%r2, %%r1;", n, op_reg(t), op_reg(t), op_reg(t)),
                op_body(o, n, t, t, BY_BITS, 0, b);
        snprintf(n, sizeof n, "selp.%s", t),
            snprintf(b, sizeof b, "%s %%%c3, %%%c0, %%%c1, %%p1;", n, op_reg(t), op_reg(t), op_reg(t)),
            op_body(o, n, t, t, BY_BITS, 0, b);
    }
    static const char *const simple[] = {"add.sat.s32",  "sub.sat.s32",  "mul24.lo.s32",
                                         "mul24.lo.u32", "mul24.hi.s32", "mul24.hi.u32"};
    for (int k = 0; k < 6; k++) op_plain(o, simple[k], "u32", "u32", 2, BY_BITS, 0);
    static const char *const three[] = {
        "mad.hi.sat.s32",   "mad24.lo.s32",    "mad24.lo.u32",    "mad24.hi.s32",    "mad24.hi.u32",
        "mad24.hi.sat.s32", "prmt.b32",        "prmt.b32.f4e",    "prmt.b32.b4e",    "prmt.b32.rc8",
        "prmt.b32.ecl",     "prmt.b32.ecr",    "prmt.b32.rc16",   "shf.l.wrap.b32",  "shf.l.clamp.b32",
        "shf.r.wrap.b32",   "shf.r.clamp.b32", "dp4a.s32.s32",    "dp4a.u32.s32",    "dp4a.s32.u32",
        "dp4a.u32.u32",     "dp2a.lo.s32.s32", "dp2a.hi.u32.u32", "dp2a.lo.u32.s32", "dp2a.hi.s32.u32"};
    for (size_t k = 0; k < sizeof three / sizeof *three; k++) op_plain(o, three[k], "u32", "u32", 3, BY_BITS, 0);
    static const struct {
        const char *name, *td, *body;
    } more[] = {
        {"bmsk.clamp.b32", "u32", "bmsk.clamp.b32 %r3, %r0, %r1;"},
        {"bmsk.wrap.b32", "u32", "bmsk.wrap.b32 %r3, %r0, %r1;"},
        {"szext.clamp.s32", "u32", "szext.clamp.s32 %r3, %r0, %r1;"},
        {"szext.wrap.s32", "u32", "szext.wrap.s32 %r3, %r0, %r1;"},
        {"szext.clamp.u32", "u32", "szext.clamp.u32 %r3, %r0, %r1;"},
        {"szext.wrap.u32", "u32", "szext.wrap.u32 %r3, %r0, %r1;"},
        {"fns.b32", "u32", "and.b32 %r4, %r1, 31; shr.s32 %r5, %r2, 26; fns.b32 %r3, %r0, %r4, %r5;"},
        {"lop3.b32 0x96", "u32", "lop3.b32 %r3, %r0, %r1, %r2, 0x96;"},
        {"lop3.b32 0x1b", "u32", "lop3.b32 %r3, %r0, %r1, %r2, 0x1b;"},
        {"slct.u32.s32", "u32", "slct.u32.s32 %r3, %r0, %r1, %r2;"},
        {"slct.b64.s32", "u64", "slct.b64.s32 %q3, %q0, %q1, %r2;"},
        {"add.cc addc 32", "u64", "add.cc.u32 %r4, %r0, %r1; addc.u32 %r5, %r2, %r0; mov.b64 %q3, {%r4, %r5};"},
        {"add.cc addc.cc addc 32", "u64",
         "add.cc.u32 %r4, %r0, %r1; addc.cc.u32 %r5, %r2, %r0; addc.u32 %r4, %r4, 0; mov.b64 %q3, {%r4, %r5};"},
        {"sub.cc subc 32", "u64", "sub.cc.u32 %r4, %r0, %r1; subc.u32 %r5, %r2, %r0; mov.b64 %q3, {%r4, %r5};"},
        {"sub.cc subc.cc subc 32", "u64",
         "sub.cc.u32 %r4, %r0, %r1; subc.cc.u32 %r5, %r2, %r0; subc.u32 %r4, %r4, 0; mov.b64 %q3, {%r4, %r5};"},
        {"mad.lo.cc madc.hi 32", "u64",
         "mad.lo.cc.u32 %r4, %r0, %r1, %r2; madc.hi.u32 %r5, %r0, %r1, %r2; mov.b64 %q3, {%r4, %r5};"},
        {"mad.hi.cc madc.lo 32", "u64",
         "mad.hi.cc.u32 %r4, %r0, %r1, %r2; madc.lo.u32 %r5, %r0, %r1, %r2; mov.b64 %q3, {%r4, %r5};"},
        {"mad.lo.cc madc.hi.s32", "u64",
         "mad.lo.cc.s32 %r4, %r0, %r1, %r2; madc.hi.s32 %r5, %r0, %r1, %r2; mov.b64 %q3, {%r4, %r5};"},
        {"add.cc addc 64", "u64", "add.cc.u64 %q4, %q0, %q1; addc.u64 %q3, %q2, 0;"},
        {"sub.cc subc 64", "u64", "sub.cc.u64 %q4, %q0, %q1; subc.u64 %q3, %q2, 0;"},
        {"setp.lt.and.s32", "pred", "setp.lt.and.s32 %p3, %r0, %r1, %p1;"},
        {"setp.gt.or.u32 |", "u32",
         "setp.gt.or.u32 %p2|%p3, %r0, %r1, !%p1; selp.u32 %r3, 1, 0, %p2; @%p3 add.u32 %r3, %r3, 2;"},
        {"setp.ne.xor.s64 |", "u32",
         "setp.ne.xor.s64 %p2|%p3, %q0, %q1, %p1; selp.u32 %r3, 1, 0, %p2; @%p3 add.u32 %r3, %r3, 2;"},
        {"set.lt.u32.s32", "u32", "set.lt.u32.s32 %r3, %r0, %r1;"},
        {"set.ge.f32.u32", "f32", "set.ge.f32.u32 %r3, %r0, %r1;"},
        {"mov unpack 16", "u32", "mov.b32 {%h4, %h5}, %r0; mov.b32 %r3, {%h5, %h4};"},
        {"mov unpack 4x16", "u64", "mov.b64 {%h4, %h5, %h6, %h7}, %q0; mov.b64 %q3, {%h7, %h4, %h5, %h6};"},
        {"vote.ballot", "u32", "vote.sync.ballot.b32 %r3, %p1, 0xffffffff;"},
        {"vote.all", "pred", "setp.lo.u32 %p2, %r0, 0xf0000000; vote.sync.all.pred %p3, %p2, 0xffffffff;"},
        {"vote.any", "pred", "setp.gt.u32 %p2, %r0, 0xf8000000; vote.sync.any.pred %p3, %p2, 0xffffffff;"},
        {"vote.uni", "pred", "setp.gt.u32 %p2, %r0, 0xf8000000; vote.sync.uni.pred %p3, %p2, 0xffffffff;"},
        {"shfl.idx", "u32", "shfl.sync.idx.b32 %r3|%p2, %r0, %r1, 31, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"shfl.up", "u32",
         "and.b32 %r4, %r1, 31; shfl.sync.up.b32 %r3|%p2, %r0, %r4, 0, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"shfl.down", "u32",
         "and.b32 %r4, %r1, 31; shfl.sync.down.b32 %r3|%p2, %r0, %r4, 31, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"shfl.bfly", "u32",
         "and.b32 %r4, %r1, 31; shfl.sync.bfly.b32 %r3|%p2, %r0, %r4, 31, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"shfl.down width 8", "u32",
         "shfl.sync.down.b32 %r3|%p2, %r0, 3, 0x1807, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"shfl.up width 16", "u32", "shfl.sync.up.b32 %r3|%p2, %r0, 5, 0x1000, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"shfl.idx width 4", "u32",
         "shfl.sync.idx.b32 %r3|%p2, %r0, %r1, 0x1c03, 0xffffffff; @!%p2 add.u32 %r3, %r3, 1;"},
        {"match.any.b32", "u32", "and.b32 %r4, %r0, 3; match.any.sync.b32 %r3, %r4, 0xffffffff;"},
        {"match.all.b32", "u32",
         "shr.u32 %r4, %r0, 31; match.all.sync.b32 %r3|%p2, %r4, 0xffffffff; @%p2 xor.b32 %r3, %r3, 5;"},
        {"match.any.b64", "u32", "and.b64 %q4, %q0, 7; match.any.sync.b64 %r3, %q4, 0xffffffff;"},
        {"redux.add.s32", "u32", "redux.sync.add.s32 %r3, %r0, 0xffffffff;"},
        {"redux.min.s32", "u32", "redux.sync.min.s32 %r3, %r0, 0xffffffff;"},
        {"redux.max.u32", "u32", "redux.sync.max.u32 %r3, %r0, 0xffffffff;"},
        {"redux.and.b32", "u32", "redux.sync.and.b32 %r3, %r0, 0xffffffff;"},
        {"redux.or.b32", "u32", "redux.sync.or.b32 %r3, %r0, 0xffffffff;"},
        {"redux.xor.b32", "u32", "redux.sync.xor.b32 %r3, %r0, 0xffffffff;"},
        {"bar.red.popc", "u32", "barrier.cta.red.popc.aligned.u32 %r3, 0, %p1;"},
        {"bar.red.and", "pred", "barrier.cta.red.and.aligned.pred %p3, 1, %p1;"},
        {"bar.red.or", "pred", "barrier.cta.red.or.aligned.pred %p3, 2, 128, %p1;"},
        {"min.s16x2", "u32", "min.s16x2 %r3, %r0, %r1;"},
        {"max.u16x2", "u32", "max.u16x2 %r3, %r0, %r1;"},
        {"add.u16x2", "u32", "add.u16x2 %r3, %r0, %r1;"},
        {"add.s16x2", "u32", "add.s16x2 %r3, %r0, %r1;"},
        {"min.relu.s32", "u32", "min.relu.s32 %r3, %r0, %r1;"},
        {"max.relu.s32", "u32", "max.relu.s32 %r3, %r0, %r1;"},
        {"min.relu.s16x2", "u32", "min.relu.s16x2 %r3, %r0, %r1;"},
        {"vadd4", "u32", "vadd4.s32.s32.s32 %r3, %r0, %r1, %r2;"},
        {"vabsdiff4.add", "u32", "vabsdiff4.u32.u32.u32.add %r3, %r0, %r1, %r2;"}};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        op_body(o, more[k].name, more[k].td, "u32", BY_BITS, 0, more[k].body);
}

static inline void ops_float(struct ops *o)
{
    static const char *const rnd[] = {"rn", "rz", "rm", "rp"}, *const ft[] = {"f32", "ftz.f32", "f64"};
    char n[96], b[256];
    for (int i = 0; i < 3; i++) {
        const char *t = i == 2 ? "f64" : "f32";
        for (int r = 0; r < 4; r++) {
            static const char *const two[] = {"add", "sub", "mul", "div"}, *const one[] = {"sqrt", "rcp"};
            for (int k = 0; k < 4; k++)
                snprintf(n, sizeof n, "%s.%s.%s", two[k], rnd[r], ft[i]), op_plain(o, n, t, t, 2, BY_BITS, 0);
            for (int k = 0; k < 2; k++)
                snprintf(n, sizeof n, "%s.%s.%s", one[k], rnd[r], ft[i]), op_plain(o, n, t, t, 1, BY_BITS, 0);
            snprintf(n, sizeof n, "fma.%s.%s", rnd[r], ft[i]), op_plain(o, n, t, t, 3, BY_BITS, 0);
            if (i == 2) continue;
            snprintf(n, sizeof n, "add.%s.%ssat.f32", rnd[r], i ? "ftz." : ""), op_plain(o, n, t, t, 2, BY_BITS, 0);
            snprintf(n, sizeof n, "mul.%s.%ssat.f32", rnd[r], i ? "ftz." : ""), op_plain(o, n, t, t, 2, BY_BITS, 0);
            snprintf(n, sizeof n, "fma.%s.%ssat.f32", rnd[r], i ? "ftz." : ""), op_plain(o, n, t, t, 3, BY_BITS, 0);
        }
        static const char *const mm[] = {"min", "max"};
        for (int k = 0; k < 2; k++) {
            snprintf(n, sizeof n, "%s.%s", mm[k], ft[i]), op_plain(o, n, t, t, 2, BY_BITS, 0);
            if (i == 2) continue;
            snprintf(n, sizeof n, "%s.%sNaN.f32", mm[k], i ? "ftz." : ""), op_plain(o, n, t, t, 2, BY_BITS, 0);
            snprintf(n, sizeof n, "%s.%sNaN.xorsign.abs.f32", mm[k], i ? "ftz." : ""),
                op_plain(o, n, t, t, 2, BY_BITS, 0);
            snprintf(n, sizeof n, "%s.%sxorsign.abs.f32", mm[k], i ? "ftz." : ""), op_plain(o, n, t, t, 2, BY_BITS, 0);
        }
        snprintf(n, sizeof n, "neg.%s", ft[i]), op_plain(o, n, t, t, 1, BY_BITS, 0);
        snprintf(n, sizeof n, "abs.%s", ft[i]), op_plain(o, n, t, t, 1, BY_BITS, 0);
        static const char *const cmp[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                          "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
        for (int k = 0; k < 14; k++)
            snprintf(n, sizeof n, "setp.%s.%s", cmp[k], ft[i]),
                snprintf(b, sizeof b, "%s %%p3, %%%c0, %%%c1;", n, op_reg(t), op_reg(t)),
                op_body(o, n, "pred", t, BY_BITS, 0, b);
    }
    for (int i = 0; i < 2; i++) {
        const char *t = i ? "f64" : "f32";
        static const char *const test[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
        for (int k = 0; k < 6; k++)
            snprintf(n, sizeof n, "testp.%s.%s", test[k], t), snprintf(b, sizeof b, "%s %%p3, %%%c0;", n, op_reg(t)),
                op_body(o, n, "pred", t, BY_BITS, 0, b);
        snprintf(n, sizeof n, "copysign.%s", t), op_plain(o, n, t, t, 2, BY_BITS, 0);
    }
    /* approximations: bounds from the PTX ISA, twice where both may be off to different sides */
    for (int f = 0; f < 2; f++) {
        const char *z = f ? ".ftz" : "";
        snprintf(n, sizeof n, "rcp.approx%s.f32", z), op_plain(o, n, "f32", "f32", 1, BY_ULP, 1);
        snprintf(n, sizeof n, "sqrt.approx%s.f32", z), op_plain(o, n, "f32", "f32", 1, BY_ULP, 2);
        snprintf(n, sizeof n, "rsqrt.approx%s.f32", z), op_plain(o, n, "f32", "f32", 1, BY_ULP, 2);
        snprintf(n, sizeof n, "div.approx%s.f32", z), op_plain(o, n, "f32", "f32", 2, BY_ULP, 2)->in[1] = IN_UNIT32;
        snprintf(n, sizeof n, "div.full%s.f32", z), op_plain(o, n, "f32", "f32", 2, BY_ULP, 2)->in[1] = IN_UNIT32;
        snprintf(n, sizeof n, "ex2.approx%s.f32", z), op_plain(o, n, "f32", "f32", 1, BY_ULP, 3)->in[0] = IN_POW;
        snprintf(n, sizeof n, "lg2.approx%s.f32", z),
            op_plain(o, n, "f32", "f32", 1, BY_EITHER, 0x1p-21)->in[0] = IN_POSITIVE;
        snprintf(n, sizeof n, "sin.approx%s.f32", z),
            op_plain(o, n, "f32", "f32", 1, BY_ABS, 0x1p-20)->in[0] = IN_ANGLE;
        snprintf(n, sizeof n, "cos.approx%s.f32", z),
            op_plain(o, n, "f32", "f32", 1, BY_ABS, 0x1p-20)->in[0] = IN_ANGLE;
    }
    op_plain(o, "tanh.approx.f32", "f32", "f32", 1, BY_REL, 0x1p-10);
    op_plain(o, "rcp.approx.ftz.f64", "f64", "f64", 1, BY_REL, 0x1p-19);
    op_plain(o, "rsqrt.approx.f64", "f64", "f64", 1, BY_REL, 0x1p-19);
    op_plain(o, "rsqrt.approx.ftz.f64", "f64", "f64", 1, BY_REL, 0x1p-19);
    /* halves */
    static const char *const ht[] = {"f16", "f16x2", "bf16", "bf16x2"};
    for (int i = 0; i < 4; i++) {
        const char *t = ht[i];
        bool bf = t[0] == 'b';
        for (int f = 0; f < (bf ? 1 : 2); f++) {
            const char *z = f ? ".ftz" : "";
            static const char *const two[] = {"add", "sub", "mul"};
            for (int k = 0; k < 3; k++) {
                snprintf(n, sizeof n, "%s.rn%s.%s", two[k], z, t), op_plain(o, n, t, t, 2, BY_BITS, 0);
                if (!bf) snprintf(n, sizeof n, "%s.rn%s.sat.%s", two[k], z, t), op_plain(o, n, t, t, 2, BY_BITS, 0);
            }
            snprintf(n, sizeof n, "fma.rn%s.%s", z, t), op_plain(o, n, t, t, 3, BY_BITS, 0);
            snprintf(n, sizeof n, "fma.rn%s.relu.%s", z, t), op_plain(o, n, t, t, 3, BY_BITS, 0);
            if (!bf) snprintf(n, sizeof n, "fma.rn%s.sat.%s", z, t), op_plain(o, n, t, t, 3, BY_BITS, 0);
            static const char *const mm[] = {"min", "max"}, *const how[] = {"", ".NaN", ".xorsign.abs",
                                                                            ".NaN.xorsign.abs"};
            for (int k = 0; k < 2; k++)
                for (int h = 0; h < 4; h++)
                    snprintf(n, sizeof n, "%s%s%s.%s", mm[k], z, how[h], t), op_plain(o, n, t, t, 2, BY_BITS, 0);
            snprintf(n, sizeof n, "neg%s.%s", z, t), op_plain(o, n, t, t, 1, BY_BITS, 0);
            snprintf(n, sizeof n, "abs%s.%s", z, t), op_plain(o, n, t, t, 1, BY_BITS, 0);
            static const char *const cmp[] = {"eq", "ne", "lt", "ge", "ltu", "nan"};
            for (int k = 0; k < 6; k++) {
                snprintf(n, sizeof n, "setp.%s%s.%s", cmp[k], z, t);
                if (i % 2)
                    snprintf(b, sizeof b,
                             "%s %%p2|%%p3, %%r0, %%r1; selp.u32 %%r3, 1, 0, %%p2; @%%p3 add.u32 %%r3, %%r3, 2;", n),
                        op_body(o, n, "u32", t, BY_BITS, 0, b);
                else
                    snprintf(b, sizeof b, "%s %%p3, %%h0, %%h1;", n), op_body(o, n, "pred", t, BY_BITS, 0, b);
            }
            snprintf(n, sizeof n, "set.gt%s.%s.%s", z, t, t), op_plain(o, n, t, t, 2, BY_BITS, 0);
        }
        snprintf(n, sizeof n, bf ? "ex2.approx.ftz.%s" : "ex2.approx.%s", t), op_plain(o, n, t, t, 1, BY_ULP, 2);
        snprintf(n, sizeof n, "tanh.approx.%s", t), op_plain(o, n, t, t, 1, BY_REL, bf ? 0x1p-6 : 0x1p-9);
    }
}

static inline void ops_convert(struct ops *o)
{
    static const char *const ints[] = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"}, *const floats[] = {
                                                                                                  "f16", "bf16", "f32",
                                                                                                  "f64"};
    static const char *const to_int[] = {"rni", "rzi", "rmi", "rpi"}, *const to_float[] = {"rn", "rz", "rm", "rp"};
    char n[96];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            if (i == j) continue;
            snprintf(n, sizeof n, "cvt.%s.%s", ints[i], ints[j]), op_plain(o, n, ints[i], ints[j], 1, BY_BITS, 0);
            bool fits = j / 2 < i / 2 && (j % 2 || i % 2 == 0); /* .sat is refused where nothing can be cut */
            if (!fits)
                snprintf(n, sizeof n, "cvt.sat.%s.%s", ints[i], ints[j]),
                    op_plain(o, n, ints[i], ints[j], 1, BY_BITS, 0);
        }
        for (int j = 0; j < 4; j++)
            for (int r = 0; r < (i < 2 && j == 1 ? 0 : 4); r++) { /* none between bytes and bf16 */
                snprintf(n, sizeof n, "cvt.%s.%s.%s", to_int[r], ints[i], floats[j]),
                    op_plain(o, n, ints[i], floats[j], 1, BY_BITS, 0);
                if (j == 2)
                    snprintf(n, sizeof n, "cvt.%s.ftz.%s.f32", to_int[r], ints[i]),
                        op_plain(o, n, ints[i], "f32", 1, BY_BITS, 0);
                snprintf(n, sizeof n, "cvt.%s.%s.%s", to_float[r], floats[j], ints[i]),
                    op_plain(o, n, floats[j], ints[i], 1, BY_BITS, 0);
                if (j == 2 && r == 0)
                    snprintf(n, sizeof n, "cvt.rn.sat.f32.%s", ints[i]), op_plain(o, n, "f32", ints[i], 1, BY_BITS, 0);
            }
    }
    static const struct {
        const char *name, *td, *ts;
        int n;
    } more[] = {{"cvt.rn.f16.f32", "f16", "f32", 1},
                {"cvt.rz.f16.f32", "f16", "f32", 1},
                {"cvt.rm.f16.f32", "f16", "f32", 1},
                {"cvt.rp.f16.f32", "f16", "f32", 1},
                {"cvt.rn.ftz.f16.f32", "f16", "f32", 1},
                {"cvt.rn.sat.f16.f32", "f16", "f32", 1},
                {"cvt.rn.relu.f16.f32", "f16", "f32", 1},
                {"cvt.rn.bf16.f32", "bf16", "f32", 1},
                {"cvt.rz.bf16.f32", "bf16", "f32", 1},
                {"cvt.rn.relu.bf16.f32", "bf16", "f32", 1},
                {"cvt.rn.f16.f64", "f16", "f64", 1},
                {"cvt.rz.f16.f64", "f16", "f64", 1},
                {"cvt.rn.bf16.f64", "bf16", "f64", 1},
                {"cvt.f32.f16", "f32", "f16", 1},
                {"cvt.f64.f16", "f64", "f16", 1},
                {"cvt.f32.bf16", "f32", "bf16", 1},
                {"cvt.f64.bf16", "f64", "bf16", 1},
                {"cvt.sat.f32.f16", "f32", "f16", 1},
                {"cvt.f64.f32", "f64", "f32", 1},
                {"cvt.ftz.f64.f32", "f64", "f32", 1},
                {"cvt.rn.f32.f64", "f32", "f64", 1},
                {"cvt.rz.f32.f64", "f32", "f64", 1},
                {"cvt.rm.f32.f64", "f32", "f64", 1},
                {"cvt.rp.f32.f64", "f32", "f64", 1},
                {"cvt.rn.ftz.f32.f64", "f32", "f64", 1},
                {"cvt.rn.sat.f32.f64", "f32", "f64", 1},
                {"cvt.sat.f32.f32", "f32", "f32", 1},
                {"cvt.ftz.sat.f32.f32", "f32", "f32", 1},
                {"cvt.ftz.f32.f32", "f32", "f32", 1},
                {"cvt.rni.f32.f32", "f32", "f32", 1},
                {"cvt.rzi.f32.f32", "f32", "f32", 1},
                {"cvt.rmi.f32.f32", "f32", "f32", 1},
                {"cvt.rpi.f32.f32", "f32", "f32", 1},
                {"cvt.rmi.ftz.f32.f32", "f32", "f32", 1},
                {"cvt.rni.f64.f64", "f64", "f64", 1},
                {"cvt.rzi.f64.f64", "f64", "f64", 1},
                {"cvt.rmi.f64.f64", "f64", "f64", 1},
                {"cvt.rpi.f64.f64", "f64", "f64", 1},
                {"cvt.sat.f64.f64", "f64", "f64", 1},
                {"cvt.rni.f16.f16", "f16", "f16", 1},
                {"cvt.rzi.f16.f16", "f16", "f16", 1},
                {"cvt.rmi.f16.f16", "f16", "f16", 1},
                {"cvt.rpi.f16.f16", "f16", "f16", 1},
                {"cvt.rna.tf32.f32", "tf32", "f32", 1},
                {"cvt.rn.tf32.f32", "tf32", "f32", 1},
                {"cvt.rz.tf32.f32", "tf32", "f32", 1},
                {"cvt.rn.f16x2.f32", "f16x2", "f32", 2},
                {"cvt.rz.f16x2.f32", "f16x2", "f32", 2},
                {"cvt.rn.relu.f16x2.f32", "f16x2", "f32", 2},
                {"cvt.rn.bf16x2.f32", "bf16x2", "f32", 2},
                {"cvt.rz.bf16x2.f32", "bf16x2", "f32", 2},
                {"cvt.rn.relu.bf16x2.f32", "bf16x2", "f32", 2},
                {"cvt.rn.satfinite.e4m3x2.f32", "u16", "f32", 2},
                {"cvt.rn.satfinite.e5m2x2.f32", "u16", "f32", 2},
                {"cvt.rn.f16x2.e4m3x2", "f16x2", "u16", 1},
                {"cvt.rn.f16x2.e5m2x2", "f16x2", "u16", 1},
                {"cvt.rn.satfinite.e4m3x2.f16x2", "u16", "f16x2", 1},
                {"cvt.rn.satfinite.e5m2x2.f16x2", "u16", "f16x2", 1}};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        op_plain(o, more[k].name, more[k].td, more[k].ts, more[k].n, BY_BITS, 0);
    op_body(o, "cvt.pack.sat.s16.s32", "u32", "u32", BY_BITS, 0, "cvt.pack.sat.s16.s32 %r3, %r0, %r1;");
    op_body(o, "cvt.pack.sat.u8.s32.b32", "u32", "u32", BY_BITS, 0, "cvt.pack.sat.u8.s32.b32 %r3, %r0, %r1, %r2;");
    op_body(o, "cvt.pack.sat.s8.s32.b32", "u32", "u32", BY_BITS, 0, "cvt.pack.sat.s8.s32.b32 %r3, %r0, %r1, %r2;");
}

/* Atomics on a place of the thread's own that holds a: what they return, mixed with what they leave. */
static inline void ops_atomic(struct ops *o)
{
    static const struct {
        const char *op, *t;
    } all[] = {{"add.u32", "u32"},           {"add.s32", "u32"},         {"add.u64", "u64"},
               {"add.f32", "f32"},           {"add.f64", "f64"},         {"min.s32", "u32"},
               {"min.u32", "u32"},           {"min.s64", "u64"},         {"min.u64", "u64"},
               {"max.s32", "u32"},           {"max.u32", "u32"},         {"max.s64", "u64"},
               {"max.u64", "u64"},           {"and.b32", "u32"},         {"or.b32", "u32"},
               {"xor.b32", "u32"},           {"and.b64", "u64"},         {"or.b64", "u64"},
               {"xor.b64", "u64"},           {"exch.b32", "u32"},        {"exch.b64", "u64"},
               {"inc.u32", "u32"},           {"dec.u32", "u32"},         {"add.noftz.f16", "f16"},
               {"add.noftz.f16x2", "f16x2"}, {"add.noftz.bf16", "bf16"}, {"add.noftz.bf16x2", "bf16x2"}};
    char n[96], b[256];
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int where = 0; where < 4; where++) { /* left in memory: global, shared; returned; without a result */
            const char *t = all[k].t, *load = op_reg(t) == 'h' ? "b16" : op_reg(t) == 'q' ? "b64" : "b32";
            char r = op_reg(t);
            snprintf(n, sizeof n, "%s.%s.%s%s", where == 3 ? "red" : "atom", where == 1 ? "shared" : "global",
                     all[k].op, where == 2 ? " returned" : "");
            if (where == 3)
                snprintf(b, sizeof b,
                         "st.global.b64 [%%q15], %%q0; red.relaxed.gpu.global.%s [%%q15], %%%c1; ld.global.%s %%%c3, "
                         "[%%q15];",
                         all[k].op, r, load, r);
            else if (where == 1)
                snprintf(
                    b, sizeof b,
                    "st.shared.b64 [%%r19], %%q0; atom.shared.%s %%%c4, [%%r19], %%%c1; ld.shared.%s %%%c3, [%%r19];",
                    all[k].op, r, r, load, r);
            else if (where == 0)
                snprintf(
                    b, sizeof b,
                    "st.global.b64 [%%q15], %%q0; atom.global.%s %%%c4, [%%q15], %%%c1; ld.global.%s %%%c3, [%%q15];",
                    all[k].op, r, r, load, r);
            else
                snprintf(b, sizeof b, "st.global.b64 [%%q15], %%q0; atom.acq_rel.sys.global.%s %%%c3, [%%q15], %%%c1;",
                         all[k].op, r, r);
            if (where == 3 && (strstr(all[k].op, "exch"))) continue;
            op_body(o, n, t, t, BY_BITS, 0, b);
        }
    static const char *const cas[] = {"b16", "b32", "b64"};
    for (int i = 0; i < 3; i++) {
        char r = op_reg(cas[i]);
        snprintf(n, sizeof n, "atom.global.cas.%s", cas[i]);
        snprintf(b, sizeof b,
                 "st.global.b64 [%%q15], %%q0; selp.%s %%%c4, %%%c0, %%%c1, %%p1; %s %%%c5, [%%q15], %%%c4, %%%c2; "
                 "ld.global.%s %%%c3, [%%q15];",
                 cas[i], r, r, r, n, r, r, r, cas[i], r);
        op_body(o, n, cas[i], cas[i], BY_BITS, 0, b);
    }
}

/* A warp's product: sources from everywhere in the inputs, results in %r3..6 or %q3..4. */
static inline void op_mma(struct ops *o, const char *spelled, const char *note, int nd, int na, int nb, char ab,
                          char cd, enum op_in in, enum op_in inc, enum op_type out, enum op_how how, double tol)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", spelled, note);
    struct op *p = op_add(o, name, in, in, inc, out, how, tol);
    struct rg_buf b = RG_BUF_INIT;
    p->results = nd;
    for (int k = 0; k < na + nb + nd; k++) { /* %?40.. a, b, c */
        char r = k < na + nb ? ab : cd;
        rg_buf_printf(&b,
                      "add.u32 %%r18, %%r20, %d; and.b32 %%r18, %%r18, %d; mul.wide.u32 %%q16, %%r18, 8; add.u64 "
                      "%%q16, %%q16, %%q1%d; ld.global.b%d %%%c%d, [%%q16];\n",
                      517 * k + 33, OP_N - 1,
                      k < na        ? 0
                      : k < na + nb ? 1
                                    : 2,
                      r == 'q' ? 64 : 32, r, 40 + k);
    }
    rg_buf_printf(&b, "%s ", spelled);
    int at[4] = {na, nb, nd, 0}, from = 40;
    rg_buf_printf(&b, "{");
    for (int k = 0; k < nd; k++) rg_buf_printf(&b, "%s%%%c%d", k ? ", " : "", cd, 3 + k);
    rg_buf_printf(&b, "}");
    for (int g = 0; g < 3; g++) {
        rg_buf_printf(&b, ", {");
        for (int k = 0; k < at[g]; k++) rg_buf_printf(&b, "%s%%%c%d", k ? ", " : "", g < 2 ? ab : cd, from++);
        rg_buf_printf(&b, "}");
    }
    rg_buf_printf(&b, ";");
    if (b.len >= sizeof p->body) abort();
    memcpy(p->body, b.data, b.len + 1);
    rg_buf_release(&b);
}

static inline void ops_matrix(struct ops *o)
{
    /* whole numbers: the sums are exact in any order, so results must be equal to the bit; fractions: how far off */
    static const struct {
        const char *name;
        int nd, na, nb;
        char ab, cd;
        enum op_in small, unit, sc, uc;
        enum op_type out;
        double tol;
    } all[] = {{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 'r', 'r', IN_SMALL16, IN_UNIT16,
                IN_SMALL32, IN_UNIT32, T_F32, 0x1p-20},
               {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 'r', 'r', IN_SMALL16, IN_UNIT16,
                IN_SMALL32, IN_UNIT32, T_F32, 0x1p-20},
               {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 'r', 'r', IN_SMALLB16, IN_UNITB16,
                IN_SMALL32, IN_UNIT32, T_F32, 0x1p-20},
               {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1, 'r', 'r', IN_SMALLB16, IN_UNITB16,
                IN_SMALL32, IN_UNIT32, T_F32, 0x1p-20},
               {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 'r', 'r', IN_SMALL16, IN_UNIT16,
                IN_SMALL16, IN_UNIT16, T_F16X2, 0x1p-8},
               {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, 'r', 'r', IN_SMALL16, IN_UNIT16,
                IN_SMALL16, IN_UNIT16, T_F16X2, 0x1p-8},
               {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 'r', 'r', IN_SMALL32, IN_UNIT32,
                IN_SMALL32, IN_UNIT32, T_F32, 0x1p-20},
               {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 'r', 'r', IN_SMALL32, IN_UNIT32,
                IN_SMALL32, IN_UNIT32, T_F32, 0x1p-20},
               {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 2, 1, 1, 'q', 'q', IN_SMALL64, IN_UNIT64, IN_SMALL64,
                IN_UNIT64, T_F64, 0x1p-48},
               {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 4, 2, 1, 'q', 'q', IN_SMALL64, IN_UNIT64,
                IN_SMALL64, IN_UNIT64, T_F64, 0x1p-48},
               {"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 4, 4, 2, 'q', 'q', IN_SMALL64, IN_UNIT64,
                IN_SMALL64, IN_UNIT64, T_F64, 0x1p-48},
               {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 4, 8, 4, 'q', 'q', IN_SMALL64, IN_UNIT64,
                IN_SMALL64, IN_UNIT64, T_F64, 0x1p-47}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        op_mma(o, all[i].name, " whole", all[i].nd, all[i].na, all[i].nb, all[i].ab, all[i].cd, all[i].small, all[i].sc,
               all[i].out, BY_BITS, 0);
        op_mma(o, all[i].name, " fractions", all[i].nd, all[i].na, all[i].nb, all[i].ab, all[i].cd, all[i].unit,
               all[i].uc, all[i].out, BY_ABS, all[i].tol);
    }
    static const char *const sat[] = {"", ".satfinite"}, *const it[] = {"s8.s8", "u8.u8", "s8.u8", "u8.s8"};
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 4; t++) {
            static const struct {
                const char *shape;
                int nd, na, nb;
            } shapes[] = {{"m8n8k16", 2, 1, 1}, {"m16n8k16", 4, 2, 1}, {"m16n8k32", 4, 4, 2}};
            for (int k = 0; k < 3; k++) {
                char n[96];
                snprintf(n, sizeof n, "mma.sync.aligned.%s.row.col%s.s32.%s.s32", shapes[k].shape, sat[s], it[t]);
                op_mma(o, n, "", shapes[k].nd, shapes[k].na, shapes[k].nb, 'r', 'r', IN_INT, IN_INT, T_U32, BY_BITS, 0);
            }
        }
}

static inline struct ops ops_all(void)
{
    struct ops o = {0, calloc(OP_MAX, sizeof(struct op))};
    if (!o.at) abort();
    ops_integer(&o);
    ops_float(&o);
    ops_convert(&o);
    ops_atomic(&o);
    ops_matrix(&o);
    return o;
}
#endif
