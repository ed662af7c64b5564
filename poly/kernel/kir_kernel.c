/* Kernels in kernel IR: what the program's names are in them, and the kernel for given values of the tunables. */
#include "poly/kernel/kernel.h"
#include "poly/kernel/threads_kernel.h"
#include "poly/kir/kir.h"
#include <string.h>

/* Nothing else in the launch points there: parameters of C that may not alias, and the program's own buffers. */
static bool stands_alone(const struct poly_program *p, int array)
{
    const struct rg_carray *a = &p->scop->tree->arrays[array];
    return a->param < 0 || !p->scop->problem->may_alias;
}

static bool bind_arrays(const struct poly_program *p, const struct poly_kernel *k, struct kir_names *names)
{
    const struct rg_ctree *t = p->scop->tree;
    for (int a = 0; a < t->n_arrays; a++) {
        const struct rg_carray *c = &t->arrays[a];
        if (!rg__poly_knode_uses_array(p->scop, k->body, a, NULL) || (c->param < 0 && !p->array_scratch[a]) ||
            c->constant_table)
            continue;
        int b = rg__kir_buffer_of(names, a);
        if (b < 0) return false;
        struct kir_symbol *s = &names->k->symbols[b];
        s->space = KIR_GLOBAL;
        s->alone = stands_alone(p, a);
        s->place = c->param + 1;
        s->pass = c->param >= 0 ? p->scop->problem->params[c->param].name : NULL;
    }
    return true;
}

static void bind_parameter(const struct poly_program *p, struct kir_names *names, int var)
{
    const struct rg_cvar *c = &p->scop->tree->vars[var];
    struct kir_kernel *k = names->k;
    int64_t fixed = 0;
    bool known = rg_problem_fixed(p->scop->problem, c->param, &fixed); /* by what is required */
    int s = rg__kir_symbol_as(k, known ? KIR_CONSTANT : KIR_PARAM, c->name, c->type);
    k->symbols[s].value = fixed;
    k->symbols[s].positive = true;
    k->symbols[s].place = c->param + 1;
    k->symbols[s].pass = p->scop->problem->params[c->param].name;
    rg__kir_bind(names, var, rg__kir_name(k, s));
}

struct kir_kernel *rg__poly_kir_new(const struct poly_program *p, const struct poly_kernel *k, struct rg_arena *a,
                                    struct kir_names **names)
{
    const struct rg_ctree *t = p->scop->tree;
    const struct rg_problem *prob = p->scop->problem;
    struct kir_kernel *x = rg__kir_kernel_new(a, t, *k->name ? k->name : prob->function);
    struct kir_names *n = rg__kir_names_new(x, t);
    for (int v = 0; v < t->n_vars; v++) {
        const struct rg_cvar *c = &t->vars[v];
        if (c->kind == RG_CVAR_PARAM && !c->assigned && c->param >= 0 && c->type != RG_STRUCT) bind_parameter(p, n, v);
    }
    for (int h = 0; h < k->n_host; h++) {
        int v = p->scop->loops[k->host[h]].var;
        if (!n->var[v])
            rg__kir_bind(n, v, rg__kir_name(x, rg__kir_symbol_as(x, KIR_PARAM, t->vars[v].name, t->vars[v].type)));
    }
    *names = n;
    return bind_arrays(p, k, n) ? x : NULL;
}

bool rg__poly_in_kir(const struct poly_program *p, const struct poly_kernel *k)
{
    return k->form == POLY_KIR || rg__poly_threads_in_kir(p, k);
}

struct kir_kernel *rg__poly_kir_build(const struct poly_program *p, const struct poly_kernel *k,
                                      const struct poly_values *v, struct rg_arena *a, char *why, size_t size)
{
    struct kir_refusal no;
    poly_kir_build *build = k->form == POLY_KIR ? k->kir : rg__poly_threads_kernel;
    struct kir_kernel *x = build(p, k, v, a, why, size);
    if (!x || rg__kir_verify(x, &no)) return x;
    snprintf(why, size, "%s", no.text);
    return NULL;
}
