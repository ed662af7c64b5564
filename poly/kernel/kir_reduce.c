/* Reductions in kernel IR: the identities and combinations of associative operators, and one value made of all
 * threads'. */
#include "ir/ctree_util.h"
#include "poly/kernel/kernel.h"
#include "poly/kir/kir.h"
#include <math.h>

struct kir_node *rg__poly_kir_combined(struct kir_kernel *k, enum poly_op op, struct kir_node *a, struct kir_node *b)
{
    switch (op) {
    case POLY_OP_MUL:
        return rg__kir_mul(k, a, b);
    case POLY_OP_MIN:
        return rg__kir_min(k, b, a);
    case POLY_OP_MAX:
        return rg__kir_max(k, b, a);
    case POLY_OP_AND:
        return rg__kir_binary(k, RG_COP_BAND, a, b);
    case POLY_OP_OR:
        return rg__kir_binary(k, RG_COP_BOR, a, b);
    case POLY_OP_XOR:
        return rg__kir_binary(k, RG_COP_XOR, a, b);
    default:
        return rg__kir_add(k, a, b);
    }
}

/* The integer type's least value, or its greatest. */
static struct kir_node *limit(struct kir_kernel *k, enum rg_scalar t, bool greatest)
{
    int bits = (int)rg_scalar_bytes(t) * 8;
    if (!rg_scalar_is_signed(t))
        return greatest ? rg__kir_unary(k, RG_COP_COMPL, rg__kir_cast(k, t, rg__kir_int(k, 0)))
                        : rg__kir_cast(k, t, rg__kir_int(k, 0));
    int64_t most = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
    struct kir_node *n = rg__kir_cast(k, t, rg__kir_int(k, greatest ? most : -most));
    return greatest ? n : rg__kir_binary(k, RG_COP_SUB, n, rg__kir_cast(k, t, rg__kir_int(k, 1)));
}

struct kir_node *rg__poly_kir_identity(struct kir_kernel *k, enum poly_op op, enum rg_scalar t)
{
    bool real = rg_scalar_is_real(t);
    switch (op) {
    case POLY_OP_MUL:
        return real ? rg__kir_real(k, 1, t) : rg__kir_cast(k, t, rg__kir_int(k, 1));
    case POLY_OP_AND:
        return rg__kir_unary(k, RG_COP_COMPL, rg__kir_cast(k, t, rg__kir_int(k, 0)));
    case POLY_OP_MIN:
        return real ? rg__kir_real(k, (double)INFINITY, t) : limit(k, t, true);
    case POLY_OP_MAX:
        return real ? rg__kir_real(k, -(double)INFINITY, t) : limit(k, t, false);
    default:
        return real ? rg__kir_real(k, 0, t) : rg__kir_cast(k, t, rg__kir_int(k, 0));
    }
}

/* Every lane of `width` gets what all of them have. */
static void among_lanes(struct kir_kernel *k, struct kir_node *seq, enum poly_op op, int acc, int width)
{
    for (int d = width / 2; d > 0; d /= 2) {
        struct kir_node *other = rg__kir_shuffle(k, KIR_SHUFFLE_XOR, 32, rg__kir_name(k, acc), rg__kir_int(k, d));
        int w = rg__kir_value(k, "other", k->symbols[acc].type);
        rg__kir_add_to(k, seq, rg__kir_let(k, w, other));
        rg__kir_add_to(k, seq,
                       rg__kir_assign(k, acc, rg__poly_kir_combined(k, op, rg__kir_name(k, acc), rg__kir_name(k, w))));
    }
}

void rg__poly_kir_reduce(struct kir_kernel *k, struct kir_node *seq, const enum poly_op *op, const int *acc, int n,
                         int tx, int threads)
{
    int part[16], warps = threads / 32;
    for (int i = 0; i < n; i++) among_lanes(k, seq, op[i], acc[i], 32);
    if (warps <= 1 || n > 16) return;
    struct kir_node *size = rg__kir_int(k, warps), *x = rg__kir_name(k, tx),
                    *lane = rg__kir_rem(k, x, rg__kir_int(k, 32)),
                    *first = rg__kir_if(k, rg__kir_binary(k, RG_COP_EQ, lane, rg__kir_int(k, 0)));
    for (int i = 0; i < n; i++) { /* a part of its own for each reduction: nobody waits for the last one's readers */
        part[i] = rg__kir_buffer(k, "part", KIR_SHARED, k->symbols[acc[i]].type, 1, &size);
        rg__kir_add_to(k, rg__kir_body(first),
                       rg__kir_store(k, rg__kir_at(k, part[i], 1, rg__kir_div(k, x, rg__kir_int(k, 32))),
                                     rg__kir_name(k, acc[i])));
    }
    rg__kir_add_to(k, seq, first);
    rg__kir_add_to(k, seq, rg__kir_barrier(k, KIR_BLOCK));
    for (int i = 0; i < n; i++) {
        enum rg_scalar type = k->symbols[acc[i]].type;
        if (warps <= 8) {
            struct kir_node *sum = rg__kir_at(k, part[i], 1, rg__kir_int(k, 0));
            rg__kir_add_to(k, seq, rg__kir_assign(k, acc[i], sum));
            for (int w = 1; w < warps; w++) {
                int v = rg__kir_value(k, "other", type);
                rg__kir_add_to(k, seq, rg__kir_let(k, v, rg__kir_at(k, part[i], 1, rg__kir_int(k, w))));
                rg__kir_add_to(
                    k, seq,
                    rg__kir_assign(k, acc[i],
                                   rg__poly_kir_combined(k, op[i], rg__kir_name(k, acc[i]), rg__kir_name(k, v))));
            }
            continue;
        }
        struct kir_node *there = rg__kir_less(k, lane, rg__kir_int(k, warps));
        rg__kir_add_to(k, seq,
                       rg__kir_assign(k, acc[i],
                                      rg__kir_select(k, there, rg__kir_at(k, part[i], 1, lane),
                                                     rg__poly_kir_identity(k, op[i], type))));
        among_lanes(k, seq, op[i], acc[i], 32);
    }
}
