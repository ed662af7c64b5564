/* Rows: what a kernel does to the elements of one row, loop after loop. Each loop over the row has its iterations free
 * or carries associative updates alone; what it writes is an element of the iteration's own place, or an accumulator.
 * So a thread that has a place of the row in all of the loops needs nobody else's but the accumulators' totals. */
#include "poly/kernel/rows.h"
#include <string.h>

struct reading {
    const struct poly_program *p;
    struct poly_scop *s;
    const struct poly_kernel *k;
    struct poly_row *r;
    struct rg_reason *why;
};

#define NO(g, ...) rg_refuse((g)->why, __VA_ARGS__)

/* ---- the loops ---- */

/* b - a, where they differ by a number alone. */
static bool apart_by(const struct poly_linear *a, const struct poly_linear *b, int64_t *d)
{
    *d = b->k - a->k;
    return a->ok && b->ok && rg__poly_linear_same_terms(a, b);
}

static bool take_loop(struct reading *g, const struct poly_knode *k)
{
    struct poly_row *r = g->r;
    const struct poly_loop *l = &g->s->loops[k->loop];
    int64_t d = 0, e = 0;
    enum poly_share share = rg__poly_share_of_node(g->s, g->k, k);
    if (share != POLY_SHARE_DEAL && share != POLY_SHARE_REDUCE)
        return NO(g, RG_REFUSE_DEPENDENCE, l->node->line,
                  "loop %s carries more than sums, products, minima and the like from one iteration to the next",
                  l->name);
    if (l->step != 1 || l->node->n > 3 || !l->rectangular || k->piece)
        return NO(g, RG_REFUSE_BOUNDS, l->node->line,
                  "loop %s is no plain one over all of a row: its bounds vary, or it does not go by one", l->name);
    if (r->n_loops && (!apart_by(&r->first, &l->lower, &d) || !apart_by(&r->end, &l->upper, &e)))
        return NO(g, RG_REFUSE_SHAPE, g->s->loops[r->loops[0].k->loop].node->line,
                  "loops %s and %s are not over the same row", g->s->loops[r->loops[0].k->loop].name, l->name);
    if (r->n_loops == POLY_ROW_LOOPS)
        return NO(g, RG_REFUSE_SPACE, 0, "there are more than %d loops over the row", POLY_ROW_LOOPS);
    if (!r->n_loops || d < 0) {
        r->lower = l->node->kid[0];
        r->first = l->lower;
    }
    if (!r->n_loops || e > 0) {
        r->upper = l->node->kid[1];
        r->end = l->upper;
    }
    struct poly_row_loop *x = &r->loops[r->n_loops++];
    *x = (struct poly_row_loop){.k = k};
    if (share != POLY_SHARE_REDUCE) return true;
    struct poly_acc acc[16];
    x->n_acc = rg__poly_accumulators(g->s, g->k, k->loop, acc, 16);
    for (int i = 0; i < x->n_acc && x->n_acc <= POLY_ROW_ACCS; i++) {
        x->acc[i] = acc[i];
        if (acc[i].role != POLY_ACC_PLAIN)
            return NO(g, RG_REFUSE_SHAPE, l->node->line, "loop %s looks for the place of a best value", l->name);
        if (rg_scalar_bytes(acc[i].type) != 4 && rg_scalar_bytes(acc[i].type) != 8)
            return NO(g, RG_REFUSE_SHAPE, l->node->line, "loop %s accumulates values that lanes cannot exchange",
                      l->name);
    }
    return x->n_acc <= POLY_ROW_ACCS ||
           NO(g, RG_REFUSE_SPACE, l->node->line, "loop %s accumulates %d values", l->name, x->n_acc);
}

static bool take_items(struct reading *g)
{
    const struct poly_knode *body = g->k->body;
    for (int i = 0; i < body->n; i++) {
        const struct poly_knode *k = body->kid[i];
        if (k->kind == KN_LEAF && k->node->kind == RG_C_OPAQUE)
            return NO(g, RG_REFUSE_ANALYSIS, k->node->line, "%s:%d: %s", g->s->problem->file, k->node->line,
                      k->node->why ? k->node->why : "not affine");
        if (k->kind == KN_LOOP ? !take_loop(g, k) : k->kind != KN_LEAF && rg__poly_knode_has_loop(k))
            return k->kind == KN_LOOP ? false : NO(g, RG_REFUSE_SHAPE, 0, "a loop of the row runs under a condition");
    }
    for (int i = 0; i < g->r->n_loops; i++) {
        const struct poly_loop *l = &g->s->loops[g->r->loops[i].k->loop];
        g->r->loops[i].skip = l->lower.k - g->r->first.k;
        g->r->loops[i].rest = g->r->end.k - l->upper.k;
    }
    return true;
}

/* ---- the elements ---- */

/* The row's loop that stands around the statement; -1. */
static int row_loop(const struct poly_scop *s, const struct poly_row *r, int stmt)
{
    for (int i = 0; i < r->n_loops; i++)
        if (s->stmts[stmt].loop >= 0 && rg__poly_loop_inside(s, s->stmts[stmt].loop, r->loops[i].k->loop)) return i;
    return -1;
}

/* Only over what is the same for the whole row: parameters, the kernel's dimensions, host loops. */
static bool for_the_row(const struct poly_scop *s, const struct poly_kernel *k, const struct poly_linear *l, int but)
{
    for (int i = 0; l->ok && i < l->n; i++) {
        bool known = l->term[i].var == but || s->tree->vars[l->term[i].var].kind == RG_CVAR_PARAM;
        for (int d = 0; d < k->n_dims; d++) known = known || s->loops[k->dims[d]].var == l->term[i].var;
        for (int a = 0; a < k->n_alias; a++) known = known || s->loops[k->alias[a].loop].var == l->term[i].var;
        for (int h = 0; h < k->n_host; h++) known = known || s->loops[k->host[h]].var == l->term[i].var;
        if (!known) return false;
    }
    return l->ok;
}

/* A[...][j + shift], one element for each iteration of its loop over the row? */
static bool at_place(const struct reading *g, const struct poly_access *a, int64_t *shift)
{
    int loop = row_loop(g->s, g->r, a->stmt), n = a->n_subs;
    if (loop < 0 || !a->affine || a->whole || a->member || n < 1 || n != g->s->tree->arrays[a->array].n_dims)
        return false;
    int var = g->s->loops[g->r->loops[loop].k->loop].var;
    for (int d = 0; d < n; d++) {
        bool last = d + 1 == n;
        if (!for_the_row(g->s, g->k, &a->sub[d], last ? var : -1) || (rg__poly_linear_coef(&a->sub[d], var) != last))
            return false;
    }
    *shift = a->sub[n - 1].k;
    return a->sub[n - 1].n == 1;
}

static bool for_all(const struct reading *g, const struct poly_access *a)
{
    bool ok = a->affine && !a->whole && !a->member && a->n_subs == g->s->tree->arrays[a->array].n_dims;
    for (int d = 0; ok && d < a->n_subs; d++) ok = for_the_row(g->s, g->k, &a->sub[d], -1);
    return ok;
}

/* The same element, or row, but for the loop's variable. */
static bool same_row(const struct poly_access *a, const struct poly_access *b)
{
    for (int d = 0; d + 1 < a->n_subs; d++)
        if (!rg__poly_linear_equal(&a->sub[d], &b->sub[d])) return false;
    return a->n_subs == b->n_subs && a->sub[a->n_subs - 1].k == b->sub[b->n_subs - 1].k;
}

static bool same_element(const struct poly_access *a, const struct poly_access *b)
{
    for (int d = 0; d < a->n_subs; d++)
        if (!rg__poly_linear_equal(&a->sub[d], &b->sub[d])) return false;
    return a->n_subs == b->n_subs;
}

/* Certainly another element: some subscript differs by a number. */
static bool other_element(const struct poly_access *a, const struct poly_access *b)
{
    int64_t d;
    for (int i = 0; i < a->n_subs && a->n_subs == b->n_subs; i++)
        if (apart_by(&a->sub[i], &b->sub[i], &d) && d) return true;
    return false;
}

static const struct poly_access *access_of(const struct poly_scop *s, const struct rg_cnode *index)
{
    for (int i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].node == index) return &s->accesses[i];
    return NULL;
}

/* Does it exist wherever the row's loop runs, whatever the conditions around it say? */
static bool exists(struct reading *g, const struct poly_access *a)
{
    int keep[2 * POLY_MAX_DEPTH], n = 0, loop = row_loop(g->s, g->r, a->stmt);
    for (int i = 0; i < g->k->n_host; i++) keep[n++] = g->k->host[i];
    for (int l = loop < 0 ? -1 : g->r->loops[loop].k->loop; l >= 0; l = g->s->loops[l].parent) {
        bool host = false;
        for (int i = 0; i < g->k->n_host; i++) host = host || g->k->host[i] == l;
        if (!host) keep[n++] = l;
    }
    return rg__poly_in_bounds(g->s, a, keep, n);
}

/* Is the statement one of the loop's own, under no condition? */
static bool unconditional(const struct poly_scop *s, const struct poly_knode *seq, int stmt)
{
    for (int i = 0; i < seq->n; i++)
        if (seq->kid[i]->kind == KN_LEAF && seq->kid[i]->node == s->stmts[stmt].node) return true;
    return false;
}

static bool take_place(struct reading *g, const struct poly_access *a, int64_t shift, bool written)
{
    struct poly_row *r = g->r;
    const struct rg_carray *c = &g->s->tree->arrays[a->array];
    int loop = row_loop(g->s, r, a->stmt), at = 0;
    const struct poly_row_loop *l = &r->loops[loop];
    bool certain = a->certain && unconditional(g->s, l->k->kid[0], a->stmt);
    if (a->write && !certain)
        return NO(g, RG_REFUSE_DEPENDENCE, g->s->stmts[a->stmt].line, "%s:%d: %s is written under a condition",
                  g->s->problem->file, g->s->stmts[a->stmt].line, c->name);
    if (!certain && !exists(g, a))
        return written ? NO(g, RG_REFUSE_SHAPE, g->s->stmts[a->stmt].line,
                            "%s:%d: what is read of %s under a condition may not exist without it", g->s->problem->file,
                            g->s->stmts[a->stmt].line, c->name)
                       : true; /* read where it is, under its condition */
    while (at < r->n_arrays && r->arrays[at].array != a->array) at++;
    if (at < r->n_arrays && !same_row(access_of(g->s, r->arrays[at].element), a))
        return written ? NO(g, RG_REFUSE_DEPENDENCE, g->s->stmts[a->stmt].line,
                            "%s:%d: %s is written, and two of its rows are used", g->s->problem->file,
                            g->s->stmts[a->stmt].line, c->name)
                       : true;
    if (at == POLY_ROW_ARRAYS)
        return written ? NO(g, RG_REFUSE_SPACE, 0, "more than %d arrays have a row", POLY_ROW_ARRAYS) : true;
    r->places[r->n_places++] = (struct poly_row_place){a->node, at};
    struct poly_row_array *x = &r->arrays[at];
    if (at == r->n_arrays) {
        /* the first access decides whether what stood there matters: a thread's later ones see its own registers */
        *x = (struct poly_row_array){.array = a->array,
                                     .element = a->node,
                                     .shift = shift,
                                     .skip = l->skip,
                                     .rest = l->rest,
                                     .from = loop,
                                     .to = loop,
                                     .load = a->read};
        r->n_arrays++;
    }
    /* a loop over more of the row than those in front: what it leaves alone must be what it was */
    if (l->skip < x->skip || l->rest < x->rest) {
        x->load = true;
        x->skip = l->skip < x->skip ? l->skip : x->skip;
        x->rest = l->rest < x->rest ? l->rest : x->rest;
    }
    x->to = loop;
    x->store = x->store || a->write;
    return true;
}

static bool take_element(struct reading *g, const struct poly_access *a)
{
    struct poly_row *r = g->r;
    const struct rg_carray *c = &g->s->tree->arrays[a->array];
    int loop = row_loop(g->s, r, a->stmt), at = -1;
    for (int i = 0; i < r->n_elements; i++) {
        const struct poly_access *o = access_of(g->s, r->elements[i].element);
        if (r->elements[i].array != a->array) continue;
        if (same_element(o, a))
            at = i;
        else if (!other_element(o, a))
            return NO(g, RG_REFUSE_DEPENDENCE, g->s->stmts[a->stmt].line, "%s:%d: two elements of %s may be one",
                      g->s->problem->file, g->s->stmts[a->stmt].line, c->name);
    }
    const struct poly_knode *around = loop < 0 ? g->k->body : r->loops[loop].k->kid[0];
    if (a->write && (!a->certain || !unconditional(g->s, around, a->stmt)))
        return NO(g, RG_REFUSE_DEPENDENCE, g->s->stmts[a->stmt].line, "%s:%d: %s is written under a condition",
                  g->s->problem->file, g->s->stmts[a->stmt].line, c->name);
    if (a->write && loop >= 0 && !a->target)
        return NO(g, RG_REFUSE_DEPENDENCE, g->s->stmts[a->stmt].line,
                  "%s:%d: every iteration writes the same element of %s", g->s->problem->file,
                  g->s->stmts[a->stmt].line, c->name);
    if (!a->write && !a->certain && at < 0)
        return NO(g, RG_REFUSE_SHAPE, g->s->stmts[a->stmt].line,
                  "%s:%d: what is read of %s under a condition may not exist without it", g->s->problem->file,
                  g->s->stmts[a->stmt].line, c->name);
    if (at >= 0) return true;
    if (r->n_elements == POLY_ROW_ELEMENTS)
        return NO(g, RG_REFUSE_SPACE, 0, "more than %d elements stand for a row", POLY_ROW_ELEMENTS);
    r->elements[r->n_elements++] = (struct poly_row_element){.array = a->array, .element = a->node, .load = a->read};
    return true;
}

static bool take_array(struct reading *g, int array, const int *stmts, int n)
{
    const struct rg_carray *c = &g->s->tree->arrays[array];
    bool written = false, local = c->param < 0 && !c->constant_table;
    for (int i = 0; i < n; i++)
        for (int x = 0; x < g->s->stmts[stmts[i]].n_accesses; x++) {
            const struct poly_access *a = &g->s->accesses[g->s->stmts[stmts[i]].first_access + x];
            written = written || (a->array == array && a->write);
        }
    bool own = local && g->s->array_decl_loop[array] >= 0;
    for (int h = 0; h < g->k->n_host; h++) own = own && g->s->array_decl_loop[array] != g->k->host[h];
    if (local && !own && !g->p->array_scratch[array])
        return NO(g, RG_REFUSE_SHAPE, 0, "local array %s is each thread's own", c->name);
    if (g->k->atomic && g->k->atomic[array])
        return NO(g, RG_REFUSE_DEPENDENCE, 0, "updates of %s collide with those of other rows", c->name);
    for (int i = 0; i < n; i++)
        for (int x = 0; x < g->s->stmts[stmts[i]].n_accesses; x++) {
            const struct poly_access *a = &g->s->accesses[g->s->stmts[stmts[i]].first_access + x];
            int64_t shift;
            if (a->array != array) continue;
            if (!a->node) return NO(g, RG_REFUSE_SHAPE, 0, "local array %s is declared with values", c->name);
            bool place = at_place(g, a, &shift);
            if (place ? !take_place(g, a, shift, written) : written && for_all(g, a) && !take_element(g, a))
                return false;
            if (!place && written && !for_all(g, a))
                return NO(g, RG_REFUSE_DEPENDENCE, g->s->stmts[stmts[i]].line,
                          "%s:%d: %s is written, and used at a place of its row that is not the loop's",
                          g->s->problem->file, g->s->stmts[stmts[i]].line, c->name);
        }
    for (int i = 0; i < g->r->n_arrays; i++)
        for (int e = 0; e < g->r->n_elements; e++)
            if (g->r->arrays[i].array == array && g->r->elements[e].array == array)
                return NO(g, RG_REFUSE_DEPENDENCE, 0, "%s is written both along the row and at one place of it",
                          c->name);
    for (int i = 0; own && i < g->r->n_arrays; i++)
        if (g->r->arrays[i].array == array) {
            if (g->r->arrays[i].load)
                return NO(g, RG_REFUSE_DEPENDENCE, 0, "local array %s is read before it is filled", c->name);
            g->r->arrays[i].own = true;
            g->r->arrays[i].store = false;
            own = false;
        }
    return !own || NO(g, RG_REFUSE_SHAPE, 0, "local array %s is no row", c->name);
}

/* Scalars that come from another kernel, or go to one, live in buffers. */
static bool scalars_ok(struct reading *g)
{
    struct poly_effect e = rg__poly_effect_new(g->s);
    bool ok = true;
    rg__poly_kernel_effect(g->p, g->k, &e);
    for (int v = 0; ok && v < g->s->tree->n_vars; v++)
        if ((e.read[v] || e.written[v]) && g->p->scalar_scratch[v])
            ok = NO(g, RG_REFUSE_DEPENDENCE, 0, "scalar %s is shared with other kernels", g->s->tree->vars[v].name);
    rg__poly_effect_free(&e);
    return ok;
}

bool rg__poly_row_of(const struct poly_program *p, const struct poly_kernel *k, struct poly_row *r,
                     struct rg_reason *why)
{
    struct reading g = {p, p->scop, k, r, why};
    int stmts[256], n = rg__poly_knode_stmts(p->scop, k->body, stmts, 256), reduced = 0;
    memset(r, 0, sizeof *r);
    if (p->scop->problem->may_alias)
        return NO(&g, RG_REFUSE_DEPENDENCE, 0,
                  "arrays may overlap: what is held in registers might be written through another name");
    if (!k->n_dims || n == 256) return NO(&g, RG_REFUSE_SHAPE, 0, "the kernel has no rows");
    for (int d = 0; d < k->n_dims; d++)
        if (!p->scop->loops[k->dims[d]].rectangular || p->scop->loops[k->dims[d]].step != 1)
            return NO(&g, RG_REFUSE_SHAPE, p->scop->loops[k->dims[d]].node->line,
                      "loop %s does not go by one from a fixed start to a fixed end", p->scop->loops[k->dims[d]].name);
    if (!take_items(&g)) return false;
    for (int i = 0; i < r->n_loops; i++) reduced += r->loops[i].n_acc > 0;
    if (!reduced) return NO(&g, RG_REFUSE_SHAPE, 0, "no loop over a row reduces it");
    for (int a = 0; a < p->scop->tree->n_arrays; a++)
        if (!p->scop->array_hidden[a] && rg__poly_knode_uses_array(p->scop, k->body, a, NULL) &&
            !take_array(&g, a, stmts, n))
            return false;
    bool again = false;
    for (int i = 0; i < r->n_arrays; i++) again = again || r->arrays[i].from < r->arrays[i].to;
    if (!again) return NO(&g, RG_REFUSE_SHAPE, 0, "no row is gone over twice");
    return scalars_ok(&g);
}

static bool linear_at(const struct poly_scop *s, const struct poly_linear *l, struct rg_problem_env *env, int64_t *v)
{
    *v = l->k;
    for (int i = 0; i < l->n; i++) {
        const struct rg_cvar *c = &s->tree->vars[l->term[i].var];
        int64_t x;
        if (c->kind != RG_CVAR_PARAM || !env->env.name(env, s->problem->params[c->param].name, &x)) return false;
        *v += l->term[i].c * x;
    }
    return l->ok;
}

int64_t rg__poly_row_length(const struct poly_scop *s, const struct poly_row *r, const struct rg_sizes *z)
{
    struct rg_problem_env env;
    int64_t first, end;
    rg_problem_env_init(&env, s->problem, z);
    return linear_at(s, &r->first, &env, &first) && linear_at(s, &r->end, &env, &end) ? end - first : -1;
}

int rg__poly_row_array_of(const struct poly_row *r, const struct rg_cnode *index)
{
    for (int i = 0; i < r->n_places; i++)
        if (r->places[i].node == index) return r->places[i].array;
    return -1;
}

int rg__poly_row_element_of(const struct poly_scop *s, const struct poly_row *r, const struct rg_cnode *index)
{
    const struct poly_access *a = access_of(s, index);
    for (int i = 0; a && i < r->n_elements; i++)
        if (r->elements[i].array == a->array && same_element(access_of(s, r->elements[i].element), a)) return i;
    return -1;
}
