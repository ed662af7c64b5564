/* Parameters that say how many structures with pointers there are, held in memory of the function's own: each of these
 * structures is a variable of the tree, so that their number must be one. It is the one at which the function is timed,
 * or that a caller in the file passes; the problem requires it. */
#include "frontend/read/build_cell.h"
#include "frontend/read/directive.h"
#include <stdio.h>
#include <string.h>

struct given {
    struct rg_arena *a;
    int n;
    struct {
        const char *name;
        int64_t value;
    } is[32];
};

static int value_of(void *arg, const char *name, int64_t *value)
{
    const struct given *g = arg;
    for (int i = 0; i < g->n; i++)
        if (!strcmp(g->is[i].name, name)) return *value = g->is[i].value, 1;
    return 0;
}

static enum rg_status note(void *arg, const char *name, const char *text, int column, struct rg_error *err)
{
    struct given *g = arg;
    (void)column;
    const struct rg_expr *e;
    struct rg_expr_env env = {.arg = g, .name = value_of};
    int64_t v;
    if (g->n == 32 || rg_expr_parse_all(g->a, text, &e, err) != RG_OK || rg_expr_eval(e, &env, &v, err) != RG_OK)
        return RG_OK; /* user_sizes.c says what is wrong with it */
    g->is[g->n].name = rg_arena_strdup(g->a, name);
    g->is[g->n++].value = v;
    return RG_OK;
}

/* The first size, which is timed. */
static bool given_size(struct rg__build *b, const char *name, int64_t *value)
{
    const struct rg__directives *all = b->follow->dirs;
    bool by_option = false, taken = false;
    for (int i = 0; i < all->n; i++) by_option |= all->items[i].kind == RG__DIR_SIZE && all->items[i].option;
    for (int i = 0; i < all->n && !taken; i++) {
        const struct rg__directive *d = &all->items[i];
        if (d->kind != RG__DIR_SIZE || d->option != by_option) continue;
        struct given g = {.a = &b->p->arena};
        struct rg_error ignored = RG_ERROR_INIT;
        rg__assignments(g.a, d, note, &g, &ignored);
        taken = true;
        if (value_of(&g, name, value)) return true;
    }
    return false;
}

/* With what is computed from them; what a later size leaves out keeps the first one's value. */
struct at_given {
    struct rg__build *b;
    const struct given *first, *here;
};

static int name_at(void *arg, const char *name, int64_t *value)
{
    const struct at_given *g = arg;
    struct rg__build *b = g->b;
    int i = rg_problem_param(b->p, name);
    const struct rg_param *q = i >= 0 ? &b->p->params[i] : NULL;
    if (q && q->derived) {
        struct rg_expr_env env = {.arg = arg, .name = name_at};
        return rg_expr_eval(q->derived, &env, value, NULL) == RG_OK;
    }
    const char *shown = q ? rg_param_shown(q) : name;
    return value_of((void *)(uintptr_t)g->here, shown, value) || value_of((void *)(uintptr_t)g->first, shown, value);
}

bool rg__at_given_sizes(struct rg__build *b, void (*fn)(void *arg, int size, const struct rg_expr_env *env), void *arg)
{
    const struct rg__directives *all = b->follow->dirs;
    struct given first = {.a = &b->p->arena};
    bool by_option = false;
    int size = 0;
    for (int i = 0; i < all->n; i++) by_option |= all->items[i].kind == RG__DIR_SIZE && all->items[i].option;
    for (int i = 0; i < all->n; i++) {
        const struct rg__directive *d = &all->items[i];
        if (d->kind != RG__DIR_SIZE || d->option != by_option) continue;
        struct given g = {.a = &b->p->arena};
        struct rg_error ignored = RG_ERROR_INIT;
        rg__assignments(g.a, d, note, &g, &ignored);
        if (!size) first = g;
        struct at_given at = {b, &first, &g};
        struct rg_expr_env env = {.arg = &at, .name = name_at};
        fn(arg, size++, &env);
    }
    return size > 0;
}

struct calls {
    struct rg__build *b;
    const struct rg__function *f;
    int argument, n;
    int64_t value;
    bool differ;
};

/* A number, or a local that is set to one where it is declared. */
static bool number(struct rg__build *b, CXCursor e, int64_t *v)
{
    e = rg__strip_parens(b, e);
    if (rg__eval_int(b->u, e, v)) return true;
    if (b->c->getCursorKind(e) != CXCursor_DeclRefExpr) return false;
    CXCursor d = b->c->getCursorReferenced(e);
    if (b->c->getCursorKind(d) != CXCursor_VarDecl || rg__is_written(b, rg__decl_key(b->u, d))) return false;
    CXCursor init = rg__initialiser(b, d);
    return !b->c->Cursor_isNull(init) && rg__eval_int(b->u, init, v);
}

static void call(void *arg, CXCursor c)
{
    struct calls *x = arg;
    struct rg__build *b = x->b;
    int64_t v;
    if (b->c->getCursorKind(c) != CXCursor_CallExpr) return;
    CXCursor to = b->c->getCursorReferenced(c), def = b->c->getCursorDefinition(to);
    if (!b->c->Cursor_isNull(def)) to = def;
    if (rg__decl_key(b->u, to) != rg__decl_key(b->u, x->f->cursor)) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n <= x->argument + 1 || !number(b, kids.items[x->argument + 1], &v)) return;
    x->differ |= x->n && v != x->value;
    x->value = v;
    x->n++;
}

/* What all callers in the file pass that pass a number. */
static bool called_with(struct rg__build *b, int param, int64_t *value)
{
    struct calls x = {.b = b, .f = &b->u->functions[b->inlining[0]], .argument = -1};
    for (int k = 0; k < b->n_args; k++)
        if (b->args[k].param == param) x.argument = k;
    for (int i = 0; i < b->u->n_functions && x.argument >= 0; i++)
        if (!b->c->Cursor_isNull(b->u->functions[i].body)) rg__cursor_walk(b->u, b->u->functions[i].body, call, &x);
    *value = x.value;
    return x.n && !x.differ;
}

bool rg__fixed_size(const struct rg__build *b, const char *name, int64_t *value)
{
    const struct rg__follow *f = b->follow;
    for (int i = 0; f && i < f->n_fixed; i++)
        if (!strcmp(f->fixed[i].name, name)) return *value = f->fixed[i].value, true;
    return false;
}

static void fix_param(struct rg__build *b, int param)
{
    struct rg__follow *f = b->follow;
    if (param < 0) return;
    const struct rg_param *q = &b->p->params[param];
    const char *name = rg_param_shown(q);
    int64_t v;
    if (q->origin != RG_ORIGIN_ARG || q->kind != RG_PARAM_SCALAR || strlen(name) >= sizeof f->fixed[0].name ||
        f->n_fixed == RG__MAX_FIXED || rg__fixed_size(b, name, &v))
        return;
    if (!given_size(b, name, &v) && !called_with(b, param, &v)) {
        snprintf(f->asks, sizeof f->asks,
                 "there are as many structures with pointers as '%s' says: state it, --size %s=..", name, name);
        return;
    }
    strcpy(f->fixed[f->n_fixed].name, name);
    f->fixed[f->n_fixed++].value = v;
    f->again |= !b->setup;
}

static bool each_param(void *arg, struct rg_cnode *n)
{
    struct rg__build *b = arg;
    if (n->kind == RG_C_VAR && n->array < 0 && b->t->vars[n->var].kind == RG_CVAR_PARAM && !b->t->vars[n->var].assigned)
        fix_param(b, b->t->vars[n->var].param);
    return true;
}

void rg__fix_sizes(struct rg__build *b, struct rg_cnode *count)
{
    if (count) rg__c_walk(count, each_param, b);
}

bool rg__bind_fixed(struct rg__build *b, uint32_t key, int param)
{
    if (b->setup && b->follow && !b->follow->sizes_stay && rg__scalar_is_int(b->p->params[param].elem))
        fix_param(b, param);
    struct rg_param *q = &b->p->params[param];
    const char *name = rg_param_shown(q);
    const struct rg_expr *holds;
    int64_t v;
    if (b->helper || q->origin != RG_ORIGIN_ARG || !rg__fixed_size(b, name, &v)) return false;
    if (rg_expr_parse_all(&b->p->arena, rg_arena_printf(&b->p->arena, "%s == %lld", q->name, (long long)v), &holds,
                          NULL) != RG_OK)
        return false;
    RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
    b->asserted[b->n_asserted++] = holds;
    q->input.text = rg_arena_printf(&b->p->arena, "constant(%lld)", (long long)v);
    rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__c_cast(b->t, rg__c_int(b->t, v), q->elem);
    return true;
}
