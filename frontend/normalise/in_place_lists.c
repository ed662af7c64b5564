/* Compaction in place, made compaction from a copy. A loop that keeps some of an array's elements at its front stores
 * no further on than it reads, so that what it reads is as it was before the loop: for (i..n) if (keep(a[i])) a[k++] =
 * a[i];      becomes   for (q..n) was[q] = a[q];  for (i..n) if (keep(was[i])) .. And where an element is kept if it
 * differs from the last one that was, it differs from its neighbour, whether that was kept or equal to what was kept:
 *     for (i = 1..n) if (a[i] != a[k]) a[++k] = a[i];                  .. if (was[i] != was[i - 1]) ..
 *     for (i..n) if (k == 0 || x[i] != out[k - 1]) out[k++] = x[i];    .. if (i == 0 || x[i] != x[i - 1]) ..
 * What an iteration does to its own element before that is a loop of its own in front.
 * What is left fills a list (filled_lists.c). Loops that have nothing around them are looked at. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

struct list {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int array, counter;
    int64_t first, begins;        /* of the loop; of the counter */
    const struct rg_cnode *value; /* that is stored */
    bool steps_first;             /* a[++k] */
    struct rg_cnode *kept;        /* the list of statements that store and count */
    int places;                   /* reads of the array at i */
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static bool is_int(const struct rg_cnode *e, int64_t v)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_INT && e->ivalue == v;
}

static bool at(const struct rg_cnode *e, int array, int var)
{
    return e->kind == RG_C_INDEX && e->array == array && e->n == 1 && !e->pointer && is_var(e->kid[0], var);
}

/* a[k - 1] */
static bool at_last(const struct rg_cnode *e, int array, int var)
{
    if (e->kind != RG_C_INDEX || e->array != array || e->n != 1 || e->pointer) return false;
    const struct rg_cnode *i = rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS);
    return i->kind == RG_C_BINARY && i->op == RG_COP_SUB && is_var(i->kid[0], var) && is_int(i->kid[1], 1);
}

static bool counts(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || !is_var(e->kid[0], var)) return false;
    return e->kind == RG_C_INCDEC ? rg_c_increments(e->op) : e->op == RG_COP_ADD_SET && is_int(e->kid[1], 1);
}

static bool stores(const struct rg_cnode *s, int array, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && at(e->kid[0], array, var);
}

/* Members of the array's elements included, and what may be written by a pointer. */
static int writes_in(const struct rg_cnode *n, int array, int var)
{
    if (!n) return 0;
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    const struct rg_cnode *to = sets ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    int all = to && (to->array == array || (to->array < 0 && is_var(to, var)));
    for (int i = 0; i < n->n; i++) all += writes_in(n->kid[i], array, var);
    return all;
}

/* The statements that store and count, one behind the other. */
static bool find(struct list *l, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE) return false;
    for (int i = 0; n->kind == RG_C_BLOCK && i + 1 < n->n; i++)
        for (int first = 0; first < 2; first++)
            if (counts(n->kid[i + 1 - first], l->counter) && stores(n->kid[i + first], l->array, l->counter)) {
                l->kept = n;
                l->steps_first = first;
                l->value = n->kid[i + first]->kid[0]->kid[1];
                return true;
            }
    for (int i = 0; i < n->n; i++)
        if (find(l, n->kid[i])) return true;
    return false;
}

/* The number that the counter is in front of statement `before`. */
static bool begins(struct list *l, const struct rg_cnode *block, int before)
{
    for (int i = before - 1; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i], *v = NULL;
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == l->counter && s->n) v = s->kid[0];
        if (s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && s->kid[0]->op == RG_COP_SET &&
            is_var(s->kid[0]->kid[0], l->counter))
            v = s->kid[0]->kid[1];
        v = v ? rg__c_uncast(v, RG__C_INT_CASTS) : NULL;
        if (v) l->begins = v->ivalue;
        if (v || rg__c_writes_var(s, l->counter)) return v && v->kind == RG_C_INT;
    }
    return rg__c_declared_int(l->t->root, l->loop, l->counter, &l->begins) == 1;
}

/* Reads of the array are at i, but for `except`. */
static bool reads_fit(struct list *l, const struct rg_cnode *n, const struct rg_cnode *except)
{
    if (!n || n == except) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE) return false;
    if (n->array == l->array) {
        if (at(n, l->array, l->loop->var))
            l->places++;
        else if (!at(n, l->array, l->counter))
            return false;
    }
    bool store = n->kind == RG_C_ASSIGN && n->kid[0]->array == l->array;
    if (n->kind == RG_C_INDEX && at(n, l->array, l->counter)) return false; /* the store's is not come to */
    for (int i = store; i < n->n; i++)
        if (!reads_fit(l, n->kid[i], except)) return false;
    return true;
}

/* ---- the last one that was kept ---- */

/* Are the two the same but for where one has `mine` and the other the element of the loop? */
static bool alike(const struct list *l, const struct rg_cnode *a, const struct rg_cnode *b,
                  bool (*mine)(const struct rg_cnode *e, int array, int var))
{
    if (mine(a, l->array, l->counter)) return rg__c_same(b, l->value, RG__C_UNCAST);
    if (a->kind != b->kind || a->n != b->n || a->op != b->op || a->type != b->type || !a->n) return rg__c_equal(a, b);
    if (a->array != b->array) return false;
    for (int i = 0; i < a->n; i++)
        if (!alike(l, a->kid[i], b->kid[i], mine)) return false;
    return a->kind != RG_C_CALL;
}

/* c, x != y of the element and the last one kept: y; NULL. */
static struct rg_cnode **compared(const struct list *l, struct rg_cnode *c,
                                  bool (*mine)(const struct rg_cnode *e, int array, int var))
{
    if (c->kind != RG_C_BINARY || c->op != RG_COP_NE || !rg__c_pure(l->t, c)) return NULL;
    for (int side = 0; side < 2; side++)
        if (rg__c_mentions_array(c->kid[side], l->array) && alike(l, c->kid[side], c->kid[1 - side], mine))
            return &c->kid[side];
    return NULL;
}

/* The condition that guards what is kept; NULL: there is none, or more stands there. */
static struct rg_cnode *guard_of(const struct list *l, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_IF && n->kid[1] == l->kept) return l->kept->n == 2 && (n->n < 3 || !n->kid[2]) ? n : NULL;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *g = guard_of(l, n->kid[i]);
        if (g) return g;
    }
    return NULL;
}

static struct rg_cnode *neighbour(const struct list *l, const struct rg_cnode *e)
{
    struct rg_ctree *t = l->t;
    return rg__c_replace_var(t, rg__c_copy(t, e), l->loop->var,
                             rg__c_binary(t, RG_COP_SUB, rg__c_var(t, l->loop->var), rg__c_int(t, 1)));
}

/* It asks the neighbour instead. False: it does not ask for the last one kept. */
static bool by_neighbour(struct list *l)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *g = l->body->n == 1 ? guard_of(l, l->body) : NULL, *c = g ? g->kid[0] : NULL, **y;
    if (!g || g != l->body->kid[0] || !rg__c_mentions_var(l->value, l->loop->var)) return false;
    if (l->steps_first && l->begins == l->first - 1 && at(l->value, l->array, l->loop->var) &&
        (y = compared(l, c, at))) {
        *y = neighbour(l, *y == c->kid[0] ? c->kid[1] : c->kid[0]);
        return true;
    }
    if (l->steps_first || l->begins || l->value->kind != RG_C_INDEX || l->value->array == l->array ||
        l->value->n != 1 || !is_var(l->value->kid[0], l->loop->var) || c->kind != RG_C_BINARY || c->op != RG_COP_OR)
        return false;
    const struct rg_cnode *none = c->kid[0];
    bool asks = none->kind == RG_C_BINARY && none->op == RG_COP_EQ && is_var(none->kid[0], l->counter) &&
                is_int(none->kid[1], 0);
    if (!asks || !(y = compared(l, c->kid[1], at_last))) return false;
    *y = neighbour(l, *y == c->kid[1]->kid[0] ? c->kid[1]->kid[1] : c->kid[1]->kid[0]);
    c->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, l->loop->var), rg__c_int(t, l->first));
    return true;
}

/* ---- the copy ---- */

static void read_copy(struct rg_cnode *n, int array, int copy)
{
    if (!n) return;
    bool store = n->kind == RG_C_ASSIGN && n->kid[0]->array == array;
    if (n->kind == RG_C_INDEX && n->array == array) n->array = copy;
    for (int i = store; i < n->n; i++) read_copy(n->kid[i], array, copy);
}

/* How many statements came in front; 0: how long it is can't be said. */
static int from_copy(struct list *l, struct rg_cnode *block, int where, bool neighbours)
{
    struct rg_ctree *t = l->t;
    const struct rg_expr *n = rg__c_to_expr(t, rg__c_strip_int_casts(rg__c_copy(t, l->loop->kid[1])), &t->arena);
    if (!n) return 0;
    int copy =
        rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_before", t->arrays[l->array].name), t->arrays[l->array].elem);
    struct rg_carray *c = &t->arrays[copy];
    c->struct_index = t->arrays[l->array].struct_index;
    c->c_elem = t->arrays[l->array].c_elem;
    c->n_dims = 1;
    c->dims = rg_arena_alloc(&t->arena, sizeof *c->dims);
    c->dims[0] = n;
    c->mallocd = true;
    int q = rg__c_add_var(t, "q", RG_CVAR_ITER, t->vars[l->loop->var].type);
    struct rg_cnode *made = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 0), l->loop), *i = rg__c_var(t, q),
                    *j = rg__c_var(t, q);
    struct rg_cnode *f = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), l->loop);
    struct rg__kids body = {0}, front = {0};
    made->array = copy;
    made->type = c->elem;
    made->struct_index = c->struct_index;
    rg__kids_add(&body, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, copy, 1, &i),
                                                                rg__c_index(t, l->array, 1, &j))),
                                     l->loop));
    f->var = q;
    f->step = 1;
    f->kid[0] = rg__c_int(t, l->first - neighbours);
    f->kid[1] = rg__c_copy(t, l->loop->kid[1]);
    f->kid[2] = rg__kids_node(t, RG_C_BLOCK, &body);
    read_copy(l->body, l->array, copy);
    rg__kids_add(&front, made);
    rg__kids_add(&front, f);
    rg__block_splice(t, block, where, 0, &front);
    return 2;
}

/* ---- updates in front ---- */

/* if (k != i) a[k] = a[i]: the element that stays where it is may be stored to itself. */
static void store_always(struct list *l, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        store_always(l, s);
        if (n->kind != RG_C_BLOCK || s->kind != RG_C_IF || s->n > 2) continue;
        const struct rg_cnode *c = s->kid[0];
        struct rg_cnode *only = s->kid[1];
        if (only->kind == RG_C_BLOCK && only->n == 1) only = only->kid[0];
        const bool apart = c->kind == RG_C_BINARY && c->op == RG_COP_NE &&
                           ((is_var(c->kid[0], l->counter) && is_var(c->kid[1], l->loop->var)) ||
                            (is_var(c->kid[1], l->counter) && is_var(c->kid[0], l->loop->var)));
        if (apart && stores(only, l->array, l->counter) && at(only->kid[0]->kid[1], l->array, l->loop->var))
            n->kid[i] = only;
    }
}

/* Does n leave everything but its own locals and the element of the iteration as it is, and ask for no other one? */
static bool of_element(const struct list *l, const struct rg_cnode *n, int upto)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || n->kind == RG_C_RETURN ||
        (n->kind == RG_C_CALL && !rg__c_pure(l->t, n)))
        return false;
    if (n->kind != RG_C_DECL && n->array == l->array && !at(n, l->array, l->loop->var)) return false;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        bool own = to->array == l->array && n->op != RG_COP_ADDRESS;
        for (int i = 0; i <= upto && !own && to->kind == RG_C_VAR; i++)
            own = to->array < 0 && rg__c_declares(l->body->kid[i], to->var);
        if (!own) return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!of_element(l, n->kid[i], upto)) return false;
    return true;
}

/* Do the statements from the n-th on leave what those before them read? They come behind all of those. */
static bool unchanged(const struct list *l, int n)
{
    const struct rg_ctree *t = l->t;
    for (int i = 0; i < n; i++)
        for (int k = n; k < l->body->n; k++) {
            const struct rg_cnode *before = l->body->kid[i], *behind = l->body->kid[k];
            for (int v = 0; v < t->n_vars; v++)
                if (rg__c_mentions_var(before, v) && rg__c_writes_var(behind, v)) return false;
            for (int a = 0; a < t->n_arrays; a++) {
                if (!rg__c_mentions_array(before, a)) continue;
                for (int o = 0; o < t->n_arrays; o++)
                    if (o != l->array && rg__writes_array(behind, o) &&
                        (o == a || t->arrays[o].view || t->arrays[a].view ||
                         (t->arrays[a].param >= 0 && t->arrays[o].param == t->arrays[a].param)))
                        return false;
            }
        }
    return true;
}

/* How many of the body's first statements update the element alone; those behind ask for none of their locals. */
static int updates(const struct list *l)
{
    int n = 0;
    for (int i = 0; i < l->body->n; i++) {
        const struct rg_cnode *s = l->body->kid[i];
        if (rg__c_mentions_var(s, l->counter) || rg__leaves_early(s) || !of_element(l, s, i)) break;
        if (rg__writes_array(s, l->array)) n = i + 1;
    }
    for (int v = 0; v < l->t->n_vars; v++) {
        bool declared = false, asked = false;
        for (int i = 0; i < l->body->n; i++)
            *(i < n ? &declared : &asked) |=
                i < n ? rg__c_declares(l->body->kid[i], v) : rg__c_mentions_var(l->body->kid[i], v);
        if (declared && asked) return 0;
    }
    return n && unchanged(l, n) ? n : 0;
}

static void update_first(struct list *l, struct rg_cnode *block, int where, const struct rg_cnode *whole, int n)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *f = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), l->loop);
    struct rg__kids body = {0}, front = {0};
    const int own = rg__c_add_var(t, t->vars[l->loop->var].name, RG_CVAR_ITER, t->vars[l->loop->var].type);
    for (int i = 0; i < n; i++) rg__kids_add(&body, whole->kid[i]);
    f->var = own;
    f->step = 1;
    f->kid[0] = rg__c_copy(t, l->loop->kid[0]);
    f->kid[1] = rg__c_copy(t, l->loop->kid[1]);
    f->kid[2] = rg__c_replace_var(t, rg__kids_node(t, RG_C_BLOCK, &body), l->loop->var, rg__c_var(t, own));
    rg__kids_add(&front, f);
    rg__block_splice(t, block, where, 0, &front);
}

static int of_list(struct list *l, struct rg_cnode *block, int where);

/* The same of the loop without the updates in front of it. */
static int of_updated_list(struct list *l, struct rg_cnode *block, int where)
{
    struct rg_cnode *whole = l->body, *rest;
    const int n = l->body->kind == RG_C_BLOCK ? updates(l) : 0;
    if (!n) return -1;
    struct rg__kids kept = {0};
    for (int i = n; i < whole->n; i++) rg__kids_add(&kept, whole->kid[i]);
    rest = rg__kids_node(l->t, RG_C_BLOCK, &kept);
    rest->line = whole->line;
    store_always(l, rest);
    l->body = l->loop->kid[2] = rest;
    const int added = of_list(l, block, where);
    if (added < 0)
        l->body = l->loop->kid[2] = whole;
    else
        update_first(l, block, where, whole, n);
    return added < 0 ? -1 : added + 1;
}

static int of_list(struct list *l, struct rg_cnode *block, int where)
{
    struct rg_ctree *t = l->t;
    const struct rg_carray *a = &t->arrays[l->array];
    if (a->view || a->n_dims > 1 || a->constant_table || !rg__writes_array(l->body, l->array) || !find(l, l->body) ||
        writes_in(l->body, l->array, l->counter) != 2 || !begins(l, block, where))
        return -1;
    bool read = rg__c_mentions_array(l->value, l->array), neighbours = by_neighbour(l);
    if (neighbours && !read) return 0;
    if (l->begins + l->steps_first > l->first || l->begins < 0) return -1;
    if (neighbours) return from_copy(l, block, where, true);
    return reads_fit(l, l->body, NULL) && l->places ? from_copy(l, block, where, false) : -1;
}

static int lists(struct rg_ctree *t, struct rg_cnode *block, int where)
{
    struct rg_cnode *loop = block->kid[where];
    int64_t first; /* (long)0, too */
    if (loop->step != 1 || loop->n != 3 || !rg__c_number(loop->kid[0], &first) || first < 0 ||
        !rg__c_of_params(t, loop->kid[1]))
        return 0;
    for (int k = 0; k < t->n_vars; k++) {
        if (t->vars[k].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[k].type) ||
            !rg__c_writes_var(loop->kid[2], k) || rg__c_declares(loop->kid[2], k))
            continue;
        for (int a = 0, n = t->n_arrays; a < n; a++) {
            struct list l = {.t = t, .loop = loop, .body = loop->kid[2], .array = a, .counter = k};
            l.first = first;
            int added = of_list(&l, block, where);
            if (added < 0 && rg__writes_array(l.body, a)) added = of_updated_list(&l, block, where);
            if (added >= 0) return added;
        }
    }
    return 0;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE ||
        n->kind == RG_C_OPAQUE)
        return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP)
            i += lists(t, n, i);
        else
            walk(t, n->kid[i]);
    }
}

void rg__canon_in_place_lists(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    rg__scanned_places(t, t->root);
    walk(t, t->root);
}
