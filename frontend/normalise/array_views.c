/* Views that stand for more than one array wherever one looks become pointer variables again: the code that uses them
 * stays as the user wrote it. */
#include "frontend/normalise/canon.h"
#include <string.h>

static struct rg_cnode *pointer_to(struct rg_ctree *t, int var)
{
    struct rg_cnode *p = rg__c_var(t, var);
    p->pointer = true;
    return p;
}

static struct rg_cnode *flat(struct rg_ctree *t, const struct rg_cnode *x, int array)
{
    const struct rg_carray *a = &t->arrays[array];
    struct rg_cnode *sum = x->n ? x->kid[0] : rg__c_int(t, 0);
    for (int d = 1; d < a->n_dims; d++) {
        struct rg_cnode *extent = rg__c_from_expr(t, a->dims[d]);
        if (!extent) extent = rg__c_int(t, 1);
        sum = rg__c_binary(t, RG_COP_MUL, sum, extent);
        if (d < x->n) sum = rg__c_binary(t, RG_COP_ADD, sum, x->kid[d]);
    }
    return sum;
}

static struct rg_cnode *back(struct rg_ctree *t, struct rg_cnode *n, int array, int var)
{
    if (!n) return NULL;
    for (int i = 0; i < n->n; i++) n->kid[i] = back(t, n->kid[i], array, var);
    if (n->array != array) return n;
    struct rg_cnode *p = pointer_to(t, var);
    p->type = n->type;
    p->struct_index = n->struct_index;
    if (n->kind == RG_C_VAR) return p;
    struct rg_cnode *sum = rg__c_operation(t, RG_C_BINARY, RG_COP_ADD);
    sum->pointer = true;
    sum->type = n->type;
    sum->struct_index = n->struct_index;
    sum->kid[0] = p;
    sum->kid[1] = flat(t, n, array);
    if (n->pointer) return sum;
    struct rg_cnode *x = rg__c_operation(t, RG_C_UNARY, RG_COP_DEREF);
    x->type = n->type;
    x->struct_index = n->struct_index;
    x->line = n->line;
    x->column = n->column;
    x->kid[0] = sum;
    return x;
}

/* In front of the first statement of the innermost block that holds all uses; its first value with it where that is
 * what the statement gives. */
static void declare(struct rg_ctree *t, struct rg_cnode *b, int array, int var)
{
    int n = 0, first = -1;
    for (int i = 0; i < b->n; i++)
        if (rg__c_mentions_array(b->kid[i], array)) {
            first = first < 0 ? i : first;
            n++;
        }
    if (first < 0) return;
    struct rg_cnode *s = b->kid[first];
    if (n == 1 && !rg__c_is_expr(s) && s->kind != RG_C_STMT && s->kind != RG_C_DECL && s->kind != RG_C_RETURN) {
        int inside = -1, uses = 0;
        for (int i = 0; i < s->n; i++)
            if (s->kid[i] && rg__c_mentions_array(s->kid[i], array)) inside = i, uses++;
        if (uses == 1 && s->kid[inside]->kind == RG_C_BLOCK) {
            declare(t, s->kid[inside], array, var);
            return;
        }
    }
    bool value = s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && s->kid[0]->kid[0]->kind == RG_C_VAR &&
                 s->kid[0]->kid[0]->array == array && !rg__c_mentions_array(s->kid[0]->kid[1], array);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, value ? 1 : 0);
    d->var = var;
    d->pointer = true;
    d->type = t->vars[var].type;
    d->line = s->line;
    d->column = s->column;
    if (value) d->kid[0] = s->kid[0]->kid[1];
    struct rg__kids with = {0};
    rg__kids_add(&with, d);
    rg__block_splice(t, b, first, value ? 1 : 0, &with);
}

void rg__canon_views_back(struct rg_ctree *t)
{
    for (int a = 0; a < t->n_arrays; a++) {
        if (!t->arrays[a].view || !rg__c_mentions_array(t->root, a)) continue;
        const struct rg_carray *x = &t->arrays[a];
        int var = rg__c_add_var(t, x->name, RG_CVAR_LOCAL, x->elem);
        t->vars[var].struct_index = x->struct_index;
        const char *stars = "*";
        for (int d = 1; d < x->n_dims; d++) /* a table of rows */
            if (!x->dims[d]) stars = rg_arena_printf(&t->arena, "%s*", stars);
        t->vars[var].c_type = rg_arena_printf(&t->arena, "%s%s %s", x->is_const ? "const " : "", x->c_elem, stars);
        declare(t, t->root, a, var);
        t->root = back(t, t->root, a, var);
    }
}
