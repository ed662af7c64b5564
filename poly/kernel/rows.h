/* Rows: kernels whose points go over one row of elements in several loops, one after the other. */
#ifndef RG_POLY_ROWS_H
#define RG_POLY_ROWS_H
#include "poly/kernel/kernel.h"
#include "poly/kir/kir.h"

enum { POLY_ROW_LOOPS = 16, POLY_ROW_ARRAYS = 8, POLY_ROW_ELEMENTS = 8, POLY_ROW_ACCS = 8, POLY_ROW_PLACES = 96 };

struct poly_row {
    /* All loops over the row go from a least lower to a greatest upper bound: place 0 of the row is the former's. */
    const struct rg_cnode *lower, *upper;
    struct poly_linear first, end;
    int n_loops;
    struct poly_row_loop {
        const struct poly_knode *k;
        int64_t skip, rest; /* places in front of its own and behind it that are not its */
        int n_acc;
        struct poly_acc acc[POLY_ROW_ACCS];
    } loops[POLY_ROW_LOOPS];
    int n_arrays;
    struct poly_row_array { /* of each place one element: its last subscript is the loop's variable plus `shift` */
        int array;
        const struct rg_cnode *element; /* one of its references */
        int64_t shift;
        int64_t skip, rest; /* places that no loop uses */
        int from, to;       /* the first and the last loop that uses it */
        bool load, store;
        bool own; /* a local array of the row's: nobody else ever sees it */
    } arrays[POLY_ROW_ARRAYS];
    int n_places;
    struct poly_row_place { /* references that mean a row's element, by its place */
        const struct rg_cnode *node;
        int array;
    } places[POLY_ROW_PLACES];
    int n_elements;
    struct poly_row_element { /* an element for the whole row that the kernel writes: every thread has it */
        int array;
        const struct rg_cnode *element;
        bool load;
    } elements[POLY_ROW_ELEMENTS];
};

/* Is the kernel one whose points are rows? False: one sentence. */
bool rg__poly_row_of(const struct poly_program *p, const struct poly_kernel *k, struct poly_row *r,
                     struct rg_reason *why);
/* row_kernel.c: the kernel, where `threads` of a block (32: a warp, of which a block has one for each of its `rows`)
 * hold `held` elements of each of the row's arrays. NULL: why. */
struct poly_row_shape {
    int threads, held, rows, min_blocks;
};
struct kir_kernel *rg__poly_row_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                       const struct poly_row_shape *shape, struct rg_arena *arena,
                                       struct rg_reason *why);
/* How many places a row has at one of the problem's sizes; -1: not known. */
int64_t rg__poly_row_length(const struct poly_scop *s, const struct poly_row *r, const struct rg_sizes *z);
/* Which of the row's arrays, or elements, the reference means; -1: none, it is read where it is. */
int rg__poly_row_array_of(const struct poly_row *r, const struct rg_cnode *index);
int rg__poly_row_element_of(const struct poly_scop *s, const struct poly_row *r, const struct rg_cnode *index);
#endif
