/* What makes counters plain scalars that move by steps alone: elements and members of structures (`m->nnz++`), steps
 * inside of what is stored (`col[m->nnz++] = j`), and lists of limited length (`if (n < most) { out[n] = i; n++; }`),
 * of which all that is found is counted, as capped_lists.c does it in loops without others inside. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/filled_lists.h"
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4, MOST_ROOMS = 16 };

/* ---- elements and members ---- */

struct element { /* a[0], a[0].n */
    const struct rg_ctree *t;
    int array;
    const char *field; /* NULL: none */
    const struct rg_cnode *node;
    bool other; /* the array is named in other ways, too */
};

static const struct rg_cnode *index_of(const struct rg_cnode *n)
{
    return n->kind == RG_C_MEMBER && n->n == 1 ? n->kid[0] : n;
}

static void look(struct element *e, const struct rg_cnode *n)
{
    if (!n || e->other) return;
    const struct rg_cnode *x = index_of(n);
    if (x->kind != RG_C_INDEX || x->array != e->array) {
        e->other = n->array == e->array && n->kind != RG_C_INDEX;
        for (int i = 0; i < n->n; i++) look(e, n->kid[i]);
        return;
    }
    e->other = x->pointer || n->pointer || x->n != e->t->arrays[e->array].n_dims || (x == n) != (e->field == NULL);
    for (int d = 0; d < x->n; d++) e->other = e->other || !rg__c_of_params(e->t, x->kid[d]);
    e->other = e->other || (e->node && !rg__c_same(index_of(e->node), x, RG__C_UNCAST));
    if (e->other) return; /* n need not be a member then, which has a text */
    if (!e->node && (!e->field || !strcmp(n->text, e->field))) e->node = n;
}

/* An element, or a member of one, that is stepped. */
static const struct rg_cnode *stepped(const struct rg_cnode *n)
{
    if (!n) return NULL;
    bool steps = n->kind == RG_C_INCDEC || (n->kind == RG_C_ASSIGN && n->op == RG_COP_ADD_SET);
    if (steps && index_of(n->kid[0])->kind == RG_C_INDEX && rg__scalar_is_int(n->kid[0]->type)) {
        const struct rg_cnode *x = index_of(n->kid[0]);
        bool fixed = true;
        for (int d = 0; d < x->n; d++) fixed = fixed && !rg__mentions_kind(x->kid[d], RG_C_VAR);
        if (fixed) return n->kid[0];
    }
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *x = stepped(n->kid[i]);
        if (x) return x;
    }
    return NULL;
}

static struct rg_cnode *by_scalar(struct rg_ctree *t, const struct rg_cnode *n, const struct element *e, int var)
{
    if (!n) return NULL;
    const struct rg_cnode *x = index_of(n);
    if (x->kind == RG_C_INDEX && x->array == e->array && (!e->field || (x != n && !strcmp(n->text, e->field))))
        return rg__c_var(t, var);
    struct rg_cnode *c = rg__c_shallow(&t->arena, n);
    for (int i = 0; i < c->n; i++) c->kid[i] = by_scalar(t, n->kid[i], e, var);
    return c;
}

/* Steps inside of what is stored become statements in front of it. */
static void lift(struct rg_ctree *t, struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i], *e = k && k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (!k || rg__c_is_expr(k)) continue;
        if (n->kind == RG_C_BLOCK && k->kind == RG_C_DECL && k->array < 0 && k->n) e = k->kid[0];
        bool stores = e && k->kind == RG_C_DECL;
        stores =
            stores || (n->kind == RG_C_BLOCK && e && e->kind == RG_C_ASSIGN && index_of(e->kid[0])->kind == RG_C_INDEX);
        if (!stores || !rg__mentions_kind(e, RG_C_INCDEC)) {
            lift(t, k);
            continue;
        }
        struct rg__kids front = {0};
        rg__c_lift_assignments(t, e, &front);
        int more = front.n;
        rg__block_splice(t, n, i, 0, &front);
        i += more;
    }
}

struct rg_cnode *rg__fill_elements(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *front,
                                   struct rg__kids *behind)
{
    const struct rg_cnode *x;
    for (int i = 0; i < MOST_ELEMENTS && (x = stepped(loop)); i++) {
        struct element e = {.t = t, .array = index_of(x)->array, .field = x->kind == RG_C_MEMBER ? x->text : NULL};
        const struct rg_carray *a = &t->arrays[e.array];
        e.other = a->view || a->is_const || rg__c_declares_array(loop, e.array);
        look(&e, loop);
        for (int o = 0; o < t->n_arrays && !e.other; o++)
            e.other = o != e.array && a->param >= 0 && t->arrays[o].param == a->param && rg__c_mentions_array(loop, o);
        if (e.other || !e.node) break;
        int v = rg__c_add_var(t, e.field ? e.field : a->name, RG_CVAR_LOCAL, e.node->type);
        struct rg_cnode *place = rg__c_copy(t, e.node);
        rg__kids_add(front, rg__doubling_declaration(t, v, rg__c_copy(t, place), loop));
        rg__kids_add(behind, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, place, rg__c_var(t, v))), loop));
        loop = by_scalar(t, loop, &e, v);
    }
    lift(t, loop);
    return loop;
}

/* ---- lists of limited length ---- */

struct rooms {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    int var, n, named; /* the places that ask for room; how often the counter is named there */
    const struct rg_cnode *cap;
    struct {
        struct rg_cnode *asks; /* IF */
        int part;              /* of its condition */
        int step;              /* statement of its block */
    } at[MOST_ROOMS];
    bool failed;
};

static bool is_step(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || !e->n || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->var != var) return false;
    return e->kind == RG_C_INCDEC ? rg_c_increments(e->op)
                                  : e->kind == RG_C_ASSIGN && e->op == RG_COP_ADD_SET && rg__doubling_one(e->kid[1]);
}

/* n < cap, cap > n: the cap; NULL. */
static const struct rg_cnode *room(const struct rg_ctree *t, const struct rg_cnode *e, int var)
{
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_LT && e->op != RG_COP_GT)) return NULL;
    const struct rg_cnode *v = rg__c_uncast(e->kid[e->op == RG_COP_GT], RG__C_WIDE_CASTS),
                          *cap = rg__c_uncast(e->kid[e->op == RG_COP_LT], RG__C_WIDE_CASTS);
    bool is = v->kind == RG_C_VAR && v->array < 0 && v->var == var && rg__scalar_is_int(cap->type) &&
              rg_scalar_is_signed(cap->type) && rg_scalar_is_signed(t->vars[var].type) && rg__c_of_params(t, cap);
    return is ? cap : NULL;
}

static void find_rooms(struct rooms *r, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || r->failed) return;
    struct rg_cnode *part[RG__SEARCH_PARTS] = {0}, *b = n->kind == RG_C_IF ? n->kid[1] : NULL;
    int parts = 0, at = -1, step = -1, steps = 0;
    if (b && b->kind == RG_C_BLOCK) rg__search_conjuncts(n->kid[0], part, &parts);
    const struct rg_cnode *cap = NULL;
    for (int i = 0; i < parts && parts < RG__SEARCH_PARTS; i++) {
        const struct rg_cnode *c = room(r->t, part[i], r->var);
        if (!c || cap) continue;
        cap = c;
        at = i;
    }
    for (int i = 0; cap && i < b->n; i++)
        if (is_step(b->kid[i], r->var)) {
            step = i;
            steps++;
        }
    if (steps != 1) {
        for (int i = 0; i < n->n; i++) find_rooms(r, n->kid[i]);
        return;
    }
    int named = 1;
    for (int i = 0; i <= step; i++) named += rg__c_count_var(b->kid[i], r->var);
    for (int i = 0; i < step; i++) r->failed = r->failed || rg__c_writes_var(b->kid[i], r->var);
    for (int i = at + 1; i < parts; i++) r->failed = r->failed || rg__search_wild(r->t->n_vars, r->loop, part[i]);
    for (int i = 0; i < parts; i++) r->failed = r->failed || !rg__c_pure(r->t, part[i]);
    r->failed = r->failed || r->n == MOST_ROOMS || (n->n > 2 && parts > 1) ||
                (r->cap && !rg__c_same(r->cap, cap, RG__C_UNCAST));
    if (r->failed) return;
    r->cap = cap;
    r->at[r->n].asks = n;
    r->at[r->n].part = at;
    r->at[r->n++].step = step;
    r->named += named;
}

/* if (rest) { if (total < cap) { .. } total++; } */
static void uncap(struct rooms *r, int total, int which)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *n = r->at[which].asks, *part[RG__SEARCH_PARTS] = {0}, *rest = NULL;
    struct rg_cnode *has = rg__c_stands(rg_cnode_new(t, RG_C_IF, n->n), n),
                    *both = rg__c_stands(rg_cnode_new(t, RG_C_BLOCK, 2), n);
    int parts = 0;
    rg__search_conjuncts(n->kid[0], part, &parts);
    for (int i = 0; i < parts; i++)
        if (i != r->at[which].part) rest = rest ? rg__c_binary(t, RG_COP_AND, rest, part[i]) : part[i];
    struct rg__kids none = {0};
    rg__block_splice(t, n->kid[1], r->at[which].step, 1, &none);
    has->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, total), rg__c_cast(t, rg__c_copy(t, r->cap), RG_LLONG));
    has->kid[1] = rg__c_replace_var(t, n->kid[1], r->var, rg__c_cast(t, rg__c_var(t, total), t->vars[r->var].type));
    if (n->n > 2) has->kid[2] = n->kid[2];
    both->kid[0] = has;
    both->kid[1] = rg__c_stands(
        rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, total), rg__c_cast(t, rg__c_int(t, 1), RG_LLONG))),
        n);
    if (rest) {
        n->kid[0] = rest;
        n->kid[1] = both;
        n->n = 2;
    } else {
        *n = *both;
    }
}

void rg__fill_uncap(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *front, struct rg__kids *behind)
{
    for (int v = 0, n = t->n_vars; v < n; v++) {
        enum rg_scalar type = t->vars[v].type;
        struct rooms r = {.t = t, .loop = loop, .var = v};
        if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(type) || rg_scalar_bytes(type) < 4 ||
            !rg__c_writes_var(loop, v) || rg__c_declares(loop, v))
            continue;
        find_rooms(&r, loop->kid[2]);
        if (r.failed || !r.n || r.named != rg__c_count_var(loop, v)) continue;
        int total = rg__c_add_var(t, "total", RG_CVAR_LOCAL, RG_LLONG);
        struct rg_cnode *was = rg__c_var(t, v), *cap = rg__c_cast(t, rg__c_copy(t, r.cap), RG_LLONG);
        rg__kids_add(front, rg__doubling_declaration(t, total, rg__c_cast(t, was, RG_LLONG), loop));
        for (int i = 0; i < r.n; i++) uncap(&r, total, i);
        struct rg_cnode *full = rg__c_binary(t, RG_COP_LT, rg__c_var(t, total), cap),
                        *some =
                            rg__c_binary(t, RG_COP_LT, rg__c_cast(t, rg__c_var(t, v), RG_LLONG), rg__c_copy(t, cap)),
                        *most = rg__c_choice(t, full, rg__c_var(t, total), rg__c_copy(t, cap)),
                        *end = rg__c_choice(t, some, rg__c_cast(t, most, type), rg__c_var(t, v));
        rg__kids_add(behind, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, v), end)), loop));
    }
}
