/* What steps do to a program; each is false, with one sentence in why, where nothing of it can be done. */
#ifndef RG_POLY_STEPS_H
#define RG_POLY_STEPS_H
#include "poly/kernel/kernel.h"

/* ---- reduce_block.c: reductions over a block or the grid ---- */
/* Is the loop one that reduce.block could take at this state? */
bool rg__poly_reduce_site(struct poly_program *p, int loop);
bool rg__poly_reduce(struct poly_program *p, const char *site, char *why, size_t size);
/* ---- reduce_split.c: a point's loop cut into parts over the grid, added up by a second kernel ---- */
bool rg__poly_split_site(struct poly_program *p, int loop);
bool rg__poly_reduce_split(struct poly_program *p, const char *site, char *why, size_t size);
/* scan.block: loops that one thread runs, shared by the grid, or by a block for each point around them. ---- scan_block.c ---- */
bool rg__poly_scan(struct poly_program *p, const char *site, char *why, size_t size);
bool rg__poly_scan_site(struct poly_program *p, int loop); /* might it be one? */
/* row.warp: teams of lanes instead of blocks. */
bool rg__poly_row_warp(struct poly_program *p, char *why, size_t size);

/* ---- privatise_histogram.c ---- */
/* Does a kernel scatter into the array? */
bool rg__poly_private_site(const struct poly_program *p, int array);
bool rg__poly_privatise(struct poly_program *p, int array, char *why, size_t size);

/* ---- resident.c: loops of the plan inside a kernel ---- */
/* The plan's outermost loops that are no region yet, in order, at most cap; count. */
int rg__poly_host_loops(const struct poly_program *p, struct poly_hnode **out, int cap);
/* site: "C" all of them that can be taken, or "loop:NAME". */
bool rg__poly_resident_block(struct poly_program *p, const char *site, char *why, size_t size);
bool rg__poly_resident_grid(struct poly_program *p, const char *site, char *why, size_t size);
/* Are the kernels that became phases still ones that can be? */
bool rg__poly_phases_ok(const struct poly_program *p, char *why, size_t size);
/* Loops of the plan with more passes than that move into a kernel: of one block where each launch is small, of the whole grid. */
void rg__poly_limit_launches(struct poly_program *p, double passes);
#endif
