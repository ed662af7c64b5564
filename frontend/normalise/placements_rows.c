/* Placement by counters in rows whose beginnings and ends data say:
 *     for (r = 0; r < rows; r++) for (k = start[r]; k < start[r + 1]; k++) { at = next[col[k]]++; row[at] = r; .. }
 * Elements are numbered by k, which comes by none twice, and in their order, if no row begins before the one in front
 * of it ends; that is looked up while it runs, and where it is not so, the nest is run as it stands. To which row an
 * element belongs a binary search tells. */
#include "frontend/infer/reach.h"
#include "frontend/load.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/placements_form.h"
#include <stdlib.h>

static struct rg_cnode *at(struct rg_ctree *t, int array, struct rg_cnode *sub)
{
    return rg__c_index(t, array, 1, &sub);
}

static bool subscripted(const struct rg_cnode *n, int array, int var)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == array && n->n == 1 && rg__doubling_var(n->kid[0], var)) return true;
    for (int i = 0; i < n->n; i++)
        if (subscripted(n->kid[i], array, var)) return true;
    return false;
}

/* What a loop over the array's elements goes up to, of parameters; NULL. */
static struct rg_cnode *gone_through(struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    struct rg__counted h;
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_FOR && n->kid[1] && rg__counted(t, n, n->kid[1], &h) && h.step == 1 && h.upper &&
        subscripted(n->kid[3], array, h.var)) {
        struct rg_cnode *upper = rg__placement_of_params(t, h.upper);
        if (upper) return upper;
    }
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *all = gone_through(t, n->kid[i], array);
        if (all) return all;
    }
    return NULL;
}

/* How many iterations there are at most of a loop whose variable is a subscript as it is: of one of the arrays with
 * that subscript as many as it has elements, or as another loop goes through. NULL: nobody knows. */
static struct rg_cnode *elements_of(const struct rg__placing *p, const struct rg_problem *problem,
                                    const struct rg_cnode *n, int var)
{
    struct rg_ctree *t = p->t;
    if (n->kind == RG_C_INDEX && n->n == 1 && !n->pointer && rg__doubling_var(n->kid[0], var)) {
        const struct rg_carray *a = &t->arrays[n->array];
        const struct rg_param *q = a->param >= 0 ? &problem->params[a->param] : NULL;
        const struct rg_expr *e = q && q->n_dims == 1 && !q->extent_inferred && q->dims ? q->dims[0]
                                  : a->n_dims == 1 && a->dims                           ? a->dims[0]
                                                                                        : NULL;
        struct rg_cnode *all = e ? rg__c_from_expr(t, e) : NULL;
        if (!all) all = gone_through(t, t->root, n->array);
        if (all) return all;
    }
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *all = n->kid[i] ? elements_of(p, problem, n->kid[i], var) : NULL;
        if (all) return all;
    }
    return NULL;
}

/* The inner loop's bound in row `row`, as a number that compares with elements'. */
static struct rg_cnode *bound(struct rg__placing *p, bool upper, struct rg_cnode *row)
{
    struct rg__placement *f = &p->form;
    struct rg_cnode *b = rg__placement_opened(f, upper ? f->level[1].upper : f->level[1].lower, f->between[1]);
    enum rg_scalar type = p->t->vars[f->level[0].var].type;
    struct rg_cnode *first = rg__c_cast(p->t, rg__placement_of_params(p->t, f->level[0].lower), type);
    if (first->kind != RG_C_INT || first->ivalue)
        row = rg__c_binary(p->t, RG_COP_ADD, first, rg__c_cast(p->t, row, type));
    return rg__c_cast(p->t, rg__c_replace_var(p->t, b, f->level[0].var, rg__c_cast(p->t, row, type)), RG_LONG);
}

/* What the local is declared as, where nothing else sets it; NULL. */
static const struct rg_cnode *declared(const struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var && !n->pointer && n->n) return n->kid[0];
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *value = declared(n->kid[i], var);
        if (value) return value;
    }
    return NULL;
}

/* Does a loop go through an array of the nest's up to an element of `array`: `nnz = ptr[rows]; for (k = 0; k < nnz;
 * k++) count[col[k]]++`? */
static bool gone_to_element(struct rg__placing *p, const struct rg_cnode *n, int array)
{
    struct rg_ctree *t = p->t;
    struct rg__counted h;
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_FOR && n->kid[1] && rg__counted(t, n, n->kid[1], &h) && h.step == 1 && h.upper) {
        const struct rg_cnode *upper = rg__c_uncast(h.upper, RG__C_INT_CASTS);
        if (upper->kind == RG_C_VAR && upper->array < 0 && t->vars[upper->var].kind == RG_CVAR_LOCAL &&
            !rg__c_writes_var(t->root, upper->var))
            upper = declared(t->root, upper->var);
        upper = upper ? rg__c_uncast(upper, RG__C_INT_CASTS) : NULL;
        const bool last = upper && upper->kind == RG_C_INDEX && upper->array == array && upper->n == 1 &&
                          rg__c_of_params(t, upper->kid[0]); /* no row's end */
        for (int a = 0; last && a < t->n_arrays; a++)
            if (subscripted(n->kid[3], a, h.var) && subscripted(p->form.body, a, p->form.level[1].var)) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (gone_to_element(p, n->kid[i], array)) return true;
    return false;
}

/* The size that a stated extent, or a loop, says is the largest bound there is; NULL. */
static struct rg_cnode *largest_bound(struct rg__placing *p, struct rg__load *l)
{
    const struct rg_cnode *b =
        rg__c_uncast(rg__placement_opened(&p->form, p->form.level[1].upper, p->form.between[1]), RG__C_INT_CASTS);
    const int param = b->kind == RG_C_INDEX && b->n == 1 && !b->pointer ? p->t->arrays[b->array].param : -1;
    int size = param >= 0 ? rg__reach_end_stated(l, param) : -1;
    if (param >= 0 && size < 0 && gone_to_element(p, p->t->root, b->array)) size = rg__reach_end(l, param);
    for (int v = 0; v < p->t->n_vars && size >= 0; v++)
        if (p->t->vars[v].kind == RG_CVAR_PARAM && p->t->vars[v].param == size) return rg__c_var(p->t, v);
    return NULL;
}

bool rg__placing_in_rows(struct rg__placing *p, struct rg__load *l, struct rg__range *r, struct rg__poly *n)
{
    struct rg_ctree *t = p->t;
    struct rg__placement *f = &p->form;
    struct rg__poly rows;
    if (f->n_levels != 2 || f->level[0].step != 1 || f->level[1].step != 1 ||
        !rg__placing_trips(t, r, &f->level[0], &rows))
        return false;
    for (int i = 0; i < f->between[1]; i++)
        if (f->front[i].condition) return false;
    struct rg_cnode *all = elements_of(p, l->p, f->body, f->level[1].var);
    if (!all) all = largest_bound(p, l);
    all = all ? rg__placement_of_params(t, all) : NULL;
    if (!all || !rg__c_pure(t, f->level[1].lower) || !rg__c_pure(t, f->level[1].upper)) return false;
    *n = rg__poly_of(r, all);
    if (n->bad) return false;
    p->rows = rg__poly_node(r, &rows);
    p->trips = rg__poly_node(r, n);
    p->number = RG_LONG;
    p->element = rg__c_add_var(t, "e", RG_CVAR_LOCAL, p->number);
    return true;
}

struct rg_cnode *rg__placing_rows(struct rg__placing *p)
{
    struct rg_ctree *t = p->t;
    enum { E, LO, HI, MID, STEP, N };
    static const char *const names[N] = {"e", "lo", "hi", "mid", "step"};
    int v[N];
    for (int i = 0; i < N; i++) v[i] = rg__c_add_var(t, names[i], RG_CVAR_LOCAL, RG_LONG);
#define VAR(i) rg__c_var(t, v[i])
    struct rg__kids body = {0};
    rg__kids_add(&body, rg__doubling_declaration(t, v[LO], rg__c_int(t, 0), p->loop));
    rg__kids_add(&body, rg__doubling_declaration(t, v[HI], rg__c_copy(t, p->rows), p->loop));
    rg__placing_bisect(p, v[LO], v[HI], v[MID], v[STEP], rg__c_binary(t, RG_COP_LE, bound(p, true, VAR(MID)), VAR(E)),
                       &body);
    rg__kids_add(&body, rg__placed_set(t, at(t, p->row_of, VAR(E)), rg__c_cast(t, rg__c_int(t, -1), RG_LONG), p->loop));
    struct rg_cnode *begun =
        rg__placed_either(t, rg__c_binary(t, RG_COP_LE, bound(p, false, VAR(LO)), VAR(E)),
                          rg__placed_set(t, at(t, p->row_of, VAR(E)), VAR(LO), p->loop), NULL, p->loop);
    rg__kids_add(
        &body, rg__placed_either(t, rg__c_binary(t, RG_COP_LT, VAR(LO), rg__c_copy(t, p->rows)), begun, NULL, p->loop));
    return rg__placing_counted(p, v[E], rg__c_copy(t, p->trips), &body);
#undef VAR
}

struct rg_cnode *rg__placing_crossing(struct rg__placing *p, struct rg__kids *out)
{
    struct rg_ctree *t = p->t;
    int flag = rg__c_add_var(t, "unordered", RG_CVAR_LOCAL, RG_I32), r[2];
    for (int i = 0; i < 2; i++) r[i] = rg__c_add_var(t, "row", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *zero = rg__c_cast(t, rg__c_int(t, 0), RG_LONG), *one = rg__c_int(t, 1);
    struct rg_cnode *bad =
        rg__c_binary(t, RG_COP_OR,
                     rg__c_binary(t, RG_COP_OR, rg__c_binary(t, RG_COP_LT, bound(p, false, rg__c_var(t, r[0])), zero),
                                  rg__c_binary(t, RG_COP_LT, bound(p, true, rg__c_var(t, r[0])),
                                               bound(p, false, rg__c_var(t, r[0])))),
                     rg__c_binary(t, RG_COP_GT, bound(p, true, rg__c_var(t, r[0])),
                                  rg__c_cast(t, rg__c_copy(t, p->trips), RG_LONG)));
    struct rg__kids body = {0}, next = {0};
    rg__kids_add(&body, rg__placed_either(t, bad, rg__placed_set(t, rg__c_var(t, flag), rg__c_int(t, 1), p->loop), NULL,
                                          p->loop));
    struct rg_cnode *behind = bound(p, false, rg__c_binary(t, RG_COP_ADD, rg__c_var(t, r[1]), one)),
                    *end = bound(p, true, rg__c_var(t, r[1]));
    rg__kids_add(out, rg__doubling_declaration(t, flag, rg__c_int(t, 0), p->loop));
    rg__kids_add(out, rg__placing_counted(p, r[0], rg__c_copy(t, p->rows), &body));
    struct rg__range *range = rg_xmalloc(sizeof *range);
    rg__range_init(range, t, NULL);
    const struct rg_cnode *a = rg__c_uncast(behind, RG__C_CASTS), *b = rg__c_uncast(end, RG__C_CASTS);
    bool joined = a->kind == RG_C_INDEX && b->kind == RG_C_INDEX && a->array == b->array && a->n == 1 && b->n == 1;
    if (joined) {
        struct rg__poly x = rg__poly_of(range, a->kid[0]), y = rg__poly_of(range, b->kid[0]);
        joined = !x.bad && rg__poly_equal(&x, &y);
    }
    free(range);
    if (!joined) {
        rg__kids_add(&next,
                     rg__placed_either(t, rg__c_binary(t, RG_COP_LT, behind, end),
                                       rg__placed_set(t, rg__c_var(t, flag), rg__c_int(t, 1), p->loop), NULL, p->loop));
        rg__kids_add(out,
                     rg__placing_counted(p, r[1], rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, p->rows), one), &next));
    }
    return rg__c_binary(t, RG_COP_NE, rg__c_var(t, flag), rg__c_int(t, 0));
}
