/* How long a program would take, roughly, at the size that is timed: launches, what one thread does one after the
 * other, and what all do together. Good to a factor of a few: to tell orders of a nest apart, never to rank kernels. */
#include "poly/kernel/kernel.h"
#include <string.h>

/* Microseconds: a launch within a graph, a statement of a thread that waits for its operands, a barrier; statements a
 * microsecond of a whole device. */
static const double LAUNCH = 3, STATEMENT = 0.04, BARRIER = 0.6, DEVICE = 500000, MULTIPROCESSORS = 132,
                    BLOCK_THREADS = 256, SECTOR = 8, ATOMIC = 50;

struct middle { /* every loop around at the middle of its range: halves triangles, as they are */
    const struct poly_scop *s;
    struct rg_problem_env env;
    double value[POLY_MAX_LOOPS];
    bool known[POLY_MAX_LOOPS];
};

static double value_of(struct middle *m, const struct rg_cnode *e);

static double of_variable(struct middle *m, const struct rg_cnode *e)
{
    int64_t v;
    if (e->array >= 0 || e->var < 0) return 0;
    for (int l = m->s->n_loops - 1; l >= 0; l--)
        if (m->known[l] && m->s->loops[l].var == e->var) return m->value[l];
    const struct rg_cvar *c = &m->s->tree->vars[e->var];
    bool param = c->kind == RG_CVAR_PARAM && m->env.env.name(&m->env, m->s->problem->params[c->param].name, &v);
    return param ? (double)v : 0;
}

static double of_binary(struct middle *m, const struct rg_cnode *e)
{
    double a = value_of(m, e->kid[0]), b = value_of(m, e->kid[1]);
    switch (e->op) {
    case RG_COP_ADD:
        return a + b;
    case RG_COP_SUB:
        return a - b;
    case RG_COP_MUL:
        return a * b;
    case RG_COP_DIV:
        return b != 0 ? a / b : 0;
    case RG_COP_REM:
        return b / 2;
    case RG_COP_LT:
        return a < b;
    case RG_COP_LE:
        return a <= b;
    case RG_COP_GT:
        return a > b;
    case RG_COP_GE:
        return a >= b;
    case RG_COP_EQ:
        return a == b;
    case RG_COP_NE:
        return a != b;
    case RG_COP_AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

static double value_of(struct middle *m, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
        return (double)e->ivalue;
    case RG_C_VAR:
        return of_variable(m, e);
    case RG_C_CAST:
        return value_of(m, e->kid[0]);
    case RG_C_UNARY:
        return e->op == RG_COP_NEG   ? -value_of(m, e->kid[0])
               : e->op == RG_COP_NOT ? value_of(m, e->kid[0]) == 0
                                     : value_of(m, e->kid[0]);
    case RG_C_COND:
        return value_of(m, e->kid[value_of(m, e->kid[0]) != 0 ? 1 : 2]);
    case RG_C_CALL: {
        double a = value_of(m, e->kid[0]), b = e->n > 1 ? value_of(m, e->kid[1]) : 0;
        return (e->text[1] == 'i') == (a < b) ? a : b;
    }
    case RG_C_BINARY:
        return of_binary(m, e);
    default:
        return 0;
    }
}

static bool listed(const int *v, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (v[i] == x) return true;
    return false;
}

/* Of a loop that its data end: as many as there may be, where somebody has said how many that are. */
static const double MOST_ROUNDS = 100000, ROUNDS = 32;

/* How often the loops around and with `inner` run what is in them, of which those of some[] alone count, or all but
 * those; *last: the innermost that counts. */
static double runs_at(const struct poly_scop *s, int inner, bool those, const int *some, int n, bool end, double *last)
{
    struct middle m = {.s = s};
    int chain[POLY_MAX_DEPTH], depth = 0;
    double count = 1;
    if (s->problem->n_sizes) rg_problem_env_init(&m.env, s->problem, &s->problem->sizes[0]);
    for (int l = inner; l >= 0; l = s->loops[l].parent) chain[depth++] = l;
    *last = 1;
    for (int i = depth - 1; i >= 0 && s->problem->n_sizes; i--) {
        const struct poly_loop *l = &s->loops[chain[i]];
        double lo = value_of(&m, l->node->kid[0]), hi = value_of(&m, l->node->kid[1]);
        double trips = (hi - lo) / (double)l->step;
        bool until = l->node->n > 3; /* ends when its data says so */
        m.known[chain[i]] = true;
        m.value[chain[i]] = lo + (trips > 0 ? end ? hi - lo - (double)l->step : (hi - lo) / 2 : 0);
        if (listed(some, n, chain[i]) != those) continue;
        if (until && trips > MOST_ROUNDS) trips = ROUNDS;
        *last = trips > 1 ? trips : 1;
        count *= *last;
    }
    return count;
}

static double runs(const struct poly_scop *s, int inner, bool those, const int *some, int n, double *last)
{
    return runs_at(s, inner, those, some, n, false, last);
}

/* Do neighbours of the innermost loop lie far apart? Then dealing it out to a block's threads costs a sector for every
 * element. */
static bool strided(const struct poly_scop *s, const struct poly_stmt *st)
{
    for (int i = 0; i < st->n_accesses && st->loop >= 0; i++) {
        const struct poly_access *a = &s->accesses[st->first_access + i];
        for (int d = 0; d + 1 < a->n_subs; d++)
            if (a->sub[d].ok && rg__poly_linear_coef(&a->sub[d], s->loops[st->loop].var)) return true;
    }
    return false;
}

static bool collides(const struct poly_kernel *k, const struct poly_stmt *st, const struct poly_scop *s)
{
    for (int i = 0; i < st->n_accesses; i++)
        if (s->accesses[st->first_access + i].update && k->atomic[s->accesses[st->first_access + i].array]) return true;
    return false;
}

static double points_of(const struct poly_scop *s, const struct poly_kernel *k)
{
    double last;
    return k->n_dims ? runs(s, k->dims[k->n_dims - 1], true, k->dims, k->n_dims, &last) : 1;
}

double rg__poly_trips(const struct poly_scop *s, int loop)
{
    double last;
    runs(s, loop, false, NULL, 0, &last);
    return last;
}

double rg__poly_last_trips(const struct poly_scop *s, int loop)
{
    double last;
    runs_at(s, loop, false, NULL, 0, true, &last);
    return last;
}

double rg__poly_launches(const struct poly_scop *s, const struct poly_kernel *k)
{
    double last;
    return k->n_host ? runs(s, k->host[k->n_host - 1], true, k->host, k->n_host, &last) : 1;
}

/* In a loop inside the one that a grid shares: each thread goes through that on its own. */
static bool inside_dealt(const struct poly_scop *s, const struct poly_kernel *k, int loop)
{
    bool shared = k->form == POLY_PARTIAL || k->form == POLY_FINAL;
    return s->threads_inside && shared && loop >= 0 && loop != k->reduce_loop &&
           rg__poly_loop_inside(s, loop, k->reduce_loop);
}

bool rg__poly_may_run_long(const struct poly_scop *s, int stmt)
{
    return s->stmts[stmt].node->kind == RG_C_OPAQUE && rg__c_has_loop(s->stmts[stmt].node);
}

/* How many statements an execution of it is. */
static double weight(const struct poly_scop *s, int stmt)
{
    return s->opaque_loops && rg__poly_may_run_long(s, stmt) ? ROUNDS : 1;
}

double rg__poly_kernel_time(const struct poly_program *p, const struct poly_kernel *k)
{
    const struct poly_scop *s = p->scop;
    int stmts[256], n = rg__poly_knode_stmts(s, k->body, stmts, 256), around[POLY_MAX_DEPTH + 27], n_around = 0;
    double last, launches = rg__poly_launches(s, k), work = 0, dealt = 0, barriers = 0, sectors = 0;
    bool block = k->form == POLY_BLOCK || k->form == POLY_PARTIAL || k->form == POLY_FINAL ||
                 (k->form == POLY_KIR && !k->strides);
    for (int h = 0; h < k->n_host; h++) around[n_around++] = k->host[h];
    double points = points_of(s, k);
    for (int d = 0; d < k->n_dims; d++) around[n_around++] = k->dims[d];
    for (int a = 0; a < k->n_alias; a++) around[n_around++] = k->alias[a].loop;
    for (int i = 0; i < n; i++) {
        const bool inside = inside_dealt(s, k, s->stmts[stmts[i]].loop);
        double times = runs(s, s->stmts[stmts[i]].loop, false, around, n_around, &last) * weight(s, stmts[i]);
        if (inside && k->form == POLY_FINAL) continue; /* it adds up what the other launch's threads have */
        if (inside) runs(s, k->reduce_loop, false, around, n_around, &last);
        work += times;
        sectors += times * (collides(k, &s->stmts[stmts[i]], s)        ? ATOMIC
                            : block && strided(s, &s->stmts[stmts[i]]) ? SECTOR
                                                                       : 1);
        const double threads = inside ? MULTIPROCESSORS * BLOCK_THREADS : BLOCK_THREADS;
        dealt += times / (last < threads ? last : threads); /* in a block the innermost loop is */
        barriers += inside ? 0 : times / last;
    }
    double lone = work * STATEMENT, together = points * sectors / DEVICE;
    if (block) lone = dealt * STATEMENT + barriers * BARRIER;
    return launches * (LAUNCH + (lone > together ? lone : together));
}

double rg__poly_bound(const struct poly_scop *s)
{
    double last, us = LAUNCH;
    for (int i = 0; i < s->n_stmts; i++) us += runs(s, s->stmts[i].loop, false, NULL, 0, &last) / DEVICE;
    return us;
}

double rg__poly_program_time(const struct poly_program *p)
{
    double us = 0;
    for (int i = 0; i < p->n_kernels; i++)
        if (!p->kernels[i].last_resort) us += rg__poly_kernel_time(p, &p->kernels[i]);
    return us;
}

double rg__poly_busiest_points(const struct poly_program *p)
{
    double most = 0, points = 0;
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        double t = k->form == POLY_THREADS && !k->region && !k->last_resort ? rg__poly_kernel_time(p, k) : 0;
        if (t > most) {
            most = t;
            points = points_of(p->scop, k);
        }
    }
    return points;
}

double rg__poly_launch_time(const struct poly_program *p)
{
    double us = 0;
    for (int i = 0; i < p->n_kernels; i++)
        if (!p->kernels[i].last_resort) us += rg__poly_launches(p->scop, &p->kernels[i]) * LAUNCH;
    return us;
}

struct resident {
    const struct poly_scop *s;
    const struct poly_kernel *k;
    double lone, shared; /* executions of statements */
};

static void add_leaves(struct resident *x, const struct poly_knode *k, bool shared)
{
    double last;
    if (!k) return;
    shared = shared || (k->kind == KN_LOOP &&
                        (k->scan || k->dealt || rg__poly_shared_loop((struct poly_scop *)x->s, x->k, k->loop)));
    int id = k->kind == KN_LEAF ? rg__poly_stmt_of(x->s, k->node) : -1;
    if (id >= 0) *(shared ? &x->shared : &x->lone) += runs(x->s, x->s->stmts[id].loop, false, NULL, 0, &last);
    for (int i = 0; i < k->n; i++) add_leaves(x, k->kid[i], shared);
}

void rg__poly_resident_time(const struct poly_program *p, double *lone, double *shared)
{
    struct resident x = {.s = p->scop};
    for (int i = 0; i < p->n_kernels; i++) {
        x.k = &p->kernels[i];
        if (x.k->resident && x.k->form == POLY_BLOCK) add_leaves(&x, x.k->body, false);
    }
    *lone = x.lone * STATEMENT;
    *shared = x.shared * MULTIPROCESSORS / DEVICE;
}

/* ---- a point whose loops a block shares ---- */

struct team {
    const struct poly_program *p;
    const struct poly_kernel *k;
    int around[POLY_MAX_DEPTH + 3], n_around; /* loops that the launches and the grid run */
    double us, all;                           /* of a point, one after the other; statements that its threads run */
};

/* threads: among which the loop around the node is shared; 0: none is. */
static void add_shared(struct team *t, const struct poly_knode *n, double threads)
{
    const struct poly_scop *s = t->p->scop;
    double last;
    if (!n) return;
    if (n->kind == KN_LOOP && threads == 0 &&
        rg__poly_share_of_node((struct poly_scop *)s, t->k, n) != POLY_SHARE_NONE) {
        int outer = s->loops[n->loop].parent;
        t->us += BARRIER * (outer < 0 ? 1 : runs(s, outer, false, t->around, t->n_around, &last));
        runs(s, n->loop, false, t->around, t->n_around, &last);
        threads = last < BLOCK_THREADS ? last : BLOCK_THREADS;
    }
    int id = n->kind == KN_LEAF ? rg__poly_stmt_of(s, n->node) : -1;
    double times = id >= 0 ? runs(s, s->stmts[id].loop, false, t->around, t->n_around, &last) : 0;
    t->us += STATEMENT * times / (threads > 0 ? threads : 1);
    t->all += times * (threads > 0 ? 1 : BLOCK_THREADS); /* all threads alike */
    for (int i = 0; i < n->n; i++) add_shared(t, n->kid[i], threads);
}

double rg__poly_team_time(const struct poly_program *p, const struct poly_kernel *k)
{
    struct team t = {.p = p, .k = k};
    for (int h = 0; h < k->n_host; h++) t.around[t.n_around++] = k->host[h];
    for (int d = 0; d < k->n_dims; d++) t.around[t.n_around++] = k->dims[d];
    add_shared(&t, k->body, 0);
    double together = points_of(p->scop, k) * t.all / DEVICE;
    return rg__poly_launches(p->scop, k) * (together > t.us ? together : t.us);
}

/* ---- to compare ways to cut one program ---- */

/* Statements in loops that one thread of the block has alone, or that every thread repeats. */
static int lone_statements(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n)
{
    int lone = 0;
    if (!n || (n->kind == KN_LOOP && (n->scan || n->dealt || rg__poly_shared_loop(p->scop, k, n->loop)))) return 0;
    int id = n->kind == KN_LEAF ? rg__poly_stmt_of(p->scop, n->node) : -1;
    if (id >= 0) lone = p->scop->stmts[id].depth > k->n_host;
    for (int i = 0; i < n->n; i++) lone += lone_statements(p, k, n->kid[i]);
    return lone;
}

static double node_cost(const struct poly_program *p, const struct poly_hnode *h, double weight)
{
    double c = 0;
    if (h->kind == HN_KERNEL) {
        const struct poly_kernel *k = &p->kernels[h->kernel];
        int stmts[256], n = rg__poly_knode_stmts(p->scop, k->body, stmts, 256), loops = 0;
        for (int i = 0; i < n; i++) loops += p->scop->stmts[stmts[i]].depth > k->n_host;
        bool atomics = false;
        for (int a = 0; a < p->scop->tree->n_arrays; a++) atomics = atomics || k->atomic[a];
        if (k->resident && k->form == POLY_BLOCK) loops = lone_statements(p, k, k->body);
        bool lone = k->form == POLY_SINGLE || (k->resident && k->form == POLY_BLOCK);
        return weight * (lone ? 1 + 100.0 * loops : atomics ? 50 : 1);
    }
    for (int i = 0; i < h->n; i++) c += node_cost(p, h->kid[i], h->kind == HN_FOR ? weight * 1000 : weight);
    return c;
}

double rg__poly_program_cost(const struct poly_program *p)
{
    return node_cost(p, p->root, 1);
}
