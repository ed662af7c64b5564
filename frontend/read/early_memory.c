/* Memory that a condition allocates and what stands behind it uses, as a member of a structure that outlives it
 * (`if (new_plane(&a) || new_plane(&b)) goto out;`): its declaration stands in front of the condition. */
#include "frontend/read/read.h"
#include "ir/ctree_util.h"

static int mentions(const struct rg_cnode *n, int array) /* its declaration is one */
{
    if (!n) return 0;
    int all = n->array == array;
    for (int i = 0; i < n->n; i++) all += mentions(n->kid[i], array);
    return all;
}

static bool is_loop(const struct rg_cnode *n)
{
    return n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
}

/* The declaration of the array anywhere below n but in loops, taken from its place; NULL: none. */
static struct rg_cnode *take(struct rg_ctree *t, struct rg_cnode *n, int array)
{
    if (!n || rg__c_is_expr(n) || is_loop(n)) return NULL;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        if (d && n->kind == RG_C_BLOCK && d->kind == RG_C_DECL && d->array == array) {
            struct rg__kids none = {0};
            if (d->n) return NULL; /* with values, which are set there */
            rg__block_splice(t, n, i, 1, &none);
            return d;
        }
        if ((d = take(t, d, array))) return d;
    }
    return NULL;
}

/* The innermost block in which all mentions are gets the declaration from further in. */
static void lift(struct rg_ctree *t, struct rg_cnode *n, int array, int all)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && mentions(n->kid[i], array) == all) {
            lift(t, n->kid[i], array, all);
            return;
        }
    struct rg__kids one = {0};
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n && !one.n; i++) {
        if (n->kid[i]->kind == RG_C_DECL && n->kid[i]->array == array) return; /* it stands here */
        struct rg_cnode *d = take(t, n->kid[i], array);
        if (!d) continue;
        rg__kids_add(&one, d);
        rg__block_splice(t, n, i, 0, &one);
    }
}

void rg__early_memory(struct rg_ctree *t)
{
    for (int a = 0; a < t->n_arrays; a++) {
        int uses = t->arrays[a].mallocd && t->arrays[a].param < 0 ? mentions(t->root, a) : 0;
        if (uses) lift(t, t->root, a, uses);
    }
}
