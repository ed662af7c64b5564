/* The pieces of a nest that a new schedule may move against each other, and the dependences between them. */
#include "poly/reorder/scheduler.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 64, MOVABLE = 3, MAX_PARTS = 250 }; /* convex pieces of dependences, before equal ones are told */

struct walk {
    struct poly_nest *n;
    int loops[POLY_MAX_DEPTH], depth;
    int at[POLY_MAX_DEPTH + 1]; /* place among the siblings, a level each */
    bool ok;
};

static void items_of(const struct rg_cnode *x, const struct rg_cnode **out, int *n)
{
    if (!x) return;
    if (x->kind != RG_C_BLOCK) {
        if (*n < MAX_ITEMS) out[*n] = x;
        (*n)++;
        return;
    }
    for (int i = 0; i < x->n; i++) items_of(x->kid[i], out, n);
}

static void stmt_range(const struct poly_scop *s, const struct rg_cnode *x, int *first, int *last)
{
    if (!x) return;
    if (x->kind == RG_C_BLOCK || x->kind == RG_C_LOOP || x->kind == RG_C_IF) {
        for (int i = x->kind == RG_C_LOOP ? 2
                     : x->kind == RG_C_IF ? 1
                                          : 0;
             i < x->n && i < (x->kind == RG_C_BLOCK ? x->n : 3); i++)
            stmt_range(s, x->kid[i], first, last);
        return;
    }
    int id = rg__poly_stmt_of(s, x);
    if (id < 0) return;
    *first = id < *first ? id : *first;
    *last = id > *last ? id : *last;
}

/* A loop whose bounds isl knows: its iterations may be given another order one by one. Deeper ones stay as they are
 * within their piece: isl's scheduler takes seconds in more dimensions. */
static bool open_loop(struct walk *w, const struct rg_cnode *x)
{
    struct poly_scop *s = w->n->scop;
    int id = rg__poly_loop_of(s, x);
    if (id < 0 || x->n > 3 || w->depth == MOVABLE || s->loops[id].n_stmts == 0) return false;
    isl_space *sp = isl_set_get_space(s->stmts[s->loops[id].first_stmt].domain);
    isl_pw_aff *lo = rg__poly_aff(s, w->loops, w->depth, sp, x->kid[0]),
               *hi = rg__poly_aff(s, w->loops, w->depth, sp, x->kid[1]);
    bool ok = lo && hi;
    isl_pw_aff_free(lo);
    isl_pw_aff_free(hi);
    isl_space_free(sp);
    return ok;
}

static bool open_if(struct walk *w, const struct rg_cnode *x)
{
    struct poly_scop *s = w->n->scop;
    int first = s->n_stmts, last = -1;
    stmt_range(s, x, &first, &last);
    if (last < 0) return false;
    isl_space *sp = isl_set_get_space(s->stmts[first].domain);
    isl_set *c = rg__poly_condition(s, w->loops, w->depth, sp, x->kid[0]);
    isl_set_free(c);
    isl_space_free(sp);
    return c != NULL;
}

static void add_unit(struct walk *w, const struct rg_cnode *const *item, int n)
{
    struct poly_nest *nest = w->n;
    struct poly_scop *s = nest->scop;
    int first = s->n_stmts, last = -1;
    for (int i = 0; i < n; i++) stmt_range(s, item[i], &first, &last);
    if (last < 0) return;
    if (nest->n_units == POLY_MAX_UNITS) {
        w->ok = false;
        return;
    }
    struct poly_unit *u = &nest->units[nest->n_units];
    memset(u, 0, sizeof *u);
    u->id = nest->n_units++;
    u->n_items = n;
    u->item = rg_arena_alloc(nest->arena, sizeof *u->item * (size_t)n);
    memcpy(u->item, item, sizeof *u->item * (size_t)n);
    u->first_stmt = first;
    u->n_stmts = last - first + 1;
    u->depth = w->depth;
    memcpy(u->loops, w->loops, sizeof u->loops);
    memcpy(u->at, w->at, sizeof u->at);
}

static void walk_block(struct walk *w, const struct rg_cnode *body, int loop);

static void walk_item(struct walk *w, const struct rg_cnode *x)
{
    if (x->kind == RG_C_LOOP && open_loop(w, x)) {
        int id = rg__poly_loop_of(w->n->scop, x), before = w->depth;
        w->loops[w->depth++] = id;
        w->at[w->depth] = 0;
        walk_block(w, x->kid[2], id);
        w->depth = before;
        w->at[w->depth]++;
    } else if (x->kind == RG_C_IF && open_if(w, x)) {
        for (int i = 1; i < 3 && i < x->n; i++)
            if (x->kid[i]) walk_block(w, x->kid[i], w->depth ? w->loops[w->depth - 1] : -1);
    } else {
        add_unit(w, &x, 1);
        w->at[w->depth]++;
    }
}

/* Items that a scalar of one iteration ties together stay together, as one piece. */
static void walk_block(struct walk *w, const struct rg_cnode *body, int loop)
{
    struct poly_scop *s = w->n->scop;
    const struct rg_cnode *item[MAX_ITEMS];
    int n = 0, group[MAX_ITEMS];
    items_of(body, item, &n);
    if (n > MAX_ITEMS) {
        w->ok = false;
        return;
    }
    struct poly_effect e[MAX_ITEMS];
    for (int i = 0; i < n; i++) {
        e[i] = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e[i], item[i]);
        group[i] = i;
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            bool tied = item[i]->kind == RG_C_DECL && item[i]->array >= 0;
            for (int v = 0; v < s->tree->n_vars && !tied; v++)
                tied = e[i].written[v] && e[j].exposed[v] && loop >= 0 && rg__poly_scalar_private(s, loop, v);
            for (int k = i + 1; tied && k <= j; k++) group[k] = group[k] < group[i] ? group[k] : group[i];
        }
    for (int i = 1; i < n; i++) /* what stands between belongs to them */
        for (int j = i; j < n; j++)
            if (group[j] < group[i] && group[j] <= group[i - 1]) group[i] = group[i - 1];
    for (int i = 0; i < n; i++) rg__poly_effect_free(&e[i]);
    for (int i = 0; i < n && w->ok;) {
        int j = i + 1;
        while (j < n && group[j] == group[i]) j++;
        bool plain = item[i]->kind == RG_C_DECL && item[i]->array < 0 && !(item[i]->n && item[i]->kid[0]);
        if (j - i == 1 && !plain)
            walk_item(w, item[i]);
        else if (!plain || j - i > 1) {
            add_unit(w, &item[i], j - i);
            w->at[w->depth]++;
        }
        i = j;
    }
}

/* ---- isl ---- */

static isl_map *as_other(__isl_take isl_map *m, const struct poly_unit *u)
{
    char name[32];
    snprintf(name, sizeof name, "U%d", u->id);
    return isl_map_set_tuple_name(m, isl_dim_in, name);
}

static void unit_domain(struct poly_nest *nest, struct poly_unit *u)
{
    struct poly_scop *s = nest->scop;
    char name[32];
    snprintf(name, sizeof name, "U%d", u->id);
    for (int i = 0; i < u->n_stmts; i++) {
        const struct poly_stmt *st = &s->stmts[u->first_stmt + i];
        isl_set *d = isl_set_project_out(isl_set_copy(st->domain), isl_dim_set, (unsigned)u->depth,
                                         (unsigned)(st->depth - u->depth));
        d = isl_set_set_tuple_name(d, name);
        u->domain = u->domain ? isl_set_union(u->domain, d) : d;
    }
    u->domain = isl_set_coalesce(u->domain);
}

static void unit_order(struct poly_nest *nest, struct poly_unit *u)
{
    struct poly_scop *s = nest->scop;
    char name[32];
    snprintf(name, sizeof name, "U%d", u->id);
    u->domain = isl_set_set_tuple_name(u->domain, name);
    isl_map *m = isl_map_from_domain(isl_set_universe(isl_set_get_space(u->domain)));
    m = isl_map_add_dims(m, isl_dim_out, (unsigned)(2 * nest->depth + 1));
    for (int d = 0; d <= nest->depth; d++) {
        m = isl_map_fix_si(m, isl_dim_out, (unsigned)(2 * d), d <= u->depth ? u->at[d] : 0);
        if (d == nest->depth) break;
        if (d >= u->depth)
            m = isl_map_fix_si(m, isl_dim_out, (unsigned)(2 * d + 1), 0);
        else if (s->loops[u->loops[d]].step > 0)
            m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, 2 * d + 1);
        else
            m = isl_map_oppose(m, isl_dim_in, d, isl_dim_out, 2 * d + 1);
    }
    u->order = m;
}

static void add_touch(struct poly_nest *nest, struct poly_touch t)
{
    t.unit = nest->units[t.unit].as;
    t.map = as_other(t.map, &nest->units[t.unit]);
    for (int i = 0; i < nest->n_touches; i++) {
        struct poly_touch *o = &nest->touches[i];
        if (o->unit != t.unit || o->object != t.object || o->read != t.read || o->write != t.write) continue;
        o->map = isl_map_union(o->map, t.map);
        return;
    }
    RG_GROW(nest->touches, nest->n_touches, nest->cap_touches);
    nest->touches[nest->n_touches++] = t;
}

static void unit_touches(struct poly_nest *nest, const struct poly_unit *u)
{
    struct poly_scop *s = nest->scop;
    struct poly_effect e = rg__poly_effect_new(s);
    for (int i = 0; i < u->n_items; i++) rg__poly_effect_add(s, &e, u->item[i]);
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        if (c->kind == RG_CVAR_ITER || s->var_hidden[v] || nest->own[v] || !(e.written[v] || e.exposed[v])) continue;
        isl_map *m = isl_map_from_domain(isl_set_copy(u->domain));
        add_touch(nest, (struct poly_touch){u->id, s->tree->n_arrays + v, e.exposed[v], e.written[v], m});
    }
    rg__poly_effect_free(&e);
    for (int i = 0; i < u->n_stmts; i++) {
        const struct poly_stmt *st = &s->stmts[u->first_stmt + i];
        for (int a = 0; a < st->n_accesses; a++) {
            const struct poly_access *x = &s->accesses[st->first_access + a];
            int dl = s->array_decl_loop[x->array];
            if (dl >= 0 && u->depth && rg__poly_loop_inside(s, dl, u->loops[u->depth - 1]))
                continue; /* of one iteration of the unit: its declaration is in it */
            isl_map *m = isl_map_project_out(isl_map_copy(x->map), isl_dim_in, (unsigned)u->depth,
                                             (unsigned)(st->depth - u->depth));
            m = isl_map_intersect_domain(as_other(m, u), isl_set_copy(u->domain));
            if (x->read) add_touch(nest, (struct poly_touch){u->id, x->array, true, false, isl_map_copy(m)});
            if (x->write) add_touch(nest, (struct poly_touch){u->id, x->array, false, true, isl_map_copy(m)});
            isl_map_free(m);
        }
    }
}

/* A scalar that no piece reads before it has written it, and nobody afterwards: every piece has its own. */
static void own_scalars(struct poly_nest *nest)
{
    struct poly_scop *s = nest->scop;
    nest->own = rg_arena_alloc(nest->arena, (size_t)s->tree->n_vars + 1);
    for (int v = 0; v < s->tree->n_vars; v++) nest->own[v] = !s->live_out[nest->loop][v];
    for (int i = 0; i < nest->n_units; i++) {
        struct poly_effect e = rg__poly_effect_new(s);
        for (int k = 0; k < nest->units[i].n_items; k++) rg__poly_effect_add(s, &e, nest->units[i].item[k]);
        for (int v = 0; v < s->tree->n_vars; v++) nest->own[v] = nest->own[v] && !e.exposed[v];
        rg__poly_effect_free(&e);
    }
    for (int v = 0; v < s->tree->n_vars; v++)
        nest->own[v] = nest->own[v] || (s->tree->vars[v].kind == RG_CVAR_PARAM && !s->tree->vars[v].assigned);
}

static bool same_place(const struct poly_scop *s, const struct poly_touch *a, const struct poly_touch *b)
{
    int n = s->tree->n_arrays;
    if (a->object == b->object) return true;
    return s->problem->may_alias && a->object < n && b->object < n && s->tree->arrays[a->object].param >= 0 &&
           s->tree->arrays[b->object].param >= 0;
}

/* Pairs of instances in the order of the program that touch one place, one of them writing. */
static void dependences(struct poly_nest *nest)
{
    struct poly_scop *s = nest->scop;
    for (int i = 0; i < nest->n_touches; i++) nest->touches[i].map = isl_map_coalesce(nest->touches[i].map);
    for (int i = 0; i < nest->n_touches; i++)
        for (int j = 0; j < nest->n_touches; j++) {
            const struct poly_touch *a = &nest->touches[i], *b = &nest->touches[j];
            if (!same_place(s, a, b) || !(a->write || b->write)) continue;
            isl_map *m = a->object == b->object
                             ? isl_map_apply_range(isl_map_copy(a->map), isl_map_reverse(isl_map_copy(b->map)))
                             : isl_map_from_domain_and_range(isl_set_copy(nest->units[a->unit].domain),
                                                             isl_set_copy(nest->units[b->unit].domain));
            m = isl_map_remove_divs(
                m); /* steps and remainders: more pairs than there are, which the scheduler takes in its stride */
            m = isl_map_intersect(m, isl_map_lex_lt_map(isl_map_copy(nest->units[a->unit].order),
                                                        isl_map_copy(nest->units[b->unit].order)));
            m = isl_map_coalesce(m);
            if (!rg__poly_isl_ok(s) || (nest->n_parts += (int)isl_map_n_basic_map(m)) > MAX_PARTS) {
                nest->n_parts = MAX_PARTS + 1;
                isl_map_free(m);
                return;
            }
            isl_union_map *u = isl_union_map_from_map(m);
            nest->deps = nest->deps ? isl_union_map_union(nest->deps, u) : u;
        }
    nest->deps = isl_union_map_coalesce(nest->deps);
}

bool rg__poly_nest_open(struct poly_nest *nest, struct poly_scop *s, int loop, enum poly_units form,
                        struct rg_arena *arena)
{
    memset(nest, 0, sizeof *nest);
    nest->scop = s;
    nest->loop = loop;
    nest->arena = arena;
    struct walk w = {.n = nest, .ok = true};
    for (int p = s->loops[loop].parent; p >= 0; p = s->loops[p].parent) nest->n_around++;
    if (nest->n_around || s->problem->may_alias) return false;
    rg__poly_isl_begin(s);
    walk_item(&w, s->loops[loop].node);
    if (!w.ok || nest->n_units == 0 || nest->units[0].depth == 0) return false;
    for (int i = 0; i < nest->n_units; i++)
        nest->depth = nest->units[i].depth > nest->depth ? nest->units[i].depth : nest->depth;
    own_scalars(nest);
    for (int i = 0; i < nest->n_units; i++) unit_domain(nest, &nest->units[i]);
    for (int i = 0; i < nest->n_units; i++) nest->units[i].as = i;
    if ((form == POLY_UNITS_SPLIT && !rg__poly_units_split(nest)) ||
        (form == POLY_UNITS_JOINED && !rg__poly_units_join(nest)))
        return false;
    for (int i = 0; i < nest->n_units; i++) unit_order(nest, &nest->units[i]);
    for (int i = 0; i < nest->n_units; i++) unit_touches(nest, &nest->units[i]);
    bool joined[POLY_MAX_UNITS] = {false};
    for (int i = 0; i < nest->n_units; i++) {
        struct poly_unit *u = &nest->units[i], *to = &nest->units[u->as];
        if (u == to) continue;
        u->order = isl_map_intersect_domain(u->order, isl_set_copy(u->domain));
        if (!joined[u->as]) /* each in its own part of what is one domain now */
            to->order = isl_map_intersect_domain(to->order, isl_set_copy(to->domain));
        joined[u->as] = true;
        to->domain = isl_set_coalesce(
            isl_set_union(to->domain, isl_set_set_tuple_name(u->domain, isl_set_get_tuple_name(to->domain))));
        to->order = isl_map_union(to->order, as_other(u->order, to));
        u->domain = NULL;
        u->order = NULL;
    }
    dependences(nest);
    return rg__poly_isl_ok(s) && nest->n_parts <= MAX_PARTS;
}

void rg__poly_nest_close(struct poly_nest *nest)
{
    for (int i = 0; i < nest->n_units; i++) {
        isl_set_free(nest->units[i].domain);
        isl_map_free(nest->units[i].order);
    }
    for (int i = 0; i < nest->n_touches; i++) isl_map_free(nest->touches[i].map);
    free(nest->touches);
    isl_union_map_free(nest->deps);
}
