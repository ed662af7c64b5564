/* Ranges of real scalars: where the file itself calls the function with numbers (`step(u, n, 0.1)`),
 * random inputs stay near those. A time step or a relaxation factor drawn like any other real makes most simulations
 * grow without bound, and a result that no digit of the C holds says nothing about a kernel. */
#include "frontend/infer/callers.h"
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <math.h>
#include <rg/scalar.h>
#include <string.h>

enum { MAX_STEPS = 12 };
static const double below = 0.9; /* down to that of the number: towards 0, where stable schemes stay stable */

/* What a parameter of `function` is: what the only call of that function in the file passes. */
static bool passed(struct rg__callers *c, int function, uint32_t key, CXCursor *value, int *where)
{
    const struct rg__caller_call *only = NULL;
    for (int i = 0, n = 0; i < c->n_calls && function >= 0; i++)
        if (c->calls[i].of == function) only = n++ ? NULL : &c->calls[i];
    if (!only) return false;
    struct rg__children params = rg__caller_children(c, c->b->u->functions[function].cursor), args = only->args;
    for (int i = 0, k = 0; i < params.n; i++) {
        if (rg__caller_kind(c, params.items[i]) != CXCursor_ParmDecl) continue;
        if (++k < args.n && rg__decl_key(c->b->u, params.items[i]) == key)
            return *value = args.items[k], *where = only->function, true;
    }
    return false;
}

/* The number that an expression of `function` is (-1: of the file). */
static bool number(struct rg__callers *c, CXCursor x, int function, int depth, double *v)
{
    x = rg__caller_bare(c, x);
    struct rg__children kids = rg__caller_children(c, x);
    struct rg__caller_set at;
    CXCursor value;
    double r;
    if (depth > MAX_STEPS) return false;
    switch (rg__caller_kind(c, x)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
        return rg__eval_real(c->b->u, x, v);
    case CXCursor_UnaryOperator: {
        const struct rg__source *src = &c->b->u->src;
        const char *op = rg__tok_text(src, rg__tok_from(src, rg__cursor_at(c->b->u, x)), c->a);
        if (kids.n != 1 || (strcmp(op, "-") && strcmp(op, "+")) || !number(c, kids.items[0], function, depth + 1, v))
            return false;
        if (*op == '-') *v = -*v;
        return true;
    }
    case CXCursor_BinaryOperator: {
        if (kids.n != 2) return false;
        const char *op = rg__operator_between(c->b, kids.items[0], kids.items[1]);
        if (strlen(op) != 1 || !strchr("+-*/", *op) || !number(c, kids.items[0], function, depth + 1, v) ||
            !number(c, kids.items[1], function, depth + 1, &r))
            return false;
        CXType type = c->b->c->getCanonicalType(c->b->c->getCursorType(x));
        enum rg_scalar s;
        bool whole = !rg__type_scalar(c->b->u, type, &s) || !rg_scalar_is_real(s);
        if (*op == '/' && (r == 0 || whole)) return false;
        *v = *op == '+' ? *v + r : *op == '-' ? *v - r : *op == '*' ? *v * r : *v / r;
        return true;
    }
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        if (c->b->c->getCursorKind(c->b->c->getCursorReferenced(x)) == CXCursor_EnumConstantDecl) {
            int64_t constant;
            if (!rg__eval_int(c->b->u, x, &constant)) return false;
            *v = (double)constant;
            return true;
        }
        if (!rg__caller_place(c, x, &at) || at.subscripts) return false;
        if (rg__caller_only_set(c, function, at.key, at.member, &value))
            return number(c, value, function, depth + 1, v);
        return !at.member && passed(c, function, at.key, &value, &function) && number(c, value, function, depth + 1, v);
    default:
        return false;
    }
}

struct range {
    bool known;
    double lo, hi;
    int from; /* function */
};

static void widen(struct rg__callers *c, struct range *r, CXCursor x, int function)
{
    double v;
    if (!number(c, x, function, 0, &v) || !isfinite(v)) return;
    if (!r->known) *r = (struct range){true, v, v, function};
    r->lo = fmin(r->lo, v);
    r->hi = fmax(r->hi, v);
}

static void of_argument(struct rg__callers *c, struct range *r, int param)
{
    for (int i = 0; i < c->n_calls; i++) {
        struct rg__children args = c->calls[i].args;
        for (int a = 0; a < c->b->n_args && a + 1 < args.n && c->calls[i].of == c->l->function; a++)
            if (c->b->args[a].param == param) widen(c, r, args.items[a + 1], c->calls[i].function);
    }
}

/* Zero says nothing about what is usual; else the input is `r`, or from a little below a single number. */
static bool take(struct rg__load *l, struct rg_param *q, struct range *r, struct rg_buf *said)
{
    if (!r->known || (r->lo == 0 && r->hi == 0)) return false;
    if (r->lo == r->hi) *(r->hi > 0 ? &r->lo : &r->hi) *= below;
    if (!rg__draw_input(l, q, rg_arena_printf(&l->p->arena, "uniform(%.9g, %.9g)", r->lo, r->hi))) return false;
    rg_buf_printf(said, "%s%s from %.6g to %.6g", said->len ? ", " : "", rg_param_shown(q), r->lo, r->hi);
    return true;
}

static bool wanted(const struct rg_param *q)
{
    return q->kind == RG_PARAM_SCALAR && (q->origin == RG_ORIGIN_ARG || q->origin == RG_ORIGIN_GLOBAL) &&
           rg_scalar_is_real(q->elem) && q->input.kind == RG_INPUT_DEFAULT;
}

/* What the file gives a set-up function, which parks it where the function finds it. */
static void of_setup(struct rg__callers *c, struct range *r, int param)
{
    struct rg__load *l = c->l;
    for (int i = 0; i < l->n_facts; i++) {
        const struct rg__fact *f = &l->facts[i];
        double v;
        if (!f->value || f->value->kind != RG_EXPR_NAME || rg__parked_in(l, f->function, f->value->name) != param ||
            !rg__caller_sets_up(l, f->function, f->value->name, &v))
            continue;
        if (!r->known) *r = (struct range){true, v, v, f->function};
        r->lo = fmin(r->lo, v);
        r->hi = fmax(r->hi, v);
    }
}

void rg__caller_reals(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    bool any = false;
    for (int i = 0; i < p->n_params; i++) any |= wanted(&p->params[i]);
    if (!any || l->program.n_rows) return;
    struct rg__callers c = {.l = l};
    rg__callers_read(&c);
    struct rg_buf said = RG_BUF_INIT;
    int from = -1;
    for (int i = 0; i < p->n_params; i++) {
        struct range r = {0};
        if (!wanted(&p->params[i])) continue;
        if (p->params[i].origin == RG_ORIGIN_ARG)
            of_argument(&c, &r, i);
        else
            of_setup(&c, &r, i);
        if (take(l, &p->params[i], &r, &said)) from = r.from;
    }
    if (said.len)
        p->size_note = rg_arena_printf(&p->arena, "%s%s%s, as %s calls it", p->size_note ? p->size_note : "",
                                       p->size_note ? "; " : "", said.data, l->unit.functions[from].name);
    rg_buf_release(&said);
    rg__callers_release(&c);
}

bool rg__caller_argument(struct rg__load *l, int function, CXCursor param, double *v)
{
    struct rg__callers c = {.l = l};
    CXCursor value;
    int where;
    rg__callers_read(&c);
    bool known = passed(&c, function, rg__decl_key(&l->unit, param), &value, &where) &&
                 number(&c, value, where, 0, v) && isfinite(*v);
    rg__callers_release(&c);
    return known;
}

bool rg__caller_sets_up(struct rg__load *l, int function, const char *name, double *v)
{
    struct rg_arena *a = &l->dirs.arena;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[function].cursor, a);
    for (int i = 0; i < kids.n; i++)
        if (l->unit.c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl &&
            !strcmp(rg__cursor_name(&l->unit, kids.items[i], a), name))
            return rg__caller_argument(l, function, kids.items[i], v);
    return false;
}
