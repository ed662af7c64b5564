/* Parameters that say how many structures with pointers there are, held in memory of the function's own: each of these
 * structures is a variable of the tree, so that their number must be one. It is the one at which the function is timed,
 * or that a caller in the file passes; the problem requires it. */
#include "frontend/read/build_cell.h"
#include "frontend/read/directive.h"
#include "frontend/read/init_sequence.h"
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
    const struct given *of[] = {g->here, g->first};
    for (int k = 0; k < 2; k++) /* a member is g.nx to people, and g_nx once a directive has been read */
        if (value_of((void *)(uintptr_t)of[k], shown, value) || value_of((void *)(uintptr_t)of[k], name, value))
            return 1;
    return 0;
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
static bool passed(struct rg__build *b, const struct rg__function *f, int argument, int64_t *value)
{
    struct calls x = {.b = b};
    const struct rg__sequence *s = b->follow->sequence;
    const bool parts = s->n && f == &b->u->functions[s->function]; /* nobody calls it: its parts are called */
    for (int k = 0; k < (parts ? s->n_params : 1) && argument >= 0; k++) {
        if (parts && s->params[k].is != argument) continue;
        x.f = parts ? &b->u->functions[s->params[k].function] : f;
        x.argument = parts ? s->params[k].at : argument;
        for (int i = 0; i < b->u->n_functions; i++)
            if (&b->u->functions[i] != f && !b->c->Cursor_isNull(b->u->functions[i].body))
                rg__cursor_walk(b->u, b->u->functions[i].body, call, &x);
    }
    *value = x.value;
    return x.n && !x.differ;
}

static bool called_with(struct rg__build *b, int param, int64_t *value)
{
    int argument = -1;
    for (int k = 0; k < b->n_args; k++)
        if (b->args[k].param == param) argument = k;
    return passed(b, &b->u->functions[b->inlining[0]], argument, value);
}

struct settings { /* of a member of structures of one type */
    struct rg__build *b;
    const char *record, *member;
    const struct rg__function *f; /* in which this one is */
    int n;
    int64_t value;
    bool differ;
};

/* A number of those that the file calls the function with. */
static bool in_function(struct rg__build *b, const struct rg__function *f, CXCursor e, int64_t *v)
{
    int64_t with[2];
    e = rg__strip_parens(b, e);
    if (number(b, e, v)) return true;
    struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
    if (b->c->getCursorKind(e) == CXCursor_DeclRefExpr) {
        const uint32_t key = rg__decl_key(b->u, b->c->getCursorReferenced(e));
        struct rg__children all = rg__cursor_children(b->u, f->cursor, &b->p->arena);
        for (int i = 0, at = 0; i < all.n && !rg__is_written(b, key); i++) {
            if (b->c->getCursorKind(all.items[i]) != CXCursor_ParmDecl) continue;
            if (rg__decl_key(b->u, all.items[i]) == key) return passed(b, f, at, v);
            at++;
        }
        return false;
    }
    if (b->c->getCursorKind(e) != CXCursor_BinaryOperator || kids.n != 2 ||
        !in_function(b, f, kids.items[0], &with[0]) || !in_function(b, f, kids.items[1], &with[1]))
        return false;
    const char *op = rg__operator_between(b, kids.items[0], kids.items[1]);
    if (!strcmp(op, "+")) return !__builtin_add_overflow(with[0], with[1], v);
    if (!strcmp(op, "-")) return !__builtin_sub_overflow(with[0], with[1], v);
    return !strcmp(op, "*") && !__builtin_mul_overflow(with[0], with[1], v);
}

static void setting(void *arg, CXCursor c)
{
    struct settings *s = arg;
    struct rg__build *b = s->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if ((k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator) || kids.n != 2) return;
    if (k == CXCursor_BinaryOperator && strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") != 0) return;
    CXCursor to = rg__strip_parens(b, kids.items[0]);
    if (b->c->getCursorKind(to) != CXCursor_MemberRefExpr ||
        strcmp(rg__cursor_name(b->u, to, &b->p->arena), s->member) != 0)
        return;
    CXType of = b->c->getCursorType(b->c->getCursorSemanticParent(b->c->getCursorReferenced(to)));
    if (strcmp(rg__plain_type(b, of), s->record) != 0) return;
    int64_t v = 0;
    s->differ |= k != CXCursor_BinaryOperator || !in_function(b, s->f, kids.items[1], &v) || (s->n && v != s->value);
    s->value = v;
    s->n++;
}

/* What the file sets a member to, where that is one number: `net->n = count - 1;` in a function called with 4. */
static bool set_to(struct rg__build *b, int param, int64_t *value)
{
    const struct rg__origin *o = &b->origins[param];
    if (o->layout != RG__PART || o->parent < 0 || !o->member || o->member[0] != '.' || strpbrk(o->member + 1, ".["))
        return false;
    struct settings s = {.b = b, .record = b->carriers[o->parent].type, .member = o->member + 1};
    for (int i = 0; i < b->u->n_functions; i++) {
        s.f = &b->u->functions[i];
        if (!b->c->Cursor_isNull(s.f->body)) rg__cursor_walk(b->u, s.f->body, setting, &s);
    }
    *value = s.value;
    return s.n && !s.differ;
}

bool rg__fixed_size(const struct rg__build *b, const char *name, int64_t *value)
{
    const struct rg__follow *f = b->follow;
    for (int i = 0; f && i < f->n_fixed; i++)
        if (!strcmp(f->fixed[i].name, name)) return *value = f->fixed[i].value, true;
    return false;
}

/* Of those people call by name: an argument, or a member of a structure that one leads to. */
static bool is_named(const struct rg__build *b, int param)
{
    const struct rg_param *q = &b->p->params[param];
    return q->kind == RG_PARAM_SCALAR && rg__scalar_is_int(q->elem) && !q->derived &&
           (q->origin == RG_ORIGIN_ARG || (q->origin == RG_ORIGIN_GLOBAL && b->origins[param].layout == RG__PART));
}

/* A set-up function is read at numbers: all that it takes are asked for at once. */
static void ask_more(struct rg__follow *f, const char *name)
{
    static const char first[] = "structures with pointers follow from what it is called with: state that, --size ";
    const size_t n = strlen(f->asks), room = sizeof f->asks - n, least = sizeof first - 1, len = strlen(name);
    const bool more = !strncmp(f->asks, first, least);
    for (const char *p = more ? f->asks + least : ""; *p; p += strcspn(p, ","), p += *p == ',')
        if (!strncmp(p, name, len) && !strncmp(p + len, "=", 1)) return;
    if (!more)
        snprintf(f->asks, sizeof f->asks, "%s%s=..", first, name);
    else if (len + 5 < room)
        snprintf(f->asks + n, room, ",%s=..", name);
}

static void fix_param(struct rg__build *b, int param)
{
    struct rg__follow *f = b->follow;
    if (!f || param < 0 || !is_named(b, param)) return;
    const struct rg_param *q = &b->p->params[param];
    const char *name = rg_param_shown(q);
    int64_t v;
    if (strlen(name) >= sizeof f->fixed[0].name || f->n_fixed == RG__MAX_FIXED || rg__fixed_size(b, name, &v)) return;
    if (!given_size(b, name, &v) && !given_size(b, q->name, &v) && !called_with(b, param, &v) &&
        !set_to(b, param, &v)) {
        if (b->setup)
            ask_more(f, name);
        else
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

bool rg__fix_sizes(struct rg__build *b, const struct rg_cnode *count)
{
    const int before = b->follow ? b->follow->n_fixed : 0;
    if (count) rg__c_walk((struct rg_cnode *)count, each_param, b);
    return b->follow && b->follow->n_fixed > before;
}

bool rg__fix_count(struct rg__build *b, const struct rg_cnode *condition)
{
    int64_t number;
    if (condition->kind != RG_C_BINARY || !rg_c_relation(condition->op)) return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *e = rg__c_uncast(condition->kid[1 - i], RG__C_INT_CASTS);
        if (!rg__c_number(condition->kid[i], &number)) continue;
        if ((e->op == RG_COP_ADD || e->op == RG_COP_SUB) && rg__c_number(e->kid[1], &number)) /* the last one */
            e = rg__c_uncast(e->kid[0], RG__C_INT_CASTS);
        if (e->kind == RG_C_VAR) return rg__fix_sizes(b, condition);
    }
    return false;
}

struct rg_cnode *rg__fixed_number(struct rg__build *b, int param)
{
    struct rg_param *q = &b->p->params[param];
    const struct rg_expr *holds;
    int64_t v;
    if (b->helper || !is_named(b, param) || !rg__fixed_size(b, rg_param_shown(q), &v)) return NULL;
    if (rg_expr_parse_all(&b->p->arena, rg_arena_printf(&b->p->arena, "%s == %lld", q->name, (long long)v), &holds,
                          NULL) != RG_OK)
        return NULL;
    RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
    b->asserted[b->n_asserted++] = holds;
    q->input.text = rg_arena_printf(&b->p->arena, "constant(%lld)", (long long)v);
    return rg__c_cast(b->t, rg__c_int(b->t, v), q->elem);
}

bool rg__bind_fixed(struct rg__build *b, uint32_t key, int param)
{
    if (b->setup && b->follow && !b->follow->sizes_stay && rg__scalar_is_int(b->p->params[param].elem))
        fix_param(b, param);
    struct rg_cnode *number = rg__fixed_number(b, param);
    if (number) rg__sym_add(b, key, RG__SYM_VALUE)->value = number;
    return number != NULL;
}
