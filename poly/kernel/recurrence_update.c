/* How carried values are updated: by one associative operator, or by an affine function of carried values. */
#include "poly/kernel/recurrence.h"
#include <stdlib.h>
#include <string.h>

bool rg__poly_set_of(const struct rg_cnode *n, struct poly_set *out)
{
    *out = (struct poly_set){.var = -1, .op = RG_COP_SET};
    if (n->kind == RG_C_DECL) {
        if (n->array >= 0 || !n->n || !n->kid[0] || n->kid[0]->kind == RG_C_INITLIST) return false;
        out->var = n->var;
        out->value = n->kid[0];
        return true;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n ? n->kid[0] : n;
    if (e->kind == RG_C_INCDEC && e->n == 1) {
        out->op = rg_c_increments(e->op) ? RG_COP_POST_INC : RG_COP_POST_DEC;
    } else if (e->kind == RG_C_ASSIGN && e->n == 2) {
        out->op = e->op;
        out->value = e->kid[1];
    } else {
        return false;
    }
    out->target = e->kid[0];
    if (out->target->kind == RG_C_VAR && out->target->array < 0) out->var = out->target->var;
    return out->var >= 0 || out->target->kind == RG_C_INDEX;
}

const struct rg_cnode *rg__poly_carried_node(const struct poly_scan *sc, const struct rg_cnode *e, int *which)
{
    for (int i = 0; e && e->kind == RG_C_INDEX && i < sc->n; i++)
        if (sc->at[i].array == e->array && rg__c_same(e, sc->at[i].in, RG__C_UNCAST)) {
            *which = i;
            return e;
        }
    return NULL;
}

unsigned rg__poly_scan_mask(const struct poly_scan *sc, const struct rg_cnode *e)
{
    unsigned m = 0;
    int at;
    if (!e) return 0;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0) m |= sc->depends[e->var];
    if (rg__poly_carried_node(sc, e, &at)) m |= 1u << at | (sc->at[at].op == POLY_OP_NONE ? sc->at[at].group : 0);
    for (int i = 0; i < e->n; i++) m |= rg__poly_scan_mask(sc, e->kid[i]);
    return m;
}

/* A remainder by the modulus of all that it depends on. */
static bool modular_in(const struct poly_scan *sc, const struct rg_cnode *e)
{
    int64_t m;
    const unsigned mask = rg__poly_scan_mask(sc, e->kid[0]);
    if (!rg__c_number(e->kid[1], &m)) return false;
    for (int i = 0; i < sc->n; i++)
        if (mask >> i & 1 && sc->at[i].modulus != m) return false;
    return mask != 0;
}

/* Is e, whose value depends on carried ones, affine in them? */
static bool affine_in(const struct poly_scan *sc, const struct rg_cnode *e, bool real)
{
    int at;
    if (!rg__poly_scan_mask(sc, e) || rg__poly_carried_node(sc, e, &at)) return true;
    switch (e->kind) {
    case RG_C_VAR:
        return e->array < 0;
    case RG_C_CAST:
        return e->n == 1 && !e->pointer && rg_scalar_is_real(e->type) == real && rg_scalar_bytes(e->type) >= 4 &&
               (real || rg_scalar_bytes(e->type) <= rg_scalar_bytes(e->kid[0]->type)) &&
               affine_in(sc, e->kid[0], real); /* integers wrap */
    case RG_C_UNARY:
        return (e->op == RG_COP_POS || e->op == RG_COP_NEG) && affine_in(sc, e->kid[0], real);
    case RG_C_COND:
        return !rg__poly_scan_mask(sc, e->kid[0]) && affine_in(sc, e->kid[1], real) && affine_in(sc, e->kid[2], real);
    case RG_C_BINARY: {
        bool a = rg__poly_scan_mask(sc, e->kid[0]) != 0, b = rg__poly_scan_mask(sc, e->kid[1]) != 0;
        if (e->op == RG_COP_MUL) return a != b && affine_in(sc, e->kid[!a], real);
        if (e->op == RG_COP_REM) return a && !b && modular_in(sc, e) && affine_in(sc, e->kid[0], real);
        if (e->op == RG_COP_DIV) return real && a && !b && affine_in(sc, e->kid[0], real);
        return (e->op == RG_COP_ADD || e->op == RG_COP_SUB) && affine_in(sc, e->kid[0], real) &&
               affine_in(sc, e->kid[1], real);
    }
    case RG_C_CALL:
        return real && e->n == 3 && e->text && (!strcmp(e->text, "fma") || !strcmp(e->text, "fmaf")) && e->callee < 0 &&
               !(rg__poly_scan_mask(sc, e->kid[0]) && rg__poly_scan_mask(sc, e->kid[1])) &&
               affine_in(sc, e->kid[0], real) && affine_in(sc, e->kid[1], real) && affine_in(sc, e->kid[2], real);
    default:
        return false;
    }
}

/* 0, 1, a comparison, a choice among such: as many as there are iterations come round in no type of a counter. */
static bool is_count(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_COND) return is_count(e->kid[1]) && is_count(e->kid[2]);
    return e->type == RG_BOOL || rg_c_logic(e->op) || e->op == RG_COP_NOT ||
           (e->kind == RG_C_INT && (e->ivalue == 0 || e->ivalue == 1));
}

/* Does nothing in k but steps of at most one change the carried value? */
static bool only_counts(const struct poly_scan *sc, const struct poly_knode *k, int which)
{
    struct poly_set set;
    if (!k) return true;
    for (int i = 0; i < k->n; i++)
        if (!only_counts(sc, k->kid[i], which)) return false;
    if (k->kind != KN_LEAF || (k->node->kind == RG_C_DECL && !k->node->n) || !rg__poly_set_of(k->node, &set) ||
        rg__poly_scan_updates(sc, k->node, &set) != which)
        return true;
    return set.op == RG_COP_POST_INC || (set.op == RG_COP_ADD_SET && is_count(set.value));
}

/* Are carried values held in fewer bits on their way into e, a number of so many bytes, and may they come round there?
 * An unsigned state added to a longer sum does: what a piece of the iterations makes of it is no sum of that many bits.
 */
static bool comes_round(const struct poly_scan *sc, const struct rg_cnode *e, size_t bytes)
{
    int at;
    if (!rg__poly_scan_mask(sc, e)) return false;
    const bool number = rg__scalar_is_int(e->type), narrow = number && rg_scalar_bytes(e->type) < bytes;
    if (rg__poly_carried_node(sc, e, &at))
        return narrow && !rg_scalar_is_signed(e->type) && !only_counts(sc, sc->part, at);
    if (e->kind == RG_C_VAR && narrow && !rg_scalar_is_signed(e->type)) {
        for (int i = 0; i < sc->n; i++)
            if (sc->at[i].kind == POLY_CARRIED_SCALAR && sc->at[i].var == e->var) return !only_counts(sc, sc->part, i);
        return true;
    }
    if (narrow && (!rg_scalar_is_signed(e->type) ||
                   (e->kind == RG_C_CAST && rg_scalar_bytes(e->kid[0]->type) > rg_scalar_bytes(e->type))))
        return true;
    for (int i = 0; i < e->n; i++)
        if (comes_round(sc, e->kid[i], bytes)) return true;
    return false;
}

/* Of the widest value that is carried: more bits of what is made on the way count for nothing. */
static size_t carried_bytes(const struct poly_scan *sc)
{
    size_t most = 0;
    for (int i = 0; i < sc->n; i++)
        if (rg_scalar_bytes(sc->at[i].type) > most) most = rg_scalar_bytes(sc->at[i].type);
    return most;
}

int rg__poly_scan_updates(const struct poly_scan *sc, const struct rg_cnode *leaf, const struct poly_set *set)
{
    int at = -1;
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].leaf == leaf || (sc->at[i].kind == POLY_CARRIED_SCALAR && sc->at[i].var == set->var)) return i;
    if (set->target && rg__poly_carried_node(sc, set->target, &at) && sc->at[at].kind == POLY_CARRIED_ELEMENT)
        return at;
    return -1;
}

/* Of one statement. */
static enum poly_op op_of(const struct poly_carrying *an, const struct rg_cnode *leaf, int which,
                          const struct poly_set *set)
{
    const struct poly_carried *c = &an->sc->at[which];
    int id = rg__poly_stmt_of(an->s, leaf);
    if (c->kind == POLY_CARRIED_CHAIN) {
        if (set->op == RG_COP_SET) return rg__poly_update_op(an->s->tree, set->value, c->in);
        bool sum = set->op == RG_COP_ADD_SET, whole = rg__c_same(set->value, c->in, RG__C_UNCAST);
        enum poly_op op = whole ? POLY_OP_ADD : rg__poly_update_op(an->s->tree, set->value, c->in);
        if (set->op == RG_COP_MUL_SET && whole) return POLY_OP_MUL;
        return sum && op == POLY_OP_ADD ? POLY_OP_ADD : POLY_OP_NONE;
    }
    if (id < 0) return POLY_OP_NONE;
    const struct poly_stmt *st = &an->s->stmts[id];
    if (st->red_op == POLY_OP_WITH) return POLY_OP_NONE; /* chosen along with another value, not combined */
    return (c->var >= 0 ? st->red_var == c->var : st->red_array == c->array) ? st->red_op : POLY_OP_NONE;
}

struct pass {
    struct poly_carrying *an;
    bool changed, ok, final;
    const struct rg_cnode *bad;
};

/* Does the update's own value aside, the statement read carried ones? */
static unsigned other_mask(const struct poly_carrying *an, const struct poly_set *set, int which)
{
    unsigned m = rg__poly_scan_mask(an->sc, set->value);
    return which >= 0 ? m & ~(1u << which) : m;
}

static void make_affine(struct pass *ps, int which)
{
    ps->changed = ps->changed || ps->an->sc->at[which].op != POLY_OP_NONE;
    ps->an->sc->at[which].op = POLY_OP_NONE;
    ps->an->sc->at[which].resets = false;
}

static void fail(struct pass *ps, const struct rg_cnode *n)
{
    ps->ok = false;
    if (!ps->bad) ps->bad = n;
}

static void relate(struct pass *ps, const struct poly_knode *k)
{
    struct poly_scan *sc = ps->an->sc;
    struct poly_set set;
    if (!k) return;
    if (k->kind == KN_IF && rg__poly_scan_mask(sc, k->node->kid[0])) fail(ps, k->node);
    for (int i = 0; i < k->n; i++) relate(ps, k->kid[i]);
    if (k->kind != KN_LEAF || (k->node->kind == RG_C_DECL && !k->node->n)) return;
    if (!rg__poly_set_of(k->node, &set)) { /* code of its own kind: what it makes of other things may be used */
        if (rg__poly_scan_mask(sc, k->node) || rg__poly_carry_updates(ps->an, k->node)) fail(ps, k->node);
        return;
    }
    int which = rg__poly_scan_updates(sc, k->node, &set);
    unsigned m = other_mask(ps->an, &set, which);
    for (int i = 0; set.target && i < set.target->n; i++)
        if (rg__poly_scan_mask(sc, set.target->kid[i])) fail(ps, k->node);
    for (int i = 0; i < sc->n; i++)
        if (m >> i & 1) make_affine(ps, i);
    if (which >= 0) {
        bool bound = rg__poly_has_bound(sc->at[which].op) || sc->at[which].resets || sc->at[which].op == POLY_OP_TABLE;
        enum poly_op op = m ? POLY_OP_NONE : bound ? sc->at[which].op : op_of(ps->an, k->node, which, &set);
        if (op == POLY_OP_NONE || (sc->at[which].op != POLY_OP_NONE && sc->at[which].op != op)) make_affine(ps, which);
        m = rg__poly_scan_mask(sc, set.value) | 1u << which;
        unsigned whole = sc->at[which].group | m;
        ps->changed = ps->changed || whole != sc->at[which].group;
        sc->at[which].group = whole;
    } else if (m) {
        if (set.var < 0) {
            fail(ps, k->node);
            return;
        }
        ps->changed = ps->changed || (sc->depends[set.var] | m) != sc->depends[set.var];
        sc->depends[set.var] |= m;
    }
    if (!ps->final || (which >= 0 && sc->at[which].op != POLY_OP_NONE) ||
        (which < 0 && !sc->depends[set.var < 0 ? 0 : set.var]))
        return;
    if (which < 0 && set.var < 0) return;
    enum rg_scalar type = which >= 0 ? sc->at[which].type : ps->an->s->tree->vars[set.var].type;
    const size_t own = rg_scalar_bytes(type), most = carried_bytes(sc), bytes = own < most ? own : most;
    bool real = rg_scalar_is_real(type), by = rg__poly_scan_mask(sc, set.value) != 0;
    if (type == RG_STRUCT || rg_scalar_bytes(type) < 4 || !affine_in(sc, set.value, real) ||
        (!real && comes_round(sc, set.value, bytes)))
        fail(ps, k->node);
    if (set.op != RG_COP_SET && set.op != RG_COP_ADD_SET && set.op != RG_COP_SUB_SET && set.op != RG_COP_POST_INC &&
        set.op != RG_COP_POST_DEC && (by || !(set.op == RG_COP_MUL_SET || (real && set.op == RG_COP_DIV_SET))))
        fail(ps, k->node);
    if (which >= 0 && sc->at[which].kind == POLY_CARRIED_CHAIN && set.op != RG_COP_SET && set.op != RG_COP_ADD_SET &&
        set.op != RG_COP_SUB_SET)
        fail(ps, k->node); /* y[i] *= e of the one before: not its own value times it */
}

/* Groups whose values meet are one; all of one kind of numbers. */
static bool settle_groups(struct poly_carrying *an)
{
    struct poly_scan *sc = an->sc;
    for (int round = 0; round < sc->n; round++)
        for (int i = 0; i < sc->n; i++)
            for (int j = 0; j < sc->n; j++)
                if (sc->at[i].group & sc->at[j].group)
                    sc->at[i].group = sc->at[j].group = sc->at[i].group | sc->at[j].group;
    for (int i = 0; i < sc->n; i++) {
        const enum poly_op op = sc->at[i].op;
        sc->ordered |= op == POLY_OP_NONE || op == POLY_OP_TABLE || rg__poly_has_bound(op) || sc->at[i].resets;
        if (sc->at[i].op != POLY_OP_NONE) continue;
        int members = 0;
        for (int j = 0; j < sc->n; j++)
            if (sc->at[i].group >> j & 1) {
                members++;
                if (sc->at[j].modulus != sc->at[i].modulus)
                    return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                             "loop %s mixes what it carries with remainders", rg__poly_carry_loop(an));
                if (rg_scalar_is_real(sc->at[j].type) != rg_scalar_is_real(sc->at[i].type))
                    return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                             "loop %s mixes integers and reals in what it carries",
                                             rg__poly_carry_loop(an));
            }
        if (members > 4)
            return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                     "loop %s carries %d values that depend on each other", rg__poly_carry_loop(an),
                                     members);
    }
    return true;
}

/* ---- x = (a * x + b) / (c * x + d) ---- */

const struct rg_cnode *rg__poly_carry_value(const struct poly_scan *sc, int var)
{
    const struct rg_cnode *value = NULL;
    for (int i = 0; i < sc->part->n; i++) {
        struct poly_set set;
        if (sc->part->kid[i]->kind != KN_LEAF || !rg__poly_set_of(sc->part->kid[i]->node, &set) || set.var != var)
            continue;
        if (value || set.op != RG_COP_SET) return NULL;
        value = set.value;
    }
    return value;
}

struct degrees {
    bool ok;
    int num, den; /* in the carried value */
};

static struct degrees degrees_of(const struct poly_scan *sc, const struct rg_cnode *e, int depth)
{
    struct degrees none = {false, 0, 0}, a, b;
    int at;
    if (!rg__poly_scan_mask(sc, e)) return (struct degrees){true, 0, 0};
    if (rg__poly_carried_node(sc, e, &at)) return (struct degrees){true, 1, 0};
    if (depth > 40) return none;
    if (e->kind == RG_C_VAR) {
        const struct rg_cnode *v = rg__poly_carry_value(sc, e->var);
        return v ? degrees_of(sc, v, depth + 1) : none;
    }
    if (e->kind == RG_C_CAST && e->n == 1 && !e->pointer && rg_scalar_is_real(e->type) && rg_scalar_bytes(e->type) >= 4)
        return degrees_of(sc, e->kid[0], depth + 1);
    if (e->op == RG_COP_POS || e->op == RG_COP_NEG) return degrees_of(sc, e->kid[0], depth + 1);
    if (!rg_c_arithmetic(e->op) || e->op == RG_COP_REM || !rg_scalar_is_real(e->type)) return none;
    a = degrees_of(sc, e->kid[0], depth + 1);
    b = degrees_of(sc, e->kid[1], depth + 1);
    if (!a.ok || !b.ok) return none;
    struct degrees r = {true, a.num + b.num, a.den + b.den};
    if (e->op == RG_COP_DIV)
        r = (struct degrees){true, a.num + b.den, a.den + b.num};
    else if (e->op != RG_COP_MUL)
        r = (struct degrees){true, a.num + b.den > b.num + a.den ? a.num + b.den : b.num + a.den, a.den + b.den};
    r.ok = r.num <= 1 && r.den <= 1;
    return r;
}

/* One chain of reals; its temporaries are set once, at the top. */
static bool is_fraction(struct poly_carrying *an)
{
    const struct poly_scan *sc = an->sc;
    struct poly_set set;
    if (sc->n != 1 || sc->at[0].kind != POLY_CARRIED_CHAIN || sc->at[0].lag != 1 ||
        !rg_scalar_is_real(sc->at[0].type) || rg_scalar_bytes(sc->at[0].type) < 4 ||
        !rg__poly_set_of(sc->at[0].leaf, &set) || set.op != RG_COP_SET)
        return false;
    for (int i = 0; i < sc->part->n; i++) /* nothing but these depends on it */
        if (sc->part->kid[i]->kind != KN_LEAF) return false;
    for (int i = 0; i < sc->part->n; i++) {
        struct poly_set other;
        if (!rg__poly_set_of(sc->part->kid[i]->node, &other)) continue;
        if (other.target && other.target->kind == RG_C_INDEX)
            for (int k = 0; k < other.target->n; k++)
                if (rg__poly_scan_mask(sc, other.target->kid[k])) return false;
        if (rg__poly_scan_mask(sc, other.value) && !degrees_of(sc, other.value, 0).ok) return false;
    }
    return degrees_of(sc, set.value, 0).ok;
}

/* The scalar itself, or something that no carried value goes into; a choice of such. */
static bool keeps_or_sets(const struct poly_scan *sc, const struct rg_cnode *e, const struct poly_carried *c)
{
    if (!rg__poly_scan_mask(sc, e)) return true;
    if (e->kind == RG_C_VAR) return e->array < 0 && e->var == c->var;
    if (e->kind == RG_C_CAST) return e->n == 1 && e->type == c->type && keeps_or_sets(sc, e->kid[0], c);
    return e->kind == RG_C_COND && e->n == 3 && !rg__poly_scan_mask(sc, e->kid[0]) && keeps_or_sets(sc, e->kid[1], c) &&
           keeps_or_sets(sc, e->kid[2], c);
}

static bool is_kept(const struct poly_carrying *an, int which)
{
    const struct poly_scop *s = an->s;
    const struct poly_carried *c = &an->sc->at[which];
    const struct poly_loop *l = &s->loops[an->sc->loop];
    if (c->kind != POLY_CARRIED_SCALAR || c->op != POLY_OP_NONE || c->group != 1u << which ||
        !rg_scalar_is_real(c->type))
        return false;
    for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
        struct poly_set set;
        if (an->in[q] && rg__poly_set_of(s->stmts[q].node, &set) &&
            rg__poly_scan_updates(an->sc, s->stmts[q].node, &set) == which &&
            (set.op != RG_COP_SET || !keeps_or_sets(an->sc, set.value, c)))
            return false;
    }
    return true;
}

/* A value that the carried one goes into as it is, once, or not at all: a sum, a choice of sums. Scalars on the way are
 * looked at where they are set. */
static bool adds_or_sets(const struct poly_scan *sc, const struct rg_cnode *e, int which)
{
    int at;
    if (!rg__poly_scan_mask(sc, e)) return true;
    if (e->kind == RG_C_VAR) return e->array < 0 && !e->pointer;
    if (e->kind == RG_C_INDEX) return rg__poly_carried_node(sc, e, &at) && at == which;
    if (e->kind == RG_C_CAST) return e->n == 1 && rg_scalar_is_real(e->type) && adds_or_sets(sc, e->kid[0], which);
    if (e->kind == RG_C_COND)
        return e->n == 3 && !rg__poly_scan_mask(sc, e->kid[0]) && adds_or_sets(sc, e->kid[1], which) &&
               adds_or_sets(sc, e->kid[2], which);
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB)) return false;
    if (!rg__poly_scan_mask(sc, e->kid[1])) return adds_or_sets(sc, e->kid[0], which);
    return e->op == RG_COP_ADD && !rg__poly_scan_mask(sc, e->kid[0]) && adds_or_sets(sc, e->kid[1], which);
}

static bool is_summed(const struct poly_carrying *an, int which)
{
    const struct poly_scop *s = an->s;
    const struct poly_scan *sc = an->sc;
    const struct poly_carried *c = &sc->at[which];
    const struct poly_loop *l = &s->loops[sc->loop];
    const bool chain = c->kind == POLY_CARRIED_CHAIN && c->lag == 1;
    if ((c->kind != POLY_CARRIED_SCALAR && !chain) || c->op != POLY_OP_NONE || c->group != 1u << which ||
        !rg_scalar_is_real(c->type))
        return false;
    for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
        struct poly_set set;
        if (!an->in[q] || !rg__poly_set_of(s->stmts[q].node, &set)) continue;
        const int to = rg__poly_scan_updates(sc, s->stmts[q].node, &set);
        if (to != which && (to >= 0 || set.var < 0 || !(sc->depends[set.var] >> which & 1))) continue;
        const bool adds = set.op == RG_COP_ADD_SET || set.op == RG_COP_SUB_SET;
        bool ok = set.op == RG_COP_SET && adds_or_sets(sc, set.value, which);
        if (adds && !(chain && to == which)) ok = !rg__poly_scan_mask(sc, set.value);
        if (set.op == RG_COP_ADD_SET && chain && to == which) ok = adds_or_sets(sc, set.value, which);
        if (!ok && set.value) return false;
    }
    return true;
}

/* All updates of it together are sums above a floor, or below a ceiling; NONE: they are something else. */
static enum poly_op bound_of(const struct poly_carrying *an, int which)
{
    const struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    enum poly_op op = POLY_OP_NONE;
    for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
        struct poly_set set;
        enum poly_op own;
        const struct rg_cnode *sum;
        if (!an->in[q] || !rg__poly_set_of(s->stmts[q].node, &set) ||
            rg__poly_scan_updates(an->sc, s->stmts[q].node, &set) != which)
            continue;
        if (!rg__poly_scan_clamped(an->sc, which, &set, &own, &sum)) return POLY_OP_NONE;
        if (own == POLY_OP_ADD) continue;
        if (op != POLY_OP_NONE && op != own) return POLY_OP_NONE;
        op = own;
    }
    return op;
}

/* The operator of all updates but those that set it anew; NONE: it is affine, or there are others. */
static enum poly_op reset_op(const struct poly_carrying *an, int which)
{
    const struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    const struct poly_carried *c = &an->sc->at[which];
    enum poly_op op = POLY_OP_SAME;
    bool sets = false;
    for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
        struct poly_set set;
        if (!an->in[q] || !rg__poly_set_of(s->stmts[q].node, &set) ||
            rg__poly_scan_updates(an->sc, s->stmts[q].node, &set) != which)
            continue;
        enum poly_op own = op_of(an, s->stmts[q].node, which, &set);
        if (own == POLY_OP_NONE) own = rg__poly_scan_resets(s->tree, an->sc, which, &set, &sets);
        if (own == POLY_OP_SAME) continue;
        if (own == POLY_OP_NONE || (op != POLY_OP_SAME && op != own)) return POLY_OP_NONE;
        op = own;
    }
    bool affine = op == POLY_OP_MUL || (op == POLY_OP_ADD && !rg_scalar_is_real(c->type));
    return !sets || op == POLY_OP_SAME || affine ? POLY_OP_NONE : op;
}

/* Bits of the fields, where all updates of it are looked up by its value; 0. */
static int table_bits(const struct poly_carrying *an, int which)
{
    const struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    int bits = 0, own;
    for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
        struct poly_set set;
        const struct rg_cnode *word;
        if (!an->in[q] || !rg__poly_set_of(s->stmts[q].node, &set) ||
            rg__poly_scan_updates(an->sc, s->stmts[q].node, &set) != which)
            continue;
        if (!rg__poly_scan_table(s->tree, an->sc, which, &set, &own, &word) || (bits && own != bits) ||
            rg__poly_scan_mask(an->sc, word))
            return 0;
        bits = own;
    }
    return bits;
}

/* The operator of what is no x = x op e throughout. */
static enum poly_op other_op(const struct poly_carrying *an, int which)
{
    struct poly_carried *c = &an->sc->at[which];
    enum poly_op op = bound_of(an, which);
    c->resets = false;
    if (op != POLY_OP_NONE) return op;
    c->bits = table_bits(an, which);
    if (c->bits) return POLY_OP_TABLE;
    op = reset_op(an, which);
    c->resets = c->kind == POLY_CARRIED_SCALAR && rg_scalar_bytes(c->type) >= 4;
    if (op == POLY_OP_NONE && c->resets) op = bound_of(an, which);
    c->resets = c->resets && op != POLY_OP_NONE;
    return c->resets ? op : POLY_OP_NONE;
}

bool rg__poly_carry_find_updates(struct poly_carrying *an)
{
    struct poly_scan *sc = an->sc;
    struct pass ps = {.an = an};
    for (int i = 0; i < sc->n; i++) {
        sc->at[i].op = POLY_OP_SAME; /* not known yet */
        sc->at[i].group = 1u << i;
        if (sc->at[i].kind == POLY_CARRIED_SCALAR) sc->depends[sc->at[i].var] = 1u << i;
        if (sc->at[i].kind == POLY_CARRIED_SCALAR) sc->at[i].modulus = an->s->tree->vars[sc->at[i].var].modulus;
    }
    struct poly_scop *s = an->s;
    for (int i = 0; i < sc->n; i++) { /* the operator that all its updates have */
        enum poly_op op = POLY_OP_SAME;
        const struct poly_loop *l = &s->loops[sc->loop];
        bool read = sc->at[i].kind != POLY_CARRIED_ELEMENT;
        for (int q = l->first_stmt; q < l->first_stmt + l->n_stmts; q++) {
            struct poly_set set;
            if (!an->in[q] || !rg__poly_set_of(s->stmts[q].node, &set) ||
                rg__poly_scan_updates(sc, s->stmts[q].node, &set) != i)
                continue;
            enum poly_op own = op_of(an, s->stmts[q].node, i, &set);
            read = read || set.op != RG_COP_SET || rg__poly_scan_mask(sc, set.value);
            op = op == POLY_OP_SAME || op == own ? own : POLY_OP_NONE;
        }
        if (!read) /* times zero: what was there before may be no number */
            return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                     "loop %s sets an element of %s anew each time and carries no values in it",
                                     rg__poly_carry_loop(an), s->tree->arrays[sc->at[i].array].name);
        sc->at[i].op = op == POLY_OP_SAME ? POLY_OP_NONE : op;
        sc->at[i].resets = false;
        if (sc->at[i].op == POLY_OP_NONE) sc->at[i].op = other_op(an, i);
    }
    for (int i = 1; i < sc->n; i++) /* what was before what was before */
        if (sc->at[i].lag > 1) {
            sc->at[i].op = sc->at[i - 1].op = POLY_OP_NONE;
            sc->at[i].group = sc->at[i - 1].group |= 1u << i;
        }
    do {
        ps.changed = false;
        ps.ok = true;
        ps.bad = NULL;
        relate(&ps, sc->part);
    } while (ps.changed && ps.ok);
    if (ps.ok && !settle_groups(an)) return false;
    ps.final = true;
    if (ps.ok) relate(&ps, sc->part);
    if (!ps.ok && is_fraction(an)) {
        sc->fraction = sc->ordered = true;
        sc->at[0].op = POLY_OP_NONE;
        return true;
    }
    if (!ps.ok)
        return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, ps.bad->line,
                                 "loop %s: line %d depends on what is carried in other ways than x op e or a * x + b",
                                 rg__poly_carry_loop(an), ps.bad->line);
    int temporaries = 0;
    for (int v = 0; v < s->tree->n_vars; v++) temporaries += sc->depends[v] != 0;
    if (temporaries > POLY_MAX_CARRIED + 8)
        return rg__poly_carry_no(an, RG_REFUSE_SPACE, rg__poly_carry_line(an),
                                 "loop %s has %d scalars that depend on what is carried", rg__poly_carry_loop(an),
                                 temporaries);
    /* a scalar that depends on a value depends on all of its group */
    for (int v = 0; v < s->tree->n_vars; v++)
        for (int i = 0; i < sc->n; i++)
            if (sc->depends[v] >> i & 1 && sc->at[i].op == POLY_OP_NONE) sc->depends[v] |= sc->at[i].group;
    for (int i = 0; i < sc->n; i++) {
        sc->at[i].kept = is_kept(an, i);
        sc->at[i].summed = is_summed(an, i);
    }
    return true;
}
