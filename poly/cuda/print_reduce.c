/* Reductions in print: identities, combining, the block's tree, partial results over the grid. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

static const char *helper_name(struct poly_print *pr, enum poly_op op)
{
    static const char *const names[] = {"?", "add", "mul", "min", "max", "and", "or", "xor"};
    static const char *const teams[] = {"block", "", "team"};
    return rg__poly_fresh(pr, "%s_%s", teams[pr->k->team], names[op]);
}

void rg__poly_reduce_helpers(struct poly_print *pr, struct rg_buf *out)
{
    for (int op = 1; op <= POLY_OP_XOR; op++)
        for (int t = 0; t < RG_STRUCT; t++) {
            if (!pr->uses_reduce[op][t]) continue;
            struct rg_buf b = RG_BUF_INIT;
            const char *c = rg_scalar_cuda((enum rg_scalar)t);
            const char *name = helper_name(pr, (enum poly_op)op);
            if (pr->k->team == POLY_TEAM_WARP) {
                rg_buf_printf(&b,
                              "// row.warp: the lanes of a team exchange registers; each gets the result.\n"
                              "template <int LANES> __device__ %s %s(%s v, unsigned team)\n{\n"
                              "    for (int d = LANES / 2; d > 0; d /= 2) {\n"
                              "        const %s w = __shfl_xor_sync(team, v, d);\n"
                              "        v = %s;\n    }\n    return v;\n}\n\n",
                              c, name, c, c, rg__poly_combine(pr, (enum poly_op)op, "v", "w"));
            } else if (pr->k->warp_reduce) {
                const char *step = rg__poly_combine(pr, (enum poly_op)op, "v", "w");
                rg_buf_printf(
                    &b,
                    "// reduce.warp: lanes exchange registers; only one value a warp goes through shared memory.\n"
                    "template <int BLOCK> __device__ %s %s_warp(%s v)\n{\n"
                    "    __shared__ %s part[32];\n"
                    "    for (int d = 16; d > 0; d /= 2) {\n"
                    "        const %s w = __shfl_xor_sync(0xffffffffu, v, d);\n"
                    "        v = %s;\n    }\n"
                    "    if (threadIdx.x %% 32 == 0) part[threadIdx.x / 32] = v;\n"
                    "    __syncthreads();\n"
                    "    v = threadIdx.x %% 32 < BLOCK / 32 ? part[threadIdx.x %% 32] : (%s)(%s);\n"
                    "    for (int d = 16; d > 0; d /= 2) {\n"
                    "        const %s w = __shfl_xor_sync(0xffffffffu, v, d);\n"
                    "        v = %s;\n    }\n"
                    "    __syncthreads();\n    return v;\n}\n\n",
                    c, name, c, c, c, step, c, rg__poly_identity(pr, (enum poly_op)op, (enum rg_scalar)t), c, step);
            } else {
                const char *step =
                    rg__poly_combine(pr, (enum poly_op)op, "part[threadIdx.x]", "part[threadIdx.x + half]");
                rg_buf_printf(&b,
                              "// reduce.block: a tree in shared memory; every thread gets the result.\n"
                              "template <int BLOCK> __device__ %s %s(%s v)\n{\n"
                              "    __shared__ %s part[BLOCK];\n"
                              "    part[threadIdx.x] = v;\n"
                              "    __syncthreads();\n"
                              "    for (int half = BLOCK / 2; half > 0; half /= 2) {\n"
                              "        if (threadIdx.x < half) part[threadIdx.x] = %s;\n"
                              "        __syncthreads();\n    }\n"
                              "    v = part[0];\n    __syncthreads();\n    return v;\n}\n\n",
                              c, name, c, c, step);
            }
            if (!strstr(out->data, b.data)) rg_buf_str(out, b.data);
            rg_buf_release(&b);
        }
}

const char *rg__poly_reduce_call(struct poly_print *pr, const struct poly_acc *a, const char *v)
{
    pr->uses_reduce[a->op][a->type] = true;
    if (pr->k->team == POLY_TEAM_WARP)
        return rg__poly_printf(pr, "%s<\1LANES>(%s, %s)", helper_name(pr, a->op), v, rg__poly_fresh(pr, "team"));
    return rg__poly_printf(pr, "%s%s<\1BLOCK>(%s)", helper_name(pr, a->op), pr->k->warp_reduce ? "_warp" : "", v);
}

static const char *acc_base(struct poly_print *pr, const struct poly_acc *a)
{
    if (a->role == POLY_ACC_AT) return rg__poly_printf(pr, "%s_at", pr->t->vars[pr->s->selects[a->select].best].name);
    return a->array >= 0 ? pr->t->arrays[a->array].name : pr->t->vars[a->var].name;
}

/* Without what kept it apart from a CUDA name: no identifier has two underscores in a row. */
static int stem(const char *name)
{
    size_t n = strnlen(name, 60);
    while (n > 1 && name[n - 1] == '_') n--;
    return (int)n;
}

/* The accumulator's name; a kernel may reduce into one target several times. */
static const char *acc_name(struct poly_print *pr, const struct poly_acc *a)
{
    const char *base = acc_base(pr, a), *type = rg_scalar_cuda(a->type),
               *name = rg__poly_fresh(pr, "%.*s_acc", stem(base), base);
    for (int k = 2; strstr(pr->out.data ? pr->out.data : "", rg__poly_printf(pr, "%s %s = ", type, name)); k++)
        name = rg__poly_fresh(pr, "%.60s_acc%d", base, k);
    return name;
}

/* Replaces the loop's targets by this thread's own, starting from the identity. */
int rg__poly_open_accumulators(struct poly_print *pr, const struct poly_acc *acc, int n)
{
    int before = pr->n_acc;
    for (int i = 0; i < n && pr->n_acc < 16; i++) {
        pr->acc[pr->n_acc].array = acc[i].array;
        pr->acc[pr->n_acc].var = acc[i].var;
        pr->acc[pr->n_acc].at = acc[i].role == POLY_ACC_AT ? acc[i].select + 1 : 0;
        pr->acc[pr->n_acc].loop = acc[i].loop;
        snprintf(pr->acc[pr->n_acc].name, sizeof pr->acc[0].name, "%s", acc_name(pr, &acc[i]));
        rg__poly_line(pr, "%s %s = %s;", rg_scalar_cuda(acc[i].type), pr->acc[pr->n_acc].name,
                      rg__poly_identity(pr, acc[i].op, acc[i].type));
        pr->n_acc++;
    }
    return before;
}

/* ---- arg-min, arg-max ---- */

static const char *nobody(struct poly_print *pr, const struct poly_acc *at)
{
    return rg__poly_identity(pr, at->op, at->type);
}

void rg__poly_reduce_all(struct poly_print *pr, const struct poly_acc *acc, int n, int before)
{
    const char *best = "", *own_best = "", *at = "", *own_at = "";
    for (int i = 0; i < n; i++) {
        const char *name = pr->acc[before + i].name, *own = rg__poly_printf(pr, "%s_own", name);
        switch (acc[i].role) {
        case POLY_ACC_BEST:
            rg__poly_line(pr, "const %s %s = %s;", rg_scalar_cuda(acc[i].type), own, name);
            best = name;
            own_best = own;
            break;
        case POLY_ACC_AT:
            rg__poly_line(pr, "const long long %s = %s == %s ? %s : %s; // the %s iteration of those that have it", own,
                          own_best, best, name, nobody(pr, &acc[i]),
                          pr->s->selects[acc[i].select].first ? "first" : "last");
            rg__poly_line(pr, "%s = %s;", name, own);
            at = name;
            own_at = own;
            break;
        case POLY_ACC_WITH:
            rg__poly_line(pr, "%s = %s == %s ? %s : 0;", name, own_at, at, name);
            break;
        case POLY_ACC_PLAIN:
            break;
        }
        rg__poly_line(pr, "%s = %s;", name, rg__poly_reduce_call(pr, &acc[i], name));
    }
}

static void take_total(struct poly_print *pr, const struct poly_acc *a, const char *total)
{
    const char *target = a->array >= 0 ? rg__poly_text(pr, a->element) : rg__poly_var_name(pr, a->var);
    const char *one = a->array >= 0 ? rg__poly_printf(pr, "if (%s) ", rg__poly_lone(pr)) : "";
    rg__poly_line(pr, "%s%s", one, rg__poly_updated(pr, a->op, target, total));
}

void rg__poly_take_totals(struct poly_print *pr, const struct poly_acc *acc, int n, int before)
{
    for (int i = 0; i < n; i++) {
        const char *name = pr->acc[before + i].name;
        if (acc[i].role == POLY_ACC_PLAIN) {
            take_total(pr, &acc[i], name);
        } else if (acc[i].role == POLY_ACC_BEST) {
            rg__poly_open_brace(pr, "if (%s != %s && %s %c%s %s)", pr->acc[before + i + 1].name,
                                nobody(pr, &acc[i + 1]), name, acc[i].op == POLY_OP_MIN ? '<' : '>',
                                pr->s->selects[acc[i].select].first ? "" : "=", rg__poly_var_name(pr, acc[i].var));
            for (int j = i; j < n && (j == i || acc[j].role > POLY_ACC_BEST); j++)
                if (acc[j].var >= 0)
                    rg__poly_line(pr, "%s = %s;", rg__poly_var_name(pr, acc[j].var), pr->acc[before + j].name);
            rg__poly_close_brace(pr);
        }
    }
}
