/* What a launch gives does not depend on the number of threads that run its blocks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

enum { ITEMS = 1 << 18, COUNTS = 256 };
static const char *const kernels[] = {"smooth", "histogram", "sum", "tickets", "leftovers", "beyond", "hangs"};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };
struct given {
    float y[N_KERNELS][ITEMS];
    int h[N_KERNELS][COUNTS];
    enum rg_outcome outcome[N_KERNELS];
    char message[N_KERNELS][512];
};

static struct given *with(const char *threads)
{
    static float x[ITEMS];
    struct given *g = rg_xcalloc(1, sizeof *g);
    struct cu cu;
    int n = ITEMS;
    setenv("RG_SIM_THREADS", threads, 1);
    cu_open(&cu, __FILE__, "apart.cu");
    if (!cu.have) {
        free(g);
        return NULL;
    }
    struct sim *s = &cu.s;
    for (int i = 0; i < ITEMS; i++) x[i] = (float)((i * 2654435761u >> 8) & 0xffff) / 65536;
    rg_addr dx = sim_put(s, "x", x, sizeof x);
    for (int k = 0; k < N_KERNELS; k++) {
        rg_addr y = sim_put(s, "y", NULL, sizeof g->y[k]), h = sim_put(s, "h", NULL, sizeof g->h[k]);
        struct sim_arg a[] = {ARG(dx), ARG(y), ARG(h), ARG(n)};
        s->d.budget(s->d.self, 1e9);
        g->outcome[k] = sim_launch_as(s, kernels[k], ITEMS / 256, 1, 256, 1, 0, false, a, 4);
        strcpy(g->message[k], s->fault.message);
        sim_get(s, g->y[k], y, sizeof g->y[k]);
        sim_get(s, g->h[k], h, sizeof g->h[k]);
        s->d.release(s->d.self, y);
        s->d.release(s->d.self, h);
    }
    cu_close(&cu);
    return g;
}

static void the_number_of_threads_does_not_show(void **state)
{
    struct given *one = with("1");
    if (!one) skip();
    static const char *const many[] = {"2", "5"};
    for (int t = 0; t < 2; t++) {
        struct given *g = with(many[t]);
        for (int k = 0; k < N_KERNELS; k++) {
            assert_int_equal(g->outcome[k], one->outcome[k]);
            if (strcmp(g->message[k], one->message[k]))
                fail_msg("%s threads: '%s', one: '%s'", many[t], g->message[k], one->message[k]);
            if (one->outcome[k]) continue; /* what a launch that failed leaves is nobody's business */
            if (memcmp(g->y[k], one->y[k], sizeof g->y[k]) || memcmp(g->h[k], one->h[k], sizeof g->h[k]))
                fail_msg("%s: %s threads give another result", kernels[k], many[t]);
        }
        free(g);
    }
    for (int k = 0; k < N_KERNELS; k++)
        assert_int_equal(one->outcome[k], k == 5 ? RG_OUTCOME_BOUNDS : k == 6 ? RG_OUTCOME_TIMEOUT : RG_OUTCOME_OK);
    assert_non_null(strstr(one->message[5], "block (377,0,0)"));
    assert_non_null(strstr(one->message[6], "block (600,0,0)"));
    long counted = 0;
    for (int i = 0; i < 64; i++) counted += one->h[1][i];
    assert_int_equal(counted, ITEMS);
    free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_number_of_threads_does_not_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
