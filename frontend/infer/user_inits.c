/* The function that sets things up, as a directive names it: what it is called with, and what it fills. */
#include "frontend/infer/infer.h"
#include <string.h>

bool rg__is_integer(const struct rg_param *q)
{
    return q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem);
}

/* The structure's type that a parameter is, or points to; NULL: none. */
static const char *structure_type(struct rg__build *b, CXCursor decl)
{
    CXType t = b->c->getCursorType(decl);
    if (rg__type_is_pointer(b->u, t)) t = b->c->getPointeeType(b->c->getCanonicalType(t));
    return rg__type_is_record(b->u, t) ? rg__strip_qualifiers(&b->p->arena, rg__plain_type(b, t)) : NULL;
}

/* Parameters an init function fills: those it takes by a pointer to something not const. */
int rg__carrier_named(const struct rg__load *l, const char *name)
{
    const struct rg__build *b = &l->b;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->function].cursor, &l->p->arena);
    for (int i = 0, arg = 0; i < kids.n && arg < b->n_args; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const struct rg__arg *x = &b->args[arg++];
        if (x->carrier >= 0 && !strcmp(rg__cursor_name(&l->unit, kids.items[i], &l->p->arena), name)) return x->carrier;
    }
    return -1;
}

const char *rg__structure_meant(const struct rg__load *l, CXCursor decl)
{
    struct rg__build *b = (struct rg__build *)&l->b;
    struct rg_arena *a = (struct rg_arena *)&l->dirs.arena;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->function].cursor, a);
    const char *own = rg__cursor_name(&l->unit, decl, a), *type = structure_type(b, decl), *only = NULL;
    bool several = false;
    for (int i = 0; i < kids.n && type; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const char *other = structure_type(b, kids.items[i]), *name = rg__cursor_name(&l->unit, kids.items[i], a);
        if (!other || strcmp(type, other) != 0) continue;
        if (!strcmp(own, name)) return name;
        several = only != NULL;
        only = name;
    }
    return several ? NULL : only;
}

void rg__init_members(struct rg__load *l, int carrier, const char *text)
{
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg__origin *o = &l->b.origins[i];
        struct rg_param *q = &l->p->params[i];
        int k = o->layout == RG__PART && !rg__is_integer(q) ? o->parent : -1;
        while (k >= 0 && k != carrier) k = l->b.carriers[k].parent;
        if (k < 0 || q->input.kind == RG_INPUT_FILE) continue;
        q->input.kind = RG_INPUT_INIT;
        q->input.text = text;
    }
}

/* An init function that takes a structure whose members are parameters fills what these point to. */
static enum rg_status init_members(struct rg__load *l, const struct rg__directive *d, CXCursor decl, const char *name,
                                   int carrier)
{
    struct rg__build *b = &l->b;
    CXType t = b->c->getCanonicalType(b->c->getCursorType(decl));
    const char *type = t.kind == CXType_Pointer ? rg__plain_type(b, b->c->getPointeeType(t)) : "";
    if (strcmp(type, rg__strip_qualifiers(&l->p->arena, b->carriers[carrier].type)) != 0)
        return rg__directive_error(l->err, d, "'%s' of %s is no %s *, as %s takes it", name, d->written,
                                   b->carriers[carrier].type, l->p->function);
    rg__init_members(l, carrier, rg_arena_printf(&l->p->arena, "init(%s)", d->written));
    return RG_OK;
}

/* What it leaves in file-scope variables that are parameters. */
void rg__init_state(struct rg__load *l, int function, const char *text)
{
    for (int i = 0; i < l->n_facts; i++) {
        const struct rg__fact *f = &l->facts[i];
        int q = f->function == function && f->filled ? rg__param_named(l->p, f->name) : -1;
        struct rg_param *p = q >= 0 ? &l->p->params[q] : NULL;
        if (!p || p->origin != RG_ORIGIN_GLOBAL || rg__is_integer(p) || p->input.kind == RG_INPUT_FILE) continue;
        p->input.kind = RG_INPUT_INIT;
        p->input.text = text;
    }
}

static const double usual_number = 0.5; /* neither 0 nor 1, at which much comes to the same */

/* Can what it takes by that name say how much memory it allocates? Of several set-up functions, those that take it. */
static bool sizes_memory(const struct rg__load *l, int function, const char *name)
{
    const struct rg__sequence *s = &l->sequence;
    bool says = function != s->function && rg__allocates(l, function);
    for (int i = 0; i < s->n_params && function == s->function; i++)
        says |= !strcmp(s->own_name[s->params[i].is], name) && rg__allocates(l, s->params[i].function);
    return says;
}

/* A number that the function takes and that is no parameter of the problem: as an option states it (`--input
 * 'lx=constant(2.5)'`), else as the file itself calls the function; else, where it can say nothing of how much memory
 * there is, `eps2 = softening * softening`, one like any other. */
static bool init_number(struct rg__load *l, int function, CXCursor decl, const char *name, struct rg__init_arg *arg)
{
    struct rg_arena *a = &l->p->arena;
    enum rg_scalar type;
    double v;
    bool stated = false;
    if (!rg__type_scalar(&l->unit, l->b.c->getCanonicalType(l->b.c->getCursorType(decl)), &type)) return false;
    for (int i = 0; i < l->dirs.n; i++) {
        const struct rg__directive *d = &l->dirs.items[i];
        struct rg_input in = {0};
        const struct rg_expr_env none = {0};
        int64_t whole;
        if (d->kind != RG__DIR_INPUT || strcmp(d->name, name) != 0 || rg__parse_input(a, d, &in, NULL) != RG_OK ||
            in.kind != RG_INPUT_CONSTANT ||
            (in.int_args[0] && rg_expr_eval(in.int_args[0], &none, &whole, NULL) != RG_OK))
            continue;
        v = in.int_args[0] ? (double)whole : in.real_args[0];
        stated = true;
    }
    const bool called = !stated && rg__caller_argument(l, function, decl, &v);
    if (!stated && !called) {
        if (!rg_scalar_is_real(type) || sizes_memory(l, function, name)) return false;
        v = usual_number;
    }
    if (rg__scalar_is_int(type) && v != (double)(int64_t)v) return false;
    arg->name = rg_arena_strdup(a, name);
    arg->text = rg__scalar_is_int(type) ? rg_arena_printf(a, "%lld", (long long)v) : rg_arena_printf(a, "%.17g", v);
    const char *why =
        called ? "the file calls it" : rg_arena_printf(a, "nobody said (--input '%s=constant(..)')", name);
    if (!stated)
        l->p->init_note = rg_arena_printf(a, "%s%s%s of %s is %s, as %s", l->p->init_note ? l->p->init_note : "",
                                          l->p->init_note ? "; " : "", name,
                                          l->unit.functions[rg__taker(l, function, name)].name, arg->text, why);
    return true;
}

struct filled { /* an argument of an init function, behind which it writes */
    CXCursor decl;
    const char *name;
    int param, carrier; /* one of them, -1 */
};

static enum rg_status fill(struct rg__load *l, const struct rg__directive *d, int function, const struct filled *x)
{
    if (x->param < 0) return init_members(l, d, x->decl, x->name, x->carrier);
    struct rg_param *q = &l->p->params[x->param];
    q->input.kind = RG_INPUT_INIT;
    q->input.text = rg_arena_printf(&l->p->arena, "init(%s)", d->written);
    rg__init_stated(l, function, x->name, q);
    return RG_OK;
}

enum rg_status rg__init_of(struct rg__load *l, const struct rg__directive *d)
{
    int f = rg__unit_function_named(&l->unit, d->text);
    l->n_inits = 0;
    if (l->program.n_rows || (f < 0 && !strcmp(d->text, "none"))) return RG_OK;
    l->p->init_note = NULL; /* it is asked again when more is known */
    if (f < 0)
        return rg__directive_error(
            l->err, d, "no function '%s' in the file: init names a function that fills parameters", d->text);
    l->p->init_function = rg_arena_strdup(&l->p->arena, d->written);
    struct rg__build *b = &l->b;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[f].cursor, &l->dirs.arena);
    struct rg__init_call call = {f, 0, rg_arena_alloc(&l->p->arena, ((size_t)kids.n + 1) * sizeof *call.args)};
    struct filled *filled = rg_arena_alloc(&l->dirs.arena, ((size_t)kids.n + 1) * sizeof *filled);
    int n_filled = 0; /* marked once all that it takes is known: a function that is not run fills nothing */
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const char *meant = rg__structure_meant(l, kids.items[i]);
        const char *name = meant ? meant : rg__cursor_name(&l->unit, kids.items[i], &l->dirs.arena);
        int q = rg__stands_for(l, f, name), carrier = rg__carrier_named(l, name);
        struct rg__init_arg *arg = &call.args[call.n_args++];
        *arg = (struct rg__init_arg){.param = q, .carrier = q < 0 ? carrier : -1};
        if (q < 0 && carrier >= 0) {
            filled[n_filled++] = (struct filled){kids.items[i], name, -1, carrier};
            continue;
        }
        CXType t = b->c->getCursorType(kids.items[i]), e = t;
        bool pointer = false;
        while (e.kind == CXType_ConstantArray || e.kind == CXType_VariableArray || e.kind == CXType_IncompleteArray ||
               b->c->getCanonicalType(e).kind == CXType_Pointer) {
            pointer = true;
            bool array =
                e.kind == CXType_ConstantArray || e.kind == CXType_VariableArray || e.kind == CXType_IncompleteArray;
            e = array ? b->c->getArrayElementType(e) : b->c->getPointeeType(b->c->getCanonicalType(e));
        }
        for (int k = 0; k < l->n_set && q < 0 && !pointer; k++) /* the number that it was read at */
            if (!strcmp(l->set[k].name, name) && l->shape_of == f)
                arg->text = rg_arena_printf(&l->p->arena, "%lld", (long long)l->set[k].value);
        if (arg->text || (q < 0 && !pointer && init_number(l, f, kids.items[i], name, arg))) continue;
        enum rg_status st = RG_OK;
        if (q < 0 && rg__main_argument(l, d, f, call.n_args - 1, arg, &st)) {
            if (st != RG_OK) return st;
            continue;
        }
        const bool shapes = l->shape && l->shape->n && l->shape_of == f;
        if (q < 0 && pointer && (l->n_facts || shapes)) { /* it sets up state from arrays that nobody here has */
            l->p->init_function = NULL;
            l->p->init_note = rg_arena_printf(&l->p->arena,
                                              "%s is not run: its array '%s' stands for nothing of %s; what it "
                                              "allocates says how long arrays are, their "
                                              "elements are inputs like others",
                                              d->written, name, l->p->function);
            return RG_OK;
        }
        if (q < 0)
            return rg__directive_error(l->err, d, "'%s' of %s matches no parameter of %s; it has %s%s%s", name,
                                       d->written, l->p->function, rg__known_params(l),
                                       pointer ? "" : ". What number it is called with is stated so: --input '",
                                       pointer ? "" : rg_arena_printf(&l->p->arena, "%s=constant(1)'", name));
        arg->pointer = pointer;
        bool parked = l->p->params[q].origin == RG_ORIGIN_GLOBAL && pointer; /* unless it is filled, too */
        if (pointer && !parked && !b->c->isConstQualifiedType(e))
            filled[n_filled++] = (struct filled){kids.items[i], name, q, -1};
        if (!pointer && l->p->params[q].kind == RG_PARAM_ARRAY)
            return rg__directive_error(l->err, d, "'%s' is an array of %s but a scalar of %s", name, l->p->function,
                                       d->written);
    }
    for (int i = 0; i < n_filled; i++) {
        enum rg_status st = fill(l, d, f, &filled[i]);
        if (st != RG_OK) return st;
    }
    rg__init_state(l, f, rg_arena_printf(&l->p->arena, "init(%s)", d->written));
    RG_GROW(l->inits, l->n_inits, l->cap_inits);
    l->inits[l->n_inits++] = call;
    return RG_OK;
}
