/* What a team's threads accumulate, combined, in kernel IR: a tree in shared memory, or lanes that exchange registers.
 */
#include "poly/kernel/team_kernel.h"

static bool is_column(const struct poly_teamwork *w)
{
    return w->kernel->team == POLY_TEAM_COLUMN;
}

static bool is_lanes(const struct poly_teamwork *w)
{
    return w->kernel->team == POLY_TEAM_WARP;
}

struct kir_node *rg__poly_team_lone(struct poly_teamwork *w)
{
    struct kir_node *first = rg__kir_binary(w->k, RG_COP_EQ, w->lane, rg__kir_int(w->k, 0));
    return w->here ? rg__kir_and(w->k, first, w->here) : first;
}

void rg__poly_team_meet(struct poly_teamwork *w, struct kir_node *seq)
{
    enum kir_scope scope = !is_lanes(w) ? KIR_BLOCK : w->threads == 32 ? KIR_WARP : KIR_LANES;
    rg__kir_add_to(w->k, seq, rg__kir_barrier(w->k, scope));
}

/* What all threads of a team have: a part for each, or for each warp of them. */
static int shared(struct poly_teamwork *w, enum rg_scalar type)
{
    struct kir_kernel *k = w->k;
    struct kir_node *dims[] = {rg__kir_int(k, w->kernel->warp_reduce && !is_column(w) ? 32 : w->threads),
                               rg__kir_int(k, POLY_COLUMNS)};
    for (int i = 0; i < w->n_shared; i++)
        if (w->shared[i].type == type) return w->shared[i].symbol;
    int s = rg__kir_buffer(k, "part", KIR_SHARED, type, is_column(w) ? 2 : 1, dims);
    if (w->n_shared < POLY_TEAM_BUFFERS) {
        w->shared[w->n_shared].type = type;
        w->shared[w->n_shared++].symbol = s;
    }
    return s;
}

static struct kir_node *named(struct poly_teamwork *w, struct kir_node *seq, const char *name, enum rg_scalar type,
                              struct kir_node *value)
{
    int s = rg__kir_value(w->k, name, type);
    rg__kir_add_to(w->k, seq, rg__kir_let(w->k, s, rg__kir_cast(w->k, type, value)));
    return rg__kir_name(w->k, s);
}

/* Every lane of `width` gets what all of them have. */
static struct kir_node *among_lanes(struct poly_teamwork *w, struct kir_node *seq, enum poly_op op,
                                    struct kir_node *value, int64_t width)
{
    struct kir_kernel *k = w->k;
    enum rg_scalar type = value->type, moved = rg_scalar_bytes(type) >= 4 ? type
                                               : rg_scalar_is_real(type)  ? RG_F32
                                                                          : RG_I32;
    for (int64_t d = width / 2; d > 0; d /= 2) {
        struct kir_node *other =
            rg__kir_shuffle(k, KIR_SHUFFLE_XOR, (int)width, rg__kir_cast(k, moved, value), rg__kir_int(k, d));
        other = named(w, seq, "other", type, other);
        value = named(w, seq, "all", type, rg__poly_kir_combined(k, op, value, other));
    }
    return value;
}

/* A tree in shared memory; in columns side by side. */
static struct kir_node *tree(struct poly_teamwork *w, struct kir_node *seq, enum poly_op op, struct kir_node *value)
{
    struct kir_kernel *k = w->k;
    int part = shared(w, value->type), dims = is_column(w) ? 2 : 1;
    struct kir_node *x = rg__kir_name(k, w->g.tx[0]), *own = rg__kir_at(k, part, dims, w->lane, x);
    rg__kir_add_to(k, seq, rg__kir_store(k, own, value));
    rg__poly_team_meet(w, seq);
    int rounds = 0, round = rg__kir_index(k, "round", RG_I32);
    while (w->threads >> (rounds + 1)) rounds++;
    struct kir_node *loop = rg__kir_for(k, KIR_UNROLLED, round, rg__kir_int(k, rounds)), *steps = rg__kir_body(loop),
                    *half = rg__kir_binary(k, RG_COP_SHR, rg__kir_int(k, w->threads / 2), rg__kir_name(k, round));
    half = named(w, steps, "half", RG_I32, half);
    struct kir_node *in = rg__poly_kir_where(k, steps, rg__kir_less(k, w->lane, half)),
                    *far = rg__kir_at(k, part, dims, rg__kir_add(k, w->lane, half), x);
    rg__kir_add_to(k, in, rg__kir_store(k, own, rg__poly_kir_combined(k, op, own, far)));
    rg__poly_team_meet(w, steps);
    rg__kir_note(loop, "a tree in shared memory: every thread gets the result");
    rg__kir_add_to(k, seq, loop);
    struct kir_node *all = named(w, seq, "all", value->type, rg__kir_at(k, part, dims, rg__kir_int(k, 0), x));
    rg__poly_team_meet(w, seq);
    return all;
}

/* Lanes exchange registers; one value a warp goes through shared memory. */
static struct kir_node *by_warps(struct poly_teamwork *w, struct kir_node *seq, enum poly_op op, struct kir_node *value)
{
    struct kir_kernel *k = w->k;
    enum rg_scalar type = value->type;
    int part = shared(w, type);
    struct kir_node *x = rg__kir_name(k, w->g.tx[0]), *size = rg__kir_int(k, 32), *lane = rg__kir_rem(k, x, size);
    value = among_lanes(w, seq, op, value, 32);
    struct kir_node *in = rg__poly_kir_where(k, seq, rg__kir_binary(k, RG_COP_EQ, lane, rg__kir_int(k, 0)));
    rg__kir_add_to(k, in, rg__kir_store(k, rg__kir_at(k, part, 1, rg__kir_div(k, x, size)), value));
    rg__poly_team_meet(w, seq);
    if (w->decides) { /* the same words for all, in the same order */
        value = named(w, seq, "all", type, rg__kir_at(k, part, 1, rg__kir_int(k, 0)));
        for (int64_t i = 1; i < w->threads / 32; i++)
            value = named(w, seq, "all", type,
                          rg__poly_kir_combined(k, op, value, rg__kir_at(k, part, 1, rg__kir_int(k, i))));
        rg__poly_team_meet(w, seq);
        return value;
    }
    struct kir_node *none = rg__kir_cast(k, type, rg__poly_kir_identity(k, op, type)),
                    *there = rg__kir_less(k, lane, rg__kir_int(k, w->threads / 32));
    value = named(w, seq, "all", type, rg__kir_select(k, there, rg__kir_at(k, part, 1, lane), none));
    value = among_lanes(w, seq, op, value, 32);
    rg__poly_team_meet(w, seq);
    return value;
}

static struct kir_node *combined(struct poly_teamwork *w, struct kir_node *seq, enum poly_op op, struct kir_node *value)
{
    if (is_lanes(w)) {
        value = among_lanes(w, seq, op, value, w->threads);
        if (!w->decides || rg_scalar_bytes(value->type) < 4) return value;
        struct kir_node *first = rg__kir_shuffle(w->k, KIR_SHUFFLE_FROM, (int)w->threads, value, rg__kir_int(w->k, 0));
        return named(w, seq, "all", value->type, first);
    }
    if (w->kernel->warp_reduce && !is_column(w)) return by_warps(w, seq, op, value);
    return tree(w, seq, op, value);
}

void rg__poly_team_reduce(struct poly_teamwork *w, struct kir_node *seq, const struct poly_acc *acc, int n,
                          struct kir_node **total)
{
    struct kir_kernel *k = w->k;
    struct kir_node *best = NULL, *all_best = NULL, *at = NULL, *all_at = NULL;
    int first = w->t->n_acc - n;
    for (int i = 0; i < n; i++) {
        struct kir_node *own = rg__poly_acc_now(w->t, first + i), *none, *value = own;
        switch (acc[i].role) {
        case POLY_ACC_AT: /* the first, or the last, iteration of those that have the best */
            none = rg__kir_cast(k, acc[i].type, rg__poly_kir_identity(k, acc[i].op, acc[i].type));
            at = value = named(w, seq, "own_at", acc[i].type,
                               rg__kir_select(k, rg__kir_binary(k, RG_COP_EQ, best, all_best), own, none));
            rg__kir_note(seq->kid[seq->n - 1], w->p->scop->selects[acc[i].select].first
                                                   ? "the first iteration of those that have the best"
                                                   : "the last iteration of those that have the best");
            break;
        case POLY_ACC_WITH:
            none = rg__kir_cast(k, acc[i].type, rg__kir_int(k, 0));
            value = rg__kir_select(k, rg__kir_binary(k, RG_COP_EQ, at, all_at), own, none);
            value = named(w, seq, "own", acc[i].type, value);
            break;
        default:
            break;
        }
        total[i] = combined(w, seq, acc[i].op, value);
        if (acc[i].role == POLY_ACC_BEST) {
            best = own;
            all_best = total[i];
        } else if (acc[i].role == POLY_ACC_AT) {
            all_at = total[i];
        }
    }
    rg__poly_acc_close(w->t, n);
}
