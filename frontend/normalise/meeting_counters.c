/* Loops whose condition asks several counters that each step by a number: they meet, `i < j; i++, j--`, or one of them
 * comes to its end first, `i < n && j < m; i++, j += 2`. One counter of the loop's own stands for all:
 *     for (k = 0; k < (j - i + 1) / 2; k++) .. i + k .. j - k ..
 * while i and j stay what they were; nothing may ask for them behind the loop. What is no larger than 0 there is a loop
 * that runs not once. Unsigned counters step by one, so that none comes round before it meets its end. Counters of 64
 * bits meet each other, in a loop that nothing else ends: the largest number of all may stand for no end. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/runs.h"
#include <stdlib.h>

enum { MOST = 4 };

struct meeting {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int n;
    int var[MOST];
    int64_t step[MOST];
    int at[MOST];         /* the statement of the body that steps it; body->n: the loop's third part does */
    struct rg__kids rest; /* of a for: its other steps */
    bool large;           /* an end is asked in 64 bits: it may be so far away that a difference comes round */
    int n_ends;
    struct meeting_end {
        struct rg_cnode *n; /* ... which is n / by */
        int64_t by;
    } ends[MOST]; /* in how many iterations a part of the condition holds */
};

/* v += c, v++: of a local; its number in m, -1: it is none. */
static bool steps(const struct meeting *m, const struct rg_cnode *e, int *var, int64_t *by)
{
    if (e->kind == RG_C_STMT) e = e->kid[0];
    const bool one = e->kind == RG_C_INCDEC;
    if ((!one && e->op != RG_COP_ADD_SET && e->op != RG_COP_SUB_SET) || e->kid[0]->kind != RG_C_VAR ||
        e->kid[0]->array >= 0 || e->kid[0]->pointer)
        return false;
    const struct rg_cvar *v = &m->t->vars[e->kid[0]->var];
    if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4) return false;
    *var = e->kid[0]->var;
    *by = 1;
    if (!one && !rg__c_number(rg__c_uncast(e->kid[1], RG__C_INT_CASTS), by)) return false;
    const bool down = one ? !rg_c_increments(e->op) : e->op == RG_COP_SUB_SET;
    if (*by == 0 || *by > 1 << 20 || *by < -(1 << 20)) return false;
    if (down) *by = -*by;
    return rg_scalar_is_signed(v->type) || *by == 1 || *by == -1;
}

/* Steps of the loop's third part. */
static void header(struct meeting *m, struct rg_cnode *e)
{
    if (e->kind == RG_C_STMT) e = e->kid[0];
    if (e->kind == RG_C_COMMA) {
        for (int i = 0; i < e->n; i++) header(m, e->kid[i]);
    } else if (m->n < MOST && steps(m, e, &m->var[m->n], &m->step[m->n])) {
        m->n++;
    } else {
        rg__kids_add(&m->rest, e);
    }
}

static bool is_signed(const struct rg_cnode *e)
{
    return rg_scalar_is_signed(e->type);
}

/* The counter that the side of a relation is, or what stays the same all through the loop: how it steps. */
static bool side(const struct meeting *m, const struct rg_cnode *e, int64_t *step)
{
    const struct rg_cnode *v = rg__runs_widened(e);
    *step = 0;
    if (v->pointer || !rg__scalar_is_int(v->type) || is_signed(v) != is_signed(e)) return false;
    for (int k = 0; k < m->n; k++) {
        if (rg__runs_is_var(v, m->var[k]))
            *step = m->step[k];
        else if (rg__c_mentions_var(v, m->var[k]))
            return false;
    }
    return *step || (rg__c_pure(m->t, v) && rg__loop_invariant(m->t, v, m->loop));
}

static struct rg_cnode *wide(struct rg_ctree *t, const struct rg_cnode *e)
{
    return rg__c_cast(t, rg__c_copy(t, e), RG_LONG);
}

/* The part of the condition holds in the first so many iterations; false: not known. */
static bool end_of(struct meeting *m, const struct rg_cnode *c)
{
    struct rg_ctree *t = m->t;
    int64_t low, high;
    if (c->op == RG_COP_AND) return end_of(m, c->kid[0]) && end_of(m, c->kid[1]);
    if (m->n_ends == MOST) return false;
    int64_t zero;
    const bool truth = !rg_c_relation(c->op);
    if (truth || c->op == RG_COP_NE) { /* n; n != 0: of what is counted down by ones */
        const struct rg_cnode *v = truth ? c : c->kid[0];
        if (!truth && (!rg__c_number(rg__c_uncast(c->kid[1], RG__C_INT_CASTS), &zero) || zero)) return false;
        if (!side(m, v, &high) || high != -1 || is_signed(v)) return false;
        m->large |= rg_scalar_bytes(v->type) > 4;
        m->ends[m->n_ends++] = (struct meeting_end){wide(t, v), 1};
        return true;
    }
    if (c->op == RG_COP_EQ) return false;
    const bool less = c->op == RG_COP_LT || c->op == RG_COP_LE, equal = c->op == RG_COP_LE || c->op == RG_COP_GE;
    const struct rg_cnode *a = c->kid[!less], *b = c->kid[less];
    if (!side(m, a, &low) || !side(m, b, &high) || is_signed(a) != is_signed(b) || (equal && !is_signed(a)))
        return false;
    const int64_t d = low - high;
    if (d <= 0 || (!is_signed(a) && (low < 0 || high > 0))) return false;
    struct rg_cnode *n = rg__c_binary(t, RG_COP_SUB, wide(t, b), wide(t, a));
    const int64_t more = equal ? d : d - 1;
    if (more) n = rg__c_binary(t, RG_COP_ADD, n, rg__c_cast(t, rg__c_int(t, more), RG_LONG));
    m->large |= rg_scalar_bytes(a->type) > 4 || rg_scalar_bytes(b->type) > 4;
    m->ends[m->n_ends++] = (struct meeting_end){n, d};
    return true;
}

static bool shape_of(struct meeting *m)
{
    const struct rg_cnode *l = m->loop, *c = l->kid[l->kind == RG_C_FOR ? 1 : 0];
    m->body = l->kid[l->kind == RG_C_FOR ? 3 : 1];
    if (!c || !m->body || m->body->kind != RG_C_BLOCK) return false;
    const bool in_header = l->kind == RG_C_FOR && l->kid[2];
    if (in_header) header(m, l->kid[2]);
    for (int k = 0; k < m->n; k++) m->at[k] = m->body->n;
    for (int i = 0; i < m->body->n && !in_header && m->n < MOST; i++)
        if (m->body->kid[i]->kind == RG_C_STMT && steps(m, m->body->kid[i], &m->var[m->n], &m->step[m->n]) &&
            rg__c_mentions_var(c, m->var[m->n]))
            m->at[m->n++] = i;
    if (!in_header && rg__continues_loop(m->body)) return false;
    static const enum rg_c_kind no[] = {RG_C_VERBATIM, RG_C_LABEL, RG_C_GOTO, RG_C_SWITCH};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (rg__mentions_kind(m->body, no[i])) return false;
    const bool breaks = rg__mentions_kind(m->body, RG_C_BREAK) || rg__mentions_kind(m->body, RG_C_RETURN);
    int asked = 0;
    for (int k = 0; k < m->n; k++) {
        asked += rg__c_mentions_var(c, m->var[k]);
        if (rg__c_addressed(m->t->root, m->var[k])) return false;
        for (int j = 0; j < m->n; j++)
            if (j != k && m->var[j] == m->var[k]) return false;
        for (int i = 0; i < m->body->n; i++)
            if (i != m->at[k] && rg__c_writes_var(m->body->kid[i], m->var[k])) return false;
        for (int i = 0; i < m->rest.n; i++)
            if (rg__c_mentions_var(m->rest.items[i], m->var[k])) return false;
    }
    return asked > 1 && end_of(m, c) && !(m->large && (m->n_ends > 1 || breaks));
}

/* Does anything ask for a counter behind the loop, or by its address? */
static bool asked_behind(const struct meeting *m, const struct rg_cnode *block, int at, int var)
{
    int named = 0;
    bool anew =
        block->kid[at]->kind == RG_C_FOR && block->kid[at]->kid[0] && rg__c_writes_var(block->kid[at]->kid[0], var);
    for (int k = 0; k < at && !anew; k++) anew = rg__doubling_set(block->kid[k], var) != NULL;
    if (rg__mentions_kind(m->t->root, RG_C_GOTO) || (!anew && rg__c_run_again(m->t->root, m->loop, var))) return true;
    for (int k = 0; k <= at; k++) {
        if (k < at && rg__mentions_kind(block->kid[k], RG_C_VERBATIM)) return true;
        named += rg__c_count_var(block->kid[k], var);
    }
    return rg__c_count_var(m->t->root, var) != named;
}

/* Does part of it come round below 64 bits? */
static bool comes_round(const struct rg_cnode *e)
{
    const bool leaf = e->kind == RG_C_VAR || e->kind == RG_C_INT;
    if (!leaf && !is_signed(e) && rg_scalar_bytes(e->type) < 8) return true;
    if (e->kind == RG_C_CAST && rg_scalar_bytes(e->type) < rg_scalar_bytes(e->kid[0]->type)) return true;
    for (int i = 0; i < e->n; i++)
        if (comes_round(e->kid[i])) return true;
    return false;
}

/* What the end is, in front of block->kid[at]. Of 64 bits without a sign (size_t j = n - 1) from what the counters
 * begin as: what has come round there comes round again (n - 1 - 0 + 1 is n). */
static struct rg_cnode *iterations(struct meeting *m, const struct meeting_end *end, const struct rg_cnode *block,
                                   int at)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *n = end->n;
    for (int x = 0; x < m->n && m->large; x++) {
        const struct rg_cnode *begin = rg__runs_begin(t, block, at, m->var[x]);
        if (rg_scalar_is_signed(t->vars[m->var[x]].type) || rg_scalar_bytes(t->vars[m->var[x]].type) < 8) continue;
        if (begin && rg__c_of_params(t, begin) && !comes_round(begin)) n = rg__c_replace_var(t, n, m->var[x], begin);
    }
    if (m->large && !comes_round(n)) {
        struct rg__range *r = rg_xmalloc(sizeof *r);
        rg__range_init(r, t, NULL);
        struct rg__poly p = rg__poly_of(r, rg__c_strip_int_casts(rg__c_copy(t, n)));
        if (!p.bad) n = rg__c_cast(t, rg__poly_node(r, &p), RG_LONG);
        free(r);
    }
    return end->by > 1 ? rg__c_binary(t, RG_COP_DIV, n, rg__c_cast(t, rg__c_int(t, end->by), RG_LONG)) : n;
}

/* What counter x is in iteration k; again: once it has stepped there. */
static struct rg_cnode *moved(const struct meeting *m, int x, int k, bool again)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *by = rg__c_var(t, k);
    if (again) by = rg__c_binary(t, RG_COP_ADD, by, rg__c_cast(t, rg__c_int(t, 1), RG_LONG));
    if (m->step[x] != 1) by = rg__c_binary(t, RG_COP_MUL, by, rg__c_cast(t, rg__c_int(t, m->step[x]), RG_LONG));
    by = rg__c_binary(t, RG_COP_ADD, rg__c_cast(t, rg__c_var(t, m->var[x]), RG_LONG), by);
    return rg__c_cast(t, by, t->vars[m->var[x]].type);
}

static void take(struct meeting *m, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = m->t;
    const struct rg_cnode *l = m->loop;
    const bool is_for = l->kind == RG_C_FOR;
    const int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, RG_LONG);
    struct rg__kids body = {0}, with = {0};
    for (int i = 0; i < m->body->n; i++) {
        struct rg_cnode *s = m->body->kid[i];
        bool step = false;
        for (int x = 0; x < m->n; x++) step = step || m->at[x] == i;
        if (step) continue;
        for (int x = 0; x < m->n; x++) s = rg__c_replace_var(t, s, m->var[x], moved(m, x, k, m->at[x] < i));
        rg__kids_add(&body, s);
    }
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *next;
    f->kid[0] = rg__c_declaration(t, k, rg__c_cast(t, rg__c_int(t, 0), RG_LONG), l);
    next = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_cast(t, rg__c_int(t, 1), RG_LONG));
    f->kid[2] = next;
    f->kid[3] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &body), m->body);
    struct rg_cnode *first = is_for ? l->kid[0] : NULL;
    for (int i = 0; first && first->kind == RG_C_BLOCK && i < first->n; i++) rg__kids_add(&with, first->kid[i]);
    if (first && first->kind != RG_C_BLOCK) rg__kids_add(&with, first);
    const int before = with.n;
    rg__kids_add(&with, rg__c_stands(f, l));
    rg__block_splice(t, block, at, 1, &with);
    at += before;
    for (int i = 0; i < m->n_ends; i++) {
        struct rg_cnode *c = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), iterations(m, &m->ends[i], block, at));
        f->kid[1] = i ? rg__c_binary(t, RG_COP_AND, f->kid[1], c) : c;
    }
}

static void visit(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) visit(t, n->kid[i]);
    for (int i = 0; i < n->n && n->kind == RG_C_BLOCK; i++) {
        struct rg_cnode *l = n->kid[i];
        if (l->kind != RG_C_FOR && l->kind != RG_C_WHILE) continue;
        struct meeting m = {.t = t, .loop = l};
        bool ok = shape_of(&m) && !m.rest.n;
        for (int k = 0; k < m.n && ok; k++) ok = !asked_behind(&m, n, i, m.var[k]);
        if (ok) take(&m, n, i);
        free(m.rest.items);
    }
}

void rg__canon_meeting(struct rg_ctree *t)
{
    visit(t, t->root);
}
