/* An extreme with a count of those that share it:
 *     if (x < best) { best = x; at = i; n = 1; } else if (x == best) n++;
 * Two reductions, the second over a copy of the nest that computes x again and asks for the extreme of all:
 *     for (..) if (x < best) { best = x; at = i; }
 *     for (..) if (x == best) equal++;
 *     n = best < before ? equal : n + equal;
 * None that shares the extreme of all comes before the first that does. What is no number takes part in neither.
 * Both nests have to compute the same x, to the last bit: no product in it is contracted with a sum, which a compiler
 * does in one and not in the other, and no sum of reals goes over a loop, whose order another step may change in one.
 */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/placements.h"
#include <stdlib.h>

struct counted {
    struct rg_ctree *t;
    struct rg_cnode *block, *nest; /* the outermost loop and where it stands */
    int at;
    struct rg_cnode **place;      /* in the nest, of the choice */
    const struct rg_cnode *value; /* x */
    enum rg_c_op op;              /* of x and the best */
    int best, count;
    struct rg_cnode *better, *set; /* what a better one does; the assignment to the count there */
    int n_choices;
};

static bool is_scalar(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && (var < 0 || e->var == var);
}

/* x < best, best > x. */
static bool asks_better(struct counted *c, const struct rg_cnode *e)
{
    const bool less = e->op == RG_COP_LT, more = e->op == RG_COP_GT;
    if (e->kind != RG_C_BINARY || (!less && !more)) return false;
    for (int i = 0; i < 2; i++) {
        if (!is_scalar(e->kid[1 - i], -1) || !rg__c_writes_var(c->better, e->kid[1 - i]->var)) continue;
        c->value = e->kid[i];
        c->best = e->kid[1 - i]->var;
        c->op = less == (i == 0) ? RG_COP_LT : RG_COP_GT;
        return rg__c_pure(c->t, c->value) && !rg__c_mentions_var(c->value, c->best);
    }
    return false;
}

static bool asks_equal(const struct counted *c, const struct rg_cnode *e)
{
    for (int i = 0; i < 2 && e->kind == RG_C_BINARY && e->op == RG_COP_EQ; i++)
        if (is_scalar(e->kid[1 - i], c->best) && rg__c_equal(e->kid[i], c->value)) return true;
    return false;
}

/* n++, n += 1; -1: another thing. */
static int counts(const struct rg_cnode *arm)
{
    const struct rg_cnode *s = arm && arm->kind == RG_C_BLOCK && arm->n == 1 ? arm->kid[0] : NULL;
    const struct rg_cnode *e = s && s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int64_t one;
    if (!e || !e->n || !is_scalar(e->kid[0], -1)) return -1;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op) ? e->kid[0]->var : -1;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_ADD_SET && rg__c_number(e->kid[1], &one) && one == 1
               ? e->kid[0]->var
               : -1;
}

/* Does the arm set scalars alone, the best to x and the count to a number? */
static bool sets(struct counted *c)
{
    bool best = false;
    int64_t number;
    c->set = NULL;
    for (int i = 0; i < c->better->n; i++) {
        struct rg_cnode *s = c->better->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !is_scalar(e->kid[0], -1) ||
            !rg__c_pure(c->t, e->kid[1]))
            return false;
        const int var = e->kid[0]->var;
        if (var == c->best) best = rg__c_equal(e->kid[1], c->value);
        if (var == c->count && rg__c_number(e->kid[1], &number)) c->set = s;
        /* nothing that the nest computes depends on it */
        if (var != c->best && var != c->count && rg__c_count_var(c->nest, var) != rg__c_count_var(c->better, var))
            return false;
        if (rg__c_declares(c->nest, var)) return false;
    }
    return best && c->set && rg__c_count_var(c->nest, c->count) == 2 && rg__c_count_var(c->nest, c->best) == 3;
}

static bool is_choice(struct counted *c, const struct rg_cnode *n)
{
    if (n->n < 3 || !n->kid[2] || n->kid[1]->kind != RG_C_BLOCK) return false;
    const struct rg_cnode *other = n->kid[2];
    if (other->kind == RG_C_BLOCK && other->n == 1) other = other->kid[0];
    if (other->kind != RG_C_IF || (other->n > 2 && other->kid[2] && other->kid[2]->n)) return false;
    c->better = n->kid[1];
    if (asks_better(c, n->kid[0]) && asks_equal(c, other->kid[0])) { /* if (x < best) .. else if (x == best) n++; */
        c->count = counts(other->kid[1]);
        return c->count >= 0 && c->count != c->best && sets(c);
    }
    c->better = other->kid[1]; /* if (x == best) n++; else if (x < best) .. */
    if (c->better->kind != RG_C_BLOCK || !asks_better(c, other->kid[0]) || !asks_equal(c, n->kid[0])) return false;
    c->count = counts(n->kid[1]);
    return c->count >= 0 && c->count != c->best && sets(c);
}

/* Does the rest of the nest compute values of its own alone? */
static bool repeats(struct counted *c, struct rg_cnode **place)
{
    struct rg_cnode *n = *place;
    if (!n) return true;
    if (rg__c_is_expr(n)) return rg__c_pure(c->t, n);
    switch (n->kind) {
    case RG_C_BLOCK:
    case RG_C_LOOP:
        break;
    case RG_C_DECL:
        if (n->array >= 0) return false;
        break;
    case RG_C_STMT: {
        const struct rg_cnode *e = n->kid[0];
        if ((e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || !is_scalar(e->kid[0], -1)) return false;
        return rg__c_declares(c->nest, e->kid[0]->var) && (e->n < 2 || rg__c_pure(c->t, e->kid[1]));
    }
    case RG_C_IF: {
        struct counted found = *c;
        if (!is_choice(&found, n)) break;
        found.place = place;
        found.n_choices++;
        *c = found;
        return true;
    }
    default:
        return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!repeats(c, &n->kid[i])) return false;
    return true;
}

/* Does a loop inside the nest carry a real that the nest declares? */
static bool sums_reals(const struct counted *c, const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return false;
    for (int v = 0; v < c->t->n_vars && n->kind == RG_C_LOOP && n != c->nest; v++)
        if (rg_scalar_is_real(c->t->vars[v].type) && v != c->best && rg__c_writes_var(n, v) && !rg__c_declares(n, v) &&
            rg__c_declares(c->nest, v))
            return true;
    for (int i = 0; i < n->n; i++)
        if (sums_reals(c, n->kid[i])) return true;
    return false;
}

static bool exact_type(const struct rg_cnode *e)
{
    return !e->pointer && (e->type == RG_F32 || e->type == RG_F64);
}

/* a * b becomes a call that rounds, which is not contracted. */
static void round_products(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n) return;
    for (int i = 0; i < n->n; i++) round_products(t, n->kid[i]);
    const bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_MUL_SET;
    if (set && exact_type(n->kid[0]) && n->kid[0]->type == n->kid[1]->type) {
        n->kid[1] = rg__c_binary(t, RG_COP_MUL, rg__c_copy(t, n->kid[0]), n->kid[1]);
        n->op = RG_COP_SET;
        round_products(t, n->kid[1]);
    } else if (n->kind == RG_C_BINARY && n->op == RG_COP_MUL && exact_type(n)) {
        n->kind = RG_C_CALL;
        n->op = RG_COP_NONE;
        n->text = n->type == RG_F64 ? "__dmul_rn" : "__fmul_rn";
        n->callee = -1;
    }
}

static void rewrite(struct counted *c)
{
    round_products(c->t, c->nest);
    struct rg_ctree *t = c->t;
    struct rg_cnode *n = *c->place, *nest = c->nest;
    struct rg__kids all = {0}, one = {0}, rest = {0};
    const enum rg_scalar type = t->vars[c->count].type;
    const int before = rg__c_add_var(t, "before", RG_CVAR_LOCAL, t->vars[c->best].type),
              equal = rg__c_add_var(t, "equal", RG_CVAR_LOCAL, type);
    rg__kids_add(&all, rg__c_declaration(t, before, rg__c_var(t, c->best), nest));
    rg__kids_add(&all, nest);
    rg__kids_add(&all, rg__c_declaration(t, equal, rg__c_cast(t, rg__c_int(t, 0), type), nest));
    /* the second nest */
    struct rg_cnode *more = rg_cnode_new(t, RG_C_IF, 2), *again = rg_cnode_new(t, RG_C_BLOCK, 1);
    rg__kids_add(&one, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, equal),
                                                               rg__c_cast(t, rg__c_int(t, 1), type))),
                                    n));
    more->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, c->value), rg__c_var(t, c->best));
    more->kid[1] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &one), n);
    *c->place = rg__c_stands(more, n);
    again->kid[0] = rg__c_copy(t, nest);
    rg__moves_fresh(t, again, again);
    rg__kids_add(&all, again->kid[0]);
    /* the first */
    struct rg_cnode *first = rg_cnode_new(t, RG_C_IF, 2);
    for (int i = 0; i < c->better->n; i++)
        if (c->better->kid[i] != c->set) rg__kids_add(&rest, c->better->kid[i]);
    first->kid[0] = rg__c_binary(t, c->op, rg__c_copy(t, c->value), rg__c_var(t, c->best));
    first->kid[1] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &rest), n);
    *c->place = rg__c_stands(first, n);
    /* from a better one on it counts from there */
    int64_t from = 0;
    rg__c_number(c->set->kid[0]->kid[1], &from);
    struct rg_cnode *begin = rg__c_choice(t, rg__c_binary(t, c->op, rg__c_var(t, c->best), rg__c_var(t, before)),
                                          rg__c_cast(t, rg__c_int(t, from - 1), type), rg__c_var(t, c->count));
    struct rg_cnode *sum = rg__c_binary(t, RG_COP_ADD, begin, rg__c_var(t, equal));
    rg__kids_add(&all, rg__placed_set(t, rg__c_var(t, c->count), rg__c_cast(t, sum, type), nest));
    rg__block_splice(t, c->block, c->at, 1, &all);
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return;
    for (int i = 0; i < n->n; i++) {
        struct counted c = {.t = t, .block = n, .nest = n->kid[i], .at = i};
        if (n->kid[i] && n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && repeats(&c, &n->kid[i]) &&
            c.n_choices == 1 && !sums_reals(&c, n->kid[i])) {
            rewrite(&c);
            i += 4;
        } else {
            walk(t, n->kid[i]);
        }
    }
}

void rg__canon_counted_extremes(struct rg_ctree *t)
{
    walk(t, t->root);
}
