/* NAME_auto of functions whose arguments the kernel takes in parts: members of structures with pointers in them, rows
 * behind pointers. Only C knows the user's types, so that auto.c, which the C compiler takes, has the function itself:
 * it hands the parts to a function of best.cu together with a callback for the C function. Rows are gathered there into
 * the one block that the kernel works on. */
#include "runtime/export/export_internal.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

bool rg__auto_parts(const struct rg_problem *p)
{
    if (p->in_file) return true;
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].indirect) return true;
    return false;
}

bool rg__gathered(const struct rg_param *q)
{
    return q->rows || q->column;
}

bool rg__auto_rows(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (rg__gathered(&p->params[i])) return true;
    return false;
}

const char *rg__parts_name(struct rg__names *n)
{
    return rg_arena_printf(&n->a, "%s%s", n->prefix, n->function_auto);
}

void rg__write_callback(struct rg__writer *w)
{
    rg_buf_str(w->out, ", ");
    rg__write_result_type(w);
    rg_buf_printf(w->out, " (*%1$sc)(void *), void *%1$sgiven)", w->n->prefix);
}

/* "{ if (!rg_c) { NAME_fail("..."); return; } rg_c(...); return; }" */
static void give_up(struct rg__writer *w, const char *why, const char *leave)
{
    rg_buf_printf(
        w->out,
        "{\n        if (!%sc) {\n            %s_fail(%s);\n            return%s;\n        }\n        %s\n    }\n",
        w->n->prefix, w->n->function, why,
        rg__result_param(w->p) >= 0 ? rg_arena_printf(&w->n->a, " %sresult", w->n->prefix) : "", leave);
}

static void extent(struct rg__writer *w, const struct rg_expr *e)
{
    rg_buf_str(w->out, "(int64_t)(");
    rg__print_int(w->out, NULL, w->p, &w->n->host, e);
    rg_buf_char(w->out, ')');
}

void rg__write_rows_call(struct rg__writer *w, const char *method, const char *indent)
{
    for (int i = 0; i < w->p->n_params; i++)
        if (rg__gathered(&w->p->params[i]) && w->p->params[i].role != RG_ROLE_IN)
            rg_buf_printf(w->out, "%s%stable_%s.%s();\n", indent, w->n->prefix, w->p->params[i].name, method);
}

void rg__write_rows(struct rg__writer *w, const char *leave)
{
    const char *x = w->n->prefix, *h = w->n->host.helpers;
    int result = rg__result_param(w->p);
    rg_buf_printf(w->out, "    const char *const %swrong = %scheck(", x, x);
    rg__write_size_names(w, "");
    rg_buf_printf(w->out, ");\n    if (%swrong || (%sc && !%sauto.usable())) ", x, x, x);
    give_up(w, rg_arena_printf(&w->n->a, "%swrong", x), leave);
    rg__write_derived(w, false);
    rg__counts_begin(w);
    rg_buf_printf(w->out, "    bool %sready = true;\n", x);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (!rg__gathered(q)) continue;
        rg_buf_printf(w->out, "    %stable %stable_%s;\n    %sready = %sready && %stable_%s.%s(%srows_%s, ", h, x,
                      q->name, x, x, x, q->name, q->column ? "gather" : "take", x, q->name);
        if (q->column) {
            extent(w, q->dims[0]);
            for (int d = 1; d < q->n_dims; d++) {
                rg_buf_str(w->out, d > 1 ? " * (size_t)" : ", (size_t)");
                extent(w, q->dims[d]);
            }
            rg_buf_printf(w->out, "%s%lld);\n", q->n_dims > 1 ? " * " : ", ", (long long)q->elem_bytes);
            continue;
        }
        if (q->n_dims > 2)
            extent(w, q->dims[0]);
        else
            rg_buf_char(w->out, '1');
        rg_buf_str(w->out, ", ");
        extent(w, q->dims[q->n_dims - 2]);
        rg_buf_str(w->out, ", (size_t)");
        extent(w, q->dims[q->n_dims - 1]);
        rg_buf_printf(w->out, " * %lld, %s);\n", (long long)q->elem_bytes, q->n_dims > 2 ? "true" : "false");
    }
    rg_buf_printf(w->out, "    if (!%sready) ", x);
    give_up(w, "\"no memory for the rows, or a row is NULL\"", leave);
    rg_buf_printf(w->out, "    %sspans %sused;\n", h, x);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (q->kind != RG_PARAM_ARRAY) continue;
        rg_buf_printf(w->out, "    %sused.add(", x);
        if (rg__gathered(q)) {
            rg_buf_printf(w->out, "%stable_%s", x, q->name);
        } else {
            rg_buf_printf(w->out, "%s, ", rg__name(w->n, q->name));
            rg__write_bytes(w, w->args[i]);
        }
        rg_buf_printf(w->out, ", %s);\n", q->role == RG_ROLE_IN ? "false" : "true");
    }
    rg_buf_printf(w->out, "    if (!%sused.apart()) ", x);
    give_up(w, "\"arrays overlap\"", leave);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (!rg__gathered(q)) continue;
        rg_buf_printf(w->out, "    %stable_%s.again();\n    ", x, q->name);
        rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
        rg_buf_printf(w->out, " *%s = (", rg__name(w->n, q->name));
        rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
        rg_buf_printf(w->out, " *)%stable_%s.block;\n", x, q->name);
    }
    rg_buf_printf(w->out, "    if (!%sc) { // nothing to fall back to\n        %s%s(", x,
                  result >= 0 ? rg_arena_printf(&w->n->a, "%sresult = ", x) : "", w->n->function);
    rg__write_arguments(w, w->args, w->n_args);
    rg_buf_str(w->out, ");\n");
    rg__write_rows_call(w, "back", "        ");
    rg_buf_printf(w->out, "        return%s;\n    }\n", result >= 0 ? rg_arena_printf(&w->n->a, " %sresult", x) : "");
}

/* Is the argument written as the user declared it? */
static bool as_declared(const struct rg_problem *p, const struct rg_arg *a)
{
    return a->param < 0 || p->params[a->param].rows;
}

static const char *arg_name(struct rg__names *n, const struct rg_arg *a)
{
    return as_declared(n->problem, a) ? a->name : rg__name(n, n->problem->params[a->param].name);
}

/* A parameter that neither an argument nor the symbol of a variable leads to: it is passed at the end. */
static bool passed_apart(const struct rg_problem *p, int i)
{
    return p->params[i].origin == RG_ORIGIN_GLOBAL && !p->params[i].access;
}

const char *rg__parts_arg(struct rg__names *n, int arg)
{
    return arg_name(n, &n->problem->args[arg]);
}

static void own_arguments(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    for (int i = 0; i < p->n_args; i++) {
        if (i) rg_buf_str(out, ", ");
        if (as_declared(p, &p->args[i]))
            rg_buf_str(out, p->args[i].c_decl);
        else
            rg__c_parameter(out, n, p->args[i].param);
    }
}

void rg__auto_signature(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    int *order = rg_xmalloc((size_t)(p->n_params + 1) * sizeof *order), count = rg__auto_order(p, order);
    own_arguments(out, n);
    for (int i = 0; i < count; i++) {
        if (!passed_apart(p, order[i])) continue;
        rg_buf_str(out, ", ");
        rg__c_parameter(out, n, order[i]);
    }
    free(order);
}

void rg__export_return_type(struct rg_buf *out, const struct rg_problem *p)
{
    int result = rg__result_param(p);
    if (result < 0)
        rg_buf_str(out, "void");
    else
        rg__c_type(out, p, &p->params[result], false);
}

void rg__export_parts(struct rg_buf *out, struct rg__names *n, bool types, bool state)
{
    const struct rg_problem *p = n->problem;
    int *order = rg_xmalloc((size_t)(p->n_params + 1) * sizeof *order), count = rg__auto_order(p, order);
    for (int i = 0; i < count; i++) {
        const struct rg_param *q = &p->params[order[i]];
        bool pointer = q->kind == RG_PARAM_ARRAY;
        if (state && !q->state) continue;
        const char *name = q->access ? q->access : rg__name(n, q->name);
        for (int k = 0; k < p->n_args; k++)
            if (p->args[k].param == order[i] && !q->column) name = arg_name(n, &p->args[k]);
        if (types && pointer)
            rg_buf_str(out, "void *");
        else if (types && q->state && q->elem == RG_STRUCT && q->access) /* which may have no name */
            rg_buf_printf(out, "__typeof__(%s)", q->access);
        else if (types)
            rg__c_type(out, p, q, false);
        else
            rg_buf_printf(out, pointer ? "(void *)(%s)" : "%s", name);
        rg_buf_str(out, ", ");
    }
    free(order);
}

/* A file of its own: with the types, and the function by its symbol. */
static void separate(struct rg_buf *out, struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    rg_buf_printf(out,
                  "Build: cc -O2 -c auto.c\n#ifndef %s_no_auto\n// The types of its arguments.\n%s\n// The C function "
                  "itself; NULL where it is not linked in.\n",
                  p->function, p->auto_decls);
    rg__export_return_type(out, p);
    rg_buf_printf(out, " %sc(", n->prefix);
    own_arguments(out, n);
    rg_buf_printf(out, ") __asm__(\"%s\") __attribute__((weak));\n", p->function);
}

void rg__export_unreached(struct rg_buf *out, struct rg__names *n, const char *there)
{
    const struct rg_problem *p = n->problem;
    if (!p->reached) return;
    rg_buf_printf(out,
                  rg__result_param(p) >= 0
                      ? "    if (%3$s!(%2$s)) return %1$scall(%1$sgiven);\n"
                      : "    if (%3$s!(%2$s)) {\n        %1$scall(%1$sgiven);\n        return;\n    }\n",
                  n->prefix, p->reached, there);
}

/* Members of the structures of an array: where each lies. False: there are none. */
static bool columns(struct rg_buf *out, struct rg__names *n, bool make)
{
    const struct rg_problem *p = n->problem;
    int found = 0;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (!q->column) continue;
        if (!make)
            rg_buf_printf(out, "    __builtin_free(%s);\n", q->access);
        else if (!found)
            rg_buf_str(out, "    struct { void *at; unsigned long bytes; }");
        if (make) rg_buf_printf(out, "%s *%s = 0", found ? "," : "", q->access);
        found++;
    }
    if (!make || !found) return found > 0;
    rg_buf_str(out, ";\n");
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (!q->column) continue;
        rg_buf_printf(out,
                      "    for (long rg_k = 0, rg_b, rg_n = %1$s; rg_k < rg_n; rg_k++) {\n"
                      "        if (!rg_k && !(%2$s = __builtin_malloc((unsigned long)rg_n * sizeof *%2$s))) break;\n"
                      "        rg_b = %3$s;\n        %2$s[rg_k].at = %4$s;\n"
                      "        %2$s[rg_k].bytes = rg_b > 0 ? (unsigned long)rg_b : 0;\n    }\n",
                      q->column_count, q->access, q->column_bytes, q->column);
    }
    return true;
}

void rg__export_auto_c(struct rg_buf *out, struct rg__names *n, const char *title)
{
    const struct rg_problem *p = n->problem;
    const char *x = n->prefix, *between = rg__parts_name(n), *back = rg__result_param(p) >= 0 ? "return " : "";
    rg__comment(out, title);
    rg_buf_printf(out, "//\n// %s(), which takes what %s() takes and hands the parts to best.cu. ", n->function_auto,
                  p->function);
    if (p->in_file)
        rg_buf_printf(out,
                      "It names what the C file alone can name:\n// put this line at the end of that file:  #include "
                      "\"auto.c\"\n#ifndef %s_no_auto\n",
                      p->function);
    else
        separate(out, n);
    rg__export_return_type(out, p);
    rg_buf_printf(out, " %s(", between);
    rg__export_parts(out, n, true, false);
    rg__export_return_type(out, p);
    rg_buf_str(out, " (*)(void *), void *);\n\nstatic ");
    rg__export_return_type(out, p);
    const char *c = p->in_file ? p->function : rg_arena_printf(&n->a, "%sc", x);
    rg_buf_printf(out, " %scall(void *%sgiven)\n{\n    void **%sa = (void **)%sgiven;\n    (void)%sa;\n    %s%s(", x, x,
                  x, x, x, back, c);
    for (int i = 0; i < p->n_args; i++)
        rg_buf_printf(out, "%s*(%s%s*)%sa[%d]", i ? ", " : "", p->args[i].type, strchr(p->args[i].type, '*') ? "" : " ",
                      x, i);
    rg_buf_str(out, ");\n}\n\n");
    rg__export_return_type(out, p);
    rg_buf_printf(out, " %s(", n->function_auto);
    rg__auto_signature(out, n);
    rg_buf_printf(out, ")\n{\n    void *%sgiven[] = {%s", x, p->n_args ? "" : "0");
    for (int i = 0; i < p->n_args; i++) rg_buf_printf(out, "%s(void *)&%s", i ? ", " : "", arg_name(n, &p->args[i]));
    rg_buf_str(out, "};\n");
    const char *there = p->in_file ? "" : rg_arena_printf(&n->a, "%sc && ", x);
    rg__export_unreached(out, n, there);
    const bool freed = columns(out, n, true);
    rg_buf_str(out, "    ");
    if (freed && *back) {
        rg__export_return_type(out, p);
        rg_buf_printf(out, " %sback = ", x);
    } else {
        rg_buf_str(out, back);
    }
    rg_buf_printf(out, "%s(", between);
    rg__export_parts(out, n, false, false);
    if (!p->in_file) rg_buf_printf(out, "%sc ? ", x);
    rg_buf_printf(out, p->in_file ? "%scall, %sgiven);\n" : "%scall : 0, %sgiven);\n", x, x);
    columns(out, n, false);
    if (freed && *back) rg_buf_printf(out, "    return %sback;\n", x);
    rg_buf_str(out, "}\n");
    if (p->in_file && rg__state_kept(p)) rg__export_state_c(out, n);
    rg_buf_str(out, "#endif\n");
}
