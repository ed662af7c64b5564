/* The steps that the built-in coder can do, a line each, in canonical order: by their words, which are the names of
 * their files and what a regraph's steps call them. Those that give the loops another order come before those that
 * share loops among threads, and these before those that shape kernels. First steps (first.c) are taken in this order,
 * too. */
#ifndef RG_POLY_REGISTRY_H
#define RG_POLY_REGISTRY_H

#define POLY_STEPS(X)                                                                                                  \
    X(last_writer)                                                                                                     \
    X(ping_pong)                                                                                                       \
    X(sequential)                                                                                                      \
    X(wavefront)                                                                                                       \
    X(fission)                                                                                                         \
    X(last_value)                                                                                                      \
    X(array_expand)                                                                                                    \
    X(fuse)                                                                                                            \
    X(interchange)                                                                                                     \
    X(parallelize)                                                                                                     \
    X(scan_block)                                                                                                      \
    X(reduce_split)                                                                                                    \
    X(reduce_block)                                                                                                    \
    X(share_block)                                                                                                     \
    X(row_warp)                                                                                                        \
    X(row_registers)                                                                                                   \
    X(coalesce)                                                                                                        \
    X(privatise_histogram)                                                                                             \
    X(tile_two_level)                                                                                                  \
    X(coarsen_register)                                                                                                \
    X(tile_shared)                                                                                                     \
    X(vectorize)                                                                                                       \
    X(grid_stride)                                                                                                     \
    X(resident_block)                                                                                                  \
    X(resident_grid)                                                                                                   \
    X(time_tile)                                                                                                       \
    X(reduce_warp)                                                                                                     \
    X(unroll)                                                                                                          \
    X(prefetch_register)                                                                                               \
    X(launch_bounds)                                                                                                   \
    X(readonly)                                                                                                        \
    X(block_shape)

struct poly_step;
#define X(word) extern const struct poly_step rg__poly_step_##word;
POLY_STEPS(X)
#undef X

/* A step's place in the order. */
#define X(word) POLY_RANK_##word,
enum poly_rank { POLY_STEPS(X) POLY_N_STEPS };
#undef X
/* In a step's own file: who it is. */
#define POLY_STEP(name) .word = #name, .rank = POLY_RANK_##name

extern const struct poly_step *const rg__poly_steps[POLY_N_STEPS];
#endif
