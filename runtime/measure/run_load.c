/* A compiled program on the device: its texts taken from the memory file, its plan checked against its kernels. */
#include "runtime/measure/runner.h"

enum rg_status rg__loaded_new(struct rg_runner *r, const struct rg_program *p, struct rg_loaded *out,
                              struct rg_fault *fault, struct rg_error *err)
{
    *out = (struct rg_loaded){.program = p};
    const char *plan_text, *ptx = NULL;
    enum rg_status s = rg__shm_text(r->shm, p->plan, &out->plan_text, &plan_text, err);
    if (s == RG_OK && (r->device.simulated || p->ptx.len > 0)) s = rg__shm_text(r->shm, p->ptx, &out->ptx, &ptx, err);
    if (s == RG_OK && !r->device.simulated) s = rg__shm_map(r->shm, p->cubin, false, &out->cubin, err);
    if (s != RG_OK) return s;
    struct rg_error e = RG_ERROR_INIT;
    char text[1400];
    const char **lowered = rg_arena_alloc(&out->arena, (size_t)(p->n_kernels + 1) * sizeof *lowered);
    struct rg_kernel_attributes *attributes =
        rg_arena_alloc(&out->arena, (size_t)(p->n_kernels + 1) * sizeof *attributes);
    out->sigs = rg_arena_alloc(&out->arena, (size_t)(p->n_kernels + 1) * sizeof *out->sigs);
    s = rg_plan_parse(plan_text, &out->plan, &e);
    if (s == RG_OK && out->plan->n_kernels != p->n_kernels)
        s = rg_error_set(&e, RG_INPUT, "plan: its kernels are not the program's");
    for (int i = 0; i < p->n_kernels && s == RG_OK; i++) {
        lowered[i] = p->kernels[i].lowered;
        attributes[i] = p->kernels[i].attributes;
        s = rg_kernel_sig_parse(&out->arena, p->kernels[i].name, p->kernels[i].lowered, &out->sigs[i], &e);
    }
    if (s == RG_OK) s = rg_plan_check(out->plan, r->problem, out->sigs, &e);
    if (s != RG_OK) {
        rg__fault_set(fault, RG_OUTCOME_PLAN, "%.500s", rg_error_format(&e, text, sizeof text));
        return RG_OK;
    }
    out->blob = (struct rg_blob){.cubin = out->cubin.data,
                                 .cubin_len = r->device.simulated ? 0 : (size_t)p->cubin.len,
                                 .ptx = ptx,
                                 .ptx_len = ptx ? (size_t)p->ptx.len - 1 : 0,
                                 .n_kernels = p->n_kernels,
                                 .lowered = lowered,
                                 .attributes = attributes};
    return r->device.load(r->device.self, &out->blob, &out->module, fault, err);
}

void rg__loaded_release(struct rg_runner *r, struct rg_loaded *l)
{
    if (l->module && !r->lost) r->device.unload(r->device.self, l->module);
    rg_plan_free(l->plan);
    rg__shm_unmap(&l->plan_text);
    rg__shm_unmap(&l->ptx);
    rg__shm_unmap(&l->cubin);
    rg_arena_release(&l->arena);
    *l = (struct rg_loaded){0};
}
