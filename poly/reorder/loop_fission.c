/* Splits sequential loops between statements that no dependence ties together, where the pieces map better than the
 * whole: a loop that carries something for one statement need not serialise the others. */
#include "poly/kernel/kernel.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include "poly/reorder/double_buffer.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = POLY_PIECES, MAX_ROUNDS = 12 };

struct pieces {
    int n;
    const struct rg_cnode *item[MAX_ITEMS];
    int group[MAX_ITEMS]; /* intervals, by the index of their first item */
};

static bool gather(const struct rg_cnode *n, struct pieces *p)
{
    if (!n) return true;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++)
            if (!gather(n->kid[i], p)) return false;
        return true;
    }
    if (p->n == MAX_ITEMS) return false;
    p->item[p->n++] = n;
    return true;
}

static int statements(const struct poly_scop *s, const struct rg_cnode *n, int *out, int cap)
{
    if (!n) return 0;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_LOOP || n->kind == RG_C_IF) {
        int c = 0;
        for (int i = n->kind == RG_C_LOOP ? 2 : n->kind == RG_C_IF ? 1 : 0; i < n->n; i++)
            c += statements(s, n->kid[i], out + c, cap - c);
        return c;
    }
    int id = rg__poly_stmt_of(s, n);
    if (id < 0 || cap < 1) return 0;
    out[0] = id;
    return 1;
}

/* Is it the declaration of an array that the other touches? */
static bool declares_for(struct poly_scop *s, const struct rg_cnode *decl, const int *stmts, int n)
{
    for (int i = 0; decl->kind == RG_C_DECL && decl->array >= 0 && i < n; i++)
        for (int u = 0; u < s->stmts[stmts[i]].n_accesses; u++)
            if (s->accesses[s->stmts[stmts[i]].first_access + u].array == decl->array) return true;
    return false;
}

/* Is it the declaration of a scalar that an iteration may read before it is given a value, as far as one can see (code
 * that is left early gave it one)? What reads it stays with it: elsewhere it would be another iteration's. */
static bool declares_unset(struct poly_scop *s, const struct pieces *p, int decl, int other)
{
    const struct rg_cnode *d = p->item[decl];
    if (d->kind != RG_C_DECL || d->array >= 0 || d->n || !rg__c_mentions_var(p->item[other], d->var)) return false;
    struct poly_effect all = rg__poly_effect_new(s);
    for (int i = 0; i < p->n; i++)
        if (i != decl) rg__poly_effect_add(s, &all, p->item[i]);
    bool unset = all.exposed[d->var];
    rg__poly_effect_free(&all);
    return unset;
}

static bool tied(struct poly_scop *s, const struct pieces *p, int a, int b, int loop)
{
    struct poly_effect x = rg__poly_effect_new(s), y = rg__poly_effect_new(s);
    bool tie = false;
    rg__poly_effect_add(s, &x, p->item[a]);
    rg__poly_effect_add(s, &y, p->item[b]);
    for (int v = 0; v < s->tree->n_vars; v++)
        tie = tie || (x.written[v] && y.exposed[v]) || (y.written[v] && x.exposed[v]);
    rg__poly_effect_free(&x);
    rg__poly_effect_free(&y);
    int sa[64], sb[64], na = statements(s, p->item[a], sa, 64), nb = statements(s, p->item[b], sb, 64);
    if (na == 64 || nb == 64) return true;
    tie = tie || declares_unset(s, p, a, b) || declares_unset(s, p, b, a);
    tie = tie || declares_for(s, p->item[a], sb, nb) || declares_for(s, p->item[b], sa, na);
    for (int i = 0; i < na && !tie; i++)
        for (int j = 0; j < nb && !tie; j++) {
            for (int u = 0; u < s->stmts[sa[i]].n_accesses && !tie; u++) /* arrays of one iteration */
                for (int w = 0; w < s->stmts[sb[j]].n_accesses; w++) {
                    int array = s->accesses[s->stmts[sa[i]].first_access + u].array;
                    int dl = s->array_decl_loop[array];
                    if (array == s->accesses[s->stmts[sb[j]].first_access + w].array && dl >= 0 &&
                        rg__poly_loop_inside(s, dl, loop))
                        tie = true;
                }
            tie = tie || rg__poly_backward(s, sa[i], sb[j], loop);
        }
    return tie;
}

/* More than one group? */
static bool divide(struct poly_scop *s, int loop, struct pieces *p)
{
    memset(p, 0, sizeof *p);
    if (!gather(s->loops[loop].node->kid[2], p) || p->n < 2) return false;
    for (int i = 0; i < p->n; i++) p->group[i] = i;
    for (int i = 0; i < p->n; i++)
        for (int j = p->n - 1; j > i; j--)
            if (p->group[j] != p->group[i] && tied(s, p, i, j, loop)) {
                for (int k = i; k <= j; k++) /* everything between goes along */
                    p->group[k] = p->group[k] < p->group[i] ? p->group[k] : p->group[i];
                break;
            }
    for (int i = 1; i < p->n; i++)
        for (int j = i + 1; j < p->n; j++)
            if (p->group[j] < p->group[i] && p->group[j] <= p->group[i - 1]) p->group[i] = p->group[i - 1];
    return p->group[p->n - 1] != 0;
}

/* ---- trees ---- */

/* number: of the step that asks for it; 0 none. */
static const struct rg_ctree *split_tree(struct rg_arena *a, const struct poly_scop *s, int loop,
                                         const struct pieces *p, int number)
{
    const struct rg_cnode *l = s->loops[loop].node;
    const struct rg_cnode *parts[MAX_ITEMS];
    int n = 0;
    for (int i = 0; i < p->n;) {
        int j = i;
        while (j < p->n && p->group[j] == p->group[i]) j++;
        struct rg_cnode *c = rg__c_shallow(a, l);
        c->kid[2] = rg__poly_block_of(a, &p->item[i], j - i, l);
        if (number) {
            c->edit = number / POLY_ROUNDS;
            c->piece = number * POLY_PIECES + n;
            c->made = rg_arena_printf(a, "fission: part %d of loop %s", n + 1, s->loops[loop].name);
        }
        parts[n++] = c;
        i = j;
    }
    struct rg_ctree *t = rg_arena_alloc(a, sizeof *t);
    *t = *s->tree;
    t->root = rg__poly_tree_with(a, s->tree->root, l, rg__poly_block_of(a, parts, n, l));
    if (!number) rg_ctree_prepare(a, t, RG_PREPARE_FISSION, s->loops[loop].name, l->line);
    return t;
}

const struct rg_ctree *rg__poly_divide_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why,
                                            size_t size)
{
    struct pieces pieces;
    const struct poly_loop *l = &s->loops[loop];
    if (l->node->n > 3) {
        snprintf(why, size, "loop %s (%s:%d) ends when its data says so, with all that is in it", l->name,
                 s->problem->file, l->node->line);
        return NULL;
    }
    if (divide(s, loop, &pieces)) return split_tree(a, s, loop, &pieces, number);
    int work = 0;
    for (int i = 0; i < pieces.n; i++)
        work += !(pieces.item[i]->kind == RG_C_DECL && !(pieces.item[i]->n && pieces.item[i]->kid[0]));
    snprintf(why, size,
             work < 2 ? "loop %s (%s:%d) has one statement: nothing can be split off"
                      : "the statements of loop %s (%s:%d) can't be split: they share a "
                        "scalar, or one needs what another computed in an earlier iteration",
             l->name, s->problem->file, l->node->line);
    return NULL;
}

/* ---- is it worth it ---- */

static double cost(struct poly_scop *s)
{
    struct poly_program *p = rg__poly_map(s, NULL);
    if (!p) return 1e300;
    double c = rg__poly_program_cost(p);
    rg__poly_program_free(p);
    return c;
}

/* The loop in pieces; NULL: nothing to split, or not analysed. */
static struct poly_scop *split_at(const struct poly_scop *s, struct poly_scop *of, int loop, struct rg_arena *arena)
{
    struct pieces pieces;
    struct poly_scop *next = NULL;
    if (of->loops[loop].node->n > 3) /* when it ends, all that is in it does */
        return NULL;
    if (!rg__poly_conflict(of, loop, NULL, 0, POLY_STRICT).found || !divide(of, loop, &pieces)) return NULL;
    return rg__poly_scop_new(s->problem, split_tree(arena, of, loop, &pieces, 0), &next, NULL) == RG_OK ? next : NULL;
}

/* The loop split and, while that alone gains nothing, the loops around it between the pieces; NULL: no gain. */
static struct poly_scop *split_outwards(struct poly_scop *s, int loop, double *best, struct rg_arena *arena)
{
    struct poly_scop *at = s;
    for (; loop >= 0; loop = s->loops[loop].parent) { /* those around keep their numbers */
        struct poly_scop *next = split_at(s, at, loop, arena);
        if (at != s) rg__poly_scop_free(at);
        if (!next) return NULL;
        double c = cost(next);
        if (c < *best) {
            *best = c;
            return next;
        }
        at = next;
    }
    if (at != s) rg__poly_scop_free(at);
    return NULL;
}

/* Time loops whose buffers may take turns, analysed so. */
static enum rg_status take_turns(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err)
{
    for (int loop = 0; loop < (*s)->n_loops; loop++) {
        struct poly_turns u;
        const struct rg_ctree *t = rg__poly_turns_of(*s, loop, arena, &u) ? rg__poly_turns_tree(&u) : NULL;
        struct poly_scop *next;
        if (!t) continue;
        struct rg_ctree *turned = rg_arena_alloc(arena, sizeof *turned);
        *turned = *t;
        rg_ctree_prepare(arena, turned, RG_PREPARE_PING_PONG, (*s)->loops[loop].name, (*s)->loops[loop].node->line);
        enum rg_status st = rg__poly_scop_new((*s)->problem, turned, &next, err);
        rg__poly_scop_free(*s);
        *s = next;
        if (st != RG_OK) return st;
        loop = -1; /* what was made of it says so */
    }
    return RG_OK;
}

static bool without(const struct rg_ctree *t, enum rg_preparation p)
{
    return t->without & 1u << p;
}

enum rg_status rg__poly_scop_split(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                                   struct poly_scop **out, struct rg_error *err)
{
    struct poly_scop *s;
    enum rg_status st = rg__poly_scop_new(p, t, &s, err);
    if (st != RG_OK) return st;
    if (!without(t, RG_PREPARE_PING_PONG) && (st = take_turns(&s, arena, err)) != RG_OK) return st;
    double best = cost(s);
    for (int round = without(t, RG_PREPARE_FISSION) ? MAX_ROUNDS : 0, loop = 0; round < MAX_ROUNDS && loop < s->n_loops;
         loop++) {
        struct pieces pieces;
        if (s->loops[loop].node->n > 3 || !rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found ||
            !divide(s, loop, &pieces))
            continue;
        round++;
        struct poly_scop *next = split_outwards(s, loop, &best, arena);
        if (!next) continue;
        rg__poly_scop_free(s);
        s = next;
        loop = -1;
    }
    *out = rg__poly_expand_where_it_pays(s, arena);
    if (*out)
        (*out)->plain = s;
    else
        *out = s;
    return RG_OK;
}
