/* Loop-invariant code motion of whole nests: tables that every iteration of a loop fills with the same values (a helper
 * that is put in place makes its table "if it is not there yet", which is in front of each use) are filled once, in
 * front of the loop. What fills them reads nothing that the loop changes, nobody else in the loop writes to them, and
 * they are read behind their fill alone. Where the loop may not run, or not come to the fill, that is asked in front,
 * so that the tables stay what they were. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/filled_first.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 12, MAX_WORTH = 64, MAX_NODES = 4000 };

struct step {              /* on the way from the loop's body to the fill */
    struct rg_cnode *node; /* LOOP or IF */
    int arm;               /* of an IF */
};

struct motion {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg__given *given;
    struct rg_cnode *loop; /* that the fill is moved out of */
    int array, n_path;     /* the path begins with the loop */
    struct step path[MAX_PATH];
    struct rg_cnode *block; /* where all statements stand that write to the array ... */
    int first, last;        /* ... from here to here */
};

/* ---- where the array is filled ---- */

static int writers(const struct rg_cnode *block, int array, int *first, int *last)
{
    int n = 0;
    for (int i = 0; i < block->n; i++) {
        if (!rg__writes_array(block->kid[i], array)) continue;
        if (!n++) *first = i;
        *last = i;
    }
    return n;
}

/* The innermost block around all writes that no loop is around which is part of the fill: down single statements as
 * long as they are no fill themselves, which one that sets elements of the array by its own loop is. */
static bool find_block(struct motion *m)
{
    struct rg_cnode *s = m->loop;
    m->n_path = 0;
    while (s) {
        if (s->kind == RG_C_BLOCK) {
            int n = writers(s, m->array, &m->first, &m->last);
            if (!n) return false;
            m->block = s;
            if (n > 1 || s->kid[m->first]->kind == RG_C_STMT) return true;
            struct rg_cnode *only = s->kid[m->first];
            bool used_later = false;
            for (int i = m->first + 1; i < s->n; i++) used_later |= rg__c_mentions_array(s->kid[i], m->array);
            if (used_later && only->kind == RG_C_LOOP) return true;
            s = only;
        } else if ((s->kind == RG_C_LOOP || s->kind == RG_C_IF) && m->n_path < MAX_PATH) {
            struct step *at = &m->path[m->n_path++];
            at->node = s;
            at->arm = 0;
            if (s->kind == RG_C_LOOP) {
                s = s->kid[2];
                continue;
            }
            for (int i = 1; i < s->n; i++) {
                if (!rg__writes_array(s->kid[i], m->array)) continue;
                if (at->arm) return false;
                at->arm = i;
            }
            s = at->arm ? s->kid[at->arm] : NULL;
        } else {
            return false;
        }
    }
    return false;
}

static int mentions(const struct rg_cnode *n, int array)
{
    if (!n) return 0;
    int k = (n->kind == RG_C_VAR || n->kind == RG_C_INDEX) && n->array == array;
    for (int i = 0; i < n->n; i++) k += mentions(n->kid[i], array);
    return k;
}

/* Written by the fill alone, and read nowhere in the loop but behind that, in its block. */
static bool only_here(const struct motion *m, int array)
{
    int there = 0;
    for (int i = m->first; i < m->block->n; i++) {
        there += mentions(m->block->kid[i], array);
        if (i > m->last && rg__writes_array(m->block->kid[i], array)) return false;
    }
    return there == mentions(m->loop, array);
}

/* ---- what the fill is ---- */

/* Code that says all it does. */
static bool plain(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return true;
    switch (n->kind) {
    case RG_C_VERBATIM:
    case RG_C_RETURN:
    case RG_C_GOTO:
    case RG_C_LABEL:
    case RG_C_STRING:
        return false;
    case RG_C_CALL:
        if (!rg__c_pure(t, n)) return false;
        break;
    default:
        if (n->op == RG_COP_DEREF || n->op == RG_COP_ADDRESS) return false;
        if (n->pointer && (n->kind == RG_C_VAR || n->kind == RG_C_INDEX)) return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!plain(t, n->kid[i])) return false;
    return true;
}

static bool fill_mentions_var(const struct motion *m, int var)
{
    for (int i = m->first; i <= m->last; i++)
        if (rg__c_mentions_var(m->block->kid[i], var)) return true;
    return false;
}

/* Declarations in front that the fill alone uses are part of it. */
static void take_declarations(struct motion *m)
{
    for (int i = m->first - 1; i >= 0; i--) {
        const struct rg_cnode *d = m->block->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0) break;
        int inside = 0;
        for (int k = i; k <= m->last; k++) inside += rg__c_count_var(m->block->kid[k], d->var);
        if (!inside || inside != rg__c_count_var(m->loop, d->var)) break;
        m->first = i;
    }
}

static bool same_each_time(const struct motion *m)
{
    struct rg_ctree *t = m->t;
    bool loops = false;
    int nodes = 0;
    for (int i = m->first; i <= m->last; i++) {
        const struct rg_cnode *s = m->block->kid[i];
        loops |= s->kind == RG_C_LOOP;
        nodes += rg__c_size(s);
        if (!plain(t, s) || rg__leaves_loop(s) || rg__continues_loop(s)) return false;
    }
    if (!loops || nodes > MAX_NODES) return false;
    for (int v = 0; v < t->n_vars; v++) {
        if (!fill_mentions_var(m, v)) continue;
        bool own = false;
        for (int i = m->first; i <= m->last && !own; i++) own = rg__c_binds(m->block->kid[i], v);
        int inside = 0;
        for (int i = m->first; i <= m->last; i++) inside += rg__c_count_var(m->block->kid[i], v);
        if (own ? inside != rg__c_count_var(m->loop, v) : rg__c_writes_var(m->loop, v)) return false;
    }
    struct rg_cnode *fill = rg_cnode_new(t, RG_C_BLOCK, m->last - m->first + 1);
    for (int i = m->first; i <= m->last; i++) fill->kid[i - m->first] = m->block->kid[i];
    for (int a = 0; a < t->n_arrays; a++) {
        if (!rg__c_mentions_array(fill, a) || !rg__writes_array(m->loop, a)) continue;
        const struct rg_carray *x = &t->arrays[a];
        bool known = x->n_dims >= 1 && x->n_dims <= RG__FILLED_DIMS && x->dims && rg__writes_array(fill, a);
        for (int d = 0; d < x->n_dims && known; d++) known = x->dims[d] != NULL;
        if (!known || !only_here(m, a) || !rg__fills_first(t, m->p, m->given, a, NULL, 0, fill)) return false;
    }
    return true;
}

/* ---- whether it is filled at all ---- */

static bool free_of_loop(const struct motion *m, const struct rg_cnode *e)
{
    for (int v = 0; v < m->t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && rg__c_writes_var(m->loop, v)) return false;
    for (int a = 0; a < m->t->n_arrays; a++)
        if (rg__c_mentions_array(e, a)) return false;
    return true;
}

static bool always_runs(const struct motion *m, int upto)
{
    const struct rg_cnode *l = m->path[upto].node;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, m->t, m->given);
    for (int i = 0; i < upto; i++)
        if (m->path[i].node->kind == RG_C_LOOP && r->n_loops < RG__MAX_NEST) r->loops[r->n_loops++] = m->path[i].node;
    struct rg__poly lo = rg__poly_of(r, l->kid[0]), hi = rg__poly_of(r, l->kid[1]), one = rg__poly_int(1),
                    trips = rg__poly_add(&hi, &lo, -1);
    trips = rg__poly_add(&trips, &one, -1);
    bool yes = l->step > 0 && rg__prove(r, &trips);
    free(r);
    return yes;
}

/* How often code sets it. */
static int sets(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int k = (n->kind == RG_C_LOOP && n->var == var) || (n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n);
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        k += to->kind == RG_C_VAR && to->array < 0 && to->var == var;
    }
    for (int i = 0; i < n->n; i++) k += sets(n->kid[i], var);
    return k;
}

static bool is_iterator(const struct motion *m, int at, int var)
{
    for (int i = 0; i < at; i++)
        if (m->path[i].node->kind == RG_C_LOOP && m->path[i].node->var == var) return true;
    return false;
}

/* Its declaration on the way, where that is all that sets it. */
static const struct rg_cnode *only_value(const struct motion *m, int at, int var)
{
    if (m->t->vars[var].struct_index >= 0 || sets(m->loop, var) != 1) return NULL;
    for (int i = 0; i < at; i++) {
        const struct rg_cnode *in = m->path[i].node->kid[m->path[i].node->kind == RG_C_LOOP ? 2 : m->path[i].arm];
        for (int k = 0; in->kind == RG_C_BLOCK && k < in->n; k++)
            if (in->kid[k]->kind == RG_C_DECL && in->kid[k]->array < 0 && in->kid[k]->var == var && in->kid[k]->n)
                return in->kid[k]->kid[0];
    }
    return NULL;
}

/* The condition in terms of what the loop does not change and the loops around it: locals that are set where they are
 * declared alone, by their values. NULL: there is more to it. */
static struct rg_cnode *condition(const struct motion *m, int at)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *e = rg__c_copy(t, m->path[at].node->kid[0]);
    for (int v = t->n_vars - 1; v >= 0; v--) {
        if (!rg__c_mentions_var(e, v) || !rg__c_writes_var(m->loop, v) || is_iterator(m, at, v)) continue;
        const struct rg_cnode *value = only_value(m, at, v);
        if (!value || value->kind == RG_C_INITLIST || rg__c_mentions_var(value, v)) return NULL;
        e = rg__c_replace_var(t, e, v, rg__c_cast(t, rg__c_copy(t, value), t->vars[v].type));
        v = t->n_vars; /* its value may mention others */
    }
    for (int a = 0; a < t->n_arrays; a++)
        if (rg__c_mentions_array(e, a) && rg__writes_array(m->loop, a)) return NULL;
    return plain(t, e) ? m->path[at].arm == 2 ? rg__negated(t, e) : e : NULL;
}

/* A copy of the loops on the way, over variables of their own, that asks whether anything gets to the fill. */
static struct rg_cnode *asking(const struct motion *m, int flag)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *when = NULL, *set;
    for (int i = 0; i < m->n_path; i++) {
        if (m->path[i].node->kind != RG_C_IF) continue;
        struct rg_cnode *c = condition(m, i);
        if (!c) return NULL;
        when = when ? rg__c_binary(t, RG_COP_AND, when, c) : c;
    }
    set = rg_cnode_new(t, RG_C_COND, 3);
    set->type = RG_I32;
    set->kid[0] = when;
    set->kid[1] = rg__c_int(t, 1);
    set->kid[2] = rg__c_var(t, flag);
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, flag), set));
    for (int i = m->n_path - 1; i >= 0; i--) {
        const struct rg_cnode *l = m->path[i].node;
        if (l->kind != RG_C_LOOP) continue;
        struct rg_cnode *copy = rg__c_shallow(&t->arena, l), *body = rg_cnode_new(t, RG_C_BLOCK, 1);
        if (l->n > 3) return NULL;
        copy->kid[0] = rg__c_copy(t, l->kid[0]);
        copy->kid[1] = rg__c_copy(t, l->kid[1]);
        body->kid[0] = s;
        copy->kid[2] = body;
        s = copy;
    }
    for (int i = 0; i < m->n_path; i++) {
        const struct rg_cnode *l = m->path[i].node;
        if (l->kind != RG_C_LOOP) continue;
        int own = rg__c_add_var(t, t->vars[l->var].name, RG_CVAR_ITER, t->vars[l->var].type);
        s = rg__c_replace_var(t, s, l->var, rg__c_var(t, own));
        for (struct rg_cnode *n = s;;) { /* and the loop's own mention of it */
            if (n->var == l->var) n->var = own;
            struct rg_cnode *in = n->kid[2];
            if (in->kid[0]->kind != RG_C_LOOP) break;
            n = in->kid[0];
        }
    }
    return s;
}

/* The fill as it stands in front of the loop: under what the loop and the way ask. False: that can't be said. */
static bool in_front(const struct motion *m, struct rg_cnode *fill, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    bool asks = false;
    struct rg_cnode *guard[MAX_PATH];
    int n_guards = 0;
    for (int i = 0; i < m->n_path; i++) asks |= m->path[i].node->kind == RG_C_IF;
    for (int i = 0; i < m->n_path; i++) {
        const struct rg_cnode *l = m->path[i].node;
        if (l->kind != RG_C_LOOP) continue;
        if (l->n > 3 || l->step <= 0) return false;
        bool known = free_of_loop(m, l->kid[0]) && free_of_loop(m, l->kid[1]);
        if (!known && (asks || !always_runs(m, i))) return false;
        if (asks || always_runs(m, i)) continue;
        guard[n_guards++] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
    }
    if (asks) {
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = rg__c_add_var(t, "filled", RG_CVAR_LOCAL, RG_I32);
        d->kid[0] = rg__c_int(t, 0);
        d->type = RG_I32;
        struct rg_cnode *ask = asking(m, d->var);
        if (!ask) return false;
        rg__kids_add(out, d);
        rg__kids_add(out, ask);
        guard[n_guards++] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, d->var), rg__c_int(t, 0));
    }
    for (int i = n_guards - 1; i >= 0; i--) {
        struct rg_cnode *when = rg_cnode_new(t, RG_C_IF, 2), *body = rg_cnode_new(t, RG_C_BLOCK, 1);
        when->kid[0] = guard[i];
        if (fill->kind != RG_C_BLOCK) {
            body->kid[0] = fill;
            fill = body;
        }
        when->kid[1] = fill;
        fill = when;
    }
    if (fill->kind == RG_C_BLOCK)
        for (int i = 0; i < fill->n; i++) rg__kids_add(out, fill->kid[i]);
    else
        rg__kids_add(out, fill);
    return true;
}

/* ---- the pass ---- */

/* Where a thread's own is as good: small local arrays are declared in the loop (private_arrays.c). */
static bool worth(const struct rg_carray *x)
{
    if (x->view || x->constant_table) return false;
    if (x->param >= 0) return true;
    int64_t n = 1;
    for (int d = 0; d < x->n_dims && x->dims; d++) {
        if (!x->dims[d] || x->dims[d]->kind != RG_EXPR_INT) return true;
        n *= x->dims[d]->value;
    }
    return n > MAX_WORTH;
}

/* Moves one fill out of the loop outer->kid[at]. */
static bool move_one(struct motion *m, struct rg_cnode *outer, int at)
{
    struct rg_ctree *t = m->t;
    m->loop = outer->kid[at];
    for (m->array = 0; m->array < t->n_arrays; m->array++) {
        if (!worth(&t->arrays[m->array]) || !rg__writes_array(m->loop, m->array)) continue;
        if (rg__c_declares_array(m->loop, m->array) || !find_block(m)) continue;
        take_declarations(m);
        if (!same_each_time(m)) continue;
        struct rg_cnode *fill = rg_cnode_new(t, RG_C_BLOCK, m->last - m->first + 1);
        for (int i = m->first; i <= m->last; i++) fill->kid[i - m->first] = m->block->kid[i];
        struct rg__kids front = {0}, none = {0};
        if (!in_front(m, fill, &front)) {
            free(front.items);
            continue;
        }
        rg__block_splice(t, m->block, m->first, m->last - m->first + 1, &none);
        rg__block_splice(t, outer, at, 0, &front);
        return true;
    }
    return false;
}

static void look(struct motion *m, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        int before = n->n;
        while (n->kid[i]->kind == RG_C_LOOP && move_one(m, n, i)) {
            i += n->n - before;
            before = n->n;
        }
    }
    for (int i = 0; i < n->n; i++) look(m, n->kid[i]);
}

void rg__canon_invariant(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct motion m = {.t = t, .p = p, .given = NULL};
    struct rg__given *given = rg__given_of(t, p);
    m.given = given;
    look(&m, t->root);
    rg__given_free(given);
}
