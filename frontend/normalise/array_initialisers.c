/* int hist[256] = {0}; struct point corner[2] = {{0, 0}, {1, 1}}; where the array is written, or stands outside every
 * loop: loops of zeros and the values listed, as statements. An array that many threads share has no other way to get
 * its first values; one that a loop's body only reads keeps its list. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_STORES = 64 };

struct lists {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg_cnode *decl;
    struct rg__kids *out;
    int n;
    bool short_list, bad;
};

static int64_t extent(const struct rg_carray *x, int d)
{
    return x->dims && x->dims[d] && x->dims[d]->kind == RG_EXPR_INT ? x->dims[d]->value : -1;
}

static bool is_zero(const struct rg_cnode *v)
{
    v = rg__c_uncast(v, RG__C_CASTS);
    if (v->kind == RG_C_CALL && v->n == 2 && !strncmp(v->text, "rg_cmake_", 9))
        return is_zero(v->kid[0]) && is_zero(v->kid[1]);
    return (v->kind == RG_C_INT && !v->ivalue) || (v->kind == RG_C_REAL && v->rvalue == 0);
}

static struct rg_cnode *placed(const struct lists *l, struct rg_cnode *n)
{
    n->line = l->decl->line;
    n->column = l->decl->column;
    return n;
}

static void store(struct lists *l, struct rg_cnode *place, struct rg_cnode *v, bool zeros, bool emit)
{
    if (zeros && is_zero(v)) return;
    l->n++;
    if (emit) rg__kids_add(l->out, placed(l, rg__c_stmt(l->t, rg__c_assign(l->t, RG_COP_SET, place, v))));
}

/* The members of one structure, those without a value zero; structures inside structures stay as they are. */
static void store_members(struct lists *l, struct rg_cnode *element, struct rg_cnode *list, bool emit)
{
    int index = l->t->arrays[l->decl->array].struct_index;
    const struct rg_struct *s = index >= 0 && index < l->p->n_structs ? &l->p->structs[index] : NULL;
    l->bad = l->bad || !s || list->text || list->n > s->n_fields;
    for (int i = 0; !l->bad && i < s->n_fields; i++) {
        const struct rg_field *f = &s->fields[i];
        struct rg_cnode *v = i < list->n ? list->kid[i] : rg__c_cast(l->t, rg__c_int(l->t, 0), f->type);
        if (f->count != 1 || f->bits || strpbrk(f->path, ".[") || !v || v->kind == RG_C_INITLIST) {
            l->bad = true;
            return;
        }
        struct rg_cnode *m = rg_cnode_new(l->t, RG_C_MEMBER, 1);
        m->kid[0] = rg__c_copy(l->t, element);
        m->text = f->path;
        m->type = f->type;
        store(l, m, v, false, emit);
    }
}

/* The values of one dimension, those below it inside; `zeros`: the others were set already. */
static void stores(struct lists *l, struct rg_cnode *list, struct rg_cnode **subs, int depth, bool zeros, bool emit)
{
    const struct rg_carray *x = &l->t->arrays[l->decl->array];
    if (list->kind != RG_C_INITLIST || list->text || extent(x, depth) < list->n) {
        l->bad = true;
        return;
    }
    l->short_list |= list->n < extent(x, depth);
    for (int i = 0; i < list->n && !l->bad; i++) {
        struct rg_cnode *v = list->kid[i];
        subs[depth] = rg__c_int(l->t, i);
        if (depth + 1 < x->n_dims) {
            stores(l, v, subs, depth + 1, zeros, emit);
        } else if (!v || (v->kind == RG_C_INITLIST && x->elem != RG_STRUCT)) {
            l->bad = true;
        } else if (v->kind == RG_C_INITLIST) {
            store_members(l, rg__c_index(l->t, l->decl->array, x->n_dims, subs), v, emit);
        } else {
            store(l, rg__c_index(l->t, l->decl->array, x->n_dims, subs), v, zeros, emit);
        }
    }
}

/* As elements of an array are: a number, a complex one too. NULL: other structures. */
static struct rg_cnode *zero(struct rg_ctree *t, const struct rg_carray *x)
{
    if (x->elem != RG_STRUCT) return rg__c_cast(t, rg__c_int(t, 0), x->elem);
    bool single = !strcmp(x->c_elem, "rg_complexf");
    if (!single && strcmp(x->c_elem, "rg_complexd")) return NULL;
    struct rg_cnode *z = rg_cnode_new(t, RG_C_CALL, 2);
    z->text = single ? "rg_cmake_f" : "rg_cmake_d";
    for (int i = 0; i < 2; i++) z->kid[i] = rg__c_cast(t, rg__c_int(t, 0), single ? RG_F32 : RG_F64);
    z->type = RG_STRUCT;
    z->struct_index = x->struct_index;
    return z;
}

static void zeros(struct lists *l)
{
    struct rg_ctree *t = l->t;
    int array = l->decl->array, n = t->arrays[array].n_dims;
    struct rg_cnode *subs[8], *inner = NULL;
    int vars[8];
    for (int d = 0; d < n; d++) {
        vars[d] = rg__c_add_var(t, "k", RG_CVAR_LOCAL, RG_I32);
        subs[d] = rg__c_var(t, vars[d]);
    }
    inner = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, array, n, subs), zero(t, &t->arrays[array])));
    for (int d = n - 1; d >= 0; d--) {
        struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *first = rg_cnode_new(t, RG_C_DECL, 1),
                        *body = rg_cnode_new(t, RG_C_BLOCK, 1);
        first->var = vars[d];
        first->type = RG_I32;
        first->kid[0] = rg__c_int(t, 0);
        body->kid[0] = placed(l, inner);
        f->kid[0] = placed(l, first);
        f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, vars[d]), rg__c_int(t, extent(&t->arrays[array], d)));
        f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, vars[d]), rg__c_int(t, 1));
        f->kid[3] = body;
        inner = f;
    }
    rg__kids_add(l->out, placed(l, inner));
}

static bool fixed_size(const struct rg_carray *x)
{
    for (int d = 0; d < x->n_dims; d++)
        if (extent(x, d) < 1 || extent(x, d) > INT32_MAX) return false;
    return x->n_dims >= 1 && x->n_dims <= 8;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n, bool in_loop)
{
    if (!n || rg__c_is_expr(n)) return;
    bool loop = n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        bool list = n->kind == RG_C_BLOCK && d && d->kind == RG_C_DECL && d->array >= 0 && d->n &&
                    d->kid[0]->kind == RG_C_INITLIST;
        if (!list || !fixed_size(&t->arrays[d->array]) || (in_loop && !rg__writes_array(t->root, d->array))) {
            walk(t, p, d, in_loop || loop);
            continue;
        }
        struct rg__kids with = {0};
        struct rg_cnode *subs[8], *values = d->kid[0];
        struct lists l = {.t = t, .p = p, .decl = d, .out = &with};
        stores(&l, values, subs, 0, true, false);
        bool fill = l.short_list || !l.n;
        if (l.bad || l.n > MAX_STORES || (fill && !zero(t, &t->arrays[d->array]))) continue;
        rg__kids_add(&with, d);
        d->n = 0;
        if (fill) zeros(&l);
        stores(&l, values, subs, 0, fill, true);
        int count = with.n;
        rg__block_splice(t, n, i, 1, &with);
        i += count - 1;
    }
}

void rg__canon_lists(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root, false);
}
