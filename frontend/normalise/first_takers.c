/* What only the first iteration that meets a condition does, and no later one: `if (hit && first < 0) first = i;`. What
 * is stored makes the test of what was there false, and nothing else in the loop asks for it, so the iterations are
 * free of one another up to the least of them that takes part: taker = n; for i: if (hit) taker = i < taker ? i :
 * taker;      a reduction if (taker < n && first < 0) first = taker; Whatever else stands under the test is done there
 * as well, of values that can be computed again. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

enum { MAX_PARTS = 8, MAX_SIZE = 80, MAX_DEPTH = 8 };

struct takers {
    struct rg_ctree *t;
    struct rg__range *r;
    struct rg_cnode *loop, *outermost; /* that is looked at; of those around it, or itself */
    struct rg_cnode *test, *rest;      /* parts of the condition: what was there; all others, NULL none */
    const struct rg_cnode *kept;       /* what is there: a scalar, or an element that the loop does not move */
};

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* The same in all iterations, as far as subscripts and tests go. */
static bool stays(const struct takers *x, const struct rg_cnode *e)
{
    if (e->pointer || e->kind == RG_C_CALL || e->kind == RG_C_MEMBER || !rg__c_pure(x->t, e)) return false;
    if (scalar(e) && (e->var == x->loop->var || rg__c_writes_var(x->loop->kid[2], e->var) ||
                      rg__c_declares(x->loop->kid[2], e->var)))
        return false;
    if (e->kind == RG_C_INDEX && rg__writes_array(x->loop->kid[2], e->array)) return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(x, e->kid[i])) return false;
    return true;
}

static bool mentions_loops(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (scalar(e) && t->vars[e->var].kind == RG_CVAR_ITER) return true;
    for (int i = 0; i < e->n; i++)
        if (mentions_loops(t, e->kid[i])) return true;
    return false;
}

/* A scalar from outside of all loops, or an element at one place: a loop around this one has no other for each of its
 * iterations, which are free of one another then, and those of this loop one thread's. */
static bool is_place(const struct takers *x, const struct rg_cnode *e)
{
    if (scalar(e))
        return x->t->vars[e->var].kind == RG_CVAR_LOCAL && e->type != RG_STRUCT &&
               !rg__c_declares(x->outermost, e->var);
    bool ok = e->kind == RG_C_INDEX && !e->pointer && e->type != RG_STRUCT && !mentions_loops(x->t, e) &&
              !rg__c_declares_array(x->outermost, e->array);
    for (int i = 0; i < e->n && ok; i++) ok = stays(x, e->kid[i]);
    return ok;
}

/* Uses below n of the place's variable or array. */
static int uses(const struct rg_cnode *n, const struct rg_cnode *place)
{
    if (!n) return 0;
    bool array =
        (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && place->kind == RG_C_INDEX && n->array == place->array;
    int k = array || (place->kind == RG_C_VAR && n->array < 0 && n->var == place->var && n->kind == RG_C_VAR);
    for (int i = 0; i < n->n; i++) k += uses(n->kid[i], place);
    return k + (n->kind == RG_C_VERBATIM);
}

/* The place that a part of the condition asks for: the one that the arm stores to. */
static const struct rg_cnode *asked(const struct takers *x, const struct rg_cnode *part, const struct rg_cnode *arm)
{
    for (int i = 0; i < arm->n; i++) {
        const struct rg_cnode *to = arm->kid[i]->kind == RG_C_STMT ? arm->kid[i]->kid[0]->kid[0] : NULL;
        if (to && is_place(x, to) && uses(part, to) == 1) return to;
    }
    return NULL;
}

static struct rg_cnode *with(struct rg_ctree *t, struct rg_cnode *e, const struct rg_cnode *place,
                             const struct rg_cnode *by)
{
    if (rg__c_same(e, place, 0)) return rg__c_copy(t, by);
    for (int i = 0; i < e->n; i++) e->kid[i] = with(t, e->kid[i], place, by);
    return e;
}

/* The value that the body's one declaration of the scalar gives it; NULL: there is none, or it changes. */
static const struct rg_cnode *declared(const struct takers *x, const struct rg_cnode *n, int var)
{
    const struct rg_cnode *value = NULL;
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_DECL) return n->array < 0 && n->var == var && n->n ? n->kid[0] : NULL;
    for (int i = 0; i < n->n && !value && (n->kind == RG_C_BLOCK || n->kind == RG_C_IF); i++)
        value = declared(x, n->kid[i], var);
    return value;
}

static bool changes(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    bool sets = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && scalar(n->kid[0]) &&
                n->kid[0]->var == var;
    for (int i = 0; i < n->n && !sets; i++) sets = changes(n->kid[i], var);
    return sets;
}

/* What an iteration makes of e, over its number and what the loop leaves alone; NULL: nobody can say it behind the
 * loop.
 */
static struct rg_cnode *again(const struct takers *x, const struct rg_cnode *e, int depth)
{
    struct rg_ctree *t = x->t;
    const struct rg_cnode *body = x->loop->kid[2];
    if (e->pointer || depth > MAX_DEPTH || e->kind == RG_C_MEMBER || !rg__c_pure(t, e)) return NULL;
    if (scalar(e)) {
        if (e->var == x->loop->var || (!rg__c_writes_var(body, e->var) && !rg__c_declares(body, e->var)))
            return rg__c_copy(t, e);
        const struct rg_cnode *value = changes(body, e->var) ? NULL : declared(x, body, e->var);
        struct rg_cnode *v = value ? again(x, value, depth + 1) : NULL;
        return v ? rg__c_cast(t, v, t->vars[e->var].type) : NULL;
    }
    if (e->kind == RG_C_INDEX && rg__writes_array(body, e->array)) return NULL;
    struct rg_cnode *copy = rg__c_shallow(&t->arena, e);
    for (int i = 0; i < e->n; i++)
        if (!(copy->kid[i] = again(x, e->kid[i], depth))) return NULL;
    return copy;
}

struct rg_cnode *rg__iteration_value(struct rg_ctree *t, struct rg_cnode *loop, const struct rg_cnode *e)
{
    const struct takers x = {.t = t, .loop = loop};
    return again(&x, e, 0);
}

/* Is the condition, of which the part asks for the place, one that the stored value makes false? */
static bool settles(struct takers *x, const struct rg_cnode *part, const struct rg_cnode *place,
                    const struct rg_cnode *arm)
{
    const struct rg_cnode *value = NULL;
    for (int i = 0; i < arm->n; i++)
        if (rg__c_same(arm->kid[i]->kid[0]->kid[0], place, 0)) value = arm->kid[i]->kid[0]->kid[1];
    if (!value || !rg_scalar_bytes(place->type) || rg_scalar_is_real(place->type)) return false;
    value = rg__c_uncast(value, rg__c_uncast(value, RG__C_CASTS)->kind == RG_C_INT ? RG__C_CASTS : RG__C_WIDE_CASTS);
    /* the place holds the value as it is, or a number that it has room for */
    bool wider = rg_scalar_bytes(place->type) > rg_scalar_bytes(value->type),
         alike = rg_scalar_bytes(place->type) == rg_scalar_bytes(value->type) &&
                 (rg_scalar_bytes(place->type) == 8 ||
                  rg_scalar_is_signed(place->type) == rg_scalar_is_signed(value->type));
    if (value->kind != RG_C_INT && !wider && !alike) return false;
    if (value->kind == RG_C_INT && (value->ivalue < 0 || value->ivalue > 127)) return false;
    struct rg_cnode *then = with(x->t, rg__c_copy(x->t, part), place, value);
    if (then->kind == RG_C_VAR || rg__c_uncast(then, RG__C_CASTS)->kind == RG_C_INT)
        then = rg__c_binary(x->t, RG_COP_NE, then, rg__c_int(x->t, 0));
    return rg__decide(x->r, then) == 0;
}

/* The arm: assignments to places that nothing else in the loop names. */
static bool arm_fits(const struct takers *x, const struct rg_cnode *choice)
{
    const struct rg_cnode *arm = choice->kid[1];
    if (choice->n > 2 && choice->kid[2]) return false;
    if (arm->kind != RG_C_BLOCK || !arm->n) return false;
    for (int i = 0; i < arm->n; i++) {
        const struct rg_cnode *e = arm->kid[i]->kind == RG_C_STMT ? arm->kid[i]->kid[0] : NULL;
        if (!e || e->op != RG_COP_SET || !is_place(x, e->kid[0]) || rg__c_size(e) > MAX_SIZE) return false;
    }
    return true;
}

/* May the condition's part be asked in iterations that the C leaves out? Not where data lead its subscripts, or what
 * the body computes: they may be anything there. */
static bool tame(const struct rg_ctree *t, const struct rg_cnode *e, bool subscript)
{
    bool led = e->kind == RG_C_INDEX || (scalar(e) && t->vars[e->var].kind == RG_CVAR_LOCAL);
    if (e->kind == RG_C_CALL || (subscript && led)) return false;
    for (int i = 0; i < e->n; i++)
        if (!tame(t, e->kid[i], subscript || e->kind == RG_C_INDEX)) return false;
    return true;
}

static void conjuncts(struct rg_cnode *c, struct rg_cnode **parts, int *n)
{
    if (c->op == RG_COP_AND && *n < MAX_PARTS - 1) {
        conjuncts(c->kid[0], parts, n);
        conjuncts(c->kid[1], parts, n);
    } else {
        parts[(*n)++] = c;
    }
}

/* What the loop's first taker does, behind the loop; NULL: it can't be said there. */
static struct rg_cnode *deed(const struct takers *x, const struct rg_cnode *arm, int taker)
{
    struct rg_ctree *t = x->t;
    struct rg__kids all = {0};
    bool ok = true;
    for (int i = 0; i < arm->n && ok; i++) {
        const struct rg_cnode *e = arm->kid[i]->kid[0];
        struct rg_cnode *value = again(x, e->kid[1], 0);
        ok = value != NULL;
        for (int k = 0; k < arm->n && ok; k++) ok = !uses(value, arm->kid[k]->kid[0]->kid[0]);
        if (!ok) break;
        value = rg__c_replace_var(t, value, x->loop->var, rg__c_var(t, taker));
        struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, e->kid[0]), value));
        s->line = arm->kid[i]->line;
        s->column = arm->kid[i]->column;
        rg__kids_add(&all, s);
    }
    struct rg_cnode *b = rg__kids_node(t, RG_C_BLOCK, &all);
    return ok ? b : NULL;
}

static bool take(struct takers *x, struct rg_cnode *choice, struct rg__kids *front, struct rg__kids *behind)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *l = x->loop, *parts[MAX_PARTS], *arm = choice->kid[1];
    int n = 0;
    if (!arm_fits(x, choice)) return false;
    conjuncts(choice->kid[0], parts, &n);
    x->kept = NULL;
    x->rest = NULL;
    for (int i = 0; i < n; i++) {
        const struct rg_cnode *place = x->kept ? NULL : asked(x, parts[i], arm);
        if (place) {
            x->kept = place;
            x->test = parts[i];
        } else {
            if (x->kept && !tame(t, parts[i], false)) return false;
            x->rest = x->rest ? rg__c_binary(t, RG_COP_AND, x->rest, parts[i]) : parts[i];
        }
    }
    if (!x->kept || !rg__c_pure(t, x->test) || !settles(x, x->test, x->kept, arm)) return false;
    for (int i = 0; i < arm->n; i++) /* the test aside, the arm's own stores are all that names its places */
        for (int k = 0; k < l->n; k++) {
            const struct rg_cnode *to = arm->kid[i]->kid[0]->kid[0];
            int own = uses(arm, to) + uses(x->test, to);
            if (uses(l->kid[k], to) != (k == 2 ? own : 0)) return false;
        }
    struct rg_cnode *rest_of_test = with(t, rg__c_copy(t, x->test), x->kept, rg__c_int(t, 0));
    if (!stays(x, rest_of_test)) return false;
    int taker = rg__c_add_var(t, "taker", RG_CVAR_LOCAL, t->vars[l->var].type);
    struct rg_cnode *what = deed(x, arm, taker);
    if (!what) return false;
    const enum rg_c_op before = l->step > 0 ? RG_COP_LT : RG_COP_GT;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1), *then = rg_cnode_new(t, RG_C_IF, 2),
                    *c = rg_cnode_new(t, RG_C_COND, 3), *inner = rg_cnode_new(t, RG_C_IF, 2),
                    *outer = rg_cnode_new(t, RG_C_BLOCK, 1);
    d->var = taker;
    d->type = t->vars[taker].type;
    d->kid[0] = rg__c_cast(t, rg__c_copy(t, l->kid[1]), d->type);
    c->type = d->type;
    c->kid[0] = rg__c_binary(t, before, rg__c_var(t, l->var), rg__c_var(t, taker));
    c->kid[1] = rg__c_var(t, l->var);
    c->kid[2] = rg__c_var(t, taker);
    struct rg_cnode *set = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, taker), c));
    set->line = arm->kid[0]->line;
    set->column = arm->kid[0]->column;
    then->kid[0] = rg__c_binary(t, before, rg__c_var(t, taker), rg__c_cast(t, rg__c_copy(t, l->kid[1]), d->type));
    inner->kid[0] = rg__c_copy(t, x->test);
    inner->kid[1] = what;
    outer->kid[0] = inner;
    then->kid[1] = outer;
    d->line = then->line = inner->line = what->line = outer->line = l->line;
    d->column = then->column = inner->column = l->column;
    rg__kids_add(front, d);
    rg__kids_add(behind, then);
    arm->n = 1;
    arm->kid[0] = set;
    choice->kid[0] = x->rest;
    return true;
}

/* if (a) if (b) ..: as if (a && b). */
static struct rg_cnode *one_choice(struct rg_ctree *t, struct rg_cnode *k)
{
    struct rg_cnode *in = k->n == 2 && k->kid[1]->kind == RG_C_BLOCK && k->kid[1]->n == 1 ? k->kid[1]->kid[0] : NULL;
    if (!in || in->kind != RG_C_IF || in->n != 2) return k;
    struct rg_cnode *both = rg__c_shallow(&t->arena, in = one_choice(t, in));
    both->kid[0] = rg__c_binary(t, RG_COP_AND, k->kid[0], in->kid[0]);
    return both;
}

/* !k, k == 0: of which scalar; -1. */
static int asked_for_none(const struct rg_cnode *c)
{
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_NOT) {
        const struct rg_cnode *e = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS);
        return scalar(e) ? e->var : -1;
    }
    for (int side = 0; side < 2 && c->kind == RG_C_BINARY && c->op == RG_COP_EQ; side++) {
        const struct rg_cnode *e = rg__c_uncast(c->kid[side], RG__C_WIDE_CASTS),
                              *zero = rg__c_uncast(c->kid[1 - side], RG__C_CASTS);
        if (scalar(e) && zero->kind == RG_C_INT && !zero->ivalue) return e->var;
    }
    return -1;
}

static bool counts_up(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || (e->kind != RG_C_INCDEC && e->kind != RG_C_ASSIGN) || !scalar(e->kid[0]) || e->kid[0]->var != var)
        return false;
    return e->kind == RG_C_INCDEC ? rg_c_increments(e->op)
                                  : e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1;
}

/* `if (!n) first = i; n++;`: a counter that is asked for nothing else says who comes first. A flag says it as well. */
static void flag_for_counter(struct takers *x, struct rg_cnode *b, int at, struct rg__kids *front)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *k = b->kid[at];
    const int v = k->n == 2 && k->kid[1]->kind == RG_C_BLOCK ? asked_for_none(k->kid[0]) : -1;
    if (v < 0 || t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) ||
        rg_scalar_bytes(t->vars[v].type) < 4 || rg__c_declares(x->outermost, v) || x->outermost != x->loop ||
        rg__c_count_var(x->loop, v) != 2)
        return;
    int step = at + 1;
    while (step < b->n && !counts_up(b->kid[step], v)) step++;
    int64_t first;
    if (step == b->n || rg__c_declared_int(t->root, x->loop, v, &first) != 1 || first) return;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = rg__c_add_var(t, "seen", RG_CVAR_LOCAL, RG_I32);
    d->type = RG_I32;
    d->line = x->loop->line;
    d->column = x->loop->column;
    d->kid[0] = rg__c_int(t, 0);
    rg__kids_add(front, d);
    struct rg_cnode *set = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, d->var), rg__c_int(t, 1)));
    struct rg__kids arm = {0};
    rg__kids_add(&arm, rg__c_stands(set, k));
    rg__block_splice(t, k->kid[1], k->kid[1]->n, 0, &arm);
    k->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, d->var), rg__c_int(t, 0));
}

/* Choices in the loop's body, in no other loop of it. */
static void look(struct takers *x, struct rg_cnode *n, struct rg__kids *front, struct rg__kids *behind)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (n->kind == RG_C_BLOCK && k && k->kind == RG_C_IF) flag_for_counter(x, n, i, front);
        struct rg_cnode *choice = n->kind == RG_C_BLOCK && k->kind == RG_C_IF ? one_choice(x->t, k) : NULL;
        if (choice && take(x, choice, front, behind))
            n->kid[i] = choice->kid[0] ? choice : choice->kid[1]->kid[0]; /* or nothing else was asked */
        else
            look(x, k, front, behind);
    }
}

/* The loop's first takers go behind it; returns how many statements more the block has. */
static int look_in(struct takers *x, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    struct rg__kids front = {0}, behind = {0};
    x->loop = l;
    if (l->n == 3 && l->kid[2]->kind == RG_C_BLOCK && !rg__leaves_early(l->kid[2]) &&
        !rg__mentions_kind(l, RG_C_VERBATIM) && rg__c_of_params(x->t, l->kid[1]))
        look(x, l->kid[2], &front, &behind);
    int more = front.n + behind.n;
    rg__kids_add(&front, l);
    for (int k = 0; k < behind.n; k++) rg__kids_add(&front, behind.items[k]);
    free(behind.items);
    rg__block_splice(x->t, block, at, 1, &front);
    return more;
}

static void walk(struct takers *x, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *l = n->kid[i];
        if (n->kind != RG_C_BLOCK || !l || l->kind != RG_C_LOOP || x->r->n_loops == RG__MAX_NEST) {
            walk(x, l);
            continue;
        }
        struct rg_cnode *outer = x->outermost;
        if (!outer) x->outermost = l;
        x->r->loops[x->r->n_loops++] = l;
        walk(x, l->kid[2]);
        i += look_in(x, n, i);
        x->r->n_loops--;
        x->outermost = outer;
    }
}

void rg__canon_takers(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__given *given = rg__given_of(t, p);
    struct takers x = {.t = t, .r = rg_xmalloc(sizeof *x.r)};
    rg__range_init(x.r, t, given);
    if (!p->may_alias) walk(&x, t->root);
    free(x.r);
    rg__given_free(given);
}
