/* The statements of a round as they go by what the elements were when it began: reads of them, flags that many may
 * raise at once, and stores whose order is free. */
#include "frontend/normalise/update_rounds.h"

/* Reads of one array become reads of the other. */
static void read_from(struct rg_cnode *n, int array, int other)
{
    if (!n) return;
    if (n->kind == RG_C_INDEX && n->array == array) n->array = other;
    bool set = n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == array;
    for (int i = 0; i < n->n; i++) {
        if (set && i == 0)
            for (int d = 0; d < n->kid[0]->n; d++) read_from(n->kid[0]->kid[d], array, other);
        else
            read_from(n->kid[i], array, other);
    }
}

static struct rg_cnode *moves_it(struct rg_ctree *t, const struct rg__round *r, struct rg_cnode *value,
                                 const struct rg_cnode *element)
{
    if (r->direction == RG__BITS) { /* value & ~element */
        struct rg_cnode *more =
            rg__c_binary(t, RG_COP_BAND, rg__c_copy(t, value), rg__c_unary(t, RG_COP_COMPL, rg__c_copy(t, element)));
        return rg__c_binary(t, RG_COP_NE, more, rg__c_cast(t, rg__c_int(t, 0), more->type));
    }
    enum rg_c_op op = r->direction == RG__LESS ? RG_COP_LT : r->direction == RG__MORE ? RG_COP_GT : RG_COP_NE;
    return rg__c_binary(t, op, rg__c_copy(t, value), rg__c_copy(t, element));
}

/* In the nests flags are elements of arrays, where many may store one value at once. */
static void raise_flags(struct rg_ctree *t, const struct rg__round *r, const int *at, struct rg_cnode *n)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        int v = k && (k->kind == RG_C_STMT || k->kind == RG_C_DECL) ? rg__round_sets(k) : -1;
        if (!k || rg__c_is_expr(k)) continue;
        if (v < 0 || v >= r->n_vars || !r->flag[v]) {
            raise_flags(t, r, at, k);
            continue;
        }
        const struct rg_cnode *c = NULL;
        bool holds = true, sum = k->kind == RG_C_DECL, choice;
        for (int p = 0; p < r->n_vars; p++) sum = sum || r->part[p] == k;
        choice = !sum && rg__round_choice(k->kid[0], &c, &holds);
        struct rg__kids with = {0};
        if (choice)
            rg__round_if_so(t, holds ? rg__c_copy(t, c) : rg__negated(t, rg__c_copy(t, c)), at[v], k, &with);
        else if (!sum)
            rg__kids_add(&with, rg__round_raise(t, at[v], 1, k));
        if (n->kind == RG_C_BLOCK) {
            int more = with.n - 1;
            rg__block_splice(t, n, i, 1, &with);
            i += more;
        } else {
            n->kid[i] = rg__kids_node(t, RG_C_BLOCK, &with);
        }
    }
}

/* Is the value not above the element, or not below? Not a number is neither. */
static struct rg_cnode *is_not(struct rg_ctree *t, const struct rg__round *r, enum rg_c_op op, struct rg_cnode *value,
                               const struct rg_cnode *element)
{
    struct rg_cnode *v = rg__c_copy(t, value), *e = rg__c_copy(t, element);
    if (r->direction == RG__BITS) return op == RG_COP_GE ? moves_it(t, r, e, v) : moves_it(t, r, v, e);
    return rg__c_unary(t, RG_COP_NOT, rg__c_binary(t, op, v, e));
}

/* The statement that stores, as a minimum or maximum, whose order is free; behind it, with moved >= 0, what says that
 * it changed something. Reads are of `before` already. So many statements more. */
static int update(struct rg_ctree *t, const struct rg__round *r, struct rg_cnode *block, int at, int before,
                  const struct rg__round_flags *flags)
{
    struct rg_cnode *s = block->kid[at], *e = s->kid[0];
    const struct rg_cnode *c = NULL;
    bool holds = true;
    struct rg_cnode *to = e->kid[0], *v = e->kid[1], *was = rg__c_copy(t, to);
    was->array = before;
    const struct rg_cnode *inner = rg__c_uncast(v, RG__C_CASTS);
    if (inner->kind == RG_C_COND) { /* an arm is the element: as it was, now */
        bool then = rg__c_same(inner->kid[1], was, RG__C_UNCAST), other = rg__c_same(inner->kid[2], was, RG__C_UNCAST);
        if (then != other) {
            c = inner->kid[0];
            holds = other;
            v = rg__c_cast(t, inner->kid[then ? 2 : 1], to->type);
        }
    }
    struct rg_cnode *next = v;
    if (r->equation) {
        next = v;
    } else if (r->direction == RG__BITS) {
        next = rg__c_binary(t, RG_COP_BOR, rg__c_copy(t, to), rg__c_copy(t, v));
        next = rg__c_cast(t, next, to->type);
    } else if (r->direction != RG__ONE) {
        next = rg__round_either(t, moves_it(t, r, v, to), rg__c_copy(t, v), rg__c_copy(t, to));
    }
    struct rg_cnode *guard = c ? rg__c_copy(t, c) : NULL;
    if (guard && !holds) guard = rg__negated(t, guard);
    if (guard) next = rg__round_either(t, guard, next, rg__c_copy(t, to));
    e->kid[1] = next;
    bool scattered = false, guarded = r->direction == RG__ONE;
    for (int d = 0; d < to->n; d++) scattered = scattered || !rg_c_affine(t, to->kid[d]);
    for (int i = 0; i < r->n_stores; i++) guarded = guarded || (r->store[i].at.stmt == s && r->store[i].guarded);
    const bool ask = scattered && !guarded; /* many may meet there: who changes nothing stays away */
    struct rg__kids all = {0};
    for (int way = 0; way < 2 && r->equation; way++) {
        struct rg_cnode *moves = is_not(t, r, way ? RG_COP_GE : RG_COP_LE, v, was);
        if (guard) moves = rg__c_binary(t, RG_COP_AND, rg__c_copy(t, guard), moves);
        rg__round_if_so(t, moves, way ? flags->fell : flags->rose, s, &all);
    }
    if (!ask) rg__kids_add(&all, s);
    if (ask || flags->moved >= 0) {
        struct rg_cnode *changed =
            r->equation ? rg__c_binary(t, RG_COP_NE, rg__c_copy(t, v), rg__c_copy(t, was)) : moves_it(t, r, v, was);
        if (guard) changed = rg__c_binary(t, RG_COP_AND, rg__c_copy(t, guard), changed);
        rg__round_if_so(t, changed, flags->moved, s, &all);
    }
    if (ask) {
        struct rg__kids in = {0};
        rg__kids_add(&in, s);
        rg__block_splice(t, all.items[all.n - 1]->kid[1], 0, 0, &in);
    }
    const int more = all.n - 1;
    rg__block_splice(t, block, at, 1, &all);
    return more;
}

static void update_all(struct rg_ctree *t, const struct rg__round *r, struct rg_cnode *n, int before,
                       const struct rg__round_flags *flags)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        const struct rg_cnode *e = k && k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == r->array) {
            if (n->kind != RG_C_BLOCK) { /* an arm without braces */
                struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
                b->kid[0] = k;
                n->kid[i] = b;
                update(t, r, b, 0, before, flags);
            } else {
                i += update(t, r, n, i, before, flags);
            }
        } else {
            update_all(t, r, k, before, flags);
        }
    }
}

void rg__round_renew(struct rg_ctree *t, const struct rg__round *r, struct rg_cnode *work, int before,
                     const struct rg__round_flags *flags)
{
    read_from(work, r->array, before);
    raise_flags(t, r, flags->at_flag, work);
    update_all(t, r, work, before, flags);
}
