/* The factor of a number-theoretic transform: an integer that is multiplied modulo another one from iteration to
 * iteration (`c = c * w % p`). Each iteration computes its own, as rg_mulpow(c, w, how often, p), which is what the
 * products come to in C, also where they wrap. */
#include "frontend/normalise/twiddles.h"
#include <stdlib.h>

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && rg__scalar_is_int(e->type);
}

static bool stays(const struct rg__twiddles *w, const struct rg_cnode *e)
{
    if (!rg__c_pure(w->t, e) || rg__mentions_kind(e, RG_C_INDEX) || !rg__scalar_is_int(e->type)) return false;
    for (int v = 0; v < w->t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && rg__doubling_writes(w->nest, v)) return false;
    return true;
}

/* Every value below `modulus` is one of the type. */
static bool holds(enum rg_scalar type, const struct rg_cnode *modulus)
{
    const struct rg_cnode *m = rg__c_uncast(modulus, RG__C_INT_CASTS);
    size_t bits = rg_scalar_bytes(type) * 8 - rg_scalar_is_signed(type);
    if (bits >= 63) return true;
    if (m->kind == RG_C_INT) return m->ivalue > 0 && m->ivalue <= (int64_t)1 << bits;
    return rg_scalar_bytes(m->type) * 8 - rg_scalar_is_signed(m->type) <= bits;
}

/* c = c * w % p: the product's parts; false: another statement. */
static bool multiplies(const struct rg__twiddles *w, const struct rg_cnode *s, int *var, const struct rg_cnode **factor,
                       const struct rg_cnode **modulus, enum rg_scalar *wide)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || !is_scalar(e->kid[0])) return false;
    const struct rg_cnode *rest = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    if (rest->op != RG_COP_REM) return false;
    const struct rg_cnode *product = rest->kid[0];
    while (product->kind == RG_C_CAST && rg_scalar_bytes(product->type) >= rg_scalar_bytes(product->kid[0]->type))
        product = product->kid[0];
    *var = e->kid[0]->var;
    *modulus = rest->kid[1];
    *wide = product->type;
    if (product->op != RG_COP_MUL || !rg__scalar_is_int(*wide) || rg_scalar_bytes(*wide) != 8 || rest->type != *wide ||
        !stays(w, *modulus) || !holds(e->kid[0]->type, *modulus))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *c = rg__c_uncast(product->kid[i], RG__C_INT_CASTS);
        *factor = product->kid[1 - i];
        if (is_scalar(c) && c->var == *var && !rg__c_mentions_var(*factor, *var) && stays(w, *factor)) return true;
    }
    return false;
}

static void drop(struct rg__kids *k, int at)
{
    for (int i = at; i + 1 < k->n; i++) k->items[i] = k->items[i + 1];
    k->n--;
}

bool rg__doubling_modular(struct rg__twiddles *w, struct rg__kids *front, struct rg__kids *list, struct rg__kids *inner)
{
    struct rg_ctree *t = w->t;
    for (int i = 0; i < list->n; i++) {
        const struct rg_cnode *factor, *modulus;
        enum rg_scalar wide;
        int var, at = 0;
        if (!multiplies(w, list->items[i], &var, &factor, &modulus, &wide) || rg__doubling_writes(w->scope, var) != 2)
            continue;
        while (at < front->n && !rg__doubling_set(front->items[at], var)) at++;
        bool last = true;
        for (int k = i + 1; k < list->n; k++) last = last && !rg__c_mentions_var(list->items[k], var);
        struct rg_cnode *first = at < front->n ? rg__doubling_set(front->items[at], var) : NULL;
        if (!first || !last || !stays(w, first) || rg__doubling_live(t, var, w->nest)) continue;
        struct rg_cnode *c = rg_cnode_new(t, RG_C_CALL, 4), *s;
        c->text = "rg_mulpow";
        c->type = wide;
        c->kid[0] = rg__c_cast(t, rg__c_cast(t, rg__c_copy(t, first), t->vars[var].type), wide);
        c->kid[1] = rg__c_cast(t, rg__c_copy(t, factor), wide);
        c->kid[2] = rg__c_cast(t, rg__c_copy(t, w->count), RG_ULLONG);
        c->kid[3] = rg__c_cast(t, rg__c_copy(t, modulus), wide);
        struct rg_cnode *value = rg__c_cast(t, c, t->vars[var].type);
        if (front->items[at]->kind == RG_C_DECL) {
            s = rg__c_shallow(&t->arena, front->items[at]);
            s->kid[0] = value;
        } else {
            s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
        }
        s->line = list->items[i]->line;
        drop(front, at);
        drop(list, i);
        rg__kids_add(inner, s);
        return true;
    }
    return false;
}
