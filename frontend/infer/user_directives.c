/* Directives applied to the parameters: extents, roles, inputs, tolerance, sizes. */
#include "frontend/infer/infer.h"
#include "ir/range.h"
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_param(struct rg__load *l, const struct rg__directive *d, const char *name)
{
    int i = rg__param_meant(l, name);
    if (i < 0) rg__no_parameter(l, d, name, l->err);
    return i;
}

/* A statement of the file about a variable that this function sets itself before it reads it: nothing it needs, but
 * right for other functions of the file. */
static bool set_within(const struct rg__load *l, const struct rg__directive *d)
{
    if (d->option || rg__param_named(l->p, d->name) >= 0 || !rg__unit_has_variable(&l->unit, d->name)) return false;
    rg_log(RG_LOG_INFO, "%s sets '%s' itself: what a pragma says about it is not needed", l->p->function, d->name);
    return true;
}

static bool is_size_param(const struct rg_param *q)
{
    return q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem);
}

struct names {
    struct rg__load *l;
    const struct rg__directive *d;
    enum rg_status st;
};

static void check_name(void *arg, const char *name)
{
    struct names *n = arg;
    if (n->st != RG_OK) return;
    int i = find_param(n->l, n->d, name);
    if (i < 0)
        n->st = RG_INPUT;
    else if (!is_size_param(&n->l->p->params[i]))
        n->st = rg__directive_error(
            n->l->err, n->d, "'%s' is no integer scalar: extents and conditions are over integer parameters", name);
}

static enum rg_status parse_expr(struct rg__load *l, const struct rg__directive *d, const char **cursor,
                                 const struct rg_expr **out)
{
    struct rg_error inner = RG_ERROR_INIT;
    enum rg_status st = rg_expr_parse(&l->p->arena, cursor, d->file, d->line, d->column, out, &inner);
    if (st != RG_OK) return rg__directive_error(l->err, d, "%s", inner.text);
    struct names n = {l, d, RG_OK};
    rg_expr_names(*out, check_name, &n);
    if (n.st == RG_OK) *out = rg__as_named(l, *out);
    return n.st;
}

static struct rg_expr *product(struct rg_arena *a, const struct rg_expr *x, const struct rg_expr *y)
{
    struct rg_expr *e = rg_arena_alloc(a, sizeof *e);
    e->kind = RG_EXPR_BINARY;
    e->op = RG_OP_MUL;
    e->n_args = 2;
    e->args = rg_arena_alloc(a, 2 * sizeof *e->args);
    e->args[0] = rg_expr_clone(a, x);
    e->args[1] = rg_expr_clone(a, y);
    return e;
}

/* `*e` without the factors of `by`, a number or a name or a product of them; false: they are not all in it. */
static bool divided(struct rg_arena *a, const struct rg_expr **e, const struct rg_expr *by)
{
    const struct rg_expr *x = *e;
    if (by->kind == RG_EXPR_BINARY && by->op == RG_OP_MUL)
        return divided(a, e, by->args[0]) && divided(a, e, by->args[1]);
    if (rg_expr_equal(x, by)) {
        struct rg_expr *one = rg_arena_alloc(a, sizeof *one);
        *one = (struct rg_expr){.kind = RG_EXPR_INT, .value = 1};
        return *e = one, true;
    }
    if (x->kind == RG_EXPR_INT && by->kind == RG_EXPR_INT && by->value > 0 && x->value % by->value == 0) {
        struct rg_expr *rest = rg_arena_alloc(a, sizeof *rest);
        *rest = (struct rg_expr){.kind = RG_EXPR_INT, .value = x->value / by->value};
        return *e = rest, true;
    }
    if (x->kind != RG_EXPR_BINARY || x->op != RG_OP_MUL) return false;
    for (int k = 0; k < 2; k++) {
        const struct rg_expr *part = x->args[k], *other = x->args[1 - k];
        if (!divided(a, &part, by)) continue;
        bool one = part->kind == RG_EXPR_INT && part->value == 1;
        return *e = one ? other : product(a, part, other), true;
    }
    return false;
}

/* Of an array of several dimensions one extent is its elements where it has the inner dimensions in it (`u[ny][nx]`:
 * ny*nx; `pos[][3]`: 3*n), else its rows. */
static const struct rg_expr *rows_of(struct rg__load *l, const struct rg_param *q, const struct rg_expr *e)
{
    const struct rg_expr *rows = e;
    for (int d = 1; d < q->n_dims; d++)
        if (!q->dims[d] || !divided(&l->p->arena, &rows, q->dims[d])) return e;
    return rows;
}

/* A parameter that points to one structure is there as its members (`s.nx`): the first of them that is an array, or
 * else the first; -1: the name is none of such a parameter. */
static int member_of(const struct rg__load *l, const char *name)
{
    const size_t n = strlen(name);
    int first = -1;
    for (int i = 0; i < l->p->n_params; i++) {
        const char *shown = rg_param_shown(&l->p->params[i]);
        if (strncmp(shown, name, n) != 0 || shown[n] != '.') continue;
        if (l->p->params[i].kind == RG_PARAM_ARRAY) return i;
        if (first < 0) first = i;
    }
    return first;
}

/* `extent(s: 1)` of such a one says what is known. */
static enum rg_status one_structure(struct rg__load *l, const struct rg__directive *d, int member)
{
    const struct rg_expr *e;
    const char *c = d->text;
    enum rg_status st = parse_expr(l, d, &c, &e);
    if (st != RG_OK) return st;
    if (e->kind == RG_EXPR_INT && e->value == 1 && !c[strspn(c, " \t")]) return RG_OK;
    const struct rg_param *q = &l->p->params[member];
    return rg__directive_error(l->err, d,
                               "%s takes one structure by '%s', extent(%s: 1): its members have extents of their "
                               "own%s%s%s",
                               l->p->function, d->name, d->name, q->kind == RG_PARAM_ARRAY ? ", as in extent(" : "",
                               q->kind == RG_PARAM_ARRAY ? rg_param_shown(q) : "",
                               q->kind == RG_PARAM_ARRAY ? ": ..)" : "");
}

static enum rg_status one_extent(struct rg__load *l, const struct rg__directive *d)
{
    for (int k = 0; k < l->b.n_own && rg__param_named(l->p, d->name) < 0; k++) /* the function allocates it itself */
        if (!strcmp(rg__cursor_name(&l->unit, l->b.own[k].decl, &l->dirs.arena), d->name)) return RG_OK;
    const int member = rg__param_named(l->p, d->name) < 0 ? member_of(l, d->name) : -1;
    if (member >= 0) return one_structure(l, d, member);
    int i = find_param(l, d, d->name);
    if (i < 0) return RG_INPUT;
    struct rg_param *q = &l->p->params[i];
    if (q->kind != RG_PARAM_ARRAY) return rg__directive_error(l->err, d, "'%s' is a scalar: it has no extent", d->name);
    const struct rg_expr *e[8];
    int n = 0;
    const char *c = d->text;
    for (;;) {
        if (n == 8) return rg__directive_error(l->err, d, "too many dimensions");
        enum rg_status st = parse_expr(l, d, &c, &e[n]);
        if (st != RG_OK) return st;
        n++;
        while (*c == ' ' || *c == '\t') c++;
        if (*c != ',') break;
        c++;
    }
    if (*c) return rg__directive_error(l->err, d, "unexpected '%s' in the extent of '%s'", c, d->name);
    if (n != q->n_dims && q->n_dims != 1 && n != 1)
        return rg__directive_error(l->err, d, "'%s' has %d dimensions, %d extents are given", d->name, q->n_dims, n);
    const struct rg_expr **dims = rg_arena_alloc(&l->p->arena, (size_t)q->n_dims * sizeof *dims);
    if (q->n_dims == n) {
        memcpy(dims, e, (size_t)n * sizeof *dims);
    } else if (q->n_dims == 1) { /* a flat pointer of several extents is their product */
        dims[0] = e[0];
        for (int k = 1; k < n; k++) dims[0] = product(&l->p->arena, dims[0], e[k]);
    } else {
        memcpy(dims, q->dims, (size_t)q->n_dims * sizeof *dims);
        dims[0] = rows_of(l, q, e[0]);
    }
    q->dims = dims;
    q->extent_inferred = false;
    q->extent_from = NULL;
    return RG_OK;
}

/* Does it name a size that only other extents bring: `bi: ap.end`? */
static bool names_later(const struct rg__load *l, const char *text)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    while (*(text += strcspn(text, word))) {
        const size_t n = strspn(text, word);
        char name[200];
        if (n < sizeof name) {
            memcpy(name, text, n);
            name[n] = 0;
            if (rg__param_named(l->p, name) < 0 && rg__comes_later(name)) return true;
        }
        text += n;
    }
    return false;
}

enum rg_status rg__apply_later_extents(struct rg__load *l)
{
    enum rg_status st = RG_OK;
    for (int i = 0; i < l->n_later_extents && st == RG_OK; i++) st = one_extent(l, l->later_extents[i]);
    return st;
}

enum rg_status rg__apply_extents(struct rg__load *l)
{
    for (int option = 0; option < 2; option++)
        for (int i = 0; i < l->dirs.n; i++) {
            const struct rg__directive *d = &l->dirs.items[i];
            if (d->kind != RG__DIR_EXTENT || d->option != option) continue;
            if (set_within(l, d)) continue;
            if (names_later(l, d->text) && rg__param_named(l->p, d->name) >= 0) {
                RG_GROW(l->later_extents, l->n_later_extents, l->cap_later_extents);
                l->later_extents[l->n_later_extents++] = d;
                continue;
            }
            enum rg_status st = one_extent(l, d);
            if (st != RG_OK) return st;
        }
    return RG_OK;
}

static enum rg_status tolerance_item(void *arg, const char *name, const char *value, int column, struct rg_error *err)
{
    struct rg__load *l = ((void **)arg)[0];
    const struct rg__directive *d = ((void **)arg)[1];
    char *end;
    double v = strtod(value, &end);
    if (*end || !*value || !(v >= 0) || v > 1e30) return rg__directive_error(err, d, "'%s' is no tolerance", value);
    if (!strcmp(name, "rtol"))
        l->p->rtol = v;
    else if (!strcmp(name, "atol"))
        l->p->atol = v;
    else
        return rg__directive_error(err, d, "unknown tolerance '%s': it is tolerance(rtol=..., atol=...)", name);
    return RG_OK;
}

static enum rg_status role_of(struct rg__load *l, const struct rg__directive *d)
{
    static const char *const words[] = {"in", "out", "inout"};
    int i = find_param(l, d, d->name);
    if (i < 0) return RG_INPUT;
    struct rg_param *q = &l->p->params[i];
    for (int k = 0; k < 3; k++) {
        if (strcmp(d->text, words[k])) continue;
        if (q->kind == RG_PARAM_SCALAR && k)
            return rg__directive_error(l->err, d, "'%s' is a scalar: its role is in", d->name);
        if (q->c_const && k) return rg__directive_error(l->err, d, "'%s' is const: its role is in", d->name);
        if (q->origin == RG_ORIGIN_RESULT && k != 1) return rg__directive_error(l->err, d, "the result is an output");
        q->role = (enum rg_role)k;
        return RG_OK;
    }
    return rg__directive_error(l->err, d, "'%s' is no role: in, out or inout", d->text);
}

struct rg_input *rg__member_input(struct rg_problem *p, struct rg_param *q, const char *path)
{
    for (int i = 0; i < q->n_members; i++)
        if (!strcmp(q->members[i].path, path)) return &q->members[i].input;
    struct rg_member_input *grown = rg_arena_alloc(&p->arena, ((size_t)q->n_members + 1) * sizeof *grown);
    if (q->n_members) memcpy(grown, q->members, (size_t)q->n_members * sizeof *grown);
    grown[q->n_members] = (struct rg_member_input){.path = path};
    q->members = grown;
    return &grown[q->n_members++].input;
}

/* edges.from, which came as edges_from: the structures' parameter and the member's path; -1 none. */
static int find_member(const struct rg_problem *p, const char *name, const char **path)
{
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->elem != RG_STRUCT) continue;
        const char *shown = rg_param_shown(q), *n = name;
        while (*shown && (*shown == *n || (*shown == '.' && *n == '_'))) shown++, n++;
        if (*shown || *n++ != '_') continue;
        const struct rg_struct *s = &p->structs[q->struct_index];
        for (int f = 0; f < s->n_fields; f++) {
            const char *a = s->fields[f].path, *b = n;
            while (*a && (*a == *b || (*a == '.' && *b == '_'))) a++, b++;
            if (!*a && !*b) return *path = s->fields[f].path, i;
        }
    }
    return -1;
}

/* A number by the name that it has where the init function takes it. */
static bool is_init_number(const struct rg__load *l, const char *name)
{
    for (int i = 0; i < l->n_inits; i++)
        for (int k = 0; k < l->inits[i].n_args; k++)
            if (l->inits[i].args[k].name && !strcmp(l->inits[i].args[k].name, name)) return true;
    return false;
}

static enum rg_status input_of(struct rg__load *l, const struct rg__directive *d)
{
    const char *path = NULL;
    int i = rg__param_named(l->p, d->name) < 0 ? find_member(l->p, d->name, &path) : -1;
    if (i < 0 && rg__param_named(l->p, d->name) < 0) {
        if (is_init_number(l, d->name)) return RG_OK;
        for (int k = 0; k < l->n_inits && i < 0; k++) i = rg__stands_for(l, l->inits[k].function, d->name);
    }
    if (i < 0) i = find_param(l, d, d->name);
    if (i < 0) return RG_INPUT;
    struct rg_input *in = path ? rg__member_input(l->p, &l->p->params[i], path) : &l->p->params[i].input;
    enum rg_status st = rg__parse_input(&l->p->arena, d, in, l->err);
    if (st == RG_OK && path && in->kind == RG_INPUT_FILE)
        return rg__directive_error(l->err, d, "a file fills a whole parameter, not the member '%s' of one", path);
    for (int k = 0; k < in->n_args && st == RG_OK; k++)
        if (in->int_args[k]) {
            struct names n = {l, d, RG_OK};
            rg_expr_names(in->int_args[k], check_name, &n);
            st = n.st;
            if (st == RG_OK) in->int_args[k] = rg__as_named(l, in->int_args[k]);
        }
    return st;
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
        int k = o->layout == RG__PART && !is_size_param(q) ? o->parent : -1;
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
        return rg__directive_error(l->err, d, "'%s' of %s is no %s *, as %s takes it", name, d->text,
                                   b->carriers[carrier].type, l->p->function);
    rg__init_members(l, carrier, rg_arena_printf(&l->p->arena, "init(%s)", d->text));
    return RG_OK;
}

/* What it leaves in file-scope variables that are parameters. */
void rg__init_state(struct rg__load *l, int function, const char *text)
{
    for (int i = 0; i < l->n_facts; i++) {
        const struct rg__fact *f = &l->facts[i];
        int q = f->function == function && f->filled ? rg__param_named(l->p, f->name) : -1;
        struct rg_param *p = q >= 0 ? &l->p->params[q] : NULL;
        if (!p || p->origin != RG_ORIGIN_GLOBAL || is_size_param(p) || p->input.kind == RG_INPUT_FILE) continue;
        p->input.kind = RG_INPUT_INIT;
        p->input.text = text;
    }
}

static const double usual_number = 0.5; /* neither 0 nor 1, at which much comes to the same */

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
        if (!rg_scalar_is_real(type) || rg__allocates(l, function)) return false;
        v = usual_number;
    }
    if (rg__scalar_is_int(type) && v != (double)(int64_t)v) return false;
    arg->name = rg_arena_strdup(a, name);
    arg->text = rg__scalar_is_int(type) ? rg_arena_printf(a, "%lld", (long long)v) : rg_arena_printf(a, "%.17g", v);
    const char *why =
        called ? "the file calls it" : rg_arena_printf(a, "nobody said (--input '%s=constant(..)')", name);
    if (!stated)
        l->p->init_note =
            rg_arena_printf(a, "%s%s%s of %s is %s, as %s", l->p->init_note ? l->p->init_note : "",
                            l->p->init_note ? "; " : "", name, l->unit.functions[function].name, arg->text, why);
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
    q->input.text = rg_arena_printf(&l->p->arena, "init(%s)", d->text);
    rg__init_stated(l, function, x->name, q);
    return RG_OK;
}

static enum rg_status init_of(struct rg__load *l, const struct rg__directive *d)
{
    int f = rg__unit_function_named(&l->unit, d->text);
    l->n_inits = 0;
    if (l->program.n_rows || (f < 0 && !strcmp(d->text, "none"))) return RG_OK;
    l->p->init_note = NULL; /* it is asked again when more is known */
    if (f < 0)
        return rg__directive_error(
            l->err, d, "no function '%s' in the file: init names a function that fills parameters", d->text);
    l->p->init_function = rg_arena_strdup(&l->p->arena, d->text);
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
                                              d->text, name, l->p->function);
            return RG_OK;
        }
        if (q < 0)
            return rg__directive_error(l->err, d, "'%s' of %s matches no parameter of %s; it has %s%s%s", name, d->text,
                                       l->p->function, rg__known_params(l),
                                       pointer ? "" : ". What number it is called with is stated so: --input '",
                                       pointer ? "" : rg_arena_printf(&l->p->arena, "%s=constant(1)'", name));
        arg->pointer = pointer;
        bool parked = l->p->params[q].origin == RG_ORIGIN_GLOBAL && pointer; /* unless it is filled, too */
        if (pointer && !parked && !b->c->isConstQualifiedType(e))
            filled[n_filled++] = (struct filled){kids.items[i], name, q, -1};
        if (!pointer && l->p->params[q].kind == RG_PARAM_ARRAY)
            return rg__directive_error(l->err, d, "'%s' is an array of %s but a scalar of %s", name, l->p->function,
                                       d->text);
    }
    for (int i = 0; i < n_filled; i++) {
        enum rg_status st = fill(l, d, f, &filled[i]);
        if (st != RG_OK) return st;
    }
    rg__init_state(l, f, rg_arena_printf(&l->p->arena, "init(%s)", d->text));
    RG_GROW(l->inits, l->n_inits, l->cap_inits);
    l->inits[l->n_inits++] = call;
    return RG_OK;
}

enum rg_status rg__apply_params(struct rg__load *l)
{
    enum rg_status st = RG_OK;
    for (int i = 0; i < l->p->n_params; i++) { /* a file-scope variable's own value is its default input */
        struct rg_param *q = &l->p->params[i];
        if (q->kind == RG_PARAM_ARRAY && q->elem == RG_BOOL && q->input.kind == RG_INPUT_DEFAULT) {
            struct rg__directive d = {.name = q->name, .text = "uniform(0, 1)", .file = "", .option = true};
            rg__parse_input(&l->p->arena, &d, &q->input, NULL); /* 0 .. 99 would be true nearly always */
        }
        if (q->origin != RG_ORIGIN_GLOBAL || strncmp(q->input.text, "constant(", 9)) continue;
        struct rg__directive d = {.name = q->name, .text = q->input.text, .file = "", .option = true};
        rg__parse_input(&l->p->arena, &d, &q->input, NULL);
    }
    if (l->p->init_found) rg__apply_found_inits(l);
    for (int pass = 0; pass < 3; pass++) /* init first, then the pragmas' inputs, then the options' */
        for (int i = 0; i < l->dirs.n && st == RG_OK; i++) {
            const struct rg__directive *d = &l->dirs.items[i];
            if (pass == 0) {
                if (d->kind == RG__DIR_INIT) st = init_of(l, d);
                continue;
            }
            if (d->option != (pass == 2)) continue;
            switch (d->kind) {
            case RG__DIR_ROLE:
                if (!set_within(l, d)) st = role_of(l, d);
                break;
            case RG__DIR_INPUT:
                if (!set_within(l, d)) st = input_of(l, d);
                break;
            case RG__DIR_EXPECT: {
                int q = find_param(l, d, d->name);
                if (q < 0) return RG_INPUT;
                size_t n = strlen(d->text);
                bool quoted = n > 1 && d->text[0] == '"' && d->text[n - 1] == '"';
                l->p->params[q].expect_file = rg_arena_strndup(&l->p->arena, d->text + quoted, n - 2 * quoted);
                break;
            }
            case RG__DIR_TOLERANCE: {
                void *arg[] = {l, (void *)(uintptr_t)d};
                st = rg__assignments(&l->dirs.arena, d, tolerance_item, arg, l->err);
                break;
            }
            case RG__DIR_MISMATCH: {
                int q = find_param(l, d, d->name);
                if (q < 0) return RG_INPUT;
                char *end;
                double v = strtod(d->text, &end);
                if (*end || !(v >= 0 && v <= 1))
                    return rg__directive_error(l->err, d, "'%s' is no share between 0 and 1", d->text);
                l->p->params[q].mismatch_share = v;
                break;
            }
            default:
                break;
            }
        }
    if (l->o->rtol >= 0) l->p->rtol = l->o->rtol;
    if (l->o->atol >= 0) l->p->atol = l->o->atol;
    return st;
}
