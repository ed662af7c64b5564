/* What a loop carries, what of it is computed of what, and in which form. */
#include "frontend/normalise/running_values.h"
#include <stdlib.h>
#include <string.h>

enum { DEEP = 12 };

static int number_of(const struct rg__running *r, int var)
{
    for (int k = 0; k < r->n; k++)
        if (r->var[k] == var) return k;
    return -1;
}

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var >= 0;
}

uint32_t rg__running_mask(const struct rg__running *r, const struct rg_cnode *n)
{
    if (!n) return 0;
    if (is_scalar(n)) {
        int k = number_of(r, n->var);
        return k >= 0 ? 1u << k : r->of[n->var];
    }
    uint32_t m = 0;
    bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && is_scalar(n->kid[0]);
    for (int i = set; i < n->n; i++) m |= rg__running_mask(r, n->kid[i]);
    return m;
}

uint32_t rg__running_written(const struct rg__running *r, const struct rg_cnode *n)
{
    uint32_t m = 0;
    for (int k = 0; k < r->n; k++) m |= rg__c_writes_var(n, r->var[k]) ? 1u << k : 0;
    return m;
}

/* The statement of the body that alone gives one of its own scalars a value; NULL: there are several. */
static const struct rg_cnode *own_value(const struct rg__running *r, int var)
{
    const struct rg_cnode *value = NULL;
    for (int i = 0; i < r->body->n; i++) {
        const struct rg_cnode *s = r->body->kid[i], *v = NULL;
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == var)
            v = s->n ? s->kid[0] : NULL;
        else if (s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && s->kid[0]->op == RG_COP_SET &&
                 is_scalar(s->kid[0]->kid[0]) && s->kid[0]->kid[0]->var == var)
            v = s->kid[0]->kid[1];
        else if (rg__c_writes_var(s, var))
            return NULL;
        if (v && value) return NULL;
        value = v ? v : value;
    }
    return value;
}

/* e, or what stands for it in a scalar of the body. */
static const struct rg_cnode *meant(const struct rg__running *r, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    const struct rg_cnode *v = is_scalar(e) && number_of(r, e->var) < 0 ? own_value(r, e->var) : NULL;
    return v ? rg__c_uncast(v, RG__C_CASTS) : e;
}

static bool linear(const struct rg__running *r, const struct rg_cnode *e, uint32_t mask, int depth)
{
    if (!(rg__running_mask(r, e) & mask)) return true;
    if (depth > DEEP) return false;
    bool a, b;
    switch (e->kind) {
    case RG_C_VAR: {
        const struct rg_cnode *v = number_of(r, e->var) >= 0 ? NULL : own_value(r, e->var);
        return number_of(r, e->var) >= 0 || (v && linear(r, v, mask, depth + 1));
    }
    case RG_C_CAST:
        return linear(r, e->kid[0], mask, depth + 1);
    case RG_C_UNARY:
        return (e->op == RG_COP_POS || e->op == RG_COP_NEG) && linear(r, e->kid[0], mask, depth + 1);
    case RG_C_COND:
        return !(rg__running_mask(r, e->kid[0]) & mask) && linear(r, e->kid[1], mask, depth + 1) &&
               linear(r, e->kid[2], mask, depth + 1);
    case RG_C_BINARY:
        a = rg__running_mask(r, e->kid[0]) & mask;
        b = rg__running_mask(r, e->kid[1]) & mask;
        if (e->op == RG_COP_MUL) return a != b && linear(r, e->kid[!a], mask, depth + 1);
        if (e->op == RG_COP_DIV) return !b && linear(r, e->kid[0], mask, depth + 1);
        return (e->op == RG_COP_ADD || e->op == RG_COP_SUB) && linear(r, e->kid[0], mask, depth + 1) &&
               linear(r, e->kid[1], mask, depth + 1);
    default:
        return false;
    }
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return is_scalar(e) && e->var == var;
}

static bool is_extreme_call(const struct rg_cnode *e)
{
    static const char *const names[] = {"fmin", "fmax", "fminf", "fmaxf", "min", "max"};
    bool known = false;
    for (size_t i = 0; e->kind == RG_C_CALL && e->text && i < sizeof names / sizeof *names; i++)
        known |= !strcmp(e->text, names[i]);
    return known && e->n == 2 && e->callee < 0;
}

static bool is_none(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_INT && !e->ivalue;
}

/* The comparison that is asked where another condition, which does not depend on the scalar, holds, or where it does
 * not: f && c, f ? c : 0, f ? 0 : c. */
static const struct rg_cnode *asked(const struct rg__running *r, const struct rg_cnode *c, uint32_t bit)
{
    c = meant(r, c);
    for (int depth = 0; depth < DEEP && !(rg__running_mask(r, c->n ? c->kid[0] : NULL) & bit); depth++) {
        int arm = 1;
        if (c->kind == RG_C_COND && c->n == 3) {
            arm = is_none(c->kid[2]) ? 1 : 2;
            if (!is_none(c->kid[3 - arm])) break;
        } else if (c->op != RG_COP_AND) {
            break;
        }
        c = rg__c_uncast(c->kid[arm], RG__C_CASTS);
    }
    return c;
}

/* The smaller or the larger of the scalar and something that does not depend on it. */
static bool extreme(const struct rg__running *r, const struct rg_cnode *e, int k)
{
    uint32_t bit = 1u << k;
    int var = r->var[k];
    e = rg__c_uncast(e, RG__C_CASTS);
    if (is_extreme_call(e)) {
        int side = is_var(e->kid[0], var) ? 0 : 1;
        return is_var(e->kid[side], var) && !(rg__running_mask(r, e->kid[1 - side]) & bit);
    }
    if (e->kind != RG_C_COND || e->n != 3) return false;
    const struct rg_cnode *c = asked(r, e->kid[0], bit);
    int keep = is_var(e->kid[1], var) ? 1 : 2;
    const struct rg_cnode *other = e->kid[3 - keep];
    if (!is_var(e->kid[keep], var) || (rg__running_mask(r, other) & bit)) return false;
    if (keep == 1 && c != meant(r, e->kid[0])) return false; /* what is asked first says nothing where it fails */
    if (!rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    int side = is_var(c->kid[0], var) ? 0 : 1;
    return is_var(c->kid[side], var) && rg__c_same(meant(r, c->kid[1 - side]), meant(r, other), RG__C_UNCAST);
}

/* A sum that is kept from falling below something, or from rising above it: x > 0 ? x + a : a. */
static bool bounded(const struct rg__running *r, const struct rg_cnode *e, int k)
{
    uint32_t bit = 1u << k;
    bool call = is_extreme_call(e);
    if (!call && (e->kind != RG_C_COND || e->n != 3 || !rg_c_relation(meant(r, e->kid[0])->op))) return false;
    const struct rg_cnode *a = e->kid[!call], *b = e->kid[1 + !call];
    bool first = rg__running_mask(r, a) & bit, second = rg__running_mask(r, b) & bit;
    return first != second && linear(r, first ? a : b, bit, 0);
}

static bool value_form(const struct rg__running *r, const struct rg_cnode *e, int k, enum rg__running_form *f)
{
    uint32_t bit = 1u << k;
    e = rg__c_uncast(e, RG__C_CASTS);
    if (linear(r, e, bit, 0)) return true;
    if (extreme(r, e, k) || bounded(r, e, k)) {
        *f = RG__RUNNING_OP;
        return true;
    }
    return e->kind == RG_C_COND && !(rg__running_mask(r, e->kid[0]) & bit) && value_form(r, e->kid[1], k, f) &&
           value_form(r, e->kid[2], k, f);
}

/* Of all statements in n that update number k; false: in another form. */
static bool update_form(const struct rg__running *r, const struct rg_cnode *n, int k, enum rg__running_form *f)
{
    uint32_t bit = 1u << k;
    if (!n || !rg__c_writes_var(n, r->var[k])) return true;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_IF || n->kind == RG_C_LOOP) {
        int first = n->kind == RG_C_BLOCK ? 0 : n->kind == RG_C_IF ? 1 : 2;
        for (int i = 0; i < n->n; i++)
            if (i < first || (n->kind == RG_C_LOOP && i > 2) ? (rg__running_mask(r, n->kid[i]) & bit) != 0
                                                             : !update_form(r, n->kid[i], k, f))
                return false;
        return true;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    if (e->kind == RG_C_INCDEC) return is_var(e->kid[0], r->var[k]);
    if (e->kind != RG_C_ASSIGN || !is_var(e->kid[0], r->var[k]) || rg__c_writes_var(e->kid[1], r->var[k])) return false;
    if (e->op == RG_COP_SET) return value_form(r, e->kid[1], k, f);
    if (e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET) return linear(r, e->kid[1], bit, 0);
    if (rg__running_mask(r, e->kid[1]) & bit) return false;
    if (e->op == RG_COP_BAND_SET || e->op == RG_COP_BOR_SET || e->op == RG_COP_XOR_SET) *f = RG__RUNNING_OP;
    return e->op == RG_COP_MUL_SET || e->op == RG_COP_DIV_SET || *f == RG__RUNNING_OP;
}

static bool linear_in(const struct rg__running *r, const struct rg_cnode *n, int k, uint32_t mask)
{
    if (!n || !rg__c_writes_var(n, r->var[k])) return true;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_IF) {
        for (int i = 0; i < n->n; i++)
            if (n->kind == RG_C_IF && i == 0 ? (rg__running_mask(r, n->kid[0]) & mask) != 0
                                             : !linear_in(r, n->kid[i], k, mask))
                return false;
        return true;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    if (e->kind == RG_C_INCDEC) return true;
    if (e->kind != RG_C_ASSIGN) return false;
    if (e->op == RG_COP_SET || e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET) return linear(r, e->kid[1], mask, 0);
    return (e->op == RG_COP_MUL_SET || e->op == RG_COP_DIV_SET) && !(rg__running_mask(r, e->kid[1]) & mask);
}

bool rg__running_linear(const struct rg__running *r, int k, uint32_t mask)
{
    for (int i = 0; i < r->body->n; i++)
        if (!linear_in(r, r->body->kid[i], k, mask)) return false;
    return true;
}

/* v = flag ? e : v: what is chosen; NULL: another statement. */
static const struct rg_cnode *chosen(const struct rg__running *r, const struct rg_cnode *s, int flag, int *k)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || !is_scalar(a->kid[0])) return NULL;
    const struct rg_cnode *c = rg__c_uncast(a->kid[1], RG__C_CASTS);
    *k = number_of(r, a->kid[0]->var);
    return *k >= 0 && c->kind == RG_C_COND && is_var(c->kid[0], flag) && is_var(c->kid[2], a->kid[0]->var) ? c->kid[1]
                                                                                                           : NULL;
}

/* Places that are chosen by the flag that chooses a minimum or maximum go with it, where only the last of them count.
 */
static void join_chosen(struct rg__running *r, int flag)
{
    uint32_t all = 0, values = 0, asked = 0;
    bool best = false;
    for (int i = 0, k; i < r->body->n; i++) {
        const struct rg_cnode *value = chosen(r, r->body->kid[i], flag, &k);
        if (!value && r->body->kid[i]->kind != RG_C_DECL) asked |= rg__running_mask(r, r->body->kid[i]);
        if (!value) continue;
        all |= 1u << k;
        values |= rg__running_mask(r, value);
        best |= extreme(r, r->body->kid[i]->kid[0]->kid[1], k);
    }
    for (int k = 0; k < r->n; k++)
        if (!(all >> k & 1)) asked |= r->from[k];
    for (int k = 0; best && (all & (all - 1)) && !((values | asked) & all) && k < r->n; k++)
        if (all >> k & 1) {
            r->unit[k] |= all;
            r->form[k] = RG__RUNNING_CHOSEN;
        }
}

static void dependences(struct rg__running *r)
{
    uint32_t direct[RG__RUNNING_MOST] = {0};
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < r->body->n; i++) {
            const struct rg_cnode *s = r->body->kid[i];
            uint32_t m = rg__running_mask(r, s);
            for (int v = 0; v < r->t->n_vars; v++) {
                bool sets = (s->kind == RG_C_DECL && s->array < 0 && s->var == v) || rg__c_writes_var(s, v);
                int k = sets ? number_of(r, v) : -1;
                uint32_t *to = k >= 0 ? &direct[k] : &r->of[v];
                if (!sets || (*to | m) == *to) continue;
                *to |= m;
                more = true;
            }
        }
    }
    for (int k = 0; k < r->n; k++) r->from[k] = direct[k];
    for (int round = 0; round < r->n; round++)
        for (int k = 0; k < r->n; k++)
            for (int j = 0; j < r->n; j++)
                if (r->from[k] >> j & 1) r->from[k] |= r->from[j];
}

static void units(struct rg__running *r)
{
    for (int k = 0; k < r->n; k++) r->unit[k] = 1u << k;
    for (int i = 0; i < r->body->n; i++) { /* by one statement: with a condition of its own, say */
        const struct rg_cnode *s = r->body->kid[i];
        uint32_t m = rg__running_written(r, s);
        for (int k = 0; k < r->n; k++)
            if (m >> k & 1) r->unit[k] |= m;
        if (s->kind == RG_C_DECL && s->array < 0) join_chosen(r, s->var);
    }
    for (int k = 0; k < r->n; k++)
        for (int j = 0; j < r->n; j++)
            if (r->from[k] >> j & 1 && r->from[j] >> k & 1) r->unit[k] |= 1u << j;
    for (int round = 0; round < r->n; round++)
        for (int k = 0; k < r->n; k++)
            for (int j = 0; j < r->n; j++)
                if (r->unit[k] >> j & 1) r->unit[k] |= r->unit[j];
}

static void forms(struct rg__running *r)
{
    for (int k = 0; k < r->n; k++) {
        uint32_t u = r->unit[k];
        if (r->form[k] == RG__RUNNING_CHOSEN) continue;
        enum rg__running_form f = RG__RUNNING_LINEAR;
        bool ok = true;
        for (int i = 0; u == 1u << k && ok && i < r->body->n; i++) ok = update_form(r, r->body->kid[i], k, &f);
        for (int j = 0; u != 1u << k && ok && j < r->n; j++)
            if (u >> j & 1) ok = rg__running_linear(r, j, u);
        r->form[k] = ok ? f : RG__RUNNING_OTHER;
    }
    for (int k = 0; k < r->n; k++) /* what is chosen, and something else that depends on it */
        for (int j = 0; j < r->n; j++)
            if (r->unit[k] >> j & 1 && r->form[j] != r->form[k]) r->form[k] = RG__RUNNING_OTHER;
}

bool rg__running_look(struct rg__running *r, struct rg_ctree *t, struct rg_cnode *loop)
{
    *r = (struct rg__running){.t = t, .loop = loop, .body = loop->kid[2]};
    r->of = rg_xcalloc((size_t)t->n_vars + 1, sizeof *r->of);
    for (int v = 0; v < t->n_vars; v++) {
        if (v == loop->var || !rg__c_writes_var(r->body, v) || rg__c_declares(r->body, v) || rg__c_binds(r->body, v))
            continue;
        bool plain = t->vars[v].kind != RG_CVAR_ITER && t->vars[v].type != RG_STRUCT;
        if (!plain || r->n == RG__RUNNING_MOST) return false;
        r->var[r->n++] = v;
    }
    if (r->n < 2) return false;
    dependences(r);
    units(r);
    forms(r);
    return true;
}
