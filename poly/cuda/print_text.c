/* What plans and kernels are called, and what a phase is given. */
#include "poly/cuda/print.h"
#include <string.h>

const char *rg__poly_printf(struct poly_print *pr, const char *fmt, ...)
{
    va_list ap;
    struct rg_buf b = RG_BUF_INIT;
    va_start(ap, fmt);
    rg_buf_vprintf(&b, fmt, ap);
    va_end(ap);
    const char *s = rg_arena_strdup(&pr->arena, b.data);
    rg_buf_release(&b);
    return s;
}

const char *rg__poly_var_type(const struct poly_print *pr, int var)
{
    const struct rg_cvar *v = &pr->t->vars[var];
    return v->type == RG_STRUCT ? v->c_type : rg_scalar_cuda(v->type);
}

/* A name that nothing in the function has. */
const char *rg__poly_fresh(struct poly_print *pr, const char *fmt, ...)
{
    char name[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(name, sizeof name - 16, fmt, ap);
    va_end(ap);
    for (int round = 0; round < 8; round++) {
        bool taken = false;
        for (int v = 0; v < pr->t->n_vars; v++) taken = taken || strcmp(pr->t->vars[v].name, name) == 0;
        for (int a = 0; a < pr->t->n_arrays; a++) taken = taken || strcmp(pr->t->arrays[a].name, name) == 0;
        for (int h = 0; h < pr->t->n_helpers; h++) taken = taken || strcmp(pr->t->helpers[h].name, name) == 0;
        for (int i = 0; i < pr->s->problem->n_structs; i++) {
            const char *type = pr->s->problem->structs[i].c_name, *word = strrchr(type, ' ');
            taken = taken || strcmp(word ? word + 1 : type, name) == 0;
        }
        if (!taken) break;
        strcat(name, "_");
    }
    return rg__poly_printf(pr, "%s", name);
}

const char *rg__poly_buffer_name(struct poly_print *pr, int array)
{
    const char *name = pr->t->arrays[array].name;
    return pr->p->array_parts[array] ? rg__poly_part_buffer(pr->p, array, &pr->arena) : name;
}

void rg__poly_given(struct poly_print *pr, enum poly_given what, int index, const char *name, enum rg_scalar type,
                    bool written)
{
    struct poly_phase *p = &pr->phase;
    if (!pr->k->region) return;
    RG_GROW(p->args, p->n, p->cap);
    p->args[p->n++] = (struct poly_argument){what, index, name, type, written};
}

void rg__poly_print_refused(struct poly_print *pr, const struct rg_reason *why)
{
    rg_error_at(pr->err, RG_INPUT, why->line ? pr->s->problem->file : NULL, why->line, 0, "%s", why->text);
    pr->failed = true;
}
