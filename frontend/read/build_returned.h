/* Functions that return a pointer (build_returned.c). */
#ifndef RG_FRONTEND_BUILD_RETURNED_H
#define RG_FRONTEND_BUILD_RETURNED_H
#include "frontend/read/build.h"

/* The result of such a function: a number (rg_problem.places). */
enum rg_status rg__returned_param(struct rg__build *b, const struct rg__function *f, CXType result);
/* What it is refused with. */
enum rg_status rg__refuse_returned(struct rg__build *b, const struct rg__function *f, const char *why);
/* Such a pointer where a `return` has it, its tests for null said. */
struct rg_cnode *rg__returned_pointer(struct rg__build *b, struct rg_cnode *v);
/* All of them as numbers in the finished tree, which stays unusable where one leads elsewhere. */
void rg__returned_end(struct rg__build *b, struct rg_cnode *root);
#endif
