/* Pruning: a candidate that was not timed is neither failure nor evidence, and a place to go on from as any other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "graph_fixture.h"
#include "journal_fixture.h"

/* `slow` is what an estimate would keep from being timed, with whatever else is applied; it has tunables, and so has
 * what comes with it. */
static struct fake_world slow_world(void)
{
    return (struct fake_world){.base_us = 1000,
                               .n = 4,
                               .e = {{.id = "a", .factor = 0.5},
                                     {.id = "b", .factor = 0.8, .best = 4},
                                     {.id = "slow", .factor = 6, .outcome = RG_OUTCOME_PRUNED, .best = 4},
                                     {.id = "wrong", .factor = 1, .outcome = RG_OUTCOME_WRONG}}};
}

static struct rg_search_result run(struct fake_world *w, const struct rg_search_options *o)
{
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    if (journal_run(w, o, &r, &err) != RG_OK) fail_msg("%s", err.text);
    return r;
}

/* --- in the search graph --- */

/* An action along `edge` comes back with one candidate of this outcome. */
static struct rg__action *settle(struct bench *b, uint32_t edge, enum rg_outcome outcome, double us)
{
    struct rg__search *s = &b->s;
    struct rg__action *a = rg__action_new(s);
    struct rg_error err = RG_ERROR_INIT;
    uint32_t parent = s->edges[edge].parent;
    rg__action_edge(s, a, edge);
    s->edges[edge].state = RG__EDGE_PENDING;
    s->edges[edge].in_flight++;
    a->answered = true;
    a->answer.kind = RG_ANSWER_TEMPLATE;
    a->tmpl = fake_make(&b->w, s->nodes[parent].tmpl, rg_regraph_step(b->g, a->step)->id, a->site, 0);
    a->state = RG__ACT_FINISHED;
    RG_GROW(a->shots, a->n_shots, a->cap_shots);
    a->shots[0] = (struct rg__shot){.eval_id = -1, .done = true, .source_hash = 7 + edge};
    a->shots[0].e = rg_xcalloc(1, sizeof *a->shots[0].e);
    a->shots[0].e->outcome = outcome;
    a->shots[0].e->time_us = outcome == RG_OUTCOME_OK ? us : 0;
    if (outcome == RG_OUTCOME_PRUNED && us > 0) {
        a->shots[0].e->n_counters = 1;
        a->shots[0].e->counters[0] = (struct rg_counter){"estimated_us", us};
    }
    a->n_shots = a->n_consumed = a->n_counted = 1;
    if (rg__commit_settle(s, a, &err) != RG_OK) fail_msg("%s", err.text);
    return a;
}

/* What each outcome does to the graph: only what can't be made or computes something else ends a way; what was not
 * timed teaches nothing. */
static void outcomes_in_the_graph(void **state)
{
    for (int outcome = RG_OUTCOME_OK; outcome < RG_N_OUTCOMES; outcome++) {
        struct bench b;
        set_up(&b);
        b.s.policy = &rg__policy_mcgs;
        b.s.naive_us = 100;
        uint32_t first = rg__edge_add(&b.s, RG__ROOT, 0, "A", 0, rg__best_edge(&b.s, NULL, 0, 0));
        uint32_t other = rg__edge_add(&b.s, RG__ROOT, 1, "A", 0, rg__best_edge(&b.s, NULL, 1, 0));
        rg__action_free(settle(&b, first, RG_OUTCOME_OK, 50));
        const struct rg__node root = b.s.nodes[RG__ROOT];
        const struct rg__tally tally = b.s.tallies[1];
        int credits = b.s.n_credits;
        struct rg__action *a = settle(&b, other, outcome, 400);
        const struct rg__node *now = &b.s.nodes[RG__ROOT], *child = &b.s.nodes[a->node];
        const struct rg__edge *e = &b.s.edges[other];
        bool ok = outcome == RG_OUTCOME_OK, pruned = outcome == RG_OUTCOME_PRUNED, slow = outcome == RG_OUTCOME_TIMEOUT;
        assert_int_equal(e->in_flight, 0);
        assert_int_equal(rg__edge_alive(&b.s, e), ok || pruned || slow);
        assert_int_equal(e->visits, 1);
        assert_int_equal(now->visits, root.visits + 1);
        assert_true(now->best == root.best);                /* slower than the other */
        assert_true((now->q == root.q) == !(ok || pruned)); /* a failure counts as a visit and not in the mean */
        assert_int_equal(b.s.n_credits, credits + 1);
        assert_true((memcmp(&tally, &b.s.tallies[1], sizeof tally) == 0) == (pruned || outcome == RG_OUTCOME_REFUSED));
        assert_int_equal(b.out.last_failure[0] != 0, !ok && !pruned);
        assert_int_equal(now->n_edges, root.n_edges); /* no other sample, no other coder */
        if (ok || pruned)
            assert_true(fabs(child->g - log(100. / 400)) < 1e-9); /* an estimate is what the node is worth */
        if (pruned) assert_true(rg__node_time(&b.s, a->node) == 0 && rg__node_expected(&b.s, a->node) == 400);
        rg__action_free(a);
        free(b.s.credits);
        tear_down(&b);
    }
}

/* --- in runs --- */

static const char *const policies[] = {"mcgs", "uct", "random", "greedy", "beam", "best-of-n", "refine", "exhaustive"};
enum { N_POLICIES = sizeof policies / sizeof *policies };

/* Runs that end for want of actions: everything there is was tried. */
static void the_search_moves_on(void **state)
{
    for (int i = 0; i < N_POLICIES; i++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = slow_world();
        o.policy = policies[i];
        o.evals = 300;
        o.in_flight = 1 + i % 3;
        struct rg_search_result r = run(&w, &o);
        int all = 0;
        for (int k = 0; k < RG_N_OUTCOMES; k++) all += r.outcomes[k];
        assert_int_equal(all, r.evaluations);
        assert_true(r.evaluations < 300);
        if (r.outcomes[RG_OUTCOME_PRUNED] < 1) fail_msg("%s: nothing pruned", policies[i]);
        assert_non_null(r.best);
        assert_null(strstr(r.last_failure, "slow"));
        for (int k = 0; k < r.n_rows; k++) assert_int_equal(r.rows[k].row.fail[RG_OUTCOME_PRUNED], 0);
        rg_search_result_release(&r);
    }
}

/* "Exhausted" holds every policy to having tried all there is: in random worlds where any step may be pruned or not end
 * in time, and may be what another one needs to pay, a run without end finds as many candidates, and as good a best, as
 * one that times everything. */
static void no_way_is_lost(void **state)
{
    struct rg_rng rng;
    rg_rng_seed(&rng, 11);
    int ways = 0, compared = 0;
    for (int world = 0; world < 60; world++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 5,
                               .estimates = world % 3 > 0,
                               .slow_us = 1000,
                               .e = {{.id = "a"}, {.id = "b"}, {.id = "c"}, {.id = "d"}, {.id = "e"}}};
        for (int k = 0; k < w.n; k++) {
            struct fake_effect *e = &w.e[k];
            e->factor = 0.3 + 1.2 * rg_rng_unit(&rng);
            if (rg_rng_below(&rng, 3) == 0) e->best = 1 << rg_rng_below(&rng, 3);
            uint64_t kind = rg_rng_below(&rng, 6);
            if (kind < 3)
                e->outcome = kind < 2 ? RG_OUTCOME_PRUNED : RG_OUTCOME_TIMEOUT, e->factor = 2 + 3 * rg_rng_unit(&rng);
            if (kind < 3) e->mended = w.e[rg_rng_below(&rng, 5)].id; /* with that one on it, it is the fastest of all */
            if (e->mended && !strcmp(e->mended, e->id)) e->mended = NULL;
        }
        struct fake_world all = w;
        bool told = w.estimates; /* how slow each is */
        for (int k = 0; k < w.n; k++) {
            told = told && w.e[k].outcome != RG_OUTCOME_TIMEOUT;
            all.e[k].outcome = RG_OUTCOME_OK;
        }
        for (int i = 0; i < N_POLICIES; i++) {
            struct rg_search_options o = fake_options();
            o.policy = policies[i];
            o.evals = o.patience = 0;
            o.seed = 5 + (uint64_t)world;
            struct fake_world x = w, y = all;
            struct rg_search_result pruned = run(&x, &o), timed = run(&y, &o);
            if (pruned.nodes != timed.nodes)
                fail_msg("world %d, %s: %d candidates, %d where all are timed", world, policies[i], pruned.nodes,
                         timed.nodes);
            assert_non_null(timed.best);
            /* the others tune a candidate once, by what they knew then */
            bool same = pruned.evaluation.time_us <= timed.evaluation.time_us * 1.000001;
            bool comparable = !strcmp(policies[i], "mcgs") && told && timed.evaluation.time_us <= w.slow_us;
            compared += comparable;
            if (comparable && !same)
                fail_msg("world %d, %s: %g us, %g where all are timed", world, policies[i], pruned.evaluation.time_us,
                         timed.evaluation.time_us);
            ways += pruned.outcomes[RG_OUTCOME_PRUNED] > 0;
            rg_search_result_release(&pruned);
            rg_search_result_release(&timed);
        }
    }
    assert_true(ways > 100 && compared > 10);
}

/* No row of evidence tells of `slow` itself, in the run or from its journal: graphs learnt from either are the same to
 * the byte. */
static void nothing_is_learnt(void **state)
{
    struct rg_search_options o = fake_options();
    struct fake_world w = slow_world();
    struct rg_regraph *g = fake_graph(&w, NULL), *learnt[2] = {fake_graph(&w, NULL), fake_graph(&w, NULL)};
    struct rg_error err = RG_ERROR_INIT;
    struct rg_search_row *rows;
    int n, slow = rg_regraph_find(g, "slow");
    o.journal = journal_path;
    o.prune = true;
    o.prune_how = "on: as asked for";
    unlink(journal_path);
    struct rg_search_result r = run(&w, &o);
    assert_true(r.outcomes[RG_OUTCOME_PRUNED] > 0 && r.n_rows > 0);
    assert_int_equal(rg_journal_evidence(journal_path, g, &rows, &n, &err), RG_OK);
    same_rows(r.rows, r.n_rows, rows, n);
    struct rg_buf text[2] = {RG_BUF_INIT, RG_BUF_INIT};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++)
            assert_int_equal(
                rg_regraph_learn(learnt[k], (k ? rows : r.rows)[i].edge, &(k ? rows : r.rows)[i].row, &err), RG_OK);
        assert_int_equal(rg_regraph_print(learnt[k], &text[k], &err), RG_OK);
    }
    assert_string_equal(text[0].data, text[1].data);
    for (int i = 0; i < n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows[i].edge);
        assert_true(e->to != slow);
    }
    size_t len;
    char *journal = slurp(journal_path, &len);
    assert_non_null(strstr(journal, "\"outcome\":\"pruned\""));
    assert_non_null(strstr(journal, "\"prune\":\"on\""));
    assert_non_null(strstr(journal, "\"prune\":\"on: as asked for\""));
    free(journal);
    for (int k = 0; k < 2; k++) {
        rg_buf_release(&text[k]);
        rg_regraph_free(learnt[k]);
    }
    rg_search_rows_free(rows, n);
    rg_regraph_free(g);
    rg_search_result_release(&r);
}

/* What was pruned is so again in a run that goes on; and a run goes on as what it was. */
static void resumed(void **state)
{
    struct rg_search_options o = fake_options();
    struct fake_world w = slow_world();
    struct rg_error err = RG_ERROR_INIT;
    struct rg_search_result whole, part;
    w.one_in = 2;
    w.predicted_us = 1200;
    o.evals = 30;
    o.journal = journal_path;
    o.prune = true;
    unlink(journal_path);
    whole = run(&w, &o);
    size_t len;
    char *text = slurp(journal_path, &len), *cut = strstr(text, "\"outcome\":\"pruned\"");
    assert_non_null(cut);
    spill(other_path, text, (size_t)(strchr(cut, '\n') + 1 - text));
    o.journal = other_path;
    o.resume = true;
    struct fake_world again = slow_world();
    again.one_in = 2;
    again.predicted_us = 1200;
    part = run(&again, &o);
    assert_memory_equal(whole.outcomes, part.outcomes, sizeof whole.outcomes);
    assert_int_equal(whole.prune_measured, part.prune_measured);
    assert_int_equal(whole.prune_missed, part.prune_missed);
    same_rows(whole.rows, whole.n_rows, part.rows, part.n_rows);
    assert_true(again.submitted < w.submitted);
    rg_search_result_release(&part);
    o.prune = false;
    again = slow_world();
    assert_int_equal(journal_run(&again, &o, &part, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "cannot be resumed"));
    rg_search_result_release(&part);
    rg_search_result_release(&whole);
    free(text);
}

/* Some are timed to see how good the estimates are; these are candidates like any other. */
static void some_are_timed_all_the_same(void **state)
{
    for (int missed = 0; missed < 2; missed++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = slow_world();
        w.one_in = 1;
        w.predicted_us = missed ? 1e9 : 1; /* whatever is measured is faster, or is not */
        struct rg_search_result r = run(&w, &o);
        assert_int_equal(r.outcomes[RG_OUTCOME_PRUNED], 0);
        assert_true(r.prune_measured > 0);
        assert_int_equal(r.prune_missed, missed ? r.prune_measured : 0);
        bool learnt = false;
        for (int i = 0; i < r.n_rows; i++) {
            struct rg_regraph *g = fake_graph(&w, NULL);
            learnt = learnt || rg_regraph_edge(g, r.rows[i].edge)->to == rg_regraph_find(g, "slow");
            rg_regraph_free(g);
        }
        assert_true(learnt);
        rg_search_result_release(&r);
    }
}

/* naive, and what somebody names, are measured whatever an estimate says. */
static void asked_for_by_name(void **state)
{
    struct rg_search_options o = fake_options();
    struct fake_world w = slow_world();
    w.e[2].id = "parallelize";
    w.baseline = "\"baseline\":[[{\"step\":\"parallelize\"}]],";
    struct rg_search_result r = run(&w, &o);
    assert_true(w.sures > 0 && r.naive_us > 0);
    rg_search_result_release(&r);
    w = slow_world();
    o.apply = "a,slow";
    r = run(&w, &o);
    assert_int_equal(r.outcomes[RG_OUTCOME_PRUNED], 0);
    assert_true(r.best && r.best->n_chain == 2);
    rg_search_result_release(&r);
    o.apply = NULL;
    w = slow_world();
    const struct rg_search_given given = {
        .source = {(char *)(uintptr_t) "// 4\n4 0 T_2=4", (char *)(uintptr_t) "k<<<1, 1>>>();"}};
    o.given = &given;
    o.evals = 1;
    r = run(&w, &o);
    assert_int_equal(r.outcomes[RG_OUTCOME_OK], 1);
    rg_search_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_in_the_graph),
        cmocka_unit_test(the_search_moves_on),
        cmocka_unit_test(no_way_is_lost),
        cmocka_unit_test(nothing_is_learnt),
        cmocka_unit_test(resumed),
        cmocka_unit_test(some_are_timed_all_the_same),
        cmocka_unit_test(asked_for_by_name),
    };
    return cmocka_run_group_tests(tests, journal_setup, journal_teardown);
}
