/* Integers that lead into other arrays, or nowhere: `parent[i] == -1 ? 0 : x[parent[i]]`, rows that `if (col[k] < 0)
 * break;` ends. Where each use of such an element is behind a test that -1 does not pass, and none ends the function,
 * some of those that are drawn are -1. The tree is as it was read. */
#include "frontend/infer/compared.h"
#include "frontend/infer/infer.h"
#include "ir/ctree_util.h"
#include <stdlib.h>

enum { MAX_GUARDS = 64 };

struct missing {
    struct rg__compared x;
    uint64_t asked, bare; /* by parameter: a test tells -1 from others; an element is used that may be -1 */
    int n;
    const struct rg_cnode *guards[MAX_GUARDS]; /* elements and locals that are not -1 here */
};

static uint64_t bit(int param)
{
    return param >= 0 && param < 64 ? (uint64_t)1 << param : 0;
}

/* e, or of `(c = e)` what has the value then. */
static const struct rg_cnode *bare_of(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET ? e->kid[0] : e;
}

static bool holds(enum rg_c_op op, int64_t a, int64_t b)
{
    switch (op) {
    case RG_COP_LT:
        return a < b;
    case RG_COP_GE:
        return a >= b;
    case RG_COP_GT:
        return a > b;
    case RG_COP_LE:
        return a <= b;
    case RG_COP_EQ:
        return a == b;
    default:
        return a != b;
    }
}

/* The element that a relation compares with a number, and what it says of -1 and of 1; NULL: it does not. */
static const struct rg_cnode *test(const struct missing *m, const struct rg_cnode *c, bool says[2])
{
    int64_t v;
    for (int side = 0; side < 2 && c->kind == RG_C_BINARY && rg_c_relation(c->op); side++) {
        const struct rg_cnode *e = bare_of(c->kid[side]);
        const enum rg_c_op op = side ? rg_c_converse(c->op) : c->op;
        if (rg__compared_element(&m->x, e) < 0 || !rg__c_number(c->kid[1 - side], &v)) continue;
        says[0] = holds(op, -1, v);
        says[1] = holds(op, 1, v);
        return e;
    }
    return NULL;
}

static void assume(struct missing *m, const struct rg_cnode *c, bool is)
{
    bool says[2];
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_NOT) {
        assume(m, c->kid[0], !is);
    } else if (c->op == (is ? RG_COP_AND : RG_COP_OR)) {
        assume(m, c->kid[0], is);
        assume(m, c->kid[1], is);
    } else {
        const struct rg_cnode *e = test(m, c, says);
        if (e && says[0] != is && m->n < MAX_GUARDS) m->guards[m->n++] = e;
    }
}

/* What mentions a variable that n writes is another element from there on. */
static void forget(struct missing *m, const struct rg_cnode *n)
{
    int kept = 0;
    for (int g = 0; g < m->n; g++) {
        bool stays = true;
        for (int v = 0; v < m->x.t->n_vars && stays; v++)
            stays = !rg__c_mentions_var(m->guards[g], v) ||
                    (!rg__c_writes_var(n, v) && !rg__c_declares(n, v) && !(n->kind == RG_C_LOOP && n->var == v));
        if (stays) m->guards[kept++] = m->guards[g];
    }
    m->n = kept;
}

static bool guarded(const struct missing *m, const struct rg_cnode *e)
{
    for (int g = 0; g < m->n; g++)
        if (rg__c_equal(m->guards[g], e)) return true;
    return false;
}

static void visit(struct missing *m, const struct rg_cnode *n);

/* An element that is only kept or compared: its subscripts alone. */
static void visit_kept(struct missing *m, const struct rg_cnode *e)
{
    const struct rg_cnode *u = rg__c_uncast(e, RG__C_INT_CASTS);
    if (!u || rg__compared_element(&m->x, u) < 0) {
        visit(m, e);
        return;
    }
    for (int i = 0; i < u->n; i++) visit(m, u->kid[i]);
}

/* Is the local known as that element from there on? A copy of it (`q = p`), or one of several, is not. */
static bool keeps(const struct missing *m, int var, const struct rg_cnode *value)
{
    const int p = rg__compared_element(&m->x, value);
    return p >= 0 && var >= 0 && m->x.held[var] == p;
}

/* n where the condition is so, or (NULL) in a scope of its own: what is known in it alone is forgotten behind it. */
static void visit_behind(struct missing *m, const struct rg_cnode *c, bool is, const struct rg_cnode *n)
{
    const struct rg_cnode *kept[MAX_GUARDS];
    const int before = m->n;
    for (int g = 0; g < before; g++) kept[g] = m->guards[g];
    if (c) assume(m, c, is);
    if (n->kind == RG_C_BLOCK)
        for (int i = 0; i < n->n; i++) visit(m, n->kid[i]);
    else
        visit(m, n);
    for (int g = 0; g < before; g++) m->guards[g] = kept[g];
    m->n = before;
    forget(m, n);
}

static bool leaves(const struct rg_cnode *n)
{
    static const enum rg_c_kind kinds[] = {RG_C_BREAK, RG_C_CONTINUE, RG_C_RETURN};
    for (int k = 0; k < 3; k++)
        if (n->kind == kinds[k] || (n->kind == RG_C_BLOCK && rg__c_ends_in(n, kinds[k]))) return true;
    return false;
}

static void visit_if(struct missing *m, const struct rg_cnode *n)
{
    const uint64_t asked = m->asked;
    m->asked = 0;
    visit(m, n->kid[0]);
    for (int i = 1; i < n->n; i++) /* an error, which would end each run soon */
        if (n->kid[i] && rg__mentions_kind(n->kid[i], RG_C_RETURN)) m->bare |= m->asked;
    m->asked |= asked;
    for (int i = 1; i < n->n; i++)
        if (n->kid[i]) visit_behind(m, n->kid[0], i == 1, n->kid[i]);
    if (n->n == 2 || !n->kid[2]) {
        if (leaves(n->kid[1])) assume(m, n->kid[0], false);
    }
}

static void visit_loop(struct missing *m, const struct rg_cnode *n)
{
    const bool is_for = n->kind == RG_C_FOR;
    const struct rg_cnode *c = is_for ? n->kid[1] : n->kind == RG_C_WHILE ? n->kid[0] : NULL;
    if (is_for) visit(m, n->kid[0]);
    forget(m, n);
    if (c && rg__c_is_expr(c)) visit(m, c);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && n->kid[i] != c && !(is_for && i == 0))
            visit_behind(m, c && rg__c_is_expr(c) && !(is_for && i == 2) ? c : NULL, true, n->kid[i]);
}

static void visit(struct missing *m, const struct rg_cnode *n)
{
    bool says[2];
    const struct rg_cnode *e;
    if (!n) return;
    if ((e = test(m, n, says))) {
        if (says[0] != says[1]) m->asked |= bit(rg__compared_element(&m->x, e));
        for (int i = 0; i < 2; i++) visit_kept(m, n->kid[i]);
    } else if (rg_c_lazy(n->op)) {
        visit(m, n->kid[0]);
        visit_behind(m, n->kid[0], n->op == RG_COP_AND, n->kid[1]);
    } else if (n->kind == RG_C_COND || n->kind == RG_C_IF) {
        visit_if(m, n);
    } else if (rg__c_is_loop(n)) {
        visit_loop(m, n);
    } else if (n->kind == RG_C_ASSIGN || n->kind == RG_C_DECL) {
        const struct rg_cnode *to = n->kind == RG_C_ASSIGN ? n->kid[0] : n;
        const bool local = to->array < 0 && (to == n || to->kind == RG_C_VAR);
        if (to != n && !local)
            for (int i = 0; i < to->n; i++) visit(m, to->kid[i]);
        for (int i = to != n; i < n->n; i++) {
            if (local && (to == n || n->op == RG_COP_SET) && keeps(m, to->var, n->kid[i]))
                visit_kept(m, n->kid[i]);
            else
                visit(m, n->kid[i]);
        }
        forget(m, n);
    } else if (n->kind == RG_C_BLOCK) {
        visit_behind(m, NULL, true, n);
    } else if (n->kind == RG_C_CASE) { /* reached from the head of the switch, past what stands in front of it there */
        m->n = 0;
        for (int i = 0; i < n->n; i++)
            if (n->kid[i]) visit(m, n->kid[i]);
    } else {
        const int p =
            n->kind == RG_C_VAR && n->array >= 0 ? m->x.t->arrays[n->array].param : rg__compared_element(&m->x, n);
        if (n->kind != RG_C_CAST && !guarded(m, n)) m->bare |= bit(p);
        for (int i = 0; i < n->n; i++) visit(m, n->kid[i]);
        if (n->kind == RG_C_INCDEC) forget(m, n);
    }
}

void rg__missing_places(struct rg__load *l)
{
    struct missing m = {.x = {.l = l, .t = l->t}};
    m.x.held = rg_xcalloc((size_t)l->t->n_vars + 1, sizeof *m.x.held);
    for (int v = 0; v < l->t->n_vars; v++) m.x.held[v] = l->t->vars[v].kind == RG_CVAR_PARAM ? -2 : -1;
    rg__c_walk(l->t->root, rg__compared_held, &m.x);
    visit(&m, l->t->root);
    if (!rg__mentions_kind(l->t->root, RG_C_GOTO)) l->missing = m.asked & ~m.bare;
    free(m.x.held);
}
