/* Rounds over sets of bits (data flow, who reaches whom): updates add bits, `out[p] |= in[s] & mask[p]`. The order is
 * that of sets, in which |, & and shifts are monotone, and comparisons of numbers are not. */
#include "frontend/normalise/update_rounds_proof.h"

/* `x != 0`, `x == 0`. */
static enum motion against_none(const struct follow *f, const struct rg_cnode *e)
{
    double v;
    for (int i = 0; i < 2; i++) {
        if (!rg__round_number(e->kid[1 - i], &v) || v != 0) continue;
        if (!rg__scalar_is_int(e->kid[i]->type)) return UNKNOWN;
        const enum motion m = rg__round_motion_of(f, e->kid[i]);
        return e->op == RG_COP_NE ? m : e->op == RG_COP_EQ ? rg__round_turned(m) : UNKNOWN;
    }
    return UNKNOWN;
}

enum motion rg__round_bits(const struct follow *f, const struct rg_cnode *e)
{
    if (rg_c_relation(e->op)) return against_none(f, e);
    if (!rg__scalar_is_int(e->type)) return UNKNOWN;
    const enum motion a = rg__round_motion_of(f, e->kid[0]);
    if (e->op == RG_COP_COMPL) return rg__round_turned(a);
    if (e->n < 2) return UNKNOWN;
    const enum motion b = rg__round_motion_of(f, e->kid[1]);
    if (e->op == RG_COP_BOR || e->op == RG_COP_BAND) return rg__round_join(a, b);
    const bool shift = e->op == RG_COP_SHL || e->op == RG_COP_SHR;
    return shift && b == STILL && rg__round_wraps(e->type) ? a : UNKNOWN;
}
