/* The texts the runtime compiles: the user's file as it is, and evaluated in wider types. */
#include "frontend/emit/emit.h"
#include "frontend/emit/oracle.h"
#include "frontend/read/read.h"
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

static bool has_type(const struct rg_problem *p, const struct rg_param *q, bool (*is)(enum rg_scalar))
{
    if (q->elem != RG_STRUCT) return is(q->elem);
    for (int f = 0; f < p->structs[q->struct_index].n_fields; f++)
        if (is(p->structs[q->struct_index].fields[f].type)) return true;
    return false;
}

static bool is_double(enum rg_scalar s)
{
    return s == RG_F64;
}
static bool is_integer(enum rg_scalar s)
{
    return s < RG_F16;
}

/* Why the sequential run is the reference; NULL when wider types give a better one. Integers beside reals may depend on
 * how these are rounded: where they come out differently the runtime keeps to the sequential run. */
static const char *exact(const struct rg_problem *p)
{
    bool reals_out = false, integers_out = false;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        bool out = q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_IN;
        integers_out |= out && has_type(p, q, is_integer);
        reals_out |= out && has_type(p, q, rg_scalar_is_real);
    }
    if (!reals_out && !integers_out) return "the function writes nothing that could be compared";
    if (!reals_out) return "the outputs are integers, which are those of the sequential run";
    return NULL;
}

enum rg_status rg__reference_texts(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct rg_buf text = RG_BUF_INIT, own = RG_BUF_INIT;
    enum rg_status st = rg__preprocess(l->o->file, p->cflags, NULL, &text, l->err);
    if (st != RG_OK) {
        rg_buf_release(&text);
        return st;
    }
    rg_buf_str(&own, text.data);
    rg__shim(l, RG__SHIM_REFERENCE, false, &own);
    p->reference_c = rg_arena_strdup(&p->arena, own.data);
    const struct rg_cnode *rounds = rg__is_verbatim(l) ? NULL : rg__loop_of_rounds(l->t->root);
    if (rounds) {
        struct rg__source src;
        rg__source_init(&src, rg_xstrdup(text.data), text.len);
        rg__round_place(l, &src, rounds);
        rg__source_release(&src);
    }
    p->oracle = RG_ORACLE_SEQUENTIAL;
    const char *why = exact(p);
    if (!why && p->n_with) why = "--with files take part, whose types cannot be widened";
    if (!why) {
        bool wide = false;
        for (int i = 0; i < p->n_params; i++)
            wide |= p->params[i].kind == RG_PARAM_ARRAY && p->params[i].role != RG_ROLE_IN &&
                    has_type(p, &p->params[i], is_double);
        rg_buf_reset(&own);
        rg_buf_str(&own, text.data);
        rg__shim(l, RG__SHIM_ORACLE, wide, &own);
        size_t len = own.len;
        struct rg__source src;
        rg__source_init(&src, rg_buf_steal(&own), len);
        struct rg_buf oracle = RG_BUF_INIT;
        const char **roots = rg_arena_alloc(&p->arena, ((size_t)l->n_inits + 2) * sizeof *roots);
        roots[0] = p->function;
        for (int i = 0; i < l->n_inits; i++) roots[i + 1] = l->unit.functions[l->inits[i].function].name;
        roots[l->n_inits + 1] = NULL;
        st = rg__oracle_text(&src, wide ? RG__ORACLE_LONG_DOUBLE : RG__ORACLE_F64, roots, &oracle, &why, &p->arena);
        if (st == RG_OK && !why) {
            p->oracle = RG_ORACLE_F64;
            p->oracle_c = rg_arena_strdup(&p->arena, oracle.data);
        }
        rg_buf_release(&oracle);
        rg__source_release(&src);
    }
    p->oracle_why = why ? rg_arena_strdup(&p->arena, why) : "";
    rg_buf_release(&text);
    rg_buf_release(&own);
    return st;
}
