/* What the conditions around two accesses say of the iterations that get there. These forms leave each element to one
 * iteration, although the subscript is not affine:
 *   - `l = i ^ v; if (l > i)` (bitonic sorting, FFT butterflies): of i and i ^ v one acts, on both elements. Of two
 * that act none is the other's partner: it would be above and below it. So the elements i and i ^ v are no other
 * iteration's i or i ^ v, as long as v stays. So it is with the place whose bits are those of i in reverse,
 * `rg_mirrored(i, n)`: mirrored twice it is i again, below n; what is not below n is above its own and never anybody's.
 *     Below n, a power of two, the mirrored places are each another's, whatever acts.
 *   - `if (!(i & v))`, the elements i and i | v (or i ^ v): no other iteration that acts has either, as i is what is
 * left of both without the bits of v; also with some of the bits, where v is `a | b`: i ^ a. So it is with `if (i & 1
 * << k)`, where v is one bit, the elements i and i ^ v.
 *   - `if (i < v)` (sums along a tree, wavelets): the elements i are below v, i + v are not.
 *   - x[order[i]], where the elements of order are the places of a sort: all different.
 *   - `if (last[e] == i) x[e] = ...`: iterations with the same e read one element of last, which is one of them.
 *     So it is with x[e / m][e % m], rows of what was flat: where both are equal, e is.
 *   - `e = t[i]; if (e > i && t[e] == i)`, the elements c * i + d and c * e + d, where 0 <= d < c: of i and e one acts,
 * as in the first form. An iteration e would act for t[e], which is i, only if it was above e. */
#include "poly/analysis/scop.h"
#include <string.h>

enum { MAX_STEPS = 8 };

static bool integer(const struct rg_cnode *e)
{
    return !rg_scalar_is_real(e->type) && e->type != RG_STRUCT && e->type != RG_BOOL && !e->pointer &&
           rg_scalar_bytes(e->type) >= 4;
}

/* Without casts that keep all bits, and with what locals stand for. */
static const struct rg_cnode *value_of(const struct poly_scop *s, const struct rg_cnode *e)
{
    for (int step = 0; step < MAX_STEPS; step++) {
        bool local = e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 &&
                     s->tree->vars[e->var].kind == RG_CVAR_LOCAL && !s->var_hidden[e->var];
        const struct rg_cnode *value = local ? s->declared[e->var] : NULL;
        if (e->kind == RG_C_CAST && integer(e) && integer(e->kid[0]) &&
            rg_scalar_bytes(e->type) >= rg_scalar_bytes(e->kid[0]->type))
            e = e->kid[0];
        else if (value && integer(e) && integer(value) &&
                 rg_scalar_bytes(value->type) <= rg_scalar_bytes(e->type)) /* each another one */
            e = value;
        else
            break;
    }
    return e;
}

static void add(const struct poly_scop *s, struct poly_conditions *c, const struct rg_cnode *asked,
                const struct rg_cnode *e, bool negated)
{
    e = value_of(s, e);
    if (e->op == (negated ? RG_COP_OR : RG_COP_AND)) {
        add(s, c, asked, e->kid[0], negated);
        add(s, c, asked, e->kid[1], negated);
    } else if (c->n < POLY_MAX_CONDITIONS) {
        c->negated[c->n] = negated;
        c->asked[c->n] = asked;
        c->item[c->n++] = e;
    }
}

bool rg__poly_around(const struct poly_scop *s, const struct rg_cnode *n, const struct rg_cnode *x,
                     struct poly_conditions *c)
{
    if (!n || n->kind == RG_C_OPAQUE) return false;
    if (n == x) return true;
    bool chosen = n->kind == RG_C_IF || n->kind == RG_C_COND || n->op == RG_COP_AND;
    for (int i = 0; i < n->n; i++) {
        int before = c->n;
        if (i == 1 && chosen) add(s, c, n->kid[0], n->kid[0], false);
        if (i == 2 && chosen) add(s, c, n->kid[0], n->kid[0], true);
        if (rg__poly_around(s, n->kid[i], x, c)) return true;
        c->n = before;
    }
    return false;
}

static bool written_in(const struct poly_scop *s, int loop, int array)
{
    if (s->tree->arrays[array].constant_table) return false;
    bool may = s->array_hidden[array] || (s->problem->may_alias && s->tree->arrays[array].param >= 0);
    for (int i = 0; i < s->n_accesses && !may; i++)
        may = s->accesses[i].array == array && s->accesses[i].write &&
              rg__poly_loop_inside(s, s->stmts[s->accesses[i].stmt].loop, loop);
    return may;
}

/* Has it one value throughout an iteration of the loop? And, with `all`, throughout the loop? */
static bool stays(const struct poly_scop *s, int loop, const struct rg_cnode *e, bool all)
{
    switch (e->kind) {
    case RG_C_INT:
    case RG_C_CAST:
    case RG_C_BINARY:
    case RG_C_COND:
        break;
    case RG_C_MEMBER:
        if (e->n != 1 || e->pointer || e->kid[0]->kind != RG_C_INDEX) return false;
        break;
    case RG_C_CALL:
        if (e->callee >= 0 ? !rg__c_pure(s->tree, e) : !rg__c_pure_library(e->text)) return false;
        break;
    case RG_C_VAR:
        if (e->array >= 0 || e->var < 0) return false;
        if (s->tree->vars[e->var].kind == RG_CVAR_PARAM) return !s->tree->vars[e->var].assigned;
        if (s->tree->vars[e->var].kind == RG_CVAR_LOCAL)
            return !s->var_hidden[e->var] &&
                   (!s->written[loop][e->var] ||
                    (!all && s->declared[e->var] && stays(s, loop, s->declared[e->var], false)));
        for (int p = all ? s->loops[loop].parent : loop; p >= 0; p = s->loops[p].parent)
            if (s->loops[p].var == e->var) return true;
        return false;
    case RG_C_INDEX:
        if (all || e->pointer || e->n != s->tree->arrays[e->array].n_dims || written_in(s, loop, e->array))
            return false;
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!stays(s, loop, e->kid[i], all)) return false;
    return true;
}

static bool is_iterator(const struct poly_scop *s, int loop, const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && e->var == s->loops[loop].var;
}

/* Is the parameter a power of two wherever the function is called? */
static bool always_power(const struct poly_scop *s, const struct rg_cvar *v)
{
    if (v->kind != RG_CVAR_PARAM || v->assigned || v->param < 0) return false;
    const struct rg_problem *p = s->problem;
    const struct rg_expr *d = p->params[v->param].derived;
    if (d && d->kind == RG_EXPR_CALL && !strncmp(d->name, "pow2", 4)) return true;
    for (int i = 0; i < p->n_require; i++) { /* 2^k % n == 0 */
        const struct rg_expr *e = p->require[i], *rem = e->kind == RG_EXPR_BINARY ? e->args[0] : NULL;
        if (rem && e->op == RG_OP_EQ && e->args[1]->kind == RG_EXPR_INT && !e->args[1]->value &&
            rem->kind == RG_EXPR_BINARY && rem->op == RG_OP_MOD && rem->args[0]->kind == RG_EXPR_INT &&
            rem->args[0]->value > 0 && !(rem->args[0]->value & (rem->args[0]->value - 1)) &&
            rem->args[1]->kind == RG_EXPR_NAME && !strcmp(rem->args[1]->name, v->name))
            return true;
    }
    return false;
}

/* The x of `x % n`, where i is one of 0 .. n - 1 and n a power of two: (i ^ v) % n is i ^ (v % n), another of them.
 * NULL: it is none. */
static const struct rg_cnode *wrapped(const struct poly_scop *s, int loop, const struct rg_cnode *e)
{
    const struct rg_cnode *l = s->loops[loop].node, *end = value_of(s, l->kid[1]);
    e = value_of(s, e);
    if (e->op != RG_COP_REM || !integer(e) || s->loops[loop].step < 0 || l->kid[0]->kind != RG_C_INT ||
        l->kid[0]->ivalue < 0)
        return NULL;
    const struct rg_cnode *n = value_of(s, e->kid[1]);
    bool same = n->kind == RG_C_VAR && n->array < 0 && end->kind == RG_C_VAR && end->array < 0 && n->var == end->var;
    return same && always_power(s, &s->tree->vars[n->var]) ? value_of(s, e->kid[0]) : NULL;
}

/* The v of `i ^ v`, or of that among a power of two, the n of rg_mirrored(i, n); NULL: it is none. */
static const struct rg_cnode *partner(const struct poly_scop *s, int loop, const struct rg_cnode *e)
{
    const struct rg_cnode *among = wrapped(s, loop, e);
    e = among ? among : value_of(s, e);
    bool mirror = !among && e->kind == RG_C_CALL && e->callee < 0 && e->text && !strcmp(e->text, "rg_mirrored");
    if (mirror && is_iterator(s, loop, value_of(s, e->kid[0])) && stays(s, loop, e->kid[1], true)) return e->kid[1];
    if (e->op != RG_COP_XOR || !integer(e)) return NULL;
    for (int i = 0; i < 2; i++)
        if (is_iterator(s, loop, value_of(s, e->kid[i])) && stays(s, loop, e->kid[1 - i], true)) return e->kid[1 - i];
    return NULL;
}

/* Without conversions that keep the value. */
static const struct rg_cnode *unwidened(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && integer(e) && integer(e->kid[0]) &&
           rg_scalar_bytes(e->type) > rg_scalar_bytes(e->kid[0]->type) &&
           (rg_scalar_is_signed(e->type) || !rg_scalar_is_signed(e->kid[0]->type)))
        e = e->kid[0];
    return e;
}

static bool mirrors(const struct poly_scop *s, const struct rg_cnode *e)
{
    return value_of(s, e)->kind == RG_C_CALL;
}

/* The x of c * x + d, of numbers c from 2 on and d; NULL: it is none. */
static const struct rg_cnode *times_number(const struct poly_scop *s, const struct rg_cnode *e, int64_t *c, int64_t *d)
{
    *d = 0;
    e = value_of(s, e);
    for (int step = 0; step < MAX_STEPS && e->op == RG_COP_ADD && integer(e); step++) {
        const struct rg_cnode *part[2] = {value_of(s, e->kid[0]), value_of(s, e->kid[1])};
        const int number = part[1]->kind == RG_C_INT;
        if (part[number]->kind != RG_C_INT) return NULL;
        *d += part[number]->ivalue;
        e = part[!number];
    }
    if (e->op != RG_COP_MUL || !integer(e)) return NULL;
    const struct rg_cnode *part[2] = {value_of(s, e->kid[0]), value_of(s, e->kid[1])};
    const int number = part[1]->kind == RG_C_INT;
    if (part[number]->kind != RG_C_INT) return NULL;
    *c = part[number]->ivalue;
    return *c >= 2 ? part[!number] : NULL;
}

/* Without c * .. + d, the same c of both and the d not c, or not at all (`equal`), apart: where those are equal, these
 * are, and they are in the same order. */
static void unscaled_both(const struct poly_scop *s, const struct rg_cnode **a, const struct rg_cnode **b, bool equal)
{
    int64_t ca, cb, da, db;
    const struct rg_cnode *xa = times_number(s, *a, &ca, &da), *xb = times_number(s, *b, &cb, &db);
    if (!xa || !xb || ca != cb || (equal ? da != db : da - db >= ca || db - da >= ca)) return;
    *a = xa;
    *b = xb;
}

/* Does `c` let one of i and i ^ v act, for which e, the subscript, is i or i ^ v? */
static bool one_of_two(const struct poly_scop *s, int loop, const struct rg_cnode *c, const struct rg_cnode *e)
{
    const bool order = rg_c_relation(c->op) && c->op != RG_COP_EQ && c->op != RG_COP_NE;
    const struct rg_cnode *side[2];
    for (int i = 0; i < 2 && order; i++) side[i] = c->kid[i];
    if (order) unscaled_both(s, &side[0], &side[1], true);
    for (int i = 0; i < 2 && order; i++) {
        const struct rg_cnode *v = partner(s, loop, side[i]), *own = v ? partner(s, loop, e) : NULL;
        bool above = (c->op == RG_COP_GT || c->op == RG_COP_GE) == (i == 0); /* the partner, where c holds */
        if (v && is_iterator(s, loop, value_of(s, side[1 - i])) && (above || !mirrors(s, side[i])))
            return own ? rg__c_same(unwidened(v), unwidened(own), RG__C_TYPED) &&
                             mirrors(s, side[i]) == mirrors(s, e) && !wrapped(s, loop, side[i]) == !wrapped(s, loop, e)
                       : is_iterator(s, loop, value_of(s, e));
    }
    return false;
}

/* The two sides of `x & y` without those that are only converted; NULL: it is none. */
static const struct rg_cnode *masked(const struct poly_scop *s, int loop, const struct rg_cnode *e)
{
    e = value_of(s, e);
    if (e->op != RG_COP_BAND || !integer(e)) return NULL;
    for (int i = 0; i < 2; i++)
        if (is_iterator(s, loop, value_of(s, e->kid[i])) && stays(s, loop, e->kid[1 - i], true))
            return value_of(s, e->kid[1 - i]);
    return NULL;
}

static bool one_bit(const struct poly_scop *s, const struct rg_cnode *v)
{
    if (v->op != RG_COP_SHL) return v->kind == RG_C_INT && v->ivalue > 0 && !(v->ivalue & (v->ivalue - 1));
    const struct rg_cnode *one = value_of(s, v->kid[0]);
    return one->kind == RG_C_INT && one->ivalue == 1;
}

/* Are the bits those, or some of `a | b`? */
static bool some_of(const struct poly_scop *s, const struct rg_cnode *bits, const struct rg_cnode *of)
{
    bits = value_of(s, bits);
    of = value_of(s, of);
    if (rg__c_same(bits, of, RG__C_UNCAST)) return true;
    if (bits->op == RG_COP_BOR && integer(bits)) return some_of(s, bits->kid[0], of) && some_of(s, bits->kid[1], of);
    return of->op == RG_COP_BOR && integer(of) && (some_of(s, bits, of->kid[0]) || some_of(s, bits, of->kid[1]));
}

/* Does `c` ask for bits v of i, all of them clear, or the one there is set, for which e, the subscript, is i with them
 * as they are or the other way round? */
static bool bits_of(const struct poly_scop *s, int loop, const struct rg_cnode *c, const struct rg_cnode *e)
{
    bool clear = false;
    for (int step = 0; step < MAX_STEPS; step++) { /* !x, x == 0, x != 0 */
        const struct rg_cnode *to = c->op == RG_COP_EQ || c->op == RG_COP_NE ? value_of(s, c->kid[1]) : NULL;
        bool zero = to && to->kind == RG_C_INT && !to->ivalue;
        if (c->op != RG_COP_NOT && !zero) break;
        clear ^= c->op != RG_COP_NE;
        c = value_of(s, c->kid[0]);
    }
    const struct rg_cnode *v = masked(s, loop, c);
    if (!v || (!clear && !one_bit(s, v))) return false;
    e = value_of(s, e);
    if (is_iterator(s, loop, e)) return true;
    bool other = e->op == RG_COP_XOR || (clear && e->op == RG_COP_BOR);
    for (int i = 0; i < 2 && other && integer(e); i++)
        if (is_iterator(s, loop, value_of(s, e->kid[i])) &&
            (clear ? some_of(s, e->kid[1 - i], v) : rg__c_same(value_of(s, e->kid[1 - i]), v, RG__C_UNCAST)))
            return true;
    return false;
}

/* Does `c` say that i is below v, for which e, the subscript, is i or i + v? */
static bool below(const struct poly_scop *s, int loop, const struct rg_cnode *c, const struct rg_cnode *e)
{
    bool turned = c->op == RG_COP_GT;
    const struct rg_cnode *lower = s->loops[loop].node->kid[0];
    if ((c->op != RG_COP_LT && !turned) || s->loops[loop].step < 0 || lower->kind != RG_C_INT || lower->ivalue < 0 ||
        !is_iterator(s, loop, value_of(s, c->kid[turned])))
        return false;
    const struct rg_cnode *v = value_of(s, c->kid[!turned]);
    e = value_of(s, e);
    if (is_iterator(s, loop, e)) return true;
    for (int i = 0; i < 2 && e->op == RG_COP_ADD && integer(e) && stays(s, loop, v, true); i++)
        if (is_iterator(s, loop, value_of(s, e->kid[i])) && rg__c_same(value_of(s, e->kid[1 - i]), v, RG__C_UNCAST))
            return true;
    return false;
}

/* Is e the mirrored i among as many bits as the loop's end, a power of two, has? */
static bool mirrored_within(const struct poly_scop *s, int loop, const struct rg_cnode *e)
{
    const struct rg_cnode *l = s->loops[loop].node, *n = partner(s, loop, e);
    if (!n || !mirrors(s, e) || s->loops[loop].step < 0 || l->kid[0]->kind != RG_C_INT || l->kid[0]->ivalue < 0)
        return false;
    const struct rg_cnode *end = value_of(s, l->kid[1]);
    n = value_of(s, n);
    return n->kind == RG_C_VAR && n->array < 0 && end->kind == RG_C_VAR && end->array < 0 && n->var == end->var &&
           always_power(s, &s->tree->vars[n->var]);
}

/* Is it `last[e] == i`? */
static bool last_of(const struct poly_scop *s, int loop, const struct rg_cnode *c, const struct rg_cnode *e)
{
    if (c->op != RG_COP_EQ || !stays(s, loop, e, false)) return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *x = value_of(s, c->kid[i]);
        if (x->kind == RG_C_INDEX && !x->pointer && x->n == 1 && s->tree->arrays[x->array].n_dims == 1 &&
            rg__c_same(x->kid[0], e, RG__C_TYPED) && is_iterator(s, loop, value_of(s, c->kid[1 - i])) &&
            !written_in(s, loop, x->array))
            return true;
    }
    return false;
}

/* The number, from 0 on, that e is below, as a number or a loop's counter; -1: unknown. */
static int64_t below_number(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT) return e->ivalue >= 0 && e->ivalue < INT32_MAX ? e->ivalue + 1 : -1;
    int64_t most = -1;
    for (int p = 0; e->kind == RG_C_VAR && e->array < 0 && p < s->n_loops; p++) { /* all of its loops */
        const struct rg_cnode *l = s->loops[p].node;
        if (s->loops[p].var != e->var) continue;
        if (s->loops[p].step < 0 || l->kid[0]->kind != RG_C_INT || l->kid[0]->ivalue < 0 || l->kid[1]->kind != RG_C_INT)
            return -1;
        most = l->kid[1]->ivalue > most ? l->kid[1]->ivalue : most;
    }
    return most;
}

/* The x of c * x + d, 0 <= d < c. */
static const struct rg_cnode *unscaled(const struct poly_scop *s, const struct rg_cnode *e, int64_t *c)
{
    int64_t d = 1;
    e = value_of(s, e);
    if (e->op == RG_COP_ADD && integer(e)) {
        const struct rg_cnode *part[2] = {value_of(s, e->kid[0]), value_of(s, e->kid[1])};
        const int small = part[0]->op == RG_COP_MUL;
        d = below_number(s, part[small]);
        e = part[!small];
    }
    *c = 1;
    for (int i = 0; i < 2 && e->op == RG_COP_MUL && integer(e); i++)
        if (e->kid[i]->kind == RG_C_INT && *c == 1) {
            *c = e->kid[i]->ivalue;
            e = value_of(s, e->kid[1 - i]);
        }
    return d >= 0 && d <= *c ? e : NULL;
}

/* Do the conditions say `e > i` and `t[e] == i`, where e is t[i], the subscript being i or e? */
static bool led_back(const struct poly_scop *s, int loop, const struct rg_cnode *back, const struct rg_cnode *above,
                     const struct rg_cnode *x)
{
    if (back->op != RG_COP_EQ || (above->op != RG_COP_GT && above->op != RG_COP_LT)) return false;
    const int at = above->op == RG_COP_GT ? 0 : 1;
    const struct rg_cnode *e = value_of(s, above->kid[at]), *i = value_of(s, above->kid[1 - at]);
    if (!is_iterator(s, loop, i) || !stays(s, loop, e, false)) return false;
    for (int k = 0; k < 2; k++) {
        const struct rg_cnode *t = value_of(s, back->kid[k]);
        const bool element = t->kind == RG_C_INDEX && !t->pointer && t->n == 1 && s->tree->arrays[t->array].n_dims == 1;
        if (element && e->kind == RG_C_INDEX && e->array == t->array && e->n == 1 && /* e is t[i] */
            is_iterator(s, loop, value_of(s, e->kid[0])) && is_iterator(s, loop, value_of(s, back->kid[1 - k])) &&
            !written_in(s, loop, t->array) && rg__c_same(value_of(s, t->kid[0]), e, RG__C_UNCAST))
            return is_iterator(s, loop, x) || rg__c_same(x, e, RG__C_UNCAST);
    }
    return false;
}

/* Are the two among the conditions, which hold of both accesses, whose subscripts lead there and back? */
static bool by_table(const struct poly_scop *s, int loop, const struct poly_conditions *ca,
                     const struct poly_conditions *cb, const struct rg_cnode *ea, const struct rg_cnode *eb)
{
    const struct rg_cnode *common[POLY_MAX_CONDITIONS];
    int n = 0;
    for (int i = 0; i < ca->n; i++)
        for (int k = 0; k < cb->n && !ca->negated[i]; k++)
            if (!cb->negated[k] && rg__c_same(ca->item[i], cb->item[k], RG__C_TYPED)) {
                common[n++] = ca->item[i];
                break;
            }
    int64_t da, db;
    const struct rg_cnode *xa = unscaled(s, ea, &da), *xb = unscaled(s, eb, &db);
    for (int i = 0; i < n && xa && xb && da == db; i++)
        for (int k = 0; k < n; k++)
            if (led_back(s, loop, common[i], common[k], xa) && led_back(s, loop, common[i], common[k], xb)) return true;
    return false;
}

/* The array of elements that are all different whose element of this iteration e is; -1. */
static int distinct_of(const struct poly_scop *s, int loop, const struct rg_cnode *e)
{
    e = value_of(s, e);
    const bool element = e->kind == RG_C_INDEX && !e->pointer && e->n == 1 && s->tree->arrays[e->array].distinct;
    return element && is_iterator(s, loop, value_of(s, e->kid[0])) && !written_in(s, loop, e->array) ? e->array : -1;
}

/* Where the subscripts are equal, are the iterations of the loop? */
static bool one_iteration(const struct poly_scop *s, int loop, const struct poly_access *a, const struct poly_access *b,
                          int d)
{
    struct poly_conditions ca = {0}, cb = {0};
    const struct rg_cnode *body = s->loops[loop].node->kid[2], *ea = a->node->kid[d], *eb = b->node->kid[d];
    const struct rg_cnode *flat_a = rg_c_linear(s->tree, a->node), *flat_b = rg_c_linear(s->tree, b->node);
    unscaled_both(s, &ea, &eb, false);
    if (mirrored_within(s, loop, ea) && mirrored_within(s, loop, eb)) return true;
    const int distinct = distinct_of(s, loop, ea);
    if (distinct >= 0 && distinct == distinct_of(s, loop, eb)) return true;
    if (!rg__poly_around(s, body, a->node, &ca) || !rg__poly_around(s, body, b->node, &cb)) return false;
    if (by_table(s, loop, &ca, &cb, ea, eb)) return true;
    for (int i = 0; i < ca.n; i++) {
        bool both = false;
        for (int k = 0; k < cb.n && !ca.negated[i]; k++)
            both = both || (!cb.negated[k] && rg__c_same(ca.item[i], cb.item[k], RG__C_TYPED));
        if (both &&
            ((one_of_two(s, loop, ca.item[i], ea) && one_of_two(s, loop, ca.item[i], eb)) ||
             (bits_of(s, loop, ca.item[i], ea) && bits_of(s, loop, ca.item[i], eb)) ||
             (below(s, loop, ca.item[i], ea) && below(s, loop, ca.item[i], eb)) ||
             (last_of(s, loop, ca.item[i], ea) && last_of(s, loop, ca.item[i], eb)) ||
             (flat_a && flat_b && last_of(s, loop, ca.item[i], flat_a) && last_of(s, loop, ca.item[i], flat_b))))
            return true;
    }
    return false;
}

isl_map *rg__poly_guarded(const struct poly_scop *s, isl_space *sp, const struct poly_access *a,
                          const struct poly_access *b, int d)
{
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    for (int at = 0; at < sa->depth && at < sb->depth && sa->loops[at] == sb->loops[at]; at++) {
        if (!one_iteration(s, sa->loops[at], a, b, d)) continue;
        isl_map *any = isl_map_universe(isl_space_copy(sp));
        isl_map *all = isl_map_equate(isl_map_copy(any), isl_dim_in, at, isl_dim_out, at);
        for (int out = 0; out < at; out++) { /* in another iteration around it: anything */
            all = isl_map_union(all, isl_map_order_lt(isl_map_copy(any), isl_dim_in, out, isl_dim_out, out));
            all = isl_map_union(all, isl_map_order_gt(isl_map_copy(any), isl_dim_in, out, isl_dim_out, out));
        }
        isl_map_free(any);
        return all;
    }
    return NULL;
}
