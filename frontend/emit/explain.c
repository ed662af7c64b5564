/* The problem as understood, for people. */
#include "frontend/emit/emit.h"
#include <rg/words.h>
#include <string.h>

static void extent(struct rg_buf *out, const struct rg_problem *p, const struct rg_param *q)
{
    for (int d = 0; d < q->n_dims; d++) {
        rg_buf_char(out, '[');
        if (q->dims[d]) rg_expr_print(out, q->dims[d], rg_problem_shown, (void *)(uintptr_t)p);
        rg_buf_char(out, ']');
    }
}

static void parameters(struct rg_buf *out, const struct rg_problem *p)
{
    static const char *const roles[] = {"in", "out", "inout"};
    static const char *const origins[] = {"", " file-scope variable or member", " return value", " computed:"};
    rg_buf_str(out, "parameters\n");
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        rg_buf_printf(out, "  %-16s %-6s %s", rg_param_shown(q), q->kind == RG_PARAM_SCALAR ? "scalar" : roles[q->role],
                      q->c_elem);
        extent(out, p, q);
        bool found = q->kind == RG_PARAM_SCALAR && q->extent_from; /* in the data of a call */
        rg_buf_str(out, found ? "" : origins[q->origin]);
        if (q->derived) {
            rg_buf_char(out, ' ');
            rg_expr_print(out, q->derived, rg_problem_shown, (void *)(uintptr_t)p);
        }
        if (q->follows) {
            rg_buf_printf(out, "  (%s = ", rg_param_shown(q));
            rg_expr_print(out, q->follows, rg_problem_shown, (void *)(uintptr_t)p);
            rg_buf_printf(out, ", by %s)",
                          found              ? "what the caller allocates"
                          : p->init_function ? p->init_function
                                             : "a test that the function begins with");
        }
        if (q->extent_from)
            rg_buf_printf(out, found ? "  (%s)" : "  (extent %s)", q->extent_from);
        else if (q->extent_inferred)
            rg_buf_str(out, "  (extent read off the accesses)");
        if (q->role != RG_ROLE_OUT && q->input.kind != RG_INPUT_DEFAULT)
            rg_buf_printf(out, "  input %s", q->input.text ? q->input.text : "");
        for (int m = 0; q->role != RG_ROLE_OUT && m < q->n_members; m++)
            if (q->members[m].input.kind != RG_INPUT_DEFAULT)
                rg_buf_printf(out, "  input .%s %s", q->members[m].path, q->members[m].input.text);
        if (q->expect_file) rg_buf_printf(out, "  expected %s", q->expect_file);
        rg_buf_char(out, '\n');
    }
}

static void sizes(struct rg_buf *out, const struct rg_problem *p)
{
    rg_buf_str(out, "sizes\n");
    for (int s = 0; s < p->n_sizes; s++) {
        const struct rg_sizes *z = &p->sizes[s];
        rg_buf_str(out, "  ");
        for (int k = 0; k < p->n_size_params; k++)
            rg_buf_printf(out, "%s%s=%lld", k ? ", " : "", rg_param_shown(&p->params[p->size_params[k]]),
                          (long long)z->values[k]);
        if (!p->n_size_params) rg_buf_str(out, "fixed");
        rg_buf_printf(out, "  %s%s%s", z->timed ? "timed " : "", z->verify ? "verified " : "",
                      z->on_sim ? "simulated " : "");
        if (z->work >= 0) rg_buf_printf(out, "about %.3g accesses", z->work);
        rg_buf_char(out, '\n');
    }
    if (p->extent_note) rg_buf_printf(out, "  extents %s\n", p->extent_note);
    if (p->size_note) rg_buf_printf(out, "  %s\n", p->size_note);
    for (int i = 0; i < p->n_require; i++) {
        rg_buf_str(out, "  require ");
        rg_expr_print(out, p->require[i], rg_problem_shown, (void *)(uintptr_t)p);
        rg_buf_char(out, '\n');
    }
    if (p->assumed) rg_buf_printf(out, "assumed, not proven\n  %s\n", p->assumed);
}

static void arrays(struct rg_buf *out, const struct rg_ctree *t)
{
    for (int a = 0; a < t->n_arrays; a++) {
        const struct rg_carray *x = &t->arrays[a];
        if (!x->delinearised) continue;
        rg_buf_printf(out, "  %s is read as %s", x->name, x->name);
        for (int d = 0; d < x->n_dims; d++) {
            rg_buf_char(out, '[');
            if (x->dims[d]) rg_expr_print(out, x->dims[d], NULL, NULL);
            rg_buf_char(out, ']');
        }
        rg_buf_char(out, '\n');
    }
}

static void opaque_parts(struct rg_buf *out, const struct rg_problem *p, const struct rg_cnode *n, int *count)
{
    if (!n) return;
    if (n->kind == RG_C_OPAQUE) {
        if (!(*count)++) rg_buf_str(out, "opaque parts\n");
        rg_buf_printf(out, "  %s:%d: %s\n", p->file, n->line, n->why ? n->why : "");
        return;
    }
    for (int i = 0; i < n->n; i++) opaque_parts(out, p, n->kid[i], count);
}

void rg_frontend_explain(struct rg_buf *out, const struct rg_problem *p, const struct rg_ctree *t)
{
    rg_buf_printf(out, "%s\n  at %s:%d, class %s\n", p->prototype, p->file, p->line, p->klass);
    rg_buf_str(out, "  traits");
    for (int i = 0; i < RG_N_TRAITS; i++)
        if (p->traits & (1u << i)) rg_buf_printf(out, " %s", rg_trait_word(i));
    rg_buf_char(out, '\n');
    parameters(out, p);
    sizes(out, p);
    rg_buf_printf(out, "reference\n  %s%s%s\n",
                  p->oracle == RG_ORACLE_F64 ? "the same C evaluated in wider types" : "the sequential run",
                  p->oracle_why && *p->oracle_why ? ": " : "", p->oracle_why ? p->oracle_why : "");
    if (p->init_function) rg_buf_printf(out, "  inputs by %s\n", p->init_function);
    if (p->init_note) rg_buf_printf(out, "  %s\n", p->init_note);
    if (p->flops >= 0) rg_buf_printf(out, "work at the timed size\n  %.4g floating-point operations", p->flops);
    if (p->flops >= 0 && p->compulsory_read_bytes >= 0)
        rg_buf_printf(out, ", at least %.4g bytes read and %.4g written", p->compulsory_read_bytes,
                      p->compulsory_write_bytes);
    if (p->flops >= 0) rg_buf_char(out, '\n');
    if (!t) {
        rg_buf_str(out, "the body has no loop tree\n");
        return;
    }
    rg_buf_str(out, "loop tree\n");
    arrays(out, t);
    struct rg_c_printer printer = {.indent = 1};
    for (int i = 0; i < t->root->n; i++) rg_c_print(out, t, t->root->kid[i], &printer);
    int count = 0;
    opaque_parts(out, p, t->root, &count);
    for (int h = 0; h < t->n_helpers; h++)
        if (t->helpers[h].rejected) rg_buf_printf(out, "  helper %s: %s\n", t->helpers[h].name, t->helpers[h].why);
}
