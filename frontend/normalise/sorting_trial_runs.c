/* Runs of statements that may sort: what they are given, and what comes out. */
#include "frontend/normalise/sorting_trials.h"
#include <stdlib.h>
#include <string.h>

static uint64_t draw(struct rg__trial *x)
{
    x->seed ^= x->seed << 13;
    x->seed ^= x->seed >> 7;
    x->seed ^= x->seed << 17;
    return x->seed;
}

static const struct rg_carray *array_of(const struct rg__trial *x)
{
    return &x->t->arrays[x->keys >= 0 ? x->keys : x->array];
}

/* ---- records ---- */

const struct rg_field *rg__trial_field(const struct rg__trial *x, const char *name)
{
    const struct rg_struct *s = &x->l->p->structs[array_of(x)->struct_index];
    for (int i = 0; i < s->n_fields; i++)
        if (!strcmp(s->fields[i].path, name) && s->fields[i].count == 1 && s->fields[i].type != RG_STRUCT)
            return &s->fields[i];
    return NULL;
}

static struct rg__value typed(struct rg__value v, enum rg_scalar type)
{
    if (rg__scalar_is_int(type) || v.kind == RG__VALUE_REAL) return v;
    int tag = v.tag;
    v = rg__value_real((double)v.i);
    v.tag = tag;
    return v;
}

struct rg__value rg__trial_member(void *arg, int64_t record, const char *name)
{
    struct rg__trial *x = arg;
    const struct rg_field *f = rg__trial_field(x, name);
    struct rg__value none = {.kind = RG__VALUE_UNSET, .object = -1};
    return f && record < x->n ? typed(x->in[record], f->type) : none;
}

/* ---- inputs ---- */

/* Of an element's type, or of what records are compared by: as small as every member's is. */
enum rg_scalar rg__trial_type(const struct rg__trial *x)
{
    const struct rg_carray *a = array_of(x);
    if (x->by_bits) return rg_scalar_bytes(a->elem) == 4 ? RG_I32 : RG_LLONG;
    if (a->elem != RG_STRUCT) return a->elem;
    const struct rg_struct *s = &x->l->p->structs[a->struct_index];
    enum rg_scalar type = RG_LONG;
    for (int i = 0; i < s->n_fields; i++) {
        enum rg_scalar f = s->fields[i].type;
        if (f != RG_STRUCT && rg__scalar_is_int(f) && rg_scalar_bytes(f) < rg_scalar_bytes(type)) type = f;
    }
    return type;
}

bool rg__trial_signed(enum rg_scalar type)
{
    return type == RG_CHAR || type == RG_I8 || type == RG_I16 || type == RG_I32 || type == RG_LONG || type == RG_LLONG;
}

static struct rg__value element(enum rg_scalar type, int64_t v)
{
    unsigned bits = (unsigned)rg_scalar_bytes(type) * 8;
    bool sign = rg__trial_signed(type);
    if (!rg__scalar_is_int(type)) return rg__value_real((double)(float)v / 8);
    if (bits < 64) {
        uint64_t u = (uint64_t)v & ((UINT64_C(1) << bits) - 1);
        if (sign && u >> (bits - 1)) u |= ~UINT64_C(0) << bits;
        v = (int64_t)u;
    }
    return rg__value_int(v);
}

/* ---- real numbers by their bits ---- */

/* The number that has these bits; of those that are none, a quiet one, which any machine hands on as it is. */
static struct rg__value of_bits(int64_t bits, enum rg_scalar type)
{
    double d;
    if (type == RG_I32) {
        float f;
        uint32_t u = (uint32_t)bits;
        if ((u & 0x7fffffffu) > 0x7f800000u) u |= 0x400000u;
        memcpy(&f, &u, sizeof f);
        return rg__value_real((double)f);
    }
    if ((bits & INT64_MAX) > INT64_C(0x7ff0000000000000)) bits |= INT64_C(0x8000000000000);
    memcpy(&d, &bits, sizeof d);
    return rg__value_real(d);
}

/* An integer for its bits: they themselves, or one that is in order as the numbers are, -0 in front of 0, and what is
 * no number at either end. */
static struct rg__value bits_of(double d, enum rg_scalar type, bool ordered)
{
    if (type == RG_I32) {
        float f = (float)d;
        uint32_t u;
        int32_t i;
        memcpy(&u, &f, sizeof u);
        memcpy(&i, &f, sizeof i);
        return rg__value_int(!ordered ? (int64_t)u : i < 0 ? i ^ 0x7fffffff : i);
    }
    int64_t i;
    memcpy(&i, &d, sizeof i);
    return rg__value_int(ordered && i < 0 ? i ^ INT64_MAX : i);
}

/* The bits of zeros, infinities, what is no number, and the least and the largest ones, of either sign. */
static int64_t special(uint64_t which, enum rg_scalar type)
{
    static const uint32_t f[] = {0, 0x7f800000, 0x7fc00000, 0x7fc00001, 1, 0x7f7fffff, 0x00800000, 0x3f800000};
    static const uint64_t d[] = {0, 0x7ff0000000000000, 0x7ff8000000000000, 0x7ff8000000000001,
                                 1, 0x7fefffffffffffff, 0x0010000000000000, 0x3ff0000000000000};
    const uint64_t sign = which >> 3 & 1;
    which &= 7;
    return (int64_t)(type == RG_I32 ? f[which] | sign << 31 : d[which] | sign << 63);
}

/* Ranges of values, from the type's own to a few. */
static const int64_t ranges[] = {0, INT64_MAX, 65536, 1000, 256, 120, 100, 10, 2};
_Static_assert(sizeof ranges / sizeof ranges[0] == RG__N_RANGES, "as many as the header says");

static int64_t drawn(struct rg__trial *x, int range)
{
    uint64_t v = draw(x);
    enum rg_scalar type = rg__trial_type(x);
    unsigned bits = (unsigned)rg_scalar_bytes(type) * 8;
    bool sign = rg__trial_signed(type);
    if (!rg__scalar_is_int(type)) return (int64_t)(v >> 40) - (1 << 23);
    if (x->by_bits && range == 0 && v >> 60 == 0) return special(v, type);
    if (range == 0) return (int64_t)v;
    if (range == 1) return (int64_t)(v & ((UINT64_C(1) << (bits - (sign ? 1 : 0)) % 64) - 1));
    return (int64_t)(v % (uint64_t)ranges[range]);
}

static int by_value(const void *a, const void *b)
{
    const struct rg__value *x = a, *y = b;
    if (x->kind == RG__VALUE_REAL) return (x->d > y->d) - (x->d < y->d);
    return (x->i > y->i) - (x->i < y->i);
}

static int by_bits(const void *a, const void *b)
{
    uint64_t x = (uint64_t)((const struct rg__value *)a)->i, y = (uint64_t)((const struct rg__value *)b)->i;
    return (x > y) - (x < y);
}

void rg__trial_arrange(struct rg__trial *x, int64_t n, int range, enum rg__arrangement how)
{
    enum rg_scalar type = rg__trial_type(x);
    x->n = n;
    int64_t few[3];
    for (int i = 0; i < 3; i++) few[i] = drawn(x, range);
    for (int64_t i = 0; i < n; i++)
        x->in[i] = element(type, how == RG__EQUAL ? few[0] : how == RG__FEW ? few[draw(x) % 3] : drawn(x, range));
    if (how == RG__RISING || how == RG__FALLING || how == RG__PIPE) qsort(x->in, (size_t)n, sizeof *x->in, by_value);
    for (int64_t i = 0; how == RG__FALLING && i < n / 2; i++) {
        struct rg__value v = x->in[i];
        x->in[i] = x->in[n - 1 - i];
        x->in[n - 1 - i] = v;
    }
    if (how == RG__PIPE) /* the upper half falls */
        for (int64_t i = 0; i < n / 4; i++) {
            struct rg__value v = x->in[n / 2 + i];
            x->in[n / 2 + i] = x->in[n - 1 - i];
            x->in[n - 1 - i] = v;
        }
    for (int64_t i = 0; i < n && x->by_bits; i++) x->in[i] = of_bits(x->in[i].i, type);
}

void rg__trial_ranks(struct rg__trial *x, const int *rank, int n, bool wide)
{
    enum rg_scalar type = rg__trial_type(x);
    int64_t step = !wide                        ? 1
                   : rg_scalar_bytes(type) == 1 ? 19
                                                : 1003,
            below = !wide || x->not_negative || !rg__trial_signed(type) ? 0 : 2;
    x->n = n;
    for (int i = 0; i < n; i++) x->in[i] = element(type, (rank[i] - below) * step);
    for (int i = 0; i < n && x->by_bits; i++) x->in[i] = of_bits(x->in[i].i, type);
}

/* ---- one run ---- */

enum { CELLS_A_STEP = 3 }; /* filled, kept and compared in the time that a step takes */

static bool fill(struct rg__trial *x, int array)
{
    struct rg__interpreter *r = &x->run;
    const struct rg_carray *a = &x->t->arrays[array];
    int64_t n = 1;
    for (int d = 0; d < a->n_dims; d++) {
        int64_t m = x->n + x->at;
        if (a->dims[d] ? !rg__interpreter_extent(r, a->dims[d], &m) : d) return false;
        if (m < 0 || m > RG__TRIAL_LENGTH) return false;
        n *= m;
        if (n > 1 << 20) return false;
    }
    int o = rg__interpreter_object(r, n);
    x->steps += n / CELLS_A_STEP;
    for (int64_t i = 0; i < n && a->elem != RG_STRUCT; i++) {
        int64_t v = (int64_t)(draw(x) % (uint64_t)(x->n + 1));
        r->objects[o].cells[i] = rg__scalar_is_int(a->elem) ? rg__value_int(v) : rg__value_real((double)v / 4);
    }
    rg__interpreter_set_array(r, array, o);
    return true;
}

/* Might its elements move with those that are sorted? */
static bool companion(const struct rg__trial *x, int a)
{
    const struct rg_carray *c = &x->t->arrays[a];
    return c->param >= 0 && !c->view && !c->is_const && c->n_dims == 1 && c->elem != RG_STRUCT && a != x->array &&
           a < 64 && x->first < 0 && x->source < 0 && x->keys < 0 && !x->pick && a != x->t->result_array;
}

bool rg__trial_with(const struct rg__trial *x, int array)
{
    return array < 64 && (x->with & ~x->stands) >> array & 1;
}

static bool same_value(const struct rg__value *a, const struct rg__value *b)
{
    if (a->kind != b->kind) return false;
    if (a->kind != RG__VALUE_REAL) return a->i == b->i && a->object == b->object;
    return !memcmp(&a->d, &b->d, sizeof a->d); /* zeros of either sign differ */
}

unsigned rg__trial_left(const struct rg__trial *x, int a)
{
    bool known = a < 64 && !(x->stands >> a & 1) && !rg__trial_with(x, a) && x->left[a] & RG__LEFT_ANY &&
                 x->left[a] & (RG__LEFT_ONE | RG__LEFT_NONE);
    return known ? x->left[a] : 0;
}

enum { ROUNDS = 8 }; /* B is 2 .. 256 */

/* Of rounds by B, 2 B .. with n elements: where the parts meet that the last one merged, or 0, where that was an odd
 * one; -1: there are none. */
static int64_t rounds_meet(int64_t b, int64_t n)
{
    int64_t width = b;
    bool odd = false;
    for (; width < n; width *= 2) odd = !odd;
    return n <= b ? -1 : odd ? 0 : width / 2;
}

bool rg__trial_left_from(struct rg__trial *x, int a, int64_t most)
{
    enum { MOST_LENGTHS = 500, TIMES = 3, BEYOND = 3, MOST_ROUNDS = 16 };
    if (x->alone_to[a] < 2) return true;
    for (int n = 1; n < MOST_LENGTHS && n <= x->alone_to[a] + BEYOND; n++)
        for (int k = 0; k < TIMES; k++) {
            rg__trial_arrange(x, n, x->not_negative, RG__RANDOM);
            if (!rg__trial_sorts(x, x->most_steps - x->steps)) return false;
        }
    /* found between two lengths that were tried, it may be anywhere between them */
    for (int64_t n = x->alone_to[a] + 1; n < x->used_from[a] && n < MOST_LENGTHS; n++) {
        rg__trial_arrange(x, n, x->not_negative, RG__RANDOM);
        if (!rg__trial_sorts(x, x->most_steps - x->steps)) return false;
    }
    for (int64_t n = 2 * x->alone_to[a]; n <= MOST_ROUNDS * x->alone_to[a] && n < RG__TRIAL_LENGTH / 2; n *= 2)
        for (int k = -1; k <= 1; k++) { /* a round more or less */
            rg__trial_arrange(x, n + k, x->not_negative, RG__RANDOM);
            if (!rg__trial_sorts(x, x->most_steps - x->steps)) return false;
        }
    unsigned left = rg__trial_left(x, a);
    for (int i = 0; i < ROUNDS && left & RG__LEFT_ROUNDS_FROM; i++)
        if ((int64_t)2 << i == x->alone_to[a] && !(x->rounds[a] >> i & 1)) left &= ~(unsigned)RG__LEFT_ROUNDS_FROM;
    if (x->alone_to[a] & (x->alone_to[a] - 1) || x->alone_to[a] > 1 << ROUNDS) left &= ~(unsigned)RG__LEFT_ROUNDS_FROM;
    return x->used_from[a] == x->alone_to[a] + 1 && x->alone_to[a] <= most + 1 && x->alone_to[a] < MOST_LENGTHS &&
           left & (RG__LEFT_SORTED | RG__LEFT_ROUNDS_FROM) && left & RG__LEFT_NONE && !(left & RG__LEFT_ONE);
}

/* Might it be scratch? */
static bool scratch(const struct rg__trial *x, int a)
{
    const struct rg_carray *c = &x->t->arrays[a], *sorted = &x->t->arrays[x->array];
    return a < 64 && c->param >= 0 && !c->view && !c->is_const && c->n_dims == 1 && c->elem == sorted->elem &&
           c->elem != RG_STRUCT && a != x->keys && x->first < 0 && x->source < 0 && !x->pick && a != x->t->result_array;
}

/* Does it have the elements, in order up to `split` and from there on? Of two that are equal, the first one first. */
static bool holds_parts(const struct rg__trial *x, const struct rg__value *cells, const struct rg__value *sorted,
                        int64_t split)
{
    int64_t at[2] = {0, split};
    for (int64_t i = 0; i < x->n; i++) {
        if (sorted[i].tag <= 0) return false;
        int64_t *to = &at[sorted[i].tag > split];
        if (*to >= x->n || !same_value(&cells[(*to)++], &sorted[i])) return false;
    }
    return at[0] == split;
}

/* What the sort may have left in it. One that is not used for few elements has them in order for more. */
static unsigned left_in(struct rg__trial *x, int a, const struct rg__value *before, const struct rg__value *cells,
                        int64_t n_cells, const struct rg__value *sorted)
{
    unsigned left = RG__LEFT_ANY | RG__LEFT_ONE | RG__LEFT_NONE;
    bool same = n_cells >= x->n, alone = true;
    if (!scratch(x, a) || n_cells < x->n) return 0;
    for (int64_t i = x->n; i < n_cells; i++)
        if (!same_value(&before[i], &cells[i])) return 0;
    for (int64_t i = 0; i < x->n && same; i++) same = same_value(&cells[i], &sorted[i]);
    if (x->n < 2) {
        if (x->n && !same_value(&before[0], &cells[0])) left &= ~(unsigned)RG__LEFT_NONE;
        return same ? left : left & ~(unsigned)RG__LEFT_ONE;
    }
    for (int64_t i = 0; i < x->n && alone; i++) alone = same_value(&before[i], &cells[i]);
    int64_t width = 1;
    bool odd = false;
    for (; width < x->n; width *= 2) odd = !odd;
    if (!same) left &= ~(unsigned)RG__LEFT_SORTED;
    if (!holds_parts(x, cells, sorted, x->n / 2)) left &= ~(unsigned)RG__LEFT_HALVES;
    if (!holds_parts(x, cells, sorted, (x->n + 1) / 2)) left &= ~(unsigned)RG__LEFT_HALVES_UP;
    if (!holds_parts(x, cells, sorted, odd ? 0 : width / 2)) left &= ~(unsigned)RG__LEFT_ROUNDS;
    unsigned may = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t meet = rounds_meet((int64_t)2 << i, x->n);
        if (meet < 0 ? alone : holds_parts(x, cells, sorted, meet)) may |= 1u << i;
    }
    left &= ~(unsigned)RG__LEFT_ROUNDS_FROM;
    if (alone && left & RG__LEFT_ANY) return RG__LEFT_ANY | RG__LEFT_ONE | RG__LEFT_NONE; /* it says nothing */
    x->rounds[a] &= may;
    if (x->rounds[a]) left |= RG__LEFT_ROUNDS_FROM;
    if (alone && x->n > x->alone_to[a]) x->alone_to[a] = x->n;
    if (alone) return RG__LEFT_SORTED | RG__LEFT_ONE | RG__LEFT_NONE | (left & RG__LEFT_ROUNDS_FROM);
    if (x->n < x->used_from[a]) x->used_from[a] = x->n;
    return left;
}

/* The elements as places in any order. */
static void shuffle(struct rg__trial *x, struct rg__value *cells)
{
    for (int64_t i = 0; i < x->n; i++) x->place[i] = (int)i;
    for (int64_t i = x->n - 1; i > 0; i--) {
        int64_t k = (int64_t)(draw(x) % (uint64_t)(i + 1));
        int p = x->place[i];
        x->place[i] = x->place[k];
        x->place[k] = p;
    }
    for (int64_t i = 0; i < x->n; i++) {
        cells[i] = rg__value_int(x->place[i]);
        cells[i].tag = (int)i + 1;
    }
}

/* The parameters that say which elements; of none, that they end where they begin, or before. */
static void set_part(struct rg__trial *x)
{
    x->at = x->first < 0 ? 0 : (int64_t)(draw(x) % 4);
    int64_t end = x->at + x->n - (x->n || x->first < 0 ? 0 : (int64_t)(draw(x) % 3));
    if (x->first >= 0 && x->last) end--;
    if (end < 0 && !rg__trial_signed(x->t->vars[x->length].type)) x->at = x->last, end = 0;
    if (x->first >= 0) rg__interpreter_set_var(&x->run, x->first, rg__value_int(x->at));
    rg__interpreter_set_var(&x->run, x->length, rg__value_int(end));
}

/* Parameters, and what stands in front of the statements; then the elements. */
static bool begin(struct rg__trial *x, int64_t most)
{
    struct rg__interpreter *r = &x->run;
    rg__interpreter_reset(r);
    r->most_steps = most;
    for (int v = 0; v < x->t->n_vars; v++) {
        const struct rg_cvar *c = &x->t->vars[v];
        if (c->kind != RG_CVAR_PARAM || c->type == RG_STRUCT) continue;
        int64_t k = v == x->length ? x->n : (int64_t)(draw(x) % (uint64_t)(x->n + 1));
        if (v != x->length && k == x->n && !c->assigned) k = x->n / 2; /* one that is set may count from 1 */
        if (v != x->length && v != x->first)
            rg__interpreter_set_var(r, v, rg__scalar_is_int(c->type) ? rg__value_int(k) : rg__value_real((double)k));
    }
    set_part(x);
    for (int a = 0; a < x->t->n_arrays; a++)
        if (x->t->arrays[a].param >= 0 && !x->t->arrays[a].view && !fill(x, a)) return false;
    for (int i = 0; i < x->from; i++)
        if (rg__interpreter_run(r, x->block->kid[i]) || r->status != RG__RUN_OK) return false;
    int to = rg__interpreter_array(r, x->array), o = x->source < 0 ? to : rg__interpreter_array(r, x->source),
        keys = x->keys < 0 ? o : rg__interpreter_array(r, x->keys);
    if (to < 0 || o < 0 || keys < 0 || r->objects[to].n < x->at + x->n || r->objects[o].n < x->n ||
        r->objects[keys].n < x->n)
        return false;
    bool records = array_of(x)->elem == RG_STRUCT;
    for (int64_t i = 0; i < x->n; i++) {
        x->in[i].tag = (int)i + 1;
        r->objects[keys].cells[x->at + i] =
            records ? (struct rg__value){.kind = RG__VALUE_RECORD, .i = i, .tag = (int)i + 1, .object = -1} : x->in[i];
    }
    if (x->keys >= 0 && !x->made) shuffle(x, r->objects[o].cells);
    for (int a = 0; a < x->t->n_arrays; a++) {
        int other = x->t->arrays[a].param >= 0 ? rg__interpreter_array(r, a) : -1;
        for (int64_t i = 0; companion(x, a) && i < x->n && i < r->objects[other].n; i++)
            r->objects[other].cells[i].tag = (int)i + 1;
    }
    r->key_object = x->keys >= 0 ? keys : -1;
    r->derived = false;
    return true;
}

/* Which of the elements a cell has, from 1 on; 0: none that can be told. */
static int which(const struct rg__trial *x, const struct rg__value *cell)
{
    if (!x->made) return cell->tag;
    return cell->kind == RG__VALUE_INT && cell->i >= 0 && cell->i < x->n ? (int)cell->i + 1 : 0;
}

/* What the element at a cell is compared by. */
static struct rg__value compared(const struct rg__trial *x, const struct rg__value *cell)
{
    bool number = cell->kind == RG__VALUE_RECORD || (x->keys >= 0 && cell->kind == RG__VALUE_INT);
    return number && cell->i >= 0 && cell->i < x->n ? x->in[cell->i] : *cell;
}

/* Real numbers that go by their bits become these; others stay. */
static void in_bits(const struct rg__trial *x, struct rg__value *v, size_t n, bool ordered)
{
    for (size_t i = 0; i < n && x->by_bits; i++)
        if (v[i].kind == RG__VALUE_REAL) v[i] = bits_of(v[i].d, rg__trial_type(x), ordered);
}

/* Does the one that was asked for have its place's value? */
static bool picked(struct rg__trial *x, const struct rg__value *cells, const struct rg__value *sorted, bool falling)
{
    struct rg__value k = rg__interpreter_value(&x->run, x->pick);
    if (k.kind != RG__VALUE_INT || k.i < 0 || k.i >= x->n) return false;
    struct rg__value v = x->result >= 0 ? rg__interpreter_var(&x->run, x->result) : cells[k.i];
    return same_value(&sorted[falling ? x->n - 1 - k.i : k.i], &v);
}

/* The orders in which the elements now stand; and whether equal ones kept theirs. */
static unsigned order_of(struct rg__trial *x, const struct rg__value *cells)
{
    size_t n = (size_t)x->n;
    struct rg__value *sorted = rg_xmalloc((n + 1) * sizeof *sorted), *out = rg_xmalloc((n + 1) * sizeof *out),
                     *as_bits = rg_xmalloc((n + 1) * sizeof *as_bits);
    bool *there = rg_xcalloc(n + 1, sizeof *there), moved = true;
    unsigned orders = 0;
    for (size_t i = 0; i < n; i++) {
        int tag = which(x, &cells[i]);
        moved = moved && tag > 0 && (size_t)tag <= n && !there[tag - 1];
        if (moved) there[tag - 1] = true;
        out[i] = compared(x, &cells[i]);
    }
    /* two that are equal may differ */
    bool exact = x->keys >= 0 || (!x->by_bits && !rg__scalar_is_int(array_of(x)->elem));
    for (int bits = 0; (moved || !exact) && bits < 2; bits++) {
        if (bits && !rg__scalar_is_int(rg__trial_type(x))) continue;
        memcpy(sorted, x->in, n * sizeof *sorted);
        memcpy(as_bits, out, n * sizeof *out);
        in_bits(x, sorted, n, !bits);
        in_bits(x, as_bits, n, !bits);
        qsort(sorted, n, sizeof *sorted, bits ? by_bits : by_value);
        bool up = true, down = true;
        for (size_t i = 0; i < n && !x->pick; i++) {
            up = up && same_value(&sorted[i], &as_bits[i]);
            down = down && same_value(&sorted[n - 1 - i], &as_bits[i]);
        }
        if (x->pick) {
            up = picked(x, as_bits, sorted, false);
            down = picked(x, as_bits, sorted, true);
        }
        orders |= (unsigned)(up * (bits ? RG__ASCENDING_BITS : RG__ASCENDING)) |
                  (unsigned)(down * (bits ? RG__DESCENDING_BITS : RG__DESCENDING));
    }
    for (size_t i = 0; i + 1 < n; i++)
        x->stable =
            x->stable && moved && (!same_value(&out[i], &out[i + 1]) || which(x, &cells[i]) < which(x, &cells[i + 1]));
    free(sorted);
    free(out);
    free(as_bits);
    free(there);
    return orders;
}

/* Does the array have what it had, or its elements the places of those that were sorted? */
static bool stands(struct rg__trial *x, int a, const struct rg__value *before, const struct rg__value *sorted)
{
    const struct rg__run_object *o = &x->run.objects[rg__interpreter_array(&x->run, a)];
    bool still = true, moved = companion(x, a) && o->n >= x->n;
    for (int64_t i = 0; i < o->n; i++) {
        still = still && same_value(&before[i], &o->cells[i]);
        int tag = o->cells[i].tag;
        moved = moved &&
                (i < x->n ? tag > 0 && tag <= x->n && tag == sorted[i].tag && same_value(&before[tag - 1], &o->cells[i])
                          : same_value(&before[i], &o->cells[i]));
    }
    uint64_t bit = a < 64 ? (uint64_t)1 << a : 0;
    if (!moved) x->with &= ~bit;
    if (!still) x->stands &= ~bit;
    if (bit) x->left[a] &= left_in(x, a, before, o->cells, o->n, sorted);
    return bit ? ((x->with | x->stands) & bit) != 0 || rg__trial_left(x, a) : still;
}

/* Nothing but the array, what moves with it, and what is local is changed. `before`: cells of the objects that were
 * there. */
static bool others_stand(struct rg__trial *x, const struct rg__value *before, const int64_t *at, int n_before)
{
    struct rg__interpreter *r = &x->run;
    int sorted = rg__interpreter_array(r, x->array);
    for (int a = 0; a < x->t->n_arrays; a++) {
        int o = rg__interpreter_array(r, a);
        if (x->t->arrays[a].param < 0 || x->t->arrays[a].view || a == x->array || o < 0 || o >= n_before) continue;
        if (!stands(x, a, before + at[o], r->objects[sorted].cells)) return false;
    }
    for (int64_t i = 0; i < r->objects[sorted].n; i++) /* in front of the elements, and behind them */
        if ((i < x->at || i >= x->at + x->n) && !same_value(&before[at[sorted] + i], &r->objects[sorted].cells[i]))
            return false;
    return true;
}

/* Is what is read behind the statements no element of the array? C leaves that undefined. */
static bool outside(struct rg__trial *x)
{
    if (!x->pick || x->result >= 0) return false;
    struct rg__value k = rg__interpreter_value(&x->run, x->pick);
    return x->run.status == RG__RUN_OK && k.kind == RG__VALUE_INT && (k.i < 0 || k.i >= x->n);
}

/* Runs the statements on x->in. False: they are no sort, or nobody can tell. */
bool rg__trial_sorts(struct rg__trial *x, int64_t most)
{
    struct rg__interpreter *r = &x->run;
    bool derived = r->derived;
    if (!begin(x, most)) return false;
    int n_before = r->n_objects;
    int64_t *at = rg_xcalloc((size_t)n_before + 1, sizeof *at), all = 0;
    for (int o = 0; o < n_before; o++) {
        at[o] = all;
        all += r->objects[o].n;
    }
    struct rg__value *before = rg_xmalloc(((size_t)all + 1) * sizeof *before);
    for (int o = 0; o < n_before; o++)
        memcpy(before + at[o], r->objects[o].cells, (size_t)r->objects[o].n * sizeof *before);
    int object = rg__interpreter_array(r, x->array);
    bool left = false;
    for (int i = x->from; i < x->to && !left; i++) left = rg__interpreter_run(r, x->block->kid[i]);
    r->derived = r->derived || derived;
    x->steps += r->steps;
    bool ok = r->status == RG__RUN_OK;
    if (r->status == RG__RUN_UNDEFINED) {
        x->undefined++;
    } else if (ok && !left && outside(x)) {
        x->undefined++;
    } else if (ok && !left && rg__interpreter_array(r, x->array) == object && others_stand(x, before, at, n_before)) {
        x->orders &= order_of(x, r->objects[object].cells + x->at);
        x->kept++;
        x->long_kept += x->n >= 40;
    } else
        ok = false;
    free(at);
    free(before);
    return (ok || r->status == RG__RUN_UNDEFINED) && x->orders && !r->members_differ && x->steps < x->most_steps;
}
