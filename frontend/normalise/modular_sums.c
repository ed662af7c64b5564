/* Delayed reduction. Sums modulo a number, as checksums keep them: where nothing that is added is negative, and nothing
 * wraps, the remainder can wait for who asks for it,
 *     for (..) { a = (a + x[i]) % M;  b = (b + a) % M; }
 * becomes sums of 64 bits, which are a reduction, or values that run along (running_values.c):
 *     sum = a;  for (..) { sum += x[i];  total += sum % M; }  a = sum % M;  b = total % M;
 * And of what an update adds up, shifts of the value itself are products: h = (h << 5) + h + c is h * 32 + h + c, which
 * is linear in h. Loops that have nothing around them are looked at. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

enum { MOST_TERMS = 6 };
#define UNKNOWN RG__MOST_UNKNOWN

static bool is_scalar(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

uint64_t rg__largest_of(enum rg_scalar type)
{
    int bits = (int)rg_scalar_bytes(type) * 8 - rg_scalar_is_signed(type);
    return type == RG_BOOL ? 1 : bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static uint64_t below(uint64_t limit, uint64_t v, enum rg_scalar type)
{
    if (v != UNKNOWN && v <= limit) return v;
    return rg_scalar_is_signed(type) || rg_scalar_bytes(type) > 4 ? UNKNOWN : limit; /* it wraps */
}

uint64_t rg__most_of(const struct rg_cnode *e)
{
    uint64_t a = UNKNOWN, b = UNKNOWN, type = 0;
    if (!e || e->pointer || !rg__scalar_is_int(e->type)) return UNKNOWN;
    type = rg__largest_of(e->type);
    if (e->kind == RG_C_INT) return e->ivalue >= 0 ? (uint64_t)e->ivalue : UNKNOWN;
    if (e->kind == RG_C_CAST && e->n == 1) return below(type, rg__most_of(e->kid[0]), e->type);
    if (e->kind == RG_C_BINARY && (rg_c_relation(e->op) || rg_c_logic(e->op))) return 1;
    if (e->kind == RG_C_BINARY) {
        a = rg__most_of(e->kid[0]);
        b = rg__most_of(e->kid[1]);
        const struct rg_cnode *c = rg__c_uncast(e->kid[1], RG__C_WIDE_CASTS);
        bool by = c->kind == RG_C_INT && c->ivalue > 0;
        if (e->op == RG_COP_REM)
            return by && (a != UNKNOWN || !rg_scalar_is_signed(e->kid[0]->type)) ? (uint64_t)c->ivalue - 1 : UNKNOWN;
        if (e->op == RG_COP_BAND && (a != UNKNOWN || b != UNKNOWN)) return a < b ? a : b;
        if (e->op == RG_COP_SHR && by && c->ivalue < 64 && a != UNKNOWN) return a >> c->ivalue;
        bool small = a <= UINT32_MAX && b <= UINT32_MAX;
        if (e->op == RG_COP_ADD && small) return below(type, a + b, e->type);
        if (e->op == RG_COP_MUL && small && (!b || a <= (UINT64_MAX - 1) / b)) return below(type, a * b, e->type);
    }
    return rg_scalar_is_signed(e->type) || rg_scalar_bytes(e->type) > 4 ? UNKNOWN : type;
}

struct sum {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int var, at; /* the statement of the body that updates it */
    int64_t modulus;
    int n;
    const struct rg_cnode *term[MOST_TERMS];
    uint64_t first; /* the most that it is in front of the loop */
};

/* a + x + y: one term is the value itself. */
static bool terms(struct sum *s, const struct rg_cnode *e, int *self)
{
    const struct rg_cnode *u = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (is_scalar(u, s->var)) return ++*self == 1;
    if (e->kind == RG_C_BINARY && e->op == RG_COP_ADD) return terms(s, e->kid[0], self) && terms(s, e->kid[1], self);
    if (rg__c_mentions_var(e, s->var) || s->n == MOST_TERMS) return false;
    s->term[s->n++] = e;
    return true;
}

const struct rg_cnode *rg__remainder_in(const struct rg_cnode *e)
{
    uint64_t room = UNKNOWN;
    int64_t m;
    for (; e->kind == RG_C_CAST && e->n == 1 && !e->pointer && rg__scalar_is_int(e->type); e = e->kid[0])
        if (rg__largest_of(e->type) < room) room = rg__largest_of(e->type);
    bool is =
        e->kind == RG_C_BINARY && e->op == RG_COP_REM && rg__c_number(rg__c_uncast(e->kid[1], RG__C_WIDE_CASTS), &m);
    return is && m > 0 && (uint64_t)m - 1 <= room ? e : NULL;
}

static bool modular(struct sum *s)
{
    const struct rg_cnode *x = s->body->kid[s->at], *e = x->kind == RG_C_STMT ? x->kid[0] : NULL;
    int self = 0;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !is_scalar(e->kid[0], s->var)) return false;
    const struct rg_cnode *v = rg__remainder_in(e->kid[1]);
    const struct rg_cnode *by = v ? rg__c_uncast(v->kid[1], RG__C_WIDE_CASTS) : NULL;
    if (!by || by->kind != RG_C_INT || by->ivalue < 2 || !rg__c_pure(s->t, v)) return false;
    s->modulus = by->ivalue;
    if (!terms(s, v->kid[0], &self) || !self || !s->n) return false;
    uint64_t added = 0, least = (uint64_t)s->modulus - 1, trips = rg_scalar_bytes(s->t->vars[s->loop->var].type) > 4;
    for (int i = 0; i < s->n; i++) {
        uint64_t b = rg__most_of(s->term[i]);
        if (b == UNKNOWN || b > (trips ? 1u << 20 : UINT32_MAX / MOST_TERMS)) return false;
        added += b;
    }
    uint64_t limit = rg__largest_of(v->kid[0]->type), from = s->first > least ? s->first : least;
    return s->first != UNKNOWN && from <= limit && added <= limit - from &&
           least <= rg__largest_of(s->t->vars[s->var].type);
}

uint64_t rg__most_before(const struct rg_ctree *t, const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == var) return s->n ? rg__most_of(s->kid[0]) : UNKNOWN;
        if (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && is_scalar(e->kid[0], var))
            return rg__most_of(e->kid[1]);
        if (rg__c_writes_var(s, var)) break;
    }
    return rg_scalar_is_signed(t->vars[var].type) || rg_scalar_bytes(t->vars[var].type) > 4
               ? UNKNOWN
               : rg__largest_of(t->vars[var].type);
}

static struct rg_cnode *remainder_of(const struct sum *s, int sum)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *m = rg__c_cast(t, rg__c_int(t, s->modulus), RG_ULONG);
    return rg__c_cast(t, rg__c_binary(t, RG_COP_REM, rg__c_var(t, sum), m), t->vars[s->var].type);
}

/* A loop's bound as a number with a sign: those of loops count as such, whatever the type of the C's. */
static struct rg_cnode *with_sign(struct rg_ctree *t, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_BINARY && rg_c_arithmetic(e->op))
        return rg__c_binary(t, e->op, with_sign(t, e->kid[0]), with_sign(t, e->kid[1]));
    return rg__c_cast(t, rg__c_copy(t, e), RG_LONG);
}

/* Statements that are put around the loop. */
static void rewrite(struct sum *s, struct rg__kids *front, struct rg__kids *behind)
{
    struct rg_ctree *t = s->t;
    int sum = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_sum", t->vars[s->var].name), RG_CVAR_LOCAL, RG_ULONG);
    struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), s->loop), *all = NULL;
    d->var = sum;
    d->type = RG_ULONG;
    d->kid[0] = rg__c_cast(t, rg__c_var(t, s->var), RG_ULONG);
    rg__kids_add(front, d);
    for (int i = 0; i < s->n; i++) {
        struct rg_cnode *x = rg__c_cast(t, rg__c_copy(t, s->term[i]), RG_ULONG);
        all = all ? rg__c_binary(t, RG_COP_ADD, all, x) : x;
    }
    struct rg_cnode *was = s->body->kid[s->at];
    s->body->kid[s->at] = rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, sum), all)), was);
    for (int i = 0; i < s->body->n; i++)
        if (i != s->at) rg__c_replace_var(t, s->body->kid[i], s->var, remainder_of(s, sum));
    struct rg_cnode *last =
        rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, s->var), remainder_of(s, sum))), s->loop);
    if (s->first >= (uint64_t)s->modulus) { /* no iteration, no remainder */
        struct rg__kids in = {0};
        struct rg_cnode *any = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), s->loop);
        rg__kids_add(&in, last);
        any->kid[0] = rg__c_binary(t, s->loop->step > 0 ? RG_COP_LT : RG_COP_GT, with_sign(t, s->loop->kid[0]),
                                   with_sign(t, s->loop->kid[1]));
        any->kid[1] = rg__kids_node(t, RG_C_BLOCK, &in);
        last = any;
    }
    rg__kids_add(behind, last);
}

/* How many statements came in front of the loop. */
static int sums(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    struct rg__kids front = {0}, behind = {0};
    if ((l->step != 1 && l->step != -1) || l->n != 3 || !rg__c_of_params(t, l->kid[0]) ||
        !rg__c_of_params(t, l->kid[1]) || rg__mentions_kind(l, RG_C_VERBATIM))
        return 0;
    for (int i = 0; i < l->kid[2]->n; i++) /* each makes what the next ones add no larger than it */
        for (int v = 0, n = t->n_vars; v < n; v++) {
            struct sum s = {.t = t, .loop = l, .body = l->kid[2], .var = v, .at = i};
            int writes = 0;
            bool early = false;
            if (!rg__scalar_is_int(t->vars[v].type) || t->vars[v].kind != RG_CVAR_LOCAL ||
                !rg__c_writes_var(l->kid[2]->kid[i], v))
                continue;
            for (int k = 0; k < l->kid[2]->n; k++) {
                writes += rg__c_writes_var(l->kid[2]->kid[k], v) || rg__c_declares(l->kid[2]->kid[k], v);
                early = early || (k < i && rg__c_mentions_var(l->kid[2]->kid[k], v));
            }
            s.first = rg__most_before(t, block, at, v);
            if (writes != 1 || !modular(&s) || (early && s.first >= (uint64_t)s.modulus)) continue;
            rewrite(&s, &front, &behind);
            break;
        }
    int added = front.n;
    rg__block_splice(t, block, at + 1, 0, &behind);
    rg__block_splice(t, block, at, 0, &front);
    return added;
}

/* ---- shifts ---- */

static struct rg_cnode *products(struct rg_ctree *t, struct rg_cnode *e, int var)
{
    if (e->kind == RG_C_CAST && e->n == 1 && rg__scalar_is_int(e->type)) e->kid[0] = products(t, e->kid[0], var);
    if (e->kind != RG_C_BINARY) return e;
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB)
        for (int i = 0; i < 2; i++) e->kid[i] = products(t, e->kid[i], var);
    const struct rg_cnode *by = e->op == RG_COP_SHL ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : NULL;
    if (!by || by->kind != RG_C_INT || by->ivalue < 0 || by->ivalue > 30 || rg_scalar_bytes(e->type) < 4 ||
        !is_scalar(rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS), var))
        return e;
    struct rg_cnode *two = rg__c_cast(t, rg__c_int(t, (int64_t)1 << by->ivalue), e->type);
    struct rg_cnode *p = rg__c_stands(rg__c_binary(t, RG_COP_MUL, e->kid[0], two), e);
    p->type = e->type;
    return p;
}

static void shifts(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return;
    struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    if (e && e->kind == RG_C_ASSIGN && (e->op == RG_COP_SET || e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET) &&
        e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && !e->kid[0]->pointer &&
        rg__scalar_is_int(e->kid[0]->type))
        e->kid[1] = products(t, e->kid[1], e->kid[0]->var);
    for (int i = 0; i < n->n && !rg__c_is_expr(n); i++) shifts(t, n->kid[i]);
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_LOOP || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP) {
            shifts(t, n->kid[i]->kid[2]);
            i += sums(t, n, i);
        } else {
            walk(t, n->kid[i]);
        }
    }
}

void rg__canon_modular_sums(struct rg_ctree *t)
{
    walk(t, t->root);
}
