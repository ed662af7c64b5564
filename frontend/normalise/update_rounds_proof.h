/* The inside of rg__round_follow: what is known at a place of a round (update_rounds_values.c). */
#ifndef RG_FRONTEND_UPDATE_ROUNDS_PROOF_H
#define RG_FRONTEND_UPDATE_ROUNDS_PROOF_H
#include "frontend/normalise/update_rounds.h"

enum motion { STILL, FALLS, RISES, UNKNOWN };

struct known { /* of a local, at a place of the round */
    enum motion moves;
    const struct rg_cnode *is;   /* the value that it has here; NULL */
    const struct rg_cnode *from; /* an element that it is not beyond, in the direction of the updates; NULL */
    bool logic;                  /* it is 0 or 1, a condition's value */
    bool apart;                  /* it is not the background */
    int depth;                   /* how many facts held where it was declared */
};

struct follow {
    struct rg__round *r;
    struct known *now;             /* [var] */
    struct rg_cnode *const *items; /* the round's statements */
    int n_items;
    int n_facts;
    struct rg__condition facts[RG__ROUNDS_FACTS];
    const struct rg_cnode *loop;
    const struct rg_cnode *around[RG__MAX_NEST]; /* loops of the round; the last is `loop` */
    int n_around;
};

extern const char *const rg__round_least_of[3], *const rg__round_most_of[3]; /* of two values: functions */
enum motion rg__round_join(enum motion a, enum motion b);
enum motion rg__round_turned(enum motion m);
bool rg__round_element(const struct follow *f, const struct rg_cnode *e);
bool rg__round_called(const struct rg_cnode *e, const char *const *names, int n);
bool rg__round_mentions(const struct rg_cnode *e, int array);
bool rg__round_wraps(enum rg_scalar t);
/* Without conversions that keep the value. */
const struct rg_cnode *rg__round_strip(const struct rg_cnode *e);
/* The same, with what locals stand for. */
const struct rg_cnode *rg__round_resolve(const struct follow *f, const struct rg_cnode *e);
bool rg__round_same(const struct follow *f, const struct rg_cnode *a, const struct rg_cnode *b);
bool rg__round_one_place(const struct follow *f, const struct rg_cnode *a, const struct rg_cnode *b);
/* update_rounds_bits.c: of an operation on elements that are sets of bits. */
enum motion rg__round_bits(const struct follow *f, const struct rg_cnode *e);
enum motion rg__round_motion_of(const struct follow *f, const struct rg_cnode *e);
bool rg__round_near(const struct rg__round *r, enum rg_scalar type);
/* All values that the local is ever set to in the round are numbers: the least and the greatest. */
bool rg__round_few(const struct rg_cnode *n, int var, double *least, double *most);
int rg__round_compares(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *a,
                       const struct rg_cnode *b, bool loose);
/* Adds what it says, part by part, that the condition holds, or that it does not. */
void rg__round_assume(struct follow *f, const struct rg_cnode *c, bool holds, bool derived);
bool rg__round_stays_true(const struct follow *f, const struct rg__condition *x);
/* Of what is `next` where the facts from `first` on hold, and `old` elsewhere. */
enum motion rg__round_chosen(const struct follow *f, int first, const struct rg_cnode *next, enum motion old,
                             const struct rg_cnode *old_node);
/* Does the condition say that an element is not the background? */
bool rg__round_rules_out(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *place);
bool rg__round_not_background(const struct follow *f, const struct rg_cnode *e);
#endif
