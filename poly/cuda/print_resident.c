/* grid.sync in print: the launches of a plan's loop as phases of one cooperative kernel. A phase's code is that of the
 * kernel it was, with the blocks of its launch dealt out to those that are resident; the grid meets where one phase
 * needs what another one did. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

/* What has been touched since the grid last met: arrays, scalars in buffers, partial results. */
struct places {
    bool *read, *written;
};

struct printing {
    struct poly_planning *pl;
    struct poly_print *pr; /* the cooperative kernel's own */
    int region, n;
    struct places now;
    const char *grid, *block, *blocks; /* names */
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

static void phase_places(const struct printing *x, int kernel, struct places *p)
{
    const struct poly_print *k = &x->pl->prints[kernel];
    int na = k->t->n_arrays, nv = k->t->n_vars;
    for (int a = 0; a < na; a++) {
        p->read[a] |= k->array_used[a];
        p->written[a] |= k->array_used[a] && k->array_written[a];
    }
    for (int v = 0; v < nv; v++) {
        p->read[na + v] |= k->scalar_mem[v];
        p->written[na + v] |= k->scalar_mem[v] && k->scalar_mem_written[v];
    }
    if (k->k->form == POLY_PARTIAL) p->written[na + nv + kernel] = true;
    if (k->k->form == POLY_FINAL) p->read[na + nv + k->k->partner] = true;
}

static const struct rg_cnode *flag_of(const struct poly_scop *s, const struct poly_hnode *h)
{
    const struct rg_cnode *e = h->kind == HN_IF                                     ? h->node->kid[0]
                               : h->kind == HN_FOR && s->loops[h->loop].node->n > 3 ? s->loops[h->loop].node->kid[3]
                                                                                    : NULL;
    return e && rg__poly_plan_flag(s, e) ? e : NULL;
}

static void node_places(const struct printing *x, const struct poly_hnode *h, struct places *p)
{
    const struct rg_cnode *flag = flag_of(x->pr->s, h);
    if (h->kind == HN_KERNEL) phase_places(x, h->kernel, p);
    if (flag) p->read[x->pr->t->n_arrays + flag->var] = true;
    for (int i = 0; i < h->n; i++) node_places(x, h->kid[i], p);
}

static void meet(struct printing *x)
{
    rg__poly_line(x->pr, "%s.sync();", x->grid);
    memset(x->now.read, 0, (size_t)x->n);
    memset(x->now.written, 0, (size_t)x->n);
}

static void enter(struct printing *x, const struct places *p)
{
    if (clash(&x->now, p, x->n)) meet(x);
    places_add(&x->now, p, x->n);
}

/* How many blocks the phase's launch would have; NULL: one. */
static const char *phase_blocks(struct poly_print *pr)
{
    const struct poly_kernel *k = pr->k;
    if (k->form == POLY_PARTIAL) return rg__poly_partial_blocks(pr);
    if (!k->n_dims) return NULL;
    const char *all = NULL;
    for (int d = 0; d < k->n_dims; d++) {
        const char *n = rg__poly_dim_count(pr, k->dims[d], false);
        int64_t per = rg__poly_per_block(&pr->tiling, k->axis[d]);
        n = per == 1 ? rg__poly_printf(pr, "((%s) > 0 ? (unsigned)(%s) : 0u)", n, n)
                     : rg__poly_printf(pr, "((%s) > 0 ? ((unsigned)(%s) + %lld) / %lld : 0u)", n, n, (long long)per - 1,
                                       (long long)per);
        all = all ? rg__poly_printf(pr, "%s * %s", all, n) : n;
    }
    if (k->grid_stride && k->n_dims == 1)
        all = rg__poly_printf(pr, "%s < %lld ? %s : %lldu", all, (long long)pr->v.grid, all, (long long)pr->v.grid);
    return all;
}

static void phase(struct printing *x, int kernel)
{
    struct poly_print *pr = x->pr, *k = &x->pl->prints[kernel];
    struct places p = places_new(x->n);
    phase_places(x, kernel, &p);
    enter(x, &p);
    places_free(&p);
    const char *n = phase_blocks(k), *own = "";
    if (k->needs_block) own = rg__poly_printf(pr, "make_uint3(%s, 0, 0), ", n ? x->block : "0");
    if (k->needs_grid) own = rg__poly_printf(pr, "%smake_uint3(%s, 1, 1), ", own, n ? x->blocks : "1");
    if (k->needs_thread && k->k->n_dims == 2)
        own = rg__poly_printf(pr, "%smake_uint3(threadIdx.x %% %lld, threadIdx.x / %lld, 0), ", own,
                              (long long)k->tiling.threads[0], (long long)k->tiling.threads[0]);
    else if (k->needs_thread)
        own =
            rg__poly_printf(pr, "%smake_uint3(threadIdx.x %% %lld, threadIdx.x / %lld %% %lld, threadIdx.x / %lld), ",
                            own, (long long)k->tiling.threads[0], (long long)k->tiling.threads[0],
                            (long long)k->tiling.threads[1], (long long)(k->tiling.threads[0] * k->tiling.threads[1]));
    const char *call = rg__poly_printf(pr, "%s(%s%s);", k->k->name, own, k->inner.len ? k->inner.data : "");
    if (!k->inner.len && *own) /* no comma behind the last */
        call = rg__poly_printf(pr, "%s(%.*s);", k->k->name, (int)strlen(own) - 2, own);
    if (n) {
        rg__poly_open_brace(pr, "for (unsigned %s = blockIdx.x, %s = %s; %s < %s; %s += gridDim.x)", x->block,
                            x->blocks, n, x->block, x->blocks, x->block);
        rg__poly_line(pr, "%s", call);
        if (k->k->form != POLY_THREADS) rg__poly_line(pr, "__syncthreads();"); /* before shared memory is used again */
        rg__poly_close_brace(pr);
    } else {
        rg__poly_line(
            pr, k->k->form == POLY_SINGLE ? "if (blockIdx.x == 0 && threadIdx.x == 0) %s" : "if (blockIdx.x == 0) %s",
            call);
    }
}

static const char *condition(struct printing *x, const struct rg_cnode *e)
{
    return rg__poly_plan_flag(x->pr->s, e) ? rg__poly_printf(x->pr, "%s_mem[0]", x->pr->t->vars[e->var].name)
                                           : rg__poly_text(x->pr, e);
}

static void node(struct printing *x, const struct poly_hnode *h);

static void branches(struct printing *x, const struct poly_hnode *h)
{
    const struct rg_cnode *flag = flag_of(x->pr->s, h);
    struct places p = places_new(x->n), before = places_new(x->n), first = places_new(x->n);
    if (flag) {
        p.read[x->pr->t->n_arrays + flag->var] = true;
        enter(x, &p);
    }
    places_set(&before, &x->now, x->n);
    rg__poly_open_brace(x->pr, "if (%s)", condition(x, h->node->kid[0]));
    node(x, h->kid[0]);
    places_set(&first, &x->now, x->n);
    places_set(&x->now, &before, x->n);
    if (h->n > 1 && h->kid[1]->n) {
        rg_buf_indent(&x->pr->out, x->pr->indent - 1);
        rg_buf_str(&x->pr->out, "} else {\n");
        node(x, h->kid[1]);
    }
    rg__poly_close_brace(x->pr);
    places_add(&x->now, &first, x->n);
    places_add(&x->now, &before, x->n);
    places_free(&p);
    places_free(&before);
    places_free(&first);
}

static void loop(struct printing *x, const struct poly_hnode *h)
{
    struct poly_print *pr = x->pr;
    const struct poly_loop *l = &pr->s->loops[h->loop];
    const struct rg_cnode *flag = flag_of(pr->s, h);
    struct places p = places_new(x->n), before = places_new(x->n);
    node_places(x, h, &p);
    enter(x, &p); /* its own among them: an iteration follows another one */
    places_set(&before, &x->now, x->n);
    int64_t m = l->step > 0 ? l->step : -l->step;
    const char *more = l->node->n > 3 ? rg__poly_printf(pr, " && %s",
                                                        rg__poly_plan_flag(pr->s, l->node->kid[3])
                                                            ? condition(x, l->node->kid[3])
                                                            : rg__poly_conjunct(pr, l->node->kid[3]))
                                      : "";
    rg__poly_open_brace(pr, "for (%s %s = %s; %s %c %s%s; %s %s %lld)", rg__poly_index_type(pr, l->var), l->name,
                        rg__poly_text(pr, l->node->kid[0]), l->name, l->step > 0 ? '<' : '>',
                        rg__poly_operand(pr, l->node->kid[1]), more, l->name, l->step > 0 ? "+=" : "-=", (long long)m);
    for (int i = 0; i < h->n; i++) node(x, h->kid[i]);
    if (flag && x->now.written[pr->t->n_arrays + flag->var]) meet(x); /* the condition reads it next */
    rg__poly_close_brace(pr);
    places_add(&x->now, &before, x->n); /* it may not run at all */
    places_free(&p);
    places_free(&before);
}

static void node(struct printing *x, const struct poly_hnode *h)
{
    switch (h->kind) {
    case HN_SEQ:
        for (int i = 0; i < h->n; i++) node(x, h->kid[i]);
        return;
    case HN_KERNEL:
        phase(x, h->kernel);
        return;
    case HN_IF:
        branches(x, h);
        return;
    case HN_FOR:
        loop(x, h);
        return;
    case HN_SWAP: /* behind a kernel that can be no phase */
        return;
    }
}

/* The phases' needs are the kernel's. */
static void gather(struct printing *x)
{
    struct poly_print *pr = x->pr;
    for (int i = 0; i < x->pl->p->n_kernels; i++) {
        const struct poly_print *k = &x->pl->prints[i];
        if (k->k->region != x->region) continue;
        for (int v = 0; v < pr->t->n_vars; v++) {
            pr->var_used[v] |= k->var_used[v];
            pr->scalar_mem[v] |= k->scalar_mem[v];
            pr->scalar_mem_written[v] |= k->scalar_mem_written[v];
        }
        for (int a = 0; a < pr->t->n_arrays; a++) {
            pr->array_used[a] |= k->array_used[a];
            pr->array_written[a] |= k->array_used[a] && k->array_written[a];
        }
    }
}

static void flags(struct printing *x, const struct poly_hnode *h)
{
    const struct rg_cnode *flag = flag_of(x->pr->s, h);
    if (flag) x->pr->scalar_mem[flag->var] = true;
    for (int i = 0; i < h->n; i++) flags(x, h->kid[i]);
}

void rg__poly_resident_kernel(struct poly_planning *pl, const struct poly_hnode *h, struct rg_buf *cuda,
                              struct rg_buf *plan, int indent)
{
    struct poly_kernel own = {.form = POLY_BLOCK, .reduce_loop = -1, .partner = -1, .otherwise = -1};
    struct poly_knode nothing = {.kind = KN_SEQ};
    int first = 0;
    while (pl->p->kernels[first].region != h->region) first++;
    const struct poly_kernel *k = &pl->p->kernels[first];
    while (own.n_host < k->n_host && k->host[own.n_host] != h->loop) {
        own.host[own.n_host] = k->host[own.n_host];
        own.n_host++;
    }
    own.body = &nothing;
    struct poly_print pr;
    rg__poly_print_init(&pr, pl->p, first, &pl->prints[first].v, pl->prints[first].err);
    memset(pr.array_written, 0, (size_t)pr.t->n_arrays);
    pr.k = &own;
    struct printing x = {
        .pl = pl, .pr = &pr, .region = h->region, .n = pr.t->n_arrays + pr.t->n_vars + pl->p->n_kernels + 1};
    x.now = places_new(x.n);
    x.grid = rg__poly_fresh(&pr, "grid");
    x.block = rg__poly_fresh(&pr, "block");
    x.blocks = rg__poly_fresh(&pr, "blocks");
    node(&x, h);
    gather(&x);
    flags(&x, h);
    struct rg_buf decl = RG_BUF_INIT, pass = RG_BUF_INIT;
    rg__poly_arguments(&pr, &decl, &pass, NULL);
    for (int i = 0; i < pl->p->n_kernels; i++)
        if (pl->p->kernels[i].region == h->region && pl->p->kernels[i].form == POLY_PARTIAL)
            rg__poly_partial_buffers(&pl->prints[i], &decl, &pass);
    struct rg_buf fixed = RG_BUF_INIT;
    rg__poly_fixed_parameters(&pr, &fixed);
    const char *name = rg__poly_fresh(&pr, "%.60s_resident%d", pr.s->problem->function, h->region);
    rg_buf_printf(cuda,
                  "\n// grid.sync: the launches of loop %s as phases of one cooperative launch, which meets where a "
                  "phase needs what another did\n"
                  "__global__ void __launch_bounds__(%lld) %s(%s)\n{\n%s    const cooperative_groups::grid_group %s = "
                  "cooperative_groups::this_grid();\n%s}\n",
                  pr.s->loops[h->loop].name, (long long)pr.v.block, name, decl.data, fixed.data, x.grid, pr.out.data);
    rg_buf_release(&fixed);
    rg_buf_indent(plan, indent);
    rg_buf_printf(plan, "[cooperative] %s<<<min(%lld, resident_blocks), %lld>>>(%s);\n", name, (long long)pr.v.grid,
                  (long long)pr.v.block, pass.data);
    rg_buf_release(&decl);
    rg_buf_release(&pass);
    places_free(&x.now);
    rg__poly_print_release(&pr);
}
