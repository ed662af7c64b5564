/* Instructions the simulated device lacks are said, kernel by kernel. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/kernels.h"

static void lacks(const char *kernel, const char *says)
{
    struct sim *s = &cu.s;
    int n = NN;
    rg_addr out = sim_put(s, "out", NULL, 4 * M), zero = sim_put(s, "zero", NULL, 4 * M);
    struct sim_arg a[] = {ARG(at.x), ARG(at.z), ARG(at.k), ARG(at.d), ARG(at.h), ARG(out), ARG(out), ARG(zero), ARG(n)};
    enum rg_outcome o = sim_launch_as(s, kernel, 1, 1, 32, 1, 0, false, a, 9);
    if (o != (says ? RG_OUTCOME_UNSUPPORTED : RG_OUTCOME_OK))
        fail_msg("%s: %s %s", kernel, rg_outcome_word(o), s->fault.message);
    if (says && (!strstr(s->fault.message, says) || !strstr(s->fault.message, kernel)))
        fail_msg("%s: '%s' is not in '%s'", kernel, says, s->fault.message);
}

static void refused(void **state)
{
    if (!cu.have) skip();
    lacks("clusters", "barrier.cluster.arrive");
    lacks("mbarriers", "mbarrier.init");
    lacks("bulk_copies", "cp.async.bulk");
    lacks("pointers", "call");
    lacks("spare", NULL);
}

static int setup(void **state)
{
    return kernels_open(__FILE__, "lacking.cu");
}
static int teardown(void **state)
{
    cu_close(&cu);
    return 0;
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
