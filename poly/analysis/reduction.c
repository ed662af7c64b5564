/* Recognises `x = x op e` in its many spellings, where e does not read x: associative updates whose order is free.
 * Floating-point addition is taken as associative, which the tolerances allow for. */
#include "poly/analysis/scop.h"
#include <string.h>

static const char *const op_names[] = {"?",
                                       "+",
                                       "*",
                                       "min",
                                       "max",
                                       "&",
                                       "|",
                                       "^",
                                       "=",
                                       "choice along with a minimum or maximum",
                                       "sum above a floor",
                                       "sum below a ceiling"};

const char *rg__poly_op_name(enum poly_op op)
{
    return op_names[op];
}

bool rg__poly_has_effects(const struct rg_cnode *e)
{
    if (!e) return false;
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM) return true;
    for (int i = 0; i < e->n; i++)
        if (rg__poly_has_effects(e->kid[i])) return true;
    return false;
}

/* Does e read the scalar or the element x? Of an array, other elements (other subscripts) are left to the dependence
 * tests. Calls with pointers are covered: the array's name stands there. */
static bool mentions(const struct rg_cnode *e, const struct rg_cnode *x)
{
    if (!e) return false;
    const struct rg_cnode *b = x;
    while (b->kind == RG_C_MEMBER && b->n) b = b->kid[0];
    if (e->kind == RG_C_MEMBER && x->kind == RG_C_MEMBER && e->kid[0]->kind == RG_C_INDEX && x->kid[0] == b &&
        strcmp(e->text, x->text) != 0) { /* another field: only what its subscripts read */
        for (int i = 0; i < e->kid[0]->n; i++)
            if (mentions(e->kid[0]->kid[i], x)) return true;
        for (int i = 1; i < e->n; i++)
            if (mentions(e->kid[i], x)) return true;
        return false;
    }
    if (b->array >= 0 && e->array == b->array &&
        (e->kind != RG_C_INDEX || x->kind != RG_C_INDEX || rg__c_same(e, x, RG__C_UNCAST)))
        return true;
    if (b->array < 0 && e->kind == RG_C_VAR && e->array < 0 && e->var == b->var) return true;
    for (int i = 0; i < e->n; i++)
        if (mentions(e->kid[i], x)) return true;
    return false;
}

static bool is_call_of(const struct rg_cnode *e, const char *t)
{
    return e->text && strcmp(e->text, t) == 0;
}

/* Do conversions on the way to the operand keep all that it is? */
static bool keeps_bits(const struct rg_cnode *e, enum rg_scalar operand)
{
    for (; e->kind == RG_C_CAST; e = e->kid[0])
        if (rg__scalar_is_int(e->type) &&
            (rg_scalar_is_real(operand) || rg_scalar_bytes(e->type) < rg_scalar_bytes(operand) ||
             (e->type == RG_BOOL && operand != RG_BOOL)))
            return false;
    return true;
}

/* 0 or 1, whatever its type. */
static bool is_truth(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && e->type != RG_BOOL && rg__scalar_is_int(e->type)) e = e->kid[0];
    return (e->type == RG_BOOL && !e->pointer) || rg_c_relation(e->op) || rg_c_lazy(e->op) || e->op == RG_COP_NOT ||
           (e->kind == RG_C_INT && (e->ivalue == 0 || e->ivalue == 1));
}

/* A truth value is made one after each step: `b += 3; b -= 1` is not `b += 2`, and 1 ^ 2 is true where 0 ^ 2 is, too.
 */
static enum poly_op of_truths(enum poly_op op, const struct rg_cnode *x, const struct rg_cnode *by)
{
    if (x->type != RG_BOOL || x->pointer || op == POLY_OP_OR || op == POLY_OP_MIN || op == POLY_OP_MAX) return op;
    const bool stays = op == POLY_OP_AND || op == POLY_OP_XOR || op == POLY_OP_MUL;
    return stays && is_truth(by) ? op : POLY_OP_NONE;
}

static enum poly_op update_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *x);

static enum poly_op binary_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *x)
{
    static const struct {
        enum rg_c_op of;
        enum poly_op op;
    } ops[] = {{RG_COP_ADD, POLY_OP_ADD},  {RG_COP_SUB, POLY_OP_ADD}, {RG_COP_MUL, POLY_OP_MUL},
               {RG_COP_BAND, POLY_OP_AND}, {RG_COP_BOR, POLY_OP_OR},  {RG_COP_XOR, POLY_OP_XOR}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (e->op != ops[i].of) continue;
        for (int side = 0; side < 2; side++) {
            if (side == 1 && ops[i].of == RG_COP_SUB) break; /* e - x is no update */
            const struct rg_cnode *a = rg__c_uncast(e->kid[side], RG__C_CASTS), *b = e->kid[1 - side];
            if (mentions(b, x) || !keeps_bits(e->kid[side], x->type)) continue;
            if (of_truths(ops[i].op, x, b) == POLY_OP_NONE) continue;
            if (rg__c_same(a, x, RG__C_UNCAST)) return ops[i].op;
            if (a->kind == RG_C_BINARY && mentions(a, x) && update_op(t, a, x) == ops[i].op)
                return ops[i].op; /* (x + a) + b */
        }
    }
    return POLY_OP_NONE;
}

/* The part of a condition that asks for the scalar x, where the rest is a condition of its own: `ok && e < x` for
 * taking e, `!ok || x <= e` for keeping x. */
static const struct rg_cnode *asked_part(const struct rg_cnode *c, const struct rg_cnode *x, enum rg_c_op by)
{
    while (x->kind == RG_C_VAR && c->op == by) {
        bool left = mentions(c->kid[0], x), right = mentions(c->kid[1], x);
        if (left == right) return c;
        c = rg__c_uncast(c->kid[right], RG__C_CASTS);
    }
    return c;
}

/* `asked` is compared with x, and x becomes `taken`, the same but for conversions. Is what x becomes in x's order where
 * the comparison says? Not so of an integer that is cut to fit x, or that a comparison of other signs is about; then
 * the next element is compared with something else, and the order counts. The number of an iteration is small. */
static bool in_order(const struct rg_ctree *t, const struct rg_cnode *asked, const struct rg_cnode *taken,
                     const struct rg_cnode *compared, const struct rg_cnode *x)
{
    const struct rg_cnode *e = rg__c_uncast(taken, RG__C_CASTS);
    const enum rg_scalar from = e->type, to = x->type;
    if (!rg__scalar_is_int(from) || !rg__scalar_is_int(to)) return true;
    const size_t wide = rg_scalar_bytes(to), given = rg_scalar_bytes(from);
    const bool sign = rg_scalar_is_signed(to), of_given = rg_scalar_is_signed(from);
    if (!keeps_bits(compared, to) ||
        (sign && (!rg_scalar_is_signed(asked->type) || !rg_scalar_is_signed(compared->type))))
        return false;
    if (e->kind == RG_C_INT && e->ivalue >= 0 && (wide >= 8 || e->ivalue < (int64_t)1 << (8 * wide - sign)))
        return true;
    if (e->kind == RG_C_VAR && given > wide) return e->array < 0 && t->vars[e->var].kind == RG_CVAR_ITER;
    if (!keeps_bits(asked, from) || !keeps_bits(taken, from)) return false;
    return sign == of_given ? given <= wide : of_given ? given <= wide && wide >= 4 : given < wide;
}

/* c ? a : b with one arm x: a guarded update, or a minimum or maximum written out. */
static enum poly_op cond_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *x)
{
    const struct rg_cnode *c = rg__c_uncast(e->kid[0], RG__C_CASTS), *a = rg__c_uncast(e->kid[1], RG__C_CASTS),
                          *b = rg__c_uncast(e->kid[2], RG__C_CASTS);
    bool keep_a = rg__c_same(a, x, RG__C_UNCAST), keep_b = rg__c_same(b, x, RG__C_UNCAST);
    if (keep_a == keep_b || !keeps_bits(e->kid[keep_a ? 1 : 2], x->type)) return POLY_OP_NONE;
    const struct rg_cnode *other = keep_a ? b : a;
    if (!mentions(c, x)) return mentions(other, x) ? update_op(t, other, x) : POLY_OP_NONE;
    c = asked_part(c, x, keep_a ? RG_COP_OR : RG_COP_AND);
    if (mentions(other, x) || c->kind != RG_C_BINARY || c->n != 2) return POLY_OP_NONE;
    bool less = c->op == RG_COP_LT || c->op == RG_COP_LE, greater = c->op == RG_COP_GT || c->op == RG_COP_GE;
    if (!less && !greater) return POLY_OP_NONE;
    bool x_left = rg__c_same(c->kid[0], x, RG__C_UNCAST) && rg__c_same(c->kid[1], other, RG__C_UNCAST);
    bool x_right = rg__c_same(c->kid[1], x, RG__C_UNCAST) && rg__c_same(c->kid[0], other, RG__C_UNCAST);
    if (!x_left && !x_right) return POLY_OP_NONE;
    if (!in_order(t, c->kid[x_left], e->kid[keep_a ? 2 : 1], c->kid[!x_left], x)) return POLY_OP_NONE;
    /* the condition says `x is smaller`; then x is kept: minimum, else maximum */
    bool x_smaller = x_left ? less : greater;
    return x_smaller == keep_a ? POLY_OP_MIN : POLY_OP_MAX;
}

static enum poly_op update_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *x)
{
    if (!keeps_bits(e, x->type)) return POLY_OP_NONE;
    e = rg__c_uncast(e, RG__C_CASTS);
    if (rg_scalar_is_real(e->type) && !rg_scalar_is_real(x->type))
        return POLY_OP_NONE; /* rounds at every step: not associative */
    if (e->kind == RG_C_BINARY && e->n == 2) return binary_op(t, e, x);
    if (e->kind == RG_C_COND && e->n == 3) return cond_op(t, e, x);
    if (e->kind == RG_C_CALL && e->n == 2 && e->text) {
        static const char *const mins[] = {"fmin", "fminf", "min"}, *const maxs[] = {"fmax", "fmaxf", "max"};
        for (int i = 0; i < 3; i++) {
            int own = i == 0 && e->callee >= 0 ? t->helpers[e->callee].extreme : 0;
            bool lo = own < 0 || (is_call_of(e, mins[i]) && e->callee < 0),
                 hi = own > 0 || (is_call_of(e, maxs[i]) && e->callee < 0);
            for (int side = 0; (lo || hi) && side < 2; side++)
                if (rg__c_same(e->kid[side], x, RG__C_UNCAST) && !mentions(e->kid[1 - side], x))
                    return lo ? POLY_OP_MIN : POLY_OP_MAX;
        }
    }
    return POLY_OP_NONE;
}

enum poly_op rg__poly_update_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *x)
{
    return rg__poly_has_effects(e) || !mentions(e, x) ? POLY_OP_NONE : update_op(t, e, x);
}

enum poly_op rg__poly_statement_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode **target)
{
    if (e->kind == RG_C_INCDEC && e->n == 1) {
        *target = e->kid[0];
        return e->kid[0]->type == RG_BOOL ? POLY_OP_NONE : POLY_OP_ADD;
    }
    if (e->kind != RG_C_ASSIGN || e->n != 2) return POLY_OP_NONE;
    const struct rg_cnode *x = e->kid[0], *v = e->kid[1];
    *target = x;
    if (rg__poly_has_effects(v)) return POLY_OP_NONE;
    if (e->op == RG_COP_SET) return mentions(v, x) ? update_op(t, v, x) : POLY_OP_NONE;
    if (mentions(v, x) || (rg_scalar_is_real(v->type) && !rg_scalar_is_real(x->type))) return POLY_OP_NONE;
    const enum poly_op op = e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET ? POLY_OP_ADD
                            : e->op == RG_COP_MUL_SET                          ? POLY_OP_MUL
                            : e->op == RG_COP_BAND_SET                         ? POLY_OP_AND
                            : e->op == RG_COP_BOR_SET                          ? POLY_OP_OR
                            : e->op == RG_COP_XOR_SET                          ? POLY_OP_XOR
                                                                               : POLY_OP_NONE;
    return of_truths(op, x, v);
}

/* `x = 1`, under conditions, and `x = c ? 1 : x` (or the other way round): the value where c does not ask for x. */
static const struct rg_cnode *raised_to(const struct rg_cnode *e)
{
    if (e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0) return NULL;
    const struct rg_cnode *c = rg__c_uncast(e->kid[1], RG__C_CASTS), *x = e->kid[0];
    if (c->kind == RG_C_INT) return c;
    if (c->kind != RG_C_COND || c->n != 3 || mentions(c->kid[0], x) || rg__poly_has_effects(c->kid[0])) return NULL;
    bool keep_a = rg__c_same(c->kid[1], x, RG__C_UNCAST), keep_b = rg__c_same(c->kid[2], x, RG__C_UNCAST);
    const struct rg_cnode *k = rg__c_uncast(c->kid[keep_a ? 2 : 1], RG__C_CASTS);
    return keep_a != keep_b && k->kind == RG_C_INT ? k : NULL;
}

/* Every value the variable is ever given is a number; the least and the greatest of them. */
static bool only_numbers(const struct rg_cnode *n, int var, int64_t *least, int64_t *most)
{
    const struct rg_cnode *v = NULL;
    if (!n) return true;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var)
        v = n->n ? n->kid[0] : NULL;
    else if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) &&
             n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var) {
        if (n->op != RG_COP_SET) return false;
        v = raised_to(n) ? raised_to(n) : n->kid[1];
    } else if (n->kind == RG_C_VERBATIM) {
        return false;
    }
    if (v) {
        v = rg__c_uncast(v, RG__C_CASTS);
        if (v->kind != RG_C_INT) return false;
        *least = v->ivalue < *least ? v->ivalue : *least;
        *most = v->ivalue > *most ? v->ivalue : *most;
    }
    for (int i = 0; i < n->n; i++)
        if (!only_numbers(n->kid[i], var, least, most)) return false;
    return true;
}

/* if (differs) changed = 1;  with a `changed` that is 0 or 1: a maximum. */
static enum poly_op raised(const struct poly_scop *s, const struct rg_cnode *e, const struct rg_cnode **target)
{
    const struct rg_cnode *k = raised_to(e);
    int64_t least = INT64_MAX, most = INT64_MIN;
    if (!k || s->tree->vars[e->kid[0]->var].kind != RG_CVAR_LOCAL ||
        !only_numbers(s->tree->root, e->kid[0]->var, &least, &most))
        return POLY_OP_NONE;
    *target = e->kid[0];
    return k->ivalue == most ? POLY_OP_MAX : k->ivalue == least ? POLY_OP_MIN : POLY_OP_NONE;
}

void rg__poly_reductions_analyse(struct poly_scop *s)
{
    for (int i = 0; i < s->n_stmts; i++) {
        struct poly_stmt *st = &s->stmts[i];
        const struct rg_cnode *e = st->node;
        if (e->kind == RG_C_STMT && e->n) e = e->kid[0];
        const struct rg_cnode *x = NULL;
        enum poly_op op = rg__poly_statement_op(s->tree, e, &x);
        if (op == POLY_OP_NONE && st->node->kind == RG_C_STMT) op = raised(s, e, &x);
        if (op == POLY_OP_NONE || !x) continue;
        if (x->kind == RG_C_VAR && x->array < 0) {
            st->red_var = x->var;
            st->red_op = op;
        } else if (x->kind == RG_C_INDEX) { /* members share an array: their updates are left alone */
            st->red_array = x->array;
            st->red_op = op;
            for (int a = st->first_access; a < st->first_access + st->n_accesses; a++)
                s->accesses[a].target = s->accesses[a].array == x->array && s->accesses[a].node &&
                                        rg__c_same(s->accesses[a].node, x, RG__C_UNCAST);
        }
    }
    rg__poly_selects_analyse(s);
}

struct uses {
    int var, n;
};

static void count_use(void *arg, const struct rg_caccess *a)
{
    struct uses *u = arg;
    u->n += a->array < 0 && a->var == u->var;
}

enum poly_op rg__poly_reduced(const struct poly_scop *s, int loop, int array, int var)
{
    enum poly_op op = POLY_OP_NONE;
    const struct poly_loop *l = &s->loops[loop];
    int select = array < 0 ? rg__poly_select_of(s, var) : -1;
    if (select >= 0 && (rg__poly_scalar_private(s, loop, s->selects[select].best) ||
                        !rg__poly_scalar_private(s, loop, s->selects[select].flag)))
        select = -2; /* chosen by what each iteration has of its own */
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++) {
        const struct poly_stmt *st = &s->stmts[i];
        bool touches = false;
        if (select >= 0 && i == s->selects[select].test) continue;
        if (array >= 0) {
            for (int a = st->first_access; a < st->first_access + st->n_accesses; a++)
                touches = touches || (s->accesses[a].array == array && (s->accesses[a].target || s->accesses[a].write));
        } else {
            struct uses u = {var, 0};
            const struct rg_cnode *n = st->node;
            if (n->kind == RG_C_DECL) {
                if (n->n && n->kid[0]) rg_c_accesses(s->tree, n->kid[0], count_use, &u);
                u.n += n->var == var && n->array < 0;
            } else {
                rg_c_accesses(s->tree, n, count_use, &u);
            }
            touches = u.n > 0;
        }
        if (!touches) continue;
        bool mine = array >= 0 ? st->red_array == array : st->red_var == var;
        if (!mine || st->red_op == POLY_OP_NONE || (op != POLY_OP_NONE && op != st->red_op) ||
            (st->red_op == POLY_OP_WITH && select < 0))
            return POLY_OP_NONE;
        op = st->red_op;
    }
    return op;
}
