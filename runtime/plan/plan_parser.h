/* The parser of plans: its state, and what its files share. */
#ifndef RG_PLAN_PARSER_H
#define RG_PLAN_PARSER_H
#include "runtime/plan/plan_internal.h"

enum { MAX_SHAPES = 64, MAX_PASSED = 128 };

struct shape { /* dim3 g(x, y, z); */
    const char *name;
    int depth;
    const struct rg_expr *e[3];
};

struct parser {
    struct rg_plan *plan;
    struct rg_arena *a;
    const char *p;
    int line, column;
    int depth, n_stmts;
    int n_shapes;
    struct shape shapes[MAX_SHAPES];
    struct rg_error *err;
    bool failed;  /* in a statement that was passed over */
    int n_passed; /* words of such statements that may have declared them; beyond MAX_PASSED: not all are here */
    const char *passed[MAX_PASSED];
};

static inline bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* All that can fail do so with the error set at the cursor, or where they say. */
void rg__plan_skip(struct parser *ps);                                            /* blanks and comments */
bool rg__plan_fail_at(struct parser *ps, int line, int column, const char *what); /* false */
bool rg__plan_fail(struct parser *ps, const char *what);                          /* "what, not 'x'"; false */
/* Passes `text` where it stands at the cursor, as a whole word if it is one. */
bool rg__plan_take(struct parser *ps, const char *text);
bool rg__plan_expect(struct parser *ps, const char *text, const char *what);
void rg__plan_advance(struct parser *ps, const char *to);
const char *rg__plan_name(struct parser *ps, const char *what); /* NULL where none is */
const struct rg_expr *rg__plan_expression(struct parser *ps);
struct rg_expr *rg__plan_binary(struct parser *ps, enum rg_op op, const struct rg_expr *left,
                                const struct rg_expr *right);
struct rg_expr *rg__plan_leaf(struct parser *ps, enum rg_expr_kind kind, const char *text, int64_t value);
bool rg__plan_is_name(char c);

/* plan_launch.c */
bool rg__plan_shape(struct parser *ps);                                              /* behind "dim3" */
bool rg__plan_attributes(struct parser *ps, struct rg_plan_stmt *s);                 /* "[...]" or nothing */
bool rg__plan_template_arguments(struct parser *ps, struct rg_buf *out);             /* at '<' */
bool rg__plan_launch(struct parser *ps, struct rg_plan_stmt *s, const char *kernel); /* behind the name, ';' included */
#endif
