/* Loops up to a local that rounds around them make smaller: `for (m = n; m > 1; m = (m + 1) / 2) for (i = 0; i < m /
 * 2; i++)`, levels of a transform, a grid that is coarsened. They run to the most that it ever is and ask each
 * iteration whether it is one; so their bounds are known in front of all rounds. Counters that only go up are left
 * alone: lists that grow have passes of their own. */
#include "frontend/normalise/canon.h"
#include "ir/range_invariants.h"
#include <stdlib.h>

enum { MAX_DEPTH = 4, MAX_NEST = 16 };

struct rounds {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg__given *given;
    struct rg__invariants *known; /* NULL until somebody asks */
    int n_loops;
    const struct rg_cnode *loops[MAX_NEST]; /* around the place */
};

/* ---- does a value go by what rounds change? ---- */

struct follow {
    const struct rounds *x;
    const struct rg_cnode *round;
    int target; /* the local that it is to come back to; -1: any that the rounds change */
    int depth;
    bool found, counts;
};

static bool turns(const struct rounds *x, const struct rg_cnode *round, int var);

static void follow(struct follow *f, const struct rg_cnode *e);

/* What assignments in the round set the local to. */
static void follow_sets(struct follow *f, const struct rg_cnode *n, int var)
{
    if (!n) return;
    const struct rg_cnode *value = NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n) value = n->kid[0];
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (sets && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var) {
        value = n->kind == RG_C_ASSIGN ? n->kid[1] : NULL;
        if (n->kind == RG_C_ASSIGN && n->op != RG_COP_SET && var == f->target) f->found = true;
        const struct rg_cnode *v = n->op == RG_COP_SET ? rg__c_uncast(value, RG__C_INT_CASTS) : n;
        f->counts = f->counts || n->kind == RG_C_INCDEC || v->op == RG_COP_ADD || v->op == RG_COP_ADD_SET;
    }
    if (value) follow(f, value);
    for (int i = 0; i < n->n; i++) follow_sets(f, n->kid[i], var);
}

static void follow(struct follow *f, const struct rg_cnode *e)
{
    const struct rg_ctree *t = f->x->t;
    if (e->kind == RG_C_INDEX) return;
    if (e->kind == RG_C_VAR && e->array < 0 && !e->pointer && t->vars[e->var].kind == RG_CVAR_LOCAL &&
        rg__scalar_is_int(t->vars[e->var].type)) {
        if (e->var == f->target || (f->target < 0 && turns(f->x, f->round, e->var))) {
            f->found = true;
        } else if (f->depth < MAX_DEPTH && (rg__c_writes_var(f->round, e->var) || rg__c_declares(f->round, e->var))) {
            f->depth++;
            follow_sets(f, f->round, e->var);
            f->depth--;
        }
    }
    for (int i = 0; i < e->n; i++) follow(f, e->kid[i]);
}

/* Does each round make a new value of the local out of the one before, not by counting up? */
static bool turns(const struct rounds *x, const struct rg_cnode *round, int var)
{
    if (rg__c_declares(round, var) || !rg__c_writes_var(round, var)) return false;
    struct follow f = {.x = x, .round = round, .target = var};
    follow_sets(&f, round, var);
    return f.found && !f.counts;
}

/* By rounds of the function as a whole: those that an iteration of a counting loop has for itself may be a thread's,
 * which would go through all that the loop is asked for. */
static bool goes_by_rounds(const struct rounds *x, const struct rg_cnode *e)
{
    for (int i = 0; i < x->n_loops && (!i || x->loops[i - 1]->n > 3); i++) {
        struct follow f = {.x = x, .round = x->loops[i], .target = -1};
        follow(&f, e);
        if (f.found) return true;
    }
    return false;
}

/* ---- the loop ---- */

static struct rg_cnode *end_of(struct rounds *x, const struct rg_cnode *e, bool most)
{
    if (!x->known) {
        x->given = rg__given_of(x->t, x->p);
        x->known = rg__invariants_of(x->t, x->given);
    }
    return rg__invariant_end(x->known, e, most);
}

static void bound(struct rounds *x, struct rg_cnode *l)
{
    struct rg_ctree *t = x->t;
    if (l->n != 3 || l->step != 1 || l->kid[2]->kind != RG_C_BLOCK || rg__leaves_early(l->kid[2])) return;
    bool by[2] = {goes_by_rounds(x, l->kid[0]), goes_by_rounds(x, l->kid[1])};
    struct rg_cnode *ends[2] = {l->kid[0], l->kid[1]}, *asks = NULL;
    if (!by[0] && !by[1]) return;
    for (int i = 0; i < 2; i++) {
        if (!by[i]) continue;
        if (!rg__loop_invariant(t, l->kid[i], l) || !(ends[i] = end_of(x, l->kid[i], i))) return;
        struct rg_cnode *c = rg__c_binary(t, i ? RG_COP_LT : RG_COP_GE, rg__c_var(t, l->var), rg__c_copy(t, l->kid[i]));
        asks = asks ? rg__c_binary(t, RG_COP_AND, asks, c) : c;
    }
    rg__ask_in_loop(t, l, asks, ends[0], ends[1]);
}

static void walk(struct rounds *x, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF && n->kind != RG_C_LOOP)) return;
    if (n->kind == RG_C_LOOP && x->n_loops) bound(x, n);
    bool loop = n->kind == RG_C_LOOP && x->n_loops < MAX_NEST;
    if (loop) x->loops[x->n_loops++] = n;
    for (int i = n->kind == RG_C_LOOP ? 2 : n->kind == RG_C_IF; i < n->n; i++) walk(x, n->kid[i]);
    x->n_loops -= loop;
}

void rg__canon_round_bounds(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rounds x = {.t = t, .p = p};
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    walk(&x, t->root);
    rg__invariants_free(x.known);
    rg__given_free(x.given);
}
