/* Parts of one block: `r = malloc(3*n*sizeof *r); p = r + n, q = p + n;`, or a work array that is passed and cut up so.
 * A subscript that data say, p[col[k]], may lead from one part into another as far as the C is concerned, so a loop
 * that stores to q and reads that of p keeps its order. Whether it does is asked of the data in front: where they stay
 * in their part the loop runs with subscripts that say so, n + max(0, min(col[k], n - 1)), which
 * poly/analysis/bounded.c reads; else it runs as it stands. strays = 0; for i: for k: strays += col[k] < 0 || col[k] >
 * n - 1; if (strays == 0) { the loop over parts } else { the loop } Which part is meant is read off the places of other
 * accesses. A wrong guess costs time, and changes no result. */
#include "frontend/normalise/block_parts.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_USES = 96, NEAR = 8 };

struct use {
    struct rg_cnode *node; /* INDEX of one subscript */
    bool write, led;       /* led: data say the subscript */
    bool asked;            /* ... and whether it stays in its part is to be asked */
    struct rg__poly base;  /* ... but for what parameters add to it */
    struct rg__span span;  /* where all its elements lie; of one that is led: its part */
};

struct parts {
    struct rg_ctree *t;
    const struct rg__given *given;
    struct rg__range *r; /* of no place: what holds everywhere */
    int array, n;
    struct use uses[MAX_USES];
    bool failed;
};

static bool over_params(const struct parts *x, const struct rg__term *m)
{
    for (int d = 0; d < m->degree; d++) {
        int v = m->var[d];
        if (v >= RG__ATOM || x->t->vars[v].kind != RG_CVAR_PARAM || x->t->vars[v].assigned) return false;
    }
    return true;
}

static bool is_led(const struct parts *x, const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int d = 0; d < p->terms[i].degree; d++) {
            int v = p->terms[i].var[d];
            if (v >= RG__ATOM || x->t->vars[v].kind == RG_CVAR_LOCAL) return true;
        }
    return false;
}

static void note_use(void *arg, const struct rg__visit *v)
{
    struct parts *x = arg;
    if (v->node->array != x->array || x->failed) return;
    x->failed = v->pointer || v->node->kind != RG_C_INDEX || v->node->n != 1 || x->n == MAX_USES;
    if (x->failed) return;
    struct use *u = &x->uses[x->n++];
    struct rg__poly p = rg__poly_of(v->range, v->node->kid[0]), zero = rg__poly_int(0), minus, end;
    *u = (struct use){.node = v->node, .write = v->write, .led = !p.bad && is_led(x, &p), .base = zero};
    u->led = u->led && !rg_c_affine(x->t, v->node->kid[0]);
    for (int i = 0; i < p.n && u->led; i++) {
        struct rg__poly term = {.n = 1};
        term.terms[0] = p.terms[i];
        if (over_params(x, &p.terms[i])) u->base = rg__poly_add(&u->base, &term, 1);
    }
    minus = rg__poly_add(&zero, &p, -1);
    u->span.known = !u->led && rg__lowest(v->range, &p, &u->span.low) && rg__lowest(v->range, &minus, &end);
    if (u->span.known) u->span.high = rg__poly_add(&zero, &end, -1);
}

/* a - b >= by */
static bool above(struct parts *x, const struct rg__poly *a, const struct rg__poly *b, int64_t by)
{
    return rg__range_above(x->r, a, b, by);
}

static bool apart(struct parts *x, const struct rg__span *a, const struct rg__span *b)
{
    return a->known && b->known && (above(x, &a->low, &b->high, 1) || above(x, &b->low, &a->high, 1));
}

static bool same_span(const struct rg__span *a, const struct rg__span *b)
{
    return rg__poly_equal(&a->low, &b->low) && rg__poly_equal(&a->high, &b->high);
}

/* Do elements from u->base on, give or take a few, seem to be meant by it? */
static bool fits(struct parts *x, const struct use *u, const struct rg__span *s)
{
    struct rg__poly from = rg__poly_add(&u->base, &s->low, -1);
    int64_t c = 0;
    bool near = !from.n || (rg__poly_is_int(&from, &c) && c >= -NEAR && c <= NEAR);
    return near || (above(x, &u->base, &s->low, 0) && above(x, &s->high, &u->base, 0));
}

static bool below(const struct rg_cnode *loop, const struct use *u)
{
    return rg__c_contains(loop, u->node);
}

/* Do the two keep the iterations of a loop in order? An element that is updated in place is one access more than once.
 */
static bool conflict(const struct use *a, const struct use *b)
{
    return a != b && (a->led || b->led) && (a->write || b->write) && !rg__c_same(a->node, b->node, RG__C_UNCAST);
}

/* The part that u means in the loop: the largest that keeps it apart from all that it conflicts with there. */
static void choose_part(struct parts *x, const struct rg_cnode *loop, struct use *u)
{
    struct rg__span best = {false};
    for (int i = 0; i < x->n; i++) {
        const struct rg__span *s = &x->uses[i].span;
        if (x->uses[i].led || !s->known || rg__poly_equal(&s->low, &s->high) || (best.known && same_span(s, &best)) ||
            !fits(x, u, s))
            continue;
        bool ok = !best.known || (above(x, &s->high, &best.high, 0) && above(x, &best.low, &s->low, 0));
        for (int k = 0; k < x->n && ok; k++) {
            const struct use *o = &x->uses[k];
            ok = !below(loop, o) || o->led || !conflict(u, o) || apart(x, s, &o->span);
        }
        if (ok) best = *s;
    }
    u->span = best;
}

static bool mentions_own(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (e->kind == RG_C_VAR && e->array < 0)
        return e->var == loop->var || (t->vars[e->var].kind == RG_CVAR_LOCAL && rg__c_declares(loop, e->var));
    for (int i = 0; i < e->n; i++)
        if (mentions_own(t, e->kid[i], loop)) return true;
    return false;
}

/* Would the loop's iterations be free of one another if all that data lead stayed in its part? Its stores go to
 * elements of each iteration's own, as far as that shows. */
static bool divides(struct parts *x, const struct rg_cnode *loop)
{
    bool any = false;
    if (loop->n != 3) return false;
    for (int i = 0; i < x->n; i++)
        if (x->uses[i].led && below(loop, &x->uses[i])) choose_part(x, loop, &x->uses[i]);
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < i; k++) {
            const struct use *a = &x->uses[i], *b = &x->uses[k];
            if (!below(loop, a) || !below(loop, b) || !conflict(a, b)) continue;
            if (!apart(x, &a->span, &b->span)) return false;
            const struct use *w = a->write ? a : b;
            any = any || mentions_own(x->t, w->node, loop);
        }
    return any;
}

static struct rg_cnode *extreme(struct rg_ctree *t, const char *which, struct rg_cnode *a, struct rg_cnode *b)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_CALL, 2);
    c->text = which;
    c->type = rg__scalar_common(a->type, b->type);
    c->kid[0] = rg__c_cast(t, a, c->type);
    c->kid[1] = rg__c_cast(t, b, c->type);
    return c;
}

static bool set_line(void *at, struct rg_cnode *n)
{
    const struct rg_cnode *l = at;
    if (!n->line) n->line = l->line, n->column = l->column;
    return true;
}

static struct rg_cnode *declare(struct rg_ctree *t, const char *name, enum rg_scalar type, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = rg__c_add_var(t, name, RG_CVAR_LOCAL, type);
    d->type = type;
    d->kid[0] = value;
    return d;
}

/* The subscript as so many elements from its part's first on, and the last of these. */
static struct rg_cnode *within(struct parts *x, const struct use *u, struct rg_cnode **last)
{
    rg__range_init(x->r, x->t, x->given);
    struct rg__poly p = rg__poly_of(x->r, u->node->kid[0]), most = rg__poly_add(&u->span.high, &u->span.low, -1);
    p = rg__poly_add(&p, &u->span.low, -1);
    *last = p.bad || most.bad ? NULL : rg__poly_node(x->r, &most);
    return *last ? rg__poly_node(x->r, &p) : NULL;
}

/* What the loop asks of all that data lead in it, and that conflicts there: in front of `from`. False: one of them
 * can't be asked there. */
static bool ask(struct parts *x, struct rg_cnode *from, const struct rg_cnode *loop, int strays, struct rg__kids *out)
{
    int before = out->n;
    for (int i = 0; i < x->n; i++) {
        const struct use *u = &x->uses[i];
        struct rg_cnode *last, *value;
        if (!u->asked || !below(loop, u)) continue;
        value = within(x, u, &last);
        struct rg_cnode *check = value ? rg__part_check(x->t, from, u->node->kid[0], value, last, strays) : NULL;
        if (!check) {
            out->n = before;
            return false;
        }
        rg__kids_add(out, check);
    }
    return true;
}

/* `loop` becomes one of two, by whether all that is asked came out well: as it is but for its subscripts, and as it
 * stands. The questions are asked in `front`. */
static struct rg_cnode *either(struct parts *x, struct rg_cnode *loop, struct rg_cnode *strays,
                               const struct rg__kids *checks, struct rg__kids *front)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *copy = rg_cnode_new(t, RG_C_OPAQUE, 1), *choice = rg_cnode_new(t, RG_C_IF, 3), *last, *value;
    struct rg_cnode *flag =
        declare(t, "in_parts", RG_I32,
                rg__c_binary(t, RG_COP_EQ, rg__c_var(t, strays->var), rg__c_cast(t, rg__c_int(t, 0), strays->type)));
    copy->kid[0] = rg__c_copy(t, loop);
    copy->why = rg_arena_printf(&t->arena, "it runs where data lead from one part of %s into another, and nowhere else",
                                t->arrays[x->array].name);
    rg__moves_fresh(t, copy, copy);
    rg__moves_fresh_arrays(t, copy, copy);
    choice->kid[0] = rg__c_var(t, flag->var);
    for (int i = 1; i < 3; i++) {
        choice->kid[i] = rg_cnode_new(t, RG_C_BLOCK, 1);
        choice->kid[i]->kid[0] = i == 1 ? loop : copy;
    }
    for (int i = 0; i < x->n; i++) {
        struct use *u = &x->uses[i];
        if (!u->asked || !below(loop, u)) continue;
        value = within(x, u, &last);
        value = extreme(t, "min", value, last);
        value = extreme(t, "max", value, rg__c_int(t, 0));
        u->node->kid[0] = u->span.low.n ? rg__c_binary(t, RG_COP_ADD, rg__poly_node(x->r, &u->span.low), value) : value;
        u->asked = false;
    }
    int from = front->n;
    rg__kids_add(front, strays);
    for (int i = 0; i < checks->n; i++) rg__kids_add(front, checks->items[i]);
    rg__kids_add(front, flag);
    for (int i = from; i < front->n; i++) rg__c_walk(front->items[i], set_line, loop);
    rg__c_walk(choice, set_line, loop);
    return choice;
}

/* Divides block->kid[at], a loop, where all that is marked in it can be asked in front of `from`: at the function's
 * begin, whose statements go to `front`, or there. Returns how many statements more the block has. */
static int divide(struct parts *x, struct rg_cnode *block, int at, struct rg_cnode *from, struct rg__kids *front)
{
    struct rg__kids checks = {0}, with = {0};
    struct rg_cnode *loop = block->kid[at],
                    *strays = declare(x->t, "strays", RG_LLONG, rg__c_cast(x->t, rg__c_int(x->t, 0), RG_LLONG));
    int more = 0;
    if (ask(x, from, loop, strays->var, &checks) && checks.n) {
        struct rg_cnode *c = either(x, loop, strays, &checks, front ? front : &with);
        more = with.n;
        rg__kids_add(&with, c);
        rg__block_splice(x->t, block, at, 1, &with);
    }
    free(checks.items);
    return more;
}

/* Marks what has to be asked in loops that are then free; true: there is such a loop. */
static bool mark(struct parts *x, const struct rg_cnode *n)
{
    bool any = false;
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return false;
    if (n->kind == RG_C_LOOP && divides(x, n)) {
        for (int i = 0; i < x->n; i++)
            for (int k = 0; k < x->n; k++)
                if (x->uses[i].led && below(n, &x->uses[i]) && below(n, &x->uses[k]) &&
                    conflict(&x->uses[i], &x->uses[k]))
                    x->uses[i].asked = true;
        return true;
    }
    for (int i = 0; i < n->n; i++) any |= mark(x, n->kid[i]);
    return any;
}

/* Loops inside whose questions the function's begin can't answer ask in front of themselves. */
static void divide_inside(struct parts *x, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && divides(x, n->kid[i]))
            i += divide(x, n, i, n->kid[i], NULL);
        else
            divide_inside(x, n->kid[i]);
    }
}

/* The outermost loops of the function, one after the other. */
static void walk(struct parts *x, struct rg_cnode *n, struct rg__kids *in_front)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (n->kind != RG_C_BLOCK || !k || k->kind != RG_C_LOOP) {
            walk(x, k, in_front);
        } else if (!rg__c_declares_array(k, x->array) && mark(x, k)) { /* else each iteration has a block of its own */
            i += divide(x, n, i, x->t->root, in_front);
            if (n->kid[i] == k && k->kind == RG_C_LOOP && divides(x, k))
                i += divide(x, n, i, k, NULL);
            else if (n->kid[i] == k)
                divide_inside(x, k);
        }
    }
}

/* Do data lead a subscript of the array? */
static bool led_somewhere(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == array && n->n == 1 && !rg_c_affine(t, n->kid[0])) return true;
    for (int i = 0; i < n->n; i++)
        if (led_somewhere(t, n->kid[i], array)) return true;
    return false;
}

static bool may_have_parts(const struct rg_ctree *t, int array)
{
    const struct rg_carray *a = &t->arrays[array];
    return a->n_dims == 1 && !a->constant_table && !a->view && rg__writes_array(t->root, array) &&
           led_somewhere(t, t->root, array);
}

void rg__canon_parts(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct rg__kids in_front = {0};
    struct parts *x = rg_xcalloc(1, sizeof *x);
    struct rg__given *given = rg__given_of(t, p);
    x->r = rg_xmalloc(sizeof *x->r);
    x->t = t;
    x->given = given;
    rg__range_init(x->r, t, given);
    for (int a = 0, n = t->n_arrays; a < n; a++) {
        x->array = a;
        x->n = 0;
        x->failed = !may_have_parts(t, a);
        if (!x->failed) rg__each_access(t, t->root, given, note_use, x);
        if (!x->failed) walk(x, t->root, &in_front);
    }
    rg__block_splice(t, t->root, 0, 0, &in_front);
    free(x->r);
    free(x);
    rg__given_free(given);
}
