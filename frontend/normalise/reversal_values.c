/* What is known of the numbers whose bits are reversed: whether they are negative, where `v / 2` and `v % 2` are no
 * shift and no bit, and whether a number of bits is one that a shift of 64 bits may have. */
#include "frontend/load.h"
#include "frontend/normalise/bit_reversal.h"
#include <string.h>

const struct rg_cnode *rg__mirror_valued(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL &&
           rg__scalar_is_int(e->kid[0]->type) && !e->kid[0]->pointer) {
        const enum rg_scalar to = e->type, from = e->kid[0]->type;
        const bool sign = rg_scalar_is_signed(to), was = rg_scalar_is_signed(from);
        const size_t a = rg_scalar_bytes(to), b = rg_scalar_bytes(from);
        const bool small = e->kid[0]->kind == RG_C_INT && e->kid[0]->ivalue >= 0 && e->kid[0]->ivalue < 128;
        if (!small && !(sign == was ? a >= b : !was && a > b)) break;
        e = e->kid[0];
    }
    return e;
}

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool is_loop(const struct rg_cnode *n)
{
    return n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_LOOP;
}

/* What the scalar was last set to in front of the scope; NULL: nobody set it, or *other: not plainly. Then *from. */
static const struct rg_cnode *set_in_front(const struct rg__mirror_scope *in, int var, struct rg__mirror_scope *from,
                                           bool *other)
{
    *other = false;
    for (; in; in = in->up) {
        if (is_loop(in->node) && rg__doubling_writes(in->node, var)) *other = true; /* an iteration before may have */
        for (int i = in->node->kind == RG_C_BLOCK ? in->at - 1 : -1; i >= 0 && !*other; i--) {
            const struct rg_cnode *v = rg__doubling_set(in->node->kid[i], var);
            *from = (struct rg__mirror_scope){in->node, i, in->up};
            if (v) return v;
            *other = rg__doubling_writes(in->node->kid[i], var) > 0;
            if (*other) return NULL;
        }
        if (*other) {
            *from = *in;
            return NULL;
        }
    }
    return NULL;
}

static bool given(const struct rg__mirror_asks *asks, int var)
{
    for (int i = 0; asks->helper && i < asks->helper->n_params; i++)
        if (asks->helper->params[i].var == var) return true;
    return false;
}

/* A counter that goes up, in a loop around. */
static bool counts_up(struct rg_ctree *t, const struct rg__mirror_scope *in, int var, struct rg__mirror_asks *asks)
{
    for (; in; in = in->up) {
        struct header h;
        if (in->node->kind != RG_C_FOR || !rg__doubling_header(t, in->node, &h) || h.var != var) continue;
        const struct rg_cnode *step = rg__c_uncast(h.step, RG__C_INT_CASTS);
        return rg_scalar_bytes(t->vars[var].type) >= 4 && step->kind == RG_C_INT && step->ivalue > 0 &&
               rg__mirror_never_negative(t, in->up, h.first, asks);
    }
    return false;
}

bool rg__mirror_never_negative(struct rg_ctree *t, const struct rg__mirror_scope *in, const struct rg_cnode *e,
                               struct rg__mirror_asks *asks)
{
    e = rg__mirror_valued(e);
    if (e->pointer || !rg__scalar_is_int(e->type)) return false;
    if (!rg_scalar_is_signed(e->type)) return true;
    if (e->kind == RG_C_INT) return e->ivalue >= 0;
    if (e->kind == RG_C_COND)
        return rg__mirror_never_negative(t, in, e->kid[1], asks) && rg__mirror_never_negative(t, in, e->kid[2], asks);
    if (is_scalar(e)) {
        struct rg__mirror_scope from;
        bool other;
        if (counts_up(t, in, e->var, asks)) return true;
        const struct rg_cnode *v = set_in_front(in, e->var, &from, &other);
        if (v)
            return rg_scalar_bytes(t->vars[e->var].type) >= rg_scalar_bytes(v->type) &&
                   rg__mirror_never_negative(t, &from, v, asks);
        if (other || !given(asks, e->var)) return false;
        return asks->sign = true;
    }
    if (e->kind != RG_C_BINARY || rg_scalar_bytes(e->type) < 4) return false;
    const bool a = rg__mirror_never_negative(t, in, e->kid[0], asks);
    if (e->op == RG_COP_REM || (e->op == RG_COP_SHR && a)) return a;
    const bool b = rg__mirror_never_negative(t, in, e->kid[1], asks);
    if (e->op == RG_COP_BAND) return a || b;
    return a && b && (e->op == RG_COP_ADD || e->op == RG_COP_MUL || e->op == RG_COP_DIV || e->op == RG_COP_BOR);
}

/* Numbers, and integer scalars: their logarithm is below 64. */
static bool of_integers(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT || e->kind == RG_C_REAL) return true;
    if (e->kind == RG_C_VAR) return e->array < 0 && rg__scalar_is_int(t->vars[e->var].type);
    if (e->kind != RG_C_CAST && e->kind != RG_C_BINARY) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_integers(t, e->kid[i])) return false;
    return true;
}

/* v++ once a round at most, in a loop that shifts by v where it asks, or that halves what it asks for. */
static bool few_rounds(struct rg_ctree *t, const struct rg_cnode *f, int v)
{
    const bool loop = f->kind == RG_C_FOR;
    if ((!loop && f->kind != RG_C_WHILE) || rg__doubling_writes(f, v) != 1 || !f->kid[loop]) return false;
    const struct rg_cnode *c = rg__c_uncast(f->kid[loop], RG__C_INT_CASTS), *body = f->kid[loop ? 3 : 1];
    const int n = body->kind == RG_C_BLOCK ? body->n : 1;
    bool counted = false, halved = false;
    int64_t least = 0;
    int asked = -1;
    if (is_scalar(c)) asked = c->var, least = 1;
    const struct rg_cnode *low = c->kind == RG_C_BINARY ? rg__c_uncast(c->kid[1], RG__C_INT_CASTS) : NULL;
    if (low && is_scalar(rg__c_uncast(c->kid[0], RG__C_INT_CASTS)) && low->kind == RG_C_INT) {
        asked = rg__c_uncast(c->kid[0], RG__C_INT_CASTS)->var;
        least = c->op == RG_COP_GT                   ? low->ivalue + 1
                : c->op == RG_COP_GE                 ? low->ivalue
                : c->op == RG_COP_NE && !low->ivalue ? 1
                                                     : 0;
    }
    for (int i = loop ? -1 : 0; i < n; i++) {
        const struct rg_cnode *s = i < 0 ? f->kid[2] : body->kind == RG_C_BLOCK ? body->kid[i] : body;
        int var = -1;
        const struct rg_cnode *e = s;
        while (e && e->kind == RG_C_BLOCK && e->n == 1) e = e->kid[0];
        if (e && e->kind == RG_C_STMT) e = e->kid[0];
        if (!e) continue;
        const bool one = e->kind == RG_C_ASSIGN && rg__doubling_one(e->kid[1]) && e->op == RG_COP_ADD_SET;
        if (e->n && rg__doubling_var(e->kid[0], v) && (one || rg_c_increments(e->op))) counted = true;
        const struct rg_cnode *value = rg__mirror_set(t, e, &var);
        if (value && asked >= 0 && var == asked && rg__mirror_halves(value, var)) halved = true;
    }
    for (int side = 0; counted && c->kind == RG_C_BINARY && rg_c_relation(c->op) && side < 2; side++) {
        const struct rg_cnode *shift = rg__c_uncast(c->kid[side], RG__C_INT_CASTS);
        if (shift->op == RG_COP_SHL && rg__doubling_var(shift->kid[1], v)) return true;
    }
    const bool wide = asked >= 0 && rg_scalar_bytes(t->vars[asked].type) > 4;
    return counted && halved && rg__doubling_writes(f, asked) == 1 && least >= (wide ? 2 : 1);
}

/* Does the statement shift by the scalar, whatever happens, or, `some`, where it is more than 0? */
static bool shifts_by(const struct rg_cnode *e, int var, bool some)
{
    if (!e || e->kind == RG_C_BLOCK || is_loop(e)) return false;
    if ((e->op == RG_COP_SHL || e->op == RG_COP_SHR) && rg__doubling_var(e->kid[1], var)) return true;
    const bool asks = some && e->kind == RG_C_COND &&
                      rg__doubling_var(e->kid[0]->n ? e->kid[0]->kid[0] : e->kid[0], var) &&
                      (e->kid[0]->op == RG_COP_GT || e->kid[0]->op == RG_COP_GE) &&
                      rg__c_uncast(e->kid[0]->kid[1], RG__C_INT_CASTS)->kind == RG_C_INT &&
                      rg__c_uncast(e->kid[0]->kid[1], RG__C_INT_CASTS)->ivalue <= 63;
    const bool lazy = e->kind == RG_C_IF || e->kind == RG_C_COND || rg_c_lazy(e->op);
    for (int i = 0; i < (asks ? 2 : lazy ? 1 : e->n); i++)
        if (shifts_by(e->kid[i], var, some)) return true;
    return false;
}

/* Was it shifted by the scalar, as it is now, on the way to the scope? */
static bool shifted(const struct rg__mirror_scope *in, int var, bool some)
{
    for (; in; in = in->up) {
        if (is_loop(in->node) && rg__doubling_writes(in->node, var)) return false;
        const bool block = in->node->kind == RG_C_BLOCK, under = block && in->node->kid[in->at]->kind == RG_C_IF;
        if (under && shifts_by(in->node->kid[in->at], var, some) && !rg__doubling_writes(in->node->kid[in->at], var))
            return true;
        for (int i = block ? in->at - 1 : -1; i >= 0; i--) {
            const struct rg_cnode *s = in->node->kid[i];
            if (rg__doubling_set(s, var) || rg__doubling_writes(s, var)) return false;
            if (shifts_by(s, var, some)) return true;
        }
    }
    return false;
}

/* Is the scalar counted up by the statement at hand, in few rounds, from a number on? */
static bool counted_from(struct rg_ctree *t, const struct rg__mirror_scope *at, int var, int64_t *first)
{
    struct rg__mirror_scope start;
    bool other;
    if (is_loop(at->node) || !few_rounds(t, at->node->kid[at->at], var)) return false;
    const struct rg_cnode *v = set_in_front(at, var, &start, &other);
    v = v ? rg__c_uncast(v, RG__C_INT_CASTS) : NULL;
    if (!v || v->kind != RG_C_INT) return false;
    *first = v->ivalue;
    return true;
}

bool rg__mirror_few(struct rg_ctree *t, const struct rg__mirror_scope *in, const struct rg_cnode *e,
                    struct rg__mirror_asks *asks)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_INT) return e->ivalue <= 63;
    if (e->kind == RG_C_COND) return rg__mirror_few(t, in, e->kid[1], asks) && rg__mirror_few(t, in, e->kid[2], asks);
    if (e->kind == RG_C_CALL)
        return e->text && e->n == 1 && (!strcmp(e->text, "log2") || !strcmp(e->text, "rg_log2")) &&
               of_integers(t, e->kid[0]);
    if (!is_scalar(e)) return false;
    if (shifted(in, e->var, true)) return true;
    struct rg__mirror_scope from;
    bool other;
    int64_t first;
    const struct rg_cnode *v = set_in_front(in, e->var, &from, &other);
    if (v) return rg__mirror_few(t, &from, v, asks);
    if (other) return counted_from(t, &from, e->var, &first) && first <= 0;
    if (!given(asks, e->var)) return false;
    return asks->few = true;
}

bool rg__mirror_rounds(struct rg_ctree *t, const struct rg__mirror_scope *in, const struct rg_cnode *e,
                       struct rg__mirror_asks *asks)
{
    struct rg__mirror_asks none = {0};
    e = rg__mirror_valued(e);
    if (rg__mirror_never_negative(t, in, e, &none)) return true;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_COND)
        return rg__mirror_rounds(t, in, e->kid[1], asks) && rg__mirror_rounds(t, in, e->kid[2], asks);
    if (e->kind == RG_C_CALL) return rg__mirror_few(t, in, e, &none); /* the logarithm of an integer */
    if (!is_scalar(e)) return false;
    if (shifted(in, e->var, false)) return true;
    struct rg__mirror_scope from;
    bool other;
    int64_t first;
    const struct rg_cnode *v = set_in_front(in, e->var, &from, &other);
    if (v) return rg__mirror_rounds(t, &from, v, asks);
    if (other) return counted_from(t, &from, e->var, &first) && first >= 0;
    if (given(asks, e->var)) return asks->rounds = true;
    return !asks->helper && t->vars[e->var].kind == RG_CVAR_PARAM; /* which are positive */
}
