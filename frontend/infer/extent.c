/* Extents of flat pointers from the accesses that certainly execute, and the conditions that keep accesses inside
 * written extents. */
#include "frontend/infer/extent.h"
#include "frontend/infer/counter_bounds.h"
#include "frontend/infer/infer.h"
#include "frontend/infer/reach.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_TOPS = 8 };

struct infer {
    struct rg_ctree *t;
    int array;
    bool rows; /* of the outermost subscript of a delinearised array */
    int dim;   /* of which subscript otherwise */
    int n;
    struct rg__poly tops[MAX_TOPS]; /* highest subscript + 1, none known to be below another */
    struct rg__range *scratch;
    bool unknown;       /* a certain access whose reach cannot be said */
    bool swept;         /* one that a loop moves along, and whose reach can be said */
    bool single, later; /* the accesses that no loop moves along are looked at; there are some: they come last */
    bool last;          /* one of the element before a parameter's number of them */
    const bool *count;  /* by variable: a pointer that is a parameter says that so many are before it; NULL */
};

static bool at_least(struct infer *f, const struct rg__poly *a, const struct rg__poly *b)
{
    struct rg__poly d = rg__poly_add(a, b, -1);
    return rg__prove(f->scratch, &d);
}

static void add_top(struct infer *f, const struct rg__poly *p)
{
    for (int i = 0; i < f->n; i++)
        if (at_least(f, &f->tops[i], p)) return;
    int k = 0;
    for (int i = 0; i < f->n; i++)
        if (!at_least(f, p, &f->tops[i])) f->tops[k++] = f->tops[i];
    f->n = k;
    if (f->n < MAX_TOPS)
        f->tops[f->n++] = *p;
    else
        f->unknown = true;
}

/* The top of `p`, whose one part that is no polynomial is a quotient by a number: x / c + q is at most (x + c q) / c,
 * and -(x / c) + q at most (c q - x + c - 1) / c. */
static bool top_of_quotient(struct infer *f, struct rg__range *r, const struct rg__poly *p, struct rg__poly *top)
{
    struct rg__poly rest = rg__poly_int(0), zero = rg__poly_int(0), one = rg__poly_int(1), low;
    int atom = -1;
    int64_t sign = 0;
    for (int i = 0; i < p->n && !p->bad; i++) {
        struct rg__poly term = {.n = 1};
        term.terms[0] = p->terms[i];
        bool other = false;
        for (int d = 0; d < p->terms[i].degree; d++) other |= p->terms[i].var[d] >= RG__ATOM;
        if (other && (p->terms[i].degree != 1 || atom >= 0 || (p->terms[i].c != 1 && p->terms[i].c != -1)))
            return false;
        if (other)
            atom = p->terms[i].var[0] - RG__ATOM, sign = p->terms[i].c;
        else
            rest = rg__poly_add(&rest, &term, 1);
    }
    const struct rg_cnode *q = atom >= 0 ? rg__c_uncast(r->atoms[atom], RG__C_WIDE_CASTS) : NULL;
    const struct rg_cnode *by = q && q->op == RG_COP_DIV ? rg__c_uncast(q->kid[1], RG__C_INT_CASTS) : NULL;
    if (!by || by->kind != RG_C_INT || by->ivalue < 2 || by->ivalue > 1 << 20) return false;
    struct rg__poly x = rg__poly_of(r, q->kid[0]), c = rg__poly_int(by->ivalue), all = rg__poly_mul(&rest, &c);
    all = rg__poly_add(&all, &x, sign);
    if (sign < 0) {
        struct rg__poly up = rg__poly_int(by->ivalue - 1);
        all = rg__poly_add(&all, &up, 1);
    }
    struct rg__poly neg = rg__poly_add(&zero, &all, -1);
    r->hull = true;
    bool known = !all.bad && rg__lowest(r, &neg, &low);
    r->hull = false;
    if (!known) return false;
    struct rg__poly most = rg__poly_add(&zero, &low, -1);
    struct rg_cnode *node = rg__c_binary(f->t, RG_COP_DIV, rg__poly_node(r, &most), rg__c_int(f->t, by->ivalue));
    *top = rg__poly_of(f->scratch, node);
    *top = rg__poly_add(top, &one, 1);
    return !top->bad;
}

/* x >> 3 of an x that is never negative, in an expression of sizes: x / 8. */
static struct rg_cnode *with_quotients(struct infer *f, struct rg_cnode *e)
{
    int64_t by;
    for (int i = 0; i < e->n; i++) e->kid[i] = with_quotients(f, e->kid[i]);
    if (e->op != RG_COP_SHR || !rg__c_number(e->kid[1], &by) || by < 0 || by > 30) return e;
    return rg__c_binary(f->t, RG_COP_DIV, e->kid[0], rg__c_int(f->t, (int64_t)1 << by));
}

/* The top over parameters and quotients of these: rows of w / 8 blocks. */
static bool top_over_quotients(struct infer *f, struct rg__range *r, const struct rg__poly *neg, struct rg__poly *top)
{
    struct rg__poly low, one = rg__poly_int(1);
    r->hull = true;
    bool known = !neg->bad && rg__lowest_of_quotients(r, neg, &low);
    r->hull = false;
    if (!known) return false;
    low = rg__poly_add(&one, &low, -1);
    const struct rg_expr *e = rg__c_to_expr(f->t, with_quotients(f, rg__poly_node(r, &low)), &f->t->arena);
    if (!e) return false;
    *top = rg__poly_of(f->scratch, rg__c_from_expr(f->t, e)); /* without casts: quotients that are the same are one */
    return !top->bad;
}

struct sweep {
    const struct rg__range *range;
    bool found;
};

static bool look_for_iterator(void *arg, struct rg_cnode *n)
{
    struct sweep *s = arg;
    for (int i = 0; i < s->range->n_loops && n->kind == RG_C_VAR && n->array < 0; i++)
        s->found |= s->range->loops[i]->var == n->var;
    return true;
}

/* The tops of `p`, one of whose terms is a local that counts through loops (`out[k++]`). */
static bool top_of_counter(struct infer *f, const struct rg__visit *v, const struct rg__poly *p)
{
    struct rg__poly bound[RG__COUNTER_BOUNDS], top[RG__COUNTER_BOUNDS], zero = rg__poly_int(0), one = rg__poly_int(1);
    for (int i = 0; i < p->n && !p->bad; i++) {
        const struct rg__term *m = &p->terms[i];
        if (m->degree != 1 || m->c < 1 || m->var[0] >= RG__ATOM || f->t->vars[m->var[0]].kind != RG_CVAR_LOCAL)
            continue;
        int n = rg__counter_bounds(f->t, m->var[0], v->node, f->scratch, bound);
        bool known = n > 0;
        for (int k = 0; k < n && known; k++) {
            const struct rg__poly here = rg__poly_of(v->range, rg__poly_node(f->scratch, &bound[k]));
            struct rg__poly counter = rg__poly_var(m->var[0]), by = rg__poly_add(&here, &counter, -1), low,
                            at = rg__poly_add(p, &by, m->c), neg = rg__poly_add(&zero, &at, -1);
            v->range->hull = true;
            known = !at.bad && rg__lowest(v->range, &neg, &low);
            v->range->hull = false;
            if (known)
                top[k] = rg__poly_add(&one, &low, -1);
            else
                known = top_over_quotients(f, v->range, &neg, &top[k]);
        }
        for (int k = 0; k < n && known; k++) add_top(f, &top[k]);
        return known;
    }
    return false;
}

/* In front of the place that a pointer parameter says, as conditions there have it: nothing behind that is anybody's.
 */
static bool before_end(struct infer *f, struct rg__range *r, const struct rg__poly *at, struct rg__poly *top)
{
    for (int v = 0; f->count && v < f->t->n_vars; v++) {
        if (!f->count[v]) continue;
        const struct rg__poly all = rg__poly_var(v);
        if (rg__range_above(r, &all, at, 1)) return *top = all, true;
    }
    return false;
}

/* By a loop that only its data end (rounds until nothing changes): its number says nothing about places. */
static bool by_endless(const struct rg__range *r, const struct rg_cnode *e)
{
    for (int i = 0; i < r->n_loops && e->kind == RG_C_VAR && e->array < 0; i++) {
        const struct rg_cnode *l = r->loops[i], *end = l->kid[1];
        if (l->var == e->var && l->n > 3 && end->kind == RG_C_INT && end->ivalue >= INT32_MAX) return true;
    }
    for (int i = 0; i < e->n; i++)
        if (by_endless(r, e->kid[i])) return true;
    return false;
}

/* Do conditions around the place keep it below one of the tops that loops go to? `if (from < n) level[from] = 0;` */
static bool below_others(const struct infer *f, struct rg__range *r, const struct rg__poly *top)
{
    bool is = false;
    r->hull = true;
    for (int i = 0; i < f->n && !is; i++) {
        bool plain = true; /* what is no polynomial has another number in each range */
        for (int k = 0; k < f->tops[i].n; k++)
            for (int d = 0; d < f->tops[i].terms[k].degree; d++) plain = plain && f->tops[i].terms[k].var[d] < RG__ATOM;
        is = plain && rg__range_above(r, &f->tops[i], top, 0);
    }
    r->hull = false;
    return is;
}

static void infer_access(void *arg, const struct rg__visit *v)
{
    struct infer *f = arg;
    if (v->node->array != f->array) return;
    const struct rg_carray *x = &f->t->arrays[f->array];
    const struct rg_cnode *at = v->from;
    if (v->pointer) { /* the address of one structure (that of a scalar is more often that of a row) or of a row; what
                         else it leads to is not said */
        if (v->node->kind == RG_C_INDEX && !x->delinearised && f->dim < v->node->n)
            at = v->node->kid[f->dim];
        else if (x->elem != RG_STRUCT || x->n_dims != 1 || !at)
            return;
        f->unknown = true;
    } else {
        if (v->node->kind != RG_C_INDEX || v->node->n <= f->dim) return;
        at = v->node->kid[f->dim];
    }
    const struct rg_cnode *linear = x->delinearised && !f->rows && !v->pointer ? rg_c_linear(f->t, v->node) : NULL;
    struct rg__poly flat = rg__poly_of(v->range, linear ? linear : at), zero = rg__poly_int(0), one = rg__poly_int(1),
                    low = rg__poly_int(0);
    if (x->delinearised && !f->rows && !linear) { /* the parameter is flat */
        for (int d = 1; d < x->n_dims; d++) {
            struct rg__poly dim = rg__poly_of(v->range, rg__c_from_expr(f->t, x->dims[d]));
            struct rg__poly sub = rg__poly_of(v->range, v->node->kid[d]);
            flat = rg__poly_mul(&flat, &dim);
            flat = rg__poly_add(&flat, &sub, 1);
        }
    }
    struct rg__poly neg = rg__poly_add(&zero, &flat, -1);
    v->range->hull = true;
    if (!neg.bad) rg__range_describe(v->range, &neg); /* `x % m`, of a parameter that is 1 at least then */
    bool known = rg__lowest(v->range, &neg, &low);
    v->range->hull = false;
    struct rg__poly top = rg__poly_add(&one, &low, -1);
    if (by_endless(v->range, at)) {
        f->unknown = true;
        return;
    }
    const bool before = !flat.bad && before_end(f, v->range, &flat, &top);
    known = known || before;
    if (!known && top_of_counter(f, v, &flat)) {
        f->swept = true;
        return;
    }
    if (!known && !top_of_quotient(f, v->range, &flat, &top) && !top_over_quotients(f, v->range, &neg, &top)) {
        f->unknown = true;
        return;
    }
    struct sweep s = {v->range, false};
    rg__c_walk(v->pointer ? (struct rg_cnode *)at : v->node, look_for_iterator, &s);
    f->swept |= s.found;
    bool single = top.n == 1 && top.terms[0].degree == 1 && top.terms[0].c == 1 && top.terms[0].var[0] < RG__ATOM;
    f->last |= single && f->t->vars[top.terms[0].var[0]].kind == RG_CVAR_PARAM;
    f->later |= !s.found;
    if (s.found != f->single && !(f->single && below_others(f, v->range, &top))) add_top(f, &top);
}

/* kinds: what subscripts one array of known extent is below that in another. Then all accesses must be bounded. */
static bool infer(struct rg_ctree *t, const struct rg_problem *p, int array, bool rows, int dim, const bool *count,
                  bool kinds, struct rg_arena *a, const struct rg_expr **out)
{
    struct rg__given *given = rg__given_of(t, p);
    if (kinds) rg__given_kinds(t, p, given);
    struct infer *f = rg_xcalloc(1, sizeof *f);
    f->scratch = rg_xmalloc(sizeof *f->scratch);
    rg__range_init(f->scratch, t, given);
    f->scratch->hull = true;
    f->t = t;
    f->array = array;
    f->rows = rows;
    f->dim = dim;
    f->count = count;
    rg__each_access(t, t->root, given, infer_access, f);
    f->single = true;
    if (f->later) rg__each_access(t, t->root, given, infer_access, f);
    struct rg_cnode *e = NULL;
    for (int i = 0; i < f->n; i++) {
        struct rg_cnode *x = rg__poly_node(f->scratch, &f->tops[i]);
        if (!e) {
            e = x;
            continue;
        }
        struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
        c->kid[0] = rg__c_binary(t, RG_COP_GT, e, x);
        c->kid[1] = e;
        c->kid[2] = x;
        e = c;
    }
    /* Where data lead into an array, a loop over it says how long it is; a single place in it (the pixel to start from)
     * does not, but the last element of all (`t[n - 1]`) does. */
    *out = e && !(f->unknown && (rows || kinds || !(f->swept || f->last))) ? rg__c_to_expr(t, e, a) : NULL;
    free(f->scratch);
    free(f);
    rg__given_free(given);
    return *out != NULL;
}

bool rg__infer_extent(struct rg_ctree *t, const struct rg_problem *p, int array, struct rg_arena *a,
                      const struct rg_expr **out)
{
    return infer(t, p, array, false, 0, NULL, false, a, out);
}

bool rg__infer_dim(struct rg_ctree *t, const struct rg_problem *p, int array, int dim, struct rg_arena *a,
                   const struct rg_expr **out)
{
    return infer(t, p, array, false, dim, NULL, false, a, out);
}

bool rg__infer_rows(struct rg_ctree *t, const struct rg_problem *p, int array, const struct rg_expr **out)
{
    return infer(t, p, array, true, 0, NULL, false, &t->arena, out);
}

struct bounds {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg_arena *a;
    struct rg__derived *need;
};

static void require_inside(struct bounds *b, struct rg__range *r, const struct rg__poly *p, const char *name)
{
    struct rg__poly low;
    int64_t c;
    if (rg__prove(r, p) || !rg__lowest(r, p, &low) || rg__poly_is_int(&low, &c) || low.n > 4) return;
    struct rg__poly pos = rg__poly_int(0), neg = rg__poly_int(0);
    for (int i = 0; i < low.n; i++) {
        struct rg__poly term = {.n = 1};
        term.terms[0] = low.terms[i];
        if (term.terms[0].c > 0)
            pos = rg__poly_add(&pos, &term, 1);
        else
            neg = rg__poly_add(&neg, &term, -1);
    }
    struct rg_cnode *n = rg__c_binary(b->t, RG_COP_LE, rg__poly_node(r, &neg), rg__poly_node(r, &pos));
    const struct rg_expr *e = rg__c_to_expr(b->t, n, b->a);
    if (!e || (b->need->holds && !b->need->holds(b->need->arg, e))) return;
    for (int i = 0; i < b->need->n; i++)
        if (rg_expr_equal(b->need->items[i].expr, e)) return;
    struct rg_buf text = RG_BUF_INIT;
    rg_expr_print(&text, e, NULL, NULL);
    RG_GROW(b->need->items, b->need->n, b->need->cap);
    b->need->items[b->need->n++] = (struct rg__requirement){
        e, rg_arena_strdup(b->a, text.data), rg_arena_printf(b->a, "accesses to %s stay inside its extents", name)};
    rg_buf_release(&text);
}

static bool of_params(const struct rg_ctree *t, const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++)
            if (p->terms[i].var[k] >= RG__ATOM || t->vars[p->terms[i].var[k]].kind != RG_CVAR_PARAM) return false;
    return !p->bad;
}

/* own: the function allocates it itself. What `n ? n : 1` comes to is more than its least value: nothing is asked of
 * sizes by that. */
static void bound_subscript(struct bounds *b, struct rg__range *r, const struct rg_cnode *at,
                            const struct rg_expr *extent, bool own, const char *name)
{
    struct rg_cnode *e = extent ? rg__c_from_expr(b->t, extent) : NULL;
    if (!e) return;
    struct rg__poly one = rg__poly_int(1), sub = rg__poly_of(r, at), dim = rg__poly_of(r, e),
                    top = rg__poly_add(&dim, &sub, -1);
    top = rg__poly_add(&top, &one, -1);
    if (!top.bad && (!own || of_params(b->t, &dim))) require_inside(b, r, &top, name);
    if (!sub.bad) require_inside(b, r, &sub, name);
}

static bool by_rounds(const struct rg__range *r, const struct rg_cnode *e)
{
    for (int i = 0; i < r->n_loops; i++)
        if (r->loops[i]->n > 3 && rg__c_mentions_var(e, r->loops[i]->var)) return true;
    return false;
}

/* In the first round of loops that their data end, and the same in all: neither the subscript nor a loop around goes by
 * their number. */
static bool same_in_rounds(const struct rg__visit *v)
{
    bool same = v->first && !by_rounds(v->range, v->node);
    for (int i = 0; i < v->range->n_loops && same; i++)
        same = !by_rounds(v->range, v->range->loops[i]->kid[0]) && !by_rounds(v->range, v->range->loops[i]->kid[1]);
    return same;
}

static void bound_access(void *arg, const struct rg__visit *v)
{
    struct bounds *b = arg;
    if (v->node->kind != RG_C_INDEX || v->pointer || (!v->certain && !same_in_rounds(v))) return;
    const struct rg_carray *x = &b->t->arrays[v->node->array];
    for (int d = 0; x->dims && !rg_c_linear(b->t, v->node) && d < v->node->n && d < x->n_dims; d++)
        if (rg_c_affine(b->t, v->node->kid[d]))
            bound_subscript(b, v->range, v->node->kid[d], x->dims[d], x->param < 0, x->name);
}

static void bound_place(void *arg, const struct rg__visit *v)
{
    struct bounds *b = arg;
    const struct rg_cnode *linear =
        v->node->kind == RG_C_INDEX && !v->pointer && v->certain ? rg_c_linear(b->t, v->node) : NULL;
    struct rg__poly at = linear ? rg__poly_of(v->range, linear) : rg__poly_int(0);
    const struct rg_carray *x = &b->t->arrays[v->node->array];
    if (linear && of_params(b->t, &at))
        bound_subscript(b, v->range, linear, x->param >= 0 ? b->p->params[x->param].dims[0] : x->flat, x->param < 0,
                        x->name);
}

void rg__place_requirements(struct rg_ctree *t, const struct rg_problem *p, struct rg_arena *a,
                            struct rg__derived *need)
{
    struct rg__given *given = rg__given_of(t, p);
    struct bounds b = {t, p, a, need};
    rg__each_access(t, t->root, given, bound_place, &b);
    rg__given_free(given);
}

void rg__bounds_requirements(struct rg_ctree *t, const struct rg_problem *p, struct rg_arena *a,
                             struct rg__derived *need)
{
    struct rg__given *given = rg__given_of(t, p);
    struct bounds b = {t, p, a, need};
    rg__each_access(t, t->root, given, bound_access, &b);
    rg__given_free(given);
}

/* Extents the user did not write, from the accesses. */
static const struct rg_expr *whole_rows(struct rg__load *l, int array)
{
    const struct rg_carray *x = &l->t->arrays[array];
    const struct rg_expr *rows;
    if (!x->delinearised || !rg__infer_rows(l->t, l->p, array, &rows)) return NULL;
    struct rg_cnode *all = rg__c_from_expr(l->t, rows);
    for (int d = 1; d < x->n_dims; d++) all = rg__c_binary(l->t, RG_COP_MUL, all, rg__c_from_expr(l->t, x->dims[d]));
    return rg__c_to_expr(l->t, all, &l->p->arena);
}

const struct rg_expr *rg__rows_that_hold(struct rg_ctree *t, const struct rg_carray *x)
{
    struct rg_buf row = RG_BUF_INIT, text = RG_BUF_INIT;
    const struct rg_expr *e = NULL;
    if (x->dims[0] || !x->mallocd || !x->flat) return x->dims[0];
    for (int d = 1; d < x->n_dims; d++) {
        rg_buf_str(&row, d > 1 ? " * (" : "(");
        rg_expr_print(&row, x->dims[d], NULL, NULL);
        rg_buf_char(&row, ')');
    }
    rg_expr_print(&text, x->flat, NULL, NULL);
    rg_buf_printf(&text, " + %s - 1", row.data);
    char *rounded = rg_xasprintf("(%s) / (%s)", text.data, row.data);
    if (rg_expr_parse_all(&t->arena, rounded, &e, NULL) != RG_OK) e = NULL;
    free(rounded);
    rg_buf_release(&text);
    rg_buf_release(&row);
    return e;
}

/* The same of a parameter's, in which others may point to the end. */
static bool extent_of_param(struct rg__load *l, int array, const struct rg_expr **out)
{
    bool *count = rg_xcalloc((size_t)l->t->n_vars + 1, sizeof *count);
    for (int v = 0; v < l->t->n_vars; v++) {
        const int q = l->t->vars[v].kind == RG_CVAR_PARAM ? l->t->vars[v].param : -1;
        count[v] = q >= 0 && l->b.origins[q].layout == RG__COUNT &&
                   l->b.origins[q].parent == l->t->arrays[array].param && !l->t->vars[v].assigned;
    }
    bool known = infer(l->t, l->p, array, false, 0, count, false, &l->p->arena, out);
    free(count);
    return known;
}

static void take_extent(struct rg__load *l, struct rg_param *q, const struct rg_expr *e)
{
    const struct rg_expr **dims = rg_arena_alloc(&l->p->arena, (size_t)q->n_dims * sizeof *dims);
    memcpy(dims, q->dims, (size_t)q->n_dims * sizeof *dims);
    dims[0] = e;
    q->dims = dims;
    q->extent_inferred = true;
}

/* Those that are left, off what their subscripts are below in other arrays, which may in turn be found so. */
static void extents_of_kinds(struct rg__load *l)
{
    for (bool more = true; more;) {
        more = false;
        for (int a = 0; a < l->t->n_arrays; a++) {
            const struct rg_carray *x = &l->t->arrays[a];
            struct rg_param *q = x->param >= 0 && !x->constant_table ? &l->p->params[x->param] : NULL;
            const struct rg_expr *e = NULL;
            if (!q || q->kind != RG_PARAM_ARRAY || q->dims[0] || !rg__c_mentions_array(l->t->root, a) ||
                !infer(l->t, l->p, a, false, 0, NULL, true, &l->p->arena, &e))
                continue;
            take_extent(l, q, e);
            q->extent_from = "as far as its subscripts lead in other arrays";
            more = true;
        }
    }
}

void rg__infer_extents(struct rg__load *l)
{
    for (int i = 0; i < l->p->n_params; i++) {
        struct rg_param *q = &l->p->params[i];
        if (q->kind != RG_PARAM_ARRAY || q->dims[0]) continue;
        for (int a = 0; a < l->t->n_arrays; a++) {
            const struct rg_carray *x = &l->t->arrays[a];
            const struct rg_expr *e = NULL, *rows = NULL;
            if (x->param != i || x->constant_table) continue;
            bool off = extent_of_param(l, a, &e);
            /* an init function fills whole rows, also where the function itself stops before the end of the last (a
             * stencil's rim); and rows are whole where data say the column */
            if (q->input.kind == RG_INPUT_INIT || (!off && x->is_const)) rows = whole_rows(l, a);
            if (!off && !rows) continue;
            take_extent(l, q, rows ? rows : e);
        }
    }
    rg__caller_extents(l);
    extents_of_kinds(l);
}

/* Those of copies of arrays whose extents were not known when they were made. */
static void copied_extents(struct rg_ctree *t)
{
    for (int a = 0; a < t->n_arrays; a++) {
        struct rg_carray *x = &t->arrays[a];
        const struct rg_carray *of = x->copies ? &t->arrays[x->copies - 1] : NULL;
        bool all = of && of->dims && of->n_dims == x->n_dims;
        for (int d = 0; all && d < of->n_dims; d++) all = of->dims[d] != NULL;
        if (all) x->dims = of->dims;
    }
}

/* Those of local arrays whose sizes are no expressions of parameters (`float t[i]`): what all accesses can reach. */
void rg__infer_local_extents(struct rg__load *l)
{
    copied_extents(l->t);
    for (int a = 0; a < l->t->n_arrays; a++) {
        struct rg_carray *x = &l->t->arrays[a];
        const struct rg_expr *e;
        if (x->param >= 0 || x->constant_table || x->n_dims != 1 || x->dims[0] || !rg__infer_rows(l->t, l->p, a, &e))
            continue;
        x->dims = rg_arena_alloc(&l->t->arena, sizeof *x->dims);
        x->dims[0] = e;
    }
}

/* T **: how long the rows are, off the subscripts that go along them, before anything asks for it. */
enum rg_status rg__infer_row_extents(struct rg__load *l)
{
    bool all = true;
    for (int a = 0; a < l->t->n_arrays; a++) {
        struct rg_carray *x = &l->t->arrays[a];
        struct rg_param *q = x->param >= 0 && !x->constant_table ? &l->p->params[x->param] : NULL;
        for (int d = 0; q && d < q->n_dims && x->n_dims == q->n_dims; d++) {
            const struct rg_expr *e, **dims;
            if (q->dims[d] || (d == 0 && !q->indirect)) continue;
            if (!rg__infer_dim(l->t, l->p, a, d, &l->p->arena, &e)) {
                all = all && d == 0;
                continue;
            }
            dims = rg_arena_alloc(&l->p->arena, (size_t)q->n_dims * sizeof *dims);
            memcpy(dims, q->dims, (size_t)q->n_dims * sizeof *dims);
            dims[d] = e;
            x->dims = q->dims = dims;
            q->extent_inferred = true;
        }
    }
    copied_extents(l->t);
    if (all) return RG_OK;
    rg__reach_rows(l);
    l->rows_only = true;
    rg__caller_extents(l);
    l->rows_only = false;
    copied_extents(l->t);
    for (int i = 0; i < l->p->n_params; i++)
        for (int d = 1; d < l->p->params[i].n_dims; d++)
            if (!l->p->params[i].dims[d]) return rg__require_extents(l);
    return RG_OK;
}
