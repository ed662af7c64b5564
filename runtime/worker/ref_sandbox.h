/* What the user's C may do in a reference or hooks worker. Internal to them. */
#ifndef RG_RUNTIME_REF_SANDBOX_H
#define RG_RUNTIME_REF_SANDBOX_H
#include "runtime/worker/worker.h"

/* Before the C is compiled. Somebody else's (w->foreign): the compiler and what it starts write nowhere but below
 * w->tmp and reach no network. The user's own: nothing is closed, compilers may keep caches. */
void rg__reference_close_build(const struct rg_worker *w);
/* Before what was compiled is loaded, for good: no file outside w->tmp is made or written, no process, no socket;
 * computing, memory, threads stay. The user's own C may read what the user may, somebody else's the system's folders
 * and the problem's .npy files. The words say what is closed ("files and calls", ...); static storage. */
const char *rg__reference_close(const struct rg_worker *w);
#endif
