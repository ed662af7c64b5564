/* The forms of kernels that are built as kernel IR, and the kernel for given values of the tunables. */
#include "poly/kernel/kernel.h"
#include "poly/kernel/sort_kernel.h"
#include "poly/kernel/team_kernel.h"
#include "poly/kernel/threads_kernel.h"
#include "poly/kir/kir.h"

static bool finds_opaque(void *arg, const struct poly_knode *k)
{
    bool *found = arg;
    *found = *found || (k->kind == KN_LEAF && k->node->kind == RG_C_OPAQUE);
    return !*found;
}

bool rg__poly_has_opaque(const struct poly_kernel *k)
{
    bool found = false;
    rg__poly_knode_walk(k->body, finds_opaque, &found);
    return found;
}

struct kir_kernel *rg__poly_kir_build(const struct poly_program *p, const struct poly_kernel *k,
                                      const struct poly_values *v, struct rg_arena *a, struct rg_reason *why)
{
    struct poly_sort_kernels sort;
    if (k->form == POLY_SORT) return rg__poly_sort_kernels(p, k, v, a, &sort, why) ? sort.tiles : NULL;
    poly_kir_build *build = k->form == POLY_KIR                                 ? k->kir
                            : k->form == POLY_THREADS || k->form == POLY_SINGLE ? rg__poly_threads_kernel
                                                                                : rg__poly_team_kernel;
    struct kir_kernel *x = build(p, k, v, a, why);
    return x && rg__poly_kir_verified(x, why) ? x : NULL;
}
