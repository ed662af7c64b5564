/* Conditions told apart: `if (c) { long; rest }` as `if (c) { long } if (c) { rest }`, so that a loop can be cut
 * between the two. What data decide is asked once, and kept. */
#include "poly/kernel/mapping.h"
#include "poly/reorder/make_nodes.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>

bool rg__poly_looks_long(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_LOOP || n->kind == RG_C_OPAQUE) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__poly_looks_long(n->kid[i])) return true;
    return false;
}

struct guard {
    struct poly_maker m;
    int loop;
    const struct rg_cnode *branch; /* the condition */
    struct poly_items part;        /* what it guards */
    int at;                        /* the first item of the second half */
};

/* The first condition right in the loop, without an else, that guards long work among other things, and where to divide
 * it: behind the last of what is long, or in front of the first. */
static bool find(struct guard *g, bool in_front)
{
    struct poly_items body = {0};
    bool found = false;
    rg__poly_flatten(&body, g->m.s->loops[g->loop].node->kid[2]);
    for (int i = 0; i < body.n && !found; i++) {
        const struct rg_cnode *n = body.at[i];
        if (n->kind != RG_C_IF || (n->n > 2 && n->kid[2]) || !rg__poly_looks_long(n->kid[1])) continue;
        g->part.n = 0;
        rg__poly_flatten(&g->part, n->kid[1]);
        int first = -1, last = -1;
        for (int k = 0; k < g->part.n; k++)
            if (rg__poly_looks_long(g->part.at[k])) {
                first = first < 0 ? k : first;
                last = k;
            }
        g->branch = n;
        g->at = in_front ? first : last + 1;
        found = g->at > 0 && g->at < g->part.n;
    }
    free(body.at);
    return found;
}

/* Does the condition mean the same behind the first half as in front of it? */
static bool stays(const struct guard *g)
{
    const struct rg_cnode *c = g->branch->kid[0];
    struct poly_scop *s = g->m.s;
    struct poly_effect e = rg__poly_effect_new(s);
    bool ok = rg__c_pure(s->tree, c);
    for (int i = 0; i < g->at; i++) rg__poly_effect_add(s, &e, g->part.at[i]);
    for (int v = 0; v < s->tree->n_vars && ok; v++) ok = !(e.written[v] && rg__c_mentions_var(c, v));
    for (int a = 0; a < s->tree->n_arrays && ok; a++) ok = !rg__c_mentions_array(c, a);
    rg__poly_effect_free(&e);
    return ok;
}

static struct rg_cnode *declared(struct guard *g, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg__poly_make(&g->m, RG_C_DECL, RG_COP_NONE, g->m.t->vars[var].type, 1, &value);
    d->var = var;
    return d;
}

/* Nothing: what a variable that is set in one half and read in the other starts as. */
static struct rg_cnode *nothing(struct guard *g, int var)
{
    struct rg_cnode *zero = rg__poly_make_int(&g->m, 0);
    if (!rg_scalar_is_real(g->m.t->vars[var].type)) return zero;
    zero->kind = RG_C_REAL;
    zero->type = g->m.t->vars[var].type;
    zero->text = zero->type == RG_F32 ? "0.0f" : "0.0";
    return zero;
}

/* Declarations of the first half that the second needs stand in front of both, and what is only set where the condition
 * holds has a value in any case. False: an array is declared there, or a structure. */
static bool declarations(struct guard *g, struct poly_items *in_front)
{
    struct poly_scop *s = g->m.s;
    for (int i = 0; i < g->at; i++) {
        const struct rg_cnode *d = g->part.at[i];
        bool needed = false;
        for (int k = g->at; k < g->part.n && d->kind == RG_C_DECL; k++)
            needed = needed || (d->array >= 0 ? rg__c_mentions_array(g->part.at[k], d->array)
                                              : rg__c_mentions_var(g->part.at[k], d->var));
        if (!needed) continue;
        if (d->array >= 0 || s->tree->vars[d->var].type == RG_STRUCT) return false;
        RG_GROW(in_front->at, in_front->n, in_front->cap);
        in_front->at[in_front->n++] = declared(g, d->var, nothing(g, d->var));
        struct rg_cnode *set = rg__poly_make_two(&g->m, RG_C_ASSIGN, RG_COP_SET, rg__poly_make_var(&g->m, d->var),
                                                 d->n && d->kid[0] ? d->kid[0] : nothing(g, d->var));
        g->part.at[i] = rg__poly_make(&g->m, RG_C_STMT, RG_COP_NONE, set->type, 1, &set);
    }
    return true;
}

/* One loop alone, all of whose iterations find the condition as it is in front of it? */
static bool asked_inside(const struct guard *g, const struct rg_cnode *condition, const struct rg_cnode *loop)
{
    struct poly_scop *s = g->m.s;
    if (loop->kind != RG_C_LOOP || loop->n > 3 || !rg__c_pure(s->tree, condition)) return false;
    struct poly_effect e = rg__poly_effect_new(s);
    rg__poly_effect_add(s, &e, loop);
    bool same = !rg__c_mentions_var(condition, loop->var);
    for (int v = 0; v < s->tree->n_vars && same; v++) same = !(e.written[v] && rg__c_mentions_var(condition, v));
    for (int a = 0; a < s->tree->n_arrays && same; a++) same = !rg__c_mentions_array(condition, a);
    rg__poly_effect_free(&e);
    return same;
}

/* The half under the condition; one loop asks it in every iteration, so that it and the loop around it can be one grid.
 */
static struct rg_cnode *half(struct guard *g, struct rg_cnode *condition, int from, int to)
{
    struct rg_cnode *c = rg__c_shallow(g->m.a, g->branch);
    if (to - from == 1 && asked_inside(g, condition, g->part.at[from])) {
        struct rg_cnode *loop = rg__c_shallow(g->m.a, g->part.at[from]);
        c->kid[0] = condition;
        c->kid[1] = loop->kid[2];
        c->n = 2;
        const struct rg_cnode *body[] = {c};
        loop->kid[2] = rg__poly_block_of(g->m.a, body, 1, g->branch);
        return loop;
    }
    c->kid[0] = condition;
    c->kid[1] = rg__poly_block_of(g->m.a, g->part.at + from, to - from, g->branch);
    c->n = 2;
    return c;
}

/* Declarations right in the loop without a value, of what the first half sets for the second. */
static void give_values(struct guard *g)
{
    struct poly_scop *s = g->m.s;
    struct poly_items body = {0};
    struct poly_effect front = rg__poly_effect_new(s), behind = rg__poly_effect_new(s);
    for (int i = 0; i < g->part.n; i++) rg__poly_effect_add(s, i < g->at ? &front : &behind, g->part.at[i]);
    rg__poly_flatten(&body, s->loops[g->loop].node->kid[2]);
    for (int i = 0; i < body.n; i++) {
        const struct rg_cnode *d = body.at[i];
        if (d->kind == RG_C_DECL && d->array < 0 && rg__poly_plain_decl(d) && s->tree->vars[d->var].type != RG_STRUCT &&
            front.written[d->var] && behind.exposed[d->var])
            g->m.t->root = rg__poly_tree_with(g->m.a, g->m.t->root, d, declared(g, d->var, nothing(g, d->var)));
    }
    rg__poly_effect_free(&front);
    rg__poly_effect_free(&behind);
    free(body.at);
}

static bool divide(struct guard *g)
{
    struct rg_cnode *c = g->branch->kid[0], *again = c;
    struct poly_items with = {0};
    give_values(g);
    bool ok = declarations(g, &with);
    if (ok && c->kind == RG_C_VAR && c->array < 0 && g->m.s->tree->vars[c->var].kind == RG_CVAR_LOCAL) {
        /* a variable that a condition consists of has one place: another one crosses */
        int kept = rg__poly_make_scalar(&g->m, c->var, "kept"), second = rg__poly_make_scalar(&g->m, c->var, "again");
        const struct rg_cnode *parts[] = {declared(g, kept, c), half(g, c, 0, g->at),
                                          declared(g, second, rg__poly_make_var(&g->m, kept))};
        for (int i = 0; i < 3; i++) {
            RG_GROW(with.at, with.n, with.cap);
            with.at[with.n++] = parts[i];
        }
        again = rg__poly_make_var(&g->m, second);
    } else {
        ok = ok && stays(g);
        RG_GROW(with.at, with.n, with.cap);
        with.at[with.n++] = half(g, c, 0, g->at);
    }
    RG_GROW(with.at, with.n, with.cap);
    with.at[with.n++] = half(g, again, g->at, g->part.n);
    g->m.t->root =
        rg__poly_tree_with(g->m.a, g->m.t->root, g->branch, rg__poly_block_of(g->m.a, with.at, with.n, g->branch));
    free(with.at);
    return ok;
}

const struct rg_ctree *rg__poly_divide_guard(struct poly_scop *s, int loop, bool in_front, struct rg_arena *arena)
{
    struct guard g = {.m = {.s = s, .a = arena, .at = s->loops[loop].node}, .loop = loop};
    bool ok = find(&g, in_front);
    if (ok) {
        g.m.at = g.branch;
        g.m.t = rg_arena_alloc(arena, sizeof *g.m.t);
        *g.m.t = *s->tree;
        ok = divide(&g);
    }
    free(g.part.at);
    return ok ? g.m.t : NULL;
}
