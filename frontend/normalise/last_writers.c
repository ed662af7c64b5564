/* Last-writer resolution. y[perm[i]] = f(x[i]): where data lead two iterations to one element, the last one's value
 * counts. Which that is can be found out in any order:
 *     for i: last[perm[i]] = -1;
 *     for i: last[perm[i]] = max(last[perm[i]], i);
 *     for i: if (last[perm[i]] == i) y[perm[i]] = f(x[i]);
 * The first stores one value, the second is a scatter, and in the third each element is one iteration's
 * (poly/analysis/disjoint.c). */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct store { /* the one statement of a loop's body that stores to an array */
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    const struct rg_cnode *to;   /* INDEX; NULL none yet */
    const struct rg_cnode *flat; /* its subscript where that was divided among dimensions; NULL */
    struct rg_cnode *value;
    struct rg_cnode *place; /* the statement, or the outermost of the loops inside the body around it */
    bool *declared;         /* by variable: in the body */
    bool *needed;           /* by variable: to say where it goes, and whether */
    struct rg_cnode *inner; /* while looking: the outermost loop inside the body */
    bool condition;         /* ... a condition inside that */
    bool failed;
};

static bool over_params(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned;
    bool known = e->kind == RG_C_INT || e->kind == RG_C_REAL || e->kind == RG_C_CAST || e->kind == RG_C_BINARY ||
                 (e->kind == RG_C_UNARY && e->op != RG_COP_ADDRESS && e->op != RG_COP_DEREF);
    for (int i = 0; i < e->n && known; i++) known = over_params(t, e->kid[i]);
    return known;
}

static void look(struct store *s, struct rg_cnode *n)
{
    if (!n || s->failed) return;
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < n->n; i++) look(s, n->kid[i]);
        return;
    case RG_C_DECL:
        s->failed = n->array >= 0 || n->pointer || (n->n && !rg__c_pure(s->t, n->kid[0]));
        if (!s->failed) s->declared[n->var] = true;
        return;
    case RG_C_IF: {
        bool before = s->condition;
        s->failed |= !rg__c_pure(s->t, n->kid[0]);
        s->condition |= s->inner != NULL;
        for (int i = 1; i < n->n; i++) look(s, n->kid[i]);
        s->condition = before;
        return;
    }
    case RG_C_LOOP: {
        struct rg_cnode *before = s->inner;
        s->failed |= n->n != 3 || !over_params(s->t, n->kid[0]) || !over_params(s->t, n->kid[1]);
        if (!before) s->inner = n;
        look(s, n->kid[2]);
        s->inner = before;
        return;
    }
    case RG_C_STMT: {
        const struct rg_cnode *e = n->kid[0], *to = e->n ? e->kid[0] : NULL;
        if ((e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) ||
            (e->kind == RG_C_ASSIGN && !rg__c_pure(s->t, e->kid[1])) || !rg__c_pure(s->t, to))
            break;
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        if (to->kind == RG_C_VAR && to->array < 0 && s->declared[to->var]) return;
        if (to->kind != RG_C_INDEX || to->pointer || s->to || s->condition || e->op != RG_COP_SET) break;
        s->to = to;
        s->value = e->kid[1];
        s->place = s->inner ? s->inner : n;
        return;
    }
    default:
        break;
    }
    s->failed = true;
}

static int mentions(const struct rg_cnode *n, int array)
{
    int c = n && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array;
    for (int i = 0; n && i < n->n; i++) c += mentions(n->kid[i], array);
    return c;
}

static int count_writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    const struct rg_cnode *to = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC ? n->kid[0] : NULL;
    int c = to && to->kind == RG_C_VAR && to->array < 0 && to->var == var;
    for (int i = 0; i < n->n; i++) c += count_writes(n->kid[i], var);
    return c;
}

/* What the declaration of the scalar, under conditions or not, gives it; NULL: nothing. */
static const struct rg_cnode *declared_as(const struct rg_cnode *n, int var)
{
    const struct rg_cnode *value = NULL;
    if (n && n->kind == RG_C_DECL) return n->array < 0 && n->var == var && n->n ? n->kid[0] : NULL;
    for (int i = 0; n && i < n->n && !value && (n->kind == RG_C_BLOCK || n->kind == RG_C_IF); i++)
        value = declared_as(n->kid[i], var);
    return value;
}

/* Does it say one place for each iteration, that data say? *data: it reads an array at a place of the iterator's;
 * *plain: the iterator is there in another way, too, by which places may be told apart. */
static bool leads(const struct store *s, const struct rg_cnode *e, bool inside, bool *data, bool *plain, int depth)
{
    if (depth > 8) return false;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0) return false;
        const struct rg_cvar *v = &s->t->vars[e->var];
        if (e->var == s->loop->var) return *(inside ? data : plain) = true, true;
        if (v->kind != RG_CVAR_LOCAL) return v->kind == RG_CVAR_PARAM && !v->assigned;
        if (!s->declared[e->var]) return !count_writes(s->loop->kid[2], e->var);
        const struct rg_cnode *body = s->loop->kid[2], *value = declared_as(body, e->var);
        return value && !count_writes(body, e->var) && leads(s, value, inside, data, plain, depth + 1);
    }
    bool member = e->kind == RG_C_MEMBER && e->n == 1 && e->kid[0]->kind == RG_C_INDEX && !e->pointer;
    if (e->kind != RG_C_INT && e->kind != RG_C_CAST && e->kind != RG_C_INDEX && e->kind != RG_C_BINARY && !member)
        return false;
    if (e->kind == RG_C_INDEX && (e->pointer || e->array == s->to->array)) return false;
    if (e->kind == RG_C_BINARY && e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_MUL)
        return false; /* what wraps round has its own rule */
    for (int i = 0; i < e->n; i++)
        if (!leads(s, e->kid[i], inside || e->kind == RG_C_INDEX, data, plain, depth + 1)) return false;
    return true;
}

static bool need(struct store *s, const struct rg_cnode *e)
{
    bool more = false;
    if (!e) return false;
    if (e->kind == RG_C_VAR && e->array < 0 && s->declared[e->var] && !s->needed[e->var])
        s->needed[e->var] = more = true;
    for (int i = 0; i < e->n; i++) more |= need(s, e->kid[i]);
    return more;
}

static bool writes_needed(const struct store *s, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array < 0 && s->needed[n->var]) return true;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        s->needed[n->kid[0]->var])
        return true;
    for (int i = 0; i < n->n; i++)
        if (writes_needed(s, n->kid[i])) return true;
    return false;
}

/* Marks what the statements that lead to the place, and its conditions, need; true: more than before. */
static bool need_all(struct store *s, const struct rg_cnode *n)
{
    bool more = false;
    if (!n || n == s->place) return false;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) more |= need_all(s, n->kid[i]);
        return more;
    }
    if (n->kind == RG_C_IF && rg__c_contains(n, s->place)) {
        more = need(s, n->kid[0]);
        for (int i = 1; i < n->n; i++) more |= need_all(s, n->kid[i]);
        return more;
    }
    return writes_needed(s, n) && need(s, n);
}

/* The body's way to the place, where `instead` stands. */
static struct rg_cnode *way(const struct store *s, const struct rg_cnode *n, struct rg_cnode *instead)
{
    if (n == s->place) return instead;
    if (n->kind == RG_C_BLOCK) {
        struct rg__kids kids = {0};
        for (int i = 0; i < n->n; i++) {
            struct rg_cnode *k = way(s, n->kid[i], instead);
            if (k) rg__kids_add(&kids, k);
        }
        struct rg_cnode *b = rg__kids_node(s->t, RG_C_BLOCK, &kids);
        b->line = n->line;
        return b;
    }
    if (n->kind == RG_C_IF && rg__c_contains(n, s->place)) {
        struct rg_cnode *x = rg_cnode_new(s->t, RG_C_IF, n->n);
        x->line = n->line;
        x->column = n->column;
        x->kid[0] = rg__c_copy(s->t, n->kid[0]);
        for (int i = 1; i < n->n; i++) x->kid[i] = n->kid[i] ? way(s, n->kid[i], instead) : NULL;
        return x;
    }
    return writes_needed(s, n) ? rg__c_copy(s->t, n) : NULL;
}

static struct rg_cnode *pass(const struct store *s, struct rg_cnode *statement)
{
    struct rg_ctree *t = s->t;
    const struct rg_cnode *l = s->loop;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_LOOP, 3);
    x->var = l->var;
    x->step = l->step;
    x->line = statement->line = l->line;
    x->column = statement->column = l->column;
    x->kid[0] = rg__c_copy(t, l->kid[0]);
    x->kid[1] = rg__c_copy(t, l->kid[1]);
    x->kid[2] = way(s, l->kid[2], statement);
    rg__moves_fresh(t, x, x);
    return x;
}

static bool put(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *x, struct rg__kids *with)
{
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i] == x) return rg__block_splice(t, n, i, 1, with), true;
        if (n->kid[i] && put(t, n->kid[i], x, with)) return true;
    }
    return false;
}

/* Which subscript data lead; -1: there is none, or others don't keep elements together. */
static int led(struct store *s, const struct rg_cnode *const *outer, int n_outer)
{
    const struct rg_carray *y = &s->t->arrays[s->to->array];
    bool stays = y->param >= 0 || !n_outer || !rg__c_declares_array(outer[0], s->to->array);
    int at = -1;
    s->flat = rg_c_linear(s->t, s->to);
    if (s->flat) {
        bool data = false, plain = false, ok = s->to->n == y->n_dims && stays && y->dims;
        for (int d = 0; d < s->to->n && ok; d++) ok = y->dims[d] != NULL;
        return ok && leads(s, s->flat, false, &data, &plain, 0) && data && !plain ? 0 : -1;
    }
    for (int d = 0; d < s->to->n; d++) {
        const struct rg_cnode *e = s->to->kid[d];
        bool data = false, plain = false;
        if (rg_c_affine(s->t, e) && !rg__c_mentions_var(e, s->loop->var)) continue;
        if (at >= 0 || !leads(s, e, false, &data, &plain, 0) || !data || plain || !y->dims || !y->dims[d]) return -1;
        at = d;
    }
    return s->to->n == y->n_dims && stays ? at : -1;
}

/* How many elements those are that data tell apart. */
static const struct rg_expr *places(struct rg_ctree *t, const struct store *s, int d)
{
    const struct rg_carray *y = &t->arrays[s->to->array];
    const struct rg_expr *all = y->dims[d];
    for (int k = 1; k < y->n_dims && s->flat; k++) {
        struct rg_expr *e = rg_arena_alloc(&t->arena, sizeof *e);
        *e = (struct rg_expr){.kind = RG_EXPR_BINARY, .op = RG_OP_MUL, .n_args = 2};
        e->args = rg_arena_alloc(&t->arena, 2 * sizeof *e->args);
        e->args[0] = rg_expr_clone(&t->arena, all);
        e->args[1] = rg_expr_clone(&t->arena, y->dims[k]);
        all = e;
    }
    return all;
}

/* Is the place an element of the iteration's of an array that has no two equal ones? */
static bool apart(const struct store *s, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_INDEX || e->n != 1 || !s->t->arrays[e->array].distinct) return false;
    const struct rg_cnode *at = rg__c_uncast(e->kid[0], RG__C_INT_CASTS);
    return at->kind == RG_C_VAR && at->array < 0 && at->var == s->loop->var &&
           !rg__writes_array(s->loop->kid[2], e->array);
}

static bool rewrite(struct rg_ctree *t, struct rg_cnode *block, int at, const struct rg_cnode *const *outer,
                    int n_outer, struct rg__kids *declarations)
{
    struct rg_cnode *l = block->kid[at];
    size_t n_vars = (size_t)t->n_vars + 1;
    struct store s = {
        .t = t, .loop = l, .declared = rg_xcalloc(n_vars, sizeof(bool)), .needed = rg_xcalloc(n_vars, sizeof(bool))};
    look(&s, l->kid[2]);
    int d = s.failed || !s.to ? -1 : led(&s, outer, n_outer);
    enum rg_scalar type = t->vars[l->var].type;
    const struct rg_cnode *lo = l->kid[0];
    bool ok = d >= 0 && !over_params(t, s.value) && rg_scalar_bytes(type) >= 4, small = type == RG_I32,
         up = l->step > 0;
    ok = ok && (!up || small || (lo->kind == RG_C_INT && lo->ivalue >= 0));
    for (int i = 0; i < n_outer && ok; i++)
        ok = !rg__c_mentions_var(s.to, outer[i]->var); /* else that loop is parallel */
    ok = ok && mentions(l, s.to->array) == 1 && !apart(&s, s.flat ? s.flat : s.to->kid[d]);
    struct rg__kids with = {0};
    if (ok) {
        int last = rg__c_add_array(t, "last", small ? RG_I32 : RG_LLONG);
        struct rg_carray *x = &t->arrays[last];
        const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
        dims[0] = places(t, &s, d);
        x->n_dims = 1;
        x->dims = dims;
        x->mallocd = true;
        const struct rg_cnode *e = s.flat ? s.flat : s.to->kid[d];
        struct rg_cnode *sub[5], *i[3];
        for (int k = 0; k < 3; k++) i[k] = rg__c_cast(t, rg__c_var(t, l->var), x->elem); /* each in a loop of its own */
        for (int k = 0; k < 5; k++) {
            struct rg_cnode *c = rg__c_copy(t, e);
            sub[k] = rg__c_index(t, last, 1, &c);
        }
        need(&s, e);
        while (need_all(&s, l->kid[2])) {
        }
        int64_t lowest = lo->kind == RG_C_INT && lo->ivalue >= 0 ? -1 : INT32_MIN;
        struct rg_cnode *none = rg__c_cast(t,
                                           rg__c_int(t, up      ? lowest
                                                        : small ? INT32_MAX
                                                                : INT64_MAX),
                                           x->elem),
                        *later = rg_cnode_new(t, RG_C_COND, 3);
        later->kid[0] = rg__c_binary(t, up ? RG_COP_LT : RG_COP_GT, sub[1], i[0]);
        later->kid[1] = i[1];
        later->kid[2] = sub[2];
        later->type = x->elem;
        rg__kids_add(&with, pass(&s, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, sub[0], none))));
        rg__kids_add(&with, pass(&s, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, sub[3], later))));
        struct rg_cnode *flag = rg_cnode_new(t, RG_C_DECL, 1), *guard = rg_cnode_new(t, RG_C_IF, 2),
                        *arm = rg_cnode_new(t, RG_C_BLOCK, 1);
        flag->var = rg__c_add_var(t, "is_last", RG_CVAR_LOCAL, RG_I32);
        flag->type = RG_I32;
        flag->kid[0] = rg__c_binary(t, RG_COP_EQ, sub[4], i[2]);
        guard->kid[0] = rg__c_var(t, flag->var);
        guard->kid[1] = arm;
        arm->kid[0] = s.place;
        flag->line = guard->line = s.place->line;
        flag->column = guard->column = s.place->column;
        struct rg__kids guarded = {0};
        rg__kids_add(&guarded, flag);
        rg__kids_add(&guarded, guard);
        put(t, l->kid[2], s.place, &guarded);
        rg__kids_add(&with, l);
        rg__block_splice(t, block, at, 1, &with);
        struct rg_cnode *made = rg_cnode_new(t, RG_C_DECL, 0);
        made->array = last;
        made->type = x->elem;
        made->line = l->line;
        rg__kids_add(declarations, made);
        rg_ctree_prepare(&t->arena, t, RG_PREPARE_LAST_WRITER, t->vars[l->var].name, l->line);
    }
    free(s.declared);
    free(s.needed);
    return ok;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode **outer, int n_outer,
                 struct rg__kids *declarations)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF) || n_outer == RG__MAX_NEST) return;
    if (n->kind == RG_C_LOOP) outer[n_outer++] = n;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (n->kind == RG_C_BLOCK && k->kind == RG_C_LOOP && k->n == 3 &&
            rewrite(t, n, i, outer, n_outer, declarations)) {
            while (n->kid[i] != k) i++;
            continue;
        }
        walk(t, k, outer, n_outer, declarations);
    }
}

void rg__canon_last(struct rg_ctree *t, const struct rg_problem *p)
{
    const struct rg_cnode *outer[RG__MAX_NEST];
    struct rg__kids declarations = {0};
    bool may = !p->may_alias && !(t->without & 1u << RG_PREPARE_LAST_WRITER);
    if (may) walk(t, t->root, outer, 0, &declarations);
    rg__block_splice(t, t->root, 0, 0, &declarations);
}
