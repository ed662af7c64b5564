/* Initialisation functions that nobody named: where a caller in the file calls f(a, n) behind init(n, a), init makes
 * the inputs that f is meant for. Calls in front of that of the function that is meant, on the same arrays or on
 * file-scope variables that it uses, are made in their order with what they are passed there: sizes that the function
 * takes too, literals, the arrays themselves. A call is left out that takes anything else, or does more than compute
 * and fill (reads files, asks for the time). They choose inputs and nothing else: what they make is verified like any
 * other. */
#include "frontend/infer/callers.h"
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 4, MAX_CALLS = 16 };

struct place { /* what an argument names: a variable or a member of one */
    bool known, element;
    uint32_t key;
    const char *member;
};

struct finder {
    struct rg__load *l;
    struct rg__callers *c;
    int level;              /* of callers above the function: 0 its own */
    const struct place *at; /* by the function's argument: where its memory is in the caller that is being read */
    bool *read;             /* by function: its facts are there */
};

static struct place place_of(const struct finder *f, CXCursor x)
{
    struct place p = {0};
    struct rg__caller_set s;
    x = rg__caller_bare(f->c, x);
    struct rg__children kids = rg__caller_children(f->c, x);
    bool unary = rg__caller_kind(f->c, x) == CXCursor_UnaryOperator && kids.n == 1;
    if (!rg__caller_place(f->c, unary ? kids.items[0] : x, &s)) return p;
    return (struct place){true, s.subscripts && !unary, s.key, s.member};
}

static bool same_place(struct place a, struct place b)
{
    return a.known && b.known && !a.element && !b.element && a.key == b.key &&
           (a.member ? b.member && !strcmp(a.member, b.member) : !b.member);
}

/* ---- what a function does beside filling memory ---- */

static bool arithmetic(const struct rg__unit *u, CXType t)
{
    enum rg_scalar s;
    return rg__type_scalar(u, t, &s);
}

/* Functions of the library that do no more than compute although they take or return addresses. program: also such as
 * tell the time, print, or read texts, in a program that is run for its inputs. */
static bool listed(const char *name, bool program)
{
    static const char *const tells[] = {"clock",
                                        "clock_gettime",
                                        "gettimeofday",
                                        "omp_get_wtime",
                                        "atoi",
                                        "atof",
                                        "atol",
                                        "strtol",
                                        "strtod",
                                        "strtoul",
                                        "getenv",
                                        "snprintf",
                                        "sprintf",
                                        "strcpy",
                                        "strncpy",
                                        "strcat",
                                        "strncmp",
                                        "memcmp",
                                        "fflush",
                                        "setvbuf",
                                        "setbuf",
                                        "setlocale",
                                        "qsort",
                                        "putchar",
                                        "strerror",
                                        "__errno_location",
                                        "vprintf",
                                        "vfprintf",
                                        "fputc",
                                        "putc",
                                        "time",
                                        "__ctype_b_loc",
                                        "__ctype_tolower_loc",
                                        "__ctype_toupper_loc",
                                        "atoll",
                                        "strtoll",
                                        "strtoull",
                                        "strtof",
                                        "strtold",
                                        "sscanf",
                                        "vsnprintf",
                                        "vsprintf",
                                        "strncat",
                                        "strchr",
                                        "strrchr",
                                        "strstr",
                                        "strspn",
                                        "strcspn",
                                        "strpbrk",
                                        "strtok",
                                        "strcasecmp",
                                        "strncasecmp",
                                        "strdup",
                                        "strndup",
                                        "memchr",
                                        "bsearch",
                                        "rand_r",
                                        "erand48",
                                        "nrand48",
                                        "jrand48",
                                        "frexp",
                                        "modf",
                                        "sincos",
                                        "remquo"};
    for (size_t i = 0; i < sizeof tells / sizeof *tells && program; i++)
        if (!strcmp(name, tells[i])) return true;
    static const char *const names[] = {
        "malloc", "calloc",  "realloc", "free",          "aligned_alloc", "memset",  "memcpy",  "memmove", "strlen",
        "strcmp", "exit",    "abort",   "__assert_fail", "printf",        "fprintf", "puts",    "fputs",   "perror",
        "srand",  "srandom", "srand48", "rand",          "random",        "drand48", "lrand48", "mrand48"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

struct does {
    const struct rg__load *l;
    enum { NOT_YET, BEING, DONE } * read; /* by function: have its calls been looked at? */
    bool more, allocates;
    bool program; /* what a program does between */
};

static void note_call(void *arg, CXCursor x)
{
    struct does *d = arg;
    struct rg_arena *a = (struct rg_arena *)&d->l->dirs.arena;
    const struct rg__unit *u = &d->l->unit;
    if (d->more || u->c->getCursorKind(x) != CXCursor_CallExpr) return;
    CXCursor callee = u->c->getCursorReferenced(x);
    if (u->c->Cursor_isNull(callee) || u->c->getCursorKind(callee) != CXCursor_FunctionDecl) {
        d->more = true; /* by a pointer */
        return;
    }
    const char *name = rg__cursor_name(u, callee, a);
    int inside = rg__unit_function(u, callee);
    if (inside >= 0) {
        d->more |= d->read[inside] == BEING && !d->program; /* it calls itself: what it fills is not read off it */
        if (d->read[inside] != NOT_YET) return;
        d->read[inside] = BEING;
        rg__cursor_walk(u, u->functions[inside].body, note_call, d);
        d->read[inside] = DONE;
        return;
    }
    CXType back = u->c->getResultType(u->c->getCursorType(callee));
    bool memory = u->c->getCanonicalType(back).kind == CXType_Pointer;
    d->allocates |= memory;
    if (listed(name, d->program)) return;
    struct rg__children kids = rg__cursor_children(u, callee, a);
    int n = 0;
    for (int i = 0; i < kids.n; i++) {
        if (u->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        n++;
        d->more |= !arithmetic(u, u->c->getCursorType(kids.items[i]));
    }
    bool own = !rg__source_place(&u->src, rg__decl_key(u, callee)).system;
    d->more |= !n || !(arithmetic(u, back) ? !own : memory && own); /* sqrt(x); an allocator of another file */
}

bool rg__call_does_more(const struct rg__load *l, CXCursor call)
{
    struct does d = {.l = l, .read = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *d.read), .program = true};
    note_call(&d, call);
    free(d.read);
    return d.more;
}

/* What a function does, with those that it calls. */
static struct does done_by(const struct rg__load *l, int function)
{
    struct does d = {.l = l, .read = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *d.read)};
    d.read[function] = BEING;
    rg__cursor_walk(&l->unit, l->unit.functions[function].body, note_call, &d);
    free(d.read);
    d.read = NULL;
    return d;
}

bool rg__allocates(const struct rg__load *l, int function)
{
    return done_by(l, function).allocates;
}

/* ---- arguments ---- */

static const struct rg__arg *argument_at(const struct finder *f, struct place p)
{
    for (int k = 0; k < f->l->b.n_args; k++)
        if (same_place(f->at[k], p)) return &f->l->b.args[k];
    return NULL;
}

static int global_at(const struct finder *f, struct place p)
{
    const struct rg__sym *s = p.known && !p.member ? rg__sym_find(&f->l->b, p.key) : NULL;
    int q = !s                         ? -1
            : s->kind == RG__SYM_ARRAY ? f->l->t->arrays[s->array].param
            : s->kind == RG__SYM_VAR   ? f->l->t->vars[s->var].param
                                       : -1;
    return q >= 0 && f->l->p->params[q].origin == RG_ORIGIN_GLOBAL ? q : -1;
}

static CXType element_type(const struct finder *f, CXType t, bool *pointer, int *indirect)
{
    const struct rg__clang *c = f->l->unit.c;
    for (*pointer = false, *indirect = 0;; *pointer = true) {
        CXType plain = c->getCanonicalType(t);
        bool array = t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray ||
                     t.kind == CXType_IncompleteArray || rg__type_is_array(&f->l->unit, t);
        if (!array && plain.kind != CXType_Pointer) return t;
        *indirect += !array;
        t = array ? c->getArrayElementType(array && t.kind != plain.kind ? plain : t) : c->getPointeeType(plain);
    }
}

static bool same_element(const struct finder *f, const struct rg_param *q, CXType t)
{
    enum rg_scalar s;
    if (q->elem != RG_STRUCT) return rg__type_scalar(&f->l->unit, t, &s) && s == q->elem;
    return q->c_elem && !strcmp(rg__plain_type(&f->l->b, t), rg__strip_qualifiers(&f->l->p->arena, q->c_elem));
}

/* A number as it is written: `1.5`, `-2`. */
static const char *literal(const struct finder *f, CXCursor x)
{
    x = rg__caller_bare(f->c, x);
    struct rg__children kids = rg__caller_children(f->c, x);
    const struct rg__source *s = &f->l->unit.src;
    bool minus = rg__caller_kind(f->c, x) == CXCursor_UnaryOperator && kids.n == 1;
    CXCursor v = minus ? rg__caller_bare(f->c, kids.items[0]) : x;
    enum CXCursorKind k = rg__caller_kind(f->c, v);
    if (k != CXCursor_IntegerLiteral && k != CXCursor_FloatingLiteral) return NULL;
    int tok = rg__tok_from(s, rg__decl_key(f->c->b->u, v));
    if (tok >= s->n_toks) return NULL;
    const char *text = rg_arena_strndup(&f->l->p->arena, s->text + s->toks[tok].at, s->toks[tok].len);
    if (!minus) return text;
    int sign = rg__tok_from(s, rg__decl_key(f->c->b->u, x));
    return sign < tok && rg__tok_is(s, sign, "-") ? rg_arena_printf(&f->l->p->arena, "-%s", text) : NULL;
}

/* What stands for the argument `x` of the parameter `decl` of `function`; false: nothing. */
static bool argument(const struct finder *f, int caller, int function, CXCursor decl, CXCursor x, bool allocates,
                     struct rg__init_arg *out, bool *fills)
{
    const struct rg__clang *c = f->l->unit.c;
    bool pointer;
    int indirect;
    CXType t = c->getCursorType(decl), e = element_type(f, t, &pointer, &indirect);
    struct place p = place_of(f, x);
    const struct rg__arg *same = argument_at(f, p);
    int q = same ? same->param : global_at(f, p);
    *out = (struct rg__init_arg){.param = -1, .carrier = -1};
    bool constant = c->isConstQualifiedType(e);
    if (pointer && same && q < 0 && same->carrier < 0) return false; /* where an array ends: no memory of its own */
    if (pointer && same && q < 0) {                                  /* a structure whose members are parameters */
        const char *type = f->l->b.carriers[same->carrier].type;
        if (allocates || indirect != 1 ||
            strcmp(rg__plain_type(&f->l->b, e), rg__strip_qualifiers(&f->l->p->arena, type)) != 0)
            return false;
        out->carrier = same->carrier;
        *fills |= !constant;
        return true;
    }
    if (q < 0) q = rg__parked_in(f->l, function, rg__cursor_name(&f->l->unit, decl, f->c->a));
    const struct rg_param *param = q >= 0 ? &f->l->p->params[q] : NULL;
    if (param && pointer) {
        bool rows = param->rows && param->n_dims > 1;
        if (!same_element(f, param, e) || (rows ? indirect != param->n_dims : indirect > 1)) return false;
        out->param = q;
        out->pointer = true;
        out->fills = !constant && (same || param->origin != RG_ORIGIN_GLOBAL);
        *fills |= out->fills;
        return true;
    }
    if (pointer) return false;
    if (param && param->kind == RG_PARAM_SCALAR) return out->param = q, true;
    if ((out->text = literal(f, x)) && !f->level) {
        const struct rg_expr *is = rg__caller_settled(f->c, x, caller);
        if (is && is->kind != RG_EXPR_INT) out->value = is; /* a macro's value that the function takes as a size */
    }
    if (!out->text && !f->level) out->value = rg__caller_settled(f->c, x, caller);
    return out->text || out->value;
}

static bool fills_state(const struct rg__load *l, int function)
{
    for (int i = 0; i < l->n_facts; i++)
        if (l->facts[i].function == function && l->facts[i].filled && rg__param_named(l->p, l->facts[i].name) >= 0)
            return true;
    return false;
}

static void take_call(struct finder *f, const struct rg__caller_call *call)
{
    struct rg__load *l = f->l;
    if (call->of == l->function || l->n_inits == MAX_CALLS || rg__unit_linked(&l->unit, l->unit.functions[call->of].at))
        return;
    const struct does d = done_by(l, call->of);
    if (d.more) return;
    bool state = false, fills = false;
    for (int i = 0; i < l->p->n_params; i++) state |= l->p->params[i].origin == RG_ORIGIN_GLOBAL;
    if (state && !f->read[call->of]) rg__read_facts(l, call->of);
    f->read[call->of] = true;
    struct rg__children args = call->args, params = rg__caller_children(f->c, l->unit.functions[call->of].cursor);
    struct rg__init_call found = {.function = call->of,
                                  .args = rg_arena_alloc(&l->p->arena, ((size_t)params.n + 1) * sizeof *found.args)};
    for (int i = 0; i < params.n; i++) {
        if (rg__caller_kind(f->c, params.items[i]) != CXCursor_ParmDecl) continue;
        if (found.n_args + 1 >= args.n ||
            !argument(f, call->function, call->of, params.items[i], args.items[found.n_args + 1], d.allocates,
                      &found.args[found.n_args], &fills))
            return;
        found.n_args++;
    }
    if (!fills && !fills_state(l, call->of)) return;
    RG_GROW(l->inits, l->n_inits, l->cap_inits);
    l->inits[l->n_inits++] = found;
}

/* The calls in front of `call`, where the function's arguments are `at`; then those in front of its callers' calls. */
static void in_front(struct finder *f, const struct rg__caller_call *call)
{
    struct rg__load *l = f->l;
    uint32_t here = rg__decl_key(&l->unit, call->cursor);
    for (int i = 0; i < f->c->n_calls; i++)
        if (f->c->calls[i].function == call->function && rg__decl_key(&l->unit, f->c->calls[i].cursor) < here)
            take_call(f, &f->c->calls[i]);
    if (l->n_inits || f->level + 1 == MAX_LEVELS) return;
    struct rg__children params = rg__caller_children(f->c, l->unit.functions[call->function].cursor);
    struct place *at = rg_arena_alloc(f->c->a, ((size_t)l->b.n_args + 1) * sizeof *at);
    const struct place *below = f->at;
    for (int i = 0; i < f->c->n_calls && !l->n_inits; i++) {
        const struct rg__caller_call *up = &f->c->calls[i];
        if (up->of != call->function || up->function == call->function) continue;
        struct rg__children args = up->args;
        for (int k = 0; k < l->b.n_args; k++) {
            bool mine = false; /* a parameter there; a variable of the file is the same everywhere */
            at[k] = below[k];
            for (int p = 0, n = 0; p < params.n && !mine; p++) {
                if (rg__caller_kind(f->c, params.items[p]) != CXCursor_ParmDecl) continue;
                mine = below[k].known && rg__decl_key(&l->unit, params.items[p]) == below[k].key;
                if (++n < args.n && mine)
                    at[k] = below[k].member || below[k].element ? (struct place){0} : place_of(f, args.items[n]);
            }
        }
        f->level++;
        f->at = at;
        in_front(f, up);
        f->level--;
        f->at = below;
    }
}

static void say(struct rg__load *l, int caller)
{
    struct rg_buf names = RG_BUF_INIT;
    for (int i = 0; i < l->n_inits; i++) {
        bool again = false;
        for (int k = 0; k < i; k++) again |= l->inits[k].function == l->inits[i].function;
        if (!again) rg_buf_printf(&names, "%s%s", names.len ? ", " : "", l->unit.functions[l->inits[i].function].name);
    }
    l->p->init_function = rg_arena_strdup(&l->p->arena, names.data);
    l->p->init_note =
        rg_arena_printf(&l->p->arena, "by %s, as %s calls %s before %s (--init none: random ones)", names.data,
                        l->unit.functions[caller].name, l->n_inits > 1 ? "them" : "it", l->p->function);
    l->p->init_found = true;
    rg_buf_release(&names);
}

void rg__find_inits(struct rg__load *l, bool *read)
{
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT) return;
    if (!l->t) return;
    struct rg__callers c = {.l = l};
    rg__callers_read(&c);
    struct finder f = {.l = l, .c = &c, .read = read};
    struct place *at = rg_arena_alloc(c.a, ((size_t)l->b.n_args + 1) * sizeof *at);
    for (int i = 0; i < c.n_calls && !l->n_inits; i++) {
        if (c.calls[i].of != l->function) continue;
        struct rg__children args = c.calls[i].args;
        for (int k = 0; k < l->b.n_args; k++)
            at[k] = k + 1 < args.n ? place_of(&f, args.items[k + 1]) : (struct place){0};
        f.at = at;
        rg__caller_pairs(&c, &c.calls[i]);
        in_front(&f, &c.calls[i]);
        if (l->n_inits) say(l, c.calls[i].function);
    }
    rg__callers_release(&c);
}

void rg__apply_found_inits(struct rg__load *l)
{
    for (int i = 0; i < l->n_inits; i++) {
        const struct rg__init_call *x = &l->inits[i];
        const char *text = rg_arena_printf(&l->p->arena, "init(%s)", l->unit.functions[x->function].name);
        for (int k = 0; k < x->n_args; k++) {
            const struct rg__init_arg *a = &x->args[k];
            if (a->carrier >= 0) rg__init_members(l, a->carrier, text);
            if (!a->fills) continue;
            struct rg_param *q = &l->p->params[a->param];
            q->input.kind = RG_INPUT_INIT;
            q->input.text = text;
        }
        rg__init_state(l, x->function, text);
    }
}

void rg__drop_found_inits(struct rg__load *l, const char *why)
{
    if (!l->p->init_found) return;
    for (int i = 0; i < l->p->n_params; i++)
        if (l->p->params[i].input.kind == RG_INPUT_INIT)
            l->p->params[i].input = (struct rg_input){.kind = RG_INPUT_DEFAULT, .text = ""};
    l->n_inits = 0;
    l->program.n_rows = 0; /* its sizes need not be kept together without its data */
    l->p->init_note = rg_arena_printf(&l->p->arena, "random: %s is not run, %s", l->p->init_function, why);
    l->p->init_function = NULL;
    l->p->init_found = false;
}
