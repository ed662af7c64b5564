/* The search graph itself: values recomputed from children, shared nodes, cycles, what a visit counts for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_fixture.h"

/* A node of its own under `parent` by step index `step`, measured at t (0: it failed). */
static uint32_t child(struct bench *b, uint32_t parent, int step, double t, uint32_t *edge)
{
    struct rg__search *s = &b->s;
    const char *id = rg_regraph_step(b->g, step)->id;
    struct rg_template *x = fake_make(&b->w, s->nodes[parent].tmpl, id, "A", 0);
    uint32_t n = rg__node_find(s, x, UINT32_MAX);
    if (n == RG__NONE) {
        n = rg__node_add(s, x, s->nodes[parent].depth + 1);
        struct rg_vector v = {0};
        struct rg_evaluation e = {.outcome = t > 0 ? RG_OUTCOME_OK : RG_OUTCOME_WRONG, .time_us = t};
        rg__node_trial(s, n, &v, &e);
        rg__node_rescore(s, n);
    }
    rg_template_unref(x);
    *edge = rg__edge_add(s, parent, step, "A", 0, 0);
    rg__graph_link(s, *edge, n);
    return n;
}

static void visit(struct bench *b, uint32_t edge, uint32_t n, uint32_t wins)
{
    b->s.edges[edge].visits = n;
    b->s.edges[edge].wins = wins;
}

static void near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-12);
}

/* Root -> x, y; x -> z; y -> z (shared); y -> a failed child. */
static void test_values(void **state)
{
    struct bench b;
    set_up(&b);
    uint32_t ex, ey, exz, eyz, ef;
    uint32_t x = child(&b, RG__ROOT, 0, 80, &ex), y = child(&b, RG__ROOT, 1, 120, &ey);
    uint32_t z = child(&b, x, 1, 25, &exz);
    assert_int_equal(child(&b, y, 0, 25, &eyz), z); /* a then b, b then a: one node */
    uint32_t f = child(&b, y, 2, 0, &ef);
    assert_int_equal(b.s.nodes[f].outcome, RG_OUTCOME_WRONG);
    visit(&b, ex, 3, 3);
    visit(&b, exz, 2, 2);
    visit(&b, ey, 4, 2);
    visit(&b, eyz, 1, 1);
    visit(&b, ef, 2, 0);
    rg__graph_refresh(&b.s, z); /* reaches both parents and the root */
    rg__graph_refresh(&b.s, f);
    double gx = log(100.0 / 80), gy = log(100.0 / 120), gz = log(4.0);
    near(b.s.nodes[z].q, gz);
    near(b.s.nodes[x].q, (gx + 2 * gz) / 3);
    near(b.s.nodes[x].best, gz);
    near(b.s.nodes[y].q, (gy + gz) / 2);      /* slower than naive counts against it; the failure has no weight */
    assert_int_equal(b.s.nodes[y].visits, 4); /* ... but counts as visits */
    assert_int_equal(b.s.nodes[x].visits, 3);
    near(b.s.nodes[RG__ROOT].q, (3 * (gx + 2 * gz) / 3 + 2 * (gy + gz) / 2) / 6);
    near(b.s.nodes[RG__ROOT].best, gz);
    double q = b.s.nodes[RG__ROOT].q;
    for (uint32_t i = 0; i < 5; i++) rg__graph_refresh(&b.s, i); /* again, in another order: the same */
    near(b.s.nodes[RG__ROOT].q, q);
    tear_down(&b);
}

static void test_reaches(void **state)
{
    struct bench b;
    set_up(&b);
    uint32_t e;
    uint32_t x = child(&b, RG__ROOT, 0, 80, &e), y = child(&b, x, 1, 60, &e), z = child(&b, y, 2, 50, &e);
    assert_true(rg__graph_reaches(&b.s, x, z));
    assert_false(rg__graph_reaches(&b.s, z, x));
    assert_true(rg__graph_reaches(&b.s, y, y));
    tear_down(&b);
}

/* Only what is there at a stamp is found at it: actions under way must not see later commits. */
static void test_stamps(void **state)
{
    struct bench b;
    set_up(&b);
    b.s.commits = 5;
    uint32_t e, x = child(&b, RG__ROOT, 0, 80, &e);
    struct rg_template *same = fake_make(&b.w, NULL, "a", "A", 0);
    assert_int_equal(rg__node_find(&b.s, same, 5), x);
    assert_int_equal(rg__node_find(&b.s, same, 4), RG__NONE);
    rg_template_unref(same);
    rg__code_add(&b.s, 77, x);
    assert_int_equal(rg__code_find(&b.s, 77, 5), x);
    assert_int_equal(rg__code_find(&b.s, 77, 4), RG__NONE);
    assert_int_equal(rg__code_find(&b.s, 0, 5), RG__NONE);
    tear_down(&b);
}

/* Blanks in a plan are no difference; another grid is. Without PTX nothing is known to be equal. */
static void test_code_hash(void **state)
{
    struct rg_evaluation e = {.outcome = RG_OUTCOME_OK}, f = e;
    assert_int_equal(rg__code_hash(&e, rg__plan_hash("k<<<1, 1>>>();")), 0);
    strcpy(e.ptx_hash, "abc");
    strcpy(f.ptx_hash, "abd");
    uint64_t h = rg__code_hash(&e, rg__plan_hash("k<<<1, 1>>>();"));
    assert_true(h == rg__code_hash(&e, rg__plan_hash("k<<<1,1>>>();\n")));
    assert_true(h != rg__code_hash(&e, rg__plan_hash("k<<<2,1>>>();\n")));
    assert_true(h != rg__code_hash(&f, rg__plan_hash("k<<<1,1>>>();\n")));
}

/* What was measured through one parent is taken over by another without an evaluation. */
static void test_takes_over(void **state)
{
    struct bench b;
    set_up(&b);
    uint32_t ex, ey, exz, eyz, ezw;
    uint32_t x = child(&b, RG__ROOT, 0, 80, &ex), y = child(&b, RG__ROOT, 1, 80, &ey);
    uint32_t z = child(&b, x, 1, 25, &exz);
    child(&b, y, 0, 25, &eyz);
    uint32_t w = child(&b, z, 2, 20, &ezw);
    visit(&b, ezw, 6, 6);
    visit(&b, exz, 7, 7);
    visit(&b, ex, 8, 8);
    visit(&b, eyz, 1, 1);
    visit(&b, ey, 2, 2);
    for (uint32_t i = 0; i < 6; i++) b.s.nodes[i < (uint32_t)b.s.n_nodes ? i : 0].expanded[0] = true;
    b.s.best_us = 20;
    rg__graph_refresh(&b.s, w);
    rg__graph_refresh(&b.s, y);
    b.s.nodes[x].exhausted[0] = true; /* the only way is through y */
    b.s.nodes[w].expanded[0] = false; /* something is left to do at w */
    struct rg__action *a = rg__action_new(&b.s);
    enum rg__next what;
    rg__policy_mcgs.start(&b.s);
    assert_int_equal(rg__policy_mcgs.next(&b.s, a, &what, NULL), RG_OK);
    assert_int_equal(what, RG__NEXT_ACTION);
    assert_int_equal(a->parent, w);
    assert_int_equal(b.s.edges[eyz].visits, b.s.nodes[z].visits);
    assert_int_equal(b.s.edges[ey].visits, b.s.nodes[y].visits);
    assert_int_equal(a->n_path, 3);
    rg__policy_mcgs.stop(&b.s);
    rg__action_free(a);
    tear_down(&b);
}

/* A branch where tuning alone is left, and was in vain, is worth less by that; one with an untried step is not. */
static void test_hope(void **state)
{
    struct bench b;
    set_up(&b);
    b.w.e[0].best = 64;
    uint32_t ex, ey, ez;
    uint32_t x = child(&b, RG__ROOT, 0, 25, &ex), y = child(&b, x, 1, 50, &ey);
    struct rg__node *n = b.s.nodes;
    rg__graph_refresh(&b.s, y);
    near(n[x].hope, 1); /* nobody has looked what it offers */
    n[x].expanded[RG__LANE_BUILT_IN] = n[y].expanded[RG__LANE_BUILT_IN] = true;
    n[x].fruitless = n[y].fruitless = 3 * (uint32_t)b.s.p.tune_hope;
    rg__graph_refresh(&b.s, y);
    near(n[y].hope, 0.25);
    near(n[x].hope, 0.25);
    n[y].fruitless = (uint32_t)b.s.p.tune_hope;
    rg__graph_refresh(&b.s, y);
    near(n[x].hope, 0.5); /* of what is below it the best */
    ez = rg__edge_add(&b.s, y, 2, "A", 0, 0);
    rg__graph_refresh(&b.s, y);
    near(n[x].hope, 1);
    b.s.edges[ez].state = RG__EDGE_CLOSED;
    rg__graph_refresh(&b.s, y);
    near(n[x].hope, 0.5);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_reaches),    cmocka_unit_test(test_stamps),
        cmocka_unit_test(test_code_hash), cmocka_unit_test(test_takes_over), cmocka_unit_test(test_hope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
