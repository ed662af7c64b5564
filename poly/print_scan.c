/* The three kernels of a scan. A thread has a run of neighbouring iterations; part[] holds first what each adds, then
 * what lies in front of it. */
#include "poly/print.h"
#include <string.h>

static const char *part_name(struct poly_print *pr)
{
    return rg__poly_fresh(pr, "part%d_%.60s", pr->k->scan_first, pr->t->vars[pr->k->scan_var].name);
}

static const char *type_of(struct poly_print *pr)
{
    return rg__poly_var_type(pr, pr->k->scan_var);
}

const char *rg__poly_scan_grid(struct poly_print *pr)
{
    return rg__poly_printf(pr, "max(1, min(%lld, ceil_div(%s, %lld)))", (long long)pr->v.grid,
                           rg__poly_dim_count(pr, pr->k->reduce_loop, true), (long long)pr->v.block);
}

void rg__poly_scan_scratch(struct poly_print *pr, struct rg_buf *plan)
{
    if (pr->k->form == POLY_SCAN_TOTALS)
        rg_buf_printf(plan, "scratch %s %s[%lld];\n", rg_scalar_c(pr->t->vars[pr->k->scan_var].type), part_name(pr),
                      (long long)(pr->v.grid * pr->v.block));
}

void rg__poly_scan_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass, int *n)
{
    if (pr->k->form < POLY_SCAN_TOTALS)
        return;
    rg_buf_printf(decl, "%s%s%s *%s", *n ? ", " : "", pr->k->form == POLY_SCAN_APPLY ? "const " : "", type_of(pr), part_name(pr));
    rg_buf_printf(pass, "%s%s", *n ? ", " : "", part_name(pr));
    ++*n;
    if (pr->k->form == POLY_SCAN_OFFSETS) {
        rg_buf_printf(decl, ", int %s", rg__poly_fresh(pr, "parts"));
        rg_buf_printf(pass, ", %s * %lld", rg__poly_scan_grid(pr), (long long)pr->v.block);
        ++*n;
    }
}

/* This thread's run of iterations. */
static void run(struct poly_print *pr)
{
    const struct poly_knode *k = pr->k->body->kid[0];
    const struct poly_loop *l = &pr->s->loops[k->loop];
    const char *type = rg__poly_index_type(pr, l->var), *first = rg__poly_fresh(pr, "first"), *last = rg__poly_fresh(pr, "last");
    const char *each = rg__poly_fresh(pr, "each"), *thread = rg__poly_fresh(pr, "thread"), *count = rg__poly_fresh(pr, "count");
    const char *lo = rg__poly_addend(pr, l->node->kid[0]);
    lo = strcmp(lo, "0") ? rg__poly_printf(pr, "%s + ", lo) : "";
    rg__poly_line(pr, "const long long %s = %s(%s * %s < %s ? %s * %s : %s);", first, lo, thread, each, count, thread, each, count);
    rg__poly_line(pr, "const long long %s = %s((%s + 1) * %s < %s ? (%s + 1) * %s : %s);", last, lo, thread, each, count, thread, each, count);
    rg__poly_open_brace(pr, "for (%s %s = (%s)%s; %s < %s; %s++)", type, l->name, type, first, rg__poly_signed(pr, l->id, l->name), last, l->name);
    rg__poly_thread_code(pr, k->kid[0]);
    rg__poly_close_brace(pr);
}

static void places(struct poly_print *pr)
{
    const struct poly_loop *l = &pr->s->loops[pr->k->reduce_loop];
    const char *all = rg__poly_fresh(pr, "all"), *count = rg__poly_fresh(pr, "count");
    rg__poly_line(pr, "const long long %s = (long long)blockIdx.x * \1BLOCK + threadIdx.x, %s = (long long)gridDim.x * \1BLOCK;",
                  rg__poly_fresh(pr, "thread"), all);
    const char *lo = rg__poly_operand(pr, l->node->kid[0]), *hi = rg__poly_limit(pr, l->id);
    rg__poly_line(pr, "const long long %s = %s > %s ? (long long)%s - %s : 0, %s = (%s + %s - 1) / %s;", count, hi, rg__poly_signed(pr, l->id, lo),
                  hi, rg__poly_signed(pr, l->id, lo), rg__poly_fresh(pr, "each"), count, all, all);
}

static void totals(struct poly_print *pr)
{
    struct poly_acc a = {-1, pr->k->scan_var, pr->k->scan_op, pr->t->vars[pr->k->scan_var].type, NULL};
    places(pr);
    int before = rg__poly_open_accumulators(pr, &a, 1);
    run(pr);
    rg__poly_line(pr, "%s[%s] = %s;", part_name(pr), rg__poly_fresh(pr, "thread"), pr->acc[before].name);
    pr->n_acc = before;
}

static void offsets(struct poly_print *pr)
{
    const char *t = type_of(pr), *part = part_name(pr), *s = rg__poly_var_name(pr, pr->k->scan_var), *parts = rg__poly_fresh(pr, "parts");
    enum poly_op op = pr->k->scan_op;
    const char *none = rg__poly_printf(pr, "(%s)(%s)", t, rg__poly_identity(pr, op, pr->t->vars[pr->k->scan_var].type));
    const char *b = rg__poly_fresh(pr, "b"), *mine = rg__poly_fresh(pr, "mine"), *total = rg__poly_fresh(pr, "total"), *d = rg__poly_fresh(pr, "d"),
               *left = rg__poly_fresh(pr, "left"), *own = rg__poly_fresh(pr, "own"), *from = rg__poly_fresh(pr, "from"), *to = rg__poly_fresh(pr, "to");
    rg__poly_line(pr, "__shared__ %s %s[\1BLOCK];", t, total);
    rg__poly_line(pr, "const int %s = (int)((long long)%s * threadIdx.x / \1BLOCK), %s = (int)((long long)%s * (threadIdx.x + 1) / \1BLOCK);", from,
                  parts, to, parts);
    rg__poly_line(pr, "%s %s = %s;", t, mine, none);
    rg__poly_line(pr, "for (int %s = %s; %s < %s; %s++) %s = %s;", b, from, b, to, b, mine,
                  rg__poly_combine(pr, op, mine, rg__poly_printf(pr, "%s[%s]", part, b)));
    rg__poly_line(pr, "%s[threadIdx.x] = %s;", total, mine);
    rg__poly_line(pr, "__syncthreads();");
    rg__poly_open_brace(pr, "for (int %s = 1; %s < \1BLOCK; %s *= 2)", d, d, d);
    rg__poly_line(pr, "const %s %s = threadIdx.x >= %s ? %s[threadIdx.x - %s] : %s;", t, left, d, total, d, none);
    rg__poly_line(pr, "__syncthreads();");
    rg__poly_line(pr, "%s[threadIdx.x] = %s;", total, rg__poly_combine(pr, op, left, rg__poly_printf(pr, "%s[threadIdx.x]", total)));
    rg__poly_line(pr, "__syncthreads();");
    rg__poly_close_brace(pr);
    rg__poly_line(pr, "%s = threadIdx.x ? %s[threadIdx.x - 1] : %s;", mine, total, none);
    rg__poly_line(pr, "%s = %s;", mine, rg__poly_combine(pr, op, s, mine));
    rg__poly_line(pr, "%s = %s;", s, rg__poly_combine(pr, op, s, rg__poly_printf(pr, "%s[\1BLOCK - 1]", total)));
    rg__poly_open_brace(pr, "for (int %s = %s; %s < %s; %s++)", b, from, b, to, b);
    rg__poly_line(pr, "const %s %s = %s[%s];", t, own, part, b);
    rg__poly_line(pr, "%s[%s] = %s;", part, b, mine);
    rg__poly_line(pr, "%s = %s;", mine, rg__poly_combine(pr, op, mine, own));
    rg__poly_close_brace(pr);
}

static void apply(struct poly_print *pr)
{
    places(pr);
    rg__poly_line(pr, "%s %s = %s[%s];", type_of(pr), rg__poly_var_name(pr, pr->k->scan_var), part_name(pr), rg__poly_fresh(pr, "thread"));
    run(pr);
}

void rg__poly_scan_body(struct poly_print *pr)
{
    if (pr->k->form == POLY_SCAN_TOTALS)
        totals(pr);
    else if (pr->k->form == POLY_SCAN_OFFSETS)
        offsets(pr);
    else
        apply(pr);
}
