/* What filled_lists.c must know of a nest: its counters, what decides how far they move, and that elements which are
 * named by a counter lie between where it is at an iteration's begin and at its end. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/element_writes.h"
#include "frontend/normalise/filled_lists.h"
#include <stdlib.h>
#include <string.h>

/* ---- counters ---- */

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var >= 0;
}

/* v += e, v++: the variable; -1. */
static int stepped(const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || !e->n || !is_scalar(e->kid[0])) return -1;
    bool up = (e->kind == RG_C_INCDEC && rg_c_increments(e->op)) || (e->kind == RG_C_ASSIGN && e->op == RG_COP_ADD_SET);
    return up ? e->kid[0]->var : -1;
}

const struct rg_cnode *rg__fill_step(const struct rg__filling *f, const struct rg_cnode *s, int *which)
{
    int v = stepped(s);
    for (int k = 0; k < f->n && v >= 0; k++)
        if (f->counter[k].var == v) {
            *which = k;
            if (s->kid[0]->kind == RG_C_INCDEC) return rg__c_int(f->t, 1);
            const struct rg_cnode *by = rg__c_uncast(s->kid[0]->kid[1], RG__C_WIDE_CASTS);
            return by->kind == RG_C_INT ? by : s->kid[0]->kid[1];
        }
    return NULL;
}

/* Statements that move the variable by steps; *other: something else writes it. */
static int steps_of(const struct rg_cnode *n, int var, bool *other)
{
    int count = 0;
    if (!n) return 0;
    if (n->kind == RG_C_STMT && stepped(n) == var) {
        *other = *other || (n->kid[0]->kind == RG_C_ASSIGN && rg__c_mentions_var(n->kid[0]->kid[1], var));
        return 1;
    }
    if (rg__c_is_expr(n)) {
        *other = *other || rg__c_writes_var(n, var);
        return 0;
    }
    for (int i = 0; i < n->n; i++) count += steps_of(n->kid[i], var, other);
    return count;
}

static bool followed(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_RETURN || n->kind == RG_C_OPAQUE || n->kind == RG_C_LABEL ||
        n->kind == RG_C_SWITCH || n->op == RG_COP_ADDRESS || n->op == RG_COP_DEREF)
        return false;
    if (n->kind == RG_C_CALL && (n->callee >= 0 ? !t->helpers[n->callee].pure : !rg__c_pure_library(n->text)))
        return false;
    if (n->kind == RG_C_DECL && n->pointer) return false;
    if (n->kind == RG_C_VAR && n->array >= 0) return false; /* handed on as a pointer */
    for (int i = 0; i < n->n; i++)
        if (!followed(t, n->kid[i])) return false;
    return true;
}

static bool names_place(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER && to->n) to = to->kid[0];
        if (to->kind == RG_C_INDEX && rg__c_mentions_var(to, var)) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (names_place(n->kid[i], var)) return true;
    return false;
}

/* The same by way of a local that is declared as what the counter is. */
static bool held_place(const struct rg_cnode *body, const struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && rg__c_mentions_var(n->kid[0], var) && names_place(body, n->var))
        return true;
    for (int i = 0; i < n->n; i++)
        if (held_place(body, n->kid[i], var)) return true;
    return false;
}

/* Steps of elements with one place, and what asks for them: another counter, which stays one. */
static bool carried_element(const struct rg_ctree *t, const struct rg_cnode *body, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_INCDEC || n->kind == RG_C_ASSIGN) {
        const struct rg_cnode *to = n->kid[0], *x = to->kind == RG_C_MEMBER && to->n == 1 ? to->kid[0] : to;
        bool fixed = x->kind == RG_C_INDEX && (n->kind == RG_C_INCDEC || n->op != RG_COP_SET);
        for (int d = 0; d < x->n && fixed; d++) fixed = rg__c_of_params(t, x->kid[d]);
        if (fixed && rg__touches(body, to) > 1) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (carried_element(t, body, n->kid[i])) return true;
    return false;
}

bool rg__fill_counters(struct rg__filling *f)
{
    const struct rg_ctree *t = f->t;
    const struct rg_cnode *body = f->loop->kid[2];
    f->n = 0;
    if (!followed(t, f->loop) || rg__leaves_early(body)) return false;
    for (int v = 0; v < t->n_vars; v++) {
        enum rg_scalar type = t->vars[v].type;
        bool other = false;
        if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(type) || rg_scalar_bytes(type) < 4 ||
            !rg__c_writes_var(body, v) || rg__c_declares(f->loop, v))
            continue;
        int steps = steps_of(body, v, &other);
        if (!steps || (!other && rg__c_count_var(body, v) == steps)) continue; /* nobody asks for it: a sum */
        if (other) return false; /* what counts in other ways, too, keeps the iterations in order */
        if (f->n == RG__FILL_COUNTERS) return false;
        f->counter[f->n++] = (struct rg__fill_counter){
            .var = v, .n_steps = steps, .stores = names_place(body, v) || held_place(body, body, v)};
    }
    return f->n > 0 && !carried_element(t, body, body);
}

/* ---- what decides how far they move ---- */

struct slice {
    const struct rg__filling *f;
    bool *var, *array; /* values of these are needed; arrays of an iteration's own alone */
    bool changed;
};

static void need(struct slice *s, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var >= 0 && !s->var[n->var]) s->var[n->var] = s->changed = true;
    if ((n->kind == RG_C_INDEX || n->kind == RG_C_DECL) && n->array >= 0 && !s->array[n->array] &&
        rg__c_declares_array(s->f->loop, n->array))
        s->array[n->array] = s->changed = true;
    for (int i = 0; i < n->n; i++) need(s, n->kid[i]);
}

static bool is_leaf(const struct rg_cnode *n)
{
    return n->kind == RG_C_STMT || n->kind == RG_C_DECL || rg__c_is_expr(n);
}

/* Does the statement, or one below it, give a value that is needed? */
static bool kept(const struct slice *s, const struct rg_cnode *n)
{
    int which;
    if (!n) return false;
    if (n->kind == RG_C_BREAK || n->kind == RG_C_CONTINUE) return false;
    if (is_leaf(n)) {
        if (rg__fill_step(s->f, n, &which)) return true;
        if (n->kind == RG_C_DECL) return n->array >= 0 ? s->array[n->array] : n->var >= 0 && s->var[n->var];
        for (int v = 0; v < s->f->t->n_vars; v++)
            if (s->var[v] && rg__c_writes_var(n, v)) return true;
        for (int a = 0; a < s->f->t->n_arrays; a++)
            if (s->array[a] && rg__writes_array(n, a)) return true;
        return false;
    }
    for (int i = 0; i < n->n; i++)
        if (kept(s, n->kid[i])) return true;
    return false;
}

/* Below a loop that is kept what leaves its iterations is, too. */
static bool stays(const struct slice *s, const struct rg_cnode *n, bool in_loop)
{
    if (!n) return false;
    if (n->kind == RG_C_BREAK || n->kind == RG_C_CONTINUE) return in_loop;
    return kept(s, n) || (in_loop && !is_leaf(n) && (rg__leaves_loop(n) || rg__continues_loop(n)));
}

static void mark(struct slice *s, const struct rg_cnode *n, bool in_loop)
{
    int which;
    if (!n || !stays(s, n, in_loop)) return;
    if (is_leaf(n)) {
        const struct rg_cnode *by = rg__fill_step(s->f, n, &which);
        need(s, by ? by : n);
        return;
    }
    bool loop = rg__c_is_loop(n);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && n->kind != RG_C_BLOCK && (rg__c_is_expr(n->kid[i]) || n->kid[i]->kind == RG_C_DECL))
            need(s, n->kid[i]); /* conditions, bounds and what counts */
        else
            mark(s, n->kid[i], in_loop || (loop && n != s->f->loop));
}

static struct rg_cnode *copied(const struct slice *s, const struct rg_cnode *n, bool in_loop)
{
    struct rg_ctree *t = s->f->t;
    if (is_leaf(n)) return rg__c_copy(t, n);
    struct rg_cnode *c = rg__c_shallow(&t->arena, n);
    bool inside = in_loop || (rg__c_is_loop(n) && n != s->f->loop);
    if (n->kind == RG_C_BLOCK) {
        struct rg__kids all = {0};
        for (int i = 0; i < n->n; i++)
            if (stays(s, n->kid[i], inside)) rg__kids_add(&all, copied(s, n->kid[i], inside));
        c = rg__kids_node(t, RG_C_BLOCK, &all);
        c->line = n->line;
        return c;
    }
    for (int i = 0; i < n->n; i++) c->kid[i] = n->kid[i] ? copied(s, n->kid[i], inside) : NULL;
    return c;
}

/* Every mention of the array in n is its element of the outermost loop's iteration. */
static bool own_element(const struct rg__filling *f, const struct rg_cnode *n, int array)
{
    if (!n) return true;
    if (n->kind == RG_C_INDEX && n->array == array)
        return is_scalar(rg__c_uncast(n->kid[0], RG__C_WIDE_CASTS)) &&
               rg__c_uncast(n->kid[0], RG__C_WIDE_CASTS)->var == f->loop->var;
    if (n->array == array && (n->kind == RG_C_VAR || n->kind == RG_C_DECL)) return false;
    for (int i = 0; i < n->n; i++)
        if (!own_element(f, n->kid[i], array)) return false;
    return true;
}

/* Does every iteration of the outermost loop write and read its own element alone, and write it last? Then what the
 * slice reads is what the nest reads. */
static bool own_last(const struct rg__filling *f, int array)
{
    const struct rg_cnode *body = f->loop->kid[2];
    bool written = false;
    if (f->t->arrays[array].n_dims != 1 || f->t->arrays[array].view || !own_element(f, body, array)) return false;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        const bool sets = e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == array &&
                          !rg__c_mentions_array(e->kid[1], array);
        if (rg__c_mentions_array(s, array) && (written || (rg__writes_array(s, array) && !sets))) return false;
        written = written || sets;
    }
    return written;
}

/* Does the slice change nothing but counters and what is the iteration's own, and read what the nest leaves alone? */
static bool independent(const struct rg__filling *f, const struct rg_cnode *c)
{
    const struct rg_ctree *t = f->t;
    for (int k = 0; k < f->n; k++) {
        bool other = false;
        if (steps_of(c, f->counter[k].var, &other) != rg__c_count_var(c, f->counter[k].var) || other) return false;
    }
    for (int v = 0; v < t->n_vars; v++) {
        bool counter = false;
        for (int k = 0; k < f->n; k++) counter = counter || f->counter[k].var == v;
        if (!counter && rg__c_mentions_var(c, v) && rg__c_writes_var(f->loop, v) && !rg__c_declares(f->loop, v) &&
            !rg__c_binds(f->loop, v))
            return false;
    }
    for (int a = 0; a < t->n_arrays; a++) {
        if (!rg__c_mentions_array(c, a) || rg__c_declares_array(f->loop, a) || own_last(f, a)) continue;
        for (int o = 0; o < t->n_arrays; o++) {
            bool same = o == a || (t->arrays[a].param >= 0 && t->arrays[o].param == t->arrays[a].param);
            if ((same || t->arrays[o].view || t->arrays[a].view) && rg__writes_array(f->loop, o)) return false;
        }
    }
    return true;
}

struct rg_cnode *rg__fill_slice(const struct rg__filling *f)
{
    struct slice s = {.f = f};
    s.var = rg_xcalloc((size_t)f->t->n_vars + 1, sizeof *s.var);
    s.array = rg_xcalloc((size_t)f->t->n_arrays + 1, sizeof *s.array);
    do {
        s.changed = false;
        mark(&s, f->loop, false);
    } while (s.changed);
    struct rg_cnode *c = copied(&s, f->loop, false);
    free(s.var);
    free(s.array);
    return independent(f, c) ? c : NULL;
}

/* ---- elements between the counter's begin and its end ---- */

struct place {
    int array, dim; /* which of the subscripts has the counter */
    int64_t factor;
    int counter; /* -1: none yet */
};

enum { MOST_HELD = 8 };

struct held { /* a local that holds where a counter was: int k = n++; */
    int var, counter;
    int64_t more, before, behind; /* it is so much more; and how far the counter moves around the declaration */
};

struct positions {
    const struct rg__filling *f;
    struct rg__range *range;
    struct place *place; /* [array] */
    bool failed;
    bool *seen; /* [array]: named without a counter */
    int n_held;
    struct held held[MOST_HELD];
};

/* a * v + c with a > 0. */
static bool along(struct positions *p, const struct rg_cnode *e, int var, int64_t *a, int64_t *c)
{
    const struct rg_cnode *plain = rg__c_uncast(e, RG__C_WIDE_CASTS);
    int64_t factor, rest;
    struct rg__poly sub = rg__poly_of(p->range, plain), coef, left;
    if (sub.bad || !rg__poly_split(&sub, var, &coef, &left) || !rg__poly_is_int(&coef, &factor) ||
        !rg__poly_is_int(&left, &rest) || factor <= 0 || factor > 1 << 20 || rest > 1 << 20 || rest < -(1 << 20))
        return false;
    *a = factor;
    *c = rest;
    return true;
}

/* How far the statement moves the counter at least; a step that is no number greater than 0 fails where it stores. */
static int64_t moves(const struct positions *p, const struct rg_cnode *n, int k)
{
    int which;
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_DECL) return 0;
    const struct rg_cnode *by = rg__fill_step(p->f, n, &which);
    if (by) return which == k && by->kind == RG_C_INT ? by->ivalue : 0;
    if (n->kind == RG_C_BLOCK) {
        int64_t sum = 0;
        for (int i = 0; i < n->n; i++) sum += moves(p, n->kid[i], k);
        return sum;
    }
    if (n->kind != RG_C_IF || n->n < 3) return 0;
    int64_t a = moves(p, n->kid[1], k), b = moves(p, n->kid[2], k);
    return a < b ? a : b;
}

/* All elements of the array that the nest names are by one counter alike. */
static void take(struct positions *p, const struct rg_cnode *n, bool own, struct place x)
{
    struct place *at = &p->place[n->array];
    own = own && (at->counter < 0 || (at->counter == x.counter && at->dim == x.dim && at->factor == x.factor));
    if (own)
        *at = x;
    else
        p->failed = true;
}

/* Is it the declaration of a local that holds where a counter is, and keeps that? */
static void hold(struct positions *p, const struct rg_cnode *s, const int64_t *before, const int64_t *behind)
{
    if (s->kind != RG_C_DECL || s->array >= 0 || s->pointer || !s->n || !s->kid[0] || p->n_held == MOST_HELD ||
        !rg__scalar_is_int(p->f->t->vars[s->var].type) || rg_scalar_bytes(p->f->t->vars[s->var].type) < 4 ||
        rg__doubling_writes(p->f->body, s->var) != 1)
        return;
    for (int k = 0; k < p->f->n; k++) {
        int64_t a, c;
        if (!rg__c_mentions_var(s->kid[0], p->f->counter[k].var)) continue;
        if (along(p, s->kid[0], p->f->counter[k].var, &a, &c) && a == 1)
            p->held[p->n_held++] = (struct held){s->var, k, c, before[k], behind[k]};
        return;
    }
}

/* An element that a counter names, where it has moved by `before` at least, and moves on by `behind` at least. */
static void element(struct positions *p, const struct rg_cnode *n, const int64_t *before, const int64_t *behind)
{
    if (!rg__writes_array(p->f->body, n->array)) return;
    for (int d = 0; d < n->n; d++) {
        for (int h = 0; h < p->n_held; h++) {
            const struct held *x = &p->held[h];
            int64_t a, c;
            if (!rg__c_mentions_var(n->kid[d], x->var)) continue;
            bool own = p->f->counter[x->counter].stores && !n->pointer && along(p, n->kid[d], x->var, &a, &c) &&
                       a * (x->before + x->more) + c >= 0 && a * x->more + c < a * x->behind;
            take(p, n, own, (struct place){n->array, d, own ? a : 0, x->counter});
            return;
        }
        for (int k = 0; k < p->f->n; k++) {
            int64_t a, c;
            if (!rg__c_mentions_var(n->kid[d], p->f->counter[k].var)) continue;
            bool own = p->f->counter[k].stores && !n->pointer && along(p, n->kid[d], p->f->counter[k].var, &a, &c) &&
                       a * before[k] + c >= 0 && c < a * behind[k];
            take(p, n, own, (struct place){n->array, d, own ? a : 0, k});
            return;
        }
    }
    p->seen[n->array] = true;
}

static void elements(struct positions *p, const struct rg_cnode *n, const int64_t *before, const int64_t *behind)
{
    if (!n || p->failed) return;
    if (n->kind == RG_C_INDEX) element(p, n, before, behind);
    for (int i = 0; i < n->n; i++) elements(p, n->kid[i], before, behind);
}

static bool leaves(const struct rg_cnode *n)
{
    return rg__leaves_loop(n) || rg__continues_loop(n);
}

static void walk(struct positions *p, const struct rg_cnode *n, const int64_t *before, const int64_t *behind)
{
    if (!n || p->failed) return;
    if (n->kind != RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) {
            if (n->kid[i] && rg__c_is_expr(n->kid[i]))
                elements(p, n->kid[i], before, behind);
            else
                walk(p, n->kid[i], before, behind);
        }
        return;
    }
    for (int i = 0; i < n->n; i++) {
        int64_t pre[RG__FILL_COUNTERS], post[RG__FILL_COUNTERS];
        int end = i + 1; /* of what surely runs behind it: up to what may leave the loop */
        bool cut = leaves(n->kid[i]);
        while (!cut && end < n->n && !leaves(n->kid[end])) end++;
        cut = cut || end < n->n;
        for (int k = 0; k < p->f->n; k++) {
            pre[k] = before[k];
            post[k] = cut ? 0 : behind[k];
            for (int x = 0; x < i; x++) pre[k] += moves(p, n->kid[x], k);
            for (int x = i + 1; x < end; x++) post[k] += moves(p, n->kid[x], k);
        }
        hold(p, n->kid[i], pre, post);
        walk(p, n->kid[i], pre, post);
    }
}

static bool in_subscript(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && rg__c_mentions_var(n, var)) return true;
    for (int i = 0; i < n->n; i++)
        if (in_subscript(n->kid[i], var)) return true;
    return false;
}

/* Does a local that is made of a counter in another way say where an element is? */
static bool led(const struct positions *p, const struct rg_cnode *n)
{
    if (!n) return false;
    const struct rg_cnode *value = NULL;
    int var = -1;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n) {
        var = n->var;
        value = n->kid[0];
    } else if (n->kind == RG_C_ASSIGN && is_scalar(n->kid[0])) {
        var = n->kid[0]->var;
        value = n->kid[1];
    }
    for (int h = 0; h < p->n_held; h++)
        if (p->held[h].var == var) value = NULL;
    for (int k = 0; k < p->f->n && value; k++)
        if (p->f->counter[k].var != var && rg__c_mentions_var(value, p->f->counter[k].var) &&
            in_subscript(p->f->body, var))
            return true;
    for (int i = 0; i < n->n; i++)
        if (led(p, n->kid[i])) return true;
    return false;
}

/* Counters that say where something is stored move up, by numbers. */
static bool steps_up(const struct rg__filling *f, const struct rg_cnode *n)
{
    int which;
    if (!n || rg__c_is_expr(n)) return true;
    const struct rg_cnode *by = rg__fill_step(f, n, &which);
    if (by && f->counter[which].stores && (by->kind != RG_C_INT || by->ivalue <= 0 || by->ivalue > 1 << 20))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!steps_up(f, n->kid[i])) return false;
    return true;
}

bool rg__fill_own_elements(struct rg__filling *f)
{
    int64_t none[RG__FILL_COUNTERS] = {0};
    struct positions p = {.f = f};
    if (!steps_up(f, f->body)) return false;
    p.range = rg_xmalloc(sizeof *p.range);
    rg__range_init(p.range, f->t, NULL);
    p.place = rg_xcalloc((size_t)f->t->n_arrays + 1, sizeof *p.place);
    p.seen = rg_xcalloc((size_t)f->t->n_arrays + 1, sizeof *p.seen);
    for (int a = 0; a < f->t->n_arrays; a++) p.place[a].counter = -1;
    walk(&p, f->body, none, none);
    p.failed = p.failed || led(&p, f->body);
    f->fills = rg_arena_alloc(&f->t->arena, (size_t)f->t->n_arrays + 1);
    for (int a = 0; a < f->t->n_arrays && !p.failed; a++) {
        if (p.place[a].counter < 0) continue;
        f->fills[a] = true;
        p.failed = p.seen[a] || f->t->arrays[a].view;
        for (int o = 0; o < f->t->n_arrays && !p.failed; o++) /* by another name */
            p.failed = o != a && f->t->arrays[a].param >= 0 && f->t->arrays[o].param == f->t->arrays[a].param &&
                       rg__c_mentions_array(f->body, o);
    }
    free(p.range);
    free(p.place);
    free(p.seen);
    return !p.failed;
}
