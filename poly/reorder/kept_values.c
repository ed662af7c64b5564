/* What a loop carries, kept as each iteration leaves it for what follows there: `run += x[i]; y[i] = y0[i] + run;` as
 * `run += x[i]; kept = run; y[i] = y0[i] + kept;`. The loop can then be cut between the two, where the loops around go
 * in order for the sake of what follows (sums of rows that are added up from row to row). */
#include "poly/kernel/mapping.h"
#include "poly/reorder/make_nodes.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>

/* Where the scalar is kept: right behind the last statement that sets it, of which one behind that reads it. 0: it is
 * not carried, or nothing reads it there. */
static int place_of(struct poly_scop *s, int loop, const struct poly_items *body, int var)
{
    const struct rg_cvar *v = &s->tree->vars[var];
    int set = 0;
    bool read = false;
    if (v->kind != RG_CVAR_LOCAL || v->type == RG_STRUCT || s->var_hidden[var] || !s->written[loop][var] ||
        rg__poly_scalar_private(s, loop, var) || rg__c_decides(s->tree->root, var))
        return 0;
    for (int i = 0; i < body->n; i++) {
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, body->at[i]);
        set = e.written[var] ? i + 1 : set;
        read = e.written[var] ? false : read || e.exposed[var];
        rg__poly_effect_free(&e);
    }
    return read ? set : 0;
}

const struct rg_ctree *rg__poly_keep_carried(struct poly_scop *s, int loop, int *at, struct rg_arena *arena)
{
    const struct rg_cnode *l = s->loops[loop].node;
    struct poly_items body = {0};
    struct rg_ctree *t = NULL;
    int parent = s->loops[loop].parent, var = 0;
    if (l->n > 3 || parent < 0 || !rg__poly_conflict(s, parent, NULL, 0, POLY_STRICT).found) return NULL;
    rg__poly_flatten(&body, l->kid[2]);
    for (*at = 0; var < s->tree->n_vars && !*at; var++) *at = place_of(s, loop, &body, var);
    if (*at) {
        struct poly_maker m = {.s = s, .a = arena, .t = rg_arena_alloc(arena, sizeof *t), .at = body.at[*at - 1]};
        *(t = m.t) = *s->tree;
        int kept = rg__poly_make_scalar(&m, var - 1, "kept");
        struct rg_cnode *value = rg__poly_make_var(&m, var - 1),
                        *d = rg__poly_make(&m, RG_C_DECL, RG_COP_NONE, value->type, 1, &value),
                        *loop_kept = rg__c_shallow(arena, l);
        const struct rg_cnode **item = rg_arena_alloc(arena, sizeof *item * (size_t)(body.n + 1));
        d->var = kept;
        for (int i = 0; i <= body.n; i++)
            item[i] = i < *at ? body.at[i] : i == *at ? d : rg__poly_with_var(&m, body.at[i - 1], var - 1, kept);
        loop_kept->kid[2] = rg__poly_block_of(arena, item, body.n + 1, l);
        t->root = rg__poly_tree_with(arena, t->root, l, loop_kept);
        ++*at; /* the declaration goes with what is in front */
    }
    free(body.at);
    return t;
}
