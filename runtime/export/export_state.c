/* State on the device between calls. Programs set up file-scope arrays once and call the function many times:
 * NAME_open() copies the arrays to the device, NAME_run() is the function on them with its own arguments alone
 * transferred, NAME_close() copies back what was written. They stand in auto.c, as NAME_auto does where the C file
 * alone can name its variables. */
#include "runtime/export/export_internal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct names {
    const struct rg_problem *p;
    bool state;
};

static void look(void *arg, const char *name)
{
    struct names *s = arg;
    int i = rg_problem_param(s->p, name);
    s->state = s->state && i >= 0 && s->p->params[i].state;
}

bool rg__state_keeps(const struct rg_problem *p, int param)
{
    const struct rg_param *q = &p->params[param];
    struct names s = {p, p->in_file && q->state && q->kind == RG_PARAM_ARRAY && !q->rows};
    for (int d = 0; d < q->n_dims; d++) rg_expr_names(q->dims[d], look, &s);
    return s.state;
}

bool rg__state_kept(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (rg__state_keeps(p, i)) return true;
    return false;
}

static const char *between(struct rg__names *n, const char *what)
{
    return rg_arena_printf(&n->a, "%s%s_%s", n->prefix, n->problem->function, what);
}

/* "int NAME_open(void)" and its like. */
static void prototype(struct rg_buf *out, struct rg__names *n, const char *what)
{
    rg_buf_printf(out, "%s_%s(", n->problem->function, what);
}

void rg__export_state_h(struct rg_buf *out, struct rg__names *n)
{
    const char *f = n->problem->function;
    rg_buf_printf(out,
                  "// State on the device: %1$s_open() copies the file-scope arrays there (0: done; else the C "
                  "function does the work), %1$s_run() is\n"
                  "// %1$s() on them, %1$s_close() copies back what was written. Between the two the host's copies are "
                  "not looked at.\nint ",
                  f);
    prototype(out, n, "open");
    rg_buf_str(out, "void);\n");
    rg__export_return_type(out, n->problem);
    rg_buf_char(out, ' ');
    prototype(out, n, "run");
    struct rg_buf own = RG_BUF_INIT;
    rg__auto_signature(&own, n);
    rg_buf_printf(out, "%s);\nvoid ", own.len ? own.data : "void");
    rg_buf_release(&own);
    prototype(out, n, "close");
    rg_buf_str(out, "void);\n");
}

/* Does the condition ask an argument? There are none where the state alone is meant. */
static bool asks_argument(const struct rg_problem *p, const char *cond, size_t len)
{
    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        for (n = 0; i + n < len && (cond[i + n] == '_' || isalnum((unsigned char)cond[i + n]));) n++;
        const bool member = i && (cond[i - 1] == '.' || cond[i - 1] == '>');
        for (int k = 0; n && !member && k < p->n_args; k++)
            if (p->args[k].name && strlen(p->args[k].name) == n && !strncmp(p->args[k].name, cond + i, n)) return true;
    }
    return false;
}

/* What must hold before the state is looked at, of rg_problem.reached. */
static void unreached(struct rg_buf *out, const struct rg_problem *p, const char *value)
{
    static const char and[] = " && ";
    struct rg_buf all = RG_BUF_INIT;
    for (const char *at = p->reached, *end; at; at = end ? end + strlen(and) : NULL) {
        end = strstr(at, and);
        const size_t n = end ? (size_t)(end - at) : strlen(at);
        if (!asks_argument(p, at, n)) rg_buf_printf(&all, "%s%.*s", all.len ? and : "", (int)n, at);
    }
    if (all.len) rg_buf_printf(out, "    if (!(%s)) return%s;\n", all.data, value);
    rg_buf_release(&all);
}

/* The call of best.cu's side with the state alone. */
static void with_state(struct rg_buf *out, struct rg__names *n, const char *type, const char *what)
{
    struct rg_buf parts = RG_BUF_INIT;
    rg__export_parts(&parts, n, true, true);
    if (parts.len > 2) parts.data[parts.len - 2] = 0; /* the last ", " */
    rg_buf_printf(out, "%s %s(%s);\n%s ", type, between(n, what), parts.data, type);
    prototype(out, n, what);
    rg_buf_reset(&parts);
    rg__export_parts(&parts, n, false, true);
    if (parts.len > 2) parts.data[parts.len - 2] = 0;
    rg_buf_str(out, "void)\n{\n");
    unreached(out, n->problem, type[0] == 'i' ? " 1" : "");
    rg_buf_printf(out, "    %s%s(%s);\n}\n", type[0] == 'i' ? "return " : "", between(n, what), parts.data);
    rg_buf_release(&parts);
}

void rg__export_state_c(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    const char *x = n->prefix;
    rg_buf_char(out, '\n');
    with_state(out, n, "int", "open");
    with_state(out, n, "void", "close");
    rg__export_return_type(out, p);
    rg_buf_printf(out, " %s(", between(n, "run"));
    rg__export_parts(out, n, true, false);
    rg__export_return_type(out, p);
    rg_buf_str(out, " (*)(void *), void *);\n");
    rg__export_return_type(out, p);
    rg_buf_char(out, ' ');
    prototype(out, n, "run");
    struct rg_buf own = RG_BUF_INIT;
    rg__auto_signature(&own, n);
    rg_buf_printf(out, "%s)\n{\n    void *%sgiven[] = {%s", own.len ? own.data : "void", x, p->n_args ? "" : "0");
    rg_buf_release(&own);
    for (int i = 0; i < p->n_args; i++) rg_buf_printf(out, "%s(void *)&%s", i ? ", " : "", rg__parts_arg(n, i));
    rg_buf_str(out, "};\n");
    rg__export_unreached(out, n, "");
    rg_buf_printf(out, "    %s%s(", rg__result_param(p) >= 0 ? "return " : "", between(n, "run"));
    rg__export_parts(out, n, false, false);
    rg_buf_printf(out, "%scall, %sgiven);\n}\n", x, x);
}

/* "int n, const float *x": the state among the parts. */
static int state_order(struct rg__writer *w, const int *order, int n, int *state)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (w->p->params[order[i]].state) state[k++] = order[i];
    return k;
}

static void each_kept(struct rg__writer *w, void (*fn)(struct rg__writer *w, int param))
{
    for (int i = 0; i < w->p->n_params; i++)
        if (rg__state_keeps(w->p, i)) fn(w, i);
}

static void field(struct rg__writer *w, int i)
{
    rg_buf_str(w->out, " ");
    rg__print_elem(w->out, &w->n->host, w->p->params[i].elem, w->p->params[i].struct_index);
    rg_buf_printf(w->out, " *%1$s; size_t %1$s_bytes;", w->p->params[i].name);
}

static void drop(struct rg__writer *w, int i)
{
    rg_buf_printf(w->out, "    cudaFree(%1$skept.%2$s);\n    %1$skept.%2$s = NULL;\n", w->n->prefix,
                  w->p->params[i].name);
}

static void put(struct rg__writer *w, int i)
{
    const char *x = w->n->prefix, *name = w->p->params[i].name;
    rg_buf_printf(w->out, "    %skept.%s_bytes = ", x, name);
    rg__write_bytes(w, i);
    rg_buf_printf(
        w->out,
        ";\n    if (%1$serr == cudaSuccess) %1$serr = cudaMalloc((void **)&%1$skept.%2$s, %1$skept.%2$s_bytes);\n"
        "    if (%1$serr == cudaSuccess) %1$serr = cudaMemcpy(%1$skept.%2$s, %3$s, %1$skept.%2$s_bytes, "
        "cudaMemcpyHostToDevice);\n",
        x, name, rg__name(w->n, name));
}

static void take(struct rg__writer *w, int i)
{
    const char *x = w->n->prefix, *name = w->p->params[i].name;
    if (w->p->params[i].role == RG_ROLE_IN) return;
    rg_buf_printf(w->out,
                  "    if (%1$serr == cudaSuccess) %1$serr = cudaMemcpy((void *)%3$s, %1$skept.%2$s, "
                  "%1$skept.%2$s_bytes, cudaMemcpyDeviceToHost);\n",
                  x, name, rg__name(w->n, name));
}

static void same_size(struct rg__writer *w, int i)
{
    rg_buf_printf(w->out, "    %1$ssame = %1$ssame && %1$skept.%2$s_bytes == ", w->n->prefix, w->p->params[i].name);
    rg__write_bytes(w, i);
    rg_buf_str(w->out, ";\n");
}

static void state_signature(struct rg__writer *w, const char *type, const char *what, const int *state, int n)
{
    rg_buf_printf(w->out, "extern \"C\" %s %s(", type, between(w->n, what));
    for (int i = 0; i < n; i++) {
        if (i) rg_buf_str(w->out, ", ");
        if (w->p->params[state[i]].rows)
            rg_buf_str(w->out, "void *");
        else
            rg__write_parameter(w, w->out, state[i]);
    }
    rg_buf_str(w->out, ")\n{\n");
    for (int i = 0; i < n; i++)
        if (!w->p->params[state[i]].rows)
            rg_buf_printf(w->out, "    (void)%s;\n", rg__name(w->n, w->p->params[state[i]].name));
}

static void run(struct rg__writer *w, const int *order, int n)
{
    const char *x = w->n->prefix;
    int result = rg__result_param(w->p);
    const char *back = result >= 0 ? rg_arena_printf(&w->n->a, " %sresult", x) : "";
    rg__write_signature(w, order, n, between(w->n, "run"));
    rg_buf_str(w->out, "\n{\n");
    if (result >= 0) {
        rg_buf_str(w->out, "    ");
        rg__print_elem(w->out, &w->n->host, w->p->params[result].elem, w->p->params[result].struct_index);
        rg_buf_printf(w->out, " %1$sresult;\n    memset((void *)&%1$sresult, 0, sizeof %1$sresult);\n", x);
    }
    rg_buf_printf(w->out,
                  result >= 0 ? "    if (!%1$skept.open) return %1$sc(%1$sgiven);\n"
                              : "    if (!%1$skept.open) {\n        %1$sc(%1$sgiven);\n        return;\n    }\n",
                  x);
    rg_buf_printf(w->out, "    if (const char *%swrong = ", x);
    rg__write_refused(w, false);
    rg_buf_printf(w->out, ") {\n        %s_fail(%swrong);\n        return%s;\n    }\n", w->n->function, x, back);
    rg__write_derived(w, false);
    rg__counts_begin(w);
    rg_buf_printf(w->out, "    bool %ssame = true, %swrote;\n", x, x);
    each_kept(w, same_size);
    rg_buf_printf(w->out,
                  "    if (!%ssame) {\n        %s_fail(\"a file-scope array changed its size since %s_open()\");\n     "
                  "   return%s;\n    }\n",
                  x, w->n->function, w->p->function, back);
    rg_buf_printf(w->out, "    const cudaError_t %serr = %srun_kept(", x, x);
    rg__write_arguments(w, w->args, w->n_args);
    rg_buf_printf(
        w->out, "%s%s&%swrote);\n    if (%serr != cudaSuccess) %s_fail(cudaGetErrorString(%serr));\n    return%s;\n}\n",
        w->n_args ? ", " : "", result >= 0 ? rg_arena_printf(&w->n->a, "&%sresult, ", x) : "", x, x, w->n->function, x,
        back);
    rg__counts_end(w);
}

void rg__write_state(struct rg__writer *w, const int *order, int n)
{
    const char *x = w->n->prefix;
    int *state = rg_xmalloc((size_t)(n + 1) * sizeof *state), n_state = state_order(w, order, n, state);
    rg_buf_printf(w->out, "// File-scope arrays on the device between calls.\nstatic struct { bool open;");
    each_kept(w, field);
    rg_buf_printf(w->out, " } %skept;\nstatic void %sdrop(void)\n{\n", x, x);
    each_kept(w, drop);
    rg_buf_printf(w->out, "    %skept.open = false;\n}\n", x);
    w->keeps = true;
    rg__write_run(w, "run_kept");
    w->keeps = false;
    state_signature(w, "int", "open", state, n_state);
    rg_buf_printf(
        w->out, "    %1$sdrop();\n    if (!%1$sauto.usable()) return 1;\n    cudaError_t %1$serr = cudaSuccess;\n", x);
    rg__counts_begin(w);
    each_kept(w, put);
    rg__counts_end(w);
    rg_buf_printf(w->out,
                  "    if (%1$serr != cudaSuccess) {\n        %1$sauto.failed(\"%2$s_open\", %1$serr);\n        "
                  "%1$sdrop();\n        return 1;\n    }\n"
                  "    %1$skept.open = true;\n    return 0;\n}\n",
                  x, w->p->function);
    state_signature(w, "void", "close", state, n_state);
    rg_buf_printf(w->out, "    if (!%1$skept.open) return;\n    cudaError_t %1$serr = cudaSuccess;\n", x);
    each_kept(w, take);
    rg_buf_printf(w->out,
                  "    %1$sdrop();\n    if (%1$serr != cudaSuccess) %2$s_fail(cudaGetErrorString(%1$serr));\n}\n", x,
                  w->n->function);
    run(w, order, n);
    free(state);
}
