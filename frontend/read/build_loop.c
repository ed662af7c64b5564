/* Loops. */
#include "frontend/read/build.h"
#include <stdlib.h>
#include <string.h>

struct search {
    struct rg__build *b;
    bool calls, found;
};

static void look(void *arg, CXCursor c)
{
    struct search *s = arg;
    struct rg__build *b = s->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children sides = {0};
    if (k == CXCursor_BinaryOperator) sides = rg__cursor_children(b->u, c, &b->p->arena);
    bool calls = s->calls && k == CXCursor_CallExpr && rg__unit_function(b->u, b->c->getCursorReferenced(c)) >= 0;
    bool sets = k == CXCursor_CompoundAssignOperator ||
                (sides.n == 2 && !strcmp(rg__operator_between(b, sides.items[0], sides.items[1]), "="));
    s->found = s->found || calls || sets;
}

bool rg__sets_or_calls(struct rg__build *b, CXCursor e, bool calls)
{
    struct search s = {b, calls, false};
    look(&s, e);
    rg__cursor_walk(b->u, e, look, &s);
    return s.found;
}

static struct rg_cnode *leave_unless(struct rg__build *b, struct rg_cnode *e, CXCursor where)
{
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_IF, 2), *out = rg_cnode_new(b->t, RG_C_BREAK, 0);
    rg__place_node(b, n, where);
    rg__place_node(b, out, where);
    n->kid[0] = rg__c_unary(b->t, RG_COP_NOT, e);
    n->kid[1] = rg_cnode_new(b->t, RG_C_BLOCK, 1);
    n->kid[1]->kid[0] = out;
    return n;
}

/* What is to be asked, part by part: the first parts that are no more than expressions become `lead`; from the first on
 * that sets something, or calls what can stand in front of it, each is a statement that leaves the loop. */
static void ask(struct rg__build *b, CXCursor cond, struct rg_cnode **lead, struct rg__kids *tests)
{
    CXCursor c = rg__strip_parens(b, cond);
    struct rg__children sides = rg__cursor_children(b->u, c, &b->p->arena);
    if (b->c->getCursorKind(c) == CXCursor_BinaryOperator && sides.n == 2 &&
        !strcmp(rg__operator_between(b, sides.items[0], sides.items[1]), "&&")) {
        ask(b, sides.items[0], lead, tests);
        ask(b, sides.items[1], lead, tests);
        return;
    }
    struct rg__kids front = {0};
    b->hoist = &front;
    struct rg_cnode *e = rg__build_expr(b, c);
    rg__c_lift_assignments(b->t, e, &front);
    if (lead && tests->n == 0 && front.n == 0) {
        *lead = *lead ? rg__c_binary(b->t, RG_COP_AND, *lead, e) : e;
    } else {
        for (int i = 0; i < front.n; i++) rg__kids_add(tests, front.items[i]);
        rg__kids_add(tests, leave_unless(b, e, c));
    }
    free(front.items);
}

/* A loop's condition. Where it sets variables, or calls functions of the file (of a counted loop's first part: its
 * bound, which stays one), what can't be said in an expression goes to `tests`, the statements that begin each
 * iteration. NULL: nothing is left to ask. */
static struct rg_cnode *condition(struct rg__build *b, CXCursor cond, bool calls, struct rg__kids *tests)
{
    CXCursor c = rg__strip_parens(b, cond);
    struct rg__children sides = rg__cursor_children(b->u, c, &b->p->arena);
    bool both = b->c->getCursorKind(c) == CXCursor_BinaryOperator && sides.n == 2 &&
                !strcmp(rg__operator_between(b, sides.items[0], sides.items[1]), "&&");
    struct rg_cnode *lead = NULL;
    if (rg__sets_or_calls(b, c, calls) || (both && rg__sets_or_calls(b, sides.items[1], true))) {
        ask(b, c, &lead, tests);
        return lead;
    }
    b->hoist = NULL;
    return rg__build_expr(b, cond);
}

static void splice(struct rg__kids *to, struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++) rg__kids_add(to, block->kid[i]);
}

static struct rg_cnode *endless(struct rg__build *b, CXCursor c, struct rg_cnode *lead, struct rg__kids *body)
{
    struct rg_cnode *f = rg_cnode_new(b->t, RG_C_FOR, 4);
    rg__place_node(b, f, c);
    f->kid[0] = f->kid[2] = NULL;
    f->kid[1] = lead;
    f->kid[3] = rg__kids_node(b->t, RG_C_BLOCK, body);
    return f;
}

void rg__build_while(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    bool at_end = b->c->getCursorKind(c) == CXCursor_DoStmt;
    if (kids.n != 2) {
        rg__verbatim(b, c, "a loop of an unknown form");
        return;
    }
    struct rg_cnode *n = rg_cnode_new(b->t, at_end ? RG_C_DO : RG_C_WHILE, 2), *body = NULL;
    rg__place_node(b, n, c);
    struct rg__kids tests = {0}, all = {0};
    if (at_end) {
        body = rg__build_block(b, kids.items[0]);
        if (rg__sets_or_calls(b, kids.items[1], true) && !rg__continues_loop(body)) {
            ask(b, kids.items[1], NULL, &tests);
            splice(&all, body);
            for (int i = 0; i < tests.n; i++) rg__kids_add(&all, tests.items[i]);
            rg__kids_add(out, endless(b, c, NULL, &all));
            free(tests.items);
            return;
        }
        b->hoist = NULL;
        n->kid[0] = body;
        n->kid[1] = rg__build_expr(b, kids.items[1]);
    } else {
        struct rg_cnode *lead = condition(b, kids.items[0], true, &tests);
        body = rg__build_block(b, kids.items[1]);
        if (tests.n) {
            splice(&tests, body);
            rg__kids_add(out, endless(b, c, lead, &tests));
            return;
        }
        n->kid[0] = lead;
        n->kid[1] = body;
    }
    b->hoist = NULL;
    rg__kids_add(out, n);
}

static bool hint_before(struct rg__build *b, uint32_t at)
{
    const struct rg__source *s = &b->u->src;
    int k = rg__tok_from(s, at);
    uint32_t from = k > 0 ? s->toks[k - 1].at : 0;
    for (int i = 0; i < s->n_pragmas; i++) {
        if (s->pragmas[i].at < from || s->pragmas[i].at > at) continue;
        const char *t = s->pragmas[i].text;
        if (!strncmp(t, "omp", 3) && (strstr(t, "parallel for") || strstr(t, "simd"))) return true;
    }
    return false;
}

void rg__build_for(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    const struct rg__source *s = &b->u->src;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    uint32_t semis[2] = {0, 0}, close = 0;
    int n_semis = 0, depth = 0;
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, c)) + 1; k < s->n_toks; k++) {
        if (rg__tok_is(s, k, "(") || rg__tok_is(s, k, "{") || rg__tok_is(s, k, "[")) depth++;
        if (rg__tok_is(s, k, ")") || rg__tok_is(s, k, "}") || rg__tok_is(s, k, "]")) depth--;
        if (depth == 1 && rg__tok_is(s, k, ";") && n_semis < 2) semis[n_semis++] = s->toks[k].at;
        if (depth == 0) {
            close = s->toks[k].at;
            break;
        }
    }
    struct rg_cnode *f = rg_cnode_new(b->t, RG_C_FOR, 4);
    rg__place_node(b, f, c);
    f->parallel_hint = hint_before(b, rg__cursor_at(b->u, c));
    CXCursor slot[4];
    bool have[4] = {false};
    for (int i = 0; i < kids.n; i++) {
        uint32_t at = rg__cursor_at(b->u, kids.items[i]);
        int which = at > close ? 3 : at > semis[1] ? 2 : at > semis[0] ? 1 : 0;
        slot[which] = kids.items[i];
        have[which] = true;
    }
    if (have[0]) { /* several declarations or assignments: all but the last go in front */
        struct rg__kids init = {0};
        b->hoist = out;
        if (b->c->getCursorKind(slot[0]) == CXCursor_DeclStmt)
            rg__build_stmt(b, slot[0], &init);
        else
            rg__emit_expr(b, rg__build_expr(b, slot[0]), &init);
        for (int i = 0; i < init.n; i++) {
            if (i + 1 < init.n)
                rg__kids_add(out, init.items[i]);
            else
                f->kid[0] = init.items[i];
        }
        free(init.items);
    }
    struct rg__kids tests = {0};
    if (have[1]) f->kid[1] = condition(b, slot[1], false, &tests);
    b->hoist = NULL;
    if (have[2]) {
        struct rg__kids inc = {0};
        rg__emit_expr(b, rg__build_expr(b, slot[2]), &inc);
        if (inc.n == 1) {
            f->kid[2] = inc.items[0]->kid[0];
        } else if (inc.n > 1) {
            f->kid[2] = rg_cnode_new(b->t, RG_C_COMMA, inc.n);
            for (int i = 0; i < inc.n; i++) f->kid[2]->kid[i] = inc.items[i]->kid[0];
        }
        free(inc.items);
    }
    if (have[3]) splice(&tests, rg__build_block(b, slot[3]));
    f->kid[3] = rg__kids_node(b->t, RG_C_BLOCK, &tests);
    rg__kids_add(out, f);
}
