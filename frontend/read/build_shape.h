/* build_shape.c: pointers under another shape than that of the array they point into. */
#ifndef RG_FRONTEND_BUILD_SHAPE_H
#define RG_FRONTEND_BUILD_SHAPE_H
#include "frontend/read/build.h"

/* Is it one to rows of another length: a node that only the reader knows? kid[0]: where they begin; the extents. */
bool rg__is_rows(const struct rg_cnode *p);
bool rg__rows_left(const struct rg_cnode *n); /* is there one in it? */
/* Subscripts that lead to an element; 0: nobody knows. */
int rg__pointer_depth(struct rg__build *b, struct rg_cnode *p);
/* The same address as a pointer to elements, in one piece up to the array's end; NULL: it can't be said. */
struct rg_cnode *rg__flat_pointer(struct rg__build *b, struct rg_cnode *p);
struct rg_cnode *rg__rows_of(struct rg__build *b, struct rg_cnode *flat, struct rg_cnode *const *extents, int n);
/* Elements in a row of those extents. */
struct rg_cnode *rg__row_size(struct rg__build *b, struct rg_cnode *const *extents, int n);
/* Such a pointer `by` rows on; into: the row there. */
struct rg_cnode *rg__rows_moved(struct rg__build *b, const struct rg_cnode *p, struct rg_cnode *by, bool into);
/* A pointer that moves has one shape, which its first value says: is it that of this value, too? */
bool rg__keeps_extents(struct rg__build *b, struct rg__sym *s, const struct rg_cnode *value, bool first);
/* (type)p; NULL: the elements differ, or nobody knows the extents. */
struct rg_cnode *rg__cast_shape(struct rg__build *b, struct rg_cnode *p, CXType to, CXCursor cast,
                                struct rg__children kids);
/* A pointer as the value of a variable or a parameter, whose type says its shape; itself where that is the same. */
struct rg_cnode *rg__declared_shape(struct rg__build *b, struct rg_cnode *p, CXCursor decl);
/* NULL, or how what a pointer of that type must lead to is something else. */
const char *rg__misshapen(struct rg__build *b, struct rg_cnode *v, CXType t);
/* A pointer to a row's elements is kept, or moved: it may leave the row. */
void rg__note_walk(struct rg__build *b, const struct rg_cnode *p);
#endif
