/* Kernel IR: shared memory is read behind what writes it. The kernel is walked as one thread runs it; each shared
 * buffer has a list of accesses that other threads may not have seen, and what meets one of them without a barrier in
 * between is refused. Loops are walked twice: their end stands in front of their start. */
#include "ir/ctree_util.h"
#include "poly/kir/threads.h"
#include "poly/kir/verify.h"
#include <stdlib.h>
#include <string.h>

struct access {
    const struct kir_node *node; /* ELEMENT; NULL: any of the buffer's */
    int buffer, width;
    bool write, atomic, peer;
    unsigned stale;      /* bits of subscripts that mean other places now: it is of an earlier iteration */
    enum kir_scope seen; /* the widest barrier since */
    /* Along block.x, .y, .z: threads from that place on did not come here; NULL: all did. */
    const struct kir_node *below[3];
    int flight; /* an asynchronous copy: groups begun since, from 1; 0: it has arrived, or is none */
};

struct list {
    int n, cap;
    struct access *items;
};

struct walking {
    const struct kir_kernel *k;
    struct kir_refusal *why;
    struct kir_threads t;
    unsigned under;                  /* of the conditions around */
    const struct kir_node *below[3]; /* likewise, where the walk is */
    bool *filled;                    /* [buffer] something was written in front */
    struct list open;
    struct list *left; /* what is open where the loop around, or an iteration of it, is left */
};

#define REFUSE(w, n, ...) rg__kir_refuse((w)->k, (w)->why, n, __VA_ARGS__)

/* ---- two accesses ---- */

static bool same_element(const struct walking *w, const struct access *a, const struct access *b)
{
    if (!a->node || !b->node || a->node->n != b->node->n || a->width != b->width) return false;
    for (int i = 0; i < a->node->n; i++)
        if (!rg__kir_equal(a->node->kid[i], b->node->kid[i])) return false;
    return rg__kir_one_threads(&w->t, a->node, a->width, a->stale | b->stale); /* by those that stay */
}

/* tx, by threads below a number of them alone, and tx + that number. */
static bool is_beyond(const struct walking *w, const struct access *a, const struct kir_node *x,
                      const struct kir_node *y)
{
    for (int axis = 0; axis < 3; axis++) {
        const struct kir_node *loop = rg__kir_loop_of(w->k, KIR_BLOCK_X + axis), *bound = a->below[axis];
        if (!loop || !bound || x->kind != KIR_NAME || x->symbol != loop->symbol) continue;
        return y->kind == KIR_BINARY && y->op == RG_COP_ADD && rg__kir_equal(y->kid[0], x) &&
               rg__kir_equal(rg__kir_meaning(&w->t, y->kid[1]), bound) && rg__kir_stable(&w->t, bound);
    }
    return false;
}

/* 4 * x + 1 and 4 * y + 2, whatever x and y are. */
static bool is_between(const struct walking *w, const struct kir_node *x, const struct kir_node *y)
{
    int64_t m, p, u, v;
    rg__kir_scaled(&w->t, x, &m, &u);
    rg__kir_scaled(&w->t, y, &p, &v);
    return m == p && m > 1 && (u - v) % m;
}

/* 0 and 1; in one iteration (k + 2) % 3 and k % 3; tx and tx + 64 of threads below 64. */
static bool apart(const struct walking *w, const struct access *a, const struct access *b)
{
    if (!a->node || !b->node || a->peer || b->peer) return false;
    for (int i = 0; i < a->node->n && i < b->node->n; i++) {
        const struct kir_node *x = rg__kir_meaning(&w->t, a->node->kid[i]),
                              *y = rg__kir_meaning(&w->t, b->node->kid[i]);
        bool last = i + 1 == a->node->n;
        int64_t u, v, m, p;
        if (rg__kir_number(w->k, x, &u) && rg__kir_number(w->k, y, &v)) {
            if (u < v ? u + (last ? a->width : 1) <= v : v + (last ? b->width : 1) <= u) return true;
            continue;
        }
        if (a->width == 1 && b->width == 1 && is_between(w, x, y)) return true;
        if (a->stale || b->stale) continue;
        if (a->width == 1 && b->width == 1 && (is_beyond(w, a, x, y) || is_beyond(w, b, y, x))) return true;
        if (last) continue;
        if (x->kind == KIR_BINARY && y->kind == KIR_BINARY && x->op == RG_COP_REM && y->op == RG_COP_REM &&
            rg__kir_number(w->k, x->kid[1], &m) && rg__kir_number(w->k, y->kid[1], &p) && m == p && m > 0) {
            const struct kir_node *e = rg__kir_without_number(&w->t, x->kid[0], &u),
                                  *f = rg__kir_without_number(&w->t, y->kid[0], &v);
            if (rg__kir_equal(e, f) && rg__kir_stable(&w->t, e) && (u - v) % m) return true;
        }
    }
    return false;
}

/* ---- the walk ---- */

static void add(struct list *l, const struct access *a)
{
    for (int i = 0; i < l->n; i++) {
        struct access *x = &l->items[i];
        if (x->node == a->node && x->buffer == a->buffer && x->write == a->write && x->stale == a->stale &&
            x->flight == a->flight) {
            x->seen = x->seen < a->seen ? x->seen : a->seen;
            return;
        }
    }
    RG_GROW(l->items, l->n, l->cap);
    l->items[l->n++] = *a;
}

/* Of the latest groups, how many have copies to the buffer, or are older than one that has? What is in no group yet is
 * one. */
static int groups_on_their_way(const struct walking *w, int buffer)
{
    int most = 0, begun = 0;
    for (int i = 0; i < w->open.n; i++) {
        const struct access *a = &w->open.items[i];
        if (a->buffer != buffer || !a->flight) continue;
        most = a->flight - 1 > most ? a->flight - 1 : most;
        begun = a->flight == 1 ? 1 : begun;
    }
    return most + begun;
}

/* Are all accesses of a buffer with a part for each warp those of this one's? */
static bool own_part(struct walking *w, const struct access *a)
{
    const struct kir_symbol *s = &w->k->symbols[a->buffer];
    if (s->shared_by != KIR_WARP) return true;
    const struct kir_node *warp = a->node && a->node->n ? rg__kir_meaning(&w->t, a->node->kid[0]) : NULL,
                          *x = rg__kir_loop_of(w->k, KIR_BLOCK_X);
    int64_t by = 0;
    bool is = warp && x && warp->kind == KIR_BINARY && warp->op == RG_COP_DIV &&
              rg__kir_meaning(&w->t, warp->kid[0])->symbol == x->symbol && rg__kir_number(w->k, warp->kid[1], &by) &&
              by == 32 && rg__kir_threads_along(w->k, KIR_BLOCK_Y) == 1 &&
              rg__kir_threads_along(w->k, KIR_BLOCK_Z) == 1;
    return is || REFUSE(w, a->node,
                        "%s has a part for each warp: its first subscript is the warp's number, block.x / 32", s->name);
}

static bool meet(struct walking *w, const struct kir_node *at, struct access a)
{
    const struct kir_symbol *s = &w->k->symbols[a.buffer];
    if (s->kind != KIR_BUFFER || s->space != KIR_SHARED) return true;
    if (!own_part(w, &a)) return false;
    if (!a.write && !w->filled[a.buffer])
        return REFUSE(w, at, "shared buffer %s is read, and nothing has written it yet", s->name);
    memcpy(a.below, w->below, sizeof a.below);
    int flying = groups_on_their_way(w, a.buffer);
    if (!a.write && flying && flying >= s->stages)
        return REFUSE(w, at,
                      "shared buffer %s is read while %d groups of copies are on their way to its %d stages: a wait "
                      "and a barrier come first",
                      s->name, flying, s->stages > 1 ? s->stages : 1);
    for (int i = 0; i < w->open.n; i++) {
        const struct access *o = &w->open.items[i];
        enum kir_scope needed = a.peer || o->peer ? KIR_CLUSTER : s->shared_by;
        if (o->buffer != a.buffer || (!o->write && !a.write) || (o->atomic && a.atomic) || o->seen >= needed) continue;
        if ((o->flight && s->stages) || apart(w, o, &a) || same_element(w, o, &a)) continue;
        return REFUSE(w, at, "shared buffer %s is %s here with no barrier of the %s behind where others %s it", s->name,
                      a.write ? "written" : "read", rg__kir_scope_word(needed), o->write ? "write" : "read");
    }
    if (a.write && !a.flight) w->filled[a.buffer] = true;
    add(&w->open, &a);
    return true;
}

static bool reads(struct walking *w, const struct kir_node *n)
{
    if (!n || !rg__kir_is_expression(n->kind)) return true;
    for (int i = 0; i < n->n; i++)
        if (!reads(w, n->kid[i])) return false;
    if (n->kind != KIR_ELEMENT) return true;
    return meet(w, n, (struct access){.node = n, .buffer = n->symbol, .width = 1, .peer = n->peer});
}

/* Several threads that write one element write one value: what tells threads apart in the value does so in the place,
 * or in the conditions around. */
static bool one_value(struct walking *w, const struct kir_node *place, const struct kir_node *value)
{
    const struct kir_symbol *s = &w->k->symbols[place->symbol];
    unsigned of_value = rg__kir_depends(&w->t, value), of_place = rg__kir_depends(&w->t, place) | w->under;
    if (s->space != KIR_SHARED) return true;
    for (enum kir_loop l = KIR_BLOCK_X; l <= KIR_BLOCK_Z; l++)
        if (rg__kir_threads_along(w->k, l) > 1 && of_value & 1u << l && !(of_place & 1u << l))
            return REFUSE(w, place, "threads along %s write different values to the same element of shared buffer %s",
                          rg__kir_loop_word(l), s->name);
    return true;
}

static bool write_place(struct walking *w, const struct kir_node *place, struct access a)
{
    for (int i = 0; i < place->n; i++)
        if (!reads(w, place->kid[i])) return false;
    a.node = place;
    a.buffer = place->symbol;
    a.peer = place->peer;
    return meet(w, place, a);
}

static void passed(struct walking *w, enum kir_scope scope)
{
    int kept = 0;
    for (int i = 0; i < w->open.n; i++) {
        struct access *a = &w->open.items[i];
        if (!a->flight && a->seen < scope) a->seen = scope;
        if (a->seen < KIR_CLUSTER) /* wider ones need nobody else */
            w->open.items[kept++] = *a;
    }
    w->open.n = kept;
}

static void committed(struct walking *w)
{
    for (int i = 0; i < w->open.n; i++)
        if (w->open.items[i].flight) w->open.items[i].flight++;
}

/* flight 1: not in a group yet; 2: in the latest. */
static void waited(struct walking *w, int64_t left)
{
    for (int i = 0; i < w->open.n; i++)
        if (w->open.items[i].flight - 1 > left) {
            w->open.items[i].flight = 0;
            w->filled[w->open.items[i].buffer] = true;
        }
}

static bool sets_inside(void *arg, const struct kir_node *n)
{
    bool *inside = arg;
    bool sets = n->kind == KIR_FOR || n->kind == KIR_LET || n->kind == KIR_VAR || n->kind == KIR_ASSIGN ||
                n->kind == KIR_ATOMIC;
    if (sets && n->symbol >= 0) inside[n->symbol] = true;
    return true;
}

/* Does an iteration of the loop that sets these symbols mean other elements than the one before, of which some may be
 * another thread's? Not where only dealt loops' variables differ: they never come to the same element. */
static bool moves_on(const struct walking *w, const struct kir_node *n, const bool *inside)
{
    const struct kir_node *place = rg__kir_round_of(&w->t, n);
    if (place) return moves_on(w, place, inside);
    n = rg__kir_meaning(&w->t, n);
    if (n->kind == KIR_NAME)
        return inside[n->symbol] && !(w->k->symbols[n->symbol].kind == KIR_INDEX && rg__kir_dealt_to(&w->t, n->symbol));
    for (int i = 0; i < n->n; i++)
        if (moves_on(w, n->kid[i], inside)) return true;
    return false;
}

static void mark_stale(struct walking *w, const bool *inside)
{
    for (int i = 0; i < w->open.n; i++) {
        struct access *a = &w->open.items[i];
        for (int d = 0; a->node && d < a->node->n; d++)
            if (moves_on(w, a->node->kid[d], inside)) a->stale |= 1u << d;
    }
}

static bool walk(struct walking *w, const struct kir_node *n);

/* What was open before may still be: the arm or the loop perhaps did not run. */
static bool perhaps(struct walking *w, const struct kir_node *n)
{
    struct list before = {w->open.n, w->open.n, NULL};
    if (before.n) {
        before.items = rg_xmalloc((size_t)before.n * sizeof *before.items);
        memcpy(before.items, w->open.items, (size_t)before.n * sizeof *before.items);
    }
    bool ok = walk(w, n);
    for (int i = 0; i < before.n; i++) add(&w->open, &before.items[i]);
    free(before.items);
    return ok;
}

/* Behind an iteration, however it ended. */
static void join_left(struct walking *w, struct list *left)
{
    for (int i = 0; i < left->n; i++) add(&w->open, &left->items[i]);
    left->n = 0;
}

static bool around(struct walking *w, const struct kir_node *n)
{
    struct list left = {0, 0, NULL}, *outer = w->left;
    const struct kir_node *body = n->kid[n->kind == KIR_FOR ? 3 : 1];
    bool *inside = rg_xcalloc((size_t)w->k->n_symbols + 1, sizeof *inside);
    int64_t first, end, step;
    rg__kir_walk(n, sets_inside, inside);
    bool once = n->kind == KIR_FOR && rg__kir_number(w->k, n->kid[0], &first) &&
                rg__kir_number(w->k, n->kid[1], &end) && rg__kir_number(w->k, n->kid[2], &step) &&
                (step < 0 ? first > end : first < end);
    w->left = &left;
    bool ok = once ? walk(w, body) : perhaps(w, body);
    join_left(w, &left);
    mark_stale(w, inside);
    ok = ok && reads(w, n->kid[n->kind == KIR_WHILE ? 0 : 1]) && perhaps(w, body);
    join_left(w, &left);
    mark_stale(w, inside);
    w->left = outer;
    free(left.items);
    free(inside);
    return ok;
}

/* tx < 64: there are so many threads behind it. */
static void bound_places(struct walking *w, const struct kir_node *c)
{
    for (int axis = 0; axis < 3; axis++) {
        const struct kir_node *loop = rg__kir_loop_of(w->k, KIR_BLOCK_X + axis);
        if (loop && c->kind == KIR_BINARY && c->op == RG_COP_LT && c->kid[0]->kind == KIR_NAME &&
            c->kid[0]->symbol == loop->symbol)
            w->below[axis] = rg__kir_meaning(&w->t, c->kid[1]);
    }
}

static bool arms(struct walking *w, const struct kir_node *n)
{
    unsigned under = w->under;
    struct list before = {w->open.n, w->open.n, rg_xmalloc((size_t)(w->open.n + 1) * sizeof *before.items)};
    if (w->open.n) memcpy(before.items, w->open.items, (size_t)w->open.n * sizeof *before.items);
    w->under |= rg__kir_depends(&w->t, n->kid[0]);
    const struct kir_node *below[3];
    memcpy(below, w->below, sizeof below);
    bound_places(w, n->kid[0]);
    bool ok = walk(w, n->kid[1]);
    memcpy(w->below, below, sizeof below);
    struct list then = w->open;
    w->open = before;
    ok = ok && walk(w, n->kid[2]);
    for (int i = 0; i < then.n; i++) add(&w->open, &then.items[i]);
    free(then.items);
    w->under = under;
    return ok;
}

static bool opaque(struct walking *w, const struct kir_node *n)
{
    for (int a = 0; a < n->names->t->n_arrays; a++) {
        int b = n->names->buffer[a];
        if (b < 0 || !rg__c_mentions_array(n->tree, a)) continue;
        if (!meet(w, n, (struct access){.buffer = b, .width = 1}) ||
            !meet(w, n, (struct access){.buffer = b, .width = 1, .write = true}))
            return false;
    }
    return true;
}

static bool walk(struct walking *w, const struct kir_node *n)
{
    struct access write = {.write = true, .width = 1};
    unsigned under = w->under;
    bool ok = true;
    if (!n) return true;
    switch (n->kind) {
    case KIR_FOR:
        ok = reads(w, n->kid[0]) && reads(w, n->kid[1]) && reads(w, n->kid[2]);
        if (rg__kir_is_thread_loop(n->loop)) return ok && walk(w, n->kid[3]);
        w->under |=
            rg__kir_depends(&w->t, n->kid[0]) | rg__kir_depends(&w->t, n->kid[1]) | rg__kir_depends(&w->t, n->kid[2]);
        ok = ok && around(w, n);
        w->under = under;
        return ok;
    case KIR_WHILE:
        ok = reads(w, n->kid[0]);
        w->under |= rg__kir_depends(&w->t, n->kid[0]);
        ok = ok && around(w, n);
        w->under = under;
        return ok;
    case KIR_IF:
        return reads(w, n->kid[0]) && arms(w, n);
    case KIR_STORE:
        return reads(w, n->kid[1]) && one_value(w, n->kid[0], n->kid[1]) && write_place(w, n->kid[0], write);
    case KIR_COPY: {
        struct access read = {
            .node = n->kid[1], .buffer = n->kid[1]->symbol, .width = n->width, .peer = n->kid[1]->peer};
        for (int i = 0; ok && i < n->kid[1]->n; i++) ok = reads(w, n->kid[1]->kid[i]);
        write.width = n->width;
        write.flight = n->async;
        return ok && meet(w, n->kid[1], read) && one_value(w, n->kid[0], n->kid[1]) && write_place(w, n->kid[0], write);
    }
    case KIR_ATOMIC:
        for (int i = 1; ok && i < n->n; i++) ok = reads(w, n->kid[i]);
        write.atomic = true;
        return ok && (n->kid[0]->kind == KIR_QUOTED ? reads(w, n->kid[0]) : write_place(w, n->kid[0], write));
    case KIR_MATRIX:
        if (n->matrix == KIR_MATRIX_LOAD)
            return meet(w, n->kid[1],
                        (struct access){.buffer = n->kid[1]->symbol, .width = 1, .peer = n->kid[1]->peer});
        return n->matrix != KIR_MATRIX_STORE ||
               meet(w, n->kid[1], (struct access){.buffer = n->kid[1]->symbol, .width = 1, .write = true});
    case KIR_COMMIT:
        committed(w);
        return true;
    case KIR_WAIT:
        waited(w, n->ivalue);
        return true;
    case KIR_BARRIER:
        passed(w, n->scope);
        return true;
    case KIR_LEAVE:
        for (int i = 0; w->left && i < w->open.n; i++) add(w->left, &w->open.items[i]);
        return true;
    case KIR_SORT: /* its first accesses are in front of its barriers, its last ones behind */
        for (int i = 0; ok && i < n->n; i++)
            for (int j = 0; ok && j < n->kid[i]->n; j++) ok = reads(w, n->kid[i]->kid[j]);
        if (n->sort == KIR_SORT_OWN) return ok && opaque(w, n);
        ok = ok && opaque(w, n) && meet(w, n, (struct access){.buffer = n->symbol, .width = 1, .write = true});
        passed(w, KIR_BLOCK);
        return ok && meet(w, n, (struct access){.buffer = n->symbol, .width = 1});
    case KIR_OPAQUE:
        return opaque(w, n);
    default:
        for (int i = 0; ok && i < n->n; i++)
            ok = n->kid[i] && rg__kir_is_expression(n->kid[i]->kind) ? reads(w, n->kid[i]) : walk(w, n->kid[i]);
        return ok;
    }
}

bool rg__kir_verify_shared(const struct kir_kernel *k, struct kir_refusal *why)
{
    struct walking w = {.k = k, .why = why};
    w.filled = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *w.filled);
    rg__kir_threads_find(&w.t, k);
    bool ok = walk(&w, k->body);
    rg__kir_threads_free(&w.t);
    free(w.filled);
    free(w.open.items);
    return ok;
}
