/* Integer expressions: extents, `require`, tunable constraints and everything a plan computes. One language.
 * 64-bit, C precedence, every overflow and division by zero an error.
 *   + - * / % (C99 truncation), comparisons, && || ! (short circuit), unary -, ?:, parentheses, decimal and hex
 *   integers, names, calls NAME(args), elements NAME[e]. Built in: min, max, ceil_div, abs, pow2 (of an exponent),
 *   pow2_from (the least power of two that is at least its argument). sizeof(T) parses to a
 *   call "sizeof" whose argument is a name holding the type's words ("unsigned char").
 * Real literals parse (plans pass them to kernels) and are an error where an integer is evaluated,
 * but inside trunc(R), the whole part of a real number. R is computed in double: + - * /, unary -, real literals, names
 * of real numbers, real(INTEGER), f32(R) (rounded to float), sqrt, cbrt, floor, ceil, round, fabs, exp, log, log2,
 * log10, pow, fmin, fmax. A plan does not know trunc; derived parameters and extents do. */
#ifndef RG_EXPR_H
#define RG_EXPR_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

enum rg_expr_kind {
    RG_EXPR_INT,
    RG_EXPR_REAL,
    RG_EXPR_NAME,
    RG_EXPR_UNARY,
    RG_EXPR_BINARY,
    RG_EXPR_COND,
    RG_EXPR_CALL,
    RG_EXPR_INDEX
};

enum rg_op {
    RG_OP_ADD,
    RG_OP_SUB,
    RG_OP_MUL,
    RG_OP_DIV,
    RG_OP_MOD,
    RG_OP_LT,
    RG_OP_LE,
    RG_OP_GT,
    RG_OP_GE,
    RG_OP_EQ,
    RG_OP_NE,
    RG_OP_AND,
    RG_OP_OR,
    RG_OP_NOT,
    RG_OP_NEG
};

struct rg_expr {
    enum rg_expr_kind kind;
    enum rg_op op;    /* UNARY, BINARY */
    int64_t value;    /* INT */
    double real;      /* REAL */
    const char *name; /* NAME, CALL, INDEX; REAL: its spelling ("1.5f") */
    int n_args;       /* operands; COND: condition, then, else; INDEX: one */
    struct rg_expr **args;
    int line, column; /* of its first token, from 1, relative to the text given */
};

/* Parses one expression from *cursor, which is left behind its last token (blanks skipped). All memory in `a`.
 * `line`/`column`: position of *cursor, for messages. << and >> by an exponent are operators (of numbers that are not
 * negative: a * pow2(b), a / pow2(b)). */
enum rg_status rg_expr_parse(struct rg_arena *a, const char **cursor, const char *file, int line, int column,
                             const struct rg_expr **out, struct rg_error *err);
/* The same in a plan, where << and >> begin and end the brackets of a launch. */
enum rg_status rg_expr_parse_in_plan(struct rg_arena *a, const char **cursor, const char *file, int line, int column,
                                     const struct rg_expr **out, struct rg_error *err);
/* The whole of `text` must be one expression. */
enum rg_status rg_expr_parse_all(struct rg_arena *a, const char *text, const struct rg_expr **out,
                                 struct rg_error *err);

struct rg_expr_env {
    void *arg;
    /* 1 known (value stored), 0 unknown */
    int (*name)(void *arg, const char *name, int64_t *value);
    /* CALL and INDEX nodes that are not built in; NULL: an error. `e` unevaluated. */
    enum rg_status (*call)(void *arg, const struct rg_expr *e, const struct rg_expr_env *env, int64_t *value,
                           struct rg_error *err);
    /* as `name`, of names inside trunc(); NULL: none is known */
    int (*real)(void *arg, const char *name, double *value);
};

/* Arguments of the function of real numbers that trunc() knows by this name ("sqrt", "f32"); 0: it knows none. */
int rg_expr_real_function(const char *name);

enum rg_status rg_expr_eval(const struct rg_expr *e, const struct rg_expr_env *env, int64_t *out, struct rg_error *err);
/* Environment over parallel arrays of names and values. */
struct rg_expr_table {
    int n;
    const char *const *names;
    const int64_t *values;
};
int rg_expr_table_name(void *table, const char *name, int64_t *value);

/* C text, fully parenthesised where needed. rename NULL: names as they are. */
void rg_expr_print(struct rg_buf *out, const struct rg_expr *e, const char *(*rename)(void *, const char *), void *arg);
/* Calls fn for every NAME (and the name of INDEX nodes), in order. */
void rg_expr_names(const struct rg_expr *e, void (*fn)(void *, const char *), void *arg);
struct rg_expr *rg_expr_clone(struct rg_arena *a, const struct rg_expr *e);
bool rg_expr_equal(const struct rg_expr *a, const struct rg_expr *b); /* structural */
RG_END_DECLS
#endif
