/* Kernel IR: what values have to do with a thread's place. */
#ifndef RG_POLY_KIR_THREADS_H
#define RG_POLY_KIR_THREADS_H
#include "poly/kir/kir.h"

struct kir_threads {
    const struct kir_kernel *k;
    const struct kir_node **value; /* [VALUE symbol] what it names */
    const struct kir_node **loop;  /* [INDEX symbol] its loop */
    unsigned *depends;             /* [symbol] bit of each loop over threads that its value depends on */
};
void rg__kir_threads_find(struct kir_threads *w, const struct kir_kernel *k);
void rg__kir_threads_free(struct kir_threads *w);

unsigned rg__kir_depends(const struct kir_threads *w, const struct kir_node *n); /* bits of loops over threads */
int64_t rg__kir_threads_along(const struct kir_kernel *k, enum kir_loop loop);   /* its extent; 1 without one */
const struct kir_node *rg__kir_meaning(const struct kir_threads *w,
                                       const struct kir_node *n);           /* of a name: its value */
bool rg__kir_stable(const struct kir_threads *w, const struct kir_node *n); /* has one value in an iteration */
/* x, and the number added to it. */
const struct kir_node *rg__kir_without_number(const struct kir_threads *w, const struct kir_node *n, int64_t *c);
/* Bits of the loops over threads whose threads a serial loop is dealt out to, so that its variable has no value twice;
 * 0. */
unsigned rg__kir_dealt_to(const struct kir_threads *w, int index);
/* place + round * 256, where places of threads are below 256 and the round is every thread's: it tells places apart in
 * whatever rounds. The place; NULL: it is nothing such. */
const struct kir_node *rg__kir_round_of(const struct kir_threads *w, const struct kir_node *n);
/* x of x * factor + number. */
const struct kir_node *rg__kir_scaled(const struct kir_threads *w, const struct kir_node *n, int64_t *factor,
                                      int64_t *number);
/* Do the subscripts of so many elements at once, less those of the bits, tell apart all threads that share the buffer?
 */
bool rg__kir_one_threads(const struct kir_threads *w, const struct kir_node *element, int width, unsigned less);
#endif
