/* Which tunables a state has open, and their domains. Kernels share them by name. */
#include "poly/edit.h"
#include <string.h>

static void add(struct rg_arena *a, struct rg_tunables *t, const char *name, int64_t start, const int64_t *values, int n)
{
    if (t->n == RG_MAX_TUNABLES)
        return;
    struct rg_tunable *x = &t->items[t->n++];
    x->name = name;
    x->n_values = n;
    x->values = rg_arena_alloc(a, sizeof *x->values * (size_t)n);
    memcpy(x->values, values, sizeof *x->values * (size_t)n);
    x->start = start;
}

static void require(struct rg_arena *a, struct rg_tunables *t, const char *text)
{
    const struct rg_expr *e;
    if (rg_expr_parse_all(a, text, &e, NULL) == RG_OK)
        t->constraints[t->n_constraints++] = e;
}

#define ADD(name, start, ...)                                             \
    do {                                                                  \
        static const int64_t list[] = {__VA_ARGS__};                      \
        add(a, out, name, start, list, (int)(sizeof list / sizeof *list)); \
    } while (0)

void rg__poly_tunables_of(const struct poly_program *p, const struct poly_edits *e, struct rg_arena *a,
                      struct rg_tunables *out)
{
    memset(out, 0, sizeof *out);
    out->items = rg_arena_alloc(a, sizeof *out->items * RG_MAX_TUNABLES);
    out->constraints = rg_arena_alloc(a, sizeof *out->constraints * 16);
    int dims = 0, most = 0, staged_dims = 0;
    bool threads = false, block = false, coarse = false, staged = false, unrolled = false, stride = false, grid = false,
         bounds = false;
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        if (k->form == POLY_THREADS) {
            threads = true;
            dims = k->n_dims > dims ? k->n_dims : dims;
            coarse = coarse || k->coarsened;
            staged = staged || k->n_staged;
            if (k->n_staged && k->n_dims > staged_dims)
                staged_dims = k->n_dims;
            stride = stride || k->grid_stride;
            if (k->coarsened && k->n_dims > most)
                most = k->n_dims;
        } else if (k->form != POLY_SINGLE) {
            block = true;
            grid = grid || k->form == POLY_PARTIAL || k->form == POLY_PRIVATE;
        }
        unrolled = unrolled || k->unrolled;
        bounds = bounds || k->launch_bounds;
    }
    bool shape = rg__poly_edits_have(e, POLY_EDIT_BLOCK_SHAPE);
    if (threads && dims == 1) {
        if (shape)
            ADD("BX", 256, 32, 64, 128, 256, 512, 1024);
        else
            ADD("BX", 256, 64, 128, 256, 512);
    } else if (threads && dims == 2 && coarse) {
        if (shape)
            ADD("BX", 16, 4, 8, 16, 32, 64);
        else
            ADD("BX", 16, 8, 16, 32);
        if (shape)
            ADD("BY", 16, 2, 4, 8, 16, 32);
        else
            ADD("BY", 16, 4, 8, 16);
    } else if (threads && dims == 2) {
        if (shape)
            ADD("BX", 32, 8, 16, 32, 64, 128, 256, 512);
        else if (staged)
            ADD("BX", 32, 16, 32);
        else
            ADD("BX", 32, 16, 32, 64);
        if (shape)
            ADD("BY", 8, 1, 2, 4, 8, 16, 32);
        else if (staged)
            ADD("BY", 16, 4, 8, 16, 32);
        else
            ADD("BY", 8, 4, 8, 16);
    } else if (threads) {
        ADD("BX", 32, 16, 32, 64);
        ADD("BY", 4, 2, 4, 8);
        if (shape)
            ADD("BZ", 1, 1, 2, 4, 8);
        else
            ADD("BZ", 1, 1, 2, 4);
    }
    if (threads && dims >= 2)
        require(a, out, dims == 3 ? "BX*BY*BZ <= 1024" : "BX*BY <= 1024");
    if (threads && dims >= 2)
        require(a, out, dims == 3 ? "BX*BY*BZ >= 32" : "BX*BY >= 32");
    if (coarse) {
        if (most == 1) {
            ADD("RX", 4, 2, 4, 8);
        } else {
            ADD("RX", 4, 1, 2, 4, 8);
            ADD("RY", 4, 1, 2, 4, 8);
            require(a, out, "RX*RY >= 2");
        }
    }
    if (staged && staged_dims == 1)
        ADD("TILE", 128, 8, 16, 32, 64, 128, 256);
    else if (staged)
        ADD("TILE", 16, 8, 16, 32);
    if (block)
        ADD("BLOCK", 256, 64, 128, 256, 512, 1024);
    if (grid || stride)
        ADD("BLOCKS", 1056, 264, 528, 1056, 2112);
    if (unrolled)
        ADD("U", 4, 2, 4, 8, 16);
    if (bounds)
        ADD("MINB", 1, 1, 2, 3, 4, 6, 8);
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
    out->grid = value(t, v, "BLOCKS", 1056);
    out->unroll = value(t, v, "U", 1);
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
