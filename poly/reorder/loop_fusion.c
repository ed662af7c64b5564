/* Two loops over one range, one after the other, as one loop: what the first leaves is still at hand for the second. */
#include "poly/kernel/kernel.h"
#include "poly/kernel/mapping.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_STMTS = 128 };

static bool same_range(const struct poly_scop *s, const struct rg_cnode *x, const struct rg_cnode *y)
{
    return x->n == 3 && y->n == 3 && x->step == y->step && s->tree->vars[x->var].type == s->tree->vars[y->var].type &&
           rg__c_same(x->kid[0], y->kid[0], RG__C_UNCAST) && rg__c_same(x->kid[1], y->kid[1], RG__C_UNCAST);
}

/* The items of the block, nested ones opened, in which the node stands. */
static bool siblings(const struct rg_cnode *n, const struct rg_cnode *of, struct poly_items *out)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF)) return false;
    for (int i = n->kind == RG_C_BLOCK ? 0 : n->kind == RG_C_IF ? 1 : 2; i < n->n; i++) {
        if (!n->kid[i] || (n->kind == RG_C_LOOP && i > 2)) continue;
        out->n = 0;
        rg__poly_flatten(out, n->kid[i]);
        for (int k = 0; k < out->n; k++)
            if (out->at[k] == of) {
                if (n->kind == RG_C_BLOCK) { /* all of it, not this item's part alone */
                    out->n = 0;
                    rg__poly_flatten(out, n);
                }
                return true;
            }
    }
    for (int i = n->kind == RG_C_BLOCK ? 0 : n->kind == RG_C_IF ? 1 : 2; i < n->n; i++)
        if (siblings(n->kid[i], of, out)) return true;
    return false;
}

struct arrays {
    bool *read, *written;
    const struct rg_ctree *t;
};

static void touch(void *arg, const struct rg_caccess *a)
{
    struct arrays *t = arg;
    if (a->array < 0) return;
    t->read[a->array] = t->read[a->array] || a->read;
    t->written[a->array] = t->written[a->array] || a->write;
}

/* May the two change places? By whole arrays and scalars. */
static bool apart(struct poly_scop *s, const struct rg_cnode *x, const struct rg_cnode *y)
{
    struct poly_effect e = rg__poly_effect_new(s), f = rg__poly_effect_new(s);
    size_t n = (size_t)s->tree->n_arrays + 1;
    bool *b = rg_xcalloc(4 * n, sizeof *b), ok = !s->problem->may_alias;
    struct arrays p = {b, b + n, s->tree}, q = {b + 2 * n, b + 3 * n, s->tree};
    rg__poly_effect_add(s, &e, x);
    rg__poly_effect_add(s, &f, y);
    for (int v = 0; v < s->tree->n_vars; v++)
        ok = ok && !(e.written[v] && (f.read[v] || f.written[v])) && !(f.written[v] && (e.read[v] || e.written[v]));
    rg_c_accesses(s->tree, x, touch, &p);
    rg_c_accesses(s->tree, y, touch, &q);
    for (size_t a = 0; a + 1 < n; a++)
        ok = ok && !(p.written[a] && (q.read[a] || q.written[a])) && !(q.written[a] && p.read[a]);
    rg__poly_effect_free(&e);
    rg__poly_effect_free(&f);
    free(b);
    return ok;
}

/* The variable by which the loops' statements hang together, so that one must be over before the other begins; -1. */
static int shared_scalar(struct poly_scop *s, int a, int b)
{
    struct poly_effect e = rg__poly_effect_new(s), f = rg__poly_effect_new(s);
    int found = -1;
    rg__poly_effect_add(s, &e, s->loops[a].node);
    rg__poly_effect_add(s, &f, s->loops[b].node);
    for (int v = 0; v < s->tree->n_vars && found < 0; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || !(e.written[v] || f.written[v])) continue;
        bool both = (e.written[v] || e.read[v]) && (f.written[v] || f.read[v]);
        if (both && !(rg__poly_scalar_private(s, a, v) && rg__poly_scalar_private(s, b, v))) found = v;
    }
    rg__poly_effect_free(&e);
    rg__poly_effect_free(&f);
    return found;
}

/* Is every dependence between them one from an iteration to the same iteration? */
static bool in_step(struct poly_scop *s, int a, int b, int *array)
{
    const struct poly_loop *x = &s->loops[a], *y = &s->loops[b];
    int around[POLY_MAX_DEPTH], n = 0;
    bool share = false;
    for (int p = x->parent; p >= 0; p = s->loops[p].parent) around[n++] = p;
    for (int i = x->first_stmt; i < x->first_stmt + x->n_stmts; i++)
        for (int j = y->first_stmt; j < y->first_stmt + y->n_stmts; j++)
            if (rg__poly_crosses(s, i, j, &a, &b, 1, around, n, &share)) {
                *array = -1;
                for (int u = 0; u < s->stmts[i].n_accesses; u++)
                    for (int w = 0; w < s->stmts[j].n_accesses; w++) {
                        const struct poly_access *p = &s->accesses[s->stmts[i].first_access + u],
                                                 *q = &s->accesses[s->stmts[j].first_access + w];
                        if (p->array == q->array && (p->write || q->write)) *array = p->array;
                    }
                return false;
            }
    return true;
}

/* The body with the first loop's variable for its own. Where another order was given to the loops, one inside may have
 * that variable: it gets the one that is free now. */
static struct rg_cnode *renamed(struct rg_arena *a, const struct rg_cnode *n, int from, int to)
{
    if (!n) return NULL;
    struct rg_cnode *c = rg__c_shallow(a, n);
    if (c->array < 0 && (c->var == from || c->var == to)) c->var = c->var == from ? to : from;
    for (int i = 0; i < n->n; i++) c->kid[i] = renamed(a, n->kid[i], from, to);
    return c;
}

const struct rg_ctree *rg__poly_join_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                          struct rg_reason *why)
{
    const struct poly_loop *l = &s->loops[loop];
    struct poly_items items = {0};
    const struct rg_cnode *next = NULL;
    int first = 0, at;
    rg_refuse(why, RG_REFUSE_SHAPE, l->node->line, "no loop over the range of loop %s (%s:%d) follows it", l->name,
              s->problem->file, l->node->line);
    if (!siblings(s->tree->root, l->node, &items)) {
        free(items.at);
        return NULL;
    }
    while (items.at[first] != l->node) first++;
    for (at = items.n - 1; at > first; at--)
        if (items.at[at]->kind == RG_C_LOOP && same_range(s, l->node, items.at[at])) break;
    items.n = at + 1; /* nothing behind the last such loop matters */
    for (at = first + 1; at < items.n && !next; at++) {
        const struct rg_cnode *x = items.at[at];
        if (x->kind == RG_C_LOOP && same_range(s, l->node, x)) {
            next = x;
            break;
        }
        if (rg__poly_plain_decl(x) && x->array < 0) continue;
        if (!apart(s, l->node, x)) {
            rg_refuse(why, RG_REFUSE_DEPENDENCE, l->node->line,
                      "what stands behind loop %s (%s:%d) needs all of it, or it all of that (line %d)", l->name,
                      s->problem->file, l->node->line, x->line);
            break;
        }
    }
    free(items.at);
    int b = next ? rg__poly_loop_of(s, next) : -1, array = -1, var;
    if (b < 0) return NULL;
    if (rg__poly_pieces_of_one(l->node, next)) {
        rg_refuse(why, RG_REFUSE_ALREADY, l->node->line, "fission has just split loop %s (%s:%d)", l->name,
                  s->problem->file, l->node->line);
        return NULL;
    }
    if (l->n_stmts + s->loops[b].n_stmts > MAX_STMTS || (var = shared_scalar(s, loop, b)) >= 0) {
        rg_refuse(why, RG_REFUSE_DEPENDENCE, l->node->line,
                  "loops %s (%s:%d and line %d) pass on %s, of which the second needs the last value", l->name,
                  s->problem->file, l->node->line, next->line,
                  l->n_stmts + s->loops[b].n_stmts > MAX_STMTS ? "too much" : s->tree->vars[var].name);
        return NULL;
    }
    if (!in_step(s, loop, b, &array)) {
        rg_refuse(
            why, RG_REFUSE_DEPENDENCE, l->node->line,
            "an iteration of loop %s (%s:%d) touches elements of %s that another iteration of the loop in line %d "
            "does: one must be "
            "over before the other begins",
            l->name, s->problem->file, l->node->line, array >= 0 ? s->tree->arrays[array].name : "an array",
            next->line);
        return NULL;
    }
    struct rg_cnode *c = rg__c_shallow(a, l->node);
    const struct rg_cnode *body[] = {l->node->kid[2], renamed(a, next->kid[2], next->var, l->node->var)};
    c->kid[2] = rg__poly_block_of(a, body, 2, l->node);
    c->made = rg_arena_printf(a, "fuse: with the loop of line %d", next->line);
    struct rg_ctree *t = rg_arena_alloc(a, sizeof *t);
    *t = *s->tree;
    t->root =
        rg__poly_tree_with(a, s->tree->root, next, c); /* in its place: what stood between keeps its order to it */
    t->root = rg__poly_tree_with(a, t->root, l->node, rg__poly_block_of(a, NULL, 0, l->node));
    return t;
}
