/* The plan of a program: scratch buffers, host loops, launches. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"
#include <string.h>

static void launch(struct poly_planning *pl, int kernel, int indent);

/* Where the sizes are beyond what the kernel was built for, the one that stands in for it. */
static void kir_launch(struct poly_planning *pl, int kernel, int indent)
{
    const struct kir_kernel *k = pl->prints[kernel].kir;
    if (!k->fits) {
        rg__kir_plan_launch(k, pl->out, indent);
        return;
    }
    rg_buf_indent(pl->out, indent);
    rg_buf_str(pl->out, "if (");
    rg__kir_plan_expression(k, k->fits, pl->out);
    rg_buf_str(pl->out, ")\n");
    rg__kir_plan_launch(k, pl->out, indent + 1);
    rg_buf_indent(pl->out, indent);
    rg_buf_str(pl->out, "else\n");
    launch(pl, pl->prints[kernel].k->otherwise, indent + 1);
}

static void launch(struct poly_planning *pl, int kernel, int indent)
{
    struct poly_print *pr = &pl->prints[kernel];
    if (pr->k->form == POLY_SORT)
        rg__poly_sort_launch(pr, pl->out, indent);
    else
        kir_launch(pl, kernel, indent);
}

/* ---- expressions ---- */

static const char *plan_text(struct poly_print *pr, const struct rg_cnode *e);

static const char *plan_paren(struct poly_print *pr, const struct rg_cnode *e)
{
    const char *t = plan_text(pr, e);
    return e->kind == RG_C_VAR || e->kind == RG_C_CALL || (e->kind == RG_C_INT && e->ivalue >= 0)
               ? t
               : rg__poly_printf(pr, "(%s)", t);
}

/* Does it bind as a sum does, or more closely? `c ? a : b` in front of `+ 1` would take that for its own. */
static bool binds(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST || e->op == RG_COP_POS) e = e->kid[0];
    return e->kind == RG_C_INT || e->kind == RG_C_VAR || e->kind == RG_C_CALL || e->kind == RG_C_UNARY ||
           e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL || e->op == RG_COP_DIV ||
           e->op == RG_COP_REM;
}

/* What rg__poly_plan_can() accepts. */
static const char *plan_text(struct poly_print *pr, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
        return rg__poly_printf(pr, "%lld", (long long)e->ivalue);
    case RG_C_VAR:
        if (pr->t->vars[e->var].kind == RG_CVAR_PARAM) return pr->s->problem->params[pr->t->vars[e->var].param].name;
        return pr->t->vars[e->var].name;
    case RG_C_CAST:
        return plan_text(pr, e->kid[0]);
    case RG_C_UNARY:
        if (e->op == RG_COP_POS) return plan_text(pr, e->kid[0]);
        return rg__poly_printf(pr, "%s%s", rg_c_op_text(e->op), plan_paren(pr, e->kid[0]));
    case RG_C_CALL:
        return rg__poly_printf(pr, "%s(%s, %s)", e->text, plan_text(pr, e->kid[0]), plan_text(pr, e->kid[1]));
    case RG_C_COND:
        return rg__poly_printf(pr, "%s ? %s : %s", plan_paren(pr, e->kid[0]), plan_paren(pr, e->kid[1]),
                               plan_paren(pr, e->kid[2]));
    default: {
        bool sum = e->op == RG_COP_ADD && binds(e->kid[0]);
        return rg__poly_printf(pr, "%s %s %s", sum ? plan_text(pr, e->kid[0]) : plan_paren(pr, e->kid[0]),
                               rg_c_op_text(e->op), plan_paren(pr, e->kid[1]));
    }
    }
}

static const char *condition(struct poly_print *pr, const struct rg_cnode *e)
{
    if (rg__poly_plan_flag(pr->s, e)) return rg__poly_printf(pr, "%s_mem[0]", pr->t->vars[e->var].name);
    return plan_text(pr, e);
}

/* Right of a comparison. */
static const char *bound_text(struct poly_print *pr, const struct rg_cnode *e)
{
    const char *s = plan_text(pr, e);
    bool weak = e->kind == RG_C_COND || rg_c_logic(e->op);
    return weak ? rg__poly_printf(pr, "(%s)", s) : s;
}

static const char *array_in_plan(struct poly_print *pr, int array)
{
    int param = pr->t->arrays[array].param;
    return param >= 0 ? pr->s->problem->params[param].name : rg__poly_buffer_name(pr, array);
}

/* The flag, looked at in rounds 0, 1, 2, 4, 8, 16, and 32, 64, 96 and so on: rounds behind the last one do nothing, and
 * there are never more of them than there were before it. */
static const char *seldom(struct poly_print *pr, const struct poly_loop *l, const char *flag)
{
    const char *first = plan_paren(pr, l->node->kid[0]), *round = l->name;
    if (l->step < 0)
        round = rg__poly_printf(pr, "(%s - %s)", first, l->name);
    else if (strcmp(first, "0") != 0)
        round = rg__poly_printf(pr, "(%s - %s)", l->name, first);
    int64_t step = l->step > 0 ? l->step : -l->step;
    if (step != 1) round = rg__poly_printf(pr, "(%s / %lld)", round, (long long)step);
    return rg__poly_printf(pr, "(%s %% 32 != 0 && pow2_from(%s) != max(1, %s) || %s)", round, round, round, flag);
}

void rg__poly_plan_node(struct poly_planning *pl, const struct poly_hnode *h, int indent)
{
    struct poly_print *any = &pl->prints[0];
    if (h->region) {
        rg__poly_plan_resident(pl, h, indent);
        return;
    }
    switch (h->kind) {
    case HN_SEQ:
        for (int i = 0; i < h->n; i++) rg__poly_plan_node(pl, h->kid[i], indent);
        return;
    case HN_KERNEL:
        launch(pl, h->kernel, indent);
        return;
    case HN_SWAP:
        rg_buf_indent(pl->out, indent);
        rg_buf_printf(pl->out, "swap(%s, %s);\n", array_in_plan(any, h->swapped), pl->p->next[h->swapped]);
        return;
    case HN_IF:
        rg_buf_indent(pl->out, indent);
        rg_buf_printf(pl->out, "if (%s) {\n", condition(any, h->node->kid[0]));
        rg__poly_plan_node(pl, h->kid[0], indent + 1);
        rg_buf_indent(pl->out, indent);
        if (h->n > 1 && h->kid[1]->n) {
            rg_buf_str(pl->out, "} else {\n");
            rg__poly_plan_node(pl, h->kid[1], indent + 1);
            rg_buf_indent(pl->out, indent);
        }
        rg_buf_str(pl->out, "}\n");
        return;
    case HN_FOR: {
        const struct poly_loop *l = &pl->p->scop->loops[h->loop];
        bool up = l->step > 0;
        rg_buf_indent(pl->out, indent);
        const char *flag = l->node->n > 3 ? condition(any, l->node->kid[3]) : NULL, *more = "";
        if (flag) more = rg__poly_printf(any, " && %s", h->seldom ? seldom(any, l, flag) : flag);
        int64_t step = (up ? l->step : -l->step) * (h->strip ? any->v.steps : 1);
        rg_buf_printf(pl->out, "for (int %s = %s; %s %c %s%s; %s %s %lld) {\n", l->name,
                      plan_text(any, l->node->kid[0]), l->name, up ? '<' : '>', bound_text(any, l->node->kid[1]), more,
                      l->name, up ? "+=" : "-=", (long long)step);
        for (int i = 0; i < h->n; i++) rg__poly_plan_node(pl, h->kid[i], indent + 1);
        rg_buf_indent(pl->out, indent);
        rg_buf_str(pl->out, "}\n");
        return;
    }
    }
}

static const char *param_text(struct poly_print *pr, const struct rg_expr *e)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_expr_print(&b, e, NULL, NULL);
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

enum { MOST_GIB = 8 };

static bool too_big(struct poly_print *pr, int array, const char *count)
{
    const struct rg_problem *p = pr->s->problem;
    const struct rg_expr *e;
    if (rg_expr_parse_all(&pr->arena, count, &e, NULL) != RG_OK) return false;
    for (int i = 0; i < p->n_sizes; i++) {
        struct rg_problem_env env;
        int64_t n;
        rg_problem_env_init(&env, p, &p->sizes[i]);
        enum rg_status st = rg_expr_eval(e, &env.env, &n, NULL);
        if (st != RG_OK || n > ((int64_t)MOST_GIB << 30) / (int64_t)sizeof(double)) return true;
    }
    return false;
}

static int decl_line(const struct poly_scop *s, int array)
{
    for (int i = 0; i < s->n_stmts; i++)
        if (s->stmts[i].node->kind == RG_C_DECL && s->stmts[i].node->array == array) return s->stmts[i].line;
    return s->problem->line;
}

/* Elements of the parts of a local array, as many as the kernel with the most of them needs; each has so many. */
static const char *of_parts(const struct poly_planning *pl, int array, const char *each)
{
    const char *n = NULL;
    for (int k = 0; k < pl->p->n_kernels; k++) {
        struct poly_print *pr = &pl->prints[k];
        const char *own = rg__kir_plan_elements(pr->kir, rg__poly_buffer_name(pr, array), &pr->arena);
        if (own) n = n ? rg__poly_printf(pr, "max(%s, %s)", n, own) : own;
    }
    return n ? n : each;
}

/* With the extents that the plan knows the array by: a swap asks for equal ones. */
static void next_scratch(struct poly_planning *pl, int array)
{
    const struct poly_scop *s = pl->p->scop;
    const struct rg_carray *c = &s->tree->arrays[array];
    if (!pl->p->next[array]) return;
    bool own = c->param < 0;
    const struct rg_expr *const *dims = own ? c->dims : s->problem->params[c->param].dims;
    rg_buf_printf(pl->out, "scratch %s %s[", rg_scalar_c(c->elem), pl->p->next[array]);
    for (int d = 0; d < (own ? c->n_dims : s->problem->params[c->param].n_dims); d++)
        rg_buf_printf(pl->out, own ? "%smax(1, %s)" : "%s(%s)", d ? " * " : "", param_text(&pl->prints[0], dims[d]));
    rg_buf_str(pl->out, "];\n");
}

enum rg_status rg__poly_plan_scratch(struct poly_planning *pl, struct rg_buf *cuda, struct rg_error *err)
{
    const struct poly_scop *s = pl->p->scop;
    struct poly_print *any = &pl->prints[0];
    for (int v = 0; v < s->tree->n_vars; v++)
        if (pl->p->scalar_scratch[v])
            rg_buf_printf(pl->out, "scratch %s %s_mem[1];\n",
                          s->tree->vars[v].type == RG_STRUCT ? s->tree->vars[v].c_type
                                                             : rg_scalar_c(s->tree->vars[v].type),
                          s->tree->vars[v].name);
    for (int a = 0; a < s->tree->n_arrays; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        if (!pl->p->array_scratch[a]) continue;
        const char *n = "";
        for (int d = 0; d < c->n_dims; d++) {
            if (!c->dims[d])
                return rg_error_at(err, RG_INPUT, s->problem->file, decl_line(s, a), 0,
                                   "local array %s: its size is no expression of the parameters", c->name);
            bool plain = c->dims[d]->kind == RG_EXPR_INT || c->dims[d]->kind == RG_EXPR_NAME;
            n = rg__poly_printf(any, "%s%s%s(%s)", n, d ? " * " : "", plain ? "" : "max",
                                plain ? param_text(any, c->dims[d])
                                      : rg__poly_printf(any, "1, %s", param_text(any, c->dims[d])));
        }
        if (pl->p->array_parts[a]) {
            n = of_parts(pl, a, n);
            if (too_big(any, a, n))
                return rg_error_at(
                    err, RG_INPUT, s->problem->file, decl_line(s, a), 0,
                    "every thread needs a copy of local array %s: more than %d GiB in all at one of the sizes", c->name,
                    MOST_GIB);
        }
        rg_buf_printf(pl->out, "scratch %s %s[%s];\n", c->elem == RG_STRUCT ? c->c_elem : rg_scalar_c(c->elem),
                      rg__poly_buffer_name(any, a), n);
    }
    for (int a = 0; pl->p->next && a < s->tree->n_arrays; a++) next_scratch(pl, a);
    for (int k = 0; k < pl->p->n_kernels; k++) rg__kir_plan_scratch(pl->prints[k].kir, pl->out);
    for (int k = 0; k < pl->p->n_kernels; k++) rg__poly_sort_scratch(&pl->prints[k], pl->out);
    /* parameters the function changes live in buffers too */
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        if (!pl->p->scalar_scratch[v] || c->kind != RG_CVAR_PARAM) continue;
        const char *type = rg__poly_var_type(any, v);
        rg_buf_printf(cuda, "__global__ void init_%s(%s *%s_mem, %s %s)\n{\n    %s_mem[0] = %s;\n}\n\n", c->name, type,
                      c->name, type, c->name, c->name, c->name);
    }
    return RG_OK;
}
