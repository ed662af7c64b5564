/* Kernel IR: shared memory is read behind what writes it. The kernel is walked as one thread runs it; each shared
 * buffer has a list of accesses that other threads may not have seen, and what meets one of them without a barrier in
 * between is refused. Loops are walked twice: their end stands in front of their start. */
#include "ir/ctree_util.h"
#include "poly/kir/verify.h"
#include <stdlib.h>
#include <string.h>

struct access {
    const struct kir_node *node; /* ELEMENT; NULL: any of the buffer's */
    int buffer, width;
    bool write, atomic, peer;
    bool stale;          /* of an earlier iteration: its subscripts mean other elements now */
    enum kir_scope seen; /* the widest barrier since */
    int flight;          /* an asynchronous copy: groups begun since, from 1; 0: it has arrived, or is none */
};

struct list {
    int n, cap;
    struct access *items;
};

struct walking {
    const struct kir_kernel *k;
    struct kir_refusal *why;
    const enum kir_scope *of;
    const struct kir_node **value; /* [VALUE symbol] */
    const struct kir_node **loop;  /* [INDEX symbol] */
    unsigned *depends;             /* [symbol] bit of each loop over threads that its value depends on */
    unsigned under;                /* of the conditions around */
    bool *filled;                  /* [buffer] something was written in front */
    struct list open;
};

#define REFUSE(w, n, ...) rg__kir_refuse((w)->k, (w)->why, n, __VA_ARGS__)

/* ---- what depends on which thread ---- */

static unsigned depends(const struct walking *w, const struct kir_node *n)
{
    unsigned d = 0;
    if (!n) return 0;
    if (n->kind == KIR_OPAQUE || n->kind == KIR_SHUFFLE) return ~0u;
    if (n->symbol >= 0) d |= w->depends[n->symbol];
    for (int i = 0; i < n->n; i++) d |= depends(w, n->kid[i]);
    return d;
}

static bool own_memory(const struct kir_symbol *s)
{
    return s->kind == KIR_BUFFER && s->space != KIR_GLOBAL && s->space != KIR_SHARED;
}

/* One round; did anything change? */
static bool spread(struct walking *w, const struct kir_node *n, unsigned under)
{
    unsigned d = under;
    bool changed = false;
    int to = -1;
    if (!n) return false;
    switch (n->kind) {
    case KIR_FOR:
        if (rg__kir_is_thread_loop(n->loop)) {
            d = n->loop >= KIR_BLOCK_X ? 1u << n->loop : 0;
            d |= n->loop == KIR_LANE ? 1u << KIR_BLOCK_X : 0;
        } else {
            d = depends(w, n->kid[0]) | depends(w, n->kid[2]);
            under |= d | depends(w, n->kid[1]);
        }
        w->loop[n->symbol] = n;
        to = n->symbol;
        break;
    case KIR_IF:
    case KIR_WHILE:
        under |= depends(w, n->kid[0]);
        break;
    case KIR_LET:
        w->value[n->symbol] = n->kid[0];
        d = depends(w, n->kid[0]);
        to = n->symbol;
        break;
    case KIR_VAR:
    case KIR_ASSIGN:
        d |= n->n ? depends(w, n->kid[0]) : 0;
        to = n->symbol;
        break;
    case KIR_ATOMIC:
        d = ~0u;
        to = n->symbol;
        break;
    case KIR_STORE:
    case KIR_COPY:
        d |= depends(w, n->kid[0]) | depends(w, n->kid[1]);
        to = own_memory(&w->k->symbols[n->kid[0]->symbol]) ? n->kid[0]->symbol : -1;
        break;
    case KIR_OPAQUE:
        for (int s = 0; s < w->k->n_symbols; s++)
            if (w->k->symbols[s].kind == KIR_SCALAR || own_memory(&w->k->symbols[s])) w->depends[s] = ~0u;
        break;
    default:
        break;
    }
    if (to >= 0 && (w->depends[to] | d) != w->depends[to]) {
        w->depends[to] |= d;
        changed = true;
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !rg__kir_is_expression(n->kid[i]->kind)) changed = spread(w, n->kid[i], under) || changed;
    return changed;
}

/* ---- whose element it is ---- */

struct shares {
    bool linear;
    int64_t of[KIR_LANE + 1]; /* by kind of loop */
};

/* s += factor * n */
static void add_shares(const struct walking *w, const struct kir_node *n, int64_t factor, struct shares *s)
{
    int64_t v;
    if (!depends(w, n)) return;
    if (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_VALUE && w->value[n->symbol]) {
        add_shares(w, w->value[n->symbol], factor, s);
        return;
    }
    if (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_INDEX)
        for (enum kir_loop l = KIR_BLOCK_X; l <= KIR_LANE; l++) {
            const struct kir_node *loop = rg__kir_loop_of(w->k, l);
            if (loop && loop->symbol == n->symbol) {
                s->of[l] += factor;
                return;
            }
        }
    if (n->kind == KIR_CAST && rg_scalar_bytes(n->type) >= 4) {
        add_shares(w, n->kid[0], factor, s);
    } else if (n->kind == KIR_BINARY && (n->op == RG_COP_ADD || n->op == RG_COP_SUB)) {
        add_shares(w, n->kid[0], factor, s);
        add_shares(w, n->kid[1], n->op == RG_COP_ADD ? factor : -factor, s);
    } else if (n->kind == KIR_BINARY && n->op == RG_COP_MUL && rg__kir_number(w->k, n->kid[1], &v)) {
        add_shares(w, n->kid[0], factor * v, s);
    } else if (n->kind == KIR_BINARY && n->op == RG_COP_MUL && rg__kir_number(w->k, n->kid[0], &v)) {
        add_shares(w, n->kid[1], factor * v, s);
    } else {
        s->linear = false;
    }
}

static int64_t extent(const struct kir_kernel *k, enum kir_loop loop)
{
    const struct kir_node *n = rg__kir_loop_of(k, loop);
    int64_t v = 1;
    return n && rg__kir_number(k, n->kid[1], &v) ? v : 1;
}

/* What a name stands for. */
static const struct kir_node *meaning(const struct walking *w, const struct kir_node *n)
{
    while (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_VALUE && w->value[n->symbol])
        n = w->value[n->symbol];
    return n;
}

/* Reads the shares as digits: a thread's place with a stride that passes all that smaller ones, and `below`, reach.
 * Which loops' threads they tell apart; what they reach in all. */
static unsigned told_by(const struct walking *w, struct shares sh, int64_t *below)
{
    unsigned told = 0;
    if (!sh.linear) return 0;
    for (;;) { /* smallest stride first */
        int next = -1;
        for (int l = KIR_BLOCK_X; l <= KIR_LANE; l++)
            if (sh.of[l] && (next < 0 || llabs(sh.of[l]) < llabs(sh.of[next]))) next = l;
        if (next < 0) return told;
        if (llabs(sh.of[next]) <= *below) return 0; /* two threads may meet */
        told |= 1u << next;
        *below += llabs(sh.of[next]) * (extent(w->k, (enum kir_loop)next) - 1);
        sh.of[next] = 0;
    }
}

/* A serial loop that is dealt out to threads: each starts at a place of its own and goes on by more than all of them
 * reach. Its variable has no value twice, in no two threads and iterations. Which loops' threads it is dealt to; 0: it
 * is none. */
static unsigned dealt_to(const struct walking *w, int index)
{
    const struct kir_node *loop = w->loop[index];
    struct shares sh = {true, {0}};
    int64_t below = 0, step;
    if (!loop || rg__kir_is_thread_loop(loop->loop) || !rg__kir_number(w->k, loop->kid[2], &step)) return 0;
    add_shares(w, loop->kid[0], 1, &sh);
    unsigned told = told_by(w, sh, &below);
    return told && step > below ? told : 0;
}

/* x + 3 of a dealt loop's variable x: whose; -1. */
static int dealt_index(const struct walking *w, const struct kir_node *n)
{
    n = meaning(w, n);
    if (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_INDEX && dealt_to(w, n->symbol)) return n->symbol;
    if (n->kind != KIR_BINARY || (n->op != RG_COP_ADD && n->op != RG_COP_SUB)) return -1;
    bool left = depends(w, n->kid[0]), right = depends(w, n->kid[1]);
    if (left && !right) return dealt_index(w, n->kid[0]);
    return right && !left && n->op == RG_COP_ADD ? dealt_index(w, n->kid[1]) : -1;
}

/* s / 32 of [s / 32][s % 32]: what is divided there; NULL. */
static const struct kir_node *divided(const struct walking *w, const struct kir_node *element, int at)
{
    const struct kir_node *q = meaning(w, element->kid[at]);
    int64_t c, d;
    if (q->kind != KIR_BINARY || q->op != RG_COP_DIV || !rg__kir_number(w->k, q->kid[1], &c)) return NULL;
    for (int i = at + 1; i < element->n; i++) {
        const struct kir_node *r = meaning(w, element->kid[i]);
        if (r->kind == KIR_BINARY && r->op == RG_COP_REM && rg__kir_number(w->k, r->kid[1], &d) && d == c &&
            rg__kir_equal(meaning(w, q->kid[0]), meaning(w, r->kid[0])))
            return q->kid[0];
    }
    return NULL;
}

/* Do the subscripts alone tell threads apart, those that share the buffer? Then the element is one thread's. */
static bool one_threads(const struct walking *w, const struct access *a)
{
    const struct kir_symbol *s = &w->k->symbols[a->buffer];
    unsigned told = 0;
    if (!a->node || a->peer) return false;
    for (int i = s->shared_by == KIR_WARP; i < a->node->n; i++) {
        const struct kir_node *whole = divided(w, a->node, i), *sub = whole ? whole : a->node->kid[i];
        struct shares sh = {true, {0}};
        int64_t below = !whole && i + 1 == a->node->n ? a->width - 1 : 0;
        int dealt = a->width == 1 ? dealt_index(w, sub) : -1;
        add_shares(w, sub, 1, &sh);
        told |= dealt >= 0 ? dealt_to(w, dealt) : told_by(w, sh, &below);
    }
    if (s->shared_by == KIR_WARP) return told & (1u << KIR_LANE | 1u << KIR_BLOCK_X);
    for (int l = KIR_BLOCK_X; l <= KIR_BLOCK_Z; l++)
        if (!(told & 1u << l) && extent(w->k, (enum kir_loop)l) > 1) return false;
    return true;
}

/* ---- two accesses ---- */

/* Is its value the same wherever it stands in one iteration? */
static bool stable(const struct walking *w, const struct kir_node *n)
{
    if (n->kind == KIR_ELEMENT || n->kind == KIR_SHUFFLE ||
        (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_SCALAR))
        return false;
    if (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_VALUE && w->value[n->symbol])
        return stable(w, w->value[n->symbol]);
    for (int i = 0; i < n->n; i++)
        if (!stable(w, n->kid[i])) return false;
    return true;
}

static bool same_element(const struct walking *w, const struct access *a, const struct access *b)
{
    if (!a->node || !b->node || a->stale || b->stale || a->node->n != b->node->n || a->width != b->width) return false;
    for (int i = 0; i < a->node->n; i++)
        if (!rg__kir_equal(a->node->kid[i], b->node->kid[i])) return false;
    return one_threads(w, a);
}

/* x, and the number added to it. */
static const struct kir_node *without_number(const struct walking *w, const struct kir_node *n, int64_t *c)
{
    n = meaning(w, n);
    *c = 0;
    if (n->kind == KIR_BINARY && (n->op == RG_COP_ADD || n->op == RG_COP_SUB) && rg__kir_number(w->k, n->kid[1], c)) {
        *c = n->op == RG_COP_ADD ? *c : -*c;
        return meaning(w, n->kid[0]);
    }
    return n;
}

/* 0 and 1; in one iteration (k + 2) % 3 and k % 3. */
static bool apart(const struct walking *w, const struct access *a, const struct access *b)
{
    if (!a->node || !b->node || a->peer || b->peer) return false;
    for (int i = 0; i < a->node->n && i < b->node->n; i++) {
        const struct kir_node *x = meaning(w, a->node->kid[i]), *y = meaning(w, b->node->kid[i]);
        bool last = i + 1 == a->node->n;
        int64_t u, v, m, p;
        if (rg__kir_number(w->k, x, &u) && rg__kir_number(w->k, y, &v)) {
            if (u < v ? u + (last ? a->width : 1) <= v : v + (last ? b->width : 1) <= u) return true;
            continue;
        }
        if (a->stale || b->stale || last) continue;
        if (x->kind == KIR_BINARY && y->kind == KIR_BINARY && x->op == RG_COP_REM && y->op == RG_COP_REM &&
            rg__kir_number(w->k, x->kid[1], &m) && rg__kir_number(w->k, y->kid[1], &p) && m == p && m > 0) {
            const struct kir_node *e = without_number(w, x->kid[0], &u), *f = without_number(w, y->kid[0], &v);
            if (rg__kir_equal(e, f) && stable(w, e) && (u - v) % m) return true;
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
    const struct kir_node *warp = a->node && a->node->n ? meaning(w, a->node->kid[0]) : NULL,
                          *x = rg__kir_loop_of(w->k, KIR_BLOCK_X);
    int64_t by = 0;
    bool is = warp && x && warp->kind == KIR_BINARY && warp->op == RG_COP_DIV &&
              meaning(w, warp->kid[0])->symbol == x->symbol && rg__kir_number(w->k, warp->kid[1], &by) && by == 32 &&
              extent(w->k, KIR_BLOCK_Y) == 1 && extent(w->k, KIR_BLOCK_Z) == 1;
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
    unsigned of_value = depends(w, value), of_place = depends(w, place) | w->under;
    if (s->space != KIR_SHARED) return true;
    for (enum kir_loop l = KIR_BLOCK_X; l <= KIR_BLOCK_Z; l++)
        if (extent(w->k, l) > 1 && of_value & 1u << l && !(of_place & 1u << l))
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
    n = meaning(w, n);
    if (n->kind == KIR_NAME)
        return inside[n->symbol] && !(w->k->symbols[n->symbol].kind == KIR_INDEX && dealt_to(w, n->symbol));
    for (int i = 0; i < n->n; i++)
        if (moves_on(w, n->kid[i], inside)) return true;
    return false;
}

static void mark_stale(struct walking *w, const bool *inside)
{
    for (int i = 0; i < w->open.n; i++) {
        struct access *a = &w->open.items[i];
        for (int d = 0; a->node && d < a->node->n; d++) a->stale = a->stale || moves_on(w, a->node->kid[d], inside);
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

static bool around(struct walking *w, const struct kir_node *n)
{
    const struct kir_node *body = n->kid[n->kind == KIR_FOR ? 3 : 1];
    bool *inside = rg_xcalloc((size_t)w->k->n_symbols + 1, sizeof *inside);
    int64_t first, end;
    rg__kir_walk(n, sets_inside, inside);
    bool once = n->kind == KIR_FOR && rg__kir_number(w->k, n->kid[0], &first) &&
                rg__kir_number(w->k, n->kid[1], &end) && first < end;
    bool ok = once ? walk(w, body) : perhaps(w, body);
    mark_stale(w, inside);
    ok = ok && reads(w, n->kid[n->kind == KIR_WHILE ? 0 : 1]) && perhaps(w, body);
    mark_stale(w, inside);
    free(inside);
    return ok;
}

static bool arms(struct walking *w, const struct kir_node *n)
{
    unsigned under = w->under;
    struct list before = {w->open.n, w->open.n, rg_xmalloc((size_t)(w->open.n + 1) * sizeof *before.items)};
    if (w->open.n) memcpy(before.items, w->open.items, (size_t)w->open.n * sizeof *before.items);
    w->under |= depends(w, n->kid[0]);
    bool ok = walk(w, n->kid[1]);
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
        w->under |= depends(w, n->kid[0]) | depends(w, n->kid[1]) | depends(w, n->kid[2]);
        ok = ok && around(w, n);
        w->under = under;
        return ok;
    case KIR_WHILE:
        ok = reads(w, n->kid[0]);
        w->under |= depends(w, n->kid[0]);
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
        return ok && write_place(w, n->kid[0], write);
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
    size_t size = (size_t)k->n_symbols + 1;
    struct walking w = {.k = k, .why = why};
    w.value = rg_xcalloc(size, sizeof *w.value);
    w.loop = rg_xcalloc(size, sizeof *w.loop);
    w.depends = rg_xcalloc(size, sizeof *w.depends);
    w.filled = rg_xcalloc(size, sizeof *w.filled);
    while (spread(&w, k->body, 0)) continue;
    for (int i = 0; i < k->n_symbols; i++) /* what others have put there is nobody's in particular */
        if (k->symbols[i].kind == KIR_BUFFER && k->symbols[i].space == KIR_GLOBAL && k->symbols[i].written)
            w.depends[i] = 0;
    bool ok = walk(&w, k->body);
    free(w.value);
    free(w.loop);
    free(w.depends);
    free(w.filled);
    free(w.open.items);
    return ok;
}
