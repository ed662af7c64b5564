/* Extents that nothing says: the message, with an extent that is right for most who meet it. */
#include "frontend/infer/extent.h"
#include "frontend/infer/infer.h"
#include "frontend/infer/reach.h"
#include "ir/range.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 6, MOST_LOCALS = 4 };

struct subscripts {
    const struct rg__load *l;
    int param, n;
    bool counted;  /* a loop moves along it */
    bool run;      /* one whose bounds are read from elsewhere: the non-zeros of a row */
    int stride;    /* parameter that what data say is multiplied by: n in `a[u * n + v]`; -1 */
    int rows;      /* how far a loop goes whose variable is multiplied by it, as a parameter; -1 */
    int64_t times; /* or a number */
    int depth;     /* locals that are being looked through */
};

static const struct rg_cnode *loop_of(const struct rg_cnode *n, int var)
{
    if (!n || (n->kind == RG_C_LOOP && n->var == var)) return n;
    const struct rg_cnode *found = NULL;
    for (int i = 0; i < n->n && !found; i++) found = loop_of(n->kid[i], var);
    return found;
}

static int param_of(const struct rg_ctree *t, const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM ? t->vars[e->var].param : -1;
}

/* What a local is declared with; NULL. */
static const struct rg_cnode *declared(const struct rg_cnode *n, int var)
{
    const struct rg_cnode *found = NULL;
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) return n->n ? n->kid[0] : NULL;
    for (int i = 0; i < n->n && !found; i++) found = declared(n->kid[i], var);
    return found;
}

static void note_factors(struct subscripts *s, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_VAR && e->array < 0 && s->l->t->vars[e->var].kind == RG_CVAR_LOCAL && s->depth < MOST_LOCALS) {
        const struct rg_cnode *is = declared(s->l->t->root, e->var);
        s->depth++;
        if (is) note_factors(s, is);
        s->depth--;
    }
    if (e->op == RG_COP_ADD) {
        note_factors(s, e->kid[0]);
        note_factors(s, e->kid[1]);
    }
    if (e->op != RG_COP_MUL) return;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *by = rg__c_uncast(e->kid[i], RG__C_INT_CASTS);
        if (by->kind == RG_C_INT && by->ivalue > s->times) s->times = by->ivalue;
        if (param_of(s->l->t, by) < 0) continue;
        s->stride = param_of(s->l->t, by);
        const struct rg_cnode *at = rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS),
                              *loop = at->kind == RG_C_VAR && at->array < 0 ? loop_of(s->l->t->root, at->var) : NULL;
        const int n = loop && loop->step > 0 ? param_of(s->l->t, rg__c_uncast(loop->kid[1], RG__C_INT_CASTS)) : -1;
        if (n >= 0) s->rows = n;
    }
}

static bool note_subscript(void *arg, struct rg_cnode *n)
{
    struct subscripts *s = arg;
    const struct rg_ctree *t = s->l->t;
    if (n->kind != RG_C_INDEX || t->arrays[n->array].param != s->param) return true;
    const struct rg_cnode *linear = rg_c_linear(t, n);
    for (int d = 0; d < n->n; d++) {
        const struct rg_cnode *at = rg__c_uncast(linear ? linear : n->kid[d], RG__C_INT_CASTS);
        bool iter = at->kind == RG_C_VAR && at->array < 0 && t->vars[at->var].kind == RG_CVAR_ITER;
        const struct rg_cnode *loop = iter ? loop_of(t->root, at->var) : NULL;
        s->counted |= iter;
        s->run |= loop && rg__mentions_kind_index(loop->kid[0]) && rg__mentions_kind_index(loop->kid[1]);
        note_factors(s, at);
    }
    return true;
}

/* Is any array gone along by what data bound, so that an integer which bounds nothing else says how long that is? */
static bool any_run(struct rg__load *l)
{
    struct subscripts s = {.l = l, .stride = -1, .rows = -1};
    for (s.param = 0; s.param < l->p->n_params && !s.run; s.param++)
        if (l->p->params[s.param].kind == RG_PARAM_ARRAY) rg__c_walk(l->t->root, note_subscript, &s);
    return s.run;
}

/* The size that goes with the length of a row: people name the two side by side. */
static const char *beside(const struct rg__load *l, int stride, const char *otherwise)
{
    const struct rg_problem *p = l->p;
    for (int k = 0; k < p->n_size_params; k++)
        for (int to = 1; to >= -1 && p->size_params[k] == stride; to -= 2) {
            const int q = k + to >= 0 && k + to < p->n_size_params ? p->size_params[k + to] : -1;
            if (q >= 0 && q == stride + to && !p->params[q].derived) return rg_param_shown(&p->params[q]);
        }
    return otherwise;
}

/* The size that a pointer parameter says, as the array's end, the last of several; -1. */
static int stated_count(const struct rg__load *l, int param)
{
    for (int k = 0; k < l->b.n_args; k++) {
        const struct rg__arg *x = &l->b.args[k];
        if (x->end_of >= 0 && l->b.args[x->end_of].param == param && !x->below) return x->count;
    }
    return -1;
}

/* How many elements people give such an array: `first` is what it has of places, `other` an integer that bounds nothing
 * else (the number of non-zeros), both as people call them. */
static const char *suggestion(struct rg__load *l, int param, const char *first, const char *other)
{
    struct subscripts s = {.l = l, .param = param, .stride = -1, .rows = -1, .times = 1};
    struct rg_arena *a = &l->p->arena;
    const int count = stated_count(l, param);
    if (count >= 0) return rg_param_shown(&l->p->params[count]);
    rg__c_walk(l->t->root, note_subscript, &s);
    for (int x = 0; x < l->t->n_arrays; x++) { /* rows whose length is known */
        const struct rg_carray *r = &l->t->arrays[x];
        if (r->param != param || !r->delinearised || r->n_dims < 2) continue;
        struct rg_buf b = RG_BUF_INIT;
        rg_buf_str(&b, first);
        for (int d = 1; d < r->n_dims; d++) {
            bool whole = r->dims[d]->kind == RG_EXPR_NAME || r->dims[d]->kind == RG_EXPR_INT;
            rg_buf_str(&b, whole ? "*" : "*(");
            rg_expr_print(&b, r->dims[d], rg_problem_shown, l->p);
            if (!whole) rg_buf_char(&b, ')');
        }
        const char *text = rg_arena_strdup(a, b.data);
        rg_buf_release(&b);
        return text;
    }
    if (s.stride >= 0)
        return rg_arena_printf(a, "%s*%s",
                               s.rows >= 0 ? rg_param_shown(&l->p->params[s.rows]) : beside(l, s.stride, first),
                               rg_param_shown(&l->p->params[s.stride]));
    if (s.times > 1) return rg_arena_printf(a, "%lld*%s", (long long)s.times, first);
    if (s.run) return other ? other : rg_arena_printf(a, "8*%s", first);
    return other && (s.counted || !any_run(l)) ? other : first;
}

/* A structure of whose members integers alone are read: these are parameters, and nothing else of it is. */
static bool only_fields(const struct rg__load *l, int param)
{
    for (int i = 0; i < l->p->n_params; i++)
        if (l->p->params[i].origin == RG_ORIGIN_GLOBAL && l->b.origins[i].layout == RG__FIELD &&
            l->b.origins[i].parent == param)
            return true;
    return false;
}

/* Pointers through which the tree reads nothing are one element long. Such is one at file scope that is set before
 * anything is read through it: the tree says what was meant, and it is nobody's memory. */
static void never_read(struct rg__load *l)
{
    for (int a = 0; a < l->t->n_arrays && !l->b.verbatim; a++) {
        int param = l->t->arrays[a].param;
        struct rg_param *q = param >= 0 ? &l->p->params[param] : NULL;
        const bool column = q && l->b.origins[param].layout == RG__COLUMN;
        if (!q || (q->origin != RG_ORIGIN_GLOBAL && !only_fields(l, param)) || (q->n_dims != 1 && !column) ||
            q->dims[0] || rg__c_mentions_array(l->t->root, a))
            continue;
        for (int d = 0; d < q->n_dims; d++)
            if (!q->dims[d]) q->dims[d] = l->t->arrays[a].dims[d] = rg__int_expr(&l->p->arena, 1);
    }
}

void rg__other_extents(struct rg__load *l)
{
    never_read(l);
    rg__caller_extents(l);
    rg__reach_extents(l);
}

static void note_missing(struct rg_frontend_missing *m, const char *item, bool stated)
{
    if (m->n == (int)(sizeof m->items / sizeof *m->items)) return;
    m->stated[m->n] = stated;
    m->items[m->n++] = rg_arena_strdup(m->arena, item);
}

/* Is it read off the accesses once the rows of others are known, which come first? */
static bool comes_by_itself(struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    const struct rg_expr *e;
    for (int a = 0; a < l->t->n_arrays && q->n_dims == 1 && !l->b.verbatim; a++)
        if (l->t->arrays[a].param == param && !l->t->arrays[a].constant_table &&
            rg__infer_extent(l->t, l->p, a, &l->p->arena, &e))
            return true;
    return false;
}

enum rg_status rg__require_extents(struct rg__load *l)
{
    rg__other_extents(l);
    l->shown_extents = !l->o->missing; /* nobody can look how far the C goes */
    if (l->shown_extents) rg__caller_extents(l);
    const struct rg__function *f = &l->unit.functions[l->function];
    struct rg_buf missing = RG_BUF_INIT, pragma = RG_BUF_INIT, option = RG_BUF_INIT;
    const char *other = NULL, *first = "n";
    bool *need = rg__sizes_needed(l);
    for (int k = l->p->n_size_params - 1; k >= 0; k--) {
        const struct rg_param *q = &l->p->params[l->p->size_params[k]];
        if (q->derived) continue;
        first = rg_param_shown(q);
        if (!need[k]) other = first;
    }
    free(need);
    int n_members = 0; /* of structures of which a size, or data, say which are meant: more than anybody would state */
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        for (int d = 0; d < q->n_dims && l->b.verbatim; d++)
            n_members += !q->dims[d] && q->origin == RG_ORIGIN_GLOBAL && l->b.origins[i].layout == RG__PART &&
                         strchr(rg_param_shown(q), '[');
    }
    bool rows = false; /* one is of those that members of structures in an array lead to */
    const bool members = l->b.asks ? n_members > 0 : n_members > MOST_MEMBERS;
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        const bool column = l->b.origins[i].layout == RG__COLUMN && q->rows;
        for (int d = 0; d < q->n_dims; d++)
            if (!q->dims[d] && !comes_by_itself(l, i)) {
                const char *n = suggestion(l, i, first, other);
                rg_buf_printf(&missing, "%s'%s'", missing.len ? ", " : "", rg_param_shown(q));
                rg_buf_printf(&pragma, " extent(%s: %s", rg_param_shown(q), n);
                rg_buf_str(&option, " --extent '");
                const size_t at = option.len;
                rg_buf_printf(&option, "%s: %s", rg_param_shown(q), n);
                for (int k = 1; k < q->n_dims && q->rows; k++) { /* T **: rows, and their length */
                    rg_buf_printf(&pragma, ", %s", n);
                    rg_buf_printf(&option, ", %s", n);
                }
                rg_buf_char(&pragma, ')');
                rows |= column && d == 1;
                if (l->o->missing && !members && !column)
                    note_missing(l->o->missing, option.data + at, stated_count(l, i) >= 0);
                rg_buf_char(&option, '\'');
                break;
            }
    }
    enum rg_status st = RG_OK;
    char why[300] = "how far its subscripts reach depends on data";
    if (rows)
        snprintf(why, sizeof why,
                 "no member of the same element says how long its rows are (pg->lon[k] in a loop up to pg->n)");
    if (l->b.verbatim)
        snprintf(why, sizeof why, "it is not followed further than line %d (%.200s)", l->b.verbatim_line,
                 l->b.verbatim);
    if (missing.len && members) /* then they may be read off it */
        st = rg_error_at(l->err, RG_INPUT, f->file, f->line, 0, "'%s': %s", f->name, l->b.asks ? l->b.asks : why);
    else if (missing.len)
        st = rg_error_at(l->err, RG_INPUT, f->file, f->line, 0,
                         "the extent of %s cannot be read off the code: %s; say how many "
                         "elements there are, in this form:  #pragma regraph%s   or%s",
                         missing.data, why, pragma.data, option.data);
    rg_buf_release(&missing);
    rg_buf_release(&pragma);
    rg_buf_release(&option);
    return st;
}
