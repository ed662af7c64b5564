/* Does a launch of a plan fit its kernel? Decides what each argument is: buffer, integer, real, scalar. */
#include "runtime/plan/plan_checker.h"
#include <rg/buf.h>
#include <rg/scalar.h>
#include <stdio.h>
#include <string.h>

static void describe(const struct checker *c, const struct rg_kernel_param *p, struct rg_buf *out)
{
    rg_buf_printf(out, "%s%s%s", p->is_const ? "const " : "",
                  p->type == RG_N_SCALARS ? "void"
                  : p->type == RG_STRUCT  ? p->struct_name
                                          : rg_scalar_cuda(p->type),
                  p->pointer ? " *" : "");
}

static bool argument_fails(struct checker *c, const struct rg_plan_stmt *s, int i, const char *is)
{
    struct rg_buf want = RG_BUF_INIT;
    describe(c, &c->sigs[s->kernel_index].params[i], &want);
    rg__check_fail(c, s->args[i].line, s->args[i].column, "argument %d of '%.100s' must be %s: %s", i + 1, s->kernel,
                   want.data, is);
    rg_buf_release(&want);
    return false;
}

/* May a buffer of b's elements be passed to pointer p? */
static bool pointee_fits(struct checker *c, const struct rg_kernel_param *p, const struct buffer *b)
{
    enum rg_scalar base;
    if (p->type == RG_N_SCALARS) return true;
    if (p->type != RG_STRUCT) return rg__same_scalar(p->type, b->elem);
    if (b->elem == RG_STRUCT)
        return b->struct_index >= 0 && b->struct_index < c->problem->n_structs &&
               rg__same_struct(c->problem, c->problem->structs[b->struct_index].c_name, p->struct_name);
    if (rg__vector_type(p->struct_name, &base)) return rg__same_scalar(base, b->elem);
    return rg_scalar_bytes(b->elem) == 4 && !rg_scalar_is_real(b->elem) && rg__is_enum(c->problem, p->struct_name);
}

static bool fit_buffer(struct checker *c, const struct rg_plan_stmt *s, int i, const struct rg_kernel_param *p)
{
    struct buffer b = {0};
    char is[300];
    const char *name = s->args[i].name;
    rg__check_buffer(c, name, &b);
    snprintf(is, sizeof is, "'%.100s' is a buffer of %.100s", name, rg__check_elem_name(c, b.elem, b.struct_index));
    if (!p->pointer || !pointee_fits(c, p, &b)) return argument_fails(c, s, i, is);
    if (b.input && !p->is_const)
        return rg__check_fail(c, s->args[i].line, s->args[i].column,
                              "'%.100s' is an input: parameter %d of '%.100s' must be a pointer "
                              "to const",
                              name, i + 1, s->kernel);
    return true;
}

static bool fit_scalar(struct checker *c, const struct rg_plan_stmt *s, int i, const struct rg_kernel_param *p)
{
    const struct rg_param *q = &c->problem->params[rg_problem_param(c->problem, s->args[i].name)];
    char is[300];
    const char *type = rg__check_elem_name(c, q->elem, q->struct_index);
    bool same =
        p->type == RG_STRUCT && q->elem == RG_STRUCT
            ? rg__same_struct(c->problem, type, p->struct_name)
            : p->type < RG_STRUCT && q->elem < RG_STRUCT && rg_scalar_is_real(p->type) == rg_scalar_is_real(q->elem);
    snprintf(is, sizeof is, "'%.100s' is %.100s", q->name, type);
    return (!p->pointer && same) || argument_fails(c, s, i, is);
}

static bool fit_argument(struct checker *c, const struct rg_plan_stmt *s, int i)
{
    const struct rg_kernel_param *p = &c->sigs[s->kernel_index].params[i];
    switch (s->args[i].kind) {
    case RG_ARG_BUFFER:
        return fit_buffer(c, s, i, p);
    case RG_ARG_SCALAR:
        return fit_scalar(c, s, i, p);
    case RG_ARG_REAL:
        return (!p->pointer && rg_scalar_is_real(p->type)) || argument_fails(c, s, i, "this is a real number");
    case RG_ARG_INT:
        break;
    }
    if (p->pointer) return argument_fails(c, s, i, "this is an integer");
    return (p->type != RG_STRUCT && p->type != RG_N_SCALARS) ||
           (p->type == RG_STRUCT && rg__is_enum(c->problem, p->struct_name)) ||
           argument_fails(c, s, i, "a plan can't make a value of that type");
}

static bool classify(struct checker *c, struct rg_plan_arg *arg)
{
    const struct rg_expr *e = arg->value;
    arg->name = NULL;
    arg->offset = NULL;
    if (rg__plan_is_real(e)) {
        arg->kind = RG_ARG_REAL;
        return rg__check_real(c, e);
    }
    struct rg__pointer p = rg__plan_split(&c->plan->arena, e, rg__check_is_buffer, c);
    if (p.base) {
        arg->kind = RG_ARG_BUFFER;
        arg->name = p.base;
        arg->offset = p.offset;
        return !p.offset || rg__check_int(c, p.offset);
    }
    int i = e->kind == RG_EXPR_NAME && !rg__check_find(c, e->name) ? rg_problem_param(c->problem, e->name) : -1;
    if (i >= 0 && !rg__is_size_param(c->problem, i)) {
        arg->kind = RG_ARG_SCALAR;
        arg->name = e->name;
        return true;
    }
    arg->kind = RG_ARG_INT;
    return rg__check_int(c, e);
}

/* The kernels that are there are named. */
static bool no_such_kernel(struct checker *c, const struct rg_plan_stmt *s)
{
    char known[160] = "";
    for (int i = 0, n = 0; i < c->plan->n_kernels && n < (int)sizeof known - 80; i++)
        if (c->sigs[i].lowered)
            n += snprintf(known + n, sizeof known - (size_t)n, "%s%.60s", n ? ", " : "; of the plan's kernels it has ",
                          c->plan->kernels[i]);
    return rg__check_fail(c, s->line, s->column, "the source does not define a kernel '%.100s'%s", s->kernel, known);
}

bool rg__check_launch(struct checker *c, struct rg_plan_stmt *s)
{
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        c->cooperative = s->cooperative;
        if (s->grid[i]) ok &= rg__check_int(c, s->grid[i]);
        c->cooperative = false;
        if (s->block[i]) ok &= rg__check_int(c, s->block[i]);
        if (s->cluster[i]) ok &= rg__check_int(c, s->cluster[i]);
    }
    if (s->shared_bytes) ok &= rg__check_int(c, s->shared_bytes);
    uint64_t fine[RG__PLAN_MAX_ARGS / 64 + 1] = {0};
    for (int i = 0; i < s->n_args; i++)
        if (classify(c, &s->args[i]))
            fine[i / 64] |= (uint64_t)1 << (i % 64);
        else
            ok = false;
    if (!c->sigs) return ok;
    const struct rg_kernel_sig *sig = &c->sigs[s->kernel_index];
    if (!sig->lowered) return no_such_kernel(c, s);
    if (sig->n_params != s->n_args)
        return rg__check_fail(c, s->line, s->column, "'%.100s' takes %d argument%s, not %d", s->kernel, sig->n_params,
                              sig->n_params == 1 ? "" : "s", s->n_args);
    for (int i = 0; i < s->n_args; i++)
        if (fine[i / 64] >> (i % 64) & 1) ok &= fit_argument(c, s, i);
    return ok;
}
