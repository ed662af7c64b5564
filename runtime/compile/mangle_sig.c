/* Mangled names to kernel signatures: template parameters resolved, packs expanded. */
#include "runtime/compile/mangle.h"
#include <string.h>

/* What T_ stands for; inside an expansion its item. Cycles ("T_ is T_") end by the depth. */
static const struct rg__type *resolve(const struct rg__mangle *r, const struct rg__type *t, int item)
{
    for (int i = 0; i < MAX_DEPTH && t && t->kind == TEMPLATE_PARAM; i++) {
        if (t->index >= r->n_args) return NULL;
        t = r->args[t->index];
        if (t->kind == PACK) t = item >= 0 && item < t->n ? t->items[item] : NULL;
    }
    return t && t->kind != TEMPLATE_PARAM ? t : NULL;
}

/* Length of the pack that an expansion is over; -1 none. */
static int pack_length(const struct rg__mangle *r, const struct rg__type *t)
{
    for (int i = 0; i < MAX_DEPTH && t; i++, t = t->of)
        if (t->kind == TEMPLATE_PARAM)
            return t->index < r->n_args && r->args[t->index]->kind == PACK ? r->args[t->index]->n : -1;
    return -1;
}

static void describe_value(const struct rg__type *t, struct rg_kernel_param *p)
{
    if (t && t->kind == BUILTIN) {
        p->type = t->scalar;
    } else if (t && t->kind == NAMED && (!strcmp(t->name, "__half") || !strcmp(t->name, "half"))) {
        p->type = RG_F16;
    } else if (t && t->kind == NAMED) {
        p->type = RG_STRUCT;
        p->struct_name = t->name;
    } else {
        p->type = RG_N_SCALARS; /* void, or a dependent type whose meaning is not in the name */
    }
}

/* NULL, or what is wrong with the parameter. */
static const char *describe(const struct rg__mangle *r, const struct rg__type *t, int item, struct rg_kernel_param *p)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < MAX_DEPTH; i++) {
        t = resolve(r, t, item);
        if (!t || t->kind == LITERAL || t->kind == PACK) return "has a type that can't be read from its mangled name";
        switch (t->kind) {
        case CV:
            if (p->pointer)
                p->is_const |= t->is_const;
            else
                p->is_restrict |= t->is_restrict;
            t = t->of;
            continue;
        case ARRAY:
            if (!p->pointer) return "is an array by value";
            t = t->of;
            continue;
        case POINTER:
            if (p->pointer) return "is a pointer to a pointer, which a plan can't pass";
            p->pointer = true;
            t = t->of;
            continue;
        case REFERENCE:
            return "is a reference, which a plan can't pass";
        case FUNCTION:
            return "is a function pointer, which a plan can't pass";
        case VOID:
            if (!p->pointer) return "is void";
            break;
        case UNKNOWN:
            if (!p->pointer) return "has a dependent type: write the type itself";
            break;
        default:
            break;
        }
        describe_value(t, p);
        return NULL;
    }
    return "is nested too deeply";
}

static enum rg_status add_params(struct rg__mangle *r, const char *name, struct rg__type **params, int n,
                                 struct rg_kernel_sig *out, struct rg_error *err)
{
    out->params = rg_arena_alloc(r->a, MAX_PARAMS * sizeof *out->params);
    for (int i = 0; i < n; i++) {
        const struct rg__type *t = params[i];
        int count = 1;
        bool expansion = t->kind == EXPANSION;
        if (expansion) {
            t = t->of;
            if ((count = pack_length(r, t)) < 0)
                return rg_error_set(err, RG_INPUT,
                                    "kernel '%.100s': parameter %d is a pack that can't be read from "
                                    "its mangled name",
                                    name, i + 1);
        }
        for (int k = 0; k < count; k++) {
            if (out->n_params == MAX_PARAMS)
                return rg_error_set(err, RG_INPUT, "kernel '%.100s' has too many parameters", name);
            const char *wrong = describe(r, t, expansion ? k : -1, &out->params[out->n_params]);
            if (wrong)
                return rg_error_set(err, RG_INPUT, "kernel '%.100s': parameter %d %s", name, out->n_params + 1, wrong);
            out->n_params++;
        }
    }
    return RG_OK;
}

enum rg_status rg_kernel_sig_parse(struct rg_arena *a, const char *name, const char *lowered, struct rg_kernel_sig *out,
                                   struct rg_error *err)
{
    size_t len = strlen(lowered);
    memset(out, 0, sizeof *out);
    out->name = rg_arena_strdup(a, name);
    out->lowered = rg_arena_strdup(a, lowered);
    if (strncmp(lowered, "_Z", 2))
        return rg_error_set(
            err, RG_INPUT,
            "kernel '%.100s' is extern \"C\": write `__global__ void %.100s(...)` without extern \"C\", "
            "so that its parameter types are known",
            name, name);
    struct rg__mangle r = {.a = a, .p = out->lowered + 2, .end = out->lowered + len};
    struct rg__type **params = NULL;
    int n = 0;
    if (len > MAX_LOWERED || !rg__mangle_encoding(&r, true, &params, &n) || (r.p < r.end && *r.p != '.'))
        return rg_error_set(err, RG_INPUT, "kernel '%.100s': its mangled name '%.200s' can't be read at '%.40s'", name,
                            lowered, len > MAX_LOWERED ? "" : r.p);
    /* `(void)`; EDG writes it as "v()" at times, which .entry cuts */
    if (n == 1 && params[0]->kind == VOID) n = 0;
    return add_params(&r, name, params, n, out, err);
}
