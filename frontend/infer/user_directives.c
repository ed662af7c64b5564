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
    else if (!rg__is_integer(&n->l->p->params[i]))
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
                if (d->kind == RG__DIR_INIT) st = rg__init_of(l, d);
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
