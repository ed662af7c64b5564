/* Sums that an iteration adds up on its own. A loop whose iterations have large arrays of their own can't be shared by
 * the threads of a block, and what it adds up is then all that keeps its iterations from running at once:
 *     for p { T t[n]; ... sum += e; ... }
 *  -> for p { T t[n]; own = 0; ... own += e; ... part[p] = own; }  for p sum += part[p]; */
#include "poly/kernel/kernel.h"
#include "poly/reorder/make_nodes.h"
#include "poly/reorder/scheduler.h"

enum { MOST_SUMS = 8 };
#define MOST_BYTES ((int64_t)1 << 28)

struct sum {
    int var, own, part;
    enum poly_op op;
};

/* What the loop updates and may not have a copy of for each iteration; -1: that is not all updates. */
static int sums_of(const struct poly_scop *s, int loop, struct sum *sum)
{
    int n = 0;
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        if (c->kind == RG_CVAR_ITER || s->var_hidden[v] || !s->written[loop][v] || rg__poly_scalar_private(s, loop, v))
            continue;
        enum poly_op op = rg__poly_reduced(s, loop, -1, v);
        bool plain = op == POLY_OP_ADD || op == POLY_OP_MUL || op == POLY_OP_MIN || op == POLY_OP_MAX ||
                     op == POLY_OP_AND || op == POLY_OP_OR || op == POLY_OP_XOR;
        if (!plain || rg__poly_select_of(s, v) >= 0 || c->kind != RG_CVAR_LOCAL || c->type == RG_STRUCT ||
            n == MOST_SUMS)
            return -1;
        sum[n++] = (struct sum){.var = v, .op = op};
    }
    return n;
}

/* Does every iteration have an array of its own that is too large for a thread? */
static bool has_own_array(const struct poly_scop *s, int loop)
{
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (s->array_decl_loop[a] == loop && !s->array_hidden[a] && !rg__poly_fits_a_thread(s, a)) return true;
    return false;
}

/* How many places its variable needs: bounds over parameters, from no less than 0. NULL: that can't be said. */
static const struct rg_expr *places_of(struct poly_maker *m, int loop)
{
    const struct rg_expr *n = NULL;
    isl_set *all = rg__poly_iterations(m->s, loop);
    isl_aff *lo = NULL, *hi = NULL;
    struct rg_cnode *ignored;
    struct rg_buf text = RG_BUF_INIT;
    int at = m->s->loops[loop].depth;
    bool ok = rg__poly_one_piece(isl_set_dim_min(isl_set_copy(all), at), &lo) && isl_aff_is_cst(lo) == isl_bool_true &&
              rg__poly_number(isl_aff_get_constant_val(lo)) >= 0 &&
              rg__poly_one_piece(isl_set_dim_max(isl_set_copy(all), at), &hi) &&
              rg__poly_make_value(m, hi, 1, &ignored, &text) && rg_expr_parse_all(m->a, text.data, &n, NULL) == RG_OK &&
              rg__poly_isl_ok(m->s);
    rg_buf_release(&text);
    isl_aff_free(lo);
    isl_aff_free(hi);
    isl_set_free(all);
    for (int i = 0; i < m->s->problem->n_sizes && ok; i++) {
        struct rg_problem_env env;
        int64_t v;
        rg_problem_env_init(&env, m->s->problem, &m->s->problem->sizes[i]);
        ok = rg_expr_eval(n, &env.env, &v, NULL) == RG_OK && v <= MOST_BYTES / 16;
    }
    return ok ? n : NULL;
}

static struct rg_cnode *statement(struct poly_maker *m, struct rg_cnode *to, enum rg_c_op op, struct rg_cnode *value)
{
    struct rg_cnode *set = rg__poly_make_two(m, RG_C_ASSIGN, op, to, value);
    return rg__poly_make(m, RG_C_STMT, RG_COP_NONE, to->type, 1, &set);
}

static struct rg_cnode *part_at(struct poly_maker *m, const struct sum *x, int var)
{
    struct rg_cnode *at = rg__poly_make_var(m, var),
                    *c = rg__poly_make(m, RG_C_INDEX, RG_COP_NONE, m->t->vars[x->var].type, 1, &at);
    c->array = x->part;
    return c;
}

/* What an iteration begins with: what changes nothing, or for operators by which x op x is x, what was there. */
static struct rg_cnode *begin_with(struct poly_maker *m, const struct sum *x)
{
    if (x->op != POLY_OP_ADD && x->op != POLY_OP_MUL && x->op != POLY_OP_XOR) return rg__poly_make_var(m, x->var);
    struct rg_cnode *c = rg__poly_make_int(m, x->op == POLY_OP_MUL);
    if (c->type == m->t->vars[x->var].type) return c;
    return rg__poly_make(m, RG_C_CAST, RG_COP_NONE, m->t->vars[x->var].type, 1, &c);
}

/* var = var op part[at] */
static struct rg_cnode *add_up(struct poly_maker *m, const struct sum *x, int at)
{
    static const enum rg_c_op set[] = {
        [POLY_OP_ADD] = RG_COP_ADD_SET, [POLY_OP_MUL] = RG_COP_MUL_SET, [POLY_OP_AND] = RG_COP_BAND_SET,
        [POLY_OP_OR] = RG_COP_BOR_SET,  [POLY_OP_XOR] = RG_COP_XOR_SET,
    };
    struct rg_cnode *to = rg__poly_make_var(m, x->var);
    if (x->op != POLY_OP_MIN && x->op != POLY_OP_MAX) return statement(m, to, set[x->op], part_at(m, x, at));
    struct rg_cnode *kid[] = {rg__poly_make_two(m, RG_C_BINARY, x->op == POLY_OP_MIN ? RG_COP_LT : RG_COP_GT,
                                                part_at(m, x, at), rg__poly_make_var(m, x->var)),
                              part_at(m, x, at), rg__poly_make_var(m, x->var)};
    kid[0]->type = RG_I32;
    return statement(m, to, RG_COP_SET, rg__poly_make(m, RG_C_COND, RG_COP_NONE, to->type, 3, kid));
}

static struct rg_cnode *with_own(struct poly_maker *m, const struct sum *x, int n, const struct rg_cnode *from)
{
    if (!from) return NULL;
    struct rg_cnode *c = rg__c_shallow(m->a, from);
    for (int i = 0; i < from->n; i++) c->kid[i] = with_own(m, x, n, from->kid[i]);
    for (int i = 0; i < n; i++)
        if (from->kind == RG_C_VAR && from->array < 0 && from->var == x[i].var) c->var = x[i].own;
    return c;
}

static struct rg_cnode *copy_of(struct poly_maker *m, const struct rg_cnode *n)
{
    return with_own(m, NULL, 0, n);
}

/* Do its iterations run one after the other, and all of them, as do those of the loops around it? */
static bool in_order(struct poly_scop *s, int loop)
{
    if (s->loops[loop].step != 1 || s->loops[loop].node->n != 3) return false;
    for (int l = s->loops[loop].parent; l >= 0; l = s->loops[l].parent) /* those around it share the places */
        if (s->loops[l].node->kind != RG_C_LOOP || !rg__poly_conflict(s, l, NULL, 0, POLY_STRICT).found) return false;
    return true;
}

static const struct rg_ctree *changed(struct poly_scop *s, int loop, struct sum *sum, int n, struct rg_arena *arena)
{
    const struct poly_loop *l = &s->loops[loop];
    struct poly_maker m = {.s = s, .a = arena, .at = l->node, .t = rg_arena_alloc(arena, sizeof *m.t)};
    *m.t = *s->tree;
    const struct rg_expr **dims = rg_arena_alloc(arena, sizeof *dims);
    if (!(dims[0] = places_of(&m, loop))) return NULL;
    for (int i = 0; i < n; i++) {
        sum[i].own = rg__poly_make_scalar(&m, sum[i].var, "own");
        sum[i].part = rg__poly_make_array(&m, m.t->vars[sum[i].var].name, "part", m.t->vars[sum[i].var].type, 1, dims);
    }
    int at = rg__poly_make_scalar(&m, l->var, "part");
    struct rg_cnode *body[2 * MOST_SUMS + 1], *adds[MOST_SUMS], *own = with_own(&m, sum, n, l->node);
    int b = 0;
    for (int i = 0; i < n; i++) {
        struct rg_cnode *value = begin_with(&m, &sum[i]);
        body[b] = rg__poly_make(&m, RG_C_DECL, RG_COP_NONE, m.t->vars[sum[i].own].type, 1, &value);
        body[b++]->var = sum[i].own;
        adds[i] = add_up(&m, &sum[i], at);
    }
    body[b++] = own->kid[2];
    for (int i = 0; i < n; i++)
        body[b++] = statement(&m, part_at(&m, &sum[i], l->var), RG_COP_SET, rg__poly_make_var(&m, sum[i].own));
    own->kid[2] = rg__poly_make(&m, RG_C_BLOCK, RG_COP_NONE, RG_I32, b, body);
    struct rg_cnode *kid[] = {copy_of(&m, l->node->kid[0]), copy_of(&m, l->node->kid[1]),
                              rg__poly_make(&m, RG_C_BLOCK, RG_COP_NONE, RG_I32, n, adds)},
                    *all[] = {own, rg__poly_make(&m, RG_C_LOOP, RG_COP_NONE, RG_I32, 3, kid)};
    all[1]->var = at;
    all[1]->step = 1;
    m.t->root =
        rg__poly_tree_with(arena, s->tree->root, l->node, rg__poly_make(&m, RG_C_BLOCK, RG_COP_NONE, RG_I32, 2, all));
    rg_ctree_prepare(arena, m.t, RG_PREPARE_EXPAND, l->name, l->node->line);
    return m.t;
}

const struct rg_ctree *rg__poly_sum_places(struct poly_scop *s, int loop, bool expanded, struct rg_arena *arena)
{
    rg__poly_isl_begin(s);
    for (int l = loop; l < s->n_loops && rg__poly_loop_inside(s, l, loop); l++) {
        struct sum sum[MOST_SUMS];
        const bool meant = has_own_array(s, l) || (expanded && rg__poly_reduction_loop(s, l));
        int n = meant && in_order(s, l) ? sums_of(s, l, sum) : 0;
        if (n > 0) return changed(s, l, sum, n, arena);
    }
    return NULL;
}
