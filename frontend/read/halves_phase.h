/* What becomes of a statement of a function that calls itself for both halves, for all calls of a level (halves.h):
 * halves_phase.c says that of elements and numbers, halves_levels.c makes the loops. */
#ifndef RG_FRONTEND_HALVES_PHASE_H
#define RG_FRONTEND_HALVES_PHASE_H
#include "frontend/read/halves.h"

struct rg__halves_phase {
    struct rg__halves *x;
    struct rg_ctree *t;
    int level, call;             /* variables: m, and where in an array of all elements the call's begin */
    struct rg_cnode *mirrored;   /* the number of a call of one element, its bits in reverse; NULL */
    const struct rg_cnode *pair; /* k; NULL: the call has one element */
    bool pairs;
    int load[RG__HALVES_FAMILIES][2]; /* scalars with what the calls left; -1 none yet */
    struct rg__kids loads;
    int written[RG__HALVES_FAMILIES];      /* bits: low, high, as the body always sets them */
    int n_places, places[RG__HALVES_SETS]; /* scalars that are places in the call's elements */
};

/* A statement that declares or sets a scalar of the function, to what no array has a part in. */
bool rg__halves_is_scalar_set(const struct rg__halves *x, const struct rg_cnode *s);
/* A declaration of it with that value. */
struct rg_cnode *rg__halves_declared(struct rg_ctree *t, int var, struct rg_cnode *value);
/* for (var = first; var op limit; var step_op step) body; the list is released. */
struct rg_cnode *rg__halves_loop(struct rg_ctree *t, int var, struct rg_cnode *first, enum rg_c_op op,
                                 struct rg_cnode *limit, enum rg_c_op step_op, struct rg_cnode *step,
                                 struct rg__kids *body, const struct rg_cnode *at);
/* The type of a call's size. */
enum rg_scalar rg__halves_counted_in(const struct rg__halves *x);
/* h, of the level. */
struct rg_cnode *rg__halves_half(const struct rg__halves_phase *p);
/* a + b; of NULL the other. */
struct rg_cnode *rg__halves_sum(struct rg_ctree *t, struct rg_cnode *a, struct rg_cnode *b);
/* Of a family, by its number among all. */
struct rg_cnode *rg__halves_element(const struct rg__halves *x, const struct rg__halves_family *f, struct rg_cnode *at);
/* Elements of families as they are here; false: one of another call, or one that has no place. */
bool rg__halves_replace(struct rg__halves_phase *p, struct rg_cnode **at, bool written);
/* Which elements of families that move the statement sets, whatever happens. */
void rg__halves_note_written(struct rg__halves_phase *p, const struct rg_cnode *s);
/* x[k].re = ..; x[k].im = ..; of all members, one behind the other. */
void rg__halves_note_members(struct rg__halves_phase *p, const struct rg_cnode *body);
/* Of parameters of the problem and literals. */
bool rg__halves_same_everywhere(const struct rg__halves *x, const struct rg_cnode *e);
/* Parameters as they are in this call. NULL: one that is nothing here. */
struct rg_cnode *rg__halves_numbers(const struct rg__halves_phase *p, struct rg_cnode *n);
#endif
