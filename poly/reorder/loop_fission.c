/* Splits sequential loops between statements that no dependence ties together, where the pieces map better than the
 * whole: a loop that carries something for one statement need not serialise the others. Scalars that one part sets for
 * the next get a place for each iteration where that is what it takes (scalar expansion): `for (t..) { d = distance(t);
 * if (d < best) best = d; }` computes all distances at once, then looks for the least. */
#include "poly/kernel/mechanisms.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = POLY_PIECES, MAX_ROUNDS = 12 };

struct pieces {
    int n;
    const struct rg_cnode *item[MAX_ITEMS];
    int group[MAX_ITEMS]; /* intervals, by the index of their first item */
};

static bool gather(const struct rg_cnode *n, struct pieces *p)
{
    if (!n) return true;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++)
            if (!gather(n->kid[i], p)) return false;
        return true;
    }
    if (p->n == MAX_ITEMS) return false;
    p->item[p->n++] = n;
    return true;
}

static int statements(const struct poly_scop *s, const struct rg_cnode *n, int *out, int cap)
{
    if (!n) return 0;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_LOOP || n->kind == RG_C_IF) {
        int c = 0;
        for (int i = n->kind == RG_C_LOOP ? 2 : n->kind == RG_C_IF ? 1 : 0; i < n->n; i++)
            c += statements(s, n->kid[i], out + c, cap - c);
        return c;
    }
    int id = rg__poly_stmt_of(s, n);
    if (id < 0 || cap < 1) return 0;
    out[0] = id;
    return 1;
}

/* The statements of two items, of each of which with each of the other dependences are asked. */
struct pairs {
    int *a, *b, na, nb;
    bool many; /* that would take too long */
};

static struct pairs pairs_new(const struct poly_scop *s, const struct rg_cnode *a, const struct rg_cnode *b)
{
    enum { MOST = 4096 };
    struct pairs x = {.a = rg_xcalloc(2 * (size_t)s->n_stmts + 2, sizeof *x.a)};
    x.b = x.a + s->n_stmts + 1;
    x.na = statements(s, a, x.a, s->n_stmts);
    x.nb = statements(s, b, x.b, s->n_stmts);
    x.many = (int64_t)x.na * x.nb > MOST;
    return x;
}

/* Is it the declaration of an array that the other touches? */
static bool declares_for(struct poly_scop *s, const struct rg_cnode *decl, const int *stmts, int n)
{
    for (int i = 0; decl->kind == RG_C_DECL && decl->array >= 0 && i < n; i++)
        for (int u = 0; u < s->stmts[stmts[i]].n_accesses; u++)
            if (s->accesses[s->stmts[stmts[i]].first_access + u].array == decl->array) return true;
    return false;
}

/* Is it the declaration of a scalar that an iteration may read before it is given a value, as far as one can see (code
 * that is left early gave it one)? What reads it stays with it: elsewhere it would be another iteration's. */
static bool declares_unset(struct poly_scop *s, const struct pieces *p, int decl, int other)
{
    const struct rg_cnode *d = p->item[decl];
    if (d->kind != RG_C_DECL || d->array >= 0 || d->n || !rg__c_mentions_var(p->item[other], d->var)) return false;
    struct poly_effect all = rg__poly_effect_new(s);
    for (int i = 0; i < p->n; i++)
        if (i != decl) rg__poly_effect_add(s, &all, p->item[i]);
    bool unset = all.exposed[d->var];
    rg__poly_effect_free(&all);
    return unset;
}

/* places: scalars that could have a place for each iteration tie nothing. */
static bool tied(struct poly_scop *s, const struct pieces *p, int a, int b, int loop, bool places)
{
    struct poly_effect x = rg__poly_effect_new(s), y = rg__poly_effect_new(s);
    bool tie = false;
    rg__poly_effect_add(s, &x, p->item[a]);
    rg__poly_effect_add(s, &y, p->item[b]);
    for (int v = 0; v < s->tree->n_vars; v++) {
        bool set_for = x.written[v] && y.exposed[v], set_behind = y.written[v] && x.exposed[v];
        if (set_for && !set_behind && places && rg__poly_scalar_expandable(s, loop, v)) continue;
        tie = tie || set_for || set_behind;
    }
    rg__poly_effect_free(&x);
    rg__poly_effect_free(&y);
    struct pairs of = pairs_new(s, p->item[a], p->item[b]);
    tie = tie || of.many || declares_unset(s, p, a, b) || declares_unset(s, p, b, a);
    tie = tie || declares_for(s, p->item[a], of.b, of.nb) || declares_for(s, p->item[b], of.a, of.na);
    for (int i = 0; i < of.na && !tie; i++)
        for (int j = 0; j < of.nb && !tie; j++) {
            const struct poly_stmt *one = &s->stmts[of.a[i]], *other = &s->stmts[of.b[j]];
            for (int u = 0; u < one->n_accesses && !tie; u++) /* arrays of one iteration */
                for (int w = 0; w < other->n_accesses; w++) {
                    int array = s->accesses[one->first_access + u].array;
                    int dl = s->array_decl_loop[array];
                    if (array == s->accesses[other->first_access + w].array && dl >= 0 &&
                        rg__poly_loop_inside(s, dl, loop))
                        tie = true;
                }
            tie = tie || rg__poly_backward(s, of.a[i], of.b[j], loop);
        }
    free(of.a);
    return tie;
}

/* Neither reads or writes what the other writes. */
static bool independent(struct poly_scop *s, const struct rg_cnode *a, const struct rg_cnode *b)
{
    struct poly_effect x = rg__poly_effect_new(s), y = rg__poly_effect_new(s);
    bool clash =
        a->kind == RG_C_DECL && (a->array >= 0 ? rg__c_mentions_array(b, a->array) : rg__c_mentions_var(b, a->var));
    rg__poly_effect_add(s, &x, a);
    rg__poly_effect_add(s, &y, b);
    for (int v = 0; v < s->tree->n_vars; v++)
        clash = clash || (x.written[v] && (y.written[v] || y.read[v])) || (y.written[v] && x.read[v]);
    rg__poly_effect_free(&x);
    rg__poly_effect_free(&y);
    struct pairs of = pairs_new(s, a, b);
    clash = clash || of.many;
    for (int i = 0; i < of.na && !clash; i++)
        for (int u = 0; u < s->stmts[of.a[i]].n_accesses && !clash; u++)
            for (int j = 0; j < of.nb && !clash; j++)
                for (int w = 0; w < s->stmts[of.b[j]].n_accesses && !clash; w++) {
                    const struct poly_access *one = &s->accesses[s->stmts[of.a[i]].first_access + u],
                                             *other = &s->accesses[s->stmts[of.b[j]].first_access + w];
                    clash = (one->write || other->write) && (one->array == other->array || s->problem->may_alias);
                }
    free(of.a);
    return !clash;
}

/* What takes long goes before what is independent of it: a part of its own, where it stood between a scalar's first
 * value and its use. */
static void long_first(struct poly_scop *s, struct pieces *p)
{
    for (int i = 1; i < p->n; i++)
        for (int j = i; j > 0 && rg__poly_looks_long(p->item[j]) && !rg__poly_looks_long(p->item[j - 1]) &&
                        independent(s, p->item[j - 1], p->item[j]);
             j--) {
            const struct rg_cnode *earlier = p->item[j - 1];
            p->item[j - 1] = p->item[j];
            p->item[j] = earlier;
        }
}

enum { PLACES = 1 /* scalars may get places */, LONG_FIRST = 2 };

/* More than one group? */
static bool divide(struct poly_scop *s, int loop, unsigned how, struct pieces *p)
{
    memset(p, 0, sizeof *p);
    if (!gather(s->loops[loop].node->kid[2], p) || p->n < 2) return false;
    if (how & LONG_FIRST) long_first(s, p);
    for (int i = 0; i < p->n; i++) p->group[i] = i;
    for (int i = 0; i < p->n; i++)
        for (int j = p->n - 1; j > i; j--)
            if (p->group[j] != p->group[i] && tied(s, p, i, j, loop, how & PLACES)) {
                for (int k = i; k <= j; k++) /* everything between goes along */
                    p->group[k] = p->group[k] < p->group[i] ? p->group[k] : p->group[i];
                break;
            }
    for (int i = 1; i < p->n; i++)
        for (int j = i + 1; j < p->n; j++)
            if (p->group[j] < p->group[i] && p->group[j] <= p->group[i - 1]) p->group[i] = p->group[i - 1];
    return p->group[p->n - 1] != 0;
}

/* ---- trees ---- */

/* number: of the step that asks for it; 0 none. */
static const struct rg_ctree *split_tree(struct rg_arena *a, const struct poly_scop *s, int loop,
                                         const struct pieces *p, int number)
{
    const struct rg_cnode *l = s->loops[loop].node;
    const struct rg_cnode *parts[MAX_ITEMS];
    int n = 0;
    for (int i = 0; i < p->n;) {
        int j = i;
        while (j < p->n && p->group[j] == p->group[i]) j++;
        struct rg_cnode *c = rg__c_shallow(a, l);
        c->kid[2] = rg__poly_block_of(a, &p->item[i], j - i, l);
        if (number) {
            c->edit = number / POLY_ROUNDS;
            c->piece = number * POLY_PIECES + n;
            c->made = rg_arena_printf(a, "fission: part %d of loop %s", n + 1, s->loops[loop].name);
        }
        parts[n++] = c;
        i = j;
    }
    struct rg_ctree *t = rg_arena_alloc(a, sizeof *t);
    *t = *s->tree;
    t->root = rg__poly_tree_with(a, s->tree->root, l, rg__poly_block_of(a, parts, n, l));
    if (!number) rg_ctree_prepare(a, t, RG_PREPARE_FISSION, s->loops[loop].name, l->line);
    return t;
}

const struct rg_ctree *rg__poly_divide_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                            struct rg_reason *why)
{
    struct pieces pieces;
    const struct poly_loop *l = &s->loops[loop];
    if (l->node->n > 3) {
        rg_refuse(why, RG_REFUSE_SHAPE, l->node->line,
                  "loop %s (%s:%d) ends when its data says so, with all that is in it", l->name, s->problem->file,
                  l->node->line);
        return NULL;
    }
    if (divide(s, loop, 0, &pieces)) return split_tree(a, s, loop, &pieces, number);
    int work = 0;
    for (int i = 0; i < pieces.n; i++)
        work += !(pieces.item[i]->kind == RG_C_DECL && !(pieces.item[i]->n && pieces.item[i]->kid[0]));
    rg_refuse(why, work < 2 ? RG_REFUSE_SHAPE : RG_REFUSE_DEPENDENCE, l->node->line,
              work < 2 ? "loop %s (%s:%d) has one statement: nothing can be split off"
                       : "the statements of loop %s (%s:%d) can't be split: they share a "
                         "scalar, or one needs what another computed in an earlier iteration",
              l->name, s->problem->file, l->node->line);
    return NULL;
}

/* ---- is it worth it ---- */

static double cost(struct poly_scop *s)
{
    struct poly_program *p = rg__poly_map(s, NULL);
    if (!p) return 1e300;
    double c = rg__poly_program_cost(p);
    rg__poly_program_free(p);
    return c;
}

/* The loop in pieces; NULL: nothing to split, or not analysed. */
static struct poly_scop *split_at(const struct poly_scop *s, struct poly_scop *of, int loop, struct rg_arena *arena)
{
    struct pieces pieces;
    struct poly_scop *next = NULL;
    if (of->loops[loop].node->n > 3) /* when it ends, all that is in it does */
        return NULL;
    if (!rg__poly_conflict(of, loop, NULL, 0, POLY_STRICT).found || !divide(of, loop, 0, &pieces)) return NULL;
    return rg__poly_scop_new(s->problem, split_tree(arena, of, loop, &pieces, 0), &next, NULL) == RG_OK ? next : NULL;
}

/* The loop split and, while that alone gains nothing, the loops around it between the pieces; NULL: no gain. */
static struct poly_scop *split_outwards(struct poly_scop *s, int loop, double *best, struct rg_arena *arena)
{
    struct poly_scop *at = s;
    for (; loop >= 0; loop = s->loops[loop].parent) { /* those around keep their numbers */
        struct poly_scop *next = split_at(s, at, loop, arena);
        if (at != s) rg__poly_scop_free(at);
        if (!next) return NULL;
        double c = cost(next);
        if (c < *best) {
            *best = c;
            return next;
        }
        at = next;
    }
    if (at != s) rg__poly_scop_free(at);
    return NULL;
}

enum rg_status rg__poly_divide_where_it_pays(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err)
{
    (void)err; /* what can't be analysed in pieces stays whole */
    double best = cost(*s);
    for (int round = 0, loop = 0; round < MAX_ROUNDS && loop < (*s)->n_loops; loop++) {
        struct pieces pieces;
        if ((*s)->loops[loop].node->n > 3 || !rg__poly_conflict(*s, loop, NULL, 0, POLY_STRICT).found ||
            !divide(*s, loop, 0, &pieces))
            continue;
        round++;
        struct poly_scop *next = split_outwards(*s, loop, &best, arena);
        if (!next) continue;
        rg__poly_scop_free(*s);
        *s = next;
        loop = -1;
    }
    return RG_OK;
}

/* ---- with places for scalars ---- */

enum { MAX_CUTS = 4 };

/* Scalars that the items in front of `at` set for those behind; how many, -1: one of them can have no places. */
static int crossing(struct poly_scop *s, const struct pieces *p, int loop, int at, bool *which)
{
    struct poly_effect front = rg__poly_effect_new(s), behind = rg__poly_effect_new(s);
    int n = 0;
    for (int i = 0; i < p->n; i++) rg__poly_effect_add(s, i < at ? &front : &behind, p->item[i]);
    for (int v = 0; v < s->tree->n_vars; v++) {
        which[v] = front.written[v] && behind.exposed[v];
        if (which[v] && n >= 0) n = rg__poly_scalar_expandable(s, loop, v) ? n + 1 : -1;
    }
    rg__poly_effect_free(&front);
    rg__poly_effect_free(&behind);
    return n;
}

/* The loop in two at item `at`, with places for what crosses; each: for every iteration of the loops around, too, those
 * that go in order among them. */
static struct poly_scop *cut(struct poly_scop *s, int loop, const struct pieces *p, int at, const bool *which,
                             bool each, struct rg_arena *arena)
{
    const struct rg_cnode *l = s->loops[loop].node, *item[MAX_ITEMS];
    struct poly_scop *next = NULL;
    struct rg_ctree *t = rg_arena_alloc(arena, sizeof *t);
    *t = *s->tree;
    memcpy(item, p->item, sizeof *item * (size_t)p->n);
    if (!rg__poly_expand_scalars(s, loop, which, each, item, p->n, t, arena)) return NULL;
    struct rg_cnode *front = rg__c_shallow(arena, l), *behind = rg__c_shallow(arena, l);
    front->kid[2] = rg__poly_block_of(arena, item, at, l);
    behind->kid[2] = rg__poly_block_of(arena, item + at, p->n - at, l);
    const struct rg_cnode *parts[] = {front, behind};
    t->root = rg__poly_tree_with(arena, s->tree->root, l, rg__poly_block_of(arena, parts, 2, l));
    rg_ctree_prepare(arena, t, RG_PREPARE_FISSION, s->loops[loop].name, l->line);
    if (rg__poly_scop_new(s->problem, t, &next, NULL) != RG_OK) return NULL;
    next->opaque_loops = s->opaque_loops;
    return next;
}

/* The parts of a loop that was cut, and with them those of the loops around it, a loop for each: what takes long runs
 * in parallel over all of them. Takes s; gives what is fastest by estimate. */
static struct poly_scop *cut_outwards(struct poly_scop *s, int loop, double *time, struct rg_arena *arena)
{
    bool parallel;
    struct poly_scop *best = s, *at = s;
    *time = rg__poly_time_ahead(s, &parallel);
    for (int l = s->loops[loop].parent; l >= 0; l = s->loops[l].parent) { /* those around keep their numbers */
        struct pieces p;
        struct poly_scop *next = NULL;
        if (at->loops[l].node->n > 3 || !divide(at, l, LONG_FIRST, &p) ||
            rg__poly_scop_new(s->problem, split_tree(arena, at, l, &p, 0), &next, NULL) != RG_OK)
            break;
        next->opaque_loops = at->opaque_loops;
        double t = rg__poly_time_ahead(next, &parallel);
        if (at != best) rg__poly_scop_free(at);
        at = next;
        if (t >= *time) continue;
        if (best != s) rg__poly_scop_free(best);
        best = next;
        *time = t;
    }
    if (at != best) rg__poly_scop_free(at);
    if (best != s) rg__poly_scop_free(s);
    return best;
}

/* The fastest way by estimate to cut the loop; NULL: none is faster than *best. Right in front of what takes long, and
 * right behind: the rest may carry something from one iteration to the next. */
static struct poly_scop *best_cut(struct poly_scop *s, int loop, double *best, struct rg_arena *arena)
{
    struct pieces p;
    struct poly_scop *found = NULL;
    if (s->loops[loop].node->n > 3 || !divide(s, loop, PLACES, &p)) return NULL;
    bool *which = rg_xcalloc((size_t)s->tree->n_vars + 1, sizeof *which);
    int at[MAX_CUTS], n = 0, all = 0, seen = 0;
    for (int i = 0; i < p.n; i++) all += rg__poly_looks_long(p.item[i]);
    for (int i = 1, last = -1; i < p.n && all; i++) {
        seen += rg__poly_looks_long(p.item[i - 1]);
        if (p.group[i] == p.group[i - 1] || (seen && seen == last) || crossing(s, &p, loop, i, which) <= 0) continue;
        if (seen != last && n == MAX_CUTS) break;
        n += seen != last;
        last = seen;
        at[n - 1] = i;
    }
    for (int i = 0; i < n; i++) {
        double t = 0;
        crossing(s, &p, loop, at[i], which);
        struct poly_scop *next = cut(s, loop, &p, at[i], which, false, arena);
        if (next) next = cut_outwards(next, loop, &t, arena);
        bool better = next && t < *best;
        rg__poly_scop_free(better ? found : next);
        found = better ? next : found;
        *best = better ? t : *best;
    }
    free(which);
    return found;
}

/* The same between statements under a condition, which each part asks. */
static struct poly_scop *cut_in_guard(struct poly_scop *s, int loop, bool in_front, double *best,
                                      struct rg_arena *arena)
{
    struct poly_scop *apart = NULL, *next = NULL;
    const struct rg_ctree *t = s->loops[loop].node->n > 3 ? NULL : rg__poly_divide_guard(s, loop, in_front, arena);
    if (t && rg__poly_scop_new(s->problem, t, &apart, NULL) == RG_OK) next = best_cut(apart, loop, best, arena);
    rg__poly_scop_free(apart);
    return next;
}

/* The same of a tree in which a carried scalar has been put in another form, in front of item `at` of the loop. Each:
 * as that of cut(). */
static struct poly_scop *cut_changed(struct poly_scop *s, int loop, const struct rg_ctree *t, int at, bool each,
                                     double *best, struct rg_arena *arena)
{
    struct poly_scop *changed = NULL, *next = NULL;
    struct pieces p;
    double time = 1e300;
    if (!t || rg__poly_scop_new(s->problem, t, &changed, NULL) != RG_OK) return NULL;
    changed->opaque_loops = s->opaque_loops;
    bool *which = rg_xcalloc((size_t)t->n_vars + 1, sizeof *which);
    if (divide(changed, loop, PLACES, &p) && at < p.n && p.group[at] != p.group[at - 1] &&
        crossing(changed, &p, loop, at, which) > 0)
        next = cut(changed, loop, &p, at, which, each, arena);
    if (next) next = cut_outwards(next, loop, &time, arena);
    rg__poly_scop_free(changed);
    free(which);
    if (time < *best) {
        *best = time;
        return next;
    }
    rg__poly_scop_free(next);
    return NULL;
}

/* Behind what sets a carried scalar, which is kept for the rest. */
static struct poly_scop *cut_behind_carried(struct poly_scop *s, int loop, double *best, struct rg_arena *arena)
{
    int at = 0;
    const struct rg_ctree *t = rg__poly_keep_carried(s, loop, &at, arena);
    return cut_changed(s, loop, t, at, true, best, arena);
}

/* What the kernel takes that has a thread for each of the loop's iterations, one of which goes through other loops; by
 * the same estimate as rg__poly_time_ahead. 0: there is none. */
static double thread_time(struct poly_scop *s, int loop)
{
    struct rg_reason why = {0};
    double best = 1e300, own = 0;
    for (int reduce = 0; reduce < 2; reduce++) {
        struct poly_program *p = rg__poly_map(s, NULL);
        double t = p && (!reduce || rg__poly_reduce(p, "C", &why)) ? rg__poly_program_time(p) : 1e300;
        if (t < best) {
            best = t;
            own = 0;
            for (int i = 0; i < p->n_kernels; i++) {
                const struct poly_kernel *k = &p->kernels[i];
                if (k->form == POLY_THREADS && k->n_dims < 3 && k->dims[k->n_dims - 1] == loop &&
                    rg__poly_knode_has_loop(k->body))
                    own += rg__poly_kernel_time(p, k);
            }
        }
        rg__poly_program_free(p);
    }
    return own;
}

/* What the program may take for the loop to be cut, which now takes so long. A parallel one is a grid of its own: its
 * kernel is what must become twice as fast, and matter. */
static double most_time(struct poly_scop *s, int loop, double now)
{
    if (rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found) return now / POLY_GAIN;
    double saved = thread_time(s, loop) / 2;
    return saved >= now / 10 ? now - saved : 0;
}

void rg__poly_cut_where_it_pays(struct poly_scop **s, struct rg_arena *arena)
{
    bool parallel;
    double now = rg__poly_time_ahead(*s, &parallel);
    for (int round = 0, loop = 0; round < MAX_ROUNDS && loop < (*s)->n_loops; loop++) {
        if (POLY_GAIN * rg__poly_bound(*s) >= now) return;
        double best = most_time(*s, loop, now);
        if (best <= 0) continue;
        struct poly_scop *next = best_cut(*s, loop, &best, arena);
        for (int in_front = 0; in_front < 2 && !next; in_front++) next = cut_in_guard(*s, loop, in_front, &best, arena);
        if (!next) next = cut_behind_carried(*s, loop, &best, arena);
        if (!next) continue;
        rg__poly_scop_free(*s);
        *s = next;
        now = best;
        loop = -1;
        round++;
    }
}

static bool runs_at_once(struct poly_scop *s, int loop)
{
    bool opaque;
    return !rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found || rg__poly_atomic_loop(s, loop, NULL, 0, &opaque);
}

static bool holds_opaque(const struct poly_scop *s, int loop)
{
    const struct poly_loop *l = &s->loops[loop];
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        if (rg__poly_may_run_long(s, i)) return true;
    return false;
}

/* opaque: of loops around opaque code with loops alone, which is then taken to run for long. */
static void share_sums(struct poly_scop **s, bool opaque, struct rg_arena *arena)
{
    bool parallel;
    (*s)->opaque_loops = opaque;
    double now = rg__poly_time_ahead(*s, &parallel);
    for (int round = 0, loop = 0; round < MAX_ROUNDS && loop < (*s)->n_loops; loop++) {
        int at = 0;
        double best = now / 2;
        if (!opaque && POLY_GAIN * rg__poly_bound(*s) >= now) break;
        if ((opaque && !holds_opaque(*s, loop)) || !rg__poly_conflict(*s, loop, NULL, 0, POLY_STRICT).found) continue;
        const struct rg_ctree *t = rg__poly_partial_sums(*s, loop, &at, arena);
        struct poly_scop *next = cut_changed(*s, loop, t, at, false, &best, arena);
        if (next && !runs_at_once(next, loop)) { /* what is left carries something else */
            rg__poly_scop_free(next);
            next = NULL;
        }
        if (!next) continue;
        next->plain = (*s)->plain;
        (*s)->plain = NULL;
        rg__poly_scop_free(*s);
        *s = next;
        now = best;
        loop = -1;
        round++;
    }
    (*s)->opaque_loops = false;
}

void rg__poly_share_sums_where_it_pays(struct poly_scop **s, struct rg_arena *arena)
{
    if ((*s)->tree->without & 1u << RG_PREPARE_FISSION) return;
    share_sums(s, false, arena);
    share_sums(s, true, arena);
}
