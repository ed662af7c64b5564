/* Printing programs. One `struct poly_print` a kernel. */
#ifndef RG_POLY_PRINT_H
#define RG_POLY_PRINT_H
#include "poly/kernel/kernel.h"
#include "poly/kernel/resident_kernel.h"
#include "poly/kernel/sort_kernel.h"
#include "poly/kernel/tiling.h"
#include <rg/buf.h>

struct poly_print {
    struct rg_arena arena; /* texts */
    const struct poly_program *p;
    const struct poly_scop *s;
    const struct rg_ctree *t;
    const struct poly_kernel *k;
    const struct kir_kernel *kir;  /* as built for these values */
    struct poly_sort_kernels sort; /* form SORT */
    struct poly_values v;
    struct rg_error *err;
    bool failed;
    struct poly_phase phase;   /* of a cooperative kernel: what it is given */
    struct poly_tiling tiling; /* threads, axes */
};

/* ---- print_text.c ---- */
const char *rg__poly_printf(struct poly_print *pr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *rg__poly_var_type(const struct poly_print *pr, int var);
/* A name that nothing in the function has. */
const char *rg__poly_fresh(struct poly_print *pr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *rg__poly_buffer_name(struct poly_print *pr, int array); /* the kernel's argument */
/* The phase is given that, too. */
void rg__poly_given(struct poly_print *pr, enum poly_given what, int index, const char *name, enum rg_scalar type,
                    bool written);
void rg__poly_print_refused(struct poly_print *pr, const struct rg_reason *why); /* the values do not fit the kernel */

/* ---- print_sort.c ---- */
void rg__poly_sort_scratch(struct poly_print *pr, struct rg_buf *plan);
void rg__poly_sort_launch(struct poly_print *pr, struct rg_buf *plan, int indent);

/* ---- print_kernel.c ---- */
enum rg_status rg__poly_print_program(const struct poly_program *p, const struct poly_values *v, struct rg_buf *cuda,
                                      struct rg_buf *plan, struct rg_error *err);

/* ---- print_plan.c ---- */
struct poly_planning {
    const struct poly_program *p;
    struct poly_print *prints; /* one a kernel */
    struct rg_buf *out;
    struct rg_buf *cuda; /* cooperative kernels go there */
};
void rg__poly_plan_node(struct poly_planning *pl, const struct poly_hnode *h, int indent);
/* Buffers into the plan; into `cuda` the kernels that fill those of changed parameters. */
enum rg_status rg__poly_plan_scratch(struct poly_planning *pl, struct rg_buf *cuda, struct rg_error *err);

/* ---- print_resident.c ---- */
/* A loop of the plan as one cooperative kernel, and its launch. */
void rg__poly_plan_resident(struct poly_planning *pl, const struct poly_hnode *h, int indent);
#endif
