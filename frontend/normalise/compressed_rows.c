/* Rows of a compressed matrix: for u: for (p = ptr[u]; p < ptr[u + 1]; p++) val[p] = ..  Where ptr ascends, no element
 * belongs to two rows; whether it does is known when the function runs. It is asked in front,
 *     ok = 1;  for u: ok = ptr[u] > ptr[u + 1] ? 0 : ok;
 * and the nest stands twice: where it does, with the inner loop marked as one whose values are apart
 * (rg_cnode.apart), which the dependence analysis goes by; where it does not, as it was. The question is put as far
 * outside as nothing that it reads changes. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

enum { MOST_ROWS = 8, MOST_NODES = 4000 };

struct row {
    struct rg_cnode *entries;     /* the loop over one */
    struct rg_cnode *loop;        /* over the rows */
    const struct rg_cnode *first; /* ptr[u] */
    const struct rg_cnode *next;  /* ptr[u + 1] */
};

struct rows {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg__given *given;
    int n;
    struct row row[MOST_ROWS];
    struct rg_cnode *over[RG__MAX_NEST]; /* loops around, while looking for rows */
    int n_over;
    const struct rg_cnode *only; /* rows of this loop alone; NULL: of all */
    bool too_many;
};

/* What the one declaration of the scalar gives it, where nothing else sets it: *value; false: something does. */
static bool declared_in(const struct rg_cnode *n, int var, const struct rg_cnode **value)
{
    const bool set = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->n > 0;
    if (set && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var) return false;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_LOOP && n->var == var)) return false;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) {
        if (*value || !n->n || !n->kid[0]) return false;
        *value = n->kid[0];
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !declared_in(n->kid[i], var, value)) return false;
    return true;
}

/* The element that a bound is: itself, or what the local holds that it is. */
static const struct rg_cnode *bound(const struct rows *x, const struct rg_cnode *loop, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    const struct rg_cnode *value = NULL;
    if (e->kind == RG_C_VAR && e->array < 0 && x->t->vars[e->var].kind == RG_CVAR_LOCAL &&
        declared_in(loop, e->var, &value) && value)
        e = rg__c_uncast(value, RG__C_WIDE_CASTS);
    const bool element = e->kind == RG_C_INDEX && e->n == 1 && !e->pointer && rg__scalar_is_int(e->type);
    return element ? e : NULL;
}

/* Nothing but the row's number and parameters: its place among the begins moves on by one with each row. */
static bool by_row(const struct rg_ctree *t, const struct rg_cnode *e, int var)
{
    if (e->kind == RG_C_INT) return true;
    if (e->kind == RG_C_VAR)
        return e->array < 0 && !e->pointer &&
               (e->var == var || (t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned));
    if (e->kind != RG_C_CAST && e->op != RG_COP_ADD && e->op != RG_COP_SUB) return false;
    for (int i = 0; i < e->n; i++)
        if (!by_row(t, e->kid[i], var)) return false;
    return true;
}

static bool follow_each_other(struct rg_ctree *t, const struct rg_cnode *a, const struct rg_cnode *b, int var)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly x = rg__poly_of(r, a), y = rg__poly_of(r, b), d = rg__poly_add(&y, &x, -1), by, rest;
    int64_t one, step;
    bool ok = !d.bad && rg__poly_is_int(&d, &one) && one == 1 && rg__poly_split(&x, var, &by, &rest) &&
              rg__poly_is_int(&by, &step) && step == 1;
    free(r);
    return ok;
}

static const struct rg_cnode *scalar_at(const struct rg_cnode *e, int d)
{
    const struct rg_cnode *s = d < e->n ? rg__c_uncast(e->kid[d], RG__C_WIDE_CASTS) : NULL;
    return s && s->kind == RG_C_VAR && s->array < 0 ? s : NULL;
}

/* Is every element of the array that the loop names one that a loop inside counts, in this dimension? */
static bool only_counted(const struct rg_cnode *n, int array, int d, const struct rg_cnode *loop)
{
    if (n->kind == RG_C_INDEX && n->array == array) {
        const struct rg_cnode *s = scalar_at(n, d);
        if (n->pointer || !s || s->var == loop->var || !rg__c_binds(loop, s->var)) return false;
    } else if (n->kind == RG_C_VERBATIM || n->array == array)
        return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !only_counted(n->kid[i], array, d, loop)) return false;
    return true;
}

/* Does it store to an element of an array from outside that the variable counts, as it does all over the loop? */
static bool stores_at(const struct rg_cnode *n, int var, const struct rg_cnode *loop)
{
    const bool store = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    const struct rg_cnode *to = store ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    if (to && to->kind == RG_C_INDEX && !to->pointer && !rg__c_declares_array(loop, to->array))
        for (int d = 0; d < to->n; d++) {
            const struct rg_cnode *s = scalar_at(to, d);
            if (s && s->var == var && only_counted(loop, to->array, d, loop)) return true;
        }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && stores_at(n->kid[i], var, loop)) return true;
    return false;
}

/* Are both among the begins that there are, in every iteration of the loop over rows, whatever stands around it? Some
 * may be asked for that the C, under a condition, does not ask for. */
static bool there(const struct rows *x, struct rg_cnode *loop, const struct rg_cnode *first,
                  const struct rg_cnode *next)
{
    const struct rg_carray *a = &x->t->arrays[first->array];
    const struct rg_expr *e = a->param >= 0 && x->p->params[a->param].n_dims == 1 ? x->p->params[a->param].dims[0]
                              : a->param < 0 && a->n_dims == 1 && a->dims         ? a->dims[0]
                                                                                  : NULL;
    const struct rg_cnode *end = e ? rg__c_from_expr(x->t, e) : NULL;
    if (!end) return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, x->t, x->given);
    r->loops[r->n_loops++] = loop;
    struct rg__poly low = rg__poly_of(r, first->kid[0]), high = rg__poly_of(r, next->kid[0]), n = rg__poly_of(r, end),
                    one = rg__poly_int(1), room = rg__poly_add(&n, &high, -1);
    room = rg__poly_add(&room, &one, -1);
    bool in = !low.bad && !room.bad && rg__prove(r, &low) && rg__prove(r, &room);
    free(r);
    return in;
}

/* The loop over a row, in one over rows. */
static bool is_row(const struct rows *x, struct rg_cnode *p, struct row *out)
{
    if (p->n != 3 || p->step != 1 || rg__c_writes_var(p->kid[2], p->var)) return false;
    for (int k = x->n_over - 1; k >= 0; k--) {
        struct rg_cnode *l = x->over[k];
        const struct rg_cnode *a = bound(x, l, p->kid[0]), *b = bound(x, l, p->kid[1]);
        if (!a || !b || a->array != b->array || rg__writes_array(l, a->array)) return false;
        if (!rg__c_mentions_var(a->kid[0], l->var)) continue;
        if ((l->step != 1 && l->step != -1) || l->n != 3 || rg__c_writes_var(l->kid[2], l->var) ||
            !by_row(x->t, a->kid[0], l->var) || !by_row(x->t, b->kid[0], l->var) ||
            !follow_each_other(x->t, a->kid[0], b->kid[0], l->var) || !there(x, l, a, b))
            return false;
        *out = (struct row){p, l, a, b};
        return true;
    }
    return false;
}

static void collect(struct rows *x, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    struct row found;
    const bool loop = n->kind == RG_C_LOOP;
    if (loop && is_row(x, n, &found) && (!x->only || x->only == found.loop)) {
        if (x->n < MOST_ROWS)
            x->row[x->n++] = found;
        else
            x->too_many = true;
    }
    if (loop && x->n_over == RG__MAX_NEST) {
        x->too_many = true;
        return;
    }
    if (loop) x->over[x->n_over++] = n;
    for (int i = 0; i < n->n; i++) collect(x, n->kid[i]);
    if (loop) x->n_over--;
}

/* The rows below the statement of loops that store to elements of some. */
static struct rows rows_of(const struct rows *of, struct rg_cnode *s, bool of_this_loop)
{
    struct rows all = {.t = of->t, .p = of->p, .given = of->given, .only = of_this_loop ? s : NULL};
    collect(&all, s);
    struct rows x = all;
    x.n = 0;
    for (int i = 0; i < all.n; i++) {
        bool stores = false;
        for (int k = 0; k < all.n && !stores; k++) {
            const struct row *r = &all.row[k];
            stores = r->loop == all.row[i].loop && stores_at(r->entries->kid[2], r->entries->var, r->loop);
        }
        if (stores) x.row[x.n++] = all.row[i];
    }
    return x;
}

/* May all that the questions read be read in front of the statement, where they would read the same? */
static bool known_before(const struct rows *x, const struct rg_cnode *s)
{
    for (int i = 0; i < x->n; i++) {
        const struct row *r = &x->row[i];
        if (rg__writes_array(s, r->first->array) || rg__c_declares_array(s, r->first->array)) return false;
        if (r->loop != s && (!rg__c_of_params(x->t, r->loop->kid[0]) || !rg__c_of_params(x->t, r->loop->kid[1])))
            return false;
    }
    return x->n > 0;
}

static bool asked(const struct rows *x, int i)
{
    for (int k = 0; k < i; k++) {
        const struct row *a = &x->row[k], *b = &x->row[i];
        if (a->loop == b->loop && rg__c_same(a->first, b->first, RG__C_UNCAST)) return true;
    }
    return false;
}

/* for u: ok = ptr[u] > ptr[u + 1] ? 0 : ok; */
static struct rg_cnode *question(struct rg_ctree *t, const struct row *r, int ok)
{
    return rg__asked_over(t, r->loop, rg__c_binary(t, RG_COP_GT, rg__c_copy(t, r->first), rg__c_copy(t, r->next)), ok);
}

static int twice(struct rg_ctree *t, const struct rows *x, struct rg_cnode *block, int at)
{
    struct rg_cnode *s = block->kid[at];
    struct rg__kids k = {0};
    int ok;
    rg__kids_add(&k, rg__asked_flag(t, "ascends", s, &ok));
    for (int i = 0; i < x->n; i++)
        if (!asked(x, i)) rg__kids_add(&k, question(t, &x->row[i], ok));
    struct rg_cnode *both = rg__asked_arms(t, s, ok);
    struct rg_cnode *copy = both->kid[1]->kid[0];
    const struct rows apart = rows_of(x, copy, x->only != NULL);
    for (int i = 0; i < apart.n; i++) {
        struct rg_cnode *p = apart.row[i].entries;
        p->kid[0] = rg__c_cast(t, rg__c_copy(t, apart.row[i].first), p->kid[0]->type);
        p->apart = true;
    }
    rg__moves_fresh(t, copy, copy);
    rg__moves_fresh_arrays(t, copy, copy);
    rg__kids_add(&k, both);
    int n = k.n;
    rg__block_splice(t, block, at, 1, &k);
    return n;
}

static void walk(const struct rows *of, struct rg_cnode *n)
{
    struct rg_ctree *t = of->t;
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (!s || rg__c_is_expr(s)) continue;
        struct rows x = rows_of(of, s, false);
        bool here = n->kind == RG_C_BLOCK && known_before(&x, s);
        if (n->kind == RG_C_BLOCK && !here && s->kind == RG_C_LOOP) {
            x = rows_of(of, s, true);
            here = known_before(&x, s);
        }
        if (here && !x.too_many && rg__c_size(s) <= MOST_NODES && s->kind != RG_C_DECL && !rg__leaves_early(s))
            i += twice(t, &x, n, i) - 1;
        else
            walk(of, s);
    }
}

void rg__canon_compressed_rows(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct rg__given *given = rg__given_of(t, p);
    const struct rows of = {.t = t, .p = p, .given = given};
    walk(&of, t->root);
    rg__given_free(given);
}
