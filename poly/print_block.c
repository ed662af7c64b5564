/* Kernels whose blocks work together: sequential parts run in every thread alike, loops without carried dependences
 * are dealt out, reductions are combined, barriers stand where data crosses threads. */
#include "poly/print.h"
#include <stdlib.h>
#include <string.h>

enum share { SHARE_NONE, SHARE_DEAL, SHARE_REDUCE };

static struct poly_scop *scop(const struct poly_print *pr)
{
    return pr->p->scop;
}

static enum share share_of(struct poly_scop *s, int loop)
{
    struct poly_acc acc[16];
    if (!poly_conflict(s, loop, NULL, 0, POLY_STRICT).found)
        return SHARE_DEAL;
    if (!poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found && poly_accumulators(s, loop, acc, 16) > 0)
        return SHARE_REDUCE;
    return SHARE_NONE;
}

static bool shares_inside(struct poly_scop *s, const struct poly_knode *k)
{
    if (!k)
        return false;
    if (k->kind == KN_LOOP && share_of(s, k->loop) != SHARE_NONE)
        return true;
    for (int i = 0; i < k->n; i++)
        if (shares_inside(s, k->kid[i]))
            return true;
    return false;
}

/* The only thing in the loop's body, when that is a loop that may be shared too. */
static const struct poly_knode *inner_shared(struct poly_scop *s, const struct poly_knode *k, enum share how)
{
    const struct poly_knode *b = k->kid[0], *only = NULL;
    for (int i = 0; i < b->n; i++) {
        if (b->kid[i]->kind == KN_LEAF && b->kid[i]->node->kind == RG_C_DECL &&
            !(b->kid[i]->node->n && b->kid[i]->node->kid[0]))
            continue;
        if (only)
            return NULL;
        only = b->kid[i];
    }
    if (!only || only->kind != KN_LOOP)
        return NULL;
    const struct poly_loop *l = &s->loops[only->loop];
    enum share inner = share_of(s, only->loop);
    if (inner == SHARE_NONE || (how == SHARE_DEAL && inner != SHARE_DEAL) || (l->constant && l->trip < 32))
        return NULL;
    return only;
}

/* ---- legality ---- */

struct check {
    const struct poly_program *p;
    char *why;
    size_t size;
    bool ok;
};

static void check_leaf(struct check *c, const struct poly_knode *k)
{
    struct poly_scop *s = c->p->scop;
    int id = poly_stmt_of(s, k->node);
    bool array = false, scalar = false;
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses; i++)
        array = array || s->accesses[s->stmts[id].first_access + i].write;
    struct poly_effect e = poly_effect_new(s);
    poly_knode_effect(s, k, &e);
    for (int v = 0; v < s->tree->n_vars; v++)
        scalar = scalar || e.written[v];
    poly_effect_free(&e);
    if (array && scalar && k->node->kind != RG_C_DECL) {
        snprintf(c->why, c->size, "line %d writes an array and a scalar at once: a block can't share that",
                 k->node->line);
        c->ok = false;
    }
}

static bool uses_local_array(const struct poly_program *p, const struct poly_knode *k, bool written_only)
{
    const struct poly_scop *s = p->scop;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        bool w = false;
        if (c->param >= 0 || c->constant_table || p->array_scratch[a] || s->array_hidden[a])
            continue;
        if (poly_knode_uses_array(s, k, a, &w) && (w || !written_only) &&
            !(s->array_decl_loop[a] >= 0 && poly_loop_inside(s, s->array_decl_loop[a], k->loop)))
            return true;
    }
    return false;
}

static void check_code(struct check *c, const struct poly_knode *k)
{
    if (!k || !c->ok)
        return;
    if (k->kind == KN_LEAF) {
        check_leaf(c, k);
        return;
    }
    if (k->kind == KN_LOOP && share_of(c->p->scop, k->loop) != SHARE_NONE) {
        if (uses_local_array(c->p, k, true)) {
            snprintf(c->why, c->size, "loop %s fills a local array that each thread has its own copy of",
                     c->p->scop->loops[k->loop].name);
            c->ok = false;
        }
        return;
    }
    for (int i = 0; i < k->n; i++)
        check_code(c, k->kid[i]);
}

bool poly_block_ok(const struct poly_program *p, const struct poly_kernel *k, char *why, size_t size)
{
    struct check c = {p, why, size, true};
    check_code(&c, k->body);
    return c.ok;
}

/* ---- combining ---- */

static const char *combine(struct poly_print *pr, enum poly_op op, const char *a, const char *b)
{
    switch (op) {
    case POLY_OP_MUL:
        return poly_printf(pr, "%s * %s", a, b);
    case POLY_OP_MIN:
        return poly_printf(pr, "%s < %s ? %s : %s", b, a, b, a);
    case POLY_OP_MAX:
        return poly_printf(pr, "%s > %s ? %s : %s", b, a, b, a);
    case POLY_OP_AND:
        return poly_printf(pr, "%s & %s", a, b);
    case POLY_OP_OR:
        return poly_printf(pr, "%s | %s", a, b);
    case POLY_OP_XOR:
        return poly_printf(pr, "%s ^ %s", a, b);
    default:
        return poly_printf(pr, "%s + %s", a, b);
    }
}

static const char *identity(struct poly_print *pr, enum poly_op op, enum rg_scalar t)
{
    bool real = rg_scalar_is_real(t), sign = rg_scalar_is_signed(t);
    int bits = (int)rg_scalar_bytes(t) * 8;
    const char *c = rg_scalar_cuda(t);
    switch (op) {
    case POLY_OP_MUL:
        return "1";
    case POLY_OP_AND:
        return poly_printf(pr, "(%s)~0ull", c);
    case POLY_OP_MIN:
        if (real)
            return poly_printf(pr, "(%s)INFINITY", c);
        return t == RG_BOOL ? "1" : sign ? poly_printf(pr, "(%s)(~0ull >> %d)", c, 65 - bits) : poly_printf(pr, "(%s)~0ull", c);
    case POLY_OP_MAX:
        if (real)
            return poly_printf(pr, "-(%s)INFINITY", c);
        return sign ? poly_printf(pr, "(%s)(-1ll - (long long)(~0ull >> %d))", c, 65 - bits) : "0";
    default:
        return "0";
    }
}

static const char *helper_name(struct poly_print *pr, enum poly_op op)
{
    static const char *const names[] = {"?", "add", "mul", "min", "max", "and", "or", "xor"};
    return poly_fresh(pr, "block_%s", names[op]);
}

void poly_reduce_helpers(struct poly_print *pr, struct rg_buf *out)
{
    for (int op = 1; op <= POLY_OP_XOR; op++)
        for (int t = 0; t < RG_STRUCT; t++) {
            if (!pr->uses_reduce[op][t])
                continue;
            struct rg_buf b = RG_BUF_INIT;
            const char *c = rg_scalar_cuda((enum rg_scalar)t);
            const char *name = helper_name(pr, (enum poly_op)op);
            if (pr->k->warp_reduce) {
                const char *step = combine(pr, (enum poly_op)op, "v", "w");
                rg_buf_printf(&b,
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
                              c, name, c, c, c, step, c, identity(pr, (enum poly_op)op, (enum rg_scalar)t), c, step);
            } else {
                const char *step = combine(pr, (enum poly_op)op, "part[threadIdx.x]", "part[threadIdx.x + half]");
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
            if (!strstr(out->data, b.data))
                rg_buf_str(out, b.data);
            rg_buf_release(&b);
        }
}

static const char *reduce_call(struct poly_print *pr, const struct poly_acc *a, const char *v)
{
    pr->uses_reduce[a->op][a->type] = true;
    return poly_printf(pr, "%s%s<\1BLOCK>(%s)", helper_name(pr, a->op), pr->k->warp_reduce ? "_warp" : "", v);
}

static const char *acc_base(struct poly_print *pr, const struct poly_acc *a)
{
    return a->array >= 0 ? pr->t->arrays[a->array].name : pr->t->vars[a->var].name;
}

/* The buffer of the blocks' results; numbered when the program has several. */
static const char *part_name(struct poly_print *pr, const struct poly_acc *a)
{
    int n = 0, mine = 0;
    for (int i = 0; i < pr->p->n_kernels; i++) {
        const struct poly_kernel *k = &pr->p->kernels[i];
        if (k->form != POLY_PARTIAL)
            continue;
        n++;
        if (k == pr->k || pr->k->partner == i)
            mine = n;
    }
    return n > 1 ? poly_fresh(pr, "part%d_%.60s", mine, acc_base(pr, a)) : poly_fresh(pr, "part_%.60s", acc_base(pr, a));
}

/* Replaces the loop's targets by this thread's own, starting from the identity. */
static int open_accumulators(struct poly_print *pr, const struct poly_acc *acc, int n)
{
    int before = pr->n_acc;
    for (int i = 0; i < n && pr->n_acc < 16; i++) {
        pr->acc[pr->n_acc].array = acc[i].array;
        pr->acc[pr->n_acc].var = acc[i].var;
        snprintf(pr->acc[pr->n_acc].name, sizeof pr->acc[0].name, "%s", poly_fresh(pr, "%.60s_acc", acc_base(pr, &acc[i])));
        poly_line(pr, "%s %s = %s;", rg_scalar_cuda(acc[i].type), pr->acc[pr->n_acc].name,
                  identity(pr, acc[i].op, acc[i].type));
        pr->n_acc++;
    }
    return before;
}

/* target = target op total, in every thread (a scalar) or in one (an element). */
static void take_total(struct poly_print *pr, const struct poly_acc *a, const char *total)
{
    const char *target = a->array >= 0 ? poly_text(pr, a->element) : poly_var_name(pr, a->var);
    poly_line(pr, "%s%s = %s;", a->array >= 0 ? "if (threadIdx.x == 0) " : "", target, combine(pr, a->op, target, total));
}

/* ---- the block's code ---- */

struct state {
    struct poly_print *pr;
    bool *read, *written; /* arrays touched since the last barrier */
};

static void touch(struct state *st, const struct poly_knode *k, bool *read, bool *written)
{
    const struct poly_scop *s = st->pr->s;
    int stmts[256], n = poly_knode_stmts(s, k, stmts, 256);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++) {
            const struct poly_access *x = &s->accesses[s->stmts[stmts[i]].first_access + a];
            const struct rg_carray *c = &st->pr->t->arrays[x->array];
            if (c->param < 0 && !st->pr->p->array_scratch[x->array])
                continue; /* each thread's own */
            read[x->array] |= x->read;
            written[x->array] |= x->write;
        }
}

static void barrier(struct state *st)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    poly_line(st->pr, "__syncthreads();");
    memset(st->read, 0, n);
    memset(st->written, 0, n);
}

static void enter(struct state *st, const struct poly_knode *k)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    bool *r = rg_xcalloc(n, 1), *w = rg_xcalloc(n, 1), clash = false;
    touch(st, k, r, w);
    for (size_t a = 0; a < n; a++)
        clash = clash || (r[a] && st->written[a]) || (w[a] && (st->written[a] || st->read[a]));
    if (clash)
        barrier(st);
    for (size_t a = 0; a < n; a++) {
        st->read[a] |= r[a];
        st->written[a] |= w[a];
    }
    free(r);
    free(w);
}

static void block_code(struct state *st, const struct poly_knode *k);

static const char *dealt_header(struct poly_print *pr, int loop, const char *first, const char *stride)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    int64_t m = l->step > 0 ? l->step : -l->step;
    const char *lo = poly_text(pr, l->node->kid[0]);
    const char *off = m != 1        ? poly_printf(pr, "(%s) * %lld", first, (long long)m)
                      : l->step < 0 ? poly_printf(pr, "(%s)", first)
                                    : first;
    const char *inc = m == 1 ? stride : poly_printf(pr, "%s * %lld", stride, (long long)m);
    const char *start = strcmp(lo, "0") == 0 && l->step > 0 ? off : poly_printf(pr, "%s %c %s", lo, l->step > 0 ? '+' : '-', off);
    return poly_printf(pr, "for (%s %s = %s; %s %c %s; %s %s %s)", poly_index_type(pr, l->var), l->name, start, l->name,
                       l->step > 0 ? '<' : '>', poly_operand(pr, l->node->kid[1]), l->name, l->step > 0 ? "+=" : "-=", inc);
}

static void unroll_line(struct poly_print *pr, int64_t otherwise)
{
    int64_t u = pr->k->unrolled && pr->v.unroll > 1 ? pr->v.unroll : otherwise;
    if (u > 1)
        poly_line(pr, "#pragma unroll %lld", (long long)u);
}

static void dealt_loop(struct poly_print *pr, const struct poly_knode *k, enum share how)
{
    const struct poly_knode *inner = inner_shared(scop(pr), k, how);
    if (inner) {
        poly_loop_header(pr, k->loop, false);
        unroll_line(pr, 0);
        poly_open_brace(pr, "%s", dealt_header(pr, inner->loop, "threadIdx.x", "\1BLOCK"));
        poly_thread_code(pr, inner->kid[0]);
        poly_close_brace(pr);
        poly_close_brace(pr);
        return;
    }
    if (!poly_knode_has_loop(k->kid[0]))
        unroll_line(pr, 0);
    poly_open_brace(pr, "%s", dealt_header(pr, k->loop, "threadIdx.x", "\1BLOCK"));
    poly_thread_code(pr, k->kid[0]);
    poly_close_brace(pr);
}

static void combined_partials(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    struct poly_acc acc[16];
    int n = poly_accumulators(scop(pr), k->loop, acc, 16), before = open_accumulators(pr, acc, n);
    const char *b = poly_fresh(pr, "b");
    poly_open_brace(pr, "for (int %s = threadIdx.x; %s < %s; %s += \1BLOCK)", b, b, poly_fresh(pr, "parts"), b);
    for (int i = 0; i < n; i++) {
        const char *part = poly_printf(pr, "%s[%s]", part_name(pr, &acc[i]), b);
        poly_line(pr, "%s = %s;", pr->acc[before + i].name, combine(pr, acc[i].op, pr->acc[before + i].name, part));
    }
    poly_close_brace(pr);
    for (int i = 0; i < n; i++)
        poly_line(pr, "%s = %s;", pr->acc[before + i].name, reduce_call(pr, &acc[i], pr->acc[before + i].name));
    pr->n_acc = before;
    for (int i = 0; i < n; i++)
        take_total(pr, &acc[i], pr->acc[before + i].name);
}

static void reduced_loop(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    struct poly_acc acc[16];
    int n = poly_accumulators(scop(pr), k->loop, acc, 16), before = open_accumulators(pr, acc, n);
    dealt_loop(pr, k, SHARE_REDUCE);
    for (int i = 0; i < n; i++)
        poly_line(pr, "%s = %s;", pr->acc[before + i].name, reduce_call(pr, &acc[i], pr->acc[before + i].name));
    size_t na = (size_t)pr->t->n_arrays + 1; /* the combination holds barriers */
    memset(st->read, 0, na);
    memset(st->written, 0, na);
    touch(st, k, st->read, st->written);
    for (size_t a = 0; a < na; a++) {
        bool mine = false;
        for (int i = 0; i < n; i++)
            mine = mine || acc[i].array == (int)a;
        if (!mine)
            st->read[a] = st->written[a] = false;
    }
    pr->n_acc = before;
    for (int i = 0; i < n; i++)
        take_total(pr, &acc[i], pr->acc[before + i].name);
}

static bool writes_array(struct state *st, const struct poly_knode *k)
{
    size_t n = (size_t)st->pr->t->n_arrays + 1;
    bool *r = rg_xcalloc(n, 1), *w = rg_xcalloc(n, 1), any = false;
    touch(st, k, r, w);
    for (size_t a = 0; a < n; a++)
        any = any || w[a];
    free(r);
    free(w);
    return any;
}

static bool writes_live_scalar(struct state *st, const struct poly_knode *k)
{
    const struct poly_scop *s = st->pr->s;
    for (int v = 0; v < s->tree->n_vars; v++)
        if (s->written[k->loop][v] && s->live_out[k->loop][v] && s->tree->vars[v].kind != RG_CVAR_ITER)
            return true;
    return false;
}

static void loop_of_block(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    if (pr->k->form == POLY_FINAL && k->loop == pr->k->reduce_loop) {
        combined_partials(st, k);
        return;
    }
    enum share how = share_of(scop(pr), k->loop);
    if (how == SHARE_DEAL && !writes_array(st, k))
        how = SHARE_NONE; /* nothing leaves it: nothing to deal out */
    if (how != SHARE_NONE) {
        enter(st, k);
        rg_buf_indent(&pr->out, pr->indent);
        rg_buf_printf(&pr->out, "// loop %s: %s\n", pr->s->loops[k->loop].name,
                      how == SHARE_DEAL ? "dealt out to the block's threads" : "each thread takes a share, then they combine");
        if (how == SHARE_DEAL)
            dealt_loop(pr, k, SHARE_DEAL);
        else
            reduced_loop(st, k);
        return;
    }
    if (!shares_inside(scop(pr), k->kid[0]) && writes_array(st, k) && !writes_live_scalar(st, k)) {
        enter(st, k);
        poly_open_brace(pr, "if (threadIdx.x == 0)");
        poly_thread_code(pr, k);
        poly_close_brace(pr);
        return;
    }
    enter(st, k);
    bool shared = writes_array(st, k);
    poly_loop_header(pr, k->loop, false);
    block_code(st, k->kid[0]);
    if (shared)
        barrier(st); /* the next iteration may read what this one wrote */
    poly_close_brace(pr);
}

static void block_code(struct state *st, const struct poly_knode *k)
{
    struct poly_print *pr = st->pr;
    if (!k)
        return;
    switch (k->kind) {
    case KN_SEQ:
        for (int i = 0; i < k->n; i++)
            block_code(st, k->kid[i]);
        return;
    case KN_LEAF:
        enter(st, k);
        if (writes_array(st, k)) {
            poly_open_brace(pr, "if (threadIdx.x == 0)");
            poly_statement(pr, k->node);
            poly_close_brace(pr);
        } else {
            poly_statement(pr, k->node);
        }
        return;
    case KN_IF:
        enter(st, k);
        poly_open_brace(pr, "if (%s)", poly_text(pr, k->node->kid[0]));
        block_code(st, k->kid[0]);
        if (k->n > 1 && k->kid[1] && k->kid[1]->n) {
            touch(st, k, st->read, st->written);
            rg_buf_indent(&pr->out, pr->indent - 1);
            rg_buf_str(&pr->out, "} else {\n");
            block_code(st, k->kid[1]);
        }
        poly_close_brace(pr);
        touch(st, k, st->read, st->written);
        return;
    case KN_LOOP:
        loop_of_block(st, k);
        return;
    }
}

static void whole_block(struct poly_print *pr)
{
    size_t n = (size_t)pr->t->n_arrays + 1;
    struct state st = {pr, rg_xcalloc(n, 1), rg_xcalloc(n, 1)};
    block_code(&st, pr->k->body);
    free(st.read);
    free(st.written);
}

void poly_block_body(struct poly_print *pr)
{
    for (int d = 0; d < pr->k->n_dims; d++) {
        const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
        const char *lo = poly_dim_lower(pr, l->id, false), *type = poly_index_type(pr, l->var);
        const char *idx = poly_printf(pr, "blockIdx.%c", "xyz"[pr->k->axis[d]]);
        if (l->step != 1 && l->step != -1)
            idx = poly_printf(pr, "(%s)%s * %lld", type, idx, (long long)(l->step > 0 ? l->step : -l->step));
        if (strcmp(lo, "0") == 0 && l->step > 0)
            poly_line(pr, "const %s %s = %s;", type, l->name, idx);
        else
            poly_line(pr, "const %s %s = %s %c %s;", type, l->name, lo, l->step > 0 ? '+' : '-',
                      l->step > 0 ? idx : poly_printf(pr, "(%s)%s", type, idx));
    }
    for (int a = 0; a < pr->k->n_alias; a++) {
        const struct poly_loop *x = &pr->s->loops[pr->k->alias[a].loop], *y = &pr->s->loops[pr->k->dims[pr->k->alias[a].dim]];
        bool again = x->var == y->var;
        for (int b = 0; b < a; b++)
            again = again || pr->s->loops[pr->k->alias[b].loop].var == x->var;
        if (!again)
            poly_line(pr, "const %s %s = %s;", poly_index_type(pr, x->var), x->name, y->name);
    }
    if (pr->k->n_dims)
        poly_line(pr, "if (!(%s)) return;", poly_guard(pr));
    whole_block(pr);
}

void poly_final_body(struct poly_print *pr)
{
    whole_block(pr);
}

/* ---- two stages over the grid ---- */

static const struct poly_knode *inner_of_partial(struct poly_print *pr)
{
    return inner_shared(scop(pr), pr->k->body->kid[0], SHARE_REDUCE);
}

void poly_partial_body(struct poly_print *pr)
{
    const struct poly_knode *k = pr->k->body->kid[0], *inner = inner_of_partial(pr);
    struct poly_acc acc[16];
    int n = poly_accumulators(scop(pr), k->loop, acc, 16), before = open_accumulators(pr, acc, n);
    bool wide = rg_scalar_bytes(pr->t->vars[pr->s->loops[k->loop].var].type) > 4;
    if (inner) {
        poly_open_brace(pr, "%s", dealt_header(pr, k->loop, "blockIdx.x", "gridDim.x"));
        unroll_line(pr, 4);
        poly_open_brace(pr, "%s", dealt_header(pr, inner->loop, "threadIdx.x", "\1BLOCK"));
        poly_thread_code(pr, inner->kid[0]);
        poly_close_brace(pr);
    } else {
        if (!poly_knode_has_loop(k->kid[0]))
            unroll_line(pr, 4);
        poly_open_brace(pr, "%s", dealt_header(pr, k->loop, wide ? "(long long)blockIdx.x * \1BLOCK + threadIdx.x" : "blockIdx.x * \1BLOCK + threadIdx.x",
                                               wide ? "(long long)gridDim.x * \1BLOCK" : "gridDim.x * \1BLOCK"));
        poly_thread_code(pr, k->kid[0]);
    }
    poly_close_brace(pr);
    for (int i = 0; i < n; i++) {
        const char *name = pr->acc[before + i].name;
        poly_line(pr, "%s = %s;", name, reduce_call(pr, &acc[i], name));
        poly_line(pr, "if (threadIdx.x == 0) %s[blockIdx.x] = %s;", part_name(pr, &acc[i]), name);
    }
    pr->n_acc = before;
}

const char *poly_partial_grid(struct poly_print *pr)
{
    const struct poly_print *p = pr;
    int loop = p->k->reduce_loop;
    const char *count = poly_dim_count(pr, loop, true);
    const struct poly_kernel *part = pr->k->form == POLY_PARTIAL ? pr->k : &pr->p->kernels[pr->k->partner];
    bool inner = inner_shared(scop(pr), part->body->kid[0], SHARE_REDUCE) != NULL;
    if (!inner)
        count = poly_printf(pr, "ceil_div(%s, %lld)", count, (long long)pr->v.block);
    return poly_printf(pr, "max(1, min(%lld, %s))", (long long)pr->v.grid, count);
}

void poly_partial_scratch(struct poly_print *pr, struct rg_buf *plan)
{
    struct poly_acc acc[16];
    if (pr->k->form != POLY_PARTIAL)
        return;
    int n = poly_accumulators(scop(pr), pr->k->reduce_loop, acc, 16);
    for (int i = 0; i < n; i++)
        rg_buf_printf(plan, "scratch %s %s[%lld];\n", rg_scalar_c(acc[i].type),
                      part_name(pr, &acc[i]), (long long)pr->v.grid);
}

void poly_partial_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass, int *n)
{
    struct poly_acc acc[16];
    if (pr->k->form != POLY_PARTIAL && pr->k->form != POLY_FINAL)
        return;
    int na = poly_accumulators(scop(pr), pr->k->reduce_loop, acc, 16);
    for (int i = 0; i < na; i++) {
        const char *name = part_name(pr, &acc[i]);
        rg_buf_printf(decl, "%s%s%s *__restrict__ %s", *n ? ", " : "", pr->k->form == POLY_FINAL ? "const " : "",
                      rg_scalar_cuda(acc[i].type), name);
        rg_buf_printf(pass, "%s%s", *n ? ", " : "", name);
        ++*n;
    }
    if (pr->k->form == POLY_FINAL) {
        rg_buf_printf(decl, ", int %s", poly_fresh(pr, "parts"));
        rg_buf_printf(pass, ", %s", poly_partial_grid(pr));
    }
}
