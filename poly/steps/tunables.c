/* Which tunables a state has open, and their domains: the values that the regraph's step proposes as far as they fit
 * the kernels, else those of the step of ours that opens it. Kernels share them by name. */
#include "poly/steps/steps.h"
#include <stddef.h>
#include <string.h>

enum { MAX_CONSTRAINTS = 24 };

/* In the order in which they are listed; what a kernel gets where one is not open. */
static const struct {
    const char *name;
    size_t at;
    int64_t closed;
} members[] = {
    {"BX", offsetof(struct poly_values, bx), 1},          {"BY", offsetof(struct poly_values, by), 1},
    {"BZ", offsetof(struct poly_values, bz), 1},          {"RX", offsetof(struct poly_values, rx), 1},
    {"RY", offsetof(struct poly_values, ry), 1},          {"RZ", offsetof(struct poly_values, rz), 1},
    {"STEPS", offsetof(struct poly_values, steps), 1},    {"TILE", offsetof(struct poly_values, tile), 16},
    {"BLOCK", offsetof(struct poly_values, block), 256},  {"LANES", offsetof(struct poly_values, lanes), 32},
    {"ROW", offsetof(struct poly_values, row), 32},       {"HELD", offsetof(struct poly_values, held), 1},
    {"ROWS", offsetof(struct poly_values, rows), 1},      {"SPLIT", offsetof(struct poly_values, split), 8},
    {"BLOCKS", offsetof(struct poly_values, grid), 1056}, {"ITEMS", offsetof(struct poly_values, items), 1},
    {"W", offsetof(struct poly_values, width), 4},        {"U", offsetof(struct poly_values, unroll), 1},
    {"AHEAD", offsetof(struct poly_values, ahead), 8},    {"MINB", offsetof(struct poly_values, min_blocks), 0},
};
enum { N_MEMBERS = sizeof members / sizeof *members };

/* May the step's action propose values for what `owner` opens? */
static bool speaks_for(const struct poly_step *step, const struct poly_step *owner)
{
    bool it = step == owner;
    for (const struct poly_step *const *as = step->opens_as; as && *as && !it; as++) it = *as == owner;
    return it;
}

/* The first such action of the chain; NULL none. */
static const struct poly_action *opener(const struct poly_actions *taken, const struct poly_step *owner)
{
    const struct poly_action *first = NULL;
    for (int i = 0; i < taken->n; i++)
        if (speaks_for(taken->items[i].step, owner) && (!first || taken->items[i].link < first->link))
            first = &taken->items[i];
    return first;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

static void add(struct rg_arena *a, struct rg_tunables *t, const struct poly_actions *taken, const char *name,
                const struct poly_step *owner, const struct poly_domain *d)
{
    if (t->n == RG_MAX_TUNABLES) return;
    const struct poly_action *by = opener(taken, owner);
    const struct rg_tunable *from = NULL;
    for (int i = 0; by && by->proposed && i < by->proposed->n; i++)
        if (!strcmp(by->proposed->items[i].name, name)) from = &by->proposed->items[i];
    struct rg_tunable *x = &t->items[t->n];
    x->name = name;
    x->link = by ? by->link : 0; /* the first action maps the loops, whatever it is */
    x->n_values = 0;
    x->values = rg_arena_alloc(a, sizeof *x->values * (size_t)(POLY_MAX_DOMAIN + (from ? from->n_values : 0)));
    for (int i = 0; from && i < from->n_values; i++) {
        int64_t v = from->values[i];
        if (v >= d->least && v <= d->most && !(d->power && (v & (v - 1)))) x->values[x->n_values++] = v;
    }
    bool proposed = x->n_values > 0;
    for (int i = 0; !proposed && i < POLY_MAX_DOMAIN && d->values[i]; i++)
        if (d->values[i] <= d->most || !x->n_values) x->values[x->n_values++] = d->values[i];
    int64_t want = proposed && !d->own_start ? from->start : d->start;
    x->start = x->values[0];
    for (int i = 0; i < x->n_values; i++)
        if (distance(x->values[i], want) < distance(x->start, want)) x->start = x->values[i];
    t->n++;
}

void rg__poly_require(struct rg_arena *a, struct rg_tunables *t, const char *text)
{
    const struct rg_expr *e;
    if (t->n_constraints < MAX_CONSTRAINTS && rg_expr_parse_all(a, text, &e, NULL) == RG_OK)
        t->constraints[t->n_constraints++] = e;
}

/* Only names that are open. */
static bool applies(const struct rg_tunables *t, const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_NAME) return rg_tunables_find(t, e->name) >= 0;
    for (int i = 0; i < e->n_args; i++)
        if (!applies(t, e->args[i])) return false;
    return true;
}

static void take_constraints(struct rg_tunables *t, const struct poly_actions *taken)
{
    for (int i = 0; i < taken->n; i++) {
        const struct rg_tunables *p = taken->items[i].proposed;
        for (int k = 0; p && k < p->n_constraints; k++) {
            bool have = false;
            for (int c = 0; c < t->n_constraints; c++)
                have = have || rg_expr_equal(t->constraints[c], p->constraints[k]);
            if (!have && t->n_constraints < MAX_CONSTRAINTS && applies(t, p->constraints[k]))
                t->constraints[t->n_constraints++] = p->constraints[k];
        }
    }
}

bool rg__poly_any_kernel(const struct poly_program *p, bool (*is)(const struct poly_kernel *k))
{
    for (int i = 0; i < p->n_kernels; i++)
        if (is(&p->kernels[i])) return true;
    return false;
}

/* The domain that the last of the steps gives the tunable at this state; false: it is not open. */
static bool domain_of(const struct poly_opening *o, const struct poly_step *const *steps, const char *name,
                      struct poly_domain *d, const struct poly_step **owner, const struct poly_opens **how)
{
    *owner = NULL;
    for (int i = 0; i < POLY_N_STEPS; i++)
        for (const struct poly_opens *x = steps[i]->opens; x && x->name; x++) {
            struct poly_domain next = {0};
            if (strcmp(x->name, name) != 0 || !x->open(o, &next)) continue;
            *d = next;
            *owner = steps[i];
            *how = x;
        }
    return *owner != NULL;
}

void rg__poly_tunables_of(const struct poly_program *p, const struct poly_actions *taken,
                          const struct poly_step *const *steps, struct rg_arena *a, struct rg_tunables *out)
{
    memset(out, 0, sizeof *out);
    out->items = rg_arena_alloc(a, sizeof *out->items * RG_MAX_TUNABLES);
    out->constraints = rg_arena_alloc(a, sizeof *out->constraints * MAX_CONSTRAINTS);
    struct poly_opening o = {.p = p, .taken = taken, .open = out};
    for (int i = 0; i < N_MEMBERS; i++) {
        struct poly_domain d = {0};
        const struct poly_step *owner;
        const struct poly_opens *how;
        if (!domain_of(&o, steps, members[i].name, &d, &owner, &how)) continue;
        add(a, out, taken, members[i].name, owner, &d);
        if (how->require) how->require(&o, a, out);
    }
    take_constraints(out, taken);
}

void rg__poly_values_of(const struct rg_tunables *t, const struct rg_vector *v, struct poly_values *out)
{
    for (int m = 0; m < N_MEMBERS; m++) {
        int i = rg_tunables_find(t, members[m].name);
        *(int64_t *)((char *)out + members[m].at) = i >= 0 && i < v->n ? v->values[i] : members[m].closed;
    }
}

static bool fits(const struct poly_program *p, const struct rg_tunables *t, const struct rg_vector *v,
                 struct rg_error *why)
{
    struct poly_values x;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    rg__poly_values_of(t, v, &x);
    *why = (struct rg_error)RG_ERROR_INIT;
    bool ok = rg_tunables_allow(t, v);
    if (!ok)
        rg_error_set(why, RG_LIMIT, "the values that it starts with do not go together");
    else
        ok = rg__poly_print_program(p, &x, &cuda, &plan, why) == RG_OK;
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    return ok;
}

/* The default must be one that fits: what is largest and matters least shrinks first. */
bool rg__poly_tunables_settle(const struct poly_program *p, struct rg_tunables *t, struct rg_error *why)
{
    static const char *const order[] = {"STEPS", "TILE", "RX", "RY", "BX", "BY", "BZ"};
    struct rg_vector v;
    for (int round = 0; round < 24; round++) {
        rg_tunables_default(t, &v);
        if (fits(p, t, &v, why)) return true;
        int n = (int)(sizeof order / sizeof *order), tried = 0;
        for (; tried < n; tried++) {
            int i = rg_tunables_find(t, order[(round + tried) % n]);
            if (i < 0) continue;
            int64_t next = 0;
            for (int j = 0; j < t->items[i].n_values; j++)
                if (t->items[i].values[j] < t->items[i].start && t->items[i].values[j] > next)
                    next = t->items[i].values[j];
            if (!next) continue;
            int64_t before = t->items[i].start;
            t->items[i].start = next;
            rg_tunables_default(t, &v);
            if (rg_tunables_allow(t, &v)) break;
            t->items[i].start = before;
        }
        if (tried == n) return false;
    }
    return false;
}
