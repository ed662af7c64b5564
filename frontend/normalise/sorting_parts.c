/* What sorting loops are made of: elements and their places, moves and exchanges, comparisons. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/sorting_loops.h"

static void gather(const struct rg_cnode *n, struct rg__list *l)
{
    if (!n) return;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) gather(n->kid[i], l);
        return;
    }
    if (n->kind == RG_C_DECL && !n->n && n->array < 0) return;
    if (l->n <= RG__MOST_STATEMENTS) l->s[l->n++] = n;
}

struct rg__list rg__sorting_statements(const struct rg_cnode *n)
{
    struct rg__list l = {0};
    gather(n, &l);
    return l;
}

/* ---- places ---- */

bool rg__sorting_place(struct rg__sorting *s, const struct rg_cnode *e, struct rg__poly *at)
{
    if (e->kind != RG_C_INDEX || e->pointer || !e->n) return false;
    if (!s->like) s->like = e;
    if (e->array != s->like->array || e->n != s->like->n) return false;
    for (int i = 0; i + 1 < e->n; i++)
        if (!rg__c_equal(e->kid[i], s->like->kid[i])) return false;
    struct rg_cnode *last = e->kid[e->n - 1];
    for (int i = 0; i < s->n_locals; i++)
        if (rg__c_mentions_var(last, s->local[i]))
            last = rg__c_replace_var(s->t, rg__c_copy(s->t, last), s->local[i], s->value[i]);
    *at = rg__poly_of(s->r, last);
    return !at->bad;
}

struct rg__poly rg__sorting_plus(const struct rg__poly *a, int64_t k)
{
    struct rg__poly c = rg__poly_int(k);
    return rg__poly_add(a, &c, 1);
}

bool rg__sorting_gap(const struct rg__poly *a, const struct rg__poly *b, int64_t *out)
{
    struct rg__poly d = rg__poly_add(a, b, -1);
    return !d.bad && rg__poly_is_int(&d, out);
}

bool rg__sorting_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

struct rg_cnode *rg__sorting_sets(const struct rg_cnode *n, int *var)
{
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && n->var >= 0) {
        *var = n->var;
        return n->kid[0];
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !rg__sorting_scalar(e->kid[0])) return NULL;
    *var = e->kid[0]->var;
    return e->kid[1];
}

/* A variable that holds an element as it is. */
static bool holds_element(const struct rg__sorting *s, int var)
{
    const struct rg_cvar *v = &s->t->vars[var];
    const struct rg_carray *a = &s->t->arrays[s->like->array];
    return v->type == a->elem && (v->type != RG_STRUCT || v->struct_index == a->struct_index);
}

bool rg__sorting_moves(struct rg__sorting *s, const struct rg_cnode *n, struct rg__poly *to, struct rg__poly *from)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && rg__sorting_place(s, e->kid[0], to) &&
           rg__sorting_place(s, e->kid[1], from);
}

bool rg__sorting_takes(struct rg__sorting *s, const struct rg_cnode *n, int *var, struct rg__poly *from)
{
    const struct rg_cnode *v = rg__sorting_sets(n, var);
    return v && rg__sorting_place(s, v, from) && holds_element(s, *var);
}

bool rg__sorting_puts_back(struct rg__sorting *s, const struct rg_cnode *n, int var, struct rg__poly *to)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && rg__sorting_place(s, e->kid[0], to) &&
           rg__sorting_scalar(e->kid[1]) && e->kid[1]->var == var;
}

bool rg__sorting_exchanges(struct rg__sorting *s, const struct rg__list *l, int at, struct rg__poly *x,
                           struct rg__poly *y)
{
    int var;
    struct rg__poly a, b, c, d;
    if (at + 3 > l->n || !rg__sorting_takes(s, l->s[at], &var, &a) || !rg__sorting_moves(s, l->s[at + 1], &b, &c) ||
        !rg__sorting_puts_back(s, l->s[at + 2], var, &d) || !rg__poly_equal(&a, &b) || !rg__poly_equal(&c, &d))
        return false;
    *x = a;
    *y = c;
    return true;
}

void rg__sorting_open_places(struct rg__sorting *s, struct rg__list *l, int at)
{
    s->n_locals = 0;
    while (at < l->n && s->n_locals < 2 && l->s[at]->kind == RG_C_DECL && l->s[at]->array < 0 && l->s[at]->n &&
           rg__scalar_is_int(s->t->vars[l->s[at]->var].type) && rg_scalar_bytes(s->t->vars[l->s[at]->var].type) == 8 &&
           rg__doubling_writes(s->nest, l->s[at]->var) == 1 && rg__c_pure(s->t, l->s[at]->kid[0]) &&
           !rg__mentions_kind(l->s[at]->kid[0], RG_C_INDEX)) {
        s->local[s->n_locals] = l->s[at]->var;
        s->value[s->n_locals++] = l->s[at]->kid[0];
        for (int i = at; i + 1 < l->n; i++) l->s[i] = l->s[i + 1];
        l->n--;
    }
}

bool rg__sorting_two(const struct rg__poly *a, const struct rg__poly *b, const struct rg__poly *x,
                     const struct rg__poly *y)
{
    return (rg__poly_equal(a, x) && rg__poly_equal(b, y)) || (rg__poly_equal(a, y) && rg__poly_equal(b, x));
}

/* ---- comparisons ---- */

/* The expression with `mark` for the element at a place, or for the variable that holds it. NULL: it has anything else
 * that may change. */
static struct rg_cnode *key_of(struct rg__sorting *s, const struct rg_cnode *e, const struct rg__poly *at, int held,
                               const char *mark)
{
    struct rg__poly p;
    bool element = at ? rg__sorting_place(s, e, &p) && rg__poly_equal(&p, at) : rg__sorting_scalar(e) && e->var == held;
    if (element) {
        struct rg_cnode *m = rg_cnode_new(s->t, RG_C_STRING, 0);
        m->text = mark;
        m->type = e->type;
        m->struct_index = e->struct_index;
        return m;
    }
    bool may = e->kind == RG_C_INT || e->kind == RG_C_REAL || e->kind == RG_C_CAST || e->kind == RG_C_UNARY ||
               e->kind == RG_C_BINARY || e->kind == RG_C_COND || (e->kind == RG_C_MEMBER && e->n == 1) ||
               (e->kind == RG_C_CALL && rg__c_pure(s->t, e) && e->callee < 0);
    if (!may || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return NULL;
    struct rg_cnode *c = rg__c_shallow(&s->t->arena, e);
    for (int i = 0; i < e->n; i++) {
        c->kid[i] = key_of(s, e->kid[i], at, held, mark);
        if (!c->kid[i]) return NULL;
    }
    return c;
}

bool rg__sorting_out_of_order(struct rg__sorting *s, const struct rg_cnode *c, struct rg__element front,
                              struct rg__element behind)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    for (int turned = 0; turned < 2; turned++) {
        const struct rg_cnode *f = c->kid[turned], *b = c->kid[!turned];
        struct rg_cnode *x = key_of(s, f, front.at, front.held, "(*rg_l)"),
                        *y = key_of(s, b, behind.at, behind.held, "(*rg_l)");
        if (!x || !y || !rg__c_same(x, y, RG__C_TYPED) || !rg__mentions_kind(x, RG_C_STRING)) continue;
        enum rg_c_op op = turned ? rg_c_converse(c->op) : c->op;
        s->key[0] = x;
        s->key[1] = key_of(s, f, front.at, front.held, "(*rg_r)");
        s->descending = op == RG_COP_LT || op == RG_COP_LE;
        s->equal_move = op == RG_COP_GE || op == RG_COP_LE;
        return true;
    }
    return false;
}

bool rg__sorting_breaks(const struct rg_cnode *n)
{
    struct rg__list l = rg__sorting_statements(n);
    return n && l.n == 1 && l.s[0]->kind == RG_C_BREAK;
}
