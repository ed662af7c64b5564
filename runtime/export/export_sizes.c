/* PREFIXcheck() of an exported file: which sizes the problem and the plan ask for, and whether memory can have them at all. */
#include "runtime/export/export_internal.h"
#include <stdlib.h>
#include <string.h>

static void string_literal(struct rg_buf *out, const char *text)
{
    rg_buf_char(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') rg_buf_printf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ') rg_buf_char(out, ' ');
        else rg_buf_char(out, *c);
    }
    rg_buf_char(out, '"');
}

struct names_derived {
    const struct rg_problem *p;
    bool any;
};

static void name_derived(void *arg, const char *name)
{
    struct names_derived *d = arg;
    int i = rg_problem_param(d->p, name);
    d->any |= i >= 0 && d->p->params[i].origin == RG_ORIGIN_DERIVED;
}

static void requirements(struct rg__writer *w, bool of_derived)
{
    for (int i = 0; i < w->p->n_require; i++) {
        struct names_derived d = {w->p, false};
        rg_expr_names(w->p->require[i], name_derived, &d);
        if (d.any != of_derived) continue;
        rg_buf_str(w->out, "    if (!(");
        rg__print_int(w->out, NULL, w->p, &w->n->host, w->p->require[i]);
        rg_buf_str(w->out, ")) return \"it is required that \" ");
        string_literal(w->out, w->p->require_text && w->p->require_text[i] ? w->p->require_text[i] : "");
        rg_buf_str(w->out, ";\n");
    }
}

/* Those that the plan states, in its words. */
static void plan_requirements(struct rg__writer *w)
{
    for (int i = 0; i < w->plan->n; i++) {
        const struct rg_plan_stmt *s = w->plan->stmts[i];
        struct rg_buf text = RG_BUF_INIT;
        if (s->kind != RG_PLAN_REQUIRE) continue;
        rg_expr_print(&text, s->value, NULL, NULL);
        rg_buf_str(w->out, "    if (!(");
        rg__print_int(w->out, NULL, w->p, &w->n->host, s->value);
        rg_buf_str(w->out, ")) return \"the kernels require that \" ");
        string_literal(w->out, text.data);
        rg_buf_str(w->out, ";\n");
        rg_buf_release(&text);
    }
}

static bool constant_factor(const struct rg_expr *e)
{
    int64_t v;
    return rg_expr_eval(e, NULL, &v, NULL) == RG_OK;
}

static int factors(const struct rg_expr *e, const struct rg_expr **out, int n, int cap)
{
    if (e->kind == RG_EXPR_BINARY && e->op == RG_OP_MUL) return factors(e->args[1], out, factors(e->args[0], out, n, cap), cap);
    if (n < cap) out[n++] = e;
    return n;
}

/* Products of extents are 64-bit: beyond that there is no such array. */
static void product_fits(struct rg__writer *w, const struct rg_expr *const *e, int n, int64_t bytes, const char *of)
{
    const struct rg_expr *f[32];
    int n_f = 0, variable = 0;
    for (int i = 0; i < n; i++) n_f = factors(e[i], f, n_f, 32);
    for (int i = 0; i < n_f; i++) variable += !constant_factor(f[i]);
    if (variable < 2) return;
    rg_buf_printf(w->out, "    if (%lld.0", (long long)bytes);
    for (int i = 0; i < n_f; i++) {
        rg_buf_str(w->out, " * (double)(");
        rg__print_int(w->out, NULL, w->p, &w->n->host, f[i]);
        rg_buf_char(w->out, ')');
    }
    rg_buf_printf(w->out, " > 9e18) return \"%s would have more than 2^63 bytes\";\n", of);
}

struct only_sizes { const struct rg_problem *p; bool all; };

static void is_size(void *arg, const char *name)
{
    struct only_sizes *o = arg;
    int i = rg_problem_param(o->p, name);
    o->all = o->all && i >= 0 && rg__is_size_param(o->p, i);
}

/* Does the expression name no variable of the plan? */
static bool only_sizes(const struct rg__writer *w, const struct rg_expr *e)
{
    struct only_sizes o = {w->p, true};
    rg_expr_names(e, is_size, &o);
    return o.all;
}

void rg__write_check(struct rg__writer *w)
{
    rg_buf_printf(w->out, "// NULL, or what these sizes break.\nstatic const char *%scheck(", w->n->prefix);
    rg_buf_str(w->out, rg__write_size_names(w, "int64_t ") ? ")\n{\n" : "void)\n{\n");
    requirements(w, false);
    rg__write_derived(w, true);
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        bool constant = true;
        int64_t v;
        for (int k = 0; k < q->n_dims; k++) constant = constant && rg_expr_eval(q->dims[k], NULL, &v, NULL) == RG_OK;
        if (q->kind != RG_PARAM_ARRAY || constant) continue;
        for (int k = 0; k < q->n_dims; k++) {
            rg_buf_str(w->out, "    if ((");
            rg__print_int(w->out, NULL, w->p, &w->n->host, q->dims[k]);
            rg_buf_printf(w->out, ") < 1) return \"an extent of %s is not positive\";\n", q->name);
        }
    }
    requirements(w, true);
    for (int i = 0; i < w->p->n_params; i++)
        if (w->p->params[i].kind == RG_PARAM_ARRAY)
            product_fits(w, w->p->params[i].dims, w->p->params[i].n_dims, w->p->params[i].elem_bytes, w->p->params[i].name);
    for (int i = 0; i < w->plan->n; i++) {
        const struct rg_plan_stmt *s = w->plan->stmts[i];
        if (s->kind == RG_PLAN_SCRATCH && only_sizes(w, s->value)) product_fits(w, (const struct rg_expr *const *)&s->value, 1, 16, "a buffer of the plan");
    }
    plan_requirements(w);
    rg_buf_str(w->out, "    return NULL;\n}\n\n");
}
