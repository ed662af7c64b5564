/* Points of a thread of a tile in time: predicates as bits, boxes, what a launch has to do. */
#include "poly/steps/tile_points.h"

struct kir_node *rg__tile_let(struct kir_kernel *k, struct kir_node *seq, const char *name, enum rg_scalar type,
                              struct kir_node *value)
{
    int s = rg__kir_value(k, name, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, s, value));
    return rg__kir_name(k, s);
}

struct kir_node *rg__tile_whole(struct kir_kernel *k, struct kir_node *e)
{
    return rg__kir_cast(k, RG_I32, e);
}

struct kir_node *rg__tile_plus(struct kir_kernel *k, struct kir_node *e, int64_t more)
{
    return more < 0 ? rg__kir_sub(k, e, rg__kir_int(k, -more)) : rg__kir_add(k, e, rg__kir_int(k, more));
}

enum rg_scalar rg__tile_type(const struct poly_stencil *st, int array)
{
    return st->s->tree->arrays[st->array[array].array].elem;
}

static struct kir_node *variable(const struct tile_points *t, int var)
{
    struct rg_cnode n = {.kind = RG_C_VAR,
                         .var = var,
                         .array = -1,
                         .callee = -1,
                         .struct_index = -1,
                         .type = t->st->s->tree->vars[var].type};
    return rg__kir_of(t->names, &n);
}

/* ---- bits ---- */

struct kir_node *rg__tile_number(const struct tile_points *t, int64_t v)
{
    return rg__kir_cast(t->k, t->n > 32 ? RG_ULLONG : RG_U32, rg__kir_int(t->k, v));
}

struct kir_node *rg__tile_any(const struct tile_points *t, struct kir_node *bits)
{
    return rg__kir_binary(t->k, RG_COP_NE, bits, rg__tile_number(t, 0));
}

struct kir_node *rg__tile_bit(const struct tile_points *t, struct kir_node *bits, int point)
{
    struct kir_node *one = rg__tile_number(t, point < 63 ? (int64_t)1 << point : INT64_MIN);
    return rg__tile_any(t, rg__kir_binary(t->k, RG_COP_BAND, bits, one));
}

struct kir_node *rg__tile_but(const struct tile_points *t, struct kir_node *bits, struct kir_node *without)
{
    return rg__kir_binary(t->k, RG_COP_BAND, bits, rg__kir_unary(t->k, RG_COP_COMPL, without));
}

/* Bits of the points from dimension d on. */
static struct kir_node *bits_from(const struct tile_points *t, struct kir_node *seq, const struct tile_set *s, int d)
{
    struct kir_node *inner = d + 1 < t->st->n_dims ? bits_from(t, seq, s, d + 1) : NULL, *all = NULL;
    int64_t stride = 1;
    for (int e = d + 1; e < t->st->n_dims; e++) stride *= t->points[e];
    for (int64_t r = 0; r < t->points[d]; r++) {
        struct kir_node *at = rg__tile_plus(t->k, t->first[d], r), *c;
        c = rg__kir_and(t->k, rg__kir_binary(t->k, RG_COP_GE, at, s->from[d]), rg__kir_less(t->k, at, s->to[d]));
        struct kir_node *one = inner ? inner : rg__tile_number(t, 1);
        if (r) one = rg__kir_binary(t->k, RG_COP_SHL, one, rg__kir_int(t->k, r * stride));
        one = rg__kir_select(t->k, c, one, rg__tile_number(t, 0));
        all = all ? rg__kir_binary(t->k, RG_COP_BOR, all, one) : one;
    }
    return rg__tile_let(t->k, seq, "inside", all->type, all);
}

struct kir_node *rg__tile_bits(struct tile_points *t, struct kir_node *seq, struct kir_node *const *from,
                               struct kir_node *const *to)
{
    for (int i = 0; i < t->n_sets; i++) {
        bool same = true;
        for (int d = t->from; d < t->st->n_dims; d++)
            same = same && rg__kir_equal(t->set[i].from[d], from[d]) && rg__kir_equal(t->set[i].to[d], to[d]);
        if (same) return t->set[i].bits;
    }
    struct tile_set *s = &t->set[t->n_sets++];
    for (int d = t->from; d < t->st->n_dims; d++) {
        s->from[d] = from[d];
        s->to[d] = to[d];
    }
    return s->bits = bits_from(t, seq, s, t->from);
}

/* ---- boxes ---- */

/* A form over parameters as a signed number: an end below zero is one. */
static struct kir_node *linear(const struct tile_points *t, const struct poly_linear *l, int64_t more)
{
    struct kir_node *sum = NULL;
    for (int i = 0; i < l->n; i++) {
        struct kir_node *v = variable(t, l->term[i].var);
        if (!v) return NULL;
        if (v->type != RG_I32) v = rg__kir_cast(t->k, RG_LLONG, v);
        v = rg__kir_mul(t->k, rg__kir_int(t->k, l->term[i].c), v);
        sum = sum ? rg__kir_add(t->k, sum, v) : v;
    }
    sum = sum ? rg__tile_plus(t->k, sum, l->k + more) : rg__kir_int(t->k, l->k + more);
    return rg__tile_whole(t->k, sum);
}

bool rg__tile_box(const struct tile_points *t, int sweep, struct kir_node **from, struct kir_node **to)
{
    const struct poly_sweep *w = &t->st->sweep[sweep];
    for (int d = 0; d < t->st->n_dims; d++) {
        if (w->loop[d] < 0) {
            from[d] = linear(t, &w->at[d], 0);
            to[d] = linear(t, &w->at[d], 1);
        } else {
            const struct poly_loop *l = &t->st->s->loops[w->loop[d]];
            bool up = l->step > 0;
            from[d] = linear(t, up ? &l->lower : &l->upper, w->shift[d] + !up);
            to[d] = linear(t, up ? &l->upper : &l->lower, w->shift[d] + !up);
        }
        if (!from[d] || !to[d]) return false;
    }
    return true;
}

/* ---- the launch ---- */

struct kir_node *rg__tile_count(const struct tile_points *t, struct kir_node *seq, int64_t steps,
                                struct kir_node **time, struct kir_node **left)
{
    const struct poly_loop *l = &t->st->s->loops[t->st->loop];
    struct kir_node *end;
    if (!(*time = variable(t, l->var)) || !(end = rg__kir_of(t->names, l->node->kid[1]))) return NULL;
    struct kir_node *more = l->step < 0 ? rg__kir_sub(t->k, *time, end) : rg__kir_sub(t->k, end, *time);
    struct kir_node *rounds = rg__kir_ceil_div(t->k, more, l->step < 0 ? -l->step : l->step);
    *left = rounds = rg__tile_let(t->k, seq, "left", rounds->type, rounds);
    struct kir_node *count = rg__tile_whole(t->k, rg__kir_min(t->k, rounds, rg__kir_int(t->k, steps)));
    return rg__tile_let(t->k, seq, "steps", RG_I32, count);
}

struct kir_node *rg__tile_now(const struct tile_points *t, struct kir_node *time, struct kir_node *more)
{
    struct kir_node *gone = rg__kir_mul(t->k, more, rg__kir_int(t->k, t->st->s->loops[t->st->loop].step));
    return rg__kir_cast(t->k, time->type, rg__kir_add(t->k, time, gone));
}

int rg__tile_next(const struct tile_points *t, const struct poly_program *p, int array)
{
    const struct rg_carray *c = &t->st->s->tree->arrays[t->st->array[array].array];
    const char *name = p->next ? p->next[t->st->array[array].array] : NULL;
    struct kir_node *dims[STENCIL_DIMS];
    if (!name) return rg__kir_buffer_of(t->names, t->st->array[array].array);
    for (int d = 0; d < t->st->n_dims; d++)
        if (!(dims[d] = rg__kir_of_extent(t->names, c->dims[d]))) return -1;
    int next = rg__kir_buffer(t->k, name, KIR_GLOBAL, c->elem, t->st->n_dims, dims);
    t->k->symbols[next].pass = name;
    t->k->symbols[next].alone = true;
    return next;
}

struct kir_node *rg__tile_blocks(const struct tile_points *t, int dim, int64_t inner)
{
    struct kir_node *most = NULL;
    for (int a = 0; a < t->st->n_arrays; a++) {
        const struct rg_carray *c = &t->st->s->tree->arrays[t->st->array[a].array];
        struct kir_node *n = rg__kir_of_extent(t->names, c->dims[dim]);
        if (!n) return NULL;
        most = !most || rg__kir_equal(most, n) ? n : rg__kir_max(t->k, most, n);
    }
    return rg__kir_ceil_div(t->k, most, inner);
}
