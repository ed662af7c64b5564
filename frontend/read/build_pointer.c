/* Pointer variables that stay inside one array become integer offsets into it: `const float *row = A + i*n;`
 * `row[j]` is A[row_off + j]. What points into several arrays stays a pointer. */
#include "frontend/read/build_end.h"
#include "frontend/read/build_columns.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_parts.h"
#include "frontend/read/build_shape.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 12 };

struct roots {
    struct rg__build *b;
    CXCursor scope;
    CXCursor root;
    bool found, conflict;
    uint32_t chain[MAX_DEPTH];
    int depth;
    uint32_t key;  /* of the variable whose assignments are looked for */
    CXCursor decl; /* itself */
    bool offset;   /* the value is a place within the array */
    bool null;     /* one value is null */
    bool several;  /* values are places in several arrays; unknown: one is something else */
    bool unknown;
    bool moving; /* one value is where another pointer leads that takes turns */
    bool other;  /* ... is a row, a pointer of a table, or memory of another type */
    bool block;  /* the memory alone is looked for, wherever it is used */
    bool away;   /* it is used outside of the block whose memory it leads into */
};

static void value_root(struct roots *r, CXCursor value);
static void assignments(struct roots *r, CXCursor decl);

/* The array that a parameter, or a pointer that is known to stay in it, leads into; -1. */
static int array_of(const struct roots *r, CXCursor decl)
{
    const struct rg__sym *s = rg__sym_find(r->b, rg__decl_key(r->b->u, decl));
    const bool within = s && (s->kind == RG__SYM_ARRAY || (s->kind == RG__SYM_ALIAS && !s->ranges && s->null_var < 0));
    return within && !s->n_rows && !s->n_extents && s->array >= 0 && !r->b->t->arrays[s->array].view ? s->array : -1;
}

/* The memory that a pointer is known to be a place in; itself where it is none. */
static CXCursor memory_of(struct rg__build *b, CXCursor scope, CXCursor decl)
{
    for (int i = 0; i < MAX_DEPTH; i++) {
        const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, decl));
        if (!s || s->kind != RG__SYM_ALIAS) break;
        struct roots r = {.b = b, .scope = scope, .key = rg__decl_key(b->u, decl), .decl = decl, .block = true};
        assignments(&r, decl);
        if (!r.found || r.conflict) break;
        decl = r.root;
    }
    return decl;
}

static void add_root(struct roots *r, CXCursor decl)
{
    decl = rg__start_of_end(r->b, decl);
    if (r->found && rg__decl_key(r->b->u, r->root) != rg__decl_key(r->b->u, decl) &&
        (array_of(r, decl) < 0 || array_of(r, decl) != array_of(r, r->root)))
        r->conflict = r->several = true;
    r->root = decl;
    r->found = true;
    if (!r->block && !rg__stays_in_block(r->b, r->scope, memory_of(r->b, r->scope, decl), r->decl))
        r->conflict = r->unknown = r->away = true;
}

static bool is_null_or_alloc(struct rg__build *b, CXCursor v, bool *alloc)
{
    v = rg__strip_parens(b, v);
    enum CXCursorKind k = b->c->getCursorKind(v);
    if (k == CXCursor_CStyleCastExpr) {
        struct rg__children kids = rg__cursor_children(b->u, v, &b->p->arena);
        return kids.n && is_null_or_alloc(b, kids.items[kids.n - 1], alloc);
    }
    int64_t zero;
    if (k == CXCursor_IntegerLiteral) return rg__eval_int(b->u, v, &zero) && !zero;
    if (k == CXCursor_CallExpr) {
        const char *name = rg__cursor_name(b->u, v, &b->p->arena);
        *alloc = !strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "aligned_alloc");
        return *alloc;
    }
    return false;
}

struct settings {
    struct rg__build *b;
    uint32_t key;
    bool other;
};

static void look_for_set(void *arg, CXCursor c)
{
    struct settings *s = arg;
    struct rg__build *b = s->b;
    if (b->c->getCursorKind(c) != CXCursor_BinaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    CXCursor left = kids.n == 2 ? rg__strip_parens(b, kids.items[0]) : b->c->getNullCursor();
    s->other |= kids.n == 2 && b->c->getCursorKind(left) == CXCursor_DeclRefExpr &&
                rg__decl_key(b->u, b->c->getCursorReferenced(left)) == s->key &&
                !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
}

/* A pointer that its declaration alone sets, and that steps from there. */
static bool only_declared(struct rg__build *b, CXCursor scope, CXCursor decl)
{
    struct settings s = {b, rg__decl_key(b->u, decl), b->c->getCursorKind(decl) != CXCursor_VarDecl};
    if (!s.other) rg__cursor_walk(b->u, scope, look_for_set, &s);
    return !s.other;
}

/* Looks for every `p = value` and the initialiser of p. */
static void assignments(struct roots *r, CXCursor decl)
{
    struct rg__build *b = r->b;
    struct rg_arena *a = &b->p->arena;
    uint32_t key = rg__decl_key(b->u, decl);
    for (int i = 0; i < r->depth; i++)
        if (r->chain[i] == key) return; /* p = p + 1 */
    if (r->depth == MAX_DEPTH) {
        r->conflict = r->unknown = true;
        return;
    }
    r->chain[r->depth++] = key;
    struct rg__children kids = rg__cursor_children(b->u, decl, a);
    if (kids.n && b->c->getCursorKind(decl) == CXCursor_VarDecl) {
        CXCursor last = kids.items[kids.n - 1];
        int tok = rg__tok_from(&b->u->src, rg__cursor_at(b->u, last)) - 1;
        while (rg__tok_is(&b->u->src, tok, "(")) tok--;
        if (rg__tok_is(&b->u->src, tok, "=")) value_root(r, last);
    }
    if (b->c->getCursorKind(decl) == CXCursor_ParmDecl) add_root(r, decl);
    struct rg__children all;
    /* a stack of cursors below the scope */
    int n = 0, cap = 0;
    CXCursor *stack = NULL;
    bool everywhere = rg__own_of(b, key) != NULL;
    for (int i = 0; i < b->u->n_functions && everywhere; i++) {
        if (!b->in_run[i]) continue;
        RG_GROW(stack, n, cap);
        stack[n++] = b->u->functions[i].body;
    }
    RG_GROW(stack, n, cap);
    if (!everywhere) stack[n++] = r->scope;
    while (n) {
        CXCursor c = stack[--n];
        all = rg__cursor_children(b->u, c, a);
        enum CXCursorKind k = b->c->getCursorKind(c);
        if (all.n == 2 && k == CXCursor_BinaryOperator) {
            CXCursor left = rg__strip_parens(b, all.items[0]);
            if (b->c->getCursorKind(left) == CXCursor_DeclRefExpr &&
                rg__decl_key(b->u, b->c->getCursorReferenced(left)) == key &&
                !strcmp(rg__operator_between(b, all.items[0], all.items[1]), "="))
                value_root(r, all.items[1]);
        }
        if (k == CXCursor_UnaryOperator && all.n == 1) { /* &p: anything may be stored there */
            CXCursor in = rg__strip_parens(b, all.items[0]);
            int tok = rg__tok_from(&b->u->src, rg__cursor_at(b->u, c));
            if (rg__tok_is(&b->u->src, tok, "&") && b->c->getCursorKind(in) == CXCursor_DeclRefExpr &&
                rg__decl_key(b->u, b->c->getCursorReferenced(in)) == key)
                r->conflict = r->unknown = true;
        }
        for (int i = 0; i < all.n; i++) {
            RG_GROW(stack, n, cap);
            stack[n++] = all.items[i];
        }
    }
    free(stack);
}

static void value_root(struct roots *r, CXCursor value)
{
    struct rg__build *b = r->b;
    CXCursor v = rg__strip_parens(b, value);
    struct rg__children kids = rg__cursor_children(b->u, v, &b->p->arena);
    bool alloc = false;
    if (is_null_or_alloc(b, v, &alloc)) {
        if (alloc) r->conflict = r->unknown = true; /* an array of its own */
        r->null |= !alloc;
        return;
    }
    switch (b->c->getCursorKind(v)) {
    case CXCursor_DeclRefExpr: {
        CXCursor d = b->c->getCursorReferenced(v);
        if (b->c->getCursorKind(d) != CXCursor_VarDecl && b->c->getCursorKind(d) != CXCursor_ParmDecl) break;
        const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, d));
        bool file = rg__at_file_scope(b, d);
        if (!s && file && !b->helper && !rg__is_written_in_run(b, rg__decl_key(b->u, d)) &&
            rg__type_is_pointer(b->u, b->c->getCursorType(d)))
            s = rg__build_global(b, d);           /* where it points is the caller's matter */
        if (s && s->kind == RG__SYM_VALUE) break; /* &p: what p is at the time */
        if (s && s->kind == RG__SYM_ARRAY && b->t->arrays[s->array].view) {
            if (r->depth != 1 || !r->offset || !rg__view_stays(b, r->scope, r->decl, rg__decl_key(b->u, d))) break;
            add_root(r, d);
            return;
        }
        for (int i = 0; i < r->depth; i++)
            if (r->chain[i] == rg__decl_key(b->u, d)) return; /* it starts from itself: from where that starts */
        if (s && s->kind == RG__SYM_ALIAS && s->moves) {
            r->moving = true;
            assignments(r, d);
            return;
        }
        if (rg__type_is_array(b->u, b->c->getCursorType(d)) || (s && s->kind != RG__SYM_POINTER)) {
            /* a parameter that moves by itself has an offset; one that is set to another array has no place */
            bool array = rg__type_is_array(b->u, b->c->getCursorType(d)) && b->c->getCursorKind(d) == CXCursor_VarDecl;
            bool moves =
                file ? rg__is_written_in_run(b, rg__decl_key(b->u, d)) : rg__is_written(b, rg__decl_key(b->u, d));
            if (!array && s && s->kind == RG__SYM_ARRAY && moves &&
                !(b->t->arrays[s->array].mallocd && rg__only_allocated(b, d)))
                break;
            add_root(r, d);
            return;
        }
        if ((!s || s->kind == RG__SYM_POINTER) && rg__becomes_memory(b, r->scope, d, r->decl)) {
            add_root(r, d);
            return;
        }
        if (s && s->kind == RG__SYM_POINTER) break;
        if (b->c->getCursorKind(d) == CXCursor_ParmDecl || !rg__type_is_pointer(b->u, b->c->getCursorType(d))) {
            add_root(r, d);
            return;
        }
        assignments(r, d);
        return;
    }
    case CXCursor_MemberRefExpr: { /* a place within what a structure's member points to */
        if (!b->helper && rg__columns_rows(b, b->c->getCursorReferenced(v))) { /* a row */
            r->offset = true;
            add_root(r, b->c->getCursorReferenced(v));
            return;
        }
        const bool within = r->offset || only_declared(b, r->scope, r->decl) || rg__set_in_ranges(b, r->scope, r->decl);
        const struct rg_cnode *e = within && !b->helper && !rg__member_is_set(b, v) ? rg__build_expr(b, v) : NULL;
        if (!e || e->kind != RG_C_VAR || e->array < 0 || b->t->arrays[e->array].view) break;
        add_root(r, b->c->getCursorReferenced(v));
        return;
    }
    case CXCursor_CStyleCastExpr:
        if (kids.n) {
            r->other |= !rg__same_pointee(b, v, kids.items[kids.n - 1]);
            value_root(r, kids.items[kids.n - 1]);
            return;
        }
        break;
    case CXCursor_BinaryOperator:
        if (kids.n == 2) {
            r->offset = true;
            value_root(r, kids.items[rg__type_is_pointer(b->u, b->c->getCursorType(kids.items[0])) ||
                                             rg__type_is_array(b->u, b->c->getCursorType(kids.items[0]))
                                         ? 0
                                         : 1]);
            return;
        }
        break;
    case CXCursor_ArraySubscriptExpr: /* a row of a matrix */
    case CXCursor_UnaryOperator:      /* &x[i], *rows, p++ */
        if (kids.n) {
            r->offset = true;
            r->other |= rg__leads_on(b, v);
            value_root(r, kids.items[0]);
            return;
        }
        break;
    case CXCursor_ConditionalOperator: { /* y > 0 ? row - w : row: one place of one array */
        struct roots arms = *r;
        if (kids.n == 3) value_root(&arms, kids.items[1]);
        if (kids.n == 3) value_root(&arms, kids.items[2]);
        if (kids.n != 3 || !arms.found || arms.conflict || arms.moving || arms.null != r->null) break;
        *r = arms;
        return;
    }
    default:
        break;
    }
    r->conflict = r->unknown = true;
}

static struct roots roots_of(struct rg__build *b, CXCursor scope, CXCursor decl)
{
    struct roots r = {.b = b, .scope = scope, .key = rg__decl_key(b->u, decl), .decl = decl};
    assignments(&r, decl);
    return r;
}

CXCursor rg__pointer_root(struct rg__build *b, CXCursor scope, CXCursor decl)
{
    struct roots r = roots_of(b, scope, decl);
    return r.found && !r.conflict ? r.root : b->c->getNullCursor();
}

int rg__null_var(const struct rg__build *b, const struct rg_cnode *p)
{
    if (p->op != RG_COP_ADD || !p->pointer || p->kid[1]->kind != RG_C_VAR || p->kid[1]->array >= 0) return -1;
    for (int i = 0; i < b->n_syms; i++)
        if (b->syms[i].kind == RG__SYM_ALIAS && b->syms[i].off_var == p->kid[1]->var) return b->syms[i].null_var;
    return -1;
}

bool rg__split_pointer(struct rg__build *b, struct rg_cnode *p, int *array, struct rg_cnode **rows, int *n_rows,
                       struct rg_cnode **off)
{
    while (p->kind == RG_C_CAST && p->pointer) p = p->kid[0];
    if (p->kind == RG_C_VAR && p->array >= 0) {
        *array = p->array;
        *n_rows = 0;
        *off = NULL;
        return true;
    }
    if (p->kind == RG_C_INDEX && p->pointer && p->n <= 7) {
        *array = p->array;
        *n_rows = p->n;
        for (int i = 0; i < p->n; i++) rows[i] = p->kid[i];
        *off = NULL;
        return true;
    }
    if (p->kind == RG_C_COND && p->pointer && rg__c_pure(b->t, p->kid[0])) {
        struct rg_cnode *in[2];
        int of[2], n[2];
        for (int k = 0; k < 2; k++)
            if (!rg__split_pointer(b, p->kid[k + 1], &of[k], rows, &n[k], &in[k]) || n[k] || of[k] != of[0])
                return false;
        for (int k = 0; k < 2; k++) in[k] = rg__c_cast(b->t, in[k] ? in[k] : rg__c_int(b->t, 0), RG_LONG);
        *array = of[0], *n_rows = 0;
        *off = rg__c_choice(b->t, p->kid[0], in[0], in[1]);
        return true;
    }
    if (p->op == RG_COP_ADD && p->pointer) {
        if (!rg__split_pointer(b, p->kid[0], array, rows, n_rows, off)) return false;
        *off = *off ? rg__c_binary(b->t, RG_COP_ADD, *off, p->kid[1]) : p->kid[1];
        return true;
    }
    return false;
}

struct rg_cnode *rg__alias_value(struct rg__build *b, const struct rg__sym *s)
{
    struct rg_cnode *p;
    if (s->n_rows) {
        struct rg_cnode *subs[8];
        for (int i = 0; i < s->n_rows; i++) subs[i] = rg__c_var(b->t, s->row_vars[i]);
        p = rg__c_index(b->t, s->array, s->n_rows, subs);
    } else {
        p = rg_cnode_new(b->t, RG_C_VAR, 0);
        p->array = s->array;
        p->type = b->t->arrays[s->array].elem;
        p->struct_index = b->t->arrays[s->array].struct_index;
    }
    p->pointer = true;
    if (s->off_var < 0) return rg__rows_of(b, p, s->extents, s->n_extents);
    struct rg_cnode *sum = rg__c_operation(b->t, RG_C_BINARY, RG_COP_ADD);
    sum->pointer = true;
    sum->type = p->type;
    sum->struct_index = p->struct_index;
    sum->kid[0] = p;
    sum->kid[1] = rg__c_var(b->t, s->off_var);
    return rg__rows_of(b, sum, s->extents, s->n_extents);
}

void rg__set_var(struct rg__build *b, int var, struct rg_cnode *value, bool declare, struct rg__kids *out)
{
    if (declare) {
        struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, value ? 1 : 0);
        d->var = var;
        d->type = b->t->vars[var].type;
        if (value) d->kid[0] = value;
        if (value) d->line = value->line;
        rg__kids_add(out, d);
    } else if (value) {
        rg__kids_add(out, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, var), value)));
    }
}

static void add_null(struct rg__build *b, struct rg__sym *s, const char *name)
{
    s->null_var = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_null", name), RG_CVAR_LOCAL, RG_I32);
    rg__set_var(b, s->null_var, NULL, true, s->global ? b->front : b->prologue);
}

bool rg__alias_assign(struct rg__build *b, struct rg__sym *s, struct rg_cnode *value, bool declare,
                      struct rg__kids *out)
{
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    while (value->kind == RG_C_CAST && value->pointer && !value->text) value = value->kid[0];
    struct rg_cnode *flat = rg__is_rows(value) ? value->kid[0] : value;
    if (!rg__split_pointer(b, flat, &array, rows, &n_rows, &off)) return false;
    if (!rg__keeps_extents(b, s, value, s->array < 0)) return false;
    rg__note_walk(b, off ? flat->kid[0] : flat);
    if (s->ranges && s->array >= 0 && (s->array != array || s->n_rows != n_rows)) {
        s->off_var = rg__c_add_var(b->t, b->t->vars[s->off_var].name, RG_CVAR_LOCAL, RG_LONG);
        rg__set_var(b, s->off_var, NULL, true, b->prologue);
        s->array = -1;
    }
    const int null = rg__null_var(b, value);
    if (null >= 0 && s->null_var < 0 && (s->array >= 0 || !s->key)) return false; /* it was said never to be */
    if (s->moves) {
        if (n_rows || null >= 0 || s->n_extents || !rg__moving_fits(b, s, array)) return false;
        rg__set_var(b, s->off_var, off ? off : rg__c_int(b->t, 0), declare,
                    out); /* it may read through the old place */
        if (array != s->array) rg__moving_assign(b, s, array, out);
        return true;
    }
    if (s->array < 0) { /* first assignment: its shape is the alias's */
        s->array = array;
        s->n_rows = n_rows;
        const char *name = b->t->arrays[array].name;
        for (int i = 0; i < n_rows; i++) {
            s->row_vars[i] = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_row", name), RG_CVAR_LOCAL, RG_LONG);
            if (!declare) rg__set_var(b, s->row_vars[i], NULL, true, s->global ? b->front : b->prologue);
        }
    }
    if (s->array != array || s->n_rows != n_rows) return false;
    struct rg__own *own = rg__own_of(b, s->key);
    if (own) own->whole = n_rows || off ? -1 : array;
    for (int i = 0; i < n_rows; i++) rg__set_var(b, s->row_vars[i], rows[i], declare, out);
    if (null >= 0 && s->null_var < 0) add_null(b, s, b->t->vars[s->off_var].name);
    if (s->null_var >= 0)
        rg__set_var(b, s->null_var, null >= 0 ? rg__c_var(b->t, null) : rg__c_int(b->t, 0), false, out);
    rg__set_var(b, s->off_var, off ? off : rg__c_int(b->t, 0), declare, out);
    return true;
}

void rg__alias_clear(struct rg__build *b, const struct rg__sym *s, struct rg__kids *out)
{
    if (s->null_var >= 0) rg__set_var(b, s->null_var, rg__c_int(b->t, 1), false, out);
    if (s->null_var >= 0 && s->array >= 0) rg__set_var(b, s->off_var, rg__c_int(b->t, 0), false, out);
}

/* The array of one dimension that the declaration is, as far as that is known by now; -1. */
static int flat_root(struct rg__build *b, CXCursor root)
{
    const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, root));
    if (!s || s->kind != RG__SYM_ARRAY) return -1;
    const struct rg_carray *a = &b->t->arrays[s->array];
    return a->n_dims == 1 && !a->view ? s->array : -1;
}

bool rg__alias_declare(struct rg__build *b, CXCursor decl, bool uninitialised)
{
    const struct roots r = roots_of(b, b->scope, decl);
    if (r.away && !b->follow)
        rg__verbatim(b, decl, "a pointer is used outside of the block whose memory it leads into");
    const bool several = r.several && !r.unknown && !r.null && !b->follow;
    const bool ranges = several && !r.moving && rg__set_in_ranges(b, b->scope, decl);
    const bool moves = several && !ranges && (r.offset || r.moving) && !r.other && !rg__own_of(b, r.key);
    if (!ranges && !moves && (!r.found || r.conflict)) return false;
    const int view = moves ? rg__moving_view(b, decl) : -1;
    if (moves && view < 0) return false;
    const char *name = rg_arena_printf(&b->t->arena, "%s_at", rg__cursor_name(b->u, decl, &b->p->arena));
    int off = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, RG_LONG);
    struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_ALIAS);
    s->off_var = off;
    s->array = view;
    s->moves = moves;
    s->ranges = ranges;
    if (r.null) {
        add_null(b, s, name);
        s->array = flat_root(b, r.root); /* its tests may stand in front of what sets it, in a loop */
    }
    if (uninitialised) rg__set_var(b, off, NULL, true, b->prologue);
    return true;
}
