/* Kernel IR: how far values vary, for all symbols of a kernel at once. */
#ifndef RG_POLY_KIR_VARIES_H
#define RG_POLY_KIR_VARIES_H
#include "poly/kir/kir.h"

/* of[symbol]: over which threads its value may differ, as rg__kir_varies has it; as many as the kernel has symbols. */
void rg__kir_variance(const struct kir_kernel *k, enum kir_scope *of);
enum kir_scope rg__kir_varies_in(const struct kir_kernel *k, const enum kir_scope *of, const struct kir_node *n);
/* Over which threads it may differ whether the loop of that body is left from inside; of the kernel's body, whether the
 * thread's code is. */
enum kir_scope rg__kir_leaving(const struct kir_kernel *k, const enum kir_scope *of, const struct kir_node *n);
#endif
