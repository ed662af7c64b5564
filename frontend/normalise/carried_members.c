/* Recurrences along the elements of an array of structures, in one of their members: each iteration stores a value that
 * is made of the one before's,
 *     p[i].rank = i > 0 && p[i].score == p[i - 1].score ? p[i - 1].rank : i + 1;     p[i].sum = p[i - 1].sum + p[i].w;
 * Through a scalar that the loop carries they are running values, as what the other members hold is no business of
 * theirs:   v = .. v ..; p[i].rank = v; */
#include "frontend/normalise/canon.h"
#include <string.h>

struct carried {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    const struct rg_cnode *to; /* the member of the iteration's element */
    struct rg_cnode *before;   /* that of the one before's */
    int n_before;
};

static const struct rg_cnode *element_of(const struct rg_cnode *e)
{
    while (e->kind == RG_C_MEMBER) e = e->kid[0];
    return e->kind == RG_C_INDEX && !e->pointer ? e : NULL;
}

static bool is_plain(const struct rg_cnode *e)
{
    for (; e->kind == RG_C_MEMBER; e = e->kid[0])
        if (e->n != 1) return false;
    return true;
}

/* The iteration's own element of an array, by the last of its subscripts; the others stay. */
static bool is_own(const struct rg_cnode *x, const struct rg_cnode *loop)
{
    const struct rg_cnode *i = x->n ? rg__c_uncast(x->kid[x->n - 1], RG__C_INT_CASTS) : NULL;
    if (!i || i->kind != RG_C_VAR || i->array >= 0 || i->var != loop->var) return false;
    for (int d = 0; d + 1 < x->n; d++) {
        if (x->kid[d]->kind != RG_C_VAR || x->kid[d]->array >= 0 || rg__c_writes_var(loop, x->kid[d]->var))
            return false;
    }
    return true;
}

enum { DEPTH = 16 };

static int names(const struct rg_cnode *e, const char **name)
{
    int n = 0;
    for (; e->kind == RG_C_MEMBER && n < DEPTH; e = e->kid[0]) name[n++] = e->text;
    return n;
}

/* Are the two members of one type other ones, neither a part of the other? */
static bool apart(const struct rg_cnode *e, const struct rg_cnode *to)
{
    const char *a[DEPTH], *b[DEPTH]; /* from the innermost on */
    int n = names(e, a), m = names(to, b);
    while (n > 0 && m > 0)
        if (strcmp(a[--n], b[--m])) return true;
    return false;
}

/* All that the loop does with the member is to store it once and to read the one before's in what is stored. */
static bool fits(struct carried *c, const struct rg_cnode *n, bool value)
{
    if (!n || n == c->to) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE) return false;
    const int array = element_of(c->to)->array;
    if (value && rg__c_same(n, c->before, RG__C_UNCAST)) return c->n_before++, true;
    if (value && rg__c_same(n, c->to, RG__C_UNCAST)) return true; /* what it was */
    if (n->kind == RG_C_MEMBER && element_of(n) && element_of(n)->array == array) {
        if (!apart(n, c->to)) return false;
        for (;; n = n->kid[0]) {
            for (int d = n->kind == RG_C_MEMBER; d < n->n; d++)
                if (!fits(c, n->kid[d], value)) return false;
            if (n->kind == RG_C_INDEX) return true;
        }
    }
    if (n->kind != RG_C_DECL && n->array == array) return false; /* all of an element, or a pointer to it */
    const struct rg_carray *all = c->t->arrays;
    if (n->kind != RG_C_DECL && n->array >= 0 &&
        (all[n->array].view || all[array].view || (all[array].param >= 0 && all[n->array].param == all[array].param)))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!fits(c, n->kid[i], value)) return false;
    return true;
}

static struct rg_cnode *through(const struct carried *c, struct rg_cnode *n, int var)
{
    if (rg__c_same(n, c->before, RG__C_UNCAST)) return rg__c_var(c->t, var);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) n->kid[i] = through(c, n->kid[i], var);
    return n;
}

/* What a condition that has a name is: the variable's value, where the iteration declares it in front of `at`, and
 * nothing sets it again. */
static const struct rg_cnode *named(const struct rg_cnode *body, int at, const struct rg_cnode *c)
{
    if (c->kind != RG_C_VAR || c->array >= 0 || c->pointer) return c;
    const struct rg_cnode *value = NULL;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *d = body->kid[i];
        if (i < at && d->kind == RG_C_DECL && d->array < 0 && d->var == c->var && d->n)
            value = d->kid[0];
        else if (rg__c_writes_var(d, c->var))
            return c;
    }
    return value ? rg__c_uncast(value, RG__C_CASTS) : c;
}

static const struct rg_cnode *first_asked(const struct rg_cnode *body, int at, const struct rg_cnode *c)
{
    c = named(body, at, rg__c_uncast(c, RG__C_CASTS));
    return c->op == RG_COP_AND ? first_asked(body, at, c->kid[0]) : c;
}

static bool reads_before(const struct carried *c, const struct rg_cnode *n)
{
    if (rg__c_same(n, c->before, RG__C_UNCAST)) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && reads_before(c, n->kid[i])) return true;
    return false;
}

/* Is there an element before the first iteration's, where there is an iteration at all? */
static bool has_before(const struct rg_cnode *loop)
{
    const struct rg_cnode *low = rg__c_uncast(loop->kid[0], RG__C_INT_CASTS);
    return low->kind == RG_C_INT && low->ivalue > 0;
}

/* i > first && .. ? .. : e: the first iteration asks for none before it. */
static bool first_apart(const struct carried *c, int at, const struct rg_cnode *value)
{
    value = rg__c_uncast(value, RG__C_CASTS);
    const struct rg_cnode *low = rg__c_uncast(c->loop->kid[0], RG__C_INT_CASTS);
    if (value->kind != RG_C_COND || low->kind != RG_C_INT || reads_before(c, value->kid[2])) return false;
    const struct rg_cnode *q = first_asked(c->loop->kid[2], at, value->kid[0]), *i = q, *by = NULL;
    enum rg_c_op op = RG_COP_NE;
    if (q->kind == RG_C_BINARY && rg_c_relation(q->op)) i = q->kid[0], by = q->kid[1], op = q->op;
    i = rg__c_uncast(i, RG__C_INT_CASTS);
    by = by ? rg__c_uncast(by, RG__C_INT_CASTS) : NULL;
    if (i->kind != RG_C_VAR || i->array >= 0 || i->var != c->loop->var || low->ivalue < 0 ||
        (by && (by->kind != RG_C_INT || by->ivalue < 0)))
        return false;
    return !rg__relation_holds(op, (double)low->ivalue, by ? (double)by->ivalue : 0);
}

/* How many statements came in front of the loop. */
static int carry(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *loop = block->kid[at], *b = loop->kid[2];
    if (loop->n != 3 || loop->step != 1 || b->kind != RG_C_BLOCK) return 0;
    for (int s = 0; s < b->n; s++) {
        struct rg_cnode *e = b->kid[s]->kind == RG_C_STMT ? b->kid[s]->kid[0] : NULL;
        if (!e || e->kind != RG_C_ASSIGN || (e->op != RG_COP_SET && e->op != RG_COP_ADD_SET) ||
            e->kid[0]->kind != RG_C_MEMBER || e->kid[0]->pointer || e->kid[0]->type == RG_STRUCT ||
            !is_plain(e->kid[0]) || !element_of(e->kid[0]) || !is_own(element_of(e->kid[0]), loop) ||
            !rg__c_pure(t, e->kid[1]))
            continue;
        struct carried c = {.t = t, .loop = loop, .to = e->kid[0]};
        struct rg_cnode *less = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, loop->var), rg__c_int(t, 1));
        c.before = rg__c_replace_var(t, rg__c_copy(t, c.to), loop->var, less);
        bool ok = fits(&c, e->kid[1], true) && c.n_before;
        for (int i = 0; i < b->n && ok; i++) ok = i == s || fits(&c, b->kid[i], false);
        const bool first = ok && first_apart(&c, s, e->kid[1]);
        if (!ok || (!first && !has_before(loop))) continue;
        const enum rg_scalar type = c.to->type;
        struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), loop), *start = NULL;
        d->var = rg__c_add_var(t, c.to->text, RG_CVAR_LOCAL, type);
        d->type = type;
        if (!first) {
            start = rg__c_replace_var(t, rg__c_copy(t, c.before), loop->var, loop->kid[0]);
            struct rg_cnode *any = rg_cnode_new(t, RG_C_COND, 3);
            any->type = type;
            any->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, loop->kid[0]), rg__c_copy(t, loop->kid[1]));
            any->kid[1] = start;
            any->kid[2] = rg__c_cast(t, rg__c_int(t, 0), type);
            start = any;
        }
        d->kid[0] = start ? start : rg__c_cast(t, rg__c_int(t, 0), type);
        struct rg__kids front = {0}, both = {0};
        rg__kids_add(&front, d);
        struct rg_cnode *value = through(&c, rg__c_copy(t, e->kid[1]), d->var);
        if (e->op == RG_COP_ADD_SET) value = rg__c_binary(t, RG_COP_ADD, value, rg__c_copy(t, c.to));
        value = rg__c_cast(t, value, type);
        e->op = RG_COP_SET;
        rg__kids_add(&both,
                     rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, d->var), value)), b->kid[s]));
        e->kid[1] = rg__c_var(t, d->var);
        rg__block_splice(t, b, s, 0, &both);
        rg__block_splice(t, block, at, 0, &front);
        return 1;
    }
    return 0;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP) {
            walk(t, n->kid[i]->kid[2]);
            for (int more = carry(t, n, i); more; more = carry(t, n, i)) i += more;
        } else {
            walk(t, n->kid[i]);
        }
    }
}

void rg__canon_carried_members(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias) walk(t, t->root);
}
