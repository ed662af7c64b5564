/* Lists that a nest fills through counters, with any number of entries for an iteration: matrices that are assembled
 * row by row, pairs and edges, what passes a filter. for j: for i: { ptr[j * w + i] = n;  if (a) { col[n] = ..; n++; }
 * col[n] = ..; n++; } How far an iteration moves a counter does not depend on where the counter is. So the iterations
 * count first, each by itself; an exclusive prefix sum of the counts says where each begins; and then all fill at once:
 *     for j: for i: { c = 0;  if (a) c++;  c++;  count[j][i] = c; }
 *     for k: { first[k] = n;  n += count[k]; }
 *     for j: for i: { n' = first[j][i];  ptr[j * w + i] = n';  if (a) { col[n'] = ..; n'++; }  ..  }
 * The counter is right behind that, too. It holds where the nest writes nothing that the counting reads, and where what
 * is stored at a counter lies between the counter at the iteration's begin and at its end: then no two iterations store
 * to one element, which rg_carray.begins tells the dependence analysis. Nests whose bounds are of parameters count by
 * the iterations of several levels, others by those of the outermost loop alone. One loop that stores once in an
 * iteration is a scan as it stands. */
#include "frontend/infer/infer.h"
#include "frontend/load.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/filled_first.h"
#include "frontend/normalise/filled_lists.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/size_symbols.h"
#include <stdlib.h>

enum { FEW_ROWS = 4096, MOST_PLACES = 1 << 24 };

struct writing {
    struct rg__load *l;
    struct rg__filling f;
    struct rg_cnode *block; /* the nest is block->kid[at] */
    int at;
    const struct rg_expr *dims[RG__FILL_LEVELS];
    struct rg_cnode *trips[RG__FILL_LEVELS]; /* of a level; below 1: none */
    struct rg_cnode *row[RG__FILL_LEVELS];   /* at least 1 where there are several levels */
    struct rg_cnode *all;                    /* iterations in all */
    struct rg__kids arrays;
};

/* ---- levels ---- */

static struct rg_cnode *trips(struct rg_ctree *t, const struct rg_cnode *l)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly lo = rg__poly_of(r, l->kid[l->step > 0 ? 0 : 1]), hi = rg__poly_of(r, l->kid[l->step > 0 ? 1 : 0]),
                    n = rg__poly_add(&hi, &lo, -1);
    struct rg_cnode *e = n.bad ? NULL : rg__poly_node(r, &n);
    free(r);
    return e;
}

static bool may_count(const struct rg__filling *f, const struct rg_cnode *l)
{
    return l->kind == RG_C_LOOP && l->n == 3 && (l->step == 1 || l->step == -1) && rg__c_of_params(f->t, l->kid[0]) &&
           rg__c_of_params(f->t, l->kid[1]) && l->kid[2]->kind == RG_C_BLOCK && !rg__leaves_early(l->kid[2]);
}

static bool names_counter(const struct rg__filling *f, const struct rg_cnode *n)
{
    bool named = false;
    for (int k = 0; k < f->n; k++) named = named || rg__c_mentions_var(n, f->counter[k].var);
    return named;
}

static bool writes_any(const struct rg_ctree *t, const struct rg_cnode *n)
{
    bool writes = false;
    for (int a = 0; a < t->n_arrays && !writes; a++) writes = rg__writes_array(n, a);
    return writes;
}

/* The loop that is all of the body but for values that stand in front of it; NULL. */
static struct rg_cnode *inner(const struct rg__filling *f, const struct rg_cnode *body)
{
    struct rg_cnode *l = body->n ? body->kid[body->n - 1] : NULL;
    if (!l || !may_count(f, l)) return NULL;
    for (int i = 0; i + 1 < body->n; i++)
        if (names_counter(f, body->kid[i]) || writes_any(f->t, body->kid[i]) || rg__c_has_loop(body->kid[i]))
            return NULL;
    return l;
}

/* At the timed size; where that is not known, many. */
static double at_size(const struct rg__filling *f, const struct rg_expr *e)
{
    struct rg_problem_env env;
    int64_t v;
    if (!f->p->n_sizes) return MOST_PLACES;
    rg_problem_env_init(&env, f->p, &f->p->sizes[0]);
    return rg_expr_eval(e, &env.env, &v, NULL) == RG_OK ? (double)v : MOST_PLACES;
}

/* Does every iteration store something? Then there is memory of that size anyway. */
static bool dense(const struct rg__filling *f, const struct rg_cnode *body)
{
    int which;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (rg__fill_step(f, s, &which) || (e && e->kind == RG_C_ASSIGN && e->kid[0]->kind == RG_C_INDEX)) return true;
    }
    return false;
}

static bool levels(struct writing *w)
{
    struct rg__filling *f = &w->f;
    double so_far = 1;
    f->n_levels = 0;
    if (!may_count(f, f->loop)) return false;
    for (struct rg_cnode *l = f->loop; l && f->n_levels < RG__FILL_LEVELS; l = inner(f, f->body)) {
        const struct rg_expr *n;
        struct rg_cnode *e = trips(f->t, l);
        if (!e || !(n = rg__c_to_expr(f->t, e, &f->t->arena))) break;
        double here = so_far * at_size(f, n);
        if (f->n_levels && so_far >= FEW_ROWS && here > MOST_PLACES && !dense(f, l->kid[2])) break;
        so_far = here;
        w->trips[f->n_levels] = e;
        w->dims[f->n_levels] = n;
        f->level[f->n_levels++] = l;
        f->body = l->kid[2];
    }
    return f->n_levels > 0;
}

/* Nests, and loops of which an iteration stores more than once: others are scans. */
static bool needs_counts(const struct rg__filling *f)
{
    for (int k = 0; k < f->n; k++)
        if (f->counter[k].stores && (f->counter[k].n_steps > 1 || f->n_levels > 1)) return true;
    for (int k = 0; k < f->n && f->n_levels > 1; k++) return true;
    for (int i = 0; i < f->body->n; i++)
        if (rg__c_has_loop(f->body->kid[i]) && names_counter(f, f->body->kid[i]))
            for (int k = 0; k < f->n; k++)
                if (rg__c_writes_var(f->body->kid[i], f->counter[k].var)) return true;
    return false;
}

/* Is the array a local one that every iteration of the loop fills for itself? */
static bool own_to_each(const struct rg__filling *f, int array, const struct rg_cnode *loop)
{
    struct rg_ctree *t = f->t;
    if (t->arrays[array].param >= 0 || !t->arrays[array].dims || !t->arrays[array].dims[0] || loop->kind != RG_C_LOOP ||
        loop->n > 3)
        return false;
    struct rg__given *given = rg__given_of(t, f->p);
    bool own = rg__fills_first(t, f->p, given, array, &loop, 1, loop->kid[2]);
    rg__given_free(given);
    return own;
}

/* A list from outside is made anew in each iteration of what stands around the nest: those follow one another anyway.
 * Not where it is scratch, which each of them fills before it reads it. */
static bool in_order_around(const struct rg__filling *f, const struct rg_cnode *around)
{
    bool ordered = !around;
    for (int a = 0; a < f->t->n_arrays && !ordered; a++)
        ordered = f->fills[a] && f->t->arrays[a].n_dims == 1 && !rg__c_declares_array(around, a) &&
                  !own_to_each(f, a, around);
    return ordered;
}

/* ---- what becomes of it ---- */

static struct rg_cnode *set(struct writing *w, struct rg_cnode *to, struct rg_cnode *value)
{
    return rg__placed_set(w->f.t, to, value, w->f.loop);
}

static void rename(struct rg_cnode *n, int from, int to)
{
    if (!n) return;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == from) n->var = to;
    for (int i = 0; i < n->n; i++) rename(n->kid[i], from, to);
}

static bool surely_runs(const struct writing *w, int d)
{
    const struct rg_cnode *e = rg__c_uncast(w->trips[d], RG__C_INT_CASTS);
    int64_t v;
    return e->kind == RG_C_VAR || (rg__c_number(e, &v) && v > 0);
}

/* How long rows are, at least one, and all of them. */
static bool sizes(struct writing *w)
{
    struct rg_ctree *t = w->f.t;
    for (int d = 0; d < w->f.n_levels; d++) {
        w->row[d] = w->trips[d];
        if (!surely_runs(w, d) && w->f.n_levels > 1) {
            struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
            c->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_copy(t, w->row[d]), rg__c_int(t, 1));
            c->kid[1] = w->row[d];
            c->kid[2] = rg__c_int(t, 1);
            c->type = rg__scalar_common(c->kid[1]->type, c->kid[2]->type);
            w->row[d] = rg__derive_symbol(w->l, "row", c);
        } else if (!rg_c_affine(t, w->row[d])) {
            w->row[d] = rg__derive_symbol(w->l, "row", w->row[d]);
        }
        if (!w->row[d]) return false;
        w->dims[d] = rg__c_to_expr(t, w->row[d], &t->arena);
        struct rg_cnode *n = rg__c_copy(t, w->row[d]);
        w->all = d ? rg__c_binary(t, RG_COP_MUL, w->all, rg__c_cast(t, n, RG_LLONG)) : n;
        if (!d && w->f.n_levels > 1) w->all = rg__c_cast(t, w->all, RG_LLONG);
    }
    if (w->f.n_levels > 1) w->all = rg__derive_symbol(w->l, "places", w->all);
    return w->all != NULL;
}

/* What an iteration has counted; nothing where there is none, although there is room for one. */
static struct rg_cnode *counted(struct writing *w, struct rg_cnode *count)
{
    struct rg_ctree *t = w->f.t;
    struct rg_cnode *runs = NULL;
    for (int d = 0; d < w->f.n_levels && w->f.n_levels > 1; d++) {
        if (surely_runs(w, d)) continue;
        struct rg_cnode *c = rg__c_binary(t, RG_COP_GT, rg__c_copy(t, w->trips[d]), rg__c_int(t, 0));
        runs = runs ? rg__c_binary(t, RG_COP_AND, runs, c) : c;
    }
    if (!runs) return count;
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->kid[0] = runs;
    c->kid[1] = count;
    c->type = count->type;
    c->kid[2] = rg__c_cast(t, rg__c_int(t, 0), c->type);
    return c;
}

static int scratch(struct writing *w, const char *name, enum rg_scalar type)
{
    struct rg_ctree *t = w->f.t;
    int a = rg__placed_scratch(t, name, type, w->dims[0], w->f.loop, &w->arrays);
    struct rg_carray *x = &t->arrays[a];
    x->n_dims = w->f.n_levels;
    x->dims = rg_arena_alloc(&t->arena, sizeof *x->dims * (size_t)x->n_dims);
    for (int d = 0; d < x->n_dims; d++) x->dims[d] = w->dims[d];
    return a;
}

/* The element of the iteration that the levels are at. */
static struct rg_cnode *own(struct writing *w, int array, struct rg_cnode *const *level)
{
    struct rg_ctree *t = w->f.t;
    struct rg_cnode *sub[RG__FILL_LEVELS];
    for (int d = 0; d < w->f.n_levels; d++) {
        const struct rg_cnode *l = level[d];
        struct rg__range *r = rg_xmalloc(sizeof *r);
        rg__range_init(r, t, NULL);
        struct rg__poly v = rg__poly_var(l->var), lo = rg__poly_of(r, l->kid[0]),
                        n = l->step > 0 ? rg__poly_add(&v, &lo, -1) : rg__poly_add(&lo, &v, -1);
        sub[d] = n.bad ? rg__c_var(t, l->var) : rg__poly_node(r, &n);
        free(r);
    }
    return rg__c_index(t, array, w->f.n_levels, sub);
}

/* Of iteration k of all. */
static struct rg_cnode *number(struct writing *w, int array, int k)
{
    struct rg_ctree *t = w->f.t;
    struct rg_cnode *sub[RG__FILL_LEVELS];
    for (int d = w->f.n_levels - 1; d >= 0; d--) {
        struct rg_cnode *e = rg__c_var(t, k);
        for (int x = w->f.n_levels - 1; x > d; x--) e = rg__c_binary(t, RG_COP_DIV, e, rg__c_copy(t, w->row[x]));
        sub[d] = d ? rg__c_binary(t, RG_COP_REM, e, rg__c_copy(t, w->row[d])) : e;
    }
    return rg__c_index(t, array, w->f.n_levels, sub);
}

/* The first loop: the slice, with counters of the iteration's own. */
static struct rg_cnode *counting(struct writing *w, struct rg_cnode *slice, const int *count)
{
    struct rg_ctree *t = w->f.t;
    struct rg_cnode *level[RG__FILL_LEVELS], *body = slice->kid[2];
    level[0] = slice;
    for (int d = 1; d < w->f.n_levels; d++) {
        level[d] = body->kid[body->n - 1];
        body = level[d]->kid[2];
    }
    rg__moves_fresh_arrays(t, slice, slice);
    rg__moves_fresh(t, slice, slice);
    struct rg__kids front = {0}, behind = {0};
    for (int k = 0; k < w->f.n; k++) {
        const struct rg_cvar *v = &t->vars[w->f.counter[k].var];
        enum rg_scalar type = v->type;
        int c = rg__c_add_var(t, "found", RG_CVAR_LOCAL, type);
        rename(body, w->f.counter[k].var, c);
        rg__kids_add(&front, rg__doubling_declaration(t, c, rg__c_cast(t, rg__c_int(t, 0), type), w->f.loop));
        rg__kids_add(&behind, set(w, own(w, count[k], level), rg__c_var(t, c)));
    }
    rg__block_splice(t, body, body->n, 0, &behind);
    rg__block_splice(t, body, 0, 0, &front);
    return slice;
}

static struct rg_cnode *summing(struct writing *w, const int *count, const int *first)
{
    struct rg_ctree *t = w->f.t;
    enum rg_scalar type = w->f.n_levels > 1 ? RG_LLONG : t->vars[w->f.loop->var].type;
    int k = rg__c_add_var(t, "k", RG_CVAR_ITER, type);
    struct rg_cnode *l = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), w->f.loop);
    struct rg__kids body = {0};
    for (int i = 0; i < w->f.n; i++) {
        int v = w->f.counter[i].var;
        rg__kids_add(&body, set(w, number(w, first[i], k), rg__c_var(t, v)));
        rg__kids_add(&body, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v),
                                                                    counted(w, number(w, count[i], k)))),
                                         w->f.loop));
    }
    l->var = k;
    l->step = 1;
    l->kid[0] = rg__c_cast(t, rg__c_int(t, 0), type);
    l->kid[1] = w->all;
    l->kid[2] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &body), w->f.loop);
    return l;
}

static void filling(struct writing *w, const int *first)
{
    struct rg_ctree *t = w->f.t;
    struct rg__kids front = {0};
    for (int k = 0; k < w->f.n; k++) {
        int v = w->f.counter[k].var, now = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        rename(w->f.body, v, now);
        rg__kids_add(&front, rg__doubling_declaration(t, now, own(w, first[k], w->f.level), w->f.loop));
    }
    rg__block_splice(t, w->f.body, 0, 0, &front);
}

/* ---- all of it ---- */

/* Something is stepped in it: worth a closer look. */
static bool resembles(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_INCDEC || (n->kind == RG_C_ASSIGN && n->op == RG_COP_ADD_SET)) return true;
    for (int i = 0; i < n->n; i++)
        if (resembles(n->kid[i])) return true;
    return false;
}

/* How many statements stand where the nest stood; 0: it stays. around: the outermost loop around it; NULL */
static int rewrite(struct rg__load *l, struct rg_cnode *block, int at, const struct rg_cnode *around)
{
    struct rg_ctree *t = l->t;
    struct writing w = {.l = l, .block = block, .at = at, .f = {.t = t, .p = l->p}};
    struct rg__kids front = {0}, behind = {0}, back = {0}, with = {0};
    const int n_vars = t->n_vars;
    w.f.loop = block->kid[at];
    if (w.f.loop->kind != RG_C_LOOP || !resembles(w.f.loop)) return 0;
    w.f.loop = rg__fill_elements(t, rg__c_copy(t, w.f.loop), &front, &back);
    rg__fill_join(t, w.f.loop);
    rg__fill_uncap(t, w.f.loop, &front, &behind);
    for (int i = 0; i < back.n; i++) rg__kids_add(&behind, back.items[i]);
    free(back.items);
    struct rg_cnode *slice = NULL;
    bool ok = rg__fill_counters(&w.f) && levels(&w) && needs_counts(&w.f) && rg__fill_own_elements(&w.f) &&
              in_order_around(&w.f, around) && (slice = rg__fill_slice(&w.f));
    if (!ok) t->n_vars = n_vars; /* but not where symbols are among them */
    if (!ok || !sizes(&w)) {
        free(front.items);
        free(behind.items);
        return 0;
    }
    int count[RG__FILL_COUNTERS], first[RG__FILL_COUNTERS];
    for (int k = 0; k < w.f.n; k++) {
        enum rg_scalar type = t->vars[w.f.counter[k].var].type;
        count[k] = scratch(&w, "count", type);
        first[k] = scratch(&w, "first", type);
        t->arrays[first[k]].begins = w.f.counter[k].stores;
    }
    for (int i = 0; i < front.n; i++) rg__kids_add(&with, front.items[i]);
    rg__kids_add(&with, counting(&w, slice, count));
    rg__kids_add(&with, summing(&w, count, first));
    filling(&w, first);
    rg__kids_add(&with, w.f.loop);
    for (int i = 0; i < behind.n; i++) rg__kids_add(&with, behind.items[i]);
    free(front.items);
    free(behind.items);
    int n = with.n + (block == t->root ? w.arrays.n : 0);
    rg__block_splice(t, block, at, 1, &with);
    rg__block_splice(t, t->root, 0, 0, &w.arrays);
    return n;
}

static void walk(struct rg__load *l, struct rg_cnode *n, const struct rg_cnode *around)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        if (!n->kid[i]) continue;
        int made = n->kind == RG_C_BLOCK ? rewrite(l, n, i, around) : 0;
        if (made)
            i += made - 1;
        else
            walk(l, n->kid[i], around ? around : rg__c_is_loop(n->kid[i]) ? n->kid[i] : NULL);
    }
}

enum rg_status rg__canon_filled_lists(struct rg__load *l)
{
    if (!l->p->may_alias && !rg__mentions_kind(l->t->root, RG_C_VERBATIM)) walk(l, l->t->root, NULL);
    return RG_OK;
}
