/* Subscripts that are sums: the lengths of pieces that start where data say (`at[i] + k` with k below
 * `at[i + 1] - at[i]`), elements of small blocks (`3 * col[k] + c`). As polynomials over loops, locals and elements:
 * what bounds a loop from above stands for its variable, the locals' values for them, and what is left must be one
 * element. */
#include "frontend/infer/reach_walk.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 12 };

struct sum {
    const struct rg__reach_walk *w;
    struct rg__range *r;
};

static const struct rg_cnode *loop_over(const struct rg__reach_walk *w, int var)
{
    for (int i = w->n_loops - 1; i >= 0; i--)
        if (w->loop[i]->var == var) return w->loop[i];
    return NULL;
}

/* Is the value the variable itself, or less: `l > 64 ? 64 : l`? */
static bool no_more(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_COND) return false;
    const struct rg_cnode *c = rg__c_uncast(e->kid[0], RG__C_INT_CASTS);
    for (int side = 0; side < 2 && c->kind == RG_C_BINARY; side++) {
        const struct rg_cnode *v = rg__c_uncast(c->kid[side], RG__C_INT_CASTS), *by = c->kid[1 - side];
        enum rg_c_op op = side ? rg_c_converse(c->op) : c->op; /* v op by */
        bool more = op == RG_COP_GT || op == RG_COP_GE, less = op == RG_COP_LT || op == RG_COP_LE;
        const struct rg_cnode *itself = rg__c_uncast(e->kid[more ? 2 : 1], RG__C_INT_CASTS),
                              *other = e->kid[more ? 1 : 2];
        if ((more || less) && v->kind == RG_C_VAR && v->array < 0 && v->var == var && itself->kind == RG_C_VAR &&
            itself->array < 0 && itself->var == var && rg__c_same(other, by, RG__C_UNCAST))
            return true;
    }
    return false;
}

struct values { /* that a local is given */
    const struct rg_cnode *is[RG__REACH_VALUES];
    int var, n;
    bool declared, bad;
};

static void note(struct values *v, const struct rg_cnode *value)
{
    if (no_more(value, v->var)) return;
    v->bad |= v->n == RG__REACH_VALUES;
    if (!v->bad) v->is[v->n++] = value;
}

static bool note_values(void *arg, struct rg_cnode *n)
{
    struct values *v = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == v->var) {
        v->declared = n->n && n->kid[0];
        v->bad |= !v->declared;
        if (v->declared) note(v, n->kid[0]);
    }
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (sets && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == v->var) {
        v->bad |= n->op != RG_COP_SET;
        if (n->op == RG_COP_SET) note(v, n->kid[1]);
    }
    return true;
}

struct taken { /* expressions that went into a sum: the values of their variables are those at the place */
    const struct rg_cnode *e, *place;
    const struct taken *before;
};

static bool take_any(void *arg, const struct rg_cnode *e)
{
    *(const struct rg_cnode **)arg = e;
    return true;
}

/* What keeps the variable below wherever its value is taken: j = i of `for (j = n - 1; i < n; j = i, i++)`. */
static const struct rg_cnode *kept_below(const struct rg__reach_walk *w, int var, const struct taken *t)
{
    const struct rg_cnode *all = NULL, *one;
    for (; t; t = t->before) {
        if (!rg__c_mentions_var(t->e, var)) continue;
        if (!rg__reach_guarded(w, var, t->place, take_any, &one) || (all && all != one)) return NULL;
        all = one;
    }
    return all;
}

/* Is it made of elements, perhaps by way of locals? */
static bool by_data(const struct rg__reach_walk *w, const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int d = 0; d < p->terms[i].degree; d++) {
            int id = p->terms[i].var[d];
            if (id >= RG__ATOM || (w->t->vars[id].kind != RG_CVAR_PARAM && !loop_over(w, id))) return true;
        }
    return false;
}

/* The one element of the sum, how often it is in it, and what is added to it. */
static bool one_element(const struct sum *s, const struct rg__poly *p, bool below, struct rg__reach_top *out)
{
    int atom = -1;
    int64_t times = 0, more = 0;
    for (int i = 0; i < p->n; i++) {
        const struct rg__term *m = &p->terms[i];
        if (!m->degree)
            more = m->c;
        else if (m->degree == 1 && m->var[0] >= RG__ATOM && atom < 0)
            atom = m->var[0] - RG__ATOM, times = m->c;
        else
            return false;
    }
    int of = atom >= 0 && times > 0 && times <= RG__REACH_TIMES ? rg__reach_source(s->w, s->r->atoms[atom], false) : -1;
    *out = (struct rg__reach_top){.of = of, .run = below, .times = times, .more = more};
    return of >= 0 && (times == 1 || !below);
}

/* c ? a : b, of integers: the values of both arms are taken. */
static bool is_choice(const struct sum *s, int id)
{
    return id >= RG__ATOM && s->r->atoms[id - RG__ATOM]->kind == RG_C_COND;
}

/* k * c times a quotient n / c of a number without a sign: k * n at most, `4 * (len / 4)` whole parts of a piece.
 * False: there is no such term. */
static bool without_quotient(struct sum *s, const struct rg__poly *p, struct rg__poly *out)
{
    for (int i = 0; i < p->n; i++) {
        const struct rg__term *m = &p->terms[i];
        if (m->degree != 1 || m->var[0] < RG__ATOM) continue;
        const struct rg_cnode *e = rg__c_uncast(s->r->atoms[m->var[0] - RG__ATOM], RG__C_WIDE_CASTS);
        const struct rg_cnode *of = e->op == RG_COP_DIV ? rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS) : NULL;
        int64_t by;
        if (!of || of->kind != RG_C_VAR || of->array >= 0 || rg_scalar_is_signed(of->type) ||
            rg_scalar_is_signed(e->type) || !rg__c_number(e->kid[1], &by) || by < 1 || m->c < by || m->c % by)
            continue;
        struct rg__poly term = {.n = 1}, n = rg__poly_var(of->var);
        term.terms[0] = *m;
        *out = rg__poly_add(p, &term, -1);
        *out = rg__poly_add(out, &n, m->c / by);
        return !out->bad;
    }
    return false;
}

/* Replaces the variables that are no parameters by what bounds them from above, loops' first: their bounds are made of
 * the others, and quotients may cancel in them. below: an element was such a bound. */
static bool top(struct sum *s, const struct rg__poly *p, const struct taken *taken, bool below, int depth,
                struct rg__reach_top *out)
{
    const struct rg__reach_walk *w = s->w;
    int var = -1;
    struct rg__poly whole;
    for (int pass = 0; pass < 2 && var < 0; pass++) {
        if (pass && depth <= MAX_STEPS && without_quotient(s, p, &whole))
            return top(s, &whole, taken, below, depth + 1, out);
        for (int i = 0; i < p->n; i++)
            for (int d = 0; d < p->terms[i].degree; d++) {
                int id = p->terms[i].var[d];
                bool local = id < RG__ATOM && w->t->vars[id].kind != RG_CVAR_PARAM;
                if (local && var < 0 && (pass || loop_over(w, id))) var = id;
                if (!pass && is_choice(s, id)) var = id; /* first of all: its arms are made of the others */
            }
    }
    if (var < 0) return one_element(s, p, below, out);
    struct rg__poly coef, rest, one = rg__poly_int(1);
    const bool choice = is_choice(s, var);
    const struct rg_cnode *loop = choice ? NULL : loop_over(w, var), *bound = NULL;
    if (!choice) bound = loop ? loop->kid[loop->step > 0 ? 1 : 0] : kept_below(w, var, taken);
    bool less = bound && !(loop && loop->step < 0);
    int64_t c;
    if (depth > MAX_STEPS || !rg__poly_split(p, var, &coef, &rest) || !rg__poly_is_int(&coef, &c) || (bound && c < 1))
        return false;
    struct values v = {.var = var};
    if (bound)
        v.is[v.n++] = bound;
    else if (choice)
        v.declared = true, v.is[v.n++] = s->r->atoms[var - RG__ATOM]->kid[1],
        v.is[v.n++] = s->r->atoms[var - RG__ATOM]->kid[2];
    else
        rg__c_walk(w->t->root, note_values, &v);
    if (!v.n || v.bad || (!bound && !v.declared) || (v.n > 1 && c < 1)) return false;
    for (int i = 0; i < v.n; i++) {
        struct rg__poly at = rg__poly_of(s->r, v.is[i]);
        struct rg__reach_top x;
        struct taken more = {v.is[i], v.is[i], taken};
        if (rg__poly_mentions(&at, var)) return false;
        if (less) at = rg__poly_add(&at, &one, -1);
        bool by_element = below || (bound && by_data(w, &at));
        at = rg__poly_mul(&at, &coef);
        at = rg__poly_add(&at, &rest, 1);
        if (at.bad || !top(s, &at, &more, by_element, depth + 1, &x)) return false;
        if (i && (x.of != out->of || x.times != out->times)) return false;
        bool run = x.run || (i && out->run); /* the last of a piece, and those before it */
        if (!i || x.more > out->more) *out = x;
        out->run = run;
    }
    return true;
}

bool rg__reach_sum(const struct rg__reach_walk *w, const struct rg_cnode *e, struct rg__reach_top *out)
{
    struct sum s = {.w = w, .r = rg_xmalloc(sizeof *s.r)};
    rg__range_init(s.r, (struct rg_ctree *)w->t, NULL);
    struct rg__poly p = rg__poly_of(s.r, e);
    struct taken all = {e, w->at, NULL};
    bool known = !p.bad && top(&s, &p, &all, false, 0, out);
    free(s.r);
    return known;
}
