/* One farm for the tests of a program: where its worker is, and candidates of saxpy through it. Include it behind
 * cmocka.h. */
#ifndef RG_TEST_FARM_FIXTURE_H
#define RG_TEST_FARM_FIXTURE_H
#include "fixture.h"
#include <libgen.h>
#include <rg/worker.h>
#include <stdlib.h>
#include <unistd.h>

static char worker[1000];
static struct rg_problem *problem;
static struct rg_farm *farm; /* NULL: there is no device, tests skip */
static int next_id;

/* regraph-worker of the same build; on a machine that has only the programs, that of PATH. */
static inline void find_worker_beside(const char *argv0)
{
    char self[1000];
    snprintf(self, sizeof self, "%s", argv0);
    snprintf(worker, sizeof worker, "%.900s/../../regraph-worker", dirname(self));
    if (access(worker, X_OK)) strcpy(worker, "regraph-worker");
}

/* RG_TEST_LAUNCHER=env: run workers stand behind relays, as those on other machines do; everything must be the same. */
static inline const char *const *launcher(void)
{
    static const char *words[2];
    words[0] = getenv("RG_TEST_LAUNCHER");
    return words[0] ? words : NULL;
}

static inline int stop(void **state)
{
    rg_farm_free(farm);
    rg_problem_free(problem);
    return 0;
}

static inline struct rg_evaluation evaluate(const char *cuda, const char *plan)
{
    if (!farm) skip();
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = {(char *)(uintptr_t)cuda, (char *)(uintptr_t)plan};
    struct rg_error e = RG_ERROR_INIT;
    struct rg_eval_result r;
    bool got = false;
    if (ev->submit(ev->self, ++next_id, &src, RG_EVAL_FULL, &e) != RG_OK ||
        ev->poll(ev->self, 100, &r, &got, &e) != RG_OK)
        fail_msg("%s", e.text);
    assert_true(got);
    assert_int_equal(r.id, next_id);
    return r.e;
}

/* `says`: what its message must hold; NULL anything. */
static inline void gives(const char *cuda, const char *plan, enum rg_outcome want, const char *says)
{
    struct rg_evaluation e = evaluate(cuda, plan);
    if (e.outcome != want)
        fail_msg("%s instead of %s: %s", rg_outcome_word(e.outcome), rg_outcome_word(want), e.message);
    if (says && !strstr(e.message, says)) fail_msg("'%s' does not say '%s'", e.message, says);
}

#define KERNEL(body)                                                                                                   \
    "__global__ void k(int n, float a, const float *x, float *y)\n{\n    int i = blockIdx.x * blockDim.x + "           \
    "threadIdx.x;\n" body "\n}\n"
static const char plan[] = "k<<<ceil_div(n, 256), 256>>>(n, a, x, y);";
#endif
