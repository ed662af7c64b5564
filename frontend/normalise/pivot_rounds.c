/* Rounds over a pivot, as all shortest paths are computed by (Floyd and Warshall), with whatever is kept beside:
 *     for k, i, j: if (d[i][k] + d[k][j] < d[i][j]) { d[i][j] = d[i][k] + d[k][j]; next[i][j] = next[i][k]; }
 * An iteration of k reads, beside the element that it stores to, row k and column k alone. Where no point of row k and
 * column k would change anything, as both stand when the round begins, none does in the order of the C, which comes to
 * each of them with what the others have left; all other points are then free of one another. So these are run at once,
 * and those of row and column only ask: where one of them would change its element (a circle of negative length, a
 * number that is none), all is put back behind the rounds, and the loops are run as they stand. */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

enum { MAX_WRITTEN = 4 };

struct pivot {
    struct rg_ctree *t;
    struct rg__kids declarations;
    int k, i, j; /* the loops' variables */
    int n_written, written[MAX_WRITTEN];
    bool crosses, guarded; /* something reads row or column; every store stands under a condition */
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static bool at(const struct rg_cnode *e, int row, int column)
{
    return e->n == 2 && !e->pointer && is_var(e->kid[0], row) && is_var(e->kid[1], column);
}

static bool is_written(const struct pivot *p, int array)
{
    for (int a = 0; a < p->n_written; a++)
        if (p->written[a] == array) return true;
    return false;
}

/* Reads of what is written: the own element, and row and column k. */
static bool reads(struct pivot *p, const struct rg_cnode *e, bool inside)
{
    if (e->kind == RG_C_VAR && e->array >= 0) return false;
    if (e->kind == RG_C_INDEX && is_written(p, e->array)) {
        bool cross = at(e, p->i, p->k) || at(e, p->k, p->k) || (inside && at(e, p->k, p->j));
        p->crosses = p->crosses || cross;
        return cross || (inside && at(e, p->i, p->j));
    }
    for (int i = 0; i < e->n; i++)
        if (!reads(p, e->kid[i], inside)) return false;
    return true;
}

static bool scalar_declaration(const struct pivot *p, const struct rg_cnode *s)
{
    return s->kind == RG_C_DECL && s->array < 0 && s->n == 1 && !s->pointer && s->type != RG_STRUCT &&
           rg__c_pure(p->t, s->kid[0]);
}

/* What an iteration of j runs: values of its own, conditions, stores to [i][j]. */
static bool body_fits(struct pivot *p, const struct rg_cnode *n, bool guarded)
{
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++)
            if (!body_fits(p, n->kid[i], guarded)) return false;
        return true;
    }
    if (n->kind == RG_C_IF) {
        if (!rg__c_pure(p->t, n->kid[0]) || !reads(p, n->kid[0], true)) return false;
        for (int i = 1; i < n->n; i++)
            if (n->kid[i] && !body_fits(p, n->kid[i], true)) return false;
        return true;
    }
    if (scalar_declaration(p, n)) return reads(p, n->kid[0], true);
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    p->guarded = p->guarded && guarded;
    return e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && at(e->kid[0], p->i, p->j) &&
           rg__c_pure(p->t, e->kid[1]) && reads(p, e->kid[1], true);
}

/* Over parameters and k alone. */
static bool bound_fits(const struct pivot *p, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && (e->array >= 0 || (e->var != p->k && p->t->vars[e->var].kind != RG_CVAR_PARAM)))
        return false;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL) return false;
    for (int i = 0; i < e->n; i++)
        if (!bound_fits(p, e->kid[i])) return false;
    return true;
}

static bool counts(const struct pivot *p, const struct rg_cnode *l)
{
    return l->kind == RG_C_LOOP && l->n == 3 && l->step == 1 && l->kid[2]->kind == RG_C_BLOCK &&
           bound_fits(p, l->kid[0]) && bound_fits(p, l->kid[1]);
}

/* What stands around the loop over j in an iteration of i: values and one condition in another. */
static struct rg_cnode *inner_loop(struct pivot *p, struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if (scalar_declaration(p, s)) continue;
        if (i + 1 < block->n) return NULL;
        if (s->kind == RG_C_IF && s->n == 2 && s->kid[1]->kind == RG_C_BLOCK && rg__c_pure(p->t, s->kid[0]))
            return inner_loop(p, s->kid[1]);
        return counts(p, s) ? s : NULL;
    }
    return NULL;
}

static bool outside_fits(struct pivot *p, const struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++) {
        const struct rg_cnode *s = block->kid[i];
        if (s->kind == RG_C_LOOP) return true;
        if (!reads(p, s->kid[0], false) || (s->kind == RG_C_IF && !outside_fits(p, s->kid[1]))) return false;
    }
    return true;
}

static void find_written(struct pivot *p, const struct rg_cnode *n, bool *ok)
{
    if (n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_INDEX && !is_written(p, n->kid[0]->array)) {
        if (p->n_written == MAX_WRITTEN)
            *ok = false;
        else
            p->written[p->n_written++] = n->kid[0]->array;
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) find_written(p, n->kid[i], ok);
}

/* The same code with the loop over j in the place of the body of its iteration. */
static struct rg_cnode *sunk(struct pivot *p, const struct rg_cnode *block, const struct rg_cnode *loop)
{
    struct rg__kids all = {0};
    for (int i = 0; i < block->n; i++) {
        const struct rg_cnode *s = block->kid[i];
        if (s == loop) {
            for (int k = 0; k < loop->kid[2]->n; k++) rg__kids_add(&all, rg__c_copy(p->t, loop->kid[2]->kid[k]));
        } else if (s->kind == RG_C_IF) {
            struct rg_cnode *c = rg_cnode_new(p->t, RG_C_IF, 2);
            c->kid[0] = rg__c_copy(p->t, s->kid[0]);
            c->kid[1] = sunk(p, s->kid[1], loop);
            c->line = s->line;
            c->column = s->column;
            rg__kids_add(&all, c);
        } else {
            rg__kids_add(&all, rg__c_copy(p->t, s));
        }
    }
    struct rg_cnode *b = rg__kids_node(p->t, RG_C_BLOCK, &all);
    b->line = block->line;
    return b;
}

/* Stores become questions whether they would change anything. */
static void asks(struct pivot *p, struct rg_cnode *n, int flag)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (!s || rg__c_is_expr(s)) continue;
        if (s->kind != RG_C_STMT) {
            asks(p, s, flag);
            continue;
        }
        struct rg__kids with = {0};
        struct rg_cnode *value = rg__c_cast(p->t, s->kid[0]->kid[1], s->kid[0]->kid[0]->type);
        rg__round_if_so(p->t, rg__c_binary(p->t, RG_COP_NE, value, s->kid[0]->kid[0]), flag, s, &with);
        if (n->kind == RG_C_BLOCK) {
            int more = with.n - 1;
            rg__block_splice(p->t, n, i, 1, &with);
            i += more;
        } else {
            n->kid[i] = rg__kids_node(p->t, RG_C_BLOCK, &with);
        }
    }
}

static struct rg_cnode *differ(struct pivot *p, int a)
{
    return rg__c_binary(p->t, RG_COP_NE, rg__c_var(p->t, a), rg__c_var(p->t, p->k));
}

/* All points that a round may store to: of an array with rows of a pitch, not all of it. */
static struct rg_cnode *copied(const struct pivot *p, int to, int from, const struct rg_cnode *i,
                               const struct rg_cnode *j)
{
    struct rg_ctree *t = p->t;
    const struct rg_cnode *const loops[] = {i, j};
    struct rg_cnode *subs[2], *l = NULL, *body = rg_cnode_new(t, RG_C_BLOCK, 1);
    int iter[2];
    for (int d = 0; d < 2; d++) {
        iter[d] = rg__c_add_var(t, "i", RG_CVAR_ITER, RG_LLONG);
        subs[d] = rg__c_var(t, iter[d]);
    }
    struct rg_cnode *source = rg__c_index(t, from, 2, subs);
    for (int d = 0; d < 2; d++) subs[d] = rg__c_var(t, iter[d]);
    body->kid[0] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, to, 2, subs), source));
    body->kid[0]->line = i->line;
    for (int d = 1; d >= 0; d--) {
        l = rg_cnode_new(t, RG_C_LOOP, 3);
        l->var = iter[d];
        l->step = 1;
        for (int b = 0; b < 2; b++) l->kid[b] = rg__c_cast(t, rg__c_copy(t, loops[d]->kid[b]), RG_LLONG);
        l->kid[2] = body;
        l->line = i->line;
        l->column = i->column;
        body = rg_cnode_new(t, RG_C_BLOCK, 1);
        body->kid[0] = l;
    }
    return l;
}

static bool take(struct pivot *p, struct rg_cnode *block, int here)
{
    struct rg_ctree *t = p->t;
    struct rg_cnode *k = block->kid[here], *i, *j;
    p->n_written = 0;
    p->crosses = false;
    p->guarded = true;
    if (k->n != 3 || k->step != 1 || k->kid[2]->kind != RG_C_BLOCK || k->kid[2]->n != 1) return false;
    p->k = k->var;
    i = k->kid[2]->kid[0];
    if (!counts(p, i)) return false;
    p->i = i->var;
    j = inner_loop(p, i->kid[2]);
    if (!j) return false;
    p->j = j->var;
    bool ok = true, same = true; /* same: each round goes over the same points */
    for (int b = 0; b < 2; b++)
        same = same && !rg__c_mentions_var(i->kid[b], p->k) && !rg__c_mentions_var(j->kid[b], p->k);
    find_written(p, i, &ok);
    ok = ok && outside_fits(p, i->kid[2]) && body_fits(p, j->kid[2], i->kid[2]->n > 1) && p->crosses && p->guarded;
    for (int a = 0; a < p->n_written && ok; a++) {
        const struct rg_carray *x = &t->arrays[p->written[a]];
        ok = x->n_dims == 2 && x->elem != RG_STRUCT && x->dims && x->dims[0] && x->dims[1] && (same || !x->partial);
    }
    if (!ok || !p->n_written) return false;
    struct rg_cnode *as_it_stands = rg__c_copy(t, k), *free_ones = sunk(p, i->kid[2], j),
                    *asking = rg__c_copy(t, free_ones), *both = rg_cnode_new(t, RG_C_IF, 3), *zero = rg__c_int(t, 0),
                    *body = rg_cnode_new(t, RG_C_BLOCK, 1), *outer = rg_cnode_new(t, RG_C_BLOCK, 1);
    int flag = rg__round_one_element(t, "changes", RG_I32, k, &p->declarations), start[MAX_WRITTEN];
    asks(p, asking, flag);
    both->kid[0] = rg__c_binary(t, RG_COP_AND, differ(p, p->i), differ(p, p->j));
    both->kid[1] = free_ones;
    both->kid[2] = asking;
    body->kid[0] = both;
    outer->kid[0] = j;
    j->kid[2] = body;
    i->kid[2] = outer;
    both->line = body->line = outer->line = j->line;
    both->column = j->column;
    rg__moves_fresh(t, asking, asking);
    struct rg__kids with = {0}, back = {0};
    for (int a = 0; a < p->n_written; a++) {
        start[a] = rg__round_another(t, p->written[a], "start", k, &p->declarations);
        const int w = p->written[a], s = start[a];
        rg__kids_add(&with, same ? copied(p, s, w, i, j) : rg__round_copy_all(t, s, w, k));
        rg__kids_add(&back, same ? copied(p, w, s, i, j) : rg__round_copy_all(t, w, s, k));
    }
    rg__kids_add(&with, rg__round_raise(t, flag, 0, k));
    rg__kids_add(&with, k);
    struct rg_cnode *again = rg_cnode_new(t, RG_C_DECL, 1), *x = rg_cnode_new(t, RG_C_IF, 2);
    again->var = rg__c_add_var(t, "again", RG_CVAR_LOCAL, RG_I32);
    again->type = RG_I32;
    again->kid[0] = rg__c_index(t, flag, 1, &zero);
    rg__moves_fresh(t, as_it_stands, as_it_stands);
    rg__kids_add(&back, as_it_stands);
    x->kid[0] = rg__c_var(t, again->var);
    x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &back);
    again->line = x->line = x->kid[1]->line = k->line;
    rg__kids_add(&with, again);
    rg__kids_add(&with, x);
    rg__block_splice(t, block, here, 1, &with);
    return true;
}

void rg__canon_pivots(struct rg_ctree *t, const struct rg_problem *p)
{
    struct pivot w = {.t = t};
    if (p->may_alias) return;
    for (int i = 0; i < t->root->n; i++) {
        int was = t->root->n;
        if (t->root->kid[i]->kind == RG_C_LOOP && take(&w, t->root, i)) i += t->root->n - was;
    }
    rg__block_splice(t, t->root, 0, 0, &w.declarations);
}
