/* The built-in coder and a model side by side: neither waits for the other nor spends its budget, and what the model
 * does wrong costs the other nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "landscape.h"
#include <unistd.h>

struct pair {
    struct fake_world poly, model;
    struct rg_search_result r;
    char *actions; /* in commit order: "p a", "m g", a line each */
};

/* Of a journal: which coder's action, and of which step, came to its end when. */
static char *course(const char *path, const char *only)
{
    char *text, *save = NULL, who[512][80] = {{0}};
    size_t n;
    struct rg_buf b = RG_BUF_INIT;
    assert_int_equal(rg_file_read(path, 0, &text, &n, NULL), RG_OK);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const char *a = strstr(line, "\"a\":"), *coder = strstr(line, "\"coder\":\""),
                   *step = strstr(line, "\"step\":\"");
        int id = a ? atoi(a + 4) : -1;
        if (!strncmp(line, "{\"line\":\"action\"", 16) && id < 512)
            snprintf(who[id], sizeof who[id], "%.*s %.*s", coder ? (int)strcspn(coder + 9, "\"") : 4,
                     coder ? coder + 9 : "poly", step ? (int)strcspn(step + 8, "\"") : 4, step ? step + 8 : "tune");
        if (!strncmp(line, "{\"line\":\"result\"", 16) && id < 512 && (!only || !strncmp(who[id], only, strlen(only))))
            rg_buf_printf(&b, "%s\n", who[id]);
    }
    free(text);
    return rg_buf_steal(&b);
}

static const char journal[] = "/tmp/rg-lanes.XXXXXX";

static enum rg_status run(struct pair *p, struct rg_search_options o, bool both)
{
    struct rg_error err = RG_ERROR_INIT;
    char path[sizeof journal];
    memcpy(path, journal, sizeof path);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    if (!o.journal) o.journal = path;
    p->poly.name = "poly";
    p->model.name = "model";
    p->model.stochastic = true;
    struct rg_regraph *g = fake_graph(&p->model, NULL);
    struct rg_coder a = fake_coder(&p->poly), b = fake_coder(&p->model), *coders[] = {&a, &b};
    struct rg_evaluator ev = fake_evaluator(&p->model);
    enum rg_status st = rg_search_run(&o, g, coders, both ? 2 : 1, &ev, &p->r, &err);
    if (st != RG_OK) print_error("%s\n", err.text);
    p->actions = course(o.journal, NULL);
    if (o.journal == path) unlink(path);
    rg_regraph_free(g);
    return st;
}

static void release(struct pair *p)
{
    rg_search_result_release(&p->r);
    free(p->actions);
    memset(&p->r, 0, sizeof p->r);
}

/* Eight steps, of which the model alone can do two: g, which helps, and h. */
static struct pair worlds(void)
{
    struct pair p = {.poly = world(), .model = world()};
    p.model.n = 8;
    p.model.e[6] = (struct fake_effect){.id = "g", .factor = 0.5};
    p.model.e[7] = (struct fake_effect){.id = "h", .factor = 1.2};
    return p;
}

static char *of_poly(const char *actions)
{
    struct rg_buf b = RG_BUF_INIT;
    for (const char *l = actions; *l; l += strcspn(l, "\n") + 1)
        if (!strncmp(l, "poly", 4)) rg_buf_printf(&b, "%.*s\n", (int)strcspn(l, "\n"), l);
    return rg_buf_steal(&b);
}

/* With a model that never gives anything right the built-in coder goes the very way that it goes alone, and has all its
 * evaluations for it. */
static void test_bad_model_costs_nothing(void **state)
{
    static const char *const policies[] = {"mcgs", "uct"};
    for (int kind = 0; kind < 8; kind++) {
        struct rg_search_options o = fake_options();
        o.policy = policies[kind % 2];
        o.evals = 45;
        o.in_flight = kind % 3 + 1;
        struct pair alone = worlds(), both = worlds();
        if (kind / 2 == 0) both.model.fail_samples = 99;
        if (kind / 2 == 1) both.model.e[6].refused = both.model.e[7].refused = true;
        if (kind / 2 == 2) both.model.e[6].outcome = both.model.e[7].outcome = RG_OUTCOME_RACE;
        if (kind / 2 == 3) both.model.service_down = true;
        both.model.think_s = kind % 2 ? 0.002 : 0;
        assert_int_equal(run(&alone, o, false), RG_OK);
        assert_int_equal(run(&both, o, true), RG_OK);
        char *mine = of_poly(both.actions);
        /* what is under way when the evaluations are spent may still come to its end */
        if (strncmp(alone.actions, mine, strlen(alone.actions)))
            fail_msg("kind %d:\n%s\n--- with a model:\n%s", kind, alone.actions, both.actions);
        near(both.r.evaluation.time_us, alone.r.evaluation.time_us);
        assert_true(both.model.coded > 0);
        free(mine);
        release(&alone);
        release(&both);
    }
}

/* Calls are under way while candidates are evaluated; what a slow model gives is still had, when the other lane has
 * long been out of evaluations. */
static void test_nobody_waits(void **state)
{
    for (int flight = 1; flight <= 2; flight++) {
        struct pair p = worlds();
        struct rg_search_options o = fake_options();
        o.evals = 30;
        o.model_in_flight = flight;
        p.model.think_s = 0.05;
        assert_int_equal(run(&p, o, true), RG_OK);
        const char *first = strstr(p.actions, "model"), *last = NULL;
        assert_non_null(first);
        for (const char *l = p.actions; (l = strstr(l, "poly")); l++) last = l;
        int before = 0;
        for (const char *l = p.actions; l < first; l++) before += *l == '\n';
        if (before < 15) fail_msg("%d actions before the model's first answer:\n%s", before, p.actions);
        assert_true(last != NULL);
        assert_true(p.r.evaluation.time_us < 0.51 * 1000 * 1.1 * 0.3 * 0.7 * 0.8 * 1.5); /* with g */
        assert_true(p.r.evaluations > 30); /* the model's are counted beside */
        assert_int_equal(p.model.most_coding >= flight, 1);
        release(&p);
    }
}

/* The order in which two lanes commit is the clock's; a record and a journal hold it. */
static void test_repeats(void **state)
{
    for (int seed = 0; seed < 6; seed++) {
        struct rg_search_options o = fake_options();
        o.evals = 40;
        o.seed = (uint64_t)seed + 1;
        char path[sizeof journal], stopped_path[sizeof journal];
        memcpy(path, journal, sizeof path);
        close(mkstemp(path));
        unlink(path);
        memcpy(stopped_path, journal, sizeof path);
        close(mkstemp(stopped_path));
        unlink(stopped_path);
        struct pair live = worlds(), again = worlds();
        live.model.think_s = 0.0003 * seed; /* 0: its budget is spent long before the other one's */
        o.journal = path;
        assert_int_equal(run(&live, o, true), RG_OK);
        again.model.instant = true;
        memcpy(again.model.held, live.model.held, sizeof again.model.held);
        o.journal = NULL;
        assert_int_equal(run(&again, o, true), RG_OK);
        if (strcmp(live.actions, again.actions))
            fail_msg("seed %d:\n%s\n--- replayed:\n%s", seed, live.actions, again.actions);
        assert_true(live.r.evaluation.time_us == again.r.evaluation.time_us);
        release(&again);
        /* cut anywhere, resumed: the same again */
        char *text;
        size_t n, keep;
        assert_int_equal(rg_file_read(path, 0, &text, &n, NULL), RG_OK);
        for (keep = n / 7 * (size_t)(seed + 1); keep < n && text[keep - 1] != '\n';) keep++;
        assert_int_equal(rg_file_write(stopped_path, text, keep, NULL), RG_OK);
        free(text);
        again = worlds();
        again.model.instant = true;
        memcpy(again.model.held, live.model.held, sizeof again.model.held);
        o.journal = stopped_path;
        o.resume = true;
        assert_int_equal(run(&again, o, true), RG_OK);
        if (strcmp(live.actions, again.actions))
            fail_msg("seed %d:\n%s\n--- resumed:\n%s", seed, live.actions, again.actions);
        release(&again);
        release(&live);
        unlink(path);
        unlink(stopped_path);
    }
}

/* A model whose budget ends in the middle of an action is not waited for, whatever turn a record gives it. */
static void test_spent_in_the_middle(void **state)
{
    for (int evals = 1; evals <= 60; evals++) {
        struct rg_search_options o = fake_options();
        o.evals = evals;
        struct pair p = worlds();
        p.model.instant = true;
        for (int i = 0; i < FAKE_QUEUE; i++) p.model.held[i] = 1;
        alarm(60);
        assert_int_equal(run(&p, o, true), RG_OK);
        alarm(0);
        release(&p);
    }
}

/* A model is asked for the whole program at first, then for what it would do to the best; and again whenever there is a
 * new best, at that one. */
static void test_follows_up(void **state)
{
    struct pair p = worlds();
    p.model.e[6] = (struct fake_effect){.id = "g", .factor = 0.9, .extra = ",\"needs\":\"best\""};
    p.model.e[7] = (struct fake_effect){.id = "h", .factor = 1.2, .extra = ",\"once\":\"no\""};
    p.model.fail_samples = 99;
    p.model.think_s = 0.001;
    struct rg_search_options o = fake_options();
    o.evals = 60;
    char path[sizeof journal];
    memcpy(path, journal, sizeof path);
    close(mkstemp(path));
    unlink(path);
    o.journal = path;
    assert_int_equal(run(&p, o, true), RG_OK);
    char *text, *save = NULL, first[3][64] = {{0}};
    size_t len;
    int n = 0, bests = 0, followed = 0, best = -1;
    assert_int_equal(rg_file_read(path, 0, &text, &len, NULL), RG_OK);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (strstr(line, "\"line\":\"settled\"") && strstr(line, "\"best\":true")) {
            best = atoi(strstr(line, "\"node\":") + 7);
            bests++;
        }
        if (strstr(line, "\"line\":\"end\"")) break;
        if (!strstr(line, "\"line\":\"action\"") || !strstr(line, "\"coder\":\"model\"")) continue;
        if (n < 3) snprintf(first[n], sizeof first[n], "%.1s", strstr(line, "\"step\":\"") + 8);
        n++;
        followed += strstr(line, "\"step\":\"g\"") != NULL && best >= 0 && strstr(line, "\"parent\":") != NULL;
    }
    assert_string_equal(first[0], "h");
    assert_true(!strcmp(first[1], "g") || !strcmp(first[2], "g"));
    assert_true(bests >= 2 && followed >= 2);
    free(text);
    unlink(path);
    release(&p);
}

/* What does not compile is asked again at once, twice; what races, once; what computes something else waits its turn.
 */
static void test_repairs(void **state)
{
    static const struct {
        enum rg_outcome outcome;
        int in_a_row;
    } cases[] = {{RG_OUTCOME_COMPILE, 3}, {RG_OUTCOME_PLAN, 3}, {RG_OUTCOME_RACE, 2}, {RG_OUTCOME_BOUNDS, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pair p = worlds();
        struct rg_search_options o = fake_options();
        p.model.e[6] = (struct fake_effect){.id = "g", .factor = 0.5, .outcome = cases[i].outcome};
        p.model.e[7] = (struct fake_effect){.id = "h", .factor = 1.2, .refused = true};
        o.evals = 30;
        assert_int_equal(run(&p, o, true), RG_OK);
        char *save = NULL;
        int row = 0;
        for (char *l = strtok_r(p.actions, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
            if (strncmp(l, "model", 5)) continue;
            if (row && strcmp(l, "model g")) break;
            row += !strcmp(l, "model g");
        }
        if (row < cases[i].in_a_row) fail_msg("%s: %d in a row", rg_outcome_word(cases[i].outcome), row);
        release(&p);
    }
}

/* What one coder did at one of its sites stands in the code that the other is shown, whose site is the whole program: a
 * step that is taken once a site is not asked for again. */
static void test_done_by_the_other(void **state)
{
    static const char *const once[] = {",\"once\":\"no\"", ",\"once\":\"site\""};
    for (int i = 0; i < 2; i++) {
        struct pair p = worlds();
        struct rg_search_options o = fake_options();
        o.evals = 40;
        p.model.e[0].extra = once[i];
        p.model.e[0].site = "program";
        p.model.e[0].always = true;
        assert_int_equal(run(&p, o, true), RG_OK);
        if ((p.model.asked[0] == 0) != (i == 1)) fail_msg("%s: asked %d times", once[i], p.model.asked[0]);
        assert_true(p.poly.asked[0] > 0);
        release(&p);
    }
}

/* What the built-in coder refuses for what the program is, a model is not asked for either; what it refuses for the
 * order of the loops as they stand, or for its own limits, a model may find a way round. */
static void test_refused_by_the_program(void **state)
{
    static const enum rg_refusal_kind kinds[] = {RG_REFUSE_SITE, RG_REFUSE_ALREADY, RG_REFUSE_DEPENDENCE,
                                                 RG_REFUSE_ANALYSIS};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct pair p = worlds();
        struct rg_search_options o = fake_options();
        o.evals = 40;
        p.poly.n = p.model.n;
        p.poly.e[6] = p.poly.e[7] = p.model.e[6];
        p.poly.e[7].id = p.model.e[7].id;
        p.poly.e[6].why = kinds[i];
        p.poly.e[7].why = RG_REFUSE_FORM;
        p.model.e[7].refused = true; /* no version of the model's own, of which the other knows nothing */
        assert_int_equal(run(&p, o, true), RG_OK);
        bool asked = kinds[i] != RG_REFUSE_SITE && kinds[i] != RG_REFUSE_ALREADY;
        if ((p.model.asked[6] > 0) != asked)
            fail_msg("%s: asked %d times", rg_refusal_word(kinds[i]), p.model.asked[6]);
        assert_true(p.model.asked[7] > 0);
        release(&p);
    }
}

/* What a model wrote and what does not run at the numbers that it wrote is not tried at others: that is evaluations for
 * nothing. Where it did not compile, or fit its plan, a number may be too large. */
static void test_failed_at_its_own_numbers(void **state)
{
    static const struct {
        enum rg_outcome outcome;
        bool once;
    } cases[] = {{RG_OUTCOME_RACE, true},    {RG_OUTCOME_BOUNDS, true},   {RG_OUTCOME_CRASH, true},
                 {RG_OUTCOME_TIMEOUT, true}, {RG_OUTCOME_COMPILE, false}, {RG_OUTCOME_PLAN, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pair p = worlds();
        struct rg_search_options o = fake_options();
        o.evals = 45;
        p.model.e[6] = (struct fake_effect){.id = "g", .factor = 0.5, .outcome = cases[i].outcome, .best = 4};
        p.model.e[7].refused = true;
        assert_int_equal(run(&p, o, true), RG_OK);
        int failed = p.r.outcomes[cases[i].outcome], asked = p.model.asked[6];
        assert_true(asked > 0);
        if ((failed <= asked) != cases[i].once)
            fail_msg("%s: %d of %d", rg_outcome_word(cases[i].outcome), failed, asked);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad_model_costs_nothing),
                                       cmocka_unit_test(test_nobody_waits),
                                       cmocka_unit_test(test_repeats),
                                       cmocka_unit_test(test_spent_in_the_middle),
                                       cmocka_unit_test(test_follows_up),
                                       cmocka_unit_test(test_repairs),
                                       cmocka_unit_test(test_done_by_the_other),
                                       cmocka_unit_test(test_refused_by_the_program),
                                       cmocka_unit_test(test_failed_at_its_own_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
