/* Subscripts that the sizes bound, though no loop does: `if (j < n) x[j]`, binary search. */
#include "frontend/infer/reach_walk.h"
#include "ir/range_invariants.h"
#include <stdlib.h>

static bool of_sizes(const struct rg__reach_walk *w, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR)
        return e->array < 0 && w->t->vars[e->var].kind == RG_CVAR_PARAM && !w->t->vars[e->var].assigned;
    if (e->kind != RG_C_INT && e->kind != RG_C_BINARY && e->kind != RG_C_CAST && e->kind != RG_C_COND) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_sizes(w, e->kid[i])) return false;
    return true;
}

struct bound {
    const struct rg__reach_walk *w;
    const struct rg_cnode *is;
};

static bool take_sizes(void *arg, const struct rg_cnode *e)
{
    struct bound *b = arg;
    if (of_sizes(b->w, e)) b->is = e;
    return b->is != NULL;
}

/* What the ends of an interval that is halved and what stands in its middle are set to. */
struct halves {
    const struct rg__reach_walk *w;
    bool *in;                   /* by variable */
    const struct rg_cnode *top; /* the one value over sizes; an end that the interval does not reach */
    int of;                     /* or the array whose elements the ends are, pieces of another one; -1 */
    bool halved, other, more;
};

static void part_of(struct halves *h, const struct rg_cnode *e)
{
    int64_t number; /* -1: not found */
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (rg__c_number(e, &number)) return;
    if (e->kind == RG_C_VAR && e->array < 0 && h->w->t->vars[e->var].kind == RG_CVAR_LOCAL) {
        h->more |= !h->in[e->var];
        h->in[e->var] = true;
        return;
    }
    const int of = e->kind == RG_C_INDEX ? rg__reach_source(h->w, e, false) : -1;
    if (of >= 0 && (h->of < 0 || h->of == of)) {
        h->of = of;
        return;
    }
    h->halved |= e->op == RG_COP_DIV || e->op == RG_COP_SHR;
    bool known = e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_DIV || e->op == RG_COP_SHR ||
                 e->kind == RG_C_COND;
    h->other |= !known;
    for (int i = e->kind == RG_C_COND; i < e->n && known; i++) part_of(h, e->kid[i]);
}

static void set_to(struct halves *h, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_INT || !of_sizes(h->w, e)) {
        part_of(h, e);
        return;
    }
    const struct rg_cnode *one = e->op == RG_COP_SUB ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : NULL;
    if (one && one->kind == RG_C_INT && one->ivalue == 1) e = rg__c_uncast(e->kid[0], RG__C_INT_CASTS); /* the last */
    h->other |= h->top && !rg__c_same(h->top, e, RG__C_UNCAST);
    h->top = e;
}

static bool note_ends(void *arg, struct rg_cnode *n)
{
    struct halves *h = arg;
    bool scalar = n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n && h->in[n->var]) set_to(h, n->kid[0]);
    if (scalar && h->in[n->kid[0]->var]) {
        h->other |= n->op != RG_COP_SET;
        set_to(h, n->kid[1]);
    }
    return true;
}

/* The end of the interval [0, end) that binary search halves, where the subscript is in it; *of: or of one between
 * elements of that array, -1 none. */
static const struct rg_cnode *halved(const struct rg__reach_walk *w, const struct rg_cnode *s, int *of)
{
    struct halves h = {.w = w, .of = -1, .in = rg_xcalloc((size_t)w->t->n_vars + 1, sizeof(bool))};
    part_of(&h, s);
    for (h.more = true; h.more && !h.other;) {
        h.more = false;
        rg__c_walk(w->t->root, note_ends, &h);
    }
    free(h.in);
    *of = h.halved && !h.other && !h.top ? h.of : -1;
    return h.halved && !h.other && h.of < 0 ? h.top : NULL;
}

bool rg__reach_halved(const struct rg__reach_walk *w, const struct rg_cnode *s, struct rg__reach_top *out)
{
    int of;
    halved(w, s, &of);
    *out = (struct rg__reach_top){.of = of, .run = true, .times = 1, .more = -1};
    return of >= 0;
}

struct cell_writes {
    int array, n;
};

static void note_cell(void *arg, const struct rg_caccess *a)
{
    struct cell_writes *c = arg;
    if (a->array == c->array && (a->write || a->whole)) c->n++;
}

/* The b of `cell < b` in a condition. */
static const struct rg_cnode *cell_bound(const struct rg__reach_walk *w, const struct rg_cnode *c,
                                         const struct rg_cnode *cell)
{
    if (c->op == RG_COP_AND) {
        const struct rg_cnode *b = cell_bound(w, c->kid[0], cell);
        return b ? b : cell_bound(w, c->kid[1], cell);
    }
    const bool more = c->op == RG_COP_GT;
    if ((!more && c->op != RG_COP_LT) || !rg__c_same(c->kid[more], cell, RG__C_UNCAST)) return NULL;
    return of_sizes(w, c->kid[!more]) ? c->kid[!more] : NULL;
}

/* `if (*n < room) list[(*n)++] = x`: a number of elements that the caller keeps, of which the subscript is the only
 * change; the condition is asked in the iteration that stores. */
static const struct rg_cnode *cell_below(const struct rg__reach_walk *w, const struct rg_cnode *s)
{
    if (s->kind != RG_C_INCDEC || s->op != RG_COP_POST_INC) return NULL;
    const struct rg_cnode *cell = s->kid[0], *loop = w->n_loops ? w->loop[w->n_loops - 1] : NULL;
    int64_t at;
    if (cell->kind != RG_C_INDEX || cell->pointer || cell->n != 1 || !rg__c_number(cell->kid[0], &at)) return NULL;
    struct cell_writes writes = {cell->array, 0};
    rg_c_accesses(w->t, w->t->root, note_cell, &writes);
    for (int i = w->n_guards - 1; i >= 0 && writes.n == 1; i--) {
        const struct rg_cnode *c = rg__c_uncast(w->guard[i], RG__C_INT_CASTS);
        if (!w->guarded[i] || w->guarded[i]->kind != RG_C_IF || (loop && !rg__c_contains(loop, w->guarded[i])))
            continue;
        if (c->kind == RG_C_VAR && c->array < 0) {
            const bool one = w->value[c->var] && !w->several[c->var];
            c = one && (!loop || rg__c_contains(loop, w->value[c->var])) ? w->value[c->var] : NULL;
        }
        const struct rg_cnode *b = c ? cell_bound(w, rg__c_uncast(c, RG__C_INT_CASTS), cell) : NULL;
        if (b) return b;
    }
    return NULL;
}

/* One more than what locals keep within: `if (found < most) list[found++] = x`, with a `most` of the sizes such as the
 * smaller of one of them and a number. NULL: nobody knows. */
static const struct rg_cnode *kept_below(struct rg__reach_walk *w, const struct rg_cnode *s)
{
    struct rg_ctree *t = w->l->t;
    if (!w->known) {
        w->given = rg__given_of(t, w->l->p);
        w->known = rg__invariants_of(t, w->given);
    }
    struct rg_cnode *end = rg__invariant_end(w->known, s, true);
    return end && of_sizes(w, end) ? rg__c_binary(t, RG_COP_ADD, end, rg__c_int(t, 1)) : NULL;
}

/* The greater of two ends that differ by a number, without the ones that were added and taken away; NULL: they differ
 * by more. */
static const struct rg_cnode *greater(struct rg__reach_walk *w, const struct rg_cnode *a, const struct rg_cnode *b)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    int64_t by = 0;
    rg__range_init(r, w->l->t, w->given);
    struct rg__poly p = rg__poly_of(r, a), q = b ? rg__poly_of(r, b) : p, d = rg__poly_add(&p, &q, -1);
    const bool known = !p.bad && !q.bad && rg__poly_is_int(&d, &by);
    const struct rg_cnode *most = known ? rg__poly_node(r, by < 0 ? &q : &p) : NULL;
    free(r);
    return most;
}

bool rg__reach_by_sizes(struct rg__reach_walk *w, const struct rg_cnode *s)
{
    s = rg__c_uncast(s, RG__C_INT_CASTS);
    struct bound b = {w, cell_below(w, s)};
    if (s->kind == RG_C_VAR && s->array < 0) rg__reach_guarded(w, s->var, w->at, take_sizes, &b);
    const struct rg_cnode *top = b.is;
    int of;
    if (!top && (top = halved(w, s, &of))) w->searched = true;
    if (!top) return false;
    w->bad |= w->fixed && !rg__c_same(w->fixed, top, RG__C_UNCAST);
    w->fixed = top;
    return true;
}

bool rg__reach_kept(struct rg__reach_walk *w, const struct rg_cnode *s)
{
    const struct rg_cnode *top = kept_below(w, rg__c_uncast(s, RG__C_INT_CASTS));
    if (top) top = greater(w, top, w->fixed);
    if (top) w->fixed = top;
    return top != NULL;
}

static bool note_order(void *arg, struct rg_cnode *n)
{
    struct rg__reach_walk *w = arg;
    bool order = n->op >= RG_COP_LT && n->op <= RG_COP_LE;
    for (int i = 0; i < 2 && order; i++) {
        const struct rg_cnode *e = rg__c_uncast(n->kid[i], RG__C_CASTS);
        if (e->kind == RG_C_INDEX && w->t->arrays[e->array].param == w->param) w->bad = true;
    }
    return true;
}

/* What is searched by halves is in order. */
void rg__reach_sorted(struct rg__reach_walk *w, struct rg_param *q)
{
    w->bad = false;
    rg__c_walk(w->t->root, note_order, w);
    bool keys = w->bad && q->elem != RG_STRUCT && q->input.kind == RG_INPUT_DEFAULT;
    w->bad = false;
    if (keys) rg__draw_searched(w->l, q);
}
