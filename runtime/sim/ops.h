/* Instructions of the simulated warp. One line here makes the enum, the name and what registers an instruction touches;
 * exec.inc gives each its handler. Arithmetic that is hot works on vectors; everything else is SCALAR*, a C function
 * called a lane (scalar.c). shape: d p write I->d, I->p; a b c e read; V writes / v reads the aux list at I->e of I->y
 * registers (V and v together: I->y written, then I->x read); W writes / w reads what the call I->p saves; & keeps the
 * sources apart from what is written (the handler writes before it has read everything). */
#ifndef RG_SIM_OPS_H
#define RG_SIM_OPS_H

/* name, destination lane, source lane, expression of vectors a, b (and c) */
#define SIM_BIN32(X)                                                                                                   \
    X(ADD32, u32, u32, a + b)                                                                                          \
    X(SUB32, u32, u32, a - b)                                                                                          \
    X(MUL32, u32, u32, a *b)                                                                                           \
    X(AND32, u32, u32, a &b)                                                                                           \
    X(OR32, u32, u32, a | b)                                                                                           \
    X(XOR32, u32, u32, a ^ b)                                                                                          \
    X(SHL32, u32, u32, (a << (b & 31)) & (vu32)(b < 32))                                                               \
    X(SHRU32, u32, u32, (a >> (b & 31)) & (vu32)(b < 32))                                                              \
    X(SHRS32, s32, s32, a >> SEL32((vu32)b > 31, b * 0 + 31, b))                                                       \
    X(MINS32, s32, s32, SEL32(a < b, a, b))                                                                            \
    X(MAXS32, s32, s32, SEL32(a > b, a, b))                                                                            \
    X(MINU32, u32, u32, SEL32(a < b, a, b))                                                                            \
    X(MAXU32, u32, u32, SEL32(a > b, a, b))                                                                            \
    X(FADD32, f32, f32, a + b)                                                                                         \
    X(FSUB32, f32, f32, a - b)                                                                                         \
    X(FMUL32, f32, f32, a *b)                                                                                          \
    X(FDIV32, f32, f32, a / b)                                                                                         \
    X(FMIN32, f32, f32, FMINMAX32(a < b, |, a, b))                                                                     \
    X(FMAX32, f32, f32, FMINMAX32(a > b, &, a, b))                                                                     \
    X(FMINZ32, f32, f32, FLUSH32(FMINMAX32(a < b, |, a, b)))                                                           \
    X(FMAXZ32, f32, f32, FLUSH32(FMINMAX32(a > b, &, a, b)))

#define SIM_BIN64(X)                                                                                                   \
    X(ADD64, u64, u64, a + b)                                                                                          \
    X(SUB64, u64, u64, a - b)                                                                                          \
    X(MUL64, u64, u64, a *b)                                                                                           \
    X(AND64, u64, u64, a &b)                                                                                           \
    X(OR64, u64, u64, a | b)                                                                                           \
    X(XOR64, u64, u64, a ^ b)                                                                                          \
    X(MINS64, s64, s64, SEL64(a < b, a, b))                                                                            \
    X(MAXS64, s64, s64, SEL64(a > b, a, b))                                                                            \
    X(MINU64, u64, u64, SEL64(a < b, a, b))                                                                            \
    X(MAXU64, u64, u64, SEL64(a > b, a, b))                                                                            \
    X(FADD64, f64, f64, a + b)                                                                                         \
    X(FSUB64, f64, f64, a - b)                                                                                         \
    X(FMUL64, f64, f64, a *b)                                                                                          \
    X(FDIV64, f64, f64, a / b)                                                                                         \
    X(FMIN64, f64, f64, FMINMAX64(a < b, |, a, b))                                                                     \
    X(FMAX64, f64, f64, FMINMAX64(a > b, &, a, b))

/* shifts of 64-bit lanes take a 32-bit amount */
#define SIM_SHIFT64(X)                                                                                                 \
    X(SHL64, u64, (a << (b & 63)) & (vu64)(b < 64))                                                                    \
    X(SHRU64, u64, (a >> (b & 63)) & (vu64)(b < 64))                                                                   \
    X(SHRS64, s64, a >> (vs64)SEL64(b > 63, b * 0 + 63, b))

/* 64-bit results of 32-bit sources; MADWIDE adds a 64-bit c */
#define SIM_WIDE(X)                                                                                                    \
    X(MULWIDES, s32, s64)                                                                                              \
    X(MULWIDEU, u32, u64)
#define SIM_MADWIDE(X)                                                                                                 \
    X(MADWIDES, s32, s64)                                                                                              \
    X(MADWIDEU, u32, u64)

#define SIM_UN32(X)                                                                                                    \
    X(MOV32, u32, u32, a)                                                                                              \
    X(NOT32, u32, u32, ~a)                                                                                             \
    X(NEG32, u32, u32, -a)                                                                                             \
    X(ABS32, s32, s32, SEL32(a < 0, (vs32) - (vu32)a, a))                                                              \
    X(FNEG32, u32, u32, a ^ 0x80000000u)                                                                               \
    X(FNEGZ32, u32, u32, FLUSH32(a) ^ 0x80000000u)                                                                     \
    X(FABSZ32, u32, u32, FLUSH32(a) & 0x7fffffffu)                                                                     \
    X(FABS32, u32, u32, a & 0x7fffffffu)                                                                               \
    X(FRCP32, f32, f32, 1.0f / a)                                                                                      \
    X(SEXT8, s32, s32, (vs32)((vu32)a << 24) >> 24)                                                                    \
    X(SEXT16, s32, s32, (vs32)((vu32)a << 16) >> 16)                                                                   \
    X(ZEXT8, u32, u32, a & 255)                                                                                        \
    X(ZEXT16, u32, u32, a & 65535)                                                                                     \
    X(CVTF32S32, f32, s32, __builtin_convertvector(a, vf32))                                                           \
    X(FSAT32, f32, f32, (vf32)((vu32)SEL32(a < 1, (vu32)a, (vu32){0} + 0x3f800000u) & (vu32)(a > 0)))

#define SIM_UN64(X)                                                                                                    \
    X(MOV64, u64, u64, a)                                                                                              \
    X(NOT64, u64, u64, ~a)                                                                                             \
    X(NEG64, u64, u64, -a)                                                                                             \
    X(ABS64, s64, s64, SEL64(a < 0, (vs64) - (vu64)a, a))                                                              \
    X(FNEG64, u64, u64, a ^ 0x8000000000000000u)                                                                       \
    X(FABS64, u64, u64, a & 0x7fffffffffffffffu)

/* conversions between lane widths: name, destination, source */
#define SIM_WIDEN(X) X(CVTS64S32, s64, s32) X(CVTU64U32, u64, u32) X(CVTF64F32, f64, f32) X(CVTF64S32, f64, s32)
#define SIM_NARROW(X) X(CVTU32U64, u32, u64) X(CVTF32F64, f32, f64)

#define SIM_TER32(X)                                                                                                   \
    X(MAD32, u32, u32, a *b + c)                                                                                       \
    X(FFMA32, f32, f32, FMA32(a, b, c))
#define SIM_TER64(X)                                                                                                   \
    X(MAD64, u64, u64, a *b + c)                                                                                       \
    X(FFMA64, f64, f64, FMA64(a, b, c))

/* comparisons into predicates; I->x inverts (the unordered forms are inverses of ordered ones) */
#define SIM_CMP32(X)                                                                                                   \
    X(EQ32, u32, a == b)                                                                                               \
    X(LTS32, s32, a < b)                                                                                               \
    X(LES32, s32, a <= b)                                                                                              \
    X(LTU32, u32, a < b)                                                                                               \
    X(LEU32, u32, a <= b)                                                                                              \
    X(FEQ32, f32, a == b)                                                                                              \
    X(FLT32, f32, a < b)                                                                                               \
    X(FLE32, f32, a <= b)                                                                                              \
    X(FNE32, f32, (a < b) | (a > b))                                                                                   \
    X(FORD32, f32, (a == a) & (b == b))
#define SIM_CMP64(X)                                                                                                   \
    X(EQ64, u64, a == b)                                                                                               \
    X(LTS64, s64, a < b)                                                                                               \
    X(LES64, s64, a <= b)                                                                                              \
    X(LTU64, u64, a < b)                                                                                               \
    X(LEU64, u64, a <= b)                                                                                              \
    X(FEQ64, f64, a == b)                                                                                              \
    X(FLT64, f64, a < b)                                                                                               \
    X(FLE64, f64, a <= b)                                                                                              \
    X(FNE64, f64, (a < b) | (a > b))                                                                                   \
    X(FORD64, f64, (a == a) & (b == b))

#define SIM_PRED(X)                                                                                                    \
    X(PMOV, "da", a)                                                                                                   \
    X(PNOT, "da", ~a)                                                                                                  \
    X(PAND, "dab", a &b)                                                                                               \
    X(POR, "dab", a | b)                                                                                               \
    X(PXOR, "dab", a ^ b)                                                                                              \
    X(PSEL, "dabc", (a & c) | (b & ~c))

/* name, shape, timing class (enum sim_class) */
#define SIM_OTHER(X)                                                                                                   \
    X(BB, "")    /* starts a basic block: e its number */                                                              \
    X(BRA, "")   /* imm the target */                                                                                  \
    X(BRAP, "a") /* where predicate a (x: is false) to imm */                                                          \
    X(EXIT, "")                                                                                                        \
    X(TRAP, "")      /* x 1: assertion */                                                                              \
    X(BAR, "dabe")   /* a id, b threads or none; x 0 sync 1 arrive 2 popc 3 and 4 or of predicate e, into d */         \
    X(WARPSYNC, "a") /* lanes of mask a meet */                                                                        \
    X(SEL32, "dabc") /* a where predicate c, else b */                                                                 \
    X(SEL64, "dabc")                                                                                                   \
    X(P2R, "da")     /* predicate to 0 or imm */                                                                       \
    X(PACK64, "dab") /* two halves to 64 bits */                                                                       \
    X(LO32, "da")                                                                                                      \
    X(HI32, "da")                                                                                                      \
    X(SCALAR, "dabce") /* a C function a lane */                                                                       \
    X(SCALARP, "dabc") /* the same, into a predicate */                                                                \
    X(CARRY, "dabcep") /* x: 0 add 1 sub 2 mad.lo 3 mad.hi; y 64-bit; carry in e, out p */                             \
    X(FSQRT32, "da")                                                                                                   \
    X(FSQRT64, "da")                                                                                                   \
    X(FRND32, "dabc") /* x: 0 add 1 mul 2 fma 3 div 4 sqrt; y the rounding mode */                                     \
    X(FRND64, "dabc")                                                                                                  \
    X(EX2F32, "da")                                                                                                    \
    X(LG2F32, "da")                                                                                                    \
    X(CVTS32F32Z, "da") /* toward zero, saturating, NaN gives 0 */                                                     \
    X(LDG, "Va&")       /* address a + imm; x element, y count, registers aux[e..] */                                  \
    X(STG, "va")                                                                                                       \
    X(LDG32, "da") /* one 32-bit element */                                                                            \
    X(STG32, "ba")                                                                                                     \
    X(LDS, "Va&")                                                                                                      \
    X(STS, "va")                                                                                                       \
    X(LDS32, "da")                                                                                                     \
    X(STS32, "ba")                                                                                                     \
    X(LDL, "Va&")                                                                                                      \
    X(STL, "va")                                                                                                       \
    X(LDX, "Va&") /* generic */                                                                                        \
    X(STX, "va")                                                                                                       \
    X(ATOM, "dabc&")   /* x operation, y type; e space */                                                              \
    X(CPASYNC, "abc")  /* shared a <- global b; x bytes; c source size or none */                                      \
    X(FENCE, "")       /* membar, cp.async commit and wait: order holds anyway */                                      \
    X(CVTA, "da")      /* x: space; y 0 to generic, 1 from generic */                                                  \
    X(ISSPACE, "da")   /* predicate: is a in space x */                                                                \
    X(SHFL, "dabcep&") /* value a, lane b, clamp c, members e; x mode; predicate p */                                  \
    X(VOTE, "dab&")    /* predicate a (y inverts), members b; x all any uni ballot */                                  \
    X(MATCH, "dabp&")  /* x 0 any 1 all; y 64-bit; predicate p */                                                      \
    X(REDUX, "dab&")   /* x operation */                                                                               \
    X(ACTIVE, "d")                                                                                                     \
    X(ELECT, "dap") /* lowest active lane of members a: lane in d, is it me in p */                                    \
    X(CLOCK, "d")                                                                                                      \
    X(LDMATRIX, "Va&")                                                                                                 \
    X(WMMALD, "Vab&") /* fragment from memory at a, stride b; imm SIM_WMMA_ */                                         \
    X(WMMAST, "vab")  /* fragment to memory */                                                                         \
    X(WMMA, "Vv&")    /* imm SIM_WMMA_ */                                                                              \
    X(MMA, "Vv&")     /* imm kind */                                                                                   \
    X(SAVE, "wa")     /* calls.h; a sp; p the call: kernel.calls */                                                    \
    X(RESTORE, "dWa") /* d, a sp */                                                                                    \
    X(CALL, "Vvda")   /* imm the target; results and arguments, both counted as in Vv */                               \
    X(RET, "va")                                                                                                       \
    X(PASS, "a") /* imm bytes from a + b to a + c */                                                                   \
    X(MARK, "")  /* an instruction that costs but does nothing here */

enum sim_op {
#define X(name, ...) SIM_##name,
    SIM_BIN32(X) SIM_BIN64(X) SIM_SHIFT64(X) SIM_WIDE(X) SIM_MADWIDE(X) SIM_UN32(X) SIM_UN64(X) SIM_WIDEN(X)
        SIM_NARROW(X) SIM_TER32(X) SIM_TER64(X) SIM_CMP32(X) SIM_CMP64(X) SIM_PRED(X) SIM_OTHER(X)
#undef X
            SIM_N_OPS
};
#endif
