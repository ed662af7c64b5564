/* Candidates made ahead of measuring: where draft costs are right the first measurement is of a whole way, where they
 * are wrong or unknown the search finds what it finds without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "landscape.h"
#include <jansson.h>
#include <rg/file.h>
#include <unistd.h>

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
    struct course with = course_of(1, false, "ahead=40", 1), without = course_of(1, false, "ahead=0", 1);
    assert_true(with.after_two > 0 && log(1000 / with.after_two) >= 0.64 * log(1000 / best_us));
    assert_true(with.to_best > 0 && without.to_best > 0);
    if (2 * with.to_best > without.to_best) fail_msg("%d evaluations, %d without", with.to_best, without.to_best);
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
    struct course with = course_of(0, false, "ahead=40", 1), without = course_of(0, false, "ahead=0", 1);
    assert_int_equal(with.to_best, without.to_best);
}

static void several_at_once(void **state)
{
    assert_true(course_of(1, true, "ahead=40", 4).to_best > 0);
}

/* Candidates made by the time of the first measurement, and of the tenth. */
struct made {
    const struct fake_world *w;
    int first, tenth;
};

static void count(void *arg, const struct rg_search_progress *p)
{
    struct made *m = arg;
    if (p->evaluations >= 1 && !m->first) m->first = m->w->coded;
    if (p->evaluations >= 10 && !m->tenth) m->tenth = m->w->coded;
}

static struct made made_at(double draft_cost_us, const char *first, double seconds)
{
    struct fake_world w = far_away(1, false);
    struct made m = {&w, 0, 0};
    struct rg_search_options o = fake_options();
    const char *const set[] = {first, "ahead=40"};
    w.draft_cost_us = draft_cost_us;
    o.evals = 20;
    o.seconds = seconds;
    o.progress = count;
    o.progress_arg = &m;
    o.constants = set;
    o.n_constants = 2;
    struct rg_search_result r = search(&w, &o, NULL);
    rg_search_result_release(&r);
    if (!m.first || !m.tenth) fail_msg("%d made, then %d", m.first, m.tenth);
    return m;
}

/* Work is counted by the candidates' sizes: a clock has no say in what is made. */
static void what_is_dear_is_not_waited_for(void **state)
{
    struct made cheap = made_at(1, "ahead_first=1", 0), dear = made_at(1000, "ahead_first=1", 0);
    assert_true(cheap.first > 10);
    assert_true(dear.first > 1 && dear.first <= 5); /* 0.2 s each, and their drafts */
    struct made none = made_at(1000, "ahead_first=0", 0);
    assert_int_equal(none.first, 1);
    assert_true(dear.tenth > dear.first);
}

static void a_time_limit_bounds_it(void **state)
{
    struct made whole = made_at(100, "ahead_first=1000", 0), limited = made_at(100, "ahead_first=1000", 1000),
                tight = made_at(100, "ahead_first=1000", 0.5);
    assert_int_equal(limited.first, whole.first);
    assert_true(tight.first <= 4 && tight.first < whole.first);
}

/* The journal's last line says what is expected of versions that the way to the best went past. */
static void what_was_gone_past_has_an_expected_time(void **state)
{
    struct fake_world w = far_away(1, false);
    struct rg_search_options o = fake_options();
    const char *const set[] = {"ahead=40"};
    char path[] = "/tmp/rg-ahead-XXXXXX", *text;
    size_t len;
    close(mkstemp(path));
    unlink(path);
    o.evals = 2;
    o.journal = path;
    o.constants = set;
    o.n_constants = 1;
    struct rg_search_result r = search(&w, &o, NULL);
    assert_non_null(r.best);
    assert_int_equal(rg_file_read(path, 0, &text, &len, NULL), RG_OK);
    char *last = strstr(text, "{\"line\":\"final\"");
    assert_non_null(last);
    json_t *j = json_loads(last, JSON_DISABLE_EOF_CHECK, NULL), *e, *all, *us;
    all = json_object_get(json_object_get(j, "clock"), "expected");
    size_t i, between = 0;
    json_array_foreach(all, i, e)
    {
        us = json_object_get(e, "time_us");
        assert_true(json_real_value(us) > best_us && json_real_value(us) < 4000);
        between += json_real_value(us) > 250 && json_real_value(us) < 450; /* a and b: 330 */
    }
    assert_true(json_array_size(all) >= 2 && between >= 1);
    json_decref(j);
    free(text);
    unlink(path);
    rg_search_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_measurement_is_of_a_whole_way),
                                       cmocka_unit_test(what_fails_ends_no_way_beside_it),
                                       cmocka_unit_test(wrong_drafts_lose_nothing),
                                       cmocka_unit_test(without_drafts_nothing_is_measured_ahead),
                                       cmocka_unit_test(several_at_once),
                                       cmocka_unit_test(what_is_dear_is_not_waited_for),
                                       cmocka_unit_test(a_time_limit_bounds_it),
                                       cmocka_unit_test(what_was_gone_past_has_an_expected_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
