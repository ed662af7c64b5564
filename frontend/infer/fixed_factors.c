/* Integer parameters that are numbers in fixed point: `(x * gain + (1 << 14)) >> 15`, `a * alpha / 255`. What the
 * product is divided by is their 1; as 1, 2 and 3, which integers are that decide no amount of work, they are next to
 * nothing and so is all that is multiplied with them. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"
#include <stdlib.h>

enum { LEAST_BITS = 6, MOST_BITS = 31, NARROW = 16, SAFE_BITS = 10, MAX_DEPTH = 12 };

struct factors {
    const struct rg__load *l;
    struct rg__writes writes;
    int64_t *unit;     /* by variable: the least that a product with it is divided by; 0 none */
    int *uses, *fixed; /* by variable: how often it is named, and as such a factor */
};

/* The variable that e is; -1. */
static int variable(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e && e->kind == RG_C_VAR && e->array < 0 ? e->var : -1;
}

/* The same, or what is left of a number: `255 - alpha`. */
static int share(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    const bool rest = e && e->kind == RG_C_BINARY && e->op == RG_COP_SUB &&
                      rg__c_uncast(e->kid[0], RG__C_INT_CASTS)->kind == RG_C_INT;
    return variable(rest ? e->kid[1] : e);
}

/* Factors in what is divided by `unit`. */
static void divided(struct factors *x, const struct rg_cnode *e, int64_t unit, int depth)
{
    e = rg__c_uncast(rg__defined_as(&x->writes, e), RG__C_INT_CASTS);
    if (!e || depth > MAX_DEPTH || e->kind != RG_C_BINARY) return;
    if (e->op == RG_COP_MUL)
        for (int i = 0; i < 2; i++) {
            int var = share(e->kid[i]);
            if (var < 0) continue;
            if (x->l->t->vars[var].kind != RG_CVAR_PARAM) continue;
            x->fixed[var]++;
            if (!x->unit[var] || unit < x->unit[var]) x->unit[var] = unit;
        }
    if (e->op == RG_COP_MUL || e->op == RG_COP_ADD || e->op == RG_COP_SUB)
        for (int i = 0; i < 2; i++)
            if (share(e->kid[i]) < 0 || e->op != RG_COP_MUL) divided(x, e->kid[i], unit, depth + 1);
}

static bool note(void *arg, struct rg_cnode *n)
{
    struct factors *x = arg;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var >= 0) x->uses[n->var]++;
    if (n->kind != RG_C_BINARY || (n->op != RG_COP_SHR && n->op != RG_COP_DIV)) return true;
    const struct rg_cnode *by = rg__c_uncast(n->kid[1], RG__C_INT_CASTS);
    if (by->kind != RG_C_INT || !rg__scalar_is_int(n->type)) return true;
    bool shift = n->op == RG_COP_SHR;
    if (shift ? by->ivalue >= LEAST_BITS && by->ivalue < MOST_BITS
              : by->ivalue >= 1 << LEAST_BITS && by->ivalue < (int64_t)1 << MOST_BITS)
        divided(x, n->kid[0], shift ? (int64_t)1 << by->ivalue : by->ivalue, 0);
    return true;
}

int64_t rg__fixed_value(const struct rg__load *l, int k, int quarters)
{
    int64_t unit = l->fixed_unit ? l->fixed_unit[k] : 0;
    return unit / 4 * quarters;
}

void rg__fixed_factors(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    l->fixed_unit = rg_arena_alloc(&p->arena, (size_t)(p->n_size_params + 1) * sizeof *l->fixed_unit);
    if (l->b.verbatim) return;
    const size_t n = (size_t)l->t->n_vars + 1;
    struct factors x = {.l = l,
                        .unit = rg_xcalloc(n, sizeof *x.unit),
                        .uses = rg_xcalloc(n, sizeof *x.uses),
                        .fixed = rg_xcalloc(n, sizeof *x.fixed)};
    rg__writes_gather(&x.writes, l->t);
    rg__c_walk(l->t->root, note, &x);
    for (int k = 0; k < p->n_size_params; k++) {
        const enum rg_scalar type = p->params[p->size_params[k]].elem;
        const int bits = 8 * (int)rg_scalar_bytes(type) - rg_scalar_is_signed(type);
        for (int v = 0; v < l->t->n_vars && type != RG_BOOL; v++) {
            const bool is = l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == p->size_params[k];
            if (!is || !x.unit[v] || x.uses[v] > x.fixed[v]) continue; /* or else a mode, a place */
            if (bits > NARROW && x.unit[v] > 1 << SAFE_BITS) continue; /* a product might leave its type */
            const int64_t most = ((int64_t)1 << (bits < MOST_BITS ? bits : MOST_BITS)) - 1;
            l->fixed_unit[k] = x.unit[v] < most ? x.unit[v] : most;
        }
    }
    rg__writes_release(&x.writes);
    free(x.unit);
    free(x.uses);
    free(x.fixed);
}
