/* The C function as a tree: what frontend/ read and poly/ transforms; ir/ implements it. One node type for
 * expressions, statements and loops. Preprocessed (no macros left), types resolved, implicit casts explicit where they
 * change a value.
 *
 * Statement level, what poly may rely on:
 *   BLOCK    kids in order
 *   LOOP     canonical and affine: `for (var = lower; var < upper; var += step)`; bounds affine. With kid[3], a local
 *            integer (VAR): it ends before an iteration that would start with 0 there, however many are left
 *   IF       kid[0] condition: affine, or a local integer (VAR) set by a statement in front when the condition depends
 *            on data, so that its reads are that statement's and the arms run perhaps; kid[1] then, kid[2] else (may be
 *            missing)
 *   STMT     one expression statement (ASSIGN, INCDEC, CALL), kid[0]; subscripts may be non-affine (then the access is
 *            conservative); data-dependent conditions inside are COND expressions (if/else chains whose arms only
 * assign one scalar or element are turned into these) DECL     a local variable or array, initialiser as kid[0] where
 * there is one RETURN   only as the last statement of the function: kid[0] is assigned to parameter `result` OPAQUE
 * kid[0] is any C (while, data-dependent bounds, break, calls with pointers); executed as a unit Inside OPAQUE
 * everything of enum rg_c_kind may stand. Affine: integer +, -, * by a constant, / and % by a positive constant (of an
 * expression known >= 0), min, max and ?: of these over enclosing LOOP variables and integer scalar parameters (never
 * reassigned ones). */
#ifndef RG_CTREE_H
#define RG_CTREE_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <rg/expr.h>
#include <rg/problem.h>
#include <stdbool.h>

RG_BEGIN_DECLS

enum rg_c_kind {
    /* expressions */
    RG_C_INT,    /* .ivalue, .text spelling */
    RG_C_REAL,   /* .rvalue, .text spelling */
    RG_C_VAR,    /* .var; a scalar, or an array name used as a pointer (array >= 0) */
    RG_C_INDEX,  /* .array, kids = subscripts, as many as the array has dims (fewer: a row used as pointer) */
    RG_C_MEMBER, /* kid[0] . text; further kids are subscripts of an array member */
    RG_C_UNARY,  /* .op */
    RG_C_BINARY, /* .op; no assignment */
    RG_C_ASSIGN, /* .op: SET, ADD_SET ...; kid[0] the lvalue */
    RG_C_INCDEC, /* .op */
    RG_C_COND,   /* ?: */
    RG_C_CALL,   /* .text callee; kids arguments; .callee >= 0 a helper of the file, -1 a library function */
    RG_C_CAST,   /* to .type; .text the spelling when it is no plain scalar */
    RG_C_COMMA,
    RG_C_INITLIST,
    RG_C_STRING,
    /* statements */
    RG_C_BLOCK,
    RG_C_LOOP,
    RG_C_IF,
    RG_C_STMT,
    RG_C_DECL,
    RG_C_RETURN,
    RG_C_OPAQUE,
    /* inside OPAQUE only */
    RG_C_FOR,   /* kids: init, condition, increment, body; any but the body may be NULL */
    RG_C_WHILE, /* condition, body */
    RG_C_DO,    /* body, condition */
    RG_C_BREAK,
    RG_C_CONTINUE,
    RG_C_SWITCH,
    RG_C_CASE,     /* kid[0] value (NULL: default), kid[1] statement */
    RG_C_VERBATIM, /* .text: preprocessed source, last resort; accesses unknown: everything read and written */
    /* while the tree is being built only */
    RG_C_LABEL, /* .text its name */
    RG_C_GOTO
};

/* Operators, each of one kind of node: name, spelling, kind. The order counts: relations stand in pairs of opposites,
 * what assigns in the order of what it applies. */
/* clang-format off */
#define RG_C_OP_MAP(X)                                                                                                \
    X(NONE, "", INT)                                                                                                  \
    X(NEG, "-", UNARY) X(POS, "+", UNARY) X(NOT, "!", UNARY) X(COMPL, "~", UNARY) X(DEREF, "*", UNARY)                \
    X(ADDRESS, "&", UNARY)                                                                                            \
    X(LT, "<", BINARY) X(GE, ">=", BINARY) X(GT, ">", BINARY) X(LE, "<=", BINARY) X(EQ, "==", BINARY)                 \
    X(NE, "!=", BINARY) X(AND, "&&", BINARY) X(OR, "||", BINARY)                                                      \
    X(ADD, "+", BINARY) X(SUB, "-", BINARY) X(MUL, "*", BINARY) X(DIV, "/", BINARY) X(REM, "%", BINARY)               \
    X(SHL, "<<", BINARY) X(SHR, ">>", BINARY) X(BAND, "&", BINARY) X(BOR, "|", BINARY) X(XOR, "^", BINARY)            \
    X(ADD_SET, "+=", ASSIGN) X(SUB_SET, "-=", ASSIGN) X(MUL_SET, "*=", ASSIGN) X(DIV_SET, "/=", ASSIGN)               \
    X(REM_SET, "%=", ASSIGN) X(SHL_SET, "<<=", ASSIGN) X(SHR_SET, ">>=", ASSIGN) X(BAND_SET, "&=", ASSIGN)            \
    X(BOR_SET, "|=", ASSIGN) X(XOR_SET, "^=", ASSIGN) X(SET, "=", ASSIGN)                                             \
    X(PRE_INC, "++x", INCDEC) X(POST_INC, "x++", INCDEC) X(PRE_DEC, "--x", INCDEC) X(POST_DEC, "x--", INCDEC)
/* clang-format on */
enum rg_c_op {
#define X(name, text, kind) RG_COP_##name,
    RG_C_OP_MAP(X)
#undef X
        RG_N_C_OPS
};
const char *rg_c_op_text(enum rg_c_op op); /* "<<=", "x++" */
/* The kind's operator that is spelt so; NONE: there is none. */
enum rg_c_op rg_c_op_of(enum rg_c_kind kind, const char *text);
/* < >= > <= == != */
static inline bool rg_c_relation(enum rg_c_op op)
{
    return op >= RG_COP_LT && op <= RG_COP_NE;
}
/* The relation that `b op a` is where `a op b` was. */
static inline enum rg_c_op rg_c_converse(enum rg_c_op op)
{
    return op == RG_COP_LT   ? RG_COP_GT
           : op == RG_COP_GT ? RG_COP_LT
           : op == RG_COP_LE ? RG_COP_GE
           : op == RG_COP_GE ? RG_COP_LE
                             : op;
}
/* Of a relation: the one that holds where it does not. */
static inline enum rg_c_op rg_c_opposite(enum rg_c_op op)
{
    return (enum rg_c_op)(RG_COP_LT + ((op - RG_COP_LT) ^ 1));
}
/* Relations, && and ||: 0 or 1. */
static inline bool rg_c_logic(enum rg_c_op op)
{
    return op >= RG_COP_LT && op <= RG_COP_OR;
}
/* && and ||: the right side is perhaps not evaluated. */
static inline bool rg_c_lazy(enum rg_c_op op)
{
    return op == RG_COP_AND || op == RG_COP_OR;
}
/* + - * / % */
static inline bool rg_c_arithmetic(enum rg_c_op op)
{
    return op >= RG_COP_ADD && op <= RG_COP_REM;
}
/* += to +, and back; of SET: NONE. */
static inline enum rg_c_op rg_c_applied(enum rg_c_op op)
{
    return op >= RG_COP_ADD_SET && op < RG_COP_SET ? (enum rg_c_op)(op - RG_COP_ADD_SET + RG_COP_ADD) : RG_COP_NONE;
}
static inline enum rg_c_op rg_c_updating(enum rg_c_op op)
{
    return (enum rg_c_op)(op - RG_COP_ADD + RG_COP_ADD_SET);
}
/* x++ and ++x */
static inline bool rg_c_increments(enum rg_c_op op)
{
    return op == RG_COP_PRE_INC || op == RG_COP_POST_INC;
}

struct rg_cnode {
    enum rg_c_kind kind;
    enum rg_c_op op;     /* UNARY, BINARY, ASSIGN, INCDEC */
    enum rg_scalar type; /* of the value; RG_STRUCT with .struct_index */
    bool pointer;        /* the value is a pointer to type */
    int struct_index;    /* -1 */
    const char *text;
    int64_t ivalue;
    double rvalue;
    int var;    /* VAR, LOOP, DECL: into vars; -1 */
    int array;  /* INDEX, VAR of an array, DECL of an array: into arrays; -1 */
    int callee; /* CALL: into helpers; -1 */
    int n;
    struct rg_cnode **kid; /* LOOP: kid[0] lower, kid[1] upper (exclusive; for a negative step: inclusive lowest value
                              is upper+1, the loop runs var = lower, lower+step, ... while var > upper), kid[2] body,
                              kid[3] (n == 4) the flag it goes on by */
    int64_t step;          /* LOOP: != 0 */
    bool apart;            /* LOOP: its values differ between iterations of the loop whose variable kid[0], an element,
                              names, and of that loop alone; the same where another loop begins there, too */
    bool parallel_hint;    /* LOOP: an ignored `omp parallel for` or `omp simd` stood there */
    bool twins;       /* IF: its arms are one piece of the user's code over other arrays; while the tree is built */
    const char *why;  /* OPAQUE: the reason, one sentence */
    const char *made; /* LOOP: which step gave it its place, for people; NULL: it stands as in the file. Never in a
                         file's tree */
    int value_of; /* BINARY that a step put in place of a loop's variable: which, from 1; 0. Never in a file's tree */
    int edit;     /* LOOP: the number of the change that made it; 0 */
    int piece;    /* LOOP: of one that a step split, which; 0 */
    int line, column; /* in the user's file */
};

enum rg_cvar_kind { RG_CVAR_PARAM, RG_CVAR_ITER, RG_CVAR_LOCAL };
struct rg_cvar {        /* scalars, each declaration its own */
    const char *name;   /* unique in the tree: i, i_2, ... */
    const char *wanted; /* as the file has it; NULL in a tree loaded from a problem */
    enum rg_cvar_kind kind;
    int param; /* PARAM: into problem->params; -1 */
    enum rg_scalar type;
    int struct_index;   /* a local struct; -1 */
    const char *c_type; /* spelling */
    bool assigned;      /* PARAM: the body writes it */
    int64_t modulus;    /* a LOCAL of 64 bits without sign that a pass made: it is below that, and set to e % modulus
                           alone, where e does not wrap around; 0: nothing of the kind. Not in JSON */
    int below;          /* a LOCAL that a pass made: its values are 0 .. below - 1; 0: nobody knows. Not in JSON */
};

struct rg_carray {
    const char *name; /* unique in the tree */
    int param;        /* into problem->params; -1: a local array */
    enum rg_scalar elem;
    int struct_index;
    const char *c_elem;
    int n_dims; /* as subscripted: a flat parameter that was delinearised has more than its parameter */
    const struct rg_expr **dims; /* over integer scalar parameters; dims[0] may be NULL: unknown extent */
    bool delinearised;
    bool partial; /* while the tree is being built: the parameter may end within the last of its rows; and */
    const struct rg_cnode *last_row; /* how long that one is then, of two dimensions; NULL unknown */
    const struct rg_expr *flat;      /* while the tree is being built: the extent that a delinearised local array was
                                        allocated with; NULL unknown */
    bool constant_table;             /* file-scope const array, known to the device as device_decls */
    bool bounded;                    /* ... of integers that all lie in least .. most; not in a problem's JSON */
    int64_t least, most;
    const int64_t *values; /* ... of one dimension: they; NULL unknown; not in a problem's JSON */
    bool mallocd;          /* local scratch from malloc/calloc */
    bool begins; /* local: what an iteration of the loops in its subscript begins to count at; a local that is declared
                    as an element of it names, in that iteration, elements that no other one names by such a local */
    bool distinct;     /* wherever it is read no two of its elements are equal: places that were sorted, a list */
    int copies;        /* local, while the tree is being built: has the extents of array `copies` - 1; 0: its own */
    bool is_const;     /* pointee const, or a constant table: never written */
    bool rows_apart;   /* behind pointers to them, which the C may have set to memory of their own; while the tree is
                          being built */
    bool walked;       /* a pointer goes along one of its rows, perhaps into the next; while the tree is being built */
    bool walked_whole; /* ... along its first row: perhaps along all of it */
    bool view; /* stands for a pointer variable while the tree is being built; nothing in a finished tree names one */
};

struct rg_chelper { /* a function of the file that is called */
    const char *name;
    const char *c_text; /* its preprocessed definition, static inline */
    bool pure;          /* no pointer parameter, no global written, no I/O */
    bool rejected;      /* cannot run on a device */
    const char *why;
    int extreme;    /* it gives the lesser (-1) or the greater (1) of its two numbers; 0 */
    unsigned reads; /* bit i: what argument i points to is only read */
};

/* Changes of the loop nest that are made before the first step, where an estimate or a proof says that they pay. */
enum rg_preparation {
    RG_PREPARE_LAST_WRITER, /* stores that data lead become the last iteration's */
    RG_PREPARE_PING_PONG,   /* buffers of a time loop take turns, where they were copied */
    RG_PREPARE_FISSION,     /* a loop in parts */
    RG_PREPARE_LAST_VALUE,  /* scalars that are read behind a loop are kept by its last iteration */
    RG_PREPARE_EXPAND,      /* a place for each iteration of what it fills before it reads it */
    RG_N_PREPARATIONS
};
const char *rg_preparation_word(enum rg_preparation p); /* "ping.pong": a step's word */
/* Its bit of rg_ctree.without; 0: no such word. */
unsigned rg_preparation_bit(const char *word);

struct rg_prepared {
    enum rg_preparation what;
    const char *loop; /* its variable */
    int line;         /* of the loop, in the user's file */
};

struct rg_ctree {
    struct rg_arena arena;
    unsigned without; /* bits of preparations that are not to be made */
    int n_prepared;
    const struct rg_prepared *prepared; /* those that were, in their order */
    int n_vars, cap_vars;
    struct rg_cvar *vars;
    int n_arrays, cap_arrays;
    struct rg_carray *arrays;
    int n_helpers, cap_helpers;
    struct rg_chelper *helpers;
    int result_array;      /* array of parameter `result`; -1 */
    struct rg_cnode *root; /* BLOCK */
};

void rg_ctree_free(struct rg_ctree *t);
/* One more preparation was made to `loop`; the list is `a`'s from then on. */
void rg_ctree_prepare(struct rg_arena *a, struct rg_ctree *t, enum rg_preparation what, const char *loop, int line);
/* The tree is part of a problem file: problem->tree_json. */
char *rg_ctree_to_json(const struct rg_ctree *t);
enum rg_status rg_ctree_from_json(const char *text, struct rg_ctree **out, struct rg_error *err);
/* RG_INPUT when the tree's parameters, structs and extents are not the problem's: asked for once after both were loaded
 * from a file, so that readers may index problem->params and problem->structs with what the tree holds. */
enum rg_status rg_ctree_fits(const struct rg_ctree *t, const struct rg_problem *p, struct rg_error *err);

struct rg_cnode *rg_cnode_new(struct rg_ctree *t, enum rg_c_kind kind, int n_kids);

/* May the node stand where affine is asked for? Iterators are LOOP variables enclosing the place. */
bool rg_c_affine(const struct rg_ctree *t, const struct rg_cnode *e);

/* Every array element and scalar variable a node reads or writes, in evaluation order. */
struct rg_caccess {
    const struct rg_cnode *node; /* INDEX or VAR (under MEMBER: the INDEX below) */
    int array;                   /* >= 0: an array; -1: scalar `var` */
    int var;
    bool read, write; /* both for += */
    bool whole; /* not element-wise known: row pointer passed to a call, VERBATIM. Subscripts may still be non-affine
                   without it */
    uint32_t varies; /* bit d: inside an OPAQUE in which that subscript takes any number of values (the 32nd: and all
                        behind it) */
    bool certain;    /* executed whenever the statement is (not under a COND or inner IF) */
};
void rg_c_accesses(const struct rg_ctree *t, const struct rg_cnode *n,
                   void (*fn)(void *arg, const struct rg_caccess *a), void *arg);

/* x of an INDEX whose subscripts are those of element x of a flat array, by division: a[x / m][x % m] of rows of m.
 * NULL: they are none. */
const struct rg_cnode *rg_c_linear(const struct rg_ctree *t, const struct rg_cnode *n);

/* C/CUDA text of any node. Hooks return true when they printed the node themselves. */
struct rg_c_printer {
    void *arg;
    bool (*node)(void *arg, struct rg_buf *out, const struct rg_cnode *n); /* asked first for every expression node */
    int indent;
};
void rg_c_print(struct rg_buf *out, const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_c_printer *p);
RG_END_DECLS
#endif
