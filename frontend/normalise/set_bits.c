/* Loops over the bits that are set in an integer, lowest first:
 *     for (; m; m &= m - 1) { .. __builtin_ctzll(m) .. }      while (m) { low = m & -m; ..; m ^= low; }
 * have no counter, and how often they run depends on data. Each bit asks by itself:
 *     for (b = 0; b < 64; b++) if (m >> b & 1) { left = m & ~0ull << b;  .. b ..; }      m = 0;
 * That takes more steps where few bits are set, so it is done where it can pay: with loops or calls inside, where no
 * loop is around it, or where the bits go to a list. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

struct set_bits {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int m;      /* whose bits */
    int clears; /* the statement of the body that clears the lowest of them; body->n: the loop's step does */
    size_t bytes;
    const struct rg_cnode *b; /* the number of the bit, once it has a variable */
};

/* m, below conversions that keep its bits: what they put in front of them is never asked for. */
static bool is_bits(const struct set_bits *s, const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL &&
           rg_scalar_bytes(e->type) >= s->bytes)
        e = e->kid[0];
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == s->m;
}

static bool is_number(const struct rg_cnode *e, int64_t number)
{
    int64_t v;
    return rg__c_number(rg__c_uncast(e, RG__C_INT_CASTS), &v) && v == number;
}

/* An operation in which no bit of m is lost. */
static bool wide(const struct set_bits *s, const struct rg_cnode *e)
{
    return !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL && rg_scalar_bytes(e->type) >= s->bytes;
}

static const struct rg_cnode *below_casts(const struct set_bits *s, const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && wide(s, e) && wide(s, e->kid[0])) e = e->kid[0];
    return e;
}

static bool lowest(const struct set_bits *s, const struct rg_cnode *e, int before);

/* What is added to make the number that a call gives the lowest bit's: __builtin_ctz(m), ffs(m) - 1; the same of
 * that bit by itself; false: no such call. */
static bool finds_lowest(const struct set_bits *s, const struct rg_cnode *e, int before, int *more)
{
    static const struct {
        const char *name;
        size_t bytes;
        int more;
    } calls[] = {{"rg_ctz", 4, 0}, {"rg_ctzll", 8, 0}, {"__ffs", 4, 1}, {"__ffsll", 8, 1}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls && e->kind == RG_C_CALL && e->callee < 0 && e->n == 1; i++)
        if (e->text && !strcmp(e->text, calls[i].name) && s->bytes <= calls[i].bytes &&
            (is_bits(s, e->kid[0]) || lowest(s, e->kid[0], before))) {
            *more = calls[i].more;
            return true;
        }
    return false;
}

/* m & -m */
static bool is_lowest_alone(const struct set_bits *s, const struct rg_cnode *e)
{
    if (e->op != RG_COP_BAND || !wide(s, e)) return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *minus = below_casts(s, e->kid[1 - i]);
        if (!is_bits(s, e->kid[i]) || !wide(s, minus)) continue;
        if (minus->op == RG_COP_NEG && is_bits(s, minus->kid[0])) return true;
        const struct rg_cnode *not_m = minus->op == RG_COP_ADD ? below_casts(s, minus->kid[0]) : NULL;
        if (not_m && not_m->op == RG_COP_COMPL && is_bits(s, not_m->kid[0]) && is_number(minus->kid[1], 1)) return true;
        if (minus->op == RG_COP_SUB && is_number(minus->kid[0], 0) && is_bits(s, minus->kid[1])) return true;
    }
    return false;
}

/* The value that a local of the body is declared with in front of its statement `before`, and keeps; NULL. */
static const struct rg_cnode *value_of(const struct set_bits *s, const struct rg_cnode *e, int before)
{
    const struct rg_cnode *found = NULL;
    if (e->kind != RG_C_VAR || e->array >= 0 || e->pointer) return NULL;
    for (int i = 0; i < s->body->n; i++) {
        const struct rg_cnode *k = s->body->kid[i];
        const bool declares = k->kind == RG_C_DECL && k->array < 0 && k->var == e->var && k->n;
        if (declares && i < before && !found)
            found = k->kid[0];
        else if (rg__c_writes_var(k, e->var))
            return NULL;
    }
    return found;
}

static const struct rg_cnode *below_any_cast(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL) e = e->kid[0];
    return e;
}

/* Is it the number of the lowest bit: ctz(m), ffs(m) - 1, a local that holds one of them? It fits any type. */
static bool is_lowest_number(const struct set_bits *s, const struct rg_cnode *e, int before)
{
    int more;
    e = below_any_cast(e);
    const struct rg_cnode *value = value_of(s, e, before);
    if (value && s->t->vars[e->var].type != RG_BOOL) e = below_any_cast(value);
    const bool less = e->op == RG_COP_SUB && is_number(e->kid[1], 1);
    if (less) e = below_any_cast(e->kid[0]);
    return finds_lowest(s, e, before, &more) && more == less;
}

/* The lowest bit of m by itself, in front of that statement: m & -m, 1 << ctz(m), a local that holds it. */
static bool lowest(const struct set_bits *s, const struct rg_cnode *e, int before)
{
    e = below_casts(s, e);
    const struct rg_cnode *value = value_of(s, e, before);
    if (value && rg_scalar_bytes(s->t->vars[e->var].type) >= s->bytes) e = below_casts(s, value);
    if (is_lowest_alone(s, e)) return true;
    return e->op == RG_COP_SHL && wide(s, e) && is_number(e->kid[0], 1) && is_lowest_number(s, e->kid[1], before);
}

/* m &= m - 1; m ^= m & -m; m -= m & -m; m &= ~(m & -m); and the same as m = m .. */
static bool clears_lowest(const struct set_bits *s, const struct rg_cnode *e, int before)
{
    if (e->kind != RG_C_ASSIGN || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->var != s->m)
        return false;
    enum rg_c_op op = rg_c_applied(e->op);
    const struct rg_cnode *by = e->kid[1];
    if (e->op == RG_COP_SET) { /* conversions to the variable's own type */
        const struct rg_cnode *v = below_casts(s, e->kid[1]);
        if (v->kind != RG_C_BINARY || !wide(s, v)) return false;
        const bool first = is_bits(s, v->kid[0]);
        if (!first && (v->op == RG_COP_SUB || !is_bits(s, v->kid[1]))) return false;
        op = v->op;
        by = v->kid[first];
    }
    if (op == RG_COP_XOR || op == RG_COP_SUB) return lowest(s, by, before);
    if (op != RG_COP_BAND) return false;
    by = below_casts(s, by);
    if (!wide(s, by)) return false;
    if (by->op == RG_COP_COMPL) return lowest(s, by->kid[0], before);
    if (by->op == RG_COP_SUB) return is_bits(s, by->kid[0]) && is_number(by->kid[1], 1);
    return by->op == RG_COP_ADD && is_bits(s, by->kid[0]) && is_number(by->kid[1], -1);
}

/* m; m != 0; m > 0 of what is never negative. */
static bool asks_for_bits(struct set_bits *s, const struct rg_cnode *c)
{
    const struct rg_cnode *relation = rg__c_uncast(c, RG__C_CASTS);
    if (rg_c_relation(relation->op)) c = relation;
    const bool above = c->op == RG_COP_GT;
    if (c->op == RG_COP_NE || above) {
        if (!is_number(c->kid[1], 0)) return false;
        c = c->kid[0];
    }
    const struct rg_cnode *v = c;
    while (v->kind == RG_C_CAST) v = v->kid[0];
    if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer || !rg__scalar_is_int(v->type) || v->type == RG_BOOL)
        return false;
    s->m = v->var;
    s->bytes = rg_scalar_bytes(v->type);
    return is_bits(s, c) && (!above || !rg_scalar_is_signed(v->type));
}

static bool shape_of(struct set_bits *s)
{
    const struct rg_cnode *l = s->loop, *c = l->kid[l->kind == RG_C_FOR ? 1 : 0];
    const struct rg_cnode *step = l->kind == RG_C_FOR ? l->kid[2] : NULL;
    s->body = l->kid[l->kind == RG_C_FOR ? 3 : 1];
    if (!c || !s->body || s->body->kind != RG_C_BLOCK || !asks_for_bits(s, c)) return false;
    s->clears = -1;
    if (step) {
        if (step->kind == RG_C_STMT) step = step->kid[0];
        s->clears = s->body->n;
        if (!clears_lowest(s, step, 0)) return false;
    }
    for (int i = 0; i < s->body->n; i++) {
        const struct rg_cnode *k = s->body->kid[i];
        if (!rg__c_writes_var(k, s->m)) continue;
        if (s->clears >= 0 || k->kind != RG_C_STMT || !clears_lowest(s, k->kid[0], i)) return false;
        s->clears = i;
    }
    static const enum rg_c_kind no[] = {RG_C_VERBATIM, RG_C_LABEL, RG_C_GOTO, RG_C_SWITCH};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (rg__mentions_kind(s->body, no[i])) return false;
    return s->clears >= 0 && !rg__c_addressed(s->t->root, s->m) && (step || !rg__continues_loop(s->body));
}

/* ---- whether it pays ---- */

static bool calls_helper(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_CALL && n->callee >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (calls_helper(n->kid[i])) return true;
    return false;
}

/* Does a subscript name a scalar that the whole writes, and does not declare? */
static bool lists(const struct rg_cnode *whole, const struct rg_cnode *n, int n_vars)
{
    if (!n) return false;
    for (int i = 0; i < n->n; i++) {
        for (int v = 0; v < n_vars && n->kind == RG_C_INDEX; v++)
            if (rg__c_mentions_var(n->kid[i], v) && rg__c_writes_var(whole, v) && !rg__c_declares(whole, v))
                return true;
        if (lists(whole, n->kid[i], n_vars)) return true;
    }
    return false;
}

/* ---- the loop over all bits ---- */

/* In what the iteration does before it clears the bit: the bit's number, and the bit alone. */
static struct rg_cnode *by_number(struct set_bits *s, struct rg_cnode *e)
{
    struct rg_ctree *t = s->t;
    int more;
    if (!e) return NULL;
    if (finds_lowest(s, e, s->clears, &more)) {
        struct rg_cnode *b = rg__c_copy(t, s->b);
        if (more) b = rg__c_binary(t, RG_COP_ADD, b, rg__c_int(t, more));
        return rg__c_stands(rg__c_cast(t, b, e->type), e);
    }
    if (is_lowest_alone(s, e)) {
        const enum rg_scalar u = rg_scalar_bytes(e->type) > 4 ? RG_ULONG : RG_U32;
        struct rg_cnode *one = rg__c_binary(t, RG_COP_SHL, rg__c_cast(t, rg__c_int(t, 1), u), rg__c_copy(t, s->b));
        return rg__c_stands(rg__c_cast(t, one, e->type), e);
    }
    for (int i = 0; i < e->n; i++) e->kid[i] = by_number(s, e->kid[i]);
    return e;
}

static void take(struct set_bits *s, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = s->t;
    const struct rg_cnode *l = s->loop;
    const enum rg_scalar type = t->vars[s->m].type, u = s->bytes > 4 ? RG_ULONG : RG_U32;
    const int b = rg__c_add_var(t, "bit", RG_CVAR_LOCAL, RG_I32),
              left = rg__c_add_var(t, t->vars[s->m].name, RG_CVAR_LOCAL, type);
    s->b = rg__c_var(t, b);
    struct rg__kids out = {0}, with = {0}, then = {0};
    int named = 0;
    for (int i = 0; i < s->body->n; i++) {
        struct rg_cnode *k = rg__c_copy(t, s->body->kid[i]);
        if (i < s->clears) k = by_number(s, k);
        if (i != s->clears) named += rg__c_count_var(k, s->m);
        rg__kids_add(&out, rg__c_replace_var(t, k, s->m, rg__c_var(t, left)));
    }
    struct rg_cnode *bits = rg__c_cast(t, rg__c_var(t, s->m), u);
    if (named) {
        struct rg_cnode *ones = rg__c_unary(t, RG_COP_COMPL, rg__c_cast(t, rg__c_int(t, 0), u));
        struct rg_cnode *rest = rg__c_binary(t, RG_COP_SHL, ones, rg__c_var(t, b));
        rest = rg__c_binary(t, RG_COP_BAND, rg__c_copy(t, bits), rest);
        rg__kids_add(&then, rg__c_declaration(t, left, rg__c_cast(t, rest, type), l));
    }
    for (int i = 0; i < out.n; i++)
        if (named || i != s->clears) rg__kids_add(&then, out.items[i]);
    free(out.items);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *one = rg_cnode_new(t, RG_C_IF, 2);
    struct rg_cnode *asks = rg__c_binary(t, RG_COP_SHR, bits, rg__c_var(t, b));
    asks = rg__c_binary(t, RG_COP_BAND, asks, rg__c_cast(t, rg__c_int(t, 1), u));
    one->kid[0] = rg__c_binary(t, RG_COP_NE, asks, rg__c_cast(t, rg__c_int(t, 0), u));
    one->kid[1] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &then), l);
    f->kid[0] = rg__c_declaration(t, b, rg__c_int(t, 0), l);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, b), rg__c_int(t, 8 * (int64_t)s->bytes));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, b), rg__c_int(t, 1));
    f->kid[3] = rg_cnode_new(t, RG_C_BLOCK, 1);
    f->kid[3]->kid[0] = rg__c_stands(one, l);
    rg__c_stands(f->kid[3], l);
    if (l->kind == RG_C_FOR && l->kid[0]) rg__kids_add(&with, l->kid[0]);
    rg__kids_add(&with, rg__c_stands(f, l));
    struct rg_cnode *none = rg__c_assign(t, RG_COP_SET, rg__c_var(t, s->m), rg__c_cast(t, rg__c_int(t, 0), type));
    rg__kids_add(&with, rg__c_stands(rg__c_stmt(t, none), l));
    rg__block_splice(t, block, at, 1, &with);
}

/* Is it left in the middle, where what is left of m is asked for behind it? */
static bool left_early(const struct set_bits *s, const struct rg_cnode *block, int at)
{
    if (!rg__leaves_early(s->body)) return false;
    int named = 0;
    const bool in_header = s->loop->kind == RG_C_FOR && s->loop->kid[0] && rg__c_writes_var(s->loop->kid[0], s->m);
    if (rg__mentions_kind(s->t->root, RG_C_GOTO) || (!in_header && rg__c_run_again(s->t->root, s->loop, s->m)))
        return true;
    for (int k = 0; k <= at; k++) named += rg__c_count_var(block->kid[k], s->m);
    return rg__c_count_var(s->t->root, s->m) != named;
}

static void visit(struct rg_ctree *t, struct rg_cnode *n, bool inside)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n && n->kind == RG_C_BLOCK; i++) {
        struct rg_cnode *l = n->kid[i];
        if (l->kind != RG_C_FOR && l->kind != RG_C_WHILE) continue;
        struct set_bits s = {.t = t, .loop = l};
        if (!shape_of(&s) || left_early(&s, n, i)) continue;
        if (!inside || rg__c_has_loop(s.body) || calls_helper(s.body) || lists(s.body, s.body, t->n_vars))
            take(&s, n, i);
    }
    inside = inside || rg__c_is_loop(n);
    for (int i = 0; i < n->n; i++) visit(t, n->kid[i], inside);
}

void rg__canon_set_bits(struct rg_ctree *t)
{
    visit(t, t->root, false);
}
