/* The order in which isl would run a nest: as much as possible at once, what depends behind what it depends on. */
#include "poly/kernel/kernel.h"
#include "poly/reorder/scheduler.h"
#include "poly/kernel/mechanisms.h"
#include <string.h>

enum { SCHEDULE_OPERATIONS = 1000000 }; /* of isl: some tenths of a second */

static isl_union_set *domains(const struct poly_nest *nest, bool rough)
{
    isl_union_set *all = NULL;
    for (int i = 0; i < nest->n_units; i++) {
        if (nest->units[i].as != i) continue;
        isl_set *d = isl_set_copy(nest->units[i].domain);
        if (rough) /* steps and remainders cost the scheduler seconds and tell it little */
            d = isl_set_remove_divs(d);
        isl_union_set *u = isl_union_set_from_set(d);
        all = all ? isl_union_set_union(all, u) : u;
    }
    return all;
}

/* Dimensions outside that carry dependences only where no other choice leaves parallel ones: then one that carries all
 * it can (a front), so that the rest is free. */
static isl_schedule *order_of(struct poly_nest *nest)
{
    isl_ctx *ctx = nest->scop->ctx;
    isl_options_set_schedule_algorithm(ctx, ISL_SCHEDULE_ALGORITHM_ISL);
    isl_options_set_schedule_outer_coincidence(ctx, 1);
    isl_options_set_schedule_maximize_coincidence(ctx, 1);
    isl_schedule_constraints *c = isl_schedule_constraints_on_domain(domains(nest, true));
    c = isl_schedule_constraints_set_validity(c, isl_union_map_copy(nest->deps));
    c = isl_schedule_constraints_set_coincidence(c, isl_union_map_copy(nest->deps));
    c = isl_schedule_constraints_set_proximity(c, isl_union_map_copy(nest->deps));
    return isl_schedule_intersect_domain(isl_schedule_constraints_compute_schedule(c), domains(nest, false));
}

struct rg_cnode *rg__poly_tree_with(struct rg_arena *a, const struct rg_cnode *n, const struct rg_cnode *from,
                                    struct rg_cnode *to)
{
    if (n == from) return to;
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF)) return (struct rg_cnode *)n;
    struct rg_cnode *c = NULL;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = rg__poly_tree_with(a, n->kid[i], from, to);
        if (k == n->kid[i]) continue;
        if (!c) {
            c = rg_arena_alloc(a, sizeof *c);
            *c = *n;
            c->kid = rg_arena_alloc(a, sizeof *c->kid * (size_t)n->n);
            memcpy(c->kid, n->kid, sizeof *c->kid * (size_t)n->n);
        }
        c->kid[i] = k;
    }
    return c ? c : (struct rg_cnode *)n;
}

static struct poly_scop *attempt(struct poly_scop *s, int loop, enum poly_units form, struct rg_arena *arena,
                                 struct rg_reason *why)
{
    struct poly_nest nest;
    struct rg_error err = RG_ERROR_INIT;
    struct poly_scop *out = NULL;
    isl_ctx_set_max_operations(s->ctx, SCHEDULE_OPERATIONS);
    rg_refuse(why, RG_REFUSE_ANALYSIS, s->loops[loop].node->line,
              "the nest of loop %s (%s:%d) has parts whose order can't be changed one iteration at a time",
              s->loops[loop].name, s->problem->file, s->loops[loop].node->line);
    if (rg__poly_nest_open(&nest, s, loop, form, arena)) {
        rg_refuse(why, RG_REFUSE_ANALYSIS, s->loops[loop].node->line,
                  "isl finds no other order for the nest of loop %s (%s:%d) within its limit", s->loops[loop].name,
                  s->problem->file, s->loops[loop].node->line);
        isl_schedule *order = order_of(&nest);
        struct rg_ctree *t = rg_arena_alloc(arena, sizeof *t);
        *t = *s->tree;
        struct rg_cnode *root = order ? rg__poly_nest_tree(&nest, order, t) : NULL;
        if (root) {
            t->root = rg__poly_tree_with(arena, s->tree->root, s->loops[loop].node, root);
            if (rg__poly_scop_new(s->problem, t, &out, &err) != RG_OK)
                rg_refuse(why, RG_REFUSE_ANALYSIS, err.line, "%s", err.text);
        }
    }
    rg__poly_nest_close(&nest);
    isl_ctx_set_max_operations(s->ctx, POLY_ISL_OPERATIONS);
    rg__poly_isl_begin(s);
    return out;
}

double rg__poly_time_ahead(struct poly_scop *s, bool *parallel)
{
    struct rg_reason why = {0};
    double best = 1e300;
    *parallel = false;
    for (int reduce = 0; reduce < 2; reduce++) {
        struct poly_program *p = rg__poly_map(s, NULL);
        double t = p && (!reduce || rg__poly_reduce(p, "C", &why)) ? rg__poly_program_time(p) : 1e300;
        *parallel = *parallel || (t < 1e300 && rg__poly_program_parallel(p));
        best = t < best ? t : best;
        rg__poly_program_free(p);
    }
    return best;
}

static struct poly_scop *reorder(struct poly_scop *s, int loop, struct rg_arena *arena, struct rg_reason *why)
{
    static const enum poly_units forms[] = {POLY_UNITS_JOINED, POLY_UNITS_SPLIT};
    bool any;
    struct rg_reason ignored = {0};
    struct poly_scop *best = attempt(s, loop, POLY_UNITS_PLAIN, arena, why);
    double least = best ? rg__poly_time_ahead(best, &any) : 0;
    for (int i = 0; best && i < 2; i++) {
        struct poly_scop *other = attempt(s, loop, forms[i], arena, &ignored);
        double t = other ? rg__poly_time_ahead(other, &any) : least;
        bool better = t < least;
        rg__poly_scop_free(better ? best : other);
        best = better ? other : best;
        least = better ? t : least;
    }
    return best;
}

/* ---- where it pays ---- */

/* Replaces *best by what the tree makes of it, when that is better. */
static void consider(struct poly_scop *next, struct poly_scop **best, double *least, bool *parallel)
{
    bool more;
    double t = next ? rg__poly_time_ahead(next, &more) : 1e300;
    if (!next) return;
    if (t < *least || (more && !*parallel)) {
        rg__poly_scop_free(*best);
        *best = next;
        *least = t;
        *parallel = more;
    } else {
        rg__poly_scop_free(next);
    }
}

/* With a place for each iteration for what a loop with large arrays of its own adds up. */
static void consider_sums(struct poly_scop *s, int loop, struct rg_arena *arena, struct poly_scop **best, double *least,
                          bool *parallel)
{
    struct poly_scop *next = NULL;
    const struct rg_ctree *t = rg__poly_sum_places(s, loop, false, arena);
    if (t && rg__poly_scop_new(s->problem, t, &next, NULL) == RG_OK) consider(next, best, least, parallel);
}

/* The same for a loop whose arrays have places for each iteration, where it comes to much less than a grid that adds
 * up; NULL: it does not. */
static struct poly_scop *with_sums(struct poly_scop *s, int loop, struct rg_arena *arena)
{
    struct poly_scop *next = NULL;
    bool any;
    const struct rg_ctree *t = rg__poly_sum_places(s, loop, true, arena);
    if (!t || rg__poly_scop_new(s->problem, t, &next, NULL) != RG_OK) return NULL;
    next->threads_inside = s->threads_inside;
    if (POLY_GAIN * rg__poly_time_ahead(next, &any) < rg__poly_time_ahead(s, &any)) return next;
    rg__poly_scop_free(next);
    return NULL;
}

/* sums: places for what the expanded loop adds up, too; or its iterations, each with arrays of its own, are those of a
 * grid that adds up. False: nothing of the kind is expanded. */
static bool consider_places(struct poly_scop *s, int loop, bool order, bool alone, bool sums, struct rg_arena *arena,
                            struct poly_scop **best, double *least, bool *parallel)
{
    struct poly_scop *wide = NULL;
    struct rg_reason ignored = {0};
    const struct rg_ctree *t = rg__poly_expand(s, loop, alone, arena);
    if (t && !order) { /* before the first step; else it is that step's */
        struct rg_ctree *expanded = rg_arena_alloc(arena, sizeof *expanded);
        *expanded = *t;
        rg_ctree_prepare(arena, expanded, RG_PREPARE_EXPAND, s->loops[loop].name, s->loops[loop].node->line);
        t = expanded;
    }
    if (!t || rg__poly_scop_new(s->problem, t, &wide, NULL) != RG_OK) return false;
    if (order)
        consider(reorder(wide, loop, arena, &ignored), best, least, parallel);
    else
        consider_sums(wide, loop, arena, best, least, parallel);
    wide->threads_inside = sums;
    struct poly_scop *summed = sums ? with_sums(wide, loop, arena) : NULL;
    if (summed) rg__poly_scop_free(wide);
    consider(summed ? summed : wide, best, least, parallel);
    return true;
}

/* Places for arrays alone leave scalars in registers; for scalars, too, statements can move apart. */
static void consider_expanded(struct poly_scop *s, int loop, bool order, struct rg_arena *arena,
                              struct poly_scop **best, double *least, bool *parallel)
{
    const bool arrays = !order && consider_places(s, loop, false, true, true, arena, best, least, parallel);
    consider_places(s, loop, order, false, arrays, arena, best, least, parallel);
}

/* order: isl's, too; else as it stands but for the places and last values. */
static struct poly_scop *best_order(struct poly_scop *s, int loop, bool order, struct rg_arena *arena, double *least,
                                    bool *parallel, struct rg_reason *why)
{
    struct poly_scop *best = NULL, *kept = NULL;
    unsigned without = s->tree->without;
    *least = 1e300;
    *parallel = false;
    if (order) consider(reorder(s, loop, arena, why), &best, least, parallel);
    const struct rg_ctree *t =
        order || without & 1u << RG_PREPARE_LAST_VALUE ? NULL : rg__poly_keep_last(s, loop, arena);
    if (t && rg__poly_scop_new(s->problem, t, &kept, NULL) == RG_OK) {
        bool free;
        rg__poly_time_ahead(kept, &free);
        if (!free && !(without & 1u << RG_PREPARE_EXPAND))
            consider_expanded(kept, loop, order, arena, &best, least, parallel);
        consider(kept, &best, least, parallel);
        if (free) return best; /* without memory for each iteration */
    }
    bool expand = !(without & 1u << RG_PREPARE_EXPAND);
    if (!order && expand) consider_sums(s, loop, arena, &best, least, parallel);
    if (order || expand) consider_expanded(s, loop, order, arena, &best, least, parallel);
    return best;
}

struct poly_scop *rg__poly_reorder_nest(struct poly_scop *s, int loop, struct rg_arena *arena, struct rg_reason *why)
{
    const struct poly_loop *l = &s->loops[loop];
    double least;
    bool parallel;
    if (!rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found) {
        rg_refuse(why, RG_REFUSE_ALREADY, l->node->line,
                  "loop %s (%s:%d) carries nothing: its iterations are free as they stand", l->name, s->problem->file,
                  l->node->line);
        return NULL;
    }
    struct poly_scop *best = best_order(s, loop, true, arena, &least, &parallel, why);
    if (best && !parallel) {
        rg_refuse(why, RG_REFUSE_SHAPE, l->node->line, "no order of the nest of loop %s (%s:%d) has anything parallel",
                  l->name, s->problem->file, l->node->line);
        rg__poly_scop_free(best);
        return NULL;
    }
    return best;
}

static struct poly_scop *where_it_pays(struct poly_scop *s, bool order, struct rg_arena *arena, struct rg_reason *why)
{
    struct poly_scop *given = s;
    bool any;
    double now = rg__poly_time_ahead(s, &any);
    rg_refuse(why, RG_REFUSE_COST, 0,
              "every outermost loop is parallel as it stands, or nothing to be gained by another order");
    for (int loop = 0; loop < s->n_loops; loop++) {
        if (s->loops[loop].parent >= 0 || !rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found ||
            POLY_GAIN * rg__poly_bound(s) >= now)
            continue;
        double least;
        bool more;
        struct poly_scop *best = best_order(s, loop, order, arena, &least, &more, why);
        if (!best || !more) {
            if (best)
                rg_refuse(why, RG_REFUSE_SHAPE, s->loops[loop].node->line,
                          "no order of the nest of loop %s (%s:%d) has anything parallel", s->loops[loop].name,
                          s->problem->file, s->loops[loop].node->line);
            rg__poly_scop_free(best);
            continue;
        }
        bool first =
            more && !any && least < now * POLY_GAIN; /* something parallel at last: at a larger size it will pay */
        if (least * POLY_GAIN >= now && !first) {
            rg_refuse(why, RG_REFUSE_COST, s->loops[loop].node->line,
                      "no order of the nest of loop %s (%s:%d) is %d times faster than the file's by estimate",
                      s->loops[loop].name, s->problem->file, s->loops[loop].node->line, POLY_GAIN);
            rg__poly_scop_free(best);
            continue;
        }
        int behind = s->n_loops - loop - 1; /* the loops behind this nest are as they were, under other numbers */
        for (int inner = loop + 1; inner < s->n_loops && s->loops[inner].parent >= 0; inner++) behind--;
        if (s != given) rg__poly_scop_free(s);
        s = best;
        now = least;
        any = more;
        loop = s->n_loops - behind - 1;
    }
    return s == given ? NULL : s;
}

struct poly_scop *rg__poly_reorder_where_it_pays(struct poly_scop *s, struct rg_arena *arena, struct rg_reason *why)
{
    return where_it_pays(s, true, arena, why);
}

struct poly_scop *rg__poly_expand_where_it_pays(struct poly_scop *s, struct rg_arena *arena)
{
    struct rg_reason why = {0};
    return where_it_pays(s, false, arena, &why);
}
