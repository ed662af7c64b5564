/* PTX text as a tree: what NVRTC prints, parsed once a module. Foreign bytes: every limit is checked, errors carry the
 * PTX line. */
#ifndef RG_SIM_PTX_H
#define RG_SIM_PTX_H
#include <rg/arena.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name, PTX word, bytes */
/* clang-format off */
#define PTX_TYPE_MAP(X)                                                                                       \
    X(NONE, "", 0) X(B8, "b8", 1) X(U8, "u8", 1) X(S8, "s8", 1) X(B16, "b16", 2) X(U16, "u16", 2)             \
    X(S16, "s16", 2) X(F16, "f16", 2) X(BF16, "bf16", 2) X(B32, "b32", 4) X(U32, "u32", 4) X(S32, "s32", 4)   \
    X(F32, "f32", 4) X(F16X2, "f16x2", 4) X(BF16X2, "bf16x2", 4) X(TF32, "tf32", 4) X(B64, "b64", 8)          \
    X(U64, "u64", 8) X(S64, "s64", 8) X(F64, "f64", 8) X(B128, "b128", 16) X(PRED, "pred", 0)
/* clang-format on */

enum ptx_type {
#define X(name, word, bytes) PTX_##name,
    PTX_TYPE_MAP(X)
#undef X
        PTX_N_TYPES
};
const char *rg__ptx_type_word(enum ptx_type t);
int rg__ptx_type_bytes(enum ptx_type t);
int rg__ptx_type_parse(const char *word, size_t n); /* -1 unknown */
static inline bool ptx_is_float(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64 || t == PTX_F16X2 || t == PTX_BF16X2 ||
           t == PTX_TF32;
}
static inline bool ptx_is_signed(enum ptx_type t)
{
    return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM };

struct ptx_init { /* one piece of an initialiser */
    size_t at;    /* byte in the variable */
    int bytes;
    uint64_t bits;      /* value, or addend when symbol is set */
    const char *symbol; /* address of a variable; NULL none */
};

struct ptx_var { /* of module or kernel scope, parameters included */
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    int64_t bytes; /* 0: extern, size known at launch */
    int align;
    bool is_extern;
    int64_t offset; /* parameters: in the parameter block; others are placed by the loader */
    int line;
    int n_init, cap_init;
    struct ptx_init *init;
};

enum ptx_operand_kind {
    PTX_O_NONE,
    PTX_O_REG,     /* .reg */
    PTX_O_IMM,     /* .bits; is_float: the bits of a double unless f32 */
    PTX_O_SPECIAL, /* .reg is an enum ptx_special */
    PTX_O_VAR,     /* address of .var + .offset */
    PTX_O_LABEL,   /* .reg is a label */
    PTX_O_FUNC,    /* .name */
    PTX_O_ADDRESS, /* [reg + offset], [var + offset], [imm] */
    PTX_O_LIST,    /* {a, b} or (a, b) */
    PTX_O_SINK     /* _ */
};

/* clang-format off */
#define PTX_SPECIAL_MAP(X)                                                                                     \
    X(TID_X, "%tid.x") X(TID_Y, "%tid.y") X(TID_Z, "%tid.z") X(NTID_X, "%ntid.x") X(NTID_Y, "%ntid.y")         \
    X(NTID_Z, "%ntid.z") X(CTAID_X, "%ctaid.x") X(CTAID_Y, "%ctaid.y") X(CTAID_Z, "%ctaid.z")                  \
    X(NCTAID_X, "%nctaid.x") X(NCTAID_Y, "%nctaid.y") X(NCTAID_Z, "%nctaid.z") X(LANEID, "%laneid")            \
    X(WARPID, "%warpid") X(NWARPID, "%nwarpid") X(SMID, "%smid") X(NSMID, "%nsmid") X(GRIDID, "%gridid")       \
    X(LANEMASK_EQ, "%lanemask_eq") X(LANEMASK_LE, "%lanemask_le") X(LANEMASK_LT, "%lanemask_lt")               \
    X(LANEMASK_GE, "%lanemask_ge") X(LANEMASK_GT, "%lanemask_gt") X(DYNAMIC_SMEM, "%dynamic_smem_size")        \
    X(TOTAL_SMEM, "%total_smem_size") X(ENVREG1, "%envreg1") X(ENVREG2, "%envreg2") X(CLOCK, "%clock")         \
    X(CLOCK64, "%clock64") X(CLOCK_HI, "%clock_hi") X(GLOBALTIMER, "%globaltimer")                             \
    X(GLOBALTIMER_LO, "%globaltimer_lo") X(GLOBALTIMER_HI, "%globaltimer_hi")                                  \
    X(CLUSTERID_X, "%clusterid.x") X(NCLUSTERID_X, "%nclusterid.x") X(CLUSTER_CTAID_X, "%cluster_ctaid.x")     \
    X(CLUSTER_NCTAID_X, "%cluster_nctaid.x") X(CLUSTER_CTARANK, "%cluster_ctarank")                            \
    X(CLUSTER_NCTARANK, "%cluster_nctarank")
/* clang-format on */
enum ptx_special {
#define X(name, word) PTX_SR_##name,
    PTX_SPECIAL_MAP(X)
#undef X
        PTX_N_SPECIALS
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;              /* !p */
    bool is_float;             /* IMM */
    bool is_f32;               /* IMM spelt 0f... */
    int reg;                   /* REG, SPECIAL, LABEL; ADDRESS: base register or -1 */
    int second;                /* REG: the q of p|q; -1 */
    const struct ptx_var *var; /* VAR, ADDRESS */
    int64_t offset;
    uint64_t bits;
    const char *name;
    int n;
    struct ptx_operand *items; /* LIST */
};

enum { PTX_MAX_OPERANDS = 6, PTX_RETURN = -1 };
struct ptx_inst {
    const char *op; /* whole, as spelt: "ld.global.nc.v4.f32" */
    int guard;      /* predicate register, -1 */
    bool guard_negated;
    int n;
    struct ptx_operand *o; /* at most PTX_MAX_OPERANDS */
    int call;      /* once unfolded (inline.h): a call that stays one, its number + 1; PTX_RETURN: from such a call */
    int line;      /* in the PTX */
    int cuda_line; /* from .loc; 0 unknown */
    int cuda_file; /* .file number */
    bool rolled;   /* the loop that begins here stays as it is: .pragma "nounroll" */
};

struct ptx_func {
    const char *name;
    bool is_entry, has_body;
    int line;
    int n_params, cap_params;
    struct ptx_var **params; /* entries: parameter block; functions: formal parameters */
    int n_rets, cap_rets;
    struct ptx_var **rets;
    int64_t param_bytes;
    int n_regs, cap_regs;
    unsigned char *reg_types; /* enum ptx_type a register */
    int n_vars, cap_vars;
    struct ptx_var **vars; /* .local, .shared and call .param variables declared inside */
    int n_labels, cap_labels;
    int *labels; /* instruction index */
    int n_insts, cap_insts;
    struct ptx_inst *insts;
    int max_threads; /* .maxntid product; 0 */
    bool uses_cluster;
    bool recursive; /* calls itself, by way of others or not */
};

struct ptx_module {
    struct rg_arena arena;
    int n_vars, cap_vars;
    struct ptx_var **vars;
    int n_funcs, cap_funcs;
    struct ptx_func **funcs;
    int n_files, cap_files;
    struct ptx_file {
        int number;
        const char *name;
    } * files;
};

enum {
    PTX_MAX_REGS = 1 << 20, /* of a function */
    PTX_MAX_INSTS = 1 << 20,
    PTX_MAX_DEPTH = 64, /* nested scopes and braces */
    PTX_MAX_TEXT = 64 << 20
};

/* RG_INPUT: "ptx:LINE: text". */
enum rg_status rg__ptx_parse(const char *text, size_t len, struct ptx_module **out, struct rg_error *err);
void rg__ptx_free(struct ptx_module *m); /* NULL is fine */
struct ptx_func *rg__ptx_find(const struct ptx_module *m, const char *name);
/* cycles.c; parsing does it. O(calls * log functions). */
void rg__ptx_mark_recursive(struct ptx_module *m);
bool rg__ptx_is_call(const struct ptx_inst *in);
#endif
