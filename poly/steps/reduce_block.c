/* reduce.block: loops that carry only associative updates, shared by the threads of a block, or, where nothing around
 * them is parallel, by the whole grid in two stages. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

static bool loop_in_kernel(const struct poly_knode *k, int loop)
{
    if (!k)
        return false;
    if (k->kind == KN_LOOP && k->loop == loop)
        return true;
    for (int i = 0; i < k->n; i++)
        if (loop_in_kernel(k->kid[i], loop))
            return true;
    return false;
}

int rg__poly_kernel_of(const struct poly_program *p, int loop)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (loop_in_kernel(p->kernels[i].body, loop))
            return i;
    return -1;
}

bool rg__poly_reduction_loop(struct poly_scop *s, int loop)
{
    return rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found && !rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found;
}

bool rg__poly_long_enough(const struct poly_scop *s, int loop)
{
    int64_t total = s->loops[loop].trip;
    if (!s->loops[loop].constant)
        return true;
    for (int l = 0; l < s->n_loops; l++) {
        if (l == loop || !rg__poly_loop_inside(s, l, loop))
            continue;
        if (!s->loops[l].constant)
            return true;
        total *= s->loops[l].trip < 4096 ? s->loops[l].trip : 4096;
    }
    return total >= 64;
}

/* One name for a kernel whose blocks will share all of its loops: the first reduction in it. */
static int first_reduction(struct poly_scop *s, const struct poly_knode *k)
{
    if (!k)
        return -1;
    if (k->kind == KN_LOOP && rg__poly_reduction_loop(s, k->loop) && rg__poly_long_enough(s, k->loop))
        return k->loop;
    for (int i = 0; i < k->n; i++) {
        int l = first_reduction(s, k->kid[i]);
        if (l >= 0)
            return l;
    }
    return -1;
}

static bool top_level(const struct poly_kernel *k, int loop)
{
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind == KN_LOOP && k->body->kid[i]->loop == loop)
            return true;
    return false;
}

bool rg__poly_reduce_site(struct poly_program *p, int loop)
{
    int k = rg__poly_kernel_of(p, loop);
    if (k < 0 || p->kernels[k].form > POLY_SINGLE || p->kernels[k].partner >= 0 || !rg__poly_reduction_loop(p->scop, loop) || !rg__poly_long_enough(p->scop, loop))
        return false;
    if (!(p->kernels[k].form == POLY_SINGLE && top_level(&p->kernels[k], loop)))
        return first_reduction(p->scop, p->kernels[k].body) == loop;
    /* a loop inside one that qualifies goes with it */
    for (int l = p->scop->loops[loop].parent; l >= 0; l = p->scop->loops[l].parent)
        if (loop_in_kernel(p->kernels[k].body, l) && rg__poly_reduction_loop(p->scop, l))
            return false;
    return true;
}

static bool is_dim(const struct poly_kernel *k, int loop)
{
    for (int d = 0; d < k->n_dims; d++)
        if (k->dims[d] == loop)
            return true;
    for (int a = 0; a < k->n_alias; a++)
        if (k->alias[a].loop == loop)
            return true;
    return false;
}

/* Of the loops from `outer` on, how many stand around what is directly in `inner`? */
static int loops_between(const struct poly_scop *s, int inner, int outer)
{
    int n = 1;
    for (int l = inner; l >= 0 && l != outer; l = s->loops[l].parent)
        n++;
    return n;
}

int rg__poly_all_accumulators(struct poly_scop *s, const struct poly_kernel *k, int loop, bool any, struct poly_acc *out, int cap)
{
    int n = 0, chosen = 0;
    for (int v = 0; v < s->tree->n_vars && n < cap; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, loop, v))
            continue;
        enum poly_op op = rg__poly_reduced(s, loop, -1, v);
        int select = rg__poly_select_of(s, v);
        if (op == POLY_OP_NONE)
            return -1;
        chosen += op == POLY_OP_WITH;
        if (op == POLY_OP_WITH)
            continue; /* stands behind what it goes with */
        out[n++] = (struct poly_acc){.array = -1, .var = v, .op = op, .type = s->tree->vars[v].type, .loop = loop};
        if (select < 0)
            continue;
        const struct poly_select *x = &s->selects[select];
        if (n + 1 + x->n_with > cap || loops_between(s, s->stmts[x->test].loop, loop) > 2)
            return -1;
        out[n - 1].role = POLY_ACC_BEST;
        out[n - 1].select = select;
        out[n++] = (struct poly_acc){-1, -1, x->first ? POLY_OP_MIN : POLY_OP_MAX, RG_LLONG, NULL, POLY_ACC_AT, select, loop};
        for (int w = 0; w < x->n_with; w++, chosen--) {
            enum rg_scalar t = s->tree->vars[x->with[w]].type;
            out[n++] = (struct poly_acc){-1, x->with[w], rg_scalar_is_real(t) ? POLY_OP_ADD : POLY_OP_OR, t, NULL, POLY_ACC_WITH, select, loop};
        }
    }
    if (chosen)
        return -1;
    for (int a = 0; a < s->tree->n_arrays && n < cap; a++) {
        enum poly_op op = rg__poly_reduced(s, loop, a, -1);
        if (op == POLY_OP_NONE)
            continue;
        const struct poly_access *first = NULL;
        bool varies = false, same = true;
        for (int i = 0; i < s->n_accesses; i++) {
            const struct poly_access *x = &s->accesses[i];
            if (x->array != a || !x->target || !rg__poly_loop_inside(s, s->stmts[x->stmt].loop, loop))
                continue;
            if (!x->affine)
                same = false;
            for (int d = 0; d < x->n_subs && same; d++) {
                if (!x->sub[d].ok || (first && !rg__poly_linear_equal(&x->sub[d], &first->sub[d])))
                    same = false;
                for (int t = 0; t < x->sub[d].n && same; t++)
                    for (int q = 0; q < s->n_loops; q++)
                        if (s->loops[q].var == x->sub[d].term[t].var && !is_dim(k, q) && rg__poly_loop_inside(s, q, loop) &&
                            rg__poly_loop_inside(s, s->stmts[x->stmt].loop, q))
                            varies = true;
            }
            first = first ? first : x;
        }
        if (!first)
            continue;
        if (varies || !same) {
            /* harmless where the elements differ between iterations, or as atomics */
            bool harmless = any ? rg__poly_scattered(s, loop, first) != POLY_OP_NONE : k->atomic && k->atomic[a];
            if (!harmless && rg__poly_conflict(s, loop, NULL, 0, POLY_ONE_ARRAY + a).found)
                return -1;
            continue;
        }
        out[n++] = (struct poly_acc){.array = a, .var = -1, .op = op, .type = s->tree->arrays[a].elem, .element = first->node, .loop = loop};
    }
    return n;
}

int rg__poly_accumulators(struct poly_scop *s, const struct poly_kernel *k, int loop, struct poly_acc *out, int cap)
{
    return rg__poly_all_accumulators(s, k, loop, false, out, cap);
}

int rg__poly_collisions(struct poly_program *p, const struct poly_kernel *k, int loop, bool *atomic)
{
    struct poly_scop *s = p->scop;
    struct poly_acc acc[16];
    int n = rg__poly_all_accumulators(s, k, loop, true, acc, 16), found = 0;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        bool own = rg__poly_reduced(s, loop, a, -1) == POLY_OP_NONE;
        for (int i = 0; i < n; i++)
            own = own || acc[i].array == a;
        if (own || !rg__poly_needs_atomic(s, loop, NULL, 0, a))
            continue;
        atomic[a] = true;
        found++;
    }
    return found;
}

/* An array of which the threads of a block would combine an element that other blocks update too; -1: none. What a block adds up is stored, not
 * added atomically. */
static int combined_and_shared(struct poly_program *p, const struct poly_kernel *k)
{
    struct poly_acc acc[16];
    for (int l = 0; l < p->scop->n_loops; l++) {
        int n = loop_in_kernel(k->body, l) && rg__poly_reduction_loop(p->scop, l) ? rg__poly_all_accumulators(p->scop, k, l, true, acc, 16) : 0;
        for (int i = 0; i < n; i++)
            if (acc[i].array >= 0 && k->atomic[acc[i].array])
                return acc[i].array;
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
        if (loop_in_kernel(k->body, l) && rg__poly_reduction_loop(p->scop, l))
            rg__poly_collisions(p, k, l, atomic);
    k->atomic = atomic;
}

/* ---- splitting a one-thread kernel around a loop ---- */

static struct poly_hnode *find_hnode(struct poly_hnode *h, int kernel, struct poly_hnode **parent)
{
    for (int i = 0; i < h->n; i++) {
        if (h->kid[i]->kind == HN_KERNEL && h->kid[i]->kernel == kernel) {
            *parent = h;
            return h->kid[i];
        }
        struct poly_hnode *f = find_hnode(h->kid[i], kernel, parent);
        if (f)
            return f;
    }
    return NULL;
}

static void renumber(struct poly_hnode *h, int from, int by)
{
    if (h->kind == HN_KERNEL && h->kernel >= from)
        h->kernel += by;
    for (int i = 0; i < h->n; i++)
        renumber(h->kid[i], from, by);
}

/* Room for `extra` kernels after `kernel`, launched one after the other. */
bool rg__poly_make_room(struct poly_program *p, int kernel, int extra)
{
    struct poly_hnode *parent = NULL, *h = find_hnode(p->root, kernel, &parent);
    if (!h || p->n_kernels + extra > POLY_MAX_KERNELS)
        return false;
    memmove(&p->kernels[kernel + 1 + extra], &p->kernels[kernel + 1],
            sizeof p->kernels[0] * (size_t)(p->n_kernels - kernel - 1));
    renumber(p->root, kernel + 1, extra);
    for (int i = 0; i < p->n_kernels + extra; i++)
        if (p->kernels[i].partner > kernel)
            p->kernels[i].partner += extra;
    p->n_kernels += extra;
    struct poly_hnode **kid = rg_arena_alloc(&p->arena, sizeof *kid * (size_t)(parent->n + extra + 1));
    int n = 0;
    for (int i = 0; i < parent->n; i++) {
        kid[n++] = parent->kid[i];
        for (int e = 0; parent->kid[i] == h && e < extra; e++) {
            struct poly_hnode *x = rg_arena_alloc(&p->arena, sizeof *x);
            x->kind = HN_KERNEL;
            x->loop = -1;
            x->kernel = kernel + 1 + e;
            kid[n++] = x;
            p->kernels[kernel + 1 + e] = p->kernels[kernel];
        }
    }
    parent->kid = kid;
    parent->n = parent->cap = n;
    return true;
}

/* Must the items before the loop have run when its first stage starts? */
static bool needed_before(struct poly_program *p, const struct poly_kernel *kn, struct poly_knode *const *items, int n, const struct poly_knode *loop)
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
        for (int i = 0; i < n_acc; i++)
            is_acc = is_acc || acc[i].var == v;
        needed = a.written[v] && b.exposed[v] && !is_acc;
    }
    for (int x = 0; x < s->tree->n_arrays && !needed; x++) {
        bool is_acc = false, w = false, w2 = false;
        for (int i = 0; i < n_acc; i++)
            is_acc = is_acc || acc[i].array == x;
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

static bool split_over_grid(struct poly_program *p, int kernel, int at, char *why, size_t size)
{
    struct poly_knode *body = p->kernels[kernel].body;
    struct poly_knode *loop = body->kid[at];
    bool pre = at > 0 && needed_before(p, &p->kernels[kernel], body->kid, at, loop), post = false;
    for (int i = at + 1; i < body->n; i++)
        post = post || rg__poly_knode_has_loop(body->kid[i]);
    if (!rg__poly_make_room(p, kernel, 1 + pre + post)) {
        snprintf(why, size, "too many kernels");
        return false;
    }
    int from = pre ? at : 0, k = kernel;
    if (pre)
        p->kernels[k++].body = rg__poly_knode_seq(p, body->kid, at);
    p->kernels[k].form = POLY_PARTIAL;
    p->kernels[k].body = rg__poly_knode_seq(p, &loop, 1);
    p->kernels[k].reduce_loop = p->kernels[k + 1].reduce_loop = loop->loop;
    p->kernels[k].partner = k + 1;
    p->kernels[k + 1].partner = k;
    p->kernels[k + 1].form = POLY_FINAL;
    p->kernels[k + 1].body = rg__poly_knode_seq(p, body->kid + from, (post ? at + 1 : body->n) - from);
    if (post)
        p->kernels[k + 2].body = rg__poly_knode_seq(p, body->kid + at + 1, body->n - at - 1);
    scatter_atomically(p, &p->kernels[k]);
    p->kernels[k + 1].atomic = p->kernels[k].atomic; /* it combines the results of that loop: the same ones */
    rg__poly_assign_homes(p);
    return true;
}

int rg__poly_item_of(const struct poly_kernel *k, int loop)
{
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind == KN_LOOP && k->body->kid[i]->loop == loop)
            return i;
    return -1;
}

static bool reduce_loop(struct poly_program *p, int loop, char *why, size_t size);

/* ---- row.warp ---- */

bool rg__poly_row_warp(struct poly_program *p, char *why, size_t size)
{
    struct poly_scop *s = p->scop;
    int done = 0;
    char ignored[256];
    snprintf(why, size, "no kernel shares the loop of a row among threads");
    for (int i = 0; i < s->n_loops; i++)
        if (rg__poly_reduce_site(p, i) && p->kernels[rg__poly_kernel_of(p, i)].form == POLY_THREADS)
            reduce_loop(p, i, ignored, sizeof ignored);
    for (int i = 0; i < p->n_kernels; i++) { /* rows whose ends are data */
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS || k->partner >= 0 || !rg__poly_has_opaque_loop(s, k->body) || rg__poly_big_local(p, k) >= 0)
            continue;
        if (combined_and_shared(p, k) >= 0 || !rg__poly_block_ok(p, k, why, size))
            continue;
        k->form = POLY_BLOCK;
        k->team = POLY_TEAM_BLOCK;
        k->grid_stride = false;
        for (int d = 0; d < k->n_dims; d++)
            k->axis[d] = k->n_dims - 1 - d;
        rg__poly_assign_homes(p);
    }
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_BLOCK || k->team != POLY_TEAM_BLOCK || !k->n_dims || rg__poly_big_local(p, k) >= 0)
            continue;
        k->team = POLY_TEAM_WARP;
        done++;
    }
    return done > 0;
}

bool rg__poly_same_source(const struct poly_scop *s, int a, int b)
{
    const struct rg_cnode *x = s->loops[a].node, *y = s->loops[b].node;
    return x->line == y->line && x->column == y->column && x->column > 0;
}

bool rg__poly_reduce(struct poly_program *p, const char *site, char *why, size_t size)
{
    struct poly_scop *s = p->scop;
    int loop = -1;
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : "";
    if (strcmp(site, "C") == 0) { /* all of them */
        int done = 0;
        snprintf(why, size, "no loop carries a reduction here");
        for (int i = 0; i < s->n_loops; i++)
            done += rg__poly_reduce_site(p, i) && reduce_loop(p, i, why, size);
        return done > 0;
    }
    bool exists = false;
    for (int i = 0; i < s->n_loops && loop < 0; i++)
        if (strcmp(s->loops[i].name, name) == 0) {
            exists = true;
            if (rg__poly_reduce_site(p, i))
                loop = i;
        }
    if (loop < 0) {
        snprintf(why, size, exists ? "loop %s carries no reduction here" : "there is no loop %s", *name ? name : site);
        return false;
    }
    if (!reduce_loop(p, loop, why, size))
        return false;
    char ignored[256];
    for (int i = 0; i < s->n_loops; i++) /* its copies: the same loop over other arrays */
        if (i != loop && rg__poly_same_source(s, i, loop) && rg__poly_reduce_site(p, i))
            reduce_loop(p, i, ignored, sizeof ignored);
    return true;
}

static bool reduce_loop(struct poly_program *p, int loop, char *why, size_t size)
{
    struct poly_scop *s = p->scop;
    const char *name = s->loops[loop].name;
    struct poly_acc acc[16];
    int k = rg__poly_kernel_of(p, loop);
    struct poly_kernel *kn = &p->kernels[k];
    int n_acc = rg__poly_all_accumulators(s, kn, loop, true, acc, 16);
    if (n_acc < 0) {
        snprintf(why, size, "loop %s updates elements that differ between its iterations: one partial result each would "
                 "not fit a block", name);
        return false;
    }
    int both = combined_and_shared(p, kn);
    if (both >= 0) {
        snprintf(why, size, "blocks of loop %s would collide on %s, which is updated by atomics", name, s->tree->arrays[both].name);
        return false;
    }
    if (kn->form == POLY_SINGLE)
        for (int i = 0; i < kn->body->n; i++)
            if (kn->body->kid[i]->kind == KN_LOOP && kn->body->kid[i]->loop == loop) {
                if (n_acc)
                    return split_over_grid(p, k, i, why, size);
                snprintf(why, size, "loop %s only scatters: parallelize makes atomics of that", name);
                return false;
            }
    if (!rg__poly_block_ok(p, kn, why, size))
        return false;
    kn->form = POLY_BLOCK;
    kn->grid_stride = false;
    scatter_atomically(p, kn);
    int at = rg__poly_item_of(kn, loop);
    kn->team = POLY_TEAM_BLOCK;
    if (at >= 0)
        kn->team = rg__poly_choose_team(p, kn, kn->body->kid[at]);
    else
        for (int d = 0; d < kn->n_dims; d++)
            kn->axis[d] = kn->n_dims - 1 - d;
    rg__poly_assign_homes(p);
    return true;
}
