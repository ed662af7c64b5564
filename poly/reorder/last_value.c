/* Last values. A scalar that every iteration of a loop sets before it reads it, and that is read behind the loop (the
 * state of a generator, what was found last), ties the iterations together by its last value alone:
 *     for p { s = f(p); ... s ... }  use(s)
 *  -> for p { own = f(p); ... own ...; if (p == last) cell[0] = own; }  if (there was one) s = cell[0];  use(s) */
#include "poly/reorder/make_nodes.h"
#include "poly/reorder/scheduler.h"

enum { MOST = 16 };

struct kept {
    int var, own, cell;
    struct rg_cnode *store, *load;
};

/* Does every iteration of the loop give it a value before it reads it, and is that needed behind the loop? */
static bool set_and_left(const struct poly_scop *s, int loop, int var)
{
    const struct rg_cvar *v = &s->tree->vars[var];
    if (v->kind != RG_CVAR_LOCAL || v->struct_index >= 0 || v->type == RG_STRUCT || s->var_hidden[var] ||
        !s->written[loop][var] || rg__poly_scalar_private(s, loop, var))
        return false;
    struct poly_effect e = rg__poly_effect_new(s);
    rg__poly_effect_add(s, &e, s->loops[loop].node->kid[2]);
    bool is = e.defined[var] && !e.exposed[var];
    rg__poly_effect_free(&e);
    return is;
}

/* The first and the last value of the loop's variable; false: they are no affine values in one piece. */
static bool bounds(struct poly_maker *m, int loop, struct rg_cnode **first, struct rg_cnode **last)
{
    isl_set *all = rg__poly_iterations(m->s, loop);
    isl_aff *lo = NULL, *hi = NULL;
    struct rg_buf text = RG_BUF_INIT;
    bool ok = rg__poly_one_piece(isl_set_dim_max(isl_set_copy(all), 0), &hi) &&
              rg__poly_one_piece(isl_set_dim_min(isl_set_copy(all), 0), &lo) &&
              rg__poly_make_value(m, hi, 0, last, &text) && rg__poly_make_value(m, lo, 0, first, &text) &&
              rg__poly_isl_ok(m->s);
    rg_buf_release(&text);
    isl_aff_free(lo);
    isl_aff_free(hi);
    isl_set_free(all);
    return ok;
}

static struct rg_cnode *cell(struct poly_maker *m, const struct kept *k)
{
    struct rg_cnode *zero[] = {rg__poly_make_int(m, 0)},
                    *c = rg__poly_make(m, RG_C_INDEX, RG_COP_NONE, m->t->vars[k->var].type, 1, zero);
    c->array = k->cell;
    return c;
}

/* if (a op b) to = from; */
static struct rg_cnode *guarded(struct poly_maker *m, enum rg_c_op op, struct rg_cnode *a, struct rg_cnode *b,
                                struct rg_cnode *to, struct rg_cnode *from)
{
    struct rg_cnode *set = rg__poly_make_two(m, RG_C_ASSIGN, RG_COP_SET, to, from),
                    *condition = rg__poly_make_two(m, RG_C_BINARY, op, a, b),
                    *arm = rg__poly_make(m, RG_C_STMT, RG_COP_NONE, to->type, 1, &set), *kid[] = {condition, arm};
    condition->type = RG_I32;
    return rg__poly_make(m, RG_C_IF, RG_COP_NONE, RG_I32, 2, kid);
}

static bool keep(struct poly_maker *m, int loop, int var, struct kept *k)
{
    const struct rg_expr **dims = rg_arena_alloc(m->a, sizeof *dims);
    struct rg_cnode *first, *last, *end, *ignored; /* a node stands in one place */
    if (!bounds(m, loop, &first, &last) || !bounds(m, loop, &ignored, &end) ||
        rg_expr_parse_all(m->a, "1", &dims[0], NULL) != RG_OK)
        return false;
    *k = (struct kept){.var = var};
    k->own = rg__poly_make_scalar(m, var, "own");
    k->cell = rg__poly_make_array(m, m->t->vars[var].name, "last", m->t->vars[var].type, 1, dims);
    k->store = guarded(m, RG_COP_EQ, rg__poly_make_var(m, m->s->loops[loop].var), last, cell(m, k),
                       rg__poly_make_var(m, k->own));
    k->load = guarded(m, RG_COP_LE, first, end, rg__poly_make_var(m, var), cell(m, k));
    return true;
}

static struct rg_cnode *with_own(struct poly_maker *m, const struct kept *k, int n, const struct rg_cnode *from)
{
    if (!from) return NULL;
    struct rg_cnode *c = rg__c_shallow(m->a, from);
    for (int i = 0; i < from->n; i++) c->kid[i] = with_own(m, k, n, from->kid[i]);
    for (int i = 0; i < n; i++)
        if (from->kind == RG_C_VAR && from->array < 0 && from->var == k[i].var) c->var = k[i].own;
    return c;
}

const struct rg_ctree *rg__poly_keep_last(struct poly_scop *s, int loop, struct rg_arena *arena)
{
    const struct poly_loop *l = &s->loops[loop];
    struct poly_maker m = {.s = s, .a = arena, .at = l->node};
    struct kept k[MOST];
    int n = 0;
    if (l->parent >= 0 || l->step <= 0 || l->node->n != 3) return NULL; /* which is the last, data decide */
    m.t = rg_arena_alloc(arena, sizeof *m.t);
    *m.t = *s->tree;
    rg__poly_isl_begin(s);
    for (int v = 0; v < s->tree->n_vars; v++)
        if (set_and_left(s, loop, v) && (n == MOST || !keep(&m, loop, v, &k[n++]))) return NULL;
    if (!n) return NULL;
    struct rg_cnode *body[2 * MOST + 1], *all[MOST + 1], *changed = with_own(&m, k, n, l->node);
    int b = 0, a = 0;
    for (int i = 0; i < n; i++) {
        body[b] = rg__poly_make(&m, RG_C_DECL, RG_COP_NONE, m.t->vars[k[i].own].type, 0, NULL);
        body[b++]->var = k[i].own;
    }
    body[b++] = changed->kid[2];
    all[a++] = changed;
    for (int i = 0; i < n; i++) {
        body[b++] = k[i].store;
        all[a++] = k[i].load;
    }
    changed->kid[2] = rg__poly_make(&m, RG_C_BLOCK, RG_COP_NONE, RG_I32, b, body);
    m.t->root =
        rg__poly_tree_with(arena, s->tree->root, l->node, rg__poly_make(&m, RG_C_BLOCK, RG_COP_NONE, RG_I32, a, all));
    rg_ctree_prepare(arena, m.t, RG_PREPARE_LAST_VALUE, l->name, l->node->line);
    return m.t;
}
