/* privatise.histogram: every block updates a copy of the bins of its own in shared memory and adds it to the array once
 * at the end. Where the copy may not fit at some size, the plan keeps the kernel with atomics for that case. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES = 48 * 1024 }; /* what every launch may use */

/* Elements over the parameters, as the plan writes them; NULL: an extent is unknown. *constant: -1 where they vary. */
static const char *elements(struct rg_arena *mem, const struct rg_carray *c, int64_t *constant)
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

enum poly_op rg__poly_private_op(const struct poly_scop *s, const struct poly_kernel *k, int array)
{
    int stmts[256], n = rg__poly_knode_stmts(s, k->body, stmts, 256);
    enum poly_op op = POLY_OP_NONE;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++) {
            const struct poly_access *x = &s->accesses[s->stmts[stmts[i]].first_access + a];
            if (x->array != array)
                continue;
            if (!x->update || x->update == POLY_OP_SAME || x->member || (op && x->update != op))
                return POLY_OP_NONE;
            op = x->update;
        }
    return n == 256 ? POLY_OP_NONE : op;
}

static bool suits(struct poly_program *p, const struct poly_kernel *k, int array, char *why, size_t size)
{
    const struct rg_carray *c = &p->scop->tree->arrays[array];
    int64_t n, bytes = (int64_t)rg_scalar_bytes(c->elem), all = 0;
    if (!rg__poly_private_op(p->scop, k, array)) {
        snprintf(why, size, "the kernel does more with %s than update it by one operator", c->name);
        return false;
    }
    if (!elements(&p->arena, c, &n) || c->elem == RG_STRUCT) {
        snprintf(why, size, "how large %s is, is not known before the launch", c->name);
        return false;
    }
    for (int i = 0; i < k->n_private; i++) {
        const struct rg_carray *o = &p->scop->tree->arrays[k->private_[i]];
        int64_t m;
        elements(&p->arena, o, &m);
        all += m > 0 ? m * (int64_t)rg_scalar_bytes(o->elem) : 0;
    }
    if (n > SHARED_BYTES || (n > 0 && n * bytes + all > SHARED_BYTES)) {
        snprintf(why, size, "%s takes %lld bytes: a copy for each block does not fit its shared memory", c->name,
                 (long long)(n * bytes));
        return false;
    }
    if (k->n_private == POLY_MAX_PRIVATE) {
        snprintf(why, size, "%d arrays have copies already", POLY_MAX_PRIVATE);
        return false;
    }
    return true;
}

static bool sized(struct poly_program *p, int array)
{
    int64_t n;
    elements(&p->arena, &p->scop->tree->arrays[array], &n);
    return n >= 0;
}

bool rg__poly_private_site(const struct poly_program *p, int array)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS && !p->kernels[i].region && p->kernels[i].atomic[array])
            return true;
    return false;
}

bool rg__poly_privatise(struct poly_program *p, int array, char *why, size_t size)
{
    int done = 0, n = p->n_kernels;
    const char *name = p->scop->tree->arrays[array].name;
    snprintf(why, size, "no kernel updates %s by atomics", name);
    for (int i = 0; i < n; i++) {
        struct poly_kernel *k = &p->kernels[i];
        bool first = k->form == POLY_THREADS && !k->region;
        if ((!first && k->form != POLY_PRIVATE) || k->last_resort || !k->atomic[array] || !suits(p, k, array, why, size))
            continue;
        if (!sized(p, array) && k->otherwise < 0) {
            if (p->n_kernels == POLY_MAX_KERNELS) {
                snprintf(why, size, "too many kernels");
                return false;
            }
            struct poly_kernel *o = &p->kernels[p->n_kernels];
            *o = *k;
            o->form = POLY_THREADS;
            o->n_private = 0;
            o->last_resort = true;
            k->otherwise = p->n_kernels++;
        }
        k->form = POLY_PRIVATE;
        k->private_[k->n_private++] = array;
        done++;
    }
    return done > 0;
}

/* ---- print ---- */

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
        rg_buf_printf(&b, "%s%s * %zu", i ? " + " : "", elements(&pr->arena, c, &n), rg_scalar_bytes(c->elem));
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
        *fits = rg__poly_printf(pr, "%s <= %d", *shared, SHARED_BYTES);
    }
}
