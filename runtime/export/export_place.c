/* NAME_auto of a function that returns a pointer into one of its arguments: the number that kernels give for it
 * (rg_problem.places) becomes the pointer, and the C function's pointer the number, as one is compared with the
 * other. */
#include "runtime/export/export_internal.h"
#include <stdlib.h>
#include <string.h>

int rg__returns_memory(const struct rg_problem *p)
{
    const int i = rg_problem_place(p, 0);
    return i >= 0 && p->params[i].origin == RG_ORIGIN_RETURNED ? i : -1;
}

bool rg__returns_const(const struct rg_problem *p)
{
    const char *star = strchr(p->return_c, '*'), *word = strstr(p->return_c, "const");
    return word && star && word < star;
}

void rg__write_returned_type(struct rg__writer *w)
{
    const struct rg_param *q = &w->p->params[rg_problem_place(w->p, 0)];
    if (rg__returns_const(w->p)) rg_buf_str(w->out, "const ");
    rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
    rg_buf_str(w->out, " *");
}

static const char *base(void *arg, int param)
{
    struct rg__writer *w = arg;
    return rg__name(w->n, w->p->params[param].name);
}

static const char *size(void *arg, int param)
{
    struct rg__writer *w = arg;
    return rg_arena_printf(&w->n->a, "%lld", (long long)w->p->params[param].elem_bytes);
}

/* The C function's own parameters. */
static int arguments(const struct rg__writer *w, int *order)
{
    int n = 0;
    for (int i = 0; i < w->p->n_params; i++)
        if (w->p->params[i].origin == RG_ORIGIN_ARG) order[n++] = i;
    return n;
}

void rg__write_c_pointer(struct rg__writer *w)
{
    int *order = rg_xmalloc((size_t)(w->p->n_params + 1) * sizeof *order);
    rg_buf_str(w->out, "extern \"C\" ");
    rg__write_returned_type(w);
    rg__write_parameters(w, "", order, arguments(w, order), rg_arena_printf(&w->n->a, "%spointer", w->n->prefix));
    free(order);
}

static void call_c(struct rg__writer *w)
{
    int *order = rg_xmalloc((size_t)(w->p->n_params + 1) * sizeof *order);
    rg_buf_printf(w->out, "%spointer(", w->n->prefix);
    rg__write_arguments(w, order, arguments(w, order));
    rg_buf_char(w->out, ')');
    free(order);
}

void rg__write_place_of_c(struct rg__writer *w)
{
    const char *x = w->n->prefix;
    const int memory = rg__returns_memory(w->p);
    rg_buf_printf(w->out, "// %s\nstatic ",
                  memory < 0 ? "The place where its pointer leads: -1 NULL, else which of the arrays, and how far."
                             : "Its memory into ours: 0, or -1 for NULL.");
    rg__write_parameters(w, "long", NULL, 0, rg_arena_printf(&w->n->a, "%snumber", x));
    rg_buf_str(w->out, "\n{\n    const void *const rg_returned = ");
    call_c(w);
    rg_buf_str(w->out, ";\n");
    if (memory < 0) {
        rg_problem_place_number(w->out, w->p, "    ", base, size, w);
        rg_buf_str(w->out, "    return rg_place;\n}\n");
        return;
    }
    rg_buf_str(w->out, "    if (!rg_returned) return -1;\n");
    rg__write_derived(w, false);
    rg__counts_begin(w);
    rg_buf_printf(w->out, "    memcpy((void *)%s, rg_returned, ", base(w, memory));
    rg__write_bytes(w, memory);
    rg_buf_str(w->out, ");\n    free((void *)rg_returned);\n    return 0;\n}\n");
    rg__counts_end(w);
}

void rg__write_c_as_place(struct rg__writer *w)
{
    const char *x = w->n->prefix;
    rg_buf_str(w->out, "    ");
    rg__write_parameters(w, "long", NULL, 0, rg_arena_printf(&w->n->a, "(*const %sc)", x));
    rg_buf_printf(w->out, " = %1$spointer ? %1$snumber : NULL;\n", x);
}

/* What the function allocates is allocated in front, for the kernel to fill; where that cannot be, it is for the C to
 * say what there is instead. */
static void with_memory(struct rg__writer *w, int memory, const int *order, int n, const char *inner)
{
    const char *x = w->n->prefix, *name = base(w, memory);
    rg__write_derived(w, false);
    rg__counts_begin(w);
    rg_buf_str(w->out, "    ");
    rg__print_elem(w->out, &w->n->host, w->p->params[memory].elem, w->p->params[memory].struct_index);
    rg_buf_printf(w->out, " *%s = (", name);
    rg__print_elem(w->out, &w->n->host, w->p->params[memory].elem, w->p->params[memory].struct_index);
    rg_buf_str(w->out, " *)malloc(");
    rg__write_bytes(w, memory);
    rg_buf_printf(w->out, ");\n    if (!%s) return %spointer ? ", name, x);
    call_c(w);
    rg_buf_printf(w->out, " : NULL;\n    if (%s(", inner);
    rg__write_arguments(w, order, n);
    rg_buf_printf(w->out, "%s%s) >= 0) return %s;\n    free(%s);\n    return NULL;\n}\n", n ? ", " : "", name, name,
                  name);
    rg__counts_end(w);
}

void rg__write_pointer_of_place(struct rg__writer *w, const int *order, int n, const char *inner)
{
    const int places = rg_problem_places(w->p), memory = rg__returns_memory(w->p);
    const char *x = w->n->prefix;
    rg_buf_str(w->out, "extern \"C\" ");
    rg__write_returned_type(w);
    rg__write_parameters(w, "", order, n, w->n->function_auto);
    rg_buf_str(w->out, "\n{\n");
    if (memory >= 0) {
        with_memory(w, memory, order, n, inner);
        return;
    }
    rg_buf_printf(w->out, "    const long %splace = %s(", x, inner);
    rg__write_arguments(w, order, n);
    rg_buf_printf(w->out, ");\n    if (%splace < 0) return NULL;\n", x);
    for (int k = 0; k < places; k++) {
        rg_buf_str(w->out, "    ");
        if (k + 1 < places) rg_buf_printf(w->out, "if (%splace %% %d == %d) ", x, places, k);
        rg_buf_str(w->out, "return (");
        rg__write_returned_type(w);
        rg_buf_printf(w->out, ")%s + %splace / %d;\n", base(w, rg_problem_place(w->p, k)), x, places);
    }
    rg_buf_str(w->out, "}\n");
}

struct check {
    const struct rg_problem *p;
    struct rg_arena *a;
};

static const char *check_base(void *arg, int param)
{
    struct check *c = arg;
    return rg_arena_printf(c->a, "rg_a[%d]", param);
}

static const char *check_size(void *arg, int param)
{
    struct check *c = arg;
    return rg_arena_printf(c->a, "%lld", (long long)c->p->params[param].elem_bytes);
}

void rg__export_check_place(struct rg_buf *out, const struct rg_problem *p)
{
    rg_buf_str(out, "static long check_place(void **rg_a, const void *rg_returned)\n{\n");
    struct rg_arena a = RG_ARENA_INIT;
    struct check c = {p, &a};
    rg_problem_place_number(out, p, "    ", check_base, check_size, &c);
    rg_buf_str(out, "    return rg_place;\n}\n");
    rg_arena_release(&a);
}
