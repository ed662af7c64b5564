/* Def-use of file-scope variables along the calls of the function: which of them it sets before it reads them. Such a
 * variable carries nothing into the function; inside it stands for what it was set to, as a local does. Members of a
 * structure count one by one. A pointer that is null when the program starts is null at the first call: tests of it are
 * decided, as malloc's are. */
#include "frontend/read/build.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 512, MAX_CALLS = 24 };

struct set { /* of cells: set on every way here, set on some */
    uint64_t bits[MAX_CELLS / 64], some[MAX_CELLS / 64];
};

struct cell {
    uint32_t variable, member; /* keys; member 0: the variable itself */
    uint32_t at;               /* where it was set last */
    int sets;
    bool conditional; /* a loop or condition is around one */
};

struct name { /* a parameter or local that is the address of a structure at file scope */
    uint32_t key;
    CXCursor variable;
};

struct flow {
    struct rg__build *b;
    int n_cells;
    struct cell cells[MAX_CELLS];
    struct set now;
    bool lost;            /* calls were too deep to follow: nothing is known */
    bool left;            /* the statement before never falls through */
    struct set *exits;    /* of the body being followed: what is set where it returns; NULL: nothing is asked */
    bool strict;          /* every return counts; else those without a value alone */
    int conditions, base; /* loops and conditions around this place; around the call of the function it is in */
    int loops;
    int calls, under_way[MAX_CALLS], skip; /* skip: a function whose calls are not followed */
    int n_names, cap_names;
    struct name *names;
    int n_vars, cap_vars;
    struct rg__own *vars;
};

enum truth { UNKNOWN = -1, NO, YES };

static void visit(struct flow *f, CXCursor c);

bool rg__at_file_scope(const struct rg__build *b, CXCursor d)
{
    if (b->c->getCursorKind(d) != CXCursor_VarDecl) return false;
    uint32_t key = rg__decl_key(b->u, d);
    for (int i = 0; i < b->u->n_functions; i++)
        if (key >= b->u->functions[i].at && key < b->u->functions[i].end) return false;
    return true;
}

static struct rg__own *variable(struct flow *f, CXCursor d)
{
    struct rg__build *b = f->b;
    CXCursor def = b->c->getCursorDefinition(d);
    if (!b->c->Cursor_isNull(def)) d = def;
    uint32_t key = rg__decl_key(b->u, d);
    for (int i = 0; i < f->n_vars; i++)
        if (f->vars[i].key == key) return &f->vars[i];
    RG_GROW(f->vars, f->n_vars, f->cap_vars);
    f->vars[f->n_vars] = (struct rg__own){.key = key, .decl = d, .whole = -1, .cell = -1};
    return &f->vars[f->n_vars++];
}

static int cell_of(struct flow *f, uint32_t variable, uint32_t member)
{
    for (int i = 0; i < f->n_cells; i++)
        if (f->cells[i].variable == variable && f->cells[i].member == member) return i;
    if (f->n_cells == MAX_CELLS) return -1;
    f->cells[f->n_cells] = (struct cell){.variable = variable, .member = member};
    return f->n_cells++;
}

static bool has(const uint64_t *bits, int cell)
{
    return cell >= 0 && (bits[cell / 64] >> (cell % 64) & 1);
}

static bool is_set(const struct flow *f, int cell)
{
    return f->left || has(f->now.bits, cell);
}

static struct set both(const struct set *a, const struct set *b)
{
    struct set s;
    for (int i = 0; i < MAX_CELLS / 64; i++) {
        s.bits[i] = a->bits[i] & b->bits[i];
        s.some[i] = a->some[i] | b->some[i];
    }
    return s;
}

/* The file-scope variable that an expression names, itself (*member 0) or a member of it, no pointer followed but a
 * name's. */
static struct rg__own *place(struct flow *f, CXCursor e, uint32_t *member)
{
    struct rg__build *b = f->b;
    e = rg__strip_parens(b, e);
    *member = 0;
    if (b->c->getCursorKind(e) == CXCursor_DeclRefExpr) {
        CXCursor d = b->c->getCursorReferenced(e);
        return rg__at_file_scope(b, d) ? variable(f, d) : NULL;
    }
    if (b->c->getCursorKind(e) != CXCursor_MemberRefExpr) return NULL;
    struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
    if (!kids.n) return NULL;
    CXCursor base = rg__strip_parens(b, kids.items[0]);
    uint32_t outer = 0;
    struct rg__own *v = NULL;
    if (rg__type_is_pointer(b->u, b->c->getCursorType(base))) {
        if (b->c->getCursorKind(base) != CXCursor_DeclRefExpr) return NULL;
        uint32_t key = rg__decl_key(b->u, b->c->getCursorReferenced(base));
        for (int i = f->n_names - 1; i >= 0 && !v; i--)
            if (f->names[i].key == key) v = variable(f, f->names[i].variable);
    } else {
        v = place(f, base, &outer);
    }
    *member = outer * 31 + rg__decl_key(b->u, b->c->getCursorReferenced(e)) + 1;
    return v;
}

/* &s of a structure at file scope, or a name for one. */
static bool address_of(struct flow *f, CXCursor e, CXCursor *out)
{
    struct rg__build *b = f->b;
    e = rg__strip_parens(b, e);
    struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
    if (b->c->getCursorKind(e) == CXCursor_DeclRefExpr) {
        uint32_t key = rg__decl_key(b->u, b->c->getCursorReferenced(e));
        for (int i = f->n_names - 1; i >= 0; i--)
            if (f->names[i].key == key) {
                *out = f->names[i].variable;
                return true;
            }
        return false;
    }
    if (b->c->getCursorKind(e) != CXCursor_UnaryOperator || kids.n != 1) return false;
    if (!rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, e)), "&")) return false;
    CXCursor in = rg__strip_parens(b, kids.items[0]);
    if (b->c->getCursorKind(in) != CXCursor_DeclRefExpr) return false;
    *out = b->c->getCursorReferenced(in);
    return rg__at_file_scope(b, *out) && rg__type_is_record(b->u, b->c->getCursorType(*out));
}

static void name(struct flow *f, uint32_t key, CXCursor variable)
{
    RG_GROW(f->names, f->n_names, f->cap_names);
    f->names[f->n_names++] = (struct name){key, variable};
}

static void set_cell(struct flow *f, struct rg__own *v, uint32_t member, uint32_t at)
{
    int cell = cell_of(f, v->key, member);
    v->found = true;
    if (cell < 0) {
        v->reads_first = true;
        return;
    }
    uint64_t bit = (uint64_t)1 << cell % 64;
    f->now.bits[cell / 64] |= bit;
    f->now.some[cell / 64] |= bit;
    f->cells[cell].sets++;
    f->cells[cell].at = at;
    f->cells[cell].conditional |= f->conditions > 0;
}

static void read_cell(struct flow *f, struct rg__own *v, uint32_t member)
{
    int whole = cell_of(f, v->key, 0), cell = cell_of(f, v->key, member);
    if (!is_set(f, whole) && !is_set(f, cell)) v->reads_first = true;
}

/* g += x, g++: one more way to set it. */
static void set_again(struct flow *f, CXCursor place_of)
{
    uint32_t member;
    struct rg__own *v = place(f, place_of, &member);
    int cell = v ? cell_of(f, v->key, member) : -1;
    if (cell >= 0) f->cells[cell].sets++;
}

/* A pointer of ours as a condition: null before it is first set, not null behind; in a loop "before" says nothing. */
static enum truth pointer_truth(struct flow *f, CXCursor e)
{
    uint32_t member;
    struct rg__own *v =
        rg__type_is_pointer(f->b->u, f->b->c->getCursorType(rg__strip_parens(f->b, e))) ? place(f, e, &member) : NULL;
    if (!v) return UNKNOWN;
    int cell = cell_of(f, v->key, member);
    if (is_set(f, cell)) return YES;
    if (member) return UNKNOWN;
    CXCursor init = rg__initialiser(f->b, v->decl);
    bool null = f->b->c->Cursor_isNull(init) || rg__is_null(f->b, init);
    return f->loops || !null || has(f->now.some, cell) ? UNKNOWN : NO;
}

static enum truth truth(struct flow *f, CXCursor e)
{
    struct rg__build *b = f->b;
    e = rg__strip_parens(b, e);
    struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
    enum CXCursorKind k = b->c->getCursorKind(e);
    if (k == CXCursor_UnaryOperator && kids.n == 1 &&
        rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, e)), "!")) {
        enum truth t = truth(f, kids.items[0]);
        return t == UNKNOWN ? t : !t;
    }
    if (k == CXCursor_BinaryOperator && kids.n == 2) {
        const char *op = rg__operator_between(b, kids.items[0], kids.items[1]);
        for (int side = 0; side < 2 && (!strcmp(op, "==") || !strcmp(op, "!=")); side++)
            if (rg__is_null(b, kids.items[1 - side])) {
                enum truth t = pointer_truth(f, kids.items[side]);
                return t == UNKNOWN ? t : (t == YES) == !strcmp(op, "!=");
            }
        if (!strcmp(op, "&&") || !strcmp(op, "||")) {
            bool and = op[0] == '&';
            enum truth l = truth(f, kids.items[0]), r = truth(f, kids.items[1]);
            if (l == (and? NO : YES)) return l;
            if (l == (and? YES : NO)) return r;
            return UNKNOWN;
        }
        return UNKNOWN;
    }
    return pointer_truth(f, e);
}

static void assign(struct flow *f, CXCursor left, CXCursor right)
{
    struct rg__build *b = f->b;
    uint32_t member;
    struct rg__own *v = place(f, left, &member);
    CXType t = b->c->getCursorType(rg__strip_parens(b, left));
    if (!v) {
        visit(f, left);
        return;
    }
    if (rg__type_is_pointer(b->u, t) && rg__is_null(b, right)) { /* it is what it was, or ends here */
        int cell = cell_of(f, v->key, member);
        if (cell >= 0) f->now.bits[cell / 64] &= ~((uint64_t)1 << (cell % 64));
        return;
    }
    set_cell(f, v, member, rg__cursor_at(b->u, left));
    if (!rg__type_is_pointer(b->u, t)) return;
    if (rg__is_allocation(b, right))
        v->allocations++;
    else
        v->others++;
}

static void call(struct flow *f, CXCursor c)
{
    struct rg__build *b = f->b;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n) return;
    CXCursor callee = rg__strip_parens(b, kids.items[0]);
    const char *called = rg__cursor_name(b->u, callee, &b->p->arena);
    bool known = b->c->getCursorKind(callee) == CXCursor_DeclRefExpr;
    int function = known ? rg__unit_function(b->u, b->c->getCursorReferenced(callee)) : -1;
    if (function < 0 && kids.n == 2 && !strcmp(called, "free") && pointer_truth(f, kids.items[1]) == NO) return;
    int names = f->n_names;
    struct name bound[32];
    int n_bound = 0, n_params = 0;
    struct rg__children params = {0};
    if (function >= 0) params = rg__cursor_children(b->u, b->u->functions[function].cursor, &b->p->arena);
    for (int i = 1; i < kids.n; i++) {
        CXCursor whole;
        bool address = address_of(f, kids.items[i], &whole);
        while (n_params < params.n && b->c->getCursorKind(params.items[n_params]) != CXCursor_ParmDecl) n_params++;
        if (address && function >= 0 && n_params < params.n && n_bound < 32)
            bound[n_bound++] = (struct name){rg__decl_key(b->u, params.items[n_params]), whole};
        else
            visit(f, kids.items[i]);
        n_params++;
    }
    if (!known) visit(f, callee);
    bool nested = f->calls == MAX_CALLS;
    for (int i = 0; i < f->calls; i++) nested |= f->under_way[i] == function;
    if (function < 0 || function == f->skip) return;
    f->lost |= f->calls == MAX_CALLS;
    if (nested) return; /* recursive: what it reads has been looked at */
    for (int i = 0; i < n_bound; i++) name(f, bound[i].key, bound[i].variable);
    struct set exits, *outer = f->exits;
    bool strict = f->strict, left = f->left;
    int base = f->base;
    memset(exits.bits, 255, sizeof exits.bits);
    memset(exits.some, 0, sizeof exits.some);
    f->exits = &exits;
    f->base = f->conditions;
    CXType result = b->c->getResultType(b->c->getCursorType(b->u->functions[function].cursor));
    f->strict = b->c->getCanonicalType(result).kind == CXType_Void;
    f->under_way[f->calls++] = function;
    visit(f, b->u->functions[function].body);
    f->calls--;
    if (!f->left) exits = both(&exits, &f->now);
    f->now = exits;
    f->left = left;
    f->exits = outer;
    f->strict = strict;
    f->base = base;
    f->n_names = names;
}

/* What runs or not: what it sets does not count behind it. */
static void maybe(struct flow *f, CXCursor c, bool loop)
{
    struct set before = f->now;
    bool left = f->left;
    f->conditions++;
    f->loops += loop;
    visit(f, c);
    f->loops -= loop;
    f->conditions--;
    f->now = both(&before, &f->now);
    f->left = left;
}

static void branch(struct flow *f, const struct rg__children *kids)
{
    enum truth t = truth(f, kids->items[0]);
    if (t == UNKNOWN) visit(f, kids->items[0]);
    if (t != UNKNOWN) {
        if (t == YES)
            visit(f, kids->items[1]);
        else if (kids->n > 2)
            visit(f, kids->items[2]);
        return;
    }
    struct set before = f->now, then;
    bool left = f->left, then_left;
    f->conditions++;
    visit(f, kids->items[1]);
    then = f->now;
    then_left = f->left;
    f->now = before;
    f->left = left;
    if (kids->n > 2) visit(f, kids->items[2]);
    f->conditions--;
    if (f->left)
        f->now = then, f->left = then_left;
    else if (!then_left)
        f->now = both(&f->now, &then);
}

static void operation(struct flow *f, CXCursor c, const struct rg__children *kids)
{
    struct rg__build *b = f->b;
    const char *op = rg__operator_between(b, kids->items[0], kids->items[1]);
    if (!strcmp(op, "=")) {
        visit(f, kids->items[1]);
        assign(f, kids->items[0], kids->items[1]);
    } else if (!strcmp(op, "&&") || !strcmp(op, "||")) {
        if (truth(f, c) != UNKNOWN) return;
        visit(f, kids->items[0]);
        maybe(f, kids->items[1], false);
    } else {
        visit(f, kids->items[0]);
        visit(f, kids->items[1]);
    }
}

/* ++x and its like. */
static bool steps(const struct rg__build *b, CXCursor c, CXCursor operand)
{
    const struct rg__source *s = &b->u->src;
    bool prefix = rg__cursor_at(b->u, operand) > rg__cursor_at(b->u, c);
    int tok = rg__tok_from(s, prefix ? rg__cursor_at(b->u, c) : rg__cursor_end(b->u, operand));
    return rg__tok_is(s, tok, "++") || rg__tok_is(s, tok, "--");
}

static void visit(struct flow *f, CXCursor c)
{
    struct rg__build *b = f->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    uint32_t member;
    struct rg__own *v;
    CXCursor whole;
    switch (k) {
    case CXCursor_UnaryExpr: /* sizeof */
        return;
    case CXCursor_CallExpr:
        call(f, c);
        return;
    case CXCursor_IfStmt:
        if (kids.n >= 2) branch(f, &kids);
        return;
    case CXCursor_ConditionalOperator:
        if (kids.n == 3) branch(f, &kids);
        return;
    case CXCursor_BinaryOperator:
        if (kids.n == 2) operation(f, c, &kids);
        return;
    case CXCursor_CompoundAssignOperator:
        if (kids.n) set_again(f, kids.items[0]);
        break;
    case CXCursor_UnaryOperator:
        if (truth(f, c) != UNKNOWN) return;
        if (kids.n == 1 && steps(f->b, c, kids.items[0])) set_again(f, kids.items[0]);
        if (kids.n == 1 && (v = place(f, kids.items[0], &member)) &&
            rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), "&")) { /* who has it may set it */
            v->reads_first = true;
            return;
        }
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt: /* what stands first is run in any case: but which part of a `for` that is only its text
                                 says */
        for (int i = 0; i < kids.n; i++)
            if (i == 0 && (k != CXCursor_ForStmt || b->c->getCursorKind(kids.items[0]) == CXCursor_DeclStmt))
                visit(f, kids.items[0]);
            else
                maybe(f, kids.items[i], k != CXCursor_SwitchStmt);
        return;
    case CXCursor_DoStmt:
        f->loops++;
        f->conditions++;
        for (int i = 0; i < kids.n; i++) visit(f, kids.items[i]);
        f->conditions--;
        f->loops--;
        return;
    case CXCursor_ReturnStmt:
        for (int i = 0; i < kids.n; i++) visit(f, kids.items[i]);
        if (f->exits && !f->left && (f->strict || f->conditions == f->base)) *f->exits = both(f->exits, &f->now);
        f->left = true;
        return;
    case CXCursor_VarDecl:
        if (rg__type_is_pointer(b->u, b->c->getCursorType(c)) && kids.n &&
            address_of(f, kids.items[kids.n - 1], &whole) && !rg__is_written(b, rg__decl_key(b->u, c))) {
            name(f, rg__decl_key(b->u, c), whole);
            return;
        }
        break;
    case CXCursor_MemberRefExpr:
    case CXCursor_DeclRefExpr:
        if ((v = place(f, c, &member))) {
            read_cell(f, v, member);
            return;
        }
        if (k == CXCursor_DeclRefExpr && address_of(f, c, &whole))
            variable(f, whole)->reads_first = true; /* goes somewhere */
        break;
    default:
        break;
    }
    for (int i = 0; i < kids.n; i++) visit(f, kids.items[i]);
}

static void follow(struct flow *f, CXCursor body)
{
    memset(&f->now, 0, sizeof f->now);
    f->left = false;
    f->exits = NULL;
    visit(f, body);
}

/* Is it seen behind the function: by a function that others may call next, or by another file? */
static void seen_by_others(struct flow *own, int function)
{
    struct rg__build *b = own->b;
    for (int i = 0; i < b->u->n_functions; i++) {
        const struct rg__function *g = &b->u->functions[i];
        bool main = !strcmp(g->name, "main");
        if (i == function || (!main && (g->called || g->is_static)) || b->c->Cursor_isNull(g->body)) continue;
        struct flow f = {.b = b, .skip = function};
        follow(&f, g->body);
        for (int k = 0; k < own->n_vars; k++)
            for (int j = 0; j < f.n_vars; j++)
                own->vars[k].seen |= f.vars[j].key == own->vars[k].key && f.vars[j].reads_first;
        free(f.vars);
        free(f.names);
    }
}

bool rg__state_seen(struct rg__build *b, uint32_t key)
{
    bool seen = false;
    for (int i = 0; i < b->u->n_functions && !seen; i++) {
        const struct rg__function *g = &b->u->functions[i];
        bool main = !strcmp(g->name, "main");
        if (i == b->inlining[0] || (!main && (g->called || g->is_static)) || b->c->Cursor_isNull(g->body)) continue;
        struct flow f = {.b = b, .skip = b->inlining[0]};
        follow(&f, g->body);
        for (int j = 0; j < f.n_vars; j++) seen |= f.vars[j].key == key && f.vars[j].reads_first;
        free(f.vars);
        free(f.names);
    }
    return seen;
}

static enum CXChildVisitResult declared_outside(CXCursor c, CXCursor parent, CXClientData data)
{
    struct flow *f = data;
    struct rg__build *b = f->b;
    if (b->c->getCursorKind(c) == CXCursor_VarDecl && b->c->Cursor_getStorageClass(c) == CX_SC_Extern &&
        !b->u->linked_at) {
        CXCursor def = b->c->getCursorDefinition(c);
        for (int k = 0; k < f->n_vars && !b->c->Cursor_isNull(def); k++)
            f->vars[k].seen |= f->vars[k].key == rg__decl_key(b->u, def);
    }
    return CXChildVisit_Continue;
}

void rg__state_flow(struct rg__build *b, int function)
{
    struct flow f = {.b = b, .skip = -1};
    follow(&f, b->u->functions[function].body);
    if (!b->setup) seen_by_others(&f, function);
    if (!b->setup) b->c->visitChildren(b->c->getTranslationUnitCursor(b->u->tu), declared_outside, &f);
    for (int i = 0; i < f.n_vars && !f.lost; i++) {
        if (!f.vars[i].found || f.vars[i].reads_first) continue;
        RG_GROW(b->own, b->n_own, b->cap_own);
        b->own[b->n_own++] = f.vars[i];
        for (int k = 0; k < f.n_cells; k++) {
            if (f.cells[k].variable != f.vars[i].key || f.cells[k].sets != 1 || f.cells[k].conditional) continue;
            RG_GROW(b->once, b->n_once, b->cap_once);
            b->once[b->n_once++] = f.cells[k].at;
        }
    }
    free(f.vars);
    free(f.names);
}
