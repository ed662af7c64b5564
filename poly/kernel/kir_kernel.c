/* The names of a program in a kernel of kernel IR: parameters, arrays, host loops' variables. */
#include "ir/ctree_util.h"
#include "poly/kernel/recurrence.h"
#include "poly/kir/kir.h"
#include <string.h>

/* Nothing else in the launch points there: parameters of C that may not alias, and the program's own buffers. */
static bool stands_alone(const struct poly_program *p, int array)
{
    const struct rg_carray *a = &p->scop->tree->arrays[array];
    return a->param < 0 || !p->scop->problem->may_alias;
}

/* Does the kernel mention it, in what a scan carries too: the second launch's body is what stands around the loop. */
static bool mentions(const struct poly_program *p, const struct poly_kernel *k, int array)
{
    bool found = rg__poly_knode_uses_array(p->scop, k->body, array, NULL);
    for (int i = 0; i < k->n_scans; i++)
        for (int c = 0; c < k->scans[i]->n && !found; c++)
            found = k->scans[i]->at[c].in && rg__c_mentions_array(k->scans[i]->at[c].in, array);
    return found;
}

static bool bind_arrays(const struct poly_program *p, const struct poly_kernel *k, struct kir_names *names)
{
    const struct rg_ctree *t = p->scop->tree;
    for (int a = 0; a < t->n_arrays; a++) {
        const struct rg_carray *c = &t->arrays[a];
        names->elsewhere[a] = p->array_scratch[a];
        if (!mentions(p, k, a) || (c->param < 0 && !p->array_scratch[a]) || c->constant_table) continue;
        int b = rg__kir_buffer_of(names, a);
        if (b < 0) return false;
        struct kir_symbol *s = &names->k->symbols[b];
        s->space = KIR_GLOBAL;
        s->alone = stands_alone(p, a);
        s->place = c->param + 1;
        s->input = c->param >= 0 && p->scop->problem->params[c->param].role == RG_ROLE_IN;
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

void rg__poly_no_form(const struct kir_names *names, struct rg_reason *why, const char *otherwise)
{
    rg_refuse(why, RG_REFUSE_FORM, names->line, "%s", *names->why ? names->why : otherwise);
}

bool rg__poly_kir_verified(const struct kir_kernel *k, struct rg_reason *why)
{
    struct kir_refusal no;
    return rg__kir_verify(k, &no) || rg_refuse(why, RG_REFUSE_FORM, no.line, "%s", no.text);
}
