/* unroll: loops inside threads written out several times. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    bool any = false;
    for (int i = 0; i < p->n_kernels; i++)
        if (rg__poly_knode_has_loop(p->kernels[i].body) || p->kernels[i].grid_stride || p->kernels[i].strides ||
            (p->kernels[i].form == POLY_BLOCK && rg__poly_has_opaque_loop(p->scop, p->kernels[i].body))) {
            p->kernels[i].unrolled = true;
            any = true;
        }
    if (!any) rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel has a loop inside its threads");
    return any;
}

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    if (rg__poly_copies_most(o->p, false) >= 2) return true;
    rg_refuse(why, RG_REFUSE_COST, 0,
              "the bodies of its loops are too long to be repeated: compilers would take seconds for them");
    return false;
}

static bool is_unrolled(const struct poly_kernel *k)
{
    return k->unrolled;
}

/* Copies of a body that the tunables open so far make: at their starts, and at most. Their names behind U, as a
 * product. */
static void copies_of(const struct rg_tunables *t, int64_t *start, int64_t *largest, struct rg_buf *product)
{
    static const char *const names[] = {"RX", "RY", "W", "ITEMS"};
    *start = *largest = 1;
    rg_buf_str(product, "U");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int at = rg_tunables_find(t, names[i]);
        if (at < 0) continue;
        const struct rg_tunable *x = &t->items[at];
        int64_t top = 1;
        for (int v = 0; v < x->n_values; v++) top = x->values[v] > top ? x->values[v] : top;
        *start *= x->start;
        *largest *= top;
        rg_buf_printf(product, "*%s", names[i]);
    }
}

/* As often as the body may be repeated, together with the copies of it that the other tunables make. */
static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    struct rg_buf product = RG_BUF_INIT;
    int64_t start, largest, most = rg__poly_copies_most(o->p, false);
    copies_of(o->open, &start, &largest, &product);
    rg_buf_release(&product);
    *d = (struct poly_domain){.least = 2,
                              .most = most / start < 2    ? 2
                                      : most / start < 64 ? most / start
                                                          : 64,
                              .start = 4,
                              .values = {2, 4, 8, 16}};
    return rg__poly_any_kernel(o->p, is_unrolled);
}

static void require(const struct poly_opening *o, struct rg_arena *a, struct rg_tunables *t)
{
    struct rg_buf product = RG_BUF_INIT;
    int64_t start, largest, most = rg__poly_copies_most(o->p, false);
    copies_of(t, &start, &largest, &product);
    int64_t u = t->items[t->n - 1].start,
            room = most > u * start ? most : u * start; /* the start must be one that is allowed */
    if (largest > 1 && room < 64 * largest) {
        rg_buf_printf(&product, " <= %lld", (long long)room);
        rg__poly_require(a, t, product.data);
    }
    rg_buf_release(&product);
}

static const struct poly_opens opens[] = {
    {.name = "U", .open = open, .require = require},
    {.name = NULL},
};

const struct poly_step rg__poly_step_unroll = {
    POLY_STEP(unroll), .when = POLY_AFTER_START, .apply = apply, .worth = worth, .opens = opens,
};
