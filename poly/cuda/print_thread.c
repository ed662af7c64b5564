/* Code of one thread: loops, conditions, statements; array elements that a loop keeps updating stay in a register. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_REGISTERS = sizeof((struct poly_print *)0)->promoted / sizeof *((struct poly_print *)0)->promoted };

/* A comparison's operand: parenthesised when it binds weaker. */
static const char *bound_text(struct poly_print *pr, const struct rg_cnode *e)
{
    const char *s = rg__poly_text(pr, e);
    bool weak = e->kind == RG_C_COND || (e->kind == RG_C_BINARY && !rg_c_arithmetic(e->op));
    return weak ? rg__poly_printf(pr, "(%s)", s) : s;
}

const char *rg__poly_upper(struct poly_print *pr, int loop)
{
    const char *own = bound_text(pr, pr->s->loops[loop].node->kid[1]);
    const char *name = pr->s->loops[loop].name;
    return rg__poly_signed(pr, loop, name) != name ? rg__poly_limit(pr, loop) : own;
}

void rg__poly_loop_header(struct poly_print *pr, int loop, bool unroll)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    const char *v = l->name;
    if (l->node->made) rg__poly_line(pr, "// %s", l->node->made);
    if (unroll && pr->k->unrolled && pr->v.unroll > 1)
        rg__poly_line(pr, "#pragma unroll %lld", (long long)pr->v.unroll);
    const char *step = l->step == 1 ? rg__poly_printf(pr, "%s++", v)
                       : l->step == -1
                           ? rg__poly_printf(pr, "%s--", v)
                           : rg__poly_printf(pr, "%s %s %lld", v,
                                             l->step > 0 ? "+=" : "-=", (long long)(l->step > 0 ? l->step : -l->step));
    const char *more = l->node->n > 3 ? rg__poly_printf(pr, " && %s", rg__poly_conjunct(pr, l->node->kid[3])) : "";
    rg__poly_open_brace(pr, "for (%s %s = %s; %s %c %s%s; %s)", rg_scalar_cuda(pr->t->vars[l->var].type), v,
                        rg__poly_text(pr, l->node->kid[0]), rg__poly_signed(pr, loop, v), l->step > 0 ? '<' : '>',
                        rg__poly_upper(pr, loop), more, step);
}

const char *rg__poly_dealt_header(struct poly_print *pr, int loop, const char *first, const char *stride)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    int64_t m = l->step > 0 ? l->step : -l->step;
    const char *lo = rg__poly_addend(pr, l->node->kid[0]);
    /* the places are unsigned: beside an int that may be negative they must not decide the sum's type */
    if (rg_scalar_bytes(pr->t->vars[l->var].type) > 4)
        first = rg__poly_printf(pr, "(%s)(%s)", rg__poly_index_type(pr, l->var), first);
    const char *off = m != 1        ? rg__poly_printf(pr, "(%s) * %lld", first, (long long)m)
                      : l->step < 0 ? rg__poly_printf(pr, "(%s)", first)
                                    : first;
    const char *inc = m == 1 ? stride : rg__poly_printf(pr, "%s * %lld", stride, (long long)m);
    const char *start =
        strcmp(lo, "0") == 0 && l->step > 0 ? off : rg__poly_printf(pr, "%s %c %s", lo, l->step > 0 ? '+' : '-', off);
    return rg__poly_printf(pr, "for (%s %s = %s; %s %c %s; %s %s %s)", rg__poly_index_type(pr, l->var), l->name, start,
                           rg__poly_signed(pr, loop, l->name), l->step > 0 ? '<' : '>', rg__poly_limit(pr, loop),
                           l->name, l->step > 0 ? "+=" : "-=", inc);
}

void rg__poly_unroll_line(struct poly_print *pr, int64_t otherwise)
{
    int64_t u = pr->k->unrolled && pr->v.unroll > 1 ? pr->v.unroll : otherwise;
    if (u > 1) rg__poly_line(pr, "#pragma unroll %lld", (long long)u);
}

/* ---- registers for updated elements ---- */

/* Elements that may be held in registers across the loop; count. */
static int promotable(struct poly_print *pr, const struct poly_knode *loop, struct poly_promotion *out, int cap)
{
    bool *taken = rg_xcalloc((size_t)pr->t->n_arrays + 1, sizeof *taken);
    for (int i = 0; i < pr->n_promoted; i++) taken[pr->promoted[i].array] = true;
    for (int i = 0; i < pr->n_acc; i++)
        if (pr->acc[i].array >= 0) taken[pr->acc[i].array] = true;
    for (int i = 0; i < pr->n_subst; i++)
        if (pr->subst[i].node->array >= 0) taken[pr->subst[i].node->array] = true;
    int room = MOST_REGISTERS - pr->n_promoted;
    int n = rg__poly_promotions(pr->p, pr->k, loop, taken, out, cap < room ? cap : room);
    free(taken);
    return n;
}

/* The condition under which the loop runs at all. */
static const char *runs(struct poly_print *pr, int loop)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    return rg__poly_printf(pr, "%s %c %s", rg__poly_signed(pr, loop, bound_text(pr, l->node->kid[0])),
                           l->step > 0 ? '<' : '>', rg__poly_upper(pr, loop));
}

/* Is the assignment a plain one to an element that the loop behind it will hold in a register, whether it runs or not?
 */
static bool sets_held(struct poly_print *pr, const struct poly_knode *leaf, const struct poly_knode *loop)
{
    struct poly_promotion held[4];
    const struct rg_cnode *e =
        leaf->kind == KN_LEAF && leaf->node->kind == RG_C_STMT && leaf->node->n ? leaf->node->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || loop->kind != KN_LOOP || pr->n_acc ||
        pr->k->form != POLY_THREADS)
        return false;
    int n = promotable(pr, loop, held, 4);
    for (int i = 0; i < n; i++)
        if (rg__c_same(held[i].element, e->kid[0], RG__C_UNCAST)) return true;
    return false;
}

static void loop_code(struct poly_print *pr, const struct poly_knode *k)
{
    struct poly_promotion held[4];
    const struct rg_cnode *set = pr->just_set;
    pr->just_set = NULL;
    int n = promotable(pr, k, held, 4), before = pr->n_promoted;
    bool guard = false;
    for (int i = 0; i < n; i++)
        guard = guard || (held[i].guard && !(set && rg__c_same(held[i].element, set->kid[0], RG__C_UNCAST)));
    guard = guard && !rg__poly_loop_runs(pr->p, pr->k, k);
    if (guard && set) /* it is set whether the loop runs or not */
        rg__poly_line(pr, "%s = %s;", rg__poly_text(pr, set->kid[0]), rg__poly_text(pr, set->kid[1]));
    if (guard) {
        set = NULL;
        rg__poly_open_brace(pr, "if (%s)", runs(pr, k->loop));
    }
    const char *element[4];
    for (int i = 0; i < n; i++) {
        struct poly_register *r = &pr->promoted[before + i];
        element[i] = rg__poly_text(pr, held[i].element);
        r->array = held[i].array;
        snprintf(r->name, sizeof r->name, pr->n_registers ? "%.80s_r%d" : "%.80s_r", rg__poly_array_name(pr, r->array),
                 pr->n_registers + 1);
        pr->n_registers++;
        bool own = set && rg__c_same(held[i].element, set->kid[0], RG__C_UNCAST);
        rg__poly_line(pr, "%s %s = %s;", rg__poly_elem_type(pr, r->array), r->name,
                      own ? rg__poly_text(pr, set->kid[1]) : element[i]);
    }
    pr->n_promoted = before + n;
    rg__poly_loop_header(pr, k->loop, !rg__poly_knode_has_loop(k->kid[0]));
    rg__poly_open_scope(pr, pr->s->loops[k->loop].var);
    rg__poly_thread_code(pr, k->kid[0]);
    rg__poly_close_scope(pr);
    rg__poly_close_brace(pr);
    pr->n_promoted = before;
    for (int i = 0; i < n; i++) rg__poly_line(pr, "%s = %s;", element[i], pr->promoted[before + i].name);
    if (guard) rg__poly_close_brace(pr);
}

static void thread_list(struct poly_print *pr, struct poly_knode *const *items, int n)
{
    for (int i = 0; i < n; i++)
        if (i + 1 < n && sets_held(pr, items[i], items[i + 1]))
            pr->just_set = items[i]->node->kid[0];
        else
            rg__poly_thread_code(pr, items[i]);
}

void rg__poly_thread_code(struct poly_print *pr, const struct poly_knode *k)
{
    if (!k) return;
    switch (k->kind) {
    case KN_SEQ:
        thread_list(pr, k->kid, k->n);
        return;
    case KN_LEAF:
        if (!pr->scan || !rg__poly_run_leaf(pr, k->node)) rg__poly_statement(pr, k->node);
        return;
    case KN_IF:
        if (k->kid[0] && k->kid[0]->kind == KN_SEQ && !k->kid[0]->n && k->n > 1 && k->kid[1]) {
            rg__poly_open_brace(pr, "if (!(%s))", rg__poly_text(pr, k->node->kid[0]));
            rg__poly_thread_code(pr, k->kid[1]);
            rg__poly_close_brace(pr);
            return;
        }
        rg__poly_open_brace(pr, "if (%s)", rg__poly_text(pr, k->node->kid[0]));
        rg__poly_thread_code(pr, k->kid[0]);
        if (k->n > 1 && k->kid[1] && k->kid[1]->n) {
            rg_buf_indent(&pr->out, pr->indent - 1);
            rg_buf_str(&pr->out, "} else {\n");
            rg__poly_thread_code(pr, k->kid[1]);
        }
        rg__poly_close_brace(pr);
        return;
    case KN_LOOP:
        loop_code(pr, k);
        return;
    }
}

/* ---- the grid's dimensions ---- */

const char *rg__poly_guard(struct poly_print *pr)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int d = 0; d < pr->k->n_dims; d++) {
        if (rg__poly_whole_blocks(pr, d)) continue;
        const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
        if (!rg__poly_dim_exact_lower(pr, l->id))
            rg_buf_printf(&b, "%s%s %s %s", b.len ? " && " : "", l->name,
                          l->step > 0 ? ">=" : "<=", bound_text(pr, l->node->kid[0]));
        rg_buf_printf(&b, "%s%s %c %s", b.len ? " && " : "", rg__poly_signed(pr, l->id, l->name),
                      l->step > 0 ? '<' : '>', rg__poly_upper(pr, l->id));
    }
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

/* The value of a loop variable at index `idx` of its dimension. */
static const char *point_value(struct poly_print *pr, int loop, const char *idx)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    const char *lo = rg__poly_dim_lower(pr, loop, false);
    const char *scaled = l->step == 1 ? idx
                         : l->step == -1
                             ? rg__poly_printf(pr, "(%s)", idx)
                             : rg__poly_printf(pr, "(%s) * %lld", idx, (long long)(l->step > 0 ? l->step : -l->step));
    if (strcmp(lo, "0") == 0 && l->step > 0) return scaled;
    return rg__poly_printf(pr, "%s %c %s", lo, l->step > 0 ? '+' : '-', scaled);
}

void rg__poly_aliases(struct poly_print *pr)
{
    bool done[POLY_MAX_LOOPS] = {false};
    for (int a = 0; a < pr->k->n_alias; a++) {
        const struct poly_loop *x = &pr->s->loops[pr->k->alias[a].loop],
                               *y = &pr->s->loops[pr->k->dims[pr->k->alias[a].dim]];
        bool same = x->var == y->var || pr->same_as[x->var] != x->var;
        for (int b = 0; b < a; b++) same = same || pr->s->loops[pr->k->alias[b].loop].var == x->var;
        if (!same && !done[x->id])
            rg__poly_line(pr, "const %s %s = %s;", rg__poly_index_type(pr, x->var), x->name, y->name);
        done[x->id] = true;
    }
}

void rg__poly_simple_body(struct poly_print *pr)
{
    static const char *const axes = "xyz";
    const struct poly_kernel *k = pr->k;
    if (k->form == POLY_SINGLE) {
        rg__poly_open_scope(pr, -1);
        rg__poly_thread_code(pr, k->body);
        rg__poly_close_scope(pr);
        return;
    }
    int stride_dim = -1, loops = 0;
    rg__poly_block_lines(pr);
    for (int d = 0; d < k->n_dims; d++) {
        int a = k->axis[d];
        const struct poly_loop *l = &pr->s->loops[k->dims[d]];
        const char *ty = rg__poly_index_type(pr, l->var);
        bool wide = rg_scalar_bytes(pr->t->vars[l->var].type) > 4;
        const char *idx =
            rg__poly_printf(pr, "%s%s * \1B%c + threadIdx.%c", wide ? rg__poly_printf(pr, "(%s)", ty) : "",
                            rg__poly_block(pr, a), "XYZ"[a], axes[a]);
        bool strides = k->grid_stride && k->n_dims == 1; /* it comes to all of the points as it is */
        if (pr->tiling.coarse[a] > 1 && !strides) {      /* the block's threads apart */
            const char *r = rg__poly_fresh(pr, "r%s", l->name);
            rg__poly_line(pr, "#pragma unroll");
            rg__poly_open_brace(pr, "for (int %s = 0; %s < \1R%c; %s++)", r, r, "XYZ"[a], r);
            loops++;
            idx = rg__poly_printf(pr, "%s(%s * \1R%c + %s) * \1B%c + threadIdx.%c",
                                  wide ? rg__poly_printf(pr, "(%s)", ty) : "", rg__poly_block(pr, a), "XYZ"[a], r,
                                  "XYZ"[a], axes[a]);
        }
        if (strides) {
            stride_dim = d;
            const char *inc = rg__poly_printf(pr, "%sgridDim.%c * \1B%c", wide ? rg__poly_printf(pr, "(%s)", ty) : "",
                                              axes[a], "XYZ"[a]);
            if (l->step != 1 && l->step != -1)
                inc = rg__poly_printf(pr, "%s * %lld", inc, (long long)(l->step > 0 ? l->step : -l->step));
            if (k->unrolled && pr->v.unroll > 1) rg__poly_line(pr, "#pragma unroll %lld", (long long)pr->v.unroll);
            rg__poly_open_brace(pr, "for (%s %s = %s; %s %c %s; %s %s %s)", ty, l->name, point_value(pr, l->id, idx),
                                rg__poly_signed(pr, l->id, l->name), l->step > 0 ? '<' : '>', rg__poly_upper(pr, l->id),
                                l->name, l->step > 0 ? "+=" : "-=", inc);
        } else {
            rg__poly_line(pr, "const %s %s = %s;", ty, l->name, point_value(pr, l->id, idx));
        }
    }
    rg__poly_aliases(pr);
    const char *guard = stride_dim < 0 ? rg__poly_guard(pr) : "";
    if (*guard) rg__poly_open_brace(pr, "if (%s)", guard);
    rg__poly_open_scope(pr, -1);
    rg__poly_thread_code(pr, k->body);
    rg__poly_close_scope(pr);
    if (*guard || stride_dim >= 0) loops++;
    while (loops--) rg__poly_close_brace(pr);
}
