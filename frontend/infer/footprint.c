/* Bytes that must move: distinct elements of every array parameter that affine accesses read, unless it is an output
 * only, and that they write. Counted by isl at the timed size; what is conditional or not affine is left out. */
#include "frontend/infer/access_sets.h"
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 128, MAX_SUBSCRIPTS = 8, COUNT_OPERATIONS = 2000000 };

struct footprint {
    struct rg__at_sizes at;
    int array;
    bool written;
    bool unknown;
    bool partial; /* some access is not counted: it may never happen, data decides where, or counting takes too long */
    int n_sets;
    char *sets[MAX_SETS]; /* of elements, in isl's notation; a set of each kind of access */
};

static void visit(void *arg, const struct rg__visit *v)
{
    struct footprint *f = arg;
    if (v->node->array != f->array || (f->written ? !v->write : !v->read)) return;
    if (v->pointer || v->node->n > MAX_SUBSCRIPTS) {
        f->unknown = true;
        return;
    }
    struct rg_buf set = RG_BUF_INIT;
    bool affine = v->certain && rg__access_set(&f->at, v, &set), known = false;
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
            struct footprint f = {.at.t = t, .array = a, .written = pass == 1};
            rg_problem_env_init(&f.at.env, p, &p->sizes[0]);
            f.at.env.env.arg = &f.at.env;
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
