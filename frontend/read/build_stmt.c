/* Statements and declarations. */
#include "frontend/read/build_reads.h"
#include "frontend/read/build_returned.h"
#include "frontend/read/build_bits.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_parts.h"
#include "frontend/read/build_shape.h"
#include <stdlib.h>
#include <string.h>

static struct rg_cnode *cells_read(struct rg__build *b, struct rg_cnode *n)
{
    const struct rg__cell *c = rg__cell_named(b, n);
    if (c && !c->pointer && c->set && c->value && rg__cell_known(b, c)) return rg__c_copy(b->t, c->value);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) n->kid[i] = cells_read(b, n->kid[i]);
    return n;
}

struct rg_cnode *rg__expand_known(struct rg__build *b, const struct rg_cnode *n)
{
    struct rg_cnode *c = rg__c_copy(b->t, n);
    if (b->follow) c = cells_read(b, c); /* what locals were set to was read at its own place */
    for (int i = b->n_known - 1; i >= 0; i--) c = rg__c_replace_var(b->t, c, b->known[i].var, b->known[i].value);
    return c;
}

void rg__note_known(struct rg__build *b, int var, struct rg_cnode *value)
{
    if (b->follow) value = rg__expand_known(b, value);
    RG_GROW(b->known, b->n_known, b->cap_known);
    b->known[b->n_known++] = (struct rg__known){var, value, false};
}

struct rg_cnode *rg__counted_loop(struct rg__build *b, struct rg_cnode *count, int *var, struct rg_cnode *body)
{
    *var = rg__c_add_var(b->t, "k", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *f = rg_cnode_new(b->t, RG_C_FOR, 4);
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 1);
    d->var = *var;
    d->kid[0] = rg__c_int(b->t, 0);
    f->kid[0] = d;
    f->kid[1] = rg__c_binary(b->t, RG_COP_LT, rg__c_var(b->t, *var), count);
    f->kid[2] = rg__c_assign(b->t, RG_COP_ADD_SET, rg__c_var(b->t, *var), rg__c_int(b->t, 1));
    f->kid[3] = body;
    f->line = count->line;
    f->column = count->column;
    return f;
}

struct incdecs {
    struct rg_ctree *t;
    int n;
    struct rg_cnode *items[8];
    bool blocked;
};

static void find_incdecs(struct incdecs *f, struct rg_cnode *n, bool conditional)
{
    if (!n) return;
    if (n->kind == RG_C_INCDEC) {
        if (conditional || n->kid[0]->kind != RG_C_VAR || f->n == 8)
            f->blocked = true;
        else
            f->items[f->n++] = n;
        return;
    }
    bool lazy = n->kind == RG_C_COND || rg_c_lazy(n->op);
    for (int i = 0; i < n->n; i++) find_incdecs(f, n->kid[i], conditional || (lazy && i > 0));
}

static struct rg_cnode *step_stmt(struct rg_ctree *t, const struct rg_cnode *incdec)
{
    const enum rg_c_op op = rg_c_increments(incdec->op) ? RG_COP_ADD_SET : RG_COP_SUB_SET;
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, op, rg__c_copy(t, incdec->kid[0]), rg__c_int(t, 1)));
    s->line = incdec->line;
    s->column = incdec->column;
    return s;
}

/* `y[k++] = x[j++]`: increments of variables named once move in front of or behind the statement. */
static void split_increments(struct rg__build *b, struct rg_cnode *e, struct rg__kids *before, struct rg__kids *after)
{
    struct incdecs f = {.t = b->t};
    find_incdecs(&f, e, false);
    if (f.blocked) return;
    for (int i = 0; i < f.n; i++)
        if (rg__c_count_var(e, f.items[i]->kid[0]->var) != 1) return;
    for (int i = 0; i < f.n; i++) {
        struct rg_cnode *x = f.items[i];
        rg__kids_add(x->op == RG_COP_POST_INC || x->op == RG_COP_POST_DEC ? after : before, step_stmt(b->t, x));
        struct rg_cnode *v = x->kid[0];
        *x = *v;
    }
}

static bool has_effect(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM) return true;
    if (e->kind == RG_C_CALL && !rg__is_rows(e) && !rg__c_pure(t, e)) return true;
    for (int i = 0; i < e->n; i++)
        if (e->kid[i] && has_effect(t, e->kid[i])) return true;
    return false;
}

void rg__emit_expr(struct rg__build *b, struct rg_cnode *e, struct rg__kids *out)
{
    if (!e || !has_effect(b->t, e)) return;
    if (e->kind == RG_C_COMMA) {
        for (int i = 0; i < e->n; i++) rg__emit_expr(b, e->kid[i], out);
        return;
    }
    if (e->kind == RG_C_CAST) {
        rg__emit_expr(b, e->kid[0], out);
        return;
    }
    if (rg__bool_step(e)) {
        rg__emit_expr(b, rg__bool_step(e), out);
        return;
    }
    if (rg__bits_of(e)) {
        rg__emit_expr(b, rg__bits_of(e), out);
        return;
    }
    if (e->kind == RG_C_BINARY && e->pointer && e->kid[1]->kind == RG_C_INCDEC) { /* p++; of an alias */
        rg__emit_expr(b, e->kid[1], out);
        return;
    }
    struct rg__kids after = {0};
    int line = 0, column = 0;
    if (e->kind == RG_C_INCDEC && !e->pointer) {
        struct rg_cnode *step = step_stmt(b->t, e);
        if (rg__c_pure(b->t, e->kid[0])) {
            rg__kids_add(out, step);
            return;
        }
        line = e->line; /* count[*p++]++ */
        column = e->column;
        e = step->kid[0];
    }
    if (e->kind == RG_C_ASSIGN) {
        struct rg_cnode *v = e->kid[1], *chain = v;
        chain = (struct rg_cnode *)rg__c_uncast(chain, RG__C_CASTS);
        if (chain->kind == RG_C_ASSIGN && rg__c_pure(b->t, chain->kid[0])) { /* a = b = c */
            rg__emit_expr(b, chain, out);
            struct rg_cnode *read = rg__c_copy(b->t, chain->kid[0]);
            if (v == chain)
                e->kid[1] = read;
            else {
                while (v->kid[0] != chain) v = v->kid[0];
                v->kid[0] = read;
            }
        }
        split_increments(b, e, out, &after);
    }
    struct rg_cnode *s = rg__c_stmt(b->t, e);
    if (line) s->line = line, s->column = column;
    rg__kids_add(out, s);
    for (int i = 0; i < after.n; i++) rg__kids_add(out, after.items[i]);
    free(after.items);
}

static struct rg_cnode *in_block(struct rg__build *b, CXCursor c)
{
    struct rg__kids k = {0};
    struct rg__kids *hoist = b->hoist;
    b->nesting++;
    rg__build_stmt(b, c, &k);
    b->nesting--;
    b->hoist = hoist;
    return rg__kids_node(b->t, RG_C_BLOCK, &k);
}

struct rg_cnode *rg__build_block(struct rg__build *b, CXCursor c)
{
    return in_block(b, c);
}

static bool is_null(const struct rg_cnode *c)
{
    return c->kind == RG_C_CAST && c->pointer && c->kid[0]->kind == RG_C_INT && c->kid[0]->ivalue == 0;
}

/* &a[i], &a[i].m: in an array that is there. */
static bool address_within(const struct rg__build *b, const struct rg_cnode *c)
{
    if (c->op != RG_COP_ADDRESS) return false;
    for (c = c->kid[0]; c->kind == RG_C_MEMBER && !c->pointer;) c = c->kid[0];
    return c->kind == RG_C_INDEX && !c->pointer && c->array >= 0 && !b->t->arrays[c->array].view &&
           (!b->helper || b->t->arrays[c->array].param < 0);
}

/* An array's name, a place in one; of what is followed by value, also a row of memory, an object. A parameter of a
 * device function is what each call gives it. */
static bool never_null(const struct rg__build *b, const struct rg_cnode *c)
{
    while (c->kind == RG_C_CAST && c->pointer && c->kid[0]->pointer && c != rg__maybe_null(c)) c = c->kid[0];
    if (c->kind == RG_C_VAR && c->array >= 0 && c->pointer) return !b->helper || b->t->arrays[c->array].param < 0;
    if (c->op == RG_COP_ADDRESS && c->kid[0]->kind == RG_C_VAR && c->kid[0]->array < 0) return true;
    if (address_within(b, c)) return true;
    if (c->op == RG_COP_ADD && c->pointer) return rg__null_var(b, c) < 0 && never_null(b, c->kid[0]);
    if (!b->follow) { /* a row of a table that is one block here */
        int param = c->kind == RG_C_INDEX && c->pointer && c->array >= 0 ? b->t->arrays[c->array].param : -1;
        return param >= 0 && b->p->params[param].indirect;
    }
    if (rg__is_memory(b, c) || c->op == RG_COP_ADDRESS) return true;
    if (c->kind == RG_C_VAR && c->array < 0 && rg__bundle_any(b, c)) return !rg__bundle_is(b, c); /* several of them */
    return c->kind == RG_C_INDEX && c->pointer && (b->t->arrays[c->array].mallocd || !b->t->arrays[c->array].view);
}

static bool may_be_null(const struct rg__build *b, const struct rg_cnode *c)
{
    return rg__maybe_null(c) || rg__null_var(b, c) >= 0;
}

/* Is such a pointer null? not: is it something else? */
static struct rg_cnode *whether_null(struct rg__build *b, const struct rg_cnode *c, bool not )
{
    struct rg_cnode *known =
        rg__maybe_null(c) ? rg__null_flag(b, rg__maybe_null(c)) : rg__c_var(b->t, rg__null_var(b, c));
    if (!known) return rg__verbatim(b, b->c->getNullCursor(), "a pointer that may be null is asked");
    return rg__c_binary(b->t, not ? RG_COP_EQ : RG_COP_NE, known, rg__c_int(b->t, 0));
}

struct rg_cnode *rg__fold_null_tests(struct rg__build *b, struct rg_cnode *c)
{
    if (never_null(b, c)) return rg__c_int(b->t, 1);
    if (may_be_null(b, c)) return whether_null(b, c, true);
    if (is_null(c)) return rg__c_int(b->t, 0);
    if (c->op == RG_COP_NOT) {
        if (may_be_null(b, c->kid[0])) return whether_null(b, c->kid[0], false);
        struct rg_cnode *k = rg__fold_null_tests(b, c->kid[0]);
        return k->kind == RG_C_INT ? rg__c_int(b->t, !k->ivalue) : c;
    }
    if (c->kind != RG_C_BINARY) return c;
    bool and = c->op == RG_COP_AND;
    if (and || c->op == RG_COP_OR) {
        struct rg_cnode *l = rg__fold_null_tests(b, c->kid[0]), *r = rg__fold_null_tests(b, c->kid[1]);
        for (int i = 0; i < 2; i++) {
            struct rg_cnode *x = i ? r : l, *other = i ? l : r;
            if (x->kind != RG_C_INT) continue;
            if ((x->ivalue != 0) == and) return other;
            if (i == 0 || rg__c_pure(b->t, l)) return rg__c_int(b->t, !and);
        }
        c->kid[0] = l;
        c->kid[1] = r;
        return c;
    }
    bool eq = c->op == RG_COP_EQ, ne = c->op == RG_COP_NE;
    for (int i = 0; (eq || ne) && i < 2; i++) {
        const struct rg_cnode *p = c->kid[i], *z = c->kid[1 - i];
        z = rg__c_uncast(z, RG__C_CASTS);
        if (is_null(p) && z->kind == RG_C_INT && z->ivalue == 0) return rg__c_int(b->t, eq);
        if (z->kind != RG_C_INT || z->ivalue) continue;
        if (never_null(b, p)) return rg__c_int(b->t, ne);
        if (may_be_null(b, p)) return whether_null(b, p, ne);
    }
    return c;
}

/* if (a && (e = f(x)) < tol) s: as two, the second inside the first, where what f does and what is set can stand in
 * front of it. */
static bool if_both(struct rg__build *b, CXCursor where, CXCursor cond, CXCursor then, struct rg__kids *out)
{
    CXCursor both = rg__strip_parens(b, cond);
    struct rg__children sides = rg__cursor_children(b->u, both, &b->p->arena);
    if (b->c->getCursorKind(both) != CXCursor_BinaryOperator || sides.n != 2 ||
        strcmp(rg__operator_between(b, sides.items[0], sides.items[1]), "&&") != 0)
        return false;
    int64_t v;
    if (!rg__sets_or_calls(b, sides.items[1], true) || rg__eval_int(b->u, cond, &v)) return false;
    struct rg_cnode *outer = rg_cnode_new(b->t, RG_C_IF, 2), *inner = rg_cnode_new(b->t, RG_C_IF, 2);
    struct rg__kids front = {0};
    rg__place_node(b, outer, where);
    rg__place_node(b, inner, where);
    b->hoist = out;
    outer->kid[0] = rg__fold_null_tests(b, rg__build_expr(b, sides.items[0]));
    rg__c_lift_stores(b->t, outer->kid[0], out);
    b->hoist = &front;
    inner->kid[0] = rg__fold_null_tests(b, rg__build_expr(b, sides.items[1]));
    rg__c_lift_stores(b->t, inner->kid[0], &front);
    struct rg__span span;
    rg__span_enter(b, false, &span);
    if (b->follow) b->follow->conditions++;
    inner->kid[1] = in_block(b, then);
    if (b->follow) b->follow->conditions--;
    rg__span_leave(b, &span);
    rg__now_meet(b, &span.now);
    rg__kids_add(&front, inner);
    outer->kid[1] = rg__kids_node(b->t, RG_C_BLOCK, &front);
    b->hoist = out;
    rg__kids_add(out, outer);
    return true;
}

static void if_stmt(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n < 2) return;
    if (kids.n == 2 && if_both(b, c, kids.items[0], kids.items[1], out)) return;
    b->hoist = out;
    struct rg_cnode *cond = rg__fold_null_tests(b, rg__build_expr(b, kids.items[0]));
    rg__c_lift_stores(b->t, cond, out);
    int known = cond->kind == RG_C_INT ? cond->ivalue != 0 : -1, trips = -1;
    int64_t v;
    uint64_t holds = 0;
    if (b->follow && rg__cell_evaluate(cond, &v)) known = v != 0;
    if (known < 0 && !rg__sets(b, kids.items[0]) && rg__eval_int(b->u, kids.items[0], &v)) known = v != 0;
    if (known < 0 && rg__trips_truth(b, cond, &trips, &holds)) {
        uint64_t here = b->follow->possible[trips] & b->follow->trips_all[trips];
        if (!(here & holds) || !(here & ~holds)) known = (here & holds) != 0;
        struct rg_cnode *bound = known < 0 ? rg__trips_condition(b, trips, holds) : NULL;
        if (bound) cond = bound;
    }
    if (known >= 0) {
        if (known || kids.n > 2) rg__build_stmt(b, kids.items[known ? 1 : 2], out);
        return;
    }
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_IF, kids.n > 2 ? 3 : 2);
    rg__place_node(b, n, c);
    n->kid[0] = cond;
    if (b->follow) b->follow->conditions++;
    struct rg__span span;
    rg__span_enter(b, false, &span);
    if (trips >= 0) b->follow->possible[trips] &= holds;
    n->kid[1] = in_block(b, kids.items[1]);
    rg__span_leave(b, &span);
    struct rg__now then = rg__now_save(b);
    rg__now_restore(b, &span.now);
    if (trips >= 0) b->follow->possible[trips] &= ~holds;
    if (kids.n > 2) n->kid[2] = in_block(b, kids.items[2]);
    rg__span_leave(b, &span);
    rg__now_meet(b, &then);
    if (b->follow) b->follow->conditions--;
    rg__kids_add(out, n);
}

static void case_stmt(struct rg__build *b, CXCursor c, bool is_default, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != (is_default ? 1 : 2)) {
        rg__verbatim(b, c, "a range of case labels");
        return;
    }
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CASE, 2);
    rg__place_node(b, n, c);
    rg__now_forget(b);
    if (b->follow && b->follow->span) rg__now_meet(b, &b->follow->span->now); /* it may be the first to run */
    int64_t v;
    if (!is_default)
        n->kid[0] = rg__eval_int(b->u, kids.items[0], &v) ? rg__c_int(b->t, v) : rg__build_expr(b, kids.items[0]);
    n->kid[1] = in_block(b, kids.items[kids.n - 1]);
    rg__kids_add(out, n);
}

/* return *s = x: the assignment, then what it left there; where the place cannot have become another by it. */
static struct rg_cnode *assigned_value(struct rg__build *b, struct rg_cnode *v, struct rg__kids *out)
{
    struct rg_cnode **at = &v;
    while ((*at)->kind == RG_C_CAST && !(*at)->pointer) at = &(*at)->kid[0];
    struct rg_cnode *a = *at, *to = a->kind == RG_C_ASSIGN ? a->kid[0] : NULL;
    if (!to || to->pointer || (to->kind != RG_C_INDEX && to->kind != RG_C_VAR) || !rg__c_pure(b->t, to)) return v;
    for (int i = 0; to->kind == RG_C_INDEX && i < to->n; i++)
        if (rg__c_mentions_array(to->kid[i], to->array)) return v;
    *at = rg__c_copy(b->t, to);
    rg__emit_expr(b, a, out);
    return v;
}

static void return_stmt(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    b->hoist = out;
    struct rg_cnode *v = kids.n ? rg__build_expr(b, kids.items[0]) : NULL;
    struct rg_cnode *n;
    const struct rg__cell *cell = b->return_var >= 0 ? rg__cell_at(b, b->return_var) : NULL;
    struct rg_cnode *whole = b->return_var >= 0 && b->follow ? rg__c_var(b->t, b->return_var) : NULL;
    if (v && whole && rg__bundle_any(b, whole)) { /* a structure as its parts */
        if (!rg__object_copy(b, whole, v, c))
            rg__verbatim(b, c, "a structure is returned that is not there as its parts");
        v = NULL;
    } else if (v && cell && cell->pointer) {
        rg__cell_store(b, b->return_var, v, c);
        v = NULL;
    }
    if (b->follow && b->return_var >= -1) {
        if (v && cell) rg__cell_set_number(b, b->return_var, v);
        rg__now_return(b, kids.n && b->follow->conditions > 0);
    }
    if (v && b->return_var != -1) v = assigned_value(b, v, out);
    if (b->return_var >= -1) { /* of a body that is put in place */
        if (b->return_var >= 0 && v) {
            n = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, b->return_var), v));
            rg__place_node(b, n, c);
            rg__kids_add(out, n);
        } else if (v) {
            rg__emit_expr(b, v, out);
        }
        n = rg_cnode_new(b->t, RG_C_GOTO, 0);
        n->text = RG__END_LABEL;
    } else {
        if (v && b->p->places) v = rg__returned_pointer(b, v);
        n = rg_cnode_new(b->t, RG_C_RETURN, v ? 1 : 0);
        if (v) n->kid[0] = v;
    }
    rg__place_node(b, n, c);
    rg__kids_add(out, n);
}

/* p = malloc(..) behind the declaration. */
static bool late_allocation(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (b->c->getCursorKind(c) != CXCursor_BinaryOperator || kids.n != 2) return false;
    CXCursor left = rg__strip_parens(b, kids.items[0]);
    if (strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=")) return false;
    if (b->c->getCursorKind(left) == CXCursor_MemberRefExpr) return rg__heap_member(b, left, kids.items[1], out);
    if (b->c->getCursorKind(left) != CXCursor_DeclRefExpr) return false;
    if (rg__own_statement(b, left, kids.items[1], out)) return true;
    CXCursor d = b->c->getCursorReferenced(left);
    const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, d));
    if (!s || s->kind != RG__SYM_POINTER || !s->value || rg__times_written(b, rg__decl_key(b->u, d)) != 1 ||
        (rg__is_allocation(b, kids.items[1]) &&
         !rg__allocated_before_use(b, b->scope, d, rg__cursor_at(b->u, kids.items[1]))))
        return false;
    return rg__heap_array(b, d, kids.items[1], out);
}

struct way_in {
    struct rg__build *b;
    bool found;
};

static void look_for_label(void *arg, CXCursor c)
{
    struct way_in *w = arg;
    enum CXCursorKind k = w->b->c->getCursorKind(c);
    w->found |= k == CXCursor_LabelStmt || k == CXCursor_CaseStmt || k == CXCursor_DefaultStmt;
}

/* Where levels are read one by one, no way leads to it: the last level's calls of the next one, say. */
static bool never_reached(struct rg__build *b, CXCursor c)
{
    const bool turned = b->follow && b->follow->turn && b->follow->turn->left;
    if (!b->follow || !b->follow->dead || !(turned || rg__by_trips(b))) return false;
    struct way_in w = {b, false};
    look_for_label(&w, c);
    rg__cursor_walk(b->u, c, look_for_label, &w);
    if (w.found && turned) rg__verbatim(b, c, "a loop over pointers that jumps behind a way out of it");
    return !w.found;
}

void rg__build_stmt(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (b->refused) return;
    b->hoist = out;
    switch (k) {
    case CXCursor_CompoundStmt:
        for (int i = 0; i < kids.n; i++)
            if (!never_reached(b, kids.items[i])) rg__build_stmt(b, kids.items[i], out);
        return;
    case CXCursor_DeclStmt:
        for (int i = 0; i < kids.n; i++) {
            b->hoist = out;
            if (b->c->getCursorKind(kids.items[i]) == CXCursor_VarDecl) rg__build_variable(b, kids.items[i], out);
        }
        return;
    case CXCursor_ForStmt:
        rg__build_for(b, c, out);
        return;
    case CXCursor_IfStmt:
        if_stmt(b, c, out);
        return;
    case CXCursor_ReturnStmt:
        return_stmt(b, c, out);
        return;
    case CXCursor_CaseStmt:
        case_stmt(b, c, false, out);
        return;
    case CXCursor_DefaultStmt:
        case_stmt(b, c, true, out);
        return;
    case CXCursor_NullStmt:
        return;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
        rg__build_while(b, c, out);
        return;
    case CXCursor_SwitchStmt: {
        struct rg_cnode *n = rg_cnode_new(b->t, RG_C_SWITCH, 2);
        rg__place_node(b, n, c);
        if (kids.n != 2) {
            rg__verbatim(b, c, "a switch of an unknown form");
            return;
        }
        n->kid[0] = rg__build_expr(b, kids.items[0]);
        rg__c_lift_assignments(b->t, n->kid[0], out);
        struct rg__span span;
        rg__span_enter(b, true, &span);
        if (b->follow) b->follow->loops--; /* what is allocated there may be used behind it */
        n->kid[1] = in_block(b, kids.items[1]);
        if (b->follow) b->follow->loops++, b->follow->dead = false;
        rg__span_leave(b, &span);
        rg__kids_add(out, n);
        return;
    }
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt: {
        if (rg__ends_turn(b, k == CXCursor_BreakStmt)) return;
        rg__now_leave(b);
        struct rg_cnode *n = rg_cnode_new(b->t, k == CXCursor_BreakStmt ? RG_C_BREAK : RG_C_CONTINUE, 0);
        rg__place_node(b, n, c);
        rg__kids_add(out, n);
        return;
    }
    case CXCursor_LabelStmt:
    case CXCursor_GotoStmt: {
        struct rg_cnode *n = rg_cnode_new(b->t, k == CXCursor_GotoStmt ? RG_C_GOTO : RG_C_LABEL, 0);
        rg__place_node(b, n, c);
        n->text = k == CXCursor_LabelStmt
                      ? rg__cursor_name(b->u, c, &b->t->arena)
                      : rg__tok_text(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)) + 1, &b->t->arena);
        rg__kids_add(out, n);
        if (k == CXCursor_LabelStmt)
            rg__now_label(b, n->text);
        else if (!rg__now_jump(b, n->text))
            rg__verbatim(b, c, "a goto that leads back, where pointers are followed by value");
        for (int i = 0; k == CXCursor_LabelStmt && i < kids.n; i++) rg__build_stmt(b, kids.items[i], out);
        return;
    }
    case CXCursor_IndirectGotoStmt:
        rg__kids_add(out, rg__verbatim(b, c, "a computed goto"));
        return;
    case CXCursor_GCCAsmStmt:
        rg__kids_add(out, rg__verbatim(b, c, "inline assembly"));
        return;
    default:
        break;
    }
    if (!(k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr)) {
        /* attributes and the like wrap a statement */
        if (kids.n == 1 && k == CXCursor_UnexposedStmt) {
            rg__build_stmt(b, kids.items[0], out);
            return;
        }
        rg__kids_add(out, rg__verbatim(b, c, "a statement that has no node in the tree"));
        return;
    }
    if (rg__library_statement(b, c, out) || (!b->follow && late_allocation(b, c, out))) return;
    b->hoist = out;
    struct rg_cnode *e = rg__build_expr(b, c);
    rg__emit_expr(b, e, out);
}
