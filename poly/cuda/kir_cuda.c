/* Kernel IR as CUDA: the kernel around its code. */
#include "poly/cuda/kir_cuda.h"
#include "poly/kir/text.h"
#include <stdlib.h>

/* Behind `before`, where there are any. */
static void parameters(struct kir_writer *w, const char *before)
{
    const struct kir_kernel *k = w->k;
    int *arguments, n = rg__kir_arguments(k, &arguments);
    for (int i = 0; i < n; i++) {
        const struct kir_symbol *s = &k->symbols[arguments[i]];
        rg_buf_str(w->out, i ? ", " : before);
        if (s->kind == KIR_PARAM)
            rg_buf_printf(w->out, "%s %s", rg__kir_type_word(s), s->name);
        else
            rg_buf_printf(w->out, "%s%s *%s%s", s->written ? "" : "const ", rg__kir_type_word(s),
                          s->alone ? "__restrict__ " : "", s->name);
    }
    rg_buf_str(w->out, ")\n{\n");
    free(arguments);
}

static void signature(struct kir_writer *w)
{
    const struct kir_kernel *k = w->k;
    const struct kir_node *cluster = rg__kir_loop_of(k, KIR_CLUSTER_X);
    rg_buf_str(w->out, "__global__ void ");
    if (cluster) {
        rg_buf_str(w->out, "__cluster_dims__(");
        rg__kir_expression(w, cluster->kid[1], KIR_PREC_ANY);
        rg_buf_str(w->out, ", 1, 1) ");
    }
    if (k->min_blocks > 0)
        rg_buf_printf(w->out, "__launch_bounds__(%lld, %d) ", (long long)rg__kir_threads(k), k->min_blocks);
    else if (!k->any_block)
        rg_buf_printf(w->out, "__launch_bounds__(%lld) ", (long long)rg__kir_threads(k));
    rg_buf_printf(w->out, "%s(", k->name);
    parameters(w, "");
}

/* A type of so many bytes that is loaded and stored at once. */
static const char *wide_type(int64_t bytes)
{
    return bytes == 16 ? "uint4" : bytes == 8 ? "uint2" : bytes == 4 ? "unsigned int" : "unsigned short";
}

/* CUDA's own type of neighbours of that kind; NULL: it has none. */
static const char *vector_type(enum rg_scalar type, int width)
{
    if (type == RG_F32) return width == 4 ? "float4" : "float2";
    if (type == RG_F64 && width == 2) return "double2";
    if (type == RG_I32) return width == 4 ? "int4" : "int2";
    if (type == RG_U32) return width == 4 ? "uint4" : "uint2";
    return NULL;
}

const char *rg__kir_cuda_wide(enum rg_scalar type, int width)
{
    const char *own = vector_type(type, width);
    return own ? own : wide_type(width * (int64_t)rg_scalar_bytes(type));
}

int rg__kir_exchange_bits(const struct kir_node *n)
{
    return 8 * (int)rg_scalar_bytes(n->kid[0]->type);
}

static void fragment_type(struct kir_writer *w, const struct kir_symbol *s)
{
    static const char *const roles[] = {"matrix_a", "matrix_b", "accumulator"};
    const struct kir_fragment *f = &s->fragment;
    rg_buf_printf(w->out, "nvcuda::wmma::fragment<nvcuda::wmma::%s, %d, %d, %d, %s", roles[f->role], f->rows,
                  f->columns, f->depth, f->tf32 ? "nvcuda::wmma::precision::tf32" : rg_scalar_cuda(s->type));
    if (f->role != KIR_ACCUMULATOR)
        rg_buf_printf(w->out, ", nvcuda::wmma::%s", f->by_columns ? "col_major" : "row_major");
    rg_buf_str(w->out, "> ");
}

static void extents(struct kir_writer *w, const struct kir_symbol *s, int from)
{
    for (int d = from; d < s->n_dims; d++) {
        rg_buf_char(w->out, '[');
        rg__kir_expression(w, s->dims[d], KIR_PREC_ANY);
        if (s->pad && d + 1 == s->n_dims) rg_buf_printf(w->out, " + %d", s->pad);
        rg_buf_char(w->out, ']');
    }
}

/* A piece of the memory that the launch asks for: from the byte `at` on. */
static void shared_piece(struct kir_writer *w, const struct kir_symbol *s, const struct kir_node *at)
{
    const char *type = rg_scalar_cuda(s->type);
    rg__kir_start(w);
    rg_buf_printf(w->out, s->n_dims > 1 ? "%s (*const %s)" : "%s *const %s", type, s->name);
    extents(w, s, 1);
    rg_buf_printf(w->out, " = (%s ", type);
    rg_buf_str(w->out, s->n_dims > 1 ? "(*)" : "*");
    extents(w, s, 1);
    rg_buf_printf(w->out, ")(%s_shared + ", w->k->name);
    rg__kir_expression(w, at, KIR_PREC_SUM);
    rg__kir_end(w, ");");
}

void rg__kir_cuda_buffer(struct kir_writer *w, const struct kir_symbol *s)
{
    if (s->space == KIR_FRAGMENT)
        fragment_type(w, s);
    else
        rg_buf_printf(w->out, "%s%s ",
                      s->space == KIR_SHARED                   ? "__shared__ __align__(16) "
                      : s->space == KIR_REGISTER && !s->inside ? "__align__(16) "
                                                               : "",
                      rg__kir_type_word(s));
    rg_buf_str(w->out, s->name);
    extents(w, s, 0);
}

static void declarations(struct kir_writer *w, const bool *used)
{
    const struct kir_kernel *k = w->k;
    int n = 0;
    struct kir_kernel *more = (struct kir_kernel *)k; /* expressions are made in its arena */
    bool asked = rg__kir_shared_asked(more) != NULL;
    for (int i = 0; i < k->n_symbols; i++) {
        const struct kir_symbol *s = &k->symbols[i];
        if (!used[i] || s->kind != KIR_CONSTANT) continue;
        if (!n) rg__kir_start(w);
        rg_buf_printf(w->out, "%s%s = %lld", n++ ? ", " : "constexpr int ", s->name, (long long)s->value);
    }
    if (n) rg__kir_end(w, ";");
    if (asked) rg__kir_line(w, "extern __shared__ __align__(16) unsigned char %s_shared[];", k->name);
    for (int i = 0; i < k->n_symbols; i++) {
        const struct kir_symbol *s = &k->symbols[i];
        if (!used[i] || s->kind != KIR_BUFFER || s->space == KIR_GLOBAL || s->space == KIR_TABLE || s->inside) continue;
        if (asked && s->space == KIR_SHARED) {
            shared_piece(w, s, rg__kir_shared_place(more, i));
            continue;
        }
        rg__kir_start(w);
        rg__kir_cuda_buffer(w, s);
        rg__kir_end(w, ";");
    }
}

static void body(struct kir_writer *w)
{
    const struct kir_node *n = w->k->body;
    bool *used = rg__kir_used(w->k);
    w->indent = 1;
    declarations(w, used);
    for (int i = 0; n->kind == KIR_SEQ && i < n->n; i++) rg__kir_cuda_statement(w, n->kid[i]);
    if (n->kind != KIR_SEQ) rg__kir_cuda_statement(w, n);
    rg_buf_str(w->out, "}\n");
    free(used);
}

void rg__kir_cuda(const struct kir_kernel *k, struct rg_buf *out)
{
    struct kir_writer w = {.k = k, .out = out, .indent = 0, .node = rg__kir_cuda_node};
    if (k->heading) rg__kir_line(&w, "// %s", k->heading);
    signature(&w);
    body(&w);
}

static bool asks_for(void *arg, const struct kir_node *n)
{
    struct kir_places *needs = arg;
    bool loop = n->kind == KIR_FOR;
    needs->block |= loop && n->loop <= KIR_GRID_Z && n->loop >= KIR_GRID_X && rg__kir_mentions(n->kid[3], n->symbol);
    needs->thread |= loop && (n->loop == KIR_BLOCK_Y || n->loop == KIR_BLOCK_Z);
    needs->grid |= n->kind == KIR_EXTENT;
    return true;
}

struct kir_places rg__kir_cuda_phase(const struct kir_kernel *k, struct rg_buf *out)
{
    struct kir_writer w = {.k = k, .out = out, .indent = 0, .node = rg__kir_cuda_node};
    struct kir_places needs = {false, false, false};
    const char *own[] = {"const uint3 blockIdx", "const uint3 gridDim", "const uint3 threadIdx"};
    rg__kir_walk(k->body, asks_for, &needs);
    bool has[] = {needs.block, needs.grid, needs.thread};
    if (k->heading) rg__kir_line(&w, "// %s", k->heading);
    rg_buf_printf(out, "__device__ __forceinline__ void %s(", k->name);
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (has[i]) rg_buf_printf(out, "%s%s", n++ ? ", " : "", own[i]);
    parameters(&w, n ? ", " : "");
    body(&w);
    return needs;
}

static bool header_of(void *arg, const struct kir_node *n)
{
    struct kir_headers *h = arg;
    h->groups = h->groups || n->peer || (n->kind == KIR_BARRIER && n->scope > KIR_BLOCK) ||
                (n->kind == KIR_FOR && n->loop == KIR_CLUSTER_X);
    h->matrices = h->matrices || n->kind == KIR_MATRIX;
    if (n->kind == KIR_ATOMIC && n->atomic == KIR_ATOMIC_UPDATE) h->exchange[rg__kir_exchange_bits(n) == 64] = true;
    return true;
}

void rg__kir_cuda_headers(const struct kir_kernel *k, struct kir_headers *h)
{
    rg__kir_walk(k->body, header_of, h);
}
