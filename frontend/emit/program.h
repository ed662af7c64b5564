/* The file's own program, run up to its call of the function: it makes inputs, and sizes that belong together. */
#ifndef RG_FRONTEND_PROGRAM_H
#define RG_FRONTEND_PROGRAM_H
#include "frontend/load.h"

/* program_text.c */
/* Is everything that the function is given an expression where it is called? */
bool rg__program_reads(struct rg__load *l);
/* Is it a constant of an unnamed enumeration, `enum { N = 600 };`, whose number may be divided? */
bool rg__program_constant(const struct rg__load *l, CXCursor x, CXCursor *decl);
/* C behind the user's file: rg_start() runs the program. trial: it prints the sizes and makes no inputs. false: the
 * program can't be copied. */
bool rg__program_text(struct rg__load *l, bool trial, struct rg_buf *out);
/* The shim's rg_shim_init. */
void rg__program_init(struct rg__load *l, struct rg_buf *out);

/* program_run.c: finds the way from main() to the function and tries it at several sizes: l->program. Nothing where
 * the program does more than compute before it comes there, or does not come there. */
void rg__program_try(struct rg__load *l);
/* The sizes that it makes once more, as there are more that the data say; none where it does not run again. */
void rg__program_again(struct rg__load *l);
#endif
