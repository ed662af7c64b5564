/* What cannot be said with LOOP, IF, STMT and DECL becomes OPAQUE, as small as it goes. */
#include "frontend/normalise/canon.h"
#include "ir/ctree_sort.h"
#include <stdlib.h>
#include <string.h>

static struct rg_cnode *opaque(struct rg_ctree *t, struct rg_cnode *what, const char *why)
{
    struct rg_cnode *o = rg_cnode_new(t, RG_C_OPAQUE, 1);
    o->kid[0] = what;
    o->why = rg_arena_strdup(&t->arena, why);
    o->line = what->line;
    o->column = what->column;
    return o;
}

/* Nested assignments and increments, calls that are no values, pointers that are followed. */
static const char *impurity(struct rg_ctree *t, const struct rg_cnode *e, bool top)
{
    if (!e) return NULL;
    if (!top && (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC)) return "an assignment inside an expression";
    if (e->kind == RG_C_CALL && !rg__c_pure(t, e))
        return rg_arena_printf(&t->arena, "a call of '%s', which may do more than return a value",
                               e->text ? e->text : "?");
    if (e->op == RG_COP_DEREF) return "a pointer that is followed";
    if (e->op == RG_COP_ADDRESS) return "an address that is passed on";
    if ((e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->pointer) return "an array that is passed on as a pointer";
    if (e->kind == RG_C_COMMA) return "a comma expression";
    if (e->kind == RG_C_VERBATIM) return "text that has no tree";
    for (int i = 0; i < e->n; i++) {
        const char *w = impurity(t, e->kid[i], false);
        if (w) return w;
    }
    return NULL;
}

static const char *reason_of(const struct rg_cnode *n)
{
    switch (n->kind) {
    case RG_C_WHILE:
    case RG_C_DO:
        return "a while loop: how often it runs depends on data";
    case RG_C_SWITCH:
        return "a switch";
    case RG_C_IF:
        return "a condition that depends on data guards more than assignments";
    case RG_C_FOR:
        return rg__leaves_early(n->kid[3]) ? "a loop that may end early"
                                           : "a loop without a counter that takes constant steps to a fixed bound";
    case RG_C_BREAK:
    case RG_C_CONTINUE:
        return "a jump";
    default:
        return "a statement that has no affine form";
    }
}

/* The last statement that names what a statement up to there declares: all of it stays in one block. */
static int last_of_names(const struct rg_cnode *b, int from)
{
    int last = from;
    for (int i = from; i <= last; i++) {
        const struct rg_cnode *d = b->kid[i];
        for (int k = b->n - 1; d->kind == RG_C_DECL && k > last; k--)
            if (d->array >= 0 ? rg__c_mentions_array(b->kid[k], d->array) : rg__c_mentions_var(b->kid[k], d->var))
                last = k;
    }
    return last;
}

/* From statement `from` to the last one that uses the pointer: one part. */
static void group(struct rg_ctree *t, struct rg_cnode *b, int from, int to, const char *why)
{
    struct rg__kids inner = {0}, with = {0};
    for (int i = from; i <= to; i++) rg__kids_add(&inner, b->kid[i]);
    struct rg_cnode *body = rg__kids_node(t, RG_C_BLOCK, &inner);
    body->line = b->kid[from]->line;
    body->column = b->kid[from]->column;
    rg__kids_add(&with, opaque(t, body, why));
    rg__block_splice(t, b, from, to - from + 1, &with);
}

/* A local integer scalar: what a condition that depends on data is kept in. */
static bool is_flag(const struct rg_ctree *t, const struct rg_cnode *c)
{
    return c->kind == RG_C_VAR && c->array < 0 && t->vars[c->var].kind == RG_CVAR_LOCAL &&
           rg__scalar_is_int(t->vars[c->var].type);
}

/* if (x[i] > c) { ... }  as  int taken = x[i] > c; if (taken) { ... }: the condition's reads are a statement's, the
 * arms are executed perhaps. NULL: it can't be said apart from its arms. */
static struct rg_cnode *keep_condition(struct rg__range *r, struct rg_cnode *s)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *c = s->kid[0];
    if (rg_c_affine(t, c) && rg__value_safe(r, c)) return NULL;
    if (impurity(t, c, false) || rg__leaves_early(s)) return NULL;
    if (is_flag(t, c) && !rg__c_writes_var(s, c->var)) return NULL;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = rg__c_add_var(t, "taken", RG_CVAR_LOCAL, RG_I32);
    bool truth = c->kind == RG_C_BINARY && c->type == RG_I32;
    d->kid[0] = truth ? c : rg__c_binary(t, RG_COP_NE, c, rg__c_cast(t, rg__c_int(t, 0), c->type));
    d->type = RG_I32;
    d->line = s->line;
    d->column = s->column;
    s->kid[0] = rg__c_var(t, d->var);
    return d;
}

static void walk_block(struct rg__range *r, struct rg_cnode *b);

static struct rg_cnode *walk_stmt(struct rg__range *r, struct rg_cnode *s)
{
    struct rg_ctree *t = r->t;
    switch (s->kind) {
    case RG_C_BLOCK:
        walk_block(r, s);
        return s;
    case RG_C_DECL:
        return s;
    case RG_C_STMT: {
        const char *why = impurity(t, s->kid[0], true);
        return why ? opaque(t, s, why) : s;
    }
    case RG_C_LOOP: {
        struct rg_cnode *lo = rg__c_strip_int_casts(rg__c_copy(t, s->kid[0])),
                        *up = rg__c_strip_int_casts(rg__c_copy(t, s->kid[1]));
        bool affine = rg_c_affine(t, lo) && rg_c_affine(t, up);
        struct rg_csort sort;
        if (rg_c_sort_of(s, &sort)) {
            if (affine) s->kid[0] = lo, s->kid[1] = up;
            return opaque(t, s, "a sort");
        }
        if (!affine || !rg__value_safe(r, s->kid[0]) || !rg__value_safe(r, s->kid[1]) || r->n_loops == RG__MAX_NEST)
            return opaque(t, s,
                          affine ? "loop bounds that may wrap around or divide a negative number"
                                 : "loop bounds that depend on data or are not affine");
        if (rg__value_safe(r, lo) && !rg__c_narrower(t, lo))
            s->kid[0] = lo; /* else conversions keep it from wrapping around */
        if (rg__value_safe(r, up) && !rg__c_narrower(t, up)) s->kid[1] = up;
        r->loops[r->n_loops++] = s;
        walk_block(r, s->kid[2]);
        r->n_loops--;
        return s;
    }
    case RG_C_IF: {
        bool affine = rg_c_affine(t, s->kid[0]) && rg__value_safe(r, s->kid[0]);
        if (!affine && !is_flag(t, s->kid[0])) return opaque(t, s, reason_of(s));
        struct rg_cnode *plain = affine ? rg__c_strip_int_casts(rg__c_copy(t, s->kid[0])) : NULL;
        if (plain && rg__value_safe(r, plain) && !rg__c_narrower(t, plain)) s->kid[0] = plain;
        int facts = r->n_facts;
        for (int i = 1; i < s->n; i++) {
            rg__range_assume(r, s->kid[0], i == 1);
            if (s->kid[i]) walk_block(r, s->kid[i]);
            r->n_facts = facts;
        }
        return s;
    }
    case RG_C_RETURN:
    case RG_C_OPAQUE:
        return s;
    default:
        return opaque(t, s, reason_of(s));
    }
}

static void walk_block(struct rg__range *r, struct rg_cnode *b)
{
    struct rg_ctree *t = r->t;
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *s = b->kid[i];
        if (s->kind == RG_C_IF) {
            struct rg_cnode *d = keep_condition(r, s);
            if (!d) continue;
            struct rg__kids with = {0};
            rg__kids_add(&with, d);
            rg__kids_add(&with, s);
            rg__block_splice(t, b, i, 1, &with);
            i++;
            continue;
        }
        if (s->kind != RG_C_DECL) continue;
        if (s->pointer) {
            group(t, b, i, last_of_names(b, i),
                  rg_arena_printf(&t->arena, "the pointer '%s' moves between arrays", t->vars[s->var].name));
            continue;
        }
        const char *why = s->n && s->array < 0 ? impurity(t, s->kid[0], false) : NULL;
        if (why) { /* the declaration stays visible, its value is opaque */
            struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
            d->var = s->var;
            d->type = s->type;
            d->line = s->line;
            d->column = s->column;
            struct rg__kids with = {0};
            rg__kids_add(&with, d);
            struct rg_cnode *st = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, s->var), s->kid[0]));
            st->line = s->line;
            st->column = s->column;
            rg__kids_add(&with, opaque(t, st, why));
            rg__block_splice(t, b, i, 1, &with);
            i++;
        }
    }
    for (int i = 0; i < b->n; i++) {
        b->kid[i] = walk_stmt(r, b->kid[i]);
        if (r->n_loops && b->kid[i]->kind == RG_C_OPAQUE) i += rg__canon_sums(t, b, i);
    }
}

/* A return in the middle ends everything behind it: from there on one part. */
static void early_returns(struct rg_ctree *t)
{
    struct rg_cnode *root = t->root;
    for (int i = 0; i < root->n; i++) {
        struct rg_cnode *s = root->kid[i];
        bool last = i + 1 == root->n;
        if ((s->kind == RG_C_RETURN && last) || !rg__mentions_kind(s, RG_C_RETURN)) continue;
        group(t, root, i, root->n - 1, "a return before the end");
        return;
    }
}

static bool moves_array(const struct rg_cnode *n)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->pointer && n->kid[0]->array >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (moves_array(n->kid[i])) return true;
    return false;
}

/* Returns in tail position: the value goes to `result`. */
static void tail_returns(struct rg_ctree *t, struct rg_cnode *b, bool root)
{
    if (!b || !b->n || t->result_array < 0) return;
    struct rg_cnode *last = b->kid[b->n - 1];
    if (last->kind == RG_C_RETURN && last->n && !root) {
        struct rg_cnode *zero = rg__c_int(t, 0);
        struct rg_cnode *s =
            rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, t->result_array, 1, &zero), last->kid[0]));
        s->line = last->line;
        s->column = last->column;
        b->kid[b->n - 1] = s;
    } else if (last->kind == RG_C_IF) {
        for (int i = 1; i < last->n; i++) tail_returns(t, last->kid[i], false);
    }
}

/* A local array that no thread can declare: made by malloc, or of a size that is not known. */
static bool needs_memory(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (n->kind != RG_C_DECL || n->array < 0 || n->n) return false;
    const struct rg_carray *a = &t->arrays[n->array];
    bool known = !a->mallocd;
    for (int d = 0; d < a->n_dims && known; d++) known = a->dims[d] && a->dims[d]->kind == RG_EXPR_INT;
    return !known;
}

static void take_arrays(struct rg_ctree *t, struct rg_cnode *n, struct rg__kids *out)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (n->kind != RG_C_BLOCK || !k || !needs_memory(t, k)) {
            take_arrays(t, k, out);
            continue;
        }
        rg__kids_add(out, k);
        n->kid[i] = rg_cnode_new(t, RG_C_BLOCK, 0);
    }
}

/* Such arrays are declared in front of the opaque part that uses them, where a buffer can be given to them. */
static void lift_arrays(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind != RG_C_BLOCK || n->kid[i]->kind != RG_C_OPAQUE) {
            lift_arrays(t, n->kid[i]);
            continue;
        }
        struct rg__kids with = {0};
        take_arrays(t, n->kid[i], &with);
        int added = with.n;
        rg__kids_add(&with, n->kid[i]);
        rg__block_splice(t, n, i, 1, &with);
        i += added;
    }
}

void rg__opaque_parts(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block)
{
    struct rg__given *given = rg__given_of(t, p);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, given);
    walk_block(r, block);
    free(r);
    rg__given_free(given);
}

void rg__canon_opaque(struct rg_ctree *t, const struct rg_problem *p)
{
    if (moves_array(t->root)) {
        if (t->root->n) group(t, t->root, 0, t->root->n - 1, "pointer parameters are exchanged or moved");
        lift_arrays(t, t->root);
        return;
    }
    early_returns(t);
    rg__opaque_parts(t, p, t->root);
    lift_arrays(t, t->root);
}

void rg__canon_returns(struct rg_ctree *t)
{
    tail_returns(t, t->root, true);
}

/* Products in 64 bits, as the C has them: what no rows are found in is computed as it stands. */
static struct rg_cnode *widened(struct rg_ctree *t, struct rg_cnode *e)
{
    if (e->kind != RG_C_BINARY || !rg_c_arithmetic(e->op)) return e;
    struct rg_cnode *a = widened(t, e->kid[0]), *b = widened(t, e->kid[1]);
    bool product = e->op == RG_COP_MUL && (a->kind != RG_C_INT || b->kind != RG_C_INT) &&
                   rg_scalar_bytes(a->type) < 8 && rg_scalar_bytes(b->type) < 8;
    if (a == e->kid[0] && b == e->kid[1] && !product) return e;
    if (product && a->kind != RG_C_INT)
        a = rg__c_cast(t, a, RG_LLONG);
    else if (product)
        b = rg__c_cast(t, b, RG_LLONG);
    struct rg_cnode *x = rg__c_binary(t, e->op, a, b);
    x->line = e->line;
    x->column = e->column;
    return x;
}

static bool no_polynomial(const struct rg_cnode *e)
{
    bool any = e->op == RG_COP_DIV || e->op == RG_COP_REM || e->kind == RG_C_INDEX;
    for (int i = 0; i < e->n && !any; i++) any = no_polynomial(e->kid[i]);
    return any;
}

/* Is some of it computed in 64 bits, whatever it is converted to then? */
static bool any_wide(const struct rg_cnode *e)
{
    bool any = rg_scalar_bytes(e->type) > 4 && rg__scalar_is_int(e->type);
    for (int i = 0; i < e->n && !any && e->kind != RG_C_INDEX; i++) any = any_wide(e->kid[i]);
    return any;
}

/* !0 and 0 ^ 1, which say the other one of two, as numbers. */
static struct rg_cnode *folded(struct rg_ctree *t, struct rg_cnode *e)
{
    if (e->kind != RG_C_UNARY && e->kind != RG_C_BINARY && e->kind != RG_C_CAST) return e;
    for (int i = 0; i < e->n; i++) e->kid[i] = folded(t, e->kid[i]);
    const struct rg_cnode *a = rg__c_uncast(e->kid[0], RG__C_INT_CASTS),
                          *b = e->n == 2 ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : a;
    if (a->kind != RG_C_INT || b->kind != RG_C_INT || (e->op != RG_COP_NOT && e->op != RG_COP_XOR)) return e;
    return rg__c_cast(t, rg__c_int(t, e->op == RG_COP_NOT ? !a->ivalue : a->ivalue ^ b->ivalue), e->type);
}

/* Large multiples that are taken from one another: the difference is an element's place, they themselves need not be.
 */
static bool cancels(const struct rg__poly *p)
{
    bool plus = false, minus = false, large = false;
    for (int i = 0; i < p->n && !p->bad; i++) {
        const int64_t c = p->terms[i].c;
        plus = plus || c > 0;
        minus = minus || c < 0;
        large = large || (p->terms[i].degree && (c > UINT16_MAX || c < -UINT16_MAX));
    }
    return plus && minus && large;
}

/* (int)u % 8, of data without a sign: what it is of may be below zero, which the conversion says. */
static bool divides_lost(const struct rg_ctree *t, const struct rg_cnode *e)
{
    const bool divides = e->op == RG_COP_DIV || e->op == RG_COP_REM || e->op == RG_COP_SHR;
    if (divides && e->n == 2 && rg__c_sign_lost(t, e->kid[0])) return true;
    for (int i = 0; i < e->n; i++)
        if (divides_lost(t, e->kid[i])) return true;
    return false;
}

static void strip_subscripts(struct rg_ctree *t, struct rg__range *r, struct rg_cnode *n)
{
    if (!n) return;
    for (int i = 0; i < n->n; i++) strip_subscripts(t, r, n->kid[i]);
    if (n->kind != RG_C_INDEX) return;
    for (int i = 0; i < n->n; i++) {
        if (divides_lost(t, n->kid[i])) continue;
        bool wide = any_wide(n->kid[i]), flat = no_polynomial(n->kid[i]);
        n->kid[i] = rg__c_strip_int_casts(folded(t, n->kid[i]));
        rg__range_init(r, t, NULL);
        struct rg__poly p = rg__poly_of(r, n->kid[i]);
        if (!p.bad && n->kid[i]->kind == RG_C_BINARY) n->kid[i] = rg__poly_node(r, &p);
        if (wide && (flat || cancels(&p))) n->kid[i] = widened(t, n->kid[i]);
    }
}

void rg__canon_subscripts(struct rg_ctree *t)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    strip_subscripts(t, r, t->root);
    free(r);
}
