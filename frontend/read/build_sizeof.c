/* How large things are whose rows only the run knows: sizeof of types and objects of variable length, and how many rows
 * of a given shape an amount of memory holds. */
#include "frontend/read/build.h"
#include "ir/range.h"
#include <string.h>

enum { MOST_DIMS = 8 };

/* The size of a type that keywords name, or of the one that a reference among the children names; 0: neither. */
static int64_t named_bytes(struct rg__build *b, struct rg__children kids, int from, int to)
{
    static const struct {
        const char *word;
        int bytes;
    } known[] = {{"_Bool", 1}, {"char", 1}, {"short", 2}, {"float", 4}, {"double", 8}};
    const struct rg__source *s = &b->u->src;
    int longs = 0, bytes = 0;
    for (int k = from; k < to; k++)
        if (rg__tok_is(s, k, "*")) return 0;
    for (int i = 0; i < kids.n; i++) {
        uint32_t at = rg__cursor_at(b->u, kids.items[i]);
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_TypeRef || at < s->toks[from].at || at >= s->toks[to].at)
            continue;
        int64_t n = b->c->Type_getSizeOf(b->c->getCanonicalType(b->c->getCursorType(kids.items[i])));
        return n > 0 ? n : 0;
    }
    for (int k = from; k < to; k++) {
        bool silent = rg__tok_is(s, k, "const") || rg__tok_is(s, k, "int") || rg__tok_is(s, k, "signed") ||
                      rg__tok_is(s, k, "unsigned");
        if (silent) {
            if (!bytes && !rg__tok_is(s, k, "const")) bytes = 4;
            continue;
        }
        if (rg__tok_is(s, k, "long")) {
            longs++;
            continue;
        }
        int found = 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (rg__tok_is(s, k, known[i].word)) found = known[i].bytes;
        if (!found) return 0;
        bytes = found;
    }
    if (longs) return bytes == 8 ? 0 /* long double */ : 8;
    return bytes;
}

static struct rg_cnode *product(struct rg__build *b, const struct rg_expr **dims, int from, int n, int64_t bytes)
{
    struct rg_cnode *all = NULL;
    if (n <= from || bytes <= 0) return NULL;
    for (int d = from; d < n; d++) {
        struct rg_cnode *e = dims[d] ? rg__c_from_expr(b->t, dims[d]) : NULL;
        if (!e) return NULL;
        all = all ? rg__c_binary(b->t, RG_COP_MUL, all, e) : e;
    }
    return rg__c_binary(b->t, RG_COP_MUL, all, rg__c_int(b->t, bytes));
}

/* sizeof(float[n][m]) */
static struct rg_cnode *size_of_type(struct rg__build *b, CXCursor c)
{
    const struct rg__source *s = &b->u->src;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    const struct rg_expr *dims[MOST_DIMS];
    int first = rg__tok_from(s, rg__cursor_at(b->u, c)) + 2, k = first, end = rg__tok_from(s, rg__cursor_end(b->u, c));
    if (!rg__tok_is(s, first - 1, "(")) return NULL;
    while (k < end && !rg__tok_is(s, k, "[")) k++;
    if (k >= end) return NULL;
    int n = rg__bracket_dims(b, kids, k, dims, MOST_DIMS);
    return product(b, dims, 0, n, named_bytes(b, kids, first, k));
}

/* sizeof *rows, sizeof rows[0], sizeof array */
static struct rg_cnode *size_of_object(struct rg__build *b, CXCursor operand)
{
    const struct rg_expr *dims[MOST_DIMS];
    int level = 0;
    CXCursor c = rg__strip_parens(b, operand);
    for (;; level++) {
        enum CXCursorKind kind = b->c->getCursorKind(c);
        if (kind == CXCursor_DeclRefExpr) break;
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        bool star = kind == CXCursor_UnaryOperator && kids.n == 1 &&
                    rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), "*");
        if (!star && (kind != CXCursor_ArraySubscriptExpr || kids.n != 2)) return NULL;
        c = rg__strip_parens(b, kids.items[0]);
    }
    CXCursor decl = b->c->getCursorReferenced(c);
    if (b->c->getCursorKind(decl) != CXCursor_VarDecl && b->c->getCursorKind(decl) != CXCursor_ParmDecl) return NULL;
    CXType elem;
    int n = rg__array_dims(b, decl, b->c->getCursorType(decl), dims, MOST_DIMS, &elem);
    return product(b, dims, level, n, b->c->Type_getSizeOf(b->c->getCanonicalType(elem)));
}

struct rg_cnode *rg__build_sizeof(struct rg__build *b, CXCursor c)
{
    const struct rg__source *s = &b->u->src;
    int64_t v;
    if (rg__eval_int(b->u, c, &v)) return rg__c_int(b->t, v);
    struct rg_cnode *n = NULL;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (rg__tok_is(s, rg__tok_from(s, rg__cursor_at(b->u, c)), "sizeof")) {
        n = kids.n == 1 ? size_of_object(b, kids.items[0]) : NULL;
        if (!n) n = size_of_type(b, c);
    }
    return n ? n : rg__verbatim(b, c, "a size that is no constant");
}

/* Takes the factor out of those of a count; false: it is none. Integers are one factor. */
static bool take_factor(struct rg__range *r, struct rg_cnode **factor, int n, int64_t *c, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT && e->ivalue > 0 && *c % e->ivalue == 0) {
        *c /= e->ivalue;
        return true;
    }
    struct rg__poly want = rg__poly_of(r, e);
    for (int i = 0; i < n; i++) {
        struct rg__poly p = factor[i] ? rg__poly_of(r, factor[i]) : want;
        if (!factor[i] || p.bad || want.bad || !rg__poly_equal(&p, &want)) continue;
        factor[i] = NULL;
        return true;
    }
    return false;
}

static int count_factors(struct rg_cnode *e, struct rg_cnode **factor, int n, int cap, int64_t *c)
{
    e = (struct rg_cnode *)rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->op == RG_COP_MUL) {
        n = count_factors(e->kid[0], factor, n, cap, c);
        return n < 0 ? n : count_factors(e->kid[1], factor, n, cap, c);
    }
    if (e->kind == RG_C_INT && e->ivalue > 0) return __builtin_mul_overflow(*c, e->ivalue, c) ? -1 : n;
    if (n < 0 || n == cap) return -1;
    factor[n++] = e;
    return n;
}

struct rg_cnode *rg__rows_in(struct rg__build *b, const struct rg_expr *const *dims, int n_dims, struct rg_cnode *count)
{
    struct rg_cnode *factor[8], *rows = NULL;
    int64_t c = 1;
    int n = count_factors(count, factor, 0, 8, &c);
    if (n < 0 || !dims) return NULL;
    struct rg__given *given = rg__given_of(b->t, NULL);
    struct rg__range r;
    rg__range_init(&r, b->t, given);
    bool whole = true;
    for (int d = 1; d < n_dims && whole; d++) {
        struct rg_cnode *e = dims[d] ? rg__c_from_expr(b->t, dims[d]) : NULL, *of[8];
        int64_t k = 1;
        int m = e ? count_factors(e, of, 0, 8, &k) : -1;
        whole = m >= 0 && c % k == 0;
        c = whole ? c / k : c;
        for (int i = 0; i < m && whole; i++) whole = take_factor(&r, factor, n, &c, of[i]);
    }
    rg__given_free(given);
    if (!whole) return NULL;
    for (int i = 0; i < n; i++)
        if (factor[i]) rows = rows ? rg__c_binary(b->t, RG_COP_MUL, rows, factor[i]) : factor[i];
    if (!rows) return rg__c_int(b->t, c);
    return c == 1 ? rows : rg__c_binary(b->t, RG_COP_MUL, rg__c_int(b->t, c), rows);
}

bool rg__same_extent(struct rg__build *b, const struct rg_expr *x, const struct rg_expr *y)
{
    struct rg_cnode *e = x ? rg__c_from_expr(b->t, x) : NULL, *f = y ? rg__c_from_expr(b->t, y) : NULL;
    if (!e || !f) return false;
    struct rg__given *given = rg__given_of(b->t, NULL);
    struct rg__range r;
    rg__range_init(&r, b->t, given);
    struct rg__poly p = rg__poly_of(&r, e), q = rg__poly_of(&r, f);
    bool same = !p.bad && !q.bad && rg__poly_equal(&p, &q);
    rg__given_free(given);
    return same;
}
