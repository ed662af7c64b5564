/* Kernel IR: the verifier's parts. */
#ifndef RG_POLY_KIR_VERIFY_H
#define RG_POLY_KIR_VERIFY_H
#include "poly/kir/varies.h"

/* First refusal wins; false always. `n`: what it is about, or a part of it. */
bool rg__kir_refuse(const struct kir_kernel *k, struct kir_refusal *why, const struct kir_node *n, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool rg__kir_verify_names(const struct kir_kernel *k,
                          struct kir_refusal *why); /* names, types, loops; verify_names.c */
bool rg__kir_verify_shared(const struct kir_kernel *k, struct kir_refusal *why); /* shared, copies; verify_shared.c */
bool rg__kir_verify_bounds(const struct kir_kernel *k, struct kir_refusal *why); /* bounds, launch; verify_bounds.c */
#endif
