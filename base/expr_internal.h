/* Between the files of rg/expr.h. */
#ifndef RG_EXPR_INTERNAL_H
#define RG_EXPR_INTERNAL_H
#include <rg/expr.h>
/* Sets RG_INPUT with `what` and the expression's text; returns it. */
enum rg_status rg__expr_error(const struct rg_expr *e, const char *what, struct rg_error *err);
/* The value of a real expression (what stands inside trunc). */
enum rg_status rg__expr_real(const struct rg_expr *e, const struct rg_expr_env *env, double *out, struct rg_error *err);
/* trunc(R): RG_INPUT where the value is not finite or 2^62 and more. */
enum rg_status rg__expr_trunc(const struct rg_expr *e, const struct rg_expr_env *env, int64_t *out,
                              struct rg_error *err);
#endif
