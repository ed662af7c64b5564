/* Conditions: decided ones vanish, affine ones stay IF, the others become ?: where their arms only assign. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

static bool any_unsigned(const struct rg_cnode *e)
{
    bool any = rg__scalar_is_int(e->type) && e->type != RG_BOOL && !rg_scalar_is_signed(e->type);
    for (int i = 0; i < e->n && !any; i++) any = any_unsigned(e->kid[i]);
    return any;
}

static int decide_relation(struct rg__range *r, const struct rg_cnode *c)
{
    if (!rg_c_relation(c->op) || !rg_c_affine(r->t, c->kid[0]) || !rg_c_affine(r->t, c->kid[1])) return -1;
    /* -1 < 0u, i - 1u >= n: what is below 0 becomes large */
    if ((any_unsigned(c->kid[0]) || any_unsigned(c->kid[1])) && !rg__value_safe(r, c)) return -1;
    struct rg__poly a = rg__poly_of(r, c->kid[0]), b = rg__poly_of(r, c->kid[1]);
    return rg__range_decide(r, c->op, &a, &b);
}

int rg__decide(struct rg__range *r, const struct rg_cnode *c)
{
    if (c->kind == RG_C_INT) return c->ivalue != 0;
    if (c->op == RG_COP_NOT) {
        int v = rg__decide(r, c->kid[0]);
        return v < 0 ? -1 : !v;
    }
    if (c->kind != RG_C_BINARY) return -1;
    bool and = c->op == RG_COP_AND;
    if (and || c->op == RG_COP_OR) {
        int a = rg__decide(r, c->kid[0]), b = rg__decide(r, c->kid[1]);
        if (a == !and || b == !and) return !and;
        return a >= 0 && b >= 0 ? and : -1;
    }
    return decide_relation(r, c);
}

/* The one assignment of an arm. */
static struct rg_cnode *only_assignment(const struct rg_cnode *arm)
{
    if (!arm || arm->n != 1 || arm->kid[0]->kind != RG_C_STMT) return NULL;
    struct rg_cnode *a = arm->kid[0]->kid[0];
    return a->kind == RG_C_ASSIGN && !a->pointer ? a : NULL;
}

/* Is the place read whichever way the condition comes out? Then it may be stored to as well. */
static bool certainly_read(const struct rg_cnode *c, const struct rg_cnode *l)
{
    if (!c) return false;
    if (rg__c_equal(c, l)) return true;
    int n = c->kind == RG_C_COND || rg_c_lazy(c->op) ? 1 : c->n;
    for (int i = 0; i < n; i++)
        if (certainly_read(c->kid[i], l)) return true;
    return false;
}

/* Does the element exist whatever the condition says: its subscripts are inside the extents for all iterations, or the
 * condition reads it in any case? */
static bool exists(struct rg__range *r, const struct rg_cnode *l, const struct rg_cnode *cond)
{
    const struct rg_carray *x = &r->t->arrays[l->array];
    if (certainly_read(cond, l)) return true;
    for (int d = 0; d < l->n; d++) {
        if (!x->dims || d >= x->n_dims || !x->dims[d]) { /* an extent not written: read off this access, too */
            const struct rg__poly at = rg__poly_of(r, l->kid[d]);
            for (int i = 0; i < at.n; i++)
                if (at.terms[i].c < 0 && !rg__prove(r, &at)) return false; /* x[i - 4]: it may be in front of it */
            continue;
        }
        struct rg_cnode *dim = rg__c_from_expr(r->t, x->dims[d]);
        if (!dim) return false;
        struct rg__poly sub = rg__poly_of(r, l->kid[d]), n = rg__poly_of(r, dim), one = rg__poly_int(1);
        struct rg__poly room = rg__poly_add(&n, &sub, -1);
        room = rg__poly_add(&room, &one, -1);
        if (!rg__prove(r, &sub) || !rg__prove(r, &room)) return false;
    }
    return true;
}

/* May it be stored to although the branch is not taken? A scalar, or an element that certainly exists, at a place that
 * does not depend on data. */
static bool storable(struct rg__range *r, const struct rg_cnode *l, const struct rg_cnode *cond)
{
    struct rg_ctree *t = r->t;
    while (l->kind == RG_C_MEMBER) {
        for (int i = 1; i < l->n; i++)
            if (!rg_c_affine(t, l->kid[i])) return false;
        l = l->kid[0];
    }
    if (l->kind == RG_C_VAR) return l->array < 0;
    if (l->kind != RG_C_INDEX || l->pointer) return false;
    for (int i = 0; i < l->n; i++)
        if (!rg_c_affine(t, rg__c_strip_int_casts(rg__c_copy(t, l->kid[i])))) return false;
    return exists(r, l, cond);
}

/* The value the assignment would store: e, or l op e. */
static struct rg_cnode *stored(struct rg_ctree *t, const struct rg_cnode *a)
{
    if (a->op == RG_COP_SET) return a->kid[1];
    const enum rg_c_op op = rg_c_applied(a->op);
    struct rg_cnode *l = rg__c_copy(t, a->kid[0]), *r = a->kid[1];
    enum rg_scalar common = rg__scalar_common(l->type, r->type);
    bool shift = op == RG_COP_SHL || op == RG_COP_SHR;
    struct rg_cnode *wide = shift || rg__scalar_is_int(common) ? l : rg__c_cast(t, l, common);
    if (!shift && !rg__scalar_is_int(common)) r = rg__c_cast(t, r, common);
    struct rg_cnode *v = rg__c_binary(t, op, wide, r);
    if (!rg__scalar_is_int(v->type) || !rg__scalar_is_int(l->type)) v = rg__c_cast(t, v, l->type);
    return v;
}

static struct rg_cnode *select_stmt(struct rg_ctree *t, const struct rg_cnode *s, struct rg_cnode *target,
                                    struct rg_cnode *yes, struct rg_cnode *no)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->kid[0] = s->kid[0];
    c->kid[1] = yes;
    c->kid[2] = no;
    c->type = target->type;
    c->struct_index = target->struct_index;
    c->line = s->line;
    c->column = s->column;
    struct rg_cnode *x = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, target, c));
    x->line = s->line;
    x->column = s->column;
    return x;
}

/* What an update by it leaves as it was; -1 none. */
static int neutral(enum rg_c_op op)
{
    if (op == RG_COP_ADD_SET || op == RG_COP_SUB_SET || op == RG_COP_BOR_SET || op == RG_COP_XOR_SET) return 0;
    return op == RG_COP_MUL_SET ? 1 : -1;
}

/* if (c) l = a; else l = b;  as  l = c ? a : b; NULL when it is not of that kind. */
static struct rg_cnode *as_select(struct rg__range *r, const struct rg_cnode *s)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *a = only_assignment(s->kid[1]), *b = s->n > 2 ? only_assignment(s->kid[2]) : NULL;
    bool empty_else = s->n < 3 || !s->kid[2] || !s->kid[2]->n, empty_then = !s->kid[1]->n;
    if (!rg__c_pure(t, s->kid[0])) return NULL;
    if (a && b) {
        if (!rg__c_equal(a->kid[0], b->kid[0]) || !rg__c_pure(t, a->kid[0]) || a->kid[0]->pointer) return NULL;
        if (!rg__c_pure(t, a->kid[1]) || !rg__c_pure(t, b->kid[1])) return NULL;
        return select_stmt(t, s, a->kid[0], stored(t, a), stored(t, b));
    }
    if (a && empty_else && storable(r, a->kid[0], s->kid[0]) && rg__c_pure(t, a->kid[1]) && neutral(a->op) >= 0) {
        /* if (c) s += e;  stays an update: s += c ? e : 0 */
        struct rg_cnode *none = rg__c_cast(t, rg__c_int(t, neutral(a->op)), a->kid[1]->type);
        struct rg_cnode *x = select_stmt(t, s, a->kid[1], a->kid[1], none);
        struct rg_cnode *update = rg__c_stmt(t, rg__c_assign(t, a->op, a->kid[0], x->kid[0]->kid[1]));
        update->line = s->line;
        update->column = s->column;
        return update;
    }
    bool read = a && rg__c_pure(t, a->kid[0]) && certainly_read(s->kid[0], a->kid[0]);
    if (a && empty_else && (read || storable(r, a->kid[0], s->kid[0])) && rg__c_pure(t, a->kid[1]))
        return select_stmt(t, s, a->kid[0], stored(t, a), rg__c_copy(t, a->kid[0]));
    if (b && empty_then && storable(r, b->kid[0], s->kid[0]) && rg__c_pure(t, b->kid[1]))
        return select_stmt(t, s, b->kid[0], rg__c_copy(t, b->kid[0]), stored(t, b));
    return NULL;
}

/* Several scalars set in one arm (an arg-max): the condition is kept in a variable first. */
static bool as_selects(struct rg__range *r, const struct rg_cnode *s, struct rg__kids *out)
{
    struct rg_ctree *t = r->t;
    bool has_else = s->n > 2 && s->kid[2] && s->kid[2]->n;
    const struct rg_cnode *arms[2] = {s->kid[1], has_else ? s->kid[2] : NULL};
    int total = 0;
    if (!rg__c_pure(t, s->kid[0])) return false;
    for (int k = 0; k < 2; k++)
        for (int i = 0; arms[k] && i < arms[k]->n; i++, total++) {
            const struct rg_cnode *x = arms[k]->kid[i];
            if (x->kind != RG_C_STMT || x->kid[0]->kind != RG_C_ASSIGN || x->kid[0]->pointer) return false;
            if (!storable(r, x->kid[0]->kid[0], s->kid[0]) || !rg__c_pure(t, x->kid[0]->kid[1])) return false;
            /* what the function returns holds nothing yet that could stay as it was */
            if (t->result_array >= 0 && x->kid[0]->kid[0]->array == t->result_array) return false;
        }
    if (total < 2 || total > 6) return false;
    int flag = rg__c_add_var(t, "taken", RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = flag;
    d->kid[0] = s->kid[0];
    d->line = s->line;
    d->column = s->column;
    if (s->kid[0]->type != RG_I32 || s->kid[0]->kind != RG_C_BINARY)
        d->kid[0] = rg__c_binary(t, RG_COP_NE, s->kid[0], rg__c_cast(t, rg__c_int(t, 0), s->kid[0]->type));
    rg__kids_add(out, d);
    int both = 0; /* the first so many of the other arm's: they set what one of this arm does, and stand there */
    for (int k = 0; k < 2; k++)
        for (int i = k ? both : 0; arms[k] && i < arms[k]->n; i++) {
            struct rg_cnode *a = arms[k]->kid[i]->kid[0], *old = rg__c_copy(t, a->kid[0]), *now = stored(t, a);
            const struct rg_cnode *other = !k && arms[1] && both < arms[1]->n ? arms[1]->kid[both]->kid[0] : NULL;
            if (other && rg__c_equal(other->kid[0], a->kid[0]) && rg__c_pure(t, a->kid[0])) {
                old = stored(t, other);
                both++;
            }
            struct rg_cnode fake = *s;
            struct rg_cnode *kids[1] = {rg__c_var(t, flag)};
            fake.kid = kids;
            fake.n = 1;
            fake.line = arms[k]->kid[i]->line;
            rg__kids_add(out, select_stmt(t, &fake, a->kid[0], k ? old : now, k ? now : old));
        }
    return true;
}

static void block(struct rg__range *r, struct rg_cnode *b);

/* The affine operands of an && chain, in front; the others behind. */
static void conjuncts(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode **affine, struct rg_cnode **data)
{
    if (c->op == RG_COP_AND) {
        conjuncts(t, c->kid[0], affine, data);
        conjuncts(t, c->kid[1], affine, data);
        return;
    }
    struct rg_cnode **to = rg_c_affine(t, c) ? affine : data;
    *to = *to ? rg__c_binary(t, RG_COP_AND, *to, c) : c;
}

/* if (i > 0 && x[i] > c)  as  if (i > 0) if (x[i] > c): what is affine stays a domain, and guards what follows. */
static void split_condition(struct rg_ctree *t, struct rg_cnode *s)
{
    struct rg_cnode *affine = NULL, *data = NULL;
    bool has_else = s->n > 2 && s->kid[2] && s->kid[2]->n;
    if (has_else || !rg__c_pure(t, s->kid[0])) return;
    conjuncts(t, s->kid[0], &affine, &data);
    if (!affine || !data) return;
    struct rg_cnode *inner = rg_cnode_new(t, RG_C_IF, 2), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    inner->line = b->line = s->line;
    inner->column = b->column = s->column;
    inner->kid[0] = data;
    inner->kid[1] = s->kid[1];
    b->kid[0] = inner;
    s->kid[0] = affine;
    s->kid[1] = b;
}

/* Does the condition speak of a local integer that says where in an array the arm reads which it writes too? Who acts
 * tells the elements of one iteration from those of others then: as a value, all would store. */
static bool keeps_apart(const struct rg_ctree *t, const struct rg_cnode *s, const struct rg_cnode *n)
{
    if (!n) return false;
    for (int v = 0; v < t->n_vars && n->kind == RG_C_INDEX && !n->pointer; v++) {
        if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) ||
            !rg__c_mentions_var(s->kid[0], v))
            continue;
        for (int i = 0; i < n->n; i++)
            if (rg__c_mentions_var(n->kid[i], v) && (rg__writes_array(s->kid[1], n->array))) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (keeps_apart(t, s, n->kid[i])) return true;
    return false;
}

/* if (v < p[k].least) p[k].least = v;  which as a value is a minimum, wherever the element is. */
static bool is_extreme(const struct rg_cnode *s)
{
    const struct rg_cnode *c = s->kid[0], *a = s->n > 2 && s->kid[2] ? NULL : only_assignment(s->kid[1]);
    if (!a || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_MEMBER || !rg_c_relation(c->op) || c->op == RG_COP_EQ ||
        c->op == RG_COP_NE)
        return false;
    for (int i = 0; i < 2; i++)
        if (rg__c_same(c->kid[i], a->kid[0], RG__C_UNCAST) && rg__c_same(c->kid[1 - i], a->kid[1], RG__C_UNCAST))
            return true;
    return false;
}

static bool of_scalars(const struct rg_cnode *e)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->op == RG_COP_DEREF) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_scalars(e->kid[i])) return false;
    return true;
}

static bool stores_elements(const struct rg_cnode *arm)
{
    if (arm && arm->kind == RG_C_STMT) return arm->kid[0]->op == RG_COP_SET && arm->kid[0]->kid[0]->kind == RG_C_INDEX;
    if (!arm || arm->kind != RG_C_BLOCK || !arm->n) return false;
    for (int i = 0; i < arm->n; i++)
        if (!stores_elements(arm->kid[i])) return false;
    return true;
}

/* `if (i < half) y[i] = ..`: a part of the iterations acts, those up to a local. As a value, all of them would store.
 */
static bool chooses_part(const struct rg__range *r, const struct rg_cnode *s)
{
    const struct rg_cnode *c = s->kid[0];
    bool place = false;
    if ((s->n > 2 && s->kid[2]) || !rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE || !of_scalars(c))
        return false;
    for (int l = 0; l < r->n_loops && !place; l++)
        place = rg__c_mentions_var(c->kid[0], r->loops[l]->var) != rg__c_mentions_var(c->kid[1], r->loops[l]->var);
    return place && stores_elements(s->kid[1]);
}

/* Values, and calls that may do more than return one: strncmp(a, b, n) == 0. */
static bool asks_calls(const struct rg_cnode *c)
{
    if (c->kind == RG_C_ASSIGN || c->kind == RG_C_INCDEC || c->kind == RG_C_VERBATIM || c->kind == RG_C_COMMA ||
        c->op == RG_COP_DEREF)
        return false;
    for (int i = 0; i < c->n; i++)
        if (c->kid[i] && !asks_calls(c->kid[i])) return false;
    return true;
}

/* What a condition asks of such calls is a value in front of it: what it guards may be a value then, too. */
static void ask_before(struct rg__range *r, struct rg_cnode *b, int *at)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *s = b->kid[*at], *c = s->kid[0];
    if (!r->n_loops || rg__c_pure(t, c) || !asks_calls(c) || rg__leaves_early(s)) return;
    struct rg__kids with = {0};
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
    d->var = rg__c_add_var(t, "asked", RG_CVAR_LOCAL, RG_I32);
    d->type = RG_I32;
    const bool truth = c->kind == RG_C_BINARY && c->type == RG_I32;
    if (!truth) c = rg__c_binary(t, RG_COP_NE, c, c->pointer ? rg__c_null(t) : rg__c_cast(t, rg__c_int(t, 0), c->type));
    struct rg_cnode *set = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, d->var), c));
    d->line = set->line = s->line;
    d->column = set->column = s->column;
    s->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, d->var), rg__c_int(t, 0));
    rg__kids_add(&with, d);
    rg__kids_add(&with, set);
    rg__block_splice(t, b, *at, 0, &with);
    *at += 2;
}

static void branch(struct rg__range *r, struct rg_cnode *b, int *at)
{
    struct rg_ctree *t = r->t;
    ask_before(r, b, at);
    struct rg_cnode *s = b->kid[*at];
    int facts = r->n_facts;
    if (rg__c_pure(t, s->kid[0])) s->kid[0] = rg__without_bits(r, s->kid[0]);
    split_condition(t, s);
    int known = rg__decide(r, s->kid[0]);
    bool affine = rg_c_affine(t, s->kid[0]) && rg__value_safe(r, s->kid[0]);
    for (int i = 1; i < s->n; i++) {
        if (affine) rg__range_assume(r, s->kid[0], i == 1);
        block(r, s->kid[i]);
        r->n_facts = facts;
    }
    struct rg__kids with = {0};
    if (known >= 0) {
        struct rg_cnode *arm = known ? s->kid[1] : s->n > 2 ? s->kid[2] : NULL;
        for (int i = 0; arm && i < arm->n; i++) rg__kids_add(&with, arm->kid[i]);
    } else if (affine) {
        const struct rg_cnode *c = s->kid[0];
        if (c->kind == RG_C_VAR || c->kind == RG_C_CAST || rg_c_arithmetic(c->op))
            s->kid[0] = rg__c_binary(t, RG_COP_NE, s->kid[0], rg__c_int(t, 0));
        return;
    } else if (s->kid[1] && !is_extreme(s) && (chooses_part(r, s) || keeps_apart(t, s, s->kid[1]))) {
        return;
    } else {
        struct rg_cnode *x = as_select(r, s);
        if (x)
            rg__kids_add(&with, x);
        else if (!as_selects(r, s, &with)) {
            free(with.items);
            return;
        }
    }
    int added = with.n;
    rg__block_splice(t, b, *at, 1, &with);
    *at += added - 1;
}

/* i ? i - 1 : n - 1, i + 1 == n ? 0 : i + 1: where one side is never less than the other, by an order, from which more
 * follows. `alone`: it is all of a subscript, which is fine by equality. */
static void orders(struct rg__range *r, struct rg_cnode *n, bool alone)
{
    for (int i = 0; n && i < n->n; i++) orders(r, n->kid[i], false);
    if (!n || n->kind != RG_C_COND) return;
    struct rg_cnode *c = n->kid[0];
    if (alone && c->kind == RG_C_BINARY && rg_c_relation(c->op)) return;
    if (c->kind == RG_C_VAR || c->kind == RG_C_CAST || rg_c_arithmetic(c->op))
        c = rg__c_binary(r->t, RG_COP_NE, c, rg__c_cast(r->t, rg__c_int(r->t, 0), c->type));
    if (c->kind != RG_C_BINARY || (c->op != RG_COP_EQ && c->op != RG_COP_NE) || !rg_c_affine(r->t, c) ||
        !rg__value_safe(r, c))
        return;
    struct rg__poly a = rg__poly_of(r, c->kid[0]), b = rg__poly_of(r, c->kid[1]), gap = rg__poly_add(&a, &b, -1);
    const bool above = rg__prove(r, &gap), equal = c->op == RG_COP_EQ;
    gap = rg__poly_add(&b, &a, -1);
    enum rg_c_op op = c->op;
    if (above)
        op = equal ? RG_COP_LE : RG_COP_GT;
    else if (rg__prove(r, &gap))
        op = equal ? RG_COP_GE : RG_COP_LT;
    n->kid[0] = op == c->op ? c : rg__c_binary(r->t, op, c->kid[0], c->kid[1]);
}

/* Subscripts without bits, where those have a meaning as arithmetic. */
static void subscripts(struct rg__range *r, struct rg_cnode *n)
{
    for (int i = 0; n && i < n->n; i++) {
        if (n->kind == RG_C_INDEX && n->kid[i]) n->kid[i] = rg__without_bits(r, n->kid[i]);
        if (n->kind == RG_C_INDEX) orders(r, n->kid[i], true);
        subscripts(r, n->kid[i]);
    }
}

static void block(struct rg__range *r, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_STMT || n->kind == RG_C_DECL) subscripts(r, n);
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) {
            if (n->kid[i]->kind == RG_C_IF)
                branch(r, n, &i);
            else
                block(r, n->kid[i]);
        }
        return;
    }
    for (int i = 0; i < 2 && n->kind == RG_C_LOOP; i++) n->kid[i] = rg__without_bits(r, n->kid[i]);
    bool pushed = n->kind == RG_C_LOOP && r->n_loops < RG__MAX_NEST;
    if (pushed) r->loops[r->n_loops++] = n;
    for (int i = 0; i < n->n; i++) block(r, n->kid[i]);
    if (pushed) r->n_loops--;
}

void rg__canon_branches(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__given *given = rg__given_of(t, p);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, given);
    block(r, t->root);
    free(r);
    rg__given_free(given);
    rg__flatten_blocks(t, t->root);
}

static void updates(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n) return;
    for (int i = 0; i < n->n; i++) updates(t, n->kid[i]);
    if (n->op != RG_COP_SET) return;
    struct rg_cnode *l = n->kid[0], *e = n->kid[1];
    if ((e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_MUL) || e->type != l->type || l->pointer) return;
    if (!rg__c_pure(t, l)) return;
    int self = rg__c_equal(e->kid[0], l) ? 0 : e->op != RG_COP_SUB && rg__c_equal(e->kid[1], l) ? 1 : -1;
    if (self < 0) return;
    n->op = rg_c_updating(e->op);
    n->kid[1] = e->kid[1 - self];
}

void rg__canon_updates(struct rg_ctree *t)
{
    updates(t, t->root);
}
