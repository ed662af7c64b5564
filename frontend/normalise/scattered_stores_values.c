/* What conditions say of elements, and of values that are stored to them: names by what they stand for, limits on
 * values, and whether a store changes how a condition comes out. */
#include "frontend/normalise/scattered_stores_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct rg_cnode rg__scatter_nought = {
    .kind = RG_C_INT, .type = RG_I32, .var = -1, .array = -1, .callee = -1, .struct_index = -1};

/* Without conversions that keep every value. */
static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && !e->kid[0]->pointer && !e->text) {
        enum rg_scalar to = e->type, from = e->kid[0]->type;
        if (to == from) {
            e = e->kid[0];
            continue;
        }
        if (!rg__scalar_is_int(to) || !rg__scalar_is_int(from) || to == RG_BOOL) break;
        bool sign = rg_scalar_is_signed(to), sign_from = rg_scalar_is_signed(from);
        size_t a = rg_scalar_bytes(to), b = rg_scalar_bytes(from);
        const struct rg_cnode *v = e->kid[0];
        bool literal = v->kind == RG_C_INT && v->ivalue >= 0 && v->ivalue < (a == 1 ? 128 : a == 2 ? 32768 : INT32_MAX);
        if (!literal && from != RG_BOOL && !(sign == sign_from ? a >= b : sign && a > b)) break;
        e = v;
    }
    return e;
}

const struct rg_cnode *rg__scatter_resolve(const struct rg__scatter *s, const struct rg_cnode *e)
{
    for (int step = 0; step < 16; step++) {
        e = plain(e);
        if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0 || e->var >= s->n_vars || !s->is[e->var]) break;
        e = s->is[e->var];
    }
    return e;
}

bool rg__scatter_same(const struct rg__scatter *s, const struct rg_cnode *a, const struct rg_cnode *b)
{
    a = rg__scatter_resolve(s, a);
    b = rg__scatter_resolve(s, b);
    if (a->kind == RG_C_INT && b->kind == RG_C_INT) return a->ivalue == b->ivalue;
    if (!rg__c_same_head(a, b) || (a->kind == RG_C_CAST && a->type != b->type) || a->kind == RG_C_VERBATIM)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!rg__scatter_same(s, a->kid[i], b->kid[i])) return false;
    return true;
}

/* Has it one value throughout an iteration, wherever it stands: no local that is set again, no element that is stored
 * to? fixed: and throughout the loop. */
bool rg__scatter_steady(const struct rg__scatter *s, const struct rg_cnode *e, bool fixed)
{
    e = rg__scatter_resolve(s, e);
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0 || e->var < 0 || e->var >= s->n_vars || (s->set[e->var] && !s->link[e->var])) return false;
        return !fixed || !s->own[e->var];
    }
    if (e->kind == RG_C_INDEX && (e->pointer || s->written[e->array])) return false;
    if (e->kind == RG_C_CALL || e->kind == RG_C_VERBATIM || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS)
        return false;
    for (int i = 0; i < e->n; i++)
        if (!rg__scatter_steady(s, e->kid[i], fixed)) return false;
    return true;
}

bool rg__scatter_one_place(const struct rg__scatter *s, const struct rg_cnode *a, const struct rg_cnode *b)
{
    for (int d = 0; d < a->n && a->n == b->n; d++)
        if (!rg__scatter_same(s, a->kid[d], b->kid[d]) || !rg__scatter_steady(s, a->kid[d], false)) return false;
    return a->n == b->n;
}

bool rg__scatter_led(const struct rg__scatter *s, const struct rg_cnode *e)
{
    const struct rg_cnode *r = rg__scatter_resolve(s, e);
    if (r->kind == RG_C_VAR && r->array < 0 && r->var >= 0 && r->var < s->n_vars && s->from_data[r->var]) return true;
    for (int i = 0; i < r->n; i++) {
        const struct rg_cnode *k = rg__scatter_resolve(s, r->kid[i]);
        if (k->kind == RG_C_INDEX || rg__scatter_led(s, k)) return true;
    }
    return false;
}

bool rg__scatter_keeps(enum rg_scalar to, double v)
{
    if (to == RG_F64) return true;
    if (to == RG_F32) return (double)(float)v == v;
    if (!rg__scalar_is_int(to) || v != floor(v)) return false;
    double span = ldexp(1, (int)rg_scalar_bytes(to) * 8), low = rg_scalar_is_signed(to) ? -span / 2 : 0;
    return to == RG_BOOL ? v == 0 || v == 1 : v >= low && v < low + span;
}

bool rg__scatter_number(const struct rg_cnode *e, double *v)
{
    if (e->op == RG_COP_NEG && rg__scatter_number(e->kid[0], v)) return *v = -*v, true;
    if (e->kind == RG_C_CAST && !e->pointer && !e->text)
        return rg__scatter_number(e->kid[0], v) && rg__scatter_keeps(e->type, *v);
    if (e->kind == RG_C_INT) return *v = (double)e->ivalue, fabs(*v) < 9e15;
    return e->kind == RG_C_REAL ? *v = e->rvalue, true : false;
}

/* ---- what a condition says of an element ---- */

/* `x op k` of a condition, x an element; false: it is of another form. */
bool rg__scatter_asked(const struct rg__scatter *s, const struct rg_cnode *c, const struct rg_cnode **x,
                       enum rg_c_op *op, const struct rg_cnode **k, int side)
{
    const struct rg_cnode *e = rg__scatter_resolve(s, c);
    if (e->kind == RG_C_INDEX && !e->pointer && side == 0) {
        *x = e;
        *op = RG_COP_NE;
        *k = &rg__scatter_nought;
        return true;
    }
    if (e->kind != RG_C_BINARY || !rg_c_relation(e->op)) return false;
    *x = rg__scatter_resolve(s, e->kid[side]);
    *k = e->kid[1 - side];
    *op = side ? rg_c_converse(e->op) : e->op;
    return (*x)->kind == RG_C_INDEX && !(*x)->pointer;
}

static bool relation_holds(enum rg_c_op op, double a, double b)
{
    return op == RG_COP_LT   ? a < b
           : op == RG_COP_LE ? a <= b
           : op == RG_COP_GT ? a > b
           : op == RG_COP_GE ? a >= b
           : op == RG_COP_EQ ? a == b
                             : a != b;
}

/* What holds of the element behind `to` where the effect stands. */
struct rg__limits rg__scatter_limits(const struct rg__scatter *s, const struct rg__effect *e)
{
    struct rg__limits l = {0};
    for (int i = 0; i < e->n; i++)
        for (int side = 0; side < 2; side++) {
            const struct rg_cnode *x, *k;
            enum rg_c_op op;
            if (!rg__scatter_asked(s, e->facts[i].c, &x, &op, &k, side) || x->array != e->to->array ||
                !rg__scatter_one_place(s, x, e->to) || !rg__scatter_steady(s, k, true))
                continue;
            if (!e->facts[i].holds && rg_scalar_is_real(x->type)) continue; /* it may have no order */
            l.op[l.n] = e->facts[i].holds ? op : rg_c_opposite(op);
            l.k[l.n++] = k;
            break;
        }
    return l;
}

/* Of numbers alone: every value that the limits leave answers like v. Between and beyond the numbers nothing changes,
 * so one value of each part stands for all of it. */
static bool same_of_numbers(const struct rg__limits *l, enum rg_c_op op, double k, double v)
{
    double at[RG__ROUNDS_FACTS + 2];
    int n = 0;
    at[n++] = k;
    at[n++] = v;
    for (int i = 0; i < l->n; i++)
        if (!rg__scatter_number(l->k[i], &at[n++])) return false;
    for (int i = 0; i <= 3 * n; i++) {
        double x = i == 3 * n ? NAN : at[i / 3];
        if (i < 3 * n && i % 3 != 1) {
            double next = i % 3 ? INFINITY : -INFINITY;
            for (int j = 0; j < n; j++)
                if (i % 3 ? at[j] > x && at[j] < next : at[j] < x && at[j] > next) next = at[j];
            x = isinf(next) ? (i % 3 ? x + 1 : x - 1) : (x + next) / 2;
        }
        bool left = true;
        for (int j = 0; j < l->n; j++) left = left && relation_holds(l->op[j], x, at[2 + j]);
        if (left && relation_holds(op, x, k) != relation_holds(op, v, k)) return false;
    }
    return true;
}

/* The least value that an integer local ever has: it starts with numbers and is only ever added to. */
static bool never_below(const struct rg_cnode *n, int var, int64_t *least)
{
    if (!n) return true;
    const struct rg_cnode *v = NULL;
    bool decl = n->kind == RG_C_DECL && n->array < 0 && n->var == var;
    bool to = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) &&
              n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var;
    if (n->kind == RG_C_VERBATIM || (to && n->op == RG_COP_ADDRESS)) return false;
    if (to && n->kind == RG_C_INCDEC) return rg_c_increments(n->op);
    if (to && n->op != RG_COP_SET) {
        const struct rg_cnode *by = plain(n->kid[1]);
        return n->op == RG_COP_ADD_SET && by->kind == RG_C_INT && by->ivalue >= 0;
    }
    if (decl) v = n->n ? n->kid[0] : NULL;
    if (to) v = n->kid[1];
    const struct rg_cnode *arms[2] = {v ? plain(v) : NULL, NULL};
    if (arms[0] && arms[0]->kind == RG_C_COND) {
        const struct rg_cnode *c = arms[0];
        arms[0] = plain(c->kid[1]);
        arms[1] = plain(c->kid[2]);
    }
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *a = arms[i];
        if (!a) continue;
        if (a->op == RG_COP_ADD && plain(a->kid[1])->kind == RG_C_INT && plain(a->kid[1])->ivalue >= 0)
            a = plain(a->kid[0]);
        if (a->kind == RG_C_VAR && a->array < 0 && a->var == var) continue;
        if (a->kind != RG_C_INT) return false;
        *least = a->ivalue < *least ? a->ivalue : *least;
    }
    for (int i = 0; i < n->n; i++)
        if (!never_below(n->kid[i], var, least)) return false;
    return true;
}

void rg__scatter_know(const struct rg__scatter *s, struct rg__range *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && s->t->vars[e->var].kind == RG_CVAR_LOCAL &&
        rg__scalar_is_int(s->t->vars[e->var].type)) {
        int64_t least = INT64_MAX;
        if (never_below(s->t->root, e->var, &least) && least < INT64_MAX)
            rg__range_assume(r, rg__c_binary(s->t, RG_COP_GE, rg__c_var(s->t, e->var), rg__c_int(s->t, least)), true);
    }
    for (int i = 0; i < e->n; i++) rg__scatter_know(s, r, e->kid[i]);
}

/* No integer is both `op1 a` and `op2 b`. */
static bool exclude(struct rg__range *r, enum rg_c_op op1, const struct rg__poly *a, enum rg_c_op op2,
                    const struct rg__poly *b)
{
    if (op1 == RG_COP_NE || op2 == RG_COP_NE) {
        enum rg_c_op other = op1 == RG_COP_NE ? op2 : op1;
        return other == RG_COP_EQ && rg__range_decide(r, RG_COP_EQ, a, b) == 1;
    }
    bool low1 = op1 == RG_COP_GT || op1 == RG_COP_GE || op1 == RG_COP_EQ,
         high1 = op1 == RG_COP_LT || op1 == RG_COP_LE || op1 == RG_COP_EQ,
         low2 = op2 == RG_COP_GT || op2 == RG_COP_GE || op2 == RG_COP_EQ,
         high2 = op2 == RG_COP_LT || op2 == RG_COP_LE || op2 == RG_COP_EQ;
    /* the least of one is above the greatest of the other: by how much a must be above b, or b above a */
    int64_t strict = (op1 == RG_COP_GT || op1 == RG_COP_LT) + (op2 == RG_COP_GT || op2 == RG_COP_LT);
    return (low1 && high2 && rg__range_above(r, a, b, 1 - strict)) ||
           (low2 && high1 && rg__range_above(r, b, a, 1 - strict));
}

/* Is the element, once stored to, the very integer that the value says? */
bool rg__scatter_fits(const struct rg__scatter *s, const struct rg__effect *e)
{
    enum rg_scalar type = s->t->arrays[e->to->array].elem;
    const struct rg_cnode *v = rg__scatter_resolve(s, e->value);
    double n;
    if (rg__scatter_number(v, &n)) return rg__scatter_keeps(type, n);
    return rg__scalar_is_int(v->type) && rg_scalar_is_signed(v->type) && rg_scalar_is_signed(type) &&
           rg_scalar_bytes(v->type) <= rg_scalar_bytes(type);
}

/* Does what the read asks come out the same before and after the store, wherever both mean one element? */
bool rg__scatter_unmoved(const struct rg__scatter *s, const struct rg__element *x, const struct rg__effect *e)
{
    if (!x->compared || s->kind[x->node->array] != RG__SCATTER_ONE ||
        !rg__scatter_steady(s, x->with ? x->with : &rg__scatter_nought, true))
        return false;
    struct rg__limits l = rg__scatter_limits(s, e);
    const struct rg_cnode *k = x->with ? x->with : &rg__scatter_nought;
    enum rg_scalar type = s->t->arrays[x->node->array].elem;
    double kn, vn;
    if (rg__scatter_number(k, &kn) && rg__scatter_number(e->value, &vn) && rg__scatter_keeps(type, vn) &&
        same_of_numbers(&l, x->op, kn, vn))
        return true;
    if (!rg__scalar_is_int(type) || (!rg_scalar_is_signed(type) && rg_scalar_bytes(type) >= 4)) return false;
    if (!rg__scatter_fits(s, e)) return false;
    struct rg__range *r = rg_xcalloc(1, sizeof *r);
    rg__range_init(r, s->t, s->given);
    for (int i = 0; i < s->n_around; i++) r->loops[r->n_loops++] = s->around[i];
    const struct rg_cnode *value = rg__scatter_resolve(s, e->value);
    rg__scatter_know(s, r, value);
    rg__scatter_know(s, r, k);
    for (int i = 0; i < l.n; i++) rg__scatter_know(s, r, l.k[i]);
    struct rg__poly pk = rg__poly_of(r, rg__scatter_resolve(s, k)), pv = rg__poly_of(r, value);
    int then = rg__range_decide(r, x->op, &pv, &pk);
    bool ok = false;
    enum rg_c_op other = then == 1 ? rg_c_opposite(x->op) : x->op;
    for (int i = 0; i < l.n && then >= 0 && !ok; i++) {
        struct rg__poly b = rg__poly_of(r, rg__scatter_resolve(s, l.k[i]));
        ok = exclude(r, l.op[i], &b, other, &pk);
    }
    free(r);
    return ok;
}
