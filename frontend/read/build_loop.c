/* Loops. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_field.h"
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
    struct rg_cnode *e = rg__fold_null_tests(b, rg__build_expr(b, c));
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
    return rg__fold_null_tests(b, rg__build_expr(b, cond));
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

static void while_loop(struct rg__build *b, CXCursor c, struct rg__children kids, bool at_end, struct rg__kids *out)
{
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

/* What the statement sets the variable to, where that is 1. */
static struct rg_cnode **first_one(struct rg_cnode *s, const struct rg_cnode *n)
{
    struct rg_cnode **value = NULL;
    int64_t from;
    if (s->kind == RG_C_DECL && s->array < 0 && s->n && s->var == n->var) value = &s->kid[0];
    if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && rg__c_equal(s->kid[0]->kid[0], n))
        value = &s->kid[0]->kid[1];
    return value && rg__cell_evaluate(*value, &from) && from == 1 ? value : NULL;
}

/* `n = 1; while (n < x) n <<= 1;`: n is the least power of two from x on. */
static void doubled_to(struct rg__build *b, struct rg__kids *out)
{
    const struct rg_cnode *loop = out->items[out->n - 1], *cond = loop->kind == RG_C_WHILE ? loop->kid[0] : NULL,
                          *body = cond ? loop->kid[1] : NULL;
    if (!body || body->n != 1 || body->kid[0]->kind != RG_C_STMT || cond->kind != RG_C_BINARY) return;
    const bool less = cond->op == RG_COP_LT;
    const struct rg_cnode *step = body->kid[0]->kid[0], *n = rg__c_uncast(cond->kid[!less], RG__C_INT_CASTS);
    const bool shift = step->op == RG_COP_SHL_SET;
    int64_t factor;
    if ((!less && cond->op != RG_COP_GT) || n->kind != RG_C_VAR || n->array >= 0 || !rg__scalar_is_int(n->type) ||
        step->kind != RG_C_ASSIGN || (!shift && step->op != RG_COP_MUL_SET) || !rg__c_equal(step->kid[0], n) ||
        !rg__cell_evaluate(step->kid[1], &factor) || factor != (shift ? 1 : 2) || !first_one(out->items[out->n - 2], n))
        return;
    struct rg_cnode *to = rg__expand_known(b, cond->kid[less]);
    if (!rg__c_of_params(b->t, to) || !rg__c_pure(b->t, to)) return;
    struct rg_cnode *value = rg__c_cast(b->t, rg__c_power_from(b->t, to), n->type);
    *first_one(out->items[--out->n - 1], n) = value;
    rg__cell_set_number(b, n->var, value);
}

void rg__build_while(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    bool at_end = b->c->getCursorKind(c) == CXCursor_DoStmt;
    if (kids.n != 2) {
        rg__verbatim(b, c, "a loop of an unknown form");
        return;
    }
    uint32_t at = rg__cursor_at(b->u, c);
    enum rg__cell_form form = b->follow && !at_end ? rg__cell_form(b, at) : RG__BY_VALUE;
    if (form == RG__UNROLLED) {
        rg__cell_decide(b, at, RG__BY_TRIPS);
        return;
    }
    if (form == RG__BY_TRIPS) {
        struct rg__trips_loop l = {c, kids.items[0], b->c->getNullCursor(), kids.items[1]};
        rg__unroll_by_trips(b, &l, out);
        return;
    }
    struct rg__span span;
    struct rg__unrolled around = {-1, at, b->follow ? b->follow->around : NULL};
    rg__span_enter(b, true, &span);
    if (b->follow) b->follow->around = &around;
    while_loop(b, c, kids, at_end, out);
    if (b->follow) b->follow->dead = false;
    rg__span_leave(b, &span);
    if (b->follow) b->follow->around = around.outer;
    if (out->n > 1) doubled_to(b, out);
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

/* for (k = A; k < B; k++) of numbers that are known: who counts, and from where to where. */
struct counted {
    CXCursor counter;
    int64_t from, to, step;
};

static bool counted(struct rg__build *b, const CXCursor *slot, const bool *have, struct counted *x)
{
    if (!have[0] || !have[1] || !have[2]) return false;
    struct rg__children first = rg__cursor_children(b->u, slot[0], &b->p->arena), sides, steps;
    CXCursor value = b->c->getNullCursor(), cond = rg__strip_parens(b, slot[1]), step = rg__strip_parens(b, slot[2]);
    sides = rg__cursor_children(b->u, cond, &b->p->arena);
    steps = rg__cursor_children(b->u, step, &b->p->arena);
    if (b->c->getCursorKind(cond) != CXCursor_BinaryOperator || sides.n != 2 || !steps.n) return false;
    CXCursor left = rg__strip_parens(b, sides.items[0]);
    if (b->c->getCursorKind(left) != CXCursor_DeclRefExpr) return false;
    x->counter = b->c->getCursorReferenced(left);
    uint32_t key = rg__decl_key(b->u, x->counter);
    if (b->c->getCursorKind(slot[0]) == CXCursor_DeclStmt && first.n == 1) {
        struct rg__children parts = rg__cursor_children(b->u, first.items[0], &b->p->arena);
        if (rg__decl_key(b->u, first.items[0]) == key && parts.n) value = parts.items[parts.n - 1];
    } else if (b->c->getCursorKind(slot[0]) == CXCursor_BinaryOperator && first.n == 2) {
        CXCursor to = rg__strip_parens(b, first.items[0]);
        if (b->c->getCursorKind(to) == CXCursor_DeclRefExpr && rg__decl_key(b->u, b->c->getCursorReferenced(to)) == key)
            value = first.items[1];
    }
    if (b->c->Cursor_isNull(value) || rg__sets_or_calls(b, value, true) || rg__sets_or_calls(b, sides.items[1], true))
        return false;
    const char *op = rg__operator_between(b, sides.items[0], sides.items[1]);
    int tok = rg__tok_from(&b->u->src, rg__cursor_at(b->u, step));
    bool up = rg__tok_is(&b->u->src, tok, "++") || rg__tok_is(&b->u->src, tok + 1, "++");
    bool down = rg__tok_is(&b->u->src, tok, "--") || rg__tok_is(&b->u->src, tok + 1, "--");
    if (b->c->getCursorKind(step) != CXCursor_UnaryOperator || up == down) return false;
    if (!rg__cell_evaluate(rg__build_expr(b, value), &x->from) ||
        !rg__cell_evaluate(rg__build_expr(b, sides.items[1]), &x->to))
        return false;
    x->step = up ? 1 : -1;
    if (!strcmp(op, up ? "<=" : ">=")) return x->to += x->step, true;
    return !strcmp(op, up ? "<" : ">") || !strcmp(op, "!=");
}

/* Iteration by iteration, where cells are subscripted by the counter. */
bool rg__ends_turn(struct rg__build *b, bool breaks)
{
    struct rg__follow *f = b->follow;
    struct rg__turn *t = f ? f->turn : NULL;
    if (!t || f->dead || f->span != t->span || f->conditions != t->conditions) return false;
    t->left = f->dead = true;
    t->breaks = breaks;
    return true;
}

static bool unrolled(struct rg__build *b, CXCursor c, const struct counted *x, CXCursor body, struct rg__kids *out)
{
    enum { MOST = 32 };
    uint32_t key = rg__decl_key(b->u, x->counter), path = b->follow ? b->follow->path : 0;
    const struct rg__sym *outside = rg__sym_find(b, key);
    int var = outside && outside->kind == RG__SYM_VAR ? outside->var : -1;
    int64_t i = x->from;
    struct rg__turn turn = {0}, *outer = b->follow ? b->follow->turn : NULL;
    for (int n = 0; (x->to - i) * x->step > 0 && !turn.breaks; i += turn.breaks ? 0 : x->step, n++) {
        int first = b->n_syms;
        if (b->follow) {
            turn = (struct rg__turn){b->follow->span, b->follow->conditions, false, false};
            b->follow->turn = &turn;
        }
        if (n == MOST) return false;
        if (b->follow) b->follow->path = path * 31 + (uint32_t)n + 7;
        rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__c_int(b->t, i);
        struct rg_cnode *block = rg__build_block(b, body);
        rg__drop_symbols(b, first);
        if (b->follow) b->follow->turn = outer;
        if (turn.left) b->follow->dead = false;
        if (rg__leaves_loop(block)) rg__verbatim(b, c, "a loop over pointers that is left early");
        splice(out, block);
    }
    if (b->follow) b->follow->path = path;
    if (var >= 0)
        rg__kids_add(out, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, var), rg__c_int(b->t, i))));
    return true;
}

/* A few iterations, each of which reads an element of a member that is a parameter: `n *= g->dim[d];`. */
static bool few_elements(struct rg__build *b, const CXCursor *slot, const bool *have, struct counted *x)
{
    enum { MOST = 8 };
    return have[3] && rg__may_pick_elements(b, slot[3]) && counted(b, slot, have, x) &&
           (x->to - x->from) * x->step <= MOST && rg__picks_elements(b, slot[3], rg__decl_key(b->u, x->counter));
}

/* free(t[i].x); of each: memory of the function's own ends with it anyway. */
static bool only_frees(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (k == CXCursor_CallExpr)
        return kids.n == 2 && !strcmp(rg__cursor_name(b->u, c, &b->t->arena), "free") &&
               !rg__sets_or_calls(b, kids.items[1], true);
    bool all = k == CXCursor_CompoundStmt && kids.n > 0;
    for (int i = 0; i < kids.n && all; i++) all = only_frees(b, kids.items[i]);
    return all;
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
    struct counted k;
    enum rg__cell_form form = b->follow ? rg__cell_form(b, rg__cursor_at(b->u, c)) : RG__BY_VALUE;
    bool frees = (form == RG__UNROLLED || form == RG__BY_TRIPS) && have[0] && have[3] && only_frees(b, slot[3]);
    if (frees && b->c->getCursorKind(slot[0]) == CXCursor_DeclStmt) return;
    if (form == RG__UNROLLED && have[3]) {
        if (!counted(b, slot, have, &k))
            rg__cell_decide(b, rg__cursor_at(b->u, c), RG__BY_TRIPS);
        else if (!unrolled(b, c, &k, slot[3], out))
            rg__verbatim(b, c, "which of several pointers is meant is not known here");
        return;
    }
    if (form == RG__BY_VALUE && few_elements(b, slot, have, &k) && unrolled(b, c, &k, slot[3], out)) return;
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
    if (form == RG__BY_TRIPS && have[3]) {
        CXCursor none = b->c->getNullCursor();
        struct rg__trips_loop l = {c, have[1] ? slot[1] : none, have[2] ? slot[2] : none, slot[3]};
        if (f->kid[0]) rg__kids_add(out, f->kid[0]);
        rg__unroll_by_trips(b, &l, out);
        return;
    }
    struct rg__kids tests = {0};
    struct rg__span span;
    rg__span_enter(b, true, &span);
    const struct rg_cnode *counter = f->kid[0];
    struct rg__unrolled around = {-1, rg__cursor_at(b->u, c), b->follow ? b->follow->around : NULL};
    if (counter && counter->kind == RG_C_STMT) counter = counter->kid[0];
    if (counter && counter->kind == RG_C_ASSIGN) counter = counter->kid[0];
    if (counter && (counter->kind == RG_C_DECL || counter->kind == RG_C_VAR)) around.var = counter->var;
    if (b->follow) b->follow->around = &around;
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
        rg__now_forget(b); /* the body comes first */
    }
    if (have[3]) splice(&tests, rg__build_block(b, slot[3]));
    if (b->follow) b->follow->dead = false;
    rg__span_leave(b, &span);
    if (b->follow) b->follow->around = around.outer;
    f->kid[3] = rg__kids_node(b->t, RG_C_BLOCK, &tests);
    rg__kids_add(out, f);
}
