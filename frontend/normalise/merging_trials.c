/* Merges of two arrays that are in order, by merge paths. Statements at the function's outermost level are interpreted
 * on arrays of our own making (as sorts are, sorting_trials.c), and are a merge where
 *   - all ways in which up to three elements of either can lie among the others, equal ones among them, come out
 *     merged: elements are only moved and compared with one another;
 *   - so do longer arrays, of more elements than any number that the code mentions;
 *   - on the way every part of the code has run;
 *   - nothing else is changed, and what is read behind them is then one and the same sum of the two lengths.
 * Each element that comes out looks for its own place on the way between the two arrays:
 *     for k: the least i with a[i] > b[k - 1 - i]; out[k] = a[i] or b[k - i], whichever is first
 * Arrays that are not in order are merged by the statements as they stand. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/sorting_trials.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STATEMENTS = 12,
    SHORT = 3,    /* of each array, in every order */
    WATCHED = 64, /* variables whose last value is looked at */
    RUN_STEPS = 2000000,
    ALL_STEPS = 60000000,
    LOOK_STEPS = 4000000, /* of all that are none */
};

enum { FIRST_FIRST = 1, SECOND_FIRST = 2 }; /* of two that are equal; bits */
enum { IS_SUM = 1, IS_FIRST = 2, IS_SECOND = 4, IS_ANY = 7 };

struct merging {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg_cnode *block;
    int from, to;
    int in[2], out, length[2]; /* arrays; parameters that say how many */
    struct rg__interpreter run;
    uint64_t seed;
    int64_t n[2], steps, looked;
    struct rg__value *value[2];
    unsigned ties;          /* what all runs agreed with */
    unsigned ends[WATCHED]; /* [variable] what its last value may be */
    bool set[WATCHED];      /* it is set, and read behind */
};

static uint64_t draw(struct merging *m)
{
    m->seed ^= m->seed << 13;
    m->seed ^= m->seed >> 7;
    m->seed ^= m->seed << 17;
    return m->seed;
}

static struct rg__value of_rank(const struct merging *m, int64_t rank)
{
    enum rg_scalar type = m->t->arrays[m->in[0]].elem;
    if (!rg__scalar_is_int(type)) return rg__value_real((double)rank * 1.25 - 2);
    bool below = rg_scalar_is_signed(type) && rg_scalar_bytes(type) > 1;
    return rg__value_int(below ? rank * 3 - 4 : rank);
}

/* Memory for an array of the caller; false: nobody knows how much. */
static bool given(struct merging *m, int a)
{
    struct rg__interpreter *r = &m->run;
    const struct rg_carray *c = &m->t->arrays[a];
    int64_t all = m->n[0] + m->n[1], n = all + 2;
    if (c->n_dims > 1 || (c->n_dims && c->dims[0] && !rg__interpreter_extent(r, c->dims[0], &n)) || n < 0 ||
        n > 1 << 16)
        return false;
    for (int k = 0; k < 2; k++)
        if (a == m->in[k] && n < m->n[k]) n = m->n[k];
    if (a == m->out && n < all) n = all;
    int o = rg__interpreter_object(r, n);
    for (int64_t i = 0; i < n && c->elem != RG_STRUCT; i++)
        r->objects[o].cells[i] =
            rg__scalar_is_int(c->elem) ? rg__value_int((int64_t)(draw(m) % 7)) : rg__value_real((double)(draw(m) % 7));
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; a == m->in[k] && i < m->n[k]; i++) {
            r->objects[o].cells[i] = m->value[k][i];
            r->objects[o].cells[i].tag = (int)(k ? m->n[0] + i : i) + 1;
        }
    rg__interpreter_set_array(r, a, o);
    return true;
}

static bool begin(struct merging *m)
{
    struct rg__interpreter *r = &m->run;
    rg__interpreter_reset(r);
    r->most_steps = RUN_STEPS;
    r->derived = false;
    r->key_object = -1;
    for (int v = 0; v < m->t->n_vars; v++) {
        const struct rg_cvar *c = &m->t->vars[v];
        if (c->kind != RG_CVAR_PARAM || c->type == RG_STRUCT) continue;
        int64_t k = v == m->length[0] ? m->n[0] : v == m->length[1] ? m->n[1] : (int64_t)(draw(m) % 5);
        rg__interpreter_set_var(r, v, rg__scalar_is_int(c->type) ? rg__value_int(k) : rg__value_real((double)k));
    }
    for (int a = 0; a < m->t->n_arrays; a++)
        if (m->t->arrays[a].param >= 0 && !m->t->arrays[a].view && !given(m, a)) return false;
    for (int i = 0; i < m->from; i++)
        if (rg__interpreter_run(r, m->block->kid[i]) || r->status != RG__RUN_OK) return false;
    return rg__interpreter_array(r, m->out) >= 0;
}

static int compared(const struct rg__value *a, const struct rg__value *b)
{
    if (a->kind == RG__VALUE_REAL) return (a->d > b->d) - (a->d < b->d);
    return (a->i > b->i) - (a->i < b->i);
}

/* Which elements come out in which order, with the second's first of two that are equal or not. */
static bool is_merged(const struct merging *m, const struct rg__value *out, bool second_first)
{
    int64_t i = 0, j = 0;
    for (int64_t k = 0; k < m->n[0] + m->n[1]; k++) {
        bool first = j >= m->n[1];
        if (i < m->n[0] && j < m->n[1]) {
            int c = compared(&m->value[0][i], &m->value[1][j]);
            first = c < 0 || (c == 0 && !second_first);
        }
        int64_t tag = first ? ++i : m->n[0] + ++j;
        if (out[k].tag != tag) return false;
    }
    return true;
}

static bool same(const struct rg__value *a, const struct rg__value *b)
{
    return a->kind == b->kind && a->tag == b->tag && (a->kind != RG__VALUE_REAL ? a->i == b->i : a->d == b->d);
}

static void see_ends(struct merging *m)
{
    for (int v = 0; v < m->t->n_vars && v < WATCHED; v++) {
        struct rg__value x = m->set[v] ? rg__interpreter_var(&m->run, v) : (struct rg__value){.kind = RG__VALUE_UNSET};
        if (!m->set[v]) continue;
        if (x.kind != RG__VALUE_INT) m->ends[v] = 0;
        if (x.i != m->n[0] + m->n[1]) m->ends[v] &= ~(unsigned)IS_SUM;
        if (x.i != m->n[0]) m->ends[v] &= ~(unsigned)IS_FIRST;
        if (x.i != m->n[1]) m->ends[v] &= ~(unsigned)IS_SECOND;
        if (!m->ends[v]) m->ties = 0;
    }
}

/* One run on the values there. False: no merge, or nobody can tell. */
static bool merges(struct merging *m)
{
    struct rg__interpreter *r = &m->run;
    if (!begin(m)) return false;
    int n_before = r->n_objects, out = rg__interpreter_array(r, m->out);
    struct rg__value **before = rg_xcalloc((size_t)n_before + 1, sizeof *before);
    for (int o = 0; o < n_before; o++) {
        before[o] = rg_xcalloc((size_t)r->objects[o].n + 1, sizeof **before);
        memcpy(before[o], r->objects[o].cells, (size_t)r->objects[o].n * sizeof **before);
        m->steps += r->objects[o].n / 3;
    }
    bool left = false;
    for (int i = m->from; i < m->to && !left; i++) left = rg__interpreter_run(r, m->block->kid[i]);
    m->steps += r->steps;
    bool ok = r->status == RG__RUN_OK && !left && !r->derived && rg__interpreter_array(r, m->out) == out &&
              r->objects[out].n >= m->n[0] + m->n[1];
    for (int a = 0; a < m->t->n_arrays && ok; a++) {
        int o = rg__interpreter_array(r, a);
        if (m->t->arrays[a].param < 0 || m->t->arrays[a].view || o < 0 || o >= n_before) continue;
        for (int64_t i = o == out ? m->n[0] + m->n[1] : 0; i < r->objects[o].n && ok; i++)
            ok = same(&before[o][i], &r->objects[o].cells[i]);
    }
    for (int k = 0; k < 2 && ok; k++)
        if (!is_merged(m, r->objects[out].cells, k)) m->ties &= ~(unsigned)(k ? SECOND_FIRST : FIRST_FIRST);
    if (ok) see_ends(m);
    for (int o = 0; o < n_before; o++) free(before[o]);
    free(before);
    return ok && m->ties && m->steps < ALL_STEPS;
}

/* The next of the rising sequences of n ranks below `most`; false: that was the last. */
static bool next_ranks(int *rank, int64_t n, int most)
{
    int64_t i = n - 1;
    while (i >= 0 && rank[i] == most - 1) i--;
    if (i < 0) return false;
    int up = rank[i] + 1;
    for (; i < n; i++) rank[i] = up;
    return true;
}

static bool short_ones(struct merging *m, int n0, int n1)
{
    int rank[2][SHORT] = {{0}}, most = n0 + n1;
    m->n[0] = n0;
    m->n[1] = n1;
    do {
        memset(rank[1], 0, sizeof rank[1]);
        do {
            for (int k = 0; k < 2; k++)
                for (int64_t i = 0; i < m->n[k]; i++) m->value[k][i] = of_rank(m, rank[k][i]);
            if (!merges(m)) return false;
        } while (next_ranks(rank[1], n1, most));
    } while (next_ranks(rank[0], n0, most));
    return true;
}

static bool long_one(struct merging *m, int64_t n0, int64_t n1, int64_t ranks)
{
    m->n[0] = n0;
    m->n[1] = m->length[0] == m->length[1] ? n0 : n1;
    for (int k = 0; k < 2; k++) {
        int64_t *at = rg_xcalloc((size_t)m->n[k] + 1, sizeof *at);
        for (int64_t i = 0; i < m->n[k]; i++) { /* inserted in order */
            int64_t v = (int64_t)(draw(m) % (uint64_t)ranks), j = i;
            for (; j > 0 && at[j - 1] > v; j--) at[j] = at[j - 1];
            at[j] = v;
        }
        for (int64_t i = 0; i < m->n[k]; i++) m->value[k][i] = of_rank(m, at[i]);
        free(at);
    }
    return merges(m);
}

/* Variables that are set in the statements and read behind them. False: there is one that can't be said. */
static bool look_behind(struct merging *m)
{
    struct rg_ctree *t = m->t;
    for (int v = 0; v < t->n_vars; v++) {
        bool set = false, declared = false, read = false;
        for (int i = m->from; i < m->to; i++) {
            set = set || rg__c_writes_var(m->block->kid[i], v);
            declared = declared || (m->block->kid[i]->kind == RG_C_DECL && m->block->kid[i]->array < 0 &&
                                    m->block->kid[i]->var == v);
        }
        for (int i = m->to; i < m->block->n; i++) read = read || rg__c_mentions_var(m->block->kid[i], v);
        if ((set || declared) && read && (v >= WATCHED || t->vars[v].kind != RG_CVAR_LOCAL)) return false;
        if (v < WATCHED) m->set[v] = (set || declared) && read;
        if (v < WATCHED) m->ends[v] = IS_ANY;
    }
    for (int a = 0; a < t->n_arrays; a++) {
        bool inside = false;
        for (int i = m->from; i < m->to; i++) inside = inside || rg__c_declares_array(m->block->kid[i], a);
        for (int i = m->to; i < m->block->n && inside; i++)
            if (rg__c_mentions_array(m->block->kid[i], a)) return false;
    }
    return true;
}

static bool holds(struct merging *m)
{
    static const int64_t lengths[][2] = {{8, 5}, {5, 8}, {40, 17}, {17, 40}, {0, 50}, {50, 0}, {100, 64}, {1, 300}};
    bool one_length = m->length[0] == m->length[1];
    m->ties = FIRST_FIRST | SECOND_FIRST;
    m->steps = 0;
    if (!look_behind(m)) return false;
    bool quick = long_one(m, 4, 3, 5);
    m->looked += m->steps;
    if (!quick) return false;
    for (int a = 0; a <= SHORT; a++)
        for (int b = 0; b <= SHORT; b++)
            if ((!one_length || a == b) && !short_ones(m, a, b)) return false;
    int64_t most = rg__trial_largest_number(m->l, m->block, m->from, m->to);
    if (most > RG__TRIAL_LENGTH / 2 - 50) return false;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (int few = 0; few < 2; few++)
            if (!long_one(m, lengths[k][0], lengths[k][1], few ? 4 : 100)) return false;
    if (most > 20 && !long_one(m, 2 * most + 50, 2 * most + 40, 100)) return false;
    for (int i = m->from; i < m->to; i++)
        if (!rg__interpreter_covered(&m->run, m->block->kid[i])) return false;
    return true;
}

/* ---- in their place ---- */

static struct rg_cnode *at(struct merging *m, int array, struct rg_cnode *i)
{
    return rg__c_index(m->t, array, 1, &i);
}

static struct rg_cnode *length(struct merging *m, int k)
{
    return rg__c_cast(m->t, rg__c_var(m->t, m->length[k]), RG_LONG);
}

static struct rg_cnode *line_of(struct merging *m, struct rg_cnode *n)
{
    n->line = m->block->kid[m->from]->line;
    n->column = m->block->kid[m->from]->column;
    return n;
}

static struct rg_cnode *declared(struct merging *m, int var, struct rg_cnode *value)
{
    return rg__doubling_declaration(m->t, var, value, m->block->kid[m->from]);
}

static struct rg_cnode *sets(struct merging *m, struct rg_cnode *target, struct rg_cnode *value)
{
    return line_of(m, rg__c_stmt(m->t, rg__c_assign(m->t, RG_COP_SET, target, value)));
}

/* for (k = from; k < below; k++) body */
static struct rg_cnode *counted(struct merging *m, int k, int from, struct rg_cnode *below, struct rg__kids *body)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *f = line_of(m, rg_cnode_new(t, RG_C_FOR, 4));
    f->kid[0] = declared(m, k, rg__c_int(t, from));
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), below);
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_int(t, 1));
    f->kid[3] = line_of(m, rg__kids_node(t, RG_C_BLOCK, body));
    return f;
}

static struct rg_cnode *when(struct merging *m, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no)
{
    struct rg_cnode *n = line_of(m, rg_cnode_new(m->t, RG_C_IF, no ? 3 : 2));
    struct rg_cnode *arm[2] = {yes, no};
    n->kid[0] = c;
    for (int k = 0; k < 2 && arm[k]; k++) {
        struct rg__kids one = {0};
        if (arm[k]->kind != RG_C_BLOCK) rg__kids_add(&one, arm[k]);
        n->kid[1 + k] = arm[k]->kind == RG_C_BLOCK ? arm[k] : line_of(m, rg__kids_node(m->t, RG_C_BLOCK, &one));
    }
    return n;
}

/* if (!(a[i - 1] <= a[i])) unordered = 1; for all of one array */
static struct rg_cnode *looks(struct merging *m, int k, int unordered)
{
    struct rg_ctree *t = m->t;
    struct rg__kids body = {0};
    int i = rg__c_add_var(t, "i", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *before = at(m, m->in[k], rg__c_binary(t, RG_COP_SUB, rg__c_var(t, i), rg__c_int(t, 1)));
    struct rg_cnode *rises = rg__c_binary(t, RG_COP_LE, before, at(m, m->in[k], rg__c_var(t, i)));
    rg__kids_add(&body, when(m, rg__c_binary(t, RG_COP_EQ, rises, rg__c_int(t, 0)),
                             sets(m, rg__c_var(t, unordered), rg__c_int(t, 1)), NULL));
    return counted(m, i, 1, length(m, k), &body);
}

/* Is the first array's element in front of the second's? */
static struct rg_cnode *in_front(struct merging *m, struct rg_cnode *a, struct rg_cnode *b)
{
    return rg__c_binary(m->t, m->ties & FIRST_FIRST ? RG_COP_LE : RG_COP_LT, at(m, m->in[0], a), at(m, m->in[1], b));
}

static struct rg_cnode *by_paths(struct merging *m)
{
    struct rg_ctree *t = m->t;
    struct rg__kids body = {0}, step = {0};
    int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, RG_LONG), lo = rg__c_add_var(t, "lo", RG_CVAR_LOCAL, RG_LONG),
        hi = rg__c_add_var(t, "hi", RG_CVAR_LOCAL, RG_LONG), mid = rg__c_add_var(t, "mid", RG_CVAR_LOCAL, RG_LONG),
        other = rg__c_add_var(t, "other", RG_CVAR_LOCAL, RG_LONG),
        takes = rg__c_add_var(t, "takes", RG_CVAR_LOCAL, RG_I32);
#define VAR(v) rg__c_var(t, v)
#define OP(op, a, b) rg__c_binary(t, RG_COP_##op, a, b)
    rg__kids_add(&body, declared(m, lo,
                                 rg__c_choice(t, OP(GT, VAR(k), length(m, 1)), OP(SUB, VAR(k), length(m, 1)),
                                              rg__c_cast(t, rg__c_int(t, 0), RG_LONG))));
    rg__kids_add(&body, declared(m, hi, rg__c_choice(t, OP(LT, VAR(k), length(m, 0)), VAR(k), length(m, 0))));
    rg__kids_add(&step, declared(m, mid, OP(ADD, VAR(lo), OP(DIV, OP(SUB, VAR(hi), VAR(lo)), rg__c_int(t, 2)))));
    rg__kids_add(&step, when(m, in_front(m, VAR(mid), OP(SUB, OP(SUB, VAR(k), rg__c_int(t, 1)), VAR(mid))),
                             sets(m, VAR(lo), OP(ADD, VAR(mid), rg__c_int(t, 1))), sets(m, VAR(hi), VAR(mid))));
    struct rg_cnode *search = line_of(m, rg_cnode_new(t, RG_C_WHILE, 2));
    search->kid[0] = OP(LT, VAR(lo), VAR(hi));
    search->kid[1] = line_of(m, rg__kids_node(t, RG_C_BLOCK, &step));
    rg__kids_add(&body, search);
    rg__kids_add(&body, declared(m, other, OP(SUB, VAR(k), VAR(lo))));
    rg__kids_add(&body, declared(m, takes,
                                 OP(AND, OP(LT, VAR(lo), length(m, 0)),
                                    OP(OR, OP(GE, VAR(other), length(m, 1)), in_front(m, VAR(lo), VAR(other))))));
    struct rg_cnode *c =
        rg__c_choice(t, OP(NE, VAR(takes), rg__c_int(t, 0)), at(m, m->in[0], VAR(lo)), at(m, m->in[1], VAR(other)));
    rg__kids_add(&body, sets(m, at(m, m->out, VAR(k)), c));
    return counted(m, k, 0, OP(ADD, length(m, 0), length(m, 1)), &body);
}

static void last_values(struct merging *m, struct rg__kids *merged)
{
    struct rg_ctree *t = m->t;
    for (int v = 0; v < t->n_vars && v < WATCHED; v++) {
        if (!m->set[v]) continue;
        struct rg_cnode *value = m->ends[v] & IS_SUM     ? OP(ADD, length(m, 0), length(m, 1))
                                 : m->ends[v] & IS_FIRST ? length(m, 0)
                                                         : length(m, 1);
        rg__kids_add(merged, sets(m, VAR(v), rg__c_cast(t, value, t->vars[v].type)));
    }
}

/* Declarations of what is read behind stand in front of the statements. */
static void put_forward(struct merging *m, struct rg_cnode *was, struct rg__kids *all)
{
    struct rg_ctree *t = m->t;
    for (int i = 0; i < was->n; i++) {
        struct rg_cnode *s = was->kid[i];
        if (s->kind != RG_C_DECL || s->array >= 0 || s->var >= WATCHED || !m->set[s->var]) continue;
        struct rg_cnode *d = rg__c_copy(t, s);
        d->n = 0;
        rg__kids_add(all, d);
        was->kid[i] = s->n ? sets(m, VAR(s->var), s->kid[0]) : line_of(m, rg_cnode_new(t, RG_C_BLOCK, 0));
    }
}

/* Inputs that nobody states will be in order: what the C is for. */
static void in_order(struct merging *m)
{
    for (int k = 0; k < 2; k++) {
        int param = m->t->arrays[m->in[k]].param;
        if (param < 64) m->l->in_order |= (uint64_t)1 << param;
    }
}

static void replace(struct merging *m)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *was = line_of(m, rg_cnode_new(t, RG_C_BLOCK, m->to - m->from));
    struct rg__kids all = {0}, merged = {0};
    int unordered = rg__c_add_var(t, "unordered", RG_CVAR_LOCAL, RG_I32);
    for (int i = 0; i < was->n; i++) was->kid[i] = m->block->kid[m->from + i];
    put_forward(m, was, &all);
    rg__kids_add(&all, declared(m, unordered, rg__c_int(t, 0)));
    for (int k = 0; k < 2; k++) rg__kids_add(&all, looks(m, k, unordered));
    rg__kids_add(&merged, by_paths(m));
    last_values(m, &merged);
    struct rg_cnode *other = OP(NE, VAR(unordered), rg__c_int(t, 0));
    for (int k = 0; k < 2; k++)
        if (rg_scalar_is_signed(t->vars[m->length[k]].type))
            other = OP(OR, other, OP(LT, length(m, k), rg__c_int(t, 0)));
    for (int k = 0; k < 2 && !rg__scalar_is_int(t->arrays[m->in[k]].elem); k++) { /* no number, with none before it */
        struct rg_cnode *zero = rg__c_int(t, 0);
        struct rg_cnode *nan = OP(NE, at(m, m->in[k], zero), at(m, m->in[k], rg__c_copy(t, zero)));
        other = OP(OR, other, OP(AND, OP(EQ, length(m, k), rg__c_int(t, 1)), nan));
    }
    rg__kids_add(&all, when(m, other, was, line_of(m, rg__kids_node(t, RG_C_BLOCK, &merged))));
    rg__block_splice(t, m->block, m->from, m->to - m->from, &all);
    in_order(m);
}
#undef VAR
#undef OP

/* ---- where to look ---- */

static bool compares_elements(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_BINARY && rg_c_relation(n->op) && rg__mentions_kind(n->kid[0], RG_C_INDEX) &&
        rg__mentions_kind(n->kid[1], RG_C_INDEX))
        return true;
    for (int i = 0; i < n->n; i++)
        if (compares_elements(n->kid[i])) return true;
    return false;
}

static bool of_numbers(const struct rg_ctree *t, int a)
{
    const struct rg_carray *c = &t->arrays[a];
    return !c->view && !c->constant_table && c->n_dims <= 1 && c->elem != RG_BOOL && c->elem != RG_F16 &&
           c->elem != RG_STRUCT && a != t->result_array;
}

static bool has_element(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    bool other = n->kind == RG_C_INDEX && (t->arrays[n->array].param < 0 || t->arrays[n->array].view);
    if (n->kind == RG_C_INDEX && (n->array == array || other)) return true; /* another name of it, or a copy */
    for (int i = 0; i < n->n; i++)
        if (has_element(t, n->kid[i], array)) return true;
    return false;
}

/* Is there a comparison that may be of an element of either? */
static bool compares(const struct rg_ctree *t, const struct rg_cnode *n, int a, int b)
{
    if (!n) return false;
    if (n->kind == RG_C_BINARY && rg_c_relation(n->op))
        for (int k = 0; k < 2; k++)
            if (has_element(t, n->kid[k], a) && has_element(t, n->kid[1 - k], b)) return true;
    for (int i = 0; i < n->n; i++)
        if (compares(t, n->kid[i], a, b)) return true;
    return false;
}

static bool merged(struct merging *m)
{
    uint32_t may = 0; /* a bit each */
    for (int i = 0; i < m->block->n; i++) may |= (uint32_t)compares_elements(m->block->kid[i]) << i;
    for (m->from = 0; may && m->from < m->block->n; m->from++)
        for (m->to = m->block->n; m->to > m->from; m->to--) {
            if (may & (((uint32_t)1 << m->to) - ((uint32_t)1 << m->from)) && m->looked < LOOK_STEPS && holds(m)) {
                replace(m);
                return true;
            }
        }
    return false;
}

static bool of_lengths(struct merging *m)
{
    for (m->length[0] = 0; m->length[0] < m->t->n_vars; m->length[0]++)
        for (m->length[1] = 0; m->length[1] < m->t->n_vars; m->length[1]++)
            if (rg__trial_is_length(m->t, m->length[0]) && rg__trial_is_length(m->t, m->length[1]) && merged(m))
                return true;
    return false;
}

static bool any(struct merging *m)
{
    const struct rg_ctree *t = m->t;
    for (m->in[0] = 0; m->in[0] < t->n_arrays; m->in[0]++)
        for (m->in[1] = 0; m->in[1] < t->n_arrays; m->in[1]++) {
            int a = m->in[0], b = m->in[1];
            if (a == b || t->arrays[a].param < 0 || t->arrays[b].param < 0 || t->arrays[a].elem != t->arrays[b].elem ||
                !of_numbers(t, a) || !of_numbers(t, b) || !compares(t, m->block, a, b))
                continue;
            for (m->out = 0; m->out < t->n_arrays; m->out++) {
                int o = m->out;
                if (o == a || o == b || !of_numbers(t, o) || t->arrays[o].is_const) continue;
                if (t->arrays[a].elem == t->arrays[o].elem && of_lengths(m)) return true;
            }
        }
    return false;
}

static bool may_merge(const void *arg, const struct rg_cnode *n)
{
    (void)arg;
    return compares_elements(n);
}

bool rg__merging_trials(struct rg__load *l)
{
    enum { LONGEST = 1 << 13, MOST_GUARDS = 4 };
    struct merging m = {.l = l, .t = l->t, .block = l->t->root, .seed = 0x2545F4914F6CDD1D};
    struct rg__trial_was was[2 * MOST_GUARDS];
    int n_was = 0;
    if (rg__mentions_kind(l->t->root, RG_C_VERBATIM) || l->p->may_alias || !compares_elements(l->t->root)) return false;
    for (int k = 0; k < 2; k++) m.value[k] = rg_xcalloc(LONGEST, sizeof *m.value[k]);
    bool found = false;
    while (m.block && !found) {
        rg__interpreter_init(&m.run, &l->b);
        found = m.block->n <= MOST_STATEMENTS && any(&m);
        rg__interpreter_release(&m.run);
        if (!found)
            m.block = n_was < 2 * MOST_GUARDS ? rg__trial_arm(l->t, m.block, may_merge, NULL, was, &n_was) : NULL;
    }
    if (!found) rg__trial_put_back(was, n_was);
    for (int k = 0; k < 2; k++) free(m.value[k]);
    return found;
}
