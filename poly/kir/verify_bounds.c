/* Kernel IR: subscripts that can be seen to be wrong, and what a launch may ask for. */
#include "poly/kir/verify.h"
#include <stdlib.h>

struct range {
    bool known;
    int64_t lo, hi;
};

struct bounding {
    const struct kir_kernel *k;
    struct kir_refusal *why;
    struct range *of; /* [INDEX and VALUE symbols] */
    bool *fixed;      /* [INDEX symbol] of a loop that is written out: each of its values is known */
};

#define REFUSE(b, n, ...) rg__kir_refuse((b)->k, (b)->why, n, __VA_ARGS__)

enum { FAR = 1 << 30 /* beyond, nothing is said */, ALIGNED = 16 };

static struct range both(struct range a, struct range b, int64_t lo, int64_t hi)
{
    bool ok = a.known && b.known && lo > -FAR && hi < FAR;
    return (struct range){ok, lo, hi};
}

static struct range range_of(const struct bounding *b, const struct kir_node *n)
{
    struct range none = {false, 0, 0}, x, y;
    int64_t v;
    if (rg__kir_number(b->k, n, &v)) return v > -FAR && v < FAR ? (struct range){true, v, v} : none;
    if (n->kind == KIR_NAME) return b->of[n->symbol];
    if (n->kind == KIR_CAST && rg_scalar_is_signed(n->type) && rg_scalar_bytes(n->type) >= 4 &&
        !rg_scalar_is_real(n->kid[0]->type))
        return range_of(b, n->kid[0]);
    if (n->kind != KIR_BINARY && n->kind != KIR_MIN && n->kind != KIR_MAX) return none;
    x = range_of(b, n->kid[0]);
    y = range_of(b, n->kid[1]);
    if (n->kind == KIR_MIN) return both(x, y, x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi);
    if (n->kind == KIR_MAX) return both(x, y, x.lo > y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi);
    if (!x.known || !y.known || (rg_scalar_bytes(n->type) < 4 || !rg_scalar_is_signed(n->type))) return none;
    switch (n->op) {
    case RG_COP_ADD:
        return both(x, y, x.lo + y.lo, x.hi + y.hi);
    case RG_COP_SUB:
        return both(x, y, x.lo - y.hi, x.hi - y.lo);
    case RG_COP_MUL:
        if (y.lo == y.hi && y.lo >= 0 && y.lo < FAR / 1024 && x.hi < FAR / 1024)
            return both(x, y, x.lo * y.lo, x.hi * y.lo);
        return none;
    case RG_COP_DIV:
        return x.lo >= 0 && y.lo == y.hi && y.lo > 0 ? both(x, y, x.lo / y.lo, x.hi / y.lo) : none;
    case RG_COP_REM:
        return x.lo >= 0 && y.lo == y.hi && y.lo > 0 ? both(x, y, 0, x.hi < y.lo ? x.hi : y.lo - 1) : none;
    default:
        return none;
    }
}

/* Is it a number once loops are written out? */
static bool fixed(const struct bounding *b, const struct kir_node *n)
{
    int64_t v;
    if (rg__kir_number(b->k, n, &v)) return true;
    if (n->kind == KIR_NAME) return b->fixed[n->symbol];
    if (n->kind == KIR_ELEMENT || n->kind == KIR_CALL || n->kind == KIR_SHUFFLE || n->n == 0) return false;
    for (int i = 0; i < n->n; i++)
        if (!fixed(b, n->kid[i])) return false;
    return true;
}

static bool element(struct bounding *b, const struct kir_node *n, int width)
{
    const struct kir_symbol *s = &b->k->symbols[n->symbol];
    if (s->space != KIR_SHARED && s->space != KIR_REGISTER && s->space != KIR_FRAGMENT) return true;
    for (int i = 0; i < s->n_dims; i++) {
        struct range r = range_of(b, n->kid[i]);
        int64_t extent;
        int more = i + 1 == s->n_dims ? width - 1 : 0;
        if (s->space != KIR_SHARED && !fixed(b, n->kid[i]))
            return REFUSE(b, n, "subscript %d of %s is not known when loops are unrolled: %s memory has no address", i,
                          s->name, rg__kir_space_word(s->space));
        if (r.known && rg__kir_number(b->k, s->dims[i], &extent) && (r.lo + more >= extent || r.hi < 0))
            return REFUSE(b, n, "subscript %d of %s is %lld .. %lld, and its extent is %lld", i, s->name,
                          (long long)r.lo, (long long)r.hi + more, (long long)extent);
    }
    return true;
}

static bool walk(struct bounding *b, const struct kir_node *n)
{
    if (!n) return true;
    if (n->kind == KIR_ELEMENT && !element(b, n, 1)) return false;
    if (n->kind == KIR_COPY && (!element(b, n->kid[0], n->width) || !element(b, n->kid[1], n->width))) return false;
    if (n->kind == KIR_LET) {
        b->of[n->symbol] = range_of(b, n->kid[0]);
        b->fixed[n->symbol] = fixed(b, n->kid[0]);
    }
    if (n->kind == KIR_FOR) {
        struct range lo = range_of(b, n->kid[0]), hi = range_of(b, n->kid[1]);
        int64_t step;
        bool down = rg__kir_number(b->k, n->kid[2], &step) && step < 0;
        b->of[n->symbol] = down ? both(lo, hi, hi.lo + 1, lo.hi) : both(lo, hi, lo.lo, hi.hi - 1);
        b->fixed[n->symbol] =
            n->loop == KIR_UNROLLED && !n->ivalue && fixed(b, n->kid[0]) && fixed(b, n->kid[1]) && fixed(b, n->kid[2]);
        if (n->loop == KIR_UNROLLED && !n->ivalue && !b->fixed[n->symbol])
            return REFUSE(b, n, "loop %s is written out, and its bounds are not known", b->k->symbols[n->symbol].name);
    }
    for (int i = 0; i < n->n; i++)
        if (!walk(b, n->kid[i])) return false;
    return true;
}

/* Of a buffer; padding counts. */
static int64_t bytes_of(const struct kir_kernel *k, const struct kir_symbol *s)
{
    int64_t n = (int64_t)rg_scalar_bytes(s->type), v;
    for (int d = 0; d < s->n_dims; d++)
        n *= rg__kir_number(k, s->dims[d], &v) && v < FAR ? v + (d + 1 == s->n_dims ? s->pad : 0) : FAR;
    return n;
}

/* Is how many elements it has not known before the launch? */
static bool is_asked(const struct kir_kernel *k, const struct kir_symbol *s)
{
    int64_t v;
    return s->kind == KIR_BUFFER && s->space == KIR_SHARED && s->n_dims && !rg__kir_number(k, s->dims[0], &v);
}

/* Bytes of such a one. */
static struct kir_node *asked_bytes(struct kir_kernel *k, const struct kir_symbol *s)
{
    struct kir_node *n = rg__kir_cast(k, RG_LLONG, s->dims[0]);
    for (int d = 1; d < s->n_dims; d++) n = rg__kir_mul(k, n, s->dims[d]);
    return rg__kir_mul(k, n, rg__kir_int(k, (int64_t)rg_scalar_bytes(s->type)));
}

static struct kir_node *aligned(struct kir_kernel *k, struct kir_node *n)
{
    int64_t v;
    return rg__kir_number(k, n, &v) ? n : rg__kir_mul(k, rg__kir_ceil_div(k, n, ALIGNED), rg__kir_int(k, ALIGNED));
}

/* Known ones come first, each where the one before ends. */
struct kir_node *rg__kir_shared_place(struct kir_kernel *k, int symbol)
{
    bool asked = symbol < k->n_symbols && is_asked(k, &k->symbols[symbol]), *used = rg__kir_used(k);
    int64_t known = 0;
    struct kir_node *more = rg__kir_int(k, 0);
    for (int i = 0; i < k->n_symbols; i++) {
        const struct kir_symbol *s = &k->symbols[i];
        if (!used[i] || s->kind != KIR_BUFFER || s->space != KIR_SHARED) continue;
        if (!is_asked(k, s) && (asked || symbol == k->n_symbols || i < symbol)) known += rg__kir_buffer_bytes(k, i);
        if (is_asked(k, s) && (asked || symbol == k->n_symbols) && i < symbol)
            more = rg__kir_add(k, aligned(k, more), asked_bytes(k, s));
    }
    free(used);
    return rg__kir_add(k, asked ? aligned(k, more) : more, rg__kir_int(k, known));
}

struct kir_node *rg__kir_shared_asked(struct kir_kernel *k)
{
    struct kir_node *all = rg__kir_shared_place(k, k->n_symbols);
    int64_t v;
    return rg__kir_number(k, all, &v) && v <= KIR_STATIC_SHARED_BYTES ? NULL : all;
}

int64_t rg__kir_buffer_bytes(const struct kir_kernel *k, int symbol)
{
    return (bytes_of(k, &k->symbols[symbol]) + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static int64_t bytes_in(const struct kir_kernel *k, enum kir_space space)
{
    int64_t sum = 0;
    bool *used = rg__kir_used(k);
    for (int i = 0; i < k->n_symbols; i++)
        if (used[i] && k->symbols[i].kind == KIR_BUFFER && k->symbols[i].space == space && !is_asked(k, &k->symbols[i]))
            sum += rg__kir_buffer_bytes(k, i);
    free(used);
    return sum;
}

int64_t rg__kir_shared_bytes(const struct kir_kernel *k)
{
    return bytes_in(k, KIR_SHARED);
}

int64_t rg__kir_threads(const struct kir_kernel *k)
{
    int64_t n = 1, v;
    for (enum kir_loop l = KIR_BLOCK_X; l <= KIR_BLOCK_Z; l++) {
        const struct kir_node *x = rg__kir_loop_of(k, l);
        n *= x && rg__kir_number(k, x->kid[1], &v) ? v : 1;
    }
    return n;
}

static bool launch(const struct kir_kernel *k, struct kir_refusal *why)
{
    const struct kir_node *z = rg__kir_loop_of(k, KIR_BLOCK_Z), *cluster = rg__kir_loop_of(k, KIR_CLUSTER_X);
    int64_t threads = rg__kir_threads(k), shared = rg__kir_shared_bytes(k), own = bytes_in(k, KIR_REGISTER), v;
    if (threads > KIR_MAX_THREADS)
        return rg__kir_refuse(k, why, NULL, "a block of %lld threads: %d is the most", (long long)threads,
                              KIR_MAX_THREADS);
    if (z && rg__kir_number(k, z->kid[1], &v) && v > 64)
        return rg__kir_refuse(k, why, z, "a block of %lld threads along z: 64 is the most", (long long)v);
    if (cluster && rg__kir_number(k, cluster->kid[1], &v) && v > KIR_MAX_CLUSTER)
        return rg__kir_refuse(k, why, cluster, "a cluster of %lld blocks: %d is the most", (long long)v,
                              KIR_MAX_CLUSTER);
    for (enum kir_loop l = KIR_GRID_Y; l <= KIR_GRID_Z; l++) {
        const struct kir_node *g = rg__kir_loop_of(k, l);
        if (g && rg__kir_number(k, g->kid[1], &v) && v > 65535)
            return rg__kir_refuse(k, why, g, "a grid of %lld blocks along %s: 65535 is the most", (long long)v,
                                  l == KIR_GRID_Y ? "y" : "z");
    }
    if (shared > KIR_SHARED_BYTES)
        return rg__kir_refuse(k, why, NULL, "a block with %lld bytes of shared memory: %d is the most",
                              (long long)shared, KIR_SHARED_BYTES);
    if (own > KIR_MAX_REGISTER_BYTES)
        return rg__kir_refuse(k, why, NULL, "a thread with %lld bytes in registers: %d is the most", (long long)own,
                              KIR_MAX_REGISTER_BYTES);
    if (k->min_blocks * threads > KIR_MAX_RESIDENT)
        return rg__kir_refuse(k, why, NULL, "%d blocks of %lld threads are more than a multiprocessor has",
                              k->min_blocks, (long long)threads);
    return true;
}

bool rg__kir_verify_bounds(const struct kir_kernel *k, struct kir_refusal *why)
{
    size_t size = (size_t)k->n_symbols + 1;
    struct bounding b = {k, why, rg_xcalloc(size, sizeof *b.of), rg_xcalloc(size, sizeof *b.fixed)};
    bool ok = walk(&b, k->body) && launch(k, why);
    free(b.of);
    free(b.fixed);
    return ok;
}
