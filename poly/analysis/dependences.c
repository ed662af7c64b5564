/* Dependence tests between iterations of one loop: memory-based over arrays with isl, by liveness over scalars. */
#include "poly/analysis/scop.h"
#include <rg/hash.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool contains(const int *v, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (v[i] == x) return true;
    return false;
}

static int depth_of(const struct poly_stmt *st, int loop)
{
    for (int d = 0; d < st->depth; d++)
        if (st->loops[d] == loop) return d;
    return -1;
}

/* Of pairs of instances, those in one iteration of each of the loops. */
static isl_map *in_one(isl_map *m, const struct poly_stmt *a, const struct poly_stmt *b, const int *loops, int n)
{
    for (int i = 0; i < n; i++) {
        int da = depth_of(a, loops[i]), db = depth_of(b, loops[i]);
        if (da >= 0 && db >= 0) m = isl_map_equate(m, isl_dim_in, da, isl_dim_out, db);
    }
    return m;
}

enum { A_FIRST = 1, B_FIRST = 2 };

/* Can b's instance in a later (earlier) iteration of `loop` touch what a's instance touches? *order: which of them
 * comes first where they meet, both bits where either may; 0 where that was not found out. */
static bool overlap(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, int loop,
                    const int *fixed, int n_fixed, int *order, bool *limit)
{
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    bool hit = true;
    *order = 0;
    if (s->n_tests++ > POLY_MAX_TESTS) {
        *limit = true;
        return true;
    }
    rg__poly_isl_begin(s);
    isl_map *m;
    if (a->array == b->array) {
        m = rg__poly_common(s, a, b);
    } else { /* may alias: any element */
        m = isl_map_from_domain_and_range(isl_set_copy(sa->domain), isl_set_copy(sb->domain));
    }
    m = in_one(m, sa, sb, fixed, n_fixed);
    int da = depth_of(sa, loop), db = depth_of(sb, loop);
    isl_map *lt = isl_map_order_lt(isl_map_copy(m), isl_dim_in, da, isl_dim_out, db);
    isl_bool e1 = isl_map_is_empty(lt);
    isl_map_free(lt);
    isl_bool e2 = isl_bool_true;
    if (a != b) {
        isl_map *gt = isl_map_order_gt(isl_map_copy(m), isl_dim_in, da, isl_dim_out, db);
        e2 = isl_map_is_empty(gt);
        isl_map_free(gt);
    }
    isl_map_free(m);
    bool up = s->loops[loop].step > 0;
    *order = (e1 == isl_bool_false ? up ? A_FIRST : B_FIRST : 0) | (e2 == isl_bool_false ? up ? B_FIRST : A_FIRST : 0);
    if (e1 == isl_bool_true && e2 == isl_bool_true) hit = false;
    if (!rg__poly_isl_ok(s) || e1 == isl_bool_error || e2 == isl_bool_error) {
        *limit = true;
        hit = true;
    }
    return hit;
}

static bool same_object(const struct poly_scop *s, const struct poly_access *a, const struct poly_access *b)
{
    if (a->array == b->array) /* one of two fields is another place */
        return rg__poly_members_meet(a, b);
    return s->problem->may_alias && s->tree->arrays[a->array].param >= 0 && s->tree->arrays[b->array].param >= 0;
}

/* Is the access one of an update whose order is free? */
static bool order_free(const struct poly_scop *s, int loop, const int *fixed, int n_fixed, const struct poly_access *a,
                       int mode)
{
    if (mode == POLY_ATOMICS)
        return a->update != POLY_OP_NONE && rg__poly_scattered(s, loop, fixed, n_fixed, a) != POLY_OP_NONE;
    if (mode == POLY_REDUCTIONS && rg__poly_scattered_member(s, loop, fixed, n_fixed, a)) return true;
    return mode == POLY_REDUCTIONS && a->target && rg__poly_reduced(s, loop, a->array, -1) != POLY_OP_NONE;
}

/* Is an element that iterations add to read in one of them for another purpose (`y[4] += ..; a[i] = y[i0 + 3];`)? What
 * is added is not there before the loop's end. No dependence between iterations shows it where there is one alone. */
static bool read_within(struct poly_scop *s, const struct poly_access *to, const struct poly_access *other, int loop,
                        const int *fixed, int n_fixed)
{
    const struct poly_stmt *sa = &s->stmts[to->stmt], *sb = &s->stmts[other->stmt];
    bool limit = false;
    int order;
    if (s->n_tests++ > POLY_MAX_TESTS) return true;
    rg__poly_isl_begin(s);
    isl_map *m = rg__poly_common(s, to, other);
    m = in_one(m, sa, sb, fixed, n_fixed);
    m = isl_map_equate(m, isl_dim_in, depth_of(sa, loop), isl_dim_out, depth_of(sb, loop));
    bool none = isl_map_is_empty(m) == isl_bool_true && rg__poly_isl_ok(s);
    isl_map_free(m);
    return !none && overlap(s, to, to, loop, fixed, n_fixed, &order, &limit);
}

static void array_conflicts(struct poly_scop *s, int loop, const int *fixed, int n_fixed, int mode,
                            struct poly_conflict *out)
{
    const struct poly_loop *l = &s->loops[loop];
    int first = s->stmts[l->first_stmt].first_access;
    const struct poly_stmt *last_stmt = &s->stmts[l->first_stmt + l->n_stmts - 1];
    int end = last_stmt->first_access + last_stmt->n_accesses;
    for (int i = first; i < end; i++) {
        const struct poly_access *a = &s->accesses[i];
        int dl = s->array_decl_loop[a->array];
        if (dl >= 0 && rg__poly_loop_inside(s, dl, loop))
            continue; /* declared in the loop's body: each iteration has its own */
        if (mode >= POLY_ONE_ARRAY && a->array != mode - POLY_ONE_ARRAY) continue;
        bool reduced = order_free(s, loop, fixed, n_fixed, a, mode);
        for (int j = i; j < end; j++) {
            const struct poly_access *b = &s->accesses[j];
            if (!same_object(s, a, b) || !(a->write || b->write) ||
                (reduced && a->array == b->array && order_free(s, loop, fixed, n_fixed, b, mode)))
                continue;
            bool limit = false;
            int order;
            if (!overlap(s, a, b, loop, fixed, n_fixed, &order, &limit)) {
                if (mode != POLY_REDUCTIONS || a->array != b->array) continue;
                bool other = order_free(s, loop, fixed, n_fixed, b, mode);
                if (reduced == other || !read_within(s, reduced ? a : b, reduced ? b : a, loop, fixed, n_fixed))
                    continue;
            }
            out->found = true;
            out->array = a->array;
            out->var = -1;
            out->stmt_a = a->stmt;
            out->stmt_b = b->stmt;
            out->limit = limit;
            bool written_first = !order || (order & (a->write ? A_FIRST : B_FIRST));
            out->kind = a->write && b->write ? "output" : written_first ? "flow" : "anti";
            if (i == j || (a->write && a->read) || (b->write && b->read))
                out->kind = a->read || b->read ? "flow" : "output";
            return;
        }
    }
}

static void scalar_conflicts(struct poly_scop *s, int loop, int mode, struct poly_conflict *out)
{
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, loop, v)) continue;
        if (mode == POLY_REDUCTIONS && rg__poly_reduced(s, loop, -1, v) != POLY_OP_NONE) continue;
        const struct poly_loop *l = &s->loops[loop];
        out->found = true;
        out->array = -1;
        out->var = v;
        out->kind = s->exposed[loop][v] ? "flow" : "output";
        out->stmt_a = out->stmt_b = l->first_stmt;
        for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++) {
            struct poly_effect e = rg__poly_effect_new(s);
            rg__poly_effect_add(s, &e, s->stmts[i].node);
            if (e.written[v]) out->stmt_a = out->stmt_b = i;
            rg__poly_effect_free(&e);
        }
        return;
    }
}

struct poly_conflict rg__poly_conflict(struct poly_scop *s, int loop, const int *fixed, int n_fixed, int mode)
{
    int around[POLY_MAX_DEPTH], n = 0;
    uint64_t key = 0;
    if (!fixed) {
        for (int p = s->loops[loop].parent; p >= 0; p = s->loops[p].parent) around[n++] = p;
        fixed = around;
        n_fixed = n;
    }
    for (int p = s->loops[loop].parent; p >= 0; p = s->loops[p].parent)
        if (contains(fixed, n_fixed, p))
            key |= 1ull << s->loops[p].depth; /* the loops around are a chain: depth names one */
    for (int i = 0; i < s->n_cache; i++)
        if (s->cache[i].loop == loop && s->cache[i].key == key && s->cache[i].mode == mode) return s->cache[i].c;
    struct poly_conflict c = {.array = -1, .var = -1};
    if (s->loops[loop].n_stmts > 0) {
        if (mode < POLY_ONE_ARRAY) scalar_conflicts(s, loop, mode, &c);
        if (!c.found) array_conflicts(s, loop, fixed, n_fixed, mode, &c);
    }
    RG_GROW(s->cache, s->n_cache, s->cap_cache);
    s->cache[s->n_cache++] = (struct poly_cache){loop, key, mode, c};
    return c;
}

bool rg__poly_pair_conflict(struct poly_scop *s, int a, int b, int loop)
{
    int around[POLY_MAX_DEPTH], n = 0;
    bool limit = false;
    for (int i = 0; i < s->n_pairs; i++)
        if (s->pairs[i].a == a && s->pairs[i].b == b && s->pairs[i].loop == loop) return s->pairs[i].conflict;
    for (int p = s->loops[loop].parent; p >= 0; p = s->loops[p].parent) around[n++] = p;
    int order;
    bool conflict = overlap(s, &s->accesses[a], &s->accesses[b], loop, around, n, &order, &limit);
    RG_GROW(s->pairs, s->n_pairs, s->cap_pairs);
    s->pairs[s->n_pairs++] = (struct poly_pair){a, b, loop, conflict};
    return conflict;
}

static bool crosses_at(struct poly_scop *s, int stmt_a, int stmt_b, const int *la, const int *lb, int n,
                       const int *fixed, int n_fixed, bool *share)
{
    const struct poly_stmt *sa = &s->stmts[stmt_a], *sb = &s->stmts[stmt_b];
    for (int i = 0; i < sa->n_accesses; i++)
        for (int j = 0; j < sb->n_accesses; j++) {
            const struct poly_access *a = &s->accesses[sa->first_access + i], *b = &s->accesses[sb->first_access + j];
            if (!same_object(s, a, b) || !(a->write || b->write)) continue;
            if (a->array != b->array) return true;
            *share = true;
            if (s->n_tests++ > POLY_MAX_TESTS) return true;
            rg__poly_isl_begin(s);
            isl_map *m = rg__poly_common(s, a, b);
            m = in_one(m, sa, sb, fixed, n_fixed);
            bool crosses = false;
            for (int d = 0; d < n && !crosses; d++) {
                int da = depth_of(sa, la[d]), db = depth_of(sb, lb[d]);
                if (da < 0 || db < 0) {
                    crosses = true;
                    break;
                }
                isl_map *lt = isl_map_order_lt(isl_map_copy(m), isl_dim_in, da, isl_dim_out, db);
                isl_map *gt = isl_map_order_gt(isl_map_copy(m), isl_dim_in, da, isl_dim_out, db);
                crosses = isl_map_is_empty(lt) != isl_bool_true || isl_map_is_empty(gt) != isl_bool_true;
                isl_map_free(lt);
                isl_map_free(gt);
            }
            isl_map_free(m);
            if (crosses || !rg__poly_isl_ok(s)) return true;
        }
    return false;
}

/* The slot of a crossing in the hash table: its own, or the free one it belongs in. */
static int *crossing_slot(struct poly_scop *s, const struct poly_crossing *c)
{
    const size_t n = offsetof(struct poly_crossing, crosses), mask = (size_t)s->n_crossing_slots - 1;
    size_t at = rg_hash64(c, n, 0) & mask;
    while (s->crossing_slots[at] && memcmp(&s->crossings[s->crossing_slots[at] - 1], c, n)) at = (at + 1) & mask;
    return &s->crossing_slots[at];
}

static void grow_crossing_slots(struct poly_scop *s)
{
    enum { LEAST = 256 };
    free(s->crossing_slots);
    s->n_crossing_slots = s->n_crossing_slots ? 2 * s->n_crossing_slots : LEAST;
    s->crossing_slots = rg_xcalloc((size_t)s->n_crossing_slots, sizeof *s->crossing_slots);
    for (int i = 0; i < s->n_crossings; i++) *crossing_slot(s, &s->crossings[i]) = i + 1;
}

/* Every program that is made of the same loops asks the same again. */
bool rg__poly_crosses(struct poly_scop *s, int stmt_a, int stmt_b, const int *la, const int *lb, int n,
                      const int *fixed, int n_fixed, bool *share)
{
    struct poly_crossing c = {.a = stmt_a, .b = stmt_b, .n = n, .n_fixed = n_fixed};
    memcpy(c.la, la, (size_t)n * sizeof *la);
    memcpy(c.lb, lb, (size_t)n * sizeof *lb);
    if (n_fixed) memcpy(c.fixed, fixed, (size_t)n_fixed * sizeof *fixed);
    if (2 * s->n_crossings >= s->n_crossing_slots) grow_crossing_slots(s);
    int *slot = crossing_slot(s, &c);
    if (!*slot) {
        c.crosses = crosses_at(s, stmt_a, stmt_b, la, lb, n, fixed, n_fixed, &c.share);
        RG_GROW(s->crossings, s->n_crossings, s->cap_crossings);
        s->crossings[s->n_crossings++] = c;
        *slot = s->n_crossings;
    }
    *share = *share || s->crossings[*slot - 1].share;
    return s->crossings[*slot - 1].crosses;
}

bool rg__poly_backward(struct poly_scop *s, int stmt_a, int stmt_b, int loop)
{
    const struct poly_stmt *sa = &s->stmts[stmt_a], *sb = &s->stmts[stmt_b];
    for (int i = 0; i < sa->n_accesses; i++)
        for (int j = 0; j < sb->n_accesses; j++) {
            const struct poly_access *a = &s->accesses[sa->first_access + i], *b = &s->accesses[sb->first_access + j];
            if (!same_object(s, a, b) || !(a->write || b->write)) continue;
            if (a->array != b->array || s->n_tests++ > POLY_MAX_TESTS) return true;
            rg__poly_isl_begin(s);
            isl_map *m = rg__poly_common(s, a, b);
            for (int p = s->loops[loop].parent; p >= 0; p = s->loops[p].parent)
                m = isl_map_equate(m, isl_dim_in, depth_of(sa, p), isl_dim_out, depth_of(sb, p));
            int da = depth_of(sa, loop), db = depth_of(sb, loop);
            m = s->loops[loop].step > 0 ? isl_map_order_gt(m, isl_dim_in, da, isl_dim_out, db)
                                        : isl_map_order_lt(m, isl_dim_in, da, isl_dim_out, db);
            bool hit = isl_map_is_empty(m) != isl_bool_true;
            isl_map_free(m);
            if (hit || !rg__poly_isl_ok(s)) return true;
        }
    return false;
}

/* A scalar that iterations hand to each other in an order that counts. */
static bool turned_scalar(struct poly_scop *s, int outer, int inner, struct poly_conflict *out)
{
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || !s->written[outer][v]) continue;
        bool first = rg__poly_select_of(s, v) >= 0; /* of equal ones the first in the order of the file */
        if ((rg__poly_scalar_private(s, outer, v) && rg__poly_scalar_private(s, inner, v)) ||
            (!first && rg__poly_reduced(s, outer, -1, v) != POLY_OP_NONE))
            continue;
        *out = (struct poly_conflict){.found = true,
                                      .array = -1,
                                      .var = v,
                                      .kind = "flow",
                                      .stmt_a = s->loops[inner].first_stmt,
                                      .stmt_b = s->loops[inner].first_stmt};
        return true;
    }
    return false;
}

struct poly_conflict rg__poly_turned(struct poly_scop *s, int outer, int inner)
{
    struct poly_conflict c = {.array = -1, .var = -1};
    const struct poly_loop *l = &s->loops[inner];
    if (!l->n_stmts || turned_scalar(s, outer, inner, &c)) return c;
    int first = s->stmts[l->first_stmt].first_access;
    const struct poly_stmt *last = &s->stmts[l->first_stmt + l->n_stmts - 1];
    int end = last->first_access + last->n_accesses;
    for (int i = first; i < end; i++)
        for (int j = first; j < end; j++) {
            const struct poly_access *a = &s->accesses[i], *b = &s->accesses[j];
            int dl = s->array_decl_loop[a->array];
            if (!same_object(s, a, b) || !(a->write || b->write) || (dl >= 0 && rg__poly_loop_inside(s, dl, inner)) ||
                (a->array == b->array && order_free(s, outer, NULL, 0, a, POLY_REDUCTIONS) &&
                 order_free(s, outer, NULL, 0, b, POLY_REDUCTIONS)))
                continue;
            const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
            bool many = s->n_tests++ > POLY_MAX_TESTS;
            rg__poly_isl_begin(s);
            isl_map *m = a->array == b->array
                             ? rg__poly_common(s, a, b)
                             : isl_map_from_domain_and_range(isl_set_copy(sa->domain), isl_set_copy(sb->domain));
            for (int p = s->loops[outer].parent; p >= 0; p = s->loops[p].parent)
                m = isl_map_equate(m, isl_dim_in, depth_of(sa, p), isl_dim_out, depth_of(sb, p));
            int oa = depth_of(sa, outer), ob = depth_of(sb, outer), ia = depth_of(sa, inner), ib = depth_of(sb, inner);
            m = s->loops[outer].step > 0 ? isl_map_order_lt(m, isl_dim_in, oa, isl_dim_out, ob)
                                         : isl_map_order_gt(m, isl_dim_in, oa, isl_dim_out, ob);
            m = l->step > 0 ? isl_map_order_gt(m, isl_dim_in, ia, isl_dim_out, ib)
                            : isl_map_order_lt(m, isl_dim_in, ia, isl_dim_out, ib);
            bool none = isl_map_is_empty(m) == isl_bool_true;
            isl_map_free(m);
            bool limit = many || !rg__poly_isl_ok(s);
            if (none && !limit) continue;
            return (struct poly_conflict){.found = true,
                                          .array = a->array,
                                          .var = -1,
                                          .stmt_a = a->stmt,
                                          .stmt_b = b->stmt,
                                          .limit = limit,
                                          .kind = a->write && b->write ? "output"
                                                  : a->write           ? "flow"
                                                                       : "anti"};
        }
    return c;
}

bool rg__poly_parallel(struct poly_scop *s, int loop, const int *fixed, int n_fixed)
{
    return !rg__poly_conflict(s, loop, fixed, n_fixed, POLY_STRICT).found;
}

void rg__poly_conflict_text(struct poly_scop *s, int loop, const struct poly_conflict *c, char *out, size_t size)
{
    const char *file = s->problem->file ? s->problem->file : "?";
    const struct poly_loop *l = &s->loops[loop];
    const char *name = c->array >= 0 ? s->tree->arrays[c->array].name : c->var >= 0 ? s->tree->vars[c->var].name : "?";
    bool more = rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found;
    enum poly_op op = more            ? POLY_OP_NONE
                      : c->array >= 0 ? rg__poly_reduced(s, loop, c->array, -1)
                                      : rg__poly_reduced(s, loop, -1, c->var);
    bool opaque;
    if (!c->limit && c->array >= 0 && rg__poly_atomic_loop(s, loop, NULL, 0, &opaque))
        snprintf(out, size,
                 "loop %s (%s:%d) updates %s in places that other iterations may update too, %s:%d: in any "
                 "order, with atomics",
                 l->name, file, l->node->line, name, file, s->stmts[c->stmt_a].line);
    else if (c->limit)
        snprintf(out, size,
                 "loop %s (%s:%d): whether %s (line %d) depends across iterations took too long to decide, "
                 "so it is taken to",
                 l->name, file, l->node->line, name, s->stmts[c->stmt_a].line);
    else if (op != POLY_OP_NONE && c->array >= 0 && rg_scalar_bytes(s->tree->arrays[c->array].elem) < 4)
        snprintf(out, size,
                 "loop %s (%s:%d) updates (%s) elements of %s that may be the same, %s:%d, and the device has no "
                 "atomic for elements of %zu bytes",
                 l->name, file, l->node->line, rg__poly_op_name(op), name, file, s->stmts[c->stmt_a].line,
                 rg_scalar_bytes(s->tree->arrays[c->array].elem));
    else if (op != POLY_OP_NONE)
        snprintf(out, size, "loop %s (%s:%d) carries a reduction (%s) on %s, %s:%d: reduce.block is the step for it",
                 l->name, file, l->node->line, rg__poly_op_name(op), name, file, s->stmts[c->stmt_a].line);
    else if (c->stmt_a == c->stmt_b)
        snprintf(out, size, "loop %s (%s:%d) carries a dependence (%s) on %s, %s:%d", l->name, file, l->node->line,
                 c->kind, name, file, s->stmts[c->stmt_a].line);
    else
        snprintf(out, size, "loop %s (%s:%d) carries a dependence (%s) on %s between %s:%d and %s:%d", l->name, file,
                 l->node->line, c->kind, name, file, s->stmts[c->stmt_a].line, file, s->stmts[c->stmt_b].line);
}

void rg__poly_refusal(struct poly_scop *s, struct rg_reason *why)
{
    char text[256];
    size_t n = 0, size = sizeof why->text;
    *why = (struct rg_reason){0};
    if (!s->n_loops) {
        const struct rg_cnode *opaque = NULL;
        for (int i = 0; i < s->n_stmts && !opaque; i++)
            if (s->stmts[i].node->kind == RG_C_OPAQUE) opaque = s->stmts[i].node;
        if (opaque)
            rg_refuse(why, RG_REFUSE_ANALYSIS, opaque->line, "%s:%d: %s", s->problem->file, opaque->line,
                      opaque->why ? opaque->why : "not affine");
        else
            rg_refuse(why, RG_REFUSE_SITE, 0, "the function has no loop");
        return;
    }
    why->kind = RG_REFUSE_COST; /* where all loops are parallel, but too short */
    for (int i = 0; i < s->n_loops && n + 8 < size; i++) {
        struct poly_conflict c = rg__poly_conflict(s, i, NULL, 0, POLY_STRICT);
        if (c.found)
            rg__poly_conflict_text(s, i, &c, text, sizeof text);
        else
            snprintf(text, sizeof text, "loop %s (%s:%d) is parallel, but too short to be worth a grid",
                     s->loops[i].name, s->problem->file, s->loops[i].node->line);
        if (c.found && why->kind != RG_REFUSE_DEPENDENCE) {
            why->kind = c.limit ? RG_REFUSE_ANALYSIS : RG_REFUSE_DEPENDENCE;
            why->line = s->loops[i].node->line;
        }
        int k = snprintf(why->text + n, size - n, "%s%s", n ? "; " : "", text);
        n += k > 0 ? (size_t)k : 0;
    }
    if (n >= size) why->text[size - 1] = 0;
}
