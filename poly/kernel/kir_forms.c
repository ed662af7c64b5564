/* The forms of kernels that are built as kernel IR, and the kernel for given values of the tunables. */
#include "poly/kernel/kernel.h"
#include "poly/kernel/sort_kernel.h"
#include "poly/kernel/threads_kernel.h"
#include "poly/kir/kir.h"

bool rg__poly_in_kir(const struct poly_program *p, const struct poly_kernel *k)
{
    return k->form == POLY_KIR || k->form == POLY_SORT || rg__poly_threads_in_kir(p, k);
}

struct kir_kernel *rg__poly_kir_build(const struct poly_program *p, const struct poly_kernel *k,
                                      const struct poly_values *v, struct rg_arena *a, struct rg_reason *why)
{
    struct poly_sort_kernels sort;
    if (k->form == POLY_SORT) return rg__poly_sort_kernels(p, k, v, a, &sort, why) ? sort.tiles : NULL;
    poly_kir_build *build = k->form == POLY_KIR ? k->kir : rg__poly_threads_kernel;
    struct kir_kernel *x = build(p, k, v, a, why);
    return x && rg__poly_kir_verified(x, why) ? x : NULL;
}
