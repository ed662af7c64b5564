/* Places that pointers stand for (build_place.c). */
#ifndef RG_FRONTEND_BUILD_PLACE_H
#define RG_FRONTEND_BUILD_PLACE_H
#include "frontend/read/build.h"

/* A pointer to a member or its element that is never set again stands for the place it was given, its subscripts as
 * they are then (appended to out); false: it is none. */
bool rg__place_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out);
/* The same of a pointer to rows of a structure's member, or of a shape that is not its array's. */
bool rg__rows_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out);
bool rg__is_place(const struct rg_cnode *p); /* the address of something that is no array element: &x, &s.field */
/* The same, or a member that is an array, where no pointer is followed on the way there. */
bool rg__names_member(const struct rg__build *b, const struct rg_cnode *p);
/* A helper's parameter as a name for such a place; the reason why it can't be one. */
const char *rg__bind_place(struct rg__build *b, CXCursor param, struct rg_cnode *arg, struct rg__kids *out);
/* The element `sub` behind s.m[k] or s.m[j][k]; where it leaves its row, it is one of the next. */
struct rg_cnode *rg__member_element(struct rg__build *b, const struct rg_cnode *at, struct rg_cnode *sub);
void rg__fix_place(struct rg__build *b, struct rg_cnode *p, const char *name, struct rg__kids *out);
/* The extents of a member that is an array of numbers, and how many there are; 0: it is none. */
int rg__member_extents(const struct rg__build *b, const struct rg_cnode *m, const int64_t **dims);
/* s.m[i] of rows as the address of its first element: what goes along it may go on into the next row. */
struct rg_cnode *rg__along_rows(struct rg__build *b, struct rg_cnode *p);
#endif
