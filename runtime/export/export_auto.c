/* NAME_auto: the user's function with the kernel where it can be used. What it needs is found at run time: a device,
 * sizes that the kernel takes, no error; else the user's C, linked in as it is, does the work. */
#include "runtime/export/export_internal.h"
#include <math.h>
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A long sum in float is itself wrong by far more than a kernel's tree of sums. */
double rg__export_rtol(const struct rg_problem *p, const struct rg_param *q)
{
    enum rg_scalar t = q->elem;
    for (int i = 0; t == RG_STRUCT && i < p->structs[q->struct_index].n_fields; i++)
        if (rg_scalar_is_real(p->structs[q->struct_index].fields[i].type))
            t = p->structs[q->struct_index].fields[i].type;
    return rg_problem_rtol(p, t) * (p->accumulates ? 10 : 1);
}

double rg__export_atol(const struct rg_problem *p, const struct rg_param *q)
{
    return rg_problem_atol(p, q->elem == RG_STRUCT ? RG_F32 : q->elem);
}

/* A structure as an irregular row of bytes would be passed in other registers than the real one. */
static bool passes_by_value(const struct rg_problem *p, const struct rg_param *q)
{
    return q->elem != RG_F16 && (q->elem != RG_STRUCT || rg__struct_is_regular(&p->structs[q->struct_index]));
}

const char *rg__auto_refused(const struct rg_problem *p)
{
    if (p->places && rg__auto_parts(p))
        return "the C function returns a pointer, and takes structures with pointers inside or arrays of row pointers";
    if (rg__returns_memory(p) >= 0)
        for (int i = 0; i < p->n_params; i++)
            if (p->params[i].origin == RG_ORIGIN_GLOBAL)
                return "the C function returns memory, whose size file-scope variables or members of structures may "
                       "say";
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        bool by_value = q->origin == RG_ORIGIN_RESULT || (q->origin == RG_ORIGIN_ARG && q->kind == RG_PARAM_SCALAR);
        by_value |= q->access && q->kind == RG_PARAM_SCALAR && q->elem == RG_STRUCT;
        if (q->rows && q->n_dims > 2 && !q->c_pointer && rg__auto_linked(q))
            return "a file-scope table of pointers may be of pointers to tables, or have two dimensions itself, and "
                   "nothing says which";
        if (q->indirect && !p->n_args && !p->in_file)
            return "the C function takes structures with pointers inside or arrays of row pointers, and nothing says "
                   "how to get at them";
        if (q->column && !*q->column)
            return "nothing says how long each of the rows is that members of structures in an array lead to";
        if (by_value && !passes_by_value(p, q))
            return "C and C++ compilers do not agree on how a value of its types is passed";
    }
    return NULL;
}

/* The string whose length a parameter is (frontend/read/build_params.c); NULL: it is none. */
static const struct rg_param *string_of(const struct rg_problem *p, const struct rg_param *q)
{
    const char *shown = rg_param_shown(q), *dot = strchr(shown, '.');
    if (q->origin != RG_ORIGIN_GLOBAL || q->kind != RG_PARAM_SCALAR || !dot || strcmp(dot, ".len")) return NULL;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *s = &p->params[i];
        const char *name = rg_param_shown(s);
        bool bytes = s->elem == RG_CHAR || s->elem == RG_I8 || s->elem == RG_U8;
        if (s->origin == RG_ORIGIN_ARG && s->kind == RG_PARAM_ARRAY && bytes && strlen(name) == (size_t)(dot - shown) &&
            !strncmp(name, shown, (size_t)(dot - shown)))
            return s;
    }
    return NULL;
}

bool rg__auto_linked(const struct rg_param *q)
{
    return q->origin == RG_ORIGIN_GLOBAL && !q->access && !strchr(rg_param_shown(q), '.');
}

int rg__auto_order(const struct rg_problem *p, int *order)
{
    const struct rg_param *base;
    int64_t offset;
    int n = rg__export_order(p, false, order), kept = 0;
    for (int i = 0; i < n; i++) {
        const struct rg_param *q = &p->params[order[i]];
        if (q->origin != RG_ORIGIN_RETURNED &&
            (q->access || (!rg__auto_linked(q) && !rg_problem_member(p, q, &base, &offset) && !string_of(p, q))))
            order[kept++] = order[i];
    }
    return kept;
}

static void elem_of(struct rg__writer *w, const struct rg_param *q)
{
    rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
}

/* Variables of the C file under names of ours, as kernels and parameters may be called like them. Weak: static ones are
 * not there. */
static void link_variables(struct rg__writer *w)
{
    /* a pointer to the array, or to a table of rows, is one variable */
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (!rg__auto_linked(q)) continue;
        rg_buf_str(w->out, "extern \"C\" ");
        if (q->rows)
            rg_buf_str(w->out, "void");
        else
            elem_of(w, q);
        rg_buf_printf(w->out, " %s%sglobal_%s[] __asm__(\"%s\") __attribute__((weak));\n",
                      q->rows || q->c_pointer ? "*" : "", w->n->prefix, q->name, rg_param_shown(q));
    }
}

/* Their values and addresses; where one is static in its file only the C function can see it. */
static void variables(struct rg__writer *w, const char *leave)
{
    const char *x = w->n->prefix;
    int n = 0;
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (rg__auto_linked(q)) rg_buf_printf(w->out, "%s(void *)%sglobal_%s", n++ ? " || !" : "    if (!", x, q->name);
    }
    if (!n) return;
    rg_buf_printf(w->out,
                  ") {\n        if (!%sc) %s_fail(\"neither the C function nor its file-scope variables are linked "
                  "in\");\n        if (!%sc) abort();\n"
                  "        if (%sauto.stop()) fprintf(stderr, \"%s: a file-scope variable is static, so that only the "
                  "C function sees it; it is used\\n\");\n        %s\n    }\n",
                  x, w->n->function, x, x, w->n->function_auto, leave);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (!rg__auto_linked(q)) continue;
        if (q->rows) {
            rg_buf_printf(w->out, "    void *%srows_%s = (void *)%s%sglobal_%s;\n", x, q->name, q->c_pointer ? "*" : "",
                          x, q->name);
            continue;
        }
        rg_buf_str(w->out, "    ");
        elem_of(w, q);
        rg_buf_printf(w->out,
                      q->c_pointer                ? " *%s = *%sglobal_%s;\n"
                      : q->kind == RG_PARAM_ARRAY ? " *%s = %sglobal_%s;\n"
                                                  : " %s = *%sglobal_%s;\n",
                      rg__name(w->n, q->name), x, q->name);
    }
}

static void members(struct rg__writer *w)
{
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]], *base;
        int64_t offset;
        const bool f = rg_problem_member(w->p, q, &base, &offset);
        const struct rg_param *s = f ? NULL : string_of(w->p, q);
        if (s) {
            rg_buf_str(w->out, "    const ");
            rg__write_value_type(w, w->out, q);
            rg_buf_printf(w->out, " %s = strlen((const char *)%s);\n", rg__name(w->n, q->name),
                          rg__name(w->n, s->name));
        }
        if (!f) continue;
        const char *name = rg__name(w->n, q->name);
        rg_buf_str(w->out, "    ");
        rg__write_value_type(w, w->out, q);
        rg_buf_printf(w->out, " %s;\n    memcpy(&%s, (const unsigned char *)%s%s + %lld, sizeof %s);\n", name, name,
                      base->kind == RG_PARAM_ARRAY ? "" : "&", rg__name(w->n, base->name), (long long)offset, name);
    }
}

void rg__write_parameters(struct rg__writer *w, const char *type, const int *order, int n, const char *name)
{
    rg_buf_printf(w->out, "%s%s%s(", type, *type ? " " : "", name);
    int written = 0;
    for (int i = 0; i < (order ? n : w->p->n_params); i++) {
        int k = order ? order[i] : i;
        const enum rg_origin origin = w->p->params[k].origin;
        if (!order && origin != RG_ORIGIN_ARG && origin != RG_ORIGIN_RETURNED) continue;
        if (written++) rg_buf_str(w->out, ", ");
        if (rg__gathered(&w->p->params[k]))
            rg_buf_printf(w->out, "void *%srows_%s", w->n->prefix, w->p->params[k].name);
        else
            rg__write_parameter(w, w->out, k);
    }
    if (rg__auto_parts(w->p))
        rg__write_callback(w);
    else
        rg_buf_str(w->out, written ? ")" : "void)");
}

void rg__write_signature(struct rg__writer *w, const int *order, int n, const char *name)
{
    rg_buf_str(w->out, "extern \"C\" ");
    rg__write_result_type(w);
    rg_buf_char(w->out, ' ');
    rg__write_parameters(w, "", order, n, name);
}

/* "rg_c(n, x)": the user's function. */
static const char *c_call(struct rg__writer *w)
{
    if (rg__auto_parts(w->p)) return rg_arena_printf(&w->n->a, "%1$sc(%1$sgiven)", w->n->prefix);
    struct rg_buf b = RG_BUF_INIT;
    int n = 0;
    rg_buf_printf(&b, "%sc(", w->n->prefix);
    for (int i = 0; i < w->p->n_params; i++)
        if (w->p->params[i].origin == RG_ORIGIN_ARG || w->p->params[i].origin == RG_ORIGIN_RETURNED)
            rg_buf_printf(&b, "%s%s", n++ ? ", " : "", rg__name(w->n, w->p->params[i].name));
    rg_buf_char(&b, ')');
    const char *text = rg_arena_strdup(&w->n->a, b.data);
    rg_buf_release(&b);
    return text;
}

static bool is_output(const struct rg_param *q)
{
    return q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_IN && q->origin != RG_ORIGIN_RESULT;
}

/* A call of the transfers and kernels; outputs named as they are, or their copies. */
static void run_call(struct rg__writer *w, bool copies)
{
    const char *x = w->n->prefix;
    rg_buf_printf(w->out, "%srun(", x);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (copies && is_output(q))
            rg_buf_printf(w->out, "%scopy_%s, ", x, q->name);
        else
            rg_buf_printf(w->out, "%s, ", rg__name(w->n, q->name));
    }
    if (rg__result_param(w->p) >= 0) rg_buf_printf(w->out, "&%sresult, ", x);
    rg_buf_printf(w->out, "&%swrote)", x);
}

static void field(struct rg__writer *w, enum rg_scalar type, int64_t offset, int64_t count)
{
    rg_buf_printf(w->out, "{%d, %d, %lld, %lld}",
                  rg_scalar_is_real(type)     ? 0
                  : rg_scalar_is_signed(type) ? 1
                                              : 2,
                  (int)rg_scalar_bytes(type), (long long)offset, (long long)count);
}

/* "static const rg_field rg_fields_y[] = {...};"; their number. */
static int fields(struct rg__writer *w, const struct rg_param *q)
{
    int n = 1;
    rg_buf_printf(w->out, "            static const %sfield %sfields_%s[] = {", w->n->host.helpers, w->n->prefix,
                  q->name);
    if (q->elem != RG_STRUCT) {
        field(w, q->elem, 0, 1);
    } else {
        const struct rg_struct *s = &w->p->structs[q->struct_index];
        for (n = 0; n < s->n_fields; n++) {
            if (n) rg_buf_str(w->out, ", ");
            field(w, s->fields[n].type, s->fields[n].offset, s->fields[n].count);
        }
        if (!n) field(w, RG_U8, 0, s->bytes), n = 1;
    }
    rg_buf_str(w->out, "};\n");
    return n;
}

/* With as many digits as tell it apart from any other. */
static void real(struct rg_buf *out, double v, const char *then)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v) break;
    }
    rg_buf_printf(out, "%s%s", text, then);
}

static void compare(struct rg__writer *w, int param, const char *want, const char *got)
{
    const struct rg_param *q = &w->p->params[param];
    int n = fields(w, q);
    rg_buf_printf(w->out, "            %ssame = %ssame && %sauto.same(\"%s\", \"%s\", %s, %s, ", w->n->prefix,
                  w->n->prefix, w->n->prefix, w->n->function_auto, rg_param_shown(q), want, got);
    rg__write_elements(w, param);
    rg_buf_printf(w->out, ", %lld, %sfields_%s, %d, ", (long long)q->elem_bytes, w->n->prefix, q->name, n);
    real(w->out, rg__export_rtol(w->p, q), ", ");
    real(w->out, rg__export_atol(w->p, q), ", ");
    real(w->out, q->mismatch_share, ");\n");
}

/* REGRAPH_CHECK=1: the kernel on copies, then the C function on the caller's own. */
static void checked(struct rg__writer *w, const char *c)
{
    const char *x = w->n->prefix;
    int result = rg__result_param(w->p);
    rg_buf_printf(w->out, "    if (%sauto.both()) {\n        bool %shave = true;\n", x, x);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (!is_output(q)) continue;
        rg_buf_str(w->out, "        ");
        rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
        rg_buf_printf(w->out, " *%scopy_%s = (", x, q->name);
        rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
        rg_buf_printf(w->out, " *)%scopied(%s, ", w->n->host.helpers, rg__name(w->n, q->name));
        rg__write_bytes(w, w->args[i]);
        rg_buf_printf(w->out, ");\n        %shave = %shave && %scopy_%s;\n", x, x, x, q->name);
    }
    rg_buf_printf(w->out, "        cudaError_t %serr = !%shave ? cudaErrorMemoryAllocation : ", x, x);
    run_call(w, true);
    rg_buf_str(w->out, ";\n        ");
    if (result >= 0) {
        rg_buf_str(w->out, "const ");
        rg__write_value_type(w, w->out, &w->p->params[result]);
        rg_buf_printf(w->out, " %swant = ", x);
    }
    rg_buf_printf(w->out, "%s;\n", c);
    rg__write_rows_call(w, "again", "        ");
    rg_buf_printf(w->out,
                  "        if (%serr != cudaSuccess) {\n            %sauto.failed(\"%s\", %serr);\n        } else {\n"
                  "            bool %ssame = true;\n",
                  x, x, w->n->function_auto, x, x);
    for (int i = 0; i < w->n_args; i++) {
        const struct rg_param *q = &w->p->params[w->args[i]];
        if (is_output(q))
            compare(w, w->args[i], rg__name(w->n, q->name), rg_arena_printf(&w->n->a, "%scopy_%s", x, q->name));
    }
    if (result >= 0)
        compare(w, result, rg_arena_printf(&w->n->a, "&%swant", x), rg_arena_printf(&w->n->a, "&%sresult", x));
    rg_buf_printf(w->out, "            %sauto.used = %ssame;\n        }\n", x, x);
    for (int i = 0; i < w->n_args; i++)
        if (is_output(&w->p->params[w->args[i]]))
            rg_buf_printf(w->out, "        free(%scopy_%s);\n", x, w->p->params[w->args[i]].name);
    rg_buf_printf(w->out, "        return%s;\n    }\n", result >= 0 ? rg_arena_printf(&w->n->a, " %swant", x) : "");
}

void rg__write_auto(struct rg__writer *w)
{
    if (rg__auto_refused(w->p)) return;
    const char *x = w->n->prefix, *c = c_call(w);
    int result = rg__result_param(w->p), *order = rg_xmalloc((size_t)(w->p->n_params + 1) * sizeof *order);
    int n = rg__auto_order(w->p, order);
    const bool places = w->p->places;
    int n_inner = n; /* memory that it returns comes behind what it takes */
    for (int i = 0; i < w->p->n_params; i++)
        if (w->p->params[i].origin == RG_ORIGIN_RETURNED) order[n_inner++] = i;
    const char *leave =
        result >= 0 ? rg_arena_printf(&w->n->a, "return %s;", c) : rg_arena_printf(&w->n->a, "{ %s; return; }", c);
    rg_buf_printf(w->out, "\n#ifndef %s_no_auto\nstatic %schoice %sauto;\n", w->p->function, w->n->host.helpers, x);
    if (rg__auto_parts(w->p)) {
        rg_buf_printf(w->out,
                      "// What %s() of auto.c calls: it took the arguments apart. %sc calls the C function; NULL where "
                      "that is not linked in.\n",
                      w->n->function_auto, x);
    } else {
        rg_buf_str(w->out, "// The C function itself; NULL where it is not linked in.\n");
        if (places) {
            rg__write_c_pointer(w);
        } else {
            rg__write_signature(w, NULL, 0, rg_arena_printf(&w->n->a, "%sc", x));
        }
        /* under another name here: kernels may be called as it is */
        rg_buf_printf(w->out, " __asm__(\"%s\") __attribute__((weak));\n", w->p->function);
    }
    if (places) rg__write_place_of_c(w);
    link_variables(w);
    const char *inner = places ? rg_arena_printf(&w->n->a, "%sauto_place", x) : w->n->function_auto;
    if (places) {
        rg_buf_str(w->out, "static ");
        rg__write_parameters(w, "long", order, n_inner, inner);
    } else {
        rg__write_signature(w, order, n, rg__auto_parts(w->p) ? rg__parts_name(w->n) : inner);
    }
    rg_buf_str(w->out, "\n{\n");
    if (places) rg__write_c_as_place(w);
    rg_buf_printf(w->out, "    %sauto.used = false;\n", x);
    if (result >= 0) {
        rg_buf_str(w->out, "    ");
        elem_of(w, &w->p->params[result]);
        rg_buf_printf(w->out, " %sresult;\n    memset((void *)&%sresult, 0, sizeof %sresult);\n", x, x, x);
    }
    variables(w, leave);
    members(w);
    if (rg__auto_rows(w->p)) {
        rg__write_rows(w, leave);
    } else {
        rg_buf_printf(w->out, "    if (!%sc) %s%s(", x, result >= 0 ? "return " : "{ ", w->n->function);
        rg__write_arguments(w, w->args, w->n_args);
        rg_buf_printf(w->out, ");%s // nothing to fall back to\n    if (!%sauto.usable() || ",
                      result >= 0 ? "" : " return; }", x);
        rg__write_refused(w, false);
        rg_buf_printf(w->out, ") %s\n", leave);
        rg__write_derived(w, false);
        rg__counts_begin(w);
    }
    rg_buf_printf(w->out, "    bool %swrote;\n", x);
    checked(w, c);
    rg_buf_printf(w->out, "    const cudaError_t %serr = ", x);
    run_call(w, false);
    rg_buf_printf(w->out, ";\n    if (%serr == cudaSuccess) {\n        %sauto.used = true;\n", x, x);
    rg__write_rows_call(w, "back", "        ");
    rg_buf_printf(w->out, "        return%s;\n    }\n    %sauto.failed(\"%s\", %serr);\n",
                  result >= 0 ? rg_arena_printf(&w->n->a, " %sresult", x) : "", x, w->n->function_auto, x);
    rg_buf_printf(
        w->out,
        "    if (%swrote) %s_fail(\"the device failed while results were copied back over inputs\");\n    %s%s;\n}\n",
        x, w->n->function, result >= 0 ? "return " : "", c);
    rg__counts_end(w);
    if (places) rg__write_pointer_of_place(w, order, n, inner);
    rg_buf_printf(w->out, "extern \"C\" int %s(void) { return %sauto.used; }\n", w->n->function_used, x);
    if (rg__state_kept(w->p)) rg__write_state(w, order, n);
    rg_buf_str(w->out, "#endif\n");
    free(order);
}
