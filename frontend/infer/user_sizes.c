/* Sizes and conditions as the user gave them. */
#include "frontend/infer/infer.h"
#include "ir/range.h"
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
    const int param = rg__param_meant(g->l, name);
    for (int i = 0; i < g->l->p->n_size_params; i++)
        if (g->l->p->size_params[i] == param && g->set[i]) return *value = g->values[i], 1;
    return 0;
}

/* A number that the set-up function takes and nothing else: it was read at one. */
static enum rg_status set_up_with(struct given *g, const struct rg__set_arg *a, const char *value, struct rg_error *err)
{
    const struct rg_expr *e;
    struct rg_expr_env env = {.arg = g, .name = given_name};
    int64_t v;
    if (rg_expr_parse_all(&g->l->dirs.arena, value, &e, NULL) == RG_OK && rg_expr_eval(e, &env, &v, NULL) == RG_OK &&
        v != a->value)
        return rg__directive_error(err, g->d, "'%s' can't be %lld beside %lld: %s is read at one of them", a->name,
                                   (long long)v, (long long)a->value, g->l->unit.functions[g->l->shape_of].name);
    return RG_OK;
}

bool rg__comes_later(const char *name)
{
    const char *at = strrchr(name, '.') ? strrchr(name, '.') : strrchr(name, '_');
    return at && at > name && (!strcmp(at + 1, "end") || !strcmp(at + 1, "size") || !strcmp(at + 1, "len"));
}

/* Once extents are known, no other size will come. */
enum rg_status rg__later_sizes_taken(struct rg__load *l)
{
    for (int i = 0; i < l->n_later; i++)
        if (!l->later[i].taken) return rg__no_parameter(l, l->later[i].d, l->later[i].name, l->err);
    return RG_OK;
}

void rg__take_later_size(struct rg__load *l, int param, int row, int64_t *value)
{
    const char *shown = rg_param_shown(&l->p->params[param]);
    for (int i = 0; i < l->n_later; i++) {
        struct rg__later_size *x = &l->later[i];
        const char *a = shown, *b = x->name;
        while (*a && (*a == *b || (*a == '.' && *b == '_'))) a++, b++;
        if (*a || *b) continue;
        x->taken = true;
        if (x->row <= row) *value = x->value;
    }
}

static enum rg_status assign(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    struct given *g = arg;
    struct rg_problem *p = g->l->p;
    const bool later = rg__param_meant(g->l, name) < 0 && rg__comes_later(name);
    int k = 0, param = rg__param_meant(g->l, name);
    while (k < p->n_size_params && (param < 0 || p->size_params[k] != param)) k++;
    if (param < 0 && rg__program_takes(g->l, name)) return RG_OK;
    for (int i = 0; i < g->l->n_set && param < 0; i++)
        if (!strcmp(g->l->set[i].name, name)) return set_up_with(g, &g->l->set[i], value, err);
    if (k == p->n_size_params && param < 0 && !later) return rg__no_parameter(g->l, g->d, name, err);
    const char *plain = name;
    name = rg__directive_name(&g->l->dirs, g->d, name);
    if (k == p->n_size_params && !later)
        return rg__directive_error(err, g->d, "'%s' is no integer scalar: only those have sizes", name);
    const struct rg_expr *e;
    struct rg_error inner = RG_ERROR_INIT;
    struct rg_expr_env env = {.arg = g, .name = given_name};
    int64_t v;
    if (rg_expr_parse_all(&g->l->dirs.arena, value, &e, &inner) != RG_OK || rg_expr_eval(e, &env, &v, &inner) != RG_OK)
        return rg__directive_error(err, g->d, "size of '%s': %s", name, inner.text);
    if (later) {
        if (v < 1) return rg__directive_error(err, g->d, "size %s=%lld must be positive", name, (long long)v);
        RG_GROW(g->l->later, g->l->n_later, g->l->cap_later);
        g->l->later[g->l->n_later++] = (struct rg__later_size){
            .d = g->d, .name = rg_arena_strdup(&g->l->dirs.arena, plain), .value = v, .row = p->n_sizes};
        return RG_OK;
    }
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

/* What the user states does not follow. */
static void stated(struct rg_problem *p, const bool *set)
{
    for (int k = 0; k < p->n_size_params; k++)
        if (set[k]) p->params[p->size_params[k]].follows = NULL;
}

static void add_sizes(struct rg__load *l, const int64_t *values, const bool *set)
{
    struct rg_problem *p = l->p;
    stated(p, set);
    for (int k = 0; k < p->n_size_params; k++)
        if (!set[k]) l->unset[k] = true;
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

struct set_names {
    const struct rg_problem *p;
    const bool *set;
    bool all;
};

static void name_set(void *arg, const char *name)
{
    struct set_names *x = arg;
    for (int k = 0; k < x->p->n_size_params; k++)
        if (!strcmp(x->p->params[x->p->size_params[k]].name, name)) x->all = x->all && x->set[k];
}

static int size_at(const struct rg_problem *p, const char *name)
{
    for (int k = 0; k < p->n_size_params; k++)
        if (!strcmp(p->params[p->size_params[k]].name, name)) return k;
    return -1;
}

/* With what goes with the sizes that are given (struct rg__tie), either way. */
static void add_tied(struct rg__load *l, const int64_t *given, const bool *is_set)
{
    struct rg_problem *p = l->p;
    size_t n = (size_t)p->n_size_params + 1;
    int64_t *values = rg_xcalloc(n, sizeof *values), *tied = rg_xcalloc(n, sizeof *tied);
    bool *set = rg_xcalloc(n, sizeof *set);
    if (n > 1) memcpy(values, given, (n - 1) * sizeof *values), memcpy(set, is_set, (n - 1) * sizeof *set);
    for (int i = 0; i < l->n_ties; i++) {
        const struct rg_expr *value = l->ties[i].value;
        int j = value->kind == RG_EXPR_NAME ? size_at(p, value->name) : -1;
        for (int k = 0; j >= 0 && k < p->n_size_params; k++)
            if (p->size_params[k] == l->ties[i].param && set[k] && !set[j]) values[j] = values[k], set[j] = true;
    }
    memcpy(tied, values, n * sizeof *tied);
    rg__tie_sizes(l, tied);
    for (int i = 0; i < l->n_ties; i++)
        for (int k = 0; k < p->n_size_params; k++) {
            struct set_names x = {p, set, true};
            rg_expr_names(l->ties[i].value, name_set, &x);
            if (p->size_params[k] == l->ties[i].param && !set[k] && x.all) values[k] = tied[k], set[k] = true;
        }
    add_sizes(l, values, set);
    free(values);
    free(tied);
    free(set);
}

struct names_unset {
    const struct rg__load *l;
    bool any;
};

static void name_unset(void *arg, const char *name)
{
    struct names_unset *u = arg;
    const struct rg_problem *p = u->l->p;
    for (int k = 0; k < p->n_size_params; k++)
        u->any |= u->l->unset[k] && !strcmp(p->params[p->size_params[k]].name, name);
}

bool rg__mentions_unset(const struct rg__load *l, const struct rg_expr *e)
{
    struct names_unset u = {l, false};
    rg_expr_names(e, name_unset, &u);
    return u.any;
}

void rg__add_require(struct rg_problem *p, const struct rg_expr *e)
{
    for (int i = 0; i < p->n_require; i++)
        if (rg_expr_equal(p->require[i], e)) return;
    const struct rg_expr **exprs = rg_arena_alloc(&p->arena, (size_t)(p->n_require + 1) * sizeof *exprs);
    const char **texts = rg_arena_alloc(&p->arena, (size_t)(p->n_require + 1) * sizeof *texts);
    for (int i = 0; i < p->n_require; i++) exprs[i] = p->require[i], texts[i] = p->require_text[i];
    struct rg_buf text = RG_BUF_INIT;
    rg_expr_print(&text, e, NULL, NULL);
    exprs[p->n_require] = e;
    texts[p->n_require++] = rg_arena_strdup(&p->arena, text.data);
    rg_buf_release(&text);
    p->require = exprs;
    p->require_text = texts;
}

void rg__require_power(struct rg_problem *p, int param, int64_t most)
{
    const struct rg_expr *e;
    const char *text = rg_arena_printf(&p->arena, "%lld %% %s == 0", (long long)most, p->params[param].name);
    if (rg_expr_parse_all(&p->arena, text, &e, NULL) == RG_OK) rg__add_require(p, e);
}

enum rg_status rg__append_derived(struct rg__load *l, int param)
{
    struct rg_problem *p = l->p;
    int n = p->n_size_params;
    int *params = rg_arena_alloc(&p->arena, (size_t)(n + 1) * sizeof *params);
    bool *unset = rg_arena_alloc(&p->arena, (size_t)n + 2);
    if (n) memcpy(params, p->size_params, (size_t)n * sizeof *params);
    if (n) memcpy(unset, l->unset, (size_t)n);
    params[n] = param;
    bool unknown = rg__mentions_unset(l, p->params[param].derived);
    unset[n] = unknown;
    p->size_params = params;
    l->unset = unset;
    p->n_size_params++;
    for (int s = 0; s < p->n_sizes; s++) {
        int64_t *values = rg_arena_alloc(&p->arena, (size_t)(n + 2) * sizeof *values);
        if (n) memcpy(values, p->sizes[s].values, (size_t)n * sizeof *values);
        p->sizes[s].values = values;
        enum rg_status st = unknown ? RG_OK : rg_problem_derive(p, values, NULL);
        if (st != RG_OK) { /* it has no value at this size: the function computes it, we do not */
            p->n_size_params--;
            return st;
        }
    }
    return RG_OK;
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
    rg__add_require(l->p, rg__as_named(l, e));
    return RG_OK;
}

/* What assertions of the function say (frontend/read/build_library.c). */
static void asserted(struct rg__load *l)
{
    int n = l->p->n_size_params;
    int64_t v, *some = rg_xcalloc((size_t)n + 1, sizeof *some);
    bool *set = rg_xcalloc((size_t)n + 1, sizeof *set);
    for (int i = 0; i < n; i++) some[i] = 64, set[i] = true;
    struct given g = {l, NULL, some, set};
    struct rg_expr_env env = {.arg = &g, .name = given_name};
    for (int i = 0; i < l->b.n_asserted; i++) /* of integers alone */
        if (rg_expr_eval(l->b.asserted[i], &env, &v, NULL) == RG_OK) rg__add_require(l->p, l->b.asserted[i]);
    free(some);
    free(set);
}

enum rg_status rg__apply_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    p->size_params = rg_arena_alloc(&p->arena, (size_t)(p->n_params + 1) * sizeof *p->size_params);
    p->n_size_params = 0;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem) && !q->derived)
            p->size_params[p->n_size_params++] = i;
    }
    int n = p->n_size_params;
    bool by_option = false;
    for (int i = 0; i < l->dirs.n; i++) by_option |= l->dirs.items[i].kind == RG__DIR_SIZE && l->dirs.items[i].option;
    int64_t *values = rg_xcalloc((size_t)n + 1, sizeof *values);
    bool *set = rg_xcalloc((size_t)n + 1, sizeof *set);
    for (int i = 0; i < n; i++) values[i] = 1; /* what stands for an integer that needs no size: default_sizes.c */
    for (int i = 0; i < n; i++) set[i] = default_value(&p->params[p->size_params[i]], &values[i]);
    l->unset = rg_arena_alloc(&p->arena, (size_t)n + 1);
    enum rg_status st = RG_OK;
    for (int i = 0; i < l->dirs.n && st == RG_OK; i++) {
        const struct rg__directive *d = &l->dirs.items[i];
        if (d->kind == RG__DIR_REQUIRE) st = requirement(l, d);
        if (d->kind != RG__DIR_SIZE || d->option != by_option) continue;
        struct given g = {l, d, values, set}; /* what a later size leaves out keeps the first one's value */
        st = rg__assignments(&l->dirs.arena, d, assign, &g, l->err);
        if (st == RG_OK) add_tied(l, values, set);
    }
    if (st == RG_OK && !p->n_sizes) add_tied(l, values, set);
    for (int k = 0; k < n && st == RG_OK; k++) { /* given with those that it follows from */
        const struct rg_expr *follows = p->params[p->size_params[k]].follows;
        if (follows) l->unset[k] = rg__mentions_unset(l, follows);
    }
    for (int s = 0; s < p->n_sizes && st == RG_OK; s++) rg_problem_derive(p, p->sizes[s].values, NULL);
    for (int i = 0; i < p->n_params && st == RG_OK; i++) /* what the reader found to be computed from them */
        if (p->params[i].derived) st = rg__append_derived(l, i);
    if (st == RG_OK) asserted(l);
    free(values);
    free(set);
    return st;
}

bool rg__holds(void *load, const struct rg_expr *e)
{
    struct rg__load *l = load;
    if (rg__mentions_unset(l, e)) return false; /* nobody knows yet */
    for (int i = 0; i < l->p->n_sizes; i++) {
        struct rg_problem_env env;
        int64_t v;
        rg_problem_env_init(&env, l->p, &l->p->sizes[i]);
        if (rg_expr_eval(e, &env.env, &v, NULL) != RG_OK || !v) return false;
    }
    return true;
}

struct named_sizes {
    const struct rg_problem *p;
    bool *named, follows; /* named: by size */
};

static void name_size(void *arg, const char *name)
{
    struct named_sizes *f = arg;
    for (int k = 0; k < f->p->n_size_params; k++) {
        const struct rg_param *q = &f->p->params[f->p->size_params[k]];
        if (strcmp(q->name, name)) continue;
        f->named[k] = true;
        f->follows = f->follows || rg_size_follows(q);
    }
}

bool rg__sizes_open(void *load, const struct rg_expr *e, bool place)
{
    enum { TRIED = 64 };
    struct rg__load *l = load;
    const int n = l->p->n_size_params;
    if (!rg__mentions_unset(l, e)) return false;
    struct named_sizes f = {l->p, rg_xcalloc((size_t)n + 1, sizeof *f.named), false};
    int64_t *values = rg_xcalloc((size_t)n + 1, sizeof *values), v = 0;
    const struct rg_sizes at = {.values = values};
    struct rg_problem_env env;
    rg_expr_names(e, name_size, &f);
    rg_problem_env_init(&env, l->p, &at);
    /* As sizes are proposed: all alike, or one of them 1, the place of a source. What follows is what it is. */
    bool holds = false;
    for (int one = -1; one < (place && !f.follows ? n : 0) && !holds; one++) {
        if (one >= 0 && !f.named[one]) continue;
        for (int k = 0; k < n; k++) values[k] = k == one ? 1 : TRIED;
        holds = rg_problem_derive(l->p, values, NULL) == RG_OK && rg_expr_eval(e, &env.env, &v, NULL) == RG_OK && v;
    }
    free(f.named);
    free(values);
    return holds;
}

bool rg__may_hold(void *load, const struct rg_expr *e)
{
    return rg__mentions_unset(load, e) || rg__holds(load, e);
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
        if (k++ != size) continue;
        struct rg_buf given = RG_BUF_INIT; /* with the names of the file: the directive's text has the plain ones */
        for (int v = 0; v < l->p->n_size_params; v++) {
            const struct rg_param *q = &l->p->params[l->p->size_params[v]];
            if (!rg_size_follows(q))
                rg_buf_printf(&given, "%s%s=%lld", given.len ? "," : "", rg_param_shown(q),
                              (long long)l->p->sizes[size].values[v]);
        }
        enum rg_status st =
            rg__directive_error(l->err, d, "%s%s: %s", d->option ? "--size " : "size ", given.data, text);
        rg_buf_release(&given);
        return st;
    }
    return rg_error_at(l->err, RG_INPUT, f->file, f->line, 0, "%s", text);
}

enum rg_status rg__check_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct rg__given *given = l->t ? rg__given_of(l->t, p) : NULL;
    enum rg_status st = RG_OK;
    for (int i = 0; given && i < l->t->n_vars; i++) {
        const struct rg_cvar *v = &l->t->vars[i];
        if (v->kind == RG_CVAR_PARAM && v->param >= 0 && !rg_scalar_is_real(p->params[v->param].elem))
            p->params[v->param].least_one = given->positive[i] && !given->place[i];
    }
    for (int s = 0; s < p->n_sizes && st == RG_OK; s++) {
        char text[1100];
        for (int i = 0; given && i < l->t->n_vars && st == RG_OK; i++) {
            const struct rg_cvar *v = &l->t->vars[i];
            if (v->kind != RG_CVAR_PARAM || !(given->positive[i] || given->place[i]) || v->param < 0) continue;
            for (int k = 0; k < p->n_size_params; k++)
                if (p->size_params[k] == v->param && p->sizes[s].values[k] < !given->place[i]) {
                    snprintf(text, sizeof text, "'%s' is %lld; it must %s", rg_param_shown(&p->params[v->param]),
                             (long long)p->sizes[s].values[k], given->place[i] ? "not be negative" : "be positive");
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
                struct rg_buf broken = RG_BUF_INIT;
                rg_buf_str(&broken, "it breaks require(");
                rg_expr_print(&broken, p->require[i], rg_problem_shown, p);
                rg_buf_char(&broken, ')');
                st = size_error(l, s, broken.data);
                rg_buf_release(&broken);
            }
        }
    }
    rg__given_free(given);
    return st;
}

enum rg_status rg__specialize(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    if (p->n_sizes > 1) return size_error(l, 1, "with --specialize there is one size, which is timed and verified");
    for (int k = 0; k < p->n_size_params; k++) {
        const struct rg_param *q = &p->params[p->size_params[k]];
        const struct rg_expr *e;
        int64_t fixed;
        if (q->derived || rg_problem_fixed(p, p->size_params[k], &fixed)) continue;
        enum rg_status st = rg_expr_parse_all(
            &p->arena, rg_arena_printf(&p->arena, "%s == %lld", q->name, (long long)p->sizes[0].values[k]), &e, l->err);
        if (st != RG_OK) return st;
        rg__add_require(p, e);
    }
    return RG_OK;
}
