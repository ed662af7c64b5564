/* Rematerialisation. `for (y..) { float fy = ...; for (x..) out[y][x] = ...; }`: what a row computes for its elements
 * goes to the elements. The nest is perfect then, and all its loops can run in parallel; the values are cheap. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUE = 24, MAX_TOTAL = 60 };

struct rows {
    struct rg_ctree *t;
    int *writes; /* by variable */
};

static void count_writes(const struct rg_cnode *n, int *writes)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n) writes[n->var]++;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *l = n->kid[0];
        while (l->kind == RG_C_MEMBER) l = l->kid[0];
        if (l->kind == RG_C_VAR && l->array < 0) writes[l->var] += 2;
    }
    for (int i = 0; i < n->n; i++) count_writes(n->kid[i], writes);
}

/* The same element whatever the iteration: a member of the structure that a pointer leads to, `v->scale`, an entry of a
 * small table of settings. All threads read one address, so that it costs little more than a parameter. */
static bool one_element(const struct rows *r, const struct rg_cnode *e)
{
    for (int i = 0; i < e->n; i++)
        if (!rg__c_of_params(r->t, e->kid[i])) return false;
    return !rg__writes_array(r->t->root, e->array);
}

/* Nothing in it changes while the row runs, and nothing is loaded but what is the same for every row. */
static bool steady(const struct rows *r, const struct rg_cnode *e)
{
    if (e->pointer || (e->kind == RG_C_INDEX && !one_element(r, e))) return false;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0) return false;
        const struct rg_cvar *v = &r->t->vars[e->var];
        if (v->kind == RG_CVAR_PARAM ? v->assigned : v->kind == RG_CVAR_LOCAL && r->writes[e->var] != 1) return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!steady(r, e->kid[i])) return false;
    return true;
}

static void mark_declared(const struct rg_cnode *n, bool *declared)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) declared[n->var] = true;
    if (n->kind == RG_C_LOOP) declared[n->var] = true;
    for (int i = 0; i < n->n; i++) mark_declared(n->kid[i], declared);
}

/* Every write goes to an element of the loop's own iteration, or to a scalar declared in it; counts the elements. */
static bool independent(const struct rows *r, const struct rg_cnode *n, int var, const bool *declared, int *elements)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_RETURN) return false;
    if (n->kind == RG_C_CALL && !rg__c_pure(r->t, n)) return false;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *l = n->kid[0];
        bool own = false;
        while (l->kind == RG_C_MEMBER) l = l->kid[0];
        if (l->kind == RG_C_VAR) {
            own = l->array < 0 && declared[l->var];
        } else if (l->kind == RG_C_INDEX && !l->pointer) {
            for (int i = 0; i < l->n; i++) own |= rg__c_mentions_var(l->kid[i], var);
            own |= r->t->arrays[l->array].param < 0;
            ++*elements;
        }
        if (!own) return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!independent(r, n->kid[i], var, declared, elements)) return false;
    return true;
}

/* The body of a loop: declarations of values, then one loop. */
static void to_elements(const struct rows *r, struct rg_cnode *body)
{
    struct rg_ctree *t = r->t;
    int n = body->n - 1, total = 0, elements = 0;
    struct rg_cnode *inner = n > 0 ? body->kid[n] : NULL;
    if (!inner || inner->kind != RG_C_LOOP) return;
    for (int i = 0; i < n; i++) {
        const struct rg_cnode *d = body->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || d->pointer || !d->n || r->writes[d->var] != 1 ||
            t->vars[d->var].type == RG_STRUCT || !rg__c_pure(t, d->kid[0]) || !steady(r, d->kid[0]))
            return;
        int size = rg__c_size(d->kid[0]);
        if (size > MAX_VALUE || (total += size) > MAX_TOTAL) return;
        if (rg__c_mentions_var(inner->kid[0], d->var) || rg__c_mentions_var(inner->kid[1], d->var)) return;
    }
    bool *declared = rg_xcalloc((size_t)t->n_vars + 1, sizeof *declared);
    mark_declared(inner->kid[2], declared);
    bool ok = independent(r, inner->kid[2], inner->var, declared, &elements) && elements > 0;
    free(declared);
    if (!ok) return;
    struct rg__kids front = {0};
    for (int i = 0; i < n; i++) rg__kids_add(&front, body->kid[i]);
    rg__block_splice(t, inner->kid[2], 0, 0, &front);
    body->kid[0] = inner;
    body->n = 1;
}

static void walk(const struct rows *r, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_LOOP && n->kid[2]->kind == RG_C_BLOCK) to_elements(r, n->kid[2]);
    for (int i = 0; i < n->n; i++) walk(r, n->kid[i]);
}

void rg__canon_rows(struct rg_ctree *t)
{
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    struct rows r = {t, rg_xcalloc((size_t)t->n_vars + 1, sizeof(int))};
    count_writes(t->root, r.writes);
    walk(&r, t->root);
    free(r.writes);
}
