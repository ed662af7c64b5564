/* The whole program's text: its kernels and what stands above them. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"
#include "poly/kernel/thread_code.h"
#include <stdlib.h>
#include <string.h>

static void init(struct poly_print *pr, const struct poly_program *p, int kernel, const struct poly_values *v,
                 struct rg_error *err)
{
    memset(pr, 0, sizeof *pr);
    pr->p = p;
    pr->s = p->scop;
    pr->t = p->scop->tree;
    pr->k = &p->kernels[kernel];
    pr->v = *v;
    pr->err = err;
    rg__poly_tiling_init(&pr->tiling, p, kernel, v);
    pr->phase.tiling = &pr->tiling;
}

static void release(struct poly_print *pr)
{
    free(pr->phase.args);
    rg_arena_release(&pr->arena);
    rg__poly_tiling_release(&pr->tiling);
}

/* Of the buffers of blocks' results: which accumulator's. */
static void given_part(struct poly_print *pr, const struct kir_symbol *s)
{
    struct poly_acc acc[POLY_ACCS];
    int n = pr->k->partner < 0 ? 0 : rg__poly_accumulators(pr->p->scop, pr->k, pr->k->reduce_loop, acc, POLY_ACCS);
    for (int i = 0; i < n && s->kind == KIR_BUFFER; i++)
        if (!strcmp(s->name, rg__poly_acc_buffer(pr->p, pr->k, &acc[i], &pr->arena)))
            rg__poly_given(pr, POLY_GIVEN_PART, i, s->name, s->type, s->written);
}

/* A phase: what the kernel that it is a part of has to give it. */
static void phase(struct poly_print *pr, struct rg_buf *cuda)
{
    struct kir_places needs = rg__kir_cuda_phase(pr->kir, cuda);
    int *arguments, n = rg__kir_arguments(pr->kir, &arguments);
    pr->phase.block = needs.block;
    pr->phase.grid = needs.grid;
    pr->phase.thread = needs.thread;
    for (int i = 0; i < n; i++) {
        const struct kir_symbol *s = &pr->kir->symbols[arguments[i]];
        bool memory = s->kind == KIR_BUFFER;
        if (s->from) rg__poly_given(pr, POLY_GIVEN_PARTS, 0, NULL, s->type, false);
        given_part(pr, s);
        for (int v = 0; v < pr->t->n_vars; v++) {
            const char *name = pr->t->vars[v].name;
            if (!strcmp(s->name, memory ? rg__poly_printf(pr, "%s_mem", name) : name)) {
                rg__poly_given(pr, memory ? POLY_GIVEN_SCALAR : POLY_GIVEN_VALUE, v, NULL, s->type, s->written);
                break;
            }
        }
        for (int a = 0; a < pr->t->n_arrays && memory; a++) {
            if (strcmp(s->name, rg__poly_buffer_name(pr, a))) continue;
            rg__poly_given(pr, POLY_GIVEN_ARRAY, a, s->name, s->type, s->written);
        }
    }
    free(arguments);
}

/* A kernel, and the buffers that its launch asks of the plan. */
static void kernel_text(struct poly_print *pr, struct rg_buf *cuda)
{
    struct rg_reason why = {0};
    bool sorts = pr->k->form == POLY_SORT;
    if (!sorts)
        pr->kir = rg__poly_kir_build(pr->p, pr->k, &pr->v, &pr->arena, &why);
    else if (rg__poly_sort_kernels(pr->p, pr->k, &pr->v, &pr->arena, &pr->sort, &why))
        pr->kir = pr->sort.tiles;
    if (!pr->kir) {
        rg__poly_print_refused(pr, &why);
        return;
    }
    if (pr->k->region)
        phase(pr, cuda);
    else
        rg__kir_cuda(pr->kir, cuda);
    if (!sorts) return;
    rg_buf_char(cuda, '\n');
    rg__kir_cuda(pr->sort.merges, cuda);
}

/* Headers of the kernels; resident ones have theirs below. Functions for updates by exchange, of all. */
static void headers(const struct poly_print *prints, const struct poly_program *p, struct rg_buf *cuda,
                    struct rg_buf *helpers)
{
    struct kir_headers h = {.groups = false};
    bool resident = false;
    for (int k = 0; k < p->n_kernels; k++) {
        resident = resident || p->kernels[k].region;
        rg__kir_cuda_headers(prints[k].kir, &h);
    }
    for (int wide = 0; wide < 2; wide++)
        if (h.exchange[wide]) rg__cuda_exchange(p->scop->tree, wide ? 64 : 32, helpers);
    if (h.groups && !resident) rg_buf_str(cuda, "#include <cooperative_groups.h>\n\n");
    if (h.matrices) rg_buf_str(cuda, "#include <mma.h>\n\n");
}

static bool half_anywhere(const struct rg_ctree *t)
{
    bool any = false;
    for (int a = 0; a < t->n_arrays; a++) any = any || t->arrays[a].elem == RG_F16;
    for (int v = 0; v < t->n_vars; v++) any = any || t->vars[v].type == RG_F16;
    return any;
}

enum rg_status rg__poly_print_program(const struct poly_program *p, const struct poly_values *v, struct rg_buf *cuda,
                                      struct rg_buf *plan, struct rg_error *err)
{
    const struct rg_problem *prob = p->scop->problem;
    struct rg_error local = RG_ERROR_INIT;
    struct poly_print *prints = rg_xcalloc((size_t)p->n_kernels + 1, sizeof *prints);
    struct rg_buf kernels = RG_BUF_INIT, helpers = RG_BUF_INIT;
    enum rg_status st = RG_OK;
    if (!err) err = &local;
    for (int k = 0; k < p->n_kernels; k++) {
        struct poly_kernel *kn = (struct poly_kernel *)&p->kernels[k];
        init(&prints[k], p, k, v, err);
        snprintf(kn->name, sizeof kn->name, "%s",
                 p->n_kernels > 1 ? rg__poly_fresh(&prints[k], "%.60s_kernel%d", prob->function, k)
                                  : rg__poly_fresh(&prints[k], "%.60s_kernel", prob->function));
    }
    for (int k = 0; k < p->n_kernels && st == RG_OK; k++) {
        if (k) rg_buf_char(&kernels, '\n');
        kernel_text(&prints[k], &kernels);
        if (prints[k].failed)
            st = err->status ? err->status : rg_error_set(err, RG_INPUT, "this vector does not fit the kernel");
    }
    struct poly_planning pl = {p, prints, plan, &kernels};
    if (st == RG_OK) {
        if (half_anywhere(p->scop->tree)) rg_buf_str(cuda, "#include <cuda_fp16.h>\n");
        if (prob->device_decls && *prob->device_decls) rg_buf_printf(cuda, "%s\n", prob->device_decls);
        for (int k = 0; k < p->n_kernels; k++)
            if (p->kernels[k].region) {
                rg_buf_str(cuda, "#include <cooperative_groups.h>\n\n");
                break;
            }
        headers(prints, p, cuda, &helpers);
        rg_buf_str(cuda, helpers.data);
        st = p->n_kernels ? rg__poly_plan_require(p, v, &prints[0].arena, plan, err) : RG_OK;
        if (st == RG_OK && p->n_kernels) st = rg__poly_plan_scratch(&pl, cuda, err);
        for (int x = 0; x < p->scop->tree->n_vars; x++)
            if (p->scalar_scratch[x] && p->scop->tree->vars[x].kind == RG_CVAR_PARAM)
                rg_buf_printf(plan, "init_%s<<<1, 1>>>(%s_mem, %s);\n", p->scop->tree->vars[x].name,
                              p->scop->tree->vars[x].name, prob->params[p->scop->tree->vars[x].param].name);
        if (p->n_kernels) rg__poly_plan_node(&pl, p->root, 0);
        for (int k = 0; k < p->n_kernels; k++)
            if (prints[k].failed) st = RG_INPUT; /* a cooperative kernel of them */
        rg_buf_str(cuda, kernels.data);
    }
    for (int k = 0; k < p->n_kernels; k++) release(&prints[k]);
    rg_buf_release(&kernels);
    rg_buf_release(&helpers);
    free(prints);
    return st;
}
