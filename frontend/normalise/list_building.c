/* Linked lists that a loop builds, each element in front of those of its list that came before (cells of particles,
 * edges of vertices, chains of hash tables): for (i = 0; i < n; i++) { ..; next[i] = head[c]; head[c] = i; .. } An
 * element's successor is the last one before it that went into the same list, else what the list began with: found by a
 * stable sort of the elements by their lists. A list begins with the last element that went into it: for i: { ..;
 * key[i] = c; value[i] = i; .. }   sort order by key; for s: rank[order[s]] = s; for i: { s = rank[i]; next[i] = s > 0
 * && key[order[s - 1]] == key[i] ? value[order[s - 1]] : head[key[i]]; } for i: head[key[i]] = value[i]; The lists are
 * those of the C, link by link. It holds where the rest of the loop touches neither heads nor links, so that they may
 * be set behind it, and where the list is the same when it is read and when it is set. Elements of one iteration that
 * go into several lists are so many elements in the order of the statements; those that a condition leaves out have
 * list -1, which no subscript is. */
#include "frontend/normalise/counted_loops.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/element_writes.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/sorting_loops.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_INSERTS = 4 };

struct insert { /* link = head[list]; head[list] = value; */
    struct rg_cnode *block;
    int takes, links, moves; /* statements of the block; takes < links where a variable holds the head in between */
    int held;                /* that variable; -1 */
    const struct rg_cnode *link, *from; /* what is set; to what, with `head` in it */
    const struct rg_cnode *head, *value;
    struct rg_cnode *place; /* the link behind the loop, over its counter */
};

struct building {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    struct rg__counted h;
    int n;
    struct insert insert[MOST_INSERTS];
    bool perhaps; /* under a condition */
    enum rg_scalar number;
    int keys, values, order, rank; /* arrays of ours */
};

/* The heads of lists have one subscript, or rows of known lengths. */
static bool is_head(const struct rg_ctree *t, const struct rg_cnode *n)
{
    const struct rg_cnode *b = rg__place_element(n);
    if (!rg__is_element(n)) return false;
    const struct rg_carray *a = &t->arrays[b->array];
    for (int d = 1; d < b->n; d++)
        if (b->n != a->n_dims || !a->dims || !a->dims[d] || !rg__c_from_expr((struct rg_ctree *)t, a->dims[d]))
            return false;
    return true;
}

static struct rg_cnode *sets(const struct rg_cnode *s)
{
    return s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && s->kid[0]->op == RG_COP_SET ? s->kid[0] : NULL;
}

/* The statements from `at` of the block on. */
static bool matches(struct building *b, struct rg_cnode *block, int at, struct insert *x)
{
    struct rg_ctree *t = b->t;
    const struct rg_cnode *s = block->kid[at], *a = sets(s);
    *x = (struct insert){.block = block, .takes = at, .links = -1, .moves = -1, .held = -1};
    if (s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n) {
        x->held = s->var;
        x->head = rg__c_uncast(s->kid[0], RG__C_INT_CASTS);
    } else if (a && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && !a->kid[0]->pointer) {
        x->held = a->kid[0]->var;
        x->head = rg__c_uncast(a->kid[1], RG__C_INT_CASTS);
    } else if (a && rg__is_element(a->kid[0])) {
        x->links = at;
        x->link = a->kid[0];
        x->from = a->kid[1];
        x->head = rg__c_uncast(a->kid[1], RG__C_INT_CASTS);
    }
    if (!x->head || !is_head(t, x->head) || !rg__scalar_is_int(x->head->type) || !rg__c_pure(t, x->head)) return false;
    for (int i = at + 1; i < block->n && (x->moves < 0 || x->links < 0); i++) {
        const struct rg_cnode *e = sets(block->kid[i]);
        if (e && x->moves < 0 && rg__c_equal(e->kid[0], x->head)) {
            x->moves = i;
            x->value = e->kid[1];
        } else if (e && x->links < 0 && rg__is_element(e->kid[0]) &&
                   rg__sorting_scalar(rg__c_uncast(e->kid[1], RG__C_INT_CASTS)) &&
                   rg__c_uncast(e->kid[1], RG__C_INT_CASTS)->var == x->held) {
            x->links = i;
            x->link = e->kid[0];
            x->from = e->kid[1];
        } else if (rg__changes_place(t, block->kid[i], x->head)) {
            return false;
        }
    }
    if (x->moves < 0 || x->links < 0 || !rg__scalar_is_int(x->link->type) || !rg__c_pure(t, x->link) ||
        !rg__c_pure(t, x->value))
        return false;
    return x->held < 0 || (rg__c_count_var(t->root, x->held) == (s->kind == RG_C_DECL ? 1 : 2));
}

static bool find(struct building *b, struct rg_cnode *n, bool perhaps)
{
    if (n->kind == RG_C_IF) {
        for (int i = 1; i < n->n; i++)
            if (n->kid[i] && !find(b, n->kid[i], true)) return false;
    } else if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) {
            struct insert x;
            if (!matches(b, n, i, &x)) {
                if (!find(b, n->kid[i], perhaps)) return false;
                continue;
            }
            if (b->n == MOST_INSERTS) return false;
            b->perhaps = b->perhaps || perhaps;
            b->insert[b->n++] = x;
            i = x.moves > x.links ? x.moves : x.links; /* what stands in between touches no list: see apart() */
        }
    }
    return true;
}

/* All go into lists of one array, by links of one; nothing else in the loop touches either. */
static bool apart(const struct building *b)
{
    const struct insert *first = &b->insert[0];
    int heads = 0, links = 0;
    for (int i = 0; i < b->n; i++) {
        const struct insert *x = &b->insert[i];
        const struct rg_cnode *like[2] = {x->head, x->link}, *as[2] = {first->head, first->link};
        for (int k = 0; k < 2; k++)
            if (rg__place_element(like[k])->array != rg__place_element(as[k])->array ||
                rg__place_element(like[k])->n != rg__place_element(as[k])->n || like[k]->kind != as[k]->kind ||
                (like[k]->kind == RG_C_MEMBER &&
                 (like[k]->kid[0]->kind != RG_C_INDEX || strcmp(like[k]->text, as[k]->text))))
                return false;
        heads += 2;
        links++;
    }
    return rg__touches(b->body, first->head) == heads && rg__touches(b->body, first->link) == links;
}

/* v++ among the statements of the body: how many of them there are, and how many in front of statement `at`. False:
 * something else moves it. */
static bool counts(const struct building *b, int var, int at, int *all, int *front)
{
    *all = *front = 0;
    for (int i = 0; i < b->body->n; i++) {
        const struct rg_cnode *s = b->body->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!rg__c_writes_var(s, var)) continue;
        bool up = e && (e->kind == RG_C_INCDEC ? rg_c_increments(e->op)
                                               : e->op == RG_COP_ADD_SET && rg__doubling_one(e->kid[1]));
        if (!up || e->kid[0]->kind != RG_C_VAR || e->kid[0]->var != var) return false;
        ++*all;
        *front += i < at;
    }
    return *all > 0;
}

static struct rg_cnode *trip(const struct building *b, struct rg_cnode *counter)
{
    struct rg_ctree *t = b->t;
    struct rg_cnode *lo = rg__c_copy(t, b->h.lower);
    bool up = b->h.step > 0;
    int64_t zero;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly p = rg__poly_of(r, lo);
    bool from_zero = up && rg__poly_is_int(&p, &zero) && !zero;
    free(r);
    if (from_zero) return rg__c_cast(t, counter, b->number);
    return rg__c_cast(t, rg__c_binary(t, RG_COP_SUB, up ? counter : lo, up ? lo : counter), b->number);
}

/* Element `which` of an iteration. */
static struct rg_cnode *event(const struct building *b, struct rg_cnode *counter, int which)
{
    struct rg_ctree *t = b->t;
    struct rg_cnode *e = trip(b, counter);
    if (b->n == 1) return e;
    e = rg__c_binary(t, RG_COP_MUL, e, rg__c_cast(t, rg__c_int(t, b->n), b->number));
    return which ? rg__c_binary(t, RG_COP_ADD, e, rg__c_cast(t, rg__c_int(t, which), b->number)) : e;
}

static struct rg_cnode *element(struct rg_ctree *t, int array, struct rg_cnode *at)
{
    return rg__c_index(t, array, 1, &at);
}

/* The place with what locals of the iteration stand for that are set once, in front of it: `struct part *p = &part[i];`
 * reads as a local place `i`. */
static struct rg_cnode *without_locals(struct building *b, const struct insert *x)
{
    struct rg_ctree *t = b->t;
    struct rg_cnode *place = rg__c_copy(t, x->link);
    for (int i = x->block == b->body ? x->links - 1 : -1; i >= 0; i--) {
        const struct rg_cnode *s = b->body->kid[i], *e = sets(s);
        bool declared = s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n;
        if (!declared && !(e && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0)) continue;
        int var = declared ? s->var : e->kid[0]->var;
        const struct rg_cnode *value = declared ? s->kid[0] : e->kid[1];
        if (!rg__c_mentions_var(place, var) || !rg__scalar_is_int(t->vars[var].type) || !rg__c_pure(t, value)) continue;
        bool lasts = true;
        for (int k = 0; k < b->body->n && lasts; k++)
            lasts = k == i || (!rg__c_writes_var(b->body->kid[k], var) &&
                               (k < i || !rg__changes_place(t, b->body->kid[k], value)));
        if (lasts) place = rg__c_replace_var(t, place, var, rg__c_cast(t, rg__c_copy(t, value), t->vars[var].type));
    }
    return place;
}

/* The link behind the loop: over the loop's counter and what the loop leaves alone; counters beside it by how often
 * they were moved. NULL: it can't be said. */
static struct rg_cnode *closed_place(struct building *b, struct insert *x, struct rg__kids *front)
{
    struct rg_ctree *t = b->t;
    struct rg_cnode *place = without_locals(b, x);
    int vars = t->n_vars;
    for (int a = 0; a < t->n_arrays; a++)
        if (a != rg__place_element(place)->array && rg__c_mentions_array(place, a) && rg__writes_array(b->body, a))
            return NULL;
    for (int v = 0; v < vars; v++) {
        int all, before;
        if (v == b->h.var || !rg__c_mentions_var(place, v)) continue;
        if (rg__c_declares(b->loop, v)) return NULL;
        if (!rg__c_writes_var(b->body, v)) continue;
        if (x->block != b->body || !counts(b, v, x->links, &all, &before)) return NULL;
        enum rg_scalar type = t->vars[v].type;
        int from = rg__c_add_var(t, "from", RG_CVAR_LOCAL, type);
        rg__kids_add(front, rg__doubling_declaration(t, from, rg__c_var(t, v), b->loop));
        struct rg_cnode *now = rg__c_cast(t, trip(b, rg__c_var(t, b->h.var)), type);
        if (all > 1) now = rg__c_binary(t, RG_COP_MUL, now, rg__c_cast(t, rg__c_int(t, all), type));
        now = rg__c_binary(t, RG_COP_ADD, rg__c_var(t, from), now);
        if (before) now = rg__c_binary(t, RG_COP_ADD, now, rg__c_cast(t, rg__c_int(t, before), type));
        place = rg__c_replace_var(t, place, v, now);
    }
    return place;
}

static bool known_place(struct building *b, int which, struct rg__kids *front)
{
    struct rg_ctree *t = b->t;
    struct insert *x = &b->insert[which];
    x->place = closed_place(b, x, front);
    if (x->place) return true;
    const struct rg_cnode *sub = rg__place_element(x->link)->kid[0]; /* the element's number is what the list holds */
    int lo = x->links < x->moves ? x->links : x->moves, hi = x->links < x->moves ? x->moves : x->links;
    bool same = rg__place_element(x->link)->n == 1 &&
                rg__c_equal(rg__c_uncast(sub, RG__C_WIDE_CASTS), rg__c_uncast(x->value, RG__C_WIDE_CASTS)) &&
                rg_scalar_bytes(x->head->type) >= rg_scalar_bytes(rg__c_uncast(sub, RG__C_WIDE_CASTS)->type);
    for (int i = lo + 1; i < hi && same; i++) same = !rg__changes_place(t, x->block->kid[i], sub);
    if (!same) return false;
    x->place = rg__c_copy(t, x->link);
    ((struct rg_cnode *)rg__place_element(x->place))->kid[0] =
        element(t, b->values, event(b, rg__c_var(t, b->h.var), which));
    return true;
}

static struct rg_cnode *set(struct building *b, struct rg_cnode *to, struct rg_cnode *value)
{
    return rg__placed_set(b->t, to, value, b->loop);
}

/* for (v = 0; v < upper; v++) body */
static struct rg_cnode *counted(struct building *b, int v, struct rg_cnode *upper, struct rg__kids *body)
{
    struct rg_ctree *t = b->t;
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = rg__doubling_declaration(t, v, rg__c_int(t, 0), b->loop);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, v), rg__c_cast(t, upper, t->vars[v].type));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v), rg__c_cast(t, rg__c_int(t, 1), t->vars[v].type));
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, body);
    f->line = f->kid[3]->line = b->loop->line;
    return f;
}

static struct rg_cnode *row_length(struct building *b, int d)
{
    return rg__c_from_expr(b->t, b->t->arrays[rg__place_element(b->insert[0].head)->array].dims[d]);
}

/* The head of the list with that number. */
static struct rg_cnode *head_of(struct building *b, struct rg_cnode *key)
{
    struct rg_cnode *h = rg__c_copy(b->t, b->insert[0].head), *e = (struct rg_cnode *)rg__place_element(h);
    for (int d = e->n - 1; d >= 0; d--) {
        e->kid[d] = d ? rg__c_binary(b->t, RG_COP_REM, key, row_length(b, d)) : key;
        key = d ? rg__c_binary(b->t, RG_COP_DIV, rg__c_copy(b->t, key), row_length(b, d)) : NULL;
    }
    return h;
}

/* The number of the list of that head. */
static struct rg_cnode *number_of(struct building *b, const struct rg_cnode *head)
{
    const struct rg_cnode *e = rg__place_element(head);
    struct rg_cnode *all = rg__c_cast(b->t, rg__c_copy(b->t, e->kid[0]), b->t->arrays[b->keys].elem);
    for (int d = 1; d < e->n; d++)
        all = rg__c_binary(b->t, RG_COP_ADD, rg__c_binary(b->t, RG_COP_MUL, all, row_length(b, d)),
                           rg__c_copy(b->t, e->kid[d]));
    return rg__c_cast(b->t, all, b->t->arrays[b->keys].elem);
}

/* Where something may be left out: only if it went into a list. */
static struct rg_cnode *listed(struct building *b, struct rg_cnode *key, struct rg_cnode *s)
{
    struct rg_ctree *t = b->t;
    return b->perhaps ? rg__placed_either(t, rg__c_binary(t, RG_COP_GE, key, rg__c_cast(t, rg__c_int(t, 0), key->type)),
                                          s, NULL, b->loop)
                      : s;
}

/* Where each element went in the order: rank[k] = -1; and rank[order[s]] = max(.., s), which any order gives. */
static void ranks(struct building *b, struct rg_cnode *upper, struct rg__kids *out)
{
    struct rg_ctree *t = b->t;
    int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, b->number), s = rg__c_add_var(t, "s", RG_CVAR_LOCAL, b->number);
    struct rg__kids none = {0}, most = {0};
    rg__kids_add(&none, set(b, element(t, b->rank, rg__c_var(t, k)), rg__c_cast(t, rg__c_int(t, -1), b->number)));
    rg__kids_add(out, counted(b, k, upper, &none));
    struct rg_cnode *to = element(t, b->rank, element(t, b->order, rg__c_var(t, s))),
                    *c = rg_cnode_new(t, RG_C_COND, 3);
    c->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, to), rg__c_var(t, s));
    c->kid[1] = rg__c_var(t, s);
    c->kid[2] = rg__c_copy(t, to);
    c->type = b->number;
    rg__kids_add(&most, set(b, to, c));
    rg__kids_add(out, counted(b, s, rg__c_copy(t, upper), &most));
}

static struct rg_cnode *heads(struct building *b, struct rg_cnode *upper)
{
    struct rg_ctree *t = b->t;
    int e = rg__c_add_var(t, "k", RG_CVAR_LOCAL, b->number);
    struct rg__kids body = {0};
    struct rg_cnode *key = element(t, b->keys, rg__c_var(t, e));
    rg__kids_add(&body, listed(b, rg__c_copy(t, key), set(b, head_of(b, key), element(t, b->values, rg__c_var(t, e)))));
    return counted(b, e, upper, &body);
}

/* n with `from` as `to`, and links that a variable held as that, too. */
static struct rg_cnode *with(struct rg_ctree *t, const struct rg_cnode *n, const struct insert *x, struct rg_cnode *to)
{
    if (n == x->head || (x->held >= 0 && n->kind == RG_C_VAR && n->array < 0 && n->var == x->held)) return to;
    struct rg_cnode *c = rg__c_shallow(&t->arena, n);
    for (int i = 0; i < c->n; i++) c->kid[i] = with(t, n->kid[i], x, to);
    return c;
}

/* An element's successor: the one in front of it in the order, where that is of its list. */
static void link_up(struct building *b, int which, struct rg__kids *out)
{
    struct rg_ctree *t = b->t;
    struct insert *x = &b->insert[which];
    int s = rg__c_add_var(t, "s", RG_CVAR_LOCAL, b->number), last = rg__c_add_var(t, "last", RG_CVAR_LOCAL, b->number),
        key = rg__c_add_var(t, "list", RG_CVAR_LOCAL, t->arrays[b->keys].elem);
    struct rg_cnode *e = event(b, rg__c_var(t, b->h.var), which), *front = rg_cnode_new(t, RG_C_COND, 3);
    struct rg_cnode *some = rg__c_binary(t, RG_COP_GT, rg__c_var(t, s), rg__c_cast(t, rg__c_int(t, 0), b->number));
    front->kid[0] = some;
    front->kid[1] = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, s), rg__c_cast(t, rg__c_int(t, 1), b->number));
    front->kid[2] = rg__c_cast(t, rg__c_int(t, 0), b->number);
    front->type = b->number;
    rg__kids_add(out, rg__doubling_declaration(t, s, element(t, b->rank, e), b->loop));
    rg__kids_add(out, rg__doubling_declaration(t, key, element(t, b->keys, rg__c_copy(t, e)), b->loop));
    rg__kids_add(out, rg__doubling_declaration(t, last, element(t, b->order, front), b->loop));
    struct rg_cnode *same = rg__c_binary(t, RG_COP_EQ, element(t, b->keys, rg__c_var(t, last)), rg__c_var(t, key)),
                    *from[2] = {element(t, b->values, rg__c_var(t, last)), head_of(b, rg__c_var(t, key))}, *arm[2];
    for (int i = 0; i < 2; i++) {
        if (x->held >= 0) from[i] = rg__c_cast(t, from[i], t->vars[x->held].type);
        arm[i] = set(b, rg__c_copy(t, x->place), with(t, x->from, x, from[i]));
    }
    struct rg_cnode *either =
        rg__placed_either(t, rg__c_binary(t, RG_COP_AND, rg__c_copy(t, some), same), arm[0], arm[1], b->loop);
    rg__kids_add(out, listed(b, rg__c_var(t, key), either));
}

static struct rg_cnode *links(struct building *b, struct rg_cnode *upper)
{
    struct rg_ctree *t = b->t;
    enum rg_scalar type = t->vars[b->h.var].type;
    int k = rg__c_add_var(t, t->vars[b->h.var].name, RG_CVAR_LOCAL, type);
    struct rg_cnode *trips = rg__c_var(t, k), *lower = rg__c_copy(t, b->h.lower);
    struct rg_cnode *counter = rg__c_binary(t, b->h.step > 0 ? RG_COP_ADD : RG_COP_SUB, lower, trips);
    struct rg__kids body = {0};
    for (int i = 0; i < b->n; i++) link_up(b, i, &body);
    struct rg_cnode *f = counted(b, k, upper, &body);
    f->kid[3] = rg__c_replace_var(t, f->kid[3], b->h.var, rg__c_cast(t, counter, type));
    return f;
}

static struct rg_cnode *nothing(struct rg_ctree *t, const struct rg_cnode *at)
{
    struct rg_cnode *n = rg_cnode_new(t, RG_C_BLOCK, 0);
    n->line = at->line;
    return n;
}

/* What is left of the loop: it writes down who goes into which list. */
static void write_down(struct building *b)
{
    struct rg_ctree *t = b->t;
    enum rg_scalar keys = t->arrays[b->keys].elem, values = t->arrays[b->values].elem;
    for (int i = 0; i < b->n; i++) {
        struct insert *x = &b->insert[i];
        struct rg_cnode *e = event(b, rg__c_var(t, b->h.var), i), *two = rg_cnode_new(t, RG_C_BLOCK, 2);
        two->kid[0] = set(b, element(t, b->keys, e), number_of(b, x->head));
        two->kid[1] = set(b, element(t, b->values, rg__c_copy(t, e)), rg__c_cast(t, rg__c_copy(t, x->value), values));
        two->line = b->loop->line;
        x->block->kid[x->takes] = nothing(t, b->loop);
        x->block->kid[x->links] = nothing(t, b->loop);
        x->block->kid[x->moves] = two;
    }
    struct rg__kids none = {0};
    for (int i = 0; i < b->n && b->perhaps; i++)
        rg__kids_add(&none, set(b, element(t, b->keys, event(b, rg__c_var(t, b->h.var), i)),
                                rg__c_cast(t, rg__c_int(t, -1), keys)));
    rg__block_splice(t, b->body, 0, 0, &none);
}

/* Steps of counters inside what builds the list become statements in front of it. */
static void lift(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *a = n->kind == RG_C_BLOCK ? sets(n->kid[i]) : NULL;
        if (!a || !rg__is_element(a->kid[0]) || !rg__mentions_kind(a, RG_C_INCDEC)) {
            lift(t, n->kid[i]);
            continue;
        }
        struct rg__kids front = {0};
        rg__c_lift_assignments(t, a, &front);
        int more = front.n;
        rg__block_splice(t, n, i, 0, &front);
        i += more;
    }
}

static bool impure_call(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS) return true;
    if (n->kind == RG_C_CALL && !(n->callee >= 0 ? t->helpers[n->callee].pure : rg__c_pure_library(n->text)))
        return true;
    for (int i = 0; i < n->n; i++)
        if (impure_call(t, n->kid[i])) return true;
    return false;
}

/* `x[..] = y[e]` or `v = y[e]` with `y[e] = ..` behind it: worth a closer look. */
static bool resembles(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return false;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *s = n->kid[i], *a = s ? sets(s) : NULL;
        if (s && resembles(s)) return true;
        const struct rg_cnode *e = a ? a->kid[1] : s && s->kind == RG_C_DECL && s->array < 0 && s->n ? s->kid[0] : NULL;
        e = n->kind == RG_C_BLOCK && e ? rg__c_uncast(e, RG__C_INT_CASTS) : NULL;
        for (int k = i + 1; k < n->n && e && rg__is_element(e); k++) {
            const struct rg_cnode *m = sets(n->kid[k]);
            if (m && rg__c_equal(m->kid[0], e)) return true;
        }
    }
    return false;
}

/* How many iterations, of parameters alone; bad: not so. */
static struct rg_cnode *trips_of(struct building *b, struct rg__range *r, struct rg__poly *n)
{
    struct rg__poly lo = rg__poly_of(r, b->h.lower), hi = rg__poly_of(r, b->h.upper), all = rg__poly_int(b->n);
    *n = b->h.step > 0 ? rg__poly_add(&hi, &lo, -1) : rg__poly_add(&lo, &hi, -1);
    struct rg_cnode *trips = n->bad ? NULL : rg__poly_node(r, n);
    *n = rg__poly_mul(n, &all);
    return n->bad ? NULL : trips;
}

/* Are the lists built anew in each iteration of the loop around, in the same links, so that no two could at a time? */
static bool rebuilt(const struct building *b, const struct rg_cnode *around)
{
    for (int i = 0; i < b->n; i++) {
        const struct insert *x = &b->insert[i];
        if (rg__c_declares_array(around, rg__place_element(x->head)->array) ||
            rg__c_declares_array(around, rg__place_element(x->link)->array))
            return false;
        for (int v = 0; v < b->t->n_vars; v++)
            if (v != b->h.var && rg__c_mentions_var(x->place, v) &&
                (rg__doubling_writes(around, v) || rg__c_declares(around, v)))
                return false;
    }
    return true;
}

/* around: the outermost loop that the loop stands in; NULL */
static bool rewrite(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at,
                    const struct rg_cnode *around)
{
    struct building b = {.t = t, .loop = block->kid[at], .body = block->kid[at]->kid[3]};
    if (b.body->kind != RG_C_BLOCK || !resembles(b.body) || rg__leaves_early(b.body) || impure_call(t, b.loop) ||
        !rg__counted(t, b.loop, b.loop->kid[1], &b.h) || (b.h.step != 1 && b.h.step != -1) || !b.h.upper || b.h.below ||
        !rg__c_of_params(t, b.h.lower) || !rg__c_of_params(t, b.h.upper))
        return false;
    lift(t, b.body);
    rg__flatten_blocks(t, b.body);
    if (!find(&b, b.body, false) || !b.n || !apart(&b)) return false;
    enum rg_scalar counter = t->vars[b.h.var].type, heads_are = b.insert[0].head->type;
    b.number = rg_scalar_bytes(counter) > 4 || !rg_scalar_is_signed(counter) ? RG_LONG : RG_I32;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly hi;
    struct rg_cnode *trips = trips_of(&b, r, &hi), *all = trips;
    for (int i = 1; i < b.n && all; i++) all = rg__c_binary(t, RG_COP_ADD, all, rg__c_copy(t, trips)); /* no nest */
    struct rg_cnode *upper = all ? rg__poly_node(r, &hi) : NULL;
    const struct rg_expr *n = upper ? rg__c_to_expr(t, upper, &t->arena) : NULL;
    free(r);
    bool wide = false;
    for (int i = 0; i < b.n; i++) {
        const struct rg_cnode *e = rg__place_element(b.insert[i].head);
        for (int d = 0; d < e->n; d++) {
            enum rg_scalar type = e->kid[d]->type;
            if (!rg__scalar_is_int(type)) return false;
            wide = wide || rg_scalar_bytes(type) > 4 || !rg_scalar_is_signed(type);
        }
    }
    if (!n) return false;
    struct rg__kids arrays = {0}, out = {0}, behind = {0};
    b.keys = rg__placed_scratch(t, "list_of", wide ? RG_LONG : RG_I32, n, b.loop, &arrays);
    b.values = rg__placed_scratch(t, "value_of", heads_are, n, b.loop, &arrays);
    b.order = rg__placed_scratch(t, "order", b.number, n, b.loop, &arrays);
    b.rank = rg__placed_scratch(t, "rank", b.number, n, b.loop, &arrays);
    struct rg__sorting s = {
        .t = t, .block = block, .at = at, .nest = b.loop, .shrinks = -1, .keys = b.keys, .stable = true};
    s.like = element(t, b.order, rg__c_int(t, 0));
    s.base = s.lo = rg__poly_int(0);
    s.upper = upper;
    s.key[0] = rg__placed_key(t, b.keys, "rg_keys[*rg_l]");
    s.key[1] = rg__placed_key(t, b.keys, "rg_keys[*rg_r]");
    bool ok = rg__sorting_may(&s, p);
    for (int i = 0; i < b.n && ok; i++) ok = known_place(&b, i, &out);
    if (!ok || (around && !rebuilt(&b, around))) {
        free(arrays.items);
        free(out.items);
        return false;
    }
    ranks(&b, all, &behind);
    rg__kids_add(&behind, links(&b, rg__c_copy(t, trips)));
    rg__kids_add(&behind, heads(&b, rg__c_copy(t, all)));
    write_down(&b);
    rg__kids_add(&out, b.loop);
    int e = rg__c_add_var(t, "k", RG_CVAR_LOCAL, b.number);
    struct rg__kids body = {0};
    rg__kids_add(&body, set(&b, element(t, b.order, rg__c_var(t, e)), rg__c_var(t, e)));
    rg__kids_add(&out, counted(&b, e, rg__c_copy(t, all), &body));
    s.before = out;
    int was = block->n;
    rg__sorting_replace(&s, 1);
    rg__block_splice(t, block, at + 1 + block->n - was, 0, &behind);
    rg__block_splice(t, t->root, 0, 0, &arrays);
    return true;
}

static bool walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n, const struct rg_cnode *around)
{
    if (!n || rg__c_is_expr(n)) return false;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        bool loop = k && (k->kind == RG_C_FOR || k->kind == RG_C_WHILE || k->kind == RG_C_DO);
        if (n->kind == RG_C_BLOCK && loop && k->kind == RG_C_FOR && rewrite(t, p, n, i, around)) return true;
        if (k && walk(t, p, k, around ? around : loop ? k : NULL)) return true;
    }
    return false;
}

void rg__canon_lists_built(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias || rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    while (walk(t, p, t->root, NULL)) { /* places in blocks move with each */
    }
}
