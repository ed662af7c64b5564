/* Integers that say by how much something is shifted: `x >> shift[u]`, `1ll << (30 + s)`, in the function or in a
 * helper that is given them. A count below 0, or of a value's width and above, means nothing in C, and machines differ
 * in what they make of it: inputs that are drawn stay where the shift is defined. And multipliers in fixed point,
 * `((int64_t)acc * mult[u]) >> (31 + s)`: of small ones nothing would be left. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"

enum { DEEPEST = 4, MOST_MORE = 64, LEAST_FRACTION = 12, MOST_FRACTION = 31 };

struct counts {
    const struct rg__load *l;
    const struct rg_ctree *t;
    const struct rg__writes *w; /* of what is looked at */
    int depth;
    int64_t fraction; /* bits that are shifted out of what is wide enough for a product; 0 */
    rg__shift_count_fn *found;
    void *arg;
};

struct of_param { /* what a helper asks of one of its parameters */
    const struct counts *from;
    int var;
    const struct rg_cnode *given;
};

/* What of the count changes, behind numbers that are added to it or that it is taken from: *lo and *hi are then its. */
static const struct rg_cnode *without_numbers(const struct counts *x, const struct rg_cnode *e, int64_t *lo,
                                              int64_t *hi)
{
    for (;;) {
        int64_t k;
        e = rg__defined_as(x->w, rg__c_uncast(e, RG__C_INT_CASTS));
        if (e->kind == RG_C_UNARY && e->op == RG_COP_NEG) {
            const int64_t most = -*lo;
            *lo = -*hi, *hi = most;
            e = e->kid[0];
            continue;
        }
        if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB)) return e;
        const int number = rg__c_number(e->kid[1], &k) ? 1 : rg__c_number(e->kid[0], &k) ? 0 : -1;
        if (number < 0 || k < -MOST_MORE || k > MOST_MORE) return e;
        if (e->op == RG_COP_ADD) {
            *lo -= k, *hi -= k;
        } else if (number == 1) {
            *lo += k, *hi += k;
        } else {
            const int64_t most = k - *lo;
            *lo = k - *hi, *hi = most;
        }
        e = e->kid[1 - number];
    }
}

static void given_parameter(void *arg, const struct rg_cnode *e, bool factor, int64_t lo, int64_t hi)
{
    const struct of_param *q = arg;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == q->var) q->from->found(q->from->arg, q->given, factor, lo, hi);
}

static void look(struct counts *x, struct rg_cnode *root);

static void inside_helper(const struct counts *x, const struct rg_cnode *call)
{
    const struct rg__helper_tree *h = rg__helper_tree(&x->l->b, x->t->helpers[call->callee].name);
    if (!h || x->depth == DEEPEST || h->n_params != call->n) return;
    for (int i = 0; i < call->n; i++) {
        if (h->params[i].var < 0 || !rg__scalar_is_int(call->kid[i]->type) || call->kid[i]->pointer) continue;
        struct of_param q = {x, h->params[i].var, rg__defined_as(x->w, call->kid[i])};
        struct counts in = {.l = x->l, .t = h->t, .depth = x->depth + 1, .found = given_parameter, .arg = &q};
        look(&in, h->body);
    }
}

/* Is it shifted? *bits: of its type, as integers are promoted. */
static bool shifts(const struct rg_cnode *n, bool *left, int *bits)
{
    *left = n->op == RG_COP_SHL || n->op == RG_COP_SHL_SET;
    const bool right = n->op == RG_COP_SHR || n->op == RG_COP_SHR_SET;
    if ((!*left && !right) || (n->kind != RG_C_BINARY && n->kind != RG_C_ASSIGN)) return false;
    *bits = rg_scalar_bytes(n->kid[0]->type) > 4 ? 64 : 32;
    return rg__scalar_is_int(n->kid[0]->type);
}

static bool note_fraction(void *arg, struct rg_cnode *n)
{
    struct counts *x = arg;
    bool left;
    int bits;
    int64_t k = 0, lo = 0, hi = 63;
    if (!shifts(n, &left, &bits) || left || bits < 64) return true;
    if (!rg__c_number(n->kid[1], &k) && without_numbers(x, n->kid[1], &lo, &hi)) k = lo == -(63 - hi) ? 63 - hi : 0;
    if (k > x->fraction) x->fraction = k < MOST_FRACTION ? k : MOST_FRACTION;
    return true;
}

static bool narrow(const struct rg_cnode *e)
{
    return rg__scalar_is_int(e->type) && !e->pointer && rg_scalar_bytes(e->type) <= 4;
}

/* A product of two that are narrow enough for it to hold: of two of memory the second is the multiplier, so that sums
 * of products do not overflow. */
static void note_factors(const struct counts *x, const struct rg_cnode *n)
{
    if (n->kind != RG_C_BINARY || n->op != RG_COP_MUL || x->fraction < LEAST_FRACTION) return;
    if (!rg__scalar_is_int(n->type) || rg_scalar_bytes(n->type) < 8) return;
    const struct rg_cnode *f[2];
    for (int i = 0; i < 2; i++) {
        if (!narrow(rg__c_uncast(n->kid[i], RG__C_INT_CASTS))) return;
        f[i] = rg__defined_as(x->w, n->kid[i]);
        if (f[i]->kind == RG_C_INT) return; /* a hash, most likely */
    }
    const bool both = (f[0]->kind == RG_C_INDEX || f[0]->kind == RG_C_MEMBER) &&
                      (f[1]->kind == RG_C_INDEX || f[1]->kind == RG_C_MEMBER);
    for (int i = both; i < 2; i++) x->found(x->arg, f[i], true, 0, ((int64_t)1 << x->fraction) - 1);
}

static bool note_count(void *arg, struct rg_cnode *n)
{
    const struct counts *x = arg;
    bool left;
    int bits;
    if (n->kind == RG_C_CALL && n->callee >= 0) inside_helper(x, n);
    note_factors(x, n);
    if (!shifts(n, &left, &bits)) return true;
    const enum rg_scalar type = n->kid[0]->type;
    const bool sign = rg_scalar_bytes(type) < 4 || rg_scalar_is_signed(type);
    int64_t lo = 0, hi = bits - 1 - (left && sign); /* the sign's bit is none to shift into */
    const struct rg_cnode *e = without_numbers(x, n->kid[1], &lo, &hi);
    if (e->kind != RG_C_INT) x->found(x->arg, e, false, lo, hi);
    return true;
}

static void look(struct counts *x, struct rg_cnode *root)
{
    struct rg_ctree own = *x->t;
    struct rg__writes w;
    own.root = root;
    rg__writes_gather(&w, &own);
    x->w = &w;
    rg__c_walk(root, note_fraction, x);
    rg__c_walk(root, note_count, x);
    rg__writes_release(&w);
}

void rg__shift_counts(const struct rg__load *l, rg__shift_count_fn *found, void *arg)
{
    struct counts x = {.l = l, .t = l->t, .found = found, .arg = arg};
    look(&x, l->t->root);
}
