/* Memory that pointers cut into parts. */
#ifndef RG_FRONTEND_BUILD_PARTS_H
#define RG_FRONTEND_BUILD_PARTS_H
#include "frontend/read/build.h"

/* Is the variable set to memory of its own, or NULL, and to nothing else behind its declaration? Then it is one array.
 */
bool rg__only_allocated(struct rg__build *b, CXCursor decl);
/* Is the pointer `decl`, no array as yet, memory of its own from its one allocation on, so that `part` may be a place
 * in it? */
bool rg__becomes_memory(struct rg__build *b, CXCursor scope, CXCursor decl, CXCursor part);
/* Is every use of the pointer behind the allocation at `at`, whichever way the code goes? Else it may be NULL. */
bool rg__allocated_before_use(struct rg__build *b, CXCursor scope, CXCursor decl, uint32_t at);
/* Are all uses of a pointer into `root` in the block that allocates it? */
bool rg__stays_in_block(struct rg__build *b, CXCursor scope, CXCursor root, CXCursor decl);
/* A pointer to places in several arrays, one at a time: an offset into a view, which stands for the array. -1: none can
 * be made of its type. */
int rg__moving_view(struct rg__build *b, CXCursor decl);
/* May such a pointer lead into the array? Then there it leads from here on. */
bool rg__moving_fits(const struct rg__build *b, const struct rg__sym *s, int array);
void rg__moving_assign(struct rg__build *b, const struct rg__sym *s, int array, struct rg__kids *out);
/* Do both pointers lead to the same type? */
bool rg__same_pointee(struct rg__build *b, CXCursor x, CXCursor y);
/* rows[i], *rows: an element that is no number or structure. */
bool rg__leads_on(struct rg__build *b, CXCursor v);
#endif
