/* Kinds of indices: what subscripts an array of n elements is less than n, and so is what is copied from it. A vertex
 * that comes from a queue, `u = queue[head++]`, subscripts `level[u]`, so `first[u + 1]` is an element of n + 1. Bounds
 * for extents alone: they hold where the function stays inside the arrays whose extents are known. */
#include "frontend/infer/extent.h"
#include "frontend/infer/infer.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_KINDS = 64, MAX_SOURCES = 8, ROUNDS = 8 };

struct kind { /* a scalar, the elements of an array, or a member of them */
    int var, array;
    const char *member;
    bool seen, differs; /* it subscripts arrays of known extents; of several */
    bool any;           /* it is set to what is none of these */
    int n_sets, n_sources, source[MAX_SOURCES];
    bool limited; /* what else it is set to stays below `limit`, as conditions say */
    bool known;   /* it stays below `below` */
    struct rg__poly used, limit, below;
};

struct kinds {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg__given *given;
    struct rg__range *r; /* polynomials of parameters */
    int n;
    struct kind items[MAX_KINDS];
};

static int kind_of(struct kinds *k, const struct rg_cnode *e)
{
    int var = -1, array = -1;
    const char *member = NULL;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    /* what two bytes hold comes back as something else where there are more places */
    if (e->pointer || !rg__scalar_is_int(e->type) || rg_scalar_bytes(e->type) < 4) return -1;
    if (e->kind == RG_C_VAR && e->array < 0) {
        var = e->var;
    } else if (e->kind == RG_C_INDEX) {
        array = e->array;
    } else if (e->kind == RG_C_MEMBER && e->n == 1 && e->kid[0]->kind == RG_C_INDEX && !e->kid[0]->pointer) {
        array = e->kid[0]->array;
        member = e->text;
    }
    if ((var < 0 && array < 0) || (array >= 0 && k->t->arrays[array].constant_table)) return -1;
    for (int i = 0; i < k->n; i++) {
        const struct kind *x = &k->items[i];
        if (x->var == var && x->array == array && !x->member == !member && (!member || !strcmp(member, x->member)))
            return i;
    }
    if (k->n == MAX_KINDS) return -1;
    k->items[k->n] = (struct kind){.var = var, .array = array, .member = member};
    return k->n++;
}

static bool of_parameters(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned;
    bool is = e->kind == RG_C_INT || e->n > 0;
    for (int i = 0; i < e->n && is; i++) is = of_parameters(t, e->kid[i]);
    return is;
}

/* The b of `value < b` in a condition that holds, over parameters; NULL: it says none. */
static const struct rg_cnode *limit_of(const struct kinds *k, const struct rg_cnode *c, const struct rg_cnode *value)
{
    if (c->op == RG_COP_AND) {
        const struct rg_cnode *b = limit_of(k, c->kid[0], value);
        return b ? b : limit_of(k, c->kid[1], value);
    }
    const bool less = c->op == RG_COP_LT, more = c->op == RG_COP_GT;
    if ((!less && !more) || !rg__c_same(c->kid[more], value, RG__C_UNCAST)) return NULL;
    return of_parameters(k->t, c->kid[less]) ? c->kid[less] : NULL;
}

static void set_to(struct kinds *k, struct kind *x, const struct rg_cnode *value)
{
    value = rg__c_uncast(value, RG__C_INT_CASTS);
    if (value->kind == RG_C_COND) {
        const struct rg_cnode *limit = limit_of(k, value->kid[0], value->kid[1]);
        if (limit) {
            struct rg__poly at = rg__poly_of(k->r, limit);
            x->any = x->any || at.bad || (x->limited && !rg__poly_equal(&at, &x->limit));
            x->limited = true;
            x->limit = at;
        } else {
            set_to(k, x, value->kid[1]);
        }
        set_to(k, x, value->kid[2]);
        return;
    }
    int64_t number;
    if (rg__c_number(value, &number) && number <= 0) return; /* a mark, or the first one */
    const int from = kind_of(k, value);
    for (int i = 0; i < x->n_sources && from >= 0; i++)
        if (x->source[i] == from) return;
    if (from < 0 || x->n_sources == MAX_SOURCES)
        x->any = true;
    else if (&k->items[from] != x)
        x->source[x->n_sources++] = from;
}

static bool note_sets(void *arg, struct rg_cnode *n)
{
    struct kinds *k = arg;
    const bool declared = n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n && !n->pointer;
    const bool changes = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    const int to = declared ? kind_of(k, rg__c_var(k->t, n->var)) : changes ? kind_of(k, n->kid[0]) : -1;
    if (to < 0) return true;
    struct kind *x = &k->items[to];
    x->n_sets++;
    if (declared)
        set_to(k, x, n->kid[0]);
    else if (n->kind == RG_C_ASSIGN && n->op == RG_COP_SET)
        set_to(k, x, n->kid[1]);
    else
        x->any = true;
    return true;
}

/* Does a condition around the place say something of it? Then what is true there is not true everywhere. */
static bool asked(const struct rg__range *r, const struct rg__poly *e)
{
    for (int i = 0; i < e->n; i++)
        for (int d = 0; d < e->terms[i].degree; d++)
            for (int f = r->n_computed_facts; f < r->n_facts; f++)
                if (rg__poly_mentions(&r->facts[f], e->terms[i].var[d])) return true;
    return false;
}

/* A parameter that says no number of elements or iterations, but which one is meant: the vertex to start from. */
static bool is_place(const struct kinds *k, int var)
{
    return var < k->given->n_vars && (k->given->place[var] || !k->given->positive[var]);
}

static bool of_places(const struct kinds *k, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && e->var < k->given->n_vars && k->given->place[e->var];
    bool is = e->kind == RG_C_INT || e->n > 0;
    for (int i = 0; i < e->n && is; i++) is = of_places(k, e->kid[i]);
    return is;
}

/* A subscript of something that is `extent` long. */
static void note_use(struct kinds *k, const struct rg__visit *v, const struct rg_cnode *s, const struct rg_expr *extent)
{
    int64_t more = 0, c;
    s = rg__c_uncast(s, RG__C_INT_CASTS);
    if ((s->op == RG_COP_ADD || s->op == RG_COP_SUB) && rg__c_number(s->kid[1], &c)) {
        more = s->op == RG_COP_ADD ? c : -c;
        s = rg__c_uncast(s->kid[0], RG__C_INT_CASTS);
    }
    const int at = kind_of(k, s);
    const struct rg_cnode *length = at >= 0 ? rg__c_from_expr(k->t, extent) : NULL;
    while (length && length->kind == RG_C_COND) { /* max(n, from + 1): loops go to the one, the other is inside */
        const bool first = of_places(k, length->kid[1]), second = of_places(k, length->kid[2]);
        if (first == second) return;
        length = length->kid[first ? 2 : 1];
    }
    if (!length || !rg__mentions_kind(length, RG_C_VAR)) return; /* a number is room for the most there may be */
    struct rg__poly is = rg__poly_of(k->r, length), shift = rg__poly_int(more), here = rg__poly_of(v->range, s);
    is = rg__poly_add(&is, &shift, -1);
    struct kind *x = &k->items[at];
    const enum rg_cvar_kind kind = x->var >= 0 ? k->t->vars[x->var].kind : RG_CVAR_LOCAL;
    if (is.bad || (x->var >= 0 && x->n_sets != (kind == RG_CVAR_LOCAL))) return; /* several values: which one is it? */
    if ((kind == RG_CVAR_PARAM && !is_place(k, x->var)) || asked(v->range, &here)) return;
    x->differs |= x->seen && !rg__poly_equal(&x->used, &is);
    x->used = is;
    x->seen = true;
}

static void note_access(void *arg, const struct rg__visit *v)
{
    struct kinds *k = arg;
    const struct rg_cnode *n = v->node;
    if (n->kind != RG_C_INDEX || v->pointer) return;
    const struct rg_carray *x = &k->t->arrays[n->array];
    const struct rg_param *q = x->param >= 0 ? &k->p->params[x->param] : NULL;
    for (int d = 0; d < n->n && d < x->n_dims; d++) {
        const struct rg_expr *extent = q && q->n_dims == x->n_dims ? q->dims[d] : x->dims ? x->dims[d] : NULL;
        if (extent && !x->constant_table) note_use(k, v, n->kid[d], extent);
    }
}

/* What all that it is set to stays below; false: nobody knows. */
static bool of_sources(const struct kinds *k, const struct kind *x, struct rg__poly *below)
{
    bool any = x->limited;
    if (any) *below = x->limit;
    for (int i = 0; i < x->n_sources; i++, any = true) {
        const struct kind *from = &k->items[x->source[i]];
        if (!from->known || (any && !rg__poly_equal(below, &from->below))) return false;
        *below = from->below;
    }
    return any && !x->any;
}

void rg__given_kinds(struct rg_ctree *t, const struct rg_problem *p, struct rg__given *g)
{
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    struct kinds *k = rg_xcalloc(1, sizeof *k);
    *k = (struct kinds){.t = t, .p = p, .given = g, .r = rg_xmalloc(sizeof *k->r)};
    rg__range_init(k->r, t, NULL);
    rg__c_walk(t->root, note_sets, k);
    rg__each_access(t, t->root, g, note_access, k);
    for (int i = 0; i < k->n; i++)
        if (k->items[i].seen && !k->items[i].differs) k->items[i].known = true, k->items[i].below = k->items[i].used;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < k->n; i++) {
            struct kind *x = &k->items[i];
            if (!x->known && !x->differs && of_sources(k, x, &x->below)) x->known = more = true;
        }
    }
    g->held = rg_xrealloc(g->held, (size_t)(g->n_held + k->n + 1) * sizeof *g->held);
    const struct rg__poly one = rg__poly_int(1);
    for (int i = 0; i < k->n; i++) {
        const struct kind *x = &k->items[i];
        bool plain = x->known && !(x->var >= 0 && t->vars[x->var].kind == RG_CVAR_ITER);
        for (int j = 0; j < x->below.n && plain; j++) /* of parameters alone */
            for (int d = 0; d < x->below.terms[j].degree; d++) plain = plain && x->below.terms[j].var[d] < RG__ATOM;
        if (plain)
            g->held[g->n_held++] = (struct rg__value_range){x->var, x->array,        x->member,
                                                            false,  rg__poly_int(0), rg__poly_add(&x->below, &one, -1)};
    }
    free(k->r);
    free(k);
}
