/* Inputs that belong together: what people call such functions with, where values that are drawn one by one make it
 * turn back. A table whose neighbours are compared ascends; a square matrix that is solved with has a diagonal, which
 * dominates it; what is to be above 0 is. Only where nobody states them, and only offered: the function is seen to work
 * on them, or they are not taken. */
#include "frontend/infer/infer.h"
#include "frontend/infer/likely_neighbours.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"
#include <rg/frontend.h>
#include <stdlib.h>
#include <string.h>

struct likely {
    const struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_arena *arena;
    struct rg__writes writes;
    bool *ascends, *diagonal; /* by parameter */
    int n;
    struct rg_frontend_likely *out;
};

static struct rg_frontend_likely *group(struct likely *x, const char *what)
{
    struct rg_frontend_likely *g = &x->out[x->n++];
    g->what = what;
    g->signs = false;
    g->n = 0;
    g->inputs = rg_arena_alloc(x->arena, (size_t)(x->p->n_params + 1) * sizeof *g->inputs);
    return g;
}

static void add(struct rg_frontend_likely *g, int param, const char *input)
{
    g->inputs[g->n++] = (struct rg_frontend_input){param, input, NULL};
}

static const char *text_of(struct likely *x, const struct rg_expr *const *dims, int n)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int d = 0; d < n; d++) {
        const bool plain = dims[d]->kind == RG_EXPR_NAME || dims[d]->kind == RG_EXPR_INT;
        rg_buf_str(&b, d && plain ? "*" : d ? "*(" : plain ? "" : "(");
        rg_expr_print(&b, dims[d], NULL, NULL);
        rg_buf_str(&b, plain ? "" : ")");
    }
    const char *text = rg_arena_strdup(x->arena, b.data);
    rg_buf_release(&b);
    return text;
}

/* That and `more` (1, -1), where `n + 1` and `n - 1` meet them. */
static const char *shifted_text(struct likely *x, const struct rg_expr *e, int more)
{
    const enum rg_op back = more > 0 ? RG_OP_SUB : RG_OP_ADD;
    const bool meets =
        e->kind == RG_EXPR_BINARY && e->op == back && e->args[1]->kind == RG_EXPR_INT && e->args[1]->value == 1;
    const struct rg_expr *plain = meets ? e->args[0] : e;
    const char *text = text_of(x, &plain, 1);
    return meets ? text : rg_arena_printf(x->arena, "(%s %s 1)", text, more > 0 ? "+" : "-");
}

static const char *elements_text(struct likely *x, int param)
{
    const struct rg_param *q = &x->p->params[param];
    return text_of(x, q->dims, q->n_dims);
}

static bool read_array(const struct rg_param *q)
{
    return q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_OUT && q->n_dims > 0 && q->elem != RG_STRUCT;
}

static bool drawn_reals(const struct rg_param *q)
{
    return read_array(q) && rg_scalar_is_real(q->elem) && q->input.kind == RG_INPUT_DEFAULT;
}

/* ---- in order ---- */

/* `xs[k] > xs[k - 1]` */
static bool note_neighbours(void *arg, struct rg_cnode *n)
{
    struct likely *x = arg;
    if (n->kind != RG_C_BINARY || !rg_c_relation(n->op) || n->op == RG_COP_EQ || n->op == RG_COP_NE) return true;
    const struct rg_cnode *a = rg__element_of(&x->writes, n->kid[0]), *b = rg__element_of(&x->writes, n->kid[1]);
    if (!a || !b || a->array != b->array || a->n != 1 || b->n != 1 || a->pointer || b->pointer) return true;
    int param = x->t->arrays[a->array].param;
    if (param < 0 || !read_array(&x->p->params[param])) return true;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, x->t, NULL);
    struct rg__poly at = rg__poly_of(r, a->kid[0]), other = rg__poly_of(r, b->kid[0]),
                    d = rg__poly_add(&at, &other, -1);
    int64_t step;
    if (rg__poly_is_int(&d, &step) && (step == 1 || step == -1)) x->ascends[param] = true;
    free(r);
    return true;
}

static void in_order(struct likely *x)
{
    struct rg_frontend_likely *g = NULL;
    for (int i = 0; i < x->p->n_params; i++) {
        const struct rg_param *q = &x->p->params[i];
        if (!x->ascends[i] || q->input.kind != RG_INPUT_DEFAULT || q->elem == RG_BOOL) continue;
        if (!g) g = group(x, "ascending, as the C compares neighbours");
        bool real = rg_scalar_is_real(q->elem), wide = rg_scalar_bytes(q->elem) >= 4;
        add(g, i,
            real   ? "sorted(-1, 1)"
            : wide ? rg_arena_printf(x->arena, "sorted(0, 4*%s - 1)", elements_text(x, i))
                   : "sorted(0, 120)");
    }
}

static void neighbours(struct likely *x)
{
    struct rg_frontend_input *inputs;
    const int n = rg__likely_neighbours(x->p, x->t, &x->writes, x->arena, &inputs);
    if (n)
        x->out[x->n++] = (struct rg_frontend_likely){
            .what = "one behind another, as the C compares neighbours", .n = n, .inputs = inputs};
}

/* ---- matrices ---- */

/* The value at one of the sizes; false: none. */
static bool value_at(const struct rg_problem *p, const struct rg_expr *e, int size, int64_t *out)
{
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, &p->sizes[size]);
    return e && rg_expr_eval(e, &env.env, out, NULL) == RG_OK;
}

/* As many elements as the other at every size. */
static bool as_long(const struct rg_problem *p, int a, int b)
{
    for (int s = 0; s < p->n_sizes; s++) {
        int64_t n, m;
        if (rg_problem_elements(p, a, &p->sizes[s], &n, NULL) != RG_OK ||
            rg_problem_elements(p, b, &p->sizes[s], &m, NULL) != RG_OK || n != m)
            return false;
    }
    return p->n_sizes > 0;
}

/* Integers drawn from 0 (or 1) on that lead into something. */
static bool leads(const struct rg_param *q, int64_t *first)
{
    const struct rg_expr *lo = q->input.int_args[0];
    if (!read_array(q) || rg_scalar_is_real(q->elem) || q->input.kind != RG_INPUT_UNIFORM) return false;
    if (!lo || lo->kind != RG_EXPR_INT || lo->value < 0 || lo->value > 1) return false;
    *first = lo->value;
    return q->input.int_args[1] && q->input.int_args[1]->kind != RG_EXPR_INT;
}

/* Row pointers that ascend to the length of the columns, which are below the number of rows at every size. */
static bool rows_of(const struct rg_problem *p, int pointers, int columns, int64_t *first)
{
    const struct rg_input *in = &p->params[pointers].input;
    if (!read_array(&p->params[pointers]) || p->params[pointers].n_dims != 1 || in->kind != RG_INPUT_PREFIX ||
        in->n_args > 2 || !leads(&p->params[columns], first))
        return false;
    for (int s = 0; s < p->n_sizes; s++) {
        int64_t total, from = 0, n, elements, most;
        if (!value_at(p, in->int_args[0], s, &total) || !value_at(p, p->params[columns].input.int_args[1], s, &most) ||
            (in->n_args > 1 && !value_at(p, in->int_args[1], s, &from)) || from != *first ||
            rg_problem_elements(p, pointers, &p->sizes[s], &n, NULL) != RG_OK ||
            rg_problem_elements(p, columns, &p->sizes[s], &elements, NULL) != RG_OK)
            return false;
        if (elements != total || most - *first != n - 2) return false;
    }
    return p->n_sizes > 0;
}

static void compressed_rows(struct likely *x)
{
    const struct rg_problem *p = x->p;
    int64_t first;
    for (int i = 0; i < p->n_params; i++)
        for (int c = 0; c < p->n_params; c++) {
            if (c == i || !rows_of(p, i, c, &first)) continue;
            const char *total = elements_text(x, c),
                       *rows = rg_arena_printf(x->arena, "rows(%s, %s, %lld)", total,
                                               shifted_text(x, p->params[i].dims[0], -1), (long long)first);
            struct rg_frontend_likely *g =
                group(x, "a square matrix in compressed rows that its diagonal, which is there, dominates");
            add(g, i, rg_arena_printf(x->arena, "prefix(%s, %lld, 1)", total, (long long)first));
            add(g, c, rows);
            for (int v = 0; v < p->n_params; v++)
                if (drawn_reals(&p->params[v]) && as_long(p, v, c)) add(g, v, rows);
            return;
        }
}

static const struct rg_carray *array_of(const struct likely *x, int param)
{
    for (int i = 0; i < x->t->n_arrays; i++)
        if (x->t->arrays[i].param == param) return &x->t->arrays[i];
    return NULL;
}

/* Does dimension `d` of the two that subscripts show have as many elements as `hi + 1` at every size? */
static bool goes_over(const struct likely *x, int param, int d, const struct rg_expr *hi)
{
    const struct rg_carray *a = array_of(x, param);
    bool same = a && a->n_dims == 2 && a->dims && a->dims[d];
    for (int s = 0; s < x->p->n_sizes && same; s++) {
        int64_t most, n;
        same = value_at(x->p, hi, s, &most) && value_at(x->p, a->dims[d], s, &n) && n == most + 1;
    }
    return same;
}

/* Columns in rows of one length: as many as what they lead into has elements, times a width. */
static void padded_rows(struct likely *x)
{
    const struct rg_problem *p = x->p;
    for (int c = 0; c < p->n_params; c++) {
        int64_t first;
        const struct rg_param *q = &p->params[c];
        bool fits = leads(q, &first) && !first && p->n_sizes > 0, wide = false;
        for (int s = 0; s < p->n_sizes && fits; s++) {
            int64_t most, n;
            fits = value_at(p, q->input.int_args[1], s, &most) && most >= 0 &&
                   rg_problem_elements(p, c, &p->sizes[s], &n, NULL) == RG_OK && n % (most + 1) == 0;
            wide = wide || (fits && n > most + 1);
        }
        const bool by_slots = goes_over(x, c, 1, q->input.int_args[1]),
                   by_rows = goes_over(x, c, 0, q->input.int_args[1]);
        for (int by = 0; by < 2 && fits && wide; by++) {
            if (by ? by_rows && !by_slots : by_slots && !by_rows) continue;
            const char *n = shifted_text(x, q->input.int_args[1], 1),
                       *band = rg_arena_printf(x->arena, "band(%s/%s, %s, %d)", elements_text(x, c), n, n, by);
            struct rg_frontend_likely *g =
                group(x, "a square matrix in rows of one length that its diagonal, which is there, dominates");
            add(g, c, band);
            for (int v = 0; v < p->n_params; v++)
                if (drawn_reals(&p->params[v]) && as_long(p, v, c)) add(g, v, band);
        }
        if (fits && wide) return;
    }
}

/* `a[j * lda + j]`: its subscripts are one and the same somewhere. */
static bool note_diagonal(void *arg, struct rg_cnode *n)
{
    struct likely *x = arg;
    if (n->kind != RG_C_INDEX || n->pointer || n->n < 2) return true;
    const int param = x->t->arrays[n->array].param;
    const struct rg_cnode *row = rg__c_uncast(n->kid[n->n - 2], RG__C_INT_CASTS),
                          *column = rg__c_uncast(n->kid[n->n - 1], RG__C_INT_CASTS);
    if (param >= 0 && rg__c_same(row, column, RG__C_UNCAST)) x->diagonal[param] = true;
    return true;
}

/* The pitch of an array that subscripts show to have rows and a diagonal: as many rows as it, or less of the one
 * matrix, at every size. */
static const struct rg_expr *pitch(const struct likely *x, int param)
{
    const struct rg_carray *a = array_of(x, param);
    const int last = a && a->dims ? a->n_dims - 1 : 0;
    bool fits = x->diagonal[param] && last > 0 && a->dims[last - 1] && a->dims[last];
    for (int s = 0; s < x->p->n_sizes && fits; s++) {
        int64_t rows, columns;
        fits = value_at(x->p, a->dims[last - 1], s, &rows) && value_at(x->p, a->dims[last], s, &columns) &&
               (last > 1 ? rows == columns : rows <= columns);
    }
    return fits ? a->dims[last] : NULL;
}

/* The number of rows of a square matrix, or of each of several, or how far they are apart; NULL: it is none. */
static const struct rg_expr *square(const struct likely *x, int param)
{
    const struct rg_param *q = &x->p->params[param];
    const struct rg_expr *e = q->dims[q->n_dims - 1];
    if (q->n_dims >= 2 && rg_expr_equal(q->dims[q->n_dims - 2], e)) return e;
    bool product =
        q->n_dims < 2 && e->kind == RG_EXPR_BINARY && e->op == RG_OP_MUL && rg_expr_equal(e->args[0], e->args[1]);
    return product ? e->args[0] : pitch(x, param);
}

static void dense(struct likely *x)
{
    struct rg_frontend_likely *g = NULL;
    for (int i = 0; i < x->p->n_params; i++) {
        const struct rg_param *q = &x->p->params[i];
        const struct rg_expr *n = drawn_reals(q) ? square(x, i) : NULL;
        if (!n) continue;
        if (!g) g = group(x, "a symmetric matrix that its diagonal dominates");
        add(g, i, rg_arena_printf(x->arena, "dominant(%s)", text_of(x, &n, 1)));
    }
}

/* ---- nothing below 0 ---- */

/* Amounts, lengths, counts: functions check that they are above 0, and turn back at the first that is not. Members of
 * structures, integers among them, count from 1. */
static void above_zero(struct likely *x)
{
    struct rg_frontend_likely *g = NULL;
    for (int i = 0; i < x->p->n_params; i++) {
        const struct rg_param *q = &x->p->params[i];
        const bool structs = q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_OUT && q->n_dims > 0 &&
                             q->elem == RG_STRUCT && q->input.kind == RG_INPUT_DEFAULT;
        const bool scalar =
            q->kind == RG_PARAM_SCALAR && rg_scalar_is_real(q->elem) && q->input.kind == RG_INPUT_DEFAULT;
        if (!structs && !scalar && !drawn_reals(q)) continue;
        if (!g) g = group(x, "nothing below 0");
        g->signs = true;
        add(g, i, structs ? "uniform(1, 99)" : "uniform(0.01, 1)");
    }
}

enum rg_status rg_frontend_state_input(struct rg_problem *p, const struct rg_frontend_input *in, struct rg_error *err)
{
    struct rg_param *q = &p->params[in->param];
    struct rg__directive d = {.name = q->name, .text = in->text, .file = "", .option = true};
    struct rg_input parsed;
    enum rg_status st = rg__parse_input(&p->arena, &d, &parsed, err);
    if (st == RG_OK) *(in->path ? rg__member_input(p, q, rg_arena_strdup(&p->arena, in->path)) : &q->input) = parsed;
    return st;
}

int rg_frontend_likely_inputs(const struct rg_problem *p, struct rg_ctree *t, struct rg_arena *arena,
                              struct rg_frontend_likely **out)
{
    enum { MOST = 6 };
    struct likely x = {.p = p, .t = t, .arena = arena};
    x.out = rg_arena_alloc(arena, MOST * sizeof *x.out);
    x.ascends = rg_xcalloc((size_t)p->n_params + 1, sizeof *x.ascends);
    x.diagonal = rg_xcalloc((size_t)p->n_params + 1, sizeof *x.diagonal);
    rg__writes_gather(&x.writes, t);
    rg__c_walk(t->root, note_neighbours, &x);
    rg__c_walk(t->root, note_diagonal, &x);
    in_order(&x);
    neighbours(&x);
    compressed_rows(&x);
    padded_rows(&x);
    dense(&x);
    above_zero(&x);
    rg__writes_release(&x.writes);
    free(x.ascends);
    free(x.diagonal);
    *out = x.out;
    return x.n;
}
