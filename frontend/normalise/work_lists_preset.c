/* Searches among marks that are there already: a flood of weak pixels from the strong ones, the objects that can be
 * reached from the roots. Who may be found is who has a mark for which one test holds when the search begins,
 *     for i: if (mark[i] == STRONG) stack[top++] = i;
 *     while (top > 0) { u = stack[--top]; for v beside u: if (mark[v] == WEAK) { mark[v] = STRONG; stack[top++] = v; }
 * } and the test holds for none of those that are found, nor for those that the list begins with. */
#include "frontend/normalise/scattered_stores_values.h"
#include "frontend/normalise/work_lists.h"

static bool open(const struct rg__list *l, double v)
{
    return rg__relation_holds(l->open_op, v, l->open_k);
}

/* The first test of marks in the node. */
static bool first_test(const struct rg__list *l, const struct rg_cnode *n, enum rg_c_op *op, double *k)
{
    const struct rg_cnode *mark;
    if (!n) return false;
    if (n->kind == RG_C_BINARY && rg__list_asked(l, n, &mark, op, k)) return true;
    if (rg__list_of_mark(l, n)) return *op = RG_COP_NE, *k = 0, true;
    for (int i = 0; i < n->n; i++)
        if (!(n->kind == RG_C_ASSIGN && i == 0) && first_test(l, n->kid[i], op, k)) return true;
    return false;
}

/* Is there no mark for which both that test and l's hold? */
static bool apart(const struct rg__list *l, enum rg_c_op op, double k)
{
    return (op == RG_COP_EQ && !open(l, k)) || (op == rg_c_opposite(l->open_op) && k == l->open_k) ||
           (l->open_op == RG_COP_EQ && !rg__relation_holds(op, l->open_k, k));
}

bool rg__list_closed_by(const struct rg__list *l, double v)
{
    return rg__scatter_keeps(l->t->arrays[l->mark].elem, v) && !open(l, v);
}

bool rg__list_closes(const struct rg__list *l, const struct rg_cnode *c, const struct rg_cnode *x)
{
    const struct rg_cnode *mark;
    enum rg_c_op op;
    double k;
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_AND) return rg__list_closes(l, c->kid[0], x) || rg__list_closes(l, c->kid[1], x);
    return rg__list_asked(l, c, &mark, &op, &k) && rg__list_same(mark->kid[0], x) && apart(l, op, k);
}

/* Does the statement change what the expression is? */
static bool changes(const struct rg_cnode *k, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0) return rg__c_writes_var(k, e->var);
    if (e->kind == RG_C_INDEX && rg__writes_array(k, e->array)) return true;
    for (int i = 0; i < e->n; i++)
        if (changes(k, e->kid[i])) return true;
    return false;
}

/* The one vertex on the list is marked in front of the loop, and from then on no mark changes. */
static bool source_marked(const struct rg__list *l, const struct rg_cnode *source)
{
    bool marked = false;
    double v;
    const int listed = l->n_front - l->at + l->sources;
    for (int i = 0; i < l->n_front; i++) {
        const struct rg_cnode *k = l->front[i], *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (marked && i < listed && changes(k, source)) marked = false;
        if (!marked && i > listed && changes(k, source)) return false;
        if (!rg__writes_array(k, l->mark)) continue;
        const bool its = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && rg__list_of_mark(l, e->kid[0]) &&
                         rg__list_same(e->kid[0]->kid[0], source) && rg__round_number(e->kid[1], &v) &&
                         rg__list_closed_by(l, v);
        if (!its && i >= listed) return false;
        marked = its;
    }
    return marked;
}

/* Those that a loop puts on the list are marked there, or were before, and from it on no mark changes. */
static bool seeds_marked(const struct rg__list *l)
{
    bool behind = false;
    for (int i = 0; i < l->n_front; i++) {
        if (behind && rg__writes_array(l->front[i], l->mark)) return false;
        behind = behind || l->front[i] == l->seeds;
    }
    return rg__list_seeds_closed(l);
}

/* How many marks there are: as the array was declared, or as loops from the first to the last of them say. */
static struct rg_cnode *number_of_marks(const struct rg__list *l)
{
    const struct rg_carray *a = &l->t->arrays[l->mark];
    double low;
    if (a->n_dims == 1 && a->dims && a->dims[0]) return rg__c_from_expr(l->t, a->dims[0]);
    const struct rg_cnode *top = NULL;
    for (int i = 0; i < l->n_front; i++) {
        const struct rg_cnode *now = rg__list_fills(l->front[i], l->mark, &low);
        top = now ? now : top;
    }
    if (!top && l->seeds && l->seeds->step == 1 && rg__round_number(l->seeds->kid[0], &low) && low == 0 &&
        rg__list_is_var(l->seed->kid[0]->kid[1], l->seeds->var))
        top = l->seeds->kid[1];
    return top ? rg__c_copy(l->t, top) : NULL;
}

bool rg__list_preset(struct rg__list *l, const struct rg_cnode *source, const struct rg_cnode *value)
{
    double v;
    bool known = false;
    if (!rg__round_number(value, &v) || !rg__scatter_keeps(l->t->arrays[l->mark].elem, v)) return false;
    for (int i = l->first; i < l->end && !known; i++) known = first_test(l, l->work->kid[i], &l->open_op, &l->open_k);
    if (!known || l->open_k != (double)(int32_t)l->open_k) return false;
    if (open(l, v)) l->open_op = rg_c_opposite(l->open_op);
    l->preset = true; /* what asks is known */
    l->vertices = l->seeds ? (seeds_marked(l) ? number_of_marks(l) : NULL)
                           : (source_marked(l, source) ? number_of_marks(l) : NULL);
    l->preset = l->vertices != NULL;
    return l->preset;
}

struct rg_cnode *rg__list_not_yet(const struct rg__list *l, struct rg_cnode *at)
{
    struct rg_ctree *t = l->t;
    if (!l->preset) return rg__c_int(t, -1);
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3);
    x->kid[0] = rg__c_binary(t, l->open_op, rg__c_index(t, l->mark, 1, &at), rg__c_int(t, (int64_t)l->open_k));
    x->kid[1] = rg__c_int(t, -1);
    x->kid[2] = rg__c_int(t, INT32_MAX); /* no round */
    x->type = RG_I32;
    return x;
}

bool rg__list_alike(const struct rg_cnode *a, const struct rg_cnode *who, const struct rg_cnode *b,
                    const struct rg_cnode *other)
{
    if (rg__list_same(a, who) && rg__list_same(b, other)) return true;
    if (!rg__c_same_head(a, b) || a->type != b->type || a->pointer != b->pointer) return false;
    for (int i = 0; i < a->n; i++)
        if (!a->kid[i] != !b->kid[i] || (a->kid[i] && !rg__list_alike(a->kid[i], who, b->kid[i], other))) return false;
    return true;
}
