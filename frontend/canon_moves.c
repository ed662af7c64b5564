/* Pointers that move between arrays (a = b; b = tmp;) and indices that toggle (cur = 1 - cur). The state is what each
 * name stands for; a loop whose body leads from its state back to it in p iterations is written out p times, each copy
 * over the arrays themselves, with the trips that are left over behind it. What follows is chosen by their number. */
#include "frontend/canon.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PERIOD = 4, MAX_FORKS = 6, MAX_NODES = 40000, MAX_TRIPS = 64 };

struct state {
    int *stands_for; /* [array] an array; -1 unknown */
    bool *known;     /* [var] */
    int64_t *value;
};

struct moves {
    struct rg_ctree *t;
    int n_arrays, n_vars; /* when the pass began */
    bool *toggles;        /* [var] replaced by its value where that is known */
    bool *hidden;         /* [var] its address is taken */
    bool any;             /* something moved or toggled */
    bool failed;
    int forks, depth;     /* loops around */
    int mod_var, mod, residue; /* in a copy of a body: the loop's variable leaves this rest; -1 */
    long nodes;
};

static struct state state_new(const struct moves *m)
{
    size_t a = (size_t)m->n_arrays + 1, v = (size_t)m->n_vars + 1;
    struct state s = {rg_xcalloc(a, sizeof(int)), rg_xcalloc(v, 1), rg_xcalloc(v, sizeof(int64_t))};
    return s;
}

static void state_free(struct state *s)
{
    free(s->stands_for);
    free(s->known);
    free(s->value);
}

static void state_set(const struct moves *m, struct state *to, const struct state *from)
{
    memcpy(to->stands_for, from->stands_for, sizeof(int) * (size_t)m->n_arrays);
    memcpy(to->known, from->known, (size_t)m->n_vars);
    memcpy(to->value, from->value, sizeof(int64_t) * (size_t)m->n_vars);
}

static struct state state_copy(const struct moves *m, const struct state *from)
{
    struct state s = state_new(m);
    state_set(m, &s, from);
    return s;
}

/* ---- what statements do to it ---- */

static int pointer_name(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->pointer ? e->array : -1;
}

/* p = q as a statement: p; -1 otherwise. */
static int moved_by(const struct rg_cnode *s)
{
    if (s->kind != RG_C_STMT || s->kid[0]->kind != RG_C_ASSIGN || strcmp(s->kid[0]->text, "=")) return -1;
    return pointer_name(s->kid[0]->kid[0]);
}

static bool moves_any(const struct rg_cnode *n)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && pointer_name(n->kid[0]) >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (moves_any(n->kid[i])) return true;
    return false;
}

static bool local_int(const struct moves *m, int var)
{
    return var >= 0 && var < m->n_vars && m->t->vars[var].kind == RG_CVAR_LOCAL && !m->hidden[var] &&
           rg__scalar_is_int(m->t->vars[var].type) && rg_scalar_bytes(m->t->vars[var].type) >= 4 &&
           !strchr(m->t->vars[var].c_type, '*');
}

static bool evaluate(const struct moves *m, const struct state *s, const struct rg_cnode *e, int64_t *v);

/* e modulo q, where that follows from what the loop variable leaves. */
static bool rest_of(const struct moves *m, const struct state *s, const struct rg_cnode *e, int64_t q, int64_t *v)
{
    int64_t a, b;
    if (m->mod_var < 0 || q <= 0 || m->mod % q) return false;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == m->mod_var) {
        *v = m->residue % q;
        return true;
    }
    if (e->kind == RG_C_CAST && rg__scalar_is_int(e->type)) return rest_of(m, s, e->kid[0], q, v);
    if (e->kind == RG_C_BINARY && !e->text[1] && strchr("+-*", e->text[0])) {
        if (!rest_of(m, s, e->kid[0], q, &a) || !rest_of(m, s, e->kid[1], q, &b)) return false;
        *v = e->text[0] == '+' ? a + b : e->text[0] == '-' ? a - b + q : a * b;
        *v %= q;
        return true;
    }
    if (!evaluate(m, s, e, &a)) return false;
    *v = (a % q + q) % q;
    return true;
}

static bool evaluate(const struct moves *m, const struct state *s, const struct rg_cnode *e, int64_t *v)
{
    int64_t a, b;
    if (e->kind == RG_C_BINARY && !strcmp(e->text, "%") && e->kid[1]->kind == RG_C_INT &&
        rest_of(m, s, e->kid[0], e->kid[1]->ivalue, v))
        return true;
    if (e->kind == RG_C_BINARY && !strcmp(e->text, "&") && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1 &&
        rest_of(m, s, e->kid[0], 2, v))
        return true;
    switch (e->kind) {
    case RG_C_INT:
        *v = e->ivalue;
        return true;
    case RG_C_VAR:
        if (e->array >= 0 || !local_int(m, e->var) || !s->known[e->var]) return false;
        *v = s->value[e->var];
        return true;
    case RG_C_CAST:
        return rg__scalar_is_int(e->type) && evaluate(m, s, e->kid[0], v) && *v >= 0 && *v < 128;
    case RG_C_UNARY:
        if (!evaluate(m, s, e->kid[0], &a)) return false;
        *v = e->text[0] == '!' ? !a : e->text[0] == '-' ? -a : e->text[0] == '~' ? ~a : a;
        return strchr("!-~+", e->text[0]) && *v > -128 && *v < 128;
    case RG_C_COND:
        return evaluate(m, s, e->kid[0], &a) && evaluate(m, s, e->kid[a ? 1 : 2], v);
    case RG_C_BINARY:
        if (!evaluate(m, s, e->kid[0], &a) || !evaluate(m, s, e->kid[1], &b)) return false;
        if (llabs(a) > 1 << 20 || llabs(b) > 1 << 20) return false;
        if (!strcmp(e->text, "+")) *v = a + b;
        else if (!strcmp(e->text, "-")) *v = a - b;
        else if (!strcmp(e->text, "*")) *v = a * b;
        else if (!strcmp(e->text, "^")) *v = a ^ b;
        else if (!strcmp(e->text, "&")) *v = a & b;
        else if (!strcmp(e->text, "|")) *v = a | b;
        else if (!strcmp(e->text, "==")) *v = a == b;
        else if (!strcmp(e->text, "!=")) *v = a != b;
        else if (!strcmp(e->text, "<")) *v = a < b;
        else if (!strcmp(e->text, ">")) *v = a > b;
        else if (!strcmp(e->text, "%") && b > 0 && a >= 0) *v = a % b;
        else if (!strcmp(e->text, "/") && b > 0 && a >= 0) *v = a / b;
        else return false;
        return true;
    default:
        return false;
    }
}

static void forget_written(const struct moves *m, struct state *s, const struct rg_cnode *n)
{
    for (int v = 0; v < m->n_vars; v++)
        if (s->known[v] && rg__c_writes_var(n, v)) s->known[v] = false;
}

/* An integer local after the statement; false: the statement is of another kind. */
static bool note_scalar(const struct moves *m, struct state *s, const struct rg_cnode *n)
{
    int var = -1;
    int64_t v = 0;
    bool known = false;
    if (n->kind == RG_C_DECL && n->array < 0) {
        var = n->var;
        known = n->n && evaluate(m, s, n->kid[0], &v);
    } else if (n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_ASSIGN && n->kid[0]->kid[0]->kind == RG_C_VAR &&
               n->kid[0]->kid[0]->array < 0) {
        const struct rg_cnode *a = n->kid[0];
        var = a->kid[0]->var;
        known = evaluate(m, s, a->kid[1], &v);
        if (known && strcmp(a->text, "=")) {
            char op[3] = {a->text[0], 0, 0};
            struct rg_cnode *kids[2] = {a->kid[0], a->kid[1]}, both = {.kind = RG_C_BINARY, .text = op, .n = 2, .kid = kids};
            known = a->text[1] == '=' && evaluate(m, s, &both, &v);
        }
    } else if (n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_INCDEC && n->kid[0]->kid[0]->kind == RG_C_VAR &&
               n->kid[0]->kid[0]->array < 0) {
        var = n->kid[0]->kid[0]->var;
        known = evaluate(m, s, n->kid[0]->kid[0], &v);
        v += strchr(n->kid[0]->text, '+') ? 1 : -1;
    } else {
        return false;
    }
    if (var < 0 || var >= m->n_vars) return true;
    s->known[var] = known && local_int(m, var) && v > -64 && v < 64;
    s->value[var] = v;
    return true;
}

/* Pointer value as an array; -1. */
static int resolve(const struct moves *m, const struct state *s, const struct rg_cnode *e)
{
    int64_t c;
    while (e->kind == RG_C_CAST && e->n == 1) e = e->kid[0];
    if (e->kind == RG_C_COND && e->n == 3 && evaluate(m, s, e->kid[0], &c)) return resolve(m, s, e->kid[c ? 1 : 2]);
    int a = pointer_name(e);
    return a >= 0 && a < m->n_arrays ? s->stands_for[a] : -1;
}

static bool is_zero(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && e->n == 1) e = e->kid[0];
    return e->kind == RG_C_INT && e->ivalue == 0;
}

/* Follows the body once; false: it moves pointers in a way that is not followed. */
static bool simulate(const struct moves *m, struct state *s, const struct rg_cnode *body)
{
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *n = body->kid[i];
        int p = moved_by(n), to;
        int64_t c, lo, hi;
        if (p >= 0) {
            to = resolve(m, s, n->kid[0]->kid[1]);
            if (to < 0 && !is_zero(n->kid[0]->kid[1])) return false;
            s->stands_for[p] = to;
        } else if (n->kind == RG_C_BLOCK) {
            if (!simulate(m, s, n)) return false;
        } else if (n->kind == RG_C_IF && evaluate(m, s, n->kid[0], &c)) {
            const struct rg_cnode *arm = c ? n->kid[1] : n->n > 2 ? n->kid[2] : NULL;
            if (arm && !simulate(m, s, arm)) return false;
        } else if (n->kind == RG_C_LOOP && n->n == 3 && n->step == 1 && moves_any(n) && evaluate(m, s, n->kid[0], &lo) &&
                   evaluate(m, s, n->kid[1], &hi) && hi - lo <= MAX_TRIPS) {
            for (; lo < hi; lo++)
                if (!simulate(m, s, n->kid[2])) return false;
        } else if (!note_scalar(m, s, n)) {
            if (moves_any(n)) return false;
            forget_written(m, s, n);
        }
    }
    return true;
}

/* ---- rewriting ---- */

static struct rg_cnode *substitute(struct moves *m, const struct state *s, struct rg_cnode *n)
{
    struct rg_ctree *t = m->t;
    if (!n) return NULL;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var >= 0 && n->var < m->n_vars && m->toggles[n->var] && s->known[n->var])
        return rg__c_cast(t, rg__c_int(t, s->value[n->var]), t->vars[n->var].type);
    int64_t c;
    if (n->kind == RG_C_COND && n->n == 3 && evaluate(m, s, n->kid[0], &c)) return substitute(m, s, n->kid[c ? 1 : 2]);
    if (n->array >= 0 && n->array < m->n_arrays) {
        int to = s->stands_for[n->array];
        if (to < 0 || (n->kind == RG_C_INDEX && t->arrays[to].n_dims != t->arrays[n->array].n_dims) ||
            t->arrays[to].elem != t->arrays[n->array].elem)
            m->failed = true;
        else
            n->array = to;
    }
    bool target = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        if (target && i == 0 && k && k->kind == RG_C_VAR && k->array < 0) continue;
        n->kid[i] = substitute(m, s, n->kid[i]);
    }
    if (n->kind == RG_C_BINARY && n->n == 2 && (!strcmp(n->text, "==") || !strcmp(n->text, "!="))) {
        int a = pointer_name(n->kid[0]), b = pointer_name(n->kid[1]);
        if (a >= 0 && b >= 0) return rg__c_int(t, (a == b) == (n->text[0] == '='));
    }
    return n;
}

/* A copy has loop variables and locals of its own: every declaration is its own variable. */
static void fresh_vars(struct rg_ctree *t, struct rg_cnode *root, struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_LOOP || (n->kind == RG_C_DECL && n->var >= 0 && n->array < 0)) {
        const struct rg_cvar old = t->vars[n->var];
        int v = rg__c_add_var(t, old.name, old.kind, old.type), was = n->var;
        t->vars[v].c_type = old.c_type;
        t->vars[v].struct_index = old.struct_index;
        rg__c_replace_var(t, root, was, rg__c_var(t, v));
        n->var = v;
    }
    for (int i = 0; i < n->n; i++) fresh_vars(t, root, n->kid[i]);
}

static bool local_arrays(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (local_arrays(n->kid[i])) return true;
    return false;
}

static void follow(struct moves *m, struct state *s, struct rg_cnode *const *items, int n, struct rg__kids *out);

static struct rg_cnode *followed(struct moves *m, struct state *s, const struct rg_cnode *block)
{
    struct rg__kids k = {0};
    follow(m, s, block->kid, block->n, &k);
    return rg__kids_node(m->t, RG_C_BLOCK, &k);
}

static struct rg_cnode *block_of(struct moves *m, struct rg_cnode *const *items, int n)
{
    struct rg__kids k = {0};
    for (int i = 0; i < n; i++) {
        m->nodes += rg__c_size(items[i]);
        rg__kids_add(&k, rg__c_copy(m->t, items[i]));
    }
    m->failed |= m->nodes > MAX_NODES;
    return rg__kids_node(m->t, RG_C_BLOCK, &k);
}

/* The rest of the block under a state of its own, with variables of its own. */
static struct rg_cnode *branch(struct moves *m, const struct state *s, struct rg_cnode *const *rest, int n)
{
    struct state mine = state_copy(m, s);
    struct rg_cnode *b = block_of(m, rest, n), *r = m->failed ? b : followed(m, &mine, b);
    if (local_arrays(b)) m->failed = true;
    if (!m->failed) fresh_vars(m->t, r, r);
    state_free(&mine);
    return r;
}

static struct rg_cnode *if_node(struct moves *m, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no, int line)
{
    struct rg_cnode *x = rg_cnode_new(m->t, RG_C_IF, no ? 3 : 2);
    x->kid[0] = c;
    x->kid[1] = yes;
    if (no) x->kid[2] = no;
    x->line = line;
    return x;
}

static struct rg_cnode *twins(struct rg_cnode *n)
{
    n->twins = true;
    return n;
}

/* ---- loops ---- */

/* Is the name read in the statements before they set it? */
static bool read_first(const struct rg_cnode *body, int array, int var)
{
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *n = body->kid[i];
        if (array >= 0 && moved_by(n) == array) return rg__c_mentions_array(n->kid[0]->kid[1], array);
        if (var >= 0 && n->kind == RG_C_DECL && n->var == var) return false;
        if (var >= 0 && n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_ASSIGN && !strcmp(n->kid[0]->text, "=") &&
            n->kid[0]->kid[0]->kind == RG_C_VAR && n->kid[0]->kid[0]->array < 0 && n->kid[0]->kid[0]->var == var)
            return rg__c_mentions_var(n->kid[0]->kid[1], var);
        if (n->kind == RG_C_LOOP && !rg__c_mentions_var(n->kid[0], var) && !rg__c_mentions_var(n->kid[1], var) &&
            !read_first(n->kid[2], array, var))
            continue; /* it sets it itself, where it needs it */
        if (array >= 0 ? rg__c_mentions_array(n, array) : rg__c_mentions_var(n, var)) return true;
    }
    return false;
}

/* A remainder of the variable by a constant that decides which of several pointers is meant; 0: none. */
static int64_t chooses_by(const struct rg_cnode *n, int var, bool inside)
{
    if (!n) return 0;
    if (inside && n->kind == RG_C_BINARY && n->kid[1]->kind == RG_C_INT && rg__c_mentions_var(n->kid[0], var)) {
        if (!strcmp(n->text, "%") && n->kid[1]->ivalue > 1 && n->kid[1]->ivalue <= MAX_PERIOD) return n->kid[1]->ivalue;
        if (!strcmp(n->text, "&") && n->kid[1]->ivalue == 1) return 2;
    }
    bool arrays = n->kind == RG_C_COND && n->n == 3 && (n->kid[1]->array >= 0 || n->kid[1]->kind == RG_C_COND) && n->kid[2]->array >= 0;
    for (int i = 0; i < n->n; i++) {
        int64_t q = chooses_by(n->kid[i], var, arrays ? i == 0 : inside);
        if (q) return q;
    }
    return 0;
}

/* Iterations after which everything that an iteration starts from is as it was; 0: none. at[k]: state after k of them.
 * Variables that do not come round are forgotten. */
static int period(struct moves *m, const struct state *entry, const struct rg_cnode *l, struct state *at, bool *varies)
{
    const struct rg_cnode *body = l->kid[2];
    bool *carried = rg_xcalloc((size_t)m->n_vars + 1, 1);
    struct state start = state_copy(m, entry);
    int p = 0;
    for (int v = 0; v < m->n_vars; v++)
        carried[v] = start.known[v] && rg__c_writes_var(body, v) && read_first(body, -1, v);
    if (l->var < m->n_vars) start.known[l->var] = false;
    int var = m->mod_var, mod = m->mod, residue = m->residue;
    int64_t every = chooses_by(body, l->var, false), base;
    if (every && !evaluate(m, entry, l->kid[0], &base)) every = 0;
    for (int round = 0; round < 2 && !p; round++) {
        state_set(m, &at[0], &start);
        bool ok = true;
        *varies = false;
        for (int k = 1; k <= MAX_PERIOD && ok && !p; k++) {
            state_set(m, &at[k], &at[k - 1]);
            if (every) {
                m->mod_var = l->var;
                m->mod = (int)every;
                m->residue = (int)((base + (k - 1) * l->step) % every);
            }
            ok = simulate(m, &at[k], body);
            m->mod_var = var, m->mod = mod, m->residue = residue;
            bool same = ok && (!every || k % every == 0);
            for (int a = 0; a < m->n_arrays && same; a++)
                if (at[k].stands_for[a] != start.stands_for[a]) {
                    same = !read_first(body, a, -1);
                    *varies = true;
                }
            for (int v = 0; v < m->n_vars && same; v++)
                if (carried[v]) same = at[k].known[v] && at[k].value[v] == start.value[v];
            if (same) p = k;
        }
        for (int v = 0; v < m->n_vars && !p; v++) /* once more without the integers */
            if (carried[v]) carried[v] = start.known[v] = false;
    }
    for (int v = 0; v < m->n_vars && p > 1; v++)
        if (carried[v]) m->toggles[v] = true;
    for (int v = 0; v < m->n_vars && p > 1; v++) /* what is computed from them */
        for (int k = 1; k <= p && !m->toggles[v]; k++)
            m->toggles[v] = rg__c_writes_var(body, v) && at[k].known[v] && at[1].known[v] && local_int(m, v);
    free(carried);
    state_free(&start);
    return p;
}

/* Copy j of p of the body, its loop variable replaced. */
static void unrolled(struct moves *m, const struct state *s, const struct rg_cnode *l, int p, int j,
                     struct rg_cnode *iteration, struct rg__kids *out)
{
    struct state mine = state_copy(m, s);
    struct rg_cnode *b = block_of(m, l->kid[2]->kid, l->kid[2]->n);
    int var = m->mod_var, mod = m->mod, residue = m->residue;
    int64_t base;
    if (evaluate(m, s, l->kid[0], &base) && base >= 0) {
        m->mod_var = l->var;
        m->mod = p;
        m->residue = (int)((base + j) % p);
    }
    m->depth++;
    struct rg_cnode *r = m->failed ? b : followed(m, &mine, b);
    m->depth--;
    m->mod_var = var, m->mod = mod, m->residue = residue;
    if (iteration) r = rg__c_replace_var(m->t, r, l->var, iteration);
    if (!m->failed) fresh_vars(m->t, r, r);
    for (int i = 0; i < r->n; i++) rg__kids_add(out, r->kid[i]);
    state_free(&mine);
}

static struct rg_cnode *plus(struct rg_ctree *t, struct rg_cnode *a, int64_t k)
{
    if (a->kind == RG_C_INT) return rg__c_int(t, a->ivalue + k);
    return k ? rg__c_binary(t, k > 0 ? "+" : "-", a, rg__c_int(t, k > 0 ? k : -k)) : a;
}

/* Does the rest see a difference between the two states? */
static bool matters(const struct moves *m, const struct state *a, const struct state *b, struct rg_cnode *const *rest, int n)
{
    for (int i = 0; i < n; i++) {
        for (int x = 0; x < m->n_arrays; x++)
            if (a->stands_for[x] != b->stands_for[x] && rg__c_mentions_array(rest[i], x)) return true;
        for (int v = 0; v < m->n_vars; v++)
            if (m->toggles[v] && (a->known[v] != b->known[v] || a->value[v] != b->value[v]) && rg__c_mentions_var(rest[i], v))
                return true;
    }
    return false;
}

/* A loop that goes on by a flag, over more than one state: the copies behind the first ask for the flag themselves, and a
 * local says which state it was left in. */
static bool flagged(struct moves *m, struct state *s, struct rg_cnode *l, const struct state *at, int p,
                    struct rg_cnode *const *rest, int n, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *lower = substitute(m, s, rg__c_copy(t, l->kid[0])), *upper = substitute(m, s, rg__c_copy(t, l->kid[1]));
    bool endless = upper->kind == RG_C_INT && upper->ivalue == INT32_MAX, zero = is_zero(lower);
    int go = l->kid[3]->var, turn = rg__c_add_var(t, "turn", RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1), *big = rg_cnode_new(t, RG_C_LOOP, 4);
    d->var = turn;
    d->type = RG_I32;
    d->kid[0] = rg__c_int(t, 0);
    d->line = l->line;
    rg__kids_add(out, d);
    struct rg_cnode *body = NULL;
    for (int j = p - 1; j >= 0; j--) { /* from the inside */
        struct rg__kids k = {0};
        struct rg_cnode *now = rg__c_binary(t, "*", rg__c_int(t, p), rg__c_var(t, l->var));
        if (!zero) now = rg__c_binary(t, "+", rg__c_copy(t, lower), now);
        now = plus(t, now, j);
        unrolled(m, &at[j], l, p, j, now, &k);
        struct rg_cnode *which = rg__c_stmt(t, rg__c_assign(t, "=", rg__c_var(t, turn), rg__c_int(t, (j + 1) % p)));
        which->line = l->line;
        rg__kids_add(&k, which);
        if (body) {
            if (!endless) { /* the bound is the flag's business now */
                struct rg_cnode *more = rg__c_binary(t, "<", plus(t, rg__c_copy(t, now), 1), rg__c_copy(t, upper));
                struct rg_cnode *both = rg__c_binary(t, "&&", rg__c_binary(t, "!=", rg__c_var(t, go), rg__c_int(t, 0)), more);
                struct rg_cnode *st = rg__c_stmt(t, rg__c_assign(t, "=", rg__c_var(t, go), both));
                st->line = l->line;
                rg__kids_add(&k, st);
            }
            rg__kids_add(&k, if_node(m, rg__c_var(t, go), body, NULL, l->line));
        }
        body = rg__kids_node(t, RG_C_BLOCK, &k);
    }
    big->var = l->var;
    big->step = 1;
    big->kid[0] = rg__c_int(t, 0);
    struct rg_cnode *trips = zero ? upper : rg__c_binary(t, "-", upper, lower);
    big->kid[1] = endless ? upper : rg__c_binary(t, "/", rg__c_binary(t, "+", trips, rg__c_int(t, p - 1)), rg__c_int(t, p));
    big->kid[2] = body;
    big->kid[3] = rg__c_var(t, go);
    big->line = l->line;
    big->column = l->column;
    rg__kids_add(out, big);
    int differing = 0;
    for (int r = 1; r < p; r++) differing += matters(m, &at[0], &at[r], rest, n);
    if (!differing) {
        for (int a = 0; a < m->n_arrays; a++)
            for (int r = 1; r < p; r++)
                if (at[r].stands_for[a] != s->stands_for[a]) s->stands_for[a] = -1;
        forget_written(m, s, l);
        return false;
    }
    if (m->depth || ++m->forks > MAX_FORKS) {
        m->failed = true;
        return false;
    }
    struct rg_cnode *otherwise = branch(m, &at[0], rest, n);
    for (int r = p - 1; r > 0; r--) {
        struct rg_cnode *mine = branch(m, &at[r], rest, n);
        struct rg__kids k = {0};
        struct rg_cnode *c = p == 2 ? rg__c_var(t, turn) : rg__c_binary(t, "==", rg__c_var(t, turn), rg__c_int(t, r));
        rg__kids_add(&k, twins(if_node(m, c, mine, otherwise, n ? rest[0]->line : l->line)));
        otherwise = rg__kids_node(t, RG_C_BLOCK, &k);
    }
    for (int i = 0; i < otherwise->n; i++) rg__kids_add(out, otherwise->kid[i]);
    return true;
}

/* Takes the rest of the block along; true: it is done with. */
static bool loop(struct moves *m, struct state *s, struct rg_cnode *l, struct rg_cnode *const *rest, int n,
                 struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    struct state at[MAX_PERIOD + 1];
    for (int k = 0; k <= MAX_PERIOD; k++) at[k] = state_new(m);
    bool moving = moves_any(l->kid[2]), varies, done = false;
    int p = period(m, s, l, at, &varies);
    int64_t lo, hi, trips = -1;
    if (p && l->n == 3 && evaluate(m, s, l->kid[0], &lo) && evaluate(m, s, l->kid[1], &hi)) trips = hi > lo ? hi - lo : 0;
    if (!p || (p > 1 && (l->step != 1 || local_arrays(l->kid[2])))) {
        m->failed |= moving; /* else: the integers do not come round, nothing to do */
        p = 0;
    }
    if (p <= 1) {
        struct state inside = state_copy(m, s);
        forget_written(m, &inside, l);
        for (int i = 0; i < 2; i++) l->kid[i] = substitute(m, s, l->kid[i]);
        m->depth++;
        if (!m->failed) l->kid[2] = followed(m, &inside, l->kid[2]);
        m->depth--;
        forget_written(m, s, l);
        if (p) /* what it sets anew every time */
            for (int a = 0; a < m->n_arrays; a++)
                if (at[1].stands_for[a] != s->stands_for[a]) s->stands_for[a] = trips > 0 ? at[1].stands_for[a] : -1;
        state_free(&inside);
        rg__kids_add(out, l);
    } else if (l->n > 3) {
        m->any = true;
        done = flagged(m, s, l, at, p, rest, n, out);
    } else {
        m->any = true;
        struct rg_cnode *lower = substitute(m, s, rg__c_copy(t, l->kid[0])), *upper = substitute(m, s, rg__c_copy(t, l->kid[1]));
        bool zero = is_zero(lower);
        struct rg_cnode *count = trips >= 0 ? rg__c_int(t, trips) : zero ? rg__c_copy(t, upper)
                                                                        : rg__c_binary(t, "-", rg__c_copy(t, upper), rg__c_copy(t, lower));
        struct rg_cnode *left = trips >= 0 ? rg__c_int(t, trips % p) : rg__c_binary(t, "%", rg__c_copy(t, count), rg__c_int(t, p));
        struct rg_cnode *first = rg__c_binary(t, "*", rg__c_int(t, p), rg__c_var(t, l->var));
        if (!zero) first = rg__c_binary(t, "+", rg__c_copy(t, lower), first);
        struct rg__kids all = {0};
        for (int j = 0; j < p; j++) unrolled(m, &at[j], l, p, j, plus(t, rg__c_copy(t, first), j), &all);
        struct rg_cnode *big = rg_cnode_new(t, RG_C_LOOP, 3);
        *big = *l;
        big->kid = rg_arena_alloc(&t->arena, 3 * sizeof *big->kid);
        big->kid[0] = rg__c_int(t, 0);
        big->kid[1] = trips >= 0 ? rg__c_int(t, trips / p) : rg__c_binary(t, "/", count, rg__c_int(t, p));
        big->kid[2] = rg__kids_node(t, RG_C_BLOCK, &all);
        rg__kids_add(out, big);
        for (int r = 1; r < p && (trips < 0 || r <= trips % p); r++) { /* the r-th that is left over */
            struct rg__kids one = {0};
            struct rg_cnode *at_end = rg__c_binary(t, "-", rg__c_copy(t, upper), rg__c_copy(t, left));
            if (p == 2 || trips >= 0) at_end = trips >= 0 ? plus(t, rg__c_copy(t, lower), trips - trips % p) : plus(t, rg__c_copy(t, upper), -1);
            unrolled(m, &at[r - 1], l, p, r - 1, plus(t, at_end, p == 2 && trips < 0 ? 0 : r - 1), &one);
            struct rg_cnode *b = rg__kids_node(t, RG_C_BLOCK, &one);
            if (trips >= 0)
                for (int i = 0; i < b->n; i++) rg__kids_add(out, b->kid[i]);
            else
                rg__kids_add(out, if_node(m, rg__c_binary(t, p == 2 ? "==" : ">=", rg__c_copy(t, left), rg__c_int(t, r)), b, NULL, l->line));
        }
        int differing = 0;
        for (int r = 1; r < p && trips < 0; r++) differing += matters(m, &at[0], &at[r], rest, n);
        if (trips >= 0) {
            state_set(m, s, trips ? &at[trips % p ? trips % p : p] : &at[0]);
        } else if (!differing) { /* nobody looks: but names that differ are not known any more */
            for (int a = 0; a < m->n_arrays; a++)
                for (int r = 1; r < p; r++)
                    if (at[r].stands_for[a] != s->stands_for[a]) s->stands_for[a] = -1;
            forget_written(m, s, l);
        } else if (m->depth || ++m->forks > MAX_FORKS) {
            m->failed = true;
        } else {
            struct rg_cnode *otherwise = branch(m, &at[0], rest, n);
            for (int r = p - 1; r > 0; r--) {
                struct rg_cnode *mine = branch(m, &at[r], rest, n);
                struct rg_cnode *c = rg__c_binary(t, "==", rg__c_copy(t, left), rg__c_int(t, r));
                struct rg__kids k = {0};
                rg__kids_add(&k, twins(if_node(m, c, mine, otherwise, n ? rest[0]->line : l->line)));
                otherwise = rg__kids_node(t, RG_C_BLOCK, &k);
            }
            for (int i = 0; i < otherwise->n; i++) rg__kids_add(out, otherwise->kid[i]);
            done = true;
        }
    }
    for (int k = 0; k <= MAX_PERIOD; k++) state_free(&at[k]);
    return done;
}

/* ---- statements in order ---- */

/* p = c ? q : r: the rest is written for both. */
static void choose(struct moves *m, struct state *s, const struct rg_cnode *n, int p, struct rg_cnode *const *rest, int left,
                   struct rg__kids *out)
{
    const struct rg_cnode *v = n->kid[0]->kid[1];
    while (v->kind == RG_C_CAST && v->n == 1) v = v->kid[0];
    if (v->kind != RG_C_COND || m->depth || ++m->forks > MAX_FORKS) {
        m->failed = true;
        return;
    }
    struct rg_cnode *c = substitute(m, s, rg__c_copy(m->t, v->kid[0])), *arm[2];
    for (int k = 0; k < 2 && !m->failed; k++) {
        struct state mine = state_copy(m, s);
        mine.stands_for[p] = resolve(m, s, v->kid[k + 1]);
        arm[k] = branch(m, &mine, rest, left);
        state_free(&mine);
    }
    if (m->failed) return;
    if (c->kind == RG_C_INT) {
        struct rg_cnode *taken = arm[c->ivalue ? 0 : 1];
        for (int i = 0; i < taken->n; i++) rg__kids_add(out, taken->kid[i]);
    } else {
        rg__kids_add(out, twins(if_node(m, c, arm[0], arm[1], n->line)));
    }
}

/* if (c) p = q;  the rest behind each arm. */
static void fork_at(struct moves *m, struct state *s, struct rg_cnode *n, struct rg_cnode *const *rest, int left,
                    struct rg__kids *out)
{
    struct rg_cnode *arm[2] = {NULL, NULL};
    if (m->depth || ++m->forks > MAX_FORKS) {
        m->failed = true;
        return;
    }
    for (int k = 0; k < 2; k++) {
        struct rg__kids all = {0};
        const struct rg_cnode *a = k + 1 < n->n ? n->kid[k + 1] : NULL;
        for (int i = 0; a && i < a->n; i++) rg__kids_add(&all, a->kid[i]);
        for (int i = 0; i < left; i++) rg__kids_add(&all, rest[i]);
        arm[k] = branch(m, s, all.items, all.n);
        free(all.items);
    }
    rg__kids_add(out, if_node(m, n->kid[0], arm[0], arm[1], n->line));
}

static void follow(struct moves *m, struct state *s, struct rg_cnode *const *items, int n, struct rg__kids *out)
{
    for (int i = 0; i < n && !m->failed; i++) {
        struct rg_cnode *x = items[i];
        int p = moved_by(x);
        if (p >= 0) {
            const struct rg_cnode *v = x->kid[0]->kid[1];
            int to = resolve(m, s, v);
            m->any = true;
            if (to < 0 && !is_zero(v)) {
                choose(m, s, x, p, items + i + 1, n - i - 1, out);
                return;
            }
            s->stands_for[p] = to;
        } else if (x->kind == RG_C_LOOP) {
            if (loop(m, s, x, items + i + 1, n - i - 1, out)) return;
        } else if (x->kind == RG_C_BLOCK) {
            follow(m, s, x->kid, x->n, out);
        } else if (x->kind == RG_C_IF) {
            int64_t c;
            x->kid[0] = substitute(m, s, x->kid[0]);
            if (evaluate(m, s, x->kid[0], &c)) {
                struct rg_cnode *arm = c ? x->kid[1] : x->n > 2 ? x->kid[2] : NULL;
                if (arm) follow(m, s, arm->kid, arm->n, out);
            } else if (moves_any(x)) {
                fork_at(m, s, x, items + i + 1, n - i - 1, out);
                return;
            } else {
                for (int k = 1; k < x->n; k++) {
                    struct state mine = state_copy(m, s);
                    if (x->kid[k]) x->kid[k] = followed(m, &mine, x->kid[k]);
                    state_free(&mine);
                }
                forget_written(m, s, x);
                rg__kids_add(out, x);
            }
        } else if (moves_any(x)) {
            m->failed = true;
        } else {
            struct state before = state_copy(m, s);
            if (!note_scalar(m, s, x)) {
                forget_written(m, s, x);
                forget_written(m, &before, x);
            }
            rg__kids_add(out, substitute(m, &before, x));
            state_free(&before);
        }
    }
}

static void hide_addressed(const struct rg_cnode *n, bool *hidden, int n_vars)
{
    if (!n) return;
    if (n->kind == RG_C_UNARY && n->text[0] == '&' && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        n->kid[0]->var >= 0 && n->kid[0]->var < n_vars)
        hidden[n->kid[0]->var] = true;
    for (int i = 0; i < n->n; i++) hide_addressed(n->kid[i], hidden, n_vars);
}

/* (c ? a : b)[i] = v;  as an if: the tree has no place that is one of two. */
static void split_targets(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        bool stores = s && s->kind == RG_C_STMT && (s->kid[0]->kind == RG_C_ASSIGN || s->kid[0]->kind == RG_C_INCDEC);
        if (stores && s->kid[0]->kid[0]->kind == RG_C_COND && n->kind == RG_C_BLOCK) {
            struct rg_cnode *target = s->kid[0]->kid[0], *x = rg_cnode_new(t, RG_C_IF, 3);
            x->kid[0] = target->kid[0];
            x->line = s->line;
            x->column = s->column;
            for (int k = 1; k < 3; k++) {
                struct rg_cnode *mine = rg__c_copy(t, s), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
                mine->kid[0]->kid[0] = rg__c_copy(t, target->kid[k]);
                b->kid[0] = mine;
                x->kid[k] = b;
            }
            n->kid[i] = x;
        }
        split_targets(t, n->kid[i]);
    }
}

void rg__canon_moves(struct rg_ctree *t)
{
    split_targets(t, t->root);
    struct moves m = {.t = t, .n_arrays = t->n_arrays, .n_vars = t->n_vars, .mod_var = -1};
    m.toggles = rg_xcalloc((size_t)m.n_vars + 1, 1);
    m.hidden = rg_xcalloc((size_t)m.n_vars + 1, 1);
    hide_addressed(t->root, m.hidden, m.n_vars);
    struct state s = state_new(&m);
    for (int a = 0; a < m.n_arrays; a++) s.stands_for[a] = t->arrays[a].view ? -1 : a;
    struct rg_cnode *copy = rg__c_copy(t, t->root);
    struct rg_cnode *done = followed(&m, &s, copy);
    if (!m.failed && m.any) {
        done->line = t->root->line;
        t->root = done;
    }
    if (m.failed) rg__canon_views_back(t);
    for (int a = 0; a < m.n_arrays; a++) /* nothing names them any more */
        if (t->arrays[a].view) rg_expr_parse_all(&t->arena, "1", &t->arrays[a].dims[0], NULL);
    state_free(&s);
    free(m.toggles);
    free(m.hidden);
}
