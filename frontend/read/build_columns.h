/* Members of structures with pointers in them as parameters (build_flat.c); arrays of such structures as a column for
 * each member (build_columns.c). */
#ifndef RG_FRONTEND_BUILD_COLUMNS_H
#define RG_FRONTEND_BUILD_COLUMNS_H
#include "frontend/read/build.h"

/* build_params.c: a member of a structure with pointers in it, or an element of one (t: of that type), as a parameter
 * `name`, which people see as `shown`: what a pointer points to, an array, a value, or a cell when it is written.
 * *node: what the tree says for it. -1 with err set, or with *problem. */
int rg__build_part_param(struct rg__build *b, CXCursor member, CXType t, const char *name, const char *shown,
                         bool written, struct rg_cnode **node, const char **problem);
/* build_params.c: a member of the structures of an array as a parameter over the elements: what it is in each, or the
 * row that it points to. Its array in the tree; -1 with err set, or with *problem. */
int rg__build_column_param(struct rg__build *b, CXCursor member, CXType t, const char *name, const char *shown,
                           bool is_const, const char **problem);
/* An array of the tree that stands for structures of which only the members are there, each an array
 * over the elements (array), or a structure that is there in the same way (inner); the other is -1. */
int rg__columns_new(struct rg__build *b, const char *name);
void rg__columns_part(struct rg__build *b, int columns, CXCursor member, int array, int inner);
/* A member of such an element, a place in its column; NULL: it is none. */
struct rg_cnode *rg__columns_member(struct rg__build *b, const struct rg_cnode *base, const char *member);
/* A member of some element is set. */
void rg__columns_written(struct rg__build *b, int columns);
/* A local, or a parameter that gets the value, is a copy of an element: as no member of any is set, it names that one.
 * False: it is none, or not for good. */
bool rg__columns_copy(struct rg__build *b, CXCursor decl, const struct rg_cnode *value, struct rg__kids *out);
bool rg__columns_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out);
/* Does the member of such structures lead to rows? By its declaration. */
bool rg__columns_rows(const struct rg__build *b, CXCursor member);
/* Does the tree name such a structure as a whole? */
bool rg__columns_left(const struct rg__build *b, const struct rg_cnode *n);
/* Does the function pass its parameter of that name on, and one that may run go along such a parameter of its own? */
bool rg__goes_along(struct rg__build *b, CXType record, const struct rg__function *but, const char *name);
#endif
