/* What a kernel did wrong, in words. */
#include "runtime/sim/exec/exec.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rg__sim_fault(struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                   const struct sim_inst *in, enum rg_outcome outcome, const char *fmt, ...)
{
    struct rg_fault *f = run->fault;
    if (f->outcome != RG_OUTCOME_OK) return false;
    f->outcome = outcome;
    char what[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    int n = snprintf(f->message, sizeof f->message, "kernel %s", run->k->shown);
#define MORE(...)                                                                                                      \
    do {                                                                                                               \
        if (n >= 0 && (size_t)n < sizeof f->message)                                                                   \
            n += snprintf(f->message + n, sizeof f->message - (size_t)n, __VA_ARGS__);                                 \
    } while (0)
    if (in && in->line) MORE(", line %d", in->line);
    if (b) MORE(", block (%lld,%lld,%lld)", (long long)b->ctaid[0], (long long)b->ctaid[1], (long long)b->ctaid[2]);
    if (w && lane >= 0) {
        int64_t t = (int64_t)w->index * 32 + lane;
        MORE(", thread (%lld,%lld,%lld)", (long long)(t % run->block[0]),
             (long long)(t / run->block[0] % run->block[1]), (long long)(t / run->block[0] / run->block[1]));
    }
    MORE(": %s", what);
#undef MORE
    return false;
}
