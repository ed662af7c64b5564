/* Conditions told apart: `if (c) { long; rest } else { other }` as `if (c) { long } if (c) { rest } else { other }`, so
 * that a loop can be cut between the two. What data decide is asked once, and kept. */
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

struct arm {
    struct poly_items part; /* what the condition guards */
    int at;                 /* the first item of the second half */
};

struct guard {
    struct poly_maker m;
    int loop;
    const struct rg_cnode *branch; /* the condition */
    struct arm arm[2];
};

/* Where to divide the arm: behind the last of what is long, or in front of the first. One in which nothing is goes with
 * the half that is not long. False: nothing in it is. */
static bool divide_arm(struct arm *a, const struct rg_cnode *block, bool in_front)
{
    int first = -1, last = -1;
    a->part.n = 0;
    if (block) rg__poly_flatten(&a->part, block);
    for (int k = 0; k < a->part.n; k++)
        if (rg__poly_looks_long(a->part.at[k])) {
            first = first < 0 ? k : first;
            last = k;
        }
    a->at = in_front ? (first < 0 ? a->part.n : first) : last + 1;
    return last >= 0;
}

/* The first condition right in the loop that guards long work among other things, and where to divide its arms. */
static bool find(struct guard *g, bool in_front)
{
    struct poly_items body = {0};
    bool found = false;
    rg__poly_flatten(&body, g->m.s->loops[g->loop].node->kid[2]);
    for (int i = 0; i < body.n && !found; i++) {
        const struct rg_cnode *n = body.at[i];
        int front = 0, behind = 0;
        bool any = false;
        if (n->kind != RG_C_IF) continue;
        for (int k = 0; k < 2; k++) {
            struct arm *a = &g->arm[k];
            any |= divide_arm(a, k + 1 < n->n ? n->kid[k + 1] : NULL, in_front);
            front += a->at;
            behind += a->part.n - a->at;
        }
        g->branch = n;
        found = any && front && behind;
    }
    free(body.at);
    return found;
}

static void add_half(const struct guard *g, struct poly_effect *e, bool second)
{
    for (int k = 0; k < 2; k++) {
        const struct arm *a = &g->arm[k];
        for (int i = second ? a->at : 0; i < (second ? a->part.n : a->at); i++)
            rg__poly_effect_add(g->m.s, e, a->part.at[i]);
    }
}

/* Does the condition mean the same behind the first half as in front of it? */
static bool stays(const struct guard *g)
{
    const struct rg_cnode *c = g->branch->kid[0];
    struct poly_scop *s = g->m.s;
    struct poly_effect e = rg__poly_effect_new(s);
    bool ok = rg__c_pure(s->tree, c);
    add_half(g, &e, false);
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
static bool declarations(struct guard *g, struct arm *a, struct poly_items *in_front)
{
    struct poly_scop *s = g->m.s;
    for (int i = 0; i < a->at; i++) {
        const struct rg_cnode *d = a->part.at[i];
        bool needed = false;
        for (int k = a->at; k < a->part.n && d->kind == RG_C_DECL; k++)
            needed = needed || (d->array >= 0 ? rg__c_mentions_array(a->part.at[k], d->array)
                                              : rg__c_mentions_var(a->part.at[k], d->var));
        if (!needed) continue;
        if (d->array >= 0 || s->tree->vars[d->var].type == RG_STRUCT) return false;
        RG_GROW(in_front->at, in_front->n, in_front->cap);
        in_front->at[in_front->n++] = declared(g, d->var, nothing(g, d->var));
        struct rg_cnode *set = rg__poly_make_two(&g->m, RG_C_ASSIGN, RG_COP_SET, rg__poly_make_var(&g->m, d->var),
                                                 d->n && d->kid[0] ? d->kid[0] : nothing(g, d->var));
        a->part.at[i] = rg__poly_make(&g->m, RG_C_STMT, RG_COP_NONE, set->type, 1, &set);
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

/* The half under the condition; one loop alone asks it in every iteration, so that it and the loop around it can be one
 * grid. */
static struct rg_cnode *half(struct guard *g, struct rg_cnode *condition, bool second)
{
    struct rg_cnode *c = rg__c_shallow(g->m.a, g->branch);
    const struct rg_cnode **from[2];
    int n[2];
    for (int k = 0; k < 2; k++) {
        struct arm *a = &g->arm[k];
        from[k] = a->part.at + (second ? a->at : 0);
        n[k] = second ? a->part.n - a->at : a->at;
    }
    c->kid[0] = condition;
    c->n = n[1] ? 3 : 2;
    if (n[0] == 1 && !n[1] && asked_inside(g, condition, from[0][0])) {
        struct rg_cnode *loop = rg__c_shallow(g->m.a, from[0][0]);
        c->kid[1] = loop->kid[2];
        const struct rg_cnode *body[] = {c};
        loop->kid[2] = rg__poly_block_of(g->m.a, body, 1, g->branch);
        return loop;
    }
    for (int k = 0; k < c->n - 1; k++) c->kid[k + 1] = rg__poly_block_of(g->m.a, from[k], n[k], g->branch);
    return c;
}

/* Declarations right in the loop without a value, of what the first half sets for the second. */
static void give_values(struct guard *g)
{
    struct poly_scop *s = g->m.s;
    struct poly_items body = {0};
    struct poly_effect front = rg__poly_effect_new(s), behind = rg__poly_effect_new(s);
    add_half(g, &front, false);
    add_half(g, &behind, true);
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
    bool ok = declarations(g, &g->arm[0], &with) && declarations(g, &g->arm[1], &with);
    if (ok && c->kind == RG_C_VAR && c->array < 0 && g->m.s->tree->vars[c->var].kind == RG_CVAR_LOCAL) {
        /* a variable that a condition consists of has one place: another one crosses */
        int kept = rg__poly_make_scalar(&g->m, c->var, "kept"), second = rg__poly_make_scalar(&g->m, c->var, "again");
        const struct rg_cnode *parts[] = {declared(g, kept, c), half(g, c, false),
                                          declared(g, second, rg__poly_make_var(&g->m, kept))};
        for (int i = 0; i < 3; i++) {
            RG_GROW(with.at, with.n, with.cap);
            with.at[with.n++] = parts[i];
        }
        again = rg__poly_make_var(&g->m, second);
    } else {
        ok = ok && stays(g);
        RG_GROW(with.at, with.n, with.cap);
        with.at[with.n++] = half(g, c, false);
    }
    RG_GROW(with.at, with.n, with.cap);
    with.at[with.n++] = half(g, again, true);
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
    for (int k = 0; k < 2; k++) free(g.arm[k].part.at);
    return ok ? g.m.t : NULL;
}
