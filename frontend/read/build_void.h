/* What a void pointer (a parameter, a file-scope variable, a member) leads to: build_void.c. */
#ifndef RG_FRONTEND_BUILD_VOID_H
#define RG_FRONTEND_BUILD_VOID_H
#include "frontend/read/build.h"

struct rg__void {
    CXType type;        /* of an element, */
    bool bytes;         /* or bytes that have no type */
    const char *differ; /* it is converted to these two types; NULL */
};
bool rg__is_void_pointer(struct rg__build *b, CXType t);
/* false: nothing says it, or *differ. Cost: a walk over the functions that may run for each name that it gets. */
bool rg__void_element(struct rg__build *b, CXCursor decl, struct rg__void *out);
/* k, the operand of the conversion c that C makes itself: from a void pointer to what it does not lead to, as a cast.
 */
struct rg_cnode *rg__from_void(struct rg__build *b, CXCursor c, struct rg_cnode *k);
#endif
