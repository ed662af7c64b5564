/* grid.sync in kernel IR: a phase's code is that of the kernel it was, with the blocks of its launch dealt out to those
 * that are resident; the grid meets where one phase needs what another one did. */
#include "poly/kernel/resident_kernel.h"
#include "poly/kernel/thread_code.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What has been touched since the grid last met: arrays, scalars in buffers, partial results. */
struct places {
    bool *read, *written;
};

struct building {
    const struct poly_program *p;
    const struct poly_phase *phases;
    const struct poly_values *v;
    struct kir_kernel *k;
    struct kir_names *names;
    struct kir_node *bx, *tx;
    int n; /* places */
    struct places now;
    int *array, *scalar, *part; /* symbols of buffers: [array], [variable], [kernel * 16 + accumulator]; -1 */
};

static struct places places_new(int n)
{
    return (struct places){rg_xcalloc((size_t)n, 1), rg_xcalloc((size_t)n, 1)};
}

static void places_add(struct places *to, const struct places *from, int n)
{
    for (int i = 0; i < n; i++) {
        to->read[i] |= from->read[i];
        to->written[i] |= from->written[i];
    }
}

static void places_set(struct places *to, const struct places *from, int n)
{
    memcpy(to->read, from->read, (size_t)n);
    memcpy(to->written, from->written, (size_t)n);
}

static void places_free(struct places *p)
{
    free(p->read);
    free(p->written);
}

static bool clash(const struct places *a, const struct places *b, int n)
{
    for (int i = 0; i < n; i++)
        if ((a->written[i] && (b->read[i] || b->written[i])) || (a->read[i] && b->written[i])) return true;
    return false;
}

static int n_arrays(const struct building *x)
{
    return x->p->scop->tree->n_arrays;
}

static void phase_places(const struct building *x, int kernel, struct places *p)
{
    const struct poly_kernel *k = &x->p->kernels[kernel];
    int na = n_arrays(x), nv = x->p->scop->tree->n_vars;
    for (int i = 0; i < x->phases[kernel].n; i++) {
        const struct poly_argument *a = &x->phases[kernel].args[i];
        int at = a->what == POLY_GIVEN_ARRAY ? a->index : a->what == POLY_GIVEN_SCALAR ? na + a->index : -1;
        if (at < 0) continue;
        p->read[at] = true;
        p->written[at] |= a->written;
    }
    if (k->form == POLY_PARTIAL) p->written[na + nv + kernel] = true;
    if (k->form == POLY_FINAL) p->read[na + nv + k->partner] = true;
}

static const struct rg_cnode *flag_of(const struct poly_scop *s, const struct poly_hnode *h)
{
    const struct rg_cnode *e = h->kind == HN_IF                                     ? h->node->kid[0]
                               : h->kind == HN_FOR && s->loops[h->loop].node->n > 3 ? s->loops[h->loop].node->kid[3]
                                                                                    : NULL;
    return e && rg__poly_plan_flag(s, e) ? e : NULL;
}

static void node_places(const struct building *x, const struct poly_hnode *h, struct places *p)
{
    const struct rg_cnode *flag = flag_of(x->p->scop, h);
    if (h->kind == HN_KERNEL) phase_places(x, h->kernel, p);
    if (flag) p->read[n_arrays(x) + flag->var] = true;
    for (int i = 0; i < h->n; i++) node_places(x, h->kid[i], p);
}

static void meet(struct building *x, struct kir_node *seq)
{
    rg__kir_add_to(x->k, seq, rg__kir_barrier(x->k, KIR_GRID));
    memset(x->now.read, 0, (size_t)x->n);
    memset(x->now.written, 0, (size_t)x->n);
}

static void enter(struct building *x, struct kir_node *seq, const struct places *p)
{
    if (clash(&x->now, p, x->n)) meet(x, seq);
    places_add(&x->now, p, x->n);
}

/* ---- names ---- */

/* A buffer of the launch under exactly that name. */
static int buffer(struct building *x, const char *name, enum rg_scalar type, const char *c_type, int param)
{
    const struct rg_problem *p = x->p->scop->problem;
    int s = rg__kir_symbol_as(x->k, KIR_BUFFER, name, type);
    struct kir_symbol *b = &x->k->symbols[s];
    b->space = KIR_GLOBAL;
    b->n_dims = 1;
    b->dims[0] = NULL;
    b->c_type = c_type;
    b->place = param + 1;
    b->pass = param >= 0 ? p->params[param].name : b->name;
    return s;
}

static int scalar_buffer(struct building *x, int var)
{
    const struct rg_cvar *c = &x->p->scop->tree->vars[var];
    if (x->scalar[var] < 0)
        x->scalar[var] = buffer(x, rg_arena_printf(x->k->arena, "%s_mem", c->name), c->type, c->c_type, -1);
    return x->scalar[var];
}

static int buffer_of(struct building *x, int kernel, const struct poly_argument *a)
{
    const struct rg_ctree *t = x->p->scop->tree;
    const struct poly_kernel *k = &x->p->kernels[kernel];
    if (a->what == POLY_GIVEN_SCALAR) return scalar_buffer(x, a->index);
    int first = k->form == POLY_FINAL ? k->partner : kernel,
        *at = a->what == POLY_GIVEN_ARRAY ? &x->array[a->index] : &x->part[first * 16 + a->index];
    if (*at < 0)
        *at = a->what == POLY_GIVEN_ARRAY
                  ? buffer(x, a->name, a->type, t->arrays[a->index].c_elem, t->arrays[a->index].param)
                  : buffer(x, a->name, a->type, NULL, -1);
    return *at;
}

/* ---- phases ---- */

/* How many blocks the first stage of a reduction has. */
static struct kir_node *first_stage(struct building *x, const struct poly_kernel *part)
{
    return rg__poly_partial_blocks(x->p, part, x->names, x->v, RG_I32);
}

/* How many blocks the phase's launch would have, RG_U32; one block, or one thread: *alone. NULL: why. */
static struct kir_node *phase_blocks(struct building *x, int kernel, bool *alone)
{
    const struct poly_kernel *kn = &x->p->kernels[kernel];
    struct kir_kernel *k = x->k;
    struct kir_node *all = NULL, *n;
    if (kn->form == POLY_PARTIAL) return (n = first_stage(x, kn)) ? rg__kir_cast(k, RG_U32, n) : NULL;
    *alone = !kn->n_dims;
    for (int d = 0; d < kn->n_dims; d++) {
        if (!(n = rg__poly_kir_most(x->p, kn, x->names, d, RG_I32))) return NULL;
        n = rg__kir_cast(k, RG_I32, n);
        struct kir_node *some = rg__kir_less(k, rg__kir_int(k, 0), n),
                        *blocks = rg__kir_ceil_div(k, rg__kir_cast(k, RG_U32, n),
                                                   rg__poly_per_block(x->phases[kernel].tiling, kn->axis[d]));
        blocks = rg__kir_select(k, some, rg__kir_cast(k, RG_U32, blocks), rg__kir_cast(k, RG_U32, rg__kir_int(k, 0)));
        all = all ? rg__kir_mul(k, all, blocks) : blocks;
    }
    if (all && kn->grid_stride && kn->n_dims == 1)
        all = rg__kir_min(k, all, rg__kir_cast(k, RG_U32, rg__kir_int(k, x->v->grid)));
    return all;
}

/* The phase, as a block of so many. */
static struct kir_node *call(struct building *x, int kernel, struct kir_node *block, struct kir_node *blocks)
{
    const struct poly_phase *given = &x->phases[kernel];
    const struct poly_kernel *kn = &x->p->kernels[kernel];
    struct kir_node *n = rg__kir_node(x->k, KIR_PHASE, 2 + given->n);
    struct kir_phase *p = rg_arena_alloc(x->k->arena, sizeof *p);
    bool *written = rg_arena_alloc(x->k->arena, (size_t)given->n + 1);
    *p = (struct kir_phase){.name = kn->name,
                            .block = given->block,
                            .grid = given->grid,
                            .thread = given->thread,
                            .meets = kn->form != POLY_THREADS && kn->form != POLY_SINGLE,
                            .written = written};
    memcpy(p->threads, given->tiling->threads, sizeof p->threads);
    n->phase = p;
    n->kid[0] = block;
    n->kid[1] = blocks;
    for (int i = 0; i < given->n; i++) {
        const struct poly_argument *a = &given->args[i];
        written[i] = a->written;
        n->kid[2 + i] = a->what == POLY_GIVEN_VALUE   ? x->names->var[a->index]
                        : a->what == POLY_GIVEN_PARTS ? first_stage(x, &x->p->kernels[kn->partner])
                                                      : rg__kir_element(x->k, buffer_of(x, kernel, a), 0, NULL);
        if (!n->kid[2 + i]) return NULL;
    }
    return n;
}

static struct kir_node *is_first(struct building *x, struct kir_node *place)
{
    return rg__kir_binary(x->k, RG_COP_EQ, place, rg__kir_int(x->k, 0));
}

static bool phase(struct building *x, struct kir_node *seq, int kernel)
{
    struct kir_kernel *k = x->k;
    enum poly_form form = x->p->kernels[kernel].form;
    struct places p = places_new(x->n);
    bool alone = false;
    phase_places(x, kernel, &p);
    enter(x, seq, &p);
    places_free(&p);
    struct kir_node *n = phase_blocks(x, kernel, &alone), *one;
    if (alone) {
        struct kir_node *only = is_first(x, x->bx);
        if (form == POLY_SINGLE) only = rg__kir_and(k, only, is_first(x, x->tx));
        struct kir_node *branch = rg__kir_if(k, only);
        if (!(one = call(x, kernel, rg__kir_int(k, 0), rg__kir_int(k, 1)))) return false;
        rg__kir_add_to(k, rg__kir_body(branch), one);
        rg__kir_add_to(k, seq, branch);
        return true;
    }
    if (!n) return false;
    int blocks = rg__kir_value(k, "blocks", RG_U32), block = rg__kir_index(k, "block", RG_U32);
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, block, rg__kir_cast(k, RG_U32, x->bx),
                                              rg__kir_name(k, blocks), rg__kir_extent(k, KIR_GRID_X));
    if (!(one = call(x, kernel, rg__kir_name(k, block), rg__kir_name(k, blocks)))) return false;
    rg__kir_add_to(k, seq, rg__kir_let(k, blocks, n));
    rg__kir_add_to(k, rg__kir_body(loop), one);
    if (form != POLY_THREADS) /* before shared memory is used again */
        rg__kir_add_to(k, rg__kir_body(loop), rg__kir_barrier(k, KIR_BLOCK));
    rg__kir_add_to(k, seq, loop);
    return true;
}

/* ---- conditions and loops ---- */

static struct kir_node *condition(struct building *x, const struct rg_cnode *e)
{
    if (!rg__poly_plan_flag(x->p->scop, e)) return rg__kir_of(x->names, e);
    return rg__kir_at(x->k, scalar_buffer(x, e->var), 1, rg__kir_int(x->k, 0));
}

static bool node(struct building *x, struct kir_node *seq, const struct poly_hnode *h);

static bool branches(struct building *x, struct kir_node *seq, const struct poly_hnode *h)
{
    const struct rg_cnode *flag = flag_of(x->p->scop, h);
    struct places p = places_new(x->n), before = places_new(x->n), first = places_new(x->n);
    if (flag) {
        p.read[n_arrays(x) + flag->var] = true;
        enter(x, seq, &p);
    }
    places_set(&before, &x->now, x->n);
    struct kir_node *when = condition(x, h->node->kid[0]), *branch = when ? rg__kir_if(x->k, when) : NULL;
    bool ok = branch && node(x, rg__kir_body(branch), h->kid[0]);
    places_set(&first, &x->now, x->n);
    places_set(&x->now, &before, x->n);
    if (ok && h->n > 1 && h->kid[1]->n) ok = node(x, rg__kir_else(x->k, branch), h->kid[1]);
    if (ok) rg__kir_add_to(x->k, seq, branch);
    places_add(&x->now, &first, x->n);
    places_add(&x->now, &before, x->n);
    places_free(&p);
    places_free(&before);
    places_free(&first);
    return ok;
}

/* One with a further condition counts by a variable. */
static struct kir_node *header(struct building *x, struct kir_node *seq, const struct poly_loop *l,
                               struct kir_node **in)
{
    struct kir_kernel *k = x->k;
    enum rg_scalar type = x->p->scop->tree->vars[l->var].type;
    type = rg_scalar_bytes(type) < 4 ? RG_I32 : type;
    bool more = l->node->n > 3;
    struct kir_node *first = rg__kir_of(x->names, l->node->kid[0]), *end = rg__kir_of(x->names, l->node->kid[1]),
                    *step = rg__kir_int(k, l->step), *loop;
    if (!first || !end) return NULL;
    int i = rg__kir_symbol_of(x->names, more ? KIR_SCALAR : KIR_INDEX, l->var, type);
    rg__kir_bind(x->names, l->var, rg__kir_name(k, i));
    if (!more) {
        loop = rg__kir_for_range(k, KIR_SERIAL, i, first, end, step);
    } else {
        struct kir_node *flag = condition(x, l->node->kid[3]),
                        *on = rg__kir_binary(k, l->step > 0 ? RG_COP_LT : RG_COP_GT, rg__kir_name(k, i), end);
        if (!flag) return NULL;
        rg__kir_add_to(k, seq, rg__kir_var(k, i, rg__kir_cast(k, type, first)));
        loop = rg__kir_while(k, rg__kir_and(k, on, flag));
    }
    *in = rg__kir_body(loop);
    return loop;
}

static bool loop(struct building *x, struct kir_node *seq, const struct poly_hnode *h)
{
    struct kir_kernel *k = x->k;
    const struct poly_loop *l = &x->p->scop->loops[h->loop];
    const struct rg_cnode *flag = flag_of(x->p->scop, h);
    struct places p = places_new(x->n), before = places_new(x->n);
    node_places(x, h, &p);
    enter(x, seq, &p); /* its own among them: an iteration follows another one */
    places_set(&before, &x->now, x->n);
    struct kir_node *was = x->names->var[l->var], *in, *all = header(x, seq, l, &in);
    bool ok = all != NULL;
    for (int i = 0; ok && i < h->n; i++) ok = node(x, in, h->kid[i]);
    if (ok && flag && x->now.written[n_arrays(x) + flag->var]) meet(x, in); /* the condition reads it next */
    if (ok && l->node->n > 3) {
        struct kir_node *i = x->names->var[l->var];
        rg__kir_add_to(
            k, in, rg__kir_assign(k, i->symbol, rg__kir_cast(k, i->type, rg__kir_add(k, i, rg__kir_int(k, l->step)))));
    }
    if (ok) rg__kir_add_to(k, seq, all);
    x->names->var[l->var] = was;
    places_add(&x->now, &before, x->n); /* it may not run at all */
    places_free(&p);
    places_free(&before);
    return ok;
}

static bool node(struct building *x, struct kir_node *seq, const struct poly_hnode *h)
{
    switch (h->kind) {
    case HN_SEQ:
        for (int i = 0; i < h->n; i++)
            if (!node(x, seq, h->kid[i])) return false;
        return true;
    case HN_KERNEL:
        return phase(x, seq, h->kernel);
    case HN_IF:
        return branches(x, seq, h);
    case HN_FOR:
        return loop(x, seq, h);
    case HN_SWAP: /* behind a kernel that can be no phase */
        return true;
    }
    return false;
}

/* ---- the kernel ---- */

static int *unknown(struct rg_arena *a, int n)
{
    int *s = rg_arena_alloc(a, (size_t)(n + 1) * sizeof *s);
    for (int i = 0; i < n; i++) s[i] = -1;
    return s;
}

/* As many blocks as are resident, and the threads; the body of a thread. */
static struct kir_node *launch(struct building *x)
{
    struct kir_kernel *k = x->k;
    int most = rg__kir_param(k, "resident_blocks", RG_I32), bx = rg__kir_index(k, "bx", RG_I32),
        tx = rg__kir_index(k, "tx", RG_I32);
    k->symbols[most].pass = "resident_blocks"; /* the plan's word */
    k->symbols[most].positive = true;
    struct kir_node *grid = rg__kir_for(k, KIR_GRID_X, bx,
                                        rg__kir_min(k, rg__kir_int(k, x->v->grid), rg__kir_name(k, most))),
                    *threads = rg__kir_for(k, KIR_BLOCK_X, tx, rg__kir_int(k, x->v->block));
    rg__kir_add_to(k, rg__kir_body(grid), threads);
    k->body = grid;
    x->bx = rg__kir_name(k, bx);
    x->tx = rg__kir_name(k, tx);
    return rg__kir_body(threads);
}

struct kir_kernel *rg__poly_resident_kernel(const struct poly_program *p, const struct poly_hnode *h,
                                            const struct poly_phase *phases, const struct poly_values *v,
                                            const char *name, struct rg_arena *arena, struct rg_reason *why)
{
    const struct rg_ctree *t = p->scop->tree;
    struct poly_kernel own = {.form = POLY_BLOCK, .reduce_loop = -1, .partner = -1, .otherwise = -1};
    struct poly_knode nothing = {.kind = KN_SEQ};
    int first = 0;
    while (p->kernels[first].region != h->region) first++;
    const struct poly_kernel *some = &p->kernels[first];
    while (own.n_host < some->n_host && some->host[own.n_host] != h->loop) {
        own.host[own.n_host] = some->host[own.n_host];
        own.n_host++;
    }
    own.body = &nothing;
    snprintf(own.name, sizeof own.name, "%s", name);
    struct building x = {.p = p, .phases = phases, .v = v, .n = t->n_arrays + t->n_vars + p->n_kernels + 1};
    if (!(x.k = rg__poly_kir_new(p, &own, arena, &x.names))) {
        rg__poly_no_form(x.names, why, "a buffer has no form in kernel IR");
        return NULL;
    }
    x.array = unknown(arena, t->n_arrays);
    x.scalar = unknown(arena, t->n_vars);
    x.part = unknown(arena, p->n_kernels * 16);
    x.now = places_new(x.n);
    bool ok = node(&x, launch(&x), h);
    places_free(&x.now);
    if (!ok) {
        rg__poly_no_form(x.names, why, "a phase has no form in kernel IR");
        return NULL;
    }
    x.k->name = rg_arena_strdup(arena, name);
    x.k->resident = true;
    x.k->heading = rg_arena_printf(arena,
                                   "grid.sync: the launches of loop %s as phases of one cooperative launch, which "
                                   "meets where a phase needs what another did",
                                   p->scop->loops[h->loop].name);
    rg__kir_finish(x.k);
    for (int i = 0; i < x.k->n_symbols; i++) { /* nobody else's pointer writes there: of what no phase writes */
        struct kir_symbol *s = &x.k->symbols[i];
        s->alone = s->kind == KIR_BUFFER && !s->written && !p->scop->problem->may_alias;
    }
    return rg__poly_kir_verified(x.k, why) ? x.k : NULL;
}
