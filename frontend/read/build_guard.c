/* Static numbers that say what is done already: `if (!ready) { fill(); ready = 1; }`, `if (n > room) { a = malloc(n);
 * room = n; }`, `if (gamma == made_for) return;`. Doing it at each call gives the same, where what is done depends on
 * nothing but constants and what the condition compares: then such a number is what it is at the first call. */
#include "frontend/read/build_cell.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPARED = 8 };

struct guard {
    struct rg__build *b;
    uint32_t key;
    int uses, asked, set;
    bool bad;
    int n_compared;
    uint32_t compared[MOST_COMPARED]; /* other variables of the condition being looked at */
    uint32_t from, to;                /* the arm under it */
    bool *inside;                     /* by unit function: the arm may call it */
};

static bool names(const struct rg__build *b, CXCursor c, uint32_t key)
{
    c = rg__strip_parens((struct rg__build *)b, c);
    return b->c->getCursorKind(c) == CXCursor_DeclRefExpr && rg__decl_key(b->u, b->c->getCursorReferenced(c)) == key;
}

/* ---- is the variable written outside of the arm? ---- */

struct writes {
    const struct guard *g;
    uint32_t key;
    bool found;
};

static void look_for_write(void *arg, CXCursor c)
{
    struct writes *w = arg;
    struct rg__build *b = w->g->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    uint32_t at = rg__cursor_at(b->u, c);
    if (at >= w->g->from && at < w->g->to) return;
    if (k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator && k != CXCursor_UnaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n) return;
    if (k == CXCursor_BinaryOperator &&
        (kids.n != 2 || strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") != 0))
        return;
    CXCursor to = rg__strip_parens(b, kids.items[0]);
    for (;;) { /* the variable that holds what is written, or leads to it */
        enum CXCursorKind in = b->c->getCursorKind(to);
        if (in != CXCursor_ArraySubscriptExpr && in != CXCursor_MemberRefExpr && in != CXCursor_UnaryOperator) break;
        struct rg__children parts = rg__cursor_children(b->u, to, &b->p->arena);
        if (!parts.n) break;
        to = rg__strip_parens(b, parts.items[0]);
    }
    w->found |= names(b, to, w->key);
}

static bool written_outside(const struct guard *g, uint32_t key)
{
    struct writes w = {g, key, false};
    for (int f = 0; f < g->b->u->n_functions && !w.found; f++)
        if (!g->inside[f] && !g->b->c->Cursor_isNull(g->b->u->functions[f].body))
            rg__cursor_walk(g->b->u, g->b->u->functions[f].body, look_for_write, &w);
    return w.found;
}

/* ---- what the arm depends on ---- */

static bool within_arm(const struct guard *g, uint32_t key)
{
    if (key >= g->from && key < g->to) return true;
    for (int f = 0; f < g->b->u->n_functions; f++)
        if (g->inside[f] && key >= g->b->u->functions[f].at && key < g->b->u->functions[f].end) return true;
    return false;
}

static void depends_on(struct guard *g, CXCursor name)
{
    struct rg__build *b = g->b;
    CXCursor d = b->c->getCursorReferenced(name), def = b->c->getCursorDefinition(d);
    enum CXCursorKind k = b->c->getCursorKind(d);
    if (!b->c->Cursor_isNull(def)) d = def;
    uint32_t key = rg__decl_key(b->u, d);
    enum rg_scalar s;
    if ((k != CXCursor_VarDecl && k != CXCursor_ParmDecl) || key == g->key || within_arm(g, key)) return;
    for (int i = 0; i < g->n_compared; i++)
        if (g->compared[i] == key && rg__type_scalar(b->u, b->c->getCursorType(d), &s)) return;
    bool local =
        k == CXCursor_ParmDecl || (!rg__at_file_scope(b, d) && b->c->Cursor_getStorageClass(d) != CX_SC_Static);
    g->bad |= local || written_outside(g, key);
}

static void look_into(struct guard *g, CXCursor c)
{
    struct rg__build *b = g->b;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (g->bad || k == CXCursor_UnaryExpr) return; /* sizeof *p */
    if (k == CXCursor_DeclRefExpr) {
        depends_on(g, c);
        return;
    }
    if (k == CXCursor_CallExpr && kids.n) {
        CXCursor callee = rg__strip_parens(b, kids.items[0]);
        const char *called = rg__cursor_name(b->u, callee, &b->p->arena);
        int f = b->c->getCursorKind(callee) == CXCursor_DeclRefExpr
                    ? rg__unit_function(b->u, b->c->getCursorReferenced(callee))
                    : -1;
        if (f < 0 && !strcmp(called, "free")) return;
        if (f >= 0 && !g->inside[f]) {
            g->inside[f] = true;
            look_into(g, b->u->functions[f].body);
        }
        int first = f >= 0 ? 1 : !strcmp(called, "realloc") ? 2 : 0; /* whose memory it was does not count */
        for (int i = first; i < kids.n; i++) look_into(g, kids.items[i]);
        return;
    }
    if (k == CXCursor_BinaryOperator && kids.n == 2 &&
        !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") &&
        (b->c->getCursorKind(rg__strip_parens(b, kids.items[0])) == CXCursor_DeclRefExpr ||
         rg__is_allocation(b, kids.items[1]))) { /* new memory is nobody's yet, wherever it is kept */
        look_into(g, kids.items[1]);
        return;
    }
    for (int i = 0; i < kids.n; i++) look_into(g, kids.items[i]);
}

/* ---- the conditions ---- */

static void count_use(void *arg, CXCursor c)
{
    struct guard *g = arg;
    struct rg__build *b = g->b;
    if (b->c->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    if (names(b, c, g->key)) {
        g->uses++;
        return;
    }
    if (g->n_compared < MOST_COMPARED)
        g->compared[g->n_compared++] = rg__decl_key(b->u, b->c->getCursorReferenced(c));
    else
        g->bad = true;
}

static bool only_returns(struct rg__build *b, CXCursor arm)
{
    struct rg__children kids = rg__cursor_children(b->u, arm, &b->p->arena);
    if (b->c->getCursorKind(arm) == CXCursor_CompoundStmt) return kids.n == 1 && only_returns(b, kids.items[0]);
    return b->c->getCursorKind(arm) == CXCursor_ReturnStmt && !kids.n;
}

static void look_at(void *arg, CXCursor c)
{
    struct guard *g = arg;
    struct rg__build *b = g->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    g->uses += k == CXCursor_DeclRefExpr && names(b, c, g->key);
    if (k == CXCursor_IfStmt && kids.n >= 2) {
        struct guard in = {.b = b, .key = g->key};
        count_use(&in, kids.items[0]);
        rg__cursor_walk(b->u, kids.items[0], count_use, &in);
        g->asked += in.uses;
        if (in.uses) {
            uint32_t at = rg__cursor_at(b->u, c);
            CXCursor under = kids.items[1];
            for (int f = 0; f < b->u->n_functions && only_returns(b, kids.items[1]); f++)
                if (at >= b->u->functions[f].at && at < b->u->functions[f].end) under = b->u->functions[f].body;
            in.from = rg__cursor_at(b->u, under);
            in.to = rg__cursor_end(b->u, under);
            in.inside = rg_xcalloc((size_t)b->u->n_functions + 1, sizeof *in.inside);
            look_into(&in, under);
            free(in.inside);
            g->bad |= in.bad || kids.n > 2;
        }
    }
    g->set += k == CXCursor_BinaryOperator && kids.n == 2 && names(b, kids.items[0], g->key) &&
              !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
}

/* What such a number starts with; NULL: it is none. */
static struct rg_cnode *guard_start(struct rg__build *b, CXCursor decl)
{
    struct guard g = {.b = b, .key = rg__decl_key(b->u, decl)};
    enum rg_scalar s;
    int64_t i;
    double r;
    CXCursor init = rg__initialiser(b, decl);
    bool none = b->c->Cursor_isNull(init);
    if (!rg__type_scalar(b->u, b->c->getCursorType(decl), &s) || !rg__is_written_in_run(b, g.key) || !b->in_run ||
        b->c->Cursor_getStorageClass(decl) != CX_SC_Static || b->setup || rg__unit_linked(b->u, g.key))
        return NULL;
    for (int f = 0; f < b->u->n_functions; f++)
        if (b->in_run[f]) rg__cursor_walk(b->u, b->u->functions[f].body, look_at, &g);
    if (g.bad || !g.set || g.uses != g.asked + g.set || rg__state_seen(b, g.key)) return NULL;
    struct rg_cnode *first = NULL;
    if (rg__scalar_is_int(s) && (none || rg__eval_int(b->u, init, &i))) {
        first = rg__c_int(b->t, none ? 0 : i);
    } else if (!rg__scalar_is_int(s) && (none || rg__eval_real(b->u, init, &r))) {
        first = rg_cnode_new(b->t, RG_C_REAL, 0);
        first->rvalue = none ? 0 : r;
        first->type = s;
    }
    return first;
}

void rg__own_guard(struct rg__build *b, CXCursor decl)
{
    struct rg_cnode *first = guard_start(b, decl);
    if (first && !b->follow) b->guarded = true;
    if (!first || !b->follow) return;
    RG_GROW(b->own, b->n_own, b->cap_own);
    b->own[b->n_own++] = (struct rg__own){
        .key = rg__decl_key(b->u, decl), .decl = decl, .found = true, .whole = -1, .cell = -1, .first = first};
}
