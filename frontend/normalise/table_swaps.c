/* Exchanges by a table: for i: j = t[i]; if (j > i) exchange x[i] and x[j], as Fourier transforms reorder their input
 * by a table of reversed bits. Where the table leads back, t[t[i]] == i, none of both is another iteration's; whether
 * it does is known when the function runs. It is asked in front, ok = 1;  for i: ok = t[i] > i && t[t[i]] != i ? 0 :
 * ok; and the loop stands twice: where it does, with `t[j] == i` beside the condition, which the dependence analysis
 * goes by (poly/analysis/disjoint.c); where it does not, as it was. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"

enum { MOST_NODES = 2000 };

struct swap {
    struct rg_cnode **asked;  /* where the condition stands: of the if, or what the local that it asks is declared as */
    int local;                /* j; -1: the condition has the element itself */
    struct rg_cnode *element; /* t[i] */
};

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    return rg__c_uncast(e, RG__C_INT_CASTS);
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = plain(e);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* How often the scalar is set, its declaration too. */
static int sets(const struct rg_cnode *n, int var)
{
    const bool set = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    int found = (set && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var) ||
                (n->kind == RG_C_DECL && n->array < 0 && n->var == var);
    for (int i = 0; i < n->n; i++) found += n->kid[i] ? sets(n->kid[i], var) : 0;
    return found;
}

/* Of the body's first statements, what the local is declared as; nothing else sets it. */
static struct rg_cnode **declared(struct rg_cnode *body, int before, int var)
{
    for (int i = 0; i < before; i++) {
        struct rg_cnode *s = body->kid[i];
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n && s->kid[0])
            return sets(body, var) == 1 ? &s->kid[0] : NULL;
    }
    return NULL;
}

/* Is it t[i], an element of one table of integers that the loop does not write? */
static bool is_element(const struct rg_cnode *loop, const struct rg_cnode *e)
{
    e = plain(e);
    return e->kind == RG_C_INDEX && e->n == 1 && !e->pointer && rg__scalar_is_int(e->type) &&
           is_var(e->kid[0], loop->var) && !rg__writes_array(loop, e->array) && !rg__c_declares_array(loop, e->array);
}

/* Does it store to an element that the place leads to? */
static bool stores_at(const struct rg_cnode *n, const struct swap *x)
{
    const bool store = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    const struct rg_cnode *to = store ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    for (int d = 0; to && to->kind == RG_C_INDEX && d < to->n; d++)
        if (x->local >= 0 ? rg__c_mentions_var(to->kid[d], x->local) : rg__mentions_kind(to->kid[d], RG_C_INDEX))
            return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && stores_at(n->kid[i], x)) return true;
    return false;
}

/* j > i, i < j, by values that the loop does not change: which of the condition's kids is j; -1. */
static int place_in(const struct rg_cnode *c, int var)
{
    if (c->kind != RG_C_BINARY || (c->op != RG_COP_GT && c->op != RG_COP_LT)) return -1;
    const int k = c->op == RG_COP_GT ? 0 : 1;
    return is_var(c->kid[1 - k], var) ? k : -1;
}

static bool is_swap(struct rg_cnode *loop, struct swap *x)
{
    struct rg_cnode *body = loop->kid[2];
    const struct rg_cnode *from = plain(loop->kid[0]);
    if (loop->n != 3 || loop->step != 1 || from->kind != RG_C_INT || from->ivalue < 0 || body->kind != RG_C_BLOCK ||
        rg__c_writes_var(body, loop->var) || rg__mentions_kind(body, RG_C_OPAQUE))
        return false;
    for (int i = 0; i < body->n; i++) {
        struct rg_cnode *s = body->kid[i];
        if (s->kind == RG_C_DECL && s->array < 0) continue;
        if (s->kind != RG_C_IF) return false;
        const struct rg_cnode *c = plain(s->kid[0]);
        const bool named = c->kind == RG_C_VAR && c->array < 0;
        x->asked = named ? declared(body, i, c->var) : &s->kid[0];
        const struct rg_cnode *asked = x->asked ? plain(*x->asked) : NULL;
        const int k = asked ? place_in(asked, loop->var) : -1;
        if (k < 0) return false;
        const struct rg_cnode *j = plain(asked->kid[k]);
        x->local = j->kind == RG_C_VAR && j->array < 0 ? j->var : -1;
        struct rg_cnode **value = x->local >= 0 ? declared(body, i, x->local) : NULL;
        x->element = x->local < 0 ? (struct rg_cnode *)j : value ? *value : NULL;
        return x->element && is_element(loop, x->element) && stores_at(s->kid[1], x);
    }
    return false;
}

static struct rg_cnode *wide(struct rg_ctree *t, const struct rg_cnode *e)
{
    return rg__c_cast(t, rg__c_copy(t, e), RG_LLONG);
}

/* t[place] == i */
static struct rg_cnode *leads_back(struct rg_ctree *t, const struct swap *x, const struct rg_cnode *place,
                                   const struct rg_cnode *i)
{
    struct rg_cnode *e = rg__c_copy(t, plain(x->element));
    e->kid[0] = rg__c_copy(t, place);
    return rg__c_binary(t, RG_COP_EQ, wide(t, e), wide(t, i));
}

/* for i: ok = j > i && !(j within the loop && t[j] == i) ? 0 : ok; */
static struct rg_cnode *question(struct rg_ctree *t, const struct rg_cnode *loop, const struct swap *x, int ok)
{
    const struct rg_cnode *asked = plain(*x->asked), *i = rg__c_var(t, loop->var);
    struct rg_cnode *j = rg__c_copy(t, plain(asked->kid[place_in(asked, loop->var)])), *c = rg__c_copy(t, asked);
    if (x->local >= 0) {
        const struct rg_cnode *value = rg__c_cast(t, rg__c_copy(t, x->element), t->vars[x->local].type);
        j = rg__c_replace_var(t, j, x->local, value);
        c = rg__c_replace_var(t, c, x->local, value);
    }
    struct rg_cnode *in = rg__c_binary(t, RG_COP_AND, rg__c_binary(t, RG_COP_GT, wide(t, j), wide(t, i)),
                                       rg__c_binary(t, RG_COP_LT, wide(t, j), wide(t, loop->kid[1])));
    struct rg_cnode *back = rg__c_binary(t, RG_COP_AND, in, leads_back(t, x, wide(t, j), i));
    struct rg_cnode *astray = rg__c_unary(t, RG_COP_NOT, back);
    return rg__asked_over(t, loop, rg__c_binary(t, RG_COP_AND, c, astray), ok);
}

static int twice(struct rg_ctree *t, const struct swap *x, struct rg_cnode *block, int at)
{
    struct rg_cnode *s = block->kid[at];
    struct rg__kids k = {0};
    int ok;
    rg__kids_add(&k, rg__asked_flag(t, "leads_back", s, &ok));
    rg__kids_add(&k, question(t, s, x, ok));
    struct rg_cnode *both = rg__asked_arms(t, s, ok);
    struct rg_cnode *copy = both->kid[1]->kid[0];
    struct swap y;
    if (is_swap(copy, &y)) {
        const struct rg_cnode *asked = plain(*y.asked);
        const struct rg_cnode *j = asked->kid[place_in(asked, copy->var)];
        *y.asked = rg__c_binary(t, RG_COP_AND, *y.asked, leads_back(t, &y, plain(j), rg__c_var(t, copy->var)));
    }
    rg__moves_fresh(t, copy, copy);
    rg__moves_fresh_arrays(t, copy, copy);
    rg__kids_add(&k, both);
    const int n = k.n;
    rg__block_splice(t, block, at, 1, &k);
    return n;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        struct swap x;
        if (s && n->kind == RG_C_BLOCK && s->kind == RG_C_LOOP && is_swap(s, &x) && !rg__leaves_early(s) &&
            !rg__mentions_kind(s, RG_C_VERBATIM) && rg__c_size(s) <= MOST_NODES)
            i += twice(t, &x, n, i) - 1;
        else
            walk(t, s);
    }
}

void rg__canon_table_swaps(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias) walk(t, t->root);
}
