/* Sums above a floor or below a ceiling in print: what of them is in a run, and how runs are put together. */
#include "poly/cuda/print.h"
#include "poly/kernel/recurrence.h"
#include <string.h>

/* A bound that never decides: integers have room to be added to. */
const char *rg__poly_no_bound(struct poly_print *pr, const struct poly_scan *sc, int row)
{
    bool floor = sc->at[row].op == POLY_OP_FLOOR;
    if (rg_scalar_is_real(sc->at[row].type)) return floor ? "-INFINITY" : "INFINITY";
    return rg__poly_printf(pr, "%s(1LL << 62)", floor ? "-" : "");
}

const char *rg__poly_bound_sum(struct poly_print *pr, const struct poly_scan *sc, int row, const char *a, const char *b)
{
    bool real = rg_scalar_is_real(sc->at[row].type);
    return rg__poly_printf(pr, real ? "%s + %s" : "saturated_sum(%s, %s)", a, b);
}

/* What is in front, b's addend on top, and b's bound. */
const char *rg__poly_bound_text(struct poly_print *pr, const struct poly_scan *sc, int row, const char *front)
{
    const char *sum =
        rg__poly_bound_sum(pr, sc, row, front, rg__poly_printf(pr, "b.%s", rg__poly_run_member(pr, sc, row, 0)));
    enum poly_op op = sc->at[row].op == POLY_OP_FLOOR ? POLY_OP_MAX : POLY_OP_MIN;
    return rg__poly_combine(pr, op, sum, rg__poly_printf(pr, "b.%s", rg__poly_run_member(pr, sc, row, -1)));
}

void rg__poly_bound_helpers(const struct poly_scan *sc, struct rg_buf *out)
{
    static const char text[] =
        "// sums of integers that no bound keeps small\n"
        "__device__ __forceinline__ long long saturated_sum(long long a, long long b)\n{\n"
        "    const long long r = (long long)((unsigned long long)a + (unsigned long long)b);\n"
        "    return ((a ^ r) & (b ^ r)) >= 0 ? r : a < 0 ? -9223372036854775807LL - 1 : 9223372036854775807LL;\n}\n\n";
    for (int i = 0; i < sc->n; i++)
        if (rg__poly_has_bound(sc->at[i].op) && !rg_scalar_is_real(sc->at[i].type) &&
            !strstr(out->data ? out->data : "", text))
            rg_buf_str(out, text);
}
