/* String literals (build_string.c): as initialisers, and as constant tables of their characters. */
#ifndef RG_FRONTEND_BUILD_STRING_H
#define RG_FRONTEND_BUILD_STRING_H

#include "frontend/read/build.h"

/* A string literal as written, of several that stand side by side one behind the other; kept in the tree's arena. */
const char *rg__string_text(struct rg__build *b, CXCursor c);
/* Its characters as the braced list that initialises an array of that type, `always` or only where no zero follows
 * them or they are wide. NULL: it need not, or cannot. */
struct rg_cnode *rg__string_list(struct rg__build *b, const struct rg_cnode *string, CXType array, bool always);

/* The table of the characters of a literal (an RG_C_STRING as the builder makes it) and its zero, as an array's name;
 * of a choice between two, a place in the table of both. NULL: it is another kind of literal, or too long. */
struct rg_cnode *rg__string_table(struct rg__build *b, const struct rg_cnode *string);
/* A pointer that points to a literal from its declaration on, for good: the name of that table. NULL: another value. */
struct rg__sym *rg__string_bind(struct rg__build *b, uint32_t key, CXCursor init);

#endif
