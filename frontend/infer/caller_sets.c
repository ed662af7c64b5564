/* What a variable, or a member of one, was set to before a place in a function: memory is as long as its size was when
 * it was allocated, whatever the variable says behind that (`g.n = 2 * people; g.at = malloc(g.n); .. g.n = found;`).
 * Only straight code is followed back: statements of the function's own block. */
#include "frontend/infer/callers.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

struct change {
    const struct rg__callers *c;
    const struct rg__caller_set *at;
    bool local; /* a parameter: calls do not know it */
    bool any;
};

/* May two places be one? Members of a name may, whatever leads to their structure. */
static bool meets(const struct rg__caller_set *at, const struct rg__caller_set *x)
{
    if (at->member && x->member) return !strcmp(at->member, x->member);
    return at->key == x->key && (!x->member || at->member);
}

/* Anything that is no plain reading of it. */
static void note_change(void *arg, CXCursor x)
{
    struct change *g = arg;
    const struct rg__callers *c = g->c;
    struct rg__children kids = rg__caller_children(c, x);
    struct rg__caller_set s;
    enum CXCursorKind k = rg__caller_kind(c, x);
    bool sets = k == CXCursor_CompoundAssignOperator || k == CXCursor_UnaryOperator ||
                (k == CXCursor_BinaryOperator && kids.n == 2 &&
                 !strcmp(rg__operator_between(c->b, kids.items[0], kids.items[1]), "="));
    if (sets && kids.n) {
        bool named = rg__caller_place(c, kids.items[0], &s);
        /* *p = .. of an integer meets it only where its address is known, and that is asked of the whole function */
        bool whole = !named && g->at->member &&
                     rg__type_is_record(c->b->u, c->b->c->getCursorType(rg__caller_bare(c, kids.items[0])));
        g->any |= whole || (named && !s.subscripts && meets(g->at, &s));
    }
    if (k == CXCursor_LabelStmt || k == CXCursor_CaseStmt || k == CXCursor_DefaultStmt || k == CXCursor_GCCAsmStmt)
        g->any = true;
    if (k != CXCursor_CallExpr || !kids.n || g->local) return;
    CXCursor f = rg__caller_bare(c, kids.items[0]);
    bool library = rg__caller_kind(c, f) == CXCursor_DeclRefExpr &&
                   rg__caller_kind(c, c->b->c->getCursorReferenced(f)) == CXCursor_FunctionDecl &&
                   rg__unit_function(c->b->u, c->b->c->getCursorReferenced(f)) < 0;
    g->any |= !library;
    for (int i = 1; i < kids.n; i++) /* memset(h, 0, sizeof *h) */
        g->any |= rg__caller_place(c, kids.items[i], &s) && s.key == g->at->key && !s.member &&
                  rg__type_is_pointer(c->b->u, c->b->c->getCursorType(kids.items[i]));
}

static bool changes(const struct rg__callers *c, CXCursor x, const struct rg__caller_set *at, bool local)
{
    struct change g = {c, at, local, false};
    note_change(&g, x);
    rg__cursor_walk(c->b->u, x, note_change, &g);
    return g.any;
}

/* &g.n, after which g.n = .. is not all that sets it. */
static void note_address(void *arg, CXCursor x)
{
    struct change *g = arg;
    struct rg__caller_set s;
    struct rg__children kids = rg__caller_children(g->c, x);
    g->any |= rg__caller_kind(g->c, x) == CXCursor_UnaryOperator && kids.n == 1 &&
              rg__caller_place(g->c, kids.items[0], &s) && !s.subscripts && meets(g->at, &s) &&
              (!g->at->member || s.member);
}

bool rg__caller_is_parameter(const struct rg__callers *c, int function, uint32_t key)
{
    struct rg__children kids = rg__caller_children(c, c->b->u->functions[function].cursor);
    for (int i = 0; i < kids.n; i++)
        if (rg__caller_kind(c, kids.items[i]) == CXCursor_ParmDecl && rg__decl_key(c->b->u, kids.items[i]) == key)
            return true;
    return false;
}

static struct rg__caller_set place_of(const struct rg_expr *atom)
{
    const char *dot = strchr(atom->name, '.');
    return (struct rg__caller_set){.key = (uint32_t)strtoul(atom->name + 1, NULL, 10), .member = dot ? dot + 1 : NULL};
}

/* Is all that `e` is computed from the same behind statements [from, to) as before them? A parameter must be what the
 * call passes. */
static bool lasts(const struct rg__callers *c, const struct rg_expr *e, int function, const struct rg__children *all,
                  int from, int to)
{
    if (e->kind == RG_EXPR_NAME) {
        const struct rg__caller_set at = place_of(e);
        const bool own = !at.member && rg__caller_is_parameter(c, function, at.key);
        for (int i = own ? 0 : from; i < (own ? all->n : to); i++)
            if (changes(c, all->items[i], &at, own)) return false;
    }
    for (int i = 0; i < e->n_args; i++)
        if (!lasts(c, e->args[i], function, all, from, to)) return false;
    return true;
}

/* Is the statement `at = value;`? */
static bool sets_it(const struct rg__callers *c, CXCursor x, const struct rg__caller_set *at, CXCursor *value)
{
    struct rg__children kids = rg__caller_children(c, x);
    struct rg__caller_set s;
    if (rg__caller_kind(c, x) != CXCursor_BinaryOperator || kids.n != 2 ||
        strcmp(rg__operator_between(c->b, kids.items[0], kids.items[1]), "=") != 0 ||
        !rg__caller_place(c, kids.items[0], &s) || s.subscripts || s.key != at->key || !s.member != !at->member ||
        (s.member && strcmp(s.member, at->member) != 0))
        return false;
    *value = kids.items[1];
    return true;
}

/* What the place was set to when the function came to `where`; NULL: not known. */
static const struct rg_expr *set_before(const struct rg__callers *c, int function, const struct rg__caller_set *at,
                                        CXCursor where)
{
    const struct rg__unit *u = c->b->u;
    struct rg__children all = rg__caller_children(c, u->functions[function].body);
    struct change taken = {c, at, false, false};
    rg__cursor_walk(u, u->functions[function].body, note_address, &taken);
    int k = all.n - 1;
    while (k >= 0 && rg__cursor_at(u, all.items[k]) > rg__cursor_at(u, where)) k--;
    if (taken.any || k < 0 || changes(c, all.items[k], at, false)) return NULL;
    for (int j = k - 1; j >= 0; j--) {
        CXCursor value;
        if (sets_it(c, all.items[j], at, &value)) {
            const struct rg_expr *e = rg__caller_expr(c, value);
            return e && lasts(c, e, function, &all, j, k + 1) ? e : NULL;
        }
        if (changes(c, all.items[j], at, false)) return NULL;
    }
    return NULL;
}

const struct rg_expr *rg__caller_when_set(const struct rg__callers *c, const struct rg_expr *e, int function,
                                          CXCursor where)
{
    CXCursor only;
    if (e->kind == RG_EXPR_NAME) {
        const struct rg__caller_set at = place_of(e);
        bool sets = false;
        for (int i = 0; i < c->n_sets; i++) sets |= c->sets[i].function == function && c->sets[i].key == at.key;
        const struct rg_expr *was = sets && !rg__caller_only_set(c, function, at.key, at.member, &only)
                                        ? set_before(c, function, &at, where)
                                        : NULL;
        return was ? was : e;
    }
    struct rg_expr *out = rg_expr_clone(c->a, e);
    for (int i = 0; i < e->n_args; i++)
        out->args[i] = rg_expr_clone(c->a, rg__caller_when_set(c, e->args[i], function, where));
    return out;
}
