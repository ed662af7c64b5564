/* Subscripts that data say, but not without limit: max(n, min(n + col[k], 2*n - 1)), n + (k < 0 ? 0 : k), a byte. Which
 * element they mean nobody knows, yet it lies in a range that isl can say. */
#include "poly/analysis/scop.h"
#include <string.h>

enum { MAX_DEPTH = 16 };

struct bounds { /* all values lie there, both ends included; NULL: nobody knows an end */
    isl_pw_aff *low, *high;
};

struct place {
    const struct poly_scop *s;
    const int *loops;
    int depth;
    isl_space *space;
};

static struct bounds bounds_of(const struct place *p, const struct rg_cnode *e, int depth);

static struct bounds release(struct bounds b)
{
    isl_pw_aff_free(b.low);
    isl_pw_aff_free(b.high);
    return (struct bounds){NULL, NULL};
}

static isl_pw_aff *number(const struct place *p, int64_t v)
{
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(p->space));
    return isl_pw_aff_from_aff(isl_aff_val_on_domain(ls, isl_val_int_from_si(p->s->ctx, v)));
}

/* The larger of two, of which one alone, or both, must be known; the other way for the smaller. */
static isl_pw_aff *extreme(isl_pw_aff *a, isl_pw_aff *b, bool larger, bool both)
{
    if (a && b) return larger ? isl_pw_aff_max(a, b) : isl_pw_aff_min(a, b);
    if (!both) return a ? a : b;
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
}

static isl_pw_aff *sum(const struct place *p, isl_pw_aff *a, int64_t by)
{
    return a ? isl_pw_aff_add(a, number(p, by)) : NULL;
}

static bool signed_int(const struct rg_cnode *e)
{
    return !e->pointer && rg__scalar_is_int(e->type) && rg_scalar_is_signed(e->type);
}

/* What the condition, which holds (or not), says of e: one relation that has e on a side, or several of them. */
static struct bounds said(const struct place *p, const struct rg_cnode *c, bool holds, const struct rg_cnode *e,
                          int depth)
{
    struct bounds b = {NULL, NULL};
    if (c->op == RG_COP_NOT) return said(p, c->kid[0], !holds, e, depth + 1);
    if (depth < MAX_DEPTH && c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        struct bounds x = said(p, c->kid[0], holds, e, depth + 1), y = said(p, c->kid[1], holds, e, depth + 1);
        b.low = extreme(x.low, y.low, true, false);
        b.high = extreme(x.high, y.high, false, false);
        return b;
    }
    if (!rg_c_relation(c->op) || !signed_int(c->kid[0]) || !signed_int(c->kid[1])) return b;
    enum rg_c_op op = holds ? c->op : rg_c_opposite(c->op);
    for (int side = 0; side < 2; side++) {
        if (!rg__c_same(rg__c_uncast(c->kid[side], RG__C_WIDE_CASTS), rg__c_uncast(e, RG__C_WIDE_CASTS), 0)) continue;
        struct bounds y = bounds_of(p, c->kid[1 - side], depth + 1);
        enum rg_c_op own = side ? rg_c_converse(op) : op; /* e own y */
        if (own == RG_COP_LT || own == RG_COP_LE || own == RG_COP_EQ)
            b.high = sum(p, isl_pw_aff_copy(y.high), own == RG_COP_LT ? -1 : 0);
        if (own == RG_COP_GT || own == RG_COP_GE || own == RG_COP_EQ)
            b.low = sum(p, isl_pw_aff_copy(y.low), own == RG_COP_GT ? 1 : 0);
        release(y);
        return b;
    }
    return b;
}

static struct bounds arm(const struct place *p, const struct rg_cnode *c, bool holds, const struct rg_cnode *e,
                         int depth)
{
    struct bounds own = bounds_of(p, e, depth + 1), more = said(p, c, holds, e, depth + 1);
    own.low = extreme(own.low, more.low, true, false);
    own.high = extreme(own.high, more.high, false, false);
    return own;
}

/* All that a type can hold, where that is little. */
static struct bounds of_type(const struct place *p, enum rg_scalar type)
{
    struct bounds b = {NULL, NULL};
    if (type == RG_U8 || type == RG_U16 || type == RG_BOOL) {
        b.low = number(p, 0);
        b.high = number(p, type == RG_BOOL ? 1 : type == RG_U8 ? UINT8_MAX : UINT16_MAX);
    }
    return b;
}

static struct bounds bounds_of(const struct place *p, const struct rg_cnode *e, int depth)
{
    struct bounds b = {NULL, NULL}, x, y;
    if (depth > MAX_DEPTH || e->pointer) return b;
    if ((b.low = rg__poly_aff(p->s, p->loops, p->depth, p->space, e))) {
        b.high = isl_pw_aff_copy(b.low);
        return b;
    }
    switch (e->kind) {
    case RG_C_CAST: {
        const struct rg_cnode *in = e->kid[0];
        bool keeps = signed_int(in) && signed_int(e) && rg_scalar_bytes(e->type) >= rg_scalar_bytes(in->type);
        keeps = keeps || (rg__scalar_is_int(in->type) && !rg_scalar_is_signed(in->type) && rg__scalar_is_int(e->type) &&
                          rg_scalar_bytes(e->type) > rg_scalar_bytes(in->type));
        return keeps ? bounds_of(p, in, depth + 1) : of_type(p, e->type);
    }
    case RG_C_INDEX: {
        const struct rg_carray *a = &p->s->tree->arrays[e->array];
        if (!a->constant_table || !a->bounded) return of_type(p, e->type);
        return (struct bounds){number(p, a->least), number(p, a->most)};
    }
    case RG_C_COND:
        x = arm(p, e->kid[0], true, e->kid[1], depth);
        y = arm(p, e->kid[0], false, e->kid[2], depth);
        b.low = extreme(x.low, y.low, false, true);
        b.high = extreme(x.high, y.high, true, true);
        return b;
    case RG_C_CALL: {
        bool least = e->text && !strcmp(e->text, "min");
        if (e->n != 2 || e->callee >= 0 || (!least && (!e->text || strcmp(e->text, "max") != 0))) return b;
        x = bounds_of(p, e->kid[0], depth + 1);
        y = bounds_of(p, e->kid[1], depth + 1);
        b.low = extreme(x.low, y.low, !least, least);
        b.high = extreme(x.high, y.high, !least, !least);
        return b;
    }
    case RG_C_BINARY:
        if ((e->op != RG_COP_ADD && e->op != RG_COP_SUB) || !signed_int(e)) return of_type(p, e->type);
        x = bounds_of(p, e->kid[0], depth + 1);
        y = bounds_of(p, e->kid[1], depth + 1);
        if (e->op == RG_COP_SUB) {
            isl_pw_aff *low = y.low ? isl_pw_aff_neg(y.low) : NULL;
            y.low = y.high ? isl_pw_aff_neg(y.high) : NULL;
            y.high = low;
        }
        if (x.low && y.low) b.low = isl_pw_aff_add(isl_pw_aff_copy(x.low), isl_pw_aff_copy(y.low));
        if (x.high && y.high) b.high = isl_pw_aff_add(isl_pw_aff_copy(x.high), isl_pw_aff_copy(y.high));
        release(x);
        release(y);
        return b;
    default:
        return of_type(p, e->type);
    }
}

/* { points of the statement -> numbers from the end on, that way }; takes the end. */
static isl_map *from_end(isl_pw_aff *end, bool up)
{
    isl_map *m = isl_map_from_pw_aff(end);
    isl_space *one = isl_space_range(isl_map_get_space(m));
    return isl_map_apply_range(m, up ? isl_map_lex_le(one) : isl_map_lex_ge(one));
}

isl_map *rg__poly_bounded(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                          const struct rg_cnode *e)
{
    struct place p = {s, loops, depth, space};
    struct bounds b = bounds_of(&p, e, 0);
    isl_map *low = b.low ? from_end(b.low, true) : NULL, *high = b.high ? from_end(b.high, false) : NULL;
    return low && high ? isl_map_intersect(low, high) : low ? low : high;
}
