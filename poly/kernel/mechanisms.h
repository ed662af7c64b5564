/* What one step does that others build on; each is false, with the reason in why, where nothing of it can be done. */
#ifndef RG_POLY_MECHANISMS_H
#define RG_POLY_MECHANISMS_H
#include "poly/kernel/kernel.h"

/* ---- shared_reduction.c: reductions over a block or the grid ---- */
/* Is the loop one that reduce.block could take at this state? */
bool rg__poly_reduce_site(struct poly_program *p, int loop);
bool rg__poly_reduce(struct poly_program *p, const char *site, struct rg_reason *why);
bool rg__poly_reduce_loop(struct poly_program *p, int loop, struct rg_reason *why); /* of a site */
/* An array of which a block's threads would combine an element that other blocks update too; -1. */
int rg__poly_combined_and_shared(struct poly_program *p, const struct poly_kernel *k);

/* ---- guards.c ---- */
/* Kernels ask for themselves what the plan would have to read back, where that pays; when all steps are done. */
void rg__poly_ask_in_kernels(struct poly_program *p);

/* ---- block_fusion.c ---- */
/* Neighbouring short launches of the plan's loops as one of one block, where one of them reduces; behind
 * rg__poly_ask_in_kernels. False: one of them has no form; the program is to be made again without. */
bool rg__poly_fuse_in_block(struct poly_program *p, const struct poly_values *trial);

/* ---- resident.c: loops of the plan inside a kernel ---- */
/* site: "C" all of them that can be taken, or "loop:NAME". */
bool rg__poly_resident_block(struct poly_program *p, const char *site, struct rg_reason *why);
bool rg__poly_resident_grid(struct poly_program *p, const char *site, struct rg_reason *why);
/* Loops of the plan that no other is around, in order, behind the first n of out; count. */
int rg__poly_plan_loops(struct poly_hnode *h, struct poly_hnode **out, int n, int cap);
/* Kernels that no launch names any more, nor another kernel in their place, go. */
void rg__poly_sweep_kernels(struct poly_program *p);
/* Are the kernels that became phases still ones that can be? */
bool rg__poly_phases_ok(const struct poly_program *p, struct rg_reason *why);
/* Loops of the plan with more passes than that move into a kernel: of one block where each launch is small, of the
 * whole grid. */
void rg__poly_limit_launches(struct poly_program *p, double passes);
#endif
