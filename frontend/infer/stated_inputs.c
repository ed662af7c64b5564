/* Numbers in inputs that the user states are often sizes: `--size n=200000 --input 'col=uniform(0, 199999)'`. At the
 * other sizes that are verified such an index would lead out of its array, so the number goes with the size. Only where
 * one set of sizes is given: who gives several has seen to that. */
#include "frontend/infer/infer.h"
#include <string.h>

enum { LEAST = 4 }; /* a smaller number is a number */

static struct rg_expr *new_expr(struct rg_arena *a, enum rg_expr_kind kind, int n_args)
{
    struct rg_expr *e = rg_arena_alloc(a, sizeof *e);
    *e = (struct rg_expr){.kind = kind, .n_args = n_args};
    e->args = n_args ? rg_arena_alloc(a, (size_t)n_args * sizeof *e->args) : NULL;
    return e;
}

static struct rg_expr *less_one(struct rg_arena *a, struct rg_expr *e)
{
    struct rg_expr *d = new_expr(a, RG_EXPR_BINARY, 2), *one = new_expr(a, RG_EXPR_INT, 0);
    one->value = 1;
    d->op = RG_OP_SUB;
    d->args[0] = e;
    d->args[1] = one;
    return d;
}

static struct rg_expr *least_of(struct rg_arena *a, struct rg_expr *x, struct rg_expr *y)
{
    if (!x || rg_expr_equal(x, y)) return y;
    struct rg_expr *m = new_expr(a, RG_EXPR_CALL, 2);
    m->name = "min";
    m->args[0] = x;
    m->args[1] = y;
    return m;
}

/* Sizes with the value `v`, as one expression: the least of them; NULL: there is none. */
static struct rg_expr *sizes_of(const struct rg_problem *p, struct rg_arena *a, int64_t v)
{
    struct rg_expr *found = NULL;
    for (int k = 0; k < p->n_size_params; k++) {
        if (p->sizes[0].values[k] != v || p->params[p->size_params[k]].origin == RG_ORIGIN_DERIVED) continue;
        struct rg_expr *name = new_expr(a, RG_EXPR_NAME, 0);
        name->name = p->params[p->size_params[k]].name;
        found = least_of(a, found, name);
    }
    return found;
}

static void note_name(void *any, const char *name)
{
    *(bool *)any = name != NULL;
}

/* How many elements arrays have, where that is `v`. */
static struct rg_expr *extents_of(const struct rg_problem *p, struct rg_arena *a, int64_t v)
{
    struct rg_expr *found = NULL;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        int64_t n;
        if (q->kind != RG_PARAM_ARRAY || rg_problem_elements(p, i, &p->sizes[0], &n, NULL) != RG_OK || n != v) continue;
        bool sized = false; /* not always as many */
        for (int d = 0; d < q->n_dims; d++) rg_expr_names(q->dims[d], note_name, &sized);
        if (!sized) continue;
        struct rg_expr *all = rg_expr_clone(a, q->dims[0]);
        for (int d = 1; d < q->n_dims; d++) {
            struct rg_expr *m = new_expr(a, RG_EXPR_BINARY, 2);
            m->op = RG_OP_MUL;
            m->args[0] = all;
            m->args[1] = rg_expr_clone(a, q->dims[d]);
            all = m;
        }
        found = least_of(a, found, all);
    }
    return found;
}

static struct rg_expr *with_sizes(const struct rg_problem *p, struct rg_arena *a, int64_t v)
{
    struct rg_expr *e = sizes_of(p, a, v);
    if (e) return e;
    if ((e = sizes_of(p, a, v + 1))) return less_one(a, e);
    if ((e = extents_of(p, a, v))) return e;
    return (e = extents_of(p, a, v + 1)) ? less_one(a, e) : NULL;
}

/* Which of its arguments says how far the values go; -1: none. */
static int highest(const struct rg_input *in)
{
    switch (in->kind) {
    case RG_INPUT_UNIFORM:
    case RG_INPUT_SORTED:
    case RG_INPUT_PLATEAUS:
        return in->n_args == 2 ? 1 : -1;
    case RG_INPUT_PREFIX:
        return 0;
    default:
        return -1;
    }
}

static void go_with_sizes(struct rg__load *l, const char *shown, struct rg_input *in)
{
    struct rg_problem *p = l->p;
    int k = highest(in);
    const struct rg_expr *was = k >= 0 ? in->int_args[k] : NULL;
    if (!was || was->kind != RG_EXPR_INT || was->value < LEAST) return;
    if (k == 1 && (!in->int_args[0] || in->int_args[0]->kind != RG_EXPR_INT || in->int_args[0]->value)) return;
    struct rg_expr *e = with_sizes(p, &p->arena, was->value);
    if (!e) return;
    in->int_args[k] = e;
    struct rg_buf text = RG_BUF_INIT;
    const char *open = strchr(in->text, '(');
    rg_buf_printf(&text, "%.*s(%s", open ? (int)(open - in->text) : 0, in->text, k ? "0, " : "");
    rg_expr_print(&text, e, NULL, NULL);
    for (int i = k + 1; i < in->n_args; i++)
        if (in->int_args[i]) {
            rg_buf_str(&text, ", ");
            rg_expr_print(&text, in->int_args[i], NULL, NULL);
        }
    rg_buf_char(&text, ')');
    in->text = rg_arena_strdup(&p->arena, text.data);
    rg_buf_release(&text);
    p->size_note = rg_arena_printf(&p->arena, "%s%s%s=%s at other sizes, as %lld is that at the one to time",
                                   p->size_note ? p->size_note : "", p->size_note ? "; " : "", shown, in->text,
                                   (long long)was->value);
}

static bool integer_member(const struct rg_struct *s, const char *path)
{
    for (int f = 0; f < s->n_fields; f++)
        if (!strcmp(s->fields[f].path, path)) return rg__scalar_is_int(s->fields[f].type);
    return false;
}

void rg__stated_inputs(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    if (p->n_sizes != 1 || p->sizes[0].chosen) return;
    for (int i = 0; i < l->dirs.n; i++) {
        const struct rg__directive *d = &l->dirs.items[i];
        if (d->kind != RG__DIR_INPUT) continue;
        int q = rg__param_named(p, d->name);
        if (q >= 0) {
            struct rg_param *x = &p->params[q];
            bool whole = x->kind == RG_PARAM_ARRAY && x->elem != RG_STRUCT && rg__scalar_is_int(x->elem);
            if (whole) go_with_sizes(l, rg_param_shown(x), &x->input);
            continue;
        }
        for (int k = 0; k < p->n_params; k++)
            for (int m = 0; m < p->params[k].n_members; m++) {
                struct rg_member_input *x = &p->params[k].members[m];
                if (integer_member(&p->structs[p->params[k].struct_index], x->path))
                    go_with_sizes(l, rg_arena_printf(&p->arena, "%s.%s", rg_param_shown(&p->params[k]), x->path),
                                  &x->input);
            }
    }
}
