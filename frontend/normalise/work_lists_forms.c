/* What the statements of a graph search with a list are: what puts a vertex on the list, tests of marks, levels. */
#include "frontend/normalise/scattered_stores_values.h"
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/work_lists.h"

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool sets(const struct rg_cnode *e)
{
    return e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC;
}

bool rg__list_is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return scalar(e) && e->var == var;
}

/* Is there a conversion to fewer bits than places have? */
static bool narrowed(const struct rg_cnode *e)
{
    if (e->kind == RG_C_CAST && !e->pointer && (!rg__scalar_is_int(e->type) || rg_scalar_bytes(e->type) < 4) &&
        (!rg__scalar_is_int(e->kid[0]->type) || rg_scalar_bytes(e->kid[0]->type) > rg_scalar_bytes(e->type)))
        return true;
    for (int i = 0; i < e->n; i++)
        if (e->kid[i] && narrowed(e->kid[i])) return true;
    return false;
}

bool rg__list_same(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return rg__c_same(a, b, 0) || (rg__c_same(a, b, RG__C_UNCAST) && !narrowed(a) && !narrowed(b));
}

int rg__list_gives(const struct rg_cnode *k, const struct rg_cnode **value)
{
    const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
    if (k->kind == RG_C_DECL && k->array < 0 && k->n) return *value = k->kid[0], k->var;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !scalar(e->kid[0])) return -1;
    return *value = e->kid[1], e->kid[0]->var;
}

const struct rg_cnode *rg__list_pushed(const struct rg__list *l, const struct rg_cnode *stmt)
{
    const struct rg_cnode *e = stmt->kind == RG_C_STMT ? stmt->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX ||
        e->kid[0]->array != l->out || e->kid[0]->n != 1)
        return NULL;
    const struct rg_cnode *at = rg__c_uncast(e->kid[0]->kid[0], RG__C_INT_CASTS);
    return scalar(at) && at->var == l->tail ? e->kid[1] : NULL;
}

bool rg__list_moves_tail(const struct rg__list *l, const struct rg_cnode *stmt)
{
    const struct rg_cnode *e = stmt->kind == RG_C_STMT ? stmt->kid[0] : NULL;
    if (!e || !sets(e) || !scalar(e->kid[0]) || e->kid[0]->var != l->tail) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    return e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1;
}

bool rg__list_of_mark(const struct rg__list *l, const struct rg_cnode *e)
{
    return e->kind == RG_C_INDEX && e->array == l->mark && e->n == 1;
}

/* Is each of the marks the same number as one of that type? */
static bool keeps_marks(const struct rg__list *l, enum rg_scalar to)
{
    const enum rg_scalar own = l->t->arrays[l->mark].elem;
    if (!rg__scalar_is_int(to) || to == RG_BOOL) return to == own;
    if (rg_scalar_is_signed(own)) return rg_scalar_is_signed(to) && rg_scalar_bytes(to) >= rg_scalar_bytes(own);
    return rg_scalar_bytes(to) >= rg_scalar_bytes(own) + rg_scalar_is_signed(to);
}

/* The mark that it is, as a number: conversions keep it. */
static const struct rg_cnode *whole_mark(const struct rg__list *l, const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && keeps_marks(l, e->type)) e = e->kid[0];
    return rg__list_of_mark(l, e) ? e : NULL;
}

/* Are both compared as the numbers that they are: not -1 as the largest of those without a sign? */
static bool as_numbers(const struct rg__list *l, const struct rg_cnode *test, double k)
{
    const enum rg_scalar in = rg__scalar_common(test->kid[0]->type, test->kid[1]->type);
    return !rg__scalar_is_int(in) || (keeps_marks(l, in) && rg__scatter_keeps(in, k));
}

bool rg__list_asked(const struct rg__list *l, const struct rg_cnode *test, const struct rg_cnode **mark,
                    enum rg_c_op *op, double *k)
{
    const struct rg_cnode *x = whole_mark(l, test);
    *op = RG_COP_NE;
    *k = 0;
    if (x) return *mark = x, true;
    test = rg__c_uncast(test, RG__C_CASTS);
    if (test->kind != RG_C_BINARY || !rg_c_relation(test->op)) return false;
    for (int side = 0; side < 2; side++) {
        x = whole_mark(l, test->kid[side]);
        if (!x || !rg__round_number(test->kid[1 - side], k) || !as_numbers(l, test, *k)) continue;
        *mark = x;
        *op = side ? rg_c_converse(test->op) : test->op;
        return true;
    }
    return false;
}

int rg__list_asks(const struct rg__list *l, const struct rg_cnode *test, const struct rg_cnode **place)
{
    const struct rg_cnode *mark;
    enum rg_c_op op;
    double k;
    if (!rg__list_asked(l, test, &mark, &op, &k)) return -1;
    *place = mark->kid[0];
    if (l->preset && k != l->open_k) return -1;
    if (l->preset) return op == l->open_op ? 1 : op == rg_c_opposite(l->open_op) ? 0 : -1;
    return rg__relation_holds(op, l->clear, k);
}

int rg__list_level_of(const struct rg__list *l, const struct rg_cnode *e)
{
    const struct rg_cnode *at = e->kind == RG_C_INDEX && e->n == 1 ? rg__c_uncast(e->kid[0], RG__C_INT_CASTS) : NULL;
    for (int i = 0; at && i < l->n_levels; i++)
        if (l->level[i].array == e->array && scalar(at) && at->var == l->u) return i;
    return -1;
}

int rg__list_level_read(const struct rg__list *l, const struct rg_cnode *e)
{
    for (int i = 0; i < l->n_reads; i++)
        if (l->read[i].element == e) return l->read[i].level;
    return -1;
}
