/* Kernel IR: what the canonical C's expressions do besides having a value, as statements in front of the one that they
 * stand in. C leaves the order open but where an operand may not be evaluated, or one comes after another: there it is
 * kept by names and conditions. */
#include "ir/ctree_util.h"
#include "poly/kir/convert.h"

/* A structure's type is that of a name or an element that has such values. False: why. */
static bool type_as(struct kir_names *x, int symbol, const struct kir_node *value)
{
    if (value->type != RG_STRUCT) return true;
    if (value->kind != KIR_NAME && value->kind != KIR_ELEMENT)
        return rg__kir_no_form(x, "a structure that has no name is kept%s", "") != NULL;
    x->k->symbols[symbol].c_type = x->k->symbols[value->symbol].c_type;
    return true;
}

/* A name for the value as it is now. */
static struct kir_node *kept(struct kir_names *x, const char *name, struct kir_node *value)
{
    int s = rg__kir_value(x->k, name, value->type);
    if (!type_as(x, s, value)) return NULL;
    rg__kir_add_to(x->k, x->front, rg__kir_let(x->k, s, value));
    return rg__kir_name(x->k, s);
}

struct kir_node *rg__kir_put(struct kir_names *x, struct kir_node *place, struct kir_node *value)
{
    if (place->kind == KIR_CAST && place->kid[0]->kind == KIR_NAME) place = place->kid[0];
    if (place->kind == KIR_ELEMENT) return rg__kir_store(x->k, place, value);
    if (place->kind == KIR_NAME && x->k->symbols[place->symbol].kind == KIR_SCALAR)
        return rg__kir_assign(x->k, place->symbol, value);
    return rg__kir_no_form(x, "what is assigned is no variable%s", "");
}

/* ---- assignments ---- */

/* What it becomes of what it was. */
static struct kir_node *next_of(struct kir_names *x, const struct rg_cnode *e, struct kir_node *was,
                                struct kir_node *operand)
{
    enum rg_c_op step = rg_c_increments(e->op) ? RG_COP_ADD : RG_COP_SUB;
    if (e->kind == RG_C_INCDEC) return rg__kir_binary(x->k, step, was, rg__kir_int(x->k, 1));
    return e->op == RG_COP_SET ? operand : rg__kir_binary(x->k, rg_c_applied(e->op), was, operand);
}

/* What the step makes of it; NULL with no `why`: what C says. */
static struct kir_node *own_form(struct kir_names *x, const struct rg_cnode *e)
{
    return x->assign ? x->assign(x->arg, x, e) : NULL;
}

static struct kir_node *assignment(struct kir_names *x, const struct rg_cnode *e)
{
    struct kir_node *own = own_form(x, e), *value = NULL, *place;
    if (own || *x->why) return own;
    if (e->kind == RG_C_ASSIGN && !(value = rg__kir_of(x, e->kid[1]))) return NULL;
    place = rg__kir_of(x, e->kid[0]);
    return place ? rg__kir_put(x, place, next_of(x, e, place, value)) : NULL;
}

static struct kir_node *assigned(struct kir_names *x, const struct rg_cnode *e)
{
    bool later = e->op == RG_COP_POST_INC || e->op == RG_COP_POST_DEC;
    struct kir_node *value = NULL, *place, *was, *put;
    if (own_form(x, e) || *x->why)
        return rg__kir_no_form(x, "the value of an update that must be atomic is used%s", "");
    if (e->kind == RG_C_ASSIGN && !(value = rg__kir_of(x, e->kid[1]))) return NULL;
    if (!(place = rg__kir_of(x, e->kid[0]))) return NULL;
    was = later ? kept(x, "was", place) : place;
    value = was ? rg__kir_cast(x->k, place->type, next_of(x, e, was, value)) : NULL;
    if (value && !later) value = kept(x, "now", value);
    put = value ? rg__kir_put(x, place, value) : NULL;
    if (put) rg__kir_add_to(x->k, x->front, put);
    return !put ? NULL : later ? was : value;
}

/* ---- operands that may not be evaluated ---- */

static struct kir_node *truth(struct kir_names *x, const struct rg_cnode *e)
{
    struct kir_node *v = rg__kir_of(x, e);
    bool is = v && ((v->kind == KIR_BINARY && rg_c_logic(v->op)) || (v->kind == KIR_UNARY && v->op == RG_COP_NOT));
    return is ? v : v ? rg__kir_binary(x->k, RG_COP_NE, v, rg__kir_cast(x->k, v->type, rg__kir_int(x->k, 0))) : NULL;
}

/* The scalar gets the value where the branch goes. */
static bool set_in(struct kir_names *x, struct kir_node *seq, int scalar, const struct rg_cnode *e, bool is_truth)
{
    struct kir_node *front = x->front;
    x->front = seq;
    struct kir_node *v = is_truth ? truth(x, e) : rg__kir_of(x, e);
    x->front = front;
    if (!v || !type_as(x, scalar, v)) return false;
    rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, scalar, v));
    return true;
}

static struct kir_node *lazy(struct kir_names *x, const struct rg_cnode *e)
{
    struct kir_kernel *k = x->k;
    bool chooses = e->kind == RG_C_COND, and = e->op == RG_COP_AND;
    struct kir_node *first = chooses ? rg__kir_of(x, e->kid[0]) : truth(x, e->kid[0]), *branch, *is;
    if (!first) return NULL;
    int s = rg__kir_scalar(k, chooses ? "chosen" : "holds", chooses ? e->type : RG_I32);
    is = rg__kir_name(k, s);
    rg__kir_add_to(k, x->front, rg__kir_var(k, s, chooses ? NULL : first));
    branch = rg__kir_if(k, chooses ? first : and? is : rg__kir_unary(k, RG_COP_NOT, is));
    if (!set_in(x, rg__kir_body(branch), s, e->kid[1], !chooses)) return NULL;
    if (chooses && !set_in(x, rg__kir_else(k, branch), s, e->kid[2], false)) return NULL;
    rg__kir_add_to(k, x->front, branch);
    return is;
}

struct kir_node *rg__kir_worth(struct kir_names *x, const struct rg_cnode *e)
{
    if (!x->front) return rg__kir_no_form(x, "an expression assigns where only a value may stand%s", "");
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) return assigned(x, e);
    if (e->kind != RG_C_COMMA) return lazy(x, e);
    for (int i = 0; i + 1 < e->n; i++)
        if (!rg__kir_effect(x, x->front, e->kid[i])) return NULL;
    return rg__kir_of(x, e->kid[e->n - 1]);
}

/* ---- values that nobody uses ---- */

/* The arms of ?:, the right side of && and || where it is evaluated. */
static bool arms(struct kir_names *x, struct kir_node *seq, const struct rg_cnode *e)
{
    struct kir_kernel *k = x->k;
    struct kir_node *when = rg__kir_of(x, e->kid[0]), *branch;
    if (!when) return false;
    branch = rg__kir_if(k, e->op == RG_COP_OR ? rg__kir_unary(k, RG_COP_NOT, when) : when);
    if (!rg__kir_effect(x, rg__kir_body(branch), e->kid[1])) return false;
    if (e->kind == RG_C_COND && !rg__kir_effect(x, rg__kir_else(k, branch), e->kid[2])) return false;
    rg__kir_add_to(k, seq, branch);
    return true;
}

static bool effect_in_front(struct kir_names *x, struct kir_node *seq, const struct rg_cnode *e)
{
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) {
        struct kir_node *s = assignment(x, e);
        if (s) rg__kir_add_to(x->k, seq, s);
        return s != NULL;
    }
    if (rg__c_pure(x->t, e)) return true;
    for (int i = 0; e->kind == RG_C_COMMA && i < e->n; i++)
        if (!rg__kir_effect(x, seq, e->kid[i])) return false;
    if (e->kind == RG_C_COMMA) return true;
    if (e->kind == RG_C_CAST) return rg__kir_effect(x, seq, e->kid[0]);
    if (e->kind == RG_C_COND || (e->kind == RG_C_BINARY && rg_c_lazy(e->op))) return arms(x, seq, e);
    return rg__kir_no_form(x, e->kind == RG_C_CALL ? "a statement is a call%s" : "a statement is no plain one%s", "");
}

bool rg__kir_effect(struct kir_names *x, struct kir_node *seq, const struct rg_cnode *e)
{
    struct kir_node *front = x->front;
    x->front = seq;
    bool ok = effect_in_front(x, seq, e);
    x->front = front;
    return ok;
}
