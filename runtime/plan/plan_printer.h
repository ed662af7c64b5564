/* Printing a checked plan: shared by plan_print.c (statements) and plan_print_expr.c. */
#ifndef RG_PLAN_PRINTER_H
#define RG_PLAN_PRINTER_H
#include "runtime/plan/plan_internal.h"

struct rg__buffer {
    const char *name;
    enum rg_scalar elem;
    int struct_index, param;        /* param -1: scratch */
    const struct rg_expr *elements; /* scratch */
};

struct rg__printer {
    struct rg_buf *out;
    const struct rg_plan *plan; /* NULL: no names but the parameters */
    const struct rg_problem *problem;
    const struct rg__host *host;
    struct rg_arena a;                    /* of lowered expressions */
    const struct rg_plan_stmt *launching; /* the cooperative launch whose grid is being printed */
};

const char *rg__print_local(const struct rg__printer *p, const char *name);
const char *rg__print_kernel_name(const struct rg__printer *p, const char *name);
bool rg__print_buffer(const struct rg__printer *p, const char *name, struct rg__buffer *out); /* false: no such array */
struct rg_expr *rg__print_lowered_elements(struct rg__printer *p, const struct rg__buffer *b); /* how many it has */
void rg__print_integer(struct rg__printer *p, const struct rg_expr *e);
void rg__print_real(struct rg__printer *p, const struct rg_expr *e);
#endif
