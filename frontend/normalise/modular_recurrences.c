/* Linear recurrences modulo a number: hashes, congruential generators, factorials.
 *     for (..) { h = (h * B + s[i]) % M;  f[i] = f[i - 1] * i % M; }
 * What is carried becomes a scalar of 64 bits of its own, x = (x * a + b) % M, which is a scan (recurrence_update.c):
 * a product of two remainders has room in it. That holds where nothing that the C computes on the way is negative, or
 * wraps around. What may be so is asked in front of the loop, of all iterations, and the C's loop runs behind it for
 * the other answer. Loops that have nothing around them are looked at. */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/running_values.h"
#include <stdlib.h>

#define UNKNOWN RG__MOST_UNKNOWN
enum { MOST_NODES = 64 };

struct modular {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg_cnode *block, *loop, *body;
    int at, stmt;                 /* of the loop in the block; of the update in the body */
    int var, array;               /* what is carried: a scalar, or elements; the other is -1 */
    int64_t offset, modulus;      /* elements: of i + offset of the one before */
    uint64_t first;               /* the most that it is in front of the loop */
    const struct rg_cnode *begin; /* elements: what the one in front of the loop was given */
    int x;                        /* stands for it */
    struct rg_cnode *fails;       /* what is asked; NULL */
};

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* i + c of the loop's variable. */
static bool offset_of(const struct modular *m, const struct rg_cnode *e, int64_t *c)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    int64_t k;
    *c = 0;
    if (is_scalar(e)) return e->var == m->loop->var;
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB) || !rg__c_number(e->kid[1], &k) ||
        !offset_of(m, e->kid[0], c))
        return false;
    *c += e->op == RG_COP_ADD ? k : -k;
    return true;
}

static bool is_self(const struct modular *m, const struct rg_cnode *e)
{
    int64_t c;
    if (m->var >= 0) return is_scalar(e) && e->var == m->var;
    return e->kind == RG_C_INDEX && e->array == m->array && e->n == 1 && !e->pointer && offset_of(m, e->kid[0], &c) &&
           c == m->offset;
}

static bool depends(const struct modular *m, const struct rg_cnode *e)
{
    return m->var >= 0 ? rg__c_mentions_var(e, m->var) : rg__c_mentions_array(e, m->array);
}

/* ---- how large things get ---- */

/* With what the body's declarations give the scalars in it; NULL: it is made of what the loop changes. */
static struct rg_cnode *known_in_front(const struct modular *m, const struct rg_cnode *e, int depth)
{
    struct rg_ctree *t = m->t;
    if (depth > 4) return NULL;
    if (is_scalar(e) && e->var != m->loop->var) {
        const struct rg_cnode *value = NULL;
        if (!rg__c_writes_var(m->loop, e->var) && !rg__c_declares(m->body, e->var)) return rg__c_copy(t, e);
        for (int i = 0; i < m->stmt; i++) {
            const struct rg_cnode *d = m->body->kid[i];
            if (d->kind == RG_C_DECL && d->array < 0 && d->var == e->var && d->n)
                value = d->kid[0];
            else if (rg__c_writes_var(d, e->var))
                return NULL;
        }
        value = value ? known_in_front(m, value, depth + 1) : NULL;
        return value ? rg__c_cast(t, (struct rg_cnode *)value, t->vars[e->var].type) : NULL;
    }
    if (e->kind == RG_C_CALL || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return NULL;
    if (e->kind == RG_C_INDEX) {
        for (int a = 0; a < t->n_arrays; a++) {
            const bool params = t->arrays[a].param >= 0 && t->arrays[e->array].param >= 0;
            const bool one =
                a == e->array || (params && (m->p->may_alias || t->arrays[a].param == t->arrays[e->array].param));
            if (one && rg__writes_array(m->loop, a)) return NULL;
        }
        if (rg__c_declares_array(m->loop, e->array)) return NULL;
    }
    struct rg_cnode *x = rg__c_shallow(&t->arena, e);
    for (int i = 0; i < e->n; i++)
        if (!(x->kid[i] = known_in_front(m, e->kid[i], depth))) return NULL;
    return x;
}

/* The loop counts up from there. */
static bool counts_up(const struct modular *m, const struct rg_cnode *e)
{
    int64_t low;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return is_scalar(e) && e->var == m->loop->var && m->loop->step > 0 && rg__c_number(m->loop->kid[0], &low) &&
           low >= 0;
}

/* Asks whether it is neither negative nor more than has room. */
static uint64_t asked(struct modular *m, const struct rg_cnode *e)
{
    struct rg_ctree *t = m->t;
    const bool wide = rg_scalar_bytes(e->type) > 4, sign = rg_scalar_is_signed(e->type);
    struct rg_cnode *x = known_in_front(m, e, 0), *no = NULL;
    if (counts_up(m, e) && sign) return wide ? rg__largest_of(RG_LONG) : rg__largest_of(e->type);
    if (!x || rg__c_size(x) > MOST_NODES || !rg__c_pure(t, x)) return UNKNOWN;
    if (sign) no = rg__c_binary(t, RG_COP_LT, x, rg__c_cast(t, rg__c_int(t, 0), e->type));
    if (wide) {
        struct rg_cnode *most = rg__c_cast(t, rg__c_int(t, UINT32_MAX), e->type);
        struct rg_cnode *more = rg__c_binary(t, RG_COP_GT, rg__c_copy(t, x), most);
        no = no ? rg__c_binary(t, RG_COP_OR, no, more) : more;
    }
    if (!no) return UNKNOWN;
    m->fails = m->fails ? rg__c_binary(t, RG_COP_OR, m->fails, no) : no;
    return wide ? UINT32_MAX : rg__largest_of(e->type);
}

/* The most that the value is; UNKNOWN: it is not linear in what is carried, or may be negative, or wrap. `always`: it
 * is evaluated in every iteration. */
static uint64_t most(struct modular *m, const struct rg_cnode *e, bool always)
{
    uint64_t a, b, limit = rg__largest_of(e->type);
    int64_t by;
    if (e->pointer || !rg__scalar_is_int(e->type)) return UNKNOWN;
    if (!depends(m, e)) {
        a = rg__most_of(e);
        return a != UNKNOWN || !always ? a : asked(m, e);
    }
    if (is_self(m, e)) return m->first > (uint64_t)m->modulus - 1 ? m->first : (uint64_t)m->modulus - 1;
    if (e->kind == RG_C_CAST) {
        a = most(m, e->kid[0], always);
        return a == UNKNOWN || a > limit ? UNKNOWN : a;
    }
    if (e->kind == RG_C_COND) {
        if (depends(m, e->kid[0]) || !rg__c_pure(m->t, e->kid[0])) return UNKNOWN;
        a = most(m, e->kid[1], false);
        b = most(m, e->kid[2], false);
        return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a > b ? a : b;
    }
    if (e->kind != RG_C_BINARY) return UNKNOWN;
    if (e->op == RG_COP_REM) {
        if (!rg__c_number(e->kid[1], &by) || by != m->modulus) return UNKNOWN;
        a = most(m, e->kid[0], always);
        return a == UNKNOWN || a < (uint64_t)by ? a : (uint64_t)by - 1;
    }
    if ((e->op != RG_COP_ADD && e->op != RG_COP_MUL) || rg_scalar_bytes(e->type) < 4) return UNKNOWN;
    if (e->op == RG_COP_MUL && depends(m, e->kid[0]) && depends(m, e->kid[1])) return UNKNOWN;
    a = most(m, e->kid[0], always);
    b = a == UNKNOWN ? UNKNOWN : most(m, e->kid[1], always);
    if (b == UNKNOWN) return UNKNOWN;
    const bool over = e->op == RG_COP_ADD ? a > limit - (b < limit ? b : limit) : b && a > limit / b;
    if (over) return rg_scalar_is_signed(e->type) ? limit : UNKNOWN; /* what C leaves undefined does not happen */
    return e->op == RG_COP_ADD ? a + b : a * b;
}

/* ---- is it one? ---- */

static bool is_update(struct modular *m)
{
    const struct rg_cnode *s = m->body->kid[m->stmt], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET) return false;
    const struct rg_cnode *v = rg__remainder_in(e->kid[1]), *to = e->kid[0];
    if (!v || !rg__c_number(v->kid[1], &m->modulus) || m->modulus < 2 || m->modulus > UINT32_MAX ||
        !rg__c_pure(m->t, v) || (uint64_t)m->modulus - 1 > rg__largest_of(to->type))
        return false;
    m->var = m->array = -1;
    if (is_scalar(to)) {
        m->var = to->var;
        return m->t->vars[to->var].kind == RG_CVAR_LOCAL && rg__scalar_is_int(to->type) && depends(m, v);
    }
    if (to->kind != RG_C_INDEX || to->n != 1 || to->pointer || !rg__scalar_is_int(to->type) || m->loop->step != 1 ||
        m->p->may_alias || !offset_of(m, to->kid[0], &m->offset))
        return false;
    m->array = to->array;
    m->offset--;
    return depends(m, v);
}

/* Of elements: the one in front of the first was set right in front of the loop. */
static bool begins(struct modular *m)
{
    int64_t low, place;
    if (!rg__c_number(m->loop->kid[0], &low)) return false;
    for (int i = m->at - 1; i >= 0; i--) {
        const struct rg_cnode *s = m->block->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!rg__writes_array(s, m->array)) {
            if (s->kind == RG_C_DECL && s->array == m->array) return false;
            continue;
        }
        if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX ||
            e->kid[0]->array != m->array || e->kid[0]->n != 1 || !rg__c_number(e->kid[0]->kid[0], &place))
            return false;
        if (place != low + m->offset) continue; /* another one */
        m->begin = e->kid[0];
        m->first = rg__most_of(e->kid[1]);
        return m->first < (uint64_t)m->modulus;
    }
    return false;
}

/* Is it named nowhere else in the loop, or, a scalar, only to be read? */
static bool alone(const struct modular *m, bool *early)
{
    *early = false;
    for (int i = 0; i < m->body->n; i++) {
        const struct rg_cnode *s = m->body->kid[i];
        if (i == m->stmt) continue;
        if (m->var < 0 && depends(m, s)) return false;
        if (m->var >= 0 && (rg__c_writes_var(s, m->var) || rg__c_declares(s, m->var))) return false;
        *early = *early || (i < m->stmt && m->var >= 0 && depends(m, s));
    }
    return !(m->var < 0 && (depends(m, m->loop->kid[0]) || depends(m, m->loop->kid[1])));
}

/* ---- the loop ---- */

static struct rg_cnode *modulus_of(const struct modular *m)
{
    return rg__c_cast(m->t, rg__c_int(m->t, m->modulus), RG_ULONG);
}

static struct rg_cnode *built(const struct modular *m, const struct rg_cnode *e)
{
    struct rg_ctree *t = m->t;
    if (!depends(m, e)) return rg__c_cast(t, rg__c_copy(t, e), RG_ULONG);
    if (is_self(m, e)) return rg__c_var(t, m->x);
    if (e->kind == RG_C_CAST) return built(m, e->kid[0]);
    if (e->kind == RG_C_COND)
        return rg__c_choice(t, rg__c_copy(t, e->kid[0]), built(m, e->kid[1]), built(m, e->kid[2]));
    if (e->op == RG_COP_REM) return rg__c_binary(t, RG_COP_REM, built(m, e->kid[0]), modulus_of(m));
    return rg__c_binary(t, e->op, built(m, e->kid[0]), built(m, e->kid[1]));
}

static struct rg_cnode *set(const struct modular *m, struct rg_cnode *to, struct rg_cnode *value)
{
    return rg__c_stands(rg__c_stmt(m->t, rg__c_assign(m->t, RG_COP_SET, to, value)), m->loop);
}

/* What stands for the loop: it, with x. */
static void rewritten(struct modular *m, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *l = rg__c_copy(t, m->loop), *body = l->kid[2], *s = body->kid[m->stmt]->kid[0], *from, *last;
    struct rg__kids with = {0};
    const bool more = m->first >= (uint64_t)m->modulus;
    m->x = rg__c_add_var(t, m->var >= 0 ? t->vars[m->var].name : t->arrays[m->array].name, RG_CVAR_LOCAL, RG_ULONG);
    t->vars[m->x].modulus = m->modulus;
    from = rg__c_cast(t, m->var >= 0 ? rg__c_var(t, m->var) : rg__c_copy(t, m->begin), RG_ULONG);
    if (more) from = rg__c_binary(t, RG_COP_REM, from, modulus_of(m));
    rg__kids_add(out, rg__c_declaration(t, m->x, from, m->loop));
    struct rg_cnode *value = built(m, rg__remainder_in(s->kid[1])), *to = s->kid[0];
    rg__kids_add(&with, set(m, rg__c_var(t, m->x), value));
    if (m->var < 0) rg__kids_add(&with, set(m, to, rg__c_cast(t, rg__c_var(t, m->x), to->type)));
    for (int i = 0; i < body->n && m->var >= 0; i++)
        if (i != m->stmt)
            rg__c_replace_var(t, body->kid[i], m->var, rg__c_cast(t, rg__c_var(t, m->x), t->vars[m->var].type));
    rg__block_splice(t, body, m->stmt, 1, &with);
    rg__moves_fresh(t, l, l);
    rg__kids_add(out, l);
    if (m->var < 0) return;
    last = set(m, rg__c_var(t, m->var), rg__c_cast(t, rg__c_var(t, m->x), t->vars[m->var].type));
    if (more) { /* no iteration, no remainder */
        struct rg__kids in = {0};
        struct rg_cnode *any = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), m->loop);
        rg__kids_add(&in, last);
        any->kid[0] =
            rg__c_binary(t, l->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_cast(t, rg__c_copy(t, l->kid[0]), RG_LONG),
                         rg__c_cast(t, rg__c_copy(t, l->kid[1]), RG_LONG));
        any->kid[1] = rg__kids_node(t, RG_C_BLOCK, &in);
        last = any;
    }
    rg__kids_add(out, last);
}

/* ---- where the answer was no ---- */

/* Elements that are named other than to be set. */
static bool reads(const struct rg_cnode *n, int array)
{
    const bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX;
    if ((n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array) return true;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        for (int d = 0; set && !i && d < k->n; d++)
            if (reads(k->kid[d], array)) return true;
        if (k && !(set && !i) && reads(k, array)) return true;
    }
    return false;
}

/* Does the loop, run once more, store all that it has stored, and find what it found? Every iteration stores to the
 * same places, whatever was computed, and reads nothing of that. */
/* What the loop's scalars hold while the question is open may be anything: do no subscript, no divisor and no call
 * depend on it? */
static bool harmless(const struct modular *m, const struct rg_cnode *e)
{
    if (!e) return true;
    if (e->op == RG_COP_DEREF || (e->kind == RG_C_CALL && e->callee >= 0) || (rg__c_is_expr(e) && rg__c_divides(e)))
        return false;
    for (int v = 0; v < m->t->n_vars && e->kind == RG_C_INDEX; v++)
        for (int d = 0; d < e->n && rg__c_writes_var(m->body, v); d++)
            if (rg__c_mentions_var(e->kid[d], v)) return false;
    for (int i = 0; i < e->n; i++)
        if (!harmless(m, e->kid[i])) return false;
    return true;
}

static bool runs_again(const struct modular *m)
{
    const struct rg_ctree *t = m->t;
    for (int a = 0; a < t->n_arrays; a++) {
        if (!rg__writes_array(m->loop, a)) continue;
        if (m->p->may_alias || t->arrays[a].view || (a != m->array && reads(m->body, a))) return false;
        for (int i = 0; i < m->body->n; i++) {
            const struct rg_cnode *s = m->body->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
            if (!rg__writes_array(s, a)) continue;
            if (!e || e->kind != RG_C_ASSIGN || e->kid[0]->kind != RG_C_INDEX || rg__writes_array(e->kid[1], a))
                return false;
            for (int d = 0; d < e->kid[0]->n; d++)
                if (!rg_c_affine(t, e->kid[0]->kid[d])) return false;
        }
    }
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_writes_var(m->body, v) && !rg__c_binds(m->loop, v) &&
            (t->vars[v].kind != RG_CVAR_LOCAL || t->vars[v].type == RG_STRUCT))
            return false;
    return !rg__c_has_loop(m->body) && !rg__leaves_early(m->body) && harmless(m, m->body);
}

/* What the loop's scalars hold goes to others in front of it. What gives it back: to the list. */
static struct rg__kids saved(const struct modular *m, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg__kids again = {0};
    for (int v = 0, n = t->n_vars; v < n; v++) {
        if (!rg__c_writes_var(m->body, v) || rg__c_binds(m->loop, v)) continue;
        const int was = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        rg__kids_add(out, rg__c_declaration(t, was, rg__c_var(t, v), m->loop));
        rg__kids_add(&again, set(m, rg__c_var(t, v), rg__c_var(t, was)));
    }
    return again;
}

static struct rg_cnode *unless(const struct modular *m, int flag, struct rg__kids *again)
{
    struct rg_cnode *x = rg__c_stands(rg_cnode_new(m->t, RG_C_IF, 3), m->loop);
    rg__kids_add(again, m->loop);
    x->kid[0] = rg__c_var(m->t, flag);
    x->kid[1] = rg_cnode_new(m->t, RG_C_BLOCK, 0);
    x->kid[2] = rg__kids_node(m->t, RG_C_BLOCK, again);
    return x;
}

/* How many statements there are more; 0: it is none. */
static int apart(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    if (l->n != 3 || !rg__c_of_params(t, l->kid[0]) || !rg__c_of_params(t, l->kid[1]) ||
        rg__mentions_kind(l, RG_C_VERBATIM) || rg__mentions_kind(l, RG_C_OPAQUE))
        return 0;
    for (int i = 0; i < l->kid[2]->n; i++) {
        struct modular m = {.t = t, .p = p, .block = block, .loop = l, .body = l->kid[2], .at = at, .stmt = i};
        bool early;
        if (!is_update(&m) || !alone(&m, &early)) continue;
        if (m.var >= 0) m.first = rg__most_before(t, block, at, m.var);
        if (m.var < 0 && !begins(&m)) continue;
        if (m.first == UNKNOWN || (early && m.first >= (uint64_t)m.modulus) ||
            most(&m, rg__remainder_in(m.body->kid[i]->kid[0]->kid[1]), true) == UNKNOWN || (m.fails && !runs_again(&m)))
            continue;
        struct rg__kids with = {0}, again;
        if (!m.fails) {
            rewritten(&m, &with);
        } else {
            int flag;
            rg__kids_add(&with, rg__asked_flag(t, "linear", l, &flag));
            rg__kids_add(&with, rg__asked_over(t, l, m.fails, flag));
            again = saved(&m, &with);
            rewritten(&m, &with);
            rg__kids_add(&with, unless(&m, flag, &again));
        }
        const int added = with.n - 1;
        rg__block_splice(t, block, at, 1, &with);
        return added ? added : 1;
    }
    return 0;
}

void rg__canon_modular_recurrences(struct rg_ctree *t, const struct rg_problem *p)
{
    rg__running_outer(t, p, t->root, apart);
}
