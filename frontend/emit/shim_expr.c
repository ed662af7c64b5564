/* Expressions of sizes as C behind the user's file, in which min and the like are either nobody's or the user's own. */
#include "frontend/emit/emit.h"
#include <string.h>

static const char *const own[] = {"min", "max", "ceil_div", "abs", "pow2", "pow2_from", "trunc", "real", "f32"};

void rg__shim_functions(struct rg_buf *out)
{
    rg_buf_str(
        out,
        "static inline long long rg_size_min(long long a, long long b) { return a < b ? a : b; }\n"
        "static inline long long rg_size_max(long long a, long long b) { return a > b ? a : b; }\n"
        "static inline long long rg_size_abs(long long a) { return a < 0 ? -a : a; }\n"
        "static inline long long rg_size_ceil_div(long long a, long long b)\n"
        "{ return a / b + (a % b != 0 && (a < 0) == (b < 0)); }\n"
        "static inline long long rg_size_pow2(long long e) { return e >= 0 && e < 63 ? 1ll << e : 0; }\n"
        "static inline long long rg_size_pow2_from(long long n)\n"
        "{ long long p = 1; while (p < n && p < 1ll << 62) p *= 2; return p; }\n"
        "static inline long long rg_size_trunc(double x) { return x < 0x1p62 && x > -0x1p62 ? (long long)x : 0; }\n"
        "static inline double rg_size_real(long long n) { return (double)n; }\n"
        "static inline double rg_size_f32(double x) { return (double)(float)x; }\n");
}

static void own_names(struct rg_arena *a, struct rg_expr *e)
{
    for (size_t i = 0; e->kind == RG_EXPR_CALL && i < sizeof own / sizeof *own; i++)
        if (!strcmp(e->name, own[i])) {
            e->name = rg_arena_printf(a, "rg_size_%s", own[i]);
            break;
        }
    for (int i = 0; i < e->n_args; i++) own_names(a, (struct rg_expr *)e->args[i]);
}

void rg__shim_expr(struct rg_arena *a, struct rg_buf *out, const struct rg_expr *e,
                   const char *(*rename)(void *, const char *), void *arg)
{
    struct rg_expr *c = rg_expr_clone(a, e); /* its arguments are its own */
    own_names(a, c);
    rg_expr_print(out, c, rename, arg);
}
