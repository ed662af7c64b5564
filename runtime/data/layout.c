#include "runtime/data/layout.h"
#include "runtime/data/half.h"
#include <stdio.h>
#include <string.h>

void rg__parts(const struct rg_problem *p, int param, struct rg_parts *out)
{
    const struct rg_param *q = &p->params[param];
    if (q->elem == RG_STRUCT && q->struct_index >= 0) {
        out->n = p->structs[q->struct_index].n_fields;
        out->fields = p->structs[q->struct_index].fields;
        return;
    }
    out->one = (struct rg_field){.path = "", .type = q->elem, .count = 1};
    out->n = 1;
    out->fields = &out->one;
}

int rg__n_parts(const struct rg_problem *p, int param)
{
    struct rg_parts parts;
    rg__parts(p, param, &parts);
    return parts.n;
}

static int64_t align64(int64_t n)
{
    return (n + 63) & ~INT64_C(63);
}

enum rg_status rg__layout(struct rg_arena *a, const struct rg_problem *p, const struct rg_sizes *s, bool expected,
                          struct rg_layout *out, struct rg_error *err)
{
    out->n = p->n_params;
    out->slots = rg_arena_alloc(a, (size_t)(p->n_params + 1) * sizeof *out->slots);
    int64_t at = 0;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        struct rg_slot *t = &out->slots[i];
        *t = (struct rg_slot){
            .elements = 1, .input = -1, .expect = -1, .oracle = -1, .moved = -1, .spread = -1, .unsettled = -1};
        if (q->kind == RG_PARAM_ARRAY) {
            enum rg_status st = rg_problem_elements(p, i, s, &t->elements, err);
            if (st != RG_OK) return st;
        }
        if (q->elem_bytes <= 0 || __builtin_mul_overflow(t->elements, q->elem_bytes, &t->bytes) ||
            t->bytes > INT64_C(1) << 44)
            return rg_error_set(err, RG_INPUT, "parameter %s is too large: %lld elements of %lld bytes", q->name,
                                (long long)t->elements, (long long)q->elem_bytes);
        struct rg_parts parts;
        rg__parts(p, i, &parts);
        for (int k = 0; k < parts.n; k++)
            if (rg_scalar_is_real(parts.fields[k].type)) t->reals += parts.fields[k].count;
        if (q->role != RG_ROLE_OUT) {
            t->input = at;
            at = align64(at + t->bytes);
        }
        if (q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_IN && expected) {
            t->expect = at;
            at = align64(at + t->bytes);
            t->unsettled = at;
            at = align64(at + parts.n * 8);
            if (t->reals) {
                t->spread = at;
                at = align64(at + t->elements * t->reals * 4);
            }
            if (p->oracle == RG_ORACLE_F64 && p->oracle_c && t->reals) {
                t->oracle = at;
                at = align64(at + t->elements * t->reals * 8);
                t->moved = at;
                at = align64(at + t->reals * 8);
            }
        }
    }
    out->bytes = at ? at : 64;
    return RG_OK;
}

double rg__load_real(enum rg_scalar t, const void *p)
{
    float f;
    double d;
    uint16_t h;
    switch (t) {
    case RG_F16:
        memcpy(&h, p, 2);
        return rg__half_to_float(h);
    case RG_F32:
        memcpy(&f, p, 4);
        return f;
    case RG_F64:
        memcpy(&d, p, 8);
        return d;
    case RG_ULONG:
    case RG_ULLONG:
        return (double)(uint64_t)rg__load_int(t, p);
    default:
        return (double)rg__load_int(t, p);
    }
}

void rg__store_real(enum rg_scalar t, void *p, double v)
{
    float f = (float)v;
    uint16_t h;
    switch (t) {
    case RG_F16:
        h = rg__half_from_float(f);
        memcpy(p, &h, 2);
        return;
    case RG_F32:
        memcpy(p, &f, 4);
        return;
    case RG_F64:
        memcpy(p, &v, 8);
        return;
    default:
        rg__store_int(t, p, v >= -9.2e18 && v <= 9.2e18 ? (int64_t)v : 0);
        return;
    }
}

int64_t rg__load_int(enum rg_scalar t, const void *p)
{
    switch (rg_scalar_bytes(t)) {
    case 1:
        return rg_scalar_is_signed(t) ? *(const int8_t *)p : *(const uint8_t *)p;
    case 2: {
        int16_t v;
        memcpy(&v, p, 2);
        return rg_scalar_is_signed(t) ? v : (uint16_t)v;
    }
    case 4: {
        int32_t v;
        memcpy(&v, p, 4);
        return rg_scalar_is_signed(t) ? v : (int64_t)(uint32_t)v;
    }
    case 8: {
        int64_t v;
        memcpy(&v, p, 8);
        return v;
    }
    default:
        return 0;
    }
}

void rg__store_int(enum rg_scalar t, void *p, int64_t v)
{
    if (t == RG_BOOL) v = v != 0;
    memcpy(p, &v, rg_scalar_bytes(t)); /* little-endian */
}

void rg__sizes_text(const struct rg_problem *p, const struct rg_sizes *s, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "%s", p->n_size_params ? "" : "its only size");
    for (int i = 0; i < p->n_size_params && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s=%lld", i ? ", " : "",
                               rg_param_shown(&p->params[p->size_params[i]]), (long long)s->values[i]);
}
