/* A best so far that may not be there yet: `if (!found || x[i] < best) { best = x[i]; at = i; found = 1; }`. The first
 * iteration that takes part is found ahead, and gives the scalars their values in front of the loop:
 *     for (i..) if (ok[i]) first = min(first, i);
 *     if (first < n && !found) { best = x[first]; at = first; found = 1; }
 *     for (i..) if (ok[i]) if (x[i] < best) { best = x[i]; at = i; found = 1; }
 * What is left asks for no flag: a reduction. The first one that takes part comes to it again, and sets what is there.
 * Flags are `!found`, `none`, `count == 0` with a counter that goes up behind, `place < 0`, and `i == first`; a best
 * that is read at its place becomes a scalar; the first value may stand in an arm of its own. */
#include "frontend/normalise/extreme_places.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 8, MAX_SET = 8 };

struct step { /* on the way from the loop's body to the place */
    struct rg_cnode *block;
    int at; /* the IF, or the place itself */
    int arm;
};

struct accept {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg__range *r;
    struct rg_cnode *loop, *outer; /* the loop the place stands in; the one in front of which it is prepared */
    int n_path;
    struct step path[MAX_PATH];
    /* of the place */
    struct rg_cnode *n;            /* IF */
    struct rg_cnode *unset;        /* the part of its condition that asks for the flag */
    const struct rg_cnode *better; /* the other side of ||; NULL: the condition is the flag alone, and an arm follows */
    struct rg__kids guard;         /* further parts of the condition */
    int flag;                      /* the flag's scalar; the loop's variable */
    enum { BY_VALUE, BY_ZERO, BY_PLACE, BY_COUNT, BY_NUMBER } kind;
};

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool is_number(const struct rg_cnode *e, int64_t v)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op == RG_COP_NEG) return is_number(e->kid[0], -v);
    return e->kind == RG_C_INT && e->ivalue == v;
}

/* Does the arm set it, or what follows in the same block? */
static bool set_here(const struct accept *a, int var)
{
    const struct step *last = &a->path[a->n_path - 1];
    bool set = rg__c_writes_var(a->n->kid[1], var);
    for (int i = last->at + 1; i < last->block->n && !set; i++) set = rg__c_writes_var(last->block->kid[i], var);
    return set;
}

/* !f, f == 0, f, f != 0, f < 0, f == -1, i == first */
static bool asks_flag(struct accept *a, const struct rg_cnode *e)
{
    const struct rg_cnode *x = rg__c_uncast(e, RG__C_CASTS);
    const struct rg_cnode *bare =
        x->op == RG_COP_NE && is_number(x->kid[1], 0) ? rg__c_uncast(x->kid[0], RG__C_CASTS) : x;
    if (is_scalar(bare) && set_here(a, bare->var)) {
        a->kind = BY_ZERO;
        a->flag = bare->var;
        return rg__scalar_is_int(a->t->vars[a->flag].type);
    }
    if (x->op == RG_COP_NOT) {
        x = rg__c_uncast(x->kid[0], RG__C_CASTS);
        a->flag = x->var;
        a->kind = a->flag == a->loop->var && is_number(a->loop->kid[0], 0) ? BY_NUMBER : BY_VALUE;
        return is_scalar(x);
    }
    if (x->kind != RG_C_BINARY || (x->op != RG_COP_EQ && x->op != RG_COP_LT)) return false;
    const struct rg_cnode *f = rg__c_uncast(x->kid[0], RG__C_CASTS);
    if (!is_scalar(f) || !rg__scalar_is_int(a->t->vars[f->var].type)) return false;
    a->flag = f->var;
    if (x->op == RG_COP_EQ && f->var == a->loop->var && rg__c_same(x->kid[1], a->loop->kid[0], RG__C_UNCAST)) {
        a->kind = BY_NUMBER;
        return true;
    }
    a->kind = x->op == RG_COP_EQ && is_number(x->kid[1], 0) ? BY_VALUE : BY_PLACE;
    return x->op == RG_COP_EQ ? is_number(x->kid[1], 0) || is_number(x->kid[1], -1) : is_number(x->kid[1], 0);
}

static void conjuncts(struct rg_cnode *c, struct rg__kids *out)
{
    if (c->op == RG_COP_AND) {
        conjuncts(c->kid[0], out);
        conjuncts(c->kid[1], out);
    } else {
        rg__kids_add(out, c);
    }
}

static bool reads_conditions(struct accept *a)
{
    struct rg__kids all = {0};
    a->guard.n = 0;
    a->unset = NULL;
    a->better = NULL;
    conjuncts(a->n->kid[0], &all);
    bool ok = true;
    for (int i = 0; i < all.n; i++) {
        struct rg_cnode *c = all.items[i];
        bool either = c->op == RG_COP_OR && asks_flag(a, c->kid[0]), alone = !either && asks_flag(a, c);
        if (!either && !alone) {
            rg__kids_add(&a->guard, c);
            continue;
        }
        ok = ok && !a->unset;
        a->unset = either ? c->kid[0] : c;
        a->better = either ? c->kid[1] : NULL;
    }
    free(all.items);
    if (!a->unset || !ok) return false;
    bool again = asks_flag(a, a->unset), has_else = a->n->n > 2 && a->n->kid[2] && a->n->kid[2]->n;
    return again && (a->better != NULL) == !has_else && (a->better || !a->guard.n);
}

/* ---- what may be said elsewhere ---- */

static bool own(const struct accept *a, int var)
{
    return rg__c_declares(a->loop->kid[2], var);
}

/* Made of the iteration's number, of what the loops do not change, and of the iteration's own scalars. */
static bool of_iteration(const struct accept *a, const struct rg_cnode *e, int but)
{
    const struct rg_ctree *t = a->t;
    if (!rg__c_pure(t, e)) return false;
    for (int v = 0; v < t->n_vars; v++)
        if (v != but && rg__c_mentions_var(e, v) && v != a->loop->var && !own(a, v) && rg__c_writes_var(a->outer, v))
            return false;
    for (int x = 0; x < t->n_arrays; x++)
        if (rg__c_mentions_array(e, x) && (rg__writes_array(a->outer, x) || rg__c_declares_array(a->outer, x)))
            return false;
    return true;
}

/* Statements in front of the place that declare what `want` names: for a copy. False: they can't be said elsewhere. */
static bool declarations(struct accept *a, bool *want, struct rg__kids *out)
{
    struct rg__kids back = {0};
    bool ok = true;
    for (int d = a->n_path - 1; d >= 0; d--)
        for (int i = a->path[d].at - 1; i >= 0 && ok; i--) {
            struct rg_cnode *s = a->path[d].block->kid[i];
            if (s->kind != RG_C_DECL || s->array >= 0 || !want[s->var]) continue;
            ok = s->n > 0 && s->kid[0]->kind != RG_C_INITLIST && of_iteration(a, s->kid[0], -1);
            want[s->var] = false;
            for (int v = 0; v < a->t->n_vars && ok; v++)
                if (own(a, v) && rg__c_mentions_var(s->kid[0], v)) want[v] = true;
            rg__kids_add(&back, s);
        }
    for (int v = 0; v < a->t->n_vars && ok; v++) ok = !want[v] || !own(a, v);
    for (int i = 0; i < back.n && ok; i++) { /* given its value there alone */
        int writers = 0, var = back.items[i]->var;
        struct rg__kids todo = {0};
        rg__kids_add(&todo, a->loop->kid[2]);
        while (todo.n) {
            struct rg_cnode *x = todo.items[--todo.n];
            bool set = (x->kind == RG_C_ASSIGN || x->kind == RG_C_INCDEC || x->op == RG_COP_ADDRESS) &&
                       is_scalar(x->kid[0]) && x->kid[0]->var == var;
            writers += set;
            for (int k = 0; k < x->n; k++)
                if (x->kid[k]) rg__kids_add(&todo, x->kid[k]);
        }
        free(todo.items);
        ok = !writers;
    }
    for (int i = back.n - 1; i >= 0; i--) rg__kids_add(out, back.items[i]);
    free(back.items);
    return ok;
}

static void wanted_by(const struct accept *a, const struct rg_cnode *e, bool *want)
{
    for (int v = 0; v < a->t->n_vars; v++) want[v] |= own(a, v) && rg__c_mentions_var(e, v);
}

/* ---- is it one? ---- */

/* Only assignments to scalars from outside, of what is the iteration's. */
static bool sets_scalars(const struct accept *a, const struct rg_cnode *b)
{
    if (!b) return true;
    if (b->kind == RG_C_BLOCK) {
        for (int i = 0; i < b->n; i++)
            if (!sets_scalars(a, b->kid[i])) return false;
        return true;
    }
    if (b->kind == RG_C_IF) {
        if (!rg__c_pure(a->t, b->kid[0])) return false;
        for (int i = 1; i < b->n; i++)
            if (!sets_scalars(a, b->kid[i])) return false;
        return true;
    }
    const struct rg_cnode *e = b->kind == RG_C_STMT ? b->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && is_scalar(e->kid[0]) && !own(a, e->kid[0]->var) &&
           of_iteration(a, e->kid[1], -1);
}

/* In n, apart from the place's arms: is the flag left alone? */
static bool left_alone(const struct accept *a, const struct rg_cnode *n)
{
    if (!n || n == a->n) return true;
    if (is_scalar(n) && n->var == a->flag) return false;
    if (n->kind == RG_C_VERBATIM) return false;
    for (int i = 0; i < n->n; i++)
        if (!left_alone(a, n->kid[i])) return false;
    return true;
}

/* What the arm gives the flag says that it is set. False: it is not set there, or to something else. */
static bool sets_flag(struct accept *a, const struct rg_cnode *b)
{
    bool found = false;
    for (int i = 0; b && i < b->n; i++) {
        const struct rg_cnode *s = b->kid[i]->kind == RG_C_STMT ? b->kid[i]->kid[0] : NULL;
        if (!s || s->kind != RG_C_ASSIGN || !is_scalar(s->kid[0]) || s->kid[0]->var != a->flag) {
            if (rg__c_writes_var(b->kid[i], a->flag)) return false;
            continue;
        }
        const struct rg_cnode *v = rg__c_uncast(s->kid[1], RG__C_CASTS);
        if (a->kind == BY_VALUE || a->kind == BY_ZERO) {
            found = v->kind == RG_C_INT && (v->ivalue != 0) == (a->kind == BY_VALUE);
        } else {
            struct rg__poly value = rg__poly_of(a->r, s->kid[1]);
            found = rg__prove(a->r, &value);
        }
        if (!found) return false;
    }
    return found;
}

/* The assignment leaves the flag as 0, or as another number. */
static bool sets_number(const struct rg_cnode *e, bool zero)
{
    const struct rg_cnode *v = e->kind == RG_C_ASSIGN ? rg__c_uncast(e->kid[1], RG__C_CASTS) : NULL;
    return v && e->op == RG_COP_SET && v->kind == RG_C_INT && (v->ivalue == 0) == zero;
}

/* The flag is a number of those that took part, or says that there was one: it is set behind the place, wherever that
 * is come to. */
static bool counts(struct accept *a)
{
    const bool zero = a->kind == BY_ZERO;
    const struct step *last = &a->path[a->n_path - 1];
    const struct rg_cnode *up = NULL;
    for (int i = last->at + 1; i < last->block->n && !up; i++) {
        const struct rg_cnode *e = last->block->kid[i]->kind == RG_C_STMT ? last->block->kid[i]->kid[0] : NULL;
        if (!e || (e->kind != RG_C_INCDEC && e->kind != RG_C_ASSIGN) || !is_scalar(e->kid[0]) ||
            e->kid[0]->var != a->flag)
            continue;
        const struct rg_cnode *by = e->kind == RG_C_ASSIGN ? rg__c_uncast(e->kid[1], RG__C_CASTS) : NULL;
        bool more = by && e->op == RG_COP_ADD_SET && by->kind == RG_C_INT && by->ivalue > 0 && by->ivalue < 4096;
        bool goes_up = (e->kind == RG_C_INCDEC && rg_c_increments(e->op)) || more;
        if (goes_up && rg_scalar_bytes(a->t->vars[a->flag].type) < 4) return false;
        if ((goes_up && !zero) || sets_number(e, zero)) up = e;
    }
    if (!up) return false;
    struct rg__kids todo = {0};
    bool ok = true;
    rg__kids_add(&todo, a->loop);
    while (todo.n) { /* others may ask whether it is still zero: of the same loop, they are alike */
        struct rg_cnode *x = todo.items[--todo.n];
        if (x == up) continue;
        bool set = (x->kind == RG_C_ASSIGN || x->kind == RG_C_INCDEC || x->op == RG_COP_ADDRESS) &&
                   is_scalar(x->kid[0]) && x->kid[0]->var == a->flag;
        ok = ok && !set && x->kind != RG_C_VERBATIM;
        for (int k = 0; k < x->n; k++)
            if (x->kid[k]) rg__kids_add(&todo, x->kid[k]);
    }
    free(todo.items);
    return ok;
}

static bool flag_holds(struct accept *a)
{
    const struct rg_cnode *then = a->n->kid[1], *other = a->n->n > 2 ? a->n->kid[2] : NULL;
    if (a->kind == BY_NUMBER) return a->n_path == 1 && !a->guard.n;
    if (own(a, a->flag) || a->t->vars[a->flag].kind == RG_CVAR_ITER) return false;
    if ((a->kind == BY_VALUE || a->kind == BY_ZERO) && !rg__c_writes_var(then, a->flag)) {
        const bool behind = !a->guard.n && counts(a); /* whatever the condition, the next finds it set */
        a->kind = BY_COUNT;
        return behind && (!other || !rg__c_writes_var(other, a->flag));
    }
    if (!sets_flag(a, then) || !left_alone(a, a->loop->kid[2])) return false;
    for (int i = 0; i < a->guard.n; i++)
        if (rg__c_mentions_var(a->guard.items[i], a->flag)) return false;
    if (a->kind != BY_PLACE && a->better && rg__c_mentions_var(a->better, a->flag)) return false;
    if (other && rg__c_mentions_var(other, a->flag)) /* in an arm of its own it may be set again */
        for (int i = 0; i < other->n; i++)
            if (rg__c_mentions_var(other->kid[i], a->flag)) return false;
    return true;
}

/* lo = x; hi = lo; as hi = x */
static void forward(struct accept *a, struct rg_cnode *b)
{
    for (int i = 0; b && i < b->n; i++) {
        const struct rg_cnode *s = b->kid[i]->kind == RG_C_STMT ? b->kid[i]->kid[0] : NULL;
        if (!s || s->kind != RG_C_ASSIGN || s->op != RG_COP_SET || !is_scalar(s->kid[0]) ||
            !of_iteration(a, s->kid[1], -1) || a->t->vars[s->kid[0]->var].type != s->kid[1]->type)
            continue;
        for (int k = i + 1; k < b->n; k++) {
            struct rg_cnode *later = b->kid[k]->kind == RG_C_STMT ? b->kid[k]->kid[0] : NULL;
            if (!later || later->kind != RG_C_ASSIGN || later->op != RG_COP_SET || !is_scalar(later->kid[0])) break;
            later->kid[1] = rg__c_replace_var(a->t, later->kid[1], s->kid[0]->var, s->kid[1]);
            if (later->kid[0]->var == s->kid[0]->var) break;
        }
    }
}

/* What is set in n, set to the same in the first arm: coming to it once more changes nothing. */
static bool sets_alike(const struct accept *a, const struct rg_cnode *n)
{
    if (!n) return true;
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL, *then = a->n->kid[1];
    bool same = !e;
    for (int i = 0; i < then->n && e; i++) {
        const struct rg_cnode *s = then->kid[i]->kind == RG_C_STMT ? then->kid[i]->kid[0] : NULL;
        same = same || (s && rg__c_equal(s, e));
    }
    for (int i = 0; i < n->n && !e && same; i++) same = sets_alike(a, n->kid[i]);
    return same;
}

/* Does the loop name what the place's arms set elsewhere, where it has its value ahead of time now? */
static bool asked_elsewhere(const struct accept *a, const struct rg_cnode *arm, const struct rg_cnode *n)
{
    if (!n || n == a->n) return false;
    if (is_scalar(n) && rg__c_writes_var(arm, n->var)) return true;
    for (int i = 0; i < n->n; i++)
        if (asked_elsewhere(a, arm, n->kid[i])) return true;
    return false;
}

/* Do some iterations not take part? */
static bool guarded(const struct accept *a)
{
    return a->guard.n > 0 || a->n_path > 1;
}

/* Where every iteration takes part the first one does, and finds its own values in place: what stands behind the place
 * sees no difference, high[i] = best.  What stands in front would. */
static bool asked_in_front(const struct accept *a)
{
    const struct step *first = &a->path[0];
    if (guarded(a) || !a->better) return asked_elsewhere(a, a->n->kid[1], a->loop->kid[2]);
    for (int i = 0; i < first->at; i++)
        if (asked_elsewhere(a, a->n->kid[1], first->block->kid[i])) return true;
    return false;
}

static bool fits(struct accept *a)
{
    const struct rg_cnode *l = a->loop;
    if (l->n != 3 || a->p->may_alias || !reads_conditions(a) || !flag_holds(a)) return false;
    forward(a, a->n->kid[1]);
    if (!sets_scalars(a, a->n->kid[1]) || (a->n->n > 2 && !sets_scalars(a, a->n->kid[2]))) return false;
    if (asked_in_front(a) || (!a->better && !sets_alike(a, a->n->kid[2]))) return false;
    for (int i = 0; i < a->guard.n; i++)
        if (!of_iteration(a, a->guard.items[i], -1)) return false;
    for (int d = 0; d + 1 < a->n_path; d++)
        if (!of_iteration(a, a->path[d].block->kid[a->path[d].at]->kid[0], -1)) return false;
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < a->t->n_vars; v++)
            if (rg__c_mentions_var(l->kid[i], v) && rg__c_writes_var(l, v)) return false;
    return !a->better || rg__c_pure(a->t, a->better);
}

/* ---- the code ---- */

static struct rg_cnode *declare(struct rg_ctree *t, const char *name, enum rg_scalar type, struct rg_cnode *value,
                                const struct rg_cnode *at)
{
    struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), at);
    d->var = rg__c_add_var(t, name, RG_CVAR_LOCAL, type);
    d->type = type;
    d->kid[0] = value;
    return d;
}

static struct rg_cnode *block_of(struct rg_ctree *t, struct rg_cnode *only)
{
    struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = only;
    return b;
}

static struct rg_cnode *when(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *then, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), at);
    s->kid[0] = c;
    s->kid[1] = then;
    return s;
}

/* Does iteration number a come in front of b? */
static struct rg_cnode *earlier(const struct accept *a, struct rg_cnode *x, struct rg_cnode *y)
{
    return rg__c_binary(a->t, a->loop->step > 0 ? RG_COP_LT : RG_COP_GT, x, y);
}

/* for (i..) if (guard) first = i < first ? i : first; with the declarations and conditions on the way. */
static struct rg_cnode *search(struct accept *a, const struct rg__kids *decls, int first)
{
    struct rg_ctree *t = a->t;
    const struct rg_cnode *l = a->loop, *at = a->n;
    struct rg_cnode *least = rg_cnode_new(t, RG_C_COND, 3);
    least->kid[0] = earlier(a, rg__c_var(t, l->var), rg__c_var(t, first));
    least->kid[1] = rg__c_var(t, l->var);
    least->kid[2] = rg__c_var(t, first);
    least->type = t->vars[first].type;
    struct rg_cnode *s = rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, first), least)), at);
    for (int i = a->guard.n - 1; i >= 0; i--) s = when(t, rg__c_copy(t, a->guard.items[i]), block_of(t, s), at);
    for (int d = a->n_path - 1; d >= 0; d--) {
        struct rg__kids in = {0};
        for (int i = 0; i < a->path[d].at; i++)
            for (int k = 0; k < decls->n; k++)
                if (decls->items[k] == a->path[d].block->kid[i]) rg__kids_add(&in, rg__c_copy(t, decls->items[k]));
        rg__kids_add(&in, s);
        s = rg__kids_node(t, RG_C_BLOCK, &in);
        if (!d) break;
        const struct step *up = &a->path[d - 1];
        struct rg_cnode *c = rg__c_copy(t, up->block->kid[up->at]->kid[0]);
        s = when(t, up->arm == 1 ? c : rg__negated(t, c), s, at);
    }
    struct rg_cnode *loop = rg__c_shallow(&t->arena, l);
    loop->kid[0] = rg__c_copy(t, l->kid[0]);
    loop->kid[1] = rg__c_copy(t, l->kid[1]);
    loop->kid[2] = s;
    rg__moves_fresh(t, loop, loop);
    return loop;
}

/* The arm's assignments, of iteration number `first`. */
static struct rg_cnode *as_first(struct accept *a, const struct rg__kids *decls, const struct rg_cnode *first)
{
    struct rg_ctree *t = a->t;
    struct rg__kids in = {0};
    for (int i = 0; i < decls->n; i++) rg__kids_add(&in, rg__c_copy(t, decls->items[i]));
    for (int i = 0; i < a->n->kid[1]->n; i++) rg__kids_add(&in, rg__c_copy(t, a->n->kid[1]->kid[i]));
    struct rg_cnode *b = rg__kids_node(t, RG_C_BLOCK, &in);
    rg__c_replace_var(t, b, a->loop->var, first);
    rg__moves_fresh(t, b, b);
    return b;
}

/* Is the variable in a subscript there? */
static bool in_subscript(const struct rg_cnode *n, int var)
{
    if (n->kind == RG_C_INDEX) return rg__c_mentions_var(n, var);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && in_subscript(n->kid[i], var)) return true;
    return false;
}

/* The best is read at the place: a scalar beside it. False: the comparison is another. */
static bool best_beside(struct accept *a, struct rg__kids *front)
{
    struct rg_ctree *t = a->t;
    struct rg_cnode *c = (struct rg_cnode *)rg__c_uncast(a->better, RG__C_CASTS), *set = NULL;
    int place = -1;
    if (a->kind == BY_NUMBER) return true;
    for (int i = 0; i < a->n->kid[1]->n; i++) {
        const struct rg_cnode *e = a->n->kid[1]->kid[i]->kid[0];
        if (!(e->kid[0]->var == a->flag ? rg__c_mentions_var(c, a->flag) : in_subscript(c, e->kid[0]->var))) continue;
        if (place >= 0) return false;
        place = e->kid[0]->var;
        set = e->kid[1];
    }
    if (place < 0) return true;
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    bool right = rg__c_mentions_var(c->kid[1], place);
    if (rg__c_mentions_var(c->kid[!right], place)) return false;
    struct rg_cnode *best = c->kid[right], *here = c->kid[!right];
    const struct rg_cnode *values[1] = {set};
    if (!set || !is_scalar(rg__c_uncast(set, RG__C_CASTS)) || best->type != here->type || best->type == RG_STRUCT ||
        !of_iteration(a, here, -1) || !of_iteration(a, best, place) ||
        !rg__at_places(t, a->r, 1, &place, values, here, best))
        return false;
    struct rg_cnode *start = rg_cnode_new(t, RG_C_COND, 3);
    start->kid[0] = rg__negated(t, rg__c_copy(t, a->unset));
    start->kid[1] = rg__c_copy(t, best);
    start->kid[2] = rg__c_cast(t, rg__c_int(t, 0), best->type);
    start->type = best->type;
    struct rg_cnode *d = declare(t, "best", best->type, start, a->n);
    rg__kids_add(front, d);
    c->kid[right] = rg__c_var(t, d->var);
    struct rg__kids with = {0};
    rg__kids_add(
        &with,
        rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, d->var), rg__c_copy(t, here))), a->n));
    rg__block_splice(t, a->n->kid[1], 0, 0, &with);
    return true;
}

static bool rewrite(struct accept *a, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = a->t;
    const struct rg_cnode *l = a->loop;
    bool *want = rg_xcalloc((size_t)t->n_vars + 1, 1), guard = guarded(a), ok;
    struct rg__kids searched = {0}, given = {0}, front = {0};
    for (int i = 0; i < a->guard.n; i++) wanted_by(a, a->guard.items[i], want);
    for (int d = 0; d + 1 < a->n_path; d++) wanted_by(a, a->path[d].block->kid[a->path[d].at]->kid[0], want);
    ok = declarations(a, want, &searched);
    memset(want, 0, (size_t)t->n_vars + 1);
    for (int i = 0; i < a->n->kid[1]->n; i++) wanted_by(a, a->n->kid[1]->kid[i]->kid[0]->kid[1], want);
    ok = ok && declarations(a, want, &given);
    free(want);
    for (int i = 0; i < a->n->kid[1]->n && ok; i++) ok = a->n->kid[1]->kid[i]->kind == RG_C_STMT;
    if (ok) {
        struct rg_cnode *first, *some;
        if (guard) {
            struct rg_cnode *d = declare(t, "first", t->vars[l->var].type,
                                         rg__c_cast(t, rg__c_copy(t, l->kid[1]), t->vars[l->var].type), a->n);
            rg__kids_add(&front, d);
            rg__kids_add(&front, search(a, &searched, d->var));
            first = rg__c_var(t, d->var);
            some = earlier(a, rg__c_copy(t, first), rg__c_copy(t, l->kid[1]));
        } else {
            first = rg__c_copy(t, l->kid[0]);
            some = earlier(a, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
        }
        if (a->kind != BY_NUMBER) some = rg__c_binary(t, RG_COP_AND, some, rg__c_copy(t, a->unset));
        rg__kids_add(&front, when(t, some, as_first(a, &given, first), a->n));
        ok = !a->better || best_beside(a, &front);
    }
    if (ok && a->better) {
        struct rg_cnode *inner = when(t, (struct rg_cnode *)a->better, a->n->kid[1], a->n);
        for (int i = a->guard.n - 1; i > 0; i--) inner = when(t, a->guard.items[i], block_of(t, inner), a->n);
        a->n->kid[0] = a->guard.n ? a->guard.items[0] : inner->kid[0];
        a->n->kid[1] = a->guard.n ? block_of(t, inner) : inner->kid[1];
        a->n->n = 2;
    } else if (ok) {
        struct step *last = &a->path[a->n_path - 1];
        struct rg__kids rest = {0};
        for (int i = 0; i < a->n->kid[2]->n; i++) rg__kids_add(&rest, a->n->kid[2]->kid[i]);
        rg__block_splice(t, last->block, last->at, 1, &rest);
    }
    if (ok) rg__block_splice(t, block, at, 0, &front);
    if (!ok) free(front.items);
    free(searched.items);
    free(given.items);
    return ok;
}

/* ---- the search for places ---- */

static bool in_body(struct accept *a, struct rg_cnode *b, struct rg_cnode *block, int at)
{
    if (!b || b->kind != RG_C_BLOCK || a->n_path == MAX_PATH) return false;
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *was = b->kid[i], *s = was->kind == RG_C_STMT ? rg__c_choice_branch(a->t, was) : was;
        if (!s || s->kind != RG_C_IF) continue;
        a->path[a->n_path++] = (struct step){b, i, 1};
        b->kid[i] = a->n = s;
        if (fits(a) && rewrite(a, block, at)) return true;
        for (int k = 1; k < s->n; k++) {
            a->path[a->n_path - 1].arm = k;
            if (in_body(a, s->kid[k], block, at)) return true;
        }
        a->n_path--, b->kid[i] = was;
    }
    return false;
}

static bool look(struct accept *a, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return false;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        if (n->kid[i]->kind != RG_C_LOOP) continue;
        a->loop = a->outer = n->kid[i];
        a->n_path = 0;
        a->r->n_loops = 1;
        a->r->loops[0] = a->loop;
        if (in_body(a, a->loop->kid[2], n, i)) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (look(a, n->kid[i])) return true;
    return false;
}

void rg__canon_accepted(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__given *given = rg__given_of(t, p);
    struct accept a = {.t = t, .p = p, .r = rg_xmalloc(sizeof *a.r)};
    do { /* a place that was prepared is none any more */
        rg__range_init(a.r, t, given);
    } while (look(&a, t->root));
    free(a.guard.items);
    free(a.r);
    rg__given_free(given);
}
