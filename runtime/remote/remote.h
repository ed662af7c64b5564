/* A run worker on another machine. Beside the supervisor a relay stands in its place: it starts the launcher (srun,
 * ssh) that starts a relay there, which owns a memory file of its own and starts the worker. The supervisor and the
 * worker see an ordinary pipe and memory file. Internal. */
#ifndef RG_RUNTIME_REMOTE_H
#define RG_RUNTIME_REMOTE_H
#include "runtime/protocol/protocol.h"

enum { RG_REMOTE_TIMED = RG_MAX_CASES };

/* What a relay knows of the cases: those of the timed size take the anchor, which a worker writes. */
struct rg_remote_cases {
    int n;
    struct rg_range timed[RG_REMOTE_TIMED];
};
void rg__remote_cases(struct rg_remote_cases *c, const struct rg_msg *m);
#endif
