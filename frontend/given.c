/* Sizes and conditions as the user gave them. */
#include "frontend/load.h"
#include "frontend/range.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given {
    struct rg__load *l;
    const struct rg__directive *d;
    int64_t *values;
    bool *set;
};

static int given_name(void *arg, const char *name, int64_t *value)
{
    struct given *g = arg;
    for (int i = 0; i < g->l->p->n_size_params; i++)
        if (!strcmp(g->l->p->params[g->l->p->size_params[i]].name, name) && g->set[i]) return *value = g->values[i], 1;
    return 0;
}

static enum rg_status assign(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    struct given *g = arg;
    struct rg_problem *p = g->l->p;
    int k = 0;
    while (k < p->n_size_params && strcmp(p->params[p->size_params[k]].name, name)) k++;
    if (k == p->n_size_params) {
        bool known = rg_problem_param(p, name) >= 0;
        return rg__directive_error(
            err, g->d,
            known ? "'%s' is no integer scalar: only those have sizes" : "'%s' is no parameter of the function", name);
    }
    const struct rg_expr *e;
    struct rg_error inner = RG_ERROR_INIT;
    struct rg_expr_env env = {.arg = g, .name = given_name};
    int64_t v;
    if (rg_expr_parse_all(&g->l->dirs.arena, value, &e, &inner) != RG_OK || rg_expr_eval(e, &env, &v, &inner) != RG_OK)
        return rg__directive_error(err, g->d, "size of '%s': %s", name, inner.text);
    enum rg_scalar t = p->params[p->size_params[k]].elem;
    size_t bits = rg_scalar_bytes(t) * 8;
    bool sign = rg_scalar_is_signed(t);
    int64_t max = bits >= 64 ? INT64_MAX : (int64_t)((1ULL << (bits - sign)) - 1), min = !sign        ? 0
                                                                                         : bits >= 64 ? INT64_MIN
                                                                                                      : -max - 1;
    if (t == RG_BOOL) max = 1;
    if (v > max || v < min)
        return rg__directive_error(err, g->d, "size %s=%lld does not fit the parameter's type, %s", name, (long long)v,
                                   rg_scalar_c(t));
    g->values[k] = v;
    g->set[k] = true;
    return RG_OK;
}

static bool default_value(const struct rg_param *q, int64_t *v)
{
    if (q->input.kind != RG_INPUT_CONSTANT || !q->input.int_args[0] || q->input.int_args[0]->kind != RG_EXPR_INT)
        return false;
    *v = q->input.int_args[0]->value;
    return true;
}

static enum rg_status missing(struct rg__load *l, const bool *set, const struct rg__directive *d)
{
    const struct rg__function *f = &l->unit.functions[l->function];
    struct rg_buf names = RG_BUF_INIT, pragma = RG_BUF_INIT, option = RG_BUF_INIT;
    for (int i = 0; i < l->p->n_size_params; i++) {
        const char *name = l->p->params[l->p->size_params[i]].name;
        rg_buf_printf(&pragma, "%s%s=1000", i ? ", " : "", name);
        rg_buf_printf(&option, "%s%s=1000", i ? "," : "", name);
        if (!set[i]) rg_buf_printf(&names, "%s'%s'", names.len ? ", " : "", name);
    }
    enum rg_status st;
    const char *text = "no size for %s; say what to time, for example:  #pragma regraph size(%s)   or --size %s";
    if (d && !d->option)
        st = rg_error_at(l->err, RG_INPUT, d->file, d->line, d->column, text, names.data, pragma.data, option.data);
    else
        st = rg_error_at(l->err, RG_INPUT, f->file, f->line, 0, text, names.data, pragma.data, option.data);
    rg_buf_release(&names);
    rg_buf_release(&pragma);
    rg_buf_release(&option);
    return st;
}

static void add_sizes(struct rg_problem *p, const int64_t *values)
{
    struct rg_sizes *grown = rg_arena_alloc(&p->arena, (size_t)(p->n_sizes + 1) * sizeof *grown);
    if (p->n_sizes) memcpy(grown, p->sizes, (size_t)p->n_sizes * sizeof *grown);
    struct rg_sizes *s = &grown[p->n_sizes++];
    s->values = rg_arena_alloc(&p->arena, (size_t)(p->n_size_params + 1) * sizeof *s->values);
    if (p->n_size_params) memcpy(s->values, values, (size_t)p->n_size_params * sizeof *values);
    s->work = -1;
    s->timed = p->n_sizes == 1;
    s->verify = true;
    p->sizes = grown;
}

static enum rg_status requirement(struct rg__load *l, const struct rg__directive *d)
{
    const struct rg_expr *e;
    struct rg_error inner = RG_ERROR_INIT;
    if (rg_expr_parse_all(&l->p->arena, d->text, &e, &inner) != RG_OK)
        return rg__directive_error(l->err, d, "%s", inner.text);
    int64_t v;
    int n = l->p->n_size_params;
    int64_t *ones = rg_xcalloc((size_t)n + 1, sizeof *ones);
    bool *set = rg_xcalloc((size_t)n + 1, sizeof *set);
    for (int i = 0; i < n; i++) ones[i] = 64, set[i] = true;
    struct given g = {l, d, ones, set};
    struct rg_expr_env env = {.arg = &g, .name = given_name};
    bool ok = rg_expr_eval(e, &env, &v, &inner) == RG_OK;
    free(ones);
    free(set);
    if (!ok && strstr(inner.text, "zero") == NULL)
        return rg__directive_error(l->err, d, "require(%s): %s", d->text, inner.text);
    struct rg_problem *p = l->p;
    const struct rg_expr **exprs = rg_arena_alloc(&p->arena, (size_t)(p->n_require + 1) * sizeof *exprs);
    const char **texts = rg_arena_alloc(&p->arena, (size_t)(p->n_require + 1) * sizeof *texts);
    for (int i = 0; i < p->n_require; i++) exprs[i] = p->require[i], texts[i] = p->require_text[i];
    exprs[p->n_require] = e;
    texts[p->n_require] = rg_arena_strdup(&p->arena, d->text);
    p->require = exprs;
    p->require_text = texts;
    p->n_require++;
    return RG_OK;
}

enum rg_status rg__apply_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    p->size_params = rg_arena_alloc(&p->arena, (size_t)(p->n_params + 1) * sizeof *p->size_params);
    p->n_size_params = 0;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem))
            p->size_params[p->n_size_params++] = i;
    }
    int n = p->n_size_params;
    bool by_option = false;
    for (int i = 0; i < l->dirs.n; i++) by_option |= l->dirs.items[i].kind == RG__DIR_SIZE && l->dirs.items[i].option;
    int64_t *values = rg_xcalloc((size_t)n + 1, sizeof *values);
    bool *set = rg_xcalloc((size_t)n + 1, sizeof *set);
    for (int i = 0; i < n; i++) set[i] = default_value(&p->params[p->size_params[i]], &values[i]);
    enum rg_status st = RG_OK;
    const struct rg__directive *last = NULL;
    bool all = true;
    for (int i = 0; i < l->dirs.n && st == RG_OK; i++) {
        const struct rg__directive *d = &l->dirs.items[i];
        if (d->kind == RG__DIR_REQUIRE) st = requirement(l, d);
        if (d->kind != RG__DIR_SIZE || d->option != by_option) continue;
        struct given g = {l, d, values, set}; /* what a later size leaves out keeps the first one's value */
        st = rg__assignments(&l->dirs.arena, d, assign, &g, l->err);
        last = d;
        all = true;
        for (int k = 0; k < n; k++) all &= set[k];
        if (st == RG_OK && !all) st = missing(l, set, d);
        if (st == RG_OK) add_sizes(p, values);
    }
    for (int k = 0; k < n; k++) all &= set[k];
    if (st == RG_OK && !p->n_sizes) {
        if (!all)
            st = missing(l, set, last);
        else
            add_sizes(p, values);
    }
    free(values);
    free(set);
    return st;
}

bool rg__holds(void *load, const struct rg_expr *e)
{
    struct rg__load *l = load;
    for (int i = 0; i < l->p->n_sizes; i++) {
        struct rg_problem_env env;
        int64_t v;
        rg_problem_env_init(&env, l->p, &l->p->sizes[i]);
        if (rg_expr_eval(e, &env.env, &v, NULL) != RG_OK || !v) return false;
    }
    return true;
}

static enum rg_status size_error(struct rg__load *l, int size, const char *text)
{
    const struct rg__function *f = &l->unit.functions[l->function];
    int k = 0;
    bool by_option = false;
    for (int i = 0; i < l->dirs.n; i++) by_option |= l->dirs.items[i].kind == RG__DIR_SIZE && l->dirs.items[i].option;
    for (int i = 0; i < l->dirs.n; i++) {
        const struct rg__directive *d = &l->dirs.items[i];
        if (d->kind != RG__DIR_SIZE || d->option != by_option) continue;
        if (k++ == size)
            return rg__directive_error(l->err, d, "%s%s: %s", d->option ? "--size " : "size ", d->text, text);
    }
    return rg_error_at(l->err, RG_INPUT, f->file, f->line, 0, "%s", text);
}

enum rg_status rg__check_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct rg__given *given = l->t ? rg__given_of(l->t, p) : NULL;
    enum rg_status st = RG_OK;
    for (int s = 0; s < p->n_sizes && st == RG_OK; s++) {
        char text[1100];
        for (int i = 0; given && i < l->t->n_vars && st == RG_OK; i++) {
            const struct rg_cvar *v = &l->t->vars[i];
            if (v->kind != RG_CVAR_PARAM || !given->positive[i] || v->param < 0) continue;
            for (int k = 0; k < p->n_size_params; k++)
                if (p->size_params[k] == v->param && p->sizes[s].values[k] <= 0) {
                    snprintf(text, sizeof text, "'%s' is %lld; it must be positive", v->name,
                             (long long)p->sizes[s].values[k]);
                    st = size_error(l, s, text);
                }
        }
        for (int i = 0; i < p->n_params && st == RG_OK; i++) {
            int64_t n;
            struct rg_error inner = RG_ERROR_INIT;
            if (p->params[i].kind == RG_PARAM_ARRAY && rg_problem_elements(p, i, &p->sizes[s], &n, &inner) != RG_OK)
                st = size_error(l, s, inner.text);
        }
        for (int i = 0; i < p->n_require && st == RG_OK; i++) {
            struct rg_problem_env env;
            struct rg_error inner = RG_ERROR_INIT;
            int64_t v;
            rg_problem_env_init(&env, p, &p->sizes[s]);
            if (rg_expr_eval(p->require[i], &env.env, &v, &inner) != RG_OK)
                st = size_error(l, s, inner.text);
            else if (!v) {
                snprintf(text, sizeof text, "it breaks require(%s)", p->require_text[i]);
                st = size_error(l, s, text);
            }
        }
    }
    rg__given_free(given);
    return st;
}
