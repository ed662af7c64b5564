/* The operators of reductions in print: two values combined, an update, what changes nothing. */
#include "poly/cuda/print.h"

const char *rg__poly_combine(struct poly_print *pr, enum poly_op op, const char *a, const char *b)
{
    switch (op) {
    case POLY_OP_MUL:
        return rg__poly_printf(pr, "%s * %s", a, b);
    case POLY_OP_MIN:
        return rg__poly_printf(pr, "%s < %s ? %s : %s", b, a, b, a);
    case POLY_OP_MAX:
        return rg__poly_printf(pr, "%s > %s ? %s : %s", b, a, b, a);
    case POLY_OP_AND:
        return rg__poly_printf(pr, "%s & %s", a, b);
    case POLY_OP_OR:
        return rg__poly_printf(pr, "%s | %s", a, b);
    case POLY_OP_XOR:
        return rg__poly_printf(pr, "%s ^ %s", a, b);
    default:
        return rg__poly_printf(pr, "%s + %s", a, b);
    }
}

const char *rg__poly_updated(struct poly_print *pr, enum poly_op op, const char *place, const char *value)
{
    static const char *const sign[] = {
        [POLY_OP_ADD] = "+=", [POLY_OP_MUL] = "*=", [POLY_OP_AND] = "&=", [POLY_OP_OR] = "|=", [POLY_OP_XOR] = "^="};
    const char *s = (size_t)op < sizeof sign / sizeof *sign ? sign[op] : NULL;
    return s ? rg__poly_printf(pr, "%s %s %s;", place, s, value)
             : rg__poly_printf(pr, "%s = %s;", place, rg__poly_combine(pr, op, place, value));
}

const char *rg__poly_identity(struct poly_print *pr, enum poly_op op, enum rg_scalar t)
{
    bool real = rg_scalar_is_real(t), sign = rg_scalar_is_signed(t);
    int bits = (int)rg_scalar_bytes(t) * 8;
    const char *c = rg_scalar_cuda(t);
    switch (op) {
    case POLY_OP_MUL:
        return "1";
    case POLY_OP_AND:
        return rg__poly_printf(pr, "(%s)~0ull", c);
    case POLY_OP_MIN:
        if (real) return rg__poly_printf(pr, "(%s)INFINITY", c);
        return t == RG_BOOL ? "1"
               : sign       ? rg__poly_printf(pr, "(%s)(~0ull >> %d)", c, 65 - bits)
                            : rg__poly_printf(pr, "(%s)~0ull", c);
    case POLY_OP_MAX:
        if (real) return rg__poly_printf(pr, "-(%s)INFINITY", c);
        return sign ? rg__poly_printf(pr, "(%s)(-1ll - (long long)(~0ull >> %d))", c, 65 - bits) : "0";
    default:
        return "0";
    }
}
