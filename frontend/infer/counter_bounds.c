/* Interval analysis, of upper ends alone, with widening by trip counts: a local that an iteration moves on by at most d
 * is at most d * trips above what it was in front of the loop. The ends are polynomials of parameters and of the
 * iterators around; one that an iteration adds to whatever it found is relative. */
#include "frontend/infer/counter_bounds.h"
#include <stdlib.h>

enum { FAR = 1 << 24 };

struct end {
    bool relative; /* to what the local was where the analysis began */
    struct rg__poly at;
};

struct ends { /* the local is at most the greatest of them */
    bool unknown;
    int n;
    struct end of[RG__COUNTER_BOUNDS];
};

struct count {
    struct rg_ctree *t;
    int var;
    const struct rg_cnode *use;
    struct rg__range *r;
    struct ends *found; /* where `use` stands; NULL: not asked for */
    bool seen;
    int depth; /* of elements whose values are asked for */
};

static void add(struct count *c, struct ends *e, bool relative, const struct rg__poly *at)
{
    if (at->bad) e->unknown = true;
    if (e->unknown) return;
    int k = 0;
    for (int i = 0; i < e->n; i++)
        if (e->of[i].relative == relative && rg__range_above(c->r, &e->of[i].at, at, 0)) return;
    for (int i = 0; i < e->n; i++)
        if (e->of[i].relative != relative || !rg__range_above(c->r, at, &e->of[i].at, 0)) e->of[k++] = e->of[i];
    e->n = k;
    if (k == RG__COUNTER_BOUNDS) {
        e->unknown = true;
        return;
    }
    e->of[e->n++] = (struct end){relative, *at};
}

static void join(struct count *c, struct ends *a, const struct ends *b)
{
    a->unknown |= b->unknown;
    for (int i = 0; i < b->n && !a->unknown; i++) add(c, a, b->of[i].relative, &b->of[i].at);
}

static void move(struct ends *e, const struct rg__poly *by)
{
    for (int i = 0; i < e->n; i++) {
        e->of[i].at = rg__poly_add(&e->of[i].at, by, 1);
        e->unknown |= e->of[i].at.bad;
    }
}

static void ask(struct count *c, const struct rg_cnode *n, const struct ends *e)
{
    if (!c->found || !rg__c_contains(n, c->use)) return;
    join(c, c->found, e);
    c->found->unknown |= rg__c_writes_var(n, c->var); /* before or after it? */
    c->seen = true;
}

/* A quotient of parameters, as of `i + 2 < n` by threes: it has the same value everywhere. */
static bool is_quotient(const struct count *c, int atom)
{
    const struct rg_cnode *e = c->r->atoms[atom - RG__ATOM];
    int64_t by;
    return e->kind == RG_C_BINARY && e->op == RG_COP_DIV && rg__c_number(e->kid[1], &by) && by > 0 &&
           rg__c_of_params(c->t, e);
}

/* Of parameters alone, or of iterators, too? */
static bool plain(const struct count *c, const struct rg__poly *p, bool iterators)
{
    bool ok = !p->bad;
    for (int i = 0; i < p->n && ok; i++)
        for (int d = 0; d < p->terms[i].degree && ok; d++) {
            const int v = p->terms[i].var[d];
            const enum rg_cvar_kind kind = v < RG__ATOM ? c->t->vars[v].kind : RG_CVAR_LOCAL;
            ok = v >= RG__ATOM
                     ? is_quotient(c, v)
                     : !c->t->vars[v].assigned && (kind == RG_CVAR_PARAM || (iterators && kind == RG_CVAR_ITER));
        }
    return ok;
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && e->var == var;
}

static int bounds_of(struct rg_ctree *t, int var, const struct rg_cnode *use, struct rg__range *r, int depth,
                     struct rg__poly *bound);

/* Adds what the statement, or one in it, stores to elements of the array. */
static void stored(struct count *c, const struct rg_cnode *n, int array, struct ends *e)
{
    struct rg__poly bound[RG__COUNTER_BOUNDS], number;
    int64_t v;
    if (n->kind != RG_C_STMT) {
        e->unknown |= n->kind == RG_C_VERBATIM || (rg__c_is_expr(n) && rg__writes_array(n, array)) ||
                      (n->kind == RG_C_DECL && n->array == array && n->n > 0 && !c->t->arrays[array].mallocd);
        for (int i = 0; i < n->n && !rg__c_is_expr(n) && n->kind != RG_C_DECL && !e->unknown; i++)
            if (n->kid[i]) stored(c, n->kid[i], array, e);
        return;
    }
    if (!rg__writes_array(n, array)) return;
    const struct rg_cnode *x = n->kid[0],
                          *value = x->kind == RG_C_ASSIGN ? rg__c_uncast(x->kid[1], RG__C_WIDE_CASTS) : NULL;
    if (!value || x->op != RG_COP_SET || x->kid[0]->kind != RG_C_INDEX || x->kid[0]->array != array ||
        rg__writes_array(x->kid[1], array)) {
        e->unknown = true;
    } else if (rg__c_number(value, &v) && v > -FAR && v < FAR) {
        number = rg__poly_int(v);
        add(c, e, false, &number);
    } else if (value->kind == RG_C_VAR && value->array < 0 && c->t->vars[value->var].kind == RG_CVAR_LOCAL) {
        const int found = bounds_of(c->t, value->var, n, c->r, c->depth + 1, bound);
        e->unknown |= found == 0;
        for (int i = 0; i < found; i++) {
            e->unknown |= !plain(c, &bound[i], false); /* the same wherever it is read */
            add(c, e, false, &bound[i]);
        }
    } else {
        e->unknown = true;
    }
}

/* What elements of an array of the function's own are at most: numbers of elements found, and where those go. */
static void elements(struct count *c, const struct rg_cnode *e, struct ends *of)
{
    *of = (struct ends){.unknown = c->depth > 2 || e->array < 0 || c->t->arrays[e->array].param >= 0 ||
                                   c->t->arrays[e->array].constant_table};
    const struct rg__poly none = rg__poly_int(0); /* what calloc leaves there */
    add(c, of, false, &none);
    if (!of->unknown) stored(c, c->t->root, e->array, of);
}

/* The most that is added at once; false: nobody knows. */
static bool step_of(struct count *c, const struct rg_cnode *e, int64_t *most)
{
    int64_t a, b;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (e->kind == RG_C_INDEX) {
        struct ends of;
        elements(c, e, &of);
        for (int i = 0; i < of.n && !of.unknown; i++) {
            of.unknown = !rg__poly_is_int(&of.of[i].at, &a) || a <= -FAR || a >= FAR;
            if (!of.unknown && (i == 0 || a > *most)) *most = a;
        }
        return !of.unknown;
    }
    if (e->kind == RG_C_INT) return *most = e->ivalue, e->ivalue > -FAR && e->ivalue < FAR;
    if (e->op == RG_COP_NOT || (e->kind == RG_C_BINARY && rg_c_logic(e->op))) return *most = 1, true;
    if (e->kind != RG_C_COND || !step_of(c, e->kid[1], &a) || !step_of(c, e->kid[2], &b)) return false;
    return *most = a > b ? a : b, true;
}

/* taken ? at + 16 : at: the most that is added, which may be nothing. */
static bool step_of_choice(struct count *c, const struct rg_cnode *e, int var, int64_t *most)
{
    int64_t a, b;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (is_var(e, var)) return *most = 0, true;
    if (e->op == RG_COP_ADD && is_var(e->kid[0], var)) return step_of(c, e->kid[1], most);
    if (e->op == RG_COP_ADD && is_var(e->kid[1], var)) return step_of(c, e->kid[0], most);
    if (e->op == RG_COP_SUB && is_var(e->kid[0], var))
        return rg__c_number(e->kid[1], &a) && a > -FAR && a < FAR && (*most = -a, true);
    if (e->kind != RG_C_COND || rg__c_writes_var(e, var) || !step_of_choice(c, e->kid[1], var, &a) ||
        !step_of_choice(c, e->kid[2], var, &b))
        return false;
    return *most = a > b ? a : b, true;
}

static void set_to(struct count *c, const struct rg_cnode *value, struct ends *e)
{
    const struct rg_cnode *plainly = rg__c_uncast(value, RG__C_WIDE_CASTS);
    if (plainly->kind == RG_C_INDEX) {
        elements(c, plainly, e);
        return;
    }
    struct rg__poly at = rg__poly_of(c->r, value);
    *e = (struct ends){.unknown = !plain(c, &at, true)};
    add(c, e, false, &at);
}

static void assigned(struct count *c, const struct rg_cnode *x, struct ends *e)
{
    const struct rg_cnode *value = x->kind == RG_C_ASSIGN ? x->kid[1] : NULL, *by = value;
    int64_t most = 1;
    if (value && rg__c_writes_var(value, c->var)) {
        e->unknown = true;
        return;
    }
    bool added = x->kind == RG_C_INCDEC || x->op == RG_COP_ADD_SET || x->op == RG_COP_SUB_SET;
    bool less = x->kind == RG_C_INCDEC ? !rg_c_increments(x->op) : x->op == RG_COP_SUB_SET;
    if (x->op == RG_COP_SET) {
        value = rg__c_uncast(value, RG__C_WIDE_CASTS);
        if (value->op == RG_COP_ADD && is_var(value->kid[0], c->var)) by = value->kid[1], added = true;
        if (value->op == RG_COP_ADD && is_var(value->kid[1], c->var)) by = value->kid[0], added = true;
        if (!added && value->kind == RG_C_COND && step_of_choice(c, value, c->var, &most)) {
            struct rg__poly p = rg__poly_int(most);
            move(e, &p);
            return;
        }
        if (!added && !rg__c_mentions_var(value, c->var)) {
            set_to(c, value, e);
            return;
        }
    }
    if (!added || (by && rg__c_mentions_var(by, c->var)) || (by && !step_of(c, by, &most)) ||
        (less && by && by->kind != RG_C_INT)) {
        e->unknown = true;
        return;
    }
    struct rg__poly p = rg__poly_int(less ? -most : most);
    move(e, &p);
}

static void follow(struct count *c, const struct rg_cnode *n, struct ends *e);

/* How often the body runs at most; bad: nobody knows. */
static struct rg__poly trips(struct count *c, const struct rg_cnode *l)
{
    struct rg__poly low = rg__poly_of(c->r, l->kid[0]), high = rg__poly_of(c->r, l->kid[1]), bad = {.bad = true};
    struct rg__poly n = rg__poly_add(&high, &low, -1), zero = rg__poly_int(0);
    int64_t known;
    if (l->step == -1) n = rg__poly_add(&zero, &n, -1);
    if ((l->step != 1 && l->step != -1) || !plain(c, &n, true) || (rg__poly_is_int(&n, &known) && known > FAR))
        return bad;
    return n;
}

/* What is at most `at` in some iteration, at most in all: `j = i` of `for (i = 0, j = n - 1; i < n; j = i++)` is n - 1.
 */
static struct rg__poly over_iterations(struct count *c, const struct rg_cnode *l, const struct rg__poly *at)
{
    struct rg__poly coef, rest, bad = {.bad = true}, one = rg__poly_int(1);
    int64_t times;
    if (!rg__poly_mentions(at, l->var)) return *at;
    if (!rg__poly_split(at, l->var, &coef, &rest) || !rg__poly_is_int(&coef, &times)) return bad;
    bool last = (times > 0) == (l->step > 0); /* where the iterator has gone farthest */
    struct rg__poly end = rg__poly_of(c->r, l->kid[last ? 1 : 0]);
    if (last) end = rg__poly_add(&end, &one, l->step > 0 ? -1 : 1);
    if (!plain(c, &end, true)) return bad;
    return rg__poly_add(&rest, &end, times);
}

static void loop(struct count *c, const struct rg_cnode *l, struct ends *e)
{
    struct ends once = {.n = 1, .of = {{.relative = true}}}, *found = c->found;
    struct rg__poly one = rg__poly_int(1), by = rg__poly_int(0);
    int64_t still;
    ask(c, l->kid[0], e);
    ask(c, l->kid[1], e);
    c->found = NULL;
    follow(c, l->kid[2], &once);
    c->found = found;
    int n_relative = 0;
    for (int i = 0; i < once.n; i++) {
        if (!once.of[i].relative) once.of[i].at = over_iterations(c, l, &once.of[i].at);
        once.unknown |= once.of[i].at.bad || rg__poly_mentions(&once.of[i].at, l->var);
        if (once.of[i].relative) by = once.of[i].at, n_relative++;
    }
    /* what an iteration adds: nothing, or something that is never negative */
    struct rg__poly zero = rg__poly_int(0), all, rest;
    bool moves = n_relative && !(rg__poly_is_int(&by, &still) && still <= 0);
    if (n_relative > 1 || (moves && !rg__range_above(c->r, &by, &zero, 0))) once.unknown = true;
    struct ends start = *e, end = *e, later = {.unknown = once.unknown};
    for (int i = 0; i < once.n; i++)
        if (!once.of[i].relative) add(c, &later, false, &once.of[i].at);
    if (moves) {
        struct rg__poly n = trips(c, l), before = rg__poly_add(&n, &one, -1);
        all = rg__poly_mul(&by, &n);
        rest = rg__poly_mul(&by, &before);
        once.unknown |= n.bad || all.bad || rest.bad;
        if (!once.unknown) {
            move(&start, &rest);
            move(&end, &all);
            move(&later, &rest);
        }
    }
    start.unknown |= once.unknown;
    join(c, &start, &later);
    join(c, &end, e);
    join(c, &end, &later);
    end.unknown |= once.unknown;
    *e = end;
    if (!found) return;
    struct ends in = start;
    follow(c, l->kid[2], &in);
}

static void follow(struct count *c, const struct rg_cnode *n, struct ends *e)
{
    struct ends other;
    if (!n) return;
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < n->n; i++) follow(c, n->kid[i], e);
        return;
    case RG_C_LOOP:
        loop(c, n, e);
        return;
    case RG_C_IF:
        ask(c, n->kid[0], e);
        if (rg__c_writes_var(n->kid[0], c->var)) e->unknown = true;
        other = *e;
        follow(c, n->kid[1], e);
        if (n->n > 2) follow(c, n->kid[2], &other);
        join(c, e, &other);
        return;
    case RG_C_STMT:
        ask(c, n, e);
        if (!rg__c_writes_var(n->kid[0], c->var)) return;
        if ((n->kid[0]->kind == RG_C_ASSIGN || n->kid[0]->kind == RG_C_INCDEC) && is_var(n->kid[0]->kid[0], c->var))
            assigned(c, n->kid[0], e);
        else
            e->unknown = true;
        return;
    case RG_C_DECL:
        ask(c, n, e);
        if (n->array < 0 && n->var == c->var) {
            if (n->n)
                set_to(c, n->kid[0], e);
            else
                *e = (struct ends){0};
        } else if (rg__c_writes_var(n, c->var)) {
            e->unknown = true;
        }
        return;
    default:
        if (rg__c_writes_var(n, c->var) || rg__mentions_kind(n, RG_C_VERBATIM)) e->unknown = true;
        ask(c, n, e);
        return;
    }
}

static int bounds_of(struct rg_ctree *t, int var, const struct rg_cnode *use, struct rg__range *r, int depth,
                     struct rg__poly *bound)
{
    struct ends e = {0}, *found = rg_xcalloc(1, sizeof *found);
    struct count c = {.t = t, .var = var, .use = use, .r = r, .found = found, .depth = depth};
    int n = 0;
    follow(&c, t->root, &e);
    if (c.seen && !found->unknown)
        for (; n < found->n; n++) bound[n] = found->of[n].at;
    free(found);
    return n;
}

int rg__counter_bounds(struct rg_ctree *t, int var, const struct rg_cnode *use, struct rg__range *r,
                       struct rg__poly *bound)
{
    return bounds_of(t, var, use, r, 0, bound);
}
