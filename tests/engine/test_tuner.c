/* The tuner: what it measures, in which order, and when it stops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/tuner.h"
#include <math.h>
#include <string.h>

static int64_t powers[] = {1, 2, 4, 8, 16, 32, 64};
static int64_t mixed[] = {64, 1, 16, 4};
static int64_t single[] = {7};

struct run {
    int evals, ok;
    struct rg_vector seen[64];
    double times[64];
};

/* Drives a tuner to its end; feeds in order, as the engine does. */
static void drive(struct rg__tuner *t, double (*f)(const struct rg_vector *), struct run *r)
{
    memset(r, 0, sizeof *r);
    for (;;) {
        struct rg_vector batch[16];
        int n = 0;
        while (n < 16 && rg__tuner_next(t, &batch[n])) n++;
        assert_true(n <= RG__TUNER_AHEAD);
        if (n == 0) {
            assert_true(rg__tuner_done(t));
            return;
        }
        for (int i = 0; i < n; i++) {
            double x = f(&batch[i]);
            assert_true(r->evals < 64);
            for (int k = 0; k < r->evals; k++) assert_false(rg_vector_equal(&r->seen[k], &batch[i]));
            r->seen[r->evals] = batch[i];
            r->times[r->evals++] = x;
            rg__tuner_feed(t, &batch[i], x > 0, x, false);
        }
    }
}

static double bowl(const struct rg_vector *v)
{
    double a = log2((double)v->values[0]) - 3, b = log2((double)v->values[1]) - 2;
    return 100 * (1 + 0.3 * a * a + 0.2 * b * b);
}

static struct rg_tunables two(struct rg_tunable *items)
{
    items[0] = (struct rg_tunable){.name = "TX", .n_values = 7, .values = powers, .start = 1};
    items[1] = (struct rg_tunable){.name = "TY", .n_values = 7, .values = powers, .start = 1};
    return (struct rg_tunables){.n = 2, .items = items};
}

static void test_finds_optimum(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector start;
    rg_tunables_default(&t, &start);
    struct rg__tuner tuner;
    struct run r;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    drive(&tuner, bowl, &r);
    assert_int_equal(tuner.best.values[0], 8);
    assert_int_equal(tuner.best.values[1], 4);
    assert_true(r.evals < 25); /* of 49 */
    assert_int_equal(r.evals, tuner.spent);
    rg__tuner_release(&tuner);
}

static void test_no_tunables_one_evaluation(void **state)
{
    struct rg_tunables t = {0};
    struct rg_vector start = {0};
    struct rg__tuner tuner;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    struct rg_vector v;
    assert_true(rg__tuner_next(&tuner, &v));
    assert_false(rg__tuner_next(&tuner, &v));
    assert_false(rg__tuner_done(&tuner));
    rg__tuner_feed(&tuner, &v, true, 5, false);
    assert_true(rg__tuner_done(&tuner));
    rg__tuner_release(&tuner);
}

static double flat(const struct rg_vector *v)
{
    return 10;
}

static void test_allowance(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector start;
    rg_tunables_default(&t, &start);
    struct rg__tuner tuner;
    struct run r;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    drive(&tuner, flat, &r); /* nothing improves: nothing is earned */
    assert_true(r.evals <= 5);
    rg__tuner_release(&tuner);
    /* A candidate far slower than its parent gets less than one that is not. */
    rg__tuner_init(&tuner, &t, &start, 0, 1.0, 0);
    drive(&tuner, flat, &r);
    int slow = r.evals;
    rg__tuner_release(&tuner);
    rg__tuner_init(&tuner, &t, &start, 0, 9.0, 0);
    drive(&tuner, flat, &r);
    assert_true(slow < r.evals || r.evals <= 3);
    rg__tuner_release(&tuner);
}

static double only_small(const struct rg_vector *v)
{
    return v->values[0] > 2 ? -1 : 50 + (double)v->values[0];
}

static void test_recovers(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector start = {2, {64, 64}};
    struct rg__tuner tuner;
    struct run r;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    drive(&tuner, only_small, &r);
    assert_true(tuner.best_us > 0);
    assert_true(tuner.best.values[0] <= 2);
    rg__tuner_release(&tuner);
}

static double never(const struct rg_vector *v)
{
    return -1;
}

static void test_gives_up(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector start = {2, {8, 8}};
    struct rg__tuner tuner;
    struct run r;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    drive(&tuner, never, &r);
    assert_true(r.evals <= 4);
    assert_true(tuner.best_us == 0);
    rg__tuner_release(&tuner);
}

static double ridge(const struct rg_vector *v)
{
    double a = log2((double)v->values[0]);
    return 100 * (1 + 0.1 * (a - 5) * (a - 5)) * (v->values[0] * v->values[1] == 64 ? 1 : 3);
}

/* TX*TY <= 64 from (8, 8): the only way to TX = 32 is to lower TY in the same move. */
static void test_constraint_pairs(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_arena arena = RG_ARENA_INIT;
    const struct rg_expr *c[1];
    assert_int_equal(rg_expr_parse_all(&arena, "TX*TY <= 64", &c[0], NULL), RG_OK);
    t.constraints = c;
    t.n_constraints = 1;
    struct rg_vector start = {2, {8, 8}};
    struct rg__tuner tuner;
    struct run r;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    drive(&tuner, ridge, &r);
    for (int i = 0; i < r.evals; i++) assert_true(r.seen[i].values[0] * r.seen[i].values[1] <= 64);
    assert_int_equal(tuner.best.values[0], 32);
    assert_int_equal(tuner.best.values[1], 2);
    rg__tuner_release(&tuner);
    rg_arena_release(&arena);
}

static void test_unsorted_and_single_domains(void **state)
{
    struct rg_tunable items[2] = {{.name = "A", .n_values = 4, .values = mixed, .start = 1},
                                  {.name = "B", .n_values = 1, .values = single, .start = 7}};
    struct rg_tunables t = {.n = 2, .items = items};
    struct rg_vector start;
    rg_tunables_default(&t, &start);
    struct rg__tuner tuner;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    struct rg_vector v;
    assert_true(rg__tuner_next(&tuner, &v));
    rg__tuner_feed(&tuner, &v, true, 10, false);
    assert_true(rg__tuner_next(&tuner, &v));
    assert_int_equal(v.values[0], 4); /* the neighbour of 1 is 4, not what stands beside it in the list */
    assert_int_equal(v.values[1], 7);
    rg__tuner_feed(&tuner, &v, true, 9, false);
    rg__tuner_release(&tuner);
}

static void test_inherit(void **state)
{
    struct rg_tunable items[2], more[3];
    struct rg_tunables t = two(items);
    more[0] = (struct rg_tunable){.name = "NEW", .n_values = 4, .values = mixed, .start = 16};
    more[1] = items[1];
    more[2] = (struct rg_tunable){.name = "TX", .n_values = 3, .values = powers, .start = 2};
    struct rg_tunables child = {.n = 3, .items = more};
    struct rg_vector parent = {2, {4, 32}}, v;
    uint32_t bits;
    rg__vector_inherit(&child, &t, &parent, NULL, NULL, &v, &bits);
    assert_int_equal(v.values[0], 16);
    assert_int_equal(v.values[1], 32); /* TY by name, not by place */
    assert_int_equal(v.values[2], 4);
    assert_int_equal(bits, 6);
    parent.values[0] = 64; /* not in the child's domain: its default */
    rg__vector_inherit(&child, &t, &parent, NULL, NULL, &v, &bits);
    assert_int_equal(v.values[2], 2);
    assert_int_equal(bits, 2);
    rg__vector_inherit(&child, NULL, NULL, NULL, NULL, &v, &bits);
    assert_int_equal(v.values[1], 1);
    assert_int_equal(bits, 0);
}

static bool thirty_two(void *arg, const char *name, int64_t *value)
{
    *value = 32;
    return !strcmp(name, arg);
}

/* Advice is for what the parent had not, where the domain and the constraints have room for it. */
static void test_advice(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector parent = {1, {4}}, v;
    struct rg_tunables one = {.n = 1, .items = items};
    rg__vector_inherit(&t, &one, &parent, thirty_two, (void *)items[1].name, &v, NULL);
    assert_int_equal(v.values[0], 4);
    assert_int_equal(v.values[1], 32);
    rg__vector_inherit(&t, &one, &parent, thirty_two, (void *)items[0].name, &v, NULL);
    assert_int_equal(v.values[0], 4); /* the parent's stands */
    struct rg_arena a = RG_ARENA_INIT;
    const struct rg_expr *few;
    assert_int_equal(rg_expr_parse_all(&a, "TY < 32", &few, NULL), RG_OK);
    t.constraints = &few;
    t.n_constraints = 1;
    rg__vector_inherit(&t, &one, &parent, thirty_two, (void *)items[1].name, &v, NULL);
    assert_int_equal(v.values[0], 4); /* not allowed: without the advice */
    assert_int_equal(v.values[1], items[1].start);
    rg_arena_release(&a);
}

/* Lean: the start alone, or until something works. Wide: on past a local optimum, all values of each tunable. */
static void test_lean_and_wide(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector v;
    rg_tunables_default(&t, &v);
    struct rg__tuner tuner;
    rg__tuner_init(&tuner, &t, &v, 0, 0, 0);
    rg__tuner_lean(&tuner);
    int n = 0;
    for (; rg__tuner_next(&tuner, &v); n++) rg__tuner_feed(&tuner, &v, true, 10, false);
    assert_int_equal(n, 1);
    assert_true(rg__tuner_done(&tuner));
    rg__tuner_release(&tuner);

    rg_tunables_default(&t, &v);
    rg__tuner_init(&tuner, &t, &v, 0, 0, 0);
    rg__tuner_lean(&tuner);
    for (n = 0; rg__tuner_next(&tuner, &v); n++) rg__tuner_feed(&tuner, &v, n == 1, 10, false);
    assert_int_equal(n, 2);
    rg__tuner_release(&tuner);

    for (int wide = 0; wide < 2; wide++) { /* flat but for a needle two places off */
        rg_tunables_default(&t, &v);
        int64_t needle = items[0].values[items[0].n_values - 1];
        rg__tuner_init(&tuner, &t, &v, 0, 0, 0);
        tuner.wide = wide;
        tuner.allowance = tuner.cap = 100;
        while (rg__tuner_next(&tuner, &v)) rg__tuner_feed(&tuner, &v, true, v.values[0] == needle ? 5 : 10, false);
        assert_true((tuner.best.values[0] == needle) == wide);
        rg__tuner_release(&tuner);
    }
}

static void test_known_is_not_measured(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector start;
    rg_tunables_default(&t, &start);
    struct rg__tuner tuner;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    rg__tuner_know(&tuner, &start, true, bowl(&start));
    struct run r;
    drive(&tuner, bowl, &r);
    for (int i = 0; i < r.evals; i++) assert_false(rg_vector_equal(&r.seen[i], &start));
    assert_int_equal(tuner.best.values[0], 8);
    rg__tuner_release(&tuner);
}

static void test_refused_vectors_are_free(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables t = two(items);
    struct rg_vector start, v;
    rg_tunables_default(&t, &start);
    struct rg__tuner tuner;
    rg__tuner_init(&tuner, &t, &start, 0, 0, 0);
    assert_true(rg__tuner_next(&tuner, &v));
    rg__tuner_feed(&tuner, &v, true, 10, false);
    assert_int_equal(tuner.spent, 1);
    while (rg__tuner_next(&tuner, &v)) rg__tuner_feed(&tuner, &v, false, 0, true);
    assert_int_equal(tuner.spent, 1);
    assert_true(rg__tuner_done(&tuner));
    rg__tuner_release(&tuner);
}

/* Where nothing improves, what was foreseen is what comes next. */
static void test_foresees(void **state)
{
    struct rg_tunable items[2];
    struct rg_tunables space = two(items);
    struct rg_vector start, first, next[RG__TUNER_AHEAD], seen;
    rg_tunables_default(&space, &start);
    struct rg__tuner t;
    rg__tuner_init(&t, &space, &start, 0, 100, 0);
    assert_true(rg__tuner_next(&t, &first));
    int n = rg__tuner_foresee(&t, next, RG__TUNER_AHEAD);
    assert_true(n > 1);
    assert_false(rg__tuner_next(&t, &seen)); /* looking ahead changed nothing */
    rg__tuner_feed(&t, &first, true, 100, false);
    for (int i = 0; i < n; i++) {
        assert_true(rg__tuner_next(&t, &seen));
        assert_true(rg_vector_equal(&seen, &next[i]));
    }
    assert_false(rg__tuner_next(&t, &seen));
    rg__tuner_release(&t);
}

static double plane(const struct rg_vector *v)
{
    return 100 + (double)v->values[0] + (double)v->values[1];
}

/* For recording: at a local optimum it ends, but on the way it has looked elsewhere; however slow a candidate is, two
 * vectors are known. */
static void scattered(void **state)
{
    struct rg_tunable items[] = {{"A", 7, powers, 1, -1}, {"B", 7, powers, 1, -1}};
    struct rg_tunables t = {.n = 2, .items = items};
    struct rg_vector start = {2, {1, 1}};
    struct rg__tuner x;
    struct run r;
    rg__tuner_init(&x, &t, &start, 0, 0, 0);
    x.allowance = x.cap;
    x.scatter = true;
    drive(&x, plane, &r);
    int far = 0;
    for (int i = 0; i < r.evals; i++) far += r.seen[i].values[0] > 2 && r.seen[i].values[1] > 2;
    assert_true(far >= 1);
    assert_true(rg_vector_equal(&x.best, &start));
    rg__tuner_release(&x);
    rg__tuner_init(&x, &t, &start, 0, 1, 1); /* a hundred times slower than the best */
    x.allowance = x.cap;
    x.scatter = true;
    drive(&x, plane, &r);
    assert_int_equal(r.evals, 2);
    rg__tuner_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_optimum),
        cmocka_unit_test(test_foresees),
        cmocka_unit_test(test_no_tunables_one_evaluation),
        cmocka_unit_test(test_allowance),
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_constraint_pairs),
        cmocka_unit_test(test_unsorted_and_single_domains),
        cmocka_unit_test(test_inherit),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_lean_and_wide),
        cmocka_unit_test(test_known_is_not_measured),
        cmocka_unit_test(test_refused_vectors_are_free),
        cmocka_unit_test(scattered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
