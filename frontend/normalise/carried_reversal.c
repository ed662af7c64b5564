/* Places with their bits in reverse by a counter that carries downwards (bit_reversal.c):
 *     m = n / 2; while (m >= 1 && j >= m) { j -= m; m /= 2; } j += m;
 * once for each i from 0 on. */
#include "frontend/normalise/bit_reversal.h"
#include <stdlib.h>

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    return rg__c_uncast(e, RG__C_INT_CASTS);
}

bool rg__mirror_int(const struct rg_cnode *e, int64_t v)
{
    e = plain(e);
    return e->kind == RG_C_INT && e->ivalue == v;
}

const struct rg_cnode *rg__mirror_expression(const struct rg_cnode *s)
{
    while (s && s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    return s && s->kind == RG_C_STMT ? s->kid[0] : s;
}

struct rg_cnode *rg__mirror_set(struct rg_ctree *t, const struct rg_cnode *s, int *var)
{
    if (s && s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n) {
        *var = s->var;
        return s->kid[0];
    }
    const struct rg_cnode *e = rg__mirror_expression(s);
    if (!e || e->kind != RG_C_ASSIGN || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer)
        return NULL;
    *var = e->kid[0]->var;
    return e->op == RG_COP_SET
               ? e->kid[1]
               : rg__c_binary(t, rg_c_applied(e->op), rg__c_copy(t, e->kid[0]), rg__c_copy(t, e->kid[1]));
}

bool rg__mirror_halves(const struct rg_cnode *e, int var)
{
    e = plain(e);
    return ((e->op == RG_COP_SHR && rg__mirror_int(e->kid[1], 1)) ||
            (e->op == RG_COP_DIV && rg__mirror_int(e->kid[1], 2))) &&
           rg__doubling_var(e->kid[0], var);
}

struct rg_cnode *rg__mirror_call(struct rg_ctree *t, const struct rg_cnode *x, struct rg_cnode *n, enum rg_scalar in,
                                 enum rg_scalar as)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_CALL, 2);
    c->text = "rg_mirrored"; /* of all the bits there are; what has no room in the variable goes */
    c->type = in;
    c->kid[0] = rg__c_cast(t, rg__c_copy(t, x), in);
    c->kid[1] = rg__c_cast(t, n, RG_ULLONG);
    return rg__c_cast(t, c, as);
}

/* j -= m, j ^= m; `up`: j += m, j ^= m, j |= m. */
static bool moves_by(struct rg_ctree *t, const struct rg_cnode *s, int *j, int *m, bool up)
{
    const struct rg_cnode *v = rg__mirror_set(t, s, j);
    v = v ? plain(v) : NULL;
    bool op = v && (v->op == RG_COP_XOR || (up ? v->op == RG_COP_ADD || v->op == RG_COP_BOR : v->op == RG_COP_SUB));
    if (!op || !rg__doubling_var(v->kid[0], *j) || plain(v->kid[1])->kind != RG_C_VAR || plain(v->kid[1])->array >= 0)
        return false;
    *m = plain(v->kid[1])->var;
    return true;
}

struct carry {      /* m = half; while (m >= least && j >= m) { j -= m; m /= 2; } j += m; */
    int j, m, took; /* statements of the block */
    const struct rg_cnode *half;
    bool above, bits; /* j > m; j & m */
    int64_t least;    /* 0: nothing asks for m alone */
};

static bool asks(const struct rg_cnode *c, struct carry *y)
{
    const int j = y->j, m = y->m;
    if (c->op == RG_COP_AND) return asks(c->kid[0], y) || asks(c->kid[1], y);
    if (c->op == RG_COP_NE && rg__mirror_int(c->kid[1], 0)) c = plain(c->kid[0]);
    if (c->op == RG_COP_BAND) {
        y->bits = true;
        return (rg__doubling_var(c->kid[0], j) && rg__doubling_var(c->kid[1], m)) ||
               (rg__doubling_var(c->kid[0], m) && rg__doubling_var(c->kid[1], j));
    }
    y->above = c->op == RG_COP_GT || c->op == RG_COP_LT;
    return ((c->op == RG_COP_GE || c->op == RG_COP_GT) && rg__doubling_var(c->kid[0], j) &&
            rg__doubling_var(c->kid[1], m)) ||
           ((c->op == RG_COP_LE || c->op == RG_COP_LT) && rg__doubling_var(c->kid[0], m) &&
            rg__doubling_var(c->kid[1], j));
}

/* Of `asks`, the other operands only say that m is left. */
static bool only_asks(const struct rg_cnode *c, struct carry *y)
{
    struct carry other = *y;
    if (c->op == RG_COP_AND) return only_asks(c->kid[0], y) && only_asks(c->kid[1], y);
    if (asks(c, &other)) return true;
    int64_t least = rg__doubling_var(c, y->m) ? 1 : -1;
    const struct rg_cnode *v = c->kind == RG_C_BINARY && rg__doubling_var(c->kid[0], y->m) ? plain(c->kid[1]) : NULL;
    if (v && v->kind == RG_C_INT)
        least = c->op == RG_COP_GE                 ? v->ivalue
                : c->op == RG_COP_GT               ? v->ivalue + 1
                : c->op == RG_COP_NE && !v->ivalue ? 1
                                                   : -1;
    if (least > y->least) y->least = least;
    return least >= 0;
}

/* The three statements from `at` on: m = half; the carry; j += m. The first may be the carry's own. */
static bool carry_at(struct rg_ctree *t, const struct rg_cnode *b, int at, struct carry *y)
{
    int i = at, down = -1, step_m = -1;
    *y = (struct carry){.j = -1, .m = -1};
    y->half = rg__mirror_set(t, b->kid[i], &y->m);
    const struct rg_cnode *f, *c, *body, *step = NULL, *init;
    if (y->half) i++;
    if (i + 1 >= b->n) return false;
    f = b->kid[i];
    if (f->kind == RG_C_FOR) {
        init = f->kid[0];
        while (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
        if (init && y->half) return false;
        if (init) y->half = rg__mirror_set(t, init, &y->m);
        c = f->kid[1], step = f->kid[2], body = f->kid[3];
    } else if (f->kind == RG_C_WHILE) {
        c = f->kid[0], body = f->kid[1];
    } else
        return false;
    if (!y->half || !c || body->kind != RG_C_BLOCK || body->n != (step ? 1 : 2)) return false;
    const struct rg_cnode *halved = rg__mirror_set(t, step ? step : body->kid[1], &step_m);
    int up_j, up_m;
    y->took = i + 2 - at;
    return moves_by(t, body->kid[0], &y->j, &down, false) && down == y->m && halved && step_m == y->m &&
           rg__mirror_halves(halved, y->m) && asks(c, y) && only_asks(c, y) &&
           moves_by(t, b->kid[i + 1], &up_j, &up_m, true) && up_j == y->j && up_m == y->m;
}

/* What a local that is set once, of parameters and numbers, is. */
static const struct rg_cnode *known(const struct rg_ctree *t, const struct rg_cnode *e)
{
    e = plain(e);
    for (int depth = 0; depth < 4 && e->kind == RG_C_VAR && e->array < 0 && !e->pointer; depth++) {
        const struct rg_cnode *v = rg__doubling_value(t, e->var);
        if (!v) break;
        e = plain(v);
    }
    return e;
}

/* x / 2, x >> 1, or x * 2, x << 1: x. */
static const struct rg_cnode *scaled(const struct rg_ctree *t, const struct rg_cnode *e, bool up)
{
    e = known(t, e);
    const bool other = up && e->op == RG_COP_MUL && rg__mirror_int(e->kid[0], 2);
    const bool by_two = (e->op == (up ? RG_COP_MUL : RG_COP_DIV) && rg__mirror_int(e->kid[!other], 2)) ||
                        (e->op == (up ? RG_COP_SHL : RG_COP_SHR) && rg__mirror_int(e->kid[1], 1));
    return by_two ? e->kid[other] : NULL;
}

/* The number of places whose bits are reversed, m being half of it, times the counter's step. */
static const struct rg_cnode *places(const struct rg_ctree *t, const struct rg_cnode *half, int64_t u)
{
    const struct rg_cnode *whole = scaled(t, half, false);
    if (u == 1) return whole;
    const struct rg_cnode *part = whole ? scaled(t, whole, true) : NULL;
    return part ? part : whole ? NULL : half;
}

static int writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int count =
        rg__c_is_expr(n) && (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && rg__doubling_var(n->kid[0], var);
    for (int i = 0; i < n->n; i++) count += writes(n->kid[i], var);
    return count;
}

/* What j starts as in front of the loop, and i; false: that is not plain. */
static bool starts(struct rg_ctree *t, const struct rg_cnode *block, int at, int i, int j,
                   const struct rg_cnode **first, const struct rg_cnode **j0)
{
    const struct rg_cnode *f = block->kid[at], *inits = f->kid[0];
    *first = *j0 = NULL;
    for (int k = 0; inits && k < (inits->kind == RG_C_BLOCK ? inits->n : 1); k++) {
        int var;
        const struct rg_cnode *v = rg__mirror_set(t, inits->kind == RG_C_BLOCK ? inits->kid[k] : inits, &var);
        if (v && var == i) *first = v;
        if (v && var == j) *j0 = v;
    }
    for (int k = at - 1; k >= 0 && (!*first || !*j0); k--) {
        int var;
        const struct rg_cnode *v = rg__mirror_set(t, block->kid[k], &var);
        if (v && var == i && !*first)
            *first = v;
        else if (v && var == j && !*j0)
            *j0 = v;
        else if ((!*first && rg__c_writes_var(block->kid[k], i)) || (!*j0 && rg__c_writes_var(block->kid[k], j)))
            return false;
    }
    int64_t declared_as = 0;
    if (!*j0 && rg__c_declared_int(t->root, f, j, &declared_as) == 1 && !rg__c_run_again(t->root, f, j))
        *j0 = rg__c_int(t, declared_as);
    return *first && *j0;
}

/* i = from + u * k and j = from + u * (mirrored k), k from `first` on; `behind`: j is carried on at the iteration's
 * end. Is it so? */
static bool same_places(struct rg_ctree *t, const struct carry *y, int64_t u, const struct rg_cnode *first,
                        const struct rg_cnode *j0, bool behind, int64_t *from, int64_t *begins)
{
    first = plain(first), j0 = plain(j0);
    if (first->kind != RG_C_INT || first->ivalue < 0 || first->ivalue > 64) return false;
    *begins = behind && j0->kind == RG_C_INT && j0->ivalue == first->ivalue ? 0 : 1;
    *from = first->ivalue - *begins * u;
    if (*begins && !behind && !rg__mirror_int(j0, *from)) return false;
    if (*begins && behind) { /* the second place's is the half */
        struct rg__range *r = rg_xmalloc(sizeof *r);
        rg__range_init(r, t, NULL);
        struct rg__poly have = rg__counting_value(r, j0), want = rg__counting_value(r, y->half),
                        more = rg__poly_int(*from);
        want = rg__poly_add(&want, &more, 1);
        const bool same = (!have.bad && !want.bad && rg__poly_equal(&have, &want)) ||
                          (!*from && rg__c_same(j0, plain(y->half), RG__C_UNCAST));
        free(r);
        if (!same) return false;
    }
    if (y->bits) return u == 1 && !*from && y->least <= u;
    return (y->above ? *from >= 1 && *from <= u : *from >= 0 && *from < u) && y->least <= u;
}

void rg__mirror_carried(struct rg_ctree *t, struct rg_cnode *block, int at, const struct rg__powers *powers)
{
    struct rg_cnode *f = block->kid[at];
    struct rg__counting c;
    struct carry y;
    int from = -1;
    if (!rg__counting_read(t, f, &c)) return;
    struct rg_cnode *body = c.body;
    bool found = false;
    for (int k = 0; k < body->n && !found; k++) {
        found = carry_at(t, body, k, &y);
        from = k;
    }
    const int64_t u = rg__counting_step(&c);
    const struct rg_cnode *first, *j0, *n = found && (u == 1 || u == 2) ? places(t, y.half, u) : NULL;
    struct rounds of = {.t = t, .powers = powers};
    if (!n || !starts(t, block, at, c.var, y.j, &first, &j0) || writes(body, y.j) != 2) return;
    /* from the first on with the carry behind, or from the second on with it in front */
    const bool behind = from + y.took == body->n;
    int64_t c0, begins;
    if ((!behind && from) || !same_places(t, &y, u, first, j0, behind, &c0, &begins) ||
        !rg__doubling_power(&of, n, false))
        return;
    for (int k = 0; k < body->n; k++)
        if ((k < from || k >= from + y.took) && rg__c_mentions_var(body->kid[k], y.m)) return;
    if (rg__doubling_live(t, y.j, f) || (!rg__c_declares(f, y.m) && rg__doubling_live(t, y.m, f))) return;
    const bool plain_counter = u == 1 && !c0 && !c.upto;
    struct rg_cnode *end = NULL;
    if (!plain_counter && !c.alone) { /* j may begin there as well */
        const struct rg_cnode *init = f->kid[0];
        for (int k = 0, var; init && k < (init->kind == RG_C_BLOCK ? init->n : 1); k++)
            if (!rg__mirror_set(t, init->kind == RG_C_BLOCK ? init->kid[k] : init, &var) ||
                (var != c.var && var != y.j))
                return;
    }
    if (!plain_counter) {
        struct rg__range *r = rg_xmalloc(sizeof *r);
        rg__range_init(r, t, NULL);
        struct rg__poly past = rg__counting_end(r, &c, c0, u), all = rg__counting_value(r, n),
                        left = rg__poly_add(&all, &past, -1);
        int64_t rest;
        const bool within = !past.bad && !all.bad && rg__poly_is_int(&left, &rest) && rest >= 0;
        if (!past.bad && (within || u == 1)) end = rg__poly_node(r, &past);
        free(r);
        if (!end || (!rg__c_declares(f, c.var) && rg__doubling_live(t, c.var, f))) return;
    }
    rg__doubling_power(&of, n, true);
    const enum rg_scalar type = t->vars[c.var].type;
    int k = plain_counter ? c.var : rg__c_add_var(t, t->vars[c.var].name, RG_CVAR_LOCAL, type);
    int own = rg__c_add_var(t, t->vars[y.j].name, RG_CVAR_LOCAL, t->vars[y.j].type);
    const enum rg_scalar as = t->vars[own].type, mirror = rg_scalar_bytes(type) > rg_scalar_bytes(as) ? type : as;
    struct rg_cnode *place = rg__counting_place(
        t, c0, u, rg__mirror_call(t, rg__c_var(t, k), rg__c_copy(t, n), mirror, as), t->vars[y.j].type);
    struct rg__kids all = {0};
    rg__kids_add(&all, rg__c_declaration(t, own, place, f));
    for (int s = 0; s < body->n; s++)
        if (s < from || s >= from + y.took)
            rg__kids_add(&all, rg__c_replace_var(t, body->kid[s], y.j, rg__c_var(t, own)));
    struct rg_cnode *inner = rg__kids_node(t, RG_C_BLOCK, &all);
    if (plain_counter) {
        f->kid[3] = inner;
        return;
    }
    inner = rg__c_replace_var(t, inner, c.var, rg__counting_place(t, c0, u, rg__c_var(t, k), type));
    block->kid[at] = rg__counting_loop(t, k, rg__c_int(t, begins), end, inner, f);
}
