/* Loops of the plan that move into a kernel. resident.block: into one of one block; where each launch has little to do,
 * what counts is the way from one to the next, and a barrier of a block takes some 30 ns, a launch a microsecond or
 * more. grid.sync: into a cooperative one, whose blocks are all there at once and meet between the phases that the
 * launches were. */
#include "poly/kernel/mechanisms.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_POINTS = 65536,
    LEAST_POINTS = 512,
    BLOCK_POINTS = 256
}; /* of a launch that a block takes over; what a point that is a block counts for */

int rg__poly_plan_loops(struct poly_hnode *h, struct poly_hnode **out, int n, int cap)
{
    if (h->kind == HN_FOR) {
        if (n < cap && !h->region) out[n++] = h;
        return n;
    }
    for (int i = 0; i < h->n; i++) n = rg__poly_plan_loops(h->kid[i], out, n, cap);
    return n;
}

/* Points of a kernel at the timed size; -1 unknown. */
static double points(const struct poly_program *p, int kernel)
{
    const struct poly_kernel *k = &p->kernels[kernel];
    double n;
    return rg__poly_timed_points(p, k, &n) ? n * (k->form == POLY_BLOCK ? BLOCK_POINTS : 1) : -1;
}

struct region {
    int n, kernel[POLY_MAX_KERNELS]; /* in order of their launches */
};

static void collect(const struct poly_hnode *h, struct region *r)
{
    if (h->kind == HN_KERNEL && r->n < POLY_MAX_KERNELS) r->kernel[r->n++] = h->kernel;
    for (int i = 0; i < h->n; i++) collect(h->kid[i], r);
}

static bool small_enough(const struct poly_program *p, const struct region *r, struct rg_reason *why)
{
    for (int i = 0; i < r->n; i++) {
        const struct poly_kernel *k = &p->kernels[r->kernel[i]];
        double n = points(p, r->kernel[i]);
        if (n <= MOST_POINTS) continue;
        const char *loop = p->scop->loops[k->dims[0]].name;
        rg_refuse(why, RG_REFUSE_SPACE, 0,
                  "a launch over loop %s has %.0f points at the first size: too much for one block", loop, n);
        return false;
    }
    return true;
}

/* Phases have the threads of one block in a row and no shared memory of their own. */
static bool may_be_phase(const struct poly_program *p, const struct poly_kernel *k, struct rg_reason *why)
{
    const char *loop = k->n_dims             ? p->scop->loops[k->dims[0]].name
                       : k->reduce_loop >= 0 ? p->scop->loops[k->reduce_loop].name
                                             : "";
    bool split = k->n_dims && k->partner >= 0, plain = k->form == POLY_THREADS || k->form == POLY_SINGLE ||
                                                       k->form == POLY_BLOCK || k->form == POLY_PARTIAL ||
                                                       k->form == POLY_FINAL;
    if (plain && !split && k->team == POLY_TEAM_BLOCK && !k->n_staged) return true;
    rg_refuse(why, RG_REFUSE_SHAPE, 0,
              k->n_staged || k->strides
                  ? "the launch over loop %s has copies in shared memory: there is one of that for all phases"
                  : "the launch over loop %s has blocks of another shape than phases share",
              loop);
    return false;
}

bool rg__poly_phases_ok(const struct poly_program *p, struct rg_reason *why)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].region && !may_be_phase(p, &p->kernels[i], why)) return false;
    return true;
}

static bool may_be_phases(const struct poly_program *p, const struct region *r, struct rg_reason *why)
{
    for (int i = 0; i < r->n; i++)
        if (!may_be_phase(p, &p->kernels[r->kernel[i]], why)) return false;
    return true;
}

static void rename_kernels(struct poly_hnode *h, const int *to)
{
    if (h->kind == HN_KERNEL) h->kernel = to[h->kernel];
    for (int i = 0; i < h->n; i++) rename_kernels(h->kid[i], to);
}

void rg__poly_sweep_kernels(struct poly_program *p)
{
    int to[POLY_MAX_KERNELS], n = 0;
    bool used[POLY_MAX_KERNELS] = {false};
    struct region r = {0};
    collect(p->root, &r);
    for (int i = 0; i < r.n; i++)
        for (int k = r.kernel[i]; k >= 0 && !used[k]; k = p->kernels[k].otherwise) used[k] = true;
    for (int i = 0; i < p->n_kernels; i++) to[i] = used[i] ? n++ : -1;
    for (int i = 0; i < p->n_kernels; i++) {
        if (!used[i]) continue;
        struct poly_kernel *k = &p->kernels[to[i]];
        if (to[i] != i) *k = p->kernels[i];
        k->partner = k->partner >= 0 ? to[k->partner] : -1;
        k->otherwise = k->otherwise >= 0 ? to[k->otherwise] : -1;
    }
    p->n_kernels = n;
    rename_kernels(p->root, to);
}

/* The loop as the body of the region's first kernel. */
static struct poly_kernel inside(struct poly_program *p, const struct poly_hnode *h, const struct region *r,
                                 enum poly_form form)
{
    struct poly_kernel k = {
        .form = form, .reduce_loop = -1, .partner = -1, .otherwise = -1, .resident = form == POLY_BLOCK};
    const struct poly_kernel *first = &p->kernels[r->kernel[0]];
    while (k.n_host < first->n_host && first->host[k.n_host] != h->loop) {
        k.host[k.n_host] = first->host[k.n_host];
        k.n_host++;
    }
    struct poly_knode *loop = rg__poly_knode_of(p, p->scop->loops[h->loop].node);
    k.body = rg__poly_knode_seq(p, &loop, 1);
    k.atomic = rg_arena_alloc(&p->arena, (size_t)p->scop->tree->n_arrays + 1);
    rg__poly_prepend_recomputed(p, &k);
    return k;
}

static void settle(struct poly_program *p, struct poly_hnode *h, const struct region *r, const struct poly_kernel *k)
{
    p->kernels[r->kernel[0]] = *k;
    h->kind = HN_KERNEL;
    h->kernel = r->kernel[0];
    h->loop = -1;
    h->n = 0;
}

static bool as_block(struct poly_program *p, struct poly_hnode *h, const struct region *r, struct rg_reason *why)
{
    struct poly_kernel k = inside(p, h, r, POLY_BLOCK);
    if (!rg__poly_block_ok(p, &k, why)) return false;
    settle(p, h, r, &k);
    return true;
}

static bool as_small_block(struct poly_program *p, struct poly_hnode *h, const struct region *r, struct rg_reason *why)
{
    return small_enough(p, r, why) && as_block(p, h, r, why);
}

/* Every outermost loop of the plan that the site means, which `take` may refuse; how many it took. */
static int each_loop(struct poly_program *p, const char *site,
                     bool (*take)(struct poly_program *p, struct poly_hnode *h, const struct region *r,
                                  struct rg_reason *why),
                     struct rg_reason *why)
{
    struct poly_hnode *loops[POLY_MAX_KERNELS];
    int n = rg__poly_plan_loops(p->root, loops, 0, POLY_MAX_KERNELS), done = 0;
    bool all = strcmp(site, "C") == 0;
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : "";
    rg_refuse(why, RG_REFUSE_SITE, 0, all || !*name ? "the plan has no loop" : "the plan has no loop %s", name);
    for (int i = 0; i < n; i++) {
        struct region r = {0};
        if (!all && strcmp(p->scop->loops[loops[i]->loop].name, name) != 0) continue;
        collect(loops[i], &r);
        done += r.n && take(p, loops[i], &r, why);
    }
    return done;
}

bool rg__poly_resident_block(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!each_loop(p, site, as_small_block, why)) return false;
    rg__poly_sweep_kernels(p);
    rg__poly_assign_homes(p);
    return true;
}

static bool as_phases(struct poly_program *p, struct poly_hnode *h, const struct region *r, struct rg_reason *why)
{
    int region = 1;
    if (!may_be_phases(p, r, why)) return false;
    for (int i = 0; i < p->n_kernels; i++) region = p->kernels[i].region >= region ? p->kernels[i].region + 1 : region;
    for (int i = 0; i < r->n; i++) p->kernels[r->kernel[i]].region = region;
    h->region = region;
    return true;
}

/* Fewer points than a few blocks have threads are no work for a grid. */
static bool as_wide_phases(struct poly_program *p, struct poly_hnode *h, const struct region *r, struct rg_reason *why)
{
    double most = 0;
    bool known = true;
    for (int i = 0; i < r->n; i++) {
        double n = points(p, r->kernel[i]);
        known = known && n >= 0 && p->kernels[r->kernel[i]].reduce_loop < 0; /* a reduction is as wide as it is long */
        most = fmax(most, n);
    }
    if (known && most < LEAST_POINTS) {
        rg_refuse(
            why, RG_REFUSE_SHAPE, 0,
            "no launch of the loop has more than %.0f points at the first size: one block is enough (resident.block)",
            most);
        return false;
    }
    return as_phases(p, h, r, why);
}

bool rg__poly_resident_grid(struct poly_program *p, const char *site, struct rg_reason *why)
{
    return each_loop(p, site, as_wide_phases, why) > 0;
}

/* What no kernel can be made of is one thread's. */
static void move_inside(struct poly_program *p, struct poly_hnode *h)
{
    struct region r = {0};
    struct rg_reason why = {0};
    collect(h, &r);
    /* a grid that waits for itself at every pass pays where a pass is more than a block's work */
    bool small = small_enough(p, &r, &why);
    if ((!small && as_phases(p, h, &r, &why)) || as_block(p, h, &r, &why)) return;
    struct poly_kernel k = inside(p, h, &r, POLY_SINGLE);
    settle(p, h, &r, &k);
}

/* Did anything move? */
static bool limit(struct poly_program *p, struct poly_hnode *h, int *host, int n, double passes)
{
    bool moved = false;
    if (h->kind == HN_FOR) {
        host[n++] = h->loop;
        if (rg__poly_passes(p->scop, host, n) > passes) {
            move_inside(p, h);
            return true;
        }
    }
    for (int i = 0; i < h->n; i++) moved = limit(p, h->kid[i], host, n, passes) || moved;
    return moved;
}

void rg__poly_limit_launches(struct poly_program *p, double passes)
{
    int host[POLY_MAX_DEPTH];
    if (!limit(p, p->root, host, 0, passes)) return;
    rg__poly_sweep_kernels(p);
    rg__poly_assign_homes(p);
}
