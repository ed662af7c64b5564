/* Loading: PTX parsed, variables placed and initialised, kernels lowered. */
#include "runtime/sim/device_sim.h"
#include <stdlib.h>
#include <string.h>

static enum rg_status place(struct sim_device *d, struct rg_module *m, const struct ptx_var *v, struct rg_error *err)
{
    if (v->space != PTX_GLOBAL && v->space != PTX_CONST) return RG_OK;
    if (v->is_extern && !v->bytes) return RG_OK; /* used: the kernel says "no storage" */
    uint64_t addr;
    enum rg_status s = rg__sim_alloc(&d->memory, (size_t)v->bytes, v->name, false, &addr, err);
    if (s) return s;
    m->symbols = rg_xrealloc(m->symbols, sizeof *m->symbols * (size_t)(m->n_symbols + 1));
    m->symbols[m->n_symbols++] = (struct sim_symbol){v->name, addr, (size_t)v->bytes};
    return RG_OK;
}

static const struct sim_symbol *find(const struct rg_module *m, const char *name)
{
    for (int i = 0; i < m->n_symbols; i++)
        if (!strcmp(m->symbols[i].name, name)) return &m->symbols[i];
    return NULL;
}

static enum rg_status initialise(struct sim_device *d, struct rg_module *m, const struct ptx_var *v,
                                 struct rg_error *err)
{
    const struct sim_symbol *s = find(m, v->name);
    if (!s) return RG_OK;
    for (int i = 0; i < v->n_init; i++) {
        const struct ptx_init *in = &v->init[i];
        uint64_t bits = in->bits;
        if (in->symbol) {
            const struct sim_symbol *t = find(m, in->symbol);
            if (!t && rg__ptx_find(m->ptx, in->symbol)) continue; /* of a function: who calls through it is refused */
            if (!t)
                return rg_error_at(err, RG_INPUT, "ptx", v->line, 0,
                                   "'%.80s' is initialised with the address of '%.80s', which is no variable", v->name,
                                   in->symbol);
            bits += t->addr;
        }
        if (in->at + (size_t)in->bytes > s->bytes)
            return rg_error_at(err, RG_INPUT, "ptx", v->line, 0, "too many initial values for '%.80s'", v->name);
        memcpy(sim_host(&d->memory, s->addr) + in->at, &bits, (size_t)in->bytes);
    }
    bool inside;
    struct sim_buffer *b = rg__sim_find(&d->memory, s->addr, &inside);
    if (b) b->is_const = v->space == PTX_CONST;
    return RG_OK;
}

enum rg_status rg__sim_module_load(struct sim_device *d, const struct rg_blob *blob, struct rg_module **out,
                                   struct rg_error *err)
{
    struct rg_module *m = rg_xcalloc(1, sizeof *m);
    m->id = ++d->next_module;
    m->stack_bytes = rg_device_stack(&d->model.facts);
    enum rg_status s = rg__ptx_parse(blob->ptx, blob->ptx_len, &m->ptx, err);
    for (int i = 0; !s && i < m->ptx->n_vars; i++) s = place(d, m, m->ptx->vars[i], err);
    for (int i = 0; !s && i < m->ptx->n_funcs; i++) /* static variables of functions live as long as the module */
        for (int k = 0; !s && k < m->ptx->funcs[i]->n_vars; k++) s = place(d, m, m->ptx->funcs[i]->vars[k], err);
    for (int i = 0; !s && i < m->ptx->n_vars; i++) s = initialise(d, m, m->ptx->vars[i], err);
    for (int i = 0; !s && i < m->ptx->n_funcs; i++)
        for (int k = 0; !s && k < m->ptx->funcs[i]->n_vars; k++) s = initialise(d, m, m->ptx->funcs[i]->vars[k], err);
    if (!s) {
        m->kernels = rg_xcalloc((size_t)blob->n_kernels + 1, sizeof *m->kernels);
        for (int i = 0; i < blob->n_kernels && !s; i++) {
            struct ptx_func *f = rg__ptx_find(m->ptx, blob->lowered[i]);
            if (!f || !f->has_body || !f->is_entry) {
                s = rg_error_set(err, RG_INPUT, "the PTX has no kernel '%.200s'", blob->lowered[i]);
                break;
            }
            struct sim_kernel *k = &m->kernels[m->n_kernels++];
            if (blob->attributes) {
                k->attributes = blob->attributes[i];
                k->has_attributes = true;
            }
            s = rg__sim_lower(m, f, k, err);
        }
    }
    if (s) {
        rg__sim_module_free(d, m);
        return s;
    }
    *out = m;
    return RG_OK;
}

void rg__sim_module_free(struct sim_device *d, struct rg_module *m)
{
    if (!m) return;
    for (int i = 0; i < m->n_kernels; i++) rg__sim_kernel_release(&m->kernels[i]);
    for (int i = 0; i < m->n_symbols; i++) rg__sim_release(&d->memory, m->symbols[i].addr);
    free(m->kernels);
    free(m->symbols);
    rg__ptx_free(m->ptx);
    free(m);
}
