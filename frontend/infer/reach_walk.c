/* What the subscripts of an array reach: elements of other arrays, loops and conditions around them that elements
 * bound.
 */
#include "frontend/infer/reach_walk.h"
#include "ir/range_invariants.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SHIFT = 8 };

static void note_value(struct rg__reach_walk *w, const struct rg_cnode *to, const struct rg_cnode *value)
{
    if (to->kind != RG_C_VAR || to->array >= 0 || to->var < 0) return;
    w->several[to->var] |= w->value[to->var] != NULL || !value;
    w->value[to->var] = value;
}

static bool note_sets(void *arg, struct rg_cnode *n)
{
    struct rg__reach_walk *w = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n) {
        w->several[n->var] |= w->value[n->var] != NULL;
        w->value[n->var] = n->kid[0];
    }
    if (n->kind == RG_C_ASSIGN) note_value(w, n->kid[0], n->op == RG_COP_SET ? n->kid[1] : NULL);
    if (n->kind == RG_C_INCDEC) note_value(w, n->kid[0], NULL);
    return true;
}

static void note_written(void *arg, const struct rg_caccess *a)
{
    struct rg__reach_walk *w = arg;
    int p = a->array >= 0 ? w->t->arrays[a->array].param : -1;
    if (p >= 0 && (a->write || a->whole)) w->written[p] = true;
}

static bool note_writes(void *arg, struct rg_cnode *n)
{
    struct rg__reach_walk *w = arg;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->kind == RG_C_CALL || n->kind == RG_C_VERBATIM)
        rg_c_accesses(w->t, n, note_written, w);
    return true;
}

static const struct rg_cnode *loop_over(const struct rg__reach_walk *w, int var)
{
    for (int i = w->n_loops - 1; i >= 0; i--)
        if (w->loop[i]->var == var) return w->loop[i];
    return NULL;
}

static bool reads_memory_of(const struct rg__reach_walk *w, const struct rg_cnode *e, int param, bool *others)
{
    bool found = e->kind == RG_C_INDEX && w->t->arrays[e->array].param == param;
    if ((e->kind == RG_C_INDEX && !found) || e->kind == RG_C_CALL) *others = true;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && w->value[e->var] && !w->several[e->var])
        found |= reads_memory_of(w, w->value[e->var], param, others);
    for (int i = 0; i < e->n; i++) found |= reads_memory_of(w, e->kid[i], param, others);
    return found;
}

/* Do all elements lead somewhere? Not where a condition leaves some out, but for one on the element itself. */
static bool all_lead(const struct rg__reach_walk *w, int param)
{
    for (int i = 0; i < w->n_guards; i++) {
        bool others = false;
        if (!reads_memory_of(w, w->guard[i], param, &others) || others) return false;
    }
    return true;
}

int rg__reach_source(const struct rg__reach_walk *w, const struct rg_cnode *e, bool from_start)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_INDEX || e->pointer || e->n < 1) return -1;
    int p = w->t->arrays[e->array].param;
    const struct rg_param *q = p >= 0 ? &w->l->p->params[p] : NULL;
    /* what the file's own program makes is looked at where it is called */
    const bool made =
        q && q->input.kind == RG_INPUT_INIT && w->l->program.n_rows && (w->dim > 0 || w->l->p->init_found);
    if (!q || !rg__scalar_is_int(q->elem) || w->written[p] || (q->input.kind != RG_INPUT_DEFAULT && !made) ||
        w->t->arrays[e->array].constant_table || q->rows)
        return -1;
    for (int d = 0; d < e->n && from_start; d++) {
        const struct rg_cnode *s = rg__c_uncast(e->kid[d], RG__C_INT_CASTS);
        const struct rg_cnode *loop = s->kind == RG_C_VAR && s->array < 0 ? loop_over(w, s->var) : NULL;
        if (s->kind != RG_C_INT && !loop) return -1;
        if (!loop) continue;
        const struct rg_cnode *lower = rg__c_uncast(loop->step > 0 ? loop->kid[0] : loop->kid[1], RG__C_INT_CASTS);
        bool first = lower->kind == RG_C_INT && lower->ivalue == (loop->step > 0 ? 0 : -1);
        if ((loop->step != 1 && loop->step != -1) ||
            (!first && !rg__mentions_kind_index(lower) && lower->kind != RG_C_VAR))
            return -1;
    }
    return p;
}

struct way { /* from a condition to the place, and what is known on it: locals that are tested */
    const struct rg_cnode *place;
    int var, n;
    struct {
        int var;
        bool is;
    } known[RG__REACH_NEST];
};

static bool is_local(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && e->var == var;
}

/* `b = taken ? b + 1 : b` changes nothing where taken is 0. */
static bool sets(const struct way *w, const struct rg_cnode *n)
{
    if ((n->kind != RG_C_ASSIGN && n->kind != RG_C_INCDEC) || !is_local(n->kid[0], w->var)) return false;
    const struct rg_cnode *v = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET ? n->kid[1] : NULL;
    for (int i = 0; v && v->kind == RG_C_COND && i < w->n; i++)
        if (is_local(v->kid[0], w->known[i].var)) return !is_local(v->kid[w->known[i].is ? 1 : 2], w->var);
    return true;
}

static bool sets_inside(const struct way *w, const struct rg_cnode *n)
{
    if (!n) return false;
    bool found = sets(w, n);
    for (int i = 0; i < n->n && !found; i++) found = sets_inside(w, n->kid[i]);
    return found;
}

static void know(const struct rg__reach_walk *r, struct way *w, const struct rg_cnode *n)
{
    if (!n || !rg__c_contains(n, w->place)) return;
    for (int i = 0; i < n->n; i++) {
        if (!rg__c_contains(n->kid[i], w->place)) continue;
        const struct rg_cnode *c = rg__c_uncast(n->kid[0], RG__C_INT_CASTS);
        bool tests = (n->kind == RG_C_IF || n->kind == RG_C_COND) && i > 0;
        if (tests && c->kind == RG_C_VAR && c->array < 0 && !r->several[c->var] && w->n < RG__REACH_NEST) {
            w->known[w->n].var = c->var;
            w->known[w->n++].is = i == 1;
        }
        know(r, w, n->kid[i]);
    }
}

enum first { NEITHER, PLACE, CHANGE };

/* What comes first below n, in the order in which it runs. A loop around the place that changes the variable has
 * changed it in an iteration before. */
static enum first first_of(const struct way *w, const struct rg_cnode *n)
{
    if (!n) return NEITHER;
    if (n == w->place) return PLACE;
    if (n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO) {
        if (sets_inside(w, n)) return CHANGE;
        return rg__c_contains(n, w->place) ? PLACE : NEITHER;
    }
    for (int i = 1; i < n->n && n->kind == RG_C_IF; i++) /* the other arm does not run */
        if (rg__c_contains(n->kid[i], w->place)) {
            enum first which = first_of(w, n->kid[0]);
            return which ? which : first_of(w, n->kid[i]);
        }
    for (int i = 0; i < n->n; i++) {
        enum first which = first_of(w, n->kid[i]);
        if (which) return which;
    }
    return sets(w, n) ? CHANGE : NEITHER;
}

/* Has the variable at the place the value that it had when the condition of `of` was true? */
bool rg__reach_still_holds(const struct rg__reach_walk *r, const struct rg_cnode *of, const struct rg_cnode *guard,
                           const struct rg_cnode *place, int var)
{
    struct way w = {.place = place, .var = var};
    if (!of || sets_inside(&w, guard)) return false;
    know(r, &w, of);
    if (of->kind != RG_C_FOR) return first_of(&w, of->kid[of->kind == RG_C_LOOP ? 2 : 1]) == PLACE;
    enum first which = first_of(&w, of->kid[3]);
    return (which ? which : first_of(&w, of->kid[2])) == PLACE;
}

bool rg__reach_bounds(const struct rg_cnode *c, int var, bool (*fn)(void *arg, const struct rg_cnode *e), void *arg)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_AND)
        return rg__reach_bounds(c->kid[0], var, fn, arg) || rg__reach_bounds(c->kid[1], var, fn, arg);
    for (int i = 0; i < 2 && (c->op == RG_COP_LT || c->op == RG_COP_GT); i++) {
        const struct rg_cnode *a = rg__c_uncast(c->kid[i], RG__C_INT_CASTS);
        if (a->kind == RG_C_VAR && a->array < 0 && a->var == var && (c->op == RG_COP_LT) == (i == 0))
            return fn(arg, c->kid[1 - i]);
    }
    return false;
}

bool rg__reach_guarded(const struct rg__reach_walk *w, int var, const struct rg_cnode *place,
                       bool (*fn)(void *arg, const struct rg_cnode *e), void *arg)
{
    for (int i = w->n_guards - 1; i >= 0; i--)
        if (rg__reach_still_holds(w, w->guarded[i], w->guard[i], place, var) &&
            rg__reach_bounds(w->guard[i], var, fn, arg))
            return true;
    return false;
}

struct top { /* of an expression that is evaluated at a place */
    const struct rg__reach_walk *w;
    const struct rg_cnode *place;
    struct rg__reach_top *out;
    int depth;
};

static bool top_of(const struct top *t, const struct rg_cnode *e);

static bool deeper(const struct top *t, const struct rg_cnode *e, const struct rg_cnode *place)
{
    struct top in = *t;
    in.place = place;
    in.depth++;
    return top_of(&in, e);
}

/* k < e: the top of e is one more than that of k. */
static bool below(void *arg, const struct rg_cnode *e)
{
    const struct top *t = arg;
    if (!deeper(t, e, e) || t->out->times != 1) return false;
    t->out->run = true;
    t->out->more--;
    return true;
}

static bool top_of(const struct top *t, const struct rg_cnode *e)
{
    const struct rg__reach_walk *w = t->w;
    struct rg__reach_top *out = t->out;
    if (t->depth > 8) return false;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB)
        for (int i = 0; i < (e->op == RG_COP_ADD ? 2 : 1); i++) {
            const struct rg_cnode *k = rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS);
            if (k->kind != RG_C_INT || !deeper(t, e->kid[i], t->place)) continue;
            out->more += e->op == RG_COP_ADD ? k->ivalue : -k->ivalue;
            return true;
        }
    if (e->op == RG_COP_MUL)
        for (int i = 0; i < 2; i++) {
            const struct rg_cnode *k = rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS);
            if (k->kind != RG_C_INT || k->ivalue < 1 || k->ivalue > RG__REACH_TIMES || !deeper(t, e->kid[i], t->place))
                continue;
            out->times *= k->ivalue;
            out->more *= k->ivalue;
            return true;
        }
    if (e->kind == RG_C_INDEX) {
        int of = rg__reach_source(w, e, false);
        *out = (struct rg__reach_top){.of = of, .times = 1};
        return of >= 0;
    }
    if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0) return false;
    const struct rg_cnode *loop = loop_over(w, e->var);
    if (loop && loop->step > 0) {
        bool is = below((void *)t, loop->kid[1]);
        out->counts = rg__c_uncast(loop->kid[0], RG__C_INT_CASTS)->kind == RG_C_INT;
        return is;
    }
    if (loop) {
        bool is = deeper(t, loop->kid[0], loop->kid[0]);
        out->run = true; /* downward from a last one */
        return is;
    }
    if (w->value[e->var] && !w->several[e->var]) return deeper(t, w->value[e->var], w->value[e->var]);
    return rg__reach_guarded(w, e->var, t->place, below, (void *)t);
}

static void add(struct rg__reach_walk *w, const struct rg__reach_top *x)
{
    struct rg__reach *f = &w->found;
    for (int i = 0; i < f->n; i++)
        if (f->from[i].of == x->of && f->from[i].times == x->times) {
            /* `v[row[i]]` and `v[k]` with k below row[i + 1]: the one is the first of what the other goes through */
            bool more = w->run[i] == x->run ? x->more + 1 > f->from[i].more : x->run;
            if (more) f->from[i].more = x->more + 1;
            w->run[i] |= x->run;
            return;
        }
    if (f->n == RG__MAX_REACH) {
        w->bad = true;
        return;
    }
    w->run[f->n] = x->run;
    f->from[f->n++] = (struct rg__reach_from){.of = x->of, .times = x->times, .more = x->more + 1};
}

/* c * i + k with i from 0 on, one of c elements that follow one another; the rest must be taken elsewhere. */
static bool one_of_several(struct rg__reach_walk *w, const struct rg_cnode *e, int of)
{
    int64_t k = 0;
    const struct rg_cnode *s = e->n == 1 ? rg__c_uncast(e->kid[0], RG__C_INT_CASTS) : NULL;
    if (s && s->op == RG_COP_ADD) {
        const struct rg_cnode *more = rg__c_uncast(s->kid[1], RG__C_INT_CASTS);
        if (more->kind != RG_C_INT) return false;
        k = more->ivalue;
        s = rg__c_uncast(s->kid[0], RG__C_INT_CASTS);
    }
    if (!s || s->op != RG_COP_MUL) return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *c = rg__c_uncast(s->kid[i], RG__C_INT_CASTS),
                              *v = rg__c_uncast(s->kid[1 - i], RG__C_INT_CASTS);
        const struct rg_cnode *loop = v->kind == RG_C_VAR && v->array < 0 ? loop_over(w, v->var) : NULL;
        if (c->kind != RG_C_INT || c->ivalue < 2 || c->ivalue > 32 || k < 0 || k >= c->ivalue || !loop) continue;
        const struct rg_cnode *low = rg__c_uncast(loop->kid[0], RG__C_INT_CASTS);
        bool from_start = loop->step == 1 && low->kind == RG_C_INT && low->ivalue == 0;
        if (!from_start || (w->parts && (w->parts != c->ivalue || w->parts_of != of))) return false;
        w->parts = c->ivalue;
        w->parts_of = of;
        w->had |= (int64_t)1 << k;
        return true;
    }
    return false;
}

/* The element of a place as it stands, with its loops from the start and no condition that leaves some out? */
static bool whole_source(struct rg__reach_walk *w, const struct rg_cnode *e, int of, int depth)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (depth > 8) return false;
    if (e->kind == RG_C_INDEX && w->t->arrays[e->array].param == of)
        return rg__reach_source(w, e, true) >= 0 || (rg__reach_source(w, e, false) >= 0 && one_of_several(w, e, of));
    if (e->kind == RG_C_VAR && e->array < 0 && !loop_over(w, e->var) && w->value[e->var] && !w->several[e->var])
        return whole_source(w, w->value[e->var], of, depth + 1);
    for (int i = 0; i < e->n; i++)
        if (whole_source(w, e->kid[i], of, depth + 1)) return true;
    return false;
}

/* An element that the function does not write, or a member of one, as it stands or a few further. */
static bool led(const struct rg__reach_walk *w, const struct rg_cnode *e, int depth)
{
    enum { DEEPEST = 8 };
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (depth > DEEPEST || !rg__scalar_is_int(e->type)) return false;
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL) {
        const struct rg_cnode *k = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
        return k->kind == RG_C_INT && led(w, e->kid[0], depth + 1);
    }
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0)
        return !loop_over(w, e->var) && w->value[e->var] && !w->several[e->var] && led(w, w->value[e->var], depth + 1);
    if (e->kind == RG_C_INDEX && e->n && rg__c_uncast(e->kid[0], RG__C_INT_CASTS)->kind == RG_C_MEMBER) e = e->kid[0];
    while (e->kind == RG_C_MEMBER && e->n) e = e->kid[0];
    const int p = e->kind == RG_C_INDEX && !e->pointer ? w->t->arrays[e->array].param : -1;
    return p >= 0 && !w->written[p] && !w->t->arrays[e->array].constant_table &&
           w->l->p->params[p].input.kind == RG_INPUT_DEFAULT;
}

/* The numbers in a sum. */
static int64_t added(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_INT) return e->ivalue > MAX_SHIFT || e->ivalue < -MAX_SHIFT ? 0 : e->ivalue;
    if (e->op != RG_COP_ADD && e->op != RG_COP_SUB) return 0;
    return added(e->kid[0]) + (e->op == RG_COP_ADD ? 1 : -1) * added(e->kid[1]);
}

static void access(struct rg__reach_walk *w, const struct rg_cnode *n)
{
    const struct rg_cnode *linear = rg_c_linear(w->t, n), *s = linear ? linear : n->kid[w->dim];
    struct rg__reach_top x;
    w->flat |= linear != NULL;
    w->at = n;
    const struct rg_cnode *k = rg__c_uncast(s, RG__C_INT_CASTS);
    if (k->kind == RG_C_INT && k->ivalue == 0) return;
    if (rg__reach_by_sizes(w, s)) return;
    if (w->loosely) {
        w->bad |= !led(w, s, 0);
        if (added(s) > w->added) w->added = added(s);
        return;
    }
    struct top top = {w, n, &x, 0};
    const bool led = top_of(&top, s) || rg__reach_sum(w, s, &x) || rg__reach_halved(w, s, &x);
    if (!led && rg__reach_kept(w, s)) return;
    if (!led || x.more < -MAX_SHIFT - x.times) {
        w->bad = true;
        return;
    }
    if (!x.run && !(all_lead(w, x.of) && whole_source(w, s, x.of, 0))) {
        for (int i = 0; i < w->found.n; i++)
            if (w->found.from[i].of == x.of && w->run[i]) return;
        w->bad = true;
        return;
    }
    w->counts = w->counts && x.counts;
    add(w, &x);
}

static void push(struct rg__reach_walk *w, const struct rg_cnode *guard, const struct rg_cnode *of)
{
    w->guarded[w->n_guards] = of;
    w->guard[w->n_guards++] = guard;
}

/* What holds of integers where the condition does not, which comes first in `x >= end || list[x] != j`; NULL: who
 * knows. */
static struct rg_cnode *negated(struct rg_ctree *t, const struct rg_cnode *c)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_NOT) return rg__c_copy(t, c->kid[0]);
    if (c->op == RG_COP_OR) {
        struct rg_cnode *a = negated(t, c->kid[0]), *b = negated(t, c->kid[1]);
        return a && b ? rg__c_binary(t, RG_COP_AND, a, b) : a ? a : b;
    }
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || !rg__scalar_is_int(c->kid[0]->type) ||
        !rg__scalar_is_int(c->kid[1]->type))
        return NULL;
    return rg__c_binary(t, rg_c_opposite(c->op), rg__c_copy(t, c->kid[0]), rg__c_copy(t, c->kid[1]));
}

static void look(struct rg__reach_walk *w, const struct rg_cnode *n)
{
    if (!n || w->bad) return;
    bool condition = n->kind == RG_C_IF || n->kind == RG_C_COND || n->kind == RG_C_WHILE || rg_c_lazy(n->op);
    if (n->kind == RG_C_LOOP || condition) look(w, n->kid[0]);
    if (n->kind == RG_C_LOOP) look(w, n->kid[1]);
    if (n->kind == RG_C_LOOP && w->n_loops < RG__REACH_NEST) {
        w->loop[w->n_loops++] = n;
        if (n->n > 3) push(w, n->kid[3], n);
        for (int i = 2; i < n->n; i++) look(w, n->kid[i]);
        w->n_guards -= n->n > 3;
        w->n_loops--;
    } else if (n->kind == RG_C_FOR && n->kid[1] && w->n_guards + w->n_loops < RG__REACH_NEST) {
        look(w, n->kid[0]);
        look(w, n->kid[1]);
        push(w, n->kid[1], n);
        look(w, n->kid[3]);
        look(w, n->kid[2]);
        w->n_guards--;
    } else if (condition && w->n_guards + w->n_loops < RG__REACH_NEST) {
        for (int i = 1; i < n->n; i++) {
            const struct rg_cnode *other = n->op == RG_COP_OR ? negated(w->l->t, n->kid[0]) : NULL;
            push(w, other ? other : n->kid[0], other || (i == 1 && n->op != RG_COP_OR) ? n : NULL);
            look(w, n->kid[i]);
            w->n_guards--;
        }
    } else {
        w->bad |= n->kind == RG_C_LOOP || condition;
        for (int i = 0; i < n->n; i++) look(w, n->kid[i]);
    }
    bool mine =
        (n->kind == RG_C_INDEX || (n->kind == RG_C_VAR && n->array >= 0)) && w->t->arrays[n->array].param == w->param;
    if (!mine) return;
    if (n->kind == RG_C_INDEX && n->n > w->dim)
        access(w, n);
    else
        w->bad = true;
}

void rg__reach_walk_init(struct rg__reach_walk *w, struct rg__load *l)
{
    size_t n = (size_t)l->t->n_vars + 1;
    *w = (struct rg__reach_walk){.l = l, .t = l->t};
    w->value = rg_xcalloc(n, sizeof *w->value);
    w->several = rg_xcalloc(n, sizeof *w->several);
    w->written = rg_xcalloc((size_t)l->p->n_params + 1, sizeof *w->written);
    rg__c_walk(l->t->root, note_sets, w);
    rg__c_walk(l->t->root, note_writes, w);
}

void rg__reach_walk_release(struct rg__reach_walk *w)
{
    free(w->value);
    free(w->several);
    free(w->written);
    rg__invariants_free(w->known);
    rg__given_free(w->given);
}

void rg__reach_walk(struct rg__reach_walk *w, int param)
{
    memset(&w->found, 0, sizeof w->found);
    memset(w->run, 0, sizeof w->run);
    w->param = param;
    w->bad = w->flat = w->searched = false;
    w->counts = true;
    w->fixed = NULL;
    w->n_loops = w->n_guards = 0;
    w->parts = w->had = w->added = 0;
    look(w, w->t->root);
    w->bad |= w->parts && w->had != ((int64_t)1 << w->parts) - 1;
    w->bad |= w->fixed && w->found.n;
}
