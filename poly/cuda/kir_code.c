/* Kernel IR as CUDA: expressions and statements. */
#include "poly/cuda/kir_cuda.h"
#include "ir/ctree_util.h"
#include "poly/kir/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- expressions ---- */

static void expression(struct kir_writer *w, const struct kir_node *n)
{
    rg__kir_expression(w, n, KIR_PREC_ANY);
}

/* Rows and columns flattened: in 64 bits, as the product of the extents may pass 2^31. Of the first rows, planes of a
 * buffer nothing is multiplied. */
static void flat(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    int first = 0;
    int64_t v;
    while (first + 1 < s->n_dims && rg__kir_number(w->k, n->kid[first], &v) && !v) first++;
    if (first + 1 == s->n_dims) {
        expression(w, n->kid[first]);
        return;
    }
    for (int d = first + 2; d < s->n_dims; d++) rg_buf_char(w->out, '(');
    rg_buf_str(w->out, "(long long)");
    rg__kir_expression(w, n->kid[first], KIR_PREC_UNARY);
    for (int d = first + 1; d < s->n_dims; d++) {
        rg_buf_str(w->out, " * ");
        rg__kir_expression(w, s->dims[d], KIR_PREC_UNARY);
        if (!rg__kir_number(w->k, n->kid[d], &v) || v) {
            rg_buf_str(w->out, " + ");
            rg__kir_expression(w, n->kid[d], KIR_PREC_SUM);
        }
        if (d + 1 < s->n_dims) rg_buf_char(w->out, ')');
    }
}

static void place(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    if (n->peer) {
        rg_buf_printf(w->out, "cooperative_groups::this_cluster().map_shared_rank(%s, ", s->name);
        rg__kir_expression(w, n->kid[n->n - 1], KIR_PREC_ANY);
        rg_buf_char(w->out, ')');
        rg__kir_subscripts(w, n);
    } else if (s->space == KIR_FRAGMENT && n->n > s->n_dims) {
        struct kir_node whole = *n;
        whole.n--;
        rg_buf_str(w->out, s->name);
        rg__kir_subscripts(w, &whole);
        rg_buf_str(w->out, ".x[");
        rg__kir_expression(w, n->kid[n->n - 1], KIR_PREC_ANY);
        rg_buf_char(w->out, ']');
    } else if (s->space == KIR_GLOBAL && (s->n_dims > 1 || s->apart)) {
        rg_buf_printf(w->out, s->apart ? "%s[(" : "%s[", s->name);
        flat(w, n);
        if (s->apart) {
            rg_buf_str(w->out, ") * ");
            rg__kir_expression(w, s->apart, KIR_PREC_UNARY);
        }
        rg_buf_char(w->out, ']');
    } else {
        rg_buf_str(w->out, s->name);
        rg__kir_subscripts(w, n);
    }
}

/* Its value. */
static void element(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    bool cached = s->space == KIR_GLOBAL && s->cached && s->type != RG_STRUCT;
    rg_buf_str(w->out, cached ? "__ldg(&" : "");
    place(w, n);
    rg_buf_str(w->out, cached ? ")" : "");
}

/* How many a lane loop numbers; 32 where there is none. */
static int lanes_of(const struct kir_kernel *k)
{
    const struct kir_node *lane = rg__kir_loop_of(k, KIR_LANE);
    int64_t n;
    return lane && rg__kir_number(k, lane->kid[1], &n) ? (int)n : 32;
}

/* The threads of this one's group of so many lanes, in its warp. */
static void group_mask(struct kir_writer *w, int lanes)
{
    if (lanes == 32)
        rg_buf_str(w->out, "0xffffffffu");
    else
        rg_buf_printf(w->out, "0x%xu << (threadIdx.x & %d)", (1u << lanes) - 1, 32 - lanes);
}

bool rg__kir_cuda_node(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const shuffles[] = {"__shfl_xor_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_sync"};
    static const char *const grids[] = {"gridDim.x", "gridDim.y", "gridDim.z"};
    switch (n->kind) {
    case KIR_ELEMENT:
        element(w, n);
        return true;
    case KIR_MIN:
    case KIR_MAX:
        if (!rg_scalar_is_real(n->type) && rg_scalar_bytes(n->type) >= 4) return false; /* CUDA's own min, max */
        rg_buf_char(w->out, '(');
        rg__kir_expression(w, n->kid[0], KIR_PREC_SUM);
        rg_buf_str(w->out, n->kind == KIR_MIN ? " < " : " > ");
        rg__kir_expression(w, n->kid[1], KIR_PREC_SUM);
        rg_buf_str(w->out, " ? ");
        rg__kir_expression(w, n->kid[0], KIR_PREC_SUM);
        rg_buf_str(w->out, " : ");
        rg__kir_expression(w, n->kid[1], KIR_PREC_SUM);
        rg_buf_char(w->out, ')');
        return true;
    case KIR_ALIGNED:
        rg_buf_str(w->out, n->n > 1 ? "((" : "(");
        for (int i = 0; i < n->n; i++) {
            rg_buf_str(w->out,
                       i ? " | reinterpret_cast<unsigned long long>(&" : "reinterpret_cast<unsigned long long>(&");
            place(w, n->kid[i]);
            rg_buf_char(w->out, ')');
        }
        rg_buf_printf(w->out, n->n > 1 ? ") %% %lld == 0)" : " %% %lld == 0)", (long long)n->ivalue);
        return true;
    case KIR_SHUFFLE:
        rg_buf_printf(w->out, "%s(", shuffles[n->how]);
        group_mask(w, n->width == lanes_of(w->k) ? n->width : 32);
        rg_buf_str(w->out, ", ");
        rg__kir_expression(w, n->kid[0], KIR_PREC_ANY);
        rg_buf_str(w->out, ", ");
        rg__kir_expression(w, n->kid[1], KIR_PREC_ANY);
        if (n->width != 32) rg_buf_printf(w->out, ", %d", n->width);
        rg_buf_char(w->out, ')');
        return true;
    case KIR_EXTENT:
        rg_buf_printf(w->out, "(int)%s", grids[n->loop - KIR_GRID_X]);
        return true;
    default:
        return false;
    }
}

/* ---- statements ---- */

static void body(struct kir_writer *w, const struct kir_node *n)
{
    w->indent++;
    if (n && n->kind == KIR_SEQ)
        for (int i = 0; i < n->n; i++) rg__kir_cuda_statement(w, n->kid[i]);
    else if (n)
        rg__kir_cuda_statement(w, n);
    w->indent--;
    rg__kir_start(w);
    rg_buf_str(w->out, "}");
}

/* The variable of threads side by side: their place is its value. What nothing names needs none. */
static void thread_loop(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const places[] = {
        [KIR_GRID_X] = "blockIdx.x",   [KIR_GRID_Y] = "blockIdx.y",   [KIR_GRID_Z] = "blockIdx.z",
        [KIR_BLOCK_X] = "threadIdx.x", [KIR_BLOCK_Y] = "threadIdx.y", [KIR_BLOCK_Z] = "threadIdx.z",
        [KIR_LANE] = "threadIdx.x"};
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    const struct kir_node *cluster = n->loop == KIR_GRID_X ? rg__kir_loop_of(w->k, KIR_CLUSTER_X) : NULL;
    if (rg__kir_mentions(n->kid[3], n->symbol)) {
        rg__kir_start(w);
        rg_buf_printf(w->out, "const %s %s = ", rg_scalar_cuda(s->type), s->name);
        if (n->loop == KIR_CLUSTER_X)
            rg_buf_str(w->out, "cooperative_groups::this_cluster().block_rank()");
        else
            rg_buf_str(w->out, places[n->loop]);
        if (cluster || n->loop == KIR_LANE) {
            rg_buf_str(w->out, cluster ? " / " : " % ");
            rg__kir_expression(w, (cluster ? cluster : n)->kid[1], KIR_PREC_UNARY);
        }
        rg__kir_end(w, ";");
    }
    if (n->kid[3]->kind == KIR_SEQ)
        for (int i = 0; i < n->kid[3]->n; i++) rg__kir_cuda_statement(w, n->kid[3]->kid[i]);
    else
        rg__kir_cuda_statement(w, n->kid[3]);
}

static void loop(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    int64_t step = 0;
    if (rg__kir_is_thread_loop(n->loop)) {
        thread_loop(w, n);
        return;
    }
    if (n->loop == KIR_UNROLLED && n->ivalue)
        rg__kir_line(w, "#pragma unroll %lld", (long long)n->ivalue);
    else if (n->loop == KIR_UNROLLED)
        rg__kir_line(w, "#pragma unroll");
    rg__kir_start(w);
    rg_buf_printf(w->out, "for (%s %s = ", rg_scalar_cuda(s->type), s->name);
    expression(w, n->kid[0]);
    rg__kir_number(w->k, n->kid[2], &step);
    rg_buf_printf(w->out, step < 0 ? "; %s > " : "; %s < ", s->name);
    rg__kir_expression(w, n->kid[1], KIR_PREC_SUM);
    if (step == 1 || step == -1) {
        rg_buf_printf(w->out, step < 0 ? "; %s--) {\n" : "; %s++) {\n", s->name);
    } else if (step < 0) {
        rg_buf_printf(w->out, "; %s -= %lld) {\n", s->name, -(long long)step);
    } else {
        rg_buf_printf(w->out, "; %s += ", s->name);
        expression(w, n->kid[2]);
        rg_buf_str(w->out, ") {\n");
    }
    body(w, n->kid[3]);
    rg__kir_end(w, "");
}

static void branch(struct kir_writer *w, const struct kir_node *n)
{
    if (n->kind == KIR_WHILE && n->ivalue) rg__kir_line(w, "#pragma unroll %lld", (long long)n->ivalue);
    rg__kir_start(w);
    if (n->kind == KIR_IF && n->ivalue) {
        rg_buf_str(w->out, "if (!(");
        expression(w, n->kid[0]);
        rg__kir_end(w, ")) break;");
        for (int i = 0; i < n->kid[1]->n; i++) rg__kir_cuda_statement(w, n->kid[1]->kid[i]);
        return;
    }
    rg_buf_str(w->out, n->kind == KIR_WHILE ? "while (" : "if (");
    expression(w, n->kid[0]);
    rg_buf_str(w->out, ") {\n");
    body(w, n->kid[1]);
    if (n->kind == KIR_IF && n->kid[2]) {
        rg_buf_str(w->out, " else {\n");
        body(w, n->kid[2]);
    }
    rg__kir_end(w, "");
}

void rg__kir_cuda_address(struct kir_writer *w, const struct kir_node *n)
{
    rg_buf_char(w->out, '&');
    if (n->kind == KIR_ELEMENT)
        place(w, n);
    else /* a member of one */
        rg__kir_expression(w, n, KIR_PREC_PRIMARY);
}

static void copy(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_node *to = n->kid[0], *from = n->kid[1];
    int64_t bytes = n->width * (int64_t)rg_scalar_bytes(to->type);
    rg__kir_start(w);
    if (n->async) {
        rg_buf_printf(w->out,
                      "asm volatile(\"cp.async.%s.shared.global [%%0], [%%1], %lld;\" :: "
                      "\"r\"((unsigned)__cvta_generic_to_shared(",
                      bytes == 16 ? "cg" : "ca", (long long)bytes);
        rg__kir_cuda_address(w, to);
        rg_buf_str(w->out, ")), \"l\"(");
        rg__kir_cuda_address(w, from);
        rg__kir_end(w, ") : \"memory\");");
        return;
    }
    if (n->width == 1) {
        place(w, to);
        rg_buf_str(w->out, " = ");
        expression(w, from);
    } else {
        const char *type = rg__kir_cuda_wide(to->type, n->width);
        rg_buf_printf(w->out, "*(%s *)", type);
        rg__kir_cuda_address(w, to);
        rg_buf_printf(w->out, " = *(const %s *)", type);
        rg__kir_cuda_address(w, from);
    }
    rg__kir_end(w, ";");
}

static void barrier(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const fences[] = {"",
                                         "__threadfence_block();",
                                         "__threadfence_block();",
                                         "__threadfence_block();",
                                         "__threadfence();",
                                         "__threadfence();"};
    static const char *const barriers[] = {"",
                                           "",
                                           "__syncwarp();",
                                           "__syncthreads();",
                                           "cooperative_groups::this_cluster().sync();",
                                           "cooperative_groups::this_grid().sync();"};
    if (n->kind == KIR_BARRIER && n->scope == KIR_LANES) {
        rg__kir_start(w);
        rg_buf_str(w->out, "__syncwarp(");
        group_mask(w, lanes_of(w->k));
        rg__kir_end(w, ");");
        return;
    }
    rg__kir_line(w, "%s", (n->kind == KIR_FENCE ? fences : barriers)[n->scope]);
}

/* What the hardware's atomics take the element for: they know no signed type of 64 bits. */
static const char *atomic_type(const struct kir_node *n)
{
    enum rg_scalar t = n->kid[0]->type;
    bool wide = rg_scalar_bytes(t) == 8 && !rg_scalar_is_real(t);
    bool extreme = n->atomic == KIR_ATOMIC_MIN || n->atomic == KIR_ATOMIC_MAX;
    if (!wide || t == RG_ULLONG) return NULL;
    return extreme && rg_scalar_is_signed(t) ? t == RG_LLONG ? NULL : "long long" : "unsigned long long";
}

static void update(struct kir_writer *w, const struct kir_node *n)
{
    const char *type = rg_scalar_cuda(n->kid[0]->type);
    char name[RG__EXCHANGE_NAME];
    rg__cuda_exchange_name(w->k->tree, rg__kir_exchange_bits(n), name);
    rg__kir_start(w);
    rg_buf_printf(w->out, "%s<%s>(", name, n->ivalue ? "true" : "false");
    rg__kir_cuda_address(w, n->kid[0]);
    rg_buf_printf(w->out, ", [&](%s %s) { return (%s)(", type, w->k->symbols[n->symbol].name, type);
    expression(w, n->kid[1]);
    rg__kir_end(w, "); });");
}

static void atomic(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const names[] = {"Add", "Min", "Max", "And", "Or", "Xor", "Exch", "CAS"};
    const char *type = atomic_type(n), *own = rg_scalar_cuda(n->kid[0]->type);
    /* on shared memory there is one for the block alone */
    bool block = n->scope <= KIR_BLOCK && w->k->symbols[rg__kir_buffer_at(n->kid[0])].space != KIR_SHARED;
    if (n->atomic == KIR_ATOMIC_UPDATE) {
        update(w, n);
        return;
    }
    rg__kir_start(w);
    if (n->atomic == KIR_ATOMIC_WRITE) {
        rg_buf_printf(w->out, "*(volatile %s *)", own);
        rg__kir_cuda_address(w, n->kid[0]);
        rg_buf_str(w->out, " = ");
        expression(w, n->kid[1]);
        rg__kir_end(w, ";");
        return;
    }
    if (n->symbol >= 0) rg_buf_printf(w->out, "%s = %s", w->k->symbols[n->symbol].name, type ? "(" : "");
    if (n->symbol >= 0 && type) rg_buf_printf(w->out, "%s)", own);
    if (n->atomic == KIR_ATOMIC_READ) {
        rg_buf_printf(w->out, "*(const volatile %s *)", own);
        rg__kir_cuda_address(w, n->kid[0]);
        rg__kir_end(w, ";");
        return;
    }
    rg_buf_printf(w->out, "atomic%s%s(", names[n->atomic], block ? "_block" : "");
    if (type) rg_buf_printf(w->out, "(%s *)", type);
    rg__kir_cuda_address(w, n->kid[0]);
    for (int i = 1; i < n->n; i++) {
        rg_buf_str(w->out, ", ");
        if (type) rg_buf_printf(w->out, "(%s)", type);
        rg__kir_expression(w, n->kid[i], type ? KIR_PREC_UNARY : KIR_PREC_ANY);
    }
    rg__kir_end(w, ");");
}

static void matrix(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const names[] = {"fill_fragment", "load_matrix_sync", "store_matrix_sync", "mma_sync"};
    const struct kir_fragment *f = &w->k->symbols[n->kid[0]->symbol].fragment;
    if (n->matrix == KIR_MATRIX_ROUND) {
        rg__kir_line(w, "#pragma unroll");
        rg__kir_start(w);
        rg_buf_str(w->out, "for (int v = 0; v < ");
        element(w, n->kid[0]);
        rg_buf_str(w->out, ".num_elements; v++) ");
        element(w, n->kid[0]);
        rg_buf_str(w->out, ".x[v] = nvcuda::wmma::__float_to_tf32(");
        element(w, n->kid[0]);
        rg__kir_end(w, ".x[v]);");
        return;
    }
    rg__kir_start(w);
    rg_buf_printf(w->out, "nvcuda::wmma::%s(", names[n->matrix]);
    bool store = n->matrix == KIR_MATRIX_STORE;
    for (int i = 0; i < n->n; i++) {
        int at = store && i < 2 ? 1 - i : i; /* the place comes first there */
        rg_buf_str(w->out, i ? ", " : "");
        if (at == 1 && (store || n->matrix == KIR_MATRIX_LOAD))
            rg__kir_cuda_address(w, n->kid[at]);
        else
            expression(w, n->kid[at]);
    }
    if (store || (n->matrix == KIR_MATRIX_LOAD && f->role == KIR_ACCUMULATOR))
        rg_buf_str(w->out, ", nvcuda::wmma::mem_row_major");
    rg__kir_end(w, ");");
}

static void phase(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_phase *p = n->phase;
    const long long x = (long long)p->threads[0], y = (long long)p->threads[1];
    const char *comma = "";
    rg__kir_start(w);
    rg_buf_printf(w->out, "%s(", p->name);
    if (p->block) {
        rg_buf_str(w->out, "make_uint3(");
        expression(w, n->kid[0]);
        rg_buf_str(w->out, ", 0, 0)");
        comma = ", ";
    }
    if (p->grid) {
        rg_buf_printf(w->out, "%smake_uint3(", comma);
        expression(w, n->kid[1]);
        rg_buf_str(w->out, ", 1, 1)");
        comma = ", ";
    }
    if (p->thread) {
        rg_buf_printf(w->out, "%smake_uint3(threadIdx.x %% %lld, threadIdx.x / %lld", comma, x, x);
        if (p->threads[2] > 1)
            rg_buf_printf(w->out, " %% %lld, threadIdx.x / %lld)", y, x * y);
        else
            rg_buf_str(w->out, ", 0)");
        comma = ", ";
    }
    for (int i = 2; i < n->n; i++) {
        const struct kir_node *e = n->kid[i];
        rg_buf_str(w->out, i > 2 ? ", " : comma);
        if (e->kind == KIR_ELEMENT && !e->n)
            rg_buf_str(w->out, w->k->symbols[e->symbol].name);
        else
            expression(w, e);
    }
    rg__kir_end(w, ");");
}

static void named(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    const char *type = rg__kir_type_word(s);
    rg__kir_start(w);
    if (s->inside && s->space == KIR_GLOBAL) {
        rg_buf_printf(w->out, "%s%s *%s = ", s->written ? "" : "const ", type, s->name);
        rg__kir_cuda_address(w, n->kid[0]);
        rg__kir_end(w, ";");
        return;
    }
    if (s->inside)
        rg__kir_cuda_buffer(w, s);
    else if (n->kind == KIR_LET)
        rg_buf_printf(w->out, "const %s %s", type, s->name);
    else if (n->kind == KIR_VAR)
        rg_buf_printf(w->out, "%s %s", type, s->name);
    else
        rg_buf_str(w->out, s->name);
    if (n->n) {
        rg_buf_str(w->out, " = ");
        expression(w, n->kid[0]);
    }
    rg__kir_end(w, ";");
}

static const char *const leaves[] = {"break", "continue", "return"};

void rg__kir_cuda_statement(struct kir_writer *w, const struct kir_node *n)
{
    if (n->note) rg__kir_line(w, "// %s", n->note);
    switch (n->kind) {
    case KIR_SEQ:
        rg__kir_line(w, "{");
        body(w, n);
        rg__kir_end(w, "");
        return;
    case KIR_FOR:
        loop(w, n);
        return;
    case KIR_WHILE:
    case KIR_IF:
        branch(w, n);
        return;
    case KIR_LET:
    case KIR_VAR:
    case KIR_ASSIGN:
        named(w, n);
        return;
    case KIR_STORE:
        rg__kir_start(w);
        place(w, n->kid[0]);
        rg_buf_str(w->out, " = ");
        expression(w, n->kid[1]);
        rg__kir_end(w, ";");
        return;
    case KIR_COPY:
        copy(w, n);
        return;
    case KIR_COMMIT:
        rg__kir_line(w, "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");");
        return;
    case KIR_WAIT:
        rg__kir_line(w, "asm volatile(\"cp.async.wait_group %lld;\" ::: \"memory\");", (long long)n->ivalue);
        return;
    case KIR_BARRIER:
    case KIR_FENCE:
        barrier(w, n);
        return;
    case KIR_ATOMIC:
        atomic(w, n);
        return;
    case KIR_MATRIX:
        matrix(w, n);
        return;
    case KIR_LEAVE:
        rg__kir_line(w, "%s;", leaves[n->leave]);
        return;
    case KIR_PHASE:
        phase(w, n);
        return;
    case KIR_SORT:
        rg__kir_cuda_sort(w, n);
        return;
    case KIR_OPAQUE:
        rg__kir_cuda_opaque(w, n);
        return;
    default:
        return;
    }
}
