/* Loads of a thread's loop that may be made iterations ahead: nothing in the loop writes what they read. */
#include "poly/kernel/kernel.h"
#include <stdio.h>
#include <string.h>

struct gathering {
    const struct poly_program *p;
    const struct poly_kernel *k;
    const struct poly_knode *loop;
    const bool *taken;
    bool stores, bad, structures; /* structures: loads of members or whole ones */
    int n;
    const struct poly_access *load[POLY_MAX_AHEAD];
};

static bool in_memory(const struct gathering *g, int array)
{
    const struct rg_carray *c = &g->p->scop->tree->arrays[array];
    return c->elem != RG_STRUCT && !c->constant_table && (c->param >= 0 || g->p->array_scratch[array]) &&
           !(g->k->atomic && g->k->atomic[array]) && !(g->taken && g->taken[array]);
}

/* Every iteration of the loop reads it, nothing in the loop writes its array, and where it is follows from loops
 * alone. */
static bool may_come_first(const struct gathering *g, const struct poly_access *a)
{
    const struct poly_scop *s = g->p->scop;
    bool along = false, written = false,
         ok = a->read && !a->write && a->certain && a->affine && !a->whole && !a->member && in_memory(g, a->array) &&
              !(rg__poly_knode_uses_array(s, g->loop, a->array, &written) && written);
    for (int d = 0; ok && d < a->n_subs; d++) {
        ok = a->sub[d].ok;
        along = along || rg__poly_linear_coef(&a->sub[d], s->loops[g->loop->loop].var) != 0;
    }
    return ok && along;
}

static bool gather(void *arg, const struct poly_knode *k)
{
    struct gathering *g = arg;
    const struct poly_scop *s = g->p->scop;
    if (k->kind != KN_LEAF) return true;
    const struct poly_knode *b = g->loop->kid[0];
    bool direct = b == k;
    for (int i = 0; b->kind == KN_SEQ && i < b->n; i++) direct = direct || b->kid[i] == k;
    g->bad = g->bad || k->node->kind == RG_C_OPAQUE || rg__mentions_kind(k->node, RG_C_RETURN) ||
             rg__poly_calls_helper(k->node);
    int id = rg__poly_stmt_of(s, k->node);
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &s->accesses[s->stmts[id].first_access + i];
        bool structure = s->tree->arrays[a->array].elem == RG_STRUCT;
        g->stores = g->stores || (a->write && (structure || in_memory(g, a->array)));
        g->structures = g->structures || (a->read && structure);
        bool known = !direct || !may_come_first(g, a);
        for (int x = 0; x < g->n && !known; x++) known = rg__poly_same_element(g->load[x], a);
        if (!known && g->n < POLY_MAX_AHEAD) g->load[g->n++] = a;
    }
    return true;
}

static bool is_thread(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS || k->form == POLY_SINGLE;
}

int rg__poly_prefetch(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop,
                      const bool *taken, const struct poly_access **load)
{
    const struct poly_loop *l = &p->scop->loops[loop->loop];
    enum rg_scalar t = p->scop->tree->vars[l->var].type;
    bool counted = rg_scalar_bytes(t) >= 4 && (l->step > 0 || rg_scalar_is_signed(t));
    struct gathering g = {.p = p, .k = k, .loop = loop, .taken = taken};
    if (!is_thread(k) || p->scop->problem->may_alias || l->node->n > 3 || rg__poly_knode_has_loop(loop->kid[0]) ||
        !counted)
        return 0;
    rg__poly_knode_walk(loop, gather, &g);
    if (g.bad || !g.stores) return 0;
    memcpy(load, g.load, sizeof *load * (size_t)g.n);
    return g.n;
}

bool rg__poly_prefetch_any(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n)
{
    const struct poly_access *load[POLY_MAX_AHEAD];
    if (n->kind == KN_LOOP && rg__poly_prefetch(p, k, n, NULL, load)) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && rg__poly_prefetch_any(p, k, n->kid[i])) return true;
    return false;
}

bool rg__poly_prefetch_refusal(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n,
                               struct rg_reason *why)
{
    if (n->kind == KN_LOOP && !rg__poly_knode_has_loop(n->kid[0])) {
        const struct poly_loop *l = &p->scop->loops[n->loop];
        enum rg_scalar t = p->scop->tree->vars[l->var].type;
        struct gathering g = {.p = p, .k = k, .loop = n};
        rg__poly_knode_walk(n, gather, &g);
        const char *because = !g.stores        ? NULL
                              : l->node->n > 3 ? "ends when its data says so: how far it may load is not known"
                              : g.bad
                                  ? "calls functions, or has parts that are run as they are: nothing moves over those"
                              : !rg_scalar_is_signed(t) && l->step < 0 ? "counts an unsigned variable down"
                              : rg_scalar_bytes(t) < 4                 ? "has a counter of less than 32 bits"
                              : !g.n && g.structures ? "loads structures, which are not kept in registers ahead"
                                                     : NULL;
        if (because) {
            rg_refuse(why, RG_REFUSE_SHAPE, l->node->line, "loop %s %s (%s:%d)", l->name, because,
                      p->scop->problem->file, l->node->line);
            return true;
        }
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && rg__poly_prefetch_refusal(p, k, n->kid[i], why)) return true;
    return false;
}
