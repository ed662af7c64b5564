/* Values of tunables by draft costs: what is right saves measurements, what is wrong forbids nothing and is found out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "landscape.h"

/* Three tunables of a step each, all far from where they start. */
static struct fake_world valley(int drafts)
{
    return (struct fake_world){.base_us = 1000,
                               .drafts = drafts,
                               .n = 3,
                               .e = {{.id = "a", .factor = 0.9, .best = 16, .start = 2},
                                     {.id = "b", .factor = 0.8, .best = 2, .start = 16},
                                     {.id = "c", .factor = 0.7, .best = 8, .start = 1}}};
}

struct reached {
    double goal_us;
    int evaluations; /* when it was first that near; 0: never */
};

static void see(void *arg, const struct rg_search_progress *p)
{
    struct reached *r = arg;
    if (!r->evaluations && p->best_us > 0 && p->best_us <= r->goal_us) r->evaluations = p->evaluations;
}

static int evaluations_to(int drafts, const char *const *set, int n_set)
{
    struct fake_world w = valley(drafts);
    struct reached reached = {.goal_us = 1.02 * 1000 * 0.9 * 0.8 * 0.7};
    struct rg_search_options o = fake_options();
    o.progress = see;
    o.progress_arg = &reached;
    o.constants = set;
    o.n_constants = n_set;
    struct rg_search_result r = search(&w, &o, NULL);
    rg_search_result_release(&r);
    assert_int_equal(w.expected > 0, drafts != 0); /* the device's queue is told */
    return reached.evaluations;
}

static void right_drafts_save_measurements(void **state)
{
    static const char *const off[] = {"draft=0"};
    int with = evaluations_to(1, NULL, 0), without = evaluations_to(1, off, 1);
    assert_true(with > 0 && without > 0);
    assert_true(with <= 10);
    assert_true(2 * with <= without);
}

static void unknown_drafts_change_nothing(void **state)
{
    static const char *const off[] = {"draft=0"};
    assert_int_equal(evaluations_to(0, NULL, 0), evaluations_to(0, off, 1));
}

/* Measurements tell: the optimum is found, though every draft says the opposite. */
static void wrong_drafts_are_found_out(void **state)
{
    static const char *const tuner[] = {"ahead=0"}; /* which ways are measured is another matter: test_ahead.c */
    int with = evaluations_to(-1, tuner, 1);
    assert_true(with > 0);
    assert_true(with <= 60);
}

static void constants_are_checked(void **state)
{
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg_search_constant_check("tune_prior=0.5", &err), RG_OK);
    static const char *const bad[] = {
        "tune_prior", "tune_prior=", "tune_prior=x", "tune_prior=2", "tune_prior=nan", "tune_priors=0.5", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct rg_error e = RG_ERROR_INIT;
        assert_int_equal(rg_search_constant_check(bad[i], &e), RG_USAGE);
        assert_non_null(strstr(e.text, "--set"));
    }
    struct rg_buf b = RG_BUF_INIT;
    rg_search_constants(&b);
    assert_non_null(strstr(b.data, "tune_prior=0.05"));
    rg_buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_drafts_save_measurements),
        cmocka_unit_test(unknown_drafts_change_nothing),
        cmocka_unit_test(wrong_drafts_are_found_out),
        cmocka_unit_test(constants_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
