/* Memory that pointers cut into parts. */
#ifndef RG_FRONTEND_BUILD_PARTS_H
#define RG_FRONTEND_BUILD_PARTS_H
#include "frontend/read/build.h"

/* Is the pointer `decl`, no array as yet, memory of its own from its one allocation on, so that `part` may be a place
 * in it? */
bool rg__becomes_memory(struct rg__build *b, CXCursor scope, CXCursor decl, CXCursor part);
#endif
