/* Loops in steps whose body takes the whole step: blocks of 8 x 8 pixels, pairs, lanes of a vector; arrays with one
 * element for so many of a size, as the planes of colour of a film. At sizes that are
 * no multiple the function itself leaves its arrays (`for (y = 0; y < height; y += 8)`, eight rows each time), so the
 * kernel is for multiples: where the accesses that surely happen stay inside at the timed size and don't at one less,
 * that is required. */
#include "frontend/infer/access_sets.h"
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 8, MOST_SUBSCRIPTS = 8, OPERATIONS = 200000 };

struct step {
    int size; /* of the problem's size parameters */
    int64_t by;
};

struct steps {
    struct rg__load *l;
    int n;
    struct step at[MOST_STEPS];
};

static int size_named(const struct rg_problem *p, const char *name)
{
    for (int k = 0; k < p->n_size_params; k++)
        if (!strcmp(p->params[p->size_params[k]].name, name)) return k;
    return -1;
}

/* `(n + 7) / 8`, the number of steps: of which size, and how long. */
static int steps_of(const struct rg_problem *p, const struct rg_expr *e, int64_t *by)
{
    if (e->kind != RG_EXPR_BINARY || e->op != RG_OP_DIV || e->args[1]->kind != RG_EXPR_INT) return -1;
    *by = e->args[1]->value;
    e = e->args[0];
    if (e->kind == RG_EXPR_BINARY && e->op == RG_OP_ADD && e->args[1]->kind == RG_EXPR_INT) e = e->args[0];
    return e->kind == RG_EXPR_NAME ? size_named(p, e->name) : -1;
}

/* The size that a bound is, or that it is a number of steps of; -1 none. */
static int size_of(const struct rg__load *l, const struct rg_cnode *e, int64_t *by)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    const struct rg_expr *x = rg__c_to_expr(l->t, e, &l->p->arena);
    if (!x) return -1;
    if (x->kind != RG_EXPR_NAME) return steps_of(l->p, x, by);
    int k = size_named(l->p, x->name);
    const struct rg_expr *derived = k >= 0 ? l->p->params[l->p->size_params[k]].derived : NULL;
    return derived ? steps_of(l->p, derived, by) : k;
}

static void add_step(struct steps *s, int k, int64_t by)
{
    int64_t timed = k >= 0 ? s->l->p->sizes[0].values[k] : 0;
    if (k < 0 || by < 2 || rg_size_follows(&s->l->p->params[s->l->p->size_params[k]]) || timed % by || timed < 2 * by)
        return;
    for (int i = 0; i < s->n; i++)
        if (s->at[i].size == k && s->at[i].by == by) return;
    if (s->n < MOST_STEPS) s->at[s->n++] = (struct step){k, by};
}

static bool note_loop(void *arg, struct rg_cnode *n)
{
    struct steps *s = arg;
    if (n->kind != RG_C_LOOP) return true;
    int64_t by = n->step;
    int k = size_of(s->l, n->kid[1], &by);
    add_step(s, k, by);
    return true;
}

/* (width / 2) * (height / 2) elements: one for every two of each. */
static void note_parts(struct steps *s, const struct rg_expr *e)
{
    if (!e) return;
    if (e->kind == RG_EXPR_BINARY && e->op == RG_OP_DIV && e->args[1]->kind == RG_EXPR_INT &&
        e->args[0]->kind == RG_EXPR_NAME)
        add_step(s, size_named(s->l->p, e->args[0]->name), e->args[1]->value);
    for (int i = 0; i < e->n_args; i++) note_parts(s, e->args[i]);
}

struct inside {
    struct rg__at_sizes at;
    const struct rg_problem *p;
    isl_ctx *ctx;
    bool leaves;
};

/* Elements of so many extents; 0: one of them is not known. */
static int64_t elements(const struct inside *in, const struct rg_expr *const *dims, int n)
{
    int64_t all = 1, v;
    for (int i = 0; i < n; i++) {
        if (!dims[i] || rg_expr_eval(dims[i], &in->at.env.env, &v, NULL) != RG_OK || v < 1) return 0;
        all *= v;
    }
    return all;
}

/* How many values a subscript has: the tree may see other dimensions than the declaration has. 0: not known. */
static int64_t values_of(const struct inside *in, const struct rg_param *q, const struct rg_carray *a, int d, int n)
{
    if (n == q->n_dims) return elements(in, q->dims + d, 1);
    if (n == 1) return elements(in, q->dims, q->n_dims);
    if (n != a->n_dims) return 0;
    int64_t row = elements(in, a->dims + 1, n - 1);
    return d ? elements(in, a->dims + d, 1) : row ? elements(in, q->dims, q->n_dims) / row : 0;
}

/* Is the largest value of a subscript no element? */
static bool beyond(isl_set *set, int d, int64_t extent)
{
    isl_val *most = extent ? isl_set_dim_max_val(isl_set_copy(set), d) : NULL;
    bool out = most && isl_val_is_int(most) == isl_bool_true && isl_val_get_num_si(most) >= extent;
    isl_val_free(most);
    return out;
}

static void look(void *arg, const struct rg__visit *v)
{
    struct inside *in = arg;
    const struct rg_carray *a = &in->at.t->arrays[v->node->array];
    int n = v->node->n;
    if (in->leaves || a->param < 0 || !v->certain || v->pointer || n < 1 || n > MOST_SUBSCRIPTS) return;
    struct rg_buf text = RG_BUF_INIT;
    isl_set *set = rg__access_set(&in->at, v, &text) ? isl_set_read_from_str(in->ctx, text.data) : NULL;
    rg_buf_release(&text);
    for (int d = 0; set && d < n && !in->leaves; d++)
        in->leaves = beyond(set, d, values_of(in, &in->p->params[a->param], a, d, n));
    isl_set_free(set);
}

static bool leaves(struct rg__load *l, int64_t *values)
{
    struct rg_sizes sizes = {.values = values};
    struct inside in = {.at.t = l->t, .p = l->p, .ctx = isl_ctx_alloc()};
    struct rg__given *given = rg__given_of(l->t, l->p);
    isl_options_set_on_error(in.ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(in.ctx, OPERATIONS);
    rg_problem_env_init(&in.at.env, l->p, &sizes);
    in.at.env.env.arg = &in.at.env;
    rg__each_access(l->t, l->t->root, given, look, &in);
    rg__given_free(given);
    isl_ctx_free(in.ctx);
    return in.leaves;
}

void rg__note_multiple(struct rg_problem *p, int param, int64_t by)
{
    const char *before = p->size_note;
    p->size_note =
        rg_arena_printf(&p->arena, "%s%s%s a multiple of %lld: the C leaves its arrays at other sizes",
                        before ? before : "", before ? "; " : "", rg_param_shown(&p->params[param]), (long long)by);
}

void rg__whole_steps(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct steps s = {.l = l};
    if (!p->n_sizes) return;
    rg__c_walk(l->t->root, note_loop, &s);
    for (int i = 0; i < p->n_params; i++)
        for (int d = 0; d < p->params[i].n_dims; d++) note_parts(&s, p->params[i].dims[d]);
    if (!s.n || leaves(l, p->sizes[0].values)) return;
    size_t bytes = (size_t)p->n_size_params * sizeof(int64_t);
    int64_t *values = rg_xmalloc(bytes);
    for (int i = 0; i < s.n; i++) {
        memcpy(values, p->sizes[0].values, bytes);
        values[s.at[i].size]--;
        const struct rg_expr *whole;
        const char *name = p->params[p->size_params[s.at[i].size]].name,
                   *text = rg_arena_printf(&p->arena, "%s %% %lld == 0", name, (long long)s.at[i].by);
        if (rg_problem_derive(p, values, NULL) == RG_OK && leaves(l, values) &&
            rg_expr_parse_all(&p->arena, text, &whole, NULL) == RG_OK) {
            rg__add_require(p, whole);
            rg__note_multiple(p, p->size_params[s.at[i].size], s.at[i].by);
        }
    }
    free(values);
}
