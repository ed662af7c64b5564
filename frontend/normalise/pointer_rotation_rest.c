/* What follows code that ends in one of several states: as far as it sees a difference, once for each of them. */
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

struct differing { /* names that do not mean the same in all states */
    bool *arrays, *vars;
};

static bool sees(const struct rg__moves *m, const struct differing *d, const struct rg_cnode *n)
{
    const struct rg__moves_turns *k = rg__moves_sets_turn(m, n);
    for (int a = 0; a < m->n_arrays; a++)
        if (d->arrays[a] && (k ? k->carried[a] : rg__c_mentions_array(n, a))) return true;
    for (int v = 0; v < m->n_vars; v++)
        if (d->vars[v] && rg__c_mentions_var(n, v)) return true;
    return false;
}

/* What is written once for each state sets names to what may differ, too. */
static void spread(const struct rg__moves *m, struct differing *d, const struct rg_cnode *n)
{
    if (!n) return;
    int p = rg__moves_moved(n);
    if (p >= 0 && p < m->n_arrays) d->arrays[p] = true;
    for (int v = 0; v < m->n_vars && (n->kind == RG_C_STMT || n->kind == RG_C_DECL); v++)
        d->vars[v] |= m->toggles[v] && (rg__c_writes_var(n, v) || (n->kind == RG_C_DECL && n->var == v));
    for (int i = 0; i < n->n; i++) spread(m, d, n->kid[i]);
}

/* May the declaration stand in front, without its value? */
static bool moves_up(const struct rg__moves *m, const struct rg_cnode *n)
{
    const struct rg_cvar *v = n->var >= 0 && n->array < 0 ? &m->t->vars[n->var] : NULL;
    return v && v->type != RG_STRUCT && v->struct_index < 0 && !n->pointer &&
           (!v->c_type || (!strchr(v->c_type, '*') && !strstr(v->c_type, "const")));
}

int rg__moves_seen(struct rg__moves *m, const struct rg__moves_state *at, int p, struct rg_cnode **rest, int n,
                   struct rg__kids *out)
{
    struct differing d = {rg_xcalloc((size_t)m->n_arrays + 1, 1), rg_xcalloc((size_t)m->n_vars + 1, 1)};
    int upto = 0;
    for (int r = 1; r < p; r++) {
        for (int a = 0; a < m->n_arrays; a++) d.arrays[a] |= at[r].stands_for[a] != at[0].stands_for[a];
        for (int v = 0; v < m->n_vars; v++)
            d.vars[v] |= m->toggles[v] && (at[r].known[v] != at[0].known[v] || at[r].value[v] != at[0].value[v]);
    }
    for (int i = 0; i < n; i++) {
        if (!sees(m, &d, rest[i])) continue;
        for (; upto <= i; upto++) spread(m, &d, rest[upto]);
    }
    free(d.arrays);
    free(d.vars);
    for (int i = 0; i < upto; i++) { /* declared in several places, it would be several variables */
        struct rg_cnode *x = rest[i];
        bool later = false;
        for (int k = upto; k < n && x->kind == RG_C_DECL && x->array < 0; k++)
            later |= rg__c_mentions_var(rest[k], x->var);
        if (later && !moves_up(m, x)) return n;
    }
    for (int i = 0; i < upto; i++) {
        struct rg_cnode *x = rest[i];
        bool later = false;
        for (int k = upto; k < n && x->kind == RG_C_DECL && x->array < 0; k++)
            later |= rg__c_mentions_var(rest[k], x->var);
        if (!later) continue;
        struct rg_cnode *first = rg_cnode_new(m->t, RG_C_DECL, 0), *set = rg_cnode_new(m->t, RG_C_BLOCK, 0);
        struct rg_cnode *value = x->n ? x->kid[0] : NULL;
        struct rg_cnode **none = first->kid;
        *first = *x;
        first->n = 0;
        first->kid = none;
        rg__kids_add(out, first);
        if (value) {
            set = rg__c_stmt(m->t, rg__c_assign(m->t, RG_COP_SET, rg__c_var(m->t, x->var), value));
            set->line = x->line;
            set->column = x->column;
        }
        rest[i] = set;
    }
    return upto;
}

int rg__moves_rest(struct rg__moves *m, struct rg__moves_state *s, const struct rg__moves_state *at, int p,
                   struct rg_cnode *const *where, const struct rg_cnode *code, bool allowed,
                   struct rg_cnode *const *rest, int n, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg__kids mine = {0};
    for (int i = 0; i < n; i++) rg__kids_add(&mine, rest[i]);
    int upto = rg__moves_seen(m, at, p, mine.items, n, out);
    if (!upto) { /* nobody looks: but names that differ are not known any more */
        for (int a = 0; a < m->n_arrays; a++)
            for (int r = 0; r < p; r++)
                if (at[r].stands_for[a] != s->stands_for[a]) s->stands_for[a] = -1;
        rg__moves_forget(m, s, code);
        free(mine.items);
        return 0;
    }
    if (!allowed || ++m->forks > rg__moves_most_forks(m)) m->failed = true;
    rg__moves_once(m, mine.items, upto);
    struct rg__moves_state end = rg__moves_new(m);
    struct rg_cnode *otherwise = rg__moves_branch(m, &at[0], mine.items, upto, s);
    for (int r = p - 1; r > 0 && !m->failed; r--) {
        struct rg_cnode *one = rg__moves_branch(m, &at[r], mine.items, upto, &end);
        struct rg__kids k = {0};
        rg__kids_add(&k, rg__moves_twins(rg__moves_if(m, where[r], one, otherwise, rest[0]->line)));
        otherwise = rg__kids_node(t, RG_C_BLOCK, &k);
        rg__moves_join(m, s, &end);
    }
    for (int i = 0; i < otherwise->n; i++) rg__kids_add(out, otherwise->kid[i]);
    rg__moves_free(&end);
    free(mine.items);
    return upto;
}
