/* Operators: arithmetic on numbers and pointers, assignments, increments, casts, ?:. */
#include "frontend/read/build_reads.h"
#include "frontend/read/build_void.h"
#include "frontend/read/build_bits.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include <stdlib.h>
#include <string.h>

/* Of `int` all through, in which nothing wraps. */
static bool plain_number(const struct rg_cnode *e, int64_t *v)
{
    if (e->type != RG_I32 || (e->kind == RG_C_INT && (e->ivalue < INT32_MIN || e->ivalue > INT32_MAX))) return false;
    for (int i = 0; i < e->n; i++) {
        int64_t part;
        if (!plain_number(e->kid[i], &part)) return false;
    }
    return rg__c_number(e, v) && *v >= INT32_MIN && *v <= INT32_MAX;
}

/* 1 << (BITS - 1), SIZE >> 1: lengths of arrays and bounds of loops, as the numbers that they are. */
static struct rg_cnode *shifted_number(struct rg__build *b, struct rg_cnode *n)
{
    int64_t v, by;
    if (n->kind != RG_C_BINARY || (n->op != RG_COP_SHL && n->op != RG_COP_SHR) || n->type != RG_I32 ||
        !plain_number(n->kid[0], &v) || !plain_number(n->kid[1], &by) || v < 0 || by < 0 || by > 30)
        return n;
    if (n->op == RG_COP_SHL && v > INT32_MAX >> by) return n;
    return rg__c_stands(rg__c_int(b->t, n->op == RG_COP_SHL ? v << by : v >> by), n);
}

/* A test of pointers as a value: `return a && b && c;`, `int bad = !p;`. */
static struct rg_cnode *tested(struct rg__build *b, struct rg_cnode *n)
{
    struct rg_cnode *folded = rg__fold_null_tests(b, rg__c_copy(b->t, n));
    return folded->kind == RG_C_INT ? rg__c_cast(b->t, folded, n->type) : folded;
}

/* A place in a row that a pointer of a table, or of structures in an array, leads to. */
static bool is_row(struct rg__build *b, struct rg_cnode *p)
{
    struct rg_cnode *rows[8], *off;
    int array, n;
    if (b->helper || rg__is_null_pointer(p) || !rg__split_pointer(b, p, &array, rows, &n, &off) || !n) return false;
    const int param = b->t->arrays[array].param;
    return param >= 0 && b->p->params[param].rows;
}

/* p + i, p - i, p - q, p < q with at least one pointer. */
/* How far into its one block of memory a pointer to a number leads that stands in row after row; NULL: the rows are
 * blocks of their own, or how long they are is not known. */
static struct rg_cnode *place_in_rows(struct rg__build *b, int array, struct rg_cnode **rows, int n_rows,
                                      struct rg_cnode *off)
{
    const struct rg_carray *a = &b->t->arrays[array];
    if (n_rows != a->n_dims - 1 || a->view || a->mallocd || (a->param >= 0 && b->p->params[a->param].indirect))
        return NULL;
    struct rg_cnode *at = NULL;
    for (int d = 0; d < n_rows; d++) {
        if (!a->dims || !a->dims[d + 1] || !rg__c_pure(b->t, rows[d])) return NULL;
        at = at ? rg__c_binary(b->t, RG_COP_ADD, at, rows[d]) : rows[d];
        at = rg__c_binary(b->t, RG_COP_MUL, rg__c_cast(b->t, at, RG_LONG), rg__c_from_expr(b->t, a->dims[d + 1]));
    }
    return off ? rg__c_binary(b->t, RG_COP_ADD, at, off) : at;
}

static struct rg_cnode *pointer_binary(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *l,
                                       struct rg_cnode *r)
{
    const bool equal = !strcmp(op, "==") || !strcmp(op, "!=");
    if (equal && l->pointer && r->pointer && !rg__is_null_pointer(l) && !rg__is_null_pointer(r) &&
        (rg__maybe_null(l) || rg__maybe_null(r) || rg__null_var(b, l) >= 0 || rg__null_var(b, r) >= 0))
        return rg__verbatim(b, c, "pointers that may be null are compared");
    const bool null = rg__is_null_pointer(l) || rg__is_null_pointer(r); /* no row is, or NAME_auto calls the C */
    if (equal && l->pointer && r->pointer && !null && (is_row(b, l) || is_row(b, r)))
        return rg__verbatim(b, c, "rows behind pointers are compared, of which two may be the same one");
    if (l->pointer && r->pointer) {
        struct rg_cnode *rows_l[8], *rows_r[8], *off_l, *off_r;
        int array_l, array_r, n_l, n_r;
        if (rg__split_pointer(b, l, &array_l, rows_l, &n_l, &off_l) &&
            rg__split_pointer(b, r, &array_r, rows_r, &n_r, &off_r) && array_l == array_r && n_l == n_r) {
            struct rg_cnode *from =
                n_l == 0 ? off_l ? off_l : rg__c_int(b->t, 0) : place_in_rows(b, array_l, rows_l, n_l, off_l);
            struct rg_cnode *to =
                n_l == 0 ? off_r ? off_r : rg__c_int(b->t, 0) : place_in_rows(b, array_l, rows_r, n_r, off_r);
            struct rg_cnode *n = from && to ? rg__c_binary(b->t, rg_c_op_of(RG_C_BINARY, op), from, to) : NULL;
            if (n) rg__set_type(b, n, c);
            if (n) return n;
        }
    } else if (!strcmp(op, "+") || !strcmp(op, "-")) {
        struct rg_cnode *p = l->pointer ? l : r, *i = l->pointer ? r : l;
        struct rg_cnode *by = op[0] == '-' ? rg__c_unary(b->t, RG_COP_NEG, i) : i;
        if (rg__is_rows(p)) return rg__rows_moved(b, p, by, false);
        struct rg_cnode *moved = rg__bundle_moved(b, p, by);
        if (moved) return moved;
        struct rg_cnode *n = rg__c_operation(b->t, RG_C_BINARY, RG_COP_ADD);
        n->pointer = true;
        n->type = p->type;
        n->struct_index = p->struct_index;
        n->kid[0] = p;
        n->kid[1] = by;
        return n;
    }
    struct rg_cnode *n = rg__c_operation(b->t, RG_C_BINARY, rg_c_op_of(RG_C_BINARY, op));
    n->kid[0] = l;
    n->kid[1] = r;
    rg__set_type(b, n, c);
    return tested(b, n);
}

/* p = value where p is a pointer we turned into offsets: needs statements of its own. */
static struct rg_cnode *alias_assignment(struct rg__build *b, CXCursor c, CXCursor left, struct rg_cnode *value,
                                         const char *op)
{
    CXCursor in = rg__strip_parens(b, left);
    if (b->c->getCursorKind(in) != CXCursor_DeclRefExpr) return NULL;
    struct rg__sym *s = rg__own_sym(b, b->c->getCursorReferenced(in));
    if (!s || s->kind != RG__SYM_ALIAS) return NULL;
    if (strcmp(op, "=") && s->n_extents)
        value = rg__c_binary(b->t, RG_COP_MUL, value, rg__row_size(b, s->extents, s->n_extents));
    if (strcmp(op, "=")) return rg__c_assign(b->t, rg_c_op_of(RG_C_ASSIGN, op), rg__c_var(b->t, s->off_var), value);
    struct rg__kids out = {0};
    bool null = value->kind == RG_C_INT || (value->kind == RG_C_CAST && value->kid[0]->kind == RG_C_INT);
    if (null && s->null_var < 0) return rg__verbatim(b, c, "a pointer parameter is set to null");
    if (null) {
        rg__alias_clear(b, s, &out);
    } else if (!rg__alias_assign(b, s, value, false, &out)) {
        free(out.items);
        return rg__verbatim(b, c, "a pointer is moved to another array");
    }
    if (out.n == 1) {
        struct rg_cnode *only = out.items[0]->kid[0];
        free(out.items);
        return only;
    }
    struct rg_cnode *comma = rg_cnode_new(b->t, RG_C_COMMA, out.n);
    for (int i = 0; i < out.n; i++) comma->kid[i] = out.items[i]->kid[0];
    free(out.items);
    return comma;
}

/* p += k of a followed pointer. */
static struct rg_cnode *moved_cell(struct rg__build *b, CXCursor c, struct rg_cnode *place, struct rg_cnode *by,
                                   const char *op)
{
    struct rg__cell *cell = rg__cell_named(b, place);
    if (cell->form == RG__BY_OFFSET && cell->alias.off_var >= 0 && cell->alias.n_extents)
        by = rg__c_binary(b->t, RG_COP_MUL, by, rg__row_size(b, cell->alias.extents, cell->alias.n_extents));
    if (cell->form == RG__BY_OFFSET && cell->alias.off_var >= 0)
        return rg__c_assign(b->t, rg_c_op_of(RG_C_ASSIGN, op), rg__c_var(b->t, cell->alias.off_var), by);
    rg__cell_decide(b, cell->key, RG__BY_OFFSET);
    return rg__verbatim(b, c, "a pointer goes along an array");
}

static void changed_number(struct rg__build *b, const struct rg_cnode *l, enum rg_c_op op, struct rg_cnode *r)
{
    const struct rg__cell *cell = rg__cell_named(b, l);
    struct rg_cnode *v = op == RG_COP_SET ? r : NULL;
    if (op != RG_COP_SET && cell->value && rg__cell_known(b, cell))
        v = rg__c_binary(b->t, rg_c_applied(op), rg__c_copy(b->t, cell->value), rg__c_copy(b->t, r));
    rg__cell_set_number(b, l->var, v);
}

static struct rg_cnode *operand(void *arg, struct rg__build *b)
{
    return rg__build_expr(b, *(CXCursor *)arg);
}

/* An operand that may run or not: what stands in front of it is collected. */
static struct rg__arm arm_of(struct rg__build *b, CXCursor c)
{
    return rg__arm_of(b, operand, &c);
}

/* c ? f(x) : y and a && f(x), where what f does stands in front: as an if. NULL: nothing does. */
static struct rg_cnode *chosen(struct rg__build *b, CXCursor c, struct rg_cnode *cond, struct rg__arm *yes,
                               struct rg__arm *no)
{
    if (yes->front.n || no->front.n) return rg__arms_chosen(b, c, b->c->getCursorType(c), cond, yes, no);
    rg__now_restore(b, &yes->end);
    rg__now_meet(b, &no->end);
    return NULL;
}

/* The element that rg__as_pointed() converted; NULL: it is none. */
static struct rg_cnode *converted_place(struct rg_cnode *l)
{
    struct rg_cnode *bits = rg__bits_of(l);
    if (bits) return bits;
    const struct rg_cnode *k = l->kind == RG_C_CAST && !l->pointer && !l->kid[0]->pointer ? l->kid[0] : NULL;
    return k && (k->kind == RG_C_INDEX || (k->kind == RG_C_VAR && k->array < 0)) ? l->kid[0] : NULL;
}

struct rg_cnode *rg__build_binary(struct rg__build *b, CXCursor c, bool compound)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != 2) return rg__verbatim(b, c, "an operator without two operands");
    const char *op = rg__operator_between(b, kids.items[0], kids.items[1]);
    bool assign = compound || !strcmp(op, "=");
    if (strcmp(op, ",") && !rg_c_op_of(assign ? RG_C_ASSIGN : RG_C_BINARY, op))
        return rg__verbatim(b, c, "an operator that C has not");
    bool lazy = !strcmp(op, "&&") || !strcmp(op, "||");
    struct rg__kids *hoist = b->hoist;
    if (assign) {
        if (rg__is_bit_field(b, kids.items[0])) return rg__verbatim(b, c, "a bit-field is set");
        struct rg_cnode *object = compound ? NULL : rg__object_assign(b, kids.items[0], kids.items[1], c);
        if (object) return object;
        if (rg__type_is_pointer(b->u, b->c->getCursorType(kids.items[0])) &&
            b->c->getCursorKind(rg__strip_parens(b, kids.items[0])) == CXCursor_ArraySubscriptExpr) {
            struct rg_cnode *row = rg__heap_row(b, rg__build_expr(b, kids.items[0]), kids.items[1]);
            if (row) return row;
        }
        struct rg_cnode *r = rg__build_expr(b, kids.items[1]);
        rg__own_place(b, kids.items[0]);
        struct rg_cnode *moved = alias_assignment(b, c, kids.items[0], r, op);
        if (moved) return moved;
        if (r->kind == RG_C_CAST && r->text && r->kid[0]->pointer)
            return rg__verbatim(b, c, "memory is read as another type");
        if (!compound && rg__own_member(b, kids.items[0], r)) return rg__c_int(b->t, 0);
        struct rg_cnode *l = rg__build_place(b, kids.items[0]);
        struct rg__cell *cell = rg__cell_named(b, l);
        if (cell && cell->pointer) return moved_cell(b, c, l, r, op);
        if (!l) l = rg__build_expr(b, kids.items[0]);
        enum rg_scalar seen = l->type;
        struct rg_cnode *through = converted_place(l);
        const bool bits = through && rg__bits_of(l);
        if (through) { /* through a pointer to numbers of another kind */
            l = through;
            if (compound && (bits ? !rg__c_pure(b->t, l) : !strchr("+-*&|^", op[0]) || !rg__scalar_is_int(r->type)))
                return rg__verbatim(b, c, "memory is changed as another type");
            if (compound && bits) {
                r = rg__c_binary(b->t, rg_c_applied(rg_c_op_of(RG_C_ASSIGN, op)),
                                 rg__bits_as(b, rg__c_copy(b->t, l), seen), r);
                op = "=";
            }
            if (!compound) r = rg__c_cast(b->t, r, seen);
            if (bits) r = rg__bits_as(b, rg__c_cast(b->t, r, seen), l->type);
        }
        if (l->kind == RG_C_INDEX && l->pointer && b->t->arrays[l->array].mallocd)
            return rg__verbatim(b, c, "the rows of a table change places");
        bool row = l->kind == RG_C_INDEX && l->pointer && b->t->arrays[l->array].param >= 0;
        if (row && b->p->params[b->t->arrays[l->array].param].indirect && !b->refused) {
            struct rg__place at = rg__source_place(&b->u->src, rg__cursor_at(b->u, c));
            b->refused = true;
            rg_error_at(b->err, RG_INPUT, at.file, at.line, at.column,
                        "a row of '%s' is set to another one: what the caller finds in which row then lies behind its "
                        "pointers, which cannot be transferred; "
                        "exchange the elements, or keep the order of the rows in an array of indices",
                        rg_param_shown(&b->p->params[b->t->arrays[l->array].param]));
        }
        struct rg_cnode *complex = rg__complex_assign(b, c, op, l, r);
        if (complex) return complex;
        struct rg_cnode *n = rg__c_assign(b->t, rg_c_op_of(RG_C_ASSIGN, op), l, r);
        if (!l->pointer) rg__set_type(b, n, c);
        if (n->op == RG_COP_SET && l->kind == RG_C_VAR && l->array < 0) rg__own_set(b, kids.items[0], l->var, r);
        if (cell) changed_number(b, l, n->op, r);
        if (n->op == RG_COP_SET && l->kind == RG_C_VAR && l->array >= 0) rg__cells_lead_elsewhere(b, l->array);
        if (!through) return n;
        n->type = l->type;
        return bits ? rg__bits_as(b, n, seen) : rg__c_cast(b->t, n, seen);
    }
    struct rg_cnode *l = rg__build_expr(b, kids.items[0]), *r;
    struct rg__kids front = {0}; /* of what stands behind a comma */
    if (lazy && b->hoist) {
        bool and = op[0] == '&';
        l = rg__fold_null_tests(b, l);
        int64_t known;
        if (rg__cell_evaluate(l, &known) && (known != 0) != and) return rg__c_int(b->t, !and);
        struct rg__arm right = arm_of(b, kids.items[1]),
                       other = {.value = rg__c_int(b->t, !and), .end = rg__now_save(b)};
        r = right.value;
        if (right.front.n) { /* -> value != 0 */
            right.value = rg__c_binary(b->t, RG_COP_NE, rg__fold_null_tests(b, r), rg__c_int(b->t, 0));
            return and? chosen(b, c, l, &right, &other) : chosen(b, c, l, &other, &right);
        }
        chosen(b, c, l, &right, &other);
    } else {
        const bool comma = !strcmp(op, ",");
        if (lazy || comma) b->hoist = comma && hoist ? &front : NULL;
        r = rg__build_expr(b, kids.items[1]);
    }
    b->hoist = hoist;
    if (front.n) { /* what it does first comes first: in front of the statement, as what does the rest */
        rg__emit_expr(b, l, hoist);
        for (int i = 0; i < front.n; i++) rg__kids_add(hoist, front.items[i]);
        free(front.items);
        return r;
    }
    if (!strcmp(op, ",")) {
        struct rg_cnode *n = rg_cnode_new(b->t, RG_C_COMMA, 2);
        n->kid[0] = l;
        n->kid[1] = r;
        n->type = r->type;
        n->pointer = r->pointer;
        return n;
    }
    if ((l->pointer || r->pointer) && !lazy) return pointer_binary(b, c, op, l, r);
    struct rg_cnode *complex = rg__complex_binary(b, c, op, l, r);
    if (complex) return complex;
    struct rg_cnode *n = rg__c_binary(b->t, rg_c_op_of(RG_C_BINARY, op), l, r);
    enum rg_scalar own = n->type;
    rg__set_type(b, n, c);
    if (rg__scalar_is_int(n->type) && !rg__scalar_is_int(own)) n->type = own; /* generic math: see build_call.c */
    return lazy && (l->pointer || r->pointer) ? tested(b, n) : shifted_number(b, n);
}

/* p++ of a pointer to rows, as a statement or the step of a loop: nothing takes its value. */
static struct rg_cnode *rows_step(struct rg__build *b, CXCursor c, const struct rg__sym *s, bool up)
{
    struct rg_cnode *n = rg__c_assign(b->t, up ? RG_COP_ADD_SET : RG_COP_SUB_SET, rg__c_var(b->t, s->off_var),
                                      rg__row_size(b, s->extents, s->n_extents));
    rg__place_node(b, n, c);
    return n;
}

/* p++ of a followed pointer. */
static struct rg_cnode *step_cell(struct rg__build *b, CXCursor c, struct rg_cnode *place, bool up, bool prefix)
{
    struct rg__cell *cell = rg__cell_named(b, place);
    if (!cell->pointer) { /* a number: its value is known, or that of the variable */
        int64_t v;
        bool has = cell->value && rg__cell_known(b, cell),
             known = has && rg__cell_evaluate(cell->value, &v) && b->hoist && !cell->quiet;
        struct rg_cnode *n =
            rg__c_operation(b->t, RG_C_INCDEC,
                            prefix ? (up ? RG_COP_PRE_INC : RG_COP_PRE_DEC) : (up ? RG_COP_POST_INC : RG_COP_POST_DEC));
        n->kid[0] = place;
        n->type = place->type;
        if (!known) {
            struct rg_cnode *by = cell->quiet && has && b->hoist ? rg__c_int(b->t, 1) : NULL;
            if (by) by = rg__c_binary(b->t, up ? RG_COP_ADD : RG_COP_SUB, rg__c_copy(b->t, cell->value), by);
            rg__cell_set_number(b, place->var, by);
            return n;
        }
        struct rg_cnode *now = rg__c_copy(b->t, cell->value), *next = rg__c_int(b->t, up ? v + 1 : v - 1);
        rg__kids_add(b->hoist, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_copy(b->t, place), next)));
        rg__cell_set_number(b, place->var, next);
        return !prefix ? now : rg__c_copy(b->t, cell->value ? cell->value : place);
    }
    if (cell->form == RG__BY_OFFSET && cell->alias.off_var >= 0 && cell->value && cell->alias.n_extents)
        return rows_step(b, c, &cell->alias, up);
    if (cell->form == RG__BY_OFFSET && cell->alias.off_var >= 0 && cell->value) {
        struct rg_cnode *k = rg__cell_load(b, place), *sum = (struct rg_cnode *)k;
        while (sum->kind == RG_C_CAST) sum = sum->kid[0];
        struct rg_cnode *n =
            rg__c_operation(b->t, RG_C_INCDEC,
                            prefix ? (up ? RG_COP_PRE_INC : RG_COP_PRE_DEC) : (up ? RG_COP_POST_INC : RG_COP_POST_DEC));
        n->kid[0] = rg__c_var(b->t, cell->alias.off_var);
        n->type = n->kid[0]->type;
        if (sum->kind == RG_C_BINARY) sum->kid[1] = n;
        return sum;
    }
    rg__cell_decide(b, cell->key, RG__BY_OFFSET); /* sooner or later it is one */
    return rg__verbatim(b, c, "a pointer goes along an array");
}

static struct rg_cnode *increment(struct rg__build *b, CXCursor c, CXCursor operand, const char *op, bool prefix)
{
    const bool up = op[0] == '+';
    struct rg_cnode *place = rg__build_place(b, operand);
    if (rg__cell_named(b, place)) return step_cell(b, c, place, up, prefix);
    struct rg_cnode *k = place ? place : rg__build_expr(b, operand), *through = converted_place(k);
    enum rg_scalar seen = k->type;
    if (rg__bits_of(k)) return rg__verbatim(b, c, "memory is changed as another type");
    if (through) k = through;
    if (k->type == RG_BOOL && !k->pointer) {
        struct rg_cnode *step = through ? NULL : rg__step_bool(b->t, k, up, prefix);
        return step ? step : rg__verbatim(b, c, "a truth value is counted in a place with effects");
    }
    struct rg_cnode *n = rg__c_operation(
        b->t, RG_C_INCDEC, prefix ? (up ? RG_COP_PRE_INC : RG_COP_PRE_DEC) : (up ? RG_COP_POST_INC : RG_COP_POST_DEC));
    CXCursor in = rg__strip_parens(b, operand);
    if (k->pointer && b->c->getCursorKind(in) == CXCursor_DeclRefExpr) {
        struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, b->c->getCursorReferenced(in)));
        if (s && s->kind == RG__SYM_ALIAS && s->n_extents) return rows_step(b, c, s, up);
        if (s && s->kind == RG__SYM_ALIAS) { /* p++ : the pointer at offset off++ */
            n->kid[0] = rg__c_var(b->t, s->off_var);
            n->type = n->kid[0]->type;
            if (k->kind == RG_C_BINARY) k->kid[1] = n;
            return k;
        }
    }
    n->kid[0] = k;
    n->type = k->type;
    n->pointer = k->pointer;
    return through ? rg__c_cast(b->t, n, seen) : n;
}

/* &p[i], a row: p + i. */
static struct rg_cnode *address_of_row(struct rg__build *b, CXCursor operand)
{
    CXCursor in = rg__strip_parens(b, operand);
    if (b->c->getCursorKind(in) != CXCursor_ArraySubscriptExpr || !rg__type_is_array(b->u, b->c->getCursorType(in)))
        return NULL;
    struct rg__children kids = rg__cursor_children(b->u, in, &b->p->arena);
    if (kids.n != 2) return NULL;
    struct rg_cnode *p = rg__build_expr(b, kids.items[0]), *i = rg__build_expr(b, kids.items[1]);
    return p->pointer && !i->pointer && rg__pointer_depth(b, p) > 1 ? pointer_binary(b, in, "+", p, i) : NULL;
}

struct rg_cnode *rg__build_unary(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    const bool argument = b->follow && b->follow->argument;
    if (argument) b->follow->argument = false;
    if (kids.n != 1) return rg__verbatim(b, c, "an operator without an operand");
    const struct rg__source *s = &b->u->src;
    uint32_t at = rg__cursor_at(b->u, c), operand_at = rg__cursor_at(b->u, kids.items[0]);
    bool prefix = operand_at > at;
    const char *op = rg__tok_text(s, rg__tok_from(s, prefix ? at : rg__cursor_end(b->u, kids.items[0])), &b->t->arena);
    if (!strcmp(op, "__extension__")) return rg__build_expr(b, kids.items[0]);
    const bool steps = !strcmp(op, "++") || !strcmp(op, "--");
    if (steps && rg__is_bit_field(b, kids.items[0])) return rg__verbatim(b, c, "a bit-field is set");
    if (steps) return increment(b, c, kids.items[0], op, prefix);
    struct rg_cnode *complex =
        !strncmp(op, "__", 2) ? rg__complex_unary(b, c, op, rg__build_expr(b, kids.items[0])) : NULL;
    if (complex) return complex;
    if (strlen(op) != 1 || !strchr("-+!~*&", op[0])) return rg__verbatim(b, c, "the operator '%s'", op);
    struct rg_cnode *row = op[0] == '&' ? address_of_row(b, kids.items[0]) : NULL;
    if (row) return row;
    struct rg_cnode *place = op[0] == '&' ? rg__build_place(b, kids.items[0]) : NULL;
    struct rg_cnode *k = place ? place : rg__build_expr(b, kids.items[0]);
    if (place && !argument) rg__cell_escapes(b, place);
    complex = place ? NULL : rg__complex_unary(b, c, op, k);
    if (complex) return complex;
    if (op[0] == '*') return rg__as_pointed(b, rg__build_subscript(b, k, rg__c_int(b->t, 0), c), c);
    if (op[0] == '&') {
        if (converted_place(k)) k = converted_place(k);
        if (k->kind == RG_C_INDEX && !k->pointer && k->n > 0) { /* &A[i][j] is A[i] + j */
            struct rg_cnode *base;
            if (k->n > 1) {
                base = rg__c_index(b->t, k->array, k->n - 1, k->kid);
            } else {
                base = rg_cnode_new(b->t, RG_C_VAR, 0);
                base->array = k->array;
                base->type = k->type;
                base->struct_index = k->struct_index;
            }
            base->pointer = true;
            struct rg_cnode *sum = rg__c_operation(b->t, RG_C_BINARY, RG_COP_ADD);
            sum->pointer = true;
            sum->type = k->type;
            sum->struct_index = k->struct_index;
            sum->kid[0] = base;
            sum->kid[1] = k->kid[k->n - 1];
            return sum;
        }
        if (k->op == RG_COP_DEREF) return k->kid[0];
        bool variable = k->kind == RG_C_VAR && k->array >= 0 && b->t->arrays[k->array].view; /* &p of a pointer */
        if (k->pointer && !variable) return k;                                               /* &A of an array */
    }
    struct rg_cnode *n = rg__c_operation(b->t, RG_C_UNARY, rg_c_op_of(RG_C_UNARY, op));
    n->kid[0] = k;
    n->type = k->type;
    n->struct_index = k->struct_index;
    n->pointer = op[0] == '&';
    if (op[0] != '&') rg__set_type(b, n, c);
    if ((op[0] == '-' || op[0] == '+') && !rg__scalar_is_int(k->type)) n->type = k->type;
    return op[0] == '!' && k->pointer ? tested(b, n) : n;
}

struct rg_cnode *rg__build_conditional(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != 3) return rg__verbatim(b, c, "a ?: of the GNU form");
    int64_t known;
    if (rg__eval_int(b->u, kids.items[0], &known) &&
        !rg__sets(b, kids.items[0])) { /* sizeof(x) == sizeof(float) ? ... of the math macros */
        struct rg_cnode *k = rg__build_expr(b, kids.items[known ? 1 : 2]);
        enum rg_scalar s;
        return !k->pointer && rg__type_scalar(b->u, b->c->getCursorType(c), &s) ? rg__c_cast(b->t, k, s) : k;
    }
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_COND, 3);
    struct rg__kids *hoist = b->hoist;
    enum rg_scalar type;
    if (b->hoist && (b->follow || rg__type_scalar(b->u, b->c->getCursorType(c), &type))) {
        n->kid[0] = rg__fold_null_tests(b, rg__build_expr(b, kids.items[0]));
        if (rg__cell_evaluate(n->kid[0], &known) && rg__c_pure(b->t, n->kid[0]))
            return rg__build_expr(b, kids.items[known ? 1 : 2]);
        struct rg__arm yes = arm_of(b, kids.items[1]), no = arm_of(b, kids.items[2]);
        struct rg_cnode *v = chosen(b, c, n->kid[0], &yes, &no);
        if (v) return v;
        n->kid[1] = yes.value;
        n->kid[2] = no.value;
    }
    for (int i = 0; i < 3 && !n->kid[2]; i++) {
        n->kid[i] = rg__build_expr(b, kids.items[i]);
        b->hoist = NULL; /* the arms run under the condition only */
    }
    b->hoist = hoist;
    n->kid[0] = rg__fold_null_tests(b, n->kid[0]);
    if (n->kid[0]->kind == RG_C_INT) { /* bias ? bias[k] : 0 */
        struct rg_cnode *k = n->kid[n->kid[0]->ivalue ? 1 : 2];
        enum rg_scalar s;
        return !k->pointer && rg__type_scalar(b->u, b->c->getCursorType(c), &s) ? rg__c_cast(b->t, k, s) : k;
    }
    n->type = n->kid[1]->type;
    n->struct_index = n->kid[1]->struct_index;
    n->pointer = n->kid[1]->pointer || n->kid[2]->pointer;
    if (!n->pointer) rg__set_type(b, n, c);
    return n;
}
