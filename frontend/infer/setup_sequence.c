/* Facts about set-up functions that run one behind the other (read/init_sequence.c): of the sequence as a whole, as it
 * is read like any function, and of each part by itself, which says more where a part turns back on its way. */
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

int rg__taker(const struct rg__load *l, int function, const char *name)
{
    const struct rg__sequence *s = &l->sequence;
    for (int i = 0; i < s->n_params && s->n && function == s->function; i++)
        if (!strcmp(s->own_name[s->params[i].is], name)) return s->params[i].function;
    return function;
}

static void rename(struct rg__load *l, int part, struct rg_expr *e)
{
    if (e->kind == RG_EXPR_NAME) e->name = rg__sequence_name(l, part, e->name);
    for (int k = 0; k < e->n_args; k++) rename(l, part, e->args[k]);
}

static const struct rg_expr *renamed(struct rg__load *l, int part, const struct rg_expr *e)
{
    struct rg_expr *own = e ? rg_expr_clone(&l->p->arena, e) : NULL;
    if (own) rename(l, part, own);
    return own;
}

/* What the part says, by the sequence's names. */
static void as_whole(struct rg__load *l, int part, struct rg__fact *f)
{
    f->function = l->sequence.function;
    for (int d = 0; d < f->n_dims; d++) f->dims[d] = renamed(l, part, f->dims[d]);
    f->value = renamed(l, part, f->value);
    if (f->given) f->given = rg__sequence_name(l, part, f->given);
    if (f->narrowed) f->narrowed = rg__sequence_name(l, part, f->narrowed);
}

static bool says(const struct rg__fact *f)
{
    return f->n_dims || f->value || f->given || f->narrowed;
}

struct names { /* of what parts set that have been read */
    int n, cap;
    const char **items;
};

/* The facts of a part that begin at `from`. What the whole says counts first; what a later part sets, too, is no
 * longer what this one says. */
static void merge(struct rg__load *l, int part, int from, struct names *later)
{
    const int end = l->n_facts, n_later = later->n;
    int kept = from;
    for (int i = from; i < end; i++) {
        struct rg__fact f = l->facts[i];
        int there = -1;
        bool again = false;
        for (int k = 0; k < n_later; k++) again |= !strcmp(later->items[k], f.name);
        for (int k = 0; k < kept; k++)
            if (l->facts[k].function == l->sequence.function && !strcmp(l->facts[k].name, f.name)) there = k;
        RG_GROW(later->items, later->n, later->cap);
        later->items[later->n++] = f.name;
        as_whole(l, part, &f);
        if (again || (there >= 0 && (says(&l->facts[there]) || !says(&f)))) continue;
        if (there >= 0) f.filled |= l->facts[there].filled && f.n_dims;
        l->facts[there >= 0 ? there : kept++] = f;
    }
    l->n_facts = kept;
}

void rg__read_parts(struct rg__load *l)
{
    const struct rg__sequence *s = &l->sequence;
    struct names later = {0};
    for (int i = s->n - 1; i >= 0; i--) {
        const int from = l->n_facts, doors = l->n_doors, reals = l->n_init_reals;
        rg__read_facts(l, s->of[i]);
        merge(l, s->of[i], from, &later);
        for (int k = doors; k < l->n_doors; k++)
            l->doors[k] = (struct rg__door){s->function, renamed(l, s->of[i], l->doors[k].holds)};
        for (int k = reals; k < l->n_init_reals; k++) {
            l->init_reals[k].function = s->function;
            l->init_reals[k].name = rg__sequence_name(l, s->of[i], l->init_reals[k].name);
        }
    }
    free(later.items);
}
