/* A time loop that copies what it has computed over what it started from, as buffers that take turns. */
#ifndef RG_POLY_TURNS_H
#define RG_POLY_TURNS_H
#include "poly/analysis/scop.h"

enum { TURNS_ARRAYS = 3, TURNS_ITEMS = 32, TURNS_PERIOD = 6 };

struct poly_turns {
    struct poly_scop *s;
    struct rg_arena *a;
    int loop; /* counted, outermost, one by one */
    int n_items;
    const struct rg_cnode *item[TURNS_ITEMS]; /* of its body */
    int first_copy, n_copy_items;             /* the items that only copy */
    int n; /* arrays: each of them but the last is set to the next one, in that order; the last is computed */
    int array[TURNS_ARRAYS];
    const struct rg_cnode *copy[TURNS_ARRAYS]; /* the statement that sets array[i] */
    int first_write; /* the item that writes the last one first, counted from behind the copies; it must exist */
    bool equal; /* what is copied is what is written, and nobody reads the last one before: no iteration has to run as
                   it stands first */
    int home;   /* the only one that is read outside of what is copied; the others' places are new buffers */
    int period;
    int place[TURNS_PERIOD][TURNS_ITEMS]
             [TURNS_ARRAYS]; /* in the k-th iteration, at the item: the buffer that array i is in */
    int start[TURNS_ARRAYS]; /* at the start of each period */
};

/* double_buffer.c: what the loop is made of, and whether no value changes; false: it is none, or may not. */
bool rg__poly_turns_of(struct poly_scop *s, int loop, struct rg_arena *a, struct poly_turns *out);
/* double_buffer_tree.c: the function's tree with the loop written so. */
const struct rg_ctree *rg__poly_turns_tree(const struct poly_turns *u);
/* Every time loop whose buffers may take turns, analysed so. */
enum rg_status rg__poly_turns_everywhere(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err);
#endif
