/* Loops that carry only associative updates, shared by the threads of a block, or, where nothing around them is
 * parallel, by the whole grid in two stages. */
#include "poly/kernel/mechanisms.h"
#include <stdio.h>
#include <string.h>

/* One name for a kernel whose blocks will share all of its loops: the first reduction in it. */
static int first_reduction(struct poly_scop *s, const struct poly_knode *k)
{
    if (!k) return -1;
    if (k->kind == KN_LOOP && rg__poly_reduction_loop(s, k->loop) && rg__poly_long_enough(s, k->loop)) return k->loop;
    for (int i = 0; i < k->n; i++) {
        int l = first_reduction(s, k->kid[i]);
        if (l >= 0) return l;
    }
    return -1;
}

static bool top_level(const struct poly_kernel *k, int loop)
{
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind == KN_LOOP && k->body->kid[i]->loop == loop) return true;
    return false;
}

bool rg__poly_reduce_site(struct poly_program *p, int loop)
{
    int k = rg__poly_kernel_of(p, loop);
    if (k < 0 || p->kernels[k].form > POLY_SINGLE || p->kernels[k].partner >= 0 ||
        !rg__poly_reduction_loop(p->scop, loop) || !rg__poly_long_enough(p->scop, loop))
        return false;
    if (!(p->kernels[k].form == POLY_SINGLE && top_level(&p->kernels[k], loop)))
        return first_reduction(p->scop, p->kernels[k].body) == loop;
    /* a loop inside one that qualifies goes with it */
    for (int l = p->scop->loops[loop].parent; l >= 0; l = p->scop->loops[l].parent)
        if (rg__poly_knode_has(p->kernels[k].body, l) && rg__poly_reduction_loop(p->scop, l)) return false;
    return true;
}

/* An array of which the threads of a block would combine an element that other blocks update too; -1: none. What a
 * block adds up is stored, not added atomically. */
int rg__poly_combined_and_shared(struct poly_program *p, const struct poly_kernel *k)
{
    struct poly_acc acc[16];
    for (int l = 0; l < p->scop->n_loops; l++) {
        int n = rg__poly_knode_has(k->body, l) && rg__poly_reduction_loop(p->scop, l)
                    ? rg__poly_all_accumulators(p->scop, k, l, true, acc, 16)
                    : 0;
        for (int i = 0; i < n; i++)
            if (acc[i].array >= 0 && k->atomic[acc[i].array]) return acc[i].array;
    }
    return -1;
}

/* A kernel whose reductions are shared among threads: what they scatter besides becomes atomics. */
static void scatter_atomically(struct poly_program *p, struct poly_kernel *k)
{
    size_t n = (size_t)p->scop->tree->n_arrays + 1;
    bool *atomic = rg_arena_alloc(&p->arena, n);
    memcpy(atomic, k->atomic, n);
    for (int l = 0; l < p->scop->n_loops; l++)
        if (rg__poly_knode_has(k->body, l) && rg__poly_reduction_loop(p->scop, l)) rg__poly_collisions(p, k, l, atomic);
    k->atomic = atomic;
}

/* ---- splitting a one-thread kernel around a loop ---- */

/* Must the items before the loop have run when its first stage starts? */
static bool needed_before(struct poly_program *p, const struct poly_kernel *kn, struct poly_knode *const *items, int n,
                          const struct poly_knode *loop)
{
    struct poly_scop *s = p->scop;
    struct poly_acc acc[16];
    int n_acc = rg__poly_all_accumulators(s, kn, loop->loop, true, acc, 16);
    struct poly_effect a = rg__poly_effect_new(s), b = rg__poly_effect_new(s);
    bool needed = false;
    for (int i = 0; i < n; i++) {
        rg__poly_knode_effect(s, items[i], &a);
        needed = needed || rg__poly_knode_has_loop(items[i]);
    }
    rg__poly_knode_effect(s, loop, &b);
    for (int v = 0; v < s->tree->n_vars && !needed; v++) {
        bool is_acc = false;
        for (int i = 0; i < n_acc; i++) is_acc = is_acc || acc[i].var == v;
        needed = a.written[v] && b.exposed[v] && !is_acc;
    }
    for (int x = 0; x < s->tree->n_arrays && !needed; x++) {
        bool is_acc = false, w = false, w2 = false;
        for (int i = 0; i < n_acc; i++) is_acc = is_acc || acc[i].array == x;
        bool used = rg__poly_knode_uses_array(s, loop, x, &w2);
        for (int i = 0; i < n && used && !is_acc; i++) {
            bool u = rg__poly_knode_uses_array(s, items[i], x, &w);
            needed = needed || w || (u && w2);
        }
    }
    rg__poly_effect_free(&a);
    rg__poly_effect_free(&b);
    return needed;
}

static bool split_over_grid(struct poly_program *p, int kernel, int at, struct rg_reason *why)
{
    struct poly_knode *body = p->kernels[kernel].body;
    struct poly_knode *loop = body->kid[at];
    bool pre = at > 0 && needed_before(p, &p->kernels[kernel], body->kid, at, loop), post = false;
    for (int i = at + 1; i < body->n; i++) post = post || rg__poly_knode_has_loop(body->kid[i]);
    if (!rg__poly_make_room(p, kernel, 1 + pre + post)) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "too many kernels");
        return false;
    }
    int from = pre ? at : 0, k = kernel;
    if (pre) p->kernels[k++].body = rg__poly_knode_seq(p, body->kid, at);
    p->kernels[k].form = POLY_PARTIAL;
    p->kernels[k].body = rg__poly_knode_seq(p, &loop, 1);
    p->kernels[k].reduce_loop = p->kernels[k + 1].reduce_loop = loop->loop;
    p->kernels[k].partner = k + 1;
    p->kernels[k + 1].partner = k;
    p->kernels[k + 1].form = POLY_FINAL;
    p->kernels[k + 1].body = rg__poly_knode_seq(p, body->kid + from, (post ? at + 1 : body->n) - from);
    if (post) p->kernels[k + 2].body = rg__poly_knode_seq(p, body->kid + at + 1, body->n - at - 1);
    scatter_atomically(p, &p->kernels[k]);
    p->kernels[k + 1].atomic = p->kernels[k].atomic; /* it combines the results of that loop: the same ones */
    rg__poly_assign_homes(p);
    return true;
}

bool rg__poly_reduce(struct poly_program *p, const char *site, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    int loop = -1;
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : "";
    if (strcmp(site, "C") == 0) { /* all of them */
        int done = 0;
        rg_refuse(why, RG_REFUSE_SHAPE, 0, "no loop carries a reduction here");
        for (int i = 0; i < s->n_loops; i++) done += rg__poly_reduce_site(p, i) && rg__poly_reduce_loop(p, i, why);
        return done > 0;
    }
    bool exists = false;
    for (int i = 0; i < s->n_loops && loop < 0; i++)
        if (strcmp(s->loops[i].name, name) == 0) {
            exists = true;
            if (rg__poly_reduce_site(p, i)) loop = i;
        }
    if (loop < 0) {
        rg_refuse(why, RG_REFUSE_SHAPE, 0, exists ? "loop %s carries no reduction here" : "there is no loop %s",
                  *name ? name : site);
        return false;
    }
    if (!rg__poly_reduce_loop(p, loop, why)) return false;
    struct rg_reason ignored = {0};
    for (int i = 0; i < s->n_loops; i++) /* its copies: the same loop over other arrays */
        if (i != loop && rg__poly_same_source(s, i, loop) && rg__poly_reduce_site(p, i))
            rg__poly_reduce_loop(p, i, &ignored);
    return true;
}

bool rg__poly_reduce_loop(struct poly_program *p, int loop, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    const char *name = s->loops[loop].name;
    struct poly_acc acc[16];
    int k = rg__poly_kernel_of(p, loop);
    struct poly_kernel *kn = &p->kernels[k];
    int n_acc = rg__poly_all_accumulators(s, kn, loop, true, acc, 16);
    if (n_acc < 0) {
        rg_refuse(why, RG_REFUSE_SHAPE, 0,
                  "loop %s updates elements that differ between its iterations: one partial result each would "
                  "not fit a block",
                  name);
        return false;
    }
    int both = rg__poly_combined_and_shared(p, kn);
    if (both >= 0) {
        rg_refuse(why, RG_REFUSE_DEPENDENCE, 0, "blocks of loop %s would collide on %s, which is updated by atomics",
                  name, s->tree->arrays[both].name);
        return false;
    }
    if (kn->form == POLY_SINGLE)
        for (int i = 0; i < kn->body->n; i++)
            if (kn->body->kid[i]->kind == KN_LOOP && kn->body->kid[i]->loop == loop) {
                if (n_acc) return split_over_grid(p, k, i, why);
                rg_refuse(why, RG_REFUSE_ORDER, 0, "loop %s only scatters: parallelize makes atomics of that", name);
                return false;
            }
    /* Legality of the kernel as it will be: a loop whose collisions are atomic is shared as well. */
    struct poly_kernel turned = *kn;
    turned.form = POLY_BLOCK;
    turned.team = POLY_TEAM_BLOCK;
    turned.grid_stride = false;
    scatter_atomically(p, &turned);
    if (!rg__poly_block_ok(p, &turned, why)) return false;
    *kn = turned;
    int at = rg__poly_item_of(kn, loop);
    if (at >= 0)
        kn->team = rg__poly_choose_team(p, kn, kn->body->kid[at]);
    else
        for (int d = 0; d < kn->n_dims; d++) kn->axis[d] = kn->n_dims - 1 - d;
    rg__poly_assign_homes(p);
    return true;
}
