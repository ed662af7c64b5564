/* Kernel IR: names have values, types fit, loops over threads stand where they may. */
#include "ir/ctree_util.h"
#include "poly/kir/verify.h"
#include <stdlib.h>
#include <string.h>

struct naming {
    const struct kir_kernel *k;
    struct kir_refusal *why;
    bool *seen, *set; /* [symbol] it has a value here; a SCALAR was set in front */
    bool inside;      /* a statement that is no loop over threads */
    bool loop;        /* a loop that may be left */
    unsigned loops;   /* over threads, so far */
};

#define REFUSE(v, n, ...) rg__kir_refuse((v)->k, (v)->why, n, __VA_ARGS__)

static const char *name_of(const struct naming *v, int symbol)
{
    return v->k->symbols[symbol].name;
}

static bool is_int(const struct kir_node *n)
{
    return rg__scalar_is_int(n->type);
}

static bool expression(struct naming *v, const struct kir_node *n);

static bool element(struct naming *v, const struct kir_node *n, bool place)
{
    const struct kir_symbol *s = &v->k->symbols[n->symbol];
    if (s->kind != KIR_BUFFER) return REFUSE(v, n, "%s has no elements", s->name);
    int subs = n->n - n->peer;
    if (subs != s->n_dims && !(s->space == KIR_FRAGMENT && subs == s->n_dims + 1))
        return REFUSE(v, n, "%s has %d dimensions and %d subscripts", s->name, s->n_dims, subs);
    if (n->peer && s->space != KIR_SHARED)
        return REFUSE(v, n, "%s is not shared: no other block has one that could be named", s->name);
    if (s->inside && !v->seen[n->symbol]) return REFUSE(v, n, "%s is declared elsewhere", s->name);
    if (n->type != s->type) return REFUSE(v, n, "an element of %s has another type than the buffer", s->name);
    if (place && s->space == KIR_TABLE) return REFUSE(v, n, "%s is constant", s->name);
    for (int i = 0; i < n->n; i++) {
        if (!expression(v, n->kid[i])) return false;
        if (!is_int(n->kid[i])) return REFUSE(v, n, "a subscript of %s is no integer", s->name);
    }
    return true;
}

static bool expression(struct naming *v, const struct kir_node *n)
{
    if (!rg__kir_is_expression(n->kind))
        return REFUSE(v, n, "a %s stands where a value is wanted", rg__kir_kind_word(n->kind));
    if (n->kind == KIR_NAME) {
        const struct kir_symbol *s = &v->k->symbols[n->symbol];
        if (s->kind == KIR_BUFFER) return REFUSE(v, n, "buffer %s is no value", s->name);
        bool always = s->kind == KIR_PARAM || s->kind == KIR_CONSTANT;
        if (!always && !v->seen[n->symbol]) return REFUSE(v, n, "%s has no value where it is used", s->name);
        if (s->kind == KIR_SCALAR && !v->set[n->symbol]) return REFUSE(v, n, "%s is read before it is set", s->name);
        return n->type == s->type || REFUSE(v, n, "%s is used as another type than its own", s->name);
    }
    if (n->kind == KIR_ELEMENT) return element(v, n, false);
    if (n->kind == KIR_EXTENT)
        return (n->loop <= KIR_GRID_Z && rg__kir_loop_of(v->k, n->loop)) ||
               REFUSE(v, n, "there is no loop over %s to have an extent", rg__kir_loop_word(n->loop));
    for (int i = 0; i < n->n; i++)
        if (!expression(v, n->kid[i])) return false;
    if (n->kind == KIR_BINARY && !rg_c_lazy(n->op) && n->op != RG_COP_SHL && n->op != RG_COP_SHR &&
        n->kid[0]->type != n->kid[1]->type)
        return REFUSE(v, n, "the operands of %s have different types", rg_c_op_text(n->op));
    for (int i = 0; n->kind == KIR_ALIGNED && i < n->n; i++)
        if (n->kid[i]->kind != KIR_ELEMENT || v->k->symbols[n->kid[i]->symbol].space != KIR_GLOBAL)
            return REFUSE(v, n, "only an element of global memory has an address to ask for");
    if (n->kind == KIR_SHUFFLE) {
        size_t bytes = rg_scalar_bytes(n->type);
        if (n->width < 2 || n->width > 32 || (n->width & (n->width - 1)))
            return REFUSE(v, n, "a shuffle is over 2, 4, 8, 16 or 32 lanes, not %d", n->width);
        if (bytes != 4 && bytes != 8) return REFUSE(v, n, "a shuffle moves 4 or 8 bytes, not %zu", bytes);
    }
    return true;
}

static bool statement(struct naming *v, const struct kir_node *n);

/* What it names ends with it. */
static bool scope(struct naming *v, const struct kir_node *n)
{
    size_t size = (size_t)v->k->n_symbols + 1;
    bool *seen = rg_xcalloc(size, sizeof *seen), ok = true;
    memcpy(seen, v->seen, size * sizeof *seen);
    for (int i = 0; ok && n->kind == KIR_SEQ && i < n->n; i++) ok = statement(v, n->kid[i]);
    if (n->kind != KIR_SEQ) ok = statement(v, n);
    memcpy(v->seen, seen, size * sizeof *seen);
    free(seen);
    return ok;
}

static bool declare(struct naming *v, const struct kir_node *n, enum kir_symbol_kind kind)
{
    if (v->k->symbols[n->symbol].kind != kind)
        return REFUSE(v, n, "%s is not what a %s names", name_of(v, n->symbol), rg__kir_kind_word(n->kind));
    if (v->seen[n->symbol]) return REFUSE(v, n, "%s is named twice", name_of(v, n->symbol));
    v->seen[n->symbol] = true;
    return true;
}

static bool thread_loop(struct naming *v, const struct kir_node *n)
{
    const char *word = rg__kir_loop_word(n->loop);
    int64_t x, first, step, extent = 0;
    if (v->inside) return REFUSE(v, n, "a loop over %s stands inside another statement", word);
    if (v->loops & 1u << n->loop) return REFUSE(v, n, "there are two loops over %s", word);
    if (n->loop <= KIR_CLUSTER_X ? v->loops >= 2u << KIR_CLUSTER_X : n->loop < KIR_LANE && v->loops & 1u << KIR_LANE)
        return REFUSE(v, n, "a loop over %s stands inside one over its own threads", word);
    if (!rg__kir_number(v->k, n->kid[0], &first) || first || !rg__kir_number(v->k, n->kid[2], &step) || step != 1)
        return REFUSE(v, n, "a loop over %s starts at 0 and goes by 1", word);
    bool known = rg__kir_number(v->k, n->kid[1], &extent);
    if (n->loop > KIR_GRID_Z && (!known || extent < 1))
        return REFUSE(v, n, "the extent of a loop over %s is a number", word);
    const struct kir_node *block = rg__kir_loop_of(v->k, KIR_BLOCK_X);
    if (n->loop == KIR_LANE &&
        (extent < 2 || extent > 32 || (extent & (extent - 1)) || !block || !rg__kir_number(v->k, block->kid[1], &x) ||
         x % extent || !(v->loops & 1u << KIR_BLOCK_X)))
        return REFUSE(v, n, "lanes are 2, 4, 8, 16 or 32 neighbours along block.x, whose extent is a multiple of them");
    v->loops |= 1u << n->loop;
    return true;
}

static bool loop(struct naming *v, const struct kir_node *n)
{
    bool inside = v->inside, loop = v->loop;
    int64_t step;
    for (int i = 0; i < 3; i++) {
        if (!expression(v, n->kid[i])) return false;
        if (!is_int(n->kid[i])) return REFUSE(v, n, "a bound of loop %s is no integer", name_of(v, n->symbol));
    }
    if (rg__kir_is_thread_loop(n->loop)) {
        if (!thread_loop(v, n)) return false;
    } else {
        if (rg__kir_number(v->k, n->kid[2], &step) && !step)
            return REFUSE(v, n, "loop %s goes by 0", name_of(v, n->symbol));
        v->inside = v->loop = true;
    }
    bool seen = v->seen[n->symbol], ok = declare(v, n, KIR_INDEX) && scope(v, n->kid[3]);
    v->seen[n->symbol] = seen;
    v->inside = inside;
    v->loop = loop;
    return ok;
}

static bool write_to(struct naming *v, const struct kir_node *n, const struct kir_node *place)
{
    if (place->kind != KIR_ELEMENT) return REFUSE(v, n, "a %s writes to an element", rg__kir_kind_word(n->kind));
    return element(v, place, true);
}

static bool copy(struct naming *v, const struct kir_node *n)
{
    if (!write_to(v, n, n->kid[0]) || n->kid[1]->kind != KIR_ELEMENT || !expression(v, n->kid[1]))
        return REFUSE(v, n, "a copy is from an element to an element");
    const struct kir_symbol *to = &v->k->symbols[n->kid[0]->symbol], *from = &v->k->symbols[n->kid[1]->symbol];
    size_t bytes = (size_t)n->width * rg_scalar_bytes(to->type);
    if (to->type != from->type) return REFUSE(v, n, "a copy from %s to %s changes the type", from->name, to->name);
    if (n->width > 1 && bytes != 4 && bytes != 8 && bytes != 16)
        return REFUSE(v, n, "%zu bytes are not copied at once: 4, 8 or 16 are", bytes);
    if (n->async && (to->space != KIR_SHARED || from->space != KIR_GLOBAL || n->kid[0]->peer))
        return REFUSE(v, n, "an asynchronous copy goes from global to shared memory");
    if (n->async && bytes != 4 && bytes != 8 && bytes != 16)
        return REFUSE(v, n, "an asynchronous copy has 4, 8 or 16 bytes, not %zu", bytes);
    return true;
}

/* The value that replaces what stands there is over a name of its own for that. */
static bool update(struct naming *v, const struct kir_node *n, const struct kir_symbol *s)
{
    const struct kir_symbol *old = n->symbol >= 0 ? &v->k->symbols[n->symbol] : NULL;
    if (!old || old->kind != KIR_VALUE || old->type != n->kid[0]->type || v->seen[n->symbol] || n->n != 2)
        return REFUSE(v, n, "an update has a value over a new name for what stands in %s", s->name);
    v->seen[n->symbol] = true;
    bool ok = expression(v, n->kid[1]) &&
              (n->kid[1]->type == n->kid[0]->type || REFUSE(v, n, "an update of %s has another type", s->name));
    v->seen[n->symbol] = false;
    return ok;
}

static bool atomic(struct naming *v, const struct kir_node *n)
{
    bool reads = n->atomic == KIR_ATOMIC_READ, plain = reads || n->atomic == KIR_ATOMIC_WRITE;
    int operands = reads ? 0 : n->atomic == KIR_ATOMIC_REPLACE ? 2 : 1;
    bool member = n->kid[0]->kind == KIR_QUOTED;
    int buffer = rg__kir_buffer_at(n->kid[0]);
    if (!(member ? expression(v, n->kid[0]) : write_to(v, n, n->kid[0]))) return false;
    if (buffer < 0) return REFUSE(v, n, "an atomic is on an element, or on a member of one");
    const struct kir_symbol *s = &v->k->symbols[buffer];
    if (s->space != KIR_GLOBAL && (s->space != KIR_SHARED || member))
        return REFUSE(v, n, "%s is the thread's own: no atomic is needed", s->name);
    if (n->atomic == KIR_ATOMIC_UPDATE)
        return rg_scalar_bytes(n->kid[0]->type) >= 4 ? update(v, n, s)
                                                     : REFUSE(v, n, "there is no atomic on elements of %s", s->name);
    if (n->n != 1 + operands || (reads && n->symbol < 0))
        return REFUSE(v, n, "an atomic has another number of operands");
    if (rg_scalar_bytes(n->kid[0]->type) < 4 && !(plain && rg_scalar_bytes(n->kid[0]->type)))
        return REFUSE(v, n, "there is no atomic on elements of %s", s->name);
    if (rg_scalar_is_real(n->kid[0]->type) && !plain && n->atomic != KIR_ATOMIC_ADD &&
        !(n->atomic == KIR_ATOMIC_EXCHANGE && n->kid[0]->type == RG_F32))
        return REFUSE(v, n, "of reals there is an atomic sum only");
    for (int i = 1; i < n->n; i++)
        if (!expression(v, n->kid[i]) || n->kid[i]->type != n->kid[0]->type)
            return REFUSE(v, n, "an operand of an atomic has another type than %s", s->name);
    if (n->symbol < 0) return true;
    if (v->k->symbols[n->symbol].kind != KIR_SCALAR || !v->seen[n->symbol] ||
        v->k->symbols[n->symbol].type != n->kid[0]->type)
        return REFUSE(v, n, "what an atomic found goes to a declared scalar of its type");
    v->set[n->symbol] = true;
    return true;
}

static bool fragment(const struct naming *v, const struct kir_node *n, int role)
{
    const struct kir_symbol *s = n->kind == KIR_ELEMENT ? &v->k->symbols[n->symbol] : NULL;
    return s && s->kind == KIR_BUFFER && s->space == KIR_FRAGMENT && n->n == s->n_dims &&
           (role < 0 || (int)s->fragment.role == role);
}

static bool matrix(struct naming *v, const struct kir_node *n)
{
    static const int kids[] = {2, 3, 3, 4, 1};
    if (n->n != kids[n->matrix]) return REFUSE(v, n, "a matrix operation has another number of operands");
    for (int i = 0; i < n->n; i++)
        if (!expression(v, n->kid[i])) return false;
    if (!fragment(v, n->kid[0], -1)) return REFUSE(v, n, "a matrix operation is on a fragment");
    bool store = n->matrix == KIR_MATRIX_STORE, moves = store || n->matrix == KIR_MATRIX_LOAD;
    if (n->matrix == KIR_MATRIX_MULTIPLY &&
        (!fragment(v, n->kid[0], KIR_ACCUMULATOR) || !fragment(v, n->kid[1], KIR_MATRIX_A) ||
         !fragment(v, n->kid[2], KIR_MATRIX_B) || !fragment(v, n->kid[3], KIR_ACCUMULATOR)))
        return REFUSE(v, n, "matrices are multiplied as C = A B + C, each fragment in its role");
    if (moves && (n->kid[1]->kind != KIR_ELEMENT || !is_int(n->kid[2])))
        return REFUSE(v, n, "a fragment is loaded from elements, and stored to them, so many apart");
    if (store && !fragment(v, n->kid[0], KIR_ACCUMULATOR)) return REFUSE(v, n, "only an accumulator is stored");
    return true;
}

static bool sort(struct naming *v, const struct kir_node *n)
{
    const struct kir_symbol *s = n->symbol >= 0 ? &v->k->symbols[n->symbol] : NULL;
    int64_t threads = rg__kir_threads(v->k), room;
    bool own = n->sort == KIR_SORT_OWN;
    int operands = rg__kir_sort_operands(n->sort);
    for (int i = operands; i < n->n; i++)
        if (!expression(v, n->kid[i])) return false;
    if (n->n < operands) return REFUSE(v, n, "a sort has another number of operands");
    if (own) s = n->kid[0]->kind == KIR_ELEMENT ? &v->k->symbols[n->kid[0]->symbol] : NULL;
    if (own && (!s || s->apart || s->space == KIR_REGISTER))
        return REFUSE(v, n, "what is sorted lies in a row of memory");
    if (own) return expression(v, n->kid[0]) && expression(v, n->kid[1]) && is_int(n->kid[1]);
    if (!s || s->kind != KIR_BUFFER || s->space != KIR_SHARED || s->n_dims != 1 ||
        !rg__kir_number(v->k, s->dims[0], &room) || room != threads * n->width)
        return REFUSE(v, n, "a sort has a row of shared memory, of so many elements a thread");
    for (int i = 0; i < operands; i++) {
        bool place = i == 0 || i == 3;
        if (!expression(v, n->kid[i])) return false;
        if (place ? n->kid[i]->kind != KIR_ELEMENT || v->k->symbols[n->kid[i]->symbol].type != s->type
                  : !is_int(n->kid[i]))
            return REFUSE(v, n, "a sort is of elements of the type of %s, so many of them", s->name);
    }
    return true;
}

static bool phase(struct naming *v, const struct kir_node *n)
{
    for (int i = 0; i < n->n; i++) {
        const struct kir_node *e = n->kid[i];
        bool buffer = i > 1 && e->kind == KIR_ELEMENT && !e->n && v->k->symbols[e->symbol].kind == KIR_BUFFER &&
                      v->k->symbols[e->symbol].space == KIR_GLOBAL;
        if (!buffer && !expression(v, e)) return false;
        if (i < 2 && !is_int(e)) return REFUSE(v, n, "a phase's place is no integer");
        if (i > 1 && n->phase->written[i - 2] && !buffer) return REFUSE(v, n, "a phase writes to a value");
    }
    return n->n > 1 || REFUSE(v, n, "a phase has a place in its launch");
}

/* x = c ? e : x: where it stays as it is, x may be without a value, as `if (c) x = e;` leaves it. */
static bool kept_or_set(struct naming *v, const struct kir_node *n, bool *ok)
{
    const struct kir_node *e = n->kind == KIR_ASSIGN ? n->kid[0] : NULL;
    if (!e || e->kind != KIR_SELECT || !v->seen[n->symbol]) return false;
    for (int arm = 1; arm < 3; arm++)
        if (e->kid[arm]->kind == KIR_NAME && e->kid[arm]->symbol == n->symbol) {
            *ok = expression(v, e->kid[0]) && expression(v, e->kid[3 - arm]);
            return true;
        }
    return false;
}

/* Elements of a buffer of the launch's from one of them on. */
static bool is_part(const struct naming *v, const struct kir_node *n)
{
    const struct kir_node *from = n->n ? n->kid[0] : NULL;
    return v->k->symbols[n->symbol].space == KIR_GLOBAL && v->k->symbols[n->symbol].inside && from &&
           from->kind == KIR_ELEMENT && v->k->symbols[from->symbol].space == KIR_GLOBAL;
}

static bool assign(struct naming *v, const struct kir_node *n)
{
    const struct kir_symbol *s = &v->k->symbols[n->symbol];
    bool ok = true, kept = kept_or_set(v, n, &ok);
    if (!ok) return false;
    for (int i = 0; i < n->n; i++) {
        if (!kept && !expression(v, n->kid[i])) return false;
        bool list = s->kind == KIR_BUFFER && n->kid[i]->kind == KIR_QUOTED;
        if (!list && !i && n->kid[i]->type != s->type) return REFUSE(v, n, "%s gets a value of another type", s->name);
    }
    if (n->kind == KIR_LET) return declare(v, n, KIR_VALUE);
    if (n->kind == KIR_VAR && s->kind == KIR_BUFFER)
        return s->space == KIR_REGISTER || s->space == KIR_LOCAL || is_part(v, n)
                   ? declare(v, n, KIR_BUFFER)
                   : REFUSE(v, n, "%s is not the thread's own", s->name);
    if (n->kind == KIR_VAR && !declare(v, n, KIR_SCALAR)) return false;
    if (n->kind == KIR_ASSIGN && (s->kind != KIR_SCALAR || !v->seen[n->symbol]))
        return REFUSE(v, n, "%s is no variable that could be set there", s->name);
    v->set[n->symbol] = v->set[n->symbol] || n->n;
    return true;
}

static bool nested(struct naming *v, const struct kir_node *n)
{
    bool inside = v->inside, loop = v->loop, ok = expression(v, n->kid[0]);
    v->inside = true;
    v->loop = v->loop || n->kind == KIR_WHILE;
    for (int i = 1; ok && i < n->n; i++) ok = !n->kid[i] || scope(v, n->kid[i]);
    v->inside = inside;
    v->loop = loop;
    return ok;
}

static bool statement(struct naming *v, const struct kir_node *n)
{
    switch (n->kind) {
    case KIR_SEQ:
        return scope(v, n);
    case KIR_FOR:
        return loop(v, n);
    case KIR_WHILE:
    case KIR_IF:
        return nested(v, n);
    case KIR_LET:
    case KIR_VAR:
    case KIR_ASSIGN:
        return assign(v, n);
    case KIR_STORE:
        if (!write_to(v, n, n->kid[0]) || !expression(v, n->kid[1])) return false;
        return n->kid[0]->type == n->kid[1]->type ||
               REFUSE(v, n, "a value of another type is stored to %s", name_of(v, n->kid[0]->symbol));
    case KIR_COPY:
        return copy(v, n);
    case KIR_ATOMIC:
        return atomic(v, n);
    case KIR_MATRIX:
        return matrix(v, n);
    case KIR_LEAVE:
        return n->leave == KIR_RETURN || v->loop ||
               REFUSE(v, n, "there is no loop around a %s to leave", rg__kir_kind_word(n->kind));
    case KIR_PHASE:
        return phase(v, n);
    case KIR_SORT:
        return sort(v, n);
    case KIR_BARRIER:
    case KIR_FENCE:
        return n->scope != KIR_THREAD || REFUSE(v, n, "a %s of one thread alone", rg__kir_kind_word(n->kind));
    case KIR_OPAQUE:
        for (int i = 0; i < v->k->n_symbols; i++) /* it may set what it likes */
            v->set[i] = true;
        return true;
    default:
        return rg__kir_is_expression(n->kind) ? REFUSE(v, n, "a value stands where a statement is wanted") : true;
    }
}

static bool dims_known(const struct kir_kernel *k, struct kir_refusal *why)
{
    for (int i = 0; i < k->n_symbols; i++) {
        const struct kir_symbol *s = &k->symbols[i];
        int64_t v;
        for (int d = 0; s->kind == KIR_BUFFER && d < s->n_dims; d++) {
            bool number = s->dims[d] && rg__kir_number(k, s->dims[d], &v) && v > 0,
                 asked = !d && s->dims[0] && s->space == KIR_SHARED && k->fits,
                 own = s->space != KIR_GLOBAL && s->space != KIR_TABLE && !asked;
            if ((own && !number) || (!own && d && !s->dims[d]))
                return rg__kir_refuse(k, why, NULL, "extent %d of %s buffer %s is not known", d,
                                      rg__kir_space_word(s->space), s->name);
        }
    }
    return true;
}

bool rg__kir_verify_names(const struct kir_kernel *k, struct kir_refusal *why)
{
    size_t size = (size_t)k->n_symbols + 1;
    struct naming v = {k, why, rg_xcalloc(size, sizeof(bool)), rg_xcalloc(size, sizeof(bool)), false, false, 0};
    bool ok =
        dims_known(k, why) && (k->body || rg__kir_refuse(k, why, NULL, "the kernel has no body")) && scope(&v, k->body);
    free(v.seen);
    free(v.set);
    return ok;
}
