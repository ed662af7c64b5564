/* Bytes that must move: distinct elements of every array parameter that affine accesses read, unless it is an output
 * only, and that they write. Counted by isl at the timed size; what is conditional or not affine is left out. */
#include "frontend/infer/infer.h"
#include "ir/access_walk.h"
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 128, MAX_SUBSCRIPTS = 8, COUNT_OPERATIONS = 2000000 };

struct footprint {
    const struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_problem_env env;
    int array;
    bool written;
    bool unknown;
    bool partial; /* some access is not counted: it may never happen, data decides where, or counting takes too long */
    int n_sets;
    char *sets[MAX_SETS]; /* of elements, in isl's notation; a set of each kind of access */
};

/* Range of an affine expression over the loops around it, by interval arithmetic. */
static bool interval(const struct footprint *f, const struct rg__visit *v, const struct rg_cnode *e, int depth,
                     double *lo, double *hi)
{
    double a, b, c, d;
    if (depth > 24) return false;
    switch (e->kind) {
    case RG_C_INT:
        return *lo = *hi = (double)e->ivalue, true;
    case RG_C_CAST:
        return interval(f, v, e->kid[0], depth + 1, lo, hi);
    case RG_C_VAR:
        if (e->array >= 0) return false;
        for (int i = 0; i < v->range->n_loops; i++) {
            const struct rg_cnode *l = v->range->loops[i];
            if (l->var != e->var) continue;
            if (!interval(f, v, l->kid[0], depth + 1, &a, &b) || !interval(f, v, l->kid[1], depth + 1, &c, &d))
                return false;
            if (l->step > 0)
                *lo = a, *hi = d - 1;
            else
                *lo = c + 1, *hi = b;
            return true;
        }
        if (f->t->vars[e->var].kind == RG_CVAR_PARAM) {
            int64_t x;
            if (!f->env.env.name((void *)(uintptr_t)&f->env, f->t->vars[e->var].name, &x)) return false;
            *lo = *hi = (double)x;
            return true;
        }
        return false;
    case RG_C_UNARY:
        if (e->op != RG_COP_NEG || !interval(f, v, e->kid[0], depth + 1, &a, &b)) return false;
        return *lo = -b, *hi = -a, true;
    case RG_C_BINARY: {
        if (!rg_c_arithmetic(e->op) || !interval(f, v, e->kid[0], depth + 1, &a, &b) ||
            !interval(f, v, e->kid[1], depth + 1, &c, &d))
            return false;
        double x[4] = {a * c, a * d, b * c, b * d};
        switch (e->op) {
        case RG_COP_ADD:
            return *lo = a + c, *hi = b + d, true;
        case RG_COP_SUB:
            return *lo = a - d, *hi = b - c, true;
        case RG_COP_MUL:
            *lo = *hi = x[0];
            for (int i = 1; i < 4; i++) {
                if (x[i] < *lo) *lo = x[i];
                if (x[i] > *hi) *hi = x[i];
            }
            return true;
        case RG_COP_DIV:
            return c == d && c > 0 && a >= 0 && (*lo = (double)(int64_t)(a / c), *hi = (double)(int64_t)(b / c), true);
        case RG_COP_REM:
            return c == d && c > 0 && a >= 0 && (*lo = 0, *hi = b < c - 1 ? b : c - 1, true);
        default:
            return false;
        }
    }
    case RG_C_COND:
        if (!interval(f, v, e->kid[1], depth + 1, &a, &b) || !interval(f, v, e->kid[2], depth + 1, &c, &d))
            return false;
        return *lo = a < c ? a : c, *hi = b > d ? b : d, true;
    default:
        return false;
    }
}

/* A constant where the sizes make it one. */
static bool fixed(const struct footprint *f, const struct rg__visit *v, const struct rg_cnode *e, int64_t *x)
{
    double lo, hi;
    if (!interval(f, v, e, 0, &lo, &hi) || lo != hi || lo < -9e15 || lo > 9e15) return false;
    *x = (int64_t)lo;
    return true;
}

/* The expression over the variables of the loops around it, v0, v1, ... from outside in; false: not affine. */
static bool print(const struct footprint *f, const struct rg__visit *v, const struct rg_cnode *e, struct rg_buf *out)
{
    int64_t x;
    if (fixed(f, v, e, &x)) {
        rg_buf_printf(out, "%lld", (long long)x);
        return true;
    }
    switch (e->kind) {
    case RG_C_CAST:
        return print(f, v, e->kid[0], out);
    case RG_C_VAR:
        for (int i = 0; e->array < 0 && i < v->range->n_loops; i++)
            if (v->range->loops[i]->var == e->var) {
                rg_buf_printf(out, "v%d", i);
                return true;
            }
        return false;
    case RG_C_UNARY:
        rg_buf_str(out, "(-");
        if (e->op != RG_COP_NEG || !print(f, v, e->kid[0], out)) return false;
        rg_buf_char(out, ')');
        return true;
    case RG_C_BINARY: {
        const enum rg_c_op op = e->op;
        double lo, hi;
        if (!rg_c_arithmetic(op)) return false;
        if (op == RG_COP_MUL && !fixed(f, v, e->kid[0], &x) && !fixed(f, v, e->kid[1], &x)) return false;
        /* C rounds to zero, isl down: the same from 0 on */
        if ((op == RG_COP_DIV || op == RG_COP_REM) &&
            (!fixed(f, v, e->kid[1], &x) || x <= 0 || !interval(f, v, e->kid[0], 0, &lo, &hi) || lo < 0))
            return false;
        rg_buf_str(out, op == RG_COP_DIV ? "floor((" : "((");
        if (!print(f, v, e->kid[0], out)) return false;
        rg_buf_str(out, op == RG_COP_REM   ? ") mod ("
                        : op == RG_COP_DIV ? ")/("
                        : op == RG_COP_MUL ? ")*("
                        : op == RG_COP_ADD ? ")+("
                                           : ")-(");
        if (!print(f, v, e->kid[1], out)) return false;
        rg_buf_str(out, "))");
        return true;
    }
    default:
        return false;
    }
}

/* { [s0, s1] : exists (v0, v1 : ...) }: the elements that an access touches. */
static bool print_set(const struct footprint *f, const struct rg__visit *v, struct rg_buf *out)
{
    int loops = v->range->n_loops;
    rg_buf_str(out, "{ [");
    for (int d = 0; d < v->node->n; d++) rg_buf_printf(out, d ? ", s%d" : "s%d", d);
    rg_buf_str(out, "] : ");
    if (loops) rg_buf_str(out, "exists (");
    for (int i = 0; i < loops; i++) rg_buf_printf(out, i ? ", v%d" : "v%d", i);
    if (loops) rg_buf_str(out, " : ");
    for (int i = 0; i < loops; i++) {
        const struct rg_cnode *l = v->range->loops[i];
        if (!l->step) return false;
        if (i) rg_buf_str(out, " and ");
        /* upwards from kid 0 to below kid 1, downwards from kid 0 to above kid 1 */
        if (!print(f, v, l->kid[0], out)) return false;
        rg_buf_str(out, l->step > 0 ? " <= " : " >= ");
        rg_buf_printf(out, l->step > 0 ? "v%d < " : "v%d > ", i);
        if (!print(f, v, l->kid[1], out)) return false;
        if (l->step == 1 || l->step == -1) continue;
        rg_buf_printf(out, " and (v%d - (", i);
        if (!print(f, v, l->kid[0], out)) return false;
        rg_buf_printf(out, ")) mod %lld = 0", (long long)(l->step > 0 ? l->step : -l->step));
    }
    for (int d = 0; d < v->node->n; d++) {
        rg_buf_printf(out, d || loops ? " and s%d = " : "s%d = ", d);
        if (!print(f, v, v->node->kid[d], out)) return false;
    }
    rg_buf_str(out, loops ? ") }" : " }");
    return true;
}

static void visit(void *arg, const struct rg__visit *v)
{
    struct footprint *f = arg;
    if (v->node->array != f->array || (f->written ? !v->write : !v->read)) return;
    if (v->pointer || v->node->n > MAX_SUBSCRIPTS) {
        f->unknown = true;
        return;
    }
    struct rg_buf set = RG_BUF_INIT;
    bool affine = v->certain && print_set(f, v, &set), known = false;
    for (int i = 0; affine && i < f->n_sets && !known; i++) known = !strcmp(f->sets[i], set.data);
    if (affine && !known && f->n_sets < MAX_SETS)
        f->sets[f->n_sets++] = rg_xstrdup(set.data);
    else
        f->partial |= !known; /* may never happen, or data decides: not compulsory */
    rg_buf_release(&set);
}

/* The box of a set, when it is one: isl counts point by point. */
static bool box_volume(isl_set *s, double *volume)
{
    struct rg_buf text = RG_BUF_INIT;
    int n = (int)isl_set_dim(s, isl_dim_set);
    *volume = 1;
    rg_buf_str(&text, "{ [");
    for (int d = 0; d < n; d++) rg_buf_printf(&text, d ? ", s%d" : "s%d", d);
    rg_buf_str(&text, "] : ");
    bool ok = n > 0;
    for (int d = 0; d < n && ok; d++) {
        isl_val *lo = isl_set_dim_min_val(isl_set_copy(s), d), *hi = isl_set_dim_max_val(isl_set_copy(s), d);
        ok = lo && hi && isl_val_is_int(lo) == isl_bool_true && isl_val_is_int(hi) == isl_bool_true;
        if (ok) {
            long long a = isl_val_get_num_si(lo), b = isl_val_get_num_si(hi);
            rg_buf_printf(&text, d ? " and %lld <= s%d <= %lld" : "%lld <= s%d <= %lld", a, d, b);
            *volume *= (double)(b - a + 1);
        }
        isl_val_free(lo);
        isl_val_free(hi);
    }
    rg_buf_str(&text, " }");
    isl_set *box = ok ? isl_set_read_from_str(isl_set_get_ctx(s), text.data) : NULL;
    ok = box && isl_set_is_equal(s, box) == isl_bool_true;
    isl_set_free(box);
    rg_buf_release(&text);
    return ok;
}

/* Distinct elements of all its sets; partial when that takes too long. */
static double elements(struct footprint *f, isl_ctx *ctx)
{
    isl_set *all = NULL;
    double n = 0;
    isl_ctx_reset_operations(ctx);
    for (int i = 0; i < f->n_sets; i++) {
        isl_set *one = isl_set_read_from_str(ctx, f->sets[i]);
        all = all ? isl_set_union(all, one) : one;
    }
    if (all) all = isl_set_coalesce(all);
    if (all && isl_set_is_empty(all) != isl_bool_true && !box_volume(all, &n)) {
        isl_val *count = isl_set_count_val(all);
        if (count && isl_val_is_int(count) == isl_bool_true)
            n = isl_val_get_d(count);
        else
            n = 0, f->partial = true;
        isl_val_free(count);
    }
    if (f->n_sets && !all) f->partial = true;
    isl_set_free(all);
    isl_ctx_reset_error(ctx);
    for (int i = 0; i < f->n_sets; i++) free(f->sets[i]);
    return n;
}

void rg__compulsory(struct rg_problem *p, struct rg_ctree *t)
{
    p->compulsory_read_bytes = p->compulsory_write_bytes = -1;
    p->compulsory_counted = false;
    if (!t || !p->n_sizes) return;
    double read = 0, write = 0;
    struct rg__given *given = rg__given_of(t, p);
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, COUNT_OPERATIONS);
    bool unknown = false, partial = false;
    for (int a = 0; a < t->n_arrays; a++) {
        int i = t->arrays[a].param;
        if (i < 0 || t->arrays[a].constant_table) continue;
        const struct rg_param *q = &p->params[i];
        int64_t limit;
        if (rg_problem_elements(p, i, &p->sizes[0], &limit, NULL) != RG_OK) continue;
        for (int pass = 0; pass < 2; pass++) {
            if (pass == 0 && q->role == RG_ROLE_OUT) continue;
            if (pass == 1 && q->role == RG_ROLE_IN) continue;
            struct footprint f = {.p = p, .t = t, .array = a, .written = pass == 1};
            rg_problem_env_init(&f.env, p, &p->sizes[0]);
            f.env.env.arg = &f.env;
            rg__each_access(t, t->root, given, visit, &f);
            double n = elements(&f, ctx);
            (pass ? &write : &read)[0] += (n < (double)limit ? n : (double)limit) * (double)q->elem_bytes;
            unknown |= f.unknown;
            partial |= f.partial;
        }
    }
    isl_ctx_free(ctx);
    rg__given_free(given);
    if (unknown || read + write <= 0) return;
    p->compulsory_read_bytes = read;
    p->compulsory_write_bytes = write;
    p->compulsory_counted = !partial;
}
