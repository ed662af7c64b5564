/* A candidate that was pruned by estimate is neither failure nor evidence: the search moves on, and nothing is counted or learnt of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_fixture.h"
#include "journal_fixture.h"

/* `slow` is what an estimate would keep from being timed, with whatever else is applied; it has tunables, and so has what comes with it. */
static struct fake_world slow_world(void)
{
    return (struct fake_world){.base_us = 1000,
                               .n = 4,
                               .e = {{.id = "a", .factor = 0.5}, {.id = "b", .factor = 0.8, .best = 4}, {.id = "slow", .factor = 6, .outcome = RG_OUTCOME_PRUNED, .best = 4},
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
    a->shots[0].e->time_us = us;
    a->n_shots = a->n_consumed = a->n_counted = 1;
    if (rg__commit_settle(s, a, &err) != RG_OK) fail_msg("%s", err.text);
    return a;
}

static void nothing_is_counted(void **state)
{
    for (int outcome = RG_OUTCOME_OK; outcome < RG_N_OUTCOMES; outcome++) {
        struct bench b;
        set_up(&b);
        b.s.policy = &rg__policy_mcgs;
        uint32_t first = rg__edge_add(&b.s, RG__ROOT, 0, "A", 0, rg__best_edge(&b.s, NULL, 0, 0));
        uint32_t other = rg__edge_add(&b.s, RG__ROOT, 1, "A", 0, rg__best_edge(&b.s, NULL, 1, 0));
        rg__action_free(settle(&b, first, RG_OUTCOME_OK, 50));
        const struct rg__node root = b.s.nodes[RG__ROOT];
        const struct rg__tally tally = b.s.tallies[1];
        int credits = b.s.n_credits;
        struct rg__action *a = settle(&b, other, outcome, outcome == RG_OUTCOME_OK ? 80 : 0);
        const struct rg__node *now = &b.s.nodes[RG__ROOT];
        const struct rg__edge *e = &b.s.edges[other];
        assert_int_equal(e->in_flight, 0);
        assert_int_equal(rg__edge_alive(&b.s, e), outcome == RG_OUTCOME_OK); /* it is not tried again */
        bool pruned = outcome == RG_OUTCOME_PRUNED;
        assert_int_equal(e->visits, !pruned);
        assert_int_equal(now->visits, root.visits + !pruned);
        assert_true((now->q == root.q && now->best == root.best) || outcome == RG_OUTCOME_OK);
        assert_int_equal(b.s.n_credits, credits + !pruned);
        bool known = !pruned && outcome != RG_OUTCOME_REFUSED; /* of the step */
        assert_true((memcmp(&tally, &b.s.tallies[1], sizeof tally) == 0) == !known);
        assert_int_equal(b.out.last_failure[0] != 0, outcome != RG_OUTCOME_OK && !pruned);
        assert_int_equal(now->n_edges, root.n_edges); /* no other sample, no other coder */
        rg__action_free(a);
        free(b.s.credits);
        tear_down(&b);
    }
}

/* --- in runs --- */

/* Runs that end for want of actions: everything there is was tried, what is pruned once each. */
static void the_search_moves_on(void **state)
{
    static const char *const policies[] = {"mcgs", "uct", "random", "greedy", "beam", "best-of-n", "refine", "exhaustive"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = slow_world();
        o.policy = policies[i];
        o.evals = 300;
        o.in_flight = 1 + (int)i % 3;
        struct rg_search_result r = run(&w, &o);
        int all = 0;
        for (int k = 0; k < RG_N_OUTCOMES; k++) all += r.outcomes[k];
        assert_int_equal(all, r.evaluations);
        assert_true(r.evaluations < 300);
        /* one beside each of nothing, a, b, a and b; no look for another vector that works */
        if (r.outcomes[RG_OUTCOME_PRUNED] < 1 || r.outcomes[RG_OUTCOME_PRUNED] > 4) fail_msg("%s: %d pruned", policies[i], r.outcomes[RG_OUTCOME_PRUNED]);
        assert_non_null(r.best);
        assert_null(strstr(r.last_failure, "slow"));
        for (int k = 0; k < r.n_rows; k++) assert_int_equal(r.rows[k].row.fail[RG_OUTCOME_PRUNED], 0);
        rg_search_result_release(&r);
    }
}

/* No row of evidence leads to `slow`, in the run or from its journal: graphs learnt from either are the same to the byte. */
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
        for (int i = 0; i < n; i++) assert_int_equal(rg_regraph_learn(learnt[k], (k ? rows : r.rows)[i].edge, &(k ? rows : r.rows)[i].row, &err), RG_OK);
        assert_int_equal(rg_regraph_print(learnt[k], &text[k], &err), RG_OK);
    }
    assert_string_equal(text[0].data, text[1].data);
    for (int i = 0; i < n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows[i].edge);
        assert_true(e->to != slow && e->from != slow);
    }
    size_t len;
    char *journal = slurp(journal_path, &len);
    assert_non_null(strstr(journal, "\"outcome\":\"pruned\""));
    assert_non_null(strstr(journal, "\"prune\":\"on\""));
    assert_non_null(strstr(journal, "\"prune\":\"on: as asked for\""));
    /* one that gives it credit all the same says nothing about the step */
    for (char *at = journal; (at = strstr(at, "\"credit\":false")); at++) memcpy(at, "\"credit\":true ", 14);
    spill(other_path, journal, len);
    rg_search_rows_free(rows, n);
    assert_int_equal(rg_journal_evidence(other_path, g, &rows, &n, &err), RG_OK);
    for (int i = 0; i < n; i++) assert_true(rg_regraph_edge(g, rows[i].edge)->to != slow);
    rg_search_rows_free(rows, n);
    free(journal);
    for (int k = 0; k < 2; k++) {
        rg_buf_release(&text[k]);
        rg_regraph_free(learnt[k]);
    }
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
    w.e[2].id = "parallelize"; /* the first step of naive */
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
    const struct rg_search_given given = {.source = {(char *)(uintptr_t)"// 4\n4 0 T_2=4", (char *)(uintptr_t)"k<<<1, 1>>>();"}};
    o.given = &given;
    o.evals = 1;
    r = run(&w, &o);
    assert_int_equal(r.outcomes[RG_OUTCOME_OK], 1);
    rg_search_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_counted), cmocka_unit_test(the_search_moves_on), cmocka_unit_test(nothing_is_learnt),
        cmocka_unit_test(resumed), cmocka_unit_test(some_are_timed_all_the_same), cmocka_unit_test(asked_for_by_name),
    };
    return cmocka_run_group_tests(tests, journal_setup, journal_teardown);
}
