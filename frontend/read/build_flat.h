/* Arguments of which the problem has parts: structures with pointers in them (build_flat.c), and integers that are
 * passed by their address (build_behind.c). The shim puts them together again, each in a carrier. */
#ifndef RG_FRONTEND_BUILD_FLAT_H
#define RG_FRONTEND_BUILD_FLAT_H
#include "frontend/read/build.h"

/* Is it a structure with pointers in it, or a pointer to one? Then its members become parameters. */
bool rg__flat_is(struct rg__build *b, CXType t);
/* A pointer to such structures, or an array of them? */
bool rg__flat_table_is(struct rg__build *b, CXType t);
/* What is known of a place; NULL. */
const struct rg__shape_of *rg__shape_at(struct rg__build *b, const char *path);
/* A number that the set-up leaves there is that number, in *node: the problem requires it. An array is as long as it
 * was made. */
void rg__as_set_up(struct rg__build *b, int param, const struct rg__shape_of *of, struct rg_cnode **node);
enum rg_status rg__flat_param(struct rg__build *b, const struct rg__function *f, CXCursor decl);
/* The same of one at file scope; NULL with err set. */
struct rg__sym *rg__flat_global(struct rg__build *b, CXCursor decl);

/* A carrier of that type, which `parent` has a pointer to at `path`; parent -1: an argument. Its number. */
int rg__add_carrier(struct rg__build *b, CXType type, int parent, const char *path);
/* &k */
struct rg_cnode *rg__address_of(struct rg__build *b, struct rg_cnode *k);
/* Takes a pointer to an integer that f only reads as that integer. False: it is something else, and nothing was added.
 */
bool rg__behind_param(struct rg__build *b, const struct rg__function *f, CXCursor decl);
#endif
