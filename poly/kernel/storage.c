/* Where scalars and local arrays live: in each thread, or in buffers between kernels. */
#include "ir/ctree_sort.h"
#include "poly/kernel/kernel.h"
#include "poly/kernel/recurrence.h"
#include <stdlib.h>

void rg__poly_kernel_effect(const struct poly_program *p, const struct poly_kernel *k, struct poly_effect *e)
{
    struct poly_acc acc[16];
    rg__poly_knode_effect(p->scop, k->body, e);
    if (k->form >= POLY_SCAN_TOTALS) {
        bool middle = k->form == POLY_SCAN_OFFSETS; /* reads where it starts, leaves where it ends */
        const struct poly_scan *sc = k->scans[0];
        for (int i = 0; i < sc->n; i++)
            if (sc->at[i].var >= 0) {
                int v = sc->at[i].var;
                bool inside = middle && k->n_before && e->defined[v] && !e->exposed[v];
                e->exposed[v] = middle && !inside;
                e->read[v] = e->written[v] = middle;
                e->defined[v] = inside;
            }
    }
    int n = k->form == POLY_PARTIAL ? rg__poly_accumulators(p->scop, k, k->reduce_loop, acc, 16) : 0;
    for (int i = 0; i < n; i++)
        if (acc[i].var >= 0)
            e->exposed[acc[i].var] = e->written[acc[i].var] = e->read[acc[i].var] = e->defined[acc[i].var] = false;
    for (int i = 0; i < k->n_guards; i++) e->exposed[k->guard[i].var] = e->read[k->guard[i].var] = true;
}

/* What the plan itself reads. */
static void plan_reads(const struct poly_scop *s, const struct poly_hnode *h, bool *scratch)
{
    const struct rg_cnode *e = h->kind == HN_IF                                     ? h->node->kid[0]
                               : h->kind == HN_FOR && s->loops[h->loop].node->n > 3 ? s->loops[h->loop].node->kid[3]
                                                                                    : NULL;
    if (e && rg__poly_plan_flag(s, e)) scratch[e->var] = true;
    for (int i = 0; i < h->n; i++) plan_reads(s, h->kid[i], scratch);
}

enum { LOCAL_BYTES = 16384 }; /* a local array of more than that takes too much of a thread's own memory */

/* Is the array's size known and small, or given by an initialiser? Then each thread declares it. */
bool rg__poly_fits_a_thread(const struct poly_scop *s, int array)
{
    const struct rg_carray *c = &s->tree->arrays[array];
    int64_t bytes = c->elem == RG_STRUCT ? 16 : (int64_t)rg_scalar_bytes(c->elem);
    if (c->elem == RG_STRUCT && c->struct_index >= 0 && c->struct_index < s->problem->n_structs)
        bytes = s->problem->structs[c->struct_index].bytes;
    for (int d = 0; d < c->n_dims; d++) {
        if (!c->dims[d] || c->dims[d]->kind != RG_EXPR_INT) return false;
        bytes *= c->dims[d]->value > 0 && c->dims[d]->value < LOCAL_BYTES ? c->dims[d]->value : LOCAL_BYTES;
        if (bytes > LOCAL_BYTES) {
            for (int i = 0; i < s->n_accesses; i++) /* an initialiser is no access of a node */
                if (s->accesses[i].array == array && !s->accesses[i].node) return true;
            return false;
        }
    }
    return true;
}

/* Is it sorted, or the address of an element taken, from which the next ones are found? */
static bool by_address(const struct rg_cnode *n, int array)
{
    struct rg_csort sort;
    if (!n || !rg__c_mentions_array(n, array)) return false;
    if (n->op == RG_COP_ADDRESS || (n->kind == RG_C_LOOP && rg_c_sort_of(n, &sort))) return true;
    for (int i = 0; i < n->n; i++)
        if (by_address(n->kid[i], array)) return true;
    return false;
}

/* Only ever used by elements, never as a pointer. */
static bool by_elements(const struct poly_scop *s, int array)
{
    if (by_address(s->tree->root, array)) return false;
    for (int i = 0; i < s->n_accesses; i++) {
        const struct rg_cnode *n = s->accesses[i].node;
        if (s->accesses[i].array == array && n &&
            (n->kind != RG_C_INDEX || n->pointer || n->n < s->tree->arrays[array].n_dims))
            return false;
    }
    return true;
}

static bool declared_in(const struct poly_scop *s, const struct poly_kernel *k, int array)
{
    bool inside = s->array_decl_loop[array] >= 0;
    for (int h = 0; h < k->n_host; h++) inside = inside && s->array_decl_loop[array] != k->host[h];
    return inside;
}

bool rg__poly_own_array(const struct poly_scop *s, const struct poly_kernel *k, int array)
{
    return declared_in(s, k, array) && rg__poly_fits_a_thread(s, array);
}

/* A scalar read in a kernel before it is written there comes from another one: it lives in a buffer. A local array
 * lives in one unless each thread declares its own; of a buffer for an array inside a grid's loops every thread has a
 * part. */
void rg__poly_assign_homes(struct poly_program *p)
{
    struct poly_scop *s = p->scop;
    free(p->scalar_scratch);
    free(p->array_scratch);
    free(p->array_parts);
    free(p->array_interleaved);
    p->scalar_scratch = rg_xcalloc((size_t)s->tree->n_vars + 1, 1);
    p->array_scratch = rg_xcalloc((size_t)s->tree->n_arrays + 1, 1);
    p->array_parts = rg_xcalloc((size_t)s->tree->n_arrays + 1, 1);
    p->array_interleaved = rg_xcalloc((size_t)s->tree->n_arrays + 1, 1);
    plan_reads(s, p->root, p->scalar_scratch);
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_kernel_effect(p, k, &e);
        for (int v = 0; v < s->tree->n_vars; v++) {
            const struct rg_cvar *c = &s->tree->vars[v];
            bool plain = c->kind == RG_CVAR_PARAM && !c->assigned;
            if (e.exposed[v] && c->kind != RG_CVAR_ITER && !plain) p->scalar_scratch[v] = true;
        }
        rg__poly_effect_free(&e);
        for (int a = 0; a < s->tree->n_arrays; a++) {
            const struct rg_carray *c = &s->tree->arrays[a];
            if (c->param >= 0 || c->constant_table || s->array_hidden[a] ||
                !rg__poly_knode_uses_array(s, k->body, a, NULL))
                continue;
            if (k->form == POLY_FINAL && s->array_decl_loop[a] >= 0 &&
                rg__poly_loop_inside(s, s->array_decl_loop[a], k->reduce_loop))
                continue; /* what the blocks have done already */
            if (rg__poly_own_array(s, k, a)) continue;
            p->array_scratch[a] = true;
            if (!declared_in(s, k, a) || k->form == POLY_SINGLE) continue;
            p->array_parts[a] = true;
            p->array_interleaved[a] = k->form != POLY_BLOCK && by_elements(s, a);
            if (k->form == POLY_THREADS && k->n_dims == 1) /* bounds the number of threads, and of parts with it */
                k->grid_stride = true;
        }
    }
}
