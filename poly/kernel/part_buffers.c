/* Local arrays too large for a thread, or of a size known only at run time, in kernel IR: each thread, or block, has a
 * part of a buffer that the plan makes. */
#include "poly/kernel/point_grid.h"
#include <stdio.h>
#include <string.h>

const char *rg__poly_part_buffer(const struct poly_program *p, int array, struct rg_arena *a)
{
    const char *name = rg_arena_printf(a, "%.80s_mem", p->scop->tree->arrays[array].name);
    while (rg__poly_name_taken(p->scop, name)) name = rg_arena_printf(a, "%s_", name);
    return name;
}

static struct kir_node *wide(struct kir_kernel *k, struct kir_node *n)
{
    return rg__kir_cast(k, RG_LLONG, n);
}

/* Threads that have a part each, in a block. */
static int64_t owners(const struct poly_grid *g)
{
    int64_t n = 1, extent;
    for (int a = 0; a < 3 && g->kernel->form != POLY_BLOCK; a++)
        if (g->side[a] && rg__kir_number(g->k, g->side[a], &extent)) n *= extent;
    return n;
}

/* Which of all the launch's owners this one is. */
static struct kir_node *place(const struct poly_grid *g)
{
    struct kir_kernel *k = g->k;
    struct kir_node *block = NULL, *thread = NULL;
    for (enum kir_loop l = KIR_GRID_Z; l >= KIR_GRID_X; l--) {
        const struct kir_node *loop = rg__kir_loop_of(k, l);
        if (!loop) continue;
        struct kir_node *at = wide(k, rg__kir_name(k, loop->symbol));
        block = block ? rg__kir_add(k, rg__kir_mul(k, block, wide(k, rg__kir_extent(k, l))), at) : at;
    }
    for (int a = 2; a >= 0 && owners(g) > 1; a--) {
        if (!g->side[a]) continue;
        struct kir_node *at = rg__kir_name(k, g->tx[a]);
        thread = thread ? rg__kir_add(k, rg__kir_mul(k, thread, g->side[a]), at) : at;
    }
    block = rg__kir_mul(k, block, rg__kir_int(k, owners(g)));
    return thread ? rg__kir_add(k, block, thread) : block;
}

/* How many there are in the launch. */
static struct kir_node *count(const struct poly_grid *g)
{
    struct kir_node *n = wide(g->k, rg__kir_int(g->k, owners(g)));
    for (enum kir_loop l = KIR_GRID_X; l <= KIR_GRID_Z; l++)
        if (rg__kir_loop_of(g->k, l)) n = rg__kir_mul(g->k, n, wide(g->k, rg__kir_extent(g->k, l)));
    return n;
}

/* How many there are at most, over parameters, whatever the loops around the launch are at. Where blocks share no
 * dimension but a loop, as many as the launch may have. NULL: why. */
static struct kir_node *most(const struct poly_grid *g, int64_t most_blocks)
{
    struct kir_kernel *k = g->k;
    struct kir_node *one = wide(k, rg__kir_int(k, 1)),
                    *all = rg__kir_int(k, !g->kernel->n_dims && most_blocks ? most_blocks
                                          : g->parts                        ? g->parts
                                                                            : 1);
    for (int d = 0; d < g->kernel->n_dims; d++) {
        struct kir_node *n = rg__poly_kir_most_ever(g->p, g->kernel, g->t->names, d, RG_LLONG);
        if (!n) return NULL;
        n = rg__kir_max(k, one, rg__kir_ceil_div(k, n, g->per[g->kernel->axis[d]]));
        all = rg__kir_mul(k, all, most_blocks ? rg__kir_min(k, wide(k, rg__kir_int(k, most_blocks)), n) : n);
    }
    return rg__kir_mul(k, all, rg__kir_int(k, owners(g)));
}

/* Elements of one of them. NULL: why. */
static struct kir_node *elements(const struct poly_grid *g, int array)
{
    const struct kir_symbol *s = &g->k->symbols[g->t->names->buffer[array]];
    struct kir_node *n = wide(g->k, rg__kir_int(g->k, 1));
    for (int d = 0; n && d < s->n_dims; d++) n = s->dims[d] ? rg__kir_mul(g->k, n, wide(g->k, s->dims[d])) : NULL;
    return n;
}

static bool add_part(struct poly_grid *g, struct kir_node *seq, int array, int *at, int64_t most_blocks)
{
    struct kir_kernel *k = g->k;
    int own = g->t->names->buffer[array];
    struct kir_node *size = elements(g, array), *parts = most(g, most_blocks), *none = NULL, *first;
    if (!size || !parts) return false;
    const char *name = rg__poly_part_buffer(g->p, array, k->arena);
    int mem = rg__kir_symbol_as(k, KIR_BUFFER, name, k->symbols[own].type);
    struct kir_symbol *m = &k->symbols[mem], *s = &k->symbols[own];
    m->space = KIR_GLOBAL;
    m->n_dims = 1;
    m->dims[0] = none;
    m->pass = name;
    m->c_type = s->c_type;
    m->alone = s->alone;
    m->scratch = rg__kir_mul(k, size, parts);
    m->several = true;
    s->inside = true;
    s->alone = false;
    s->pass = NULL;
    s->place = 0;
    if (*at < 0) {
        *at = rg__kir_value(k, "part", RG_LLONG);
        rg__kir_add_to(k, seq, rg__kir_let(k, *at, place(g)));
    }
    first = rg__kir_name(k, *at);
    if (g->p->array_interleaved[array]) {
        int apart = rg__kir_value(k, rg_arena_printf(k->arena, "%.80s_n", k->symbols[own].name), RG_LLONG);
        struct kir_node *let = rg__kir_let(k, apart, count(g));
        rg__kir_add_to(k, seq, rg__kir_note(let, "elements alternate"));
        k->symbols[own].apart = rg__kir_name(k, apart);
    } else {
        first = rg__kir_mul(k, first, size);
    }
    struct kir_node *apart = k->symbols[own].apart, *declared = rg__kir_node(k, KIR_VAR, 1 + (apart != NULL));
    declared->symbol = own;
    declared->kid[0] = rg__kir_at(k, mem, 1, first);
    if (apart) declared->kid[1] = apart;
    rg__kir_add_to(k, seq, declared);
    return true;
}

bool rg__poly_part_buffers(struct poly_grid *g, struct kir_node *seq, int64_t most_blocks)
{
    const struct poly_program *p = g->p;
    int at = -1;
    for (int a = 0; a < p->scop->tree->n_arrays; a++) {
        if (!p->array_parts[a] || g->t->names->buffer[a] < 0) continue;
        if (!add_part(g, seq, a, &at, most_blocks)) {
            if (!*g->t->names->why)
                snprintf(g->t->names->why, sizeof g->t->names->why,
                         "local array %s: its size is no expression of the parameters", p->scop->tree->arrays[a].name);
            return false;
        }
    }
    return true;
}
