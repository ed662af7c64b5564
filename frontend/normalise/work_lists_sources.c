/* Searches that begin with several vertices on the list: a loop puts them there, each once,
 *     for i: if (level[s[i]] < 0) { level[s[i]] = 0; queue[tail++] = s[i]; }
 *     for v: if (seed[v]) { level[v] = 0; queue[tail++] = v; }
 * as it asks who is there already, or as each iteration has a vertex of its own. */
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/work_lists.h"

enum { MOST_GUARDS = 8 };

struct seeds {
    const struct rg__list *l;
    const struct rg_cnode *block; /* where the push stands */
    struct rg_cnode *push;
    int n_guards;
    const struct rg_cnode *guard[MOST_GUARDS];
};

static bool find(struct seeds *s, const struct rg_cnode *b)
{
    for (int k = 0; b->kind == RG_C_BLOCK && k < b->n; k++) {
        struct rg_cnode *n = b->kid[k];
        if (rg__list_pushed(s->l, n)) {
            s->block = b;
            s->push = n;
            return k + 1 < b->n && rg__list_moves_tail(s->l, b->kid[k + 1]);
        }
        if (n->kind == RG_C_BLOCK && find(s, n)) return true;
        if (n->kind != RG_C_IF || n->n != 2 || s->n_guards == MOST_GUARDS) continue;
        s->guard[s->n_guards++] = n->kid[0];
        if (find(s, n->kid[1])) return true;
        s->n_guards--;
    }
    return false;
}

static int names(const struct rg_cnode *n, int array)
{
    if (!n) return 0;
    int count = n->array == array && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR || n->kind == RG_C_DECL);
    for (int i = 0; i < n->n; i++) count += names(n->kid[i], array);
    return count;
}

/* Stores to scalars and to arrays, but for the declaration of a scalar. */
static int stores(const struct rg_cnode *n, int var, int array)
{
    if (!n) return 0;
    int count = 0;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        count =
            (to->kind == RG_C_VAR && to->array < 0 && to->var == var) || (to->kind == RG_C_INDEX && to->array == array);
    }
    if (n->kind == RG_C_VAR && n->array >= 0 && n->array == array) count = 2; /* whoever has it may */
    for (int i = 0; i < n->n; i++) count += stores(n->kid[i], var, array);
    return count;
}

/* The same throughout an iteration. */
static bool fixed(const struct rg_cnode *loop, const struct rg_cnode *e)
{
    if (e->kind != RG_C_INT && e->kind != RG_C_VAR && e->kind != RG_C_INDEX && e->kind != RG_C_BINARY &&
        e->kind != RG_C_CAST)
        return false;
    if (e->pointer || (e->kind == RG_C_VAR && (e->array >= 0 || stores(loop->kid[2], e->var, -1)))) return false;
    if (e->kind == RG_C_INDEX && stores(loop->kid[2], -1, e->array)) return false;
    for (int i = 0; i < e->n; i++)
        if (!fixed(loop, e->kid[i])) return false;
    return true;
}

static bool has_one_each(const struct rg_cnode *loop, const struct rg_cnode *x)
{
    x = rg__c_uncast(x, RG__C_WIDE_CASTS);
    return x->kind == RG_C_VAR && x->array < 0 && x->var == loop->var && (loop->step == 1 || loop->step == -1);
}

struct rg_cnode *rg__list_seed(const struct rg__list *l, const struct rg_cnode *loop)
{
    struct seeds s = {.l = l};
    const struct rg_cnode *body = loop->kind == RG_C_LOOP && loop->n == 3 ? loop->kid[2] : NULL;
    if (!body || l->in != l->out || rg__leaves_early(body) || rg__mentions_kind(body, RG_C_VERBATIM) ||
        rg__mentions_kind(body, RG_C_RETURN) || !find(&s, body))
        return NULL;
    const bool others =
        (!l->stack && rg__c_count_var(loop, l->head)) || rg__c_count_var(loop, l->tail) != 2 || names(loop, l->in) != 1;
    return !others && fixed(loop, s.push->kid[0]->kid[1]) ? s.push : NULL;
}

/* Does the condition hold for who has `clear`, and not for who has `first`? */
static bool asks(const struct rg__list *l, const struct rg_cnode *c, const struct rg_cnode *x, double clear,
                 double first)
{
    const struct rg_cnode *mark;
    enum rg_c_op op;
    double k;
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_AND) return asks(l, c->kid[0], x, clear, first) || asks(l, c->kid[1], x, clear, first);
    return rg__list_asked(l, c, &mark, &op, &k) && rg__list_same(mark->kid[0], x) && rg__relation_holds(op, clear, k) &&
           !rg__relation_holds(op, first, k);
}

/* Does the condition hold for none but those who may be found? */
static bool opens(const struct rg__list *l, const struct rg_cnode *c, const struct rg_cnode *x)
{
    const struct rg_cnode *place;
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_AND) return opens(l, c->kid[0], x) || opens(l, c->kid[1], x);
    return rg__list_asks(l, c, &place) == 1 && rg__list_same(place, x);
}

bool rg__list_seeds_have(const struct rg__list *l, int array, double clear, double *first)
{
    struct seeds s = {.l = l};
    bool known = false;
    if (!find(&s, l->seeds->kid[2]) || stores(l->seeds, -1, array) != 1) return false;
    const struct rg_cnode *x = s.push->kid[0]->kid[1];
    for (int k = 0; k < s.block->n && !known; k++) {
        const struct rg_cnode *e = s.block->kid[k]->kind == RG_C_STMT ? s.block->kid[k]->kid[0] : NULL;
        known = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX &&
                e->kid[0]->array == array && e->kid[0]->n == 1 && rg__list_same(e->kid[0]->kid[0], x) &&
                rg__round_number(e->kid[1], first);
    }
    if (!known || array != l->mark || has_one_each(l->seeds, x)) return known;
    bool once = false;
    for (int i = 0; i < s.n_guards && !once; i++) once = asks(l, s.guard[i], x, clear, *first);
    return once;
}

bool rg__list_seeds_closed(const struct rg__list *l)
{
    struct seeds s = {.l = l};
    if (!find(&s, l->seeds->kid[2])) return false;
    const struct rg_cnode *x = s.push->kid[0]->kid[1];
    const bool each = has_one_each(l->seeds, x);
    const int stored = stores(l->seeds, -1, l->mark);
    bool closed = false, once = each;
    for (int k = 0; k < s.block->n && stored == 1; k++) {
        const struct rg_cnode *e = s.block->kid[k]->kind == RG_C_STMT ? s.block->kid[k]->kid[0] : NULL;
        double v;
        closed = closed ||
                 (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && rg__list_of_mark(l, e->kid[0]) &&
                  rg__list_same(e->kid[0]->kid[0], x) && rg__round_number(e->kid[1], &v) && rg__list_closed_by(l, v));
    }
    for (int i = 0; i < s.n_guards; i++) {
        if (!stored) closed = closed || rg__list_closes(l, s.guard[i], x);
        if (stored) once = once || opens(l, s.guard[i], x);
    }
    return closed && once;
}
