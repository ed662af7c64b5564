/* Scatter: array elements that iterations update through subscripts nobody can tell apart (`bins[x[i]]++`). The order
 * of associative, commutative updates is free, so where an array is touched by nothing else in a loop, their
 * dependences may be dropped, provided that each update is made atomic. */
#include "poly/analysis/scop.h"
#include <string.h>

/* ---- which accesses are updates ---- */

/* The first field taken of the element `x`, somewhere below n; NULL: none, or its address is. */
static const struct rg_cnode *field_of(const struct rg_cnode *n, const struct rg_cnode *x)
{
    if (!n) return NULL;
    if (n->kind == RG_C_MEMBER && n->n && n->kid[0] == x) return n;
    for (int i = 0; i < n->n; i++) {
        bool address = n->op == RG_COP_ADDRESS;
        const struct rg_cnode *f = address || n->pointer ? NULL : field_of(n->kid[i], x);
        if (f) return f;
    }
    return NULL;
}

/* Has one value wherever it stands in some loop around it: what two of its iterations store of it is the same. */
static bool may_be_fixed(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT || e->kind == RG_C_REAL) return true;
    if (e->kind == RG_C_VAR) return e->array < 0 && e->var >= 0 && !s->var_hidden[e->var];
    if (e->kind != RG_C_CAST && e->kind != RG_C_BINARY && e->kind != RG_C_UNARY) return false;
    if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
    for (int i = 0; i < e->n; i++)
        if (!may_be_fixed(s, e->kid[i])) return false;
    return true;
}

/* The element, somewhere below n, with all members that are taken of it: st[k].z.lo of st[k]. */
static const struct rg_cnode *place_of(const struct rg_cnode *n, const struct rg_cnode *element)
{
    const struct rg_cnode *base = n;
    while (base->kind == RG_C_MEMBER && base->n) base = base->kid[0];
    if (base == element) return n;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && rg__c_contains(n->kid[i], element)) return place_of(n->kid[i], element);
    return element;
}

static void mark(struct poly_scop *s, const struct poly_stmt *st, const struct rg_cnode *e)
{
    const struct rg_cnode *x = NULL, *value = NULL;
    enum poly_op op = rg__poly_statement_op(s->tree, e, &x);
    if (op == POLY_OP_NONE && e->op == RG_COP_SET && may_be_fixed(s, e->kid[1])) {
        op = POLY_OP_SAME;
        x = e->kid[0];
        value = e->kid[1];
    }
    const struct rg_cnode *index = x;
    while (index && index->kind == RG_C_MEMBER && index->n) index = index->kid[0];
    if (op == POLY_OP_NONE || !index || index->kind != RG_C_INDEX || x->pointer) return;
    for (int i = st->first_access; i < st->first_access + st->n_accesses; i++) {
        struct poly_access *a = &s->accesses[i];
        if (a->node == index || (a->node && a->array == index->array && rg__c_contains(e, a->node) &&
                                 rg__c_same(a->node, index, RG__C_UNCAST) && op != POLY_OP_SAME &&
                                 rg__c_same(place_of(e, a->node), x, RG__C_UNCAST))) {
            a->update = op;
            a->value = value;
            a->update_type = x->type;
        }
    }
}

/* Statements of the code, in opaque parts too; what stands elsewhere (a condition, an increment) is no update. */
static void mark_all(struct poly_scop *s, const struct poly_stmt *st, const struct rg_cnode *n)
{
    if (!n) return;
    switch (n->kind) {
    case RG_C_STMT:
        mark(s, st, n->kid[0]);
        return;
    case RG_C_BLOCK:
    case RG_C_OPAQUE:
        for (int i = 0; i < n->n; i++) mark_all(s, st, n->kid[i]);
        return;
    case RG_C_LOOP:
        mark_all(s, st, n->kid[2]);
        return;
    case RG_C_FOR:
        mark_all(s, st, n->kid[3]);
        return;
    case RG_C_IF:
    case RG_C_SWITCH:
    case RG_C_CASE:
        for (int i = 1; i < n->n; i++) mark_all(s, st, n->kid[i]);
        return;
    case RG_C_WHILE:
        mark_all(s, st, n->kid[1]);
        return;
    case RG_C_DO:
        mark_all(s, st, n->kid[0]);
        return;
    default:
        return;
    }
}

/* "z.lo" of st[k].z.lo */
static const char *path_of(struct poly_scop *s, const struct rg_cnode *place)
{
    const struct rg_cnode *in = place->kid[0];
    return in->kind != RG_C_MEMBER ? place->text : rg_arena_printf(&s->arena, "%s.%s", path_of(s, in), place->text);
}

bool rg__poly_members_meet(const struct poly_access *a, const struct poly_access *b)
{
    if (!a->member || !b->member) return true;
    const size_t la = strlen(a->member), lb = strlen(b->member), n = la < lb ? la : lb;
    const char *longer = la < lb ? b->member : a->member;
    return !strncmp(a->member, b->member, n) && (la == lb || longer[n] == '.');
}

void rg__poly_updates_analyse(struct poly_scop *s)
{
    for (int i = 0; i < s->n_stmts; i++) {
        const struct poly_stmt *st = &s->stmts[i];
        for (int a = st->first_access; a < st->first_access + st->n_accesses; a++) {
            struct poly_access *x = &s->accesses[a];
            if (x->node && x->node->kind == RG_C_INDEX && s->tree->arrays[x->array].elem == RG_STRUCT)
                x->part = field_of(st->node, x->node);
            x->member = x->part ? path_of(s, place_of(st->node, x->node)) : NULL;
        }
        mark_all(s, st, st->node);
    }
}

/* ---- which loops may use them ---- */

static bool has_atomic(enum poly_op op, enum rg_scalar t)
{
    if (op == POLY_OP_SAME) return t != RG_STRUCT;
    return op != POLY_OP_NONE && t != RG_STRUCT && rg_scalar_bytes(t) >= 4;
}

static bool same_place(const struct poly_access *a, const struct poly_access *b)
{
    return a->array == b->array && rg__poly_members_meet(a, b);
}

/* Of the loops around it, what may differ between two iterations that are compared: NULL means that nothing does. */
struct held {
    const int *loops;
    int n;
};

static bool differs(const struct poly_scop *s, int loop, const struct held *held, int around)
{
    if (!held || around == loop || !rg__poly_loop_inside(s, loop, around)) return false;
    for (int i = 0; i < held->n; i++)
        if (held->loops[i] == around) return false;
    return true;
}

/* Is the expression's value one and the same in all iterations of the loop, and of those around it that are run in a
 * thread, too? */
static bool invariant(const struct poly_scop *s, int loop, const struct held *held, const struct rg_cnode *e)
{
    int region = loop;
    for (int p = s->loops[loop].parent; p >= 0; p = s->loops[p].parent)
        if (differs(s, loop, held, p)) region = p;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0) {
        bool counts = false;
        for (int l = 0; l < s->n_loops; l++) { /* the parts of a loop that was split have one counter */
            if (s->loops[l].var != e->var) continue;
            if (rg__poly_loop_inside(s, l, loop) || differs(s, loop, held, l)) return false;
            counts = true;
        }
        if (counts) return true;
        return !s->written[region][e->var] && !s->var_hidden[e->var];
    }
    if (e->kind == RG_C_INDEX || e->kind == RG_C_CALL || e->kind == RG_C_VERBATIM) {
        if (e->kind != RG_C_INDEX) return false;
        const struct poly_loop *l = &s->loops[region];
        for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
            for (int k = 0; k < s->stmts[i].n_accesses; k++) {
                const struct poly_access *x = &s->accesses[s->stmts[i].first_access + k];
                if (x->array == e->array && x->write) return false;
            }
    }
    for (int i = 0; i < e->n; i++)
        if (!invariant(s, loop, held, e->kid[i])) return false;
    return true;
}

enum poly_op rg__poly_scattered(const struct poly_scop *s, int loop, const int *fixed, int n_fixed,
                                const struct poly_access *a)
{
    const struct held held = {fixed, n_fixed};
    const struct poly_loop *l = &s->loops[loop];
    const struct poly_access *first = NULL;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        for (int k = 0; k < s->stmts[i].n_accesses; k++) {
            const struct poly_access *x = &s->accesses[s->stmts[i].first_access + k];
            if (!x->write || !same_place(a, x)) continue;
            if (!has_atomic(x->update, x->update_type)) return POLY_OP_NONE;
            if (x->value && !invariant(s, loop, fixed ? &held : NULL, x->value)) return POLY_OP_NONE;
            if (first && (first->update != x->update || first->update_type != x->update_type ||
                          (first->value && !rg__c_same(first->value, x->value, RG__C_UNCAST))))
                return POLY_OP_NONE;
            first = first ? first : x;
        }
    return first ? first->update : POLY_OP_NONE;
}

bool rg__poly_scattered_member(const struct poly_scop *s, int loop, const int *fixed, int n_fixed,
                               const struct poly_access *a)
{
    return a->member && a->update != POLY_OP_NONE && a->update != POLY_OP_SAME &&
           rg__poly_scattered(s, loop, fixed, n_fixed, a) != POLY_OP_NONE;
}

bool rg__poly_needs_atomic(struct poly_scop *s, int loop, const int *fixed, int n_fixed, int array)
{
    return rg__poly_conflict(s, loop, fixed, n_fixed, POLY_ONE_ARRAY + array).found;
}

static bool one_place(const struct poly_scop *s, int loop, const struct poly_access *a)
{
    if (a->whole || a->varies) return false;
    for (int d = 0; d < a->node->n; d++)
        if (!invariant(s, loop, NULL, a->node->kid[d])) return false;
    const struct rg_cnode *p = place_of(s->stmts[a->stmt].node, a->node);
    for (; p->kind == RG_C_MEMBER && p->n; p = p->kid[0]) /* h->bins[x[i]] */
        for (int d = 1; d < p->n; d++)
            if (!invariant(s, loop, NULL, p->kid[d])) return false;
    return true;
}

bool rg__poly_atomic_loop(struct poly_scop *s, int loop, const int *fixed, int n_fixed, bool *cheap)
{
    const struct poly_loop *l = &s->loops[loop];
    if (rg__poly_conflict(s, loop, fixed, n_fixed, POLY_ATOMICS).found) return false;
    bool spread = false, opaque = false, updates = false;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        for (int k = 0; k < s->stmts[i].n_accesses; k++) {
            const struct poly_access *x = &s->accesses[s->stmts[i].first_access + k];
            bool flag = x->update == POLY_OP_SAME; /* many may store one value in one place */
            if (!x->write || !x->update || (spread && opaque) || (!flag && one_place(s, loop, x)) ||
                !rg__poly_needs_atomic(s, loop, fixed, n_fixed, x->array))
                continue;
            spread = true;
            opaque = opaque || !x->affine;
            updates = updates || !flag;
        }
    *cheap = opaque || !updates;
    return spread;
}
