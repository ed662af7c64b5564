/* What holds everywhere in a function: positive parameters, locals that stand for one value, the problem's conditions.
 */
#include "ir/range.h"
#include "ir/range_invariants.h"
#include <stdlib.h>
#include <string.h>

struct positive {
    const struct rg_ctree *t;
    bool *flags;
    bool *starts; /* of loops */
};

static void mark_names(void *arg, const char *name)
{
    struct positive *p = arg;
    for (int i = 0; i < p->t->n_vars; i++)
        if (p->t->vars[i].kind == RG_CVAR_PARAM && !strcmp(p->t->vars[i].name, name)) p->flags[i] = true;
}

/* The larger of two, either of which may be the one: `a > b ? a : b`. */
static bool larger(const struct rg_cnode *e)
{
    const struct rg_cnode *c = e->kind == RG_C_COND ? e->kid[0] : NULL;
    return c && (c->op == RG_COP_GT || c->op == RG_COP_GE) && rg__c_same(c->kid[0], e->kid[1], RG__C_UNCAST) &&
           rg__c_same(c->kid[1], e->kid[2], RG__C_UNCAST);
}

static bool is_param(const struct positive *p, const struct rg_cnode *e)
{
    return e && e->kind == RG_C_VAR && e->array < 0 && p->t->vars[e->var].kind == RG_CVAR_PARAM;
}

/* A parameter by itself where a loop starts: it may be 0, while one that a loop ends at has to let it run. Its number;
 * -1: something else is there. */
static int start_of(const struct rg_cnode *loop, struct positive *p)
{
    const struct rg_cnode *e = loop->kid[0];
    while (e && e->kind == RG_C_BLOCK && e->n == 1) e = e->kid[0];
    if (e && e->kind == RG_C_DECL && e->n) e = e->kid[0];
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    if (e && e->op == RG_COP_SET) e = e->kid[1];
    while (e && e->kind == RG_C_CAST) e = e->kid[0];
    if (!is_param(p, e)) return -1;
    p->starts[e->var] = true;
    return e->var;
}

struct begun {
    int var;
    const struct rg_cnode *value;
};

static bool find_begun(void *arg, struct rg_cnode *n)
{
    struct begun *b = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && !n->pointer && n->var == b->var && n->n) b->value = n->kid[0];
    return true;
}

/* A local that counting loops end at begins as the parameter, m = n;, or as a part of such a local, half = m / 2. */
static void mark_begun(struct positive *p, int var, int depth)
{
    struct begun b = {var, NULL};
    rg__c_walk(p->t->root, find_begun, &b);
    const struct rg_cnode *e = b.value;
    while (e && (e->kind == RG_C_CAST || (e->op == RG_COP_DIV && e->kid[1]->kind == RG_C_INT))) e = e->kid[0];
    if (!e || e->kind != RG_C_VAR || e->array >= 0 || e->pointer) return;
    if (p->t->vars[e->var].kind == RG_CVAR_PARAM)
        p->flags[e->var] = true;
    else if (p->t->vars[e->var].kind == RG_CVAR_LOCAL && depth < 3)
        mark_begun(p, e->var, depth + 1);
}

static bool mark_loop(void *arg, struct rg_cnode *n)
{
    struct positive *p = arg;
    if (n->kind == RG_C_LOOP && n->kid[1] && n->kid[1]->kind == RG_C_VAR && n->kid[1]->array < 0 &&
        p->t->vars[n->kid[1]->var].kind == RG_CVAR_LOCAL)
        mark_begun(p, n->kid[1]->var, 0);
    if (n->kind == RG_C_LOOP || n->kind == RG_C_FOR) {
        const struct rg_cnode *stack[64];
        int top = 0;
        const int start = start_of(n, p);
        for (int i = start >= 0; i < 2; i++)
            if (n->kid[i]) stack[top++] = n->kid[i];
        while (top) {
            const struct rg_cnode *e = stack[--top];
            if (larger(e)) continue;
            if (is_param(p, e)) p->flags[e->var] = true;
            for (int i = 0; i < e->n && top < 63; i++) {
                const struct rg_cnode *part = e->kid[i];
                while (part && part->kind == RG_C_CAST && e->op == RG_COP_ADD) part = part->kid[0];
                const bool from = e->op == RG_COP_ADD && is_param(p, part) && part->var == start;
                if (part && !from) stack[top++] = e->kid[i]; /* `i < first + count` lets it run at any first */
            }
        }
    }
    return true;
}

/* Parameters that multiply something in a subscript are strides. */
static bool mark_stride(void *arg, struct rg_cnode *n)
{
    struct positive *p = arg;
    if (n->kind != RG_C_INDEX) return true;
    for (int d = 0; d < n->n; d++) {
        const struct rg_cnode *stack[64];
        bool factor[64];
        int top = 0;
        stack[top] = n->kid[d], factor[top++] = false;
        while (top) {
            const struct rg_cnode *e = stack[--top];
            bool inside = factor[top] || (e->op == RG_COP_MUL);
            if (e->kind == RG_C_INDEX || e->kind == RG_C_CALL) continue; /* data */
            if (inside && e->kind == RG_C_VAR && e->array < 0 && p->t->vars[e->var].kind == RG_CVAR_PARAM)
                p->flags[e->var] = true;
            for (int i = 0; i < e->n && top < 63; i++)
                if (e->kid[i]) stack[top] = e->kid[i], factor[top++] = inside && e->kind != RG_C_COND;
        }
    }
    return true;
}

enum { WRITTEN, INFERRED, EITHER };

/* In the extents that the user wrote, in those read off the accesses, or there in the larger of two, which may be
 * either. */
static void mark_dims(struct positive *p, const struct rg_problem *problem, int which)
{
    for (int a = 0; a < p->t->n_arrays; a++) {
        const struct rg_carray *x = &p->t->arrays[a];
        bool inferred = problem && x->param >= 0 && !x->delinearised && problem->params[x->param].extent_inferred;
        for (int d = 0; d < x->n_dims; d++) {
            const struct rg_expr *e = x->dims ? x->dims[d] : NULL;
            if (e && which == (e->kind == RG_EXPR_COND ? EITHER : inferred ? INFERRED : WRITTEN))
                rg_expr_names(e, mark_names, p);
        }
    }
}

/* Parameters that do anything else than stand in subscripts and comparisons. */
static void mark_used(struct positive *p, const struct rg_cnode *n)
{
    if (!n || n->kind == RG_C_INDEX) return;
    if (rg_c_relation(n->op) || larger(n)) return;
    if (n->kind == RG_C_VAR && n->array < 0 && p->t->vars[n->var].kind == RG_CVAR_PARAM) p->flags[n->var] = true;
    for (int i = 0; i < n->n; i++) mark_used(p, n->kid[i]);
}

/* Does it keep its value from where it is declared to where it is used? */
static bool stable(struct rg_ctree *t, const struct rg_cnode *e, const int *writes)
{
    if (e->kind == RG_C_VAR) {
        const struct rg_cvar *v = e->array < 0 ? &t->vars[e->var] : NULL;
        if (!v || (v->kind == RG_CVAR_PARAM ? v->assigned : v->kind == RG_CVAR_LOCAL && writes[e->var] != 1))
            return false;
    }
    if (e->kind == RG_C_INDEX && (e->pointer || rg__writes_array(t->root, e->array))) return false;
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM) return false;
    if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
    if (e->kind == RG_C_CALL && !rg__c_pure(t, e)) return false;
    for (int i = 0; i < e->n; i++)
        if (!stable(t, e->kid[i], writes)) return false;
    return true;
}

static void count_writes(struct rg_cnode *n, int *writes, const struct rg_cnode **declared)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) {
        writes[n->var] += n->n ? 1 : 2;
        if (n->n && !n->pointer) declared[n->var] = n->kid[0];
    }
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *l = n->kid[0];
        while (l->kind == RG_C_MEMBER) l = l->kid[0];
        if (l->kind == RG_C_VAR && l->array < 0) writes[l->var] += 2;
    }
    for (int i = 0; i < n->n; i++) count_writes(n->kid[i], writes, declared);
}

struct keeps {
    struct rg_ctree *t;
    const int *writes;
};

static bool keeps(void *arg, const struct rg_cnode *e)
{
    struct keeps *k = arg;
    return stable(k->t, e, k->writes);
}

static void definitions(struct rg_ctree *t, struct rg__given *g)
{
    size_t n = (size_t)t->n_vars + 1;
    int *writes = rg_xcalloc(n, sizeof *writes);
    const struct rg_cnode **declared = rg_xcalloc(n, sizeof *declared);
    g->definition = rg_xcalloc(n, sizeof *g->definition);
    if (!rg__mentions_kind(t->root, RG_C_VERBATIM)) count_writes(t->root, writes, declared);
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind == RG_CVAR_LOCAL && writes[v] == 1 && declared[v] && rg__scalar_is_int(t->vars[v].type) &&
            rg_scalar_bytes(t->vars[v].type) >= 4 && rg__scalar_is_int(declared[v]->type) &&
            stable(t, declared[v], writes))
            g->definition[v] = declared[v];
    rg__given_clamps(t, g, keeps, &(struct keeps){t, writes});
    free(declared);
    free(writes);
}

/* Values over constants, comparisons, choices among them and locals of that kind: `dy = c ? 1 : 0; if (d) dy = -dy;`.
 * false: anything. */
static bool values_of(const struct rg__given *g, const struct rg_cnode *e, int64_t *lo, int64_t *hi)
{
    enum { FAR = 1 << 20 };
    int64_t a, b;
    if (e->pointer || !rg__scalar_is_int(e->type)) return false;
    switch (e->kind) {
    case RG_C_INT:
        *lo = *hi = e->ivalue;
        return e->ivalue > -FAR && e->ivalue < FAR;
    case RG_C_VAR:
        if (e->array >= 0 || e->var >= g->n_vars || g->least[e->var] > g->most[e->var]) return false;
        *lo = g->least[e->var], *hi = g->most[e->var];
        return true;
    case RG_C_CAST:
        return rg_scalar_is_signed(e->type) && rg_scalar_bytes(e->type) >= 4 && values_of(g, e->kid[0], lo, hi);
    case RG_C_UNARY:
        if (e->op == RG_COP_NOT) return *lo = 0, *hi = 1, true;
        if (e->op != RG_COP_NEG || !rg_scalar_is_signed(e->type) || !values_of(g, e->kid[0], &a, &b)) return false;
        *lo = -b, *hi = -a;
        return true;
    case RG_C_BINARY:
        return rg_c_logic(e->op) && (*lo = 0, *hi = 1, true);
    case RG_C_COND:
        if (!values_of(g, e->kid[1], lo, hi) || !values_of(g, e->kid[2], &a, &b)) return false;
        *lo = a < *lo ? a : *lo, *hi = b > *hi ? b : *hi;
        return true;
    default:
        return false;
    }
}

enum { UNSEEN, SOME, ANY };

static void set_to(struct rg__given *g, unsigned char *seen, int var, const struct rg_cnode *e, bool *changed)
{
    int64_t lo, hi;
    if (seen[var] == ANY) return;
    bool itself = e->kind == RG_C_VAR && e->var == var;
    if (!itself && !values_of(g, e, &lo, &hi)) return; /* perhaps in a later round */
    if (itself || (seen[var] == SOME && lo >= g->least[var] && hi <= g->most[var])) return;
    g->least[var] = seen[var] == SOME && g->least[var] < lo ? g->least[var] : lo;
    g->most[var] = seen[var] == SOME && g->most[var] > hi ? g->most[var] : hi;
    seen[var] = SOME;
    *changed = true;
}

/* One round over all that sets integer locals; `last`: what cannot be said by now is unknown. */
static void few_values(struct rg_ctree *t, struct rg_cnode *n, struct rg__given *g, unsigned char *seen, bool last,
                       bool *changed)
{
    if (!n) return;
    const struct rg_cnode *to = NULL, *value = NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && !n->pointer) to = n, value = n->kid[0];
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    if (sets) {
        to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        if (to->kind != RG_C_VAR || to->array >= 0)
            to = NULL;
        else if (n->op == RG_COP_SET && to == n->kid[0])
            value = n->kid[1];
    }
    if (n->kind == RG_C_LOOP) to = n;
    if (to && to->var >= 0 && !last && value) set_to(g, seen, to->var, value, changed);
    int64_t lo, hi;
    if (to && to->var >= 0 && last &&
        (!value || !values_of(g, value, &lo, &hi) || lo < g->least[to->var] || hi > g->most[to->var])) {
        *changed = *changed || seen[to->var] != ANY;
        seen[to->var] = ANY;
        g->least[to->var] = 1, g->most[to->var] = 0;
    }
    for (int i = 0; i < n->n; i++) few_values(t, n->kid[i], g, seen, last, changed);
}

static void small_values(struct rg_ctree *t, struct rg__given *g)
{
    enum { ROUNDS = 4 };
    size_t n = (size_t)t->n_vars + 1;
    unsigned char *seen = rg_xcalloc(n, 1);
    g->least = rg_xcalloc(n, sizeof *g->least);
    g->most = rg_xcalloc(n, sizeof *g->most);
    for (size_t v = 0; v < n; v++) {
        bool local = v < (size_t)t->n_vars && t->vars[v].kind == RG_CVAR_LOCAL && rg__scalar_is_int(t->vars[v].type) &&
                     rg_scalar_is_signed(t->vars[v].type) && rg_scalar_bytes(t->vars[v].type) >= 4 &&
                     t->vars[v].struct_index < 0;
        g->least[v] = 1;
        seen[v] = local ? UNSEEN : ANY;
    }
    bool changed = !rg__mentions_kind(t->root, RG_C_VERBATIM);
    for (int i = 0; i < ROUNDS && changed; i++) {
        changed = false;
        few_values(t, t->root, g, seen, false, &changed);
    }
    for (changed = true; changed;) { /* one that is anything makes those anything that are set to it */
        changed = false;
        few_values(t, t->root, g, seen, true, &changed);
    }
    free(seen);
}

/* Of locals that keep within ends through all loops (range_invariants.c), where more is not known already: the ends,
 * where both are polynomials. */
static void given_invariants(struct rg_ctree *t, struct rg__given *g)
{
    struct rg__invariants *x = rg__invariants_of(t, g);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    for (int v = 0; v < t->n_vars; v++) {
        struct rg__value_range h = {.var = v, .array = -1};
        bool known = t->vars[v].kind != RG_CVAR_LOCAL;
        for (int i = 0; i < g->n_held && !known; i++) known = g->held[i].var == v;
        if (known) continue;
        const struct rg_cnode *e = rg__c_var(t, v), *low = rg__invariant_end(x, e, false),
                              *high = low ? rg__invariant_end(x, e, true) : NULL;
        if (!high) continue;
        rg__range_init(r, t, g);
        h.low = rg__poly_of(r, low);
        h.high = rg__poly_of(r, high);
        if (h.low.bad || h.high.bad || r->n_atoms) continue;
        g->held = rg_xrealloc(g->held, ((size_t)g->n_held + 1) * sizeof *g->held);
        g->held[g->n_held++] = h;
    }
    free(r);
    rg__invariants_free(x);
}

struct rg__given *rg__given_of(struct rg_ctree *t, const struct rg_problem *problem)
{
    struct rg__given *g = rg_xcalloc(1, sizeof *g);
    g->positive = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool));
    g->n_vars = t->n_vars;
    g->place = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool));
    bool *starts = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool));
    struct positive p = {t, g->positive, starts};
    rg__c_walk(t->root, mark_loop, &p);
    rg__c_walk(t->root, mark_stride, &p);
    mark_dims(&p, problem, WRITTEN);
    for (int i = 0; i < t->n_vars; i++) starts[i] = starts[i] && !g->positive[i];
    bool *other = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool)); /* known from elsewhere too */
    if (t->n_vars) memcpy(other, g->positive, (size_t)t->n_vars * sizeof(bool));
    mark_used(&(struct positive){t, other, NULL}, t->root);
    mark_dims(&p, problem, INFERRED);
    if (t->n_vars) memcpy(g->place, g->positive, (size_t)t->n_vars * sizeof(bool));
    mark_dims(&(struct positive){t, g->place, NULL}, problem, EITHER);
    for (int i = 0; i < t->n_vars; i++) g->place[i] = (g->place[i] && !other[i]) || starts[i];
    free(other);
    free(starts);
    definitions(t, g);
    small_values(t, g);
    int n = problem ? problem->n_require : 0;
    g->conditions = rg_xcalloc((size_t)n + 1, sizeof *g->conditions);
    for (int i = 0; i < n; i++) {
        struct rg_cnode *c = rg__c_from_expr(t, problem->require[i]);
        if (c) g->conditions[g->n++] = c;
    }
    g->computed = rg_xcalloc((size_t)(problem ? problem->n_params : 0) + 1, sizeof *g->computed);
    for (int v = 0; problem && v < t->n_vars; v++) {
        if (t->vars[v].kind != RG_CVAR_PARAM || t->vars[v].param < 0 || !problem->params[t->vars[v].param].derived)
            continue;
        struct rg_cnode *e = rg__c_from_expr(t, problem->params[t->vars[v].param].derived);
        if (e) g->computed[g->n_computed++] = (struct rg__computed){v, e, false};
    }
    struct rg__range *r = rg_xmalloc(sizeof *r);
    for (int i = 0; i < g->n_computed; i++) {
        int64_t c;
        const struct rg_cnode *e = rg__computed_quotient(g->computed[i].value, &c);
        if (e->op != RG_COP_DIV) continue;
        rg__range_init(r, t, g);
        struct rg__poly x = rg__poly_of(r, e->kid[0]);
        g->computed[i].plain = rg__prove(r, &x);
    }
    free(r);
    rg__given_elements(t, g);
    given_invariants(t, g);
    return g;
}

void rg__given_free(struct rg__given *g)
{
    if (!g) return;
    free(g->positive);
    free(g->place);
    free(g->definition);
    free(g->clamped);
    free(g->held);
    free(g->least);
    free(g->most);
    free(g->conditions);
    free(g->computed);
    free(g);
}
