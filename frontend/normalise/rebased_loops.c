/* Loop normalisation where pointers walk: a loop from one product to another (`for (d = w*y; d < w*y + w; d++)`, a row
 * that a pointer goes along) runs from 0 to their difference, and one by a larger step beside which something else is
 * counted (`for (; p < end; p += 3) *g++ =`) runs by 1, so that both have closed forms; so does one over blocks (`for
 * (y = 0; y < height; y += 8)` around eight rows), whose number is a size of its own then; and one that counts a
 * product down (`left = w*h; while (left-- > 0)`), or goes to one by a step that divides it. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/size_symbols.h"
#include <stdlib.h>
#include <string.h>

struct rebase {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg__range *r;
    bool any;
};

static bool of_scalars(const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0;
    bool plain = e->kind == RG_C_INT || e->kind == RG_C_BINARY || e->kind == RG_C_CAST;
    for (int i = 0; i < e->n && plain; i++) plain = of_scalars(e->kid[i]);
    return plain;
}

/* `p += 8 * 8` */
static bool counts(const struct rg_ctree *t, const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (rg__counter_step(s) >= 0) return true;
    return a && a->kind == RG_C_ASSIGN && (a->op == RG_COP_ADD_SET || a->op == RG_COP_SUB_SET) &&
           a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && rg__scalar_is_int(t->vars[a->kid[0]->var].type) &&
           of_scalars(a->kid[1]);
}

/* Something other than the loop's own variable is counted in the body, or in a loop of it, once an iteration. */
static bool counts_beside(const struct rg_ctree *t, const struct rg_cnode *body)
{
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i];
        if (counts(t, s) || (s->kind == RG_C_LOOP && counts_beside(t, s->kid[2]))) return true;
    }
    return false;
}

/* A loop inside takes as many as the step is long: blocks. */
static bool takes_the_step(const struct rg_cnode *n, int64_t by)
{
    if (rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_LOOP && n->step == 1 && n->kid[0]->kind == RG_C_INT && !n->kid[0]->ivalue &&
        n->kid[1]->kind == RG_C_INT && n->kid[1]->ivalue == by)
        return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && takes_the_step(n->kid[i], by)) return true;
    return false;
}

/* trips = ceil(gap / by), where everything but the constant is a multiple. */
static bool divided(const struct rg__poly *gap, int64_t by, struct rg__poly *trips)
{
    *trips = rg__poly_int(0);
    if (gap->bad) return false;
    for (int i = 0; i < gap->n; i++) {
        struct rg__poly one = {.n = 1, .terms = {gap->terms[i]}};
        int64_t c = gap->terms[i].c;
        if (gap->terms[i].degree && c % by) return false;
        one.terms[0].c = gap->terms[i].degree ? c / by : c >= 0 ? (c + by - 1) / by : -(-c / by);
        *trips = rg__poly_add(trips, &one, 1);
    }
    return true;
}

/* Is it never below zero, for all that is known of parameters? */
static bool above_zero(struct rebase *x, const struct rg_cnode *n)
{
    struct rg__given *given = rg__given_of(x->t, x->l->p);
    rg__range_init(x->r, x->t, given);
    struct rg__poly p = rg__poly_of(x->r, n);
    bool is = rg__prove(x->r, &p);
    rg__given_free(given);
    return is;
}

/* ceil(gap / by) where not all of it is a multiple: NULL where something unsigned could fall below zero on the way. */
static struct rg_cnode *rounded_up(struct rebase *x, const struct rg__poly *gap, int64_t by)
{
    struct rg__poly rest = rg__poly_int(by - 1), sum = rg__poly_add(gap, &rest, 1);
    if (gap->bad || sum.bad) return NULL;
    bool falls = false;
    int64_t less = 0; /* whole steps that the constant takes away */
    struct rg_cnode *n = rg__poly_node(x->r, &sum);
    for (int i = 0; i < sum.n; i++) {
        falls |= sum.terms[i].c < 0;
        if (!sum.terms[i].degree && sum.terms[i].c < 0) less = (by - 1 - sum.terms[i].c) / by;
    }
    for (int v = 0; v < x->t->n_vars && falls && n; v++)
        if (!rg_scalar_is_signed(x->t->vars[v].type) && rg__c_mentions_var(n, v)) return NULL;
    if (!n) return NULL;
    if (less && !above_zero(x, n)) { /* (n - 256) / 256: n / 256 - 1 divides nothing below zero */
        rest = rg__poly_int(less * by);
        sum = rg__poly_add(&sum, &rest, 1);
        n = rg__poly_node(x->r, &sum);
        return rg__c_binary(x->t, RG_COP_SUB, rg__c_binary(x->t, RG_COP_DIV, n, rg__c_int(x->t, by)),
                            rg__c_int(x->t, less));
    }
    return rg__c_binary(x->t, RG_COP_DIV, n, rg__c_int(x->t, by));
}

static bool moves_inside(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *body)
{
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && rg__c_writes_var(body, v)) return true;
    return false;
}

static void one(struct rebase *x, struct rg_cnode *l, bool inner)
{
    struct rg_ctree *t = x->t;
    int64_t by = l->step > 0 ? l->step : -l->step;
    bool products = !rg_c_affine(t, l->kid[0]) || !rg_c_affine(t, l->kid[1]),
         beside = by > 1 && (counts_beside(t, l->kid[2]) || takes_the_step(l->kid[2], by));
    if ((!products && !beside) || moves_inside(t, l->kid[0], l->kid[2]) || moves_inside(t, l->kid[1], l->kid[2]) ||
        !rg__c_pure(t, l->kid[0]) || rg__c_sign_lost(t, l->kid[0]) || rg__c_sign_lost(t, l->kid[1]))
        return;
    rg__range_init(x->r, t, NULL);
    struct rg__poly low = rg__poly_of(x->r, l->kid[0]), high = rg__poly_of(x->r, l->kid[1]), trips;
    struct rg__poly gap = l->step > 0 ? rg__poly_add(&high, &low, -1) : rg__poly_add(&low, &high, -1);
    if (x->r->n_atoms) return;
    bool whole = divided(&gap, by, &trips);
    struct rg_cnode *count = whole ? rg__poly_node(x->r, &trips) : rounded_up(x, &gap, by);
    /* what stands beside an outer loop is counted by how many inner iterations there are */
    struct rg_cnode *steps = NULL;
    if (count && !whole && inner)
        steps = rg__derive_symbol(x->l, rg_arena_printf(&t->arena, "%s_steps", t->vars[l->var].wanted), count);
    if (steps) count = steps;
    /* one down from a product, or to it by more than one at once, runs up to it: a nest over its factors
     * (product_loops.c)
     */
    bool down = l->step == -1 && !rg_c_affine(t, l->kid[0]), up = whole && by > 1;
    const bool by_data = beside && products; /* how often is for data to say, with any counter */
    if (!count || (!rg_c_affine(t, count) && !by_data && !((down || up) && rg__c_of_params(t, count)))) return;
    int v = rg__c_add_var(t, t->vars[l->var].name, RG_CVAR_ITER, t->vars[l->var].type);
    struct rg_cnode *moved = rg__c_var(t, v);
    if (by > 1) moved = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, by), moved);
    moved = rg__c_binary(t, l->step > 0 ? RG_COP_ADD : RG_COP_SUB, l->kid[0], moved);
    l->kid[2] = rg__c_replace_var(t, l->kid[2], l->var, moved);
    l->kid[0] = rg__c_int(t, 0);
    l->kid[1] = count;
    l->var = v;
    l->step = 1;
    x->any = true;
}

static void look(struct rebase *x, struct rg_cnode *n, bool inner)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_LOOP) one(x, n, inner);
    for (int i = 0; i < n->n; i++) look(x, n->kid[i], inner || n->kind == RG_C_LOOP);
}

enum rg_status rg__canon_rebase(struct rg__load *l)
{
    struct rebase x = {l, l->t, rg_xmalloc(sizeof *x.r), false};
    look(&x, l->t->root, false);
    free(x.r);
    if (x.any) rg__canon_propagate(l->t, l->p); /* what is counted beside them has a closed form now */
    return RG_OK;
}
