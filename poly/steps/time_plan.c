/* Several iterations of a time loop around stencils a launch: the plan. A kernel takes the place of all that the loop
 * launched; the loop goes in steps of STEPS; an array whose new values other blocks may still need the old ones of gets
 * a buffer beside it, and both change places behind each launch. */
#include "poly/steps/overlapped_tile.h"
#include "poly/steps/steps.h"
#include <string.h>

#define MOST_BYTES ((int64_t)4 << 30) /* of an array that gets another one beside it */

const struct poly_time_tile *rg__poly_time_tile_of(const struct poly_program *p, poly_kir_build *build)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_KIR && p->kernels[i].kir == build) return p->kernels[i].kir_data;
    return NULL;
}

/* ---- the plan ---- */

static bool name_taken(const struct poly_scop *s, const char *name)
{
    for (int v = 0; v < s->tree->n_vars; v++)
        if (!strcmp(s->tree->vars[v].name, name)) return true;
    for (int h = 0; h < s->tree->n_helpers; h++)
        if (!strcmp(s->tree->helpers[h].name, name)) return true;
    return rg__poly_array_named(s, name) >= 0 || rg_problem_param(s->problem, name) >= 0;
}

static void give_next(struct poly_program *p, int array)
{
    if (!p->next) p->next = rg_arena_alloc(&p->arena, sizeof *p->next * (size_t)(p->scop->tree->n_arrays + 1));
    const char *name = rg_arena_printf(&p->arena, "%s_next", p->scop->tree->arrays[array].name);
    while (name_taken(p->scop, name)) name = rg_arena_printf(&p->arena, "%s_", name);
    p->next[array] = name;
}

static struct poly_hnode *node(struct poly_program *p, enum poly_hnode_kind kind)
{
    struct poly_hnode *h = rg_arena_alloc(&p->arena, sizeof *h);
    h->kind = kind;
    h->loop = h->kernel = -1;
    return h;
}

static int first_kernel(const struct poly_hnode *h)
{
    int k = h->kind == HN_KERNEL ? h->kernel : -1;
    for (int i = 0; i < h->n && k < 0; i++) k = first_kernel(h->kid[i]);
    return k;
}

/* The kernel in place of all that the loop launched, and what changes places behind it. */
static void settle(struct poly_program *p, struct poly_hnode *h, const struct poly_time_tile *tile,
                   const struct poly_time_way *way)
{
    const struct poly_stencil *st = &tile->stencil;
    int at = first_kernel(h);
    struct poly_kernel *k = &p->kernels[at], old = *k;
    *k = (struct poly_kernel){.form = POLY_KIR,
                              .reduce_loop = -1,
                              .partner = -1,
                              .otherwise = -1,
                              .kir = way->build,
                              .draft = way->draft,
                              .kir_data = tile};
    while (k->n_host < old.n_host && (!k->n_host || old.host[k->n_host - 1] != h->loop)) {
        k->host[k->n_host] = old.host[k->n_host];
        k->n_host++;
    }
    k->atomic = rg_arena_alloc(&p->arena, (size_t)p->scop->tree->n_arrays + 1);
    k->body = rg__poly_knode_body(p, p->scop->loops[h->loop].node->kid[2]);
    rg__poly_prepend_recomputed(p, k);
    h->strip = true;
    h->n = 0;
    h->cap = 1 + st->n_arrays;
    h->kid = rg_arena_alloc(&p->arena, sizeof *h->kid * (size_t)h->cap);
    h->kid[h->n] = node(p, HN_KERNEL);
    h->kid[h->n++]->kernel = at;
    for (int a = 0; a < st->n_arrays; a++) {
        if (!rg__poly_stencil_moves(&st->array[a])) continue;
        give_next(p, st->array[a].array);
        h->kid[h->n] = node(p, HN_SWAP);
        h->kid[h->n++]->swapped = st->array[a].array;
    }
}

/* ---- legality ---- */

static bool fits_twice(const struct poly_program *p, const struct poly_stencil *st, struct rg_reason *why)
{
    const struct rg_problem *prob = p->scop->problem;
    for (int a = 0; a < st->n_arrays; a++)
        for (int i = 0; i < prob->n_sizes; i++) {
            const struct rg_carray *c = &p->scop->tree->arrays[st->array[a].array];
            struct rg_problem_env env;
            int64_t bytes = (int64_t)rg_scalar_bytes(c->elem), v;
            rg_problem_env_init(&env, prob, &prob->sizes[i]);
            for (int d = 0; d < c->n_dims; d++)
                if (rg_expr_eval(c->dims[d], &env.env, &v, NULL) != RG_OK ||
                    __builtin_mul_overflow(bytes, v > 1 ? v : 1, &bytes) || bytes > MOST_BYTES) {
                    rg_refuse(why, RG_REFUSE_SPACE, 0, "%s is too large to have another one beside it", c->name);
                    return false;
                }
        }
    return true;
}

static bool take(struct poly_program *p, struct poly_hnode *h, const struct poly_time_way *way, struct rg_reason *why)
{
    const struct poly_loop *l = &p->scop->loops[h->loop];
    const char *file = p->scop->problem->file ? p->scop->problem->file : "?";
    struct poly_time_tile *tile = rg_arena_alloc(&p->arena, sizeof *tile);
    struct poly_stencil *st = &tile->stencil;
    int first = first_kernel(h);
    if (h->region || (first >= 0 && p->kernels[first].region)) {
        rg_refuse(why, RG_REFUSE_ALREADY, l->node->line,
                  "the launches of loop %s (%s:%d) are phases of one kernel already", l->name, file, l->node->line);
        return false;
    }
    bool can = first >= 0 && rg__poly_stencil_of(p->scop, h->loop, st, why) && (!way->suits || way->suits(st, why)) &&
               fits_twice(p, st, why);
    if (can) settle(p, h, tile, way);
    return can;
}

static int each_loop(struct poly_program *p, struct poly_hnode *h, const struct poly_time_way *way, const char *name,
                     struct rg_reason *why)
{
    int n = 0;
    if (h->kind == HN_FOR && !h->strip && (!name || !strcmp(p->scop->loops[h->loop].name, name)))
        n = take(p, h, way, why);
    for (int i = 0; i < h->n && !n && !h->strip; i++) n += each_loop(p, h->kid[i], way, name, why);
    return n;
}

bool rg__poly_time_apply(struct poly_program *p, const char *site, const struct poly_time_way *way,
                         struct rg_reason *why)
{
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : NULL;
    int n = 0;
    rg_refuse(why, RG_REFUSE_SITE, 0, "the plan has no loop%s%s", name ? " " : "", name ? name : "");
    while (each_loop(p, p->root, way, name, why)) n++;
    if (!n) return false;
    rg__poly_sweep_kernels(p);
    rg__poly_assign_homes(p);
    return true;
}

/* ---- sites ---- */

static int loops_of(const struct poly_hnode *h, int *out, int n)
{
    if (h->kind == HN_FOR && n < POLY_MAX_LOOPS) out[n++] = h->loop;
    for (int i = 0; i < h->n; i++) n = loops_of(h->kid[i], out, n);
    return n;
}

void rg__poly_time_sites(const struct poly_sites *at)
{
    struct poly_program *p = rg__poly_sites_program(at);
    int loops[POLY_MAX_LOOPS], n = p ? loops_of(p->root, loops, 0) : 0;
    if (n > 1) at->fn(at->arg, "C");
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again = again || !strcmp(p->scop->loops[loops[i]].name, p->scop->loops[loops[j]].name);
        if (!again) rg__poly_site_loop(at, p->scop, loops[i]);
    }
    rg__poly_program_free(p);
}
