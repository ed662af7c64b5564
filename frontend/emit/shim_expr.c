/* Words of texts behind the user's file that mean nothing in it: min and the like, which are either nobody's there or
 * the user's own, and the names that structures without one have on the device. */
#include "frontend/emit/emit.h"
#include <string.h>

static const char *const own[] = {"min", "max", "ceil_div", "abs", "pow2", "pow2_from", "trunc", "real", "f32"};

void rg__shim_functions(struct rg_buf *out)
{
    rg_buf_str(
        out,
        "static inline long long rg_size_min(long long a, long long b) { return a < b ? a : b; }\n"
        "static inline long long rg_size_max(long long a, long long b) { return a > b ? a : b; }\n"
        "static inline long long rg_size_abs(long long a) { return a < 0 ? -a : a; }\n"
        "static inline long long rg_size_ceil_div(long long a, long long b)\n"
        "{ return a / b + (a % b != 0 && (a < 0) == (b < 0)); }\n"
        "static inline long long rg_size_pow2(long long e) { return e >= 0 && e < 63 ? 1ll << e : 0; }\n"
        "static inline long long rg_size_pow2_from(long long n)\n"
        "{ long long p = 1; while (p < n && p < 1ll << 62) p *= 2; return p; }\n"
        "static inline long long rg_size_trunc(double x) { return x < 0x1p62 && x > -0x1p62 ? (long long)x : 0; }\n"
        "static inline double rg_size_real(long long n) { return (double)n; }\n"
        "static inline double rg_size_f32(double x) { return (double)(float)x; }\n");
}

static void own_names(struct rg_arena *a, struct rg_expr *e)
{
    for (size_t i = 0; e->kind == RG_EXPR_CALL && i < sizeof own / sizeof *own; i++)
        if (!strcmp(e->name, own[i])) {
            e->name = rg_arena_printf(a, "rg_size_%s", own[i]);
            break;
        }
    for (int i = 0; i < e->n_args; i++) own_names(a, (struct rg_expr *)e->args[i]);
}

void rg__shim_expr(struct rg_arena *a, struct rg_buf *out, const struct rg_expr *e,
                   const char *(*rename)(void *, const char *), void *arg)
{
    struct rg_expr *c = rg_expr_clone(a, e); /* its arguments are its own */
    own_names(a, c);
    rg_expr_print(out, c, rename, arg);
}

static bool stands_for(const char *type, const char *name, size_t len)
{
    return strlen(type) == len && !strncmp(type, name, len);
}

/* The C for the type that the name stands for: that of a variable or of a member which has it; NULL: of none. */
static const char *type_of(struct rg__load *l, const char *name, size_t len)
{
    struct rg_arena *mem = &l->dirs.arena;
    for (int i = 0; i < l->b.n_carriers; i++) {
        const struct rg__carrier *x = &l->b.carriers[i];
        if (x->parent < 0 || !stands_for(x->type, name, len)) continue;
        return rg_arena_printf(mem, "__typeof__(*(*(%s *)0)%s)", l->b.carriers[x->parent].type, x->path);
    }
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        const struct rg__origin *o = &l->b.origins[i];
        const bool file = q->origin == RG_ORIGIN_GLOBAL;
        const bool member = (o->layout == RG__PART && file) || o->layout == RG__COLUMN;
        if (q->elem != RG_STRUCT || (!file && !member) || !stands_for(q->c_elem, name, len)) continue;
        if (o->layout == RG__FILE_VALUE) return rg_arena_printf(mem, "__typeof__(%s)", o->name);
        if ((o->layout != RG__FILE_ARRAY && o->layout != RG__FILE_POINTER && !member) || (q->indirect && !member))
            continue;
        const bool pointer = member ? o->pointer : o->layout == RG__FILE_POINTER;
        const int depth = pointer && (o->layout != RG__PART || !q->rows) ? 1 : q->n_dims; /* tables of rows */
        struct rg_buf b = RG_BUF_INIT;
        if (member)
            rg_buf_printf(&b, "__typeof__((*(%s *)0)%s", l->b.carriers[o->parent].type, o->member);
        else
            rg_buf_printf(&b, "__typeof__(%s", o->name);
        for (int d = o->layout == RG__COLUMN && !pointer; d < depth; d++) rg_buf_str(&b, "[0]");
        const char *text = rg_arena_printf(mem, "%s)", b.data);
        rg_buf_release(&b);
        return text;
    }
    return NULL;
}

void rg__shim_named(struct rg__load *l, const char *text, struct rg_buf *out)
{
    static const char unnamed[] = "struct rg_unnamed_";
    for (const char *at; (at = strstr(text, unnamed)); text = at) {
        const size_t len = sizeof unnamed - 1 + strspn(at + sizeof unnamed - 1, "0123456789");
        const char *type = type_of(l, at, len);
        rg_buf_add(out, text, (size_t)(at - text));
        if (type) /* of a member: of a structure that may have no name, either */
            rg__shim_named(l, type, out);
        else
            rg_buf_add(out, at, len);
        at += len;
    }
    rg_buf_str(out, text);
}
