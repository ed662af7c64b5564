/* A call of a function that calls itself for both halves of what it is given (a Fourier transform, a Walsh transform, a
 * bitonic merge): its body is built once, as any call's of its kind, its own calls left as they stand; halves_form.c
 * says what it is, halves_levels.c makes loops of it. */
#include "frontend/read/halves.h"
#include "frontend/read/build_place.h"
#include "frontend/read/directive.h"
#include <stdlib.h>
#include <string.h>

/* ---- sizes ---- */

struct stated {
    const char *name;
    int64_t most;
    bool power;
};

static enum rg_status one_size(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    struct stated *s = arg;
    char *end;
    long long v = strtoll(value, &end, 0);
    (void)column;
    (void)err;
    if (!strcmp(name, s->name) && end != value && !*end && (v < 1 || v > s->most || (v & (v - 1)))) s->power = false;
    return RG_OK;
}

bool rg__build_power(struct rg__build *b, int param, int64_t most)
{
    struct stated s = {b->p->params[param].name, most, true};
    bool by_option = false;
    for (int i = 0; i < b->dirs->n; i++)
        by_option |= b->dirs->items[i].kind == RG__DIR_SIZE && b->dirs->items[i].option;
    for (int i = 0; i < b->dirs->n; i++) {
        const struct rg__directive *d = &b->dirs->items[i];
        if (d->kind == RG__DIR_SIZE && d->option == by_option) rg__assignments(&b->p->arena, d, one_size, &s, NULL);
    }
    return s.power;
}

/* ---- the call ---- */

struct self {
    struct rg__build *b;
    int function, n;
};

static void count_self(void *arg, CXCursor c)
{
    struct self *s = arg;
    if (s->b->c->getCursorKind(c) == CXCursor_DeclRefExpr)
        s->n += rg__unit_function(s->b->u, s->b->c->getCursorReferenced(c)) == s->function;
}

static bool calls_itself_twice(struct rg__build *b, int function)
{
    struct self s = {.b = b, .function = function};
    const struct rg__function *f = &b->u->functions[function];
    CXType result = b->c->getResultType(b->c->getCursorType(f->cursor));
    if (b->c->getCanonicalType(result).kind != CXType_Void) return false;
    rg__cursor_walk(b->u, f->body, count_self, &s);
    return s.n == 2;
}

/* Is the number a parameter of the problem's that nothing ever sets? */
static bool stays(struct rg__build *b, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_VAR) return true;
    for (int i = 0; i < b->n_syms; i++)
        if (b->syms[i].kind == RG__SYM_VAR && b->syms[i].var == e->var) return !rg__is_written(b, b->syms[i].key);
    return false;
}

static bool bind(struct rg__halves *x, CXCursor param, struct rg_cnode *arg)
{
    struct rg__build *b = x->b;
    uint32_t key = rg__decl_key(b->u, param);
    CXType type = b->c->getCursorType(param);
    const char *name = rg__cursor_name(b->u, param, &b->p->arena);
    struct rg__halves_param *p = &x->p[x->n++];
    enum rg_scalar s;
    *p = (struct rg__halves_param){.array = -1, .partner = -1};
    if (rg__is_written(b, key) || rg__targets_of(b, arg)) return false;
    if (rg__type_scalar(b->u, type, &s)) {
        p->var = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, s);
        p->top = rg__c_cast(b->t, rg__expand_known(b, arg), s);
        rg__sym_add(b, key, RG__SYM_VAR)->var = p->var;
        return rg__c_pure(b->t, p->top) && stays(b, p->top);
    }
    struct rg_cnode *rows[8];
    int n_rows;
    if (!arg->pointer || rg__is_place(arg) || !rg__split_pointer(b, arg, &p->array, rows, &n_rows, &p->top) || n_rows ||
        rg__passed_differently(b, type, p->array, 0) || b->t->arrays[p->array].view)
        return false;
    if (p->top) p->top = rg__expand_known(b, p->top);
    p->var = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_at", name), RG_CVAR_LOCAL, RG_LONG);
    struct rg__sym *sym = rg__sym_add(b, key, RG__SYM_ALIAS);
    sym->off_var = p->var;
    sym->array = p->array;
    return !p->top || rg__c_pure(b->t, p->top);
}

struct rg_cnode *rg__build_again(struct rg__build *b, int function, struct rg_cnode **args, int n)
{
    if (!b->halves || b->halves->function != function) return NULL;
    struct rg_cnode *x = rg_cnode_new(b->t, RG_C_CALL, n);
    x->text = RG__HALVES_AGAIN;
    for (int i = 0; i < n; i++) x->kid[i] = args[i];
    return x;
}

/* The body, as that of a call. */
static bool build_body(struct rg__halves *x, CXCursor *params, struct rg_cnode **args, int n, struct rg__kids *front)
{
    struct rg__build *b = x->b;
    const struct rg__function *f = &b->u->functions[x->function];
    struct rg__kids body = {0};
    int known = b->n_known, return_var = b->return_var, symbols = b->n_syms;
    struct rg__kids *hoist = b->hoist, *prologue = b->prologue;
    CXCursor scope = b->scope;
    bool ok = true;
    for (int i = 0; i < n && ok; i++) ok = bind(x, params[i], args[i]);
    b->hoist = &body;
    b->prologue = front;
    b->scope = f->body;
    b->inlining_args[b->n_inlining] = NULL;
    b->inlining[b->n_inlining++] = x->function;
    b->return_var = -1;
    b->halves = x;
    if (ok) rg__build_stmt(b, f->body, &body);
    x->body = rg__kids_node(b->t, RG_C_BLOCK, &body);
    b->halves = NULL;
    b->n_inlining--;
    b->return_var = return_var;
    b->scope = scope;
    b->hoist = hoist;
    b->prologue = prologue;
    b->n_known = known;
    rg__drop_symbols(b, symbols);
    return ok && !b->verbatim && !b->refused;
}

/* ---- what the other of two arrays that swap holds in the end ---- */

static void spend(struct rg__build *b, int array, const struct rg_cnode *behind)
{
    RG_GROW(b->root->spent, b->root->n_spent, b->root->cap_spent);
    b->root->spent[b->root->n_spent++] = (struct rg__spent){array, behind};
}

struct reading {
    const struct rg__spent *of;
    const struct rg_cnode *loop; /* the innermost around its place */
    bool passed, read;
};

static void look(struct reading *r, const struct rg_cnode *n, const struct rg_cnode *around)
{
    if (!n) return;
    if (n == r->of->behind) {
        r->passed = true;
        r->loop = around;
        return;
    }
    bool loop = n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO;
    if (r->passed && n->kind != RG_C_DECL && n->array == r->of->array) r->read = true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_LABEL || n->kind == RG_C_GOTO) r->read = true;
    for (int i = 0; i < n->n; i++) look(r, n->kid[i], loop ? n : around);
}

bool rg__halves_read_spent(const struct rg__build *b, const struct rg_cnode *root)
{
    for (int i = 0; i < b->n_spent; i++) {
        struct reading r = {.of = &b->spent[i]};
        look(&r, root, NULL);
        if (!r.passed || r.read || b->t->arrays[r.of->array].param >= 0) return true;
        if (r.loop && !rg__c_declares_array(r.loop, r.of->array)) return true; /* the next iteration may */
    }
    return false;
}

/* Does it set no scalars but its own? */
static bool sets_its_own(const struct rg__halves *x, const struct rg__kids *front)
{
    for (int v = 0; v < x->t->n_vars; v++) {
        bool own = !rg__halves_times_set(x->body, v) || rg__c_declares(x->body, v);
        for (int i = 0; i < front->n && !own; i++) own = rg__c_declares(front->items[i], v);
        if (!own) return false;
    }
    return true;
}

bool rg__build_halves(struct rg__build *b, int function, struct rg_cnode **args, int n)
{
    CXCursor params[RG__HALVES_PARAMS];
    struct rg__children kids = rg__cursor_children(b->u, b->u->functions[function].cursor, &b->p->arena);
    int n_params = 0;
    if (b->follow || b->helper || b->halves || !b->hoist || b->verbatim || b->n_inlining >= RG__MAX_INLINE ||
        !calls_itself_twice(b, function))
        return false;
    for (int i = 0; i < kids.n && n_params < RG__HALVES_PARAMS; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl) params[n_params++] = kids.items[i];
    if (n_params != n || n == RG__HALVES_PARAMS) return false;
    struct rg__halves *x = rg_xcalloc(1, sizeof *x);
    struct rg__kids front = {0}, out = {0};
    int vars = b->t->n_vars, arrays = b->t->n_arrays, line = b->verbatim_line, column = b->verbatim_column;
    *x = (struct rg__halves){.b = b, .t = b->t, .function = function};
    x->h = rg__c_add_var(b->t, "half", RG_CVAR_LOCAL, RG_LONG);
    x->k = rg__c_add_var(b->t, "pair", RG_CVAR_LOCAL, RG_LONG);
    bool ok = build_body(x, params, args, n, &front) && sets_its_own(x, &front) && rg__halves_form(x) &&
              rg__halves_levels(x, &out);
    if (ok) {
        for (int i = 0; i < front.n; i++) rg__kids_add(b->hoist, front.items[i]);
        for (int i = 0; i < out.n; i++) rg__kids_add(b->hoist, out.items[i]);
        b->root->levels = true;
        for (int i = 0; i < x->n; i++)
            if (x->p[i].kind == RG__HALVES_SPARE || x->p[i].kind == RG__HALVES_SWAP) {
                bool result = false;
                for (int f = 0; f < x->n_families; f++) result = result || x->family[f].param == i;
                if (!result) spend(b, x->p[i].array, out.items[out.n - 1]);
            }
        const struct rg_cnode *size = rg__c_uncast(x->whole_size, RG__C_INT_CASTS);
        if (size->kind == RG_C_VAR) {
            RG_GROW(b->root->powers, b->root->n_powers, b->root->cap_powers);
            b->root->powers[b->root->n_powers++] = (struct rg__power){b->t->vars[size->var].param, rg__halves_most(x)};
        }
    } else { /* as if it had not been tried */
        b->verbatim = NULL;
        b->verbatim_line = line;
        b->verbatim_column = column;
        b->t->n_vars = vars;
        b->t->n_arrays = arrays;
    }
    free(front.items);
    free(out.items);
    free(x->base.items);
    free(x->pre.items);
    free(x->post.items);
    free(x);
    return ok;
}
