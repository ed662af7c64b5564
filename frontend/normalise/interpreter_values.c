/* Arithmetic of the interpreter, in the C's types. */
#include "frontend/normalise/interpreter_parts.h"
#include <math.h>
#include <string.h>

const struct rg__value rg__run_unset = {.kind = RG__VALUE_UNSET, .object = -1};

static bool is_signed(enum rg_scalar s)
{
    return s == RG_CHAR || s == RG_I8 || s == RG_I16 || s == RG_I32 || s == RG_LONG || s == RG_LLONG;
}

int64_t rg__run_wrapped(int64_t v, enum rg_scalar s)
{
    unsigned bits = (unsigned)rg_scalar_bytes(s) * 8;
    if (s == RG_BOOL) return v != 0;
    if (!bits || bits >= 64) return v;
    uint64_t u = (uint64_t)v & ((UINT64_C(1) << bits) - 1);
    if (is_signed(s) && u >> (bits - 1)) u |= ~UINT64_C(0) << bits;
    return (int64_t)u;
}

/* Something is made of a watched element. */
void rg__run_used(struct rg__interpreter *r, const struct rg__value *v)
{
    if (v->tag) r->derived = true;
}

static bool wider(enum rg_scalar to, enum rg_scalar from)
{
    if (to == from) return true;
    if (to == RG_BOOL) return false;
    if (rg__scalar_is_int(to) != rg__scalar_is_int(from)) return false;
    bool keeps = !rg__scalar_is_int(to) || is_signed(to) == is_signed(from) || is_signed(to);
    return keeps && rg_scalar_bytes(to) > rg_scalar_bytes(from);
}

struct rg__value rg__run_converted(struct rg__interpreter *r, struct rg__value v, enum rg_scalar to,
                                   enum rg_scalar from)
{
    if (v.kind == RG__VALUE_UNSET) return v;
    if (v.kind == RG__VALUE_POINTER || v.kind == RG__VALUE_RECORD)
        return to == RG_STRUCT || v.kind == RG__VALUE_POINTER ? v : rg__run_stop(r, RG__RUN_UNABLE);
    if (to == RG_STRUCT || from == RG_STRUCT) return rg__run_stop(r, RG__RUN_UNABLE);
    if (v.tag && !wider(to, from)) {
        r->derived = true;
        v.tag = 0;
    }
    int tag = v.tag;
    if (rg__scalar_is_int(to)) {
        if (v.kind == RG__VALUE_REAL) {
            if (!(fabs(v.d) < 9e18)) return rg__run_stop(r, RG__RUN_UNDEFINED);
            v = rg__value_int(to == RG_BOOL ? v.d != 0 : (int64_t)v.d);
        }
        v.i = rg__run_wrapped(v.i, to);
    } else {
        if (v.kind == RG__VALUE_INT) v = rg__value_real(is_signed(from) ? (double)v.i : (double)(uint64_t)v.i);
        if (to == RG_F16) return rg__run_stop(r, RG__RUN_UNABLE);
        if (to == RG_F32) v.d = (double)(float)v.d;
    }
    v.tag = tag;
    return v;
}

static struct rg__value arithmetic(struct rg__interpreter *r, enum rg_c_op op, struct rg__value a, struct rg__value b,
                                   enum rg_scalar type)
{
    rg__run_used(r, &a);
    rg__run_used(r, &b);
    if (!rg__scalar_is_int(type)) {
        double x = op == RG_COP_ADD   ? a.d + b.d
                   : op == RG_COP_SUB ? a.d - b.d
                   : op == RG_COP_MUL ? a.d * b.d
                   : op == RG_COP_DIV ? a.d / b.d
                                      : NAN;
        if (op < RG_COP_ADD || op > RG_COP_DIV) return rg__run_stop(r, RG__RUN_UNABLE);
        return rg__value_real(type == RG_F32 ? (double)(float)x : x);
    }
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i, v = 0;
    unsigned bits = (unsigned)rg_scalar_bytes(type) * 8;
    bool sign = is_signed(type);
    switch (op) {
    case RG_COP_ADD:
        v = x + y;
        break;
    case RG_COP_SUB:
        v = x - y;
        break;
    case RG_COP_MUL:
        v = x * y;
        break;
    case RG_COP_BAND:
        v = x & y;
        break;
    case RG_COP_BOR:
        v = x | y;
        break;
    case RG_COP_XOR:
        v = x ^ y;
        break;
    case RG_COP_DIV:
    case RG_COP_REM:
        if (!b.i || (sign && b.i == -1 && a.i == INT64_MIN)) return rg__run_stop(r, RG__RUN_UNDEFINED);
        if (sign)
            v = (uint64_t)(op == RG_COP_DIV ? a.i / b.i : a.i % b.i);
        else
            v = op == RG_COP_DIV ? x / y : x % y;
        break;
    case RG_COP_SHL:
    case RG_COP_SHR:
        if (y >= bits) return rg__run_stop(r, RG__RUN_UNDEFINED);
        v = op == RG_COP_SHL ? x << y : sign ? (uint64_t)(a.i >> y) : x >> y;
        break;
    default:
        return rg__run_stop(r, RG__RUN_UNABLE);
    }
    return rg__value_int(rg__run_wrapped((int64_t)v, type));
}

static struct rg__value related(struct rg__interpreter *r, enum rg_c_op op, struct rg__value a, struct rg__value b,
                                bool unsigned_ints)
{
    int less, equal;
    if (a.kind == RG__VALUE_POINTER) {
        if (b.kind != RG__VALUE_POINTER || (a.object != b.object && op != RG_COP_EQ && op != RG_COP_NE))
            return rg__run_stop(r, RG__RUN_UNABLE);
        less = a.i < b.i;
        equal = a.object == b.object && a.i == b.i;
    } else if (a.kind == RG__VALUE_REAL) {
        less = a.d < b.d;
        equal = a.d == b.d;
        if (a.d != a.d || b.d != b.d) {
            if (!r->no_numbers) return rg__run_stop(r, RG__RUN_UNABLE);
            if (!a.tag != !b.tag) r->derived = true;
            return rg__value_int(op == RG_COP_NE);
        }
    } else {
        less = unsigned_ints ? (uint64_t)a.i < (uint64_t)b.i : a.i < b.i;
        equal = a.i == b.i;
    }
    if (!a.tag != !b.tag) r->derived = true;
    bool yes = op == RG_COP_LT   ? less
               : op == RG_COP_GE ? !less
               : op == RG_COP_GT ? !less && !equal
               : op == RG_COP_LE ? less || equal
               : op == RG_COP_EQ ? equal
                                 : !equal;
    return rg__value_int(yes);
}

/* a op b of values of these types, as a value of `type`. */
struct rg__value rg__run_applied(struct rg__interpreter *r, enum rg_c_op op, struct rg__value a, enum rg_scalar ta,
                                 struct rg__value b, enum rg_scalar tb, enum rg_scalar type)
{
    if (r->status != RG__RUN_OK) return rg__run_unset;
    if (a.kind == RG__VALUE_UNSET || b.kind == RG__VALUE_UNSET) return rg__run_stop(r, RG__RUN_UNDEFINED);
    if (a.kind == RG__VALUE_RECORD || b.kind == RG__VALUE_RECORD) return rg__run_stop(r, RG__RUN_UNABLE);
    if (a.kind == RG__VALUE_POINTER || b.kind == RG__VALUE_POINTER) {
        if (rg_c_relation(op)) return related(r, op, a, b, false);
        if (op == RG_COP_SUB && a.kind == b.kind)
            return a.object == b.object ? rg__value_int(a.i - b.i) : rg__run_stop(r, RG__RUN_UNDEFINED);
        if (a.kind != RG__VALUE_POINTER && op == RG_COP_ADD) {
            struct rg__value c = a;
            a = b, b = c;
        }
        if ((op != RG_COP_ADD && op != RG_COP_SUB) || b.kind != RG__VALUE_INT) return rg__run_stop(r, RG__RUN_UNABLE);
        rg__run_used(r, &b);
        return rg__run_pointer(a.object, op == RG_COP_ADD ? a.i + b.i : a.i - b.i);
    }
    if (op == RG_COP_SHL || op == RG_COP_SHR) {
        enum rg_scalar left = rg__scalar_common(ta, RG_I32);
        return arithmetic(r, op, rg__run_converted(r, a, left, ta), b, left);
    }
    enum rg_scalar common = rg__scalar_common(ta, tb);
    a = rg__run_converted(r, a, common, ta);
    b = rg__run_converted(r, b, common, tb);
    if (r->status != RG__RUN_OK) return rg__run_unset;
    if (rg_c_relation(op)) return related(r, op, a, b, !is_signed(common));
    return rg__run_converted(r, arithmetic(r, op, a, b, common), type, common);
}

bool rg__run_bits(struct rg__interpreter *r, const char *name, struct rg__value *v)
{
    static const char *const names[] = {"__float_as_uint", "__double_as_longlong", "__uint_as_float",
                                        "__longlong_as_double"};
    int k = 0;
    while (k < 4 && strcmp(name, names[k]) != 0) k++;
    if (k == 4) return false;
    if (r->status != RG__RUN_OK) return true;
    const enum rg__value_kind from = k < 2 ? RG__VALUE_REAL : RG__VALUE_INT;
    if (v->kind != from) {
        *v = rg__run_stop(r, v->kind == RG__VALUE_UNSET ? RG__RUN_UNDEFINED : RG__RUN_UNABLE);
        return true;
    }
    rg__run_used(r, v);
    r->bits_taken = r->bits_taken || (k < 2 && v->tag);
    float f = (float)v->d;
    double d = v->d;
    int64_t i = v->i;
    uint32_t u = (uint32_t)v->i;
    if (k == 0) memcpy(&u, &f, sizeof u);
    if (k == 1) memcpy(&i, &d, sizeof i);
    if (k == 2) memcpy(&f, &u, sizeof f);
    if (k == 3) memcpy(&d, &i, sizeof d);
    *v = k == 0 ? rg__value_int(u) : k == 1 ? rg__value_int(i) : rg__value_real(k == 2 ? (double)f : d);
    return true;
}
