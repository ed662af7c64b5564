/* Inductive invariants by guess and check (Houdini): every value over parameters that a local is set to or compared
 * with, or that follows from such a guess through an assignment, is guessed to be its least or its most. A guess that
 * an assignment may break, while all others hold, goes; those that are left when none goes hold always. What conditions
 * around an assignment say holds until something sets what they speak of. */
#include "ir/range_invariants.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_GUESSES = 16, MAX_PATH = 32, MAX_STEPS = 4, MAX_SIZE = 24, ROUNDS = 3, MAX_NEST = RG__MAX_NEST };

struct guess {
    const struct rg_cnode *end;
    bool most, broken;
};

struct guesses { /* of a local */
    bool tracked;
    int n;
    struct guess of[MAX_GUESSES];
};

struct said { /* a condition on the way to a place */
    const struct rg_cnode *condition;
    bool holds;
    int flag;       /* the local that has its value; -1: it is known to hold, or not */
    int born, gone; /* how many assignments came before it, and that which made it say nothing; gone 0: none has */
};

struct step { /* an assignment right on the way, with nothing set between it and the next one */
    int var, number;
    const struct rg_cnode *value; /* NULL: not plainly known */
};

struct rg__invariants {
    struct rg_ctree *t;
    const struct rg__given *g;
    struct rg__range *r;
    struct guesses *vars; /* by variable */
    bool *written;        /* scratch */
    bool unknown;         /* the tree has jumps that are not followed */
    bool changed;
    void (*sets)(struct rg__invariants *x, int var, const struct rg_cnode *value);
    int n_path, n_steps, number; /* number: of assignments so far */
    struct said path[MAX_PATH];
    struct step steps[MAX_STEPS];
    int n_loops;
    const struct rg_cnode *loops[MAX_NEST];
};

static int scalar(const struct rg__invariants *x, const struct rg_cnode *e)
{
    bool is = e && e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var >= 0 && x->vars[e->var].tracked;
    return is ? e->var : -1;
}

/* ---- the walk: every assignment, with what is known there ---- */

static void mark_written(bool *written, const struct rg_cnode *n)
{
    if (!n) return;
    if ((n->kind == RG_C_DECL && n->array < 0) || n->kind == RG_C_LOOP)
        if (n->var >= 0) written[n->var] = true;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        if (to->kind == RG_C_VAR && to->array < 0 && to->var >= 0) written[to->var] = true;
    }
    for (int i = 0; i < n->n; i++) mark_written(written, n->kid[i]);
}

static bool mentions_written(const bool *written, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && written[e->var]) return true;
    for (int i = 0; i < e->n; i++)
        if (mentions_written(written, e->kid[i])) return true;
    return false;
}

/* What n sets is something else now. */
static void forget(struct rg__invariants *x, const struct rg_cnode *n)
{
    if (!n) return;
    x->number++;
    memset(x->written, 0, ((size_t)x->t->n_vars + 1) * sizeof *x->written);
    mark_written(x->written, n);
    for (int i = 0; i < x->n_path; i++) {
        struct said *s = &x->path[i];
        if (s->gone) continue;
        if (mentions_written(x->written, s->condition) || (s->flag >= 0 && x->written[s->flag])) s->gone = x->number;
    }
}

static bool of_scalars(const struct rg_cnode *e)
{
    bool other = e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->kind == RG_C_ASSIGN ||
                 e->kind == RG_C_INCDEC || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS ||
                 (e->kind == RG_C_VAR && e->array >= 0);
    if (other) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_scalars(e->kid[i])) return false;
    return true;
}

static void say(struct rg__invariants *x, const struct rg_cnode *c, bool holds, int flag)
{
    if (!c) return;
    if (c->op == RG_COP_NOT) {
        say(x, c->kid[0], !holds, flag);
        return;
    }
    if (flag < 0 && c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        say(x, c->kid[0], holds, flag);
        say(x, c->kid[1], holds, flag);
        return;
    }
    if (c->kind == RG_C_VAR && c->array < 0)
        for (int i = x->n_path - 1; i >= 0; i--) {
            const struct said s = x->path[i];
            if (s.flag != c->var || s.gone) continue;
            say(x, s.condition, s.holds == holds, -1);
            break;
        }
    if (x->n_path < MAX_PATH && c->kind == RG_C_BINARY && of_scalars(c))
        x->path[x->n_path++] = (struct said){c, holds, flag, x->number, 0};
}

static void go(struct rg__invariants *x, const struct rg_cnode *n);

static void under(struct rg__invariants *x, const struct rg_cnode *n, const struct rg_cnode *c, bool holds)
{
    int before = x->n_path, number = x->number;
    say(x, c, holds, -1);
    go(x, n);
    x->n_path = before;
    if (x->number != number) x->n_steps = 0;
}

/* n sets the variable (of any kind, -1: no scalar) to a value, NULL: to what nobody follows. */
static void set(struct rg__invariants *x, const struct rg_cnode *n, int var, const struct rg_cnode *value)
{
    const bool followed = var >= 0 && value && x->vars[var].tracked;
    if (followed) x->sets(x, var, value);
    forget(x, n);
    if (x->n_steps == MAX_STEPS) memmove(x->steps, x->steps + 1, (size_t)--x->n_steps * sizeof *x->steps);
    x->steps[x->n_steps++] = (struct step){var, x->number, followed && of_scalars(value) ? value : NULL};
}

static int written_scalar(const struct rg_cnode *to)
{
    while (to->kind == RG_C_MEMBER) to = to->kid[0];
    return to->kind == RG_C_VAR && to->array < 0 ? to->var : -1;
}

static void around(struct rg__invariants *x, const struct rg_cnode *n, const struct rg_cnode *c,
                   const struct rg_cnode *body, const struct rg_cnode *step)
{
    int before = x->n_path;
    forget(x, n);
    x->n_steps = 0;
    go(x, c);
    say(x, c, true, -1);
    go(x, body);
    go(x, step);
    x->n_path = before;
    x->n_steps = 0;
}

static void go(struct rg__invariants *x, const struct rg_cnode *n)
{
    struct rg_ctree *t = x->t;
    if (!n) return;
    switch (n->kind) {
    case RG_C_IF:
    case RG_C_COND:
        go(x, n->kid[0]);
        under(x, n->kid[1], n->kid[0], true);
        if (n->n > 2) under(x, n->kid[2], n->kid[0], false);
        return;
    case RG_C_LOOP: {
        go(x, n->kid[0]);
        go(x, n->kid[1]);
        bool known = x->n_loops < MAX_NEST;
        x->unknown = x->unknown || !known;
        if (known) x->loops[x->n_loops++] = n;
        around(x, n, NULL, n->kid[2], NULL);
        x->n_loops -= known;
        return;
    }
    case RG_C_FOR:
        go(x, n->kid[0]);
        around(x, n, n->kid[1], n->kid[3], n->kid[2]);
        return;
    case RG_C_WHILE:
        around(x, n, n->kid[0], n->kid[1], NULL);
        return;
    case RG_C_DO:
        around(x, n, NULL, n->kid[0], n->kid[1]);
        return;
    case RG_C_DECL: {
        for (int i = 0; i < n->n; i++) go(x, n->kid[i]);
        if (n->array >= 0) return;
        set(x, n, n->var, n->n && !n->pointer ? n->kid[0] : NULL);
        if (n->n && n->var >= 0 && n->kid[0] && n->kid[0]->kind == RG_C_BINARY) say(x, n->kid[0], true, n->var);
        return;
    }
    case RG_C_ASSIGN: {
        struct rg_cnode *to = n->kid[0], *value = n->kid[1];
        go(x, value);
        if (to->kind != RG_C_VAR) go(x, to);
        if (scalar(x, to) >= 0 && n->op != RG_COP_SET) value = rg__c_binary(t, rg_c_applied(n->op), to, value);
        set(x, n, written_scalar(to), scalar(x, to) >= 0 ? value : NULL);
        return;
    }
    case RG_C_INCDEC: {
        struct rg_cnode *to = n->kid[0];
        if (to->kind != RG_C_VAR) go(x, to);
        enum rg_c_op op = rg_c_increments(n->op) ? RG_COP_ADD : RG_COP_SUB;
        set(x, n, written_scalar(to), scalar(x, to) >= 0 ? rg__c_binary(t, op, to, rg__c_int(t, 1)) : NULL);
        return;
    }
    case RG_C_SWITCH:
    case RG_C_CASE:
    case RG_C_LABEL:
    case RG_C_GOTO:
    case RG_C_VERBATIM:
        x->unknown = true;
        return;
    default:
        if (rg_c_lazy(n->op)) {
            go(x, n->kid[0]);
            under(x, n->kid[1], n->kid[0], n->op == RG_COP_AND);
            return;
        }
        for (int i = 0; i < n->n; i++) go(x, n->kid[i]);
    }
}

static void whole(struct rg__invariants *x, void (*sets)(struct rg__invariants *x, int var, const struct rg_cnode *v))
{
    x->sets = sets;
    x->n_path = x->n_loops = x->n_steps = x->number = 0;
    go(x, x->t->root);
}

/* ---- guesses ---- */

static void guess(struct rg__invariants *x, int var, const struct rg_cnode *end, bool most)
{
    struct guesses *s = &x->vars[var];
    end = rg__c_uncast(end, RG__C_WIDE_CASTS);
    if (rg_scalar_bytes(end->type) < 4 || !rg__scalar_is_int(end->type) || rg__c_size(end) > MAX_SIZE) return;
    for (int i = 0; i < s->n; i++)
        if (s->of[i].most == most && rg__c_equal(s->of[i].end, end)) return;
    if (s->n == MAX_GUESSES) return;
    s->of[s->n++] = (struct guess){end, most, false};
    x->changed = true;
}

static void guess_beside(struct rg__invariants *x, int var, struct rg_cnode *e, int by, bool most)
{
    int64_t v;
    struct rg_cnode *end = rg__c_number(e, &v)
                               ? rg__c_cast(x->t, rg__c_int(x->t, v + by), e->type)
                               : rg__c_binary(x->t, by < 0 ? RG_COP_SUB : RG_COP_ADD, e, rg__c_int(x->t, 1));
    guess(x, var, end, most);
}

/* Of `v < e` that v is at most e, and at most e - 1; where it only grows below e, the first; and that it is at least e
 * - 1, where `v >= e` ends a loop down. */
static bool compared(void *arg, struct rg_cnode *n)
{
    struct rg__invariants *x = arg;
    for (int i = 0; i < 2 && n->kind == RG_C_BINARY && rg_c_relation(n->op); i++) {
        int var = scalar(x, rg__c_uncast(n->kid[i], RG__C_WIDE_CASTS));
        struct rg_cnode *e = n->kid[1 - i];
        if (var < 0 || !rg__c_of_params(x->t, e) || !rg__scalar_is_int(e->type)) continue;
        for (int most = 0; most < 2; most++) {
            guess(x, var, e, most);
            guess_beside(x, var, e, -1, most);
            guess_beside(x, var, e, 1, most);
        }
    }
    return true;
}

static void in_row(void *arg, const struct rg_cnode *local, struct rg_cnode *row)
{
    struct rg__invariants *x = arg;
    if (scalar(x, local) >= 0 && rg__c_of_params(x->t, row)) guess_beside(x, local->var, row, -1, true);
}

static bool of_params_and_loops(const struct rg__invariants *x, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL) return false;
    if (e->kind == RG_C_VAR) {
        bool known = e->array < 0 && !e->pointer && x->t->vars[e->var].kind == RG_CVAR_PARAM;
        for (int i = 0; i < x->n_loops && !known && e->array < 0; i++) known = x->loops[i]->var == e->var;
        if (!known) return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!of_params_and_loops(x, e->kid[i])) return false;
    return true;
}

/* j = i - 1: the least and the most over the loops around. */
static void set_to_loops(struct rg__invariants *x, int var, const struct rg_cnode *value)
{
    struct rg__range *r = x->r;
    rg__range_init(r, x->t, x->g);
    for (int l = 0; l < x->n_loops; l++) r->loops[r->n_loops++] = x->loops[l];
    struct rg__poly p = rg__poly_of(r, value), zero = rg__poly_int(0), out;
    for (int most = 0; most < 2 && !p.bad && !r->n_atoms; most++) {
        struct rg__poly q = most ? rg__poly_add(&zero, &p, -1) : p;
        if (!rg__lowest(r, &q, &out)) continue;
        if (most) out = rg__poly_add(&zero, &out, -1);
        if (!out.bad) guess(x, var, rg__poly_node(r, &out), most);
    }
}

static void set_to_params(struct rg__invariants *x, int var, const struct rg_cnode *value)
{
    if (value->kind == RG_C_COND) {
        set_to_params(x, var, value->kid[1]);
        set_to_params(x, var, value->kid[2]);
    } else if (rg__c_of_params(x->t, value)) {
        guess(x, var, value, false);
        guess(x, var, value, true);
    } else if (x->n_loops && of_params_and_loops(x, value)) {
        set_to_loops(x, var, value);
    }
}

static bool same_local(const struct rg__invariants *x, const struct rg_cnode *e, int *var)
{
    if (e->kind == RG_C_VAR && (e->array >= 0 || x->t->vars[e->var].kind != RG_CVAR_PARAM)) {
        int v = scalar(x, e);
        if (v < 0 || (*var >= 0 && *var != v)) return false;
        *var = v;
    }
    for (int i = 0; i < e->n; i++)
        if (!same_local(x, e->kid[i], var)) return false;
    return true;
}

/* h = (m + 1) / 2: what m may have for an end, h may; and what becomes of it. */
static void handed_on(struct rg__invariants *x, int var, const struct rg_cnode *value)
{
    int from = -1;
    if (value->kind == RG_C_COND) {
        handed_on(x, var, value->kid[1]);
        handed_on(x, var, value->kid[2]);
        return;
    }
    if (!of_scalars(value) || rg__c_size(value) > MAX_SIZE || !same_local(x, value, &from) || from < 0 || from == var)
        return;
    for (int i = 0; i < x->vars[from].n; i++) {
        const struct guess *s = &x->vars[from].of[i];
        guess(x, var, rg__c_replace_var(x->t, rg__c_copy(x->t, value), from, s->end), s->most);
        guess(x, var, s->end, s->most);
    }
}

/* ---- checks ---- */

/* p >= 0, where locals lie between their guesses. */
static bool holds(struct rg__invariants *x, const struct rg__poly *p, int depth)
{
    struct rg__range *r = x->r;
    if (p->bad) return false;
    if (rg__prove(r, p)) return true;
    for (int i = 0; i < p->n && depth < 3; i++)
        for (int d = 0; d < p->terms[i].degree; d++) {
            int var = p->terms[i].var[d];
            struct rg__poly coef, rest;
            int64_t c;
            if (var >= RG__ATOM || !x->vars[var].tracked || !rg__poly_split(p, var, &coef, &rest) ||
                !rg__poly_is_int(&coef, &c))
                continue;
            for (int k = 0; k < x->vars[var].n; k++) {
                const struct guess *s = &x->vars[var].of[k];
                if (s->broken || s->most != (c < 0)) continue;
                struct rg__poly end = rg__poly_of(r, s->end), q = rg__poly_add(&rest, &end, c);
                if (holds(x, &q, depth + 1)) return true;
            }
        }
    return false;
}

static bool within(struct rg__invariants *x, const struct rg_cnode *value, const struct rg__poly *end, bool most)
{
    struct rg__range *r = x->r;
    value = rg__c_uncast(value, RG__C_WIDE_CASTS);
    if (value->kind == RG_C_COND) {
        int before = r->n_facts;
        rg__range_assume(r, value->kid[0], true);
        bool ok = within(x, value->kid[1], end, most);
        r->n_facts = before;
        rg__range_assume(r, value->kid[0], false);
        ok = ok && within(x, value->kid[2], end, most);
        r->n_facts = before;
        return ok;
    }
    const struct rg_cnode *by = value->n == 2 ? rg__c_uncast(value->kid[1], RG__C_INT_CASTS) : NULL;
    bool shift = value->op == RG_COP_SHR;
    if (by && by->kind == RG_C_INT && by->ivalue > 0 && (shift ? by->ivalue < 31 : value->op == RG_COP_DIV)) {
        /* e/d <= end where e <= end*d + d - 1, and e/d >= end where e >= end*d; towards zero, so that below it the
         * first needs an end that is not, and the second has d - 1 more */
        struct rg__poly d = rg__poly_int(shift ? (int64_t)1 << by->ivalue : by->ivalue),
                        last = rg__poly_add(&d, &(struct rg__poly){.n = 1, .terms = {{.c = 1}}}, -1),
                        times = rg__poly_mul(end, &d);
        if (most && !shift && !holds(x, end, 0)) return false;
        int64_t low;
        if (most) times = rg__poly_add(&times, &last, 1);
        if (!most && !shift && rg__poly_is_int(end, &low) && low <= 0) times = rg__poly_add(&times, &last, -1);
        return within(x, value->kid[0], &times, most);
    }
    struct rg__poly p = rg__poly_of(r, value), q = most ? rg__poly_add(end, &p, -1) : rg__poly_add(&p, end, -1);
    return holds(x, &q, 0);
}

/* Of the locals that are not in written[], which then are; elements stand for themselves. */
static void guesses_as_facts(struct rg__invariants *x, const struct rg_cnode *e)
{
    int var = scalar(x, e);
    if (e->kind == RG_C_INDEX || (var >= 0 && x->written[var])) return;
    if (var >= 0) x->written[var] = true;
    for (int k = 0; var >= 0 && k < x->vars[var].n; k++) {
        const struct guess *s = &x->vars[var].of[k];
        struct rg__poly v = rg__poly_var(var), end = rg__poly_of(x->r, s->end),
                        f = s->most ? rg__poly_add(&end, &v, -1) : rg__poly_add(&v, &end, -1);
        if (!s->broken && !f.bad && x->r->n_facts < RG__MAX_FACTS / 2) x->r->facts[x->r->n_facts++] = f;
    }
    for (int i = 0; i < e->n; i++) guesses_as_facts(x, e->kid[i]);
}

/* Is it what the same operations on whole numbers give? Overflow of signed numbers is nothing a program may do. */
static bool mathematical(const struct rg_cnode *e)
{
    bool truth = rg_c_relation(e->op) || rg_c_logic(e->op);
    if (!truth && (e->pointer || !rg__scalar_is_int(e->type) || !rg_scalar_is_signed(e->type) ||
                   (e->kind == RG_C_CAST && rg_scalar_bytes(e->type) < 4)))
        return false;
    for (int i = e->kind == RG_C_COND; i < e->n; i++) /* which of two it is is a truth as well */
        if (!truth && e->kind != RG_C_INDEX && !mathematical(e->kid[i])) return false;
    return true;
}

/* Did the condition hold before the first of the steps from `from` on, in terms of what locals were then? */
static bool held_before(const struct rg__invariants *x, const struct said *c, int from)
{
    if (c->flag >= 0) return false;
    const int number = from < x->n_steps ? x->steps[from].number : x->number + 1;
    if (c->born < number) return !c->gone || c->gone >= number;
    return false;
}

/* Is the value within the end, seen from before the steps from `from` on, which are written into it? */
static bool value_within(struct rg__invariants *x, const struct rg_cnode *value, const struct guess *k, int from)
{
    struct rg__range *r = x->r;
    rg__range_init(r, x->t, x->g);
    for (int l = 0; l < x->n_loops; l++) r->loops[r->n_loops++] = x->loops[l];
    memset(x->written, 0, ((size_t)x->t->n_vars + 1) * sizeof *x->written);
    guesses_as_facts(x, value);
    for (int l = 0; l < 2 * x->n_loops; l++) /* what its loops run to */
        if (rg__c_mentions_var(value, x->loops[l / 2]->var)) guesses_as_facts(x, x->loops[l / 2]->kid[l % 2]);
    for (int c = 0; c < x->n_path; c++)
        if (held_before(x, &x->path[c], from)) rg__range_assume(r, x->path[c].condition, x->path[c].holds);
    struct rg__poly end = rg__poly_of(r, k->end);
    if (end.bad || !mathematical(value)) return false;
    if (within(x, value, &end, k->most)) return true;
    for (int i = from - 1; i >= 0 && rg__c_size(value) < MAX_SIZE; i--) {
        const struct step *s = &x->steps[i];
        if (s->var < 0 || !rg__c_mentions_var(value, s->var)) continue;
        return s->value && value_within(x, rg__c_replace_var(x->t, rg__c_copy(x->t, value), s->var, s->value), k, i);
    }
    return false;
}

static void check(struct rg__invariants *x, int var, const struct rg_cnode *value)
{
    struct guesses *s = &x->vars[var];
    for (int i = 0; i < s->n; i++) {
        struct guess *k = &s->of[i];
        if (k->broken || value_within(x, value, k, x->n_steps)) continue;
        k->broken = x->changed = true;
    }
}

/* ---- the result ---- */

static bool track(void *arg, struct rg_cnode *n)
{
    struct rg__invariants *x = arg;
    const struct rg_cnode *to = n->op == RG_COP_ADDRESS ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    if (to && to->kind == RG_C_VAR && to->array < 0 && to->var >= 0) x->vars[to->var].tracked = false;
    if (n->kind == RG_C_LOOP && n->var >= 0) x->vars[n->var].tracked = false;
    return true;
}

struct rg__invariants *rg__invariants_of(struct rg_ctree *t, const struct rg__given *g)
{
    struct rg__invariants *x = rg_xcalloc(1, sizeof *x);
    size_t n = (size_t)t->n_vars + 1;
    x->t = t;
    x->g = g;
    x->r = rg_xmalloc(sizeof *x->r);
    x->vars = rg_xcalloc(n, sizeof *x->vars);
    x->written = rg_xcalloc(n, sizeof *x->written);
    for (int v = 0; v < t->n_vars; v++) {
        const struct rg_cvar *k = &t->vars[v];
        x->vars[v].tracked = k->kind == RG_CVAR_LOCAL && k->struct_index < 0 && rg__scalar_is_int(k->type) &&
                             rg_scalar_is_signed(k->type) && rg_scalar_bytes(k->type) >= 4;
    }
    rg__c_walk(t->root, track, x);
    for (int v = 0; v < t->n_vars; v++)
        if (x->vars[v].tracked) guess(x, v, rg__c_int(t, 0), false);
    whole(x, set_to_params);
    rg__c_walk(t->root, compared, x);
    rg__each_in_row(t->root, in_row, x);
    x->changed = true;
    for (int round = 0; round < ROUNDS && x->changed; round++) {
        x->changed = false;
        whole(x, handed_on);
    }
    for (x->changed = true; x->changed && !x->unknown;) {
        x->changed = false;
        whole(x, check);
    }
    return x;
}

void rg__invariants_free(struct rg__invariants *x)
{
    if (!x) return;
    free(x->r);
    free(x->vars);
    free(x->written);
    free(x);
}

/* The best of what holds of a local. */
static struct rg_cnode *own_end(struct rg__invariants *x, int var, bool most)
{
    const struct guess *best = NULL;
    for (int i = 0; i < x->vars[var].n; i++) {
        const struct guess *s = &x->vars[var].of[i];
        if (s->broken || s->most != most) continue;
        rg__range_init(x->r, x->t, x->g);
        struct rg__poly b;
        if (best) b = rg__poly_of(x->r, best->end);
        if (!best || within(x, s->end, &b, most)) best = s;
    }
    return best ? rg__c_copy(x->t, best->end) : NULL;
}

struct rg_cnode *rg__invariant_end(struct rg__invariants *x, const struct rg_cnode *e, bool most)
{
    struct rg_ctree *t = x->t;
    if (x->unknown || e->pointer || !rg__scalar_is_int(e->type)) return NULL;
    if (rg__c_of_params(t, e)) return rg__c_copy(t, e);
    if (scalar(x, e) >= 0) return own_end(x, e->var, most);
    if (e->kind == RG_C_CAST) return rg_scalar_bytes(e->type) >= 4 ? rg__invariant_end(x, e->kid[0], most) : NULL;
    if (!rg_scalar_is_signed(e->type)) return NULL;
    if (e->kind == RG_C_COND) { /* of the smaller of two, either is enough */
        const struct rg_cnode *c = e->kid[0];
        bool lt = c->op == RG_COP_LT || c->op == RG_COP_LE, gt = c->op == RG_COP_GT || c->op == RG_COP_GE;
        bool same = (lt || gt) && rg__c_equal(c->kid[0], e->kid[1]) && rg__c_equal(c->kid[1], e->kid[2]);
        if (!same || lt != most) return NULL;
        struct rg_cnode *a = rg__invariant_end(x, e->kid[1], most);
        return a ? a : rg__invariant_end(x, e->kid[2], most);
    }
    if (e->n != 2) return NULL;
    int64_t by;
    const bool number =
        (rg__c_number(e->kid[1], &by) && by > 0) || (e->op == RG_COP_MUL && rg__c_number(e->kid[0], &by) && by > 0);
    const bool shift = e->op == RG_COP_SHR || e->op == RG_COP_SHL;
    const bool same_way =
        e->op == RG_COP_ADD || (number && (e->op == RG_COP_MUL || e->op == RG_COP_DIV || (shift && by < 31)));
    if (e->op != RG_COP_SUB && !same_way) return NULL;
    struct rg_cnode *a = rg__invariant_end(x, e->kid[0], most),
                    *b = rg__invariant_end(x, e->kid[1], e->op == RG_COP_SUB ? !most : most);
    return a && b ? rg__c_binary(t, e->op, a, b) : NULL;
}
