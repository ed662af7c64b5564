/* Which step somebody may have meant. */
#include <rg/buf.h>
#include <rg/regraph.h>
#include <rg/similar.h>
#include <stdlib.h>

const char *rg_regraph_did_you_mean(const struct rg_regraph *g, const char *id, char out[160])
{
    int n = rg_regraph_steps(g);
    const char **known = rg_xcalloc((size_t)n + 1, sizeof *known);
    for (int i = 0; i < n; i++) known[i] = rg_regraph_step(g, i)->id;
    rg_did_you_mean(id, known, n, out);
    free(known);
    return out;
}
