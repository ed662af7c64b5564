/* States of an automaton. What an iteration makes of each of a few states is a word with a field for each of them,
 *     x = (w >> 2 * x) & 3
 * and two such words in a row are one: the maps of a finite set compose. */
#include "poly/kernel/recurrence.h"

static bool is_number(const struct rg_cnode *e, int64_t v)
{
    int64_t n;
    return rg__c_number(e, &n) && n == v;
}

static bool is_scalar(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* Where the field of the state begins: bits * x. */
static bool is_place(const struct rg_cnode *e, int var, int bits)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (bits == 1 && is_scalar(e, var)) return true;
    if (e->kind != RG_C_BINARY || e->op != RG_COP_MUL) return false;
    return (is_number(e->kid[0], bits) && is_scalar(e->kid[1], var)) ||
           (is_number(e->kid[1], bits) && is_scalar(e->kid[0], var));
}

bool rg__poly_scan_table(const struct rg_ctree *t, const struct poly_scan *sc, int which, const struct poly_set *set,
                         int *bits, const struct rg_cnode **word)
{
    const struct poly_carried *c = &sc->at[which];
    if (c->kind != POLY_CARRIED_SCALAR || rg_scalar_is_real(c->type) || rg_scalar_bytes(c->type) < 4 ||
        set->op != RG_COP_SET || !set->value || rg__poly_has_effects(set->value))
        return false;
    const struct rg_cnode *e = rg__c_uncast(set->value, RG__C_WIDE_CASTS), *shift = NULL;
    if (e->kind != RG_C_BINARY || e->op != RG_COP_BAND) return false;
    for (*bits = 1; *bits <= 4; ++*bits)
        if (is_number(e->kid[1], (1 << *bits) - 1)) break;
    shift = rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS);
    /* what it is in front of the loop has a field, too: whoever made the variable has seen to that */
    if (*bits > 4 || t->vars[c->var].below < 1 || t->vars[c->var].below > 1 << *bits) return false;
    if (shift->kind != RG_C_BINARY || shift->op != RG_COP_SHR || !is_place(shift->kid[1], c->var, *bits)) return false;
    *word = shift->kid[0];
    size_t bytes = rg_scalar_bytes(shift->type);
    return !rg_scalar_is_signed(shift->type) && bytes * 8 >= (size_t)*bits << *bits;
}
