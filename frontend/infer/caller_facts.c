/* Callers: how the file itself calls the function that is meant says what the code of the function cannot. `double *a =
 * malloc(n * m * sizeof *a); f(a, n, m)` gives a's extent in terms of n and m; `f(1000, x)` a size; `f(n, 5 * n, ..)`
 * one that follows from another. Read off libclang's tree, since a caller (main, with its files and printing) seldom
 * has a loop tree. Only what nothing else says is taken.
 *
 * An expression of a caller is one over atoms, "@place" or "@place.member", where the place is the variable's
 * declaration. What is passed for an integer parameter, or set to one, is a pair (expression, parameter); an extent is
 * found by putting parameters in their places. */
#include "frontend/infer/callers.h"
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 12 };

/* ---- in terms of the parameters ---- */

static int global_param(const struct rg__callers *c, const char *name)
{
    const struct rg__sym *s =
        name[0] == '@' && !strchr(name, '.') ? rg__sym_find(c->b, (uint32_t)strtoul(name + 1, NULL, 10)) : NULL;
    if (!s || s->kind != RG__SYM_VAR) return -1;
    int q = c->l->t->vars[s->var].param;
    return q >= 0 && c->l->p->params[q].kind == RG_PARAM_SCALAR && rg__scalar_is_int(c->l->p->params[q].elem) ? q : -1;
}

static const struct rg_expr *named(const struct rg__callers *c, int param)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = RG_EXPR_NAME, .name = c->l->p->params[param].name};
    return e;
}

struct given_number {
    const char *name;
    bool found;
    int64_t value;
};

static enum rg_status note_given(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    struct given_number *g = arg;
    char *end;
    long long v = strtoll(value, &end, 10);
    (void)column;
    (void)err;
    if (!strcmp(name, g->name) && *value && !*end) g->found = true, g->value = v;
    return RG_OK;
}

/* The number that the user has the set-up function called with, by the name of its parameter; NULL. */
static const struct rg_expr *given_to_set_up(const struct rg__callers *c, const struct rg_expr *e, int function)
{
    const struct rg__load *l = c->l;
    struct given_number g = {0};
    bool set_up = false;
    for (int i = 0; i < l->dirs.n; i++)
        set_up |=
            l->dirs.items[i].kind == RG__DIR_INIT &&
            (rg__unit_function_named(&l->unit, l->dirs.items[i].text) == function || rg__in_sequence(l, function));
    if (!set_up) return NULL;
    struct rg__children params = rg__caller_children(c, l->unit.functions[function].cursor);
    for (int i = 0; i < params.n && !g.name; i++)
        if (rg__caller_kind(c, params.items[i]) == CXCursor_ParmDecl &&
            !strcmp(rg__caller_atom(c, rg__decl_key(&l->unit, params.items[i]), NULL)->name, e->name))
            g.name = rg__sequence_name(l, function, rg__cursor_name(&l->unit, params.items[i], c->a));
    for (int i = 0; i < l->dirs.n && g.name; i++)
        if (l->dirs.items[i].kind == RG__DIR_SIZE) rg__assignments(c->a, &l->dirs.items[i], note_given, &g, NULL);
    return g.found ? rg__caller_number(c, g.value) : NULL;
}

struct sought {
    const struct rg__callers *c;
    uint32_t key;
    bool found;
    CXCursor decl;
};

static void find_declaration(void *arg, CXCursor x)
{
    struct sought *s = arg;
    if (rg__caller_kind(s->c, x) != CXCursor_VarDecl || rg__decl_key(s->c->b->u, x) != s->key) return;
    s->found = true;
    s->decl = x;
}

/* A variable of main's is set to a number that is divided for smaller inputs: the parameter that goes with it; -1. */
static int as_divided(const struct rg__callers *c, const char *name, CXCursor value, int function,
                      const struct rg_expr *is)
{
    struct sought s = {c, (uint32_t)strtoul(name + 1, NULL, 10), false, c->b->c->getNullCursor()};
    if (rg__caller_kind(c, rg__caller_bare(c, value)) != CXCursor_IntegerLiteral) return -1;
    if (function >= 0) rg__cursor_walk(c->b->u, c->b->u->functions[function].body, find_declaration, &s);
    return s.found && c->b->c->Cursor_getStorageClass(s.decl) != CX_SC_Static
               ? rg__program_same(c->l, function, is->value)
               : -1;
}

/* `e` over the problem's parameters; NULL: something in it is none. `not`: the parameter that is to be expressed; -1. A
 * number is a parameter where one is passed as just that (a macro's value, behind the preprocessor); of several equal
 * ones, each in its turn. */
static const struct rg_expr *settled(struct rg__callers *c, const struct rg_expr *e, int function, int not, int depth)
{
    if (depth > MAX_STEPS) return NULL;
    struct rg__caller_pair *equal = NULL;
    for (int i = 0; i < c->n_pairs; i++) {
        struct rg__caller_pair *p = &c->pairs[i];
        if (p->param == not || !rg_expr_equal(p->is, e)) continue;
        if (e->kind == RG_EXPR_INT && rg__caller_own_number(c, e->value)) continue;
        if (!equal || p->used < equal->used) equal = p;
    }
    if (equal) return equal->used++, named(c, equal->param);
    if (e->kind == RG_EXPR_INT) return e;
    if (e->kind == RG_EXPR_NAME) {
        const char *dot = strchr(e->name, '.');
        CXCursor value;
        int q = global_param(c, e->name);
        if (q >= 0 && q != not ) return named(c, q);
        if (rg__caller_only_set(c, function, (uint32_t)strtoul(e->name + 1, NULL, 10), dot ? dot + 1 : NULL, &value)) {
            const struct rg_expr *is = rg__caller_expr(c, value);
            q = dot || !is || is->kind != RG_EXPR_INT || not >= 0 ? -1 : as_divided(c, e->name, value, function, is);
            return q >= 0 ? named(c, q) : is ? settled(c, is, function, not, depth + 1) : NULL;
        }
        const struct rg_expr *given = given_to_set_up(c, e, function);
        if (given) return given;
        const struct rg__caller_call *only = NULL; /* a parameter of that function, which is called once */
        for (int i = 0, n = 0; i < c->n_calls; i++)
            if (c->calls[i].of == function) only = n++ ? NULL : &c->calls[i];
        struct rg__children kids = only && function >= 0 ? only->args : (struct rg__children){0};
        const struct rg_expr *is = kids.n ? rg__caller_with_arguments(c, e, function, &kids) : NULL;
        return is ? settled(c, is, only->function, not, depth + 1) : NULL;
    }
    if (e->kind != RG_EXPR_BINARY) return NULL;
    const struct rg_expr *l = settled(c, e->args[0], function, not, depth + 1),
                         *r = l ? settled(c, e->args[1], function, not, depth + 1) : NULL;
    return r ? rg__caller_node(c, RG_EXPR_BINARY, e->op, l, r) : NULL;
}

static void add_pair(struct rg__callers *c, const struct rg_expr *e, int param)
{
    const struct rg_param *q = &c->l->p->params[param];
    if (!e || q->kind != RG_PARAM_SCALAR || !rg__scalar_is_int(q->elem)) return;
    RG_GROW(c->pairs, c->n_pairs, c->cap_pairs);
    c->pairs[c->n_pairs++] = (struct rg__caller_pair){e, param, 0};
}

static bool argument_place(const struct rg__callers *c, CXCursor x, struct rg__caller_set *out);

/* What the calls in a function that take the structure at `key` set its member to: `make(&a, n)` with `m->n = n`. */
static void add_set_by_calls(struct rg__callers *c, int function, uint32_t key, const char *member, int param)
{
    for (int i = 0; i < c->n_calls; i++) {
        int of = c->calls[i].of;
        if (c->calls[i].function != function || of == c->l->function || of == function) continue;
        struct rg__children args = c->calls[i].args, params = rg__caller_children(c, c->b->u->functions[of].cursor);
        for (int p = 0, k = 0; p < params.n; p++) {
            struct rg__caller_set at;
            if (rg__caller_kind(c, params.items[p]) != CXCursor_ParmDecl) continue;
            if (++k >= args.n || !argument_place(c, args.items[k], &at) || at.key != key || at.member) continue;
            uint32_t inside = rg__decl_key(c->b->u, params.items[p]);
            for (int x = 0; x < c->n_sets; x++) {
                const struct rg__caller_set *s = &c->sets[x];
                if (s->function != of || s->key != inside || s->subscripts || !s->member ||
                    strcmp(s->member, member) != 0)
                    continue;
                const struct rg_expr *e = rg__caller_expr(c, s->value);
                add_pair(c, e ? rg__caller_with_arguments(c, e, of, &args) : NULL, param);
            }
        }
    }
}

/* Members of the structure at `key` that are parameters, "A.n": as they are read there, and what they are set to in
 * that function. */
static void add_members(struct rg__callers *c, int function, uint32_t key, const char *shown)
{
    size_t len = strlen(shown);
    for (int i = 0; i < c->l->p->n_params; i++) {
        const char *name = rg_param_shown(&c->l->p->params[i]);
        if (strncmp(name, shown, len) != 0 || name[len] != '.' || strchr(name + len + 1, '.')) continue;
        add_pair(c, rg__caller_atom(c, key, name + len + 1), i);
        add_set_by_calls(c, function, key, name + len + 1, i);
        for (int k = 0; k < c->n_sets; k++) {
            const struct rg__caller_set *s = &c->sets[k];
            if (s->function == function && s->key == key && !s->subscripts && s->member &&
                !strcmp(s->member, name + len + 1))
                add_pair(c, rg__caller_expr(c, s->value), i);
        }
    }
}

static const char *argument_name(const struct rg__callers *c, int k)
{
    struct rg__children kids = rg__caller_children(c, c->l->unit.functions[c->l->function].cursor);
    for (int i = 0; i < kids.n; i++)
        if (rg__caller_kind(c, kids.items[i]) == CXCursor_ParmDecl && !k--)
            return rg__cursor_name(c->b->u, kids.items[i], c->a);
    return "";
}

/* An argument without the address of its first element: `&a[0][0]`, `&m`. */
static bool argument_place(const struct rg__callers *c, CXCursor x, struct rg__caller_set *out)
{
    x = rg__caller_bare(c, x);
    struct rg__children kids = rg__caller_children(c, x);
    if (rg__caller_kind(c, x) == CXCursor_UnaryOperator && kids.n == 1) x = kids.items[0];
    return rg__caller_place(c, x, out);
}

static void pairs_of_call(struct rg__callers *c, const struct rg__caller_call *call)
{
    struct rg__children kids = call->args;
    c->n_pairs = 0;
    for (int k = 0; k < c->b->n_args && k + 1 < kids.n; k++) {
        struct rg__caller_set s;
        if (c->b->args[k].param >= 0)
            add_pair(c, rg__caller_expr(c, kids.items[k + 1]), c->b->args[k].param);
        else if (argument_place(c, kids.items[k + 1], &s))
            add_members(c, call->function, s.key, argument_name(c, k));
    }
}

void rg__caller_pairs(struct rg__callers *c, const struct rg__caller_call *call)
{
    pairs_of_call(c, call);
}

const struct rg_expr *rg__caller_settled(struct rg__callers *c, CXCursor x, int function)
{
    const struct rg_expr *e = rg__caller_expr(c, x), *is = e ? settled(c, e, function, -1, 0) : NULL;
    return is ? rg_expr_clone(&c->l->p->arena, is) : NULL;
}

/* ---- extents ---- */

static int memory_of(struct rg__callers *c, const struct rg__caller_set *at, int function, const struct rg_param *q,
                     const struct rg_expr **dims, int *where);

/* Is all that the call passes for integers a few: what it is shown with? Arrays of as few elements are then as long as
 * that data asks for, and no fact about others. */
static bool demonstrates(struct rg__callers *c, int function)
{
    enum { FEW = 64 };
    int n_few = 0;
    for (int i = 0; i < c->n_pairs; i++) {
        const struct rg_expr *e = settled(c, c->pairs[i].is, function, c->pairs[i].param, 0);
        if (!e) e = c->pairs[i].is;
        if (e->kind == RG_EXPR_NAME && rg_problem_param(c->l->p, e->name) >= 0) continue; /* equal to another */
        if (e->kind != RG_EXPR_INT || e->value > FEW) return false;
        n_few++;
    }
    return n_few > 0;
}

/* What stands for one dimension of several, or for all of a flat pointer's. */
static bool take_extent(struct rg__callers *c, int param, const struct rg_expr *const *dims, int n, int function)
{
    struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *e[RG__MAX_CALLER_DIMS];
    for (int i = 0; i < c->n_pairs; i++) c->pairs[i].used = 0;
    for (int d = 0; d < n; d++)
        if (!(e[d] = settled(c, dims[d], function, -1, 0))) return false;
    bool rows = n == 1 && q->n_dims > 1 && !q->rows; /* float (*x)[3] = malloc(n * sizeof *x) */
    for (int d = 1; d < q->n_dims && rows; d++) rows = q->dims[d] != NULL;
    if (n != q->n_dims && q->n_dims != 1 && !rows) return false;
    bool numbers = !c->l->shown_extents;
    for (int d = 0; d < n; d++) numbers = numbers && e[d]->kind == RG_EXPR_INT;
    if (numbers && demonstrates(c, function)) return false;
    for (int d = 1; d < n && q->n_dims == 1; d++) e[0] = rg__caller_node(c, RG_EXPR_BINARY, RG_OP_MUL, e[0], e[d]);
    const struct rg_expr **all = rg_arena_alloc(&c->l->p->arena, (size_t)q->n_dims * sizeof *all);
    for (int d = 0; d < q->n_dims; d++) all[d] = q->dims[d] ? q->dims[d] : rg_expr_clone(&c->l->p->arena, e[d]);
    q->dims = all;
    q->extent_from = function >= 0
                         ? rg_arena_printf(&c->l->p->arena, "as %s allocates it", c->l->unit.functions[function].name)
                         : "as the file declares it";
    for (int a = 0; a < c->l->t->n_arrays; a++)
        if (c->l->t->arrays[a].param == param && c->l->t->arrays[a].n_dims == q->n_dims) c->l->t->arrays[a].dims = all;
    return true;
}

/* How many elements what a pointer is set to has, or how far apart such rows begin (step). */
static const struct rg_expr *length_of(const struct rg__callers *c, const struct rg__caller_set *x, int64_t bytes,
                                       bool step)
{
    if (step) return rg__caller_row_step(c, x->value);
    const struct rg_expr *e = rg__caller_table(c, x->value, 0, bytes);
    return e ? e : rg__caller_allocated(c, x->value, bytes);
}

static int memory_of(struct rg__callers *c, const struct rg__caller_set *at, int function, const struct rg_param *q,
                     const struct rg_expr **dims, int *where)
{
    struct sought s = {c, at->key, false, c->b->c->getNullCursor()};
    int from = 0; /* subscripts that choose a pointer: `float *f[4]`, of which f[0] is passed */
    if (!at->member) {
        rg__cursor_walk(c->b->u, c->b->c->getTranslationUnitCursor(c->b->u->tu), find_declaration, &s);
        int n = s.found ? rg__caller_declared(c, s.decl, dims) : 0;
        *where = function;
        if (n && at->subscripts == n && rg__caller_holds_pointers(c, s.decl))
            from = n;
        else if (n)
            return n;
    }
    int n = 0;
    const struct rg__caller_set *all = NULL;
    for (int level = 0; level < RG__MAX_CALLER_DIMS && level < (q->rows ? q->n_dims : 1); level++) {
        const int64_t bytes = level + 1 < q->n_dims ? (int64_t)sizeof(void *) : q->elem_bytes;
        const struct rg__caller_set *best = NULL;
        const struct rg_expr *is = NULL, *e;
        for (int way = level ? 0 : 1; way < 2 && !best; way++)
            for (int i = 0; i < c->n_sets; i++) {
                const struct rg__caller_set *x = &c->sets[i];
                bool same = at->member ? x->member && !strcmp(x->member, at->member) : x->key == at->key && !x->member;
                if (!same || x->subscripts != from + level || !(e = length_of(c, x, bytes, !way))) continue;
                if (!best || (x->function == function && best->function != function)) best = x, is = e;
            }
        if (!best && all && (is = rg__caller_table(c, all->value, level, bytes))) best = all;
        if (!best) break;
        if (!level) all = best;
        dims[n++] = is;
        if (best->function >= 0) dims[n - 1] = rg__caller_when_set(c, is, best->function, best->value);
        *where = best->function;
        function = best->function;
    }
    return n;
}

static bool lacks(const struct rg_param *q)
{
    for (int d = 0; d < q->n_dims; d++)
        if (!q->dims[d]) return true;
    return false;
}

static void of_call(struct rg__callers *c, const struct rg__caller_call *call, int param)
{
    struct rg__children kids = call->args;
    const struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *dims[RG__MAX_CALLER_DIMS];
    for (int k = 0; k < c->b->n_args && k + 1 < kids.n; k++) {
        struct rg__caller_set at;
        int where = call->function, n;
        const char *shown = argument_name(c, k);
        size_t len = strlen(shown);
        if (!argument_place(c, kids.items[k + 1], &at)) continue;
        if (c->b->args[k].param == param) {
            if ((n = memory_of(c, &at, call->function, q, dims, &where))) take_extent(c, param, dims, n, where);
        } else if (c->b->args[k].param < 0 && !strncmp(rg_param_shown(q), shown, len) &&
                   rg_param_shown(q)[len] == '.') {
            at.member = rg_param_shown(q) + len + 1;
            if (!(n = memory_of(c, &at, call->function, q, dims, &where))) continue;
            for (int i = 0; i < c->n_sets; i++) /* the structure may have another name where it is filled */
                if (c->sets[i].function == where && c->sets[i].member && !strcmp(c->sets[i].member, at.member)) {
                    add_members(c, where, c->sets[i].key, shown);
                    break;
                }
            take_extent(c, param, dims, n, where);
        }
    }
}

/* Is it the member, of a structure at file scope, that the parameter is: "net.other"? */
static bool is_member_param(const struct rg__callers *c, const struct rg__caller_set *x, const struct rg_param *q)
{
    const char *shown = rg_param_shown(q), *dot = strchr(shown, '.');
    if (!x->member || !dot || strcmp(x->member, dot + 1) != 0) return false;
    struct sought s = {c, x->key, false, c->b->c->getNullCursor()};
    struct rg__children all = rg__caller_children(c, c->b->c->getTranslationUnitCursor(c->b->u->tu));
    for (int i = 0; i < all.n && !s.found; i++) find_declaration(&s, all.items[i]);
    return s.found && !strncmp(rg__cursor_name(c->b->u, s.decl, c->a), shown, (size_t)(dot - shown)) &&
           !rg__cursor_name(c->b->u, s.decl, c->a)[dot - shown];
}

/* What is set there once to what stands for it, of numbers at file scope, or of members of the structure at `key`. */
static void set_once_pairs(struct rg__callers *c, int where, const struct rg__caller_set *memory)
{
    c->n_pairs = 0;
    for (int k = 0; k < c->n_sets; k++) { /* rows = n; behind or before */
        const struct rg__caller_set *s = &c->sets[k];
        CXCursor only;
        if (s->function != where || s->subscripts || !s->member != !memory->member) continue;
        if (!s->member) {
            int g = global_param(c, rg__caller_atom(c, s->key, NULL)->name);
            if (g >= 0) add_pair(c, rg__caller_expr(c, s->value), g);
            continue;
        }
        for (int i = 0; i < c->l->p->n_params; i++)
            if (is_member_param(c, s, &c->l->p->params[i]) && rg__caller_only_set(c, where, s->key, s->member, &only)) {
                add_pair(c, rg__caller_atom(c, s->key, s->member), i);
                add_pair(c, rg__caller_expr(c, s->value), i);
            }
    }
    if (!memory->member) return;
    for (int i = 0; i < c->l->p->n_params; i++) { /* those that it leaves alone, and finds as others have set them */
        const char *dot = strchr(rg_param_shown(&c->l->p->params[i]), '.');
        struct rg__caller_set s = {.key = memory->key, .member = dot ? dot + 1 : "", .function = where};
        bool sets = false;
        if (!is_member_param(c, &s, &c->l->p->params[i])) continue;
        for (int k = 0; k < c->n_sets; k++)
            sets |= c->sets[k].function == where && c->sets[k].key == s.key && c->sets[k].member &&
                    !strcmp(c->sets[k].member, s.member);
        if (!sets) add_pair(c, rg__caller_atom(c, s.key, s.member), i);
    }
}

/* Is it what the parameter is set to, a pointer at file scope or in a structure there? */
static bool sets_global(const struct rg__callers *c, const struct rg__caller_set *x, int param)
{
    const struct rg__sym *s = x->member || x->subscripts ? NULL : rg__sym_find(c->b, x->key);
    return s ? s->kind == RG__SYM_ARRAY && c->l->t->arrays[s->array].param == param
             : !x->subscripts && is_member_param(c, x, &c->l->p->params[param]);
}

/* Which argument of its function a value is as it stands; -1: none. */
static int argument_at(const struct rg__callers *c, CXCursor value, int function)
{
    struct rg__caller_set at;
    if (function < 0 || !rg__caller_place(c, rg__caller_bare(c, value), &at) || at.member || at.subscripts) return -1;
    struct rg__children kids = rg__caller_children(c, c->l->unit.functions[function].cursor);
    for (int i = 0, k = 0; i < kids.n; i++) {
        if (rg__caller_kind(c, kids.items[i]) != CXCursor_ParmDecl) continue;
        if (rg__decl_key(c->b->u, kids.items[i]) == at.key) return k;
        k++;
    }
    return -1;
}

/* `g.node = node; g.n = n;` in a function that the file calls with memory of its own: that call's numbers are those
 * that it parks. */
static void of_parked(struct rg__callers *c, const struct rg__caller_set *x, int param)
{
    const struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *dims[RG__MAX_CALLER_DIMS];
    const int k = argument_at(c, x->value, x->function);
    for (int i = 0; i < c->n_calls && k >= 0 && lacks(q); i++) {
        const struct rg__caller_call *call = &c->calls[i];
        struct rg__caller_set at;
        struct rg__children args = call->args;
        int where = call->function;
        if (call->of != x->function || k + 1 >= args.n || !argument_place(c, args.items[k + 1], &at)) continue;
        const int n = memory_of(c, &at, call->function, q, dims, &where);
        set_once_pairs(c, x->function, x);
        for (int p = 0; p < c->n_pairs; p++)
            c->pairs[p].is = rg__caller_with_arguments(c, c->pairs[p].is, x->function, &args);
        int kept = 0;
        for (int p = 0; p < c->n_pairs; p++)
            if (c->pairs[p].is) c->pairs[kept++] = c->pairs[p];
        c->n_pairs = kept;
        if (n) take_extent(c, param, dims, n, where);
    }
}

/* A pointer at file scope, or in a structure there: whoever allocates it, with what stands for its sizes there. */
static void of_global(struct rg__callers *c, int param)
{
    const struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *dims[RG__MAX_CALLER_DIMS];
    for (int i = 0; i < c->n_sets && lacks(q); i++) {
        const struct rg__caller_set *x = &c->sets[i];
        if (!sets_global(c, x, param)) continue;
        int where = x->function, n = memory_of(c, x, x->function, q, dims, &where);
        set_once_pairs(c, where, x);
        if (n) take_extent(c, param, dims, n, where);
    }
    for (int i = 0; i < c->n_sets && lacks(q); i++)
        if (sets_global(c, &c->sets[i], param)) of_parked(c, &c->sets[i], param);
}

void rg__caller_extents(struct rg__load *l)
{
    bool any = false;
    for (int i = 0; i < l->p->n_params; i++) any |= lacks(&l->p->params[i]);
    if (!any || !l->t) return;
    struct rg__callers c = {.l = l};
    rg__callers_read(&c);
    for (int i = 0; i < l->p->n_params; i++) {
        if (l->rows_only && l->p->params[i].n_dims == 1 && l->p->params[i].origin == RG_ORIGIN_ARG) continue;
        for (int k = 0; k < c.n_calls && lacks(&l->p->params[i]); k++) {
            if (c.calls[k].of != l->function) continue;
            pairs_of_call(&c, &c.calls[k]);
            of_call(&c, &c.calls[k], i);
        }
        if (lacks(&l->p->params[i]) && l->p->params[i].origin == RG_ORIGIN_GLOBAL) of_global(&c, i);
    }
    rg__callers_release(&c);
}

/* ---- sizes ---- */

struct names_only {
    struct rg__load *l;
    bool known;
};

static void is_given(void *arg, const char *name)
{
    struct names_only *n = arg;
    int q = rg_problem_param(n->l->p, name);
    for (int k = 0; k < n->l->p->n_size_params; k++)
        if (n->l->p->size_params[k] == q && n->l->unset[k]) n->known = false;
}

/* The value of size parameter `k` at each size: over others that are given, or a number. `value` stands in that
 * function. */
static bool take_size(struct rg__callers *c, CXCursor value, int function, int k, struct rg_buf *said)
{
    struct rg_problem *p = c->l->p;
    for (int i = 0; i < c->n_pairs; i++) c->pairs[i].used = 0;
    const struct rg_expr *is = rg__caller_expr(c, value),
                         *e = is ? settled(c, is, function, p->size_params[k], 0) : NULL;
    struct names_only n = {c->l, true};
    if (e) rg_expr_names(e, is_given, &n);
    if (!e || !n.known) return false;
    int64_t *at = rg_xcalloc((size_t)p->n_sizes + 1, sizeof *at);
    bool ok = true;
    for (int s = 0; s < p->n_sizes && ok; s++) {
        struct rg_problem_env env;
        rg_problem_env_init(&env, p, &p->sizes[s]);
        ok = rg_expr_eval(e, &env.env, &at[s], NULL) == RG_OK && at[s] > 0;
    }
    for (int s = 0; s < p->n_sizes && ok; s++) p->sizes[s].values[k] = at[s];
    free(at);
    if (!ok) return false;
    c->l->unset[k] = false;
    c->l->called[k] = true;
    rg_buf_printf(said, "%s%s=", said->len ? ", " : "", rg_param_shown(&p->params[p->size_params[k]]));
    rg_expr_print(said, e, rg_problem_shown, p);
    return true;
}

/* Where a size parameter has its value from: an argument of the call, the one place that sets a file-scope variable or
 * a member. */
static bool source_of(struct rg__callers *c, const struct rg__caller_call *call, int param, CXCursor *value,
                      int *function)
{
    const char *shown = rg_param_shown(&c->l->p->params[param]), *dot = strchr(shown, '.');
    struct rg__children kids = call ? call->args : (struct rg__children){0};
    const struct rg__caller_set *only = NULL;
    int n = 0;
    c->n_pairs = 0;
    if (call) pairs_of_call(c, call);
    for (int a = 0; a < c->b->n_args && a + 1 < kids.n; a++)
        if (c->b->args[a].param == param) return *value = kids.items[a + 1], *function = call->function, true;
    for (int i = 0; i < c->n_sets; i++) {
        const struct rg__caller_set *s = &c->sets[i];
        bool same = dot ? s->member && !strcmp(s->member, dot + 1)
                        : !s->member && global_param(c, rg__caller_atom(c, s->key, NULL)->name) == param;
        if (s->subscripts || !same) continue;
        only = s;
        n++;
    }
    if (n != 1 || (dot && strchr(dot + 1, '.'))) return false;
    if (dot) add_members(c, only->function, only->key, rg_arena_strndup(c->a, shown, (size_t)(dot - shown)));
    *value = only->value;
    *function = only->function;
    return true;
}

void rg__caller_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    bool any = false;
    for (int k = 0; k < p->n_size_params; k++) any |= l->unset[k] && !rg_size_follows(&p->params[p->size_params[k]]);
    if (!any) return;
    l->n_called = p->n_size_params;
    l->called = rg_arena_alloc(&p->arena, (size_t)p->n_size_params + 1);
    struct rg__callers c = {.l = l};
    rg__callers_read(&c);
    struct rg_buf said = RG_BUF_INIT;
    const struct rg__caller_call *call = NULL;
    for (int i = 0; i < c.n_calls && !call; i++)
        if (c.calls[i].of == l->function) call = &c.calls[i];
    int from = -1;
    for (int round = 0; round < 3;
         round++) /* what follows from sizes that are given; numbers; what follows from those */
        for (int k = 0; k < p->n_size_params; k++) {
            CXCursor value;
            int function;
            if (!l->unset[k] || rg_size_follows(&p->params[p->size_params[k]]) ||
                !source_of(&c, call, p->size_params[k], &value, &function))
                continue;
            if (round == 1) c.n_pairs = 0;
            if (take_size(&c, value, function, k, &said)) from = function;
        }
    if (said.len)
        p->size_note = rg_arena_printf(&p->arena, "%s, as in %s", said.data,
                                       from >= 0 ? l->unit.functions[from].name : "the file");
    rg_buf_release(&said);
    rg__callers_release(&c);
}
