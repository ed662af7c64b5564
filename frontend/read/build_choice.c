/* What runs under a condition inside an expression: c ? f(x) : y, a && f(x), a call of one of several functions, a call
 * whose argument leads to one of two places. What an arm does stands in front of the statement, as an if. */
#include "frontend/read/build_cell.h"

struct rg__arm rg__arm_of(struct rg__build *b, struct rg_cnode *(*build)(void *arg, struct rg__build *b), void *arg)
{
    struct rg__arm a = {0};
    struct rg__kids *hoist = b->hoist;
    struct rg__span span;
    rg__span_enter(b, false, &span);
    b->hoist = &a.front;
    b->nesting++;
    a.value = build(arg, b);
    b->nesting--;
    b->hoist = hoist;
    rg__span_leave(b, &span);
    a.end = rg__now_save(b);
    rg__now_restore(b, &span.now);
    return a;
}

/* The variable that keeps the value; -1: there is none of that type. */
static int variable_for(struct rg__build *b, CXType t)
{
    enum rg_scalar s = RG_I32;
    bool scalar = rg__type_scalar(b->u, t, &s);
    if (!scalar && (!rg__type_is_record(b->u, t) || rg__object_is(b, t))) return -1;
    int index = scalar ? -1 : rg__build_local_struct(b, t, "a helper's value");
    if (!scalar && index < 0) return -1;
    int v = rg__c_add_var(b->t, "chosen", RG_CVAR_LOCAL, scalar ? s : RG_STRUCT);
    if (!scalar) {
        b->t->vars[v].struct_index = index;
        b->t->vars[v].c_type = b->p->structs[index].c_name;
    }
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 0);
    d->var = v;
    d->type = b->t->vars[v].type;
    rg__kids_add(b->hoist, d);
    return v;
}

static struct rg_cnode *block_of(struct rg__build *b, struct rg__arm *a, int var)
{
    if (var >= 0)
        rg__kids_add(&a->front, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, var), a->value)));
    return rg__kids_node(b->t, RG_C_BLOCK, &a->front);
}

struct rg_cnode *rg__arms_chosen(struct rg__build *b, CXCursor c, CXType t, struct rg_cnode *cond, struct rg__arm *yes,
                                 struct rg__arm *no)
{
    rg__now_restore(b, &yes->end);
    rg__now_meet(b, &no->end);
    bool nothing = b->c->getCanonicalType(t).kind == CXType_Void;
    int v = nothing || yes->value->pointer || no->value->pointer ? -1 : variable_for(b, t);
    if (!nothing && v < 0) return rg__verbatim(b, c, "a call that runs under a condition inside an expression");
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_IF, 3);
    rg__place_node(b, n, c);
    n->kid[0] = cond;
    n->kid[1] = block_of(b, yes, v);
    n->kid[2] = block_of(b, no, v);
    rg__kids_add(b->hoist, n);
    return v < 0 ? rg__c_int(b->t, 0) : rg__c_var(b->t, v);
}

/* ---- calls ---- */

struct call_with {
    CXCursor call;
    int function, n, at; /* the argument that is chosen */
    struct rg_cnode **args, *value;
};

static struct rg_cnode *call_with(void *arg, struct rg__build *b)
{
    const struct call_with *w = arg;
    struct rg_cnode **args = rg_arena_alloc(&b->t->arena, (size_t)w->n * sizeof *args);
    for (int i = 0; i < w->n; i++) args[i] = rg__c_copy(b->t, i == w->at ? w->value : w->args[i]);
    return rg__call_function(b, w->call, w->function, args, w->n);
}

struct rg_cnode *rg__call_by_condition(struct rg__build *b, CXCursor c, int function, struct rg_cnode **args, int n)
{
    int at = 0;
    while (at < n && (args[at]->kind != RG_C_COND || !args[at]->pointer)) at++;
    if (at == n || b->helper) return NULL;
    CXType result = b->c->getResultType(b->c->getCursorType(b->u->functions[function].cursor));
    if (!b->follow) { /* what may be null is followed alone */
        b->guarded = true;
        return NULL;
    }
    if (!b->hoist || !rg__c_pure(b->t, args[at]->kid[0]) || rg__object_is(b, result)) return NULL;
    struct call_with w = {c, function, n, at, args, args[at]->kid[1]};
    struct rg__arm yes = rg__arm_of(b, call_with, &w), no;
    w.value = args[at]->kid[2];
    no = rg__arm_of(b, call_with, &w);
    return rg__arms_chosen(b, c, result, args[at]->kid[0], &yes, &no);
}

struct call_from { /* of the functions from number i on */
    CXCursor call;
    const struct rg__targets *t;
    const struct rg__children *kids;
    int i;
};

static struct rg_cnode *call_target(void *arg, struct rg__build *b)
{
    const struct call_from *f = arg;
    return rg__call_of(b, f->call, f->t->decl[f->i], rg__cursor_name(b->u, f->t->decl[f->i], &b->t->arena), f->kids);
}

/* A call of one of several functions that do more than compute a value: an if for each. */
static struct rg_cnode *call_in_arms(void *arg, struct rg__build *b)
{
    struct call_from *f = arg, next = *f;
    if (f->i + 1 == f->t->n) return call_target(f, b);
    next.i++;
    struct rg__arm yes = rg__arm_of(b, call_target, f), no = rg__arm_of(b, call_in_arms, &next);
    struct rg_cnode *is = rg__c_binary(b->t, RG_COP_EQ, rg__c_copy(b->t, f->t->pick), rg__c_int(b->t, f->i));
    return rg__arms_chosen(b, f->call, b->c->getCursorType(f->call), is, &yes, &no);
}

struct rg_cnode *rg__call_in_arms(struct rg__build *b, CXCursor c, const struct rg__targets *t,
                                  const struct rg__children *kids)
{
    struct call_from from = {c, t, kids, 0};
    return call_in_arms(&from, b);
}
