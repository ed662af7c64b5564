/* What of a loop's body its carried values need, and whether that may run before the rest. */
#include "poly/kernel/recurrence.h"
#include <stdlib.h>
#include <string.h>

static bool writes_wanted(const struct poly_scop *s, const struct rg_cnode *n, const bool *want)
{
    struct poly_effect e = rg__poly_effect_new(s);
    bool any = false;
    rg__poly_effect_add(s, &e, n);
    for (int v = 0; v < s->tree->n_vars; v++) any = any || (e.written[v] && want[v]);
    rg__poly_effect_free(&e);
    return any;
}

bool rg__poly_carry_updates(const struct poly_carrying *an, const struct rg_cnode *n)
{
    struct poly_set set;
    int at;
    bool *want = rg_xcalloc((size_t)an->s->tree->n_vars + 1, 1), any;
    for (int i = 0; i < an->sc->n; i++)
        if (an->sc->at[i].kind == POLY_CARRIED_SCALAR) want[an->sc->at[i].var] = true;
    any = writes_wanted(an->s, n, want);
    free(want);
    for (int i = 0; i < an->sc->n; i++) any = any || an->sc->at[i].leaf == n;
    return any || (rg__poly_set_of(n, &set) && set.target && rg__poly_carried_node(an->sc, set.target, &at));
}

static bool declares_scalar(const struct poly_knode *k)
{
    return k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array < 0;
}

/* A scalar's declaration without a value. */
static bool plain_scalar(const struct poly_knode *k)
{
    return declares_scalar(k) && !(k->node->n && k->node->kid[0]);
}

static void also_read(const struct poly_scop *s, const struct rg_cnode *n, bool *want)
{
    struct poly_effect e = rg__poly_effect_new(s);
    rg__poly_effect_add(s, &e, n);
    for (int v = 0; v < s->tree->n_vars; v++) want[v] = want[v] || e.exposed[v];
    rg__poly_effect_free(&e);
}

/* Does one of the n items name var? What both arms of an if set is wanted no longer in front of it, and yet declared
 * there. */
static bool named(struct poly_scop *s, struct poly_knode *const *items, int n, int var)
{
    struct poly_effect e = rg__poly_effect_new(s);
    bool any = false;
    for (int i = 0; i < n && !any; i++) {
        rg__poly_knode_effect(s, items[i], &e);
        any = e.written[var] || e.exposed[var];
    }
    rg__poly_effect_free(&e);
    return any;
}

struct poly_knode *rg__poly_carry_slice(struct poly_carrying *an, const struct poly_knode *k, bool *want)
{
    struct poly_scop *s = an->s;
    size_t n = (size_t)s->tree->n_vars + 1;
    if (!k) return NULL;
    if (k->kind == KN_LEAF) {
        if (plain_scalar(k)) { /* the name, which is in scope from here on */
            bool needed = want[k->node->var];
            want[k->node->var] = false;
            return needed ? (struct poly_knode *)k : NULL;
        }
        if (!rg__poly_carry_updates(an, k->node) && !writes_wanted(s, k->node, want)) return NULL;
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, k->node);
        for (size_t v = 0; v + 1 < n; v++) want[v] = (want[v] && !e.defined[v]) || e.exposed[v];
        rg__poly_effect_free(&e);
        return (struct poly_knode *)k;
    }
    if (k->kind == KN_SEQ) {
        struct poly_knode **keep = rg_xcalloc((size_t)k->n + 1, sizeof *keep), *seq = NULL;
        int m = 0;
        for (int i = k->n - 1; i >= 0; i--) {
            struct poly_knode *x = rg__poly_carry_slice(an, k->kid[i], want);
            if (!x && declares_scalar(k->kid[i]) && named(s, keep + k->n - m, m, k->kid[i]->node->var)) {
                x = k->kid[i]; /* its value is set anew before anybody asks for it, and stays where it is */
                also_read(s, x->node, want);
            }
            if (x) keep[k->n - ++m] = x;
        }
        if (m) seq = rg__poly_knode_seq(an->p, keep + k->n - m, m);
        free(keep);
        return seq;
    }
    bool *other = rg_xmalloc(n);
    memcpy(other, want, n);
    struct poly_knode *a = rg__poly_carry_slice(an, k->kid[0], want), *b = NULL, *x = NULL;
    if (k->kind == KN_LOOP) { /* what one pass needs, or its condition, an earlier one may have to make */
        struct poly_effect goes_on = rg__poly_effect_new(s);
        if (k->node->n > 3) rg__poly_effect_add(s, &goes_on, k->node->kid[3]);
        for (size_t round = 0; a && round < n; round++) {
            bool same = true;
            for (size_t v = 0; v + 1 < n; v++) {
                want[v] = want[v] || goes_on.exposed[v];
                same = same && (!want[v] || other[v]);
                want[v] = other[v] = want[v] || other[v];
            }
            if (same) break;
            a = rg__poly_carry_slice(an, k->kid[0], want);
        }
        rg__poly_effect_free(&goes_on);
    } else if (k->n > 1) {
        b = rg__poly_carry_slice(an, k->kid[1], other);
    }
    for (size_t v = 0; v + 1 < n; v++) want[v] = want[v] || other[v];
    free(other);
    if (!a && !b) return NULL;
    struct poly_effect e = rg__poly_effect_new(s);
    if (k->kind == KN_IF)
        rg__poly_effect_add(s, &e, k->node->kid[0]);
    else if (k->node->n > 3)
        rg__poly_effect_add(s, &e, k->node->kid[3]);
    for (size_t v = 0; v + 1 < n; v++) want[v] = want[v] || e.exposed[v];
    rg__poly_effect_free(&e);
    x = rg__poly_knode_new(an->p, k->kind, k->node, k->kind == KN_IF ? 2 : 1);
    x->loop = k->loop;
    x->kid[0] = a ? a : rg__poly_knode_seq(an->p, NULL, 0);
    if (k->kind == KN_IF) x->kid[1] = b;
    return x;
}

/* ---- is the part the same when it runs before the rest? ---- */

static bool holds_leaf(const struct poly_knode *k, const struct rg_cnode *node)
{
    if (!k) return false;
    if (k->kind == KN_LEAF) return k->node == node;
    for (int i = 0; i < k->n; i++)
        if (holds_leaf(k->kid[i], node)) return true;
    return false;
}

int rg__poly_carry_place(const struct poly_knode *body, const struct rg_cnode *node)
{
    for (int i = 0; i < body->n; i++)
        if (holds_leaf(body->kid[i], node)) return i;
    return -1;
}

static bool carried_array(const struct poly_scan *sc, const struct poly_access *a)
{
    int at;
    return a->node && rg__poly_carried_node(sc, a->node, &at);
}

bool rg__poly_carry_part_first(struct poly_carrying *an)
{
    struct poly_scop *s = an->s;
    int kept[256], all[256], n = rg__poly_knode_stmts(s, an->sc->part, kept, 256),
                             m = rg__poly_knode_stmts(s, an->body, all, 256);
    if (n == 256 || m == 256)
        return rg__poly_carry_no(an, RG_REFUSE_SPACE, rg__poly_carry_line(an), "loop %s has too many statements",
                                 rg__poly_carry_loop(an));
    for (int i = 0; i < n; i++)
        for (int x = 0; x < s->stmts[kept[i]].n_accesses; x++) {
            const struct poly_access *a = &s->accesses[s->stmts[kept[i]].first_access + x];
            bool own = carried_array(an->sc, a);
            for (int c = 0; c < an->sc->n; c++)
                own = own || (an->sc->at[c].leaf == s->stmts[kept[i]].node && an->sc->at[c].array == a->array);
            if (a->write && !own)
                return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, s->stmts[kept[i]].line,
                                         "loop %s: line %d writes %s on the way to what is carried",
                                         rg__poly_carry_loop(an), s->stmts[kept[i]].line,
                                         s->tree->arrays[a->array].name);
            if (!a->read || carried_array(an->sc, a)) continue;
            int here = rg__poly_carry_place(an->body, s->stmts[kept[i]].node);
            for (int j = 0; j < m; j++) {
                int there = rg__poly_carry_place(an->body, s->stmts[all[j]].node);
                for (int y = 0; y < s->stmts[all[j]].n_accesses; y++) {
                    const struct poly_access *b = &s->accesses[s->stmts[all[j]].first_access + y];
                    bool clash = b->write && b->array == a->array && kept[i] != all[j] &&
                                 (there < here || (there == here && an->body->kid[here]->kind != KN_LEAF));
                    an->clash = clash ? a->array : -1;
                    if (clash)
                        return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                                 "loop %s: what is carried needs %s as the iteration itself leaves it",
                                                 rg__poly_carry_loop(an), s->tree->arrays[a->array].name);
                }
            }
        }
    return true;
}

/* Are there statements that the carried values don't need? */
bool rg__poly_carry_more(struct poly_carrying *an)
{
    struct poly_scop *s = an->s;
    int kept[256], all[256], n = rg__poly_knode_stmts(s, an->sc->part, kept, 256),
                             m = rg__poly_knode_stmts(s, an->body, all, 256);
    for (int i = 0; i < an->sc->n; i++)
        if (an->sc->at[i].kind == POLY_CARRIED_CHAIN) return true;
    for (int i = 0; i < m; i++) {
        bool in = s->stmts[all[i]].node->kind == RG_C_DECL;
        for (int j = 0; j < n && !in; j++) in = kept[j] == all[i];
        if (!in) return true;
    }
    return false;
}
