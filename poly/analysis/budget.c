/* The budgets of analysis: isl's operations in one test, its CPU seconds in the process, and an end by the clock. */
#include "poly/analysis/scop.h"
#include <rg/file.h>
#include <rg/poly.h>
#include <time.h>

static struct { /* of the process: rg_poly_bound() */
    const volatile int *stop;
    double until;                  /* by rg_now(); 0: none */
    double most_s, spent_s, since; /* CPU seconds; since: when the test under way began, < 0 none */
} bound = {.since = -1};

static double cpu_s(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void rg_poly_bound(const volatile int *stop, double isl_s, double until)
{
    bound.stop = stop;
    bound.until = until;
    bound.most_s = isl_s;
    bound.spent_s = 0;
    bound.since = -1;
}

bool rg__poly_time_is_up(void)
{
    return (bound.stop && *bound.stop) || (bound.until > 0 && rg_now() >= bound.until);
}

static void account(void)
{
    if (bound.since >= 0) bound.spent_s += cpu_s() - bound.since;
    bound.since = -1;
}

void rg__poly_isl_begin(struct poly_scop *s)
{
    isl_ctx_reset_error(s->ctx);
    isl_ctx_reset_operations(s->ctx);
    account();
    if ((bound.stop && *bound.stop) || (bound.most_s > 0 && bound.spent_s > bound.most_s)) isl_ctx_abort(s->ctx);
    if (bound.most_s > 0) bound.since = cpu_s();
}

bool rg__poly_isl_ok(struct poly_scop *s)
{
    account();
    return isl_ctx_last_error(s->ctx) == isl_error_none;
}
