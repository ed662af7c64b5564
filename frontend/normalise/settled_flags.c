/* What goes on until a flag is set, which an iteration does for what it has itself:
 *     for i: { ..; if (!flag) { if (C(i)) { flag = 1; best = x[i]; } else if (x[i] > best) best = x[i]; } }
 * Which iteration that is does not depend on the others, and those in front of it don't ask for the flag:
 *     taker = n; for i: if (C(i)) taker = i < taker ? i : taker;
 *     for i: { ..; if (!flag && i < taker) { if (x[i] > best) best = x[i]; } }
 *     if (taker < n && !flag) { flag = 1; best = x[taker]; }
 * Extremes among numbers that anything else ends (NaN, a mark), sums up to a first one, are reductions then. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include "ir/ctree_util.h"
#include <stdlib.h>

struct settled {
    struct rg_ctree *t;
    struct rg_cnode *loop, *choice, *inner; /* if (!flag) { inner }: the one that asks C */
    int arm;                                /* of the inner: 1 or 2, where the flag is set */
    int flag;
};

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static struct rg_cnode *set_by(const struct rg_cnode *s)
{
    struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && scalar(e->kid[0]) ? e : NULL;
}

/* !flag, flag == 0: the flag; -1. */
static int asked_for_none(const struct rg_cnode *c)
{
    int64_t zero;
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->kind == RG_C_UNARY && c->op == RG_COP_NOT) {
        const struct rg_cnode *e = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS);
        return scalar(e) ? e->var : -1;
    }
    if (c->kind != RG_C_BINARY || c->op != RG_COP_EQ || !rg__c_number(c->kid[1], &zero) || zero) return -1;
    const struct rg_cnode *e = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS);
    return scalar(e) ? e->var : -1;
}

/* Sets the arm the flag, and else local scalars alone, to what its iteration can say behind the loop? */
static bool arm_settles(const struct settled *x, const struct rg_cnode *arm)
{
    bool settled = false;
    if (!arm || arm->kind != RG_C_BLOCK) return false;
    for (int i = 0; i < arm->n; i++) {
        const struct rg_cnode *e = set_by(arm->kid[i]);
        int64_t value;
        if (!e || x->t->vars[e->kid[0]->var].kind != RG_CVAR_LOCAL || rg__c_declares(x->loop, e->kid[0]->var))
            return false;
        for (int k = 0; k < i; k++)
            if (set_by(arm->kid[k])->kid[0]->var == e->kid[0]->var) return false;
        if (e->kid[0]->var == x->flag)
            settled = rg__c_number(e->kid[1], &value) && value > 0 && value < 128;
        else if (rg__c_count_var(x->loop->kid[2], e->kid[0]->var) != rg__c_count_var(x->choice, e->kid[0]->var) ||
                 !rg__iteration_value(x->t, x->loop, e->kid[1]))
            return false;
    }
    return settled;
}

/* May it be asked in iterations that the C leaves out? Not where data lead its subscripts. */
static bool tame(const struct rg_cnode *e, bool subscript)
{
    if (e->kind == RG_C_INDEX && subscript) return false;
    int64_t by;
    const bool divides = e->kind == RG_C_BINARY && (e->op == RG_COP_DIV || e->op == RG_COP_REM);
    if (divides && rg__scalar_is_int(e->type) && (!rg__c_number(e->kid[1], &by) || by < 1)) return false;
    for (int i = 0; i < e->n; i++)
        if (!tame(e->kid[i], subscript || e->kind == RG_C_INDEX)) return false;
    return true;
}

static bool fits(struct settled *x, struct rg_cnode *choice)
{
    const struct rg_cnode *body = choice->n == 2 ? choice->kid[1] : NULL;
    if (!body || body->kind != RG_C_BLOCK || body->n != 1 || body->kid[0]->kind != RG_C_IF) return false;
    x->choice = choice;
    x->inner = body->kid[0];
    x->flag = asked_for_none(choice->kid[0]);
    if (x->flag < 0 || x->inner->n != 3 || !x->inner->kid[2] || !rg__scalar_is_int(x->t->vars[x->flag].type) ||
        rg__c_count_var(x->loop, x->flag) != 2 || rg__mentions_kind(choice, RG_C_RETURN))
        return false;
    x->arm = arm_settles(x, x->inner->kid[1]) ? 1 : 2;
    return arm_settles(x, x->inner->kid[x->arm]);
}

/* Does the iteration that settles it come in front of the one that the first variable has? */
static struct rg_cnode *in_front(const struct settled *x, struct rg_cnode *a, struct rg_cnode *b)
{
    return rg__c_binary(x->t, x->loop->step > 0 ? RG_COP_LT : RG_COP_GT, a, b);
}

/* for i: if (C(i)) taker = i < taker ? i : taker; */
static struct rg_cnode *find_taker(const struct settled *x, int taker, struct rg_cnode *c)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *l = x->loop, *i = rg__c_var(t, l->var), *choice = rg_cnode_new(t, RG_C_IF, 2);
    struct rg__kids arm = {0}, body = {0};
    struct rg_cnode *least =
        rg__c_choice(t, in_front(x, i, rg__c_var(t, taker)), rg__c_copy(t, i), rg__c_var(t, taker));
    rg__kids_add(&arm, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, taker), least)), x->inner));
    choice->kid[0] = c;
    choice->kid[1] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &arm), x->inner);
    rg__kids_add(&body, rg__c_stands(choice, x->inner));
    struct rg_cnode *f = rg__c_shallow(&t->arena, l);
    f->kid[0] = rg__c_copy(t, l->kid[0]);
    f->kid[1] = rg__c_copy(t, l->kid[1]);
    f->kid[2] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &body), x->inner);
    rg__moves_fresh(t, f, f);
    return f;
}

/* if (taker < n && !flag) { what the arm does, for that iteration } */
static struct rg_cnode *taker_arm(const struct settled *x, int taker, struct rg_cnode *c)
{
    struct rg_ctree *t = x->t;
    const struct rg_cnode *arm = x->inner->kid[x->arm];
    struct rg_cnode *then = rg_cnode_new(t, RG_C_IF, 2);
    struct rg__kids all = {0};
    for (int i = 0; i < arm->n; i++) {
        const struct rg_cnode *e = set_by(arm->kid[i]);
        struct rg_cnode *v = rg__iteration_value(t, x->loop, e->kid[1]);
        v = rg__c_replace_var(t, v, x->loop->var, rg__c_var(t, taker));
        rg__kids_add(
            &all, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, e->kid[0]), v)), arm->kid[i]));
    }
    then->kid[0] = c;
    then->kid[1] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &all), x->inner);
    return rg__c_stands(then, x->inner);
}

static bool settle(struct settled *x, struct rg_cnode *choice, struct rg__kids *front, struct rg__kids *behind)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *l = x->loop, *c = fits(x, choice) ? rg__iteration_value(t, l, x->inner->kid[0]) : NULL;
    if (!c || !tame(c, false)) return false;
    if (x->arm == 2) c = rg__c_unary(t, RG_COP_NOT, c);
    const int taker = rg__c_add_var(t, "taker", RG_CVAR_LOCAL, t->vars[l->var].type);
    struct rg_cnode *end = rg__c_cast(t, rg__c_copy(t, l->kid[1]), t->vars[taker].type),
                    *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = taker;
    d->type = t->vars[taker].type;
    d->kid[0] = rg__c_copy(t, end);
    rg__kids_add(front, rg__c_stands(d, l));
    rg__kids_add(front, find_taker(x, taker, c));
    struct rg_cnode *any =
        rg__c_binary(t, RG_COP_AND, in_front(x, rg__c_var(t, taker), end), rg__c_copy(t, choice->kid[0]));
    rg__kids_add(behind, taker_arm(x, taker, any));
    choice->kid[0] =
        rg__c_binary(t, RG_COP_AND, choice->kid[0], in_front(x, rg__c_var(t, l->var), rg__c_var(t, taker)));
    choice->kid[1] = x->inner->kid[3 - x->arm];
    return true;
}

static void walk(struct settled *x, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *l = n->kid[i];
        walk(x, l);
        if (n->kind != RG_C_BLOCK || l->kind != RG_C_LOOP || l->n != 3 || l->kid[2]->kind != RG_C_BLOCK ||
            rg__leaves_early(l->kid[2]) || rg__mentions_kind(l, RG_C_VERBATIM) || !rg__c_of_params(x->t, l->kid[1]))
            continue;
        struct rg__kids front = {0}, behind = {0};
        x->loop = l;
        for (int k = 0; k < l->kid[2]->n && !front.n; k++)
            if (l->kid[2]->kid[k]->kind == RG_C_IF) settle(x, l->kid[2]->kid[k], &front, &behind);
        if (!front.n) continue;
        rg__kids_add(&front, l);
        for (int k = 0; k < behind.n; k++) rg__kids_add(&front, behind.items[k]);
        free(behind.items);
        const int more = front.n - 1;
        rg__block_splice(x->t, n, i, 1, &front);
        i += more;
    }
}

void rg__canon_settled(struct rg_ctree *t, const struct rg_problem *p)
{
    struct settled x = {.t = t};
    if (!p->may_alias) walk(&x, t->root);
}
