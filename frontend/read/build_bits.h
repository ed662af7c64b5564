/* Type punning (build_bits.c): the bits of a number as one of another kind. */
#ifndef RG_FRONTEND_BUILD_BITS_H
#define RG_FRONTEND_BUILD_BITS_H
#include "frontend/read/build.h"

bool rg__has_bits_of(enum rg_scalar to, enum rg_scalar from); /* a real and an integer of one width */
/* A number whose bits are e's; NULL: it has not the same width, or no other kind of number. */
struct rg_cnode *rg__bits_as(struct rg__build *b, struct rg_cnode *e, enum rg_scalar to);
struct rg_cnode *rg__bits_of(struct rg_cnode *e); /* what rg__bits_as() read; NULL: e is none */
/* Is it a union of numbers of one width? *s: the integer that a variable of it is here. */
bool rg__union_number(struct rg__build *b, CXType t, enum rg_scalar *s);
bool rg__union_by_members(struct rg__build *b, CXCursor decl); /* is such a variable named for its members alone? */
/* A member of such a variable; NULL: it is none. */
struct rg_cnode *rg__union_member(struct rg__build *b, struct rg_cnode *whole, CXType of, CXType member);
struct rg_cnode *rg__union_init(struct rg__build *b, CXCursor init, CXType t); /* what one starts as */
#endif
