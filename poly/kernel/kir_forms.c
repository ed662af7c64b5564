/* The forms of kernels that are built as kernel IR, and the kernel for given values of the tunables. */
#include "poly/kernel/kernel.h"
#include "poly/kernel/sort_kernel.h"
#include "poly/kernel/team_kernel.h"
#include "poly/kernel/threads_kernel.h"
#include "poly/kir/kir.h"

/* Statements and conditions that are plain ones; with loops that data bound, which a team may share. */
static bool plain(const struct poly_scop *s, const struct poly_knode *k, bool shared)
{
    const struct rg_ctree *t = s->tree;
    struct poly_opaque_loop o;
    if (!k) return true;
    if (shared && k->kind == KN_LEAF && rg__poly_opaque_loop(s, k->node, &o)) return true;
    bool returns = k->kind == KN_LEAF && k->node->kind == RG_C_RETURN;
    if (returns) return !k->node->n || !k->node->kid[0] || rg__kir_can(t, k->node->kid[0]);
    if ((k->kind == KN_IF && !rg__kir_can(t, k->node->kid[0])) || (k->kind == KN_LEAF && !rg__kir_can(t, k->node)))
        return false;
    for (int i = 0; i < k->n; i++)
        if (!plain(s, k->kid[i], shared)) return false;
    return true;
}

/* Does it declare an array of its own whose size data or parameters say? */
static bool declares_unknown(const struct poly_program *p, const struct poly_knode *k)
{
    const struct rg_ctree *t = p->scop->tree;
    int a = k && k->kind == KN_LEAF && k->node->kind == RG_C_DECL ? k->node->array : -1;
    for (int d = 0; a >= 0 && !p->array_scratch[a] && d < t->arrays[a].n_dims; d++)
        if (!t->arrays[a].dims[d] || t->arrays[a].dims[d]->kind != RG_EXPR_INT) return true;
    for (int i = 0; k && i < k->n; i++)
        if (declares_unknown(p, k->kid[i])) return true;
    return false;
}

bool rg__poly_code_in_kir(const struct poly_program *p, const struct poly_kernel *k, bool shared)
{
    const struct rg_ctree *t = p->scop->tree;
    for (int a = 0; a < t->n_arrays; a++) /* a thread's own, too large for it */
        if (p->array_parts[a] && rg__poly_knode_uses_array(p->scop, k->body, a, NULL)) return false;
    return plain(p->scop, k->body, shared) && !declares_unknown(p, k->body);
}

bool rg__poly_in_kir(const struct poly_program *p, const struct poly_kernel *k)
{
    return k->form == POLY_KIR || k->form == POLY_SORT || rg__poly_threads_in_kir(p, k) || rg__poly_teams_in_kir(p, k);
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
