/* Linear recurrences over bits: random number generators by shifts and exclusive ors (xorshift, shift registers) carry
 * a state, each of which is a linear function over GF(2) of the one before. What it is k iterations on is the k-th
 * power of a matrix of bits times what it is, so that parts of the loop can begin at once:
 *     at[0] = s;
 *     for (c..) { t = s;  for each bit b of c that is set: t = M^(PART * 2^b) * t;
 *                 for (q < PART) if (c * PART + q < n) { t = M * t; at[c * PART + q + 1] = t; } }
 *     for (i..) { s' = at[i]; the body, with s' }
 *     s = at[n];
 * Loops that have nothing around them are looked at. That the step is linear is asked of it itself: of zero, of all
 * pairs of bits, and of random states. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/running_values.h"
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART = 128,
    LEVELS = 24,
    FEW = 4096,
    TRIES = 4096,
    MAX_STEPS = 32
}; /* 2^24 parts are as many as an int counts */

struct recurrence {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int state, bits;
    bool *step;          /* [statement of the body] it moves the state on */
    uint64_t *value;     /* [var] while it is computed */
    bool *known;         /* [var] */
    uint64_t column[64]; /* of M: what it makes of each bit alone */
};

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool whole_word(enum rg_scalar s)
{
    return s == RG_U32 || s == RG_ULONG || s == RG_ULLONG;
}

static uint64_t cut(enum rg_scalar s, uint64_t v)
{
    return rg_scalar_bytes(s) == 4 ? (uint32_t)v : v;
}

/* ---- the step as a function ---- */

static bool evaluate(const struct recurrence *r, const struct rg_cnode *e, uint64_t *v);

static bool operate(enum rg_c_op op, uint64_t a, const struct rg_cnode *y, uint64_t b, int bits, uint64_t *v)
{
    const bool shift = op == RG_COP_SHL || op == RG_COP_SHR || op == RG_COP_SHL_SET || op == RG_COP_SHR_SET;
    if (shift && (rg__c_uncast(y, RG__C_CASTS)->kind != RG_C_INT || b >= (uint64_t)bits)) return false;
    switch (op) {
    case RG_COP_XOR:
    case RG_COP_XOR_SET:
        return *v = a ^ b, true;
    case RG_COP_BOR:
    case RG_COP_BOR_SET:
        return *v = a | b, true;
    case RG_COP_BAND:
    case RG_COP_BAND_SET:
        return *v = a & b, true;
    case RG_COP_SHL:
    case RG_COP_SHL_SET:
        return *v = a << b, true;
    case RG_COP_SHR:
    case RG_COP_SHR_SET:
        return *v = a >> b, true;
    default:
        return false;
    }
}

static bool evaluate(const struct recurrence *r, const struct rg_cnode *e, uint64_t *v)
{
    uint64_t a, b;
    if (e->pointer) return false;
    if (e->kind == RG_C_INT) return *v = (uint64_t)e->ivalue, true;
    if (!whole_word(e->type)) /* a number that C would bring to the other side's type */
        return e->kind == RG_C_CAST && rg__scalar_is_int(e->type) && rg__c_uncast(e, RG__C_CASTS)->kind == RG_C_INT &&
               evaluate(r, e->kid[0], v);
    if (is_scalar(e)) return *v = r->value[e->var], r->known[e->var];
    if (e->kind == RG_C_CAST) {
        if (!evaluate(r, e->kid[0], &a)) return false;
        return *v = cut(e->type, a), true;
    }
    if (e->kind != RG_C_BINARY || !evaluate(r, e->kid[0], &a) || !evaluate(r, e->kid[1], &b)) return false;
    a = cut(e->type, a);
    if (!operate(e->op, a, e->kid[1], b, (int)rg_scalar_bytes(e->type) * 8, v)) return false;
    *v = cut(e->type, *v);
    return true;
}

/* The state after one iteration; false: it is not of shifts and bits alone. */
static bool step(struct recurrence *r, uint64_t from, uint64_t *to)
{
    struct rg_ctree *t = r->t;
    memset(r->known, 0, (size_t)t->n_vars + 1);
    r->value[r->state] = from;
    r->known[r->state] = true;
    for (int i = 0; i < r->body->n; i++) {
        const struct rg_cnode *s = r->body->kid[i], *e = s->kid ? s->kid[0] : NULL;
        if (!r->step[i]) continue;
        uint64_t v;
        int var;
        if (s->kind == RG_C_DECL) {
            var = s->var;
            if (!s->n) continue;
            if (!evaluate(r, e, &v)) return false;
        } else {
            var = e->kid[0]->var;
            if (!evaluate(r, e->kid[1], &v)) return false;
            if (e->op != RG_COP_SET && (!r->known[var] || !operate(e->op, r->value[var], e->kid[1], v,
                                                                   (int)rg_scalar_bytes(t->vars[var].type) * 8, &v)))
                return false;
        }
        if (!whole_word(t->vars[var].type)) return false;
        r->value[var] = cut(t->vars[var].type, v);
        r->known[var] = true;
    }
    *to = r->value[r->state];
    return true;
}

static uint64_t times(const uint64_t *column, uint64_t x)
{
    uint64_t y = 0;
    for (int j = 0; x; j++, x >>= 1)
        if (x & 1) y ^= column[j];
    return y;
}

static bool linear(struct recurrence *r)
{
    uint64_t y;
    if (!step(r, 0, &y) || y) return false;
    for (int j = 0; j < r->bits; j++)
        if (!step(r, UINT64_C(1) << j, &r->column[j])) return false;
    for (int i = 0; i < r->bits; i++)
        for (int j = 0; j < i; j++)
            if (!step(r, UINT64_C(1) << i | UINT64_C(1) << j, &y) || y != (r->column[i] ^ r->column[j])) return false;
    for (int i = 0; i < TRIES; i++) {
        uint64_t x = cut(r->t->vars[r->state].type, rg_mix64((uint64_t)i + 1));
        if (!step(r, x, &y) || y != times(r->column, x)) return false;
    }
    return true;
}

/* ---- is it one? ---- */

static bool sets(const struct rg_cnode *s, int var)
{
    return rg__c_writes_var(s, var) || rg__c_declares(s, var);
}

static bool plain(const struct rg_cnode *s)
{
    if (s->kind == RG_C_DECL) return s->array < 0;
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && is_scalar(e->kid[0]);
}

static bool mixes(const struct rg_cnode *n)
{
    if (n->op == RG_COP_XOR || n->op == RG_COP_XOR_SET) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && mixes(n->kid[i])) return true;
    return false;
}

/* The statements that move the state on; false: others have a say in it. */
static bool slice(struct recurrence *r)
{
    struct rg_ctree *t = r->t;
    int n = 0;
    memset(r->step, 0, (size_t)r->body->n + 1);
    for (int i = 0; i < r->body->n; i++) r->step[i] = rg__c_writes_var(r->body->kid[i], r->state);
    for (bool more = true; more;) {
        more = false;
        for (int v = 0; v < t->n_vars; v++)
            for (int i = 0; i < r->body->n; i++) {
                if (!r->step[i] || v == r->state || !rg__c_mentions_var(r->body->kid[i], v)) continue;
                if (!rg__c_declares(r->body, v)) return false;
                for (int k = 0; k < r->body->n; k++)
                    if (!r->step[k] && sets(r->body->kid[k], v)) r->step[k] = more = true;
            }
    }
    bool asked = false, mixed = false; /* what is shifted alone others know better */
    for (int i = 0; i < r->body->n; i++) {
        const struct rg_cnode *s = r->body->kid[i];
        if (r->step[i] && (!plain(s) || ++n > MAX_STEPS)) return false;
        mixed = mixed || (r->step[i] && mixes(s));
        asked = asked || !r->step[i];
    }
    return n > 0 && asked && mixed;
}

static bool counted(const struct recurrence *r, struct rg_cnode **count)
{
    struct rg_ctree *t = r->t;
    const struct rg_cnode *l = r->loop, *low = l->kid[0], *high = l->kid[1];
    if (l->step != 1 || l->n != 3 || !rg__c_of_params(t, low) || !rg__c_of_params(t, high) ||
        rg__mentions_kind(l, RG_C_VERBATIM))
        return false;
    if (high->kind == RG_C_INT && low->kind == RG_C_INT && high->ivalue - low->ivalue < FEW) return false;
    *count = rg__c_copy(t, high);
    if (low->kind != RG_C_INT || low->ivalue) *count = rg__c_binary(t, RG_COP_SUB, *count, rg__c_copy(t, low));
    *count = rg__c_strip_int_casts(*count);
    return rg__c_to_expr(t, *count, &t->arena) != NULL;
}

/* ---- the code ---- */

static struct rg_cnode *number(const struct recurrence *r, uint64_t v)
{
    const enum rg_scalar type = r->t->vars[r->state].type;
    return rg__c_cast(r->t, rg__c_int(r->t, (int64_t)v), type);
}

static struct rg_cnode *set(const struct recurrence *r, struct rg_cnode *to, struct rg_cnode *value)
{
    return rg__c_stands(rg__c_stmt(r->t, rg__c_assign(r->t, RG_COP_SET, to, value)), r->loop);
}

/* t = c >> level & 1 ? M * t : t, of that power of M */
static struct rg_cnode *jump(const struct recurrence *r, int var, int part, int level, const uint64_t *column)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *sum = NULL, *choice = rg_cnode_new(t, RG_C_COND, 3);
    for (int j = 0; j < r->bits; j++) {
        if (!column[j]) continue;
        struct rg_cnode *bit = rg__c_var(t, var);
        if (j) bit = rg__c_binary(t, RG_COP_SHR, bit, rg__c_int(t, j));
        bit = rg__c_binary(t, RG_COP_MUL, rg__c_binary(t, RG_COP_BAND, bit, number(r, 1)), number(r, column[j]));
        sum = sum ? rg__c_binary(t, RG_COP_XOR, sum, bit) : bit;
    }
    struct rg_cnode *set_bit = rg__c_binary(
        t, RG_COP_BAND, rg__c_binary(t, RG_COP_SHR, rg__c_var(t, part), rg__c_int(t, level)), rg__c_int(t, 1));
    choice->kid[0] = rg__c_binary(t, RG_COP_NE, set_bit, rg__c_int(t, 0));
    choice->kid[1] = sum ? sum : number(r, 0);
    choice->kid[2] = rg__c_var(t, var);
    choice->type = t->vars[var].type;
    return set(r, rg__c_var(t, var), choice);
}

static struct rg_cnode *element(const struct recurrence *r, int array, struct rg_cnode *at)
{
    return rg__c_index(r->t, array, 1, &at);
}

static struct rg_cnode *loop_over(const struct recurrence *r, const char *name, struct rg_cnode *high,
                                  struct rg__kids *body)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *l = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), r->loop);
    l->step = 1;
    l->var = rg__c_add_var(t, name, RG_CVAR_ITER, t->vars[r->loop->var].type);
    l->kid[0] = rg__c_int(t, 0);
    l->kid[1] = high;
    l->kid[2] = body ? rg__kids_node(t, RG_C_BLOCK, body) : NULL;
    return l;
}

/* at[..]: the states in front of all iterations, and behind the last; a loop over parts. */
static struct rg_cnode *all_states(const struct recurrence *r, int at, const struct rg_cnode *count)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *parts = rg__c_binary(
        t, RG_COP_DIV, rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, count), rg__c_int(t, PART - 1)), rg__c_int(t, PART));
    struct rg_cnode *outer = loop_over(r, "part", parts, NULL), *inner = loop_over(r, "step", rg__c_int(t, PART), NULL);
    const int state = rg__c_add_var(t, t->vars[r->state].name, RG_CVAR_LOCAL, t->vars[r->state].type);
    uint64_t power[64], next[64];
    struct rg__kids out = {0}, moves = {0}, in = {0};
    memcpy(power, r->column, sizeof power);
    rg__kids_add(&out, rg__c_declaration(t, state, rg__c_var(t, r->state), r->loop));
    for (int level = 0, doubled = 1; level < LEVELS; doubled *= 2) {
        if (doubled >= PART) rg__kids_add(&out, jump(r, state, outer->var, level++, power));
        if (doubled >= 1 << 30) doubled = PART; /* it has been more than that for long */
        for (int j = 0; j < r->bits; j++) next[j] = times(power, power[j]);
        memcpy(power, next, sizeof power);
    }
    struct rg_cnode *copy = rg__c_copy(t, r->body);
    for (int i = 0; i < copy->n; i++)
        if (r->step[i]) rg__kids_add(&moves, copy->kid[i]);
    struct rg_cnode *place =
        rg__c_binary(t, RG_COP_ADD, rg__c_binary(t, RG_COP_MUL, rg__c_var(t, outer->var), rg__c_int(t, PART)),
                     rg__c_var(t, inner->var));
    rg__kids_add(&moves, set(r, element(r, at, rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, place), rg__c_int(t, 1))),
                             rg__c_var(t, r->state)));
    struct rg_cnode *guard = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), r->loop);
    guard->kid[0] = rg__c_binary(t, RG_COP_LT, place, rg__c_copy(t, count));
    guard->kid[1] = rg__c_replace_var(t, rg__kids_node(t, RG_C_BLOCK, &moves), r->state, rg__c_var(t, state));
    rg__kids_add(&in, guard);
    inner->kid[2] = rg__kids_node(t, RG_C_BLOCK, &in);
    rg__kids_add(&out, inner);
    outer->kid[2] = rg__kids_node(t, RG_C_BLOCK, &out);
    rg__moves_fresh(t, outer, outer);
    return outer;
}

/* if (0 < count) s */
static struct rg_cnode *where_any(const struct recurrence *r, const struct rg_cnode *count, struct rg_cnode *s)
{
    struct rg_ctree *t = r->t;
    struct rg__kids in = {0};
    struct rg_cnode *guard = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), r->loop);
    rg__kids_add(&in, s);
    guard->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_int(t, 0), rg__c_copy(t, count));
    guard->kid[1] = rg__kids_node(t, RG_C_BLOCK, &in);
    return guard;
}

/* One more than there are iterations, and one where there is none: those from 0 on are enough for a loop that begins
 * behind it. */
static const struct rg_expr *room(struct rg_ctree *t, const struct rg_cnode *l, const struct rg_cnode *count)
{
    const struct rg_cnode *low = l->kid[0];
    struct rg_cnode *n = rg__c_copy(t, count);
    if (low->kind == RG_C_INT && low->ivalue >= 0)
        n = rg__c_strip_int_casts(rg__c_copy(t, l->kid[1]));
    else
        n = rg__c_choice(t, rg__c_binary(t, RG_COP_GT, rg__c_copy(t, n), rg__c_int(t, 0)), n, rg__c_int(t, 0));
    return rg__c_to_expr(t, rg__c_binary(t, RG_COP_ADD, n, rg__c_int(t, 1)), &t->arena);
}

static int rewrite(struct recurrence *r, struct rg_cnode *block, int at, struct rg_cnode *count)
{
    struct rg_ctree *t = r->t;
    const char *name = t->vars[r->state].name;
    const int array = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_at", name), t->vars[r->state].type),
              own = rg__c_add_var(t, name, RG_CVAR_LOCAL, t->vars[r->state].type);
    struct rg_carray *x = &t->arrays[array];
    x->n_dims = 1;
    x->dims = rg_arena_alloc(&t->arena, sizeof *x->dims);
    x->dims[0] = room(t, r->loop, count);
    x->mallocd = true;
    struct rg_cnode *made = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 0), r->loop), *l = r->loop;
    made->array = array;
    made->type = x->elem;
    struct rg__kids with = {0}, body = {0};
    rg__kids_add(&with, made);
    rg__kids_add(&with, set(r, element(r, array, rg__c_int(t, 0)), rg__c_var(t, r->state)));
    rg__kids_add(&with, all_states(r, array, count));
    struct rg_cnode *i = rg__c_var(t, l->var);
    if (l->kid[0]->kind != RG_C_INT || l->kid[0]->ivalue) i = rg__c_binary(t, RG_COP_SUB, i, rg__c_copy(t, l->kid[0]));
    rg__kids_add(&body, rg__c_declaration(t, own, element(r, array, i), l));
    rg__c_replace_var(t, l->kid[2], r->state, rg__c_var(t, own));
    for (int k = 0; k < l->kid[2]->n; k++) rg__kids_add(&body, l->kid[2]->kid[k]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &body);
    rg__kids_add(&with, l);
    rg__kids_add(&with, where_any(r, count, set(r, rg__c_var(t, r->state), element(r, array, rg__c_copy(t, count)))));
    const int added = with.n - 1;
    rg__block_splice(t, block, at, 1, &with);
    return added;
}

/* How many statements there are more; 0: it is none. `only`: of this state; -1: any. */
static int apart(struct rg_ctree *t, struct rg_cnode *block, int at, int only)
{
    struct recurrence r = {.t = t, .loop = block->kid[at], .body = block->kid[at]->kid[2]};
    struct rg_cnode *count;
    int added = 0, n = t->n_vars;
    if (!counted(&r, &count)) return 0;
    r.step = rg_xcalloc((size_t)r.body->n + 1, sizeof *r.step);
    r.value = rg_xcalloc((size_t)n + 1, sizeof *r.value);
    r.known = rg_xcalloc((size_t)n + 1, sizeof *r.known);
    for (int v = only < 0 ? 0 : only; v < n && !added && (only < 0 || v == only); v++) {
        if (!whole_word(t->vars[v].type) || t->vars[v].kind == RG_CVAR_ITER || !rg__c_writes_var(r.body, v) ||
            rg__c_declares(r.body, v) || rg__c_binds(r.body, v))
            continue;
        r.state = v;
        r.bits = (int)rg_scalar_bytes(t->vars[v].type) * 8;
        if (slice(&r) && linear(&r)) added = rewrite(&r, block, at, count);
    }
    free(r.step);
    free(r.value);
    free(r.known);
    return added;
}

/* ---- a state in memory ---- */

/* All that names the array there; false: not always the same element by numbers. */
static bool one_element(struct rg_cnode *n, int array, struct rg__kids *out)
{
    if (n->array == array && n->kind == RG_C_INDEX) {
        for (int d = 0; d < n->n; d++)
            if (n->kid[d]->kind != RG_C_INT) return false;
        if (n->pointer || (out->n && !rg__c_equal(n, out->items[0]))) return false;
        rg__kids_add(out, n);
        return true;
    }
    if (n->array == array && (n->kind == RG_C_VAR || n->kind == RG_C_DECL)) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !one_element(n->kid[i], array, out)) return false;
    return true;
}

/* *state of a helper, a file-scope variable: a scalar in the loop, stored behind it. */
static int in_memory(struct rg_ctree *t, struct rg_cnode *block, int at, int array)
{
    struct rg_cnode *l = block->kid[at];
    struct rg__kids all = {0}, front = {0}, behind = {0};
    int added = 0;
    if (one_element(l, array, &all) && all.n) {
        struct rg_cnode *was = rg_arena_alloc(&t->arena, sizeof *was * (size_t)all.n),
                        *element = rg__c_copy(t, all.items[0]);
        const int v = rg__c_add_var(t, t->arrays[array].name, RG_CVAR_LOCAL, t->arrays[array].elem);
        for (int i = 0; i < all.n; i++) {
            was[i] = *all.items[i];
            *all.items[i] = *rg__c_var(t, v);
        }
        added = apart(t, block, at, v);
        if (added) {
            rg__kids_add(&front, rg__c_declaration(t, v, element, l));
            rg__kids_add(
                &behind,
                rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, element), rg__c_var(t, v))), l));
            rg__block_splice(t, block, at + added + 1, 0, &behind);
            rg__block_splice(t, block, at, 0, &front);
            added += 2;
        } else {
            for (int i = 0; i < all.n; i++) *all.items[i] = was[i];
        }
    }
    free(all.items);
    return added;
}

static int with_state(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at)
{
    const struct rg_cnode *l = block->kid[at];
    int added = apart(t, block, at, -1);
    for (int a = 0, n = t->n_arrays; a < n && !added && !p->may_alias; a++)
        if (whole_word(t->arrays[a].elem) && rg__writes_array(l, a) && !t->arrays[a].view)
            added = in_memory(t, block, at, a);
    return added;
}

void rg__canon_bit_recurrences(struct rg_ctree *t, const struct rg_problem *p)
{
    rg__running_outer(t, p, t->root, with_state);
}
