/* The file's own program, run up to its call of the function: it makes inputs, and sizes that belong together. */
#ifndef RG_FRONTEND_PROGRAM_H
#define RG_FRONTEND_PROGRAM_H
#include "frontend/load.h"

/* program_text.c */
/* Is everything that the function is given an expression where it is called? */
bool rg__program_reads(struct rg__load *l);
/* C behind the user's file: rg_start() runs the program. trial: it prints the sizes and makes no inputs. false: the
 * program can't be copied. */
bool rg__program_text(struct rg__load *l, bool trial, struct rg_buf *out);
/* May the number be divided, for what stands around it? No bit pattern, no shift, no remainder. */
bool rg__program_divides(const struct rg__source *s, int tok);
/* The shim's rg_shim_init. */
void rg__program_init(struct rg__load *l, struct rg_buf *out);

/* program_enums.c: enumerators of sizes in [from, to) of the text, by the tokens of their names and values. */
enum { RG__PROGRAM_ENUMS = 32 };
struct rg__program_enums {
    int n;
    struct {
        int name, from, to;
    } at[RG__PROGRAM_ENUMS];
};
void rg__program_enums(struct rg__program_enums *e, const struct rg__source *s, uint32_t from, uint32_t to);
/* The enumerator that the token names, -1. */
int rg__program_enumerator(const struct rg__program_enums *e, const struct rg__source *s, int tok);

/* program_run.c: finds the way from main() to the function and tries it at several sizes: l->program. Nothing where
 * the program does more than compute before it comes there, or does not come there. */
void rg__program_try(struct rg__load *l);
#endif
