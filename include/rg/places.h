/* Where ReGraph's own files stand: under the prefix that the running program or libregraph was installed in, wherever
 * that was moved to; in the source tree for what was built there; else under the PREFIX of the build. */
#ifndef RG_PLACES_H
#define RG_PLACES_H
#include <rg/decls.h>

RG_BEGIN_DECLS

/* A data file or folder by its name under PREFIX/share/regraph ("cuda.json", "devices"); malloc'd. Where there is none,
 * the path at which `make install` puts it. */
char *rg_place_data(const char *name);
/* A program of ReGraph ("regraph-worker"), beside the running one, in the bin/ beside libregraph, or under the build's
 * PREFIX; malloc'd. Its bare name where it is in none of them: PATH decides. */
char *rg_place_program(const char *name);
RG_END_DECLS
#endif
