/* Bands: which loops of a nest may become a grid, and whether there is anything for one at all. */
#include "poly/kernel/mapping.h"
#include <stdlib.h>
#include <string.h>

enum { WORTH = 16 }; /* fewer constant iterations than this are not worth a grid of their own */

void rg__poly_flatten(struct poly_items *l, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) rg__poly_flatten(l, n->kid[i]);
        return;
    }
    RG_GROW(l->at, l->n, l->cap);
    l->at[l->n++] = n;
}

bool rg__poly_plain_decl(const struct rg_cnode *n)
{
    return n->kind == RG_C_DECL && !(n->n && n->kid[0]);
}

bool rg__poly_mentions_loop(const struct poly_scop *s, const struct rg_cnode *e, int loop)
{
    if (!e) return false;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == s->loops[loop].var) return true;
    for (int i = 0; i < e->n; i++)
        if (rg__poly_mentions_loop(s, e->kid[i], loop)) return true;
    return false;
}

static bool worth(const struct poly_scop *s, const struct poly_band *b)
{
    int64_t total = 1;
    for (int i = 0; i < b->n_chain; i++)
        if (b->par[i]) {
            if (!s->loops[b->chain[i]].constant) return true;
            total *= s->loops[b->chain[i]].trip < 1024 ? s->loops[b->chain[i]].trip : 1024;
            if (total > WORTH) return true;
        }
    return false;
}

static void chain_of(const struct poly_mapper *m, int loop, struct poly_band *b)
{
    memset(b, 0, sizeof *b);
    for (;;) {
        b->chain[b->n_chain++] = loop;
        b->inner = m->s->loops[loop].node->kid[2];
        if (m->s->loops[loop].node->n > 3) /* nothing inside may come out of it */
            return;
        struct poly_items l = {0};
        rg__poly_flatten(&l, b->inner);
        const struct rg_cnode *only = NULL;
        int n = 0;
        for (int i = 0; i < l.n; i++)
            if (!rg__poly_plain_decl(l.at[i]) || l.at[i]->array >= 0) {
                only = l.at[i];
                n++;
            }
        free(l.at);
        if (n != 1 || only->kind != RG_C_LOOP || b->n_chain == POLY_MAX_DEPTH) return;
        loop = rg__poly_loop_of(m->s, only);
    }
}

/* May its iterations run at once? Atomics are for what collides through data; for the rest only when asked. What all
 * store alike needs none. */
static bool independent(struct poly_mapper *m, int loop, bool any_atomics)
{
    bool cheap;
    return rg__poly_parallel(m->s, loop, m->host, m->n_host) ||
           (rg__poly_atomic_loop(m->s, loop, m->host, m->n_host, &cheap) && (cheap || any_atomics));
}

/* Every loop of the chain that no dependence needs (whatever the others do), whose bounds survive being moved out. */
static void choose_band(struct poly_mapper *m, struct poly_band *b, bool any_atomics)
{
    for (int i = 0; i < b->n_chain; i++) {
        const struct poly_loop *l = &m->s->loops[b->chain[i]];
        bool ok = rg__poly_plan_can(m->s, l->node->kid[0]) && rg__poly_plan_can(m->s, l->node->kid[1]) &&
                  independent(m, b->chain[i], any_atomics);
        for (int j = 0; ok && j < i; j++)
            if (!b->par[j] && (rg__poly_mentions_loop(m->s, l->node->kid[0], b->chain[j]) ||
                               rg__poly_mentions_loop(m->s, l->node->kid[1], b->chain[j])))
                ok = false;
        b->par[i] = ok;
        b->n_par += ok;
    }
}

bool rg__poly_find_band(struct poly_mapper *m, int loop, int room, struct poly_band *b)
{
    chain_of(m, loop, b);
    choose_band(m, b, false);
    if (b->n_par == 0 && m->any_atomics) choose_band(m, b, true);
    /* More than the grid has axes: the outermost ones stay loops, unless a remaining one leans on them. */
    for (int i = 0; i < b->n_chain && b->n_par > room; i++) {
        bool leaned = false;
        for (int j = i + 1; j < b->n_chain; j++)
            leaned = leaned ||
                     (b->par[j] && (rg__poly_mentions_loop(m->s, m->s->loops[b->chain[j]].node->kid[0], b->chain[i]) ||
                                    rg__poly_mentions_loop(m->s, m->s->loops[b->chain[j]].node->kid[1], b->chain[i])));
        if (b->par[i] && !leaned) {
            b->par[i] = false;
            b->n_par--;
        }
    }
    for (int i = b->n_chain - 1; i >= 0 && b->n_par > room; i--)
        if (b->par[i]) {
            b->par[i] = false;
            b->n_par--;
        }
    return b->n_par > 0 && worth(m->s, b);
}

/* A condition that the plan reads from the buffer where a local integer lives. */
bool rg__poly_plan_flag(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0) return false;
    const struct rg_cvar *v = &s->tree->vars[e->var];
    return v->kind == RG_CVAR_LOCAL && !rg_scalar_is_real(v->type) && v->type != RG_STRUCT &&
           rg_scalar_bytes(v->type) >= 4 && !s->var_hidden[e->var];
}

bool rg__poly_plan_condition(const struct poly_scop *s, const struct rg_cnode *e)
{
    return rg__poly_plan_can(s, e) || rg__poly_plan_flag(s, e);
}

/* Is one of the loops around us one that goes on by a flag? */
static bool in_flagged(const struct poly_mapper *m)
{
    for (int h = 0; h < m->n_host; h++)
        if (m->s->loops[m->host[h]].node->n > 3) return true;
    return false;
}

/* Is there a loop in it that reduces enough for a kernel of its own? */
static bool has_reduction(struct poly_mapper *m, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_LOOP)
        return (rg__poly_reduction_loop(m->s, rg__poly_loop_of(m->s, n)) &&
                rg__poly_long_enough(m->s, rg__poly_loop_of(m->s, n))) ||
               (rg__poly_plan_can(m->s, n->kid[0]) && rg__poly_plan_can(m->s, n->kid[1]) &&
                has_reduction(m, n->kid[2]));
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_IF)
        for (int i = n->kind == RG_C_IF; i < n->n; i++)
            if (has_reduction(m, n->kid[i])) return true;
    return false;
}

/* Points of the widest band below, at the timed size. */
static double widest(struct poly_mapper *m, const struct rg_cnode *n)
{
    struct poly_band b;
    double most = 0, points = 1;
    if (!n) return 0;
    if (n->kind == RG_C_LOOP && rg__poly_find_band(m, rg__poly_loop_of(m->s, n), 3, &b)) {
        for (int i = 0; i < b.n_chain; i++)
            if (b.par[i]) points *= rg__poly_trips(m->s, b.chain[i]);
        return points;
    }
    for (int i = n->kind == RG_C_LOOP ? 2 : n->kind == RG_C_IF; i < n->n; i++) {
        double w = n->kind == RG_C_LOOP || n->kind == RG_C_BLOCK || n->kind == RG_C_IF ? widest(m, n->kid[i]) : 0;
        most = w > most ? w : most;
    }
    return most;
}

/* A long loop that only reduces, and has nothing as wide in it: its own iterations are what a grid shares
 * (reduce.block), not the little that each of them has. */
static bool reduces_widely(struct poly_mapper *m, int loop, const struct rg_cnode *body)
{
    enum { LONG = 4096 };
    double trips = m->n_host ? 0 : rg__poly_trips(m->s, loop);
    return trips >= LONG && rg__poly_reduction_loop(m->s, loop) && widest(m, body) * 16 < trips;
}

bool rg__poly_has_parallel(struct poly_mapper *m, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_LOOP) {
        struct poly_band b;
        int id = rg__poly_loop_of(m->s, n);
        if (rg__poly_find_band(m, id, 3, &b)) return true;
        if (!rg__poly_plan_can(m->s, n->kid[0]) || !rg__poly_plan_can(m->s, n->kid[1]) ||
            reduces_widely(m, id, n->kid[2]))
            return false;
        m->host[m->n_host++] = id;
        bool any = rg__poly_has_parallel(m, n->kid[2]) ||
                   (in_flagged(m) && !rg__poly_reduction_loop(m->s, id) && has_reduction(m, n->kid[2]));
        m->n_host--;
        return any;
    }
    if (rg__poly_grid_sorts(m->s, n)) return true;
    if (n->kind == RG_C_IF && !rg__poly_plan_condition(m->s, n->kid[0])) return false;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_IF)
        for (int i = n->kind == RG_C_IF; i < n->n; i++)
            if (rg__poly_has_parallel(m, n->kid[i])) return true;
    /* an arm that only reduces is worth a place of its own, too: a grid may share that */
    return n->kind == RG_C_IF && has_reduction(m, n);
}
