/* Array privatisation: a small local array that every iteration of a loop fills before it reads it is declared in the body of that loop. Helpers
 * bring such arrays (`double st[4]` of a stencil at the top of a function that is put in place), time loops stand around them, and no loop
 * that shares one could run in parallel. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 3, MAX_REGIONS = 12, MAX_ELEMENTS = 1024 };

struct region { /* elements that are certainly written: a box, ends included */
    struct rg__poly low[MAX_DIMS], high[MAX_DIMS];
};

struct filled {
    int n;
    struct region items[MAX_REGIONS];
};

struct check {
    struct rg_ctree *t;
    int array, n_dims;
    struct rg__range *r;
    bool failed; /* a read of something that is not certainly written, or code that says nothing */
};

static bool between(struct check *c, const struct rg__poly *low, const struct rg__poly *high, const struct rg__poly *x)
{
    struct rg__poly above = rg__poly_add(x, low, -1), below = rg__poly_add(high, x, -1);
    return rg__prove(c->r, &above) && rg__prove(c->r, &below);
}

static bool covered(struct check *c, const struct filled *f, const struct rg_cnode *index)
{
    struct rg__poly sub[MAX_DIMS];
    for (int d = 0; d < c->n_dims; d++) sub[d] = rg__poly_of(c->r, index->kid[d]);
    for (int i = 0; i < f->n; i++) {
        bool inside = true;
        for (int d = 0; d < c->n_dims && inside; d++) inside = between(c, &f->items[i].low[d], &f->items[i].high[d], &sub[d]);
        if (inside) return true;
    }
    return false;
}

/* Every read below e, of which `except` (the target of `=`) is none. */
static void reads(struct check *c, const struct filled *f, const struct rg_cnode *e, const struct rg_cnode *except)
{
    if (!e || c->failed) return;
    for (int i = 0; i < e->n; i++) reads(c, f, e->kid[i], except);
    if (e == except) return;
    if ((e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->array == c->array)
        c->failed |= e->kind != RG_C_INDEX || e->pointer || e->n != c->n_dims || !covered(c, f, e);
    if (e->kind == RG_C_VERBATIM) c->failed = true;
}

static void add(struct filled *f, const struct region *x)
{
    if (f->n < MAX_REGIONS) f->items[f->n++] = *x;
}

/* The box over all iterations: a dimension that moves with the loop, by its step, is filled without gaps. False: it is not. */
static bool over_loop(struct check *c, const struct rg_cnode *loop, struct region *x)
{
    struct rg__poly one = rg__poly_int(1), start = rg__poly_of(c->r, loop->kid[0]), end = rg__poly_of(c->r, loop->kid[1]), last = rg__poly_add(&end, &one, -1);
    int moved = 0;
    for (int d = 0; d < c->n_dims; d++) {
        struct rg__poly k, rest;
        if (!rg__poly_mentions(&x->low[d], loop->var) && !rg__poly_mentions(&x->high[d], loop->var)) continue;
        int64_t by;
        for (int side = 0; side < 2; side++) {
            struct rg__poly *p = side ? &x->high[d] : &x->low[d];
            if (!rg__poly_split(p, loop->var, &k, &rest) || !rg__poly_is_int(&k, &by) || by != 1) return false;
            *p = rg__poly_add(&rest, side ? &last : &start, 1);
        }
        moved++;
    }
    struct rg__poly trips = rg__poly_add(&last, &start, -1);
    return moved == 1 || (!moved && rg__prove(c->r, &trips)); /* the same each time, once at least */
}

static void statement(struct check *c, struct filled *f, const struct rg_cnode *s);

static void loop(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    reads(c, f, s->kid[0], NULL);
    reads(c, f, s->kid[1], NULL);
    if (s->n > 3) reads(c, f, s->kid[3], NULL);
    if (r->n_loops == RG__MAX_NEST) c->failed = true;
    if (c->failed) return;
    struct filled *inside = rg_xmalloc(sizeof *inside);
    *inside = *f;
    r->loops[r->n_loops++] = s;
    statement(c, inside, s->kid[2]);
    r->n_loops--;
    bool each = s->step == 1 && s->n <= 3; /* it may end early, or leave gaps */
    for (int i = f->n; i < inside->n && each && !c->failed; i++)
        if (over_loop(c, s, &inside->items[i])) add(f, &inside->items[i]);
    free(inside);
}

static void branch(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    reads(c, f, s->kid[0], NULL);
    int facts = c->r->n_facts;
    for (int i = 1; i < s->n && !c->failed; i++) {
        struct filled *arm = rg_xmalloc(sizeof *arm);
        *arm = *f;
        rg__range_assume(c->r, s->kid[0], i == 1);
        statement(c, arm, s->kid[i]);
        c->r->n_facts = facts;
        free(arm);
    }
}

static void statement(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    if (!s || c->failed || !rg__c_mentions_array(s, c->array)) return;
    switch (s->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < s->n; i++) statement(c, f, s->kid[i]);
        return;
    case RG_C_LOOP:
        loop(c, f, s);
        return;
    case RG_C_IF:
        branch(c, f, s);
        return;
    case RG_C_DECL:
        if (s->array == c->array) return;
        reads(c, f, s, NULL);
        return;
    case RG_C_STMT: {
        const struct rg_cnode *a = s->kid[0], *to = a->op == RG_COP_SET ? a->kid[0] : NULL;
        bool sets = to && to->kind == RG_C_INDEX && to->array == c->array && to->n == c->n_dims;
        reads(c, f, a, sets ? to : NULL);
        if (!sets || c->failed) return;
        struct region x;
        for (int d = 0; d < c->n_dims; d++) x.low[d] = x.high[d] = rg__poly_of(c->r, to->kid[d]);
        add(f, &x);
        return;
    }
    default:
        c->failed = true;
    }
}

static bool fills_first(struct rg_ctree *t, const struct rg__given *given, int array, const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body)
{
    struct check c = {t, array, t->arrays[array].n_dims, rg_xmalloc(sizeof *c.r), false};
    struct filled *f = rg_xcalloc(1, sizeof *f);
    rg__range_init(c.r, t, given);
    for (int i = 0; i < n_around && i < RG__MAX_NEST; i++) c.r->loops[c.r->n_loops++] = around[i];
    statement(&c, f, body);
    free(f);
    free(c.r);
    return !c.failed;
}

static bool small(const struct rg_carray *x)
{
    int64_t elements = 1;
    if (x->param >= 0 || x->constant_table || x->view || x->n_dims < 1 || x->n_dims > MAX_DIMS) return false;
    for (int d = 0; d < x->n_dims; d++) {
        if (!x->dims || !x->dims[d] || x->dims[d]->kind != RG_EXPR_INT || x->dims[d]->value < 1 || x->dims[d]->value > MAX_ELEMENTS) return false;
        elements *= x->dims[d]->value;
    }
    return elements <= MAX_ELEMENTS;
}

/* The one statement of the block that mentions it, its declaration aside; NULL: several. */
static struct rg_cnode *only_user(struct rg_cnode *block, int array)
{
    struct rg_cnode *only = NULL;
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if ((s->kind == RG_C_DECL && s->array == array) || !rg__c_mentions_array(s, array)) continue;
        if (only) return NULL;
        only = s;
    }
    return only;
}

/* The innermost loop around all uses whose iterations fill it first. */
static struct rg_cnode *home(struct rg_ctree *t, const struct rg__given *given, struct rg_cnode *block, int array)
{
    const struct rg_cnode *around[RG__MAX_NEST];
    struct rg_cnode *found = NULL, *s = only_user(block, array);
    int n = 0;
    while (s && n < RG__MAX_NEST) {
        if (s->kind == RG_C_LOOP) {
            if (rg__c_mentions_array(s->kid[0], array) || rg__c_mentions_array(s->kid[1], array) || (s->n > 3 && rg__c_mentions_array(s->kid[3], array))) break;
            around[n++] = s;
            if (s->n <= 3 && fills_first(t, given, array, around, n, s->kid[2])) found = s;
            s = s->kid[2];
        } else if (s->kind == RG_C_BLOCK) {
            s = only_user(s, array);
        } else if (s->kind == RG_C_IF && !rg__c_mentions_array(s->kid[0], array)) {
            struct rg_cnode *arm = rg__c_mentions_array(s->kid[1], array) ? s->kid[1] : NULL;
            if (s->n > 2 && rg__c_mentions_array(s->kid[2], array)) arm = arm ? NULL : s->kid[2];
            s = arm;
        } else {
            break;
        }
    }
    return found;
}

static void look(struct rg_ctree *t, const struct rg__given *given, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        if (d->kind != RG_C_DECL || d->array < 0 || d->n || !small(&t->arrays[d->array])) continue;
        struct rg_cnode *loop = home(t, given, n, d->array);
        if (!loop) continue;
        struct rg__kids none = {0}, front = {0};
        t->arrays[d->array].mallocd = false; /* its iteration's own: no memory to ask for */
        rg__block_splice(t, n, i--, 1, &none);
        rg__kids_add(&front, d);
        rg__block_splice(t, loop->kid[2], 0, 0, &front);
    }
    for (int i = 0; i < n->n; i++) look(t, given, n->kid[i]);
}

void rg__canon_private(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__given *given = rg__given_of(t, p);
    look(t, given, t->root);
    rg__given_free(given);
}
