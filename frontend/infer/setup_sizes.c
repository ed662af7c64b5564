/* What follows from the facts about set-up functions (setup_facts.c): which parameter of the problem stands for one of
 * theirs, how long the arrays are that they allocate, which integers go with others.
 */
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

static bool is_name(const struct rg_expr *e, const char *name)
{
    return e && e->kind == RG_EXPR_NAME && !strcmp(e->name, name);
}

int rg__parked_in(const struct rg__load *l, int function, const char *name)
{
    for (int i = 0; i < l->n_facts; i++) {
        const struct rg__fact *f = &l->facts[i];
        bool number = is_name(f->value, name), pointer = f->given && !strcmp(f->given, name);
        int q = f->function == function && (number || pointer) ? rg__param_named(l->p, f->name) : -1;
        if (q >= 0 && (pointer || l->p->params[q].kind == RG_PARAM_SCALAR)) return q;
    }
    for (int i = 0; i < l->n_facts; i++) { /* what holds less only where nothing holds all of it */
        const struct rg__fact *f = &l->facts[i];
        bool is = f->function == function && f->narrowed && !strcmp(f->narrowed, name);
        int q = is ? rg__param_named(l->p, f->name) : -1;
        const struct rg_param *p = q >= 0 ? &l->p->params[q] : NULL;
        if (p && p->kind == RG_PARAM_SCALAR && rg__scalar_is_int(p->elem) &&
            rg_scalar_bytes(p->elem) == rg_scalar_bytes(f->cast) &&
            rg_scalar_is_signed(p->elem) == rg_scalar_is_signed(f->cast))
            return q;
    }
    return -1;
}

int rg__stands_for(const struct rg__load *l, int function, const char *name)
{
    int q = rg__parked_in(l, function, name);
    return q >= 0 ? q : rg__param_named(l->p, name);
}

/* A number that is parked and not used still says how long arrays are. */
static int size_of(struct rg__load *l, int function, const char *name)
{
    int q = rg__stands_for(l, function, name);
    for (int i = 0; i < l->n_facts && q < 0; i++) {
        const struct rg__fact *f = &l->facts[i];
        if (f->function == function && is_name(f->value, name) && !strchr(f->name, '.') &&
            rg__build_global(&l->b, f->decl))
            q = rg__param_named(l->p, f->name);
    }
    bool size = q >= 0 && l->p->params[q].kind == RG_PARAM_SCALAR && rg__scalar_is_int(l->p->params[q].elem);
    return size ? q : -1;
}

struct renaming {
    struct rg__load *l;
    int function;
    bool failed;
};

static void rename(struct renaming *r, struct rg_expr *e)
{
    if (e->kind == RG_EXPR_NAME) {
        int q = size_of(r->l, r->function, e->name);
        if (q < 0)
            r->failed = true;
        else
            e->name = r->l->p->params[q].name;
    }
    for (int k = 0; k < e->n_args; k++) rename(r, e->args[k]);
}

static void extent(struct rg__load *l, int param, const struct rg__fact *f)
{
    struct renaming r = {l, f->function, false};
    const struct rg_expr **dims = rg_arena_alloc(&l->p->arena, 8 * sizeof *dims);
    for (int d = 0; d < f->n_dims; d++) {
        struct rg_expr *e = rg_expr_clone(&l->p->arena, f->dims[d]);
        rename(&r, e);
        dims[d] = e;
    }
    struct rg_param *q = &l->p->params[param];
    if (r.failed || q->n_dims != f->n_dims) return;
    q->dims = dims;
    for (int a = 0; a < l->t->n_arrays; a++)
        if (l->t->arrays[a].param == param) l->t->arrays[a].dims = dims;
}

static bool missing(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (q->kind != RG_PARAM_ARRAY || q->origin != RG_ORIGIN_GLOBAL) return false;
    for (int d = 0; d < q->n_dims; d++)
        if (!q->dims[d]) return true;
    return false;
}

/* ---- integers that it sets: their values follow ---- */

/* The integer that says a parameter of the set-up function: the function's own of that name, or the first that it is
 * parked in; -1. */
static int size_said(const struct rg__load *l, int function, const char *name)
{
    int q = rg__param_named(l->p, name);
    if (q >= 0 && l->p->params[q].origin != RG_ORIGIN_ARG) q = -1;
    for (int i = 0; i < l->p->n_params && q < 0; i++) {
        const struct rg__fact *f = rg__fact_of(l, function, rg_param_shown(&l->p->params[i]));
        if (f && is_name(f->value, name)) q = i;
    }
    bool size = q >= 0 && l->p->params[q].kind == RG_PARAM_SCALAR && rg__scalar_is_int(l->p->params[q].elem);
    return size ? q : -1;
}

/* The real number of the problem that the parameter is parked in, as `ncell = (int)(length / cutoff)` asks for the
 * length: it has one value in all runs, that which a user states later, or with which the file calls the function. */
static int real_said(struct rg__load *l, int function, const char *name)
{
    const int q = rg__parked_in(l, function, name);
    struct rg_param *p = q >= 0 ? &l->p->params[q] : NULL;
    double v;
    if (!p || p->kind != RG_PARAM_SCALAR || (p->elem != RG_F32 && p->elem != RG_F64)) return -1;
    if (p->input.kind == RG_INPUT_DEFAULT && rg__caller_sets_up(l, function, name, &v)) {
        p->input.kind = RG_INPUT_CONSTANT;
        p->input.n_args = 1;
        p->input.real_args[0] = v;
        p->input.text = rg_arena_printf(&l->p->arena, "constant(%.17g)", v);
        l->p->size_note = rg_arena_printf(&l->p->arena, "%s%s%s=%.6g, as the file calls %s",
                                          l->p->size_note ? l->p->size_note : "", l->p->size_note ? "; " : "",
                                          rg_param_shown(p), v, l->unit.functions[rg__taker(l, function, name)].name);
    }
    return p->input.kind == RG_INPUT_CONSTANT ? q : -1;
}

/* What trunc() takes the whole part of. */
static bool over_reals(struct rg__load *l, int function, struct rg_expr *e)
{
    const int q = e->kind == RG_EXPR_NAME ? real_said(l, function, e->name) : -1;
    if (e->kind == RG_EXPR_NAME && q < 0) return false;
    if (q >= 0) e->name = l->p->params[q].name;
    for (int k = 0; k < e->n_args; k++)
        if (!over_reals(l, function, e->args[k])) return false;
    return true;
}

static bool over_sizes(struct rg__load *l, int function, int param, struct rg_expr *e)
{
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "trunc")) {
        for (int k = 0; k < e->n_args; k++)
            if (!over_reals(l, function, e->args[k])) return false;
        return true;
    }
    int q = e->kind == RG_EXPR_NAME ? size_said(l, function, e->name) : -1;
    if (e->kind == RG_EXPR_NAME && (q < 0 || q == param)) return false;
    if (q >= 0) e->name = l->p->params[q].name;
    for (int k = 0; k < e->n_args; k++)
        if (!over_sizes(l, function, param, e->args[k])) return false;
    return true;
}

static void follow_sizes(struct rg__load *l, int function)
{
    for (int i = 0; i < l->p->n_params; i++) {
        struct rg_param *q = &l->p->params[i];
        if (q->kind != RG_PARAM_SCALAR || q->origin != RG_ORIGIN_GLOBAL || !rg__scalar_is_int(q->elem)) continue;
        bool goes = false; /* with others, which is required */
        for (int k = 0; k < l->n_ties; k++) goes = goes || l->ties[k].param == i;
        const struct rg__fact *f = goes ? NULL : rg__fact_of(l, function, rg_param_shown(q));
        struct rg_expr *e =
            f && f->value && f->value->kind != RG_EXPR_INT ? rg_expr_clone(&l->p->arena, f->value) : NULL;
        if (e && over_sizes(l, function, i, e)) q->follows = e;
    }
}

static void a_name(void *arg, const char *name)
{
    (void)name;
    *(bool *)arg = false;
}

/* The size at which a function happens to set things up says nothing of others. */
static bool all_numbers(const struct rg__fact *f)
{
    bool numbers = true;
    for (int d = 0; d < f->n_dims; d++) rg_expr_names(f->dims[d], a_name, &numbers);
    return numbers;
}

struct own_names {
    struct rg__load *l;
    int not, n;
    bool failed;
};

static void own_names(struct own_names *x, struct rg_expr *e)
{
    x->failed |= e->kind == RG_EXPR_CALL || e->kind == RG_EXPR_REAL; /* whole parts of real numbers */
    if (e->kind == RG_EXPR_NAME) {
        int q = rg__param_named(x->l->p, e->name);
        const struct rg_param *p = q >= 0 ? &x->l->p->params[q] : NULL;
        x->failed |= !p || q == x->not || p->kind != RG_PARAM_SCALAR || !rg__scalar_is_int(p->elem);
        if (!x->failed) e->name = p->name, x->n++;
    }
    for (int k = 0; k < e->n_args; k++) own_names(x, e->args[k]);
}

/* nx, nx*ny: what bounds and strides are made of. Others say more as a number of their own. */
static bool is_product(const struct rg_expr *e)
{
    return e->kind == RG_EXPR_NAME ||
           (e->kind == RG_EXPR_BINARY && e->op == RG_OP_MUL && is_product(e->args[0]) && is_product(e->args[1]));
}

/* A member that init makes of its parameters, by whose names the function has sizes of its own: `run(s, nx, ny)` beside
 * `create(s, nx, ny)`, which sets s->nx. They go together; the problem requires it. */
static void tie(struct rg__load *l, const struct rg__fact *f)
{
    struct rg_problem *p = l->p;
    int q = f->value && strchr(f->name, '.') ? rg__param_named(p, f->name) : -1;
    if (q < 0 || p->params[q].kind != RG_PARAM_SCALAR || p->params[q].origin != RG_ORIGIN_GLOBAL ||
        !rg__scalar_is_int(p->params[q].elem))
        return;
    struct rg_expr *e = rg_expr_clone(&p->arena, f->value);
    struct own_names x = {.l = l, .not = q};
    own_names(&x, e);
    if (x.failed || !x.n || !is_product(e)) return; /* others follow from the sizes, but any call may have its own */
    RG_GROW(l->ties, l->n_ties, l->cap_ties);
    l->ties[l->n_ties++] = (struct rg__tie){q, e};
    struct rg_expr *is = rg_arena_alloc(&p->arena, sizeof *is), *name = rg_arena_alloc(&p->arena, sizeof *name);
    *name = (struct rg_expr){.kind = RG_EXPR_NAME, .name = p->params[q].name};
    *is = (struct rg_expr){.kind = RG_EXPR_BINARY, .op = RG_OP_EQ, .n_args = 2};
    is->args = rg_arena_alloc(&p->arena, 2 * sizeof *is->args);
    is->args[0] = name;
    is->args[1] = e;
    rg__add_require(p, is);
}

static void put(struct rg_expr *e, const char *name, const struct rg_expr *value)
{
    if (e->kind == RG_EXPR_NAME && !strcmp(e->name, name)) {
        *e = *value;
        return;
    }
    for (int k = 0; k < e->n_args; k++) put(e->args[k], name, value);
}

static const struct rg_expr **tied_dims(struct rg__load *l, const struct rg_expr *const *dims, int n)
{
    const struct rg_expr **own = rg_arena_alloc(&l->p->arena, ((size_t)n + 1) * sizeof *own);
    for (int d = 0; d < n; d++) {
        struct rg_expr *e = dims[d] ? rg_expr_clone(&l->p->arena, dims[d]) : NULL;
        for (int i = 0; i < l->n_ties && e; i++) put(e, l->p->params[l->ties[i].param].name, l->ties[i].value);
        own[d] = e;
    }
    return own;
}

void rg__tie_tree(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    for (int i = 0; i < l->p->n_params && l->n_ties; i++) {
        struct rg_param *q = &l->p->params[i];
        if (q->n_dims) q->dims = tied_dims(l, q->dims, q->n_dims);
    }
    for (int a = 0; a < t->n_arrays && l->n_ties; a++)
        if (t->arrays[a].n_dims) t->arrays[a].dims = tied_dims(l, t->arrays[a].dims, t->arrays[a].n_dims);
    for (int i = 0; i < l->n_ties; i++)
        for (int v = 0; v < t->n_vars; v++) {
            if (t->vars[v].kind != RG_CVAR_PARAM || t->vars[v].param != l->ties[i].param || t->vars[v].assigned)
                continue;
            struct rg_cnode *is = rg__c_cast(t, rg__c_from_expr(t, l->ties[i].value), t->vars[v].type);
            t->root = rg__c_replace_var(t, t->root, v, is);
        }
}

void rg__tie_sizes(const struct rg__load *l, int64_t *values)
{
    const struct rg_problem *p = l->p;
    const struct rg_sizes z = {.values = values};
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, &z);
    for (int i = 0; i < l->n_ties; i++)
        for (int k = 0; k < p->n_size_params; k++) {
            int64_t v;
            if (p->size_params[k] == l->ties[i].param && rg_expr_eval(l->ties[i].value, &env.env, &v, NULL) == RG_OK)
                values[k] = v;
        }
}

/* Doors of the functions that set the problem up, over its sizes; the others go. */
static void own_doors(struct rg__load *l, int init)
{
    int kept = 0;
    for (int i = 0; i < l->n_doors; i++) {
        bool used = l->doors[i].function == init;
        for (int k = 0; k < l->n_inits && init < 0; k++) used = used || l->inits[k].function == l->doors[i].function;
        struct renaming r = {l, l->doors[i].function, !used};
        struct rg_expr *e = rg_expr_clone(&l->p->arena, l->doors[i].holds);
        if (used) rename(&r, e);
        if (!r.failed) l->doors[kept++] = (struct rg__door){-1, e};
    }
    l->n_doors = kept;
}

void rg__read_setup(struct rg__load *l)
{
    int init = -1, n_params = l->p->n_params;
    bool any = false;
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT) init = rg__unit_function_named(&l->unit, l->dirs.items[i].text);
    for (int i = 0; i < n_params; i++) any |= missing(l, i);
    if (init >= 0) rg__read_facts(l, init);
    if (init >= 0 && init == l->sequence.function) rg__read_parts(l);
    bool *read = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *read);
    rg__find_inits(l, read);
    for (int f = 0; f < l->unit.n_functions && any; f++) /* whoever sets them up, beside the one that is run */
        if (f != l->function && f != init && !rg__in_sequence(l, f) && !read[f] && !(l->b.in_run && l->b.in_run[f]) &&
            !(l->unit.functions[f].called && l->unit.functions[f].is_static) &&
            !rg__unit_linked(&l->unit, l->unit.functions[f].at))
            rg__read_facts(l, f);
    free(read);
    for (int i = 0; i < n_params; i++)
        for (int k = 0; k < l->n_facts && missing(l, i); k++)
            if (l->facts[k].n_dims && (l->facts[k].function == init || !all_numbers(&l->facts[k])) &&
                !strcmp(l->facts[k].name, rg_param_shown(&l->p->params[i])))
                extent(l, i, &l->facts[k]);
    for (int k = 0; k < l->n_facts && init >= 0; k++)
        if (l->facts[k].function == init) tie(l, &l->facts[k]);
    own_doors(l, init);
    if (init >= 0) follow_sizes(l, init);
    for (int i = 0; i < l->n_inits && init < 0; i++) follow_sizes(l, l->inits[i].function);
    for (int k = 0; k < l->n_facts && init >= 0; k++) { /* what it always sets to one number */
        const struct rg_expr *v = l->facts[k].function == init ? l->facts[k].value : NULL;
        int q = v && v->kind == RG_EXPR_INT ? rg__param_named(l->p, l->facts[k].name) : -1;
        if (q >= 0 && l->p->params[q].kind == RG_PARAM_SCALAR && l->p->params[q].origin == RG_ORIGIN_GLOBAL)
            l->p->params[q].input.text = rg_arena_printf(&l->p->arena, "constant(%lld)", (long long)v->value);
    }
}
