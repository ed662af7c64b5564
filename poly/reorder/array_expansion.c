/* A scalar or an array that every iteration fills before it reads it gets a place for each iteration: then nothing is
 * left that forbids them to run at once, or their statements to move apart. */
#include "poly/kernel/kernel.h"
#include "poly/reorder/make_nodes.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_EXPANDED = 8, MAX_BOXES = 4, MOST_BELOW = 1 << 20 };
#define MOST_BYTES ((int64_t)2 << 30)
#define NO_BOUND INT32_MAX /* iterations of a loop that ends by data alone: what is filled is far less */

struct expanded {
    int var, array;                   /* what: one is -1 */
    int depth, loops[POLY_MAX_DEPTH]; /* a place for each of their iterations, outermost first */
    int below[POLY_MAX_DEPTH];        /* how far under 0 a loop's counter begins: for (d = -1; d <= 1; d++) */
    int to;                           /* the new array */
    bool restored;                    /* read later: the last iteration's values are copied back */
    struct rg_cnode *copy;
};

struct expanding {
    struct poly_maker m;
    int loop;
    int n;
    struct expanded items[MAX_EXPANDED];
    int n_around;
    const struct rg_cnode *around[POLY_MAX_DEPTH]; /* loops around what is rewritten */
};

/* ---- extents ---- */

/* The new array, of a place for each iteration. */
static bool allot(struct expanding *x, struct expanded *e)
{
    struct poly_scop *s = x->m.s;
    const struct rg_carray *old = e->array >= 0 ? &x->m.t->arrays[e->array] : NULL;
    int n_dims = e->depth + (old ? old->n_dims : 0);
    const struct rg_expr **dims = rg_arena_alloc(x->m.a, sizeof *dims * (size_t)n_dims);
    isl_set *all = rg__poly_iterations(s, e->loops[e->depth - 1]);
    bool ok = n_dims <= POLY_MAX_DIMS;
    for (int d = 0; d < e->depth && ok; d++) {
        isl_aff *lo = NULL, *hi = NULL;
        struct rg_buf text = RG_BUF_INIT;
        int at = s->loops[e->loops[d]].depth;
        ok = rg__poly_one_piece(isl_set_dim_min(isl_set_copy(all), at), &lo) && isl_aff_is_cst(lo) == isl_bool_true;
        const int64_t first = ok ? rg__poly_number(isl_aff_get_constant_val(lo)) : 0;
        e->below[d] = first < 0 && first >= -MOST_BELOW ? (int)-first : 0;
        ok = ok && first >= -MOST_BELOW && rg__poly_one_piece(isl_set_dim_max(isl_set_copy(all), at), &hi) &&
             rg__poly_make_value(&x->m, hi, 1 + e->below[d], NULL, &text) &&
             rg_expr_parse_all(x->m.a, text.data, &dims[d], NULL) == RG_OK;
        rg_buf_release(&text);
        isl_aff_free(lo);
        isl_aff_free(hi);
    }
    isl_set_free(all);
    for (int d = 0; old && d < old->n_dims && ok; d++) ok = (dims[e->depth + d] = old->dims[d]) != NULL;
    enum rg_scalar type = old ? old->elem : s->tree->vars[e->var].type;
    ok = ok && type != RG_STRUCT;
    for (int i = 0; i < s->problem->n_sizes && ok; i++) {
        struct rg_problem_env env;
        int64_t bytes = (int64_t)rg_scalar_bytes(type), v;
        rg_problem_env_init(&env, s->problem, &s->problem->sizes[i]);
        for (int d = 0; d < n_dims && ok; d++)
            ok = rg_expr_eval(dims[d], &env.env, &v, NULL) == RG_OK && v < NO_BOUND &&
                 !__builtin_mul_overflow(bytes, v > 1 ? v : 1, &bytes) && bytes <= MOST_BYTES;
    }
    if (!ok) return false;
    e->to = rg__poly_make_array(&x->m, old ? old->name : s->tree->vars[e->var].name, "all", type, n_dims, dims);
    return true;
}

/* ---- what may be ---- */

/* The loops that get places of their own: those around, but for rounds that hand a scalar on. These run one after the
 * other whatever happens, and share their places. */
static void chain_above(struct poly_scop *s, int loop, struct expanded *e)
{
    int chain[POLY_MAX_DEPTH], n = 0;
    for (int l = loop; l >= 0; l = s->loops[l].parent) {
        struct poly_conflict c = {.var = -1};
        if (l != loop && e->array >= 0 && !e->restored) c = rg__poly_conflict(s, l, NULL, 0, POLY_REDUCTIONS);
        if (c.var < 0 || strcmp(c.kind, "flow")) chain[n++] = l;
    }
    for (e->depth = 0; n > 0;) e->loops[e->depth++] = chain[--n];
}

static void items_of(const struct rg_cnode *x, const struct rg_cnode **out, int *n, int cap)
{
    for (int i = 0; x && x->kind == RG_C_BLOCK && i < x->n; i++) items_of(x->kid[i], out, n, cap);
    if (x && x->kind != RG_C_BLOCK && *n < cap) out[(*n)++] = x;
}

/* Used in a loop inside this one's body and beside it: it ties them together. */
static bool ties(const struct poly_scop *s, int loop, int var)
{
    const struct rg_cnode *item[64];
    int n = 0, loops = 0, users = 0;
    items_of(s->loops[loop].node->kid[2], item, &n, 64);
    for (int i = 0; i < n; i++) {
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, item[i]);
        bool uses = e.read[var] || e.written[var];
        users += uses;
        loops += uses && item[i]->kind == RG_C_LOOP;
        rg__poly_effect_free(&e);
    }
    return loops > 0 && users > 1;
}

/* What a write certainly writes; NULL: nobody knows. */
static isl_map *written_for_sure(struct poly_scop *s, int loop, const struct poly_access *w, bool symbols)
{
    const struct poly_stmt *st = &s->stmts[w->stmt];
    if (!w->write || st->node->kind == RG_C_OPAQUE || w->member || w->whole) return NULL;
    const struct rg_cnode *e = st->node->kind == RG_C_STMT ? st->node->kid[0] : NULL;
    const bool plain = e && e->kind == RG_C_ASSIGN && e->kid[0] == w->node;
    if (symbols) return plain ? rg__poly_symbolic_map(s, loop, w, true) : NULL;
    return w->certain && w->affine && st->exact ? isl_map_copy(w->map) : NULL;
}

/* Every element that an iteration of `loop` reads, it has certainly written before. */
static bool fills(struct expanding *x, int loop, int array, bool symbols)
{
    struct poly_scop *s = x->m.s;
    const struct poly_loop *l = &s->loops[loop];
    int same = l->depth + 1;
    bool ok = true, written = false;
    for (int i = 0; i < s->n_accesses && ok; i++) {
        const struct poly_access *r = &s->accesses[i];
        if (r->array != array || r->stmt < l->first_stmt || r->stmt >= l->first_stmt + l->n_stmts) continue;
        ok = !r->whole && (r->affine || symbols) && !r->member;
        written = written || r->write;
        if (!ok || !r->read) continue;
        isl_map *read = symbols ? rg__poly_symbolic_map(s, loop, r, false) : isl_map_copy(r->map);
        if (!read) return false;
        const bool own = !symbols && s->tree->arrays[array].param < 0; /* nothing lies in front of its first element */
        for (int d = 0; own && d < r->n_subs; d++) read = isl_map_lower_bound_si(read, isl_dim_out, (unsigned)d, 0);
        isl_set *left = isl_map_domain(isl_map_copy(read));
        for (int j = 0; j < s->n_accesses; j++) {
            const struct poly_access *w = &s->accesses[j];
            if (w->array != array || w->stmt < l->first_stmt || w->stmt >= l->first_stmt + l->n_stmts) continue;
            isl_map *to = written_for_sure(s, loop, w, symbols);
            if (!to) continue;
            const struct poly_stmt *sr = &s->stmts[r->stmt], *sw = &s->stmts[w->stmt];
            isl_map *m = isl_map_apply_range(isl_map_copy(read), isl_map_reverse(to)); /* read -> writes of it */
            int common =
                0; /* loops around both; the writer comes first in the innermost of them that differs, or in the text */
            while (common < sr->depth && common < sw->depth && sr->loops[common] == sw->loops[common]) common++;
            for (int d = 0; d < same; d++) m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, d);
            isl_map *before = NULL;
            for (int d = same; d <= common; d++) { /* equal up to d, earlier there */
                isl_map *c = isl_map_copy(m);
                for (int k = same; k < d; k++) c = isl_map_equate(c, isl_dim_in, k, isl_dim_out, k);
                if (d < common)
                    c = s->loops[sr->loops[d]].step > 0 ? isl_map_order_gt(c, isl_dim_in, d, isl_dim_out, d)
                                                        : isl_map_order_lt(c, isl_dim_in, d, isl_dim_out, d);
                else if (w->stmt >= r->stmt) {
                    isl_map_free(c);
                    continue;
                }
                before = before ? isl_map_union(before, c) : c;
            }
            isl_map_free(m);
            if (before) left = isl_set_subtract(left, isl_map_domain(before));
        }
        ok = isl_set_is_empty(left) == isl_bool_true;
        isl_set_free(left);
        isl_map_free(read);
    }
    return ok && written && rg__poly_isl_ok(s);
}

static bool filled_first(struct expanding *x, int loop, int array)
{
    if (fills(x, loop, array, false)) return true;
    if (!rg__poly_symbolic_begin(x->m.s, loop, array)) return false;
    bool ok = fills(x, loop, array, true);
    rg__poly_symbolic_end(x->m.s);
    return ok;
}

/* The outermost loop around the statement that is not around the other loop; -1: none. */
static int beside(const struct poly_scop *s, int stmt, int loop)
{
    const struct poly_stmt *st = &s->stmts[stmt];
    for (int d = 0; d < st->depth; d++)
        if (!rg__poly_loop_inside(s, loop, st->loops[d])) return st->loops[d];
    return -1;
}

/* Does what the loop leaves in the array matter elsewhere? Not to loops that fill it themselves. */
static bool used_outside(struct expanding *x, int loop, int array)
{
    struct poly_scop *s = x->m.s;
    const struct poly_loop *l = &s->loops[loop];
    int fills_itself = -1;
    for (int i = 0; i < s->n_accesses; i++) {
        int stmt = s->accesses[i].stmt;
        if (s->accesses[i].array != array || (stmt >= l->first_stmt && stmt < l->first_stmt + l->n_stmts)) continue;
        if (s->stmts[stmt].node->kind == RG_C_DECL && s->stmts[stmt].node->array == array) continue;
        int other = beside(s, stmt, loop);
        if (other < 0 || (other != fills_itself && !filled_first(x, other, array))) return true;
        fills_itself = other;
    }
    return false;
}

/* The place of a loop's iteration along its dimension. */
static struct rg_cnode *place_along(struct expanding *x, const struct expanded *e, int d, struct rg_cnode *iteration)
{
    if (!e->below[d]) return iteration;
    return rg__poly_make_two(&x->m, RG_C_BINARY, RG_COP_ADD, iteration, rg__poly_make_int(&x->m, e->below[d]));
}

/* for each element of `to`: array[element] = new[last iteration][element], if `runs`, which is true for parameters of
 * `told_of_runs`; NULL: it is no box, or not all that this condition and its bounds say. */
static struct rg_cnode *copy_box(struct expanding *x, const struct expanded *e, isl_set *to, struct rg_cnode *runs,
                                 struct rg_cnode *const *from, __isl_keep isl_set *told_of_runs)
{
    const struct rg_carray *old = &x->m.t->arrays[e->array];
    struct rg_cnode *elem[POLY_MAX_DIMS], *lower[POLY_MAX_DIMS], *upper[POLY_MAX_DIMS];
    isl_set *box = isl_set_universe(isl_set_get_space(to)), *told = isl_set_copy(told_of_runs);
    bool ok = true;
    for (int d = 0; d < old->n_dims && ok; d++) {
        isl_aff *lo = NULL, *hi = NULL;
        struct rg_buf text = RG_BUF_INIT;
        ok = rg__poly_one_piece(isl_set_dim_min(isl_set_copy(to), d), &lo) &&
             rg__poly_one_piece(isl_set_dim_max(isl_set_copy(to), d), &hi) &&
             rg__poly_make_value(&x->m, lo, 0, &lower[d], &text) && rg__poly_make_value(&x->m, hi, 1, &upper[d], &text);
        if (ok) told = isl_set_intersect(told, isl_set_params(isl_aff_le_set(isl_aff_copy(lo), isl_aff_copy(hi))));
        rg_buf_release(&text);
        isl_aff_free(lo);
        isl_aff_free(hi);
        isl_set *one = isl_set_project_out(isl_set_copy(to), isl_dim_set, 0, (unsigned)d);
        one = isl_set_project_out(one, isl_dim_set, 1, (unsigned)(old->n_dims - d - 1));
        one = isl_set_add_dims(isl_set_insert_dims(one, isl_dim_set, 0, (unsigned)d), isl_dim_set,
                               (unsigned)(old->n_dims - d - 1));
        one = isl_set_set_tuple_name(one, isl_set_get_tuple_name(to));
        box = isl_set_intersect(box, one);
    }
    isl_set *any = isl_set_params(isl_set_copy(to));
    ok = ok &&
         isl_set_is_subset(told, any) == isl_bool_true; /* the loops and the condition run only where it was written */
    isl_set_free(told);
    isl_set_free(any);
    ok = ok && isl_set_is_equal(box, to) == isl_bool_true && isl_set_is_bounded(to) != isl_bool_error &&
         rg__poly_isl_ok(x->m.s);
    isl_set_free(box);
    if (!ok) return NULL;
    struct rg_cvar *vars = rg_arena_alloc(x->m.a, sizeof *vars * (size_t)(x->m.t->n_vars + old->n_dims));
    memcpy(vars, x->m.t->vars, sizeof *vars * (size_t)x->m.t->n_vars);
    x->m.t->vars = vars;
    for (int d = 0; d < old->n_dims; d++) {
        const char *name = rg_arena_printf(x->m.a, "%s_at%d", x->m.t->arrays[e->to].name, d);
        vars[x->m.t->n_vars] = (struct rg_cvar){.name = name,
                                                .wanted = name,
                                                .kind = RG_CVAR_ITER,
                                                .param = -1,
                                                .type = RG_I32,
                                                .struct_index = -1,
                                                .c_type = "int"};
        elem[d] = rg__poly_make_var(&x->m, x->m.t->n_vars++);
    }
    x->m.t->cap_vars = x->m.t->n_vars;
    struct rg_cnode *kid[POLY_MAX_DIMS];
    for (int d = 0; d < e->depth; d++) kid[d] = place_along(x, e, d, from[d]);
    memcpy(kid + e->depth, elem, sizeof *kid * (size_t)old->n_dims);
    struct rg_cnode *right = rg__poly_make(&x->m, RG_C_INDEX, RG_COP_NONE, old->elem, e->depth + old->n_dims, kid),
                    *left = rg__poly_make(&x->m, RG_C_INDEX, RG_COP_NONE, old->elem, old->n_dims, elem);
    right->array = e->to;
    left->array = e->array;
    struct rg_cnode *assign = rg__poly_make_two(&x->m, RG_C_ASSIGN, RG_COP_SET, left, right),
                    *c = rg__poly_make(&x->m, RG_C_STMT, RG_COP_NONE, old->elem, 1, &assign);
    for (int d = old->n_dims - 1; d >= 0; d--) {
        struct rg_cnode *parts[] = {lower[d], upper[d], c};
        c = rg__poly_make(&x->m, RG_C_LOOP, RG_COP_NONE, RG_I32, 3, parts);
        c->var = elem[d]->var;
        c->step = 1;
    }
    struct rg_cnode *guarded[] = {runs, c};
    return rg__poly_make(&x->m, RG_C_IF, RG_COP_NONE, RG_I32, 2, guarded);
}

/* Every element that the iterations write, all the same, from the last one's; NULL: not so simple. The elements may be
 * a few boxes, x[0] and x[1 .. n - 1]: what two of them share is stored twice. */
static struct rg_cnode *copy_back(struct expanding *x, struct expanded *e)
{
    struct poly_scop *s = x->m.s;
    const struct poly_loop *l = &s->loops[e->loops[e->depth - 1]];
    isl_map *all = NULL;
    for (int i = 0; i < s->n_accesses; i++) {
        const struct poly_access *w = &s->accesses[i];
        if (w->array != e->array || !w->write || w->stmt < l->first_stmt || w->stmt >= l->first_stmt + l->n_stmts)
            continue;
        bool sure = w->certain && s->stmts[w->stmt].exact && s->stmts[w->stmt].node->kind != RG_C_OPAQUE;
        isl_map *m = isl_map_project_out(isl_map_copy(w->map), isl_dim_in, (unsigned)e->depth,
                                         (unsigned)(s->stmts[w->stmt].depth - e->depth));
        m = isl_map_reset_tuple_id(m, isl_dim_in);
        if (!sure) {
            isl_map_free(m);
            isl_map_free(all);
            return NULL;
        }
        all = all ? isl_map_union(all, m) : m;
    }
    if (!all) return NULL;
    isl_set *run = isl_map_domain(isl_map_copy(all)), *to = isl_map_range(isl_map_copy(all));
    isl_map *product = isl_map_from_domain_and_range(isl_set_copy(run), isl_set_copy(to));
    bool ok = isl_map_is_equal(all, product) == isl_bool_true;
    isl_map_free(product);
    isl_map_free(all);
    isl_set *last = ok ? isl_set_lexmax(isl_set_copy(run)) : NULL,
            *told = ok ? isl_set_universe(isl_space_params(isl_set_get_space(run))) : NULL;
    struct rg_cnode *from[POLY_MAX_DIMS], *runs = NULL, *copies[MAX_BOXES], *c = NULL;
    for (int d = 0; d < e->depth && ok; d++) {
        isl_aff *lo = NULL, *hi = NULL, *end = NULL;
        struct rg_buf text = RG_BUF_INIT;
        struct rg_cnode *least;
        ok = s->loops[e->loops[d]].step > 0 && rg__poly_one_piece(isl_set_dim_max(isl_set_copy(last), d), &hi) &&
             rg__poly_one_piece(isl_set_dim_min(isl_set_copy(run), d), &lo) &&
             rg__poly_one_piece(isl_set_dim_max(isl_set_copy(run), d), &end) &&
             isl_aff_plain_is_equal(hi, end) == isl_bool_true && rg__poly_make_value(&x->m, hi, 0, &from[d], &text) &&
             rg__poly_make_value(&x->m, lo, 0, &least, &text);
        if (ok) {
            told = isl_set_intersect(told, isl_set_params(isl_aff_le_set(isl_aff_copy(lo), isl_aff_copy(hi))));
            struct rg_cnode *when = rg__poly_make_two(&x->m, RG_C_BINARY, RG_COP_LE, least, from[d]);
            runs = runs ? rg__poly_make_two(&x->m, RG_C_BINARY, RG_COP_AND, runs, when) : when;
        }
        rg_buf_release(&text);
        isl_aff_free(lo);
        isl_aff_free(hi);
        isl_aff_free(end);
    }
    if (ok) c = copy_box(x, e, to, runs, from, told);
    isl_basic_set_list *boxes = ok && !c ? isl_set_get_basic_set_list(to) : NULL;
    const int n = boxes ? (int)isl_basic_set_list_n_basic_set(boxes) : 0;
    ok = n > 1 && n <= MAX_BOXES;
    for (int i = 0; i < n && ok; i++) {
        isl_set *box = isl_set_from_basic_set(isl_basic_set_list_get_basic_set(boxes, i));
        copies[i] = copy_box(x, e, box, runs, from, told);
        ok = copies[i] != NULL;
        isl_set_free(box);
    }
    if (ok) c = rg__poly_make(&x->m, RG_C_BLOCK, RG_COP_NONE, RG_I32, n, copies);
    isl_basic_set_list_free(boxes);
    isl_set_free(told);
    isl_set_free(last);
    isl_set_free(run);
    isl_set_free(to);
    return c;
}

/* ---- the tree ---- */

/* An array that several nests fill for themselves has new places in each of them. */
static bool meant_here(const struct expanding *x, const struct expanded *e)
{
    const struct rg_cnode *loop = x->m.s->loops[e->loops[e->depth - 1]].node;
    for (int i = 0; i < x->n_around; i++)
        if (x->around[i] == loop) return true;
    return false;
}

static const struct expanded *find(const struct expanding *x, int var, int array)
{
    for (int i = 0; i < x->n; i++)
        if ((array >= 0 && x->items[i].array == array && meant_here(x, &x->items[i])) ||
            (array < 0 && var >= 0 && x->items[i].var == var))
            return &x->items[i];
    return NULL;
}

static struct rg_cnode *rewritten(struct expanding *x, const struct rg_cnode *n)
{
    if (!n) return NULL;
    const struct expanded *e = n->kind == RG_C_INDEX                                           ? find(x, -1, n->array)
                               : (n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array < 0 ? find(x, n->var, -1)
                               : n->kind == RG_C_DECL                                          ? find(x, -1, n->array)
                                                                                               : NULL;
    struct rg_cnode *c = rg__c_shallow(x->m.a, n);
    const bool loop = n->kind == RG_C_LOOP && x->n_around < POLY_MAX_DEPTH;
    if (loop) x->around[x->n_around++] = n;
    for (int i = 0; i < n->n; i++) c->kid[i] = rewritten(x, n->kid[i]);
    x->n_around -= loop;
    if (!e) return c;
    struct rg_cnode *kid[POLY_MAX_DIMS];
    for (int d = 0; d < e->depth; d++)
        kid[d] = place_along(x, e, d, rg__poly_make_var(&x->m, x->m.s->loops[e->loops[d]].var));
    if (n->kind == RG_C_INDEX) memcpy(kid + e->depth, c->kid, sizeof *kid * (size_t)n->n);
    struct rg_cnode *place = rg__poly_make(&x->m, RG_C_INDEX, RG_COP_NONE, x->m.t->arrays[e->to].elem,
                                           e->depth + (n->kind == RG_C_INDEX ? n->n : 0), kid);
    place->array = e->to;
    if (n->kind != RG_C_DECL) return place;
    if (!c->n || !c->kid[0] || n->array >= 0) { /* nothing happens there */
        c->kind = RG_C_BLOCK;
        c->n = 0;
        return c;
    }
    struct rg_cnode *assign = rg__poly_make_two(&x->m, RG_C_ASSIGN, RG_COP_SET, place, c->kid[0]);
    return rg__poly_make(&x->m, RG_C_STMT, RG_COP_NONE, place->type, 1, &assign);
}

static void add(struct expanding *x, struct expanded e)
{
    if (x->n == MAX_EXPANDED || !allot(x, &e)) return;
    if (e.restored && !(e.copy = copy_back(x, &e))) {
        x->m.t->n_arrays--;
        return;
    }
    x->items[x->n++] = e;
}

static void scalars(struct expanding *x)
{
    struct poly_scop *s = x->m.s;
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (s->tree->vars[v].kind != RG_CVAR_LOCAL || s->var_hidden[v] || rg__c_decides(s->tree->root, v)) continue;
        for (int l = x->loop; l < s->n_loops && rg__poly_loop_inside(s, l, x->loop); l++) /* outermost first */
            if (s->written[l][v] && rg__poly_scalar_private(s, l, v) && ties(s, l, v)) {
                struct expanded e = {.var = v, .array = -1};
                chain_above(s, l, &e);
                add(x, e);
                break;
            }
    }
}

static bool declared_inside(const struct expanding *x, int array)
{
    int dl = x->m.s->array_decl_loop[array];
    return dl >= 0 && rg__poly_loop_inside(x->m.s, dl, x->loop);
}

/* Do other parts of the nest see the array? */
static bool used_between(const struct poly_scop *s, int nest, int array, const int *inner, int n)
{
    const struct poly_loop *all = &s->loops[nest];
    for (int i = 0; i < s->n_accesses; i++) {
        const int st = s->accesses[i].stmt;
        bool covered = s->accesses[i].array != array || st < all->first_stmt || st >= all->first_stmt + all->n_stmts;
        for (int k = 0; k < n && !covered; k++) {
            const struct poly_loop *in = &s->loops[inner[k]];
            covered = st >= in->first_stmt && st < in->first_stmt + in->n_stmts;
        }
        if (!covered) return true;
    }
    return false;
}

static void arrays(struct expanding *x)
{
    struct poly_scop *s = x->m.s;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        bool declared = declared_inside(x, a);
        if (c->constant_table || c->is_const || s->array_hidden[a] || s->problem->may_alias || declared) continue;
        const bool restored = c->param >= 0 || used_outside(x, x->loop, a);
        int nests[MAX_EXPANDED], n = 0; /* that fill it for themselves, none in another */
        for (int l = x->loop; l < s->n_loops && rg__poly_loop_inside(s, l, x->loop); l++) {
            if (!rg__poly_conflict(s, l, NULL, 0, POLY_ONE_ARRAY + a).found || !filled_first(x, l, a)) continue;
            if (n && rg__poly_loop_inside(s, l, nests[n - 1]))
                nests[n - 1] = l;
            else if (n < MAX_EXPANDED)
                nests[n++] = l;
        }
        if (!n || (restored && n > 1) || used_between(s, x->loop, a, nests, n)) continue;
        for (int i = 0; i < n; i++) {
            struct expanded e = {.var = -1, .array = a, .restored = restored};
            chain_above(s, nests[i], &e);
            add(x, e);
        }
    }
}

bool rg__poly_scalar_expandable(const struct poly_scop *s, int loop, int var)
{
    const struct rg_cvar *v = &s->tree->vars[var];
    return v->kind == RG_CVAR_LOCAL && v->type != RG_STRUCT && !s->var_hidden[var] &&
           rg__poly_scalar_private(s, loop, var) && !rg__c_decides(s->tree->root, var);
}

bool rg__poly_expand_scalars(struct poly_scop *s, int loop, const bool *which, bool each, const struct rg_cnode **item,
                             int n, struct rg_ctree *t, struct rg_arena *arena)
{
    struct expanding x = {.m = {.s = s, .a = arena, .t = t, .at = s->loops[loop].node}, .loop = loop};
    int chain[POLY_MAX_DEPTH], depth = 0;
    for (int l = loop; l >= 0; l = s->loops[l].parent) /* what runs one after the other shares its places */
        if (l == loop || each || !rg__poly_conflict(s, l, NULL, 0, POLY_STRICT).found) chain[depth++] = l;
    rg__poly_isl_begin(s);
    for (int v = 0; v < s->tree->n_vars; v++) {
        struct expanded e = {.var = v, .array = -1, .depth = depth};
        if (!which[v]) continue;
        for (int d = 0; d < depth; d++) e.loops[d] = chain[depth - 1 - d];
        if (x.n == MAX_EXPANDED || !allot(&x, &e)) return false;
        x.items[x.n++] = e;
    }
    for (int i = 0; i < n; i++) item[i] = rewritten(&x, item[i]);
    return rg__poly_isl_ok(s);
}

static const struct rg_cnode *declaration_of(const struct rg_cnode *n, int array)
{
    if (!n || (n->kind == RG_C_DECL && n->array == array)) return n;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *d = declaration_of(n->kid[i], array);
        if (d) return d;
    }
    return NULL;
}

/* Dead declarations of local arrays that the new ones replace everywhere: their size may be no constant. */
static void drop_declarations(struct expanding *x)
{
    struct rg_ctree *t = x->m.t;
    for (int i = 0; i < x->n; i++) {
        const struct expanded *e = &x->items[i];
        if (e->array < 0 || e->restored) continue;
        const struct rg_cnode *d = declaration_of(t->root, e->array);
        if (!d) continue;
        struct rg_cnode *nothing = rg__poly_make(&x->m, RG_C_BLOCK, RG_COP_NONE, RG_I32, 0, NULL);
        struct rg_cnode *without = rg__poly_tree_with(x->m.a, t->root, d, nothing);
        if (!rg__c_mentions_array(without, e->array)) t->root = without;
    }
}

const struct rg_ctree *rg__poly_expand(struct poly_scop *s, int loop, bool alone, struct rg_arena *arena)
{
    struct expanding x = {.m = {.s = s, .a = arena, .at = s->loops[loop].node}, .loop = loop};
    x.m.t = rg_arena_alloc(arena, sizeof *x.m.t);
    *x.m.t = *s->tree;
    if (s->loops[loop].parent >= 0) return NULL;
    rg__poly_isl_begin(s);
    arrays(&x); /* first: they keep iterations from running at once, scalars statements from moving apart */
    const int n_first = x.n, n_made = x.m.t->n_arrays;
    scalars(&x);
    if (alone && x.n == n_first) return NULL;
    if (alone) x.n = n_first, x.m.t->n_arrays = n_made;
    if (!x.n || !rg__poly_isl_ok(s)) return NULL;
    struct rg_cnode *kid[MAX_EXPANDED + 1];
    int n = 0;
    kid[n++] = rewritten(&x, s->loops[loop].node);
    for (int i = 0; i < x.n; i++)
        if (x.items[i].copy) kid[n++] = x.items[i].copy;
    struct rg_cnode *block = rg__poly_make(&x.m, RG_C_BLOCK, RG_COP_NONE, RG_I32, n, kid);
    x.m.t->root = rg__poly_tree_with(arena, s->tree->root, s->loops[loop].node, block);
    drop_declarations(&x);
    return x.m.t;
}
