/* Collects loops, statements and accesses of a tree, with isl domains and access maps. */
#include "poly/analysis/scop.h"
#include <stdlib.h>
#include <string.h>

/* ---- walking ---- */

struct builder {
    struct poly_scop *s;
    int loops[POLY_MAX_DEPTH], depth;
    int n_conds;
    const struct rg_cnode *conds[32]; /* enclosing affine conditions, and whether we stand in the else part */
    bool negated[32];
    int conds_lost; /* deeper than that: the domain is a superset */
    struct rg_error *err;
};

static enum rg_status walk(struct builder *b, const struct rg_cnode *n);

static isl_space *stmt_space(const struct poly_scop *s, int id, int depth)
{
    char name[32];
    isl_space *sp = isl_space_set_alloc(s->ctx, 0, (unsigned)depth);
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        if (c->kind != RG_CVAR_PARAM || c->assigned || rg_scalar_is_real(c->type) || c->type == RG_STRUCT) continue;
        isl_size n = isl_space_dim(sp, isl_dim_param);
        sp = isl_space_add_dims(sp, isl_dim_param, 1);
        sp = isl_space_set_dim_name(sp, isl_dim_param, (unsigned)(n < 0 ? 0 : n), c->name);
    }
    snprintf(name, sizeof name, "S%d", id);
    return isl_space_set_tuple_name(sp, isl_dim_set, name);
}

static isl_set *build_domain(struct builder *b, int id, bool *exact)
{
    struct poly_scop *s = b->s;
    rg__poly_isl_begin(s);
    isl_space *sp = stmt_space(s, id, b->depth);
    isl_set *dom = isl_set_universe(isl_space_copy(sp));
    *exact = b->conds_lost == 0;
    for (int d = 0; d < b->depth; d++) dom = rg__poly_loop_bounds(s, b->loops, sp, dom, d, exact);
    for (int i = 0; i < b->n_conds; i++) {
        isl_set *c = rg__poly_condition(s, b->loops, b->depth, sp, b->conds[i]);
        if (!c)
            *exact = false;
        else
            dom = isl_set_intersect(dom, b->negated[i] ? isl_set_complement(c) : c);
    }
    dom = isl_set_coalesce(dom);
    if (!rg__poly_isl_ok(s) || !dom) { /* too much for isl: everything may happen */
        isl_set_free(dom);
        rg__poly_isl_begin(s);
        dom = isl_set_universe(isl_space_copy(sp));
        *exact = false;
    }
    isl_space_free(sp);
    return dom;
}

static const struct rg_cnode *index_node(const struct rg_cnode *n)
{
    while (n && n->kind == RG_C_MEMBER && n->n) n = n->kid[0];
    return n;
}

/* Unsigned differences, sums of 32 bits and what becomes unsigned may come round: what holds of them says nothing of
 * integers. */
static bool comes_round(const struct rg_cnode *e)
{
    const bool sums = e->kind == RG_C_BINARY && rg_c_arithmetic(e->op), turns = e->op == RG_COP_NEG;
    const bool unlike = turns || e->op == RG_COP_SUB || rg_scalar_bytes(e->type) < 8;
    if ((sums || turns) && !rg_scalar_is_real(e->type) && !rg_scalar_is_signed(e->type) && unlike) return true;
    const bool cast = e->kind == RG_C_CAST && e->n == 1 && !rg_scalar_is_real(e->type) && e->type != RG_BOOL;
    if (cast && rg_scalar_is_signed(e->type) != rg_scalar_is_signed(e->kid[0]->type)) return true;
    for (int i = 0; i < e->n; i++)
        if (comes_round(e->kid[i])) return true;
    return false;
}

/* Of a domain, where c holds, or does not: as much as is affine of what must hold then. */
static isl_set *where(const struct poly_scop *s, const struct poly_stmt *st, isl_set *dom, const struct rg_cnode *c,
                      bool holds)
{
    if (c->op == RG_COP_NOT && c->n == 1) return where(s, st, dom, c->kid[0], !holds);
    if (rg_c_lazy(c->op) && c->n == 2 && (c->op == RG_COP_AND) == holds)
        return where(s, st, where(s, st, dom, c->kid[0], holds), c->kid[1], holds);
    if (comes_round(c)) return dom;
    isl_space *sp = isl_set_get_space(st->domain);
    isl_set *only = rg__poly_condition(s, st->loops, st->depth, sp, c);
    isl_space_free(sp);
    return only ? isl_set_intersect(dom, holds ? only : isl_set_complement(only)) : dom;
}

/* Narrows the domain to where the expression's part `to` is evaluated: an arm of ?:, the right side of && and ||.
 * False: `to` is not in it. */
static bool evaluated(const struct poly_scop *s, const struct poly_stmt *st, const struct rg_cnode *e,
                      const struct rg_cnode *to, isl_set **dom)
{
    if (!e) return false;
    if (e == to) return true;
    for (int i = 0; i < e->n; i++) {
        if (!evaluated(s, st, e->kid[i], to, dom)) continue;
        const bool choice = e->kind == RG_C_COND && e->n == 3 && !e->twins, lazy = rg_c_lazy(e->op) && e->n == 2;
        if (i > 0 && (choice || lazy)) *dom = where(s, st, *dom, e->kid[0], choice ? i == 1 : e->op == RG_COP_AND);
        return true;
    }
    return false;
}

static int occurrences(const struct rg_cnode *e, const struct rg_cnode *of)
{
    int n = e == of;
    for (int i = 0; e && i < e->n; i++) n += occurrences(e->kid[i], of);
    return n;
}

/* Where a statement's iterations come to an access. A node that stands in several places of the tree may be come to
 * everywhere. */
static isl_set *accessed(const struct poly_scop *s, const struct poly_stmt *st, const struct rg_cnode *to)
{
    isl_set *dom = isl_set_copy(st->domain);
    const bool plain = to && st->node && (st->node->kind == RG_C_STMT || st->node->kind == RG_C_DECL);
    if (!plain || st->node->n == 0 || occurrences(st->node->kid[0], to) != 1) return dom;
    evaluated(s, st, st->node->kid[0], to, &dom);
    return dom;
}

static void add_array_access(struct poly_scop *s, struct poly_stmt *st, const struct rg_caccess *c)
{
    RG_GROW(s->accesses, s->n_accesses, s->cap_accesses);
    struct poly_access *a = &s->accesses[s->n_accesses++];
    memset(a, 0, sizeof *a);
    a->stmt = st->id;
    a->array = c->array;
    a->node = index_node(c->node);
    a->read = c->read;
    a->write = c->write;
    a->certain = c->certain;
    a->whole = c->whole;
    const struct rg_carray *arr = &s->tree->arrays[c->array];
    int dims = arr->n_dims < POLY_MAX_DIMS ? arr->n_dims : POLY_MAX_DIMS;
    if (!a->node || a->node->kind != RG_C_INDEX || a->node->n < arr->n_dims || arr->n_dims > POLY_MAX_DIMS)
        a->whole = true;
    a->affine = !a->whole;
    a->n_subs = a->whole ? 0 : dims;
    rg__poly_isl_begin(s);
    isl_map *m = isl_map_from_domain(a->certain ? isl_set_copy(st->domain) : accessed(s, st, a->node));
    m = isl_map_add_dims(m, isl_dim_out, (unsigned)dims);
    for (int d = 0; !a->whole && d < dims; d++) {
        bool any = c->varies >> d & 1;
        a->varies = a->varies || any;
        a->sub[d] = rg__poly_linear_of(s->tree, a->node->kid[d]);
        isl_space *sp = isl_set_get_space(st->domain);
        isl_pw_aff *pa = any ? NULL : rg__poly_aff(s, st->loops, st->depth, sp, a->node->kid[d]);
        isl_map *one = pa ? isl_map_from_pw_aff(pa) /* S -> [x] */
                          : rg__poly_bounded(s, st->loops, st->depth, sp, a->node->kid[d]);
        isl_space_free(sp);
        if (!one) one = rg__poly_counted_place(s, st, a->node, a->node->kid[d]);
        if (!pa) {
            a->affine = false;
            a->sub[d].ok = false;
        }
        if (!one) continue;
        one = isl_map_insert_dims(one, isl_dim_out, 0, (unsigned)d);
        one = isl_map_add_dims(one, isl_dim_out, (unsigned)(dims - d - 1));
        m = isl_map_intersect(m, one);
    }
    char name[32];
    snprintf(name, sizeof name, "A%d", c->array);
    m = isl_map_set_tuple_name(m, isl_dim_out, name);
    if (!rg__poly_isl_ok(s) || !m) {
        isl_map_free(m);
        rg__poly_isl_begin(s);
        m = isl_map_from_domain(isl_set_copy(st->domain));
        m = isl_map_add_dims(m, isl_dim_out, (unsigned)dims);
        m = isl_map_set_tuple_name(m, isl_dim_out, name);
        a->affine = false;
    }
    a->map = m;
    st->n_accesses++;
}

struct collect {
    struct poly_scop *s;
    struct poly_stmt *st;
};

static void on_access(void *arg, const struct rg_caccess *a)
{
    struct collect *c = arg;
    if (a->array >= 0 && a->array < c->s->tree->n_arrays && !c->s->tree->arrays[a->array].constant_table &&
        !c->s->array_hidden[a->array])
        add_array_access(c->s, c->st, a);
}

/* Declarations inside an opaque part belong to it alone. */
static void hide(struct poly_scop *s, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array >= 0)
        s->array_hidden[n->array] = true;
    else if (n->kind == RG_C_DECL && n->var >= 0)
        s->var_hidden[n->var] = true;
    else if (n->kind == RG_C_LOOP && n->var >= 0)
        s->var_hidden[n->var] = true;
    for (int i = 0; i < n->n; i++) hide(s, n->kid[i]);
}

static enum rg_status add_stmt(struct builder *b, const struct rg_cnode *n)
{
    struct poly_scop *s = b->s;
    if (s->n_stmts >= POLY_MAX_STMTS)
        return rg_error_at(b->err, RG_INPUT, s->problem->file, n->line, n->column,
                           "more than %d statements: too many for dependence analysis", POLY_MAX_STMTS);
    RG_GROW(s->stmts, s->n_stmts, s->cap_stmts);
    struct poly_stmt *st = &s->stmts[s->n_stmts];
    memset(st, 0, sizeof *st);
    st->id = s->n_stmts++;
    st->node = n;
    rg__poly_stmt_add(s, st->id);
    st->line = n->line;
    st->depth = b->depth;
    memcpy(st->loops, b->loops, sizeof st->loops);
    st->loop = b->depth ? b->loops[b->depth - 1] : -1;
    st->red_array = st->red_var = -1;
    st->domain = build_domain(b, st->id, &st->exact);
    st->first_access = s->n_accesses;
    if (n->kind == RG_C_DECL && n->array >= 0) {
        s->array_decl_loop[n->array] = st->loop;
        if (n->n && n->kid[0]) {
            struct rg_caccess w = {
                .node = NULL, .array = n->array, .var = -1, .write = true, .whole = true, .certain = true};
            add_array_access(s, st, &w);
        }
    } else if (n->kind == RG_C_DECL && n->var >= 0) {
        s->decl_loop[n->var] = st->loop;
    }
    struct collect c = {s, st};
    if (n->kind == RG_C_OPAQUE) hide(s, n);
    if (n->kind == RG_C_DECL) {
        if (n->n && n->kid[0]) rg_c_accesses(s->tree, n->kid[0], on_access, &c);
    } else {
        rg_c_accesses(s->tree, n, on_access, &c);
    }
    if (rg__mentions_kind(n, RG_C_RETURN) && s->tree->result_array >= 0) {
        struct rg_caccess w = {
            .node = NULL, .array = s->tree->result_array, .var = -1, .write = true, .whole = true, .certain = true};
        bool listed = false;
        for (int i = st->first_access; i < s->n_accesses; i++)
            listed = listed || (s->accesses[i].array == s->tree->result_array && s->accesses[i].write);
        if (!listed) add_array_access(s, st, &w);
    }
    return RG_OK;
}

static bool params_only(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (!e) return true;
    if (e->kind == RG_C_VAR) return e->var >= 0 && s->tree->vars[e->var].kind == RG_CVAR_PARAM;
    for (int i = 0; i < e->n; i++)
        if (!params_only(s, e->kid[i])) return false;
    return true;
}

static enum rg_status walk_loop(struct builder *b, const struct rg_cnode *n)
{
    struct poly_scop *s = b->s;
    if (s->n_loops >= POLY_MAX_LOOPS || b->depth >= POLY_MAX_DEPTH)
        return rg_error_at(b->err, RG_INPUT, s->problem->file, n->line, n->column,
                           "more than %d loops, or %d nested: too many for dependence analysis", POLY_MAX_LOOPS,
                           POLY_MAX_DEPTH);
    struct poly_loop *l = &s->loops[s->n_loops];
    l->node = n;
    l->id = s->n_loops++;
    l->parent = b->depth ? b->loops[b->depth - 1] : -1;
    l->depth = b->depth;
    l->var = n->var;
    l->step = n->step;
    l->name = s->tree->vars[n->var].name;
    l->first_stmt = s->n_stmts;
    l->lower = rg__poly_linear_of(s->tree, n->kid[0]);
    l->upper = rg__poly_linear_of(s->tree, n->kid[1]);
    l->rectangular = params_only(s, n->kid[0]) && params_only(s, n->kid[1]);
    int64_t lo, hi;
    if (rg__poly_linear_const(&l->lower, &lo) && rg__poly_linear_const(&l->upper, &hi)) {
        l->constant = true;
        int64_t d = l->step > 0 ? hi - lo : lo - hi, m = l->step > 0 ? l->step : -l->step;
        l->trip = d > 0 ? (d + m - 1) / m : 0;
    }
    b->loops[b->depth++] = l->id;
    int id = l->id;
    enum rg_status st = walk(b, n->kid[2]);
    b->depth--;
    s->loops[id].n_stmts = s->n_stmts - s->loops[id].first_stmt;
    return st;
}

static enum rg_status walk_if(struct builder *b, const struct rg_cnode *n)
{
    enum rg_status st = RG_OK;
    for (int i = 1; i < n->n && i < 3 && st == RG_OK; i++) {
        if (!n->kid[i]) continue;
        if (b->n_conds < 32) {
            b->conds[b->n_conds] = n->kid[0];
            b->negated[b->n_conds++] = i == 2;
            st = walk(b, n->kid[i]);
            b->n_conds--;
        } else {
            b->conds_lost++;
            st = walk(b, n->kid[i]);
            b->conds_lost--;
        }
    }
    return st;
}

static enum rg_status walk(struct builder *b, const struct rg_cnode *n)
{
    enum rg_status st = RG_OK;
    if (!n) return RG_OK;
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < n->n && st == RG_OK; i++) st = walk(b, n->kid[i]);
        return st;
    case RG_C_LOOP:
        if (n->n < 3 || n->var < 0 || n->var >= b->s->tree->n_vars || n->step == 0)
            return rg_error_at(b->err, RG_INPUT, b->s->problem->file, n->line, n->column, "malformed loop in the tree");
        return walk_loop(b, n);
    case RG_C_IF:
        return walk_if(b, n);
    default:
        return add_stmt(b, n);
    }
}

enum rg_status rg__poly_scop_new(const struct rg_problem *p, const struct rg_ctree *t, struct poly_scop **out,
                                 struct rg_error *err)
{
    *out = NULL;
    struct poly_scop *s = rg_xcalloc(1, sizeof *s);
    s->problem = p;
    s->tree = t;
    s->ctx = isl_ctx_alloc();
    isl_options_set_on_error(s->ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(s->ctx, POLY_ISL_OPERATIONS);
    s->decl_loop = rg_xcalloc((size_t)t->n_vars + 1, sizeof(int));
    s->array_decl_loop = rg_xcalloc((size_t)t->n_arrays + 1, sizeof(int));
    s->var_hidden = rg_xcalloc((size_t)t->n_vars + 1, 1);
    s->array_hidden = rg_xcalloc((size_t)t->n_arrays + 1, 1);
    for (int i = 0; i < t->n_vars; i++) s->decl_loop[i] = -2;
    for (int i = 0; i < t->n_arrays; i++) s->array_decl_loop[i] = -2;
    s->declared = rg_xcalloc((size_t)t->n_vars + 1, sizeof(struct rg_cnode *));
    rg__poly_declared_analyse(s);
    rg__poly_rows_analyse(s);
    struct builder b = {.s = s, .err = err};
    enum rg_status st = walk(&b, t->root);
    if (st == RG_OK && s->n_stmts == 0)
        st = rg_error_at(err, RG_INPUT, p->file, p->line, 0, "function %s has no statement to transform", p->function);
    if (st != RG_OK) {
        rg__poly_scop_free(s);
        return st;
    }
    rg__poly_scalars_analyse(s);
    rg__poly_reductions_analyse(s);
    rg__poly_updates_analyse(s);
    *out = s;
    return RG_OK;
}

void rg__poly_scop_free(struct poly_scop *s)
{
    if (!s) return;
    for (int i = 0; i < s->n_derived; i++) {
        rg__poly_scop_free(s->derived[i].scop);
        free(s->derived[i].key);
    }
    free(s->derived);
    rg__poly_scop_free(s->plain);
    for (int i = 0; i < s->n_accesses; i++) isl_map_free(s->accesses[i].map);
    for (int i = 0; i < s->n_stmts; i++) isl_set_free(s->stmts[i].domain);
    for (int i = 0; i < s->n_loops; i++) {
        free(s->live_out[i]);
        free(s->exposed[i]);
        free(s->written[i]);
    }
    free(s->stmts);
    free(s->accesses);
    free(s->decl_loop);
    free(s->array_decl_loop);
    free(s->var_hidden);
    free(s->declared);
    free(s->rows);
    free(s->stmt_slots);
    free(s->ends);
    rg_arena_release(&s->ends_arena);
    free(s->array_hidden);
    free(s->cache);
    free(s->pairs);
    free(s->crossings);
    free(s->crossing_slots);
    rg_arena_release(&s->arena);
    isl_ctx_free(s->ctx);
    free(s);
}
