/* Rematerialisation of what a loop carries from one iteration to the next. `s += x[prev] * y[i]; prev = i;`: a scalar
 * that an iteration leaves for the next one, and that the next one can compute by itself, ties no iterations together.
 *     for (i..) { .. v ..; v = e(i); }   becomes   for (i..) { .. i > first ? e(i - 1) : v ..; }  v = e(last);
 * Where the value in front of the loop is e of the iteration before the first, there is no choice. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 60 };

struct previous {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int at;      /* body->kid[at] sets the scalar */
    int read_at; /* what is looked at stands in that statement */
    bool may_copy;
    int array, copy; /* what stands in the array in front of the loop is asked for, and gets a copy; -1: none */
};

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* v = e; on its own: e. */
static struct rg_cnode *set_to(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (a && a->kind == RG_C_ASSIGN && a->op == RG_COP_SET && is_scalar(a->kid[0]) && a->kid[0]->var == var)
        return a->kid[1];
    return s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n ? s->kid[0] : NULL;
}

/* Does the loop write memory that the array is of, by whatever name? */
static bool written(const struct previous *p, int array)
{
    const struct rg_ctree *t = p->t;
    for (int a = 0; a < t->n_arrays; a++) {
        bool same = a == array || (t->arrays[array].param >= 0 && t->arrays[a].param == t->arrays[array].param);
        if (same && rg__writes_array(p->body, a)) return true;
    }
    return false;
}

static bool at_counter(const struct previous *p, const struct rg_cnode *e)
{
    const struct rg_cnode *at = e->n == 1 ? rg__c_uncast(e->kid[0], RG__C_INT_CASTS) : NULL;
    return at && !e->pointer && is_scalar(at) && at->var == p->loop->var;
}

static bool only_at_counter(const struct previous *p, const struct rg_cnode *n, int array)
{
    const struct rg_carray *a = &p->t->arrays[array];
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM) return false;
    bool same = n->array >= 0 && (n->array == array || (a->param >= 0 && p->t->arrays[n->array].param == a->param));
    if (same && (n->kind != RG_C_INDEX || n->array != array || !at_counter(p, n))) return false;
    for (int i = 0; i < n->n; i++)
        if (!only_at_counter(p, n->kid[i], array)) return false;
    return true;
}

/* Each iteration reads its own element before it sets it, and touches no other: what the one before it read is what
 * stood there in front of the loop. */
static bool found_there(struct previous *p, const struct rg_cnode *e)
{
    const struct rg_ctree *t = p->t;
    const struct rg_carray *a = &t->arrays[e->array];
    const struct rg_cnode *low = rg__c_uncast(p->loop->kid[0], RG__C_WIDE_CASTS);
    for (int i = 0; i < p->read_at; i++)
        if (rg__writes_array(p->body->kid[i], e->array)) return false;
    if (p->array >= 0) return p->array == e->array;
    if (!p->may_copy || a->view || a->constant_table || a->n_dims != 1 || a->elem == RG_STRUCT || !at_counter(p, e) ||
        p->loop->step != 1 || low->kind != RG_C_INT || low->ivalue < 0)
        return false;
    for (int i = 0; i < p->body->n; i++)
        if (!only_at_counter(p, p->body->kid[i], e->array)) return false;
    struct rg_cnode *count = rg__c_of_params(t, p->loop->kid[1]) ? rg__c_copy(p->t, p->loop->kid[1]) : NULL;
    const struct rg_expr *extent = count ? rg__c_to_expr(p->t, rg__c_strip_int_casts(count), &p->t->arena) : NULL;
    if (!extent) return false;
    p->array = e->array;
    p->copy = rg__c_add_array(p->t, rg_arena_printf(&p->t->arena, "%s_was", a->name), a->elem);
    struct rg_carray *x = &p->t->arrays[p->copy];
    const struct rg_expr **dims = rg_arena_alloc(&p->t->arena, sizeof *dims);
    dims[0] = extent;
    x->n_dims = 1;
    x->dims = dims;
    x->mallocd = true;
    return true;
}

/* for (k..) was[k] = a[k]; in front of the loop. */
static void copy_first(const struct previous *p, struct rg__kids *out)
{
    struct rg_ctree *t = p->t;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0), *l = rg_cnode_new(t, RG_C_LOOP, 3);
    d->array = p->copy;
    d->type = t->arrays[p->copy].elem;
    l->var = rg__c_add_var(t, "k", RG_CVAR_ITER, t->vars[p->loop->var].type);
    l->step = 1;
    l->kid[0] = rg__c_copy(t, p->loop->kid[0]);
    l->kid[1] = rg__c_copy(t, p->loop->kid[1]);
    struct rg_cnode *at = rg__c_var(t, l->var), *from = rg__c_var(t, l->var);
    struct rg_cnode *s =
        rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, p->copy, 1, &at), rg__c_index(t, p->array, 1, &from)));
    l->kid[2] = rg_cnode_new(t, RG_C_BLOCK, 1);
    l->kid[2]->kid[0] = s;
    d->line = l->line = s->line = p->loop->line;
    d->column = l->column = s->column = p->loop->column;
    rg__kids_add(out, d);
    rg__kids_add(out, l);
}

/* The value of a scalar of the iteration's own, where one declaration in front of the statement gives it. */
static const struct rg_cnode *own_value(const struct previous *p, int var, int *at)
{
    for (int i = 0; i < p->body->n; i++) {
        const struct rg_cnode *s = p->body->kid[i];
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == var) {
            if (!s->n || i >= p->at) return NULL;
            for (int k = 0; k < p->body->n; k++)
                if (k != i && rg__c_writes_var(p->body->kid[k], var)) return NULL;
            *at = i;
            return s->kid[0];
        }
    }
    return NULL;
}

/* e with `counter` in place of the loop's variable, made of nothing that the loop changes; NULL: it is not. */
static struct rg_cnode *moved(struct previous *p, const struct rg_cnode *e, const struct rg_cnode *counter)
{
    struct rg_ctree *t = p->t;
    if (e->pointer && e->kind != RG_C_INDEX) return NULL;
    switch (e->kind) {
    case RG_C_INT:
    case RG_C_REAL:
    case RG_C_BINARY:
    case RG_C_COND:
        break;
    case RG_C_VAR: {
        if (!is_scalar(e) || e->type == RG_STRUCT) return NULL;
        if (e->var == p->loop->var) return rg__c_cast(t, rg__c_copy(t, counter), e->type);
        const int here = p->read_at;
        const struct rg_cnode *own = own_value(p, e->var, &p->read_at);
        if (own) {
            struct rg_cnode *value = moved(p, own, counter);
            p->read_at = here;
            return value ? rg__c_cast(t, value, t->vars[e->var].type) : NULL;
        }
        if (rg__c_declares(p->body, e->var) || rg__c_binds(p->body, e->var) || rg__c_writes_var(p->body, e->var))
            return NULL;
        return rg__c_copy(t, e);
    }
    case RG_C_INDEX:
        if (e->pointer || rg__c_declares_array(p->body, e->array)) return NULL;
        if (written(p, e->array)) {
            struct rg_cnode *at = rg__c_copy(t, counter);
            return found_there(p, e) ? rg__c_index(t, p->copy, 1, &at) : NULL;
        }
        break;
    case RG_C_UNARY:
        if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return NULL;
        break;
    case RG_C_MEMBER:
    case RG_C_CAST:
        break;
    case RG_C_CALL:
        if (e->callee >= 0 || !rg__c_pure_library(e->text)) return NULL;
        break;
    default:
        return NULL;
    }
    struct rg_cnode *copy = rg__c_shallow(&t->arena, e);
    for (int i = 0; i < e->n; i++) {
        copy->kid[i] = moved(p, e->kid[i], counter);
        if (!copy->kid[i] || rg__c_size(copy->kid[i]) > MAX_SIZE) return NULL;
    }
    return copy;
}

/* The same value: integers outside of arrays as polynomials. */
static bool same_value(struct rg__range *r, const struct rg_cnode *a, const struct rg_cnode *b)
{
    a = rg__c_uncast(a, RG__C_INT_CASTS), b = rg__c_uncast(b, RG__C_INT_CASTS);
    if (rg__scalar_is_int(a->type) && rg__scalar_is_int(b->type) && !rg__mentions_kind(a, RG_C_INDEX)) {
        struct rg__poly x = rg__poly_of(r, a), y = rg__poly_of(r, b);
        if (!x.bad && !y.bad && rg__poly_equal(&x, &y)) return true;
    }
    if (!rg__c_same_head(a, b) || a->n != b->n || a->type != b->type) return false;
    for (int i = 0; i < a->n; i++)
        if (!same_value(r, a->kid[i], b->kid[i])) return false;
    return true;
}

/* Does the statement change what e is made of? */
static bool changes(const struct rg_cnode *s, const struct rg_cnode *e)
{
    if (is_scalar(e) && rg__c_writes_var(s, e->var)) return true;
    if (e->kind == RG_C_INDEX && rg__writes_array(s, e->array)) return true;
    for (int i = 0; i < e->n; i++)
        if (changes(s, e->kid[i])) return true;
    return false;
}

/* What the scalar is set to in front of block->kid[at] and still is there; NULL: not known. */
static struct rg_cnode *initially(const struct rg_ctree *t, const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        struct rg_cnode *e = set_to(block->kid[i], var);
        if (e) {
            if (!rg__c_pure(t, e)) return NULL;
            for (int k = i + 1; k < at; k++)
                if (changes(block->kid[k], e)) return NULL;
            return e;
        }
        if (rg__c_writes_var(block->kid[i], var) || rg__mentions_kind(block->kid[i], RG_C_VERBATIM)) return NULL;
    }
    return NULL;
}

/* The scalar is read in front of the one statement that sets it, and nowhere behind. */
static bool is_left(const struct previous *p, int var)
{
    bool read = false;
    if (rg__c_declares(p->body, var)) return false;
    for (int i = 0; i < p->body->n; i++) {
        const struct rg_cnode *s = p->body->kid[i];
        if (i == p->at) continue;
        if (rg__c_writes_var(s, var) || (i > p->at && rg__c_mentions_var(s, var))) return false;
        read = read || rg__c_mentions_var(s, var);
    }
    return read;
}

/* Is the scalar read anywhere but in the loop? */
static bool read_elsewhere(const struct rg_cnode *n, const struct rg_cnode *loop, int var)
{
    if (!n || n == loop) return false;
    bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && is_scalar(n->kid[0]);
    if (is_scalar(n) && n->var == var) return true;
    for (int i = set; i < n->n; i++)
        if (read_elsewhere(n->kid[i], loop, var)) return true;
    return false;
}

struct declared {
    struct rg_ctree *t;
    int var;
};

/* What nothing has set is 0, so that choosing it reads nothing that is undefined. */
static bool defined(void *arg, struct rg_cnode *n)
{
    struct declared *d = arg;
    if (n->kind != RG_C_DECL || n->array >= 0 || n->var != d->var || n->n) return true;
    n->n = 1;
    n->kid = rg_arena_alloc(&d->t->arena, sizeof *n->kid);
    n->kid[0] = rg__c_cast(d->t, rg__c_int(d->t, 0), d->t->vars[d->var].type);
    return true;
}

/* `first` is where the loop stands in its block. */
static bool remake(struct rg_ctree *t, const struct rg_problem *problem, struct rg_cnode *block, int *loop_at, int at)
{
    const int first = *loop_at;
    struct rg_cnode *l = block->kid[first], *body = l->kid[2];
    const struct rg_cnode *s = body->kid[at];
    if (s->kind != RG_C_STMT || s->kid[0]->kind != RG_C_ASSIGN || !is_scalar(s->kid[0]->kid[0])) return false;
    int var = s->kid[0]->kid[0]->var;
    struct previous p = {t, l, body, at, at, !problem->may_alias, -1, -1};
    struct rg_cnode *e = set_to(s, var);
    enum rg_scalar type = t->vars[var].type;
    if (!e || t->vars[var].kind != RG_CVAR_LOCAL || type == RG_STRUCT || rg__c_mentions_var(e, var) ||
        rg__c_mentions_var(l->kid[0], var) || rg__c_mentions_var(l->kid[1], var) || !is_left(&p, var))
        return false;
    struct rg_cnode *counter = rg__c_var(t, l->var), *step = rg__c_int(t, l->step > 0 ? l->step : -l->step);
    enum rg_c_op back = l->step > 0 ? RG_COP_SUB : RG_COP_ADD;
    struct rg_cnode *value = moved(&p, e, rg__c_binary(t, back, counter, step));
    struct rg_cnode *last = moved(&p, e, rg__c_binary(t, back, rg__c_copy(t, l->kid[1]), rg__c_copy(t, step)));
    struct rg_cnode *none = moved(&p, e, rg__c_binary(t, back, rg__c_copy(t, l->kid[0]), rg__c_copy(t, step)));
    if (!value || !last || !none || rg__c_size(value) > MAX_SIZE) return false;
    value = rg__c_cast(t, value, type);
    struct rg_cnode *start = initially(t, block, first, var);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    bool same = start && same_value(r, rg__c_cast(t, none, type), rg__c_cast(t, rg__c_copy(t, start), type));
    free(r);
    if (!start) rg__c_walk(t->root, defined, &(struct declared){t, var});
    if (!same) {
        struct rg_cnode *choice = rg_cnode_new(t, RG_C_COND, 3);
        bool known = start && rg__c_of_params(t, start);
        choice->kid[0] =
            rg__c_binary(t, l->step > 0 ? RG_COP_GT : RG_COP_LT, rg__c_copy(t, counter), rg__c_copy(t, l->kid[0]));
        choice->kid[1] = value;
        choice->kid[2] = known ? rg__c_cast(t, rg__c_copy(t, start), type) : rg__c_var(t, var);
        choice->type = type;
        value = choice;
    }
    struct rg__kids none_left = {0}, behind = {0};
    rg__block_splice(t, body, at, 1, &none_left);
    for (int i = 0; i < at; i++) body->kid[i] = rg__c_replace_var(t, body->kid[i], var, value);
    if (p.copy >= 0) {
        struct rg__kids front = {0};
        copy_first(&p, &front);
        rg__block_splice(t, block, first, 0, &front);
        *loop_at += 2;
    }
    if (start && !read_elsewhere(t->root, l, var)) return true; /* what is left at the end nobody looks at */
    struct rg_cnode *end = rg_cnode_new(t, RG_C_COND, 3);
    end->kid[0] =
        rg__c_binary(t, l->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
    end->kid[1] = rg__c_cast(t, last, type);
    end->kid[2] = rg__c_var(t, var);
    end->type = type;
    struct rg_cnode *after = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), end));
    after->line = s->line, after->column = s->column;
    rg__kids_add(&behind, after);
    rg__block_splice(t, block, *loop_at + 1, 0, &behind);
    return true;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, p, n->kid[i]);
    if (n->kind != RG_C_BLOCK) return;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *l = n->kid[i];
        if (l->kind != RG_C_LOOP || l->n != 3 || l->kid[2]->kind != RG_C_BLOCK || (l->step != 1 && l->step != -1) ||
            rg__mentions_kind(l->kid[2], RG_C_VERBATIM) || rg__leaves_early(l->kid[2]))
            continue;
        bool again = true;
        while (again) { /* what one leaves may be made of what another one was */
            again = false;
            for (int k = 0; k < l->kid[2]->n && !again; k++) again = remake(t, p, n, &i, k);
        }
    }
}

void rg__canon_previous(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
}
