/* Integers that say how many elements there is room for: `if (count == most) break; out[count++] = i;`. As 1, which
 * integers are that decide no amount of work, the list is full at once, and what follows is never looked at. */
#include "frontend/infer/infer.h"
#include "ir/ctree_util.h"

enum { MOST_COUNTERS = 8 };

struct room {
    int var;
    int n;
    struct counter {
        const struct rg_cnode *at;
        bool equal; /* compared by == and != alone, as places to start from are */
    } counter[MOST_COUNTERS];
};

struct use {
    const struct rg_cnode *counter;
    bool steps, sometimes, stores; /* is stepped; under a condition; says where something is stored */
};

static bool is_it(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* `count`, `count + 1`, `*count`, `s[0]` */
static const struct rg_cnode *counter_of(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    for (int i = 0; i < 2 && (e->op == RG_COP_ADD || (e->op == RG_COP_SUB && !i)); i++)
        if (rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS)->kind == RG_C_INT)
            return rg__c_uncast(e->kid[i], RG__C_INT_CASTS);
    return e;
}

static bool look(void *arg, struct rg_cnode *n)
{
    struct room *r = arg;
    if (n->kind != RG_C_BINARY || !rg_c_relation(n->op)) return true;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *c = is_it(n->kid[i], r->var) ? counter_of(n->kid[1 - i]) : NULL;
        const bool equal = n->op == RG_COP_EQ || n->op == RG_COP_NE;
        if (!c || (c->kind != RG_C_VAR && c->kind != RG_C_INDEX) || c->pointer) continue;
        int k = 0;
        while (k < r->n && !rg__c_same(r->counter[k].at, c, RG__C_UNCAST)) k++;
        if (k == MOST_COUNTERS) continue;
        if (k == r->n) r->counter[r->n++] = (struct counter){c, true};
        r->counter[k].equal = r->counter[k].equal && equal;
    }
    return true;
}

static bool mentions(const struct rg_cnode *e, const struct rg_cnode *what)
{
    bool found = rg__c_same(e, what, RG__C_UNCAST);
    for (int i = 0; i < e->n && !found; i++) found = e->kid[i] && mentions(e->kid[i], what);
    return found;
}

static bool subscript_mentions(const struct rg_cnode *target, const struct rg_cnode *what)
{
    while (target->kind == RG_C_MEMBER) target = target->kid[0];
    bool found = false;
    for (int d = 0; target->kind == RG_C_INDEX && d < target->n && !found; d++)
        found = !rg__c_same(target, what, RG__C_UNCAST) && mentions(target->kid[d], what);
    return found;
}

static void note_use(struct use *u, const struct rg_cnode *n, bool under)
{
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *value = n->kind == RG_C_ASSIGN ? rg__c_uncast(n->kid[1], RG__C_INT_CASTS) : NULL;
        const bool step = !value || n->op == RG_COP_ADD_SET ||
                          (n->op == RG_COP_SET && value->op == RG_COP_ADD && mentions(value, u->counter));
        if (step && rg__c_same(n->kid[0], u->counter, RG__C_UNCAST)) {
            u->steps = true;
            u->sometimes = u->sometimes || under;
        }
        u->stores = u->stores || subscript_mentions(n->kid[0], u->counter);
    }
    const bool loop = n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) note_use(u, n->kid[i], n->kind == RG_C_IF ? true : loop ? false : under);
}

bool rg__is_capacity(const struct rg_ctree *t, int param)
{
    struct room r = {.var = -1};
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind == RG_CVAR_PARAM && t->vars[v].param == param && !t->vars[v].assigned) r.var = v;
    if (r.var < 0 || !t->root || rg__mentions_kind(t->root, RG_C_VERBATIM)) return false;
    rg__c_walk(t->root, look, &r);
    for (int k = 0; k < r.n; k++) {
        struct use u = {.counter = r.counter[k].at};
        if (u.counter->kind == RG_C_VAR && t->vars[u.counter->var].kind != RG_CVAR_LOCAL) continue;
        note_use(&u, t->root, false);
        if (u.steps && u.stores && (u.sometimes || !r.counter[k].equal)) return true;
    }
    return false;
}
