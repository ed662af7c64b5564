/* The check of plans: what its files share. */
#ifndef RG_PLAN_CHECKER_H
#define RG_PLAN_CHECKER_H
#include "runtime/plan/plan_internal.h"

struct symbol {
    const char *name;
    bool buffer;                   /* a scratch buffer; else an integer variable */
    bool constant;                 /* a variable that scratch extents may use */
    const struct rg_expr *literal; /* its value, of a constant that depends on nothing: `require` may use it */
    enum rg_scalar elem;
    int struct_index;
};

struct checker {
    struct rg_plan *plan;
    const struct rg_problem *problem;
    const struct rg_kernel_sig *sigs;
    struct rg_error *err;
    int n, depth;
    struct symbol symbols[RG__PLAN_MAX_NAMES];
    bool only_constants; /* inside a scratch extent */
    bool cooperative;    /* inside the grid of a cooperative launch */
    int loops;           /* around the statement */
    const char *want;    /* while names are searched */
    bool found;
    struct rg_error *names; /* where names that nothing declares are told; usually .err */
    int n_unread;           /* words of statements that could not be read: they may have declared them */
    const char *const *unread;
    int n_missing;
    const char *missing[16]; /* names that nothing declares: each is told once, where it is first used */
};

struct buffer { /* what a name of a buffer means */
    bool input;
    enum rg_scalar elem;
    int struct_index;
};

/* Notes what is wrong; false. The check goes on: a model is told of everything at once. */
bool rg__check_fail(struct checker *c, int line, int column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
struct symbol *rg__check_find(struct checker *c, const char *name);
bool rg__check_buffer(struct checker *c, const char *name, struct buffer *out);
bool rg__check_is_buffer(void *checker, const char *name);
bool rg__check_int(struct checker *c, const struct rg_expr *e);
/* An integer, or whether a comparison of reals holds. */
bool rg__check_truth(struct checker *c, const struct rg_expr *e);
bool rg__check_real(struct checker *c, const struct rg_expr *e);
const char *rg__check_elem_name(const struct checker *c, enum rg_scalar elem, int struct_index);
bool rg__check_launch(struct checker *c, struct rg_plan_stmt *s); /* plan_check_launch.c */
#endif
