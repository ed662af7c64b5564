/* From a C file to the raw tree of the function that is meant. */
#ifndef RG_FRONTEND_READ_H
#define RG_FRONTEND_READ_H
#include "frontend/load.h"

/* function_choice.c: the function meant, and which directives are its own (others are dropped). */
enum rg_status rg__select(struct rg__load *l);

/* body.c: the problem's parameters and the raw tree. */
enum rg_status rg__read_body(struct rg__load *l);
/* Once more, with what has become known (l->shape). */
enum rg_status rg__read_again(struct rg__load *l);

/* early_memory.c: declarations of memory stand where all its uses see them. */
void rg__early_memory(struct rg_ctree *t);

/* Does the function call itself, for what it does to memory alone? */
bool rg__calls_itself(struct rg__load *l);

/* verbatim.c: is the body one that no tree can say? Then its tree is one opaque part of text. */
bool rg__is_verbatim(const struct rg__load *l);
void rg__verbatim_tree(struct rg__load *l);
/* no_device.c: RG_INPUT where what runs as it is written has what no device has: assembly, computed gotos. */
enum rg_status rg__refuse_no_device(struct rg__load *l);
/* RG_INPUT: the text may change pointers to rows, which kernels have none of. */
enum rg_status rg__verbatim_rows(struct rg__load *l);
/* Memory whose amount only the run itself knows makes it so. */
void rg__unknown_memory(struct rg__load *l);
#endif
