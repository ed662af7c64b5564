/* privatise.histogram: every block updates a copy of the bins of its own in shared memory and adds it to the array once
 * at the end. Where the copy may not fit at some size, the plan keeps the kernel with atomics for that case. */
#include "poly/kernel/private_kernel.h"
#include "poly/kernel/thread_code.h"
#include "poly/steps/steps.h"
#include <stdlib.h>
#include <string.h>

static struct kir_kernel *build(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                                struct rg_arena *arena, struct rg_reason *why)
{
    struct poly_private_shape shape = {.block = (int)v->block,
                                       .blocks = v->grid,
                                       .unroll = k->unrolled ? v->unroll : 0,
                                       .min_blocks = rg__poly_min_blocks(k, v, v->block)};
    return rg__poly_private_kernel(p, k, k->kir_data, &shape, arena, why);
}

/* What a kernel has copies of already; NULL: it has none. */
static const struct poly_private *copies(const struct poly_kernel *k)
{
    return k->form == POLY_KIR && k->kir == build ? k->kir_data : NULL;
}

/* How many elements the array has; -1: its parameters say. False: it is not known before the launch. */
static bool elements(const struct rg_carray *c, int64_t *n)
{
    *n = 1;
    for (int d = 0; d < c->n_dims; d++) {
        int64_t v;
        if (!c->dims[d]) return false;
        if (*n >= 0 && (rg_expr_eval(c->dims[d], NULL, &v, NULL) != RG_OK || __builtin_mul_overflow(*n, v, n))) *n = -1;
    }
    return true;
}

static bool suits(struct poly_program *p, const struct poly_kernel *k, int array, struct rg_reason *why)
{
    const struct poly_private *have = copies(k);
    const struct rg_carray *c = &p->scop->tree->arrays[array];
    int64_t n, bytes = (int64_t)rg_scalar_bytes(c->elem), all = 0;
    const int big = rg__poly_big_local(p, k);
    if (big >= 0) {
        rg_refuse(why, RG_REFUSE_SHAPE, 0, "local array %s has a part of a buffer for each thread",
                  p->scop->tree->arrays[big].name);
        return false;
    }
    if (!rg__poly_private_op(p->scop, k, array)) {
        rg_refuse(why, RG_REFUSE_SHAPE, 0, "the kernel does more with %s than update it by one operator", c->name);
        return false;
    }
    if (!elements(c, &n) || c->elem == RG_STRUCT) {
        rg_refuse(why, RG_REFUSE_BOUNDS, 0, "how large %s is, is not known before the launch", c->name);
        return false;
    }
    for (int i = 0; have && i < have->n; i++) {
        const struct rg_carray *o = &p->scop->tree->arrays[have->array[i]];
        int64_t m;
        elements(o, &m);
        all += m > 0 ? m * (int64_t)rg_scalar_bytes(o->elem) : 0;
    }
    if (n > KIR_STATIC_SHARED_BYTES || (n > 0 && n * bytes + all > KIR_STATIC_SHARED_BYTES)) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "%s takes %lld bytes: a copy for each block does not fit its shared memory",
                  c->name, (long long)(n * bytes));
        return false;
    }
    if (have && have->n == POLY_MAX_PRIVATE) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "%d arrays have copies already", POLY_MAX_PRIVATE);
        return false;
    }
    return true;
}

static bool sized(struct poly_program *p, int array)
{
    int64_t n;
    elements(&p->scop->tree->arrays[array], &n);
    return n >= 0;
}

/* Does a kernel scatter into the array? */
static bool scatters(const struct poly_program *p, int array)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS && !p->kernels[i].region && p->kernels[i].atomic[array]) return true;
    return false;
}

/* The kernel with a copy of the array more. False: why it has no form. */
static bool take(struct poly_program *p, int kernel, int array, struct rg_reason *why)
{
    struct poly_kernel *k = &p->kernels[kernel], was = *k;
    int kernels = p->n_kernels;
    struct poly_private *x = rg_arena_alloc(&p->arena, sizeof *x);
    if (copies(k)) *x = *copies(k);
    if (!sized(p, array) && k->otherwise < 0) {
        if (p->n_kernels == POLY_MAX_KERNELS) {
            rg_refuse(why, RG_REFUSE_SPACE, 0, "too many kernels");
            return false;
        }
        p->kernels[p->n_kernels] = *k;
        p->kernels[p->n_kernels].last_resort = true;
        if (copies(k)) /* which has had copies of known size alone so far */
            p->kernels[p->n_kernels].form = POLY_THREADS;
        p->kernels[p->n_kernels].strides = false;
        k->otherwise = p->n_kernels++;
    }
    x->array[x->n++] = array;
    k->form = POLY_KIR;
    k->kir = build;
    k->kir_data = x;
    k->strides = true;
    struct poly_values v = rg__poly_trial;
    if (rg__poly_kir_holds(p, k, &v, why)) return true;
    p->kernels[kernel] = was;
    p->n_kernels = kernels;
    return false;
}

static bool privatise(struct poly_program *p, int array, struct rg_reason *why)
{
    int done = 0, n = p->n_kernels;
    const char *name = p->scop->tree->arrays[array].name;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel updates %s by atomics", name);
    for (int i = 0; i < n; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        bool first = k->form == POLY_THREADS && !k->region;
        if ((first || copies(k)) && !k->last_resort && k->atomic[array] && suits(p, k, array, why))
            done += take(p, i, array, why);
    }
    return done > 0;
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    int array = rg__poly_array_named(p->scop, site);
    if (array < 0) {
        rg_refuse(why, RG_REFUSE_SITE, 0, "there is no array %s", site);
        return false;
    }
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS && p->kernels[i].atomic[array])
            rg__poly_coalesce(p, &p->kernels[i]); /* the axis along which a block's threads step */
    return privatise(p, array, why);
}

static void sites(const struct poly_sites *at)
{
    struct poly_program *p = rg__poly_sites_program(at);
    for (int a = 0; p && a < at->s->tree->n_arrays; a++)
        if (scatters(p, a)) at->fn(at->arg, at->s->tree->arrays[a].name);
    rg__poly_program_free(p);
}

const struct poly_step rg__poly_step_privatise_histogram = {
    POLY_STEP(privatise_histogram),
    .when = POLY_ON_LAUNCHES,
    .traits = RG_TRAIT_SCATTER,
    .apply = apply,
    .sites = sites,
};
