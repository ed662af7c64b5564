/* Kernel IR: what a value has to do with a thread's place, and whether an element is one thread's alone. */
#include "poly/kir/threads.h"
#include <stdlib.h>

/* ---- what depends on which thread ---- */

unsigned rg__kir_depends(const struct kir_threads *w, const struct kir_node *n)
{
    unsigned d = 0;
    if (!n) return 0;
    if (n->kind == KIR_OPAQUE || n->kind == KIR_SHUFFLE) return ~0u;
    if (n->symbol >= 0) d |= w->depends[n->symbol];
    for (int i = 0; i < n->n; i++) d |= rg__kir_depends(w, n->kid[i]);
    return d;
}

struct leaving {
    const struct kir_threads *w;
    unsigned on;
};

static void depend(void *arg, const struct kir_node *value)
{
    struct leaving *l = arg;
    l->on |= rg__kir_depends(l->w, value);
}

/* What it depends on whether the loop of that body is left from inside, or, of the kernel's, the thread's code. */
static unsigned leaving(const struct kir_threads *w, const struct kir_node *n)
{
    struct leaving l = {w, 0};
    rg__kir_left(n, n == w->k->body, depend, &l);
    return l.on;
}

static bool own_memory(const struct kir_symbol *s)
{
    return s->kind == KIR_BUFFER && s->space != KIR_GLOBAL && s->space != KIR_SHARED;
}

/* One round; did anything change? */
static bool spread(struct kir_threads *w, const struct kir_node *n, unsigned under)
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
            d = rg__kir_depends(w, n->kid[0]) | rg__kir_depends(w, n->kid[2]);
            under |= d | rg__kir_depends(w, n->kid[1]) | leaving(w, n->kid[3]);
        }
        w->loop[n->symbol] = n;
        to = n->symbol;
        break;
    case KIR_IF:
    case KIR_WHILE:
        under |= rg__kir_depends(w, n->kid[0]) | (n->kind == KIR_WHILE ? leaving(w, n->kid[1]) : 0);
        break;
    case KIR_LET:
        w->value[n->symbol] = n->kid[0];
        d = rg__kir_depends(w, n->kid[0]);
        to = n->symbol;
        break;
    case KIR_VAR:
    case KIR_ASSIGN:
        d |= n->n ? rg__kir_depends(w, n->kid[0]) : 0;
        to = n->symbol;
        break;
    case KIR_ATOMIC:
        d = ~0u;
        to = n->symbol;
        break;
    case KIR_STORE:
    case KIR_COPY:
        d |= rg__kir_depends(w, n->kid[0]) | rg__kir_depends(w, n->kid[1]);
        to = own_memory(&w->k->symbols[n->kid[0]->symbol]) ? n->kid[0]->symbol : -1;
        break;
    case KIR_SORT:
        d = ~0u;
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
static void add_shares(const struct kir_threads *w, const struct kir_node *n, int64_t factor, struct shares *s)
{
    int64_t v;
    if (!rg__kir_depends(w, n)) return;
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

int64_t rg__kir_threads_along(const struct kir_kernel *k, enum kir_loop loop)
{
    const struct kir_node *n = rg__kir_loop_of(k, loop);
    int64_t v = 1;
    return n && rg__kir_number(k, n->kid[1], &v) ? v : 1;
}

/* What a name stands for. */
const struct kir_node *rg__kir_meaning(const struct kir_threads *w, const struct kir_node *n)
{
    while (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_VALUE && w->value[n->symbol])
        n = w->value[n->symbol];
    return n;
}

/* Reads the shares as digits: a thread's place with a stride that passes all that smaller ones, and `below`, reach.
 * Which loops' threads they tell apart; what they reach in all. */
static unsigned told_by(const struct kir_threads *w, struct shares sh, int64_t *below)
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
        *below += llabs(sh.of[next]) * (rg__kir_threads_along(w->k, (enum kir_loop)next) - 1);
        sh.of[next] = 0;
    }
}

/* A serial loop that is dealt out to threads: each starts at a place of its own and goes on by more than all of them
 * reach. Its variable has no value twice, in no two threads and iterations. Which loops' threads it is dealt to; 0: it
 * is none. */
unsigned rg__kir_dealt_to(const struct kir_threads *w, int index)
{
    const struct kir_node *loop = w->loop[index];
    struct shares sh = {true, {0}};
    int64_t below = 0, step;
    if (!loop || rg__kir_is_thread_loop(loop->loop) || !rg__kir_number(w->k, loop->kid[2], &step)) return 0;
    add_shares(w, loop->kid[0], 1, &sh);
    unsigned told = told_by(w, sh, &below);
    return told && step > below ? told : 0;
}

/* Is it one of 0 .. *most, as the thread's place alone says? */
static bool place_of(const struct kir_threads *w, const struct kir_node *n, int64_t *most)
{
    int64_t v, more;
    n = rg__kir_meaning(w, n);
    if (rg__kir_number(w->k, n, most)) return *most >= 0;
    for (enum kir_loop l = KIR_BLOCK_X; n->kind == KIR_NAME && l <= KIR_BLOCK_Z; l++) {
        const struct kir_node *loop = rg__kir_loop_of(w->k, l);
        if (!loop || loop->symbol != n->symbol) continue;
        *most = rg__kir_threads_along(w->k, l) - 1;
        return true;
    }
    if (n->kind == KIR_CAST && rg_scalar_bytes(n->type) >= 4) return place_of(w, n->kid[0], most);
    if (n->kind != KIR_BINARY || !place_of(w, n->kid[0], most)) return false;
    if (n->op == RG_COP_ADD) return place_of(w, n->kid[1], &more) && !__builtin_add_overflow(*most, more, most);
    if (!rg__kir_number(w->k, n->kid[1], &v) || v < 1) return false;
    if (n->op == RG_COP_MUL) return !__builtin_mul_overflow(*most, v, most);
    if (n->op == RG_COP_DIV) *most /= v;
    if (n->op == RG_COP_REM && *most >= v) *most = v - 1;
    return n->op == RG_COP_DIV || n->op == RG_COP_REM;
}

/* place + round * 256, where places are below 256 and the round is every thread's: whatever the rounds are, it tells
 * places apart. The place; NULL: it is nothing such. */
const struct kir_node *rg__kir_round_of(const struct kir_threads *w, const struct kir_node *n)
{
    int64_t factor = 1, most;
    n = rg__kir_meaning(w, n);
    if (n->kind != KIR_BINARY || n->op != RG_COP_ADD || rg__kir_depends(w, n->kid[1])) return NULL;
    const struct kir_node *by = rg__kir_meaning(w, n->kid[1]);
    if (by->kind == KIR_BINARY && by->op == RG_COP_MUL && !rg__kir_number(w->k, by->kid[1], &factor)) return NULL;
    return place_of(w, n->kid[0], &most) && factor > most ? rg__kir_meaning(w, n->kid[0]) : NULL;
}

/* x + 3 of a dealt loop's variable x, or of such a loop's places: to whose threads; 0. */
static unsigned dealt(const struct kir_threads *w, const struct kir_node *n)
{
    const struct kir_node *place = rg__kir_round_of(w, n);
    struct shares sh = {true, {0}};
    int64_t below = 0;
    n = rg__kir_meaning(w, n);
    if (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_INDEX) return rg__kir_dealt_to(w, n->symbol);
    if (n->kind != KIR_BINARY || (n->op != RG_COP_ADD && n->op != RG_COP_SUB)) return 0;
    if (place) {
        add_shares(w, place, 1, &sh);
        return told_by(w, sh, &below);
    }
    bool left = rg__kir_depends(w, n->kid[0]), right = rg__kir_depends(w, n->kid[1]);
    if (left && !right) return dealt(w, n->kid[0]);
    return right && !left && n->op == RG_COP_ADD ? dealt(w, n->kid[1]) : 0;
}

const struct kir_node *rg__kir_scaled(const struct kir_threads *w, const struct kir_node *n, int64_t *factor,
                                      int64_t *number)
{
    int64_t v;
    n = rg__kir_without_number(w, n, number);
    *factor = 1;
    if (n->kind != KIR_BINARY || n->op != RG_COP_MUL || !rg__kir_number(w->k, n->kid[1], &v) || v < 1) return n;
    *factor = v;
    return rg__kir_meaning(w, n->kid[0]);
}

/* Which digit the subscript is, of which number: its `below` and what it counts to (0: it is the highest). */
static bool digit(const struct kir_threads *w, const struct kir_node *sub, const struct kir_node **of, int64_t *below,
                  int64_t *count)
{
    const struct kir_node *place = rg__kir_round_of(w, sub);
    *below = 1;
    *count = 0;
    sub = place ? place : sub;
    if (sub->kind == KIR_BINARY && sub->op == RG_COP_REM) {
        if (!rg__kir_number(w->k, sub->kid[1], count)) return false;
        sub = rg__kir_meaning(w, sub->kid[0]);
    }
    bool divided = sub->kind == KIR_BINARY && sub->op == RG_COP_DIV && rg__kir_number(w->k, sub->kid[1], below);
    *of = divided ? rg__kir_meaning(w, sub->kid[0]) : sub;
    return divided || *count;
}

/* s of [s / 32][s % 32], of [s / 64][s / 8 % 8][s % 8 * 4] and the like, in any order: the subscripts, less those of
 * the bits, are its digits; NULL. Of `width` elements at once each has its own. */
static const struct kir_node *digits_of(const struct kir_threads *w, const struct kir_node *element, int from,
                                        int width, unsigned less)
{
    const struct kir_node *whole = NULL;
    int64_t reached = 1;
    for (int round = from; round < element->n; round++) { /* lowest digit first */
        const struct kir_node *of = NULL;
        int64_t below = 0, count = 0, factor, number;
        bool found = false;
        for (int i = from; i < element->n && !found; i++) {
            const struct kir_node *sub = rg__kir_scaled(w, element->kid[i], &factor, &number);
            found = !(less & 1u << i) && (i + 1 < element->n || factor >= width) &&
                    digit(w, sub, &of, &below, &count) && below == reached && (!whole || rg__kir_equal(of, whole));
        }
        if (!found) return NULL;
        whole = of;
        if (!count) return round > from ? whole : NULL;
        reached *= count;
    }
    return NULL;
}

/* Do the subscripts alone tell threads apart, those that share the buffer? Then the element is one thread's. */
bool rg__kir_one_threads(const struct kir_threads *w, const struct kir_node *element, int width, unsigned less)
{
    const struct kir_symbol *s = &w->k->symbols[element->symbol];
    int from = s->shared_by == KIR_WARP;
    unsigned told = 0;
    if (element->peer) return false;
    const struct kir_node *whole = digits_of(w, element, from, width, less);
    for (int i = from - (whole != NULL); i < element->n; i++) {
        bool digits = i < from;
        if (!digits && less & 1u << i) continue;
        const struct kir_node *sub = digits ? whole : element->kid[i];
        struct shares sh = {true, {0}};
        int64_t below = !digits && i + 1 == element->n ? width - 1 : 0;
        unsigned own = width == 1 || digits ? dealt(w, sub) : 0;
        add_shares(w, sub, 1, &sh);
        told |= own ? own : told_by(w, sh, &below);
    }
    if (s->shared_by == KIR_WARP) return told & (1u << KIR_LANE | 1u << KIR_BLOCK_X);
    for (int l = KIR_BLOCK_X; l <= KIR_BLOCK_Z; l++)
        if (!(told & 1u << l) && rg__kir_threads_along(w->k, (enum kir_loop)l) > 1) return false;
    return true;
}

/* Is its value the same wherever it stands in one iteration? */
bool rg__kir_stable(const struct kir_threads *w, const struct kir_node *n)
{
    if (n->kind == KIR_ELEMENT || n->kind == KIR_SHUFFLE ||
        (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_SCALAR))
        return false;
    if (n->kind == KIR_NAME && w->k->symbols[n->symbol].kind == KIR_VALUE && w->value[n->symbol])
        return rg__kir_stable(w, w->value[n->symbol]);
    for (int i = 0; i < n->n; i++)
        if (!rg__kir_stable(w, n->kid[i])) return false;
    return true;
}

/* x, and the number added to it. */
const struct kir_node *rg__kir_without_number(const struct kir_threads *w, const struct kir_node *n, int64_t *c)
{
    n = rg__kir_meaning(w, n);
    *c = 0;
    if (n->kind == KIR_BINARY && (n->op == RG_COP_ADD || n->op == RG_COP_SUB) && rg__kir_number(w->k, n->kid[1], c)) {
        *c = n->op == RG_COP_ADD ? *c : -*c;
        return rg__kir_meaning(w, n->kid[0]);
    }
    return n;
}

void rg__kir_threads_find(struct kir_threads *w, const struct kir_kernel *k)
{
    size_t size = (size_t)k->n_symbols + 1;
    w->k = k;
    w->value = rg_xcalloc(size, sizeof *w->value);
    w->loop = rg_xcalloc(size, sizeof *w->loop);
    w->depends = rg_xcalloc(size, sizeof *w->depends);
    while (spread(w, k->body, leaving(w, k->body))) continue;
}

void rg__kir_threads_free(struct kir_threads *w)
{
    free(w->value);
    free(w->loop);
    free(w->depends);
}
