/* Updates as atomics, in print: the instruction where the device has one for the operator and type, else an exchange
 * that is repeated until nobody came between. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"
#include <string.h>

static bool integer(enum rg_scalar t)
{
    return !rg_scalar_is_real(t) && t != RG_STRUCT;
}

/* The type that CUDA's function for it takes; NULL: it has none for this operator. */
static const char *native_type(enum poly_op op, enum rg_scalar t)
{
    bool wide = rg_scalar_bytes(t) == 8, sign = rg_scalar_is_signed(t);
    switch (op) {
    case POLY_OP_ADD:
        if (!integer(t)) return rg_scalar_cuda(t);
        return wide ? "unsigned long long" : sign ? "int" : "unsigned int";
    case POLY_OP_MIN:
    case POLY_OP_MAX:
        if (!integer(t)) return NULL;
        return wide ? (sign ? "long long" : "unsigned long long") : sign ? "int" : "unsigned int";
    case POLY_OP_AND:
    case POLY_OP_OR:
    case POLY_OP_XOR:
        return !integer(t) ? NULL : wide ? "unsigned long long" : sign ? "int" : "unsigned int";
    default:
        return NULL;
    }
}

/* The function for it, which the program gets. */
static const char *exchange_name(struct poly_print *pr, enum rg_scalar t)
{
    char name[RG__EXCHANGE_NAME];
    bool wide = rg_scalar_bytes(t) == 8;
    pr->uses_exchange[wide] = true;
    rg__cuda_exchange_name(pr->t, wide ? 64 : 32, name);
    return rg__poly_printf(pr, "%s", name);
}

static const char *const function_names[] = {"", "Add", "", "Min", "Max", "And", "Or", "Xor"};

const char *rg__poly_atomic_text(struct poly_print *pr, enum poly_op op, enum rg_scalar t, const char *place,
                                 const char *value)
{
    const char *n = native_type(op, t);
    if (n) {
        bool cast = strcmp(n, rg_scalar_cuda(t)) != 0;
        return cast ? rg__poly_printf(pr, "atomic%s((%s *)&%s, (%s)(%s))", function_names[op], n, place, n, value)
                    : rg__poly_printf(pr, "atomic%s(&%s, %s)", function_names[op], place, value);
    }
    bool keeps = op == POLY_OP_MIN || op == POLY_OP_MAX;
    const char *old = rg__poly_fresh(pr, "old"), *type = rg_scalar_cuda(t);
    return rg__poly_printf(pr, "%s<%s>(&%s, [&](%s %s) { return (%s)(%s); })", exchange_name(pr, t),
                           keeps ? "true" : "false", place, type, old, type, rg__poly_combine(pr, op, old, value));
}

/* The update as it stands, with the old value in place of the element. */
static const char *exchange(struct poly_print *pr, const struct poly_access *a, const struct rg_cnode *n)
{
    const struct rg_cnode *x = n->kid[0];
    const char *place = rg__poly_text(pr, x), *old = rg__poly_fresh(pr, "old"), *type = rg_scalar_cuda(a->update_type);
    bool keeps = a->update == POLY_OP_MIN || a->update == POLY_OP_MAX;
    const char *value;
    if (n->kind == RG_C_INCDEC) {
        value = rg__poly_printf(pr, "%s %c 1", old, rg_c_increments(n->op) ? '+' : '-');
    } else if (n->op != RG_COP_SET) {
        value =
            rg__poly_printf(pr, "%s %s %s", old, rg_c_op_text(rg_c_applied(n->op)), rg__poly_operand(pr, n->kid[1]));
    } else {
        if (pr->n_acc == 16) return NULL;
        pr->acc[pr->n_acc].array = a->array;
        pr->acc[pr->n_acc].var = -1;
        pr->acc[pr->n_acc].place = a->node; /* also in statements that are kept whole, whose targets nobody marks */
        snprintf(pr->acc[pr->n_acc].name, sizeof pr->acc[0].name, "%s", old);
        pr->n_acc++;
        value = rg__poly_text(pr, n->kid[1]);
        pr->acc[--pr->n_acc].place = NULL;
    }
    return rg__poly_printf(pr, "%s<%s>(&%s, [&](%s %s) { return (%s)(%s); })", exchange_name(pr, a->update_type),
                           keeps ? "true" : "false", place, type, old, type, value);
}

bool rg__poly_atomic_update(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *n)
{
    struct poly_update u;
    if (!rg__poly_update_of(pr->s, pr->k, n, &u)) return false;
    for (int i = 0; i < pr->n_acc; i++)
        if (pr->acc[i].array == u.access->array) return false; /* goes to this thread's own */
    enum rg_scalar t = u.access->update_type;
    if (!u.known || !native_type(u.access->update, t)) {
        const char *text = exchange(pr, u.access, n);
        if (!text) return false;
        rg_buf_str(out, text);
        return true;
    }
    const char *value = !u.value ? "1" : rg__poly_text(pr, u.value);
    if (u.value && u.value->type != t) value = rg__poly_printf(pr, "(%s)(%s)", rg_scalar_cuda(t), value);
    if (u.minus) /* after the conversion: -(unsigned int)v is no 64-bit -v */
        value = rg__poly_printf(pr, "-(%s)", value);
    const char *text = rg__poly_atomic_text(pr, u.access->update, t, rg__poly_text(pr, n->kid[0]), value);
    if (u.condition)
        rg_buf_printf(out, "%s(%s) ? (void)%s : (void)0", u.negated ? "!" : "", rg__poly_text(pr, u.condition), text);
    else
        rg_buf_str(out, text);
    return true;
}
