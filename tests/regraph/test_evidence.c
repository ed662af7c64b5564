/* Evidence: learning, union, compaction, derived weights. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <rg/regraph.h>
#include <rg/regraph_tools.h>
#include <rg/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char base_text[] = "{\"format\": \"regraph/1\", \"name\": \"t\", \"steps\": ["
                                "{\"id\": \"a\", \"title\": \"A\", \"category\": \"memory\"}, {\"id\": \"b\", "
                                "\"title\": \"B\", \"category\": \"memory\"}],"
                                "\"edges\": [{\"from\": \"@start\", \"to\": \"a\", \"prior\": 0.5, \"confidence\": 4},"
                                "{\"from\": \"@start\", \"to\": \"b\", \"prior\": 0.5, \"confidence\": 4}, {\"from\": "
                                "\"a\", \"to\": \"b\", \"prior\": 0.4, \"confidence\": 2}]}";

static struct rg_regraph *base(void)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g = NULL;
    if (rg_regraph_parse(base_text, strlen(base_text), "t", &g, &err) != RG_OK) fail_msg("%s", err.text);
    return g;
}

static char *text_of(const struct rg_regraph *g)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_regraph_print(g, &b, NULL);
    return rg_buf_steal(&b);
}

static void assert_same(const struct rg_regraph *a, const struct rg_regraph *b)
{
    char *x = text_of(a), *y = text_of(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

/* `ok` gains of `gain` each and n - ok wrong ones. */
static struct rg_evidence row(const char *device, const char *klass, const char *coder, const char *run, int n, int ok,
                              double gain)
{
    int64_t g = (int64_t)(gain * 1e6), sq = (int64_t)(gain * gain * 1e6 + 0.5);
    struct rg_evidence e = {.device = device,
                            .klass = klass,
                            .coder = coder,
                            .run = run,
                            .n = n,
                            .ok = ok,
                            .sum = ok * g,
                            .sumsq = ok * sq,
                            .max = ok ? g : INT64_MIN};
    e.fail[RG_OUTCOME_WRONG] = n - ok;
    return e;
}

static void learn(struct rg_regraph *g, int edge, struct rg_evidence e)
{
    struct rg_error err = RG_ERROR_INIT;
    if (rg_regraph_learn(g, edge, &e, &err) != RG_OK) fail_msg("%s", err.text);
}

static void test_learn(void **state)
{
    struct rg_regraph *g = base(), *h;
    learn(g, 0, row("sm_90", "stencil", "poly", "r1", 5, 4, 0.5));
    h = rg_regraph_clone(g);
    learn(g, 0, row("sm_90", "stencil", "poly", "r1", 5, 4, 0.5)); /* the same run twice */
    assert_same(g, h);
    learn(g, 0, row("sm_90", "stencil", "poly", "r1", 9, 8, 0.5)); /* the run went on */
    assert_int_equal(rg_regraph_edge(g, 0)->n_evidence, 1);
    assert_int_equal(rg_regraph_edge(g, 0)->evidence[0].n, 9);
    learn(g, 0, row("sm_90", "stencil", "llm", "r1", 1, 0, 0));
    learn(g, 0, row("sim:h200", "stencil", "poly", "r1", 1, 1, -0.5));
    assert_int_equal(rg_regraph_edge(g, 0)->n_evidence, 3);
    char *before = text_of(g), *after;
    struct rg_evidence bad[] = {
        row("", "stencil", "poly", "r", 1, 1, 0),    row("d", "graphics", "poly", "r", 1, 1, 0),
        row("d", "stencil", "poly", "", 1, 1, 0),    row("d", "stencil", "poly", "r", 0, 0, 0),
        row("d", "stencil", "poly", "r", 2, 3, 0.1), row("d", "stencil", "poly", "r\xff", 1, 1, 0),
        row("d", "stencil", "poly", "r", 3, 2, 0.1), row("d", "stencil", "poly", "r", 3, 2, 0.1)};
    bad[6].fail[RG_OUTCOME_RACE] = 1; /* more failures than n - ok */
    bad[7].sumsq = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (rg_regraph_learn(g, 0, &bad[i], NULL) != RG_INPUT) fail_msg("row %zu was taken", i);
    struct rg_evidence good = row("d", "stencil", "poly", "r", 1, 1, 0);
    assert_int_not_equal(rg_regraph_learn(g, 3, &good, NULL), RG_OK);
    assert_int_not_equal(rg_regraph_learn(g, -1, &good, NULL), RG_OK);
    after = text_of(g);
    assert_string_equal(before, after);
    free(before);
    free(after);
    rg_regraph_free(g);
    rg_regraph_free(h);
}

/* A graph that some random runs wrote; runs with equal ids are equal runs, or cut short at a point of theirs. */
static struct rg_regraph *random_graph(struct rg_rng *r)
{
    static const char *const devices[] = {"sm_90", "sim:h200"}, *const coders[] = {"poly", "llm"};
    struct rg_regraph *g = base();
    char run[16], step[128];
    for (int i = (int)rg_rng_below(r, 6); i > 0; i--) {
        int id = (int)rg_rng_below(r, 8), n = 4 + id + (int)rg_rng_below(r, 3), edge = (int)rg_rng_below(r, 3);
        snprintf(run, sizeof run, "run%d", id);
        learn(g, edge, row(devices[id & 1], "stencil", coders[id >> 1 & 1], run, n, n / 2, 0.1 * id));
    }
    for (int i = (int)rg_rng_below(r, 3); i > 0; i--) { /* a step of its own, the same wherever it is there */
        int id = (int)rg_rng_below(r, 4);
        snprintf(step, sizeof step, "{\"id\": \"x%d\", \"title\": \"X\", \"category\": \"tuning\", \"m\": %d}", id, id);
        snprintf(run, sizeof run, "x%d", id);
        if (rg_regraph_add_step(g, step, NULL) == RG_OK) rg_regraph_add_edge(g, "a", run, 0.5, 1, "n", NULL);
    }
    if (rg_rng_below(r, 3) == 0) {
        int before, after;
        assert_int_equal(rg_regraph_compact(g, &before, &after, NULL), RG_OK);
    }
    return g;
}

static struct rg_regraph *merge_in_order(struct rg_regraph **parts, const int *order, int n)
{
    struct rg_regraph *g = rg_regraph_clone(parts[order[0]]);
    for (int i = 1; i < n; i++) assert_int_equal(rg_regraph_merge(g, parts[order[i]], NULL, NULL), RG_OK);
    return g;
}

static void test_merge_union(void **state)
{
    enum { n = 5 };
    struct rg_rng r;
    rg_rng_seed(&r, 11);
    for (int round = 0; round < 200; round++) {
        struct rg_regraph *parts[n], *first = NULL;
        int order[n];
        for (int i = 0; i < n; i++) {
            parts[i] = random_graph(&r);
            order[i] = i;
        }
        for (int permutation = 0; permutation < 6; permutation++) {
            struct rg_regraph *g = merge_in_order(parts, order, n);
            if (!first) first = rg_regraph_clone(g);
            assert_same(g, first); /* commutative and associative */
            rg_regraph_merge(g, parts[permutation % n], NULL, NULL);
            assert_same(g, first); /* idempotent */
            rg_regraph_free(g);
            for (int i = n - 1; i > 0; i--) {
                int j = (int)rg_rng_below(&r, (uint64_t)i + 1), t = order[i];
                order[i] = order[j];
                order[j] = t;
            }
        }
        /* (p0 + p1) + (p2 + p3 + p4), by halves */
        struct rg_regraph *left = merge_in_order(parts, (int[]){1, 0}, 2),
                          *right = merge_in_order(parts, (int[]){4, 2, 3}, 3);
        rg_regraph_merge(left, right, NULL, NULL);
        assert_same(left, first);
        rg_regraph_free(left);
        rg_regraph_free(right);
        rg_regraph_free(first);
        for (int i = 0; i < n; i++) rg_regraph_free(parts[i]);
    }
}

static void test_merge_opinions(void **state)
{
    struct rg_regraph *g = base(), *h = base();
    struct rg_buf notes = RG_BUF_INIT;
    rg_regraph_set(h, "a", "b", 0.9, NAN, "better", NULL);
    learn(h, 2, row("sm_90", "stencil", "poly", "r1", 1, 1, 1));
    rg_regraph_merge(g, h, &notes, NULL);
    assert_true(rg_regraph_edge(g, 2)->prior == 0.4);
    assert_int_equal(rg_regraph_edge(g, 2)->n_evidence, 1);
    assert_string_equal(notes.data, "edge a -> b: kept prior 0.4, confidence 2; the other graph has 0.9, 2\n"
                                    "edge a -> b: kept its note, the other graph's differs\n");
    rg_buf_release(&notes);
    rg_regraph_free(g);
    rg_regraph_free(h);
}

static void test_compact(void **state)
{
    struct rg_regraph *g = base(), *runs;
    struct rg_weight before, after;
    int n_before, n_after;
    char run[16];
    for (int i = 0; i < 7; i++) {
        snprintf(run, sizeof run, "run%d", i);
        learn(g, i % 2, row("sm_90", "stencil", "poly", run, 4 + i, 3, 0.1 * i));
    }
    learn(g, 0, row("sim:h200", "stencil", "poly", "run1", 4, 3, 0.3));
    runs = rg_regraph_clone(g);
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &before);
    assert_int_equal(rg_regraph_compact(g, &n_before, &n_after, NULL), RG_OK);
    assert_int_equal(n_before, 8);
    assert_int_equal(n_after, 3);
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &after);
    assert_true(fabs(before.score - after.score) < 1e-12 && fabs(before.n - after.n) < 1e-12);
    struct rg_regraph *compacted = rg_regraph_clone(g);
    rg_regraph_merge(g, runs, NULL, NULL); /* the runs are in there already */
    assert_same(g, compacted);
    rg_regraph_merge(runs, compacted, NULL, NULL);
    assert_same(runs, compacted);
    learn(g, 0, row("sm_90", "stencil", "poly", "run0", 4, 3, 0));
    assert_same(g, compacted);
    learn(g, 0, row("sm_90", "stencil", "poly", "run9", 4, 3, 0.1));
    assert_int_equal(rg_regraph_edge(g, 0)->n_evidence, 3);
    assert_int_equal(rg_regraph_compact(g, &n_before, &n_after, NULL), RG_OK);
    const struct rg_evidence *e = &rg_regraph_edge(g, 0)->evidence[1];
    assert_int_equal(e->n_runs, 5);
    assert_string_equal(e->runs[4], "run9");
    rg_regraph_free(g);
    rg_regraph_free(runs);
    rg_regraph_free(compacted);
}

/* Compacted rows that share a run can't be taken apart: one speaks, the other is kept but not counted. */
static void test_overlap(void **state)
{
    const char *ab[] = {"r1", "r2", "r3"}, *bc[] = {"r3", "r4"};
    struct rg_regraph *g = base();
    struct rg_evidence x = row("sm_90", "stencil", "poly", "", 30, 30, 0.5),
                       y = row("sm_90", "stencil", "poly", "", 20, 0, 0);
    struct rg_weight w;
    x.runs = ab;
    x.n_runs = 3;
    y.runs = bc;
    y.n_runs = 2;
    learn(g, 0, y);
    learn(g, 0, x);
    assert_int_equal(rg_regraph_edge(g, 0)->n_evidence, 2);
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
    assert_true(fabs(w.n - 34) < 1e-9);
    learn(g, 0, row("sm_90", "stencil", "poly", "r5", 1, 0, 0));
    int before, after;
    assert_int_equal(rg_regraph_compact(g, &before, &after, NULL), RG_OK);
    assert_int_equal(after, 2);
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
    assert_true(fabs(w.n - 35) < 1e-9);
    rg_regraph_free(g);
}

static double score(const struct rg_regraph *g, const char *device, const char *klass, const char *coder)
{
    struct rg_weight w;
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){device, klass, NULL, coder}, NULL, &w);
    assert_true(isfinite(w.score) && isfinite(w.gain) && w.sigma > 0 && w.p_ok >= 0 && w.p_ok <= 1);
    return w.score;
}

static void test_weigh(void **state)
{
    struct rg_regraph *g = base();
    struct rg_weight w;
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
    assert_true(fabs(w.p_ok - 0.5) < 1e-12 && fabs(w.gain - 0.5 * log(2)) < 1e-12 && w.n == 4);
    double cold = w.score;
    rg_regraph_set(g, "@start", "a", 0.8, NAN, NULL, NULL);
    assert_true(score(g, "sm_90", "stencil", "poly") > cold); /* a raised prior raises the weight */
    rg_regraph_set(g, "@start", "a", 0.5, 0, NULL, NULL);
    score(g, NULL, NULL, NULL); /* an opinion worth nothing and no evidence: still finite */
    rg_regraph_set(g, "@start", "a", 0.5, 4, NULL, NULL);

    learn(g, 0, row("sm_90", "stencil", "poly", "r1", 8, 8, 1.0));
    rg_regraph_weigh(g, 0, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
    assert_true(w.n == 12 && fabs(w.p_ok - 10.0 / 12) < 1e-12);
    assert_true(fabs(w.gain - (4 * 0.5 * log(2) + 8) / 12) < 1e-9);
    double same = w.score, arch = score(g, "sm_80", "stencil", "poly"), sim = score(g, "sim:h200", "stencil", "poly");
    double klass = score(g, "sm_90", "reduction", "poly"), coder = score(g, "sm_90", "stencil", "llm");
    assert_true(same > arch && arch > sim && sim > cold); /* the less alike, the less it counts */
    assert_true(same > klass && klass > cold && same > coder && coder > cold);
    assert_true(score(g, NULL, NULL, NULL) == same);

    /* Failures and losses count against. */
    learn(g, 0, row("sm_90", "stencil", "poly", "r2", 20, 0, 0));
    assert_true(score(g, "sm_90", "stencil", "poly") < same);
    learn(g, 1, row("sm_90", "stencil", "poly", "r1", 8, 8, -1.0));
    rg_regraph_weigh(g, 1, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
    assert_true(w.score < 0);

    /* Any amount of foreign evidence counts for 20 observations at most. */
    learn(g, 2, row("sim:h200", "scan", "llm", "r1", 1000000, 1000000, 1.0));
    rg_regraph_weigh(g, 2, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
    assert_true(fabs(w.n - 22) < 1e-9);
    rg_regraph_free(g);
}

/* The way to the best, and tuned values: kept, printed, summed, voted on. */
static void test_lead_and_tuned(void **state)
{
    struct rg_regraph *g = base(), *back = NULL;
    const struct rg_tuned at[] = {{"BX", 16, 1}, {"BX", 32, 1}, {"U", 4, 1}};
    struct rg_evidence e = row("sm_90", "stencil", "poly", "r1", 5, 4, 0.1), plain = e;
    struct rg_weight without, with;
    int64_t value = 0;
    learn(g, 2, plain);
    rg_regraph_weigh(g, 2, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &without);
    e.lead = 1;
    e.n_tuned = 1;
    e.tuned = at;
    learn(g, 2, e);
    rg_regraph_weigh(g, 2, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &with);
    assert_true(with.score > without.score + 1 && with.gain == without.gain);
    assert_true(with.lead == 1 && with.runs == 1);
    int b = rg_regraph_find(g, "b");
    assert_true(
        rg_regraph_tuned(g, b, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, "BX", &value));
    assert_int_equal(value, 16);
    assert_false(
        rg_regraph_tuned(g, b, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, "U", &value));
    assert_false(rg_regraph_tuned(g, rg_regraph_find(g, "a"),
                                  &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, "BX", &value));
    assert_false(rg_regraph_tuned(g, b, &(struct rg_circumstances){"sm_90", "scan", NULL, "poly"}, NULL, "BX",
                                  &value)); /* one run of another class */
    e.tuned = at + 1;                       /* BX=32 and U=4, twice, at another edge to the same step */
    e.n_tuned = 2;
    e.run = "r2";
    learn(g, 1, e);
    e.run = "r3";
    learn(g, 1, e);
    assert_true(
        rg_regraph_tuned(g, b, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, "BX", &value));
    assert_int_equal(value, 32);

    char *text = text_of(g);
    assert_non_null(strstr(text, "\"lead\": 1, \"tuned\": {\"BX\": {\"32\": 1}, \"U\": {\"4\": 1}}"));
    assert_int_equal(rg_regraph_parse(text, strlen(text), "t", &back, NULL), RG_OK);
    assert_same(g, back);
    int before, after;
    assert_int_equal(rg_regraph_compact(g, &before, &after, NULL), RG_OK);
    const struct rg_evidence *sum = &rg_regraph_edge(g, 1)->evidence[0];
    assert_int_equal(sum->lead, 2);
    assert_int_equal(sum->n_tuned, 2);
    assert_int_equal(sum->tuned[0].count, 2);
    assert_int_equal(rg_regraph_merge(g, back, NULL, NULL), RG_OK); /* the runs it was folded from: nothing new */
    assert_int_equal(rg_regraph_edge(g, 1)->n_evidence, 1);

    struct rg_evidence bad[] = {e, e, e, e};
    bad[0].lead = 5; /* more than ok */
    bad[1].lead = -1;
    bad[2].lead = 0; /* fewer than the counts */
    const struct rg_tuned wrong[] = {{"U", 4, 1}, {"BX", 32, 1}};
    bad[3].tuned = wrong;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (rg_regraph_learn(back, 0, &bad[i], NULL) != RG_INPUT) fail_msg("row %zu was taken", i);
    char *at_u = strstr(text, "\"4\": 1"); /* a value that is no integer */
    memcpy(at_u, "\"x\"", 3);
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *none = NULL;
    assert_int_equal(rg_regraph_parse(text, strlen(text), "t", &none, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "no integer"));
    free(text);
    rg_regraph_free(back);
    rg_regraph_free(g);
}

/* Every constant of the weight is the caller's to set. */
static void constants_are_given(void **state)
{
    struct rg_regraph *g = base();
    struct rg_weight plain, set;
    learn(g, 0, row("sm_90", "stencil", "poly", "r1", 10, 9, 0.3));
    learn(g, 0, row("sim:h200", "scan", "llm", "r2", 30, 15, 0.1));
    const struct rg_circumstances at = {.device = "sm_90", .klass = "stencil", .program = "p", .coder = "poly"};
    rg_regraph_weigh(g, 0, &at, NULL, &plain);
    rg_regraph_weigh(g, 0, &at, &rg_weighing_default, &set);
    assert_true(plain.score == set.score);
#define X(name, value, least, most, what)                                                                              \
    {                                                                                                                  \
        struct rg_weighing by = rg_weighing_default;                                                                   \
        by.name = by.name > 1 ? by.name / 2 : by.name * 1.5;                                                           \
        if (strcmp(#name, "lead_bonus") && strcmp(#name, "lead_shrink") && strcmp(#name, "least_votes") &&             \
            strcmp(#name, "other_arch") && strcmp(#name, "most_foreign")) {                                            \
            rg_regraph_weigh(g, 0, &at, &by, &set);                                                                    \
            if (set.score == plain.score) fail_msg("%s changes nothing", #name);                                       \
        }                                                                                                              \
    }
    RG_WEIGHING_MAP(X)
#undef X
    rg_regraph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_given), cmocka_unit_test(test_learn),
        cmocka_unit_test(test_merge_union),    cmocka_unit_test(test_merge_opinions),
        cmocka_unit_test(test_compact),        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_weigh),          cmocka_unit_test(test_lead_and_tuned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
