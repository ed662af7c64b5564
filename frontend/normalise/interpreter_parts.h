/* What the files of the interpreter share. */
#ifndef RG_FRONTEND_INTERPRETER_PARTS_H
#define RG_FRONTEND_INTERPRETER_PARTS_H
#include "frontend/normalise/interpreter.h"

extern const struct rg__value rg__run_unset;
/* Ends the run, unless it has ended. */
struct rg__value rg__run_stop(struct rg__interpreter *r, enum rg__run_status s);
struct rg__value rg__run_pointer(int object, int64_t at);

/* ---- interpreter_values.c ---- */
int64_t rg__run_wrapped(int64_t v, enum rg_scalar type);
/* Something is made of the value: if it is a watched element, that is more than moving it. */
void rg__run_used(struct rg__interpreter *r, const struct rg__value *v);
struct rg__value rg__run_converted(struct rg__interpreter *r, struct rg__value v, enum rg_scalar to,
                                   enum rg_scalar from);
/* a op b of values of these types, as a value of `type`. */
struct rg__value rg__run_applied(struct rg__interpreter *r, enum rg_c_op op, struct rg__value a, enum rg_scalar ta,
                                 struct rg__value b, enum rg_scalar tb, enum rg_scalar type);

/* The bits of a number as one of another kind (CUDA's __float_as_uint and the like). False: `name` is none of them. */
bool rg__run_bits(struct rg__interpreter *r, const char *name, struct rg__value *v);

/* ---- interpreter_coverage.c ---- */
/* A condition came out so. */
void rg__interpreter_saw(struct rg__interpreter *r, const struct rg_cnode *condition, bool yes);
#endif
