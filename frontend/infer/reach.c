/* Extents that the data of other arrays decide: `idx[k]` of the loops `for (k = row[i]; k < row[i + 1]; k++)`,
 * `x[idx[k]]`. Such an extent is a size of its own, `row.end` or `x.size`: a search chooses it, and the inputs of the
 * arrays that lead there are drawn to fit (index_inputs.c); the exported function finds it in the data of each call, as
 * the largest element of `row` or `idx`. */
#include "frontend/infer/reach.h"
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_NEST = 24, MAX_HELD = 4, RUN_LENGTH = 8, MAX_SHIFT = 8 };

struct walk {
    struct rg__load *l;
    const struct rg_ctree *t;
    int param;                     /* whose extent is looked for */
    const struct rg_cnode **value; /* by variable: what it is set to, where that is in one place */
    bool *several;                 /* and where it is in several */
    bool *written;                 /* by parameter */
    int n_loops, n_guards;
    const struct rg_cnode *loop[MAX_NEST], *guard[MAX_NEST];
    struct rg__reach found;
    bool run[RG__MAX_REACH]; /* by source: it bounds a loop */
    bool flat;               /* its subscripts are those of the whole block, whatever its rows */
    bool bad;
};

/* What a subscript is: `times` elements of `of` at most, `more` behind it. */
struct top {
    int of;
    bool run;
    int64_t times, more;
};

static void note_value(struct walk *w, const struct rg_cnode *to, const struct rg_cnode *value)
{
    if (to->kind != RG_C_VAR || to->array >= 0 || to->var < 0) return;
    w->several[to->var] |= w->value[to->var] != NULL || !value;
    w->value[to->var] = value;
}

static bool note_sets(void *arg, struct rg_cnode *n)
{
    struct walk *w = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n) {
        w->several[n->var] |= w->value[n->var] != NULL;
        w->value[n->var] = n->kid[0];
    }
    if (n->kind == RG_C_ASSIGN) note_value(w, n->kid[0], n->op == RG_COP_SET ? n->kid[1] : NULL);
    if (n->kind == RG_C_INCDEC) note_value(w, n->kid[0], NULL);
    return true;
}

static void note_written(void *arg, const struct rg_caccess *a)
{
    struct walk *w = arg;
    int p = a->array >= 0 ? w->t->arrays[a->array].param : -1;
    if (p >= 0 && (a->write || a->whole)) w->written[p] = true;
}

static bool note_writes(void *arg, struct rg_cnode *n)
{
    struct walk *w = arg;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->kind == RG_C_CALL || n->kind == RG_C_VERBATIM)
        rg_c_accesses(w->t, n, note_written, w);
    return true;
}

static const struct rg_cnode *loop_over(const struct walk *w, int var)
{
    for (int i = w->n_loops - 1; i >= 0; i--)
        if (w->loop[i]->var == var) return w->loop[i];
    return NULL;
}

static bool reads_memory_of(const struct walk *w, const struct rg_cnode *e, int param, bool *others)
{
    bool found = e->kind == RG_C_INDEX && w->t->arrays[e->array].param == param;
    if ((e->kind == RG_C_INDEX && !found) || e->kind == RG_C_CALL) *others = true;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && w->value[e->var] && !w->several[e->var])
        found |= reads_memory_of(w, w->value[e->var], param, others);
    for (int i = 0; i < e->n; i++) found |= reads_memory_of(w, e->kid[i], param, others);
    return found;
}

/* Do all elements lead somewhere? Not where a condition leaves some out, but for one on the element itself. */
static bool all_lead(const struct walk *w, int param)
{
    for (int i = 0; i < w->n_guards; i++) {
        bool others = false;
        if (!reads_memory_of(w, w->guard[i], param, &others) || others) return false;
    }
    return true;
}

/* An element of an array parameter of integers that the function does not write, subscripted by loops from 0. */
static int source_of(const struct walk *w, const struct rg_cnode *e, bool from_start)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_INDEX || e->pointer || e->n < 1) return -1;
    int p = w->t->arrays[e->array].param;
    const struct rg_param *q = p >= 0 ? &w->l->p->params[p] : NULL;
    if (!q || !rg__scalar_is_int(q->elem) || w->written[p] || q->input.kind != RG_INPUT_DEFAULT ||
        w->t->arrays[e->array].constant_table || q->rows)
        return -1;
    for (int d = 0; d < e->n && from_start; d++) {
        const struct rg_cnode *s = rg__c_uncast(e->kid[d], RG__C_INT_CASTS);
        const struct rg_cnode *loop = s->kind == RG_C_VAR && s->array < 0 ? loop_over(w, s->var) : NULL;
        if (s->kind != RG_C_INT && !loop) return -1;
        if (!loop) continue;
        const struct rg_cnode *lower = rg__c_uncast(loop->step > 0 ? loop->kid[0] : loop->kid[1], RG__C_INT_CASTS);
        bool first = lower->kind == RG_C_INT && lower->ivalue == (loop->step > 0 ? 0 : -1);
        if ((loop->step != 1 && loop->step != -1) ||
            (!first && !rg__mentions_kind_index(lower) && lower->kind != RG_C_VAR))
            return -1;
    }
    return p;
}

static bool top_of(const struct walk *w, const struct rg_cnode *e, struct top *out, int depth);

/* k < e: the top of e is one more than that of k. */
static bool below(const struct walk *w, const struct rg_cnode *e, struct top *out, int depth)
{
    if (!top_of(w, e, out, depth + 1) || out->times != 1) return false;
    out->run = true;
    out->more--;
    return true;
}

/* A condition around it that keeps a variable below an element: `while (a < end[i])`. */
static bool kept_below(const struct walk *w, const struct rg_cnode *c, int var, struct top *out, int depth)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_AND)
        return kept_below(w, c->kid[0], var, out, depth) || kept_below(w, c->kid[1], var, out, depth);
    for (int i = 0; i < 2 && (c->op == RG_COP_LT || c->op == RG_COP_GT); i++) {
        const struct rg_cnode *a = rg__c_uncast(c->kid[i], RG__C_INT_CASTS);
        if (a->kind == RG_C_VAR && a->array < 0 && a->var == var && (c->op == RG_COP_LT) == (i == 0))
            return below(w, c->kid[1 - i], out, depth);
    }
    return false;
}

static bool top_of(const struct walk *w, const struct rg_cnode *e, struct top *out, int depth)
{
    if (depth > 8) return false;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB)
        for (int i = 0; i < (e->op == RG_COP_ADD ? 2 : 1); i++) {
            const struct rg_cnode *k = rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS);
            if (k->kind != RG_C_INT || !top_of(w, e->kid[i], out, depth + 1)) continue;
            out->more += e->op == RG_COP_ADD ? k->ivalue : -k->ivalue;
            return true;
        }
    if (e->op == RG_COP_MUL)
        for (int i = 0; i < 2; i++) {
            const struct rg_cnode *k = rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS);
            if (k->kind != RG_C_INT || k->ivalue < 1 || k->ivalue > 4096 || !top_of(w, e->kid[i], out, depth + 1))
                continue;
            out->times *= k->ivalue;
            out->more *= k->ivalue;
            return true;
        }
    if (e->kind == RG_C_INDEX) {
        int of = source_of(w, e, false);
        *out = (struct top){.of = of, .times = 1};
        return of >= 0;
    }
    if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0) return false;
    const struct rg_cnode *loop = loop_over(w, e->var);
    if (loop && loop->step > 0) return below(w, loop->kid[1], out, depth);
    if (loop) {
        bool is = top_of(w, loop->kid[0], out, depth + 1);
        out->run = true; /* downward from a last one */
        return is;
    }
    if (w->value[e->var] && !w->several[e->var]) return top_of(w, w->value[e->var], out, depth + 1);
    for (int i = w->n_guards - 1; i >= 0; i--)
        if (kept_below(w, w->guard[i], e->var, out, depth)) return true;
    return false;
}

static void add(struct walk *w, const struct top *x)
{
    struct rg__reach *f = &w->found;
    for (int i = 0; i < f->n; i++)
        if (f->from[i].of == x->of && f->from[i].times == x->times) {
            /* `v[row[i]]` and `v[k]` with k below row[i + 1]: the one is the first of what the other goes through */
            bool more = w->run[i] == x->run ? x->more + 1 > f->from[i].more : x->run;
            if (more) f->from[i].more = x->more + 1;
            w->run[i] |= x->run;
            return;
        }
    if (f->n == RG__MAX_REACH) {
        w->bad = true;
        return;
    }
    w->run[f->n] = x->run;
    f->from[f->n++] = (struct rg__reach_from){.of = x->of, .times = x->times, .more = x->more + 1};
}

/* The element of a place as it stands, with its loops from the start and no condition that leaves some out? */
static bool whole_source(const struct walk *w, const struct rg_cnode *e, int of, int depth)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (depth > 8) return false;
    if (e->kind == RG_C_INDEX && w->t->arrays[e->array].param == of) return source_of(w, e, true) >= 0;
    if (e->kind == RG_C_VAR && e->array < 0 && !loop_over(w, e->var) && w->value[e->var] && !w->several[e->var])
        return whole_source(w, w->value[e->var], of, depth + 1);
    for (int i = 0; i < e->n; i++)
        if (whole_source(w, e->kid[i], of, depth + 1)) return true;
    return false;
}

static void access(struct walk *w, const struct rg_cnode *n)
{
    const struct rg_cnode *linear = rg_c_linear(w->t, n), *s = linear ? linear : n->kid[0];
    struct top x;
    w->flat |= linear != NULL;
    const struct rg_cnode *k = rg__c_uncast(s, RG__C_INT_CASTS);
    if (k->kind == RG_C_INT && k->ivalue == 0) return;
    if (!top_of(w, s, &x, 0) || x.more < -MAX_SHIFT) {
        w->bad = true;
        return;
    }
    if (!x.run && !(all_lead(w, x.of) && whole_source(w, s, x.of, 0))) {
        for (int i = 0; i < w->found.n; i++)
            if (w->found.from[i].of == x.of && w->run[i]) return;
        w->bad = true;
        return;
    }
    add(w, &x);
}

static void look(struct walk *w, const struct rg_cnode *n)
{
    if (!n || w->bad) return;
    bool condition = n->kind == RG_C_IF || n->kind == RG_C_COND || n->kind == RG_C_WHILE || rg_c_lazy(n->op);
    if (n->kind == RG_C_LOOP || condition) look(w, n->kid[0]);
    if (n->kind == RG_C_LOOP) look(w, n->kid[1]);
    if (n->kind == RG_C_LOOP && w->n_loops < MAX_NEST) {
        w->loop[w->n_loops++] = n;
        if (n->n > 3) w->guard[w->n_guards++] = n->kid[3];
        for (int i = 2; i < n->n; i++) look(w, n->kid[i]);
        w->n_guards -= n->n > 3;
        w->n_loops--;
    } else if (condition && w->n_guards + w->n_loops < MAX_NEST) {
        w->guard[w->n_guards++] = n->kid[0];
        for (int i = 1; i < n->n; i++) look(w, n->kid[i]);
        w->n_guards--;
    } else {
        w->bad |= n->kind == RG_C_LOOP || condition;
        for (int i = 0; i < n->n; i++) look(w, n->kid[i]);
    }
    bool mine =
        (n->kind == RG_C_INDEX || (n->kind == RG_C_VAR && n->array >= 0)) && w->t->arrays[n->array].param == w->param;
    if (!mine) return;
    if (n->kind == RG_C_INDEX && n->n)
        access(w, n);
    else
        w->bad = true;
}

static bool lacks(const struct rg_param *q)
{
    return q->kind == RG_PARAM_ARRAY && q->n_dims > 0 && !q->dims[0];
}

/* ---- what the C has to say it in ---- */

static bool reachable(const struct rg__load *l, int param);

static void name_reachable(void *arg, const char *name)
{
    struct walk *w = arg;
    int i = rg_problem_param(w->l->p, name);
    w->bad |= i < 0 || !reachable(w->l, i);
}

/* Do the function's own arguments lead to it? */
static bool reachable(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (q->derived) {
        struct walk w = {.l = (struct rg__load *)l};
        rg_expr_names(q->derived, name_reachable, &w);
        return !w.bad;
    }
    enum { LED = 1 << RG__PART | 1 << RG__LENGTH | 1 << RG__COUNT | 1 << RG__REACH };
    return q->origin == RG_ORIGIN_ARG || (q->origin == RG_ORIGIN_GLOBAL && (LED >> l->b.origins[param].layout & 1));
}

static bool sources_known(struct walk *w)
{
    for (int i = 0; i < w->found.n; i++) {
        const struct rg_param *q = &w->l->p->params[w->found.from[i].of];
        if (!reachable(w->l, w->found.from[i].of)) return false;
        for (int d = 0; d < q->n_dims; d++) {
            if (!q->dims[d]) return false;
            rg_expr_names(q->dims[d], name_reachable, w);
        }
    }
    return !w->bad;
}

/* ---- the sizes ---- */

/* Sizes that the function is given and that bound nothing: the number of non-zeros, of columns. */
static int64_t said(const struct rg__load *l, const bool *need, int size, bool most)
{
    const struct rg_problem *p = l->p;
    int64_t best = 0;
    for (int k = 0; k < p->n_size_params; k++) {
        int64_t v = p->sizes[size].values[k];
        if (need[k] || l->unset[k] || p->params[p->size_params[k]].derived || v < 2) continue;
        if (!best || (most ? v > best : v < best)) best = v;
    }
    return best;
}

static int64_t chosen(const struct rg__load *l, const struct walk *w, const bool *need, int size)
{
    const struct rg_problem *p = l->p;
    bool run = false;
    int64_t n = 1, rows = 1;
    for (int i = 0; i < w->found.n; i++) {
        run |= w->run[i];
        if (rg_problem_elements(p, w->found.from[i].of, &p->sizes[size], &n, NULL) == RG_OK && n > rows) rows = n;
    }
    int64_t given = said(l, need, size, run);
    if (given >= (run ? rows - 1 : 2)) return given;
    if (run) return rows > 1 ? RUN_LENGTH * (rows - 1) : RUN_LENGTH;
    for (int k = 0; k < p->n_size_params; k++)
        if (need[k] && !p->params[p->size_params[k]].derived) return p->sizes[size].values[k];
    return rows;
}

static int append_size(struct rg__load *l, const struct walk *w, const char *of, const char *what)
{
    struct rg_problem *p = l->p;
    struct rg_arena *a = &p->arena;
    bool *need = rg__sizes_needed(l);
    int n = p->n_size_params;
    struct rg_param *q = rg__add_param(&l->b, "", RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = p->n_params - 1;
    const char *shown = of;
    for (int i = 0; i < index; i++)
        if (!strcmp(p->params[i].name, of)) shown = rg_param_shown(&p->params[i]);
    int v = rg__c_add_var(l->t, rg_arena_printf(a, "%s_%s", of, what), RG_CVAR_PARAM, RG_LONG);
    l->t->vars[v].param = index;
    q->name = l->t->vars[v].name;
    q->c_name = rg_arena_printf(a, "%s.%s", shown, what);
    q->elem = RG_LONG;
    q->elem_bytes = (int64_t)rg_scalar_bytes(RG_LONG);
    q->c_elem = rg_scalar_c(RG_LONG);
    q->c_decl = rg_arena_printf(a, "%s %s", q->c_elem, q->name);
    q->indirect = true;
    q->extent_from =
        rg_arena_printf(a, "how far the elements of %s lead", rg_param_shown(&p->params[w->found.from[0].of]));
    struct rg__reach *r = rg_arena_alloc(a, sizeof *r);
    *r = w->found;
    l->b.origins[index].layout = RG__REACH;
    l->b.origins[index].reach = r;
    int *params = rg_arena_alloc(a, (size_t)(n + 1) * sizeof *params);
    bool *unset = rg_arena_alloc(a, (size_t)n + 2);
    if (n) memcpy(params, p->size_params, (size_t)n * sizeof *params);
    if (n) memcpy(unset, l->unset, (size_t)n);
    bool unknown = false;
    for (int k = 0; k < n; k++) unknown |= need[k] && unset[k];
    params[n] = index;
    unset[n] = false;
    for (int s = 0; s < p->n_sizes; s++) {
        int64_t *values = rg_arena_alloc(a, (size_t)(n + 2) * sizeof *values);
        if (n) memcpy(values, p->sizes[s].values, (size_t)n * sizeof *values);
        values[n] = unknown ? 1 : chosen(l, w, need, s);
        p->sizes[s].values = values;
    }
    p->size_params = params;
    p->n_size_params++;
    l->unset = unset;
    free(need);
    return index;
}

/* The size that says the same of another array already; -1. */
static int same_size(const struct rg__load *l, const struct rg__reach *r)
{
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg__reach *x = l->b.origins[i].layout == RG__REACH ? l->b.origins[i].reach : NULL;
        bool same = x && x->n == r->n;
        for (int k = 0; same && k < r->n; k++)
            same = x->from[k].of == r->from[k].of && x->from[k].times == r->from[k].times &&
                   x->from[k].more == r->from[k].more;
        if (same) return i;
    }
    return -1;
}

static bool settle(struct walk *w, int param)
{
    struct rg__load *l = w->l;
    struct rg_param *q = &l->p->params[param];
    struct rg_arena *a = &l->p->arena;
    memset(&w->found, 0, sizeof w->found);
    memset(w->run, 0, sizeof w->run);
    w->param = param;
    w->bad = w->flat = false;
    w->n_loops = w->n_guards = 0;
    if (!reachable(l, param)) return false;
    look(w, l->t->root);
    if (w->bad || !w->found.n || !sources_known(w)) return false;
    int64_t times = w->found.from[0].times;
    bool run = w->run[0];
    for (int i = 1; i < w->found.n; i++) run &= w->run[i], times = w->found.from[i].times == times ? times : 1;
    for (int i = 0; i < w->found.n; i++)
        if (w->found.from[i].more % times) times = 1; /* blocks of as many elements otherwise: they are counted */
    for (int i = 0; i < w->found.n; i++) w->found.from[i].times /= times, w->found.from[i].more /= times;
    int size = same_size(l, &w->found);
    const char *source = rg_param_shown(&l->p->params[w->found.from[0].of]);
    if (size < 0 && run)
        size = append_size(l, w, l->p->params[w->found.from[0].of].name, "end");
    else if (size < 0)
        size = append_size(l, w, q->name, "size");
    q = &l->p->params[param]; /* the table grew */
    struct rg_cnode *e = NULL;
    for (int v = 0; v < l->t->n_vars; v++)
        if (l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == size) e = rg__c_var(l->t, v);
    if (times > 1) e = rg__c_binary(l->t, RG_COP_MUL, rg__c_int(l->t, times), e);
    const struct rg_expr *length = rg__c_to_expr(l->t, e, a);
    for (int x = 0; x < l->t->n_arrays; x++) { /* rows whose length is known */
        const struct rg_carray *r = &l->t->arrays[x];
        for (int d = 1; r->param == param && r->delinearised && q->n_dims == 1 && !w->flat && d < r->n_dims; d++)
            length = rg__c_to_expr(
                l->t, rg__c_binary(l->t, RG_COP_MUL, rg__c_from_expr(l->t, length), rg__c_from_expr(l->t, r->dims[d])),
                a);
    }
    const struct rg_expr **dims = rg_arena_alloc(a, (size_t)q->n_dims * sizeof *dims);
    memcpy(dims, q->dims, (size_t)q->n_dims * sizeof *dims);
    dims[0] = length;
    q->dims = dims;
    q->extent_inferred = true;
    q->extent_from = rg_arena_printf(a, "as far as the elements of %s lead", source);
    for (int x = 0; x < l->t->n_arrays; x++)
        if (l->t->arrays[x].param == param && l->t->arrays[x].n_dims == q->n_dims) l->t->arrays[x].dims = dims;
    return true;
}

void rg__reach_extents(struct rg__load *l)
{
    bool any = false;
    for (int i = 0; i < l->p->n_params; i++) any |= lacks(&l->p->params[i]);
    if (!any || l->b.verbatim || !l->t || l->p->init_function) return;
    size_t n = (size_t)l->t->n_vars + 1;
    struct walk w = {.l = l, .t = l->t};
    w.value = rg_xcalloc(n, sizeof *w.value);
    w.several = rg_xcalloc(n, sizeof *w.several);
    w.written = rg_xcalloc((size_t)l->p->n_params + 1, sizeof *w.written);
    rg__c_walk(l->t->root, note_sets, &w);
    rg__c_walk(l->t->root, note_writes, &w);
    int params = l->p->n_params;
    for (bool more = true; more;) { /* one array's extent may be another's */
        more = false;
        for (int i = 0; i < params; i++)
            if (lacks(&l->p->params[i]) && l->p->params[i].origin != RG_ORIGIN_RESULT) more |= settle(&w, i);
    }
    free(w.value);
    free(w.several);
    free(w.written);
}

/* ---- as C ---- */

static const char *in_c(struct rg__load *l, int param);

static const char *named_in_c(void *arg, const char *name)
{
    struct rg__load *l = arg;
    int i = rg_problem_param(l->p, name);
    return i >= 0 ? in_c(l, i) : name;
}

static const char *expr_in_c(struct rg__load *l, const struct rg_expr *e)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_expr_print(&b, e, named_in_c, l);
    const char *text = rg_arena_printf(&l->p->arena, "(%s)", b.data);
    rg_buf_release(&b);
    return text;
}

static const char *in_c(struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (q->derived) return expr_in_c(l, q->derived);
    return q->access ? q->access : q->name;
}

const char *rg__reach_in_c(struct rg__load *l, int param)
{
    const struct rg__reach *r = l->b.origins[param].reach;
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "__extension__({ long rg_top = 1, rg_k, rg_n;");
    for (int i = 0; i < r->n; i++) {
        const struct rg_param *q = &l->p->params[r->from[i].of];
        rg_buf_str(&b, " rg_n = 1");
        for (int d = 0; d < q->n_dims; d++) rg_buf_printf(&b, " * (long)%s", expr_in_c(l, q->dims[d]));
        rg_buf_printf(&b,
                      "; for (rg_k = 0; rg_k < rg_n; rg_k++) { long rg_at = (long)((const %s *)(%s))[rg_k] * %lld + "
                      "%lld; if (rg_at > rg_top) rg_top = rg_at; }",
                      rg_scalar_c(q->elem), in_c(l, r->from[i].of), (long long)r->from[i].times,
                      (long long)r->from[i].more);
    }
    rg_buf_str(&b, " rg_top; })");
    const char *text = rg_arena_strdup(&l->p->arena, b.data);
    rg_buf_release(&b);
    return text;
}
