/* Where pointers come from, whatever the order of statements (an inclusion analysis over variables), and what each of a
 * function's parameters is compared with so. */
#include "frontend/read/end_flow.h"
#include <stdlib.h>
#include <string.h>

enum { OTHER = 1 << RG__END_PARAMS, MOST_WALKS = 16 };
enum { SAYS_LOOP = 4, SAYS_STEP = 3, SAYS_DIFFERENCE = 2, SAYS_COMPARISON = 1 }; /* which of two is the lower one */

struct value {
    unsigned roots; /* bits of parameters; OTHER */
    bool up, down;  /* it may be above, below where that leads */
};

struct flow {
    struct rg__build *b;
    struct rg__end_flow *out;
    int n_vars, cap_vars;
    struct node { /* a pointer variable, or what a function returns */
        uint32_t key;
        struct value v;
        unsigned low, high; /* an integer, the difference high - low: bits of parameters */
    } * vars;
    int n_run, cap_run;
    int *run;      /* unit functions that are called; the first is asked about */
    bool changed;  /* since the last walk */
    bool settled;  /* nothing does any more: facts are noted */
    uint32_t into; /* the function whose body is walked */
};

static struct value eval(struct flow *x, CXCursor c);
static struct value inside(struct flow *x, CXCursor c);

static struct node *node_of(struct flow *x, uint32_t key)
{
    for (int i = 0; i < x->n_vars; i++)
        if (x->vars[i].key == key) return &x->vars[i];
    RG_GROW(x->vars, x->n_vars, x->cap_vars);
    x->vars[x->n_vars] = (struct node){.key = key};
    return &x->vars[x->n_vars++];
}

static struct value either(struct value a, struct value b)
{
    return (struct value){a.roots | b.roots, a.up || b.up, a.down || b.down};
}

static void flows(struct flow *x, struct value v, uint32_t to)
{
    if (!v.roots) return; /* NULL, or nothing yet */
    struct node *n = node_of(x, to);
    struct value all = either(n->v, v);
    x->changed |= all.roots != n->v.roots || all.up != n->v.up || all.down != n->v.down;
    n->v = all;
}

static void escapes(struct flow *x, struct value v)
{
    for (int i = 0; i < x->out->n && x->settled; i++)
        if (v.roots >> i & 1) x->out->of[i].unknown = x->out->of[i].read = true;
}

static void accessed(struct flow *x, struct value v)
{
    for (int i = 0; i < x->out->n && x->settled; i++)
        if (v.roots >> i & 1) x->out->of[i].read = true;
}

static void meet(struct flow *x, struct value l, struct value r, const char *op, bool loop, bool alone)
{
    const bool less = *op == '<', more = *op == '>', difference = *op == '-', ordered = less || more || difference;
    if (!x->settled || !l.roots || !r.roots) return; /* NULL */
    if (r.roots & OTHER) escapes(x, l);
    if (l.roots & OTHER) escapes(x, r);
    const bool one = !(l.roots & (l.roots - 1)) && !(r.roots & (r.roots - 1)), /* each leads to one place alone */
        bound = loop && one && !difference && (ordered || alone);
    int left = 0; /* > 0: says that it is the lower one */
    if (ordered) left = (less ? 1 : -1) * (loop ? SAYS_LOOP : difference ? SAYS_DIFFERENCE : SAYS_COMPARISON);
    if (!ordered && l.up != l.down) left += l.up ? SAYS_STEP : -SAYS_STEP;
    if (!ordered && r.up != r.down) left += r.up ? -SAYS_STEP : SAYS_STEP;
    for (int i = 0; i < x->out->n; i++)
        for (int k = 0; k < x->out->n; k++) {
            struct rg__end_facts *a = &x->out->of[i], *z = &x->out->of[k];
            if (i == k || !(l.roots >> i & 1) || !(r.roots >> k & 1)) continue;
            const unsigned how = RG__COMPARED | (bound ? RG__BOUND_BY : 0);
            a->meets[k] |= how;
            z->meets[i] |= how;
            if (left > 0) a->below[k] += left;
            if (left < 0) z->below[i] -= left;
            if (left && loop && one && !ordered) /* it goes on until they meet */
                *(left > 0 ? &a->needs : &z->needs) |= 1u << (left > 0 ? k : i);
        }
}

static bool is_pointer(struct flow *x, CXCursor c)
{
    return rg__type_is_pointer(x->b->u, x->b->c->getCursorType(c));
}

/* The variable that the expression is; 0: it is something else. */
static uint32_t variable(struct flow *x, CXCursor c, bool *file)
{
    const struct rg__clang *k = x->b->c;
    c = rg__strip_parens(x->b, c);
    if (k->getCursorKind(c) != CXCursor_DeclRefExpr) return 0;
    CXCursor d = k->getCursorReferenced(c);
    if (k->getCursorKind(d) != CXCursor_VarDecl && k->getCursorKind(d) != CXCursor_ParmDecl) return 0;
    *file = rg__at_file_scope(x->b, d);
    return rg__decl_key(x->b->u, d);
}

static struct value named(struct flow *x, CXCursor c)
{
    bool file = false;
    uint32_t key = variable(x, c, &file);
    if (!key) return (struct value){0};
    for (int i = 0; i < x->n_vars; i++)
        if (x->vars[i].key == key) return x->vars[i].v;
    if (file || rg__type_is_array(x->b->u, x->b->c->getCursorType(c))) return (struct value){.roots = OTHER};
    return (struct value){0}; /* nothing has come there yet */
}

static struct value stepped(struct flow *x, CXCursor place, struct value v, bool up)
{
    bool file = false;
    uint32_t key = v.roots ? variable(x, place, &file) : 0;
    v = either(v, (struct value){0, up, !up});
    if (key && !file) flows(x, v, key);
    return v;
}

static struct value unary(struct flow *x, CXCursor c, CXCursor kid)
{
    struct rg__build *b = x->b;
    uint32_t at = rg__cursor_at(b->u, c);
    bool prefix = rg__cursor_at(b->u, kid) > at;
    int tok = rg__tok_from(&b->u->src, prefix ? at : rg__cursor_end(b->u, kid));
    const bool up = rg__tok_is(&b->u->src, tok, "++");
    if (up || rg__tok_is(&b->u->src, tok, "--")) return stepped(x, kid, eval(x, kid), up);
    if (rg__tok_is(&b->u->src, tok, "*")) {
        accessed(x, eval(x, kid));
        return (struct value){.roots = is_pointer(x, c) ? OTHER : 0};
    }
    if (!rg__tok_is(&b->u->src, tok, "&")) {
        struct value v = eval(x, kid);
        if (!rg__tok_is(&b->u->src, tok, "!")) escapes(x, v);
        return (struct value){0};
    }
    CXCursor in = rg__strip_parens(b, kid);
    struct rg__children kids = rg__cursor_children(b->u, in, &b->p->arena);
    if (b->c->getCursorKind(in) == CXCursor_ArraySubscriptExpr && kids.n == 2) {
        eval(x, kids.items[1]);
        return either(eval(x, kids.items[0]), (struct value){0, true, false});
    }
    if (b->c->getCursorKind(in) == CXCursor_UnaryOperator && kids.n == 1) return eval(x, kids.items[0]); /* &*p */
    escapes(x, eval(x, in));
    return (struct value){.roots = OTHER};
}

static bool compares(const char *op)
{
    static const char *const all[] = {"!=", "==", "<", ">", "<=", ">="};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(op, all[i])) return true;
    return false;
}

static bool is_unsigned(struct flow *x, CXCursor c)
{
    enum rg_scalar s;
    return rg__type_scalar(x->b->u, x->b->c->getCursorType(c), &s) && !rg_scalar_is_real(s) && !rg_scalar_is_signed(s);
}

/* The parameters whose difference the integer is, as it is or as it counts down. *no_sign: it is converted to an
 * unsigned type. */
static bool is_difference(struct flow *x, CXCursor c, unsigned *low, unsigned *high, bool *no_sign)
{
    const struct rg__clang *k = x->b->c;
    for (;;) {
        const enum CXCursorKind is = k->getCursorKind(c);
        struct rg__children kids = rg__cursor_children(x->b->u, c, &x->b->p->arena);
        *no_sign |= is_unsigned(x, c);
        bool file = false;
        const uint32_t key = is == CXCursor_DeclRefExpr ? variable(x, c, &file) : 0;
        for (int i = 0; i < x->n_vars && key && !file; i++)
            if (x->vars[i].key == key) return *low = x->vars[i].low, *high = x->vars[i].high, *low && *high;
        if (is == CXCursor_BinaryOperator && kids.n == 2 && is_pointer(x, kids.items[0]) &&
            is_pointer(x, kids.items[1]) && !strcmp(rg__operator_between(x->b, kids.items[0], kids.items[1]), "-")) {
            *high = inside(x, kids.items[0]).roots, *low = inside(x, kids.items[1]).roots;
            return *low && *high;
        }
        if (is != CXCursor_ParenExpr && is != CXCursor_UnexposedExpr && is != CXCursor_CStyleCastExpr &&
            is != CXCursor_UnaryOperator)
            return false;
        if (!kids.n || is_pointer(x, kids.items[kids.n - 1])) return false;
        c = kids.items[kids.n - 1];
    }
}

/* A difference that is used as a length has a meaning in one order alone: one without a sign, or (`whole`) one that a
 * loop counts to or from until it is there. */
static void length(struct flow *x, CXCursor c, bool whole)
{
    unsigned low, high;
    bool no_sign = false;
    if (!x->settled || !is_difference(x, c, &low, &high, &no_sign) || (!no_sign && !whole)) return;
    if ((low & (low - 1)) || (high & (high - 1)) || low == high) return;
    for (int i = 0; i < x->out->n; i++)
        if (low >> i & 1) x->out->of[i].needs |= high;
}

static void keeps_difference(struct flow *x, CXCursor c, uint32_t to)
{
    unsigned low, high;
    bool no_sign = false;
    if (!is_difference(x, c, &low, &high, &no_sign)) return;
    struct node *n = node_of(x, to);
    x->changed |= (low & ~n->low) || (high & ~n->high);
    n->low |= low, n->high |= high;
}

static struct value binary(struct flow *x, CXCursor c, CXCursor left, CXCursor right, bool compound)
{
    const char *op = rg__operator_between(x->b, left, right);
    bool file = false, difference = !strcmp(op, "-") && is_pointer(x, left) && is_pointer(x, right);
    uint32_t to = variable(x, left, &file);
    struct value l = compares(op) ? inside(x, left) : eval(x, left), /* `(size_t)(p - x) < n`: is it in there? */
        r = compares(op) ? inside(x, right) : eval(x, right);
    if (!strcmp(op, "=")) {
        if (!is_pointer(x, left)) {
            if (to && !file) keeps_difference(x, right, to);
            return (struct value){0};
        }
        if (to && !file)
            flows(x, r, to);
        else
            escapes(x, r);
        return r;
    }
    if (compound) return stepped(x, left, l, *op == '+');
    if (compares(op) || difference) {
        meet(x, l, r, op, false, false);
        return (struct value){0};
    }
    if (!strcmp(op, ",")) return r;
    if (!is_pointer(x, c)) return (struct value){0};
    return either(either(l, r), (struct value){0, *op == '+', *op == '-'});
}

/* What a loop asks before it goes on. */
static void loop_condition(struct flow *x, CXCursor c, bool alone)
{
    struct rg__build *b = x->b;
    c = rg__strip_parens(b, c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    const char *op = b->c->getCursorKind(c) == CXCursor_BinaryOperator && kids.n == 2
                         ? rg__operator_between(b, kids.items[0], kids.items[1])
                         : "";
    if (!strcmp(op, "&&")) {
        for (int i = 0; i < 2; i++) loop_condition(x, kids.items[i], false);
    } else if (compares(op)) {
        struct value l = eval(x, kids.items[0]), r = eval(x, kids.items[1]);
        meet(x, l, r, op, true, alone && *op == '!');
        for (int i = 0; i < 2 && *op == '!'; i++) length(x, kids.items[i], true);
    } else {
        length(x, c, true);
        eval(x, c);
    }
}

static struct value call(struct flow *x, CXCursor c, struct rg__children kids)
{
    struct rg__build *b = x->b;
    CXCursor callee = b->c->getCursorReferenced(c);
    bool function = !b->c->Cursor_isNull(callee) && b->c->getCursorKind(callee) == CXCursor_FunctionDecl;
    int f = function ? rg__unit_function(b->u, callee) : -1, arg = 1;
    if (f >= 0) {
        const struct rg__function *to = &b->u->functions[f];
        bool known = false;
        for (int i = 0; i < x->n_run; i++) known |= x->run[i] == f;
        if (!known) {
            RG_GROW(x->run, x->n_run, x->cap_run);
            x->run[x->n_run++] = f;
            x->changed = true;
        }
        struct rg__children params = rg__cursor_children(b->u, to->cursor, &b->p->arena);
        for (int i = 0; i < params.n && arg < kids.n; i++)
            if (b->c->getCursorKind(params.items[i]) == CXCursor_ParmDecl) {
                struct value v = eval(x, kids.items[arg++]);
                flows(x, v, rg__decl_key(b->u, params.items[i]));
            }
    }
    for (; arg < kids.n; arg++) escapes(x, eval(x, kids.items[arg]));
    if (!is_pointer(x, c)) return (struct value){0};
    return f >= 0 ? node_of(x, rg__decl_key(b->u, b->u->functions[f].cursor))->v : (struct value){.roots = OTHER};
}

static bool is_expression(enum CXCursorKind k)
{
    return k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr;
}

static struct value eval(struct flow *x, CXCursor c)
{
    length(x, c, false);
    return inside(x, c);
}

static struct value inside(struct flow *x, CXCursor c)
{
    struct rg__build *b = x->b;
    c = rg__strip_parens(b, c);
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (k == CXCursor_DeclRefExpr) return named(x, c);
    if (k == CXCursor_UnaryExpr || rg__is_null(b, c)) return (struct value){0}; /* sizeof */
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    struct value v = {0};
    if (k == CXCursor_UnaryOperator && kids.n == 1) return unary(x, c, kids.items[0]);
    if ((k == CXCursor_BinaryOperator || k == CXCursor_CompoundAssignOperator) && kids.n == 2)
        return binary(x, c, kids.items[0], kids.items[1], k == CXCursor_CompoundAssignOperator);
    if (k == CXCursor_CallExpr) return call(x, c, kids);
    if (k == CXCursor_ConditionalOperator && kids.n == 3) {
        eval(x, kids.items[0]);
        v = eval(x, kids.items[1]);
        return either(v, eval(x, kids.items[2]));
    }
    const bool loop = k == CXCursor_WhileStmt || k == CXCursor_DoStmt || k == CXCursor_ForStmt,
               member = k == CXCursor_ArraySubscriptExpr || k == CXCursor_MemberRefExpr,
               statement = k >= CXCursor_FirstStmt && k <= CXCursor_LastStmt;
    for (int i = 0; i < kids.n; i++) {
        const bool body = i == (k == CXCursor_DoStmt ? 0 : kids.n - 1);
        if (loop && !body && is_expression(b->c->getCursorKind(kids.items[i]))) {
            loop_condition(x, kids.items[i], true);
            continue;
        }
        v = eval(x, kids.items[i]);
        if (member)
            accessed(x, v);
        else if (k == CXCursor_VarDecl && is_pointer(x, c) && b->c->Cursor_getStorageClass(c) != CX_SC_Static)
            flows(x, v, rg__decl_key(b->u, c));
        else if (k == CXCursor_VarDecl && !is_pointer(x, c) && is_expression(b->c->getCursorKind(kids.items[i])))
            keeps_difference(x, kids.items[i], rg__decl_key(b->u, c));
        else if (k == CXCursor_ReturnStmt && x->into)
            flows(x, v, x->into);
        else if (k == CXCursor_ReturnStmt || (!statement && !(k == CXCursor_CStyleCastExpr && is_pointer(x, c))))
            escapes(x, v);
    }
    if (k == CXCursor_CStyleCastExpr && is_pointer(x, c) && kids.n && is_pointer(x, kids.items[kids.n - 1])) return v;
    const bool loaded = is_expression(k) && (is_pointer(x, c) || rg__type_is_array(b->u, b->c->getCursorType(c)));
    return (struct value){.roots = loaded ? OTHER : 0};
}

void rg__end_flow(struct rg__build *b, const struct rg__function *f, struct rg__end_flow *out)
{
    struct flow x = {.b = b, .out = out};
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    *out = (struct rg__end_flow){0};
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        node_of(&x, rg__decl_key(b->u, kids.items[i]))->v.roots = out->n < RG__END_PARAMS ? 1 << out->n : OTHER;
        if (out->n < RG__END_PARAMS) out->n++;
    }
    int self = rg__unit_function(b->u, f->cursor), walks = 0;
    RG_GROW(x.run, x.n_run, x.cap_run);
    x.run[x.n_run++] = self;
    do {
        x.settled = !x.changed && walks > 0;
        x.changed = false;
        for (int i = 0; i < x.n_run; i++) {
            const struct rg__function *g = &b->u->functions[x.run[i]];
            x.into = i ? rg__decl_key(b->u, g->cursor) : 0;
            eval(&x, g->body);
        }
    } while (!x.settled && ++walks < MOST_WALKS);
    for (int i = 0; i < out->n; i++) {
        if (!x.settled) out->of[i].unknown = true;
        for (int k = 0; k < x.n_vars; k++)
            if ((x.vars[k].v.roots >> i & 1) && (x.vars[k].v.roots & OTHER)) out->of[i].unknown = true;
    }
    free(x.vars);
    free(x.run);
}
