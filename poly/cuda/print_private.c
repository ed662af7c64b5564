/* privatise.histogram in print: copies of a block's own in shared memory, merged at the end; the launch that has room for them. */
#include "poly/cuda/print.h"
#include <string.h>

/* Elements over the parameters, as the plan writes them; NULL: an extent is unknown. *constant: -1 where they vary. */
const char *rg__poly_plan_elements(struct rg_arena *mem, const struct rg_carray *c, int64_t *constant)
{
    struct rg_buf b = RG_BUF_INIT;
    *constant = 1;
    for (int d = 0; d < c->n_dims; d++) {
        int64_t v;
        if (!c->dims[d]) {
            rg_buf_release(&b);
            return NULL;
        }
        if (*constant >= 0 && (rg_expr_eval(c->dims[d], NULL, &v, NULL) != RG_OK || __builtin_mul_overflow(*constant, v, constant)))
            *constant = -1;
        bool plain = c->dims[d]->kind == RG_EXPR_INT || c->dims[d]->kind == RG_EXPR_NAME;
        rg_buf_str(&b, d ? " * " : "");
        rg_buf_str(&b, plain ? "" : "(");
        rg_expr_print(&b, c->dims[d], NULL, NULL);
        rg_buf_str(&b, plain ? "" : ")");
    }
    const char *s = rg_arena_strdup(mem, b.len ? b.data : "1");
    rg_buf_release(&b);
    return s;
}

static int rank(const struct poly_print *pr, int i)
{
    return (int)rg_scalar_bytes(pr->t->arrays[pr->k->private_[i]].elem);
}

/* Copies in the order in which they stand in shared memory: what needs more alignment first. */
static void order(const struct poly_print *pr, int *at)
{
    for (int i = 0; i < pr->k->n_private; i++)
        at[i] = i;
    for (int i = 1; i < pr->k->n_private; i++)
        for (int j = i; j > 0 && rank(pr, at[j]) > rank(pr, at[j - 1]); j--) {
            int t = at[j];
            at[j] = at[j - 1];
            at[j - 1] = t;
        }
}

static const char *own_name(struct poly_print *pr, int array)
{
    return rg__poly_fresh(pr, "%.60s_own", pr->t->arrays[array].name);
}

bool rg__poly_own_element(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *n)
{
    bool mine = false;
    for (int i = 0; i < pr->k->n_private; i++)
        mine = mine || pr->k->private_[i] == n->array;
    if (!mine)
        return false;
    const struct rg_carray *a = &pr->t->arrays[n->array];
    rg_buf_printf(out, "%s[", own_name(pr, n->array));
    for (int d = 2; d < a->n_dims; d++)
        rg_buf_char(out, '(');
    for (int d = 0; d < a->n_dims; d++) {
        if (d)
            rg_buf_printf(out, " * %s + ", rg__poly_extent(pr, n->array, d));
        rg_buf_str(out, a->n_dims == 1 ? rg__poly_text(pr, n->kid[d]) : d == 0 ? rg__poly_operand(pr, n->kid[d]) : rg__poly_addend(pr, n->kid[d]));
        if (d && d + 1 < a->n_dims)
            rg_buf_char(out, ')');
    }
    rg_buf_char(out, ']');
    return true;
}

static const char *device_elements(struct poly_print *pr, int array)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int d = 0; d < pr->t->arrays[array].n_dims; d++)
        rg_buf_printf(&b, "%s%s", d ? " * " : "", rg__poly_extent(pr, array, d));
    const char *s = rg__poly_printf(pr, "%s", b.len ? b.data : "1");
    rg_buf_release(&b);
    return s;
}

static void declare_copies(struct poly_print *pr)
{
    int at[POLY_MAX_PRIVATE];
    const char *before = NULL;
    order(pr, at);
    bool dynamic = pr->k->otherwise >= 0;
    const char *pool = rg__poly_fresh(pr, "own_copies");
    if (dynamic)
        rg__poly_line(pr, "extern __shared__ unsigned long long %s[];", pool);
    for (int i = 0; i < pr->k->n_private; i++) {
        int a = pr->k->private_[at[i]];
        const char *type = rg__poly_elem_type(pr, a), *name = own_name(pr, a), *n = device_elements(pr, a);
        if (!dynamic)
            rg__poly_line(pr, "__shared__ %s %s[%s];", type, name, n);
        else
            rg__poly_line(pr, "%s *%s = (%s *)%s;", type, name, type, before ? before : pool);
        before = rg__poly_printf(pr, "(%s + %s)", name, n);
    }
}

/* For every element of every copy. */
static void each_element(struct poly_print *pr, bool merge)
{
    const char *b = rg__poly_fresh(pr, "b");
    for (int i = 0; i < pr->k->n_private; i++) {
        int a = pr->k->private_[i];
        enum rg_scalar t = pr->t->arrays[a].elem;
        enum poly_op op = rg__poly_private_op(pr->s, pr->k, a);
        const char *mine = rg__poly_printf(pr, "%s[%s]", own_name(pr, a), b), *none = rg__poly_identity(pr, op, t);
        rg__poly_open_brace(pr, "for (int %s = threadIdx.x; %s < %s; %s += \1BLOCK)", b, b, device_elements(pr, a), b);
        if (!merge) {
            rg__poly_line(pr, "%s = %s;", mine, none);
        } else {
            pr->array_used[a] = true;
            const char *place = rg__poly_printf(pr, "%s[%s]", rg__poly_array_name(pr, a), b);
            rg__poly_line(pr, "if (%s != %s) %s;", mine, none, rg__poly_atomic_text(pr, op, t, place, mine));
        }
        rg__poly_close_brace(pr);
    }
}

void rg__poly_private_body(struct poly_print *pr)
{
    const struct poly_kernel *k = pr->k;
    declare_copies(pr);
    each_element(pr, false);
    rg__poly_line(pr, "__syncthreads();");
    for (int d = 0; d < k->n_dims; d++) {
        bool wide = rg_scalar_bytes(pr->t->vars[pr->s->loops[k->dims[d]].var].type) > 4;
        const char *cast = wide ? "(long long)" : "", *first, *stride;
        if (k->axis[d] == 0) {
            first = rg__poly_printf(pr, "%sblockIdx.x * \1BLOCK + threadIdx.x", cast);
            stride = rg__poly_printf(pr, "%sgridDim.x * \1BLOCK", cast);
        } else {
            first = k->axis[d] == 1 ? "blockIdx.y" : "blockIdx.z";
            stride = k->axis[d] == 1 ? "gridDim.y" : "gridDim.z";
        }
        if (d + 1 == k->n_dims && !rg__poly_knode_has_loop(k->body))
            rg__poly_unroll_line(pr, 0);
        rg__poly_open_brace(pr, "%s", rg__poly_dealt_header(pr, k->dims[d], first, stride));
    }
    rg__poly_aliases(pr);
    rg__poly_thread_code(pr, k->body);
    for (int d = 0; d < k->n_dims; d++)
        rg__poly_close_brace(pr);
    rg__poly_line(pr, "__syncthreads();");
    each_element(pr, true);
}

/* Bytes of the copies, in the plan's words. */
static const char *bytes(struct poly_print *pr)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int i = 0; i < pr->k->n_private; i++) {
        const struct rg_carray *c = &pr->t->arrays[pr->k->private_[i]];
        int64_t n;
        rg_buf_printf(&b, "%s%s * %zu", i ? " + " : "", rg__poly_plan_elements(&pr->arena, c, &n), rg_scalar_bytes(c->elem));
    }
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

void rg__poly_private_launch(struct poly_print *pr, const char *grid[3], const char **shared, const char **fits)
{
    const char *count[3] = {"1", "1", "1"};
    for (int d = 0; d < pr->k->n_dims; d++)
        count[pr->k->axis[d]] = rg__poly_printf(pr, "max(1, %s)", rg__poly_dim_count(pr, pr->k->dims[d], true));
    long long blocks = (long long)pr->v.grid;
    const char *x = rg__poly_printf(pr, "ceil_div(%s, %lld)", count[0], (long long)pr->threads[0]);
    *shared = *fits = NULL;
    switch (pr->k->n_dims) { /* about as many blocks as wanted in all, over the axes */
    case 1:
        grid[0] = rg__poly_printf(pr, "min(%lld, %s)", blocks, x);
        break;
    case 2:
        grid[1] = rg__poly_printf(pr, "min(%lld, %s)", blocks, count[1]);
        grid[0] = rg__poly_printf(pr, "min(max(1, %lld / %s), %s)", blocks, grid[1], x);
        break;
    default:
        grid[2] = rg__poly_printf(pr, "min(%lld, %s)", blocks, count[2]);
        grid[1] = rg__poly_printf(pr, "min(max(1, %lld / %s), %s)", blocks, grid[2], count[1]);
        grid[0] = rg__poly_printf(pr, "min(max(1, %lld / (%s) / (%s)), %s)", blocks, grid[1], grid[2], x);
    }
    if (pr->k->otherwise >= 0) {
        *shared = bytes(pr);
        *fits = rg__poly_printf(pr, "%s <= %d", *shared, POLY_SHARED_BYTES);
    }
}
