/* Loops that move pointers where data or other loops decide, so that nothing comes round: an iteration begins in one of
 * a few states, and a local says in which. The body is written once for each:
 *     int turn = 0;
 *     for (..) { if (turn) { .. turn = 0; } else { .. turn = 1; } } */
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

struct rg__moves_turns *rg__moves_sets_turn(const struct rg__moves *m, const struct rg_cnode *s)
{
    if (s->kind != RG_C_STMT || s->kid[0]->op != RG_COP_SET || s->kid[0]->kid[0]->kind != RG_C_VAR ||
        s->kid[0]->kid[0]->array >= 0)
        return NULL;
    for (struct rg__moves_turns *k = m->turns; k; k = k->outer)
        if (k->var == s->kid[0]->kid[0]->var) return k;
    return NULL;
}

int rg__moves_turn(struct rg__moves *m, struct rg__moves_turns *k, const struct rg__moves_state *s)
{
    for (int i = 0; i < k->n; i++) {
        bool same = true;
        for (int a = 0; a < m->n_arrays && same; a++)
            same = !k->carried[a] || k->at[i].stands_for[a] == s->stands_for[a];
        if (same) return i;
    }
    for (int a = 0; a < m->n_arrays; a++) m->failed |= k->carried[a] && s->stands_for[a] < 0;
    if (k->n == RG__MOVES_STATES) m->failed = true;
    if (m->failed) return 0;
    k->at[k->n] = rg__moves_copy(m, s);
    return k->n++;
}

static void find_carried(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *body,
                         const struct rg_cnode *n, bool *carried)
{
    if (!n) return;
    int p = rg__moves_moved(n);
    if (p >= 0 && p < m->n_arrays && (s->stands_for[p] >= 0 || rg__moves_read_first(body, p))) carried[p] = true;
    for (int i = 0; i < n->n; i++) find_carried(m, s, body, n->kid[i], carried);
}

static struct rg_cnode *set(struct rg__moves *m, int var, int line)
{
    struct rg_cnode *s = rg__c_stmt(m->t, rg__c_assign(m->t, RG_COP_SET, rg__c_var(m->t, var), rg__c_int(m->t, 0)));
    s->line = line;
    return s;
}

/* The body from a state on, with variables and arrays of its own. */
static struct rg_cnode *body_from(struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *l)
{
    struct rg__kids all = {0};
    for (int i = 0; i < l->kid[2]->n; i++) rg__kids_add(&all, l->kid[2]->kid[i]);
    rg__kids_add(&all, set(m, m->turns->var, l->line));
    struct rg__moves_state mine = rg__moves_copy(m, s);
    struct rg_cnode *b = rg__moves_block(m, all.items, all.n);
    int free_depth = m->free_depth;
    m->free_depth = ++m->depth;
    if (!m->failed) b = rg__moves_followed(m, &mine, b);
    m->depth--;
    m->free_depth = free_depth;
    if (!m->failed) {
        rg__moves_fresh(m->t, b, b);
        rg__moves_fresh_arrays(m->t, b, b);
    }
    rg__moves_free(&mine);
    free(all.items);
    return b;
}

static struct rg_cnode *is_turn(struct rg_ctree *t, const struct rg__moves_turns *k, int r)
{
    return k->n == 2 ? rg__c_var(t, k->var) : rg__c_binary(t, RG_COP_EQ, rg__c_var(t, k->var), rg__c_int(t, r));
}

int rg__moves_by_turns(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg_cnode *const *rest,
                       int n, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg__moves_turns k = {.outer = m->turns, .n = 1};
    struct rg_cnode *arms[RG__MOVES_STATES], *where[RG__MOVES_STATES] = {NULL}, *body = NULL;
    int taken = 0;
    k.var = rg__c_add_var(t, "turn", RG_CVAR_LOCAL, RG_I32);
    k.carried = rg_xcalloc((size_t)m->n_arrays + 1, 1);
    find_carried(m, s, l->kid[2], l->kid[2], k.carried);
    for (int a = 0; a < m->n_arrays; a++) {
        if (!k.carried[a]) continue;
        m->failed |= s->stands_for[a] < 0;
        for (int i = 0; i < l->n; i++) m->failed |= i != 2 && l->kid[i] && rg__c_mentions_array(l->kid[i], a);
    }
    m->failed |= rg__moves_gets_memory(t, l->kid[2]);
    k.at[0] = rg__moves_copy(m, s);
    rg__moves_forget(m, &k.at[0], l);
    for (int i = 0; i < l->n; i++)
        if (i != 2 && l->kid[i]) l->kid[i] = rg__moves_substitute(m, s, l->kid[i]);
    m->turns = &k;
    for (int r = 0; r < k.n && !m->failed; r++) {
        struct rg__moves_state from = rg__moves_copy(m, &k.at[0]); /* of integers, what is known in all */
        for (int a = 0; a < m->n_arrays; a++)
            if (k.carried[a]) from.stands_for[a] = k.at[r].stands_for[a];
        arms[r] = body_from(m, &from, l);
        rg__moves_set(m, &k.at[r], &from);
        rg__moves_free(&from);
    }
    m->turns = k.outer;
    for (int r = 0; r < k.n && !m->failed; r++) {
        struct rg__kids one = {0};
        where[r] = is_turn(t, &k, r);
        if (body) {
            rg__kids_add(&one, rg__moves_twins(rg__moves_if(m, is_turn(t, &k, r), arms[r], body, l->line)));
            body = rg__kids_node(t, RG_C_BLOCK, &one);
        } else {
            body = arms[r];
        }
    }
    if (!m->failed) {
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = k.var;
        d->type = RG_I32;
        d->kid[0] = rg__c_int(t, 0);
        d->line = l->line;
        rg__kids_add(out, d);
        l->kid[2] = body;
        rg__kids_add(out, l);
        m->any = true;
        taken = rg__moves_rest(m, s, k.at, k.n, where, l, m->depth == m->free_depth, rest, n, out);
    }
    for (int r = 0; r < k.n; r++) rg__moves_free(&k.at[r]);
    free(k.carried);
    return taken;
}
