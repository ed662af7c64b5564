/* Kernel IR: over which threads a value may differ. A value of a loop's variable, of a LET, of a SCALAR or a thread's
 * own array varies as what it is made of does and, where it is assigned, as the conditions around the assignment do. */
#include "poly/kir/varies.h"
#include "ir/ctree_util.h"
#include <stdlib.h>

static enum kir_scope least(enum kir_scope a, enum kir_scope b)
{
    return a < b ? a : b;
}

/* The extent of the block's loop; 1 without one. */
static int64_t extent(const struct kir_kernel *k, enum kir_loop loop)
{
    const struct kir_node *n = rg__kir_loop_of(k, loop);
    int64_t v = 1;
    return !n || !rg__kir_number(k, n->kid[1], &v) ? (n ? 0 : 1) : v;
}

static enum kir_scope of_loop(const struct kir_kernel *k, enum kir_loop loop)
{
    switch (loop) {
    case KIR_GRID_X:
    case KIR_GRID_Y:
    case KIR_GRID_Z:
        return rg__kir_loop_of(k, KIR_CLUSTER_X) ? KIR_CLUSTER : KIR_BLOCK;
    case KIR_CLUSTER_X:
        return KIR_BLOCK;
    case KIR_BLOCK_Y:
        return extent(k, KIR_BLOCK_X) > 0 && extent(k, KIR_BLOCK_X) % 32 == 0 ? KIR_WARP : KIR_THREAD;
    case KIR_BLOCK_Z:
        return extent(k, KIR_BLOCK_X) * extent(k, KIR_BLOCK_Y) > 0 &&
                       extent(k, KIR_BLOCK_X) * extent(k, KIR_BLOCK_Y) % 32 == 0
                   ? KIR_WARP
                   : KIR_THREAD;
    default:
        return KIR_THREAD;
    }
}

/* tx / 32, tx / 64, ...: the same in a warp, where warps lie along x; tx / 8 in groups of 8 lanes. THREAD: it is none
 * of these. */
static enum kir_scope group_number(const struct kir_kernel *k, const struct kir_node *n)
{
    const struct kir_node *x = rg__kir_loop_of(k, KIR_BLOCK_X);
    int64_t by, lanes = rg__kir_loop_of(k, KIR_LANE) ? extent(k, KIR_LANE) : 0;
    if (!x || n->kind != KIR_BINARY || n->op != RG_COP_DIV || n->kid[0]->kind != KIR_NAME ||
        n->kid[0]->symbol != x->symbol || !rg__kir_number(k, n->kid[1], &by) || by <= 0)
        return KIR_THREAD;
    if (by % 32) return lanes > 0 && by % lanes == 0 ? KIR_LANES : KIR_THREAD;
    bool alone = extent(k, KIR_BLOCK_Y) == 1 && extent(k, KIR_BLOCK_Z) == 1;
    return alone || (extent(k, KIR_BLOCK_X) > 0 && extent(k, KIR_BLOCK_X) % 32 == 0) ? KIR_WARP : KIR_THREAD;
}

struct naming {
    const struct kir_node *opaque;
    bool other;
};

static bool name_other(void *arg, struct rg_cnode *n)
{
    struct naming *w = arg;
    for (int i = 0; i < w->opaque->n; i++)
        if (w->opaque->quoted[i] == n) return false;
    w->other = w->other || n->kind == RG_C_VERBATIM || n->array >= 0 || n->pointer || n->op == RG_COP_ADDRESS ||
               n->op == RG_COP_DEREF || n->kind == RG_C_RETURN;
    return !w->other;
}

/* Does the code of the user's know nothing but what it quotes? Threads that agree on that do the same in it. */
static bool follows_quoted(const struct kir_node *opaque)
{
    struct naming w = {opaque, false};
    rg__c_walk((struct rg_cnode *)opaque->tree, name_other, &w);
    return !w.other;
}

enum kir_scope rg__kir_varies_in(const struct kir_kernel *k, const enum kir_scope *of, const struct kir_node *n)
{
    enum kir_scope v = KIR_GRID;
    int64_t lane;
    if (!n) return v;
    if (n->kind == KIR_OPAQUE && !follows_quoted(n)) return KIR_THREAD;
    if (n->kind == KIR_NAME) return of[n->symbol];
    if (group_number(k, n)) return group_number(k, n);
    if (n->kind == KIR_ALIGNED) { /* addresses of elements, whatever stands there */
        for (int i = 0; i < n->n; i++)
            for (int d = 0; d < n->kid[i]->n; d++) v = least(v, rg__kir_varies_in(k, of, n->kid[i]->kid[d]));
        return v;
    }
    for (int i = 0; i < n->n; i++) v = least(v, rg__kir_varies_in(k, of, n->kid[i]));
    if (n->kind == KIR_SHUFFLE) {
        bool one = n->how == KIR_SHUFFLE_FROM && rg__kir_varies_in(k, of, n->kid[1]) >= KIR_WARP;
        if (one && n->width != 32 && rg__kir_loop_of(k, KIR_LANE) && extent(k, KIR_LANE) == n->width) return KIR_LANES;
        return one && n->width == 32 ? KIR_WARP : v >= KIR_WARP && rg__kir_number(k, n->kid[1], &lane) ? v : KIR_THREAD;
    }
    if (n->kind == KIR_ELEMENT) v = least(v, of[n->symbol]);
    return v;
}

struct finding {
    const struct kir_kernel *k;
    enum kir_scope *of;
    bool changed;
};

static void lower(struct finding *f, int symbol, enum kir_scope to)
{
    if (symbol >= 0 && to < f->of[symbol]) {
        f->of[symbol] = to;
        f->changed = true;
    }
}

static bool own(const struct kir_symbol *s)
{
    return s->kind == KIR_SCALAR || (s->kind == KIR_BUFFER && s->space != KIR_GLOBAL && s->space != KIR_SHARED);
}

struct telling {
    const struct kir_kernel *k;
    const enum kir_scope *of;
    enum kir_scope least;
};

static void told_by(void *arg, const struct kir_node *value)
{
    struct telling *t = arg;
    t->least = least(t->least, rg__kir_varies_in(t->k, t->of, value));
}

enum kir_scope rg__kir_leaving(const struct kir_kernel *k, const enum kir_scope *of, const struct kir_node *n)
{
    struct telling t = {k, of, KIR_GRID};
    rg__kir_left(n, n == k->body, told_by, &t);
    return t.least;
}

struct setting {
    const struct rg_cnode *what;
    bool may;
};

static bool sets(void *arg, struct rg_cnode *n)
{
    struct setting *s = arg;
    const bool assigns = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    s->may = s->may || n->kind == RG_C_VERBATIM || (assigns && rg__c_contains(n->kid[0], s->what));
    return !s->may;
}

/* May the code of the user's set the scalar? It is quoted where it is the target of an assignment, or its address is
 * taken; text without a tree may do what it likes. */
static bool may_set(const struct kir_node *opaque, int scalar)
{
    for (int i = 0; i < opaque->n; i++) {
        struct setting s = {opaque->quoted[i], false};
        if (!rg__kir_mentions(opaque->kid[i], scalar)) continue;
        rg__c_walk((struct rg_cnode *)opaque->tree, sets, &s);
        if (s.may) return true;
    }
    return false;
}

/* What stands at n, under conditions that vary so. */
static void find(struct finding *f, const struct kir_node *n, enum kir_scope under)
{
    const struct kir_kernel *k = f->k;
    enum kir_scope v = under;
    if (!n) return;
    switch (n->kind) {
    case KIR_FOR:
        if (rg__kir_is_thread_loop(n->loop)) {
            int64_t one;
            if (!rg__kir_number(k, n->kid[1], &one) || one != 1) lower(f, n->symbol, of_loop(k, n->loop));
            find(f, n->kid[3], under);
            return;
        }
        for (int i = 0; i < 3; i++) v = least(v, rg__kir_varies_in(k, f->of, n->kid[i]));
        lower(f, n->symbol, least(rg__kir_varies_in(k, f->of, n->kid[0]), rg__kir_varies_in(k, f->of, n->kid[2])));
        find(f, n->kid[3], least(v, rg__kir_leaving(k, f->of, n->kid[3])));
        return;
    case KIR_WHILE:
    case KIR_IF:
        v = least(v, rg__kir_varies_in(k, f->of, n->kid[0]));
        if (n->kind == KIR_WHILE) v = least(v, rg__kir_leaving(k, f->of, n->kid[1]));
        for (int i = 1; i < n->n; i++) find(f, n->kid[i], v);
        return;
    case KIR_LET:
        lower(f, n->symbol, rg__kir_varies_in(k, f->of, n->kid[0]));
        return;
    case KIR_VAR:
    case KIR_ASSIGN:
        lower(f, n->symbol, n->n ? least(v, rg__kir_varies_in(k, f->of, n->kid[0])) : v);
        return;
    case KIR_STORE:
    case KIR_COPY:
        if (own(&k->symbols[n->kid[0]->symbol])) {
            for (int i = 0; i < n->kid[0]->n; i++) v = least(v, rg__kir_varies_in(k, f->of, n->kid[0]->kid[i]));
            lower(f, n->kid[0]->symbol, least(v, rg__kir_varies_in(k, f->of, n->kid[1])));
        }
        return;
    case KIR_ATOMIC:
        lower(f, n->symbol, KIR_THREAD);
        return;
    case KIR_SORT:
        if (own(&k->symbols[n->kid[0]->symbol])) lower(f, n->kid[0]->symbol, KIR_THREAD);
        return;
    case KIR_OPAQUE:
        v = follows_quoted(n) ? least(v, rg__kir_varies_in(k, f->of, n)) : KIR_THREAD;
        for (int s = 0; s < k->n_symbols; s++) { /* a buffer may be named as a pointer */
            bool named = k->symbols[s].kind == KIR_BUFFER;
            if (!named) named = may_set(n, s);
            if (named && own(&k->symbols[s])) lower(f, s, v);
        }
        return;
    default:
        for (int i = 0; i < n->n; i++) find(f, n->kid[i], under);
    }
}

static bool mark_written(void *arg, const struct kir_node *n)
{
    bool *written = arg;
    bool writes = n->kind == KIR_STORE || n->kind == KIR_COPY || n->kind == KIR_ATOMIC;
    if (writes && rg__kir_buffer_at(n->kid[0]) >= 0) written[rg__kir_buffer_at(n->kid[0])] = true;
    if (n->kind == KIR_MATRIX && n->matrix == KIR_MATRIX_STORE) written[n->kid[1]->symbol] = true;
    return true;
}

void rg__kir_variance(const struct kir_kernel *k, enum kir_scope *of)
{
    bool *written = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *written);
    struct finding f = {k, of, true};
    rg__kir_walk(k->body, mark_written, written);
    for (int s = 0; s < k->n_symbols; s++) {
        const struct kir_symbol *x = &k->symbols[s];
        of[s] = KIR_GRID;
        if (x->kind != KIR_BUFFER) continue;
        if (x->space == KIR_SHARED) /* what lies there between two barriers is the same for all who read it */
            of[s] = x->shared_by == KIR_WARP ? KIR_WARP : KIR_BLOCK;
        else if (x->space == KIR_FRAGMENT)
            of[s] = KIR_THREAD;
        else if (x->space == KIR_GLOBAL && written[s])
            of[s] = x->ordered;
    }
    while (f.changed) {
        f.changed = false;
        find(&f, k->body, rg__kir_leaving(k, of, k->body));
    }
    free(written);
}

enum kir_scope rg__kir_varies(const struct kir_kernel *k, const struct kir_node *n)
{
    enum kir_scope *of = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *of);
    rg__kir_variance(k, of);
    enum kir_scope v = rg__kir_varies_in(k, of, n);
    free(of);
    return v;
}
