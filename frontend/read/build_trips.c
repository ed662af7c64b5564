/* Loops over a table of structures with pointers (levels of a multigrid, of a pyramid), where sizes say how many there
 * are: `for (;;) { L = &lev[n++]; L->u = malloc(..m..); if (m < 5) break; m /= 2; }`, `for (l = 0; l < n; l++)`.
 *
 * They are read iteration by iteration, as many as the largest of the given sizes has, which the problem requires to be
 * no fewer. The number of iterations is a parameter, computed from the sizes, and so is each quotient that an iteration
 * leaves behind (the size of a level): what follows knows the number of a level, and arrays of its own size. An
 * iteration stands under the condition that there is one; what it leaves in cells, they hold where there was (possible:
 * the numbers of iterations that have a way to the place being read). */
#include "frontend/read/build_cell.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, MOST_SIZES = 64 };

struct trace { /* of a cell, from one test to the next */
    bool known, grows, stays;
    int64_t first;
};

struct unroll {
    struct rg__build *b;
    CXCursor where;
    struct rg__kids *out;
    int own;        /* the count that is its own; -1 */
    int asks_at, n; /* the place of the test in the iteration, and how often it was met */
    struct rg_cnode *goes_on[MOST + 1];
    bool at_end; /* the last of these must not hold */
    int n_sizes;
    bool alive[MOST_SIZES]; /* by size: has it come to here? */
    struct rg__kids block, *hoist;
    struct rg_cnode *guard; /* what the block stands under; NULL: nothing */
    struct rg__now before;
    int sets_before;
    int by;         /* the count of the guard */
    uint64_t start; /* what it may be where the loop begins */
    int n_traces;
    struct trace *traces;
    bool bad;
};

bool rg__by_trips(const struct rg__build *b)
{
    const struct rg__follow *f = b->follow;
    for (int i = 0; f && i < f->n_forms; i++)
        if (f->forms[i].form == RG__BY_TRIPS) return true;
    return false;
}

bool rg__cell_known(const struct rg__build *b, const struct rg__cell *c)
{
    const struct rg__follow *f = b->follow;
    return !c->trips || !(f->possible[c->trips - 1] & f->trips_all[c->trips - 1] & ~c->only);
}

/* ---- conditions ---- */

/* The only count that it mentions. */
static int count_in(const struct rg__build *b, const struct rg_cnode *e)
{
    int k = -1;
    for (int i = 0; i < b->follow->n_trips; i++)
        if (rg__c_mentions_var(e, b->follow->trips_var[i])) k = k < 0 ? i : RG__MAX_TRIPS;
    return k < RG__MAX_TRIPS ? k : -1;
}

bool rg__trips_truth(struct rg__build *b, const struct rg_cnode *cond, int *trips, uint64_t *holds)
{
    const struct rg__follow *f = b->follow;
    if (!f || !f->n_trips || b->helper) return false;
    struct rg_cnode *e = rg__expand_known(b, cond);
    int k = count_in(b, e);
    if (k < 0 || f->trips_all[k] == UINT64_MAX) return false;
    *holds = 0;
    for (int v = 0; v < 64; v++) {
        int64_t is;
        if (!(f->trips_all[k] >> v & 1)) continue;
        struct rg_cnode *at = rg__c_replace_var(b->t, rg__c_copy(b->t, e), f->trips_var[k], rg__c_int(b->t, v));
        if (!rg__cell_evaluate(at, &is)) return false;
        if (is) *holds |= (uint64_t)1 << v;
    }
    *trips = k;
    return true;
}

struct rg_cnode *rg__trips_condition(struct rg__build *b, int trips, uint64_t holds)
{
    const struct rg__follow *f = b->follow;
    uint64_t here = f->possible[trips] & f->trips_all[trips];
    for (int t = 0; t < 64; t++) {
        uint64_t from = UINT64_MAX << t;
        bool more = (here & holds) == (here & from), fewer = (here & holds) == (here & ~from);
        if (more || fewer)
            return rg__c_binary(b->t, more ? RG_COP_GE : RG_COP_LT, rg__c_var(b->t, f->trips_var[trips]),
                                rg__c_int(b->t, t));
    }
    return NULL;
}

void rg__trips_needed(struct rg__build *b, const struct rg__cell *c)
{
    struct rg__follow *f = b->follow;
    int k = c->trips - 1, least = 0;
    while (least < 63 && !(c->only >> least & 1)) least++;
    bool from_least = !(~c->only & (UINT64_MAX << least) & f->trips_all[k]);
    if (f->conditions || f->loops || f->dead || f->trips_all[k] == UINT64_MAX || !from_least) return;
    struct rg_cnode *e = rg__c_binary(b->t, RG_COP_GE, rg__c_var(b->t, f->trips_var[k]), rg__c_int(b->t, least));
    const struct rg_expr *need = rg__c_size_expr(b->t, e, &b->p->arena);
    if (!need) return;
    RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
    b->asserted[b->n_asserted++] = need;
    f->trips_all[k] &= c->only;
}

/* ---- guarded blocks ---- */

/* What cells were set to since, they hold where the block was run. */
static void close_guard(struct unroll *u)
{
    struct rg__build *b = u->b;
    struct rg__follow *f = b->follow;
    if (!u->guard) return;
    uint64_t inside = f->possible[u->by];
    for (int i = 0; i < f->n_cells; i++) {
        struct rg__cell *c = &f->cells[i];
        struct rg__held old = i < u->before.n ? u->before.of[i] : (struct rg__held){0};
        if (c->value == old.value && c->set == old.set && c->trips == old.trips && c->lost == old.lost) continue;
        bool nowhere_else = !old.set && !c->origin && !f->loops && c->first_set > u->sets_before;
        if (!c->pointer && nowhere_else && !c->trips) continue; /* who reads it, does so where it is set */
        bool elsewhere = c->pointer && !rg__cell_null_or_unset(old.value) && c->value != old.value;
        if (elsewhere || (c->trips && c->trips - 1 != u->by)) { /* it takes two counts to know */
            c->value = NULL;
            c->lost = c->pointer;
            c->lost_by = f->trips_any[u->by];
            continue;
        }
        c->only = (c->trips ? c->only : UINT64_MAX) & inside;
        c->trips = u->by + 1;
    }
    f->possible[u->by] = u->start;
    f->dead = u->before.dead;
    f->conditions--;
    if (u->block.n) {
        struct rg_cnode *n = rg_cnode_new(b->t, RG_C_IF, 2);
        rg__place_node(b, n, u->where);
        n->kid[0] = u->guard;
        n->kid[1] = rg__kids_node(b->t, RG_C_BLOCK, &u->block);
        rg__kids_add(u->out, n);
    }
    u->block = (struct rg__kids){0};
    u->guard = NULL;
}

static void open_guard(struct unroll *u, struct rg_cnode *guard, int by, uint64_t possible)
{
    struct rg__follow *f = u->b->follow;
    close_guard(u);
    u->guard = guard;
    u->before = rg__now_save(u->b);
    u->sets_before = f->sets;
    u->by = by;
    f->possible[by] = possible;
    f->conditions++;
}

static struct rg__kids *body_of(struct unroll *u)
{
    return u->guard ? &u->block : u->out;
}

/* ---- the loop's own count ---- */

struct at_sizes {
    struct unroll *u;
    const struct rg_expr *e;
    bool any, unknown;
};

static void at_size(void *arg, int size, const struct rg_expr_env *env)
{
    struct at_sizes *x = arg;
    int64_t v;
    if (size >= MOST_SIZES || (size < x->u->n_sizes && !x->u->alive[size])) return;
    if (rg_expr_eval(x->e, env, &v, NULL) != RG_OK) x->unknown = true, v = 0;
    for (; x->u->n_sizes <= size; x->u->n_sizes++) x->u->alive[x->u->n_sizes] = true;
    x->u->alive[size] = v != 0;
    x->any |= v != 0;
}

static bool refuse(struct unroll *u, const char *why)
{
    rg__verbatim(u->b, u->where, "%s", why);
    u->bad = true;
    return false;
}

/* What each number is at this test: one that is as many more as tests were met is the count and so many. */
static void note_values(struct unroll *u)
{
    struct rg__follow *f = u->b->follow;
    if (!u->n) {
        u->n_traces = f->n_cells;
        u->traces = rg_arena_alloc(&u->b->t->arena, ((size_t)f->n_cells + 1) * sizeof *u->traces);
    }
    for (int i = 0; i < u->n_traces; i++) {
        const struct rg__cell *c = &f->cells[i];
        struct trace *t = &u->traces[i];
        int64_t v = 0;
        bool known = !c->pointer && c->value && rg__cell_known(u->b, c) && rg__cell_evaluate(c->value, &v);
        if (!u->n) *t = (struct trace){known, known, known, v};
        t->known = t->known && known;
        t->grows = t->grows && known && v == t->first + u->n;
        t->stays = t->stays && known && v == t->first;
    }
}

static bool mentions_quotient(const struct rg_cnode *e)
{
    if (e->op == RG_COP_DIV || e->op == RG_COP_REM || e->op == RG_COP_SHR) return true;
    for (int i = 0; i < e->n; i++)
        if (mentions_quotient(e->kid[i])) return true;
    return false;
}

/* Quotients that numbers are now become parameters; where the loop did not come to here, 1: no array is without
 * elements that nothing leads to. */
static void name_quotients(struct unroll *u)
{
    struct rg__build *b = u->b;
    for (int i = 0; i < b->follow->n_cells; i++) {
        struct rg__cell *c = &b->follow->cells[i];
        int64_t v;
        if (c->pointer || !c->value || !rg__cell_known(b, c) || !rg__scalar_is_int(b->t->vars[c->var].type) ||
            rg__cell_evaluate(c->value, &v) || !mentions_quotient(c->value))
            continue;
        struct rg_cnode *value = c->value;
        if (u->n && u->guard) {
            value = rg_cnode_new(b->t, RG_C_COND, 3);
            value->kid[0] = rg__c_copy(b->t, u->goes_on[u->n - 1]);
            value->kid[1] = rg__c_copy(b->t, c->value);
            value->kid[2] = rg__c_int(b->t, 1);
            value->type = c->value->type;
        }
        const struct rg_expr *e = rg__c_size_expr(b->t, value, &b->p->arena);
        struct rg_cnode *same = NULL;
        for (int k = 0; e && k < b->t->n_vars && !same; k++) {
            const struct rg_cvar *x = &b->t->vars[k];
            if (x->kind == RG_CVAR_PARAM && x->param >= 0 && b->p->params[x->param].derived &&
                rg_expr_equal(b->p->params[x->param].derived, e))
                same = rg__c_var(b->t, k);
        }
        if (!e) continue;
        if (!same) {
            const char *name = rg_arena_printf(&b->t->arena, "%s_%d", c->name, u->n - !u->asks_at);
            same = rg__c_var(b->t, rg__build_derived_param(b, name, b->t->vars[c->var].type, e));
        }
        c->value = same;
    }
}

static bool own_test(struct unroll *u, struct rg_cnode *e, int place)
{
    struct rg__build *b = u->b;
    struct rg__follow *f = b->follow;
    struct at_sizes x = {u, rg__c_size_expr(b->t, e, &b->p->arena), false, false};
    if (!x.e || !rg__c_pure(b->t, e) || !rg__c_of_params(b->t, e))
        return refuse(u, "which of several pointers is meant is not known here");
    if (u->own < 0 && u->guard) return refuse(u, "a loop over levels ends by their number and by something else");
    if (u->own < 0) {
        if (f->n_trips == RG__MAX_TRIPS) return refuse(u, "too many loops over levels");
        u->own = f->n_trips++;
        u->asks_at = place;
        u->start = UINT64_MAX;
        f->trips_var[u->own] = rg__c_add_var(b->t, "levels", RG_CVAR_PARAM, RG_LONG);
        f->trips_all[u->own] = f->possible[u->own] = UINT64_MAX;
        f->trips_any[u->own] = e;
    }
    if (u->asks_at != place) return refuse(u, "a loop over levels that is left at several places");
    if (!rg__at_given_sizes(b, at_size, &x) || x.unknown) {
        if (rg__fix_count(b, e)) return !(u->bad = true); /* as many as the file sets up */
        if (!*f->asks) snprintf(f->asks, sizeof f->asks, "there are as many levels as sizes say: state them, --size");
        return refuse(u, "as many levels as only the sizes say");
    }
    if (place) name_quotients(u);
    note_values(u);
    u->goes_on[u->n] = e;
    if (!x.any) {
        u->at_end = true;
        return false;
    }
    if (u->n == MOST) return refuse(u, "too many levels");
    struct rg_cnode *more = rg__c_binary(b->t, RG_COP_GT, rg__c_var(b->t, f->trips_var[u->own]), rg__c_int(b->t, u->n));
    open_guard(u, more, u->own, ~(((uint64_t)2 << u->n) - 1));
    u->n++;
    if (!place) name_quotients(u); /* what the test has passed is no less than it asks for */
    return true;
}

/* A test at that place of the iteration: does the loop go on? */
static bool test(struct unroll *u, struct rg_cnode *e, int place)
{
    struct rg__build *b = u->b;
    struct rg__follow *f = b->follow;
    int64_t v;
    int k;
    uint64_t holds;
    e = rg__expand_known(b, e);
    if (b->verbatim) return !(u->bad = true);
    if (rg__cell_evaluate(e, &v)) {
        if (!v && u->own >= 0) note_values(u);
        return v != 0;
    }
    if (!rg__trips_truth(b, e, &k, &holds)) return own_test(u, e, place);
    uint64_t here = f->possible[k] & f->trips_all[k];
    if ((here & holds) == here || !(here & holds)) return (here & holds) != 0;
    if (u->own >= 0 || (u->guard && u->by != k)) return refuse(u, "a loop over levels ends by two numbers");
    if (!u->guard) u->start = f->possible[k];
    if (holds & u->start & ~here & f->trips_all[k]) return refuse(u, "a loop over levels that leaves some out");
    close_guard(u);
    f->possible[k] = here;
    struct rg_cnode *bound = rg__trips_condition(b, k, holds);
    f->possible[k] = u->start;
    open_guard(u, bound ? bound : e, k, here & holds);
    return true;
}

static void assert_end(struct unroll *u, struct rg_cnode *trips)
{
    struct rg__build *b = u->b;
    struct rg_cnode *fewer = rg__c_binary(b->t, RG_COP_LT, trips, rg__c_int(b->t, u->n)),
                    *ends = rg__c_unary(b->t, RG_COP_NOT, rg__c_copy(b->t, u->goes_on[u->n]));
    const struct rg_expr *e = rg__c_size_expr(b->t, rg__c_binary(b->t, RG_COP_OR, fewer, ends), &b->p->arena);
    if (!e) {
        refuse(u, "which of several pointers is meant is not known here");
        return;
    }
    RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
    b->asserted[b->n_asserted++] = e;
}

/* The count, and the numbers that go with it. */
static void settle(struct unroll *u)
{
    struct rg__build *b = u->b;
    struct rg__follow *f = b->follow;
    if (u->own < 0 || u->bad) return;
    int var = f->trips_var[u->own];
    struct rg_cnode *count = rg__c_int(b->t, 0);
    for (int i = u->n - 1; i >= 0; i--) {
        struct rg_cnode *c = rg_cnode_new(b->t, RG_C_COND, 3);
        c->kid[0] = rg__c_copy(b->t, u->goes_on[i]);
        c->kid[1] = rg__c_binary(b->t, RG_COP_ADD, count, rg__c_int(b->t, 1));
        c->kid[2] = rg__c_int(b->t, 0);
        c->type = RG_I32;
        count = c;
    }
    const struct rg_expr *e = rg__c_size_expr(b->t, count, &b->p->arena);
    if (!e) {
        refuse(u, "which of several pointers is meant is not known here");
        return;
    }
    rg__derive_var(b, var, e);
    f->trips_all[u->own] = f->possible[u->own] = ((uint64_t)2 << u->n) - 1;
    if (u->at_end) assert_end(u, rg__c_var(b->t, var));
    for (int i = 0; i < u->n_traces; i++) {
        struct rg__cell *c = &f->cells[i];
        const struct trace *t = &u->traces[i];
        if (!t->known || !(t->grows || t->stays) || !rg__scalar_is_int(b->t->vars[c->var].type)) continue;
        c->trips = 0;
        if (t->stays) {
            c->value = rg__c_int_of(b->t, t->first, b->t->vars[c->var].type);
            continue;
        }
        c->value = rg__c_binary(b->t, RG_COP_ADD, rg__c_var(b->t, var), rg__c_int(b->t, t->first));
        c->value = rg__c_cast(b->t, c->value, b->t->vars[c->var].type);
    }
}

/* ---- the loop ---- */

static bool is_break(struct rg__build *b, CXCursor c)
{
    if (b->c->getCursorKind(c) == CXCursor_CompoundStmt) {
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        return kids.n == 1 && is_break(b, kids.items[0]);
    }
    return b->c->getCursorKind(c) == CXCursor_BreakStmt;
}

static struct rg_cnode *asked(struct unroll *u, CXCursor c)
{
    struct rg__build *b = u->b;
    if (rg__sets_or_calls(b, c, true)) {
        refuse(u, "a loop over levels whose condition does more than ask");
        return NULL;
    }
    b->hoist = body_of(u);
    return rg__fold_null_tests(b, rg__build_expr(b, c));
}

static bool statement(struct unroll *u, CXCursor c, int place)
{
    struct rg__build *b = u->b;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (b->c->getCursorKind(c) == CXCursor_IfStmt && kids.n == 2 && is_break(b, kids.items[1])) {
        struct rg_cnode *e = asked(u, kids.items[0]);
        return e && test(u, rg__c_unary(b->t, RG_COP_NOT, e), place);
    }
    struct rg__kids here = {0};
    rg__build_stmt(b, c, &here);
    struct rg_cnode *all = rg__kids_node(b->t, RG_C_BLOCK, &here);
    if (rg__leaves_loop(all)) return refuse(u, "a loop over pointers that is left early");
    for (int i = 0; i < all->n; i++) rg__kids_add(body_of(u), all->kid[i]);
    return !b->verbatim && !b->follow->again;
}

/* m /= 2, l++: one behind the other. */
static void build_step(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    CXCursor step = rg__strip_parens(b, c);
    struct rg__children sides = rg__cursor_children(b->u, step, &b->p->arena);
    if (b->c->getCursorKind(step) == CXCursor_BinaryOperator && sides.n == 2 &&
        !strcmp(rg__operator_between(b, sides.items[0], sides.items[1]), ",")) {
        build_step(b, sides.items[0], out);
        build_step(b, sides.items[1], out);
        return;
    }
    b->hoist = out;
    rg__emit_expr(b, rg__build_expr(b, step), out);
}

static bool iteration(struct unroll *u, const struct rg__trips_loop *l)
{
    struct rg__build *b = u->b;
    int place = 0;
    if (!b->c->Cursor_isNull(l->condition)) {
        struct rg_cnode *e = asked(u, l->condition);
        if (!e || !test(u, e, place)) return false;
    }
    bool block = b->c->getCursorKind(l->body) == CXCursor_CompoundStmt;
    struct rg__children kids = {0};
    if (block) kids = rg__cursor_children(b->u, l->body, &b->p->arena);
    for (int i = 0; i < (block ? kids.n : 1); i++)
        if (!statement(u, block ? kids.items[i] : l->body, ++place)) return false;
    if (!b->c->Cursor_isNull(l->step)) build_step(b, l->step, body_of(u));
    if (u->own >= 0 && u->asks_at) name_quotients(u);
    return !b->verbatim && !b->follow->again;
}

/* ---- from the last level down ---- */

/* The number that the step changes, where it is a count and so many, as `k`; NULL. */
static struct rg__cell *counted_from(struct rg__build *b, const struct rg__trips_loop *l, int *k)
{
    struct rg__follow *f = b->follow;
    if (b->c->Cursor_isNull(l->step) || b->c->Cursor_isNull(l->condition)) return NULL;
    struct rg__now here = rg__now_save(b);
    struct rg__kids unused = {0}, *hoist = b->hoist;
    struct rg__cell *found = NULL;
    build_step(b, l->step, &unused);
    b->hoist = hoist;
    for (int i = 0; i < here.n && !found; i++) {
        struct rg_cnode *was = here.of[i].value;
        if (f->cells[i].pointer || !was || f->cells[i].value == was) continue;
        *k = count_in(b, was);
        if (*k >= 0) found = &f->cells[i];
    }
    rg__now_restore(b, &here);
    free(unused.items);
    return found;
}

static int64_t at_count(struct rg__build *b, const struct rg_cnode *e, int k, int64_t count)
{
    int64_t v = INT64_MIN;
    struct rg_cnode *at = rg__c_replace_var(b->t, rg__c_copy(b->t, e), b->follow->trips_var[k], rg__c_int(b->t, count));
    return rg__cell_evaluate(at, &v) ? v : INT64_MIN;
}

/* for (l = n - 1; l >= 0; l--): from the most that it may begin with; each where it begins with as much. */
static void downwards(struct unroll *u, const struct rg__trips_loop *l, struct rg__cell *cell, int k)
{
    struct rg__build *b = u->b;
    struct rg__follow *f = b->follow;
    struct rg_cnode *first = cell->value, *counter = rg__c_var(b->t, cell->var);
    uint32_t path = f->path;
    int index = (int)(cell - f->cells);
    uint64_t may = f->possible[k] & f->trips_all[k];
    int64_t from = INT64_MIN, v;
    u->start = f->possible[k];
    if (f->trips_all[k] == UINT64_MAX) {
        refuse(u, "which of several pointers is meant is not known here");
        return;
    }
    for (int n = 0; n < 64; n++)
        if (may >> n & 1) from = at_count(b, first, k, n) > from ? at_count(b, first, k, n) : from;
    for (int64_t s = from;; s--) {
        int symbols = b->n_syms;
        uint64_t reach = 0;
        for (int n = 0; n < 64; n++)
            if ((may >> n & 1) && at_count(b, first, k, n) >= s) reach |= (uint64_t)1 << n;
        close_guard(u);
        struct rg_cnode *guard = rg__trips_condition(b, k, reach);
        if (!guard) guard = rg__c_binary(b->t, RG_COP_GE, rg__c_copy(b->t, first), rg__c_int(b->t, s));
        if (from - s > 2 * MOST || !reach) {
            refuse(u, "too many levels");
            return;
        }
        open_guard(u, guard, k, reach);
        f->path = path * 31 + (uint32_t)(from - s) + 7;
        rg__kids_add(&u->block, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_copy(b->t, counter),
                                                              rg__c_cast(b->t, rg__c_int(b->t, s), counter->type))));
        rg__cell_set_number(b, counter->var, rg__c_int(b->t, s));
        bool more = iteration(u, l);
        rg__drop_symbols(b, symbols);
        cell = &f->cells[index];
        if (u->bad || b->verbatim || f->again) break;
        if (!more) break;
        if (!cell->value || !rg__cell_evaluate(cell->value, &v) || v != s - 1) {
            refuse(u, "a loop over levels that neither begins with the first nor goes down by one");
            return;
        }
    }
    f->path = path;
}

void rg__unroll_by_trips(struct rg__build *b, const struct rg__trips_loop *l, struct rg__kids *out)
{
    struct unroll u = {.b = b, .where = l->where, .out = out, .own = -1};
    struct rg__kids *hoist = b->hoist;
    uint32_t path = b->follow->path;
    int t = 0, k;
    struct rg__cell *from = counted_from(b, l, &k);
    b->nesting++;
    if (from) downwards(&u, l, from, k);
    for (bool more = !from; more; t++) {
        int symbols = b->n_syms;
        if (t > 2 * MOST) refuse(&u, "too many levels");
        b->follow->path = path * 31 + (uint32_t)t + 7;
        more = !u.bad && iteration(&u, l);
        rg__drop_symbols(b, symbols);
    }
    close_guard(&u);
    b->nesting--;
    b->follow->path = path;
    if (!b->verbatim && !b->follow->again) settle(&u);
    free(u.block.items);
    b->hoist = hoist;
}

/* ---- calls of the next level ---- */

bool rg__next_level(struct rg__build *b, int function, struct rg_cnode **args, int n)
{
    enum { MOST_CALLS = 64 };
    int64_t is, was;
    bool next = false;
    if (!b->follow || !b->hoist || !rg__by_trips(b) || b->follow->n_again >= MOST_CALLS) return false;
    for (int i = 0; i < n && !next; i++) {
        bool other = rg__cell_evaluate(args[i], &is);
        for (int k = 0; k < b->n_inlining && other; k++) {
            if (b->inlining[k] != function) continue;
            other = b->inlining_args[k] && rg__cell_evaluate(b->inlining_args[k][i], &was) && was != is;
        }
        next = other;
    }
    if (!next) return false;
    for (struct rg__unrolled *u = b->follow->around; u && u != b->follow->around_call; u = u->outer)
        rg__cell_decide(b, u->key, RG__UNROLLED);
    b->follow->n_again++;
    return true;
}
