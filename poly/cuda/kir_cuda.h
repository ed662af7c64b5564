/* Kernel IR as CUDA, and its launch in a plan. Nothing is decided here. */
#ifndef RG_POLY_KIR_CUDA_H
#define RG_POLY_KIR_CUDA_H
#include "poly/kir/kir.h"

/* The kernel's definition, and what it is launched with: "grid, block>>>(arguments)" as a plan has it. */
void rg__kir_cuda(const struct kir_kernel *k, struct rg_buf *out);
/* It as a function of a kernel that has its threads and gives it its place in its launch, as far as it asks for that.
 */
struct kir_places {
    bool block, grid, thread;
};
struct kir_places rg__kir_cuda_phase(const struct kir_kernel *k, struct rg_buf *out);
void rg__kir_plan_launch(const struct kir_kernel *k, struct rg_buf *plan, int indent);
/* Elements of the buffer that the plan has for the launch under that name; NULL: it has none. */
const char *rg__kir_plan_elements(const struct kir_kernel *k, const char *buffer, struct rg_arena *a);
void rg__kir_plan_scratch(const struct kir_kernel *k, struct rg_buf *plan); /* buffers that it asks for */
void rg__kir_plan_expression(const struct kir_kernel *k, const struct kir_node *n, struct rg_buf *plan);
/* kir_code.c: as a writer asks for them (kir/text.h); bits of what an UPDATE exchanges. */
struct kir_writer;
bool rg__kir_cuda_node(struct kir_writer *w, const struct kir_node *n);
void rg__kir_cuda_statement(struct kir_writer *w, const struct kir_node *n);
void rg__kir_cuda_address(struct kir_writer *w, const struct kir_node *n); /* of a place */
/* kir_quoted.c */
void rg__kir_cuda_opaque(struct kir_writer *w, const struct kir_node *n);
void rg__kir_cuda_sort(struct kir_writer *w, const struct kir_node *n);
/* kir_cuda.c */
void rg__kir_cuda_buffer(struct kir_writer *w, const struct kir_symbol *s); /* its declaration, in a line begun */
int rg__kir_exchange_bits(const struct kir_node *n);
/* CUDA's type of so many neighbours, loaded and stored at once. */
const char *rg__kir_cuda_wide(enum rg_scalar type, int width);

/* exchange.c: the function by which an update is made that is no atomic instruction, of so many bits: its name, unlike
 * any of the tree's (NULL: there is none), and its definition. */
enum { RG__EXCHANGE_NAME = 40 };
void rg__cuda_exchange_name(const struct rg_ctree *t, int bits, char name[RG__EXCHANGE_NAME]);
void rg__cuda_exchange(const struct rg_ctree *t, int bits, struct rg_buf *out);

/* What must stand above it. */
struct kir_headers {
    bool groups, matrices, exchange[2]; /* of 32 bits, of 64 */
};
void rg__kir_cuda_headers(const struct kir_kernel *k, struct kir_headers *h); /* h, and what this one needs */
#endif
