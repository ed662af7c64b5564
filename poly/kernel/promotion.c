/* Scalar promotion: an array element that stays the same over a thread's loop is held in a register there and stored
 * behind it, whatever the conditions inside say. Where not every iteration of the parallel loops writes its element,
 * that makes stores that the C does not make: they must meet nothing of another thread's. */
#include "poly/kernel/kernel.h"

struct search {
    const struct poly_program *p;
    const struct poly_kernel *k;
    const struct poly_access *held;
    int loop; /* of the register */
    const int *keep;
    int n_keep;
    bool meets;
};

/* The loop around the statement that is the kernel's d-th dimension; -1. */
static int dim_loop(const struct search *x, int stmt, int d)
{
    const struct poly_scop *s = x->p->scop;
    for (int l = s->stmts[stmt].loop; l >= 0; l = s->loops[l].parent) {
        if (l == x->k->dims[d]) return l;
        for (int i = 0; i < x->k->n_alias; i++)
            if (x->k->alias[i].loop == l && x->k->alias[i].dim == d) return l;
    }
    return -1;
}

static bool is_host(const struct poly_kernel *k, int loop)
{
    for (int h = 0; h < k->n_host; h++)
        if (k->host[h] == loop) return true;
    return false;
}

/* Do two values of the loop's variable always mean two elements? A subscript that moves by it and by nothing else that
 * may differ says so. */
static bool told_apart(const struct search *x, const struct poly_access *b, int loop_a, int loop_b, bool all_fixed)
{
    const struct poly_scop *s = x->p->scop;
    if (loop_a != loop_b || b->n_subs != x->held->n_subs) return false;
    for (int d = 0; d < b->n_subs; d++) {
        const struct poly_linear *l = &x->held->sub[d];
        bool alone = l->ok && b->sub[d].ok && rg__poly_linear_equal(l, &b->sub[d]) &&
                     rg__poly_linear_coef(l, s->loops[loop_a].var);
        for (int t = 0; alone && t < l->n; t++)
            for (int i = s->stmts[b->stmt].loop; i >= 0; i = s->loops[i].parent)
                if (i != loop_a && s->loops[i].var == l->term[t].var && !is_host(x->k, i) &&
                    !(all_fixed && rg__poly_loop_inside(s, loop_a, i)))
                    alone = false;
        if (alone) return true;
    }
    return false;
}

static bool apart(const struct search *x, const struct poly_access *b, int loop_a, int loop_b, bool all_fixed)
{
    struct poly_scop *s = x->p->scop;
    int fixed[POLY_MAX_DEPTH], n = 0;
    if (told_apart(x, b, loop_a, loop_b, all_fixed)) return true;
    for (int l = s->loops[loop_a].parent; l >= 0; l = s->loops[l].parent)
        if (all_fixed || is_host(x->k, l)) fixed[n++] = l;
    bool inside = rg__poly_loop_inside(s, s->stmts[b->stmt].loop, x->loop);
    return !rg__poly_hulls_meet(s, x->held, b, inside, x->keep, x->n_keep, loop_a, loop_b, fixed, n);
}

static bool against(void *arg, const struct poly_knode *k)
{
    struct search *x = arg;
    const struct poly_scop *s = x->p->scop;
    int id = k->kind == KN_LEAF && !x->meets ? rg__poly_stmt_of(s, k->node) : -1;
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses && !x->meets; i++) {
        const struct poly_access *b = &s->accesses[s->stmts[id].first_access + i];
        if (b->array != x->held->array) continue;
        for (int d = 0; d < x->k->n_dims && !x->meets; d++) {
            int la = dim_loop(x, x->held->stmt, d), lb = dim_loop(x, id, d);
            x->meets = la < 0 || lb < 0 || !apart(x, b, la, lb, false);
        }
    }
    return !x->meets;
}

/* The loops around the register's that a team shares, from the kernel's body down; a barrier stands between two
 * iterations of what is around such a loop. */
static bool shared(struct search *x, const struct poly_knode *k)
{
    struct poly_scop *s = x->p->scop;
    if (!k || x->meets) return false;
    if (k->kind == KN_LOOP && k->loop == x->loop) return true;
    bool here = false;
    for (int i = 0; i < k->n && !here; i++) here = shared(x, k->kid[i]);
    if (!here || k->kind != KN_LOOP || x->k->form == POLY_THREADS || x->k->form == POLY_SINGLE ||
        rg__poly_share_of_node(s, x->k, k) == POLY_SHARE_NONE)
        return here;
    const struct poly_loop *l = &s->loops[k->loop];
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        for (int u = 0; u < s->stmts[i].n_accesses && !x->meets; u++) {
            const struct poly_access *b = &s->accesses[s->stmts[i].first_access + u];
            if (b->array == x->held->array) x->meets = !apart(x, b, k->loop, k->loop, true);
        }
    return here;
}

bool rg__poly_store_meets(const struct poly_program *p, const struct poly_kernel *k, int loop,
                          const struct poly_access *held, const int *keep, int n_keep)
{
    struct search x = {.p = p, .k = k, .held = held, .loop = loop, .keep = keep, .n_keep = n_keep};
    shared(&x, k->body);
    if (!x.meets) rg__poly_knode_walk(k->body, against, &x);
    return x.meets;
}

/* ---- what a loop keeps updating ---- */

struct touched {
    const struct poly_scop *s;
    const struct poly_knode *loop;
    int array, n;
    bool read, written, bad, certain, stored; /* stored: written whenever the loop runs */
    const struct poly_access *first;
};

/* Directly in the loop's body: reached whenever the loop runs. */
static bool direct(const struct poly_knode *loop, const struct poly_knode *leaf)
{
    const struct poly_knode *b = loop->kid[0];
    for (int i = 0; b && i < b->n; i++)
        if (b->kid[i] == leaf) return true;
    return b == leaf;
}

static bool touch(void *arg, const struct poly_knode *k)
{
    struct touched *t = arg;
    const struct poly_scop *s = t->s;
    if (k->kind != KN_LEAF) return true;
    int id = rg__poly_stmt_of(s, k->node);
    if (id < 0) return true;
    for (int i = 0; i < s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &s->accesses[s->stmts[id].first_access + i];
        if (a->array != t->array) continue;
        t->n++;
        t->read = t->read || a->read;
        t->written = t->written || a->write;
        if (k->node->kind == RG_C_OPAQUE || a->whole || !a->affine || (t->first && a->n_subs != t->first->n_subs))
            t->bad = true;
        for (int d = 0; !t->bad && d < a->n_subs; d++)
            if (!a->sub[d].ok || (t->first && !rg__poly_linear_equal(&a->sub[d], &t->first->sub[d]))) t->bad = true;
        if (a->certain && direct(t->loop, k)) {
            t->certain = true;
            t->stored = t->stored || a->write;
        }
        if (!t->first) t->first = a;
    }
    return true;
}

static bool loop_in(const struct poly_knode *k, const struct poly_scop *s, int var)
{
    if (k->kind == KN_LOOP && s->loops[k->loop].var == var) return true;
    for (int i = 0; i < k->n; i++)
        if (k->kid[i] && loop_in(k->kid[i], s, var)) return true;
    return false;
}

enum { MOST_AROUND = 64 };

/* What is certain where the loop starts: the grid's and the host's loops, and those around it; count. */
static int loops_around(const struct poly_program *p, const struct poly_kernel *k, int loop, int *keep)
{
    int n = 0;
    for (int d = 0; d < k->n_dims; d++) keep[n++] = k->dims[d];
    for (int x = 0; x < k->n_alias; x++) keep[n++] = k->alias[x].loop;
    for (int h = 0; h < k->n_host; h++) keep[n++] = k->host[h];
    for (int l = p->scop->loops[loop].parent; l >= 0 && n < MOST_AROUND; l = p->scop->loops[l].parent) keep[n++] = l;
    return n;
}

bool rg__poly_loop_runs(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop)
{
    int keep[MOST_AROUND], n = loops_around(p, k, loop->loop, keep), stmt;
    return rg__poly_knode_stmts(p->scop, loop, &stmt, 1) && rg__poly_surely_runs(p->scop, stmt, loop->loop, keep, n);
}

int rg__poly_promotions(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop,
                        const bool *taken, struct poly_promotion *out, int cap)
{
    const struct poly_scop *s = p->scop;
    int n = 0, keep[MOST_AROUND], n_keep = loops_around(p, k, loop->loop, keep);
    if (s->problem->may_alias) return 0;
    for (int a = 0; a < s->tree->n_arrays && n < cap; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        struct touched t = {.s = s, .loop = loop, .array = a};
        if (taken[a] || c->elem == RG_STRUCT || c->constant_table || (c->param < 0 && !p->array_scratch[a]) ||
            (k->atomic && k->atomic[a]))
            continue;
        rg__poly_knode_walk(loop, touch, &t);
        if (!t.written || !t.read || t.bad) continue;
        bool varies = false;
        for (int d = 0; d < t.first->n_subs; d++)
            for (int i = 0; i < t.first->sub[d].n; i++)
                varies = varies || loop_in(loop, s, t.first->sub[d].term[i].var);
        if (varies) continue;
        bool exists = rg__poly_in_bounds(p->scop, t.first, keep, n_keep);
        if (!exists && !t.certain) continue;
        /* every iteration around the loop stores it anyway */
        bool every = t.stored && (!exists || rg__poly_loop_runs(p, k, loop));
        if (!every && rg__poly_store_meets(p, k, loop->loop, t.first, keep, n_keep)) continue;
        out[n++] = (struct poly_promotion){a, t.first->node, !exists};
    }
    return n;
}
