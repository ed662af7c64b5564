/* Runs in kernel IR, put together, exchanged among threads and applied. */
#include "poly/kernel/run_code.h"

/* ---- members ---- */

const char *rg__poly_carried_base(const struct poly_run_code *x, int i)
{
    const struct poly_carried *c = &x->sc->at[i];
    const struct rg_ctree *t = x->t->names->t;
    if (c->lag > 1) return rg_arena_printf(x->k->arena, "%.60s%d", t->arrays[c->array].name, c->lag);
    return c->array >= 0 ? t->arrays[c->array].name : t->vars[c->var].name;
}

static bool is_bound(const struct poly_run_code *x, int row)
{
    return rg__poly_has_bound(x->sc->at[row].op);
}

static bool is_table(const struct poly_run_code *x, int row)
{
    return x->sc->at[row].op == POLY_OP_TABLE;
}

/* Is the member 0 where what is in front is left out, and 1 elsewhere? */
static bool is_keeps(const struct poly_run_code *x, int row, int col)
{
    return x->sc->at[row].resets && col == POLY_KEEPS;
}

/* Sums that no bound keeps small. */
static enum rg_scalar type_of(const struct poly_run_code *x, int row)
{
    if (is_table(x, row)) return x->sc->at[row].bits > 3 ? RG_ULLONG : RG_U32;
    bool wide = is_bound(x, row) && !rg_scalar_is_real(x->sc->at[row].type);
    return wide ? RG_LLONG : x->sc->at[row].type;
}

static bool has(const struct poly_scan *sc, int row, int col)
{
    if (sc->at[row].resets && col == POLY_KEEPS) return true;
    if (rg__poly_has_bound(sc->at[row].op)) return col == 0;
    return sc->fraction ? col < POLY_FRACTION - 1 : sc->at[row].op == POLY_OP_NONE && (sc->at[row].group >> col & 1);
}

static const char *name_of(const struct poly_run_code *x, int row, int col)
{
    static const char *const parts[POLY_FRACTION] = {"num_by", "num_plus", "den_by", "den_plus"};
    const char *base = rg__poly_carried_base(x, row);
    struct rg_arena *a = x->k->arena;
    if (is_keeps(x, row, col)) return rg_arena_printf(a, "%s_keeps", base);
    if (x->sc->fraction) return rg_arena_printf(a, "%s_%s", base, parts[col < 0 ? POLY_FRACTION - 1 : col]);
    if (is_bound(x, row)) return rg_arena_printf(a, "%s_%s", base, col < 0 ? "bound" : "plus");
    if (x->sc->at[row].op != POLY_OP_NONE) return base;
    return col < 0 ? rg_arena_printf(a, "%s_plus", base)
                   : rg_arena_printf(a, "%s_by_%s", base, rg__poly_carried_base(x, col));
}

struct poly_run_code *rg__poly_run_code(struct poly_thread *t, const struct poly_scan *sc)
{
    struct poly_run_code *x = rg_arena_alloc(t->k->arena, sizeof *x);
    x->sc = sc;
    x->t = t;
    x->k = t->k;
    x->col = -1;
    for (int row = 0; row < sc->n; row++)
        for (int c = 0; c <= POLY_MAX_CARRIED; c++) {
            int col = c < POLY_MAX_CARRIED ? c : -1;
            if (col >= 0 && !has(sc, row, col)) continue;
            enum rg_scalar type = is_keeps(x, row, col) ? RG_I32 : type_of(x, row);
            x->at[x->n++] = (struct poly_member){row, col, type, name_of(x, row, col)};
        }
    return x;
}

int rg__poly_run_member(const struct poly_run_code *x, int row, int col)
{
    int i = 0;
    while (i + 1 < x->n && (x->at[i].row != row || x->at[i].col != col)) i++;
    return i;
}

static struct kir_node *named(struct poly_run_code *x, struct kir_node *seq, const char *name, enum rg_scalar type,
                              struct kir_node *value)
{
    int s = rg__kir_value(x->k, name, type);
    rg__kir_add_to(x->k, seq, rg__kir_let(x->k, s, value));
    return rg__kir_name(x->k, s);
}

static const char *member_name(const struct poly_run_code *x, const char *run, int i)
{
    return rg_arena_printf(x->k->arena, "%s_%s", run, x->at[i].name);
}

/* ---- what changes nothing ---- */

static struct kir_node *number(struct kir_kernel *k, enum rg_scalar type, int64_t v)
{
    return rg_scalar_is_real(type) ? rg__kir_real(k, (double)v, type) : rg__kir_cast(k, type, rg__kir_int(k, v));
}

/* A bound that never decides: integers have room to be added to. */
struct kir_node *rg__poly_run_no_bound(struct poly_run_code *x, int row)
{
    bool floor = x->sc->at[row].op == POLY_OP_FLOOR;
    enum rg_scalar type = type_of(x, row);
    if (rg_scalar_is_real(type)) return rg__poly_kir_identity(x->k, floor ? POLY_OP_MAX : POLY_OP_MIN, type);
    return rg__kir_int(x->k, floor ? -(INT64_C(1) << 62) : INT64_C(1) << 62);
}

/* ---- tables ---- */

/* Every state stays as it is. */
static struct kir_node *same_states(struct poly_run_code *x, int row)
{
    const int bits = x->sc->at[row].bits;
    uint64_t w = 0;
    for (int s = 0; s < 1 << bits; s++) w |= (uint64_t)s << bits * s;
    return rg__kir_cast(x->k, type_of(x, row), rg__kir_int(x->k, (int64_t)w));
}

/* What the word makes of a state. */
static struct kir_node *state_after(struct poly_run_code *x, int row, struct kir_node *word, struct kir_node *state)
{
    struct kir_kernel *k = x->k;
    const int bits = x->sc->at[row].bits;
    if (bits > 1) state = rg__kir_mul(k, state, rg__kir_int(k, bits));
    return rg__kir_binary(k, RG_COP_BAND, rg__kir_binary(k, RG_COP_SHR, word, state),
                          number(k, type_of(x, row), (1 << bits) - 1));
}

struct kir_node *rg__poly_run_table(struct poly_run_code *x, struct kir_node *seq, int row, struct kir_node *front,
                                    struct kir_node *word)
{
    struct kir_kernel *k = x->k;
    const int bits = x->sc->at[row].bits;
    struct kir_node *all = NULL;
    word = named(x, seq, "then", type_of(x, row), word);
    for (int s = 0; s < 1 << bits; s++) {
        struct kir_node *at = rg__kir_binary(k, RG_COP_SHR, front, rg__kir_int(k, bits * s));
        at = rg__kir_binary(k, RG_COP_BAND, at, number(k, type_of(x, row), (1 << bits) - 1));
        at = rg__kir_binary(k, RG_COP_SHL, state_after(x, row, word, at), rg__kir_int(k, bits * s));
        all = all ? rg__kir_binary(k, RG_COP_BOR, all, at) : at;
    }
    return all;
}

static struct kir_node *none_of(struct poly_run_code *x, int i)
{
    const struct poly_member *m = &x->at[i];
    enum poly_op op = x->sc->at[m->row].op;
    if (is_keeps(x, m->row, m->col)) return rg__kir_int(x->k, 1);
    if (is_bound(x, m->row)) return m->col < 0 ? rg__poly_run_no_bound(x, m->row) : number(x->k, m->type, 0);
    if (is_table(x, m->row)) return same_states(x, m->row);
    if (op != POLY_OP_NONE) return rg__kir_cast(x->k, m->type, rg__poly_kir_identity(x->k, op, m->type));
    bool one = x->sc->fraction ? i == 0 || i == POLY_FRACTION - 1 : m->row == m->col;
    return number(x->k, m->type, one);
}

struct poly_run rg__poly_run_none(struct poly_run_code *x, struct kir_node *seq, const char *name)
{
    struct poly_run r;
    for (int i = 0; i < x->n; i++) {
        int s = rg__kir_scalar(x->k, member_name(x, name, i), x->at[i].type);
        rg__kir_add_to(x->k, seq, rg__kir_var(x->k, s, none_of(x, i)));
        r.of[i] = rg__kir_name(x->k, s);
    }
    return r;
}

void rg__poly_run_set(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *to,
                      const struct poly_run *value)
{
    for (int i = 0; i < x->n; i++) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, to->of[i]->symbol, value->of[i]));
}

/* ---- put together ---- */

/* a + b; of integers that no bound keeps small, the number next to it that there is. */
static struct kir_node *sum(struct poly_run_code *x, struct kir_node *seq, int row, struct kir_node *a,
                            struct kir_node *b)
{
    struct kir_kernel *k = x->k;
    if (rg_scalar_is_real(x->sc->at[row].type)) return rg__kir_add(k, a, b);
    a = named(x, seq, "front", RG_LLONG, a);
    struct kir_node *zero = number(k, RG_LLONG, 0), *most = rg__kir_cast(k, RG_LLONG, rg__kir_int(k, INT64_MAX)),
                    *least = rg__kir_sub(k, rg__kir_unary(k, RG_COP_NEG, most), number(k, RG_LLONG, 1));
    struct kir_node *wraps = rg__kir_add(k, rg__kir_cast(k, RG_ULLONG, a), rg__kir_cast(k, RG_ULLONG, b)),
                    *r = named(x, seq, "sum", RG_LLONG, rg__kir_cast(k, RG_LLONG, wraps));
    struct kir_node *sign =
        rg__kir_binary(k, RG_COP_BAND, rg__kir_binary(k, RG_COP_XOR, a, r), rg__kir_binary(k, RG_COP_XOR, b, r));
    return rg__kir_select(k, rg__kir_binary(k, RG_COP_GE, sign, zero), r,
                          rg__kir_select(k, rg__kir_less(k, a, zero), least, most));
}

/* What is in front, b's addend on top, and b's bound. */
static struct kir_node *bounded(struct poly_run_code *x, struct kir_node *seq, int row, struct kir_node *front,
                                const struct poly_run *b)
{
    enum poly_op op = x->sc->at[row].op == POLY_OP_FLOOR ? POLY_OP_MAX : POLY_OP_MIN;
    struct kir_node *s = sum(x, seq, row, front, b->of[rg__poly_run_member(x, row, 0)]);
    s = named(x, seq, "sum", type_of(x, row), s);
    return rg__poly_kir_combined(x->k, op, s, b->of[rg__poly_run_member(x, row, -1)]);
}

/* v, of what is in front and b's; b's alone where b leaves out what is in front. */
static struct kir_node *unless_reset(struct poly_run_code *x, int row, struct kir_node *v, const struct poly_run *b)
{
    if (!x->sc->at[row].resets) return v;
    struct kir_node *keeps = b->of[rg__poly_run_member(x, row, POLY_KEEPS)];
    return rg__kir_select(x->k, rg__kir_binary(x->k, RG_COP_NE, keeps, rg__kir_int(x->k, 0)), v,
                          b->of[rg__poly_run_member(x, row, -1)]);
}

/* Modulo what the row is: products of two remainders, and a sum of few, have room. */
static struct kir_node *rest(struct poly_run_code *x, int row, struct kir_node *e)
{
    const int64_t m = x->sc->at[row].modulus;
    return m ? rg__kir_binary(x->k, RG_COP_REM, e, number(x->k, type_of(x, row), m)) : e;
}

/* The row's factors in b, each with what the value is made of that it goes with; its own addend last. */
static struct kir_node *row_of(struct poly_run_code *x, const struct poly_run *b, int row, struct kir_node *const *with,
                               bool adds)
{
    struct kir_node *s = NULL;
    if (x->sc->at[row].kept && adds) {
        struct kir_node *factor = b->of[rg__poly_run_member(x, row, row)], *zero = rg__kir_real(x->k, 0, factor->type);
        return rg__kir_select(x->k, rg__kir_binary(x->k, RG_COP_NE, factor, zero), with[row],
                              b->of[rg__poly_run_member(x, row, -1)]);
    }
    if (x->sc->at[row].summed && adds) {
        struct kir_node *factor = b->of[rg__poly_run_member(x, row, row)], *zero = rg__kir_real(x->k, 0, factor->type),
                        *own = b->of[rg__poly_run_member(x, row, -1)];
        return rg__kir_select(x->k, rg__kir_binary(x->k, RG_COP_NE, factor, zero), rg__kir_add(x->k, with[row], own),
                              own);
    }
    for (int c = 0; c < x->sc->n; c++) {
        if (!(x->sc->at[row].group >> c & 1)) continue;
        struct kir_node *f = rest(x, row, rg__kir_mul(x->k, b->of[rg__poly_run_member(x, row, c)], with[c]));
        s = s ? rg__kir_add(x->k, s, f) : f;
    }
    return adds ? rest(x, row, rg__kir_add(x->k, s, b->of[rg__poly_run_member(x, row, -1)])) : s;
}

static struct kir_node *call(struct kir_kernel *k, const char *real, const char *with_f, int n, struct kir_node *a,
                             struct kir_node *b)
{
    struct kir_node *arg[2] = {a, b};
    return rg__kir_call(k, a->type == RG_F32 ? with_f : real, a->type, n, arg);
}

/* A common factor changes nothing: none grows out of range. */
static void scale(struct poly_run_code *x, struct kir_node *seq, struct poly_run *r)
{
    struct kir_kernel *k = x->k;
    enum rg_scalar type = x->at[0].type;
    struct kir_node *size[POLY_FRACTION], *one = rg__kir_real(k, 1, type), *zero = rg__kir_real(k, 0, type);
    for (int i = 0; i < POLY_FRACTION; i++) size[i] = call(k, "fabs", "fabsf", 1, r->of[i], NULL);
    for (int i = 0; i < 2; i++) size[i] = call(k, "fmax", "fmaxf", 2, size[2 * i], size[2 * i + 1]);
    struct kir_node *most = named(x, seq, "size", type, call(k, "fmax", "fmaxf", 2, size[0], size[1]));
    most = named(x, seq, "by", type,
                 rg__kir_select(k, rg__kir_binary(k, RG_COP_GT, most, zero), rg__kir_div(k, one, most), one));
    rg__kir_note(seq->kid[seq->n - 1], "a common factor changes nothing: none grows out of range");
    for (int i = 0; i < POLY_FRACTION; i++)
        r->of[i] = named(x, seq, member_name(x, "both", i), type, rg__kir_mul(k, r->of[i], most));
}

static struct poly_run fraction_then(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *a,
                                     const struct poly_run *b)
{
    struct poly_run r;
    for (int i = 0; i < POLY_FRACTION; i++) {
        int row = i / 2 * 2, col = i % 2; /* b's matrix times a's */
        struct kir_node *v = rg__kir_add(x->k, rg__kir_mul(x->k, b->of[row], a->of[col]),
                                         rg__kir_mul(x->k, b->of[row + 1], a->of[2 + col]));
        r.of[i] = named(x, seq, member_name(x, "both", i), x->at[i].type, v);
    }
    scale(x, seq, &r);
    return r;
}

struct poly_run rg__poly_run_then(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *a,
                                  const struct poly_run *b)
{
    struct poly_run r;
    if (x->sc->fraction) return fraction_then(x, seq, a, b);
    for (int i = 0; i < x->n; i++) {
        const struct poly_member *m = &x->at[i];
        enum poly_op op = x->sc->at[m->row].op;
        struct kir_node *v, *with[POLY_MAX_CARRIED] = {NULL};
        if (is_keeps(x, m->row, m->col)) {
            v = rg__kir_binary(x->k, RG_COP_BAND, a->of[i], b->of[i]);
        } else if (is_bound(x, m->row)) {
            v = m->col < 0 ? bounded(x, seq, m->row, a->of[i], b) : sum(x, seq, m->row, a->of[i], b->of[i]);
        } else if (is_table(x, m->row)) {
            v = rg__poly_run_table(x, seq, m->row, a->of[i], b->of[i]);
        } else if (op != POLY_OP_NONE) {
            v = rg__poly_kir_combined(x->k, op, a->of[i], b->of[i]);
        } else {
            for (int c = 0; c < x->sc->n; c++)
                if (x->sc->at[m->row].group >> c & 1) with[c] = a->of[rg__poly_run_member(x, c, m->col)];
            v = row_of(x, b, m->row, with, m->col < 0);
        }
        if (m->col < 0) v = unless_reset(x, m->row, v, b);
        r.of[i] = named(x, seq, member_name(x, "both", i), m->type, v);
    }
    return r;
}

void rg__poly_run_after(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *b,
                        struct kir_node *const *value)
{
    const struct poly_scan *sc = x->sc;
    struct kir_kernel *k = x->k;
    struct kir_node *was[POLY_MAX_CARRIED] = {NULL}, *v;
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].op == POLY_OP_NONE)
            was[i] = named(x, seq, rg_arena_printf(k->arena, "was_%s", rg__poly_carried_base(x, i)), sc->at[i].type,
                           value[i]);
    for (int i = 0; i < sc->n; i++) {
        if (sc->fraction)
            v = rg__kir_div(k, rg__kir_add(k, rg__kir_mul(k, b->of[0], was[i]), b->of[1]),
                            rg__kir_add(k, rg__kir_mul(k, b->of[2], was[i]), b->of[3]));
        else if (is_bound(x, i))
            v = bounded(x, seq, i, value[i], b);
        else if (is_table(x, i))
            v = rg__kir_cast(k, sc->at[i].type, state_after(x, i, b->of[rg__poly_run_member(x, i, -1)], value[i]));
        else if (sc->at[i].op != POLY_OP_NONE)
            v = rg__poly_kir_combined(k, sc->at[i].op, value[i], b->of[rg__poly_run_member(x, i, -1)]);
        else
            v = row_of(x, b, i, was, true);
        v = unless_reset(x, i, v, b);
        rg__kir_add_to(k, seq, rg__kir_assign(k, value[i]->symbol, v));
    }
}

/* ---- exchanged ---- */

/* Each member as another lane has it; shuffles move 4 or 8 bytes. */
static struct poly_run shuffled(struct poly_run_code *x, struct kir_node *seq, enum kir_shuffle how, int64_t width,
                                const struct poly_run *run, struct kir_node *lane, const char *name)
{
    struct kir_kernel *k = x->k;
    struct poly_run r;
    for (int i = 0; i < x->n; i++) {
        enum rg_scalar type = x->at[i].type, moved = rg_scalar_bytes(type) >= 4 ? type
                                                     : rg_scalar_is_real(type)  ? RG_F32
                                                                                : RG_I32;
        struct kir_node *v = rg__kir_shuffle(k, how, (int)width, rg__kir_cast(k, moved, run->of[i]), lane);
        r.of[i] = named(x, seq, member_name(x, name, i), type, v);
    }
    return r;
}

void rg__poly_run_through(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                          struct kir_node *lane, int64_t width, int64_t most)
{
    struct kir_kernel *k = x->k;
    int rounds = 0, round = rg__kir_index(k, "round", RG_I32);
    while (INT64_C(1) << rounds < most) rounds++;
    struct kir_node *loop = rg__kir_for(k, KIR_SERIAL, round, rg__kir_int(k, rounds)), *in = rg__kir_body(loop),
                    *by = named(x, in, "by", RG_I32,
                                rg__kir_binary(k, RG_COP_SHL, rg__kir_int(k, 1), rg__kir_name(k, round)));
    struct poly_run other = shuffled(x, in, KIR_SHUFFLE_UP, width, run, by, "other"), both;
    in = rg__poly_kir_where(k, in, rg__kir_binary(k, RG_COP_GE, lane, by));
    both = rg__poly_run_then(x, in, &other, run);
    rg__poly_run_set(x, in, run, &both);
    rg__kir_note(loop, "each lane's, and all in front of it");
    rg__kir_add_to(k, seq, loop);
}

struct poly_run rg__poly_run_of(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                                struct kir_node *lane, int64_t width)
{
    return shuffled(x, seq, KIR_SHUFFLE_FROM, width, run, lane, "all");
}

struct poly_run rg__poly_run_left(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                                  struct kir_node *lane, int64_t width)
{
    struct kir_kernel *k = x->k;
    struct poly_run r = shuffled(x, seq, KIR_SHUFFLE_UP, width, run, rg__kir_int(k, 1), "left");
    for (int i = 0; i < x->n; i++) {
        struct kir_node *first = rg__kir_binary(k, RG_COP_EQ, lane, rg__kir_int(k, 0));
        r.of[i] =
            named(x, seq, member_name(x, "front", i), x->at[i].type, rg__kir_select(k, first, none_of(x, i), r.of[i]));
    }
    return r;
}

void rg__poly_run_meet(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run, struct kir_node *tx,
                       int64_t threads, bool one, struct poly_meeting *m)
{
    struct kir_kernel *k = x->k;
    struct kir_node *size = rg__kir_int(k, 32), *count = rg__kir_int(k, threads / 32), *in;
    struct poly_run there;
    int part[POLY_MEMBERS];
    m->lane = named(x, seq, "lane", RG_I32, rg__kir_rem(k, tx, size));
    m->warp = named(x, seq, "warp", RG_I32, rg__kir_div(k, tx, size));
    for (int i = 0; i < x->n; i++)
        part[i] = rg__kir_buffer(k, member_name(x, "warps", i), KIR_SHARED, x->at[i].type, 1, &count);
    rg__poly_run_through(x, seq, run, m->lane, 32, 32);
    in = rg__poly_kir_where(k, seq, rg__kir_binary(k, RG_COP_EQ, m->lane, rg__kir_int(k, 31)));
    for (int i = 0; i < x->n; i++)
        rg__kir_add_to(k, in, rg__kir_store(k, rg__kir_at(k, part[i], 1, m->warp), run->of[i]));
    rg__kir_add_to(k, seq, rg__kir_barrier(k, KIR_BLOCK));
    m->warps = rg__poly_run_none(x, seq, "before");
    in = rg__poly_kir_where(k, seq, rg__kir_less(k, m->lane, count));
    for (int i = 0; i < x->n; i++) there.of[i] = rg__kir_at(k, part[i], 1, m->lane);
    rg__poly_run_set(x, in, &m->warps, &there);
    rg__poly_run_through(x, seq, &m->warps, m->lane, 32, threads / 32);
    if (!one) {
        m->all = rg__poly_run_of(x, seq, &m->warps, rg__kir_int(k, threads / 32 - 1), 32);
        return;
    }
    for (int64_t w = 0; w < threads / 32; w++) { /* the same words for all, in the same order */
        for (int i = 0; i < x->n; i++)
            there.of[i] =
                named(x, seq, member_name(x, "all", i), x->at[i].type, rg__kir_at(k, part[i], 1, rg__kir_int(k, w)));
        m->all = w ? rg__poly_run_then(x, seq, &m->all, &there) : there;
    }
}

void rg__poly_run_in_front(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                           const struct poly_meeting *m)
{
    struct kir_kernel *k = x->k;
    struct kir_node *zero = rg__kir_int(k, 0), *first = rg__kir_binary(k, RG_COP_EQ, m->warp, zero),
                    *of = rg__kir_select(k, first, zero, rg__kir_sub(k, m->warp, rg__kir_int(k, 1))), *in;
    struct poly_run both = shuffled(x, seq, KIR_SHUFFLE_FROM, 32, &m->warps, of, "warps"),
                    left = rg__poly_run_left(x, seq, run, m->lane, 32);
    rg__kir_add_to(k, seq, rg__kir_barrier(k, KIR_BLOCK));
    rg__poly_run_set(x, seq, run, &left);
    in = rg__poly_kir_where(k, seq, rg__kir_binary(k, RG_COP_GT, m->warp, zero));
    both = rg__poly_run_then(x, in, &both, run);
    rg__poly_run_set(x, in, run, &both);
}
