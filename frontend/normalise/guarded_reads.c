/* Reads that data lead, in iterations of a search that the C may never have come to: nobody knows what the data are
 * there, so each is asked whether its subscripts are inside the array, and is 0 where they are not. Where the C does
 * come, they are. How many elements arrays have is known once their extents are: until then the question stands in the
 * tree as a call, rg_within(a[x[i]]), and dimensions may be given to that access as to any other. */
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>
#include <string.h>

static const char within_name[] = "rg_within";

struct reads { /* of an iteration */
    struct rg_ctree *t;
    int n_vars;
    bool *data; /* [var] an element of an array decides what it is */
    bool other; /* something that may not end, or reads memory through a pointer */
};

static bool from_data(const struct reads *r, const struct rg_cnode *e)
{
    return rg__search_from_data(r->n_vars, e, r->data);
}

/* All that is set below is as data say. */
static bool mark(struct reads *r, const struct rg_cnode *n)
{
    bool more = false;
    if (!n) return false;
    int v = n->kind == RG_C_DECL && n->array < 0 ? n->var : rg__search_sets(n);
    if (v >= 0 && v < r->n_vars && !r->data[v]) r->data[v] = more = true;
    for (int i = 0; i < n->n; i++) more |= mark(r, n->kid[i]);
    return more;
}

/* In a loop whose end data decide, counters go as far as these say. */
static bool mark_ends(struct reads *r, const struct rg_cnode *n)
{
    bool more = false;
    if (!n) return false;
    if (n->kind == RG_C_FOR && from_data(r, n->kid[1])) more |= mark(r, n);
    for (int i = 0; i < n->n; i++) more |= mark_ends(r, n->kid[i]);
    return more;
}

/* Does the loop's counter become 0 in a few rounds, whatever else ends it? for (m = top; m && ..; m >>= 1) */
static bool shifts_away(const struct rg_ctree *t, const struct rg_cnode *f, const struct rg_cnode *part)
{
    const struct rg_cnode *e = rg__c_uncast(part, RG__C_CASTS), *step = f->kid[2];
    if (step && step->kind == RG_C_STMT) step = step->kid[0];
    if (!step || step->kind != RG_C_ASSIGN || (step->op != RG_COP_SHR_SET && step->op != RG_COP_SHL_SET)) return false;
    const struct rg_cnode *by = rg__c_uncast(step->kid[1], RG__C_CASTS);
    const int v = rg__search_sets(step);
    if (v < 0 || by->kind != RG_C_INT || by->ivalue < 1 || by->ivalue > 31 || rg__c_writes_var(f->kid[3], v))
        return false;
    bool left = step->op == RG_COP_SHL_SET, positive = !rg_scalar_is_signed(t->vars[v].type);
    if (e->op == RG_COP_NE || e->op == RG_COP_GT) {
        const struct rg_cnode *zero = rg__c_uncast(e->kid[1], RG__C_CASTS);
        if (zero->kind != RG_C_INT || zero->ivalue != 0) return false;
        positive |= e->op == RG_COP_GT;
        e = rg__c_uncast(e->kid[0], RG__C_CASTS);
    }
    return e->kind == RG_C_VAR && e->array < 0 && e->var == v && (left || positive);
}

/* Some part of the condition ends the loop, whatever the data in the others say. */
static bool ends(struct rg_ctree *t, struct rg_cnode *f)
{
    struct rg_cnode *parts[RG__SEARCH_PARTS];
    struct rg__counted h;
    int n = 0;
    rg__search_conjuncts(f->kid[1], parts, &n);
    for (int i = 0; i < n; i++)
        if (rg__counted(t, f, parts[i], &h) || shifts_away(t, f, parts[i])) return true;
    return false;
}

static void look_for_other(struct reads *r, struct rg_cnode *n)
{
    if (!n || r->other) return;
    r->other = n->op == RG_COP_DEREF || n->kind == RG_C_WHILE || n->kind == RG_C_DO ||
               (n->kind == RG_C_CALL && n->callee >= 0) || (n->kind == RG_C_INDEX && n->pointer);
    if (n->kind == RG_C_FOR) r->other |= !ends(r->t, n);
    for (int i = 0; i < n->n; i++) look_for_other(r, n->kid[i]);
}

static struct rg_cnode *guarded(struct rg_ctree *t, struct rg_cnode *read, const struct rg_cnode *element)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3), *ask = rg_cnode_new(t, RG_C_CALL, 1);
    ask->text = within_name;
    ask->type = RG_I32;
    ask->kid[0] = rg__c_copy(t, element);
    x->kid[0] = rg__c_binary(t, RG_COP_NE, ask, rg__c_int(t, 0));
    x->kid[1] = read;
    x->kid[2] = rg__c_cast(t, rg__c_int(t, 0), read->type);
    x->type = read->type;
    x->line = ask->line = read->line;
    x->column = ask->column = read->column;
    return x;
}

static bool is_question(const struct rg_cnode *n)
{
    return n->kind == RG_C_CALL && n->callee < 0 && n->text && !strcmp(n->text, within_name);
}

static struct rg_cnode *base(struct rg_cnode *n)
{
    while (n->kind == RG_C_MEMBER) n = n->kid[0];
    return n;
}

/* The expression with its reads guarded, innermost first. */
static struct rg_cnode *guard(struct reads *r, struct rg_cnode *n)
{
    if (!n) return NULL;
    if (n->kind == RG_C_COND && n->kid[0]->op == RG_COP_NE && is_question(n->kid[0]->kid[0])) {
        /* of a loop inside: its subscripts may be led by what that took for given */
        struct rg_cnode *both[2] = {n->kid[0]->kid[0]->kid[0], base(n->kid[1])};
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < both[k]->n; i++) both[k]->kid[i] = guard(r, both[k]->kid[i]);
        return n;
    }
    struct rg_cnode *element = base(n);
    const bool read = element->kind == RG_C_INDEX;
    bool led = false;
    for (int i = 0; i < element->n && read; i++) led = led || from_data(r, element->kid[i]);
    const bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (sets && base(n->kid[0])->kind == RG_C_INDEX) { /* of an iteration's own array: there is no harmless element */
        struct rg_cnode *to = base(n->kid[0]);
        for (int i = 0; i < to->n; i++) r->other = r->other || from_data(r, to->kid[i]);
    }
    if (r->other) return n;
    for (int i = 0; i < element->n; i++) element->kid[i] = guard(r, element->kid[i]);
    if (!led) return n;
    if (n->type == RG_STRUCT || n->pointer || element->n != r->t->arrays[element->array].n_dims) r->other = true;
    return r->other ? n : guarded(r->t, n, element);
}

bool rg__search_guard(struct rg_ctree *t, int n_vars, const struct rg_cnode *body, struct rg_cnode *slice)
{
    struct reads r = {.t = t, .n_vars = n_vars, .data = rg_xcalloc((size_t)n_vars + 1, sizeof(bool))};
    look_for_other(&r, slice);
    while (!r.other && (rg__search_spread_data(n_vars, body, r.data) || mark_ends(&r, body))) {
    }
    if (!r.other) guard(&r, slice);
    free(r.data);
    return !r.other;
}

/* ---- once extents are known ---- */

/* All subscripts are asked: data may also be what bounds a counter. */
static struct rg_cnode *answer(struct rg_ctree *t, const struct rg_cnode *element)
{
    struct rg_cnode *all = NULL;
    for (int d = 0; element->kind == RG_C_INDEX && d < element->n; d++) {
        const struct rg_expr *extent = t->arrays[element->array].dims ? t->arrays[element->array].dims[d] : NULL;
        struct rg_cnode *end = extent ? rg__c_from_expr(t, extent) : NULL;
        if (!end) continue;
        struct rg_cnode *x = rg__c_cast(t, rg__c_copy(t, element->kid[d]), RG_LLONG),
                        *low = rg__c_binary(t, RG_COP_GE, x, rg__c_cast(t, rg__c_int(t, 0), RG_LLONG)),
                        *high = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, x), rg__c_cast(t, end, RG_LLONG)),
                        *both = rg__c_binary(t, RG_COP_AND, low, high);
        all = all ? rg__c_binary(t, RG_COP_AND, all, both) : both;
    }
    return all ? all : rg__c_int(t, 1);
}

static struct rg_cnode *resolve(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n) return NULL;
    for (int i = 0; i < n->n; i++) n->kid[i] = resolve(t, n->kid[i]);
    return is_question(n) ? answer(t, n->kid[0]) : n;
}

void rg__canon_guards(struct rg_ctree *t)
{
    resolve(t, t->root);
}
