/* What an iteration makes of an automaton's states: its body, followed with the numbers that the scalars may hold, and
 * written down for each state. */
#include "frontend/normalise/automata.h"
#include <stdlib.h>
#include <string.h>

static const struct rg__values unknown = {.n = -1};

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* ---- sets ---- */

int rg__values_place(const struct rg__values *s, int64_t v)
{
    for (int i = 0; i < s->n; i++)
        if (s->v[i] == v) return i;
    return -1;
}

static void add(struct rg__values *s, int64_t v)
{
    int i = s->n;
    if (s->n < 0 || rg__values_place(s, v) >= 0) return;
    if (s->n == RG__AUTOMATON_STATES) {
        s->n = -1;
        return;
    }
    for (; i > 0 && s->v[i - 1] > v; i--) s->v[i] = s->v[i - 1];
    s->v[i] = v;
    s->n++;
}

static struct rg__values joined(struct rg__values a, const struct rg__values *b)
{
    if (b->n < 0) return unknown;
    for (int i = 0; i < b->n; i++) add(&a, b->v[i]);
    return a;
}

static struct rg__values range(int64_t least, int64_t most)
{
    struct rg__values s = {.n = 0};
    if ((uint64_t)most - (uint64_t)least >= RG__AUTOMATON_STATES) return unknown;
    for (int64_t v = least;; v++) { /* the last one may be the largest there is */
        add(&s, v);
        if (v == most) return s;
    }
}

/* 1: none of them is 0; 0: they all are; -1. */
static int truth(const struct rg__values *s)
{
    bool zero = rg__values_place(s, 0) >= 0;
    return s->n <= 0 ? -1 : !zero ? 1 : s->n == 1 ? 0 : -1;
}

/* ---- a place of the code ---- */

struct follow {
    struct rg__automaton *a;
    const int *slot; /* [var] of those that are wanted; else -1 */
    int n_slots;
    int *now;   /* [slot] the variable that stands for it in what is written; NULL: nothing is written */
    bool *made; /* [slot] ... for all states together: its declaration is passed over */
};

static struct rg__values values(const struct follow *f, const struct rg__values *env, const struct rg_cnode *e);

/* The operator on each of them; of what no type holds nothing is known. */
static struct rg__values operated(const struct follow *f, const struct rg_cnode *e, const struct rg__values *a,
                                  const struct rg__values *b)
{
    struct rg_ctree *t = f->a->t;
    struct rg__values r = {.n = 0};
    if (a->n < 0 || (b && b->n < 0)) return unknown;
    for (int i = 0; i < a->n && r.n >= 0; i++)
        for (int j = 0; j < (b ? b->n : 1) && r.n >= 0; j++) {
            struct rg_cnode *x = rg__c_shallow(&t->arena, e);
            int64_t v;
            for (int k = 0; k < e->n; k++) {
                x->kid[k] = rg__c_int(t, k ? b->v[j] : a->v[i]);
                x->kid[k]->type = e->kid[k]->type;
            }
            if (!rg__c_number(x, &v)) return unknown;
            add(&r, v);
        }
    return r;
}

static struct rg__values of_binary(const struct follow *f, const struct rg__values *env, const struct rg_cnode *e)
{
    struct rg__values a = values(f, env, e->kid[0]), b = values(f, env, e->kid[1]), r;
    int64_t m;
    if (e->op == RG_COP_AND && (truth(&a) == 0 || truth(&b) == 0)) return range(0, 0);
    if (e->op == RG_COP_OR && (truth(&a) == 1 || truth(&b) == 1)) return range(1, 1);
    r = operated(f, e, &a, &b);
    if (r.n >= 0) return r;
    if (rg_c_relation(e->op) || rg_c_logic(e->op)) return range(0, 1);
    if (e->op == RG_COP_BAND)
        for (int k = 0; k < 2; k++)
            if (rg__c_number(e->kid[k], &m) && m >= 0 && m < RG__AUTOMATON_STATES) return range(0, m);
    if (e->op == RG_COP_REM && rg__c_number(e->kid[1], &m) && m > 0 && m <= RG__AUTOMATON_STATES &&
        !rg_scalar_is_signed(e->kid[0]->type))
        return range(0, m - 1);
    return unknown;
}

static struct rg__values values(const struct follow *f, const struct rg__values *env, const struct rg_cnode *e)
{
    struct rg__values r = {.n = 0}, a, b;
    int64_t v;
    if (e->pointer || !rg__scalar_is_int(e->type)) return unknown;
    if (rg__c_number(e, &v)) return range(v, v);
    switch (e->kind) {
    case RG_C_VAR:
        return is_scalar(e) && e->var < f->a->n_vars && f->slot[e->var] >= 0 ? env[f->slot[e->var]] : unknown;
    case RG_C_CAST:
        a = values(f, env, e->kid[0]);
        if (a.n < 0) return e->type == RG_BOOL ? range(0, 1) : unknown;
        for (int i = 0; i < a.n; i++) {
            v = a.v[i];
            if (!rg__c_convert(&v, e->type)) return unknown;
            add(&r, v);
        }
        return r;
    case RG_C_UNARY:
        a = values(f, env, e->kid[0]);
        r = operated(f, e, &a, NULL);
        return r.n < 0 && e->op == RG_COP_NOT ? range(0, 1) : r;
    case RG_C_BINARY:
        return of_binary(f, env, e);
    case RG_C_COND:
        a = values(f, env, e->kid[0]);
        if (truth(&a) >= 0) return values(f, env, e->kid[truth(&a) ? 1 : 2]);
        a = values(f, env, e->kid[1]);
        b = values(f, env, e->kid[2]);
        return a.n < 0 ? unknown : joined(a, &b);
    case RG_C_INDEX: {
        const struct rg_carray *x = &f->a->t->arrays[e->array];
        return x->constant_table && x->bounded && e->n == x->n_dims ? range(x->least, x->most) : unknown;
    }
    default:
        return unknown;
    }
}

/* ---- written down ---- */

static struct rg_cnode *written(const struct follow *f, const struct rg__values *env, const struct rg_cnode *e)
{
    struct rg_ctree *t = f->a->t;
    const struct rg__values is = values(f, env, e);
    struct rg_cnode *one = is.n == 1 ? rg__c_int_of(t, is.v[0], e->type) : NULL;
    if (one) return one;
    if (is_scalar(e) && e->var < f->a->n_vars && f->slot[e->var] >= 0) return rg__c_var(t, f->now[f->slot[e->var]]);
    if (rg_c_lazy(e->op) && e->kind == RG_C_BINARY)
        for (int k = 0; k < 2; k++) {
            struct rg__values side = values(f, env, e->kid[k]);
            if (truth(&side) != (e->op == RG_COP_AND)) continue;
            struct rg_cnode *x = written(f, env, e->kid[1 - k]);
            return rg__c_binary(t, RG_COP_NE, x, rg__c_cast(t, rg__c_int(t, 0), x->type));
        }
    if (e->kind == RG_C_COND) {
        struct rg__values c = values(f, env, e->kid[0]);
        if (truth(&c) >= 0) return rg__c_cast(t, written(f, env, e->kid[truth(&c) ? 1 : 2]), e->type);
    }
    struct rg_cnode *x = rg__c_shallow(&t->arena, e);
    for (int i = 0; i < e->n; i++) x->kid[i] = written(f, env, e->kid[i]);
    return x;
}

/* What a statement of its own gives the scalar. */
static struct rg_cnode *value_of(const struct follow *f, const struct rg_cnode *e)
{
    struct rg_ctree *t = f->a->t;
    const int v = e->kid[0]->var;
    struct rg_cnode *value;
    if (e->kind == RG_C_INCDEC)
        value = rg__c_binary(t, rg_c_increments(e->op) ? RG_COP_ADD : RG_COP_SUB, rg__c_var(t, v), rg__c_int(t, 1));
    else if (e->op == RG_COP_SET)
        value = e->kid[1];
    else
        value = rg__c_binary(t, rg_c_applied(e->op), rg__c_var(t, v), e->kid[1]);
    return rg__c_cast(t, value, t->vars[v].type);
}

static bool sets(const struct follow *f, const struct rg_cnode *n)
{
    if (!n) return false;
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    if ((e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) && is_scalar(e->kid[0]))
        return e->kid[0]->var < f->a->n_vars && f->slot[e->kid[0]->var] >= 0;
    if (n->kind == RG_C_DECL) return n->array < 0 && f->slot[n->var] >= 0;
    for (int i = 0; i < n->n && !rg__c_is_expr(n); i++)
        if (sets(f, n->kid[i])) return true;
    return false;
}

/* The scalar that the condition says is one of some numbers, its slot; -1. Those: to the set. */
static int one_of(const struct follow *f, const struct rg_cnode *c, struct rg__values *is)
{
    int64_t v;
    if (c->kind != RG_C_BINARY) return -1;
    if (c->op == RG_COP_OR) {
        const int a = one_of(f, c->kid[0], is);
        return a >= 0 && one_of(f, c->kid[1], is) == a ? a : -1;
    }
    for (int k = 0; k < 2 && c->op == RG_COP_EQ; k++) {
        const struct rg_cnode *e = rg__c_uncast(c->kid[k], RG__C_WIDE_CASTS);
        if (!is_scalar(e) || e->var >= f->a->n_vars || f->slot[e->var] < 0 || !rg__c_number(c->kid[1 - k], &v) ||
            !rg__scalar_is_int(e->type) || rg_scalar_bytes(e->type) > 4 || v < 0 ||
            v > INT8_MAX) /* which no conversion changes */
            continue;
        add(is, v);
        return f->slot[e->var];
    }
    return -1;
}

/* Is the scalar of that slot named? */
static bool names(const struct follow *f, const struct rg_cnode *e, int slot)
{
    if (is_scalar(e) && e->var < f->a->n_vars && f->slot[e->var] == slot) return true;
    for (int i = 0; i < e->n; i++)
        if (names(f, e->kid[i], slot)) return true;
    return false;
}

/* What is known where the condition holds, or does not: numbers that decide it the other way are left out. */
static void learn(const struct follow *f, struct rg__values *env, const struct rg_cnode *c, bool holds)
{
    struct rg__values is = {.n = 0};
    if (c->kind == RG_C_UNARY && c->op == RG_COP_NOT) {
        learn(f, env, c->kid[0], !holds);
        return;
    }
    if (c->kind == RG_C_BINARY && c->op == (holds ? RG_COP_AND : RG_COP_OR))
        for (int k = 0; k < 2; k++) learn(f, env, c->kid[k], holds);
    const int slot = holds ? one_of(f, c, &is) : -1;
    if (slot >= 0 && env[slot].n < 0) env[slot] = is;
    for (int s = 0; s < f->n_slots; s++) {
        const struct rg__values was = env[s];
        struct rg__values left = {.n = 0};
        if (was.n < 2 || !names(f, c, s)) continue;
        for (int i = 0; i < was.n; i++) {
            env[s] = range(was.v[i], was.v[i]);
            const struct rg__values say = values(f, env, c);
            if (truth(&say) != !holds) add(&left, was.v[i]);
        }
        env[s] = left.n ? left : was;
    }
}

static void follow(struct follow *f, struct rg__values *env, const struct rg_cnode *n, struct rg__kids *out)
{
    struct rg_ctree *t = f->a->t;
    if (!n || !sets(f, n)) return;
    if (n->kind == RG_C_BLOCK)
        for (int i = 0; i < n->n; i++) follow(f, env, n->kid[i], out);
    if (n->kind == RG_C_IF) {
        struct rg__values c = values(f, env, n->kid[0]);
        if (truth(&c) >= 0) {
            const int arm = truth(&c) ? 1 : 2;
            if (arm < n->n) follow(f, env, n->kid[arm], out);
            return;
        }
        struct rg__values *other = rg_xcalloc((size_t)f->n_slots, sizeof *other);
        struct rg__kids yes = {0}, no = {0};
        struct rg_cnode *x = out ? rg__c_stands(rg_cnode_new(t, RG_C_IF, 3), n) : NULL;
        memcpy(other, env, sizeof *other * (size_t)f->n_slots);
        if (out) x->kid[0] = written(f, env, n->kid[0]);
        learn(f, env, n->kid[0], true);
        learn(f, other, n->kid[0], false);
        follow(f, env, n->kid[1], out ? &yes : NULL);
        if (n->n > 2) follow(f, other, n->kid[2], out ? &no : NULL);
        for (int i = 0; i < f->n_slots; i++) env[i] = env[i].n < 0 ? unknown : joined(env[i], &other[i]);
        free(other);
        if (!out) return;
        if (!no.n) x->n = 2;
        x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &yes);
        if (x->n > 2) x->kid[2] = rg__kids_node(t, RG_C_BLOCK, &no);
        rg__kids_add(out, x);
        return;
    }
    if (n->kind != RG_C_STMT && n->kind != RG_C_DECL) return;
    const int v = n->kind == RG_C_DECL ? n->var : n->kid[0]->kid[0]->var, s = f->slot[v];
    if (out && f->made[s]) return;
    struct rg_cnode *value = n->kind == RG_C_STMT ? value_of(f, n->kid[0])
                             : n->n               ? rg__c_cast(t, n->kid[0], t->vars[v].type)
                                                  : NULL;
    struct rg_cnode *to = out && value ? written(f, env, value) : NULL;
    env[s] = value ? values(f, env, value) : unknown;
    if (!to) return;
    if (env[s].n == 1) to = rg__c_cast(t, rg__c_int(t, env[s].v[0]), t->vars[v].type);
    rg__kids_add(out, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, f->now[s]), to)), n));
}

/* ---- all states ---- */

static void begin(const struct follow *f, struct rg__values *env, int state)
{
    for (int i = 0; i < f->n_slots; i++) env[i] = unknown;
    for (int k = 0; k < f->a->n; k++) {
        const struct rg__values *of = &f->a->of[k];
        env[f->slot[f->a->var[k]]] = range(of->v[state % of->n], of->v[state % of->n]);
        state /= of->n;
    }
}

static struct follow opened(struct rg__automaton *a)
{
    struct follow f = {.a = a};
    int *slot = rg_xmalloc(sizeof *slot * ((size_t)a->n_vars + 1));
    for (int v = 0; v < a->n_vars; v++) slot[v] = a->wanted[v] ? f.n_slots++ : -1;
    f.slot = slot;
    return f;
}

static bool count_states(struct rg__automaton *a)
{
    a->states = 1;
    for (int k = 0; k < a->n; k++) {
        if (a->of[k].n < 0) return false;
        a->states *= a->of[k].n;
        if (a->states > RG__AUTOMATON_STATES) return false;
    }
    for (a->bits = 1; 1 << a->bits < a->states;) a->bits++;
    return true;
}

bool rg__automaton_states(struct rg__automaton *a)
{
    struct follow f = opened(a);
    struct rg__values *env = rg_xcalloc((size_t)f.n_slots, sizeof *env);
    bool ok, more = true;
    for (int k = 0; k < a->n; k++) a->of[k] = range(a->first[k], a->first[k]);
    for (ok = count_states(a); ok && more;) {
        struct rg__values grown[RG__AUTOMATON_SCALARS];
        memcpy(grown, a->of, sizeof grown);
        for (int s = 0; s < a->states; s++) {
            begin(&f, env, s);
            follow(&f, env, a->body, NULL);
            for (int k = 0; k < a->n; k++) {
                const struct rg__values *end = &env[f.slot[a->var[k]]];
                grown[k] = grown[k].n < 0 ? unknown : joined(grown[k], end);
            }
        }
        more = false;
        for (int k = 0; k < a->n; k++) more |= grown[k].n != a->of[k].n;
        memcpy(a->of, grown, sizeof grown);
        ok = count_states(a);
    }
    free(env);
    free((void *)f.slot);
    return ok && a->states > 1;
}

/* The number of what all of them hold, behind the body. */
static struct rg_cnode *code(const struct follow *f, const struct rg__values *env)
{
    struct rg_ctree *t = f->a->t;
    struct rg_cnode *all = NULL;
    int64_t number = 0, stride = 1;
    for (int k = 0; k < f->a->n; k++) {
        const struct rg__values *of = &f->a->of[k], *is = &env[f->slot[f->a->var[k]]];
        struct rg_cnode *v = rg__c_var(t, f->now[f->slot[f->a->var[k]]]), *place = NULL;
        if (is->n == 1) {
            number += stride * rg__values_place(of, is->v[0]);
        } else if (of->v[of->n - 1] - of->v[0] == of->n - 1) {
            place = rg__c_cast(t, v, RG_I32);
            if (of->v[0]) place = rg__c_binary(t, RG_COP_SUB, place, rg__c_cast(t, rg__c_int(t, of->v[0]), RG_I32));
        } else {
            for (int i = 0; i < is->n; i++) {
                struct rg_cnode *n = rg__c_int(t, rg__values_place(of, is->v[i]));
                struct rg_cnode *same =
                    rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, v), rg__c_cast(t, rg__c_int(t, is->v[i]), v->type));
                place = place ? rg__c_choice(t, same, n, place) : n;
            }
        }
        if (place && stride > 1) place = rg__c_binary(t, RG_COP_MUL, place, rg__c_int(t, stride));
        if (place) all = all ? rg__c_binary(t, RG_COP_ADD, all, place) : place;
        stride *= of->n;
    }
    if (!all) return rg__c_int(t, number);
    return number ? rg__c_binary(t, RG_COP_ADD, all, rg__c_int(t, number)) : all;
}

/* Scalars that one declaration of the iteration gives their value, whatever the state: they stand in front of all. */
static void common(struct follow *f, struct rg__values *env, struct rg__kids *out)
{
    struct rg__automaton *a = f->a;
    const struct rg_cnode *b = a->body;
    for (int i = 0; i < b->n; i++) {
        const struct rg_cnode *d = b->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || f->slot[d->var] < 0 || a->led[d->var] || !d->n) continue;
        bool once = true;
        for (int k = 0; k < b->n; k++) once = once && (k == i || !rg__c_writes_var(b->kid[k], d->var));
        for (int v = 0; v < a->n_vars && once; v++) /* and so is what it is made of */
            once = f->slot[v] < 0 || f->made[f->slot[v]] || !rg__c_mentions_var(d->kid[0], v);
        if (!once) continue;
        const int s = f->slot[d->var];
        f->now[s] = rg__c_add_var(a->t, a->t->vars[d->var].name, RG_CVAR_LOCAL, a->t->vars[d->var].type);
        rg__kids_add(out, rg__c_declaration(a->t, f->now[s], written(f, env, d->kid[0]), d));
        f->made[s] = true;
    }
}

void rg__automaton_words(struct rg__automaton *a, int w, struct rg__kids *out)
{
    struct rg_ctree *t = a->t;
    struct follow f = opened(a);
    struct rg__values *env = rg_xcalloc((size_t)f.n_slots, sizeof *env);
    const enum rg_scalar word = t->vars[w].type;
    f.now = rg_xcalloc((size_t)f.n_slots, sizeof *f.now);
    f.made = rg_xcalloc((size_t)f.n_slots, sizeof *f.made);
    begin(&f, env, 0);
    for (int i = 0; i < f.n_slots; i++) env[i] = unknown;
    common(&f, env, out);
    for (int s = 0; s < a->states; s++) {
        begin(&f, env, s);
        for (int v = 0; v < a->n_vars; v++) {
            if (f.slot[v] < 0 || f.made[f.slot[v]]) continue;
            f.now[f.slot[v]] = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
            const struct rg__values *is = &env[f.slot[v]];
            struct rg_cnode *from = rg__c_cast(t, rg__c_int(t, is->n == 1 ? is->v[0] : 0), t->vars[v].type);
            rg__kids_add(out, rg__c_declaration(t, f.now[f.slot[v]], from, a->loop));
        }
        follow(&f, env, a->body, out);
        struct rg_cnode *field = rg__c_cast(t, code(&f, env), word);
        if (s) field = rg__c_binary(t, RG_COP_SHL, field, rg__c_int(t, s * a->bits));
        rg__kids_add(out,
                     rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_BOR_SET, rg__c_var(t, w), field)), a->loop));
    }
    free(env);
    free(f.now);
    free(f.made);
    free((void *)f.slot);
}

/* ---- tables ---- */

bool rg__automaton_inside(const struct rg__automaton *a, const struct rg_cnode *index, int d)
{
    const struct rg_carray *x = &a->t->arrays[index->array];
    const struct rg_cnode *e = rg__c_uncast(index->kid[d], RG__C_WIDE_CASTS);
    if (!x->constant_table || index->n != x->n_dims || !x->dims[d] || x->dims[d]->kind != RG_EXPR_INT) return false;
    for (int k = 0; k < a->n && is_scalar(e); k++)
        if (a->var[k] == e->var) return a->of[k].v[0] >= 0 && a->of[k].v[a->of[k].n - 1] < x->dims[d]->value;
    return false;
}
