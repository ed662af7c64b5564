/* What code does by the look of its tokens, before there is a tree (build_reads.c). */
#ifndef RG_FRONTEND_BUILD_READS_H
#define RG_FRONTEND_BUILD_READS_H
#include "frontend/read/build.h"

/* Is every use of the function's pointer parameter a read of a member? */
bool rg__only_members_read(struct rg__build *b, const char *name);
/* Does the function go through the pointer to its members alone, read or written: to one structure, never to the next?
 */
bool rg__one_structure(struct rg__build *b, const char *name);
bool rg__argument_only_read(struct rg__build *b, int tok, int depth); /* of the argument that starts with the token */
bool rg__sets(struct rg__build *b, CXCursor e);                       /* does the expression assign or step anything? */
/* Has the parameter still the value that the function was called with at `where` in its body, which stands in no loop?
 */
bool rg__is_unchanged_at(struct rg__build *b, uint32_t key, CXCursor where);
#endif
