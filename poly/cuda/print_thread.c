/* Code of one thread: loops, conditions, statements; array elements that a loop keeps updating stay in a register. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

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
    if (l->node->made)
        rg__poly_line(pr, "// %s", l->node->made);
    if (unroll && pr->k->unrolled && pr->v.unroll > 1)
        rg__poly_line(pr, "#pragma unroll %lld", (long long)pr->v.unroll);
    const char *step = l->step == 1    ? rg__poly_printf(pr, "%s++", v)
                       : l->step == -1 ? rg__poly_printf(pr, "%s--", v)
                                       : rg__poly_printf(pr, "%s %s %lld", v, l->step > 0 ? "+=" : "-=",
                                                     (long long)(l->step > 0 ? l->step : -l->step));
    const char *more = l->node->n > 3 ? rg__poly_printf(pr, " && %s", rg__poly_conjunct(pr, l->node->kid[3])) : "";
    rg__poly_open_brace(pr, "for (%s %s = %s; %s %c %s%s; %s)", rg_scalar_cuda(pr->t->vars[l->var].type), v,
                    rg__poly_text(pr, l->node->kid[0]), rg__poly_signed(pr, loop, v), l->step > 0 ? '<' : '>',
                    rg__poly_upper(pr, loop), more, step);
}

/* ---- registers for updated elements ---- */

struct touched {
    struct poly_print *pr;
    const struct poly_knode *loop;
    int array, n;
    bool read, written, bad, certain, stored; /* stored: written whenever the loop runs */
    const struct poly_access *first;
};

/* Directly in the loop's body: reached whenever the loop runs. */
static bool direct(const struct poly_knode *loop, const struct poly_knode *leaf)
{
    const struct poly_knode *b = loop->kid[0];
    for (int i = 0; b && i < b->n; i++)
        if (b->kid[i] == leaf)
            return true;
    return b == leaf;
}

static bool touch(void *arg, const struct poly_knode *k)
{
    struct touched *t = arg;
    const struct poly_scop *s = t->pr->s;
    if (k->kind != KN_LEAF)
        return true;
    int id = rg__poly_stmt_of(s, k->node);
    if (id < 0)
        return true;
    for (int i = 0; i < s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &s->accesses[s->stmts[id].first_access + i];
        if (a->array != t->array)
            continue;
        t->n++;
        t->read = t->read || a->read;
        t->written = t->written || a->write;
        if (k->node->kind == RG_C_OPAQUE || a->whole || !a->affine || (t->first && a->n_subs != t->first->n_subs))
            t->bad = true;
        for (int d = 0; !t->bad && d < a->n_subs; d++)
            if (!a->sub[d].ok || (t->first && !rg__poly_linear_equal(&a->sub[d], &t->first->sub[d])))
                t->bad = true;
        if (a->certain && direct(t->loop, k)) {
            t->certain = true;
            t->stored = t->stored || a->write;
        }
        if (!t->first)
            t->first = a;
    }
    return true;
}

static bool loop_in(const struct poly_knode *k, const struct poly_scop *s, int var)
{
    if (k->kind == KN_LOOP && s->loops[k->loop].var == var)
        return true;
    for (int i = 0; i < k->n; i++)
        if (k->kid[i] && loop_in(k->kid[i], s, var))
            return true;
    return false;
}

enum { MOST_AROUND = 64 };

/* What is certain where the loop starts: the grid's and the host's loops, and those around it; count. */
static int loops_around(const struct poly_print *pr, int loop, int *keep)
{
    int n = 0;
    for (int d = 0; d < pr->k->n_dims; d++)
        keep[n++] = pr->k->dims[d];
    for (int x = 0; x < pr->k->n_alias; x++)
        keep[n++] = pr->k->alias[x].loop;
    for (int h = 0; h < pr->k->n_host; h++)
        keep[n++] = pr->k->host[h];
    for (int l = pr->s->loops[loop].parent; l >= 0 && n < MOST_AROUND; l = pr->s->loops[l].parent)
        keep[n++] = l;
    return n;
}

/* Has the loop an iteration wherever it stands in the kernel? */
static bool surely_runs(struct poly_print *pr, const struct poly_knode *k)
{
    int keep[MOST_AROUND], n = loops_around(pr, k->loop, keep), stmt;
    return rg__poly_knode_stmts(pr->s, k, &stmt, 1) && rg__poly_surely_runs(pr->p->scop, stmt, k->loop, keep, n);
}

int rg__poly_promotable(struct poly_print *pr, const struct poly_knode *loop, struct poly_promotion *out, int cap)
{
    int n = 0, keep[MOST_AROUND], n_keep = loops_around(pr, loop->loop, keep);
    if (pr->s->problem->may_alias)
        return 0;
    for (int a = 0; a < pr->t->n_arrays && n < cap && pr->n_promoted + n < 8; a++) {
        const struct rg_carray *c = &pr->t->arrays[a];
        struct touched t = {.pr = pr, .loop = loop, .array = a};
        bool taken = c->elem == RG_STRUCT || c->constant_table || (c->param < 0 && !pr->p->array_scratch[a]);
        taken = taken || (pr->k->atomic && pr->k->atomic[a]);
        for (int i = 0; i < pr->n_promoted; i++)
            taken = taken || pr->promoted[i].array == a;
        for (int i = 0; i < pr->n_acc; i++)
            taken = taken || pr->acc[i].array == a;
        for (int i = 0; i < pr->n_subst; i++)
            taken = taken || pr->subst[i].node->array == a;
        if (taken)
            continue;
        rg__poly_knode_walk(loop, touch, &t);
        if (!t.written || !t.read || t.bad)
            continue;
        bool varies = false;
        for (int d = 0; d < t.first->n_subs; d++)
            for (int i = 0; i < t.first->sub[d].n; i++)
                varies = varies || loop_in(loop, pr->s, t.first->sub[d].term[i].var);
        if (varies)
            continue;
        bool exists = rg__poly_in_bounds(pr->p->scop, t.first, keep, n_keep);
        if (!exists && !t.certain)
            continue;
        bool every = t.stored && (!exists || surely_runs(pr, loop)); /* every iteration around the loop stores it anyway */
        if (!every && rg__poly_store_meets(pr->p, pr->k, loop->loop, t.first, keep, n_keep))
            continue;
        out[n++] = (struct poly_promotion){a, t.first->node, !exists};
    }
    return n;
}

const char *rg__poly_runs(struct poly_print *pr, int loop)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    return rg__poly_printf(pr, "%s %c %s", rg__poly_signed(pr, loop, bound_text(pr, l->node->kid[0])), l->step > 0 ? '<' : '>',
                       rg__poly_upper(pr, loop));
}

/* Is the assignment a plain one to an element that the loop behind it will hold in a register, whether it runs or not? */
static bool sets_held(struct poly_print *pr, const struct poly_knode *leaf, const struct poly_knode *loop)
{
    struct poly_promotion held[4];
    const struct rg_cnode *e = leaf->kind == KN_LEAF && leaf->node->kind == RG_C_STMT && leaf->node->n ? leaf->node->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || loop->kind != KN_LOOP || pr->n_acc ||
        pr->k->form != POLY_THREADS || (pr->k->partner >= 0 && loop->loop == pr->k->reduce_loop))
        return false;
    int n = rg__poly_promotable(pr, loop, held, 4);
    for (int i = 0; i < n; i++)
        if (rg__c_same(held[i].element, e->kid[0], RG__C_UNCAST))
            return true;
    return false;
}

void rg__poly_iteration(struct poly_print *pr, const struct poly_knode *loop, int keeps)
{
    rg__poly_thread_code(pr, loop->kid[0]);
    rg__poly_keep_next(pr, keeps);
}

static void loop_code(struct poly_print *pr, const struct poly_knode *k)
{
    struct poly_promotion held[4];
    const struct rg_cnode *set = pr->just_set;
    pr->just_set = NULL;
    int n = rg__poly_promotable(pr, k, held, 4), before = pr->n_promoted, keeps, loads;
    const struct poly_access *load[POLY_MAX_AHEAD];
    bool guard = false;
    for (int i = 0; i < n; i++)
        guard = guard || (held[i].guard && !(set && rg__c_same(held[i].element, set->kid[0], RG__C_UNCAST)));
    keeps = rg__poly_keep_open(pr, k);
    loads = rg__poly_ahead_open(pr, k, load);
    guard = (guard || keeps || loads) && !surely_runs(pr, k);
    if (guard && set) /* it is set whether the loop runs or not */
        rg__poly_line(pr, "%s = %s;", rg__poly_text(pr, set->kid[0]), rg__poly_text(pr, set->kid[1]));
    if (guard) {
        set = NULL;
        rg__poly_open_brace(pr, "if (%s)", rg__poly_runs(pr, k->loop));
    }
    const char *element[4];
    for (int i = 0; i < n; i++) {
        struct poly_register *r = &pr->promoted[before + i];
        element[i] = rg__poly_text(pr, held[i].element);
        r->array = held[i].array;
        r->indexed = false;
        snprintf(r->name, sizeof r->name, pr->n_registers ? "%.80s_r%d" : "%.80s_r", rg__poly_array_name(pr, r->array),
                 pr->n_registers + 1);
        pr->n_registers++;
        bool own = set && rg__c_same(held[i].element, set->kid[0], RG__C_UNCAST);
        rg__poly_line(pr, "%s %s = %s;", rg__poly_elem_type(pr, r->array), r->name, own ? rg__poly_text(pr, set->kid[1]) : element[i]);
    }
    pr->n_promoted = before + n;
    rg__poly_keep_start(pr, keeps);
    if (loads) {
        rg__poly_ahead_loop(pr, k, load, loads, keeps);
    } else {
        rg__poly_loop_header(pr, k->loop, !rg__poly_knode_has_loop(k->kid[0]));
        rg__poly_open_scope(pr, pr->s->loops[k->loop].var);
        rg__poly_iteration(pr, k, keeps);
        rg__poly_close_scope(pr);
        rg__poly_close_brace(pr);
    }
    pr->n_promoted = before;
    pr->n_kept -= keeps;
    for (int i = 0; i < n; i++)
        rg__poly_line(pr, "%s = %s;", element[i], pr->promoted[before + i].name);
    if (guard)
        rg__poly_close_brace(pr);
}

void rg__poly_thread_list(struct poly_print *pr, struct poly_knode *const *items, int n)
{
    for (int i = 0; i < n; i++)
        if (i + 1 < n && sets_held(pr, items[i], items[i + 1]))
            pr->just_set = items[i]->node->kid[0];
        else
            rg__poly_thread_code(pr, items[i]);
}

void rg__poly_thread_code(struct poly_print *pr, const struct poly_knode *k)
{
    if (!k)
        return;
    switch (k->kind) {
    case KN_SEQ:
        rg__poly_thread_list(pr, k->kid, k->n);
        return;
    case KN_LEAF:
        if (!rg__poly_keep_leaf(pr, k->node) && (!pr->scan || !rg__poly_run_leaf(pr, k->node)))
            rg__poly_statement(pr, k->node);
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
        if (pr->k->form == POLY_THREADS && pr->k->partner >= 0 && k->loop == pr->k->reduce_loop)
            rg__poly_sum_parts(pr);
        else
            loop_code(pr, k);
        return;
    }
}

/* ---- the grid's dimensions ---- */

const char *rg__poly_guard(struct poly_print *pr)
{
    return rg__poly_guard_but(pr, -1);
}

const char *rg__poly_guard_but(struct poly_print *pr, int dim)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int d = 0; d < pr->k->n_dims; d++) {
        if (d == dim || rg__poly_whole_blocks(pr, d))
            continue;
        const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
        if (!rg__poly_dim_exact_lower(pr, l->id))
            rg_buf_printf(&b, "%s%s %s %s", b.len ? " && " : "", l->name, l->step > 0 ? ">=" : "<=",
                          bound_text(pr, l->node->kid[0]));
        rg_buf_printf(&b, "%s%s %c %s", b.len ? " && " : "", rg__poly_signed(pr, l->id, l->name), l->step > 0 ? '<' : '>',
                      rg__poly_upper(pr, l->id));
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
    const char *scaled = l->step == 1    ? idx
                         : l->step == -1 ? rg__poly_printf(pr, "(%s)", idx)
                                         : rg__poly_printf(pr, "(%s) * %lld", idx, (long long)(l->step > 0 ? l->step : -l->step));
    if (strcmp(lo, "0") == 0 && l->step > 0)
        return scaled;
    return rg__poly_printf(pr, "%s %c %s", lo, l->step > 0 ? '+' : '-', scaled);
}

void rg__poly_aliases(struct poly_print *pr)
{
    bool done[POLY_MAX_LOOPS] = {false};
    for (int a = 0; a < pr->k->n_alias; a++) {
        const struct poly_loop *x = &pr->s->loops[pr->k->alias[a].loop], *y = &pr->s->loops[pr->k->dims[pr->k->alias[a].dim]];
        bool same = x->var == y->var || pr->same_as[x->var] != x->var;
        for (int b = 0; b < a; b++)
            same = same || pr->s->loops[pr->k->alias[b].loop].var == x->var;
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
    int stride_dim = -1;
    rg__poly_block_lines(pr);
    for (int d = 0; d < k->n_dims; d++) {
        int a = k->axis[d];
        const struct poly_loop *l = &pr->s->loops[k->dims[d]];
        const char *ty = rg__poly_index_type(pr, l->var);
        bool wide = rg_scalar_bytes(pr->t->vars[l->var].type) > 4;
        const char *idx = rg__poly_printf(pr, "%s%s * \1B%c + threadIdx.%c", wide ? rg__poly_printf(pr, "(%s)", ty) : "",
                                      rg__poly_block(pr, a), "XYZ"[a], axes[a]);
        if (k->grid_stride && k->n_dims == 1) {
            stride_dim = d;
            const char *inc = rg__poly_printf(pr, "%sgridDim.%c * \1B%c", wide ? rg__poly_printf(pr, "(%s)", ty) : "", axes[a], "XYZ"[a]);
            if (l->step != 1 && l->step != -1)
                inc = rg__poly_printf(pr, "%s * %lld", inc, (long long)(l->step > 0 ? l->step : -l->step));
            if (k->unrolled && pr->v.unroll > 1)
                rg__poly_line(pr, "#pragma unroll %lld", (long long)pr->v.unroll);
            rg__poly_open_brace(pr, "for (%s %s = %s; %s %c %s; %s %s %s)", ty, l->name, point_value(pr, l->id, idx),
                            rg__poly_signed(pr, l->id, l->name), l->step > 0 ? '<' : '>', rg__poly_upper(pr, l->id), l->name,
                            l->step > 0 ? "+=" : "-=", inc);
        } else {
            rg__poly_line(pr, "const %s %s = %s;", ty, l->name, point_value(pr, l->id, idx));
        }
    }
    rg__poly_aliases(pr);
    pr->open = true;
    const char *guard = stride_dim < 0 ? rg__poly_guard(pr) : "";
    if (*guard)
        rg__poly_open_brace(pr, "if (%s)", guard);
    rg__poly_open_scope(pr, -1);
    rg__poly_thread_code(pr, k->body);
    rg__poly_close_scope(pr);
    if (*guard || stride_dim >= 0)
        rg__poly_close_brace(pr);
}
