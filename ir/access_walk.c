#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

struct walking {
    struct rg__range r;
    void (*fn)(void *arg, const struct rg__visit *v);
    void *arg;
    bool uncertain;
    int twins;   /* IFs around whose arms are one piece of code, loops that end when their data says so */
    int entered; /* of these loops, those that do not before their first round */
    int arm;     /* where the facts of the innermost arm begin: they go with it */
    int order;
    const struct rg_cnode *stmt, *from;
    const struct rg_cnode *block; /* the statements among which a loop stands: that one is kid[at] */
    int at;
    const struct rg_cnode *member; /* the chain of members that the element stands below */
};

enum { READ = 1, WRITE = 2 };

static void go(struct walking *w, struct rg_cnode *n, int mode);

static void report(struct walking *w, struct rg_cnode *n, int mode, bool pointer)
{
    struct rg__visit v = {.node = n,
                          .range = &w->r,
                          .read = mode & READ,
                          .write = mode & WRITE,
                          .plain_write = mode == WRITE,
                          .certain = !w->uncertain && !w->twins,
                          .one_of_twins = !w->uncertain && w->twins,
                          .first = !w->uncertain && w->twins == w->entered,
                          .pointer = pointer,
                          .from = w->from,
                          .member = w->member,
                          .order = w->order++,
                          .stmt = w->stmt};
    w->fn(w->arg, &v);
}

/* A field of an element: who asks for more than elements as wholes finds the chain's outermost node in the visit. */
static void go_member(struct walking *w, struct rg_cnode *n, int mode)
{
    const struct rg_cnode *outer = w->member;
    w->member = NULL;
    for (int i = 1; i < n->n; i++) go(w, n->kid[i], READ);
    w->member = outer ? outer : n;
    const struct rg_cnode *of = n->kid[0];
    while (of->kind == RG_C_MEMBER) of = of->kid[0];
    if (n->pointer && !(of->array >= 0 && w->r.t->arrays[of->array].is_const)) mode = READ | WRITE;
    go(w, n->kid[0], mode);
    w->member = outer;
}

static void target(struct walking *w, struct rg_cnode *n, int mode)
{
    if (n->kind == RG_C_MEMBER) {
        go_member(w, n, mode);
        return;
    }
    go(w, n, mode);
}

/* The scalars that e is made of, none of which the statement sets; false: there is more in it. */
static bool keeps(const struct rg_cnode *stmt, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->op == RG_COP_DEREF ||
        (e->kind == RG_C_VAR && (e->array >= 0 || (stmt && rg__c_writes_var(stmt, e->var)))))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!keeps(stmt, e->kid[i])) return false;
    return true;
}

/* `int taken = i < h; if (taken)`: the condition, as long as nothing on the way sets what it speaks of. */
static const struct rg_cnode *meant(const struct walking *w, const struct rg_cnode *c)
{
    if (c->kind != RG_C_VAR || c->array >= 0 || !w->block) return c;
    for (int i = w->at - 1; i >= 0; i--) {
        const struct rg_cnode *d = w->block->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || d->var != c->var) continue;
        if (!d->n || (!rg_c_relation(d->kid[0]->op) && !rg_c_logic(d->kid[0]->op))) return c;
        for (int k = i + 1; k < w->at; k++)
            if (!keeps(w->block->kid[k], d->kid[0]) || rg__c_writes_var(w->block->kid[k], c->var)) return c;
        return keeps(NULL, d->kid[0]) ? d->kid[0] : c;
    }
    return c;
}

/* ---- facts ---- */

/* Does the code set what e is made of? */
static bool changes(const struct rg_cnode *code, const struct rg_cnode *e)
{
    if (!e) return false;
    if (e->kind == RG_C_VAR || e->kind == RG_C_INDEX) {
        if (e->array >= 0 ? rg__writes_array(code, e->array) : rg__c_writes_var(code, e->var)) return true;
    } else if (e->op == RG_COP_DEREF || e->kind == RG_C_VERBATIM)
        return true;
    for (int i = 0; i < e->n; i++)
        if (changes(code, e->kid[i])) return true;
    return false;
}

static bool outdated(const struct rg__range *r, const struct rg__poly *fact, const struct rg_cnode *code)
{
    for (int i = 0; i < fact->n; i++)
        for (int d = 0; d < fact->terms[i].degree; d++) {
            const int id = fact->terms[i].var[d];
            if (id >= RG__ATOM ? changes(code, r->atoms[id - RG__ATOM]) : rg__c_writes_var(code, id)) return true;
        }
    return false;
}

/* Kills: a fact is one until something that it speaks of is set. In a loop, that may have been in an iteration before.
 * Of what holds around the arm, the place is kept, so that the arm's own can go by their number. */
static void forget(struct walking *w, const struct rg_cnode *code)
{
    int n = w->r.n_computed_facts;
    for (int i = n; i < w->r.n_facts; i++) {
        struct rg__poly *fact = &w->r.facts[i];
        const bool gone = outdated(&w->r, fact, code);
        if (gone && i < w->arm) *fact = rg__poly_int(0); /* 0 >= 0 */
        if (gone && i >= w->arm) continue;
        if (n != i) w->r.facts[n] = *fact;
        n++;
    }
    w->r.n_facts = n;
}

/* The code where the condition holds, or does not; NULL: nobody knows which. */
static void arm(struct walking *w, struct rg_cnode *n, const struct rg_cnode *condition, bool holds)
{
    const int facts = w->r.n_facts, outer = w->arm;
    w->arm = facts;
    if (condition) {
        rg__range_assume(&w->r, condition, holds);
        forget(w, condition); /* `k++ < n` */
    }
    go(w, n, READ);
    w->r.n_facts = facts;
    w->arm = outer;
}

static void guarded(struct walking *w, struct rg_cnode *n, const struct rg_cnode *condition, bool holds)
{
    bool before = w->uncertain;
    w->uncertain = true;
    arm(w, n, condition, holds);
    w->uncertain = before;
}

/* `int go_on = 1;` in front of the loop that goes on while that holds. */
static bool is_entered(const struct walking *w, const struct rg_cnode *n)
{
    const struct rg_cnode *c = n->n > 3 ? n->kid[3] : NULL;
    int64_t v;
    if (!c || c->kind != RG_C_VAR || c->array >= 0 || !w->block || w->block->kid[w->at] != n) return false;
    for (int i = w->at - 1; i >= 0; i--) {
        const struct rg_cnode *s = w->block->kid[i];
        const bool declared = s->kind == RG_C_DECL && s->array < 0 && s->var == c->var;
        if (!declared && !rg__c_writes_var(s, c->var)) continue;
        if (declared) return s->n && rg__c_number(s->kid[0], &v) && v;
        const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : s;
        return a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && a->kid[0]->var == c->var &&
               rg__c_number(a->kid[1], &v) && v;
    }
    return false;
}

static void loop(struct walking *w, struct rg_cnode *n)
{
    const bool before = w->uncertain, entered = is_entered(w, n);
    w->stmt = NULL;
    go(w, n->kid[0], READ);
    go(w, n->kid[1], READ);
    forget(w, n);
    bool affine = rg_c_affine(w->r.t, n->kid[0]) && rg_c_affine(w->r.t, n->kid[1]);
    if (!affine) w->uncertain = true;
    bool pushed = w->r.n_loops < RG__MAX_NEST;
    if (pushed) w->r.loops[w->r.n_loops++] = n;
    w->twins += n->n > 3; /* almost always once at least */
    w->entered += entered;
    go(w, n->kid[2], READ);
    w->entered -= entered;
    w->twins -= n->n > 3;
    if (pushed) w->r.n_loops--;
    w->uncertain = before;
}

/* The bound of `var`, exclusive, that one part of the condition states; NULL. */
static struct rg_cnode *bound_of(struct rg_ctree *t, struct rg_cnode *c, int var)
{
    if (!c) return NULL;
    if (c->op == RG_COP_AND) {
        struct rg_cnode *b = bound_of(t, c->kid[0], var);
        return b ? b : bound_of(t, c->kid[1], var);
    }
    const bool up = c->op == RG_COP_LT || c->op == RG_COP_LE, down = c->op == RG_COP_GT || c->op == RG_COP_GE;
    if (!up && !down) return NULL;
    const struct rg_cnode *v = rg__c_uncast(c->kid[up ? 0 : 1], RG__C_WIDE_CASTS);
    struct rg_cnode *b = c->kid[up ? 1 : 0];
    if (v->kind != RG_C_VAR || v->array >= 0 || v->var != var || !rg_c_affine(t, b)) return NULL;
    return c->op == RG_COP_LT || c->op == RG_COP_GT ? b : rg__c_binary(t, RG_COP_ADD, b, rg__c_int(t, 1));
}

/* A loop that may end early counts, while it lasts, like one that does not: `for (j = 0; j < n && x[j] < y; j++)`.
 * That loop, in l; false: it counts in another way. */
static bool counts(const struct walking *w, struct rg_cnode *f, struct rg_cnode *l)
{
    struct rg_ctree *t = w->r.t;
    const struct rg_cnode *i = f->kid[0], *s = f->kid[2];
    if (!s || !f->kid[1]) return false;
    if (s->kind == RG_C_STMT) s = s->kid[0];
    const bool up = (s->kind == RG_C_INCDEC && rg_c_increments(s->op)) ||
                    (s->op == RG_COP_ADD_SET && s->kid[1]->kind == RG_C_INT && s->kid[1]->ivalue > 0);
    const int var = up && s->kid[0]->kind == RG_C_VAR && s->kid[0]->array < 0 ? s->kid[0]->var : -1;
    const struct rg_cnode *here = w->block ? w->block->kid[w->at] : NULL;
    if (here && here->kind == RG_C_OPAQUE && here->n) here = here->kid[0];
    for (int k = w->at - 1; !i && k >= 0 && here == f; k--) { /* set in front of it */
        const struct rg_cnode *x = w->block->kid[k];
        if ((x->kind == RG_C_DECL && x->array < 0 && x->var == var) || rg__c_writes_var(x, var)) i = x;
    }
    if (var < 0 || !i || (i->kind != RG_C_DECL && i->kind != RG_C_STMT)) return false;
    const bool decl = i->kind == RG_C_DECL;
    if (!decl) i = i->kid[0];
    const struct rg_cnode *to = decl ? i : i->op == RG_COP_SET ? i->kid[0] : NULL;
    if (!to || to->array >= 0 || to->pointer || to->var != var || (!decl && to->kind != RG_C_VAR) || (decl && !i->n))
        return false;
    struct rg_cnode *lower = i->kid[decl ? 0 : 1], *upper = bound_of(t, f->kid[1], var);
    if (!upper || !rg_c_affine(t, lower) || rg__c_writes_var(f->kid[3], var)) return false;
    l->var = var;
    l->step = s->kind == RG_C_INCDEC ? 1 : s->kid[1]->ivalue;
    l->kid[0] = lower;
    l->kid[1] = upper;
    l->kid[2] = f->kid[3];
    return true;
}

/* The parts of the condition that hold all through the body, too: of scalars that it leaves alone. */
static struct rg_cnode *lasting(struct rg_ctree *t, struct rg_cnode *c, const struct rg_cnode *body)
{
    if (!c) return NULL;
    if (c->op == RG_COP_AND) {
        struct rg_cnode *a = lasting(t, c->kid[0], body), *b = lasting(t, c->kid[1], body);
        return a && b ? rg__c_binary(t, RG_COP_AND, a, b) : a ? a : b;
    }
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || rg__mentions_kind(c, RG_C_INDEX) ||
        rg__mentions_kind(c, RG_C_MEMBER) || rg__mentions_kind(c, RG_C_CALL) || !rg__c_pure(t, c))
        return NULL;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(c, v) && rg__c_writes_var(body, v)) return NULL;
    return c;
}

static void early_loop(struct walking *w, struct rg_cnode *n)
{
    struct rg_cnode *like = rg_cnode_new(w->r.t, RG_C_LOOP, 3);
    w->stmt = NULL;
    go(w, n->kid[0], READ);
    forget(w, n);
    const bool known = w->r.n_loops < RG__MAX_NEST && counts(w, n, like), before = w->uncertain;
    if (known) w->r.loops[w->r.n_loops++] = like;
    w->uncertain = known || before; /* the condition reads beyond its first part only where that held */
    go(w, n->kid[1], READ);
    w->uncertain = before;
    guarded(w, n->kid[3], lasting(w->r.t, n->kid[1], n->kid[3]), true);
    guarded(w, n->kid[2], NULL, true);
    if (known) w->r.n_loops--;
}

/* Does the condition hold wherever the body begins? A jump may lead into it. */
static bool asks_first(const struct rg_cnode *n)
{
    return n->kind == RG_C_WHILE && !rg__mentions_kind(n->kid[1], RG_C_LABEL);
}

static void go(struct walking *w, struct rg_cnode *n, int mode)
{
    if (!n) return;
    switch (n->kind) {
    case RG_C_VAR:
        if (n->array >= 0) report(w, n, w->r.t->arrays[n->array].is_const ? READ : READ | WRITE, true);
        return;
    case RG_C_INDEX: {
        const struct rg_cnode *member = w->member;
        w->member = NULL;
        for (int i = 0; i < n->n; i++) go(w, n->kid[i], READ);
        w->member = member;
        if (n->pointer)
            report(w, n, w->r.t->arrays[n->array].is_const ? READ : READ | WRITE, true);
        else
            report(w, n, mode, false);
        return;
    }
    case RG_C_MEMBER:
        go_member(w, n, mode);
        return;
    case RG_C_UNARY:
        if (n->op == RG_COP_ADDRESS) {
            target(w, n->kid[0], READ | WRITE);
            return;
        }
        break;
    case RG_C_ASSIGN:
        go(w, n->kid[1], READ);
        target(w, n->kid[0], n->op == RG_COP_SET ? WRITE : READ | WRITE);
        forget(w, n);
        return;
    case RG_C_INCDEC:
        target(w, n->kid[0], READ | WRITE);
        forget(w, n);
        return;
    case RG_C_COND:
    case RG_C_IF:
        go(w, n->kid[0], READ);
        if (n->twins) {
            w->twins++;
            for (int i = 1; i < n->n; i++) arm(w, n->kid[i], n->kid[0], i == 1);
            w->twins--;
            return;
        }
        for (int i = 1; i < n->n; i++) {
            const struct rg_cnode *block = w->block;
            const int at = w->at;
            guarded(w, n->kid[i], n->kind == RG_C_IF ? meant(w, n->kid[0]) : n->kid[0], i == 1);
            w->block = block;
            w->at = at;
        }
        return;
    case RG_C_BINARY:
        if (rg_c_lazy(n->op)) {
            go(w, n->kid[0], READ);
            guarded(w, n->kid[1], n->kid[0], n->op == RG_COP_AND);
            return;
        }
        if (n->op == RG_COP_ADD && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array >= 0) {
            go(w, n->kid[1], READ);
            w->from = n->kid[1];
            go(w, n->kid[0], READ);
            w->from = NULL;
            return;
        }
        break;
    case RG_C_LOOP:
        loop(w, n);
        return;
    case RG_C_FOR:
        early_loop(w, n);
        return;
    case RG_C_WHILE:
    case RG_C_SWITCH:
        w->stmt = NULL;
        if (n->kind == RG_C_WHILE) forget(w, n);
        go(w, n->kid[0], READ);
        guarded(w, n->kid[1], asks_first(n) ? n->kid[0] : NULL, true);
        return;
    case RG_C_STMT:
    case RG_C_DECL:
    case RG_C_RETURN:
        w->stmt = n;
        for (int i = 0; i < n->n; i++) go(w, n->kid[i], READ);
        forget(w, n); /* what it hands to functions, too */
        return;
    case RG_C_DO:
        forget(w, n);
        break;
    case RG_C_BLOCK:
        for (int i = 0; i < n->n; i++) {
            w->block = n;
            w->at = i;
            go(w, n->kid[i], READ);
        }
        return;
    default:
        break;
    }
    for (int i = 0; i < n->n; i++) go(w, n->kid[i], READ);
}

void rg__each_access(struct rg_ctree *t, struct rg_cnode *root, const struct rg__given *given,
                     void (*fn)(void *arg, const struct rg__visit *v), void *arg)
{
    struct walking *w = rg_xmalloc(sizeof *w);
    memset(w, 0, sizeof *w);
    rg__range_init(&w->r, t, given);
    w->fn = fn;
    w->arg = arg;
    go(w, root, READ);
    free(w);
}
