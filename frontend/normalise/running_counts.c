/* Counters that ask whether they have begun to count: a run's length goes on where it is more than 0 and the next
 * element joins, else it begins with 1.
 *     for (i..) { joins = len > 0 && near(x[i], x[i - 1]);  if (joins) len++; else len = 1; .. }
 * Nothing is more than 0 before the first iteration, and where the counter is 0, to go on and to begin come to the same
 * number. So the counter's next value asks for the iteration in its own place, and is a recurrence of which the rest is
 * computed:
 *     for (i..) { len' = len;  len = i > 0 && near(x[i], x[i - 1]) ? len + 1 : 1;  joins = len' > 0 && ..; .. }
 * What was asked only where the counter had begun is now asked in all iterations but the first: where the counter is 0
 * in one of these, it must be something that may be asked anywhere. */
#include "frontend/normalise/running_values.h"
#include "frontend/normalise/runs.h"
#include <stdlib.h>

enum { MOST_NODES = 300, MOST_CONDITIONS = 8, MOST_FACTS = 32 };

struct counts {
    struct rg_ctree *t;
    const struct rg_cnode *loop, *body;
    int var;
    struct rg_cnode **now; /* [variable] what it is, of what it was when the iteration began; NULL: that itself */
    bool *lost;            /* [variable] nobody knows */
    int n;
    const struct rg_cnode *asked[MOST_CONDITIONS]; /* conditions that the counter has nothing to do with */
    unsigned holds;                                /* ... which of them are taken to hold */
    bool begun;                                    /* so is `counter > 0` */
    bool asks;                                     /* it is asked somewhere */
    bool stays;                                    /* it is more than set to 1 and counted up by ones */
    bool failed;
};

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool is_counter(const struct counts *c, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return scalar(e) && e->var == c->var;
}

static bool is_number(const struct rg_cnode *e, int64_t v)
{
    int64_t is;
    return rg__c_number(rg__c_uncast(e, RG__C_WIDE_CASTS), &is) && is == v;
}

/* 1: counter > 0, 0 < counter, counter != 0, counter >= 1; -1: counter == 0, counter < 1, counter <= 0; 0: neither */
static int asks_begun(const struct counts *c, const struct rg_cnode *e)
{
    if (e->kind != RG_C_BINARY || !rg_c_relation(e->op)) return 0;
    const bool right = is_counter(c, e->kid[1]);
    if (!is_counter(c, e->kid[right])) return 0;
    const enum rg_c_op op = right ? rg_c_converse(e->op) : e->op;
    const bool zero = is_number(e->kid[!right], 0), one = is_number(e->kid[!right], 1);
    if ((zero && (op == RG_COP_GT || op == RG_COP_NE)) || (one && op == RG_COP_GE)) return 1;
    return (zero && (op == RG_COP_EQ || op == RG_COP_LE)) || (one && op == RG_COP_LT) ? -1 : 0;
}

/* ---- what conditions around an expression say of those in it ---- */

struct facts {
    struct rg_ctree *t;
    int n;
    const struct rg_cnode *what[MOST_FACTS];
    bool holds[MOST_FACTS];
};

/* Of which e is the truth, or the opposite: !x, x != 0, x == 0, (_Bool)x; NULL: it is no such form. */
static const struct rg_cnode *truth_of(const struct rg_cnode *e, bool *opposite)
{
    const bool equal = e->op == RG_COP_EQ;
    if (e->op == RG_COP_NOT || ((equal || e->op == RG_COP_NE) && is_number(e->kid[1], 0))) {
        if (e->op == RG_COP_NOT || equal) *opposite = !*opposite;
        return e->kid[0];
    }
    return e->kind == RG_C_CAST && (e->type == RG_BOOL || rg_c_relation(e->kid[0]->op)) ? e->kid[0] : NULL;
}

static bool is_none(const struct rg_cnode *e)
{
    return e->kind == RG_C_INT && !e->ivalue;
}

static void assume(struct facts *f, const struct rg_cnode *e, bool holds)
{
    bool opposite = !holds;
    const struct rg_cnode *of = truth_of(e, &opposite);
    if (f->n < MOST_FACTS) {
        f->what[f->n] = e;
        f->holds[f->n++] = holds;
    }
    if (of) {
        assume(f, of, !opposite);
    } else if ((e->op == RG_COP_AND && holds) || (e->op == RG_COP_OR && !holds)) {
        assume(f, e->kid[0], holds);
        assume(f, e->kid[1], holds);
    } else if (e->kind == RG_C_COND && holds && (is_none(e->kid[1]) || is_none(e->kid[2]))) {
        const bool first = is_none(e->kid[2]);
        assume(f, e->kid[0], first);
        assume(f, e->kid[first ? 1 : 2], true);
    }
}

/* 1: it holds, 0: it does not, -1: who knows */
static int decided(const struct facts *f, const struct rg_cnode *e)
{
    bool opposite = false;
    for (int k = 0; k < f->n; k++)
        if (rg__c_equal(f->what[k], e)) return f->holds[k];
    if (e->kind == RG_C_INT) return e->ivalue != 0;
    const struct rg_cnode *of = truth_of(e, &opposite);
    if (of) {
        const int is = decided(f, of);
        return is < 0 ? is : is != opposite;
    }
    if (rg_c_lazy(e->op)) {
        const int a = decided(f, e->kid[0]), b = decided(f, e->kid[1]), ends = e->op == RG_COP_OR;
        return a == ends || b == ends ? ends : a < 0 || b < 0 ? -1 : !ends;
    }
    if (e->kind != RG_C_COND) return -1;
    const int when = decided(f, e->kid[0]);
    return when < 0 ? -1 : decided(f, e->kid[when ? 1 : 2]);
}

/* e without conditions that others around them decide. */
static struct rg_cnode *simplified(struct facts *f, const struct rg_cnode *e)
{
    const int n = f->n;
    const bool lazy = rg_c_lazy(e->op);
    if (e->kind == RG_C_COND) {
        const int when = decided(f, e->kid[0]);
        if (when >= 0) return rg__c_cast(f->t, simplified(f, e->kid[when ? 1 : 2]), e->type);
    } else if (lazy || rg_c_relation(e->op) || e->op == RG_COP_NOT) {
        const int is = decided(f, e);
        if (is >= 0) return rg__c_cast(f->t, rg__c_int(f->t, is), e->type);
    }
    struct rg_cnode *c = rg__c_shallow(&f->t->arena, e);
    for (int i = 0; i < e->n; i++) {
        if (i && (lazy || e->kind == RG_C_COND)) {
            f->n = n;
            assume(f, e->kid[0], e->op == RG_COP_AND || (e->kind == RG_C_COND && i == 1));
        }
        c->kid[i] = simplified(f, e->kid[i]);
    }
    f->n = n;
    return c;
}

/* ---- what the counter is at the end of an iteration ---- */

static struct rg_cnode *of_begin(const struct counts *c, const struct rg_cnode *e)
{
    if (scalar(e) && c->lost[e->var]) return NULL;
    if (scalar(e) && c->now[e->var]) return rg__c_cast(c->t, rg__c_copy(c->t, c->now[e->var]), e->type);
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM || e->op == RG_COP_ADDRESS ||
        (e->kind == RG_C_CALL && !rg__c_pure(c->t, e)))
        return NULL;
    struct rg_cnode *n = rg__c_shallow(&c->t->arena, e);
    for (int i = 0; i < e->n; i++)
        if (!e->kid[i] || !(n->kid[i] = of_begin(c, e->kid[i]))) return NULL;
    return n;
}

/* The statement's effect on scalars. */
static void follow(struct counts *c, const struct rg_cnode *s)
{
    struct rg_ctree *t = c->t;
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    struct rg_cnode *value = NULL;
    int to = -1;
    if (s->kind == RG_C_DECL && s->array < 0 && !s->pointer) {
        to = s->var;
        value = s->n ? of_begin(c, s->kid[0]) : NULL;
    } else if (a && a->kind == RG_C_ASSIGN && scalar(a->kid[0])) {
        to = a->kid[0]->var;
        value =
            of_begin(c, a->op == RG_COP_SET ? a->kid[1] : rg__c_binary(t, rg_c_applied(a->op), a->kid[0], a->kid[1]));
    } else if (a && a->kind == RG_C_INCDEC && scalar(a->kid[0]) && rg_c_increments(a->op)) {
        to = a->kid[0]->var;
        value = of_begin(c, rg__c_binary(t, RG_COP_ADD, a->kid[0], rg__c_int(t, 1)));
    }
    struct facts none = {.t = t};
    if (value) value = simplified(&none, value);
    if (value && rg__c_size(value) > MOST_NODES) value = NULL;
    for (int v = 0; v < t->n_vars; v++)
        if (v != to && rg__c_writes_var(s, v)) c->lost[v] = true;
    if (to < 0) return;
    c->lost[to] = !value;
    c->now[to] = value ? rg__c_cast(t, value, t->vars[to].type) : NULL;
}

/* ---- the value where the counter is 0 ---- */

static int64_t value_of(struct counts *c, const struct rg_cnode *e);

/* Is it put together of numbers, conditions and the counter, rather than one of the conditions? */
static bool made_up(const struct counts *c, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT || is_counter(c, e)) return true;
    if (e->kind == RG_C_CAST && rg__scalar_is_int(e->type)) return made_up(c, e->kid[0]);
    if (e->kind == RG_C_COND) return made_up(c, e->kid[1]) && made_up(c, e->kid[2]);
    return e->op == RG_COP_NOT || rg_c_logic(e->op);
}

static bool truth(struct counts *c, const struct rg_cnode *e)
{
    if (e->op == RG_COP_NOT) return !truth(c, e->kid[0]);
    if (e->op == RG_COP_AND || e->op == RG_COP_OR) { // both sides, always: each condition met is noted
        const bool a = truth(c, e->kid[0]), b = truth(c, e->kid[1]);
        return e->op == RG_COP_AND ? a && b : a || b;
    }
    if (e->kind == RG_C_COND) {
        const bool when = truth(c, e->kid[0]), yes = truth(c, e->kid[1]), no = truth(c, e->kid[2]);
        return when ? yes : no;
    }
    const int begun = asks_begun(c, e);
    if (begun) {
        c->asks = true;
        return c->begun == (begun > 0);
    }
    if (e->kind == RG_C_BINARY && (e->op == RG_COP_EQ || e->op == RG_COP_NE) && made_up(c, e->kid[0]) &&
        made_up(c, e->kid[1]))
        return (value_of(c, e->kid[0]) == value_of(c, e->kid[1])) == (e->op == RG_COP_EQ);
    if (e->kind == RG_C_INT) return e->ivalue != 0;
    if (e->kind == RG_C_CAST && (e->type == RG_BOOL || (rg__scalar_is_int(e->type) && made_up(c, e->kid[0]))))
        return truth(c, e->kid[0]);
    int k = 0;
    while (k < c->n && !rg__c_equal(c->asked[k], e)) k++;
    if (rg__c_mentions_var(e, c->var) || k == MOST_CONDITIONS) {
        c->failed = true;
        return false;
    }
    if (k == c->n) c->asked[c->n++] = e;
    return c->holds >> k & 1;
}

static int64_t value_of(struct counts *c, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT) return e->ivalue;
    if (scalar(e) && e->var == c->var) return 0;
    if (e->kind == RG_C_CAST && rg__scalar_is_int(e->type) && e->type != RG_BOOL) {
        const int64_t v = value_of(c, e->kid[0]);
        c->failed = c->failed || v < 0 || v > 127; /* a byte holds it */
        return v;
    }
    if (e->kind == RG_C_COND) {
        const bool when = truth(c, e->kid[0]);
        const int64_t yes = value_of(c, e->kid[1]), no = value_of(c, e->kid[2]);
        return when ? yes : no;
    }
    if (e->op == RG_COP_ADD) return value_of(c, e->kid[0]) + value_of(c, e->kid[1]);
    if (made_up(c, e) || e->type == RG_BOOL) return truth(c, e);
    c->failed = true;
    return 0;
}

/* All that the counter may become: a number from 0 on, or itself and such a number more. */
static bool counts_up(struct counts *c, const struct rg_cnode *e)
{
    int64_t v;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (e->kind == RG_C_COND) return counts_up(c, e->kid[1]) && counts_up(c, e->kid[2]);
    if (is_counter(c, e)) return c->stays = true;
    if (e->kind == RG_C_INT) {
        c->stays = c->stays || e->ivalue != 1;
        return e->ivalue >= 0 && e->ivalue <= 127;
    }
    if (e->op != RG_COP_ADD || !rg__c_number(rg__c_uncast(e->kid[1], RG__C_WIDE_CASTS), &v)) return false;
    c->stays = c->stays || v != 1;
    return v >= 0 && v <= 127 && (is_counter(c, e->kid[0]) || counts_up(c, e->kid[0]));
}

/* Do going on and beginning come to the same, whichever of the conditions hold? */
static bool same_at_zero(struct counts *c, const struct rg_cnode *next)
{
    c->n = 0;
    c->holds = 0;
    for (unsigned all = 0; all < 1u << c->n || !all; all++) { /* conditions are met on the way */
        const int known = c->n;
        c->holds = all;
        c->begun = false;
        const int64_t as_it_is = value_of(c, next);
        c->begun = true;
        if (c->failed || value_of(c, next) != as_it_is || c->failed) return false;
        if (c->n > known && all) return false; /* the first round meets all: none is passed over */
    }
    return c->asks;
}

/* ---- what may be asked anywhere ---- */

/* Is the element read in every iteration, come what may? */
static bool always_read(const struct counts *c, const struct rg_cnode *e, const struct rg_cnode *n)
{
    if (n->kind == RG_C_IF) return always_read(c, e, n->kid[0]);
    if (n->kind == RG_C_INDEX && rg__c_same(n, e, RG__C_UNCAST)) return true;
    if (n->kind == RG_C_LOOP || n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return false;
    const int most = n->kind == RG_C_COND || rg_c_lazy(n->op) ? 1 : n->n;
    for (int i = 0; i < most; i++)
        if (n->kid[i] && always_read(c, e, n->kid[i])) return true;
    return false;
}

/* x[i] or x[i - 1] of an array that every iteration reads at i: the second is that of the iteration before. */
static bool element_there(const struct counts *c, const struct rg_cnode *e)
{
    int64_t ahead;
    if (e->n != 1 || e->pointer || rg__writes_array(c->body, e->array) ||
        !rg__runs_offset(rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS), c->loop->var, &ahead) || (ahead && ahead != -1))
        return false;
    struct rg_cnode *at = rg__c_var(c->t, c->loop->var), *here = rg__c_index(c->t, e->array, 1, &at);
    for (int i = 0; i < c->body->n; i++)
        if (always_read(c, here, c->body->kid[i])) return true;
    return false;
}

/* How many bits the integer's magnitude takes; 64 and more: it may overflow on its way. */
static int bits_of(const struct rg_cnode *e)
{
    int64_t v;
    if (rg__c_number(e, &v)) {
        int b = 1;
        for (v = v < 0 ? -(v + 1) : v; v; v >>= 1) b++;
        return b;
    }
    const int type = 8 * (int)rg_scalar_bytes(e->type);
    if (e->kind == RG_C_CAST && rg__scalar_is_int(e->kid[0]->type)) {
        const int b = bits_of(e->kid[0]);
        return b < type ? b : type;
    }
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB) {
        const int a = bits_of(e->kid[0]), b = bits_of(e->kid[1]);
        return (a > b ? a : b) + 1;
    }
    if (e->op == RG_COP_NEG) return bits_of(e->kid[0]) + 1;
    return type;
}

/* Nothing that is undefined for any values: no subscripts that data lead, no divisions, no sums that overflow. */
static bool may_be_asked(const struct counts *c, const struct rg_cnode *e)
{
    int64_t number;
    if (rg__c_number(e, &number)) return true;
    switch (e->kind) {
    case RG_C_REAL:
        return true;
    case RG_C_VAR:
        return e->array < 0 && !e->pointer && e->type != RG_STRUCT;
    case RG_C_INDEX:
        return element_there(c, e);
    case RG_C_CAST: /* a real number may be none of the integer's */
        if (rg__scalar_is_int(e->type) && !rg__scalar_is_int(e->kid[0]->type)) return false;
        break;
    case RG_C_MEMBER:
    case RG_C_COND:
        break;
    case RG_C_UNARY:
    case RG_C_BINARY: {
        const bool sum = e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_NEG,
                   real = rg_scalar_is_real(e->type) && (sum || e->op == RG_COP_MUL);
        if (!real && !rg_c_logic(e->op) && e->op != RG_COP_NOT &&
            !(sum && (!rg_scalar_is_signed(e->type) || bits_of(e) <= 8 * (int)rg_scalar_bytes(e->type))))
            return false;
        break;
    }
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!e->kid[i] || !may_be_asked(c, e->kid[i])) return false;
    return true;
}

/* ---- the rewriting ---- */

/* e with what `begun` says for `counter > 0`. */
static struct rg_cnode *asking(const struct counts *c, const struct rg_cnode *e, const struct rg_cnode *begun)
{
    const int is = asks_begun(c, e);
    if (is) {
        struct rg_cnode *copy = rg__c_copy(c->t, begun);
        return rg__c_cast(c->t, is > 0 ? copy : rg__negated(c->t, copy), e->type);
    }
    struct rg_cnode *n = rg__c_shallow(&c->t->arena, e);
    for (int i = 0; i < e->n; i++) n->kid[i] = asking(c, e->kid[i], begun);
    return n;
}

/* The counter of `c` asks whether it has begun: its next value, which does not; NULL. */
static struct rg_cnode *next_value(struct counts *c)
{
    const struct rg_cnode *l = c->loop;
    const enum rg_scalar type = c->t->vars[c->var].type;
    for (int i = 0; i < c->body->n; i++) follow(c, c->body->kid[i]);
    const struct rg_cnode *next = c->now[c->var], *lo = l->kid[0];
    if (c->lost[c->var] || !next || !counts_up(c, next) || !same_at_zero(c, next)) return NULL;
    /* an unsigned one may come around to 0 by itself, unless there are fewer iterations */
    const bool wraps = !rg_scalar_is_signed(type) && rg_scalar_bytes(type) < rg_scalar_bytes(c->t->vars[l->var].type);
    for (int k = 0; k < c->n && (c->stays || wraps); k++)
        if (!may_be_asked(c, c->asked[k])) return NULL;
    for (int a = 0; a < c->t->n_arrays; a++)
        if (rg__c_mentions_array(next, a) && rg__writes_array(c->body, a)) return NULL;
    return asking(c, next, rg__c_binary(c->t, RG_COP_GT, rg__c_var(c->t, l->var), rg__c_copy(c->t, lo)));
}

static bool rewrite(struct rg_ctree *t, const struct rg_cnode *block, int at, struct rg_cnode *loop,
                    struct rg_cnode *body, int var)
{
    int64_t first;
    const struct rg_cnode *begin = rg__runs_begin(t, block, at, var);
    if (!begin || !rg__c_number(rg__c_uncast(begin, RG__C_WIDE_CASTS), &first) || first) return false;
    const size_t n = (size_t)t->n_vars + 1;
    struct counts c = {.t = t, .loop = loop, .body = body, .var = var};
    c.now = rg_xcalloc(n, sizeof *c.now);
    c.lost = rg_xcalloc(n, sizeof *c.lost);
    struct rg_cnode *next = next_value(&c);
    free(c.now);
    free(c.lost);
    if (!next) return false;
    struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), loop);
    d->var = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
    d->type = t->vars[var].type;
    d->kid[0] = rg__c_var(t, var);
    struct rg__kids all = {0};
    rg__kids_add(&all, d);
    rg__kids_add(&all, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), next)), loop));
    for (int i = 0; i < body->n; i++)
        rg__kids_add(&all, rg__c_replace_var(t, rg__c_copy(t, body->kid[i]), var, rg__c_var(t, d->var)));
    rg__block_splice(t, body, 0, body->n, &all);
    return true;
}

bool rg__running_counts(struct rg_ctree *t, const struct rg_cnode *block, int at, struct rg_cnode *body)
{
    struct rg_cnode *loop = block->kid[at];
    bool any = false;
    int64_t first;
    if (loop->n != 3 || loop->step != 1 || !rg__c_of_params(t, loop->kid[0])) return false;
    if (loop->kid[0]->type != t->vars[loop->var].type && (!rg__c_number(loop->kid[0], &first) || first < 0))
        return false;
    for (int v = 0, n = t->n_vars; v < n; v++) {
        const enum rg_scalar type = t->vars[v].type;
        if (t->vars[v].kind == RG_CVAR_LOCAL && rg__scalar_is_int(type) && rg_scalar_bytes(type) >= 4 &&
            v != loop->var && rg__c_writes_var(body, v) && !rg__c_declares(body, v))
            any |= rewrite(t, block, at, loop, body, v);
    }
    return any;
}
