/* Which tunables a state has open, and their domains: the values that the regraph's step proposes as far as they fit the
 * kernels, else poly's own. Kernels share them by name. */
#include "poly/steps/step.h"
#include <string.h>

enum { MAX_VALUES = 16, WARP = 32, MULTIPROCESSORS = 128 /* of large devices, more or less */ };

/* What a tunable may be here: poly's own values, the limits for others, and whether this state has a start of its own. */
struct domain {
    const char *name;
    const struct poly_step *edit; /* whose step may propose values */
    int64_t start, least, most;
    bool own_start, power;    /* power: of two */
    int64_t values[MAX_VALUES]; /* ends with 0 */
};

/* The first action of that kind; NULL none. Two levels of tiles are register blocking and staging in one;
 * parts and rows open the block's size too. */
static const struct poly_action *opener(const struct poly_actions *e, const struct poly_step *step)
{
    const struct poly_action *first = NULL;
    for (int i = 0; i < e->n; i++) {
        const struct poly_step *k = e->items[i].step;
        bool part = (k == &rg__poly_step_tile_two_level && (step == &rg__poly_step_coarsen_register || step == &rg__poly_step_tile_shared)) ||
                    ((k == &rg__poly_step_reduce_split || k == &rg__poly_step_row_warp) && step == &rg__poly_step_reduce_block) || (k == &rg__poly_step_scan_block && step == &rg__poly_step_reduce_block);
        if ((k == step || part) && (!first || e->items[i].link < first->link))
            first = &e->items[i];
    }
    return first;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

static void add(struct rg_arena *a, struct rg_tunables *t, const struct poly_actions *e, const struct domain *d)
{
    if (t->n == RG_MAX_TUNABLES)
        return;
    const struct poly_action *by = opener(e, d->edit);
    const struct rg_tunable *from = NULL;
    for (int i = 0; by && by->proposed && i < by->proposed->n; i++)
        if (!strcmp(by->proposed->items[i].name, d->name))
            from = &by->proposed->items[i];
    struct rg_tunable *x = &t->items[t->n];
    x->name = d->name;
    x->link = by ? by->link : 0; /* the first action maps the loops, whatever it is */
    x->n_values = 0;
    x->values = rg_arena_alloc(a, sizeof *x->values * (size_t)(from ? from->n_values + MAX_VALUES : MAX_VALUES));
    for (int i = 0; from && i < from->n_values; i++) {
        int64_t v = from->values[i];
        if (v >= d->least && v <= d->most && !(d->power && (v & (v - 1))))
            x->values[x->n_values++] = v;
    }
    bool proposed = x->n_values > 0;
    for (int i = 0; !proposed && i < MAX_VALUES && d->values[i]; i++)
        if (d->values[i] <= d->most || !x->n_values)
            x->values[x->n_values++] = d->values[i];
    int64_t want = proposed && !d->own_start ? from->start : d->start;
    x->start = x->values[0];
    for (int i = 0; i < x->n_values; i++)
        if (distance(x->values[i], want) < distance(x->start, want))
            x->start = x->values[i];
    t->n++;
}

static void require(struct rg_arena *a, struct rg_tunables *t, const char *text)
{
    const struct rg_expr *e;
    if (rg_expr_parse_all(a, text, &e, NULL) == RG_OK)
        t->constraints[t->n_constraints++] = e;
}

/* Only names that are open. */
static bool applies(const struct rg_tunables *t, const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_NAME)
        return rg_tunables_find(t, e->name) >= 0;
    for (int i = 0; i < e->n_args; i++)
        if (!applies(t, e->args[i]))
            return false;
    return true;
}

enum { MAX_CONSTRAINTS = 24 };

static void take_constraints(struct rg_tunables *t, const struct poly_actions *e)
{
    for (int i = 0; i < e->n; i++) {
        const struct rg_tunables *p = e->items[i].proposed;
        for (int k = 0; p && k < p->n_constraints; k++) {
            bool have = false;
            for (int c = 0; c < t->n_constraints; c++)
                have = have || rg_expr_equal(t->constraints[c], p->constraints[k]);
            if (!have && t->n_constraints < MAX_CONSTRAINTS && applies(t, p->constraints[k]))
                t->constraints[t->n_constraints++] = p->constraints[k];
        }
    }
}

/* Threads of a block to begin with: few iterations spread over as many multiprocessors as there are, down to a warp each. A block has as many in kernels
 * over one dimension as in those over two, so the one that takes longest decides. */
static int64_t block_start(const struct poly_program *p, int64_t most)
{
    double points = rg__poly_busiest_points(p);
    while (points > 0 && most > WARP && points / (double)most < MULTIPROCESSORS)
        most /= 2;
    return most;
}

#define ADD(name, edit, least, most, start, ...) \
    add(a, out, e, &(struct domain){name, &rg__poly_step_##edit, start, least, most, false, false, {__VA_ARGS__}})
/* a start of its own: the proposed ones are meant for other shapes */
#define ADD_OWN(name, edit, least, most, start, ...) \
    add(a, out, e, &(struct domain){name, &rg__poly_step_##edit, start, least, most, true, false, {__VA_ARGS__}})
#define ADD_POWER(name, edit, least, most, start, ...) \
    add(a, out, e, &(struct domain){name, &rg__poly_step_##edit, start, least, most, false, true, {__VA_ARGS__}})

/* U: as often as the body may be repeated, together with the copies of it that the other tunables make. */
static void add_unroll(const struct poly_program *p, struct rg_arena *a, struct rg_tunables *out, const struct poly_actions *e)
{
    static const char *const copies[] = {"RX", "RY", "W", "ITEMS"};
    int64_t most = rg__poly_copies_most(p, false), start = 1, largest = 1;
    struct rg_buf product = RG_BUF_INIT;
    rg_buf_str(&product, "U");
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        int at = rg_tunables_find(out, copies[i]);
        if (at < 0)
            continue;
        const struct rg_tunable *x = &out->items[at];
        int64_t top = 1;
        for (int v = 0; v < x->n_values; v++)
            top = x->values[v] > top ? x->values[v] : top;
        start *= x->start;
        largest *= top;
        rg_buf_printf(&product, "*%s", copies[i]);
    }
    int64_t u = most / start < 2 ? 2 : most / start < 64 ? most / start : 64;
    ADD("U", unroll, 2, u, 4, 2, 4, 8, 16);
    const struct rg_tunable *x = &out->items[out->n - 1];
    int64_t room = most > x->start * start ? most : x->start * start; /* the start must be one that is allowed */
    if (largest > 1 && room < 64 * largest) {
        rg_buf_printf(&product, " <= %lld", (long long)room);
        require(a, out, product.data);
    }
    rg_buf_release(&product);
}

void rg__poly_tunables_of(const struct poly_program *p, const struct poly_actions *e, struct rg_arena *a,
                      struct rg_tunables *out)
{
    memset(out, 0, sizeof *out);
    out->items = rg_arena_alloc(a, sizeof *out->items * RG_MAX_TUNABLES);
    out->constraints = rg_arena_alloc(a, sizeof *out->constraints * MAX_CONSTRAINTS);
    int dims = 0, most = 0, staged_dims = 0;
    bool threads = false, block = false, coarse = false, staged = false, unrolled = false, stride = false, grid = false,
         bounds = false, resident = false, phase = false, folded = false, lanes = false, split = false, wide = false, scan = false, items = false, ahead = false;
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        phase = phase || k->region;
        if (k->form == POLY_THREADS) {
            if (k->region) {
                folded = folded || k->n_dims > 1;
            } else {
                threads = true;
                dims = k->n_dims > dims ? k->n_dims : dims;
            }
            coarse = coarse || k->coarsened;
            staged = staged || k->n_staged;
            if (k->n_staged && k->n_dims > staged_dims)
                staged_dims = k->n_dims;
            stride = stride || k->grid_stride;
            if (k->coarsened && k->n_dims > most)
                most = k->n_dims;
        } else if (k->form != POLY_SINGLE && !k->region) {
            block = true;
            grid = grid || (k->form == POLY_PARTIAL && !k->n_dims) || k->form == POLY_PRIVATE;
            scan = scan || k->form == POLY_SCAN_TOTALS;
            lanes = lanes || k->team == POLY_TEAM_WARP;
        }
        items = items || k->n_scans;
        split = split || (k->n_dims && k->partner >= 0);
        wide = wide || k->vectorized || k->wide;
        unrolled = unrolled || k->unrolled;
        ahead = ahead || k->ahead;
        bounds = bounds || k->launch_bounds;
        resident = resident || k->resident;
    }
    if (threads && dims == 1) {
        int64_t start = block_start(p, 256);
        if (rg__poly_actions_have(e, &rg__poly_step_block_shape))
            ADD_OWN("BX", block_shape, 8, 1024, start, 8, 16, 32, 64, 128, 256, 512, 1024);
        else
            ADD("BX", parallelize, 32, 1024, start, 32, 64, 128, 256, 512);
    } else if (threads && rg__poly_actions_have(e, &rg__poly_step_block_shape)) {
        bool small = coarse && dims == 2;
        ADD_OWN("BX", block_shape, 1, 1024, small ? 16 : 32, 4, 8, 16, 32, 64, 128, 256, 512);
        ADD_OWN("BY", block_shape, 1, 1024, small || staged ? 16 : dims == 3 ? 4 : 8, 1, 2, 4, 8, 16, 32);
        if (dims == 3)
            ADD("BZ", block_shape, 1, 64, 1, 1, 2, 4, 8);
    } else if (threads && dims == 2 && coarse) {
        ADD("BX", parallelize, 1, 1024, 16, 8, 16, 32);
        ADD("BY", parallelize, 1, 1024, 16, 4, 8, 16);
    } else if (threads && dims == 2 && staged) {
        ADD("BX", parallelize, 1, 1024, 32, 16, 32);
        ADD("BY", parallelize, 1, 1024, 16, 4, 8, 16, 32);
    } else if (threads && dims == 2) {
        ADD("BX", parallelize, 1, 1024, 32, 16, 32, 64);
        ADD("BY", parallelize, 1, 1024, block_start(p, 256) / 32, 1, 2, 4, 8, 16);
    } else if (threads) {
        ADD("BX", parallelize, 1, 1024, 32, 16, 32, 64);
        ADD("BY", parallelize, 1, 1024, 4, 2, 4, 8);
        ADD("BZ", parallelize, 1, 64, 1, 1, 2, 4);
    }
    if (!threads && folded) /* of the one block that all phases share */
        ADD("BX", resident_grid, 8, 1024, 32, 16, 32, 64, 128);
    if (threads && dims >= 2)
        require(a, out, dims == 3 ? "BX*BY*BZ <= 1024" : "BX*BY <= 1024");
    if (threads && dims >= 2)
        require(a, out, dims == 3 ? "BX*BY*BZ >= 32" : "BX*BY >= 32");
    if (coarse && most == 1) {
        ADD("RX", coarsen_register, 2, 8, 4, 2, 4, 8);
    } else if (coarse) {
        ADD("RX", coarsen_register, 1, 8, 4, 1, 2, 4, 8);
        ADD("RY", coarsen_register, 1, 8, 4, 1, 2, 4, 8);
        require(a, out, "RX*RY >= 2");
    }
    if (staged && staged_dims == 1)
        ADD_OWN("TILE", tile_shared, 8, 256, 128, 8, 16, 32, 64, 128, 256);
    else if (staged)
        ADD("TILE", tile_shared, 8, 32, 16, 8, 16, 32);
    if (phase)
        ADD_POWER("BLOCK", resident_grid, 64, 1024, 512, 64, 128, 256, 512, 1024);
    else if (block && resident)
        ADD_POWER("BLOCK", resident_block, 32, 1024, 512, 32, 64, 128, 256, 512, 1024);
    else if (block)
        ADD_POWER("BLOCK", reduce_block, 64, 1024, 256, 64, 128, 256, 512, 1024);
    if (lanes)
        ADD_POWER("LANES", row_warp, 2, 32, 32, 32, 16, 8, 4);
    if (split)
        ADD("SPLIT", reduce_split, 1, 64, 8, 2, 4, 8, 16, 32);
    if (phase)
        ADD("BLOCKS", resident_grid, 1, 65535, 132, 66, 132, 264, 528);
    else if (stride && rg__poly_actions_have(e, &rg__poly_step_grid_stride))
        ADD("BLOCKS", grid_stride, 1, 65535, 1056, 264, 528, 1056, 2112);
    else if (scan && !grid && !stride) /* the middle launch goes through a piece for each of their warps */
        ADD("BLOCKS", scan_block, 1, 4096, 528, 132, 264, 528, 1056);
    else if (grid || stride)
        ADD("BLOCKS", reduce_block, 1, 65535, 1056, 264, 528, 1056, 2112);
    if (items)
        ADD("ITEMS", scan_block, 1, 32, 2, 1, 2, 4, 8);
    if (wide)
        ADD_POWER("W", vectorize, 2, 4, 4, 4, 2);
    if (unrolled)
        add_unroll(p, a, out, e);
    if (ahead) {
        int64_t copies = rg__poly_copies_most(p, true);
        ADD("AHEAD", prefetch_register, 2, copies < 2 ? 2 : copies < 32 ? copies : 32, 8, 4, 8, 16);
    }
    if (bounds)
        ADD("MINB", launch_bounds, 1, 32, 1, 1, 2, 3, 4, 6, 8);
    take_constraints(out, e);
}

static int64_t value(const struct rg_tunables *t, const struct rg_vector *v, const char *name, int64_t none)
{
    int i = rg_tunables_find(t, name);
    return i >= 0 && i < v->n ? v->values[i] : none;
}

void rg__poly_values_of(const struct rg_tunables *t, const struct rg_vector *v, struct poly_values *out)
{
    out->bx = value(t, v, "BX", 1);
    out->by = value(t, v, "BY", 1);
    out->bz = value(t, v, "BZ", 1);
    out->rx = value(t, v, "RX", 1);
    out->ry = value(t, v, "RY", 1);
    out->tile = value(t, v, "TILE", 16);
    out->block = value(t, v, "BLOCK", 256);
    out->lanes = value(t, v, "LANES", 32);
    out->width = value(t, v, "W", 4);
    out->split = value(t, v, "SPLIT", 8);
    out->items = value(t, v, "ITEMS", 1);
    out->grid = value(t, v, "BLOCKS", 1056);
    out->unroll = value(t, v, "U", 1);
    out->ahead = value(t, v, "AHEAD", 8);
    out->min_blocks = value(t, v, "MINB", 0);
}

static bool fits(const struct poly_program *p, const struct rg_tunables *t, const struct rg_vector *v)
{
    struct poly_values x;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    rg__poly_values_of(t, v, &x);
    bool ok = rg_tunables_allow(t, v) && rg__poly_print_program(p, &x, &cuda, &plan, NULL) == RG_OK;
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    return ok;
}

/* The default must be one that fits: what is largest and matters least shrinks first. */
bool rg__poly_tunables_settle(const struct poly_program *p, struct rg_tunables *t)
{
    static const char *const order[] = {"TILE", "RX", "RY", "BX", "BY", "BZ"};
    struct rg_vector v;
    for (int round = 0; round < 24; round++) {
        rg_tunables_default(t, &v);
        if (fits(p, t, &v))
            return true;
        int n = (int)(sizeof order / sizeof *order), tried = 0;
        for (; tried < n; tried++) {
            int i = rg_tunables_find(t, order[(round + tried) % n]);
            if (i < 0)
                continue;
            int64_t next = 0;
            for (int j = 0; j < t->items[i].n_values; j++)
                if (t->items[i].values[j] < t->items[i].start && t->items[i].values[j] > next)
                    next = t->items[i].values[j];
            if (!next)
                continue;
            int64_t before = t->items[i].start;
            t->items[i].start = next;
            rg_tunables_default(t, &v);
            if (rg_tunables_allow(t, &v))
                break;
            t->items[i].start = before;
        }
        if (tried == n)
            return false;
    }
    return false;
}
