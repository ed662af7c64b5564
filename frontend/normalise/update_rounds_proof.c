/* Chaotic iteration. Updates `if (e < a[p]) a[p] = e`, where no e grows when elements fall, and which go on until none
 * applies, end in the greatest fixed point below where they began, in whatever order they are made (Cousot 1977,
 * Bertsekas 1983): every element is never below its value there, and where nothing applies it has that. So do maxima,
 * and stores of one value under conditions that stay true once they are. This file looks whether a round is of such
 * updates: for every value whether it may only fall, or only rise, while the elements move their way. */
#include "frontend/normalise/update_rounds_proof.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

static void doubt(struct follow *f, const char *why)
{
    if (!f->r->unproven) f->r->unproven = why;
}

static struct known *copy(const struct follow *f)
{
    struct known *k = rg_xcalloc((size_t)f->r->n_vars + 1, sizeof *k);
    memcpy(k, f->now, (size_t)f->r->n_vars * sizeof *k);
    return k;
}

/* What is known where the ways meet; true: less than before. */
static bool meet(struct follow *f, const struct known *other)
{
    bool less = false;
    for (int v = 0; v < f->r->n_vars; v++) {
        struct known *k = &f->now[v], was = *k;
        k->moves = rg__round_join(k->moves, other[v].moves);
        k->logic = k->logic && other[v].logic;
        const bool apart = k->apart;
        k->apart = k->apart && other[v].apart;
        less = less || k->apart != apart;
        if (k->is != other[v].is) k->is = NULL;
        if (k->from && (!other[v].from || !rg__round_one_place(f, k->from, other[v].from))) k->from = NULL;
        less = less || k->moves != was.moves || k->is != was.is || k->from != was.from;
    }
    return less;
}

/* An element that the value is not beyond; NULL. */
static const struct rg_cnode *bound_by(const struct follow *f, const struct rg_cnode *e)
{
    e = rg__round_strip(e);
    if (e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && f->now[e->var].from) return f->now[e->var].from;
    e = rg__round_resolve(f, e);
    if (rg__round_element(f, e)) return e;
    const enum rg__direction way = f->r->direction;
    bool least = way == RG__BITS   ? e->op == RG_COP_BOR
                 : way == RG__LESS ? rg__round_called(e, rg__round_least_of, 3)
                                   : rg__round_called(e, rg__round_most_of, 3);
    for (int i = 0; i < 2 && least; i++) {
        const struct rg_cnode *by = bound_by(f, e->kid[i]);
        if (by) return by;
    }
    return NULL;
}

static void forget(struct follow *f, int var)
{
    for (int v = 0; v < f->r->n_vars; v++) {
        if (f->now[v].is && rg__c_mentions_var(f->now[v].is, var)) f->now[v].is = NULL;
        if (f->now[v].from && rg__c_mentions_var(f->now[v].from, var)) f->now[v].from = NULL;
    }
    for (int i = 0; i < f->n_facts; i++)
        if (rg__c_mentions_var(f->facts[i].c, var)) f->facts[i].gone = true;
}

/* Of a local that becomes greater where the facts hold (`by` above 0), or smaller. */
static enum motion stepped(const struct follow *f, int var, double by)
{
    bool all[2] = {true, true}; /* conditions that stay true, that stay false */
    for (int i = f->now[var].depth; i < f->n_facts; i++) {
        const struct rg__condition *x = &f->facts[i];
        if (x->resolved) continue;
        struct rg__condition opposite = *x;
        opposite.holds = !x->holds;
        all[0] = all[0] && rg__round_stays_true(f, x);
        all[1] = all[1] && rg__round_stays_true(f, &opposite);
    }
    enum motion m = all[0] && all[1] ? STILL : all[0] ? RISES : all[1] ? FALLS : UNKNOWN;
    return rg__round_join(f->now[var].moves, by > 0 ? m : rg__round_turned(m));
}

static enum motion set_to(const struct follow *f, int var, const struct rg_cnode *value)
{
    double v, least = DBL_MAX, most = -DBL_MAX;
    if (!rg__round_number(value, &v) || f->r->direction == RG__BITS) return UNKNOWN;
    for (int i = 0; i < f->n_items; i++)
        if (!rg__round_few(f->items[i], var, &least, &most)) return UNKNOWN;
    return v == most ? stepped(f, var, 1) : v == least ? stepped(f, var, -1) : UNKNOWN;
}

static void local(struct follow *f, int var, const struct rg_cnode *value, const struct rg_cnode *target)
{
    struct known *k = &f->now[var];
    enum motion m = target ? rg__round_chosen(f, k->depth, value, k->moves, target) : rg__round_motion_of(f, value);
    if (target && k->depth == f->n_facts) m = rg__round_motion_of(f, value);
    if (target && m == UNKNOWN) m = set_to(f, var, value);
    const struct rg_cnode *plain = rg__round_strip(value);
    bool logic = rg_c_logic(plain->op) || plain->op == RG_COP_NOT;
    bool keeps = false;
    for (int i = 0; target && i < f->n_facts; i++) {
        int c = rg__round_compares(f, &f->facts[i], value, target, false);
        keeps = keeps || c == (f->r->direction == RG__LESS ? 1 : -1);
    }
    const struct rg_cnode *from = keeps && k->from ? k->from : bound_by(f, value);
    bool itself = rg__c_mentions_var(value, var), apart = f->r->apart && rg__round_not_background(f, value);
    forget(f, var);
    k->moves = m;
    k->is = itself ? NULL : value;
    k->from = from;
    k->apart = apart;
    k->logic = logic && (!target || k->depth == f->n_facts || k->logic);
}

static void place_of(const struct follow *f, const struct rg_cnode *stmt, struct rg__round_place *p)
{
    p->stmt = stmt;
    p->loop = f->loop;
    p->n = f->n_facts;
    memcpy(p->facts, f->facts, sizeof f->facts);
}

/* value != element */
static bool differs(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *to,
                    const struct rg_cnode *value)
{
    const struct rg_cnode *c = rg__round_strip(x->c);
    return !x->stale && !x->gone && c->kind == RG_C_BINARY && c->op == (x->holds ? RG_COP_NE : RG_COP_EQ) &&
           ((rg__round_same(f, c->kid[0], value) && rg__round_same(f, c->kid[1], to)) ||
            (rg__round_same(f, c->kid[1], value) && rg__round_same(f, c->kid[0], to)));
}

/* Does the condition say no more than that the store moves the element, the right way? loose: or that it does not move
 * it the other way. */
static bool own(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *to,
                const struct rg_cnode *value, bool loose)
{
    if (x->stale || x->gone) return false;
    if (rg__round_compares(f, x, value, to, loose) == (f->r->direction == RG__LESS ? 1 : -1)) return true;
    const struct rg_cnode *from = bound_by(f, value);
    return from && rg__round_one_place(f, from, to) && differs(f, x, to, value);
}

/* Does each iteration of the round store to an element of its own? */
static bool own_place(const struct follow *f, const struct rg_cnode *to)
{
    for (int i = 0; i < f->n_around; i++) {
        bool found = false;
        for (int d = 0; d < to->n; d++) {
            const struct rg_cnode *x = rg__c_uncast(to->kid[d], RG__C_WIDE_CASTS);
            found = found || (x->kind == RG_C_VAR && x->array < 0 && x->var == f->around[i]->var);
        }
        if (!found) return false;
    }
    return f->n_around > 0;
}

static bool still(const struct follow *f, const struct rg__condition *x)
{
    return !x->gone && rg__round_motion_of(f, x->c) == STILL;
}

/* Is the element what the others make of it, in every round? */
static bool equation(const struct follow *f, const struct rg_cnode *to, const struct rg_cnode *value)
{
    bool is = !f->r->apart && own_place(f, to);
    for (int i = 0; i < f->n_facts && is; i++) {
        const struct rg__condition *x = &f->facts[i];
        is = x->resolved || still(f, x) || differs(f, x, to, value);
    }
    return is;
}

/* Does it read of the array that one element alone, and otherwise what stays? */
static bool only_own(const struct follow *f, const struct rg_cnode *c, const struct rg_cnode *to)
{
    c = rg__round_resolve(f, c);
    if (rg__round_element(f, c)) return rg__round_one_place(f, c, to);
    if (!rg__round_mentions(c, f->r->array) && c->kind != RG_C_BINARY && c->kind != RG_C_UNARY)
        return rg__round_motion_of(f, c) == STILL;
    if (c->kind != RG_C_BINARY && c->kind != RG_C_UNARY) return false;
    for (int i = 0; i < c->n; i++)
        if (!only_own(f, c->kid[i], to)) return false;
    return true;
}

static void store(struct follow *f, const struct rg_cnode *stmt, const struct rg_cnode *to,
                  const struct rg_cnode *value)
{
    struct rg__round *r = f->r;
    const bool one = r->direction == RG__ONE;
    const struct rg_cnode *v = value;
    if (v->kind == RG_C_CAST && rg_scalar_is_real(v->type) && rg_scalar_is_real(v->kid[0]->type))
        v = v->kid[0]; /* rounds: keeps the order */
    bool toward = one;
    for (int d = 0; d < to->n; d++)
        if (rg__round_motion_of(f, to->kid[d]) != STILL) doubt(f, "where elements are stored depends on elements");
    if (one) {
        double a, b;
        bool numbers = rg__round_number(value, &a) && rg__round_number(r->one, &b);
        if (rg__round_motion_of(f, value) != STILL || !(numbers ? a == b : rg__round_same(f, value, r->one)))
            r->other = true;
    } else {
        enum motion m = rg__round_motion_of(f, value);
        if (m != STILL && m != (r->direction == RG__LESS ? FALLS : RISES))
            doubt(f, "what is stored may grow and fall with other elements");
        const struct rg_cnode *from = bound_by(f, value);
        toward = from && rg__round_one_place(f, from, to);
        for (int i = 0; i < f->n_facts; i++) toward = toward || own(f, &f->facts[i], to, v, false);
    }
    const bool equal = !toward && equation(f, to, v);
    bool guarded = false;
    for (int i = 0; i < f->n_facts; i++) guarded = guarded || own(f, &f->facts[i], to, v, false);
    toward = toward || equal;
    r->equation = r->equation || equal;
    for (int i = 0; i < f->n_facts && !equal; i++) {
        const struct rg__condition *x = &f->facts[i];
        bool mine = one ? !x->gone && only_own(f, x->c, to) : toward && own(f, x, to, v, true);
        if (!x->resolved && !mine && !rg__round_stays_true(f, x))
            doubt(f, "a condition may hold for some orders of the updates and not for others");
    }
    bool apart = !r->apart || rg__round_not_background(f, value), other = !r->apart;
    for (int i = 0; i < f->n_facts && !other; i++) other = rg__round_rules_out(f, &f->facts[i], to);
    if (!apart || !other) doubt(f, "the background may change");
    if (!toward) r->other = true;
    struct rg__update *u = NULL;
    for (int i = 0; i < r->n_stores && !u; i++)
        if (r->store[i].at.stmt == stmt) u = &r->store[i];
    if (!u && r->n_stores == RG__ROUNDS_STORES) r->other = true;
    if (!u && !r->other) {
        u = &r->store[r->n_stores++];
        u->to = to;
        u->value = value;
        u->guarded = guarded;
        place_of(f, stmt, &u->at);
        for (int k = 0; k < r->n_sets && r->n_stores == 1 && !one; k++) /* flags that were set in front of it */
            for (int i = 0; i < r->set[k].n; i++) {
                struct rg__condition *x = &r->set[k].facts[i];
                x->own = own(f, x, to, v, false) || (equal && differs(f, x, to, v));
            }
    }
    for (int i = 0; i < r->n_vars; i++) {
        if (f->now[i].is && rg__round_mentions(f->now[i].is, r->array)) f->now[i].is = NULL;
        f->now[i].from = NULL;
    }
    for (int i = 0; i < f->n_facts; i++) f->facts[i].stale = true;
}

const struct rg_cnode *rg__round_choice(const struct rg_cnode *e, const struct rg_cnode **c, bool *holds)
{
    if (e->op != RG_COP_SET) return NULL;
    const struct rg_cnode *v = rg__c_uncast(e->kid[1], RG__C_CASTS);
    if (v->kind != RG_C_COND) return NULL;
    bool then = rg__c_same(v->kid[1], e->kid[0], RG__C_UNCAST), other = rg__c_same(v->kid[2], e->kid[0], RG__C_UNCAST);
    if (then == other) return NULL;
    *c = v->kid[0];
    *holds = other;
    return then ? v->kid[2] : v->kid[1];
}

static void assigned(struct follow *f, const struct rg_cnode *stmt, const struct rg_cnode *to,
                     const struct rg_cnode *value)
{
    if (to->kind == RG_C_VAR && f->r->flag[to->var]) {
        double v;
        if (!rg__round_number(value, &v) || v <= 0 || f->r->n_sets == RG__ROUNDS_STORES) {
            f->r->other = true;
            return;
        }
        for (int i = 0; i < f->r->n_sets; i++)
            if (f->r->set[i].stmt == stmt) return;
        place_of(f, stmt, &f->r->set[f->r->n_sets++]);
    } else if (to->kind == RG_C_VAR) {
        local(f, to->var, value, to);
    } else {
        store(f, stmt, to, value);
    }
}

/* Of a local behind `x += e`, `x++`, `x |= c`. */
static enum motion updated(const struct follow *f, const struct rg_cnode *e)
{
    int var = e->kid[0]->var;
    const bool bits = f->r->direction == RG__BITS, joins = e->op == RG_COP_BOR_SET || e->op == RG_COP_BAND_SET;
    if (bits && !joins) return UNKNOWN;
    double by = e->kind == RG_C_INCDEC && !rg_c_increments(e->op) ? -1 : 1;
    const bool add = e->op == RG_COP_ADD_SET, sub = e->op == RG_COP_SUB_SET;
    if (e->kind == RG_C_INCDEC || ((add || sub) && rg__round_number(e->kid[1], &by)))
        return stepped(f, var, sub ? -by : by);
    bool all = bits || !rg__round_wraps(e->kid[0]->type);
    for (int i = f->now[var].depth; i < f->n_facts; i++)
        all = all && !f->facts[i].gone && rg__round_motion_of(f, f->facts[i].c) == STILL;
    enum motion old = f->now[var].moves, m = rg__round_motion_of(f, e->kid[1]);
    if (!all) return UNKNOWN;
    if (bits) return rg__round_join(old, m);
    if (add || (e->op == RG_COP_BOR_SET && rg_c_logic(rg__round_strip(e->kid[1])->op))) return rg__round_join(old, m);
    return sub ? rg__round_join(old, rg__round_turned(m)) : old == STILL && m == STILL ? STILL : UNKNOWN;
}

/* To an array beside the elements: the last round stores there what it makes of the fixed point. */
static void beside(struct follow *f, const struct rg_cnode *e)
{
    const struct rg_cnode *to = e->kid[0];
    bool same = !to->pointer && rg__c_pure(f->r->t, e->kid[1]) && rg__c_pure(f->r->t, to);
    for (int d = 0; d < to->n; d++) same = same && rg__round_motion_of(f, to->kid[d]) == STILL;
    for (int i = 0; i < f->n_facts; i++) same = same && (f->facts[i].resolved || still(f, &f->facts[i]));
    if (!same) f->r->other = true;
}

static void expression(struct follow *f, const struct rg_cnode *stmt)
{
    const struct rg_cnode *e = stmt->kid[0], *to = e->n ? e->kid[0] : NULL, *c = NULL;
    for (int v = 0; v < f->r->n_vars; v++)
        if (f->r->part[v] == stmt) return;
    bool scalar = to && to->kind == RG_C_VAR && to->array < 0 && to->var < f->r->n_vars, holds;
    if (e->op == RG_COP_SET && to->kind == RG_C_INDEX && f->r->side[to->array]) {
        beside(f, e);
        return;
    }
    if ((e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || !(scalar || (rg__round_element(f, to) && !to->pointer)) ||
        (e->kind == RG_C_ASSIGN && !rg__c_pure(f->r->t, e->kid[1])) || !rg__c_pure(f->r->t, to)) {
        f->r->other = true;
        return;
    }
    if (scalar && f->r->flag[to->var] && e->op != RG_COP_SET) { /* flag++; flag |= 1; */
        double v = 1;
        bool grows =
            e->kind == RG_C_INCDEC ? rg_c_increments(e->op) : e->op == RG_COP_ADD_SET || e->op == RG_COP_BOR_SET;
        const enum rg_scalar type = to->type;
        if (e->op != RG_COP_BOR_SET &&
            (rg_scalar_is_signed(type) ? rg_scalar_bytes(type) < 4 : rg_scalar_bytes(type) < 8))
            grows = false; /* it may come round to 0 */
        if (!grows || (e->kind == RG_C_ASSIGN && (!rg__round_number(e->kid[1], &v) || v <= 0))) f->r->other = true;
        struct rg_cnode one = {
            .kind = RG_C_INT, .type = RG_I32, .ivalue = 1, .var = -1, .array = -1, .callee = -1, .struct_index = -1};
        if (!f->r->other) assigned(f, stmt, to, &one);
        return;
    }
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET) {
        f->r->other |= !scalar;
        if (scalar) {
            enum motion m = updated(f, e);
            forget(f, to->var);
            f->now[to->var] = (struct known){.moves = m, .depth = f->now[to->var].depth};
        }
        return;
    }
    const struct rg_cnode *value = rg__round_choice(e, &c, &holds);
    int before = f->n_facts;
    if (!value) {
        assigned(f, stmt, to, e->kid[1]);
        return;
    }
    struct known *kept = copy(f);
    rg__round_assume(f, c, holds, false);
    assigned(f, stmt, to, value);
    f->n_facts = before;
    if (scalar && !f->r->flag[to->var]) meet(f, kept);
    free(kept);
}

static void statement(struct follow *f, const struct rg_cnode *n)
{
    if (!n || f->r->other) return;
    int before = f->n_facts;
    switch (n->kind) {
    case RG_C_BLOCK:
    case RG_C_OPAQUE:
        for (int i = 0; i < n->n; i++) statement(f, n->kid[i]);
        return;
    case RG_C_DECL:
        if (n->array < 0 && n->var >= 0 && n->var < f->r->n_vars && f->r->part[n->var]) return;
        if (n->array >= 0 || n->pointer || n->var < 0 || n->var >= f->r->n_vars || f->r->flag[n->var] ||
            (n->n && !rg__c_pure(f->r->t, n->kid[0])))
            break;
        forget(f, n->var);
        f->now[n->var] = (struct known){.depth = f->n_facts};
        if (n->n) local(f, n->var, n->kid[0], NULL);
        return;
    case RG_C_STMT:
        expression(f, n);
        return;
    case RG_C_IF: {
        if (!rg__c_pure(f->r->t, n->kid[0])) break;
        struct known *kept = copy(f);
        rg__round_assume(f, n->kid[0], true, false);
        statement(f, n->kid[1]);
        f->n_facts = before;
        struct known *then = f->now;
        f->now = kept;
        rg__round_assume(f, n->kid[0], false, false);
        if (n->n > 2) statement(f, n->kid[2]);
        f->n_facts = before;
        meet(f, then);
        free(then);
        return;
    }
    case RG_C_LOOP: {
        if (n->n != 3 || n->var >= f->r->n_vars || rg__round_motion_of(f, n->kid[0]) != STILL ||
            rg__round_motion_of(f, n->kid[1]) != STILL)
            break;
        const struct rg_cnode *around = f->loop;
        if (f->n_around == RG__MAX_NEST) break;
        f->around[f->n_around++] = n;
        for (bool less = true; less && !f->r->other;) {
            struct known *kept = copy(f), *end;
            forget(f, n->var);
            f->now[n->var] = (struct known){.depth = f->n_facts};
            f->loop = n;
            statement(f, n->kid[2]);
            f->loop = around;
            end = f->now;
            f->now = kept;
            less = meet(f, end);
            free(end);
        }
        f->n_around--;
        return;
    }
    default:
        break;
    }
    f->r->other = true;
}

static bool in(const struct rg__round_place *set, const struct rg__update *u)
{
    if (set->loop != u->at.loop) return false;
    for (int i = 0; i < set->n; i++) {
        bool found = set->facts[i].derived || set->facts[i].own;
        for (int k = 0; k < u->at.n && !found; k++)
            found = set->facts[i].holds == u->at.facts[k].holds &&
                    rg__c_same(set->facts[i].c, u->at.facts[k].c, RG__C_UNCAST);
        if (!found) return false;
    }
    return true;
}

/* Nothing that rounds of an equation compute leaves its type, whichever way the elements move. */
static bool in_range(const struct rg__round *r)
{
    const enum rg_scalar type = r->t->arrays[r->array].elem;
    return r->direction == RG__BITS || !rg__scalar_is_int(type) || rg__round_near(r, type);
}

void rg__round_follow(struct rg__round *r, struct rg_cnode *const *items, int n)
{
    struct follow f = {.r = r, .items = items, .n_items = n, .now = rg_xcalloc((size_t)r->n_vars + 1, sizeof *f.now)};
    for (int v = 0; v < r->n_vars; v++) f.now[v].moves = r->varies[v] ? UNKNOWN : STILL;
    for (int i = 0; i < n && !r->other; i++) statement(&f, items[i]);
    free(f.now);
    if (r->equation && (r->n_stores != 1 || !in_range(r))) r->other = true;
    for (int i = 0; i < r->n_stores; i++)
        for (int k = 0; k < r->n_sets; k++) r->store[i].flagged = r->store[i].flagged || in(&r->set[k], &r->store[i]);
}
