/* Bounds of inputs that are sizes in figures. Who fills indices with `uniform(0, 199999)` beside n=200000 means n - 1:
 * at the sizes that are verified, which are smaller, elements of 199999 lie outside every array. So such a bound is the
 * lesser of what was written and of the size that it is at the timed size. Only where one set of sizes is given: who
 * gives several has seen to that. */
#include "frontend/infer/infer.h"
#include <string.h>

enum { MOST_ALIKE = 4, LEAST_BOUND = 2 };

/* What at the timed size is `value`, or one more or less: sizes, and the elements of arrays of several extents. */
struct alike {
    struct rg__load *l;
    int64_t value;
    int n;
    const char *text[MOST_ALIKE];
};

static void take(struct alike *a, const char *what, int64_t is)
{
    int64_t less = is - a->value;
    if (a->n == MOST_ALIKE || less < -1 || less > 1) return;
    a->text[a->n++] = less ? rg_arena_printf(&a->l->p->arena, "%s %c 1", what, less > 0 ? '-' : '+')
                           : rg_arena_strdup(&a->l->p->arena, what);
}

static void take_alike(struct alike *a)
{
    const struct rg_problem *p = a->l->p;
    for (int k = 0; k < p->n_size_params; k++) take(a, p->params[p->size_params[k]].name, p->sizes[0].values[k]);
    for (int i = 0; i < p->n_params && !a->n; i++) {
        const struct rg_param *q = &p->params[i];
        int64_t n;
        if (q->kind != RG_PARAM_ARRAY || q->n_dims < 2 || rg_problem_elements(p, i, &p->sizes[0], &n, NULL) != RG_OK)
            continue;
        struct rg_buf b = RG_BUF_INIT;
        for (int d = 0; d < q->n_dims; d++) {
            rg_buf_str(&b, d ? " * (" : "(");
            rg_expr_print(&b, q->dims[d], NULL, NULL);
            rg_buf_char(&b, ')');
        }
        take(a, b.data, n);
        rg_buf_release(&b);
    }
}

static bool scales(const struct rg_input *in, bool integer, int *at)
{
    bool prefix = in->kind == RG_INPUT_PREFIX;
    if (!prefix && in->kind != RG_INPUT_UNIFORM && in->kind != RG_INPUT_SORTED && in->kind != RG_INPUT_PLATEAUS)
        return false;
    *at = !prefix;
    if (prefix && in->n_args > 1) return false;
    const struct rg_expr *hi = in->int_args[*at], *lo = prefix ? hi : in->int_args[0];
    if (!hi || !lo || hi->kind != RG_EXPR_INT || lo->kind != RG_EXPR_INT || hi->value < LEAST_BOUND) return false;
    return prefix || (lo->value >= 0 && lo->value <= integer && lo->value < hi->value);
}

static void scale(struct rg__load *l, const char *shown, bool integer, struct rg_input *in)
{
    int at;
    if (!scales(in, integer, &at)) return;
    struct alike a = {.l = l, .value = in->int_args[at]->value};
    take_alike(&a);
    if (!a.n) return;
    int64_t lo = at ? in->int_args[0]->value : 0;
    struct rg_buf b = RG_BUF_INIT;
    int word = (int)strcspn(in->text, "( \t");
    rg_buf_printf(&b, "%.*s(", word, in->text);
    if (at) rg_buf_printf(&b, "%lld, ", (long long)lo);
    rg_buf_printf(&b, "max(%lld, ", (long long)lo + !integer);
    for (int i = 0; i < a.n; i++) rg_buf_printf(&b, "min(%s, ", a.text[i]);
    rg_buf_printf(&b, "%lld", (long long)a.value);
    for (int i = 0; i < a.n; i++) rg_buf_char(&b, ')');
    rg_buf_str(&b, "))");
    struct rg__directive d = {.name = shown, .text = b.data, .file = "", .option = true};
    struct rg_input scaled;
    if (rg__parse_input(&l->p->arena, &d, &scaled, NULL) == RG_OK) {
        const char *before = l->p->init_note;
        l->p->init_note =
            rg_arena_printf(&l->p->arena, "%s%s%s up to %s, which is %lld at the timed size", before ? before : "",
                            before ? "; " : "", shown, a.text[0], (long long)a.value);
        *in = scaled;
    }
    rg_buf_release(&b);
}

static bool integer_member(const struct rg_problem *p, const struct rg_param *q, const char *path)
{
    const struct rg_struct *of = &p->structs[q->struct_index];
    for (int f = 0; f < of->n_fields; f++)
        if (!strcmp(of->fields[f].path, path)) return rg__scalar_is_int(of->fields[f].type);
    return false;
}

void rg__scaled_inputs(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    for (int i = 0; i < p->n_params && p->n_sizes == 1; i++) {
        struct rg_param *q = &p->params[i];
        if (q->kind == RG_PARAM_ARRAY && q->elem != RG_STRUCT)
            scale(l, rg_param_shown(q), rg__scalar_is_int(q->elem), &q->input);
        for (int m = 0; m < q->n_members; m++)
            scale(l, q->members[m].path, integer_member(p, q, q->members[m].path), &q->members[m].input);
    }
}
