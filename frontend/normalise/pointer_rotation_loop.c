/* Loops that move pointers: how many iterations bring everything round, and the loop written out that often, the trips
 * left over behind it and what follows chosen by their number. */
#include "frontend/normalise/pointer_rotation.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool mentions(const struct rg_cnode *n, int array, int var)
{
    return array >= 0 ? rg__c_mentions_array(n, array) : rg__c_mentions_var(n, var);
}

/* Is the name read in the statements before they set it? */
static bool read_first(const struct rg_cnode *body, int array, int var)
{
    if (body->kind != RG_C_BLOCK) return mentions(body, array, var);
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *n = body->kid[i];
        if (array >= 0 && rg__moves_moved(n) == array) return rg__c_mentions_array(n->kid[0]->kid[1], array);
        if (array >= 0 && n->kind == RG_C_DECL && n->array == array) return false;
        if (var >= 0 && n->kind == RG_C_DECL && n->var == var) return false;
        if (var >= 0 && n->kind == RG_C_STMT && n->kid[0]->op == RG_COP_SET && n->kid[0]->kid[0]->kind == RG_C_VAR &&
            n->kid[0]->kid[0]->array < 0 && n->kid[0]->kid[0]->var == var)
            return rg__c_mentions_var(n->kid[0]->kid[1], var);
        if (n->kind == RG_C_LOOP && !rg__c_mentions_var(n->kid[0], var) && !rg__c_mentions_var(n->kid[1], var) &&
            !read_first(n->kid[2], array, var))
            continue; /* it sets it itself, where it needs it */
        bool within = n->kind == RG_C_BLOCK && !read_first(n, array, var);
        if (n->kind == RG_C_IF && !mentions(n->kid[0], array, var)) { /* a branch that reads it has set it */
            within = true;
            for (int k = 1; k < n->n && within; k++) within = !n->kid[k] || !read_first(n->kid[k], array, var);
        }
        if (!within && mentions(n, array, var)) return true;
    }
    return false;
}

/* A remainder of the variable by a constant that decides which of several pointers is meant; 0: none. */
static int64_t chooses_by(const struct rg_cnode *n, int var, bool inside)
{
    if (!n) return 0;
    if (inside && n->kind == RG_C_BINARY && n->kid[1]->kind == RG_C_INT && rg__c_mentions_var(n->kid[0], var)) {
        if (n->op == RG_COP_REM && n->kid[1]->ivalue > 1 && n->kid[1]->ivalue <= RG__MOVES_PERIOD)
            return n->kid[1]->ivalue;
        if (n->op == RG_COP_BAND && n->kid[1]->ivalue == 1) return 2;
    }
    bool arrays = n->kind == RG_C_COND && n->n == 3 && (n->kid[1]->array >= 0 || n->kid[1]->kind == RG_C_COND) &&
                  n->kid[2]->array >= 0;
    for (int i = 0; i < n->n; i++) {
        int64_t q = chooses_by(n->kid[i], var, arrays ? i == 0 : inside);
        if (q) return q;
    }
    return 0;
}

/* Iterations after which everything that an iteration starts from is as it was; 0: none. at[k]: state after k of them.
 * Variables that do not come round are forgotten. */
static int period(struct rg__moves *m, const struct rg__moves_state *entry, const struct rg_cnode *l,
                  struct rg__moves_state *at, bool *varies)
{
    const struct rg_cnode *body = l->kid[2];
    bool *carried = rg_xcalloc((size_t)m->n_vars + 1, 1);
    struct rg__moves_state start = rg__moves_copy(m, entry);
    int p = 0;
    for (int v = 0; v < m->n_vars; v++)
        carried[v] = start.known[v] && rg__c_writes_var(body, v) && read_first(body, -1, v);
    if (l->var < m->n_vars) start.known[l->var] = false;
    int var = m->mod_var, mod = m->mod, residue = m->residue;
    int64_t every = chooses_by(body, l->var, false), base;
    if (every && !rg__moves_evaluate(m, entry, l->kid[0], &base)) every = 0;
    bool *back = rg_xcalloc((size_t)m->n_vars + 1, 1); /* comes back to what it was, sooner or later */
    for (int round = 0; round < 3 && !p; round++) {
        rg__moves_set(m, &at[0], &start);
        bool ok = true;
        *varies = false;
        for (int k = 1; k <= RG__MOVES_PERIOD && ok && !p; k++) {
            rg__moves_set(m, &at[k], &at[k - 1]);
            if (every) {
                m->mod_var = l->var;
                m->mod = (int)every;
                m->residue = (int)((base + (k - 1) * l->step) % every);
            }
            ok = rg__moves_simulate(m, &at[k], body);
            m->mod_var = var, m->mod = mod, m->residue = residue;
            bool same = ok && (!every || k % every == 0);
            for (int a = 0; a < m->n_arrays && same; a++)
                if (at[k].stands_for[a] != start.stands_for[a]) {
                    same = !read_first(body, a, -1);
                    *varies = true;
                }
            for (int v = 0; v < m->n_vars; v++) {
                if (!carried[v]) continue;
                const bool here = ok && at[k].known[v] && at[k].value[v] == start.value[v];
                back[v] |= here;
                same = same && here;
            }
            if (same) p = k;
        }
        for (int v = 0; v < m->n_vars && !p; v++) /* once more without integers that don't; then without any */
            if (carried[v] && (round || !back[v])) carried[v] = start.known[v] = false;
    }
    free(back);
    for (int v = 0; v < m->n_vars && p > 1; v++)
        if (carried[v]) m->toggles[v] = true;
    for (int v = 0; v < m->n_vars && p > 1; v++) /* what is computed from them */
        for (int k = 1; k <= p && !m->toggles[v]; k++)
            m->toggles[v] = rg__c_writes_var(body, v) && at[k].known[v] && at[1].known[v] && rg__moves_local_int(m, v);
    free(carried);
    rg__moves_free(&start);
    return p;
}

/* Copy j of p of the body, its loop variable replaced. */
static void unrolled(struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *l, int p, int j,
                     struct rg_cnode *iteration, struct rg__kids *out)
{
    struct rg__moves_state mine = rg__moves_copy(m, s);
    struct rg_cnode *b = rg__moves_block(m, l->kid[2]->kid, l->kid[2]->n);
    int var = m->mod_var, mod = m->mod, residue = m->residue;
    int64_t base;
    if (rg__moves_evaluate(m, s, l->kid[0], &base) && base >= 0) {
        m->mod_var = l->var;
        m->mod = p;
        m->residue = (int)((base + j) % p);
    }
    m->depth++;
    struct rg_cnode *r = m->failed ? b : rg__moves_followed(m, &mine, b);
    m->depth--;
    m->mod_var = var, m->mod = mod, m->residue = residue;
    if (iteration) r = rg__c_replace_var(m->t, r, l->var, iteration);
    if (!m->failed) {
        rg__moves_fresh(m->t, r, r);
        rg__moves_fresh_arrays(m->t, r, r);
    }
    for (int i = 0; i < r->n; i++) rg__kids_add(out, r->kid[i]);
    rg__moves_free(&mine);
}

static struct rg_cnode *plus(struct rg_ctree *t, struct rg_cnode *a, int64_t k)
{
    if (a->kind == RG_C_INT) return rg__c_int(t, a->ivalue + k);
    return k ? rg__c_binary(t, k > 0 ? RG_COP_ADD : RG_COP_SUB, a, rg__c_int(t, k > 0 ? k : -k)) : a;
}

/* A loop by another step as one by 1 from 0: its variable is computed. */
static struct rg_cnode *by_one(struct rg__moves *m, const struct rg_cnode *l)
{
    struct rg_ctree *t = m->t;
    int64_t by = l->step > 0 ? l->step : -l->step;
    struct rg_cnode *u = rg_cnode_new(t, RG_C_LOOP, l->n), *low = rg__c_copy(t, l->kid[0]),
                    *high = rg__c_copy(t, l->kid[1]);
    struct rg_cnode *from = l->step > 0 ? low : high, *to = l->step > 0 ? high : low;
    struct rg_cnode *trips =
        from->kind == RG_C_INT ? plus(t, to, -from->ivalue) : rg__c_binary(t, RG_COP_SUB, to, from);
    if (by > 1) trips = rg__c_binary(t, RG_COP_DIV, plus(t, trips, by - 1), rg__c_int(t, by));
    int v = rg__c_add_var(t, t->vars[l->var].name, RG_CVAR_ITER, t->vars[l->var].type);
    struct rg_cnode *moved = rg__c_var(t, v);
    if (by > 1) moved = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, by), moved);
    moved = rg__c_binary(t, l->step > 0 ? RG_COP_ADD : RG_COP_SUB, rg__c_copy(t, l->kid[0]), moved);
    u->var = v;
    u->step = 1;
    u->line = l->line;
    u->column = l->column;
    u->kid[0] = rg__c_int(t, 0);
    u->kid[1] = trips;
    u->kid[2] = rg__c_replace_var(t, rg__c_copy(t, l->kid[2]), l->var, moved);
    for (int i = 3; i < l->n; i++) u->kid[i] = l->kid[i];
    return u;
}

/* May the rest of the body be written for each state? What differs must be new in the next iteration of the loop
 * around. */
static bool local_here(const struct rg__moves *m, const struct rg__moves_state *at, int p)
{
    for (int a = 0; a < m->n_arrays; a++)
        for (int r = 1; r < p; r++)
            if (at[r].stands_for[a] != at[0].stands_for[a] && m->declared[a] != m->depth && !m->t->arrays[a].view)
                return false;
    return true;
}

/* A loop that goes on by a flag, over more than one state: the copies behind the first ask for the flag themselves, and
 * a local says which state it was left in. */
static int flagged(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, const struct rg__moves_state *at,
                   int p, struct rg_cnode *const *rest, int n, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *lower = rg__moves_substitute(m, s, rg__c_copy(t, l->kid[0])),
                    *upper = rg__moves_substitute(m, s, rg__c_copy(t, l->kid[1]));
    bool endless = upper->kind == RG_C_INT && upper->ivalue == INT32_MAX, zero = rg__moves_is_zero(lower);
    int go = l->kid[3]->var, turn = rg__c_add_var(t, "turn", RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1), *big = rg_cnode_new(t, RG_C_LOOP, 4);
    d->var = turn;
    d->type = RG_I32;
    d->kid[0] = rg__c_int(t, 0);
    d->line = l->line;
    rg__kids_add(out, d);
    struct rg_cnode *body = NULL;
    for (int j = p - 1; j >= 0; j--) { /* from the inside */
        struct rg__kids k = {0};
        struct rg_cnode *now = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, p), rg__c_var(t, l->var));
        if (!zero) now = rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, lower), now);
        now = plus(t, now, j);
        unrolled(m, &at[j], l, p, j, now, &k);
        struct rg_cnode *which =
            rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, turn), rg__c_int(t, (j + 1) % p)));
        which->line = l->line;
        rg__kids_add(&k, which);
        if (body) {
            if (!endless) { /* the bound is the flag's business now */
                struct rg_cnode *more =
                    rg__c_binary(t, RG_COP_LT, plus(t, rg__c_copy(t, now), 1), rg__c_copy(t, upper));
                struct rg_cnode *both =
                    rg__c_binary(t, RG_COP_AND, rg__c_binary(t, RG_COP_NE, rg__c_var(t, go), rg__c_int(t, 0)), more);
                struct rg_cnode *st = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, go), both));
                st->line = l->line;
                rg__kids_add(&k, st);
            }
            rg__kids_add(&k, rg__moves_if(m, rg__c_var(t, go), body, NULL, l->line));
        }
        body = rg__kids_node(t, RG_C_BLOCK, &k);
    }
    big->var = l->var;
    big->step = 1;
    big->kid[0] = rg__c_int(t, 0);
    struct rg_cnode *trips = zero ? upper : rg__c_binary(t, RG_COP_SUB, upper, lower);
    big->kid[1] =
        endless ? upper
                : rg__c_binary(t, RG_COP_DIV, rg__c_binary(t, RG_COP_ADD, trips, rg__c_int(t, p - 1)), rg__c_int(t, p));
    big->kid[2] = body;
    big->kid[3] = rg__c_var(t, go);
    big->line = l->line;
    big->column = l->column;
    rg__kids_add(out, big);
    struct rg_cnode *where[RG__MOVES_PERIOD + 1] = {NULL};
    for (int r = 1; r < p; r++)
        where[r] = p == 2 ? rg__c_var(t, turn) : rg__c_binary(t, RG_COP_EQ, rg__c_var(t, turn), rg__c_int(t, r));
    return rg__moves_rest(m, s, at, p, where, l, m->depth == m->free_depth, rest, n, out);
}

bool rg__moves_read_first(const struct rg_cnode *body, int array)
{
    return read_first(body, array, -1);
}

struct counted {                               /* a loop whose trips are counted, to be written out p times */
    struct rg_cnode *l, *lower, *upper, *left; /* of which so many are left over */
    int64_t trips;                             /* -1 not known */
    const struct rg__moves_state *at;
    int p;
};

/* The r-th of the iterations that are left over. */
static struct rg_cnode *left_over(struct rg__moves *m, const struct counted *c, int r)
{
    struct rg_ctree *t = m->t;
    struct rg__kids one = {0};
    struct rg_cnode *at_end = rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, c->upper), rg__c_copy(t, c->left));
    if (c->p == 2 || c->trips >= 0)
        at_end = c->trips >= 0 ? plus(t, rg__c_copy(t, c->lower), c->trips - c->trips % c->p)
                               : plus(t, rg__c_copy(t, c->upper), -1);
    unrolled(m, &c->at[r - 1], c->l, c->p, r - 1, plus(t, at_end, c->p == 2 && c->trips < 0 ? 0 : r - 1), &one);
    return rg__kids_node(t, RG_C_BLOCK, &one);
}

static struct rg_cnode *is_left(struct rg_ctree *t, const struct counted *c, int r)
{
    return rg__c_binary(t, c->p == 2 ? RG_COP_EQ : RG_COP_GE, rg__c_copy(t, c->left), rg__c_int(t, r));
}

/* What is left over from the r-th on, with what follows inside: who reads a buffer there sees what has filled it.
 * end: what is known behind all of them so far. */
static struct rg_cnode *with_rest(struct rg__moves *m, const struct counted *c, int r, struct rg_cnode *const *rest,
                                  int n, struct rg__moves_state *end, bool first)
{
    struct rg__moves_state mine = rg__moves_new(m);
    struct rg_cnode *b = rg__moves_branch(m, &c->at[r - 1], rest, n, &mine);
    if (first)
        rg__moves_set(m, end, &mine);
    else
        rg__moves_join(m, end, &mine);
    rg__moves_free(&mine);
    if (r == c->p || m->failed) return b;
    struct rg_cnode *more = left_over(m, c, r), *then = with_rest(m, c, r + 1, rest, n, end, false);
    struct rg__kids both = {0}, k = {0};
    for (int i = 0; i < more->n; i++) rg__kids_add(&both, more->kid[i]);
    for (int i = 0; i < then->n; i++) rg__kids_add(&both, then->kid[i]);
    rg__kids_add(&k, rg__moves_if(m, is_left(m->t, c, r), rg__kids_node(m->t, RG_C_BLOCK, &both), b, c->l->line));
    return rg__kids_node(m->t, RG_C_BLOCK, &k);
}

/* A loop whose trips are counted. */
static int counted(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, const struct rg__moves_state *at,
                   int p, int64_t trips, struct rg_cnode *const *rest, int n, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *lower = rg__moves_substitute(m, s, rg__c_copy(t, l->kid[0])),
                    *upper = rg__moves_substitute(m, s, rg__c_copy(t, l->kid[1]));
    bool zero = rg__moves_is_zero(lower);
    struct rg_cnode *count = trips >= 0 ? rg__c_int(t, trips)
                             : zero     ? rg__c_copy(t, upper)
                                        : rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, upper), rg__c_copy(t, lower));
    struct rg_cnode *left =
        trips >= 0 ? rg__c_int(t, trips % p) : rg__c_binary(t, RG_COP_REM, rg__c_copy(t, count), rg__c_int(t, p));
    const struct counted c = {l, lower, upper, left, trips, at, p};
    struct rg_cnode *first = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, p), rg__c_var(t, l->var));
    if (!zero) first = rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, lower), first);
    struct rg__kids all = {0};
    for (int j = 0; j < p; j++) unrolled(m, &at[j], l, p, j, plus(t, rg__c_copy(t, first), j), &all);
    struct rg_cnode *big = rg_cnode_new(t, RG_C_LOOP, 3);
    *big = *l;
    big->kid = rg_arena_alloc(&t->arena, 3 * sizeof *big->kid);
    big->kid[0] = rg__c_int(t, 0);
    big->kid[1] = trips >= 0 ? rg__c_int(t, trips / p) : rg__c_binary(t, RG_COP_DIV, count, rg__c_int(t, p));
    big->kid[2] = rg__kids_node(t, RG_C_BLOCK, &all);
    rg__kids_add(out, big);
    bool free_here = m->depth == m->free_depth || local_here(m, at, p);
    if (trips < 0 && m->free_depth && free_here) {
        struct rg__kids mine = {0};
        for (int i = 0; i < n; i++) rg__kids_add(&mine, rest[i]);
        int upto = rg__moves_seen(m, at, p, mine.items, n, out);
        if (upto || p > 2) {
            m->failed |= ++m->forks > rg__moves_most_forks(m);
            rg__moves_once(m, mine.items, upto);
            struct rg_cnode *b = with_rest(m, &c, 1, mine.items, upto, s, true);
            for (int i = 0; i < b->n; i++) rg__kids_add(out, b->kid[i]);
        }
        free(mine.items);
        if (upto || p > 2) return upto;
    }
    for (int r = 1; r < p && (trips < 0 || r <= trips % p); r++) {
        struct rg_cnode *b = left_over(m, &c, r);
        if (trips >= 0)
            for (int i = 0; i < b->n; i++) rg__kids_add(out, b->kid[i]);
        else
            rg__kids_add(out, rg__moves_if(m, is_left(t, &c, r), b, NULL, l->line));
    }
    if (trips >= 0) {
        rg__moves_set(m, s, trips ? &at[trips % p ? trips % p : p] : &at[0]);
        return 0;
    }
    struct rg_cnode *where[RG__MOVES_PERIOD + 1] = {NULL};
    for (int r = 1; r < p; r++) where[r] = rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, left), rg__c_int(t, r));
    return rg__moves_rest(m, s, at, p, where, l, free_here, rest, n, out);
}

/* A loop around those with buffers of their own: behind these, names mean what they meant in front, or it fails. */
static void around_own(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg__kids *out)
{
    struct rg__moves_state inside = rg__moves_copy(m, s);
    struct rg_cnode *body = rg__c_copy(m->t, l->kid[2]);
    rg__moves_forget(m, &inside, l);
    for (int i = 0; i < l->n; i++)
        if (i != 2 && l->kid[i]) l->kid[i] = rg__moves_substitute(m, s, l->kid[i]);
    m->depth++;
    l->kid[2] = rg__moves_followed(m, &inside, l->kid[2]);
    m->depth--;
    rg__moves_forget(m, s, l);
    for (int a = 0; a < m->n_arrays; a++) {
        if (inside.stands_for[a] == s->stands_for[a]) continue;
        m->failed |= read_first(body, a, -1);
        s->stands_for[a] = -1;
    }
    rg__moves_free(&inside);
    rg__kids_add(out, l);
}

int rg__moves_loop(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg_cnode *const *rest,
                   int n, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg__moves_state at[RG__MOVES_PERIOD + 1];
    for (int k = 0; k <= RG__MOVES_PERIOD; k++) at[k] = rg__moves_new(m);
    bool moving = rg__moves_any(l->kid[2]), varies;
    int taken = 0;
    struct rg_cnode *as_it_stands = l;
    int p = period(m, s, l, at, &varies);
    if (p > 1 && l->step != 1) {
        l = by_one(m, l);
        p = period(m, s, l, at, &varies);
    }
    int64_t lo, hi, trips = -1;
    if (p && l->n == 3 && rg__moves_evaluate(m, s, l->kid[0], &lo) && rg__moves_evaluate(m, s, l->kid[1], &hi))
        trips = hi > lo ? hi - lo : 0;
    bool follows = p && (p == 1 || (l->step == 1 && !rg__moves_gets_memory(t, l->kid[2])));
    if (!follows && moving) {
        bool own = (m->may & RG__MOVES_OWN) && m->depth == m->own_depth && rg__moves_with_own(m, s, as_it_stands, out);
        bool around = !own && (m->may & RG__MOVES_OWN) && m->depth < m->own_depth;
        if (around)
            around_own(m, s, as_it_stands, out);
        else if (!own && (m->may & RG__MOVES_TURNS))
            taken = rg__moves_by_turns(m, s, as_it_stands, rest, n, out);
        else
            m->failed |= !own;
    } else if (!follows || p == 1) { /* not followed: the integers do not come round, nothing to do */
        struct rg__moves_state inside = rg__moves_copy(m, s);
        rg__moves_forget(m, &inside, l);
        for (int i = 0; i < 2; i++) l->kid[i] = rg__moves_substitute(m, s, l->kid[i]);
        m->depth++;
        if (!m->failed) l->kid[2] = rg__moves_followed(m, &inside, l->kid[2]);
        m->depth--;
        rg__moves_forget(m, s, l);
        if (follows) /* what it sets anew every time */
            for (int a = 0; a < m->n_arrays; a++)
                if (at[1].stands_for[a] != s->stands_for[a]) s->stands_for[a] = trips > 0 ? at[1].stands_for[a] : -1;
        rg__moves_free(&inside);
        rg__kids_add(out, l);
    } else if (l->n > 3) {
        m->any = true;
        taken = flagged(m, s, l, at, p, rest, n, out);
    } else {
        m->any = true;
        taken = counted(m, s, l, at, p, trips, rest, n, out);
    }
    for (int k = 0; k <= RG__MOVES_PERIOD; k++) rg__moves_free(&at[k]);
    return taken;
}
