/* Tables of rows as the file makes them: a row allocated at a time, or all in one block in which the rows begin so far
 * apart, by the caller itself or by a function that returns the table (`double **matrix(int rows, int columns)`).
 * A pointer that is moved down (`m -= low`: subscripts from low on) has as many elements more. */
#include "frontend/infer/callers.h"
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 4 };

int rg__caller_declared(const struct rg__callers *c, CXCursor d, const struct rg_expr **dims)
{
    int n = 0, k = 0;
    CXType t = c->b->c->getCursorType(d);
    struct rg__children kids = rg__caller_children(c, d);
    for (; rg__type_is_array(c->b->u, t) && n < RG__MAX_CALLER_DIMS;
         t = c->b->c->getArrayElementType(c->b->c->getCanonicalType(t))) {
        while (k < kids.n && (rg__caller_kind(c, kids.items[k]) < CXCursor_FirstExpr ||
                              rg__caller_kind(c, kids.items[k]) > CXCursor_LastExpr))
            k++;
        int64_t size = c->b->c->getArraySize(c->b->c->getCanonicalType(t));
        dims[n] = k < kids.n && rg__caller_kind(c, kids.items[k]) != CXCursor_InitListExpr
                      ? rg__caller_expr(c, kids.items[k++])
                      : NULL;
        if (!dims[n] && size > 0) dims[n] = rg__caller_number(c, size);
        if (!dims[n++]) return 0;
    }
    return n;
}

bool rg__caller_holds_pointers(const struct rg__callers *c, CXCursor d)
{
    CXType t = c->b->c->getCanonicalType(c->b->c->getCursorType(d));
    while (rg__type_is_array(c->b->u, t)) t = c->b->c->getCanonicalType(c->b->c->getArrayElementType(t));
    return t.kind == CXType_Pointer;
}

static bool is_sum(const struct rg__callers *c, CXCursor x, const char *op, struct rg__children *kids)
{
    *kids = rg__caller_children(c, x);
    return rg__caller_kind(c, x) == CXCursor_BinaryOperator && kids->n == 2 &&
           !strcmp(rg__operator_between(c->b, kids->items[0], kids->items[1]), op);
}

/* width of `i * width`. */
static const struct rg_expr *per_row(const struct rg__callers *c, CXCursor x)
{
    struct rg__children kids;
    struct rg__caller_set s;
    x = rg__caller_bare(c, x);
    if (!is_sum(c, x, "*", &kids)) return NULL;
    for (int i = 0; i < 2; i++)
        if (rg__caller_kind(c, rg__caller_bare(c, kids.items[i])) == CXCursor_DeclRefExpr &&
            rg__caller_place(c, kids.items[i], &s)) {
            CXCursor d = c->b->c->getCursorReferenced(rg__caller_bare(c, kids.items[i]));
            int sets = 0; /* it counts, so it is set anew */
            for (int k = 0; k < c->n_sets; k++) sets += c->sets[k].key == s.key && !c->sets[k].member;
            if (rg__caller_kind(c, d) == CXCursor_VarDecl && sets > 1) return rg__caller_expr(c, kids.items[1 - i]);
        }
    return NULL;
}

const struct rg_expr *rg__caller_row_step(const struct rg__callers *c, CXCursor value)
{
    struct rg__children kids;
    struct rg__caller_set s;
    if (c->b->c->Cursor_isNull(value)) return NULL;
    CXCursor x = rg__caller_bare(c, value);
    if (rg__caller_kind(c, x) == CXCursor_UnaryOperator) { /* &block[i * width] */
        kids = rg__caller_children(c, x);
        x = kids.n == 1 ? rg__caller_bare(c, kids.items[0]) : x;
        if (rg__caller_kind(c, x) != CXCursor_ArraySubscriptExpr) return NULL;
        kids = rg__caller_children(c, x);
        return kids.n == 2 ? per_row(c, kids.items[1]) : NULL;
    }
    if (!is_sum(c, x, "+", &kids)) return NULL;
    for (int i = 0; i < 2; i++) { /* from the one before, where the next row's place is no product of it */
        const struct rg_expr *e = per_row(c, kids.items[1 - i]);
        if (e) return e;
        if (!rg__type_is_pointer(c->b->u, c->b->c->getCursorType(kids.items[i])) ||
            !rg__caller_place(c, kids.items[i], &s) || s.subscripts < 1)
            continue;
        struct rg__children at = rg__caller_children(c, rg__caller_bare(c, kids.items[i]));
        int64_t first;
        if (at.n == 2 && !rg__eval_int(c->b->u, at.items[1], &first)) return rg__caller_expr(c, kids.items[1 - i]);
    }
    return NULL;
}

struct returned {
    const struct rg__callers *c;
    uint32_t key;
    int n;
    bool other;
};

static void note_returned(void *arg, CXCursor x)
{
    struct returned *r = arg;
    struct rg__caller_set s;
    int64_t null;
    if (rg__caller_kind(r->c, x) != CXCursor_ReturnStmt) return;
    struct rg__children kids = rg__caller_children(r->c, x);
    if (kids.n != 1) return;
    if (rg__eval_int(r->c->b->u, rg__caller_bare(r->c, kids.items[0]), &null) && !null) return;
    const bool place = rg__caller_place(r->c, kids.items[0], &s) && !s.member && !s.subscripts;
    r->other |= !place || (r->n && s.key != r->key);
    r->key = place ? s.key : 0;
    r->n++;
}

/* The local that the function returns, wherever it returns anything but NULL. */
static bool returned_by(const struct rg__callers *c, int function, uint32_t *key)
{
    struct returned r = {.c = c};
    rg__cursor_walk(c->b->u, c->b->u->functions[function].body, note_returned, &r);
    *key = r.key;
    return r.n > 0 && !r.other;
}

/* So many more, or fewer, as the function moves the pointers down, or up. A row that begins behind another has what is
 * up front in that. NULL: by what cannot be told. */
static const struct rg_expr *moved(const struct rg__callers *c, const struct rg_expr *e, int function, uint32_t key,
                                   int level, bool step)
{
    for (int i = 0; i < c->n_sets && e; i++) {
        const struct rg__caller_set *s = &c->sets[i];
        if (s->function != function || s->key != key || s->member || s->subscripts != level ||
            !c->b->c->Cursor_isNull(s->value))
            continue;
        const struct rg_expr *by = s->moved ? rg__caller_expr(c, s->by) : NULL;
        if (s->moved > 0 && step && by) continue;
        e = by ? rg__caller_node(c, RG_EXPR_BINARY, s->moved > 0 ? RG_OP_SUB : RG_OP_ADD, e, by) : NULL;
    }
    return e;
}

/* With what its locals are set to, where that is once; NULL: of one of them, or of a parameter, that cannot be told. */
static const struct rg_expr *without_locals(const struct rg__callers *c, const struct rg_expr *e, int function,
                                            int depth)
{
    if (e->kind == RG_EXPR_NAME) {
        const uint32_t key = (uint32_t)strtoul(e->name + 1, NULL, 10);
        int sets = 0;
        CXCursor value;
        for (int i = 0; i < c->n_sets; i++) sets += c->sets[i].function == function && c->sets[i].key == key;
        if (!sets) return e;
        if (strchr(e->name, '.') || sets > 1 || depth > MOST_CALLS ||
            !rg__caller_only_set(c, function, key, NULL, &value) || c->b->c->Cursor_isNull(value) ||
            rg__caller_is_parameter(c, function, key))
            return NULL;
        const struct rg_expr *is = rg__caller_expr(c, value);
        return is ? without_locals(c, is, function, depth + 1) : NULL;
    }
    struct rg_expr *out = rg_expr_clone(c->a, e);
    for (int i = 0; i < e->n_args; i++) {
        const struct rg_expr *is = without_locals(c, e->args[i], function, depth);
        if (!is) return NULL;
        out->args[i] = rg_expr_clone(c->a, is);
    }
    return out;
}

static const struct rg_expr *table(const struct rg__callers *c, CXCursor value, int level, int64_t bytes, int depth)
{
    if (depth > MOST_CALLS || c->b->c->Cursor_isNull(value)) return NULL;
    CXCursor x = rg__caller_bare(c, value);
    if (rg__caller_kind(c, x) != CXCursor_CallExpr) return NULL;
    struct rg__children kids = rg__caller_children(c, x);
    const int f = rg__unit_function_named(c->b->u, rg__cursor_name(c->b->u, x, c->a));
    uint32_t key;
    if (f < 0 || f == c->l->function || !kids.n || !returned_by(c, f, &key)) return NULL;
    const struct rg_expr *e = NULL;
    for (int way = level ? 0 : 1; way < 3 && !e; way++)
        for (int i = 0; i < c->n_sets && !e; i++) {
            const struct rg__caller_set *s = &c->sets[i];
            const bool mine = s->function == f && s->key == key && !s->member;
            if (!mine || c->b->c->Cursor_isNull(s->value)) continue;
            if (way < 2 && s->subscripts == level)
                e = way ? rg__caller_allocated(c, s->value, bytes) : rg__caller_row_step(c, s->value);
            if (way == 2 && s->subscripts < level) /* the rows, or all of it, as another function gives them */
                e = table(c, s->value, level - s->subscripts, bytes, depth + 1);
            if (e) e = moved(c, e, f, key, level, !way);
        }
    if (e) e = without_locals(c, e, f, 0);
    return e ? rg__caller_with_arguments(c, e, f, &kids) : NULL;
}

const struct rg_expr *rg__caller_table(const struct rg__callers *c, CXCursor value, int level, int64_t bytes)
{
    return table(c, value, level, bytes, 0);
}
