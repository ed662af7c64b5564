/* Texts made from a problem: for the reference, the oracle, devices, hosts, people and models. */
#ifndef RG_FRONTEND_EMIT_H
#define RG_FRONTEND_EMIT_H
#include "frontend/load.h"

/* arguments.c: how the C function's own arguments lead to the parameters, for NAME_auto
 * (runtime/export/export_parts.c). */
void rg__arguments(struct rg__load *l);
/* Preprocessed C: the types that these name, those of system headers too. */
void rg__argument_types(struct rg__load *l, struct rg_buf *out);

/* shim.c: C text appended to the user's preprocessed file. `oracle`: types as the fp64 rewriting leaves them. */
enum rg__shim_mode { RG__SHIM_REFERENCE, RG__SHIM_ORACLE };
void rg__shim(struct rg__load *l, enum rg__shim_mode mode, bool wide_double, struct rg_buf *out);
/* shim_tables.c: the parameters and the fields of their structures, as tables; a type's spelling in this build. */
void rg__shim_tables(const struct rg_problem *p, enum rg__shim_mode mode, bool wide, struct rg_buf *out);
const char *rg__shim_type(const struct rg_param *q, enum rg__shim_mode mode, bool wide);
/* shim_expr.c: expressions of sizes in such text; the functions that these call, once in front of them. */
void rg__shim_functions(struct rg_buf *out);
void rg__shim_expr(struct rg_arena *a, struct rg_buf *out, const struct rg_expr *e,
                   const char *(*rename)(void *, const char *), void *arg);
/* The text with `__typeof__(variable)` for the names of structures that have none in the file. */
void rg__shim_named(struct rg__load *l, const char *text, struct rg_buf *out);
/* shim_memory.c: a malloc of the file's own; and, behind the call, what is set in the rg_n elements of so many bytes
 * that rg_returned points to goes to the parameter own. call: the C of the call, once more. */
void rg__shim_malloc(struct rg_buf *out);
void rg__shim_set(const struct rg_problem *p, int own, const char *bytes, const char *call, struct rg_buf *out);
/* stand_in.c: functions that allocate for the init function, and that no file given defines. */
void rg__stand_ins(struct rg__load *l, struct rg_buf *out);
enum rg_status rg__reference_texts(struct rg__load *l);

/* rounds.c: where the body of `loop`, in the file, begins in the preprocessed text `s`: problem.round_at, 0 where that
 * is not clear. */
void rg__round_place(struct rg__load *l, const struct rg__source *s, const struct rg_cnode *loop);

/* constants.c: the integer macros that the texts of rg__texts() name. */
void rg__named_constants(struct rg__load *l);
/* Is the text after this line marker the user's: no system header, nor the compiler itself? */
bool rg__marker_is_users(const char *line, size_t len);

/* texts.c: sources for people, models, devices and hosts */
enum rg_status rg__texts(struct rg__load *l);
#endif
