/* Where a case keeps its data inside its range of the memory file: per parameter the input bytes (of scalars too), the
 * expected output in its own type as the sequential run gave it, and, with an fp64 oracle, the oracle's values. */
#ifndef RG_RUNTIME_LAYOUT_H
#define RG_RUNTIME_LAYOUT_H
#include <rg/arena.h>
#include <rg/problem.h>

enum { RG_POISON = 0xFF }; /* every byte of outputs and scratch before a launch: NaN in every real type */

struct rg_slot {
    int64_t elements, bytes; /* of the parameter (scalar: 1 element) */
    int64_t input;           /* offset in the range; -1: none (out) */
    int64_t expect;          /* native bytes; -1 (in) */
    int64_t oracle;          /* doubles, real slots of each element in order; -1 */
    int64_t moved;  /* one double a real slot of an element: how far inputs one rounding away moved it at most, NaN
                       unknown; -1 as oracle */
    int64_t spread; /* floats, real slots of each element in order: how far the user's C itself moves it when it rounds
                       otherwise, negative (-0, too): it is a number in some of these runs alone; -1 */
    int64_t unsettled; /* one double a part: integers of it that come out differently then, NaN: nobody has looked; -1
                          (in) */
    int64_t reals;     /* real slots an element has */
};

/* Is `spread` measured by rounding at random, with a call at every basic block? Beyond so many accesses that takes more
 * than some seconds. */
static inline bool rg__spread_rounds(const struct rg_sizes *s)
{
    return s->work <= 2e8;
}

struct rg_layout {
    int n; /* problem->n_params */
    struct rg_slot *slots;
    int64_t bytes;
};

/* expected: with room for expected outputs. Slots in `a`. RG_INPUT when an extent is not positive or overflows. */
enum rg_status rg__layout(struct rg_arena *a, const struct rg_problem *p, const struct rg_sizes *s, bool expected,
                          struct rg_layout *out, struct rg_error *err);

/* The scalar parts of one element: a plain type is one field at offset 0. */
struct rg_parts {
    int n;
    const struct rg_field *fields;
    struct rg_field one; /* storage for a plain type */
};
/* *out must stay where it is: fields may point into it. */
void rg__parts(const struct rg_problem *p, int param, struct rg_parts *out);
int rg__n_parts(const struct rg_problem *p, int param);

/* Value of one scalar, and back (integers through double are exact to 2^53; integers beyond go through rg__load_int).
 */
double rg__load_real(enum rg_scalar t, const void *p);
void rg__store_real(enum rg_scalar t, void *p, double v);
int64_t rg__load_int(enum rg_scalar t, const void *p);
void rg__store_int(enum rg_scalar t, void *p, int64_t v);
/* "n=1000, m=3", or "its only size" where extents are constants. */
void rg__sizes_text(const struct rg_problem *p, const struct rg_sizes *s, char *out, size_t size);
#endif
