/* Members of structures as parameters of their own: build_field.c. */
#ifndef RG_FRONTEND_BUILD_FIELD_H
#define RG_FRONTEND_BUILD_FIELD_H
#include "frontend/read/build.h"

/* An integer member of a structure parameter that is only read (`g.nx`, `g->nx`), or that nothing writes, counts as a
 * parameter of its own, g_nx: it may bound loops and have sizes. Its variable's node; NULL when the structure does not
 * allow it. */
struct rg_cnode *rg__build_field_param(struct rg__build *b, const struct rg_cnode *base, const char *member,
                                       CXType type);
/* The same of an element of a small array member, `g->dim[2]`, of which all that runs reads elements and no more; `sub`
 * must be known. */
struct rg_cnode *rg__build_element_param(struct rg__build *b, const struct rg_cnode *array, const struct rg_cnode *sub);
/* Is it certain that nothing that runs writes the scalar member, under its name or not (build_unwritten.c)? */
bool rg__member_unwritten(struct rg__build *b, int structure, const char *member);
/* Is it an assignment, a step or an address, and of what? */
bool rg__is_set_or_taken(struct rg__build *b, CXCursor c, CXCursor *to);
/* Does all that runs read elements of the member, and no more (with subscripts that are constants)? */
bool rg__elements_only_read(struct rg__build *b, const char *record, const char *member, bool constant);
/* Does a body that is run to its end, and does not set the counter, read such elements by it? */
bool rg__picks_elements(struct rg__build *b, CXCursor body, uint32_t counter);
/* Is there a member that is subscripted by a variable? Asked first: it builds nothing. */
bool rg__may_pick_elements(struct rg__build *b, CXCursor body);
#endif
