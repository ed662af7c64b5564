/* Where scalars and local arrays live: in each thread, or in buffers between kernels. */
#include "poly/print.h"
#include <stdlib.h>

void rg__poly_kernel_effect(const struct poly_program *p, const struct poly_kernel *k, struct poly_effect *e)
{
    struct poly_acc acc[16];
    rg__poly_knode_effect(p->scop, k->body, e);
    int n = k->form == POLY_PARTIAL ? rg__poly_accumulators(p->scop, k->reduce_loop, acc, 16) : 0;
    for (int i = 0; i < n; i++)
        if (acc[i].var >= 0)
            e->exposed[acc[i].var] = e->written[acc[i].var] = e->read[acc[i].var] = e->defined[acc[i].var] = false;
}

/* What the plan itself reads. */
static void plan_reads(const struct poly_scop *s, const struct poly_hnode *h, bool *scratch)
{
    const struct rg_cnode *e = h->kind == HN_IF ? h->node->kid[0]
                               : h->kind == HN_FOR && s->loops[h->loop].node->n > 3 ? s->loops[h->loop].node->kid[3] : NULL;
    if (e && rg__poly_plan_flag(s, e))
        scratch[e->var] = true;
    for (int i = 0; i < h->n; i++)
        plan_reads(s, h->kid[i], scratch);
}

/* A scalar read in a kernel before it is written there comes from another one: it lives in a buffer. A local array
 * lives in one unless each thread declares its own. */
void rg__poly_assign_homes(struct poly_program *p)
{
    struct poly_scop *s = p->scop;
    free(p->scalar_scratch);
    free(p->array_scratch);
    p->scalar_scratch = rg_xcalloc((size_t)s->tree->n_vars + 1, 1);
    p->array_scratch = rg_xcalloc((size_t)s->tree->n_arrays + 1, 1);
    plan_reads(s, p->root, p->scalar_scratch);
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_kernel_effect(p, k, &e);
        for (int v = 0; v < s->tree->n_vars; v++) {
            const struct rg_cvar *c = &s->tree->vars[v];
            bool plain = c->kind == RG_CVAR_PARAM && !c->assigned;
            if (e.exposed[v] && c->kind != RG_CVAR_ITER && !plain)
                p->scalar_scratch[v] = true;
        }
        rg__poly_effect_free(&e);
        for (int a = 0; a < s->tree->n_arrays; a++) {
            const struct rg_carray *c = &s->tree->arrays[a];
            if (c->param >= 0 || c->constant_table || s->array_hidden[a] || !rg__poly_knode_uses_array(s, k->body, a, NULL))
                continue;
            int dl = s->array_decl_loop[a];
            bool inside = dl >= 0;
            for (int h = 0; h < k->n_host; h++)
                inside = inside && dl != k->host[h];
            if (!inside)
                p->array_scratch[a] = true;
        }
    }
}
