/* The plan of a program: scratch buffers, host loops, launches. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"
#include <string.h>

/* Elements over the parameters, as the plan writes them; NULL: an extent is unknown. *constant: -1 where they vary. */
const char *rg__poly_plan_elements(struct rg_arena *mem, const struct rg_carray *c, int64_t *constant)
{
    struct rg_buf b = RG_BUF_INIT;
    *constant = 1;
    for (int d = 0; d < c->n_dims; d++) {
        int64_t v;
        if (!c->dims[d]) {
            rg_buf_release(&b);
            return NULL;
        }
        if (*constant >= 0 &&
            (rg_expr_eval(c->dims[d], NULL, &v, NULL) != RG_OK || __builtin_mul_overflow(*constant, v, constant)))
            *constant = -1;
        bool plain = c->dims[d]->kind == RG_EXPR_INT || c->dims[d]->kind == RG_EXPR_NAME;
        rg_buf_str(&b, d ? " * " : "");
        rg_buf_str(&b, plain ? "" : "(");
        rg_expr_print(&b, c->dims[d], NULL, NULL);
        rg_buf_str(&b, plain ? "" : ")");
    }
    const char *s = rg_arena_strdup(mem, b.len ? b.data : "1");
    rg_buf_release(&b);
    return s;
}

/* At least 1, for counts that may be nothing; a bare parameter is positive by the problem. */
static const char *at_least_one(struct poly_print *pr, const char *count)
{
    for (const char *c = count; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') && *c != '_')
            return rg__poly_printf(pr, "max(1, %s)", count);
    for (int h = 0; h < pr->k->n_host; h++)
        if (strcmp(pr->s->loops[pr->k->host[h]].name, count) == 0) return rg__poly_printf(pr, "max(1, %s)", count);
    return strcmp(count, "0") == 0 ? "1" : count;
}

/* The launch's extents; axes of the grid. */
static int extents(struct poly_print *pr, const char *grid[3], int64_t block[3])
{
    const struct poly_kernel *k = pr->k;
    int axes = 1;
    for (int a = 0; a < 3; a++) {
        grid[a] = "1";
        block[a] = 1;
    }
    if (k->form == POLY_THREADS || k->form == POLY_BLOCK) {
        for (int d = 0; d < k->n_dims; d++) {
            int a = k->axis[d];
            const char *n = at_least_one(pr, rg__poly_dim_count(pr, k->dims[d], true));
            int64_t per = rg__poly_per_block(&pr->tiling, a);
            grid[a] = per == 1 ? n : rg__poly_printf(pr, "ceil_div(%s, %lld)", n, (long long)per);
            if (k->form == POLY_THREADS) block[a] = pr->tiling.threads[a];
            if (a + 1 > axes) axes = a + 1;
        }
        if (k->form != POLY_THREADS) {
            block[0] = pr->tiling.threads[0];
            block[1] = pr->tiling.threads[1];
            axes = block[1] > 1 && axes < 2 ? 2 : axes;
        }
        if (k->grid_stride && k->n_dims == 1)
            grid[0] = rg__poly_printf(pr, "min(%lld, %s)", (long long)pr->v.grid, grid[0]);
    } else if (k->form == POLY_SCAN_OFFSETS) {
        block[0] = pr->tiling.threads[0];
    } else if (k->form == POLY_SCAN_TOTALS || k->form == POLY_SCAN_APPLY) {
        grid[0] = rg__poly_scan_grid(pr);
        block[0] = pr->tiling.threads[0];
    }
    if (pr->flat) {
        grid[0] = axes == 3 ? rg__poly_printf(pr, "(%s) * (%s) * (%s)", grid[0], grid[1], grid[2])
                            : rg__poly_printf(pr, "(%s) * (%s)", grid[0], grid[1]);
        grid[1] = grid[2] = "1";
    }
    return axes;
}

/* How many parts the buffers of its local arrays have: for every pass of the host loops around it. */
static const char *parts(struct poly_print *pr)
{
    const char *grid[3];
    int64_t block[3];
    pr->any_host = true;
    int axes = extents(pr, grid, block);
    pr->any_host = false;
    const char *n = rg__poly_printf(pr, "(%s)", grid[0]);
    for (int a = 1; a < axes && !pr->flat; a++) n = rg__poly_printf(pr, "%s * (%s)", n, grid[a]);
    return pr->k->form == POLY_BLOCK ? n
                                     : rg__poly_printf(pr, "%s * %lld", n, (long long)(block[0] * block[1] * block[2]));
}

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
    const struct poly_kernel *k = pr->k;
    const char *grid[3];
    int64_t block[3];
    if (k->form == POLY_SORT) {
        rg__poly_sort_launch(pr, pl->out, indent);
        return;
    }
    if (pr->kir) {
        kir_launch(pl, kernel, indent);
        return;
    }
    int axes = extents(pr, grid, block);
    rg_buf_indent(pl->out, indent);
    rg_buf_printf(pl->out, "%s<<<", k->name);
    if (axes == 1)
        rg_buf_printf(pl->out, "%s, %lld", grid[0], (long long)block[0]);
    else if (axes == 2)
        rg_buf_printf(pl->out, "dim3(%s, %s), dim3(%lld, %lld)", grid[0], grid[1], (long long)block[0],
                      (long long)block[1]);
    else
        rg_buf_printf(pl->out, "dim3(%s, %s, %s), dim3(%lld, %lld, %lld)", grid[0], grid[1], grid[2],
                      (long long)block[0], (long long)block[1], (long long)block[2]);
    rg_buf_printf(pl->out, ">>>(%s);\n", pl->pass[kernel].data);
}

static const char *condition(struct poly_print *pr, const struct rg_cnode *e)
{
    if (rg__poly_plan_flag(pr->s, e)) return rg__poly_printf(pr, "%s_mem[0]", pr->t->vars[e->var].name);
    return rg__poly_plan_text(pr, e);
}

/* Right of a comparison. */
static const char *bound_text(struct poly_print *pr, const struct rg_cnode *e)
{
    const char *s = rg__poly_plan_text(pr, e);
    bool weak = e->kind == RG_C_COND || rg_c_logic(e->op);
    return weak ? rg__poly_printf(pr, "(%s)", s) : s;
}

static const char *array_in_plan(struct poly_print *pr, int array)
{
    int param = pr->t->arrays[array].param;
    return param >= 0 ? pr->s->problem->params[param].name : rg__poly_buffer_name(pr, array);
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
        const char *more = l->node->n > 3 ? rg__poly_printf(any, " && %s", condition(any, l->node->kid[3])) : "";
        int64_t step = (up ? l->step : -l->step) * (h->strip ? any->v.steps : 1);
        rg_buf_printf(pl->out, "for (int %s = %s; %s %c %s%s; %s %s %lld) {\n", l->name,
                      rg__poly_plan_text(any, l->node->kid[0]), l->name, up ? '<' : '>',
                      bound_text(any, l->node->kid[1]), more, l->name, up ? "+=" : "-=", (long long)step);
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
        const char *own = pr->kir ? rg__kir_plan_elements(pr->kir, rg__poly_buffer_name(pr, array), &pr->arena)
                          : pr->array_used[array] ? rg__poly_printf(pr, "%s * %s", each, parts(pr))
                                                  : NULL;
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
    for (int k = 0; k < pl->p->n_kernels; k++)
        if (pl->prints[k].kir) rg__kir_plan_scratch(pl->prints[k].kir, pl->out);
    for (int k = 0; k < pl->p->n_kernels; k++) rg__poly_scan_scratch(&pl->prints[k], pl->out);
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
