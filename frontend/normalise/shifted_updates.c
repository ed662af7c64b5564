/* Anti-dependences to the other end, by a copy. A sweep down an array that reads elements in front of the one that it
 * stores, so far away as data say, finds them as they were before the sweep (a knapsack's values, sums of subsets):
 *     for (c = cap; c >= w[i]; c--) best[c] = max(best[c], best[c - w[i]] + v[i]);
 * so iterations may come in any order where they read a copy, and each of the array's elements asks whether it is among
 * those that are swept:
 *     for (k..) before[k] = best[k];
 *     for (c..) if (c >= w[i]) best[c] = max(best[c], before[c - w[i]] + v[i]);
 * That data lead to the front follows from the first iteration, which reads there too: at the array's last element
 * there is nothing behind. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

enum { MOST_PLACES = 8 };

struct sweep {
    struct rg_ctree *t;
    bool may_alias; /* parameters one another */
    struct rg_cnode *loop, *body;
    int array; /* that is swept */
    bool led;  /* something is read at a place that data lead to */
    int n;     /* places in front that every iteration reads: */
    const struct rg_cnode *place[MOST_PLACES];
};

static bool is_counter(const struct sweep *s, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == s->loop->var;
}

/* c - s - s2 with nothing else of the loop's. */
static bool in_front(const struct sweep *s, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (is_counter(s, e)) return true;
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_SUB && e->op != RG_COP_ADD)) return false;
    return in_front(s, e->kid[0]) && !rg__c_mentions_var(e->kid[1], s->loop->var) &&
           rg__loop_invariant(s->t, e->kid[1], s->loop);
}

/* What is read whatever conditions say. */
static void note_places(struct sweep *s, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_INDEX && n->array == s->array && n->n == 1 && s->n < MOST_PLACES) s->place[s->n++] = n->kid[0];
    bool some = n->kind == RG_C_COND || n->kind == RG_C_IF || rg_c_lazy(n->op);
    for (int i = 0; i < n->n && (i == 0 || !some); i++) note_places(s, n->kid[i]);
}

static bool always_read(const struct sweep *s, const struct rg_cnode *e)
{
    bool found = is_counter(s, e);
    for (int i = 0; i < s->n && !found; i++) found = rg__c_same(s->place[i], e, RG__C_UNCAST);
    return found;
}

static bool reads_fit(struct sweep *s, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_INDEX && n->array == s->array) {
        if (n->n != 1 || n->pointer || !in_front(s, n->kid[0]) || !always_read(s, n->kid[0])) return false;
        s->led = s->led || (!is_counter(s, n->kid[0]) && rg__mentions_kind(n->kid[0], RG_C_INDEX));
    } else if (n->array == s->array) {
        return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!reads_fit(s, n->kid[i])) return false;
    return true;
}

static int stores_in(const struct rg_cnode *n, int array)
{
    int all = n && (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->array == array;
    for (int i = 0; n && i < n->n; i++) all += stores_in(n->kid[i], array);
    return all;
}

/* if (..) a[c] = e;  or  a[c] op= e; */
static bool stores_own(const struct sweep *s, const struct rg_cnode *n)
{
    if (n->kind == RG_C_IF) {
        for (int i = 1; i < n->n; i++) {
            const struct rg_cnode *arm = n->kid[i];
            if (arm && (arm->kind != RG_C_BLOCK || arm->n > 1 || (arm->n && !stores_own(s, arm->kid[0])))) return false;
        }
        return true;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == s->array &&
           e->kid[0]->n == 1 && !e->kid[0]->pointer && is_counter(s, e->kid[0]->kid[0]) &&
           stores_in(e->kid[1], s->array) == 0;
}

/* One statement stores, after which nothing asks for the array. What else there is stays in its order. */
static bool body_fits(struct sweep *s)
{
    const struct rg_cnode *b = s->body;
    bool stored = false;
    for (int i = 0; i < b->n; i++) {
        const struct rg_cnode *x = b->kid[i];
        bool plain = x->kind == RG_C_DECL || x->kind == RG_C_STMT || x->kind == RG_C_IF;
        if (!plain || rg__c_has_loop(x) || rg__mentions_kind(x, RG_C_VERBATIM) || rg__mentions_kind(x, RG_C_BREAK) ||
            rg__mentions_kind(x, RG_C_CONTINUE) || rg__mentions_kind(x, RG_C_RETURN) ||
            rg__mentions_kind(x, RG_C_GOTO) || (stored && rg__c_mentions_array(x, s->array)))
            return false;
        if (!rg__writes_array(x, s->array)) continue;
        if (!stores_own(s, x)) return false;
        stored = true;
    }
    s->n = 0;
    note_places(s, b);
    return stored && reads_fit(s, b);
}

/* The first iteration is at the array's last element. */
static bool from_the_end(const struct sweep *s)
{
    const struct rg_carray *a = &s->t->arrays[s->array];
    struct rg_cnode *n =
        rg__c_binary(s->t, RG_COP_ADD, rg__c_strip_int_casts(rg__c_copy(s->t, s->loop->kid[0])), rg__c_int(s->t, 1));
    const struct rg_expr *e = rg__c_to_expr(s->t, n, &s->t->arena);
    return a->n_dims == 1 && a->dims && a->dims[0] && e && rg_expr_equal(a->dims[0], e);
}

static bool fits(struct sweep *s)
{
    struct rg_ctree *t = s->t;
    const struct rg_cnode *l = s->loop;
    if (l->step != -1 || l->n != 3 || !rg__c_of_params(t, l->kid[0]) || !rg__loop_invariant(t, l->kid[1], l))
        return false;
    for (s->array = 0; s->array < t->n_arrays; s->array++) {
        const struct rg_carray *a = &t->arrays[s->array];
        s->led = false;
        if (!rg__writes_array(s->body, s->array) || a->view || (s->may_alias && a->param >= 0) ||
            a->elem == RG_STRUCT || !from_the_end(s))
            continue;
        if (body_fits(s) && s->led) return true;
    }
    return false;
}

/* ---- the loops ---- */

static void read_before(const struct sweep *s, struct rg_cnode *n, int before)
{
    if (!n) return;
    if (n->kind == RG_C_INDEX && n->array == s->array && !is_counter(s, n->kid[0])) n->array = before;
    for (int i = 0; i < n->n; i++) read_before(s, n->kid[i], before);
}

static struct rg_cnode *counted(const struct sweep *s, int var, struct rg__kids *body)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *l = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), s->loop);
    l->var = var;
    l->step = 1;
    l->kid[0] = rg__c_int(t, 0);
    l->kid[1] = rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, s->loop->kid[0]), rg__c_int(t, 1));
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, body);
    return l;
}

static void rewrite(struct sweep *s, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = s->t;
    struct rg_carray *a = &t->arrays[s->array];
    int before = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_before", a->name), a->elem);
    a = &t->arrays[s->array];
    t->arrays[before].n_dims = 1;
    t->arrays[before].dims = a->dims;
    t->arrays[before].mallocd = true;
    int k = rg__c_add_var(t, "k", RG_CVAR_ITER, t->vars[s->loop->var].type);
    struct rg_cnode *made = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 0), s->loop), *at_k = rg__c_var(t, k),
                    *too = rg__c_var(t, k);
    made->array = before;
    made->type = a->elem;
    struct rg__kids with = {0}, copy = {0}, in = {0};
    rg__kids_add(&copy, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, before, 1, &at_k),
                                                                rg__c_index(t, s->array, 1, &too))),
                                     s->loop));
    rg__kids_add(&with, made);
    rg__kids_add(&with, counted(s, k, &copy));
    read_before(s, s->body, before);
    struct rg_cnode *asks = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), s->loop);
    asks->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_var(t, s->loop->var), rg__c_copy(t, s->loop->kid[1]));
    asks->kid[1] = s->body;
    rg__kids_add(&in, asks);
    s->loop->kid[1] = rg__c_int(t, -1);
    s->loop->kid[2] = rg__kids_node(t, RG_C_BLOCK, &in);
    rg__kids_add(&with, s->loop);
    rg__block_splice(t, block, at, 1, &with);
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct sweep s = {.t = t, .may_alias = p->may_alias, .loop = n->kid[i], .body = NULL};
        if (n->kind == RG_C_BLOCK && s.loop->kind == RG_C_LOOP) {
            s.body = s.loop->kid[2];
            if (fits(&s)) {
                rewrite(&s, n, i);
                i += 2;
                continue;
            }
        }
        walk(t, p, n->kid[i]);
    }
}

void rg__canon_shifted_updates(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
    if (!p->may_alias) rg__shift_copies(t, t->root);
}
