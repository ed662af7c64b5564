/* Places among few counters, whose number the file says, as a sort by digits has them: elements are taken in tiles,
 * each of which counts by itself, and what came before a tile is added up over groups of them. With T elements a tile,
 * G tiles a group and K counters: for t, j < T: { e = t T + j; place[e] = count[t][key[e]]; count[t][key[e]]++; } tiles
 * at once for g, d < K: count[t][d] = the sum of count[..][d] of the group's tiles in front; all[g][d] = that of all
 *     for d < K:    all[g][d] = the sum of all[..][d] of the groups in front
 *     for e:        place[e] = next[key[e]] + place[e] + count[t][key[e]] + all[g][key[e]]
 * That takes as many steps as a tile has elements, where a sort takes some for each bit of their number. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/placements_form.h"
#include <stdlib.h>

enum { TILE = 256, GROUP = 64, MOST_COUNTERS = 2048 };

enum { T, G, J, D, KEY, SUM, COUNT, N_VARS };

struct tiling {
    struct rg__placing *p;
    struct rg_ctree *t;
    int v[N_VARS], count, all;
    int64_t tile, counters;
};

static struct rg_cnode *number(struct tiling *x, int64_t v)
{
    return rg__c_cast(x->t, rg__c_int(x->t, v), RG_LONG);
}

static struct rg_cnode *var(struct tiling *x, int v)
{
    return rg__c_var(x->t, x->v[v]);
}

/* Variables of its own for each loop nest. */
static void fresh(struct tiling *x)
{
    static const char *const names[N_VARS] = {"tile", "group", "j", "d", "key_of", "sum", "c"};
    for (int i = 0; i < N_VARS; i++)
        x->v[i] = rg__c_add_var(x->t, names[i], RG_CVAR_LOCAL, i == KEY ? x->t->arrays[x->p->keys].elem : RG_LONG);
}

/* a / by, upwards */
static struct rg_cnode *pieces(struct tiling *x, int64_t by)
{
    struct rg_cnode *n = rg__c_cast(x->t, rg__c_copy(x->t, x->p->trips), RG_LONG);
    return rg__c_binary(x->t, RG_COP_DIV, rg__c_binary(x->t, RG_COP_ADD, n, number(x, by - 1)), number(x, by));
}

static struct rg_cnode *at(struct tiling *x, int array, struct rg_cnode *row, struct rg_cnode *column)
{
    struct rg_cnode *sub[2] = {row, column};
    return rg__c_index(x->t, array, 2, sub);
}

static struct rg_cnode *element(struct tiling *x, int array, struct rg_cnode *e)
{
    return rg__c_index(x->t, array, 1, &e);
}

/* outer * by + inner */
static struct rg_cnode *within(struct tiling *x, int outer, int64_t by, int inner)
{
    struct rg_cnode *first = rg__c_binary(x->t, RG_COP_MUL, var(x, outer), number(x, by));
    return rg__c_binary(x->t, RG_COP_ADD, first, var(x, inner));
}

static void set(struct tiling *x, struct rg__kids *out, struct rg_cnode *to, struct rg_cnode *value)
{
    rg__kids_add(out, rg__placed_set(x->t, to, value, x->p->loop));
}

static void declare(struct tiling *x, struct rg__kids *out, int v, struct rg_cnode *value)
{
    rg__kids_add(out, rg__doubling_declaration(x->t, x->v[v], value, x->p->loop));
}

static void loop(struct tiling *x, struct rg__kids *out, int v, struct rg_cnode *upper, struct rg__kids *body)
{
    rg__kids_add(out, rg__placing_counted(x->p, x->v[v], upper, body));
}

static void under(struct tiling *x, struct rg__kids *out, struct rg_cnode *c, struct rg__kids *then)
{
    rg__kids_add(out, rg__placed_either(x->t, c, rg__kids_node(x->t, RG_C_BLOCK, then), NULL, x->p->loop));
}

/* for t, j: if there is such an element, and it has a key: what `then` does. */
static void elements(struct tiling *x, struct rg__kids *out, struct rg__kids *then)
{
    struct rg_ctree *t = x->t;
    struct rg__kids is = {0}, inner = {0}, outer = {0};
    declare(x, &is, KEY, element(x, x->p->keys, within(x, T, x->tile, J)));
    if (x->p->some) {
        struct rg_cnode *none = rg__c_cast(t, rg__c_int(t, INT64_MAX), RG_LONG);
        under(x, &is, rg__c_binary(t, RG_COP_NE, var(x, KEY), none), then);
    } else {
        for (int i = 0; i < then->n; i++) rg__kids_add(&is, then->items[i]);
        free(then->items);
    }
    struct rg_cnode *n = rg__c_cast(t, rg__c_copy(t, x->p->trips), RG_LONG);
    under(x, &inner, rg__c_binary(t, RG_COP_LT, within(x, T, x->tile, J), n), &is);
    loop(x, &outer, J, number(x, x->tile), &inner);
    loop(x, out, T, pieces(x, x->tile), &outer);
}

static void zero(struct tiling *x, struct rg__kids *out)
{
    struct rg__kids inner = {0}, outer = {0};
    fresh(x);
    set(x, &inner, at(x, x->count, var(x, T), var(x, D)), rg__c_int(x->t, 0));
    loop(x, &outer, D, number(x, x->counters), &inner);
    loop(x, out, T, pieces(x, x->tile), &outer);
}

static void in_tiles(struct tiling *x, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    struct rg__kids then = {0};
    fresh(x);
    struct rg_cnode *n = at(x, x->count, var(x, T), var(x, KEY));
    set(x, &then, element(x, x->p->at, within(x, T, x->tile, J)), rg__c_cast(t, n, t->arrays[x->p->at].elem));
    n = at(x, x->count, var(x, T), var(x, KEY));
    struct rg_cnode *more = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, n, rg__c_int(t, 1)));
    more->line = x->p->loop->line;
    rg__kids_add(&then, more);
    elements(x, out, &then);
}

/* x = place; place = sum; sum += x; */
static void scan(struct tiling *x, struct rg__kids *out, int array, struct rg_cnode *row)
{
    struct rg_ctree *t = x->t;
    enum rg_scalar type = t->arrays[array].elem;
    declare(x, out, COUNT, rg__c_cast(t, at(x, array, row, var(x, D)), RG_LONG));
    set(x, out, at(x, array, rg__c_copy(t, row), var(x, D)), rg__c_cast(t, var(x, SUM), type));
    struct rg_cnode *more = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, var(x, SUM), var(x, COUNT)));
    more->line = x->p->loop->line;
    rg__kids_add(out, more);
}

static void in_groups(struct tiling *x, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    struct rg__kids is = {0}, inner = {0}, middle = {0}, outer = {0};
    fresh(x);
    scan(x, &is, x->count, within(x, G, GROUP, J));
    struct rg_cnode *n = rg__c_cast(t, rg__c_copy(t, x->p->trips), RG_LONG),
                    *first = rg__c_binary(t, RG_COP_MUL, within(x, G, GROUP, J), number(x, x->tile));
    under(x, &inner, rg__c_binary(t, RG_COP_LT, first, n), &is);
    declare(x, &middle, SUM, number(x, 0));
    loop(x, &middle, J, number(x, GROUP), &inner);
    set(x, &middle, at(x, x->all, var(x, G), var(x, D)), var(x, SUM));
    loop(x, &outer, D, number(x, x->counters), &middle);
    loop(x, out, G, pieces(x, x->tile * GROUP), &outer);
}

static void over_groups(struct tiling *x, struct rg__kids *out)
{
    struct rg__kids inner = {0}, outer = {0};
    fresh(x);
    scan(x, &inner, x->all, var(x, G));
    declare(x, &outer, SUM, number(x, 0));
    loop(x, &outer, G, pieces(x, x->tile * GROUP), &inner);
    loop(x, out, D, number(x, x->counters), &outer);
}

static void together(struct tiling *x, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    enum rg_scalar type = t->arrays[x->p->at].elem;
    struct rg__kids then = {0};
    fresh(x);
    struct rg_cnode *group = rg__c_binary(t, RG_COP_DIV, var(x, T), number(x, GROUP)),
                    *before = rg__c_cast(t, at(x, x->all, group, var(x, KEY)), type),
                    *here = rg__c_cast(t, at(x, x->count, var(x, T), var(x, KEY)), type),
                    *own = element(x, x->p->at, within(x, T, x->tile, J));
    before = rg__c_binary(t, RG_COP_ADD, rg__c_binary(t, RG_COP_ADD, own, here), before);
    set(x, &then, element(x, x->p->at, within(x, T, x->tile, J)),
        rg__c_binary(t, x->p->form.down ? RG_COP_SUB : RG_COP_ADD, element(x, x->p->form.counter, var(x, KEY)),
                     before));
    elements(x, out, &then);
}

static int table(struct tiling *x, const char *name, enum rg_scalar elem, int64_t by, struct rg__kids *arrays)
{
    struct rg_ctree *t = x->t;
    const struct rg_expr *rows = rg__c_to_expr(t, pieces(x, by), &t->arena),
                         **dims = rg_arena_alloc(&t->arena, 2 * sizeof *dims);
    if (!rows) return -1;
    int a = rg__placed_scratch(t, name, elem, rows, x->p->loop, arrays);
    dims[0] = rows;
    dims[1] = rg__c_to_expr(t, rg__c_int(t, x->counters), &t->arena);
    t->arrays[a].n_dims = 2;
    t->arrays[a].dims = dims;
    return a;
}

bool rg__placing_tiles(struct rg__placing *p, struct rg__kids *arrays, struct rg__kids *out)
{
    struct tiling x = {.p = p, .t = p->t};
    const struct rg_carray *c = &p->t->arrays[p->form.counter];
    const struct rg_cnode *n = rg__c_uncast(p->trips, RG__C_INT_CASTS);
    int64_t k = c->param < 0 && c->n_dims == 1 && c->dims && c->dims[0] && c->dims[0]->kind == RG_EXPR_INT
                    ? c->dims[0]->value
                    : 0;
    if (k < 1 || k > MOST_COUNTERS || p->row_of >= 0 || n->kind != RG_C_VAR) return false;
    x.counters = k;
    x.tile = k > TILE ? k : TILE; /* so that there are no more counts than elements */
    x.count = table(&x, "count", RG_I32, x.tile, arrays);
    x.all = x.count < 0 ? -1 : table(&x, "all", RG_LONG, x.tile * GROUP, arrays);
    if (x.all < 0) return false;
    zero(&x, out);
    in_tiles(&x, out);
    in_groups(&x, out);
    over_groups(&x, out);
    together(&x, out);
    return true;
}
