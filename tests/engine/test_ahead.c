/* Candidates made ahead of measuring: where draft costs are right the first measurement is of a whole way, where they
 * are wrong or unknown the search finds what it finds without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "landscape.h"

/* b pays only after a, which costs; d only after b. f does not verify, and nobody knows before. */
static struct fake_world far_away(int drafts, bool fails)
{
    return (struct fake_world){.base_us = 1000,
                               .drafts = drafts,
                               .n = fails ? 5 : 4,
                               .e = {{.id = "a", .factor = 1.1, .best = 4, .start = 4},
                                     {.id = "b", .factor = 0.3, .needs = "a", .best = 8, .start = 2},
                                     {.id = "c", .factor = 1.2},
                                     {.id = "d", .factor = 0.5, .needs = "b", .best = 2, .start = 16},
                                     {.id = "f", .factor = 0.9, .outcome = RG_OUTCOME_WRONG}}};
}

static const double best_us = 1000 * 1.1 * 0.3 * 0.5;

struct course {
    double after_two; /* the best when two were measured */
    int to_best;      /* evaluations; 0: never */
};

static void see(void *arg, const struct rg_search_progress *p)
{
    struct course *c = arg;
    if (p->evaluations == 2 && p->best_us > 0) c->after_two = p->best_us;
    if (!c->to_best && p->best_us > 0 && p->best_us <= 1.02 * best_us) c->to_best = p->evaluations;
}

static struct course course_of(int drafts, bool fails, const char *ahead, int in_flight)
{
    struct fake_world w = far_away(drafts, fails);
    struct course c = {0, 0};
    struct rg_search_options o = fake_options();
    const char *const set[] = {ahead, "ahead_unknown=0.5"};
    o.evals = 400; /* to the end: nothing is forbidden */
    w.shuffle = in_flight > 1 ? 7 : 0;
    o.in_flight = in_flight;
    o.progress = see;
    o.progress_arg = &c;
    o.constants = set;
    o.n_constants = ahead ? 2 : 0;
    struct rg_search_result r = search(&w, &o, NULL);
    assert_non_null(r.best);
    assert_true(r.evaluation.time_us <= 1.02 * best_us);
    rg_search_result_release(&r);
    return c;
}

static void the_first_measurement_is_of_a_whole_way(void **state)
{
    struct course with = course_of(1, false, "ahead=40", 1), without = course_of(1, false, NULL, 1);
    assert_true(with.after_two > 0 && log(1000 / with.after_two) >= 0.64 * log(1000 / best_us));
    assert_true(with.to_best > 0 && without.to_best > 0);
    assert_true(2 * with.to_best <= without.to_best);
}

static void what_fails_ends_no_way_beside_it(void **state)
{
    assert_true(course_of(1, true, "ahead=40", 1).to_best > 0);
}

static void wrong_drafts_lose_nothing(void **state)
{
    assert_true(course_of(-1, true, "ahead=40", 1).to_best > 0);
}

static void without_drafts_nothing_is_measured_ahead(void **state)
{
    struct course with = course_of(0, false, "ahead=40", 1), without = course_of(0, false, NULL, 1);
    assert_int_equal(with.to_best, without.to_best);
}

static void several_at_once(void **state)
{
    assert_true(course_of(1, true, "ahead=40", 4).to_best > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_measurement_is_of_a_whole_way), cmocka_unit_test(what_fails_ends_no_way_beside_it),
        cmocka_unit_test(wrong_drafts_lose_nothing), cmocka_unit_test(without_drafts_nothing_is_measured_ahead),
        cmocka_unit_test(several_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
