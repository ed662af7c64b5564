/* Times on a real device, by a fake one: samples, clocks, cheats, places, duels. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "run_fixture.h"
#include "runtime/measure/timer.h"

static void slow(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    d->clock_us += kernel_us * (d->hz > 0 ? FAKE_HZ / d->hz : 1);
}
static void off_by_little(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[g.n / 2] += 0.01f;
}
static bool wrong_later;
static void wrong_at_large(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    if (wrong_later && g.n > 5000) g.y[g.n - 1] = 0;
}

/* --- kernels that cheat: each is right until it is only timed --- */
static int calls, honest_calls;
static const float *kept_for;
static float *kept;

/* Keeps its result by address, as a __device__ variable could. */
static void keeps_results(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    struct args g = args_of(l);
    if (g.n < 5000 || calls++ < honest_calls || kept_for != g.x) {
        right(d, l, f);
        if (g.n < 5000) return;
        kept = realloc(kept, (size_t)g.n * sizeof *kept);
        memcpy(kept, g.y, (size_t)g.n * sizeof *kept);
        kept_for = g.x;
        return;
    }
    memcpy(g.y, kept, (size_t)g.n * sizeof *kept);
    d->clock_us += 1;
}

/* Works while it may still be warming up, then no more. */
static void stops_working(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    if (args_of(l).n < 5000 || calls++ < honest_calls)
        right(d, l, f);
    else
        d->clock_us += 1;
}

/* Right, and never twice the same: as sums in any order are. */
static void never_the_same(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[calls++ % g.n] *= 1 + 3e-7f;
}
static const struct fake_kernel kernels[] = {{"_Z13keeps_resultsifPKfPf", keeps_results},
                                             {"_Z13stops_workingifPKfPf", stops_working},
                                             {"_Z14never_the_sameifPKfPf", never_the_same},
                                             {"_Z5rightifPKfPf", right},
                                             {"_Z4slowifPKfPf", slow},
                                             {"_Z13off_by_littleifPKfPf", off_by_little},
                                             {"_Z14wrong_at_largeifPKfPf", wrong_at_large},
                                             {NULL, NULL}};

static void setup(struct world *w)
{
    calls = 0;
    wrong_later = false;
    world_new(w, kernels);
}

static enum rg_status time_it(struct world *w, const char *kernel, const char *plan, bool anchored)
{
    struct rg_error e = RG_ERROR_INIT;
    load(w, kernel, plan);
    enum rg_status s = rg__time(&w->r, &w->l, anchored, &w->fault, &w->reply, &e);
    if (s != RG_OK) fail_msg("%s", e.text);
    return s;
}

static void time_is_a_median_less_the_empty_pair(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(w.reply.time_us > 9.99 && w.reply.time_us < 10.1);
    assert_true(w.reply.noise_us < 0.05);
    assert_true(w.reply.anchored && w.reply.total_us > w.reply.time_us);
    assert_true(w.d->flushes >= 10 && w.d->holds >= 2);
    assert_true(w.reply.threads == 40.0 * 256);
    struct rg_evaluation e = {.n_counters = w.reply.n_counters};
    memcpy(e.counters, w.reply.counters, (size_t)e.n_counters * sizeof *e.counters);
    assert_true(rg_evaluation_counter(&e, "regs") == 16);
    assert_true(rg_evaluation_counter(&e, "occupancy") == 1);
    assert_true(fabs(rg_evaluation_counter(&e, "gb_s") - 12e4 / 10 * 1e-3) < 0.2);
    world_end(&w);
}

/* Whose time passes in one thread is told so, however many threads its other launches have. Launches of 20 us, of which
 * 4 are any launch's. */
static void where_time_goes_is_told(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "slow", "for (int k = 0; k < 3; k++) { %1$s<<<1, 1>>>(n, a, x, y); } %1$s<<<1, 64>>>(n, a, x, y);",
            false);
    struct rg_evaluation e = {.n_counters = w.reply.n_counters};
    memcpy(e.counters, w.reply.counters, (size_t)e.n_counters * sizeof *e.counters);
    assert_true(fabs(rg_evaluation_counter(&e, "one_thread_share") - 0.6) < 0.01);
    assert_true(fabs(rg_evaluation_counter(&e, "one_block_share") - 0.2) < 0.01);
    assert_string_equal(w.reply.kernel, "slow");
    assert_true(w.reply.threads == 64);
    world_end(&w);
}

static void timed_outputs_meet_the_anchor(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    wrong_later = true;
    time_it(&w, "wrong_at_large", NULL, true);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
    assert_non_null(strstr(w.fault.message, "y[9999]"));
    for (int i = 3; i < w.r.n_cases; i++)
        w.r.cases[i].n_known = 0; /* as in a new worker: no hash is known, the anchor is in the memory file */
    time_it(&w, "slow", NULL, true);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    world_end(&w);
}

/* Where the user's C was run at the timed size, not even the first candidate is believed. */
static void the_first_is_checked_where_it_can_be(void **state)
{
    struct world w;
    setup(&w);
    for (int i = 3; i < w.r.n_cases; i++) w.r.cases[i].c.expected = true;
    wrong_later = true;
    time_it(&w, "wrong_at_large", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
    assert_non_null(strstr(w.fault.message, "at the timed size y[9999]"));
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    world_end(&w);
}

static void timed_runs_are_checked_too(void **state)
{
    for (honest_calls = SETS; honest_calls < 12; honest_calls++) {
        struct world w;
        setup(&w);
        time_it(&w, "right", NULL, false);
        assert_true(counter(&w, "input_sets") == SETS);
        assert_true(w.d->loads > 1); /* a fresh module between blocks */
        time_it(&w, "keeps_results", NULL, true);
        assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
        assert_non_null(strstr(w.fault.message, "y["));
        calls = 0;
        time_it(&w, "stops_working", NULL, true);
        assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
        world_end(&w);
        kept_for = NULL;
    }
    free(kept);
    kept = NULL;
}

static void what_varies_is_marked(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    assert_true(isnan(counter(&w, "varies")));
    time_it(&w, "never_the_same", NULL, true);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(counter(&w, "varies") == 1);
    world_end(&w);
}

static void with_clocks(struct world *w)
{
    setup(w);
    w->r.device.clock_queue = fake_clock_queue;
    w->r.device.clock_read = fake_clock_read;
    w->d->low_hz = 1.4e9;
}

/* Samples at a low clock are taken again: also the first ones, which only the later ones show to have been low. */
static void low_clocks_are_no_samples(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    double plain = w.reply.time_us;
    assert_true(isnan(counter(&w, "sm_mhz")) && isnan(counter(&w, "discarded")) &&
                isnan(counter(&w, "throttled"))); /* nothing to count by: nothing is said */
    world_end(&w);
    with_clocks(&w);
    time_it(&w, "right", NULL, false);
    assert_true(fabs(counter(&w, "sm_mhz") - 1980) < 20);
    assert_true(isnan(counter(&w, "discarded")) && fabs(w.reply.time_us - plain) < 0.1);
    int discarded = 0;
    for (int from = 0; from < 6; from++) {
        world_end(&w);
        with_clocks(&w);
        time_it(&w, "right", NULL, false);
        w.d->low_from = w.d->clocks / 2 + from;
        w.d->low_to = w.d->low_from + 6;
        time_it(&w, "right", NULL, true);
        assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
        if (fabs(w.reply.time_us - plain) > 0.1)
            fail_msg("low from %d: %g us instead of %g", from, w.reply.time_us, plain);
        assert_true(isnan(counter(&w, "throttled")) && fabs(counter(&w, "sm_mhz") - 1980) < 20);
        discarded += counter(&w, "discarded") > 0;
    }
    assert_true(discarded >= 3);
    world_end(&w);
    with_clocks(&w); /* low before anything higher was seen: the first sample that is higher shows it */
    w.d->low_to = 4;
    time_it(&w, "right", NULL, false);
    assert_true(fabs(w.reply.time_us - plain) < 0.1);
    world_end(&w);
}

/* A clock that stays down ends the patience: what is measured then is marked. */
static void a_clock_that_stays_down(void **state)
{
    struct world w;
    with_clocks(&w);
    w.d->low_from = 1;
    w.d->low_to = 1 << 30;
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(counter(&w, "throttled") == 1 && counter(&w, "discarded") == RG_TIMER_DISCARDS &&
                counter(&w, "samples") >= 10);
    assert_true(fabs(counter(&w, "sm_mhz") - 1400) < 20 && w.reply.time_us > 13);
    world_end(&w);
}

/* What is certainly behind the best is not measured as exactly as what may be it: once, where it takes several times as
 * long, or three times; and in no place but its own. Its results are looked at all the same. */
static void what_is_behind_is_timed_roughly(void **state)
{
    static const struct {
        double contend_us, least, most;
    } looks[] = {{0, 10, 60}, {10.05, 10, 60}, {8, 3, 3}, {2, 1, 1}};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        for (int launches = 1; launches <= 12; launches += 11) {
            struct world w;
            setup(&w);
            const char *plan =
                launches == 1 ? NULL : "for (int k = 0; k < 12; k++) { %1$s<<<ceil_div(n, 256), 256>>>(n, a, x, y); }";
            time_it(&w, "right", plan, false); /* the anchor */
            int before = w.d->launches;
            w.r.contend_us = looks[i].contend_us * launches;
            time_it(&w, "right", plan, true);
            assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
            double n = counter(&w, "samples");
            /* beside its samples, the run that was checked, and one for the graph to be warm */
            int runs = looks[i].most < 10 ? (int)looks[i].most + 1 + (launches > 1) : 1000;
            if (w.d->launches - before > runs * launches)
                fail_msg("%zu: %d runs", i, (w.d->launches - before) / launches);
            if (n < looks[i].least || n > looks[i].most) fail_msg("%zu, %d launches: %g samples", i, launches, n);
            assert_true(fabs(w.reply.time_us / launches - 10) < 0.2 && w.reply.noise_us < 0.02 * w.reply.time_us);
            bool rough = looks[i].most < 10;
            if (rough) assert_true(w.reply.noise_us >= 0.009 * w.reply.time_us);
            assert_int_equal(isnan(counter(&w, "places")) || counter(&w, "places") == 0, rough);
            world_end(&w);
        }
    struct world w;
    setup(&w);
    w.r.contend_us = 1;
    honest_calls = 5;
    time_it(&w, "stops_working", NULL, false);
    assert_true(w.fault.outcome == RG_OUTCOME_WRONG || w.reply.time_us > 5);
    world_end(&w);
}

/* Cases that come later leave alone what is on the device: other sizes that were verified, and the timed sets as long
 * as all of them are the same. */
static void later_cases_move_nothing(void **state)
{
    struct world w;
    struct rg_msg m;
    struct rg_case cases[16];
    struct rg_error e = RG_ERROR_INIT;
    setup(&w);
    rg__msg_init(&m, RG_MSG_CASES, 1);
    m.cases = cases;
    for (m.n_cases = 0; m.n_cases < w.r.n_cases; m.n_cases++) cases[m.n_cases] = w.r.cases[m.n_cases].c;
    time_it(&w, "right", NULL, false);
    rg_addr at = rg__timed_case(&w.r)->buffers[2];
    assert_int_equal(rg__verify(&w.r, &w.l, false, &w.fault, &w.reply, &e), RG_OK);
    rg_addr verified = w.r.cases[0].buffers[2];
    int buffers = w.d->n_buffers;
    cases[m.n_cases] = cases[1]; /* another input set of that size */
    cases[m.n_cases++].seed = 7;
    assert_int_equal(rg__cases_set(&w.r, &m, &e), RG_OK);
    assert_int_equal(w.r.n_cases, m.n_cases);
    assert_true(rg__timed_case(&w.r)->up && rg__timed_case(&w.r)->buffers[2] == at);
    assert_true(w.r.cases[0].up && w.r.cases[0].buffers[2] == verified && w.d->n_buffers == buffers);
    time_it(&w, "slow", NULL, true);
    assert_true(w.fault.outcome == RG_OUTCOME_OK && w.d->n_buffers == buffers);
    /* one of the timed sets is another now: they go, the verified sizes stay */
    for (int i = 0; i < m.n_cases; i++)
        if (cases[i].timed && cases[i].seed == SETS - 1) cases[i].expected = true;
    assert_int_equal(rg__cases_set(&w.r, &m, &e), RG_OK);
    for (int i = 0; i < w.r.n_cases; i++)
        assert_true(!w.r.cases[i].c.timed || (!w.r.cases[i].up && w.r.cases[i].buffers[2] == 0));
    assert_true(w.r.cases[0].up && w.d->n_buffers < buffers);
    world_end(&w);
}

struct other { /* a program beside the one that is loaded in a world */
    struct rg_loaded l;
    struct rg_program program;
    struct rg_kernel_info info;
    char name[100];
    const char *lowered[1];
};

static void set_aside(struct world *w, struct other *o)
{
    o->l = w->l;
    o->program = w->program;
    o->info = w->info;
    strcpy(o->name, w->lowered);
    o->info.lowered = o->lowered[0] = o->name;
    o->program.kernels = &o->info;
    o->l.program = &o->program;
    o->l.blob.lowered = o->lowered;
    w->l = (struct rg_loaded){0};
}

static void duels_at_falling_clocks(void **state)
{
    for (int from = 0; from < 12; from += 3) {
        struct world w;
        with_clocks(&w);
        time_it(&w, "right", NULL, false);
        struct other other;
        set_aside(&w, &other);
        load(&w, "slow", NULL);
        w.d->low_from = w.d->clocks / 2 + from;
        w.d->low_to = w.d->low_from + 3;
        struct rg_error e = RG_ERROR_INIT;
        if (rg__time_duel(&w.r, &w.l, &other.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
        assert_true(fabs(w.reply.ratio - 2) < 0.02 && w.reply.significant);
        rg__loaded_release(&w.r, &other.l);
        world_end(&w);
    }
}

/* Faster than memory could deliver the inputs: looked at once more, on inputs it has not seen, then accepted and
 * marked. */
static void what_is_too_fast_is_looked_at_again(void **state)
{
    struct world w;
    setup(&w);
    w.p->compulsory_read_bytes = 4.8e12 * 11e-6; /* 11 us of the data sheet's bandwidth; below 0.9 of that is suspect */
    time_it(&w, "right", NULL, false);
    assert_true(isnan(counter(&w, "suspect")));
    w.p->compulsory_read_bytes = 4.8e12 * 12e-6;
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(counter(&w, "suspect") == 1);
    world_end(&w);
    setup(&w);
    w.p->compulsory_read_bytes = 4.8e12 * 12e-6;
    for (int i = 0; i < 3; i++) w.r.cases[i].c.again = true; /* what was verified before it was timed is the caller's */
    time_it(&w, "off_by_little", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
    assert_non_null(strstr(w.fault.message, "y[2]"));
    world_end(&w);
    setup(&w); /* in hot caches nothing is too fast */
    w.p->compulsory_read_bytes = 4.8e12 * 12e-6;
    w.r.cache_hot = true;
    time_it(&w, "right", NULL, false);
    assert_true(isnan(counter(&w, "suspect")));
    world_end(&w);
}

/* --- places --- */

static unsigned luck; /* bit by module: does it lie in a slow place? */
static bool unlucky(int number)
{
    return luck >> number % 32 & 1;
}

static const char many_launches[] = "for (int k = 0; k < 12; k++) { %s<<<ceil_div(n, 256), 256>>>(n, a, x, y); }";

/* The same program measured with any luck of places gives one time, as long as one of its places is a fast one; a duel
 * of it with itself is never won. With graphs and without. */
static void places_do_not_decide(void **state)
{
    for (int graphs = 0; graphs < 2; graphs++) {
        const char *plan = graphs ? many_launches : NULL;
        double launches = graphs ? 12 : 1;
        int spread = 0;
        for (unsigned k = 0; k < 24; k++) {
            struct world w;
            setup(&w);
            if (graphs) fake_with_graphs(&w.r.device);
            w.d->slow_module = unlucky;
            w.d->slow_us = 1;
            luck = 0x9e3779b9u * (k + 1);
            struct rg_error e = RG_ERROR_INIT;
            time_it(&w, "right", plan, false);
            assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
            assert_true(counter(&w, "places") == RG_TIMER_PLACES && (counter(&w, "graph") == 1) == graphs);
            unsigned three = graphs ? luck >> 1 & 7 : 0; /* the first module is the one that was checked */
            if (graphs) assert_int_equal(w.d->loads, 1 + RG_TIMER_PLACES);
            if (graphs) assert_true((counter(&w, "place_spread") > 0.05) == (three != 0 && three != 7));
            double want = launches * (three == 7 ? 11 : 10);
            if (graphs && fabs(w.reply.time_us - want) > 0.02 * want)
                fail_msg("luck %x: %g us instead of %g", luck, w.reply.time_us, want);
            spread += counter(&w, "place_spread") > 0.05;
            int from = w.d->loads, lucky = 0;
            if (rg__time_duel(&w.r, &w.l, &w.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
            assert_int_equal(w.d->loads, from + 2 * RG_TIMER_PLACES);
            for (int side = 0; side < 2; side++) {
                bool fast = false;
                for (int i = 0; i < RG_TIMER_PLACES; i++) fast = fast || !unlucky(from + side * RG_TIMER_PLACES + i);
                lucky += fast;
            }
            if (lucky != 1 && (w.reply.significant || fabs(w.reply.ratio - 1) > 0.01))
                fail_msg("luck %x: %g", luck, w.reply.ratio);
            assert_int_equal(w.d->graphs, 0); /* nothing of it stays */
            world_end(&w);
        }
        assert_true(spread > 3);
    }
}

/* A graph of the first set holds its scalars: what is looked at on that set first is checked on the others by graphs of
 * their own. */
static void graphs_hold_the_scalars_of_their_set(void **state)
{
    struct world w;
    setup(&w);
    fake_with_graphs(&w.r.device);
    time_it(&w, "right", many_launches, false); /* the anchor */
    w.r.contend_us = 120.5;
    time_it(&w, "right", many_launches, true);
    if (w.fault.outcome != RG_OUTCOME_OK) fail_msg("%s", w.fault.message);
    assert_true(counter(&w, "input_sets") > 1 && counter(&w, "graph") == 1);
    world_end(&w);
}

/* A program whose own arrays fill the memory has fewer places, or none but the one it was checked in. */
static void places_need_memory(void **state)
{
    for (int room = 1; room < 5; room++)
        for (int graphs = 0; graphs < 2; graphs++) {
            struct world w;
            setup(&w);
            if (graphs) fake_with_graphs(&w.r.device);
            w.d->room = room;
            struct rg_error e = RG_ERROR_INIT;
            time_it(&w, "right", graphs ? many_launches : NULL, false);
            assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
            assert_true(fabs(w.reply.time_us - (graphs ? 120 : 10)) < 1);
            assert_true(room > 2 ? counter(&w, "places") == room - 1 : isnan(counter(&w, "places")));
            assert_int_equal(w.d->loaded, 1);
            if (rg__time_duel(&w.r, &w.l, &w.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
            assert_true(w.fault.outcome == RG_OUTCOME_OK && fabs(w.reply.ratio - 1) < 0.01);
            world_end(&w);
        }
}

static void plans_that_read_are_never_held(void **state)
{
    struct world w;
    setup(&w);
    w.p->params[3].elem = RG_F32;
    /* the loop's condition reads a scratch flag after the kernel ran: a held stream would deadlock (the fake says so)
     */
    time_it(&w, "right",
            "scratch int again[1]; fill(again, 0); do { %s<<<ceil_div(n, 256), 256>>>(n, a, x, y); } while (again[0]);",
            false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(w.l.plan->reads_data);
    assert_true(counter(&w, "waits") == 1); /* rounds of a loop that goes by what it reads, as a model is told */
    assert_int_equal(w.d->holds,
                     2); /* the calibration's, and that of a launch with marks, released in front of the read */
    world_end(&w);
}

static void duels(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    struct other other;
    set_aside(&w, &other);
    load(&w, "slow", NULL);
    struct rg_error e = RG_ERROR_INIT;
    if (rg__time_duel(&w.r, &w.l, &other.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(fabs(w.reply.ratio - 2) < 0.02);
    assert_true(w.reply.significant);
    if (rg__time_duel(&w.r, &other.l, &other.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(fabs(w.reply.ratio - 1) < 0.02);
    assert_false(w.reply.significant);
    rg__loaded_release(&w.r, &other.l);
    world_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_a_median_less_the_empty_pair),
        cmocka_unit_test(where_time_goes_is_told),
        cmocka_unit_test(timed_outputs_meet_the_anchor),
        cmocka_unit_test(the_first_is_checked_where_it_can_be),
        cmocka_unit_test(timed_runs_are_checked_too),
        cmocka_unit_test(what_varies_is_marked),
        cmocka_unit_test(what_is_too_fast_is_looked_at_again),
        cmocka_unit_test(places_do_not_decide),
        cmocka_unit_test(places_need_memory),
        cmocka_unit_test(graphs_hold_the_scalars_of_their_set),
        cmocka_unit_test(plans_that_read_are_never_held),
        cmocka_unit_test(low_clocks_are_no_samples),
        cmocka_unit_test(a_clock_that_stays_down),
        cmocka_unit_test(what_is_behind_is_timed_roughly),
        cmocka_unit_test(later_cases_move_nothing),
        cmocka_unit_test(duels_at_falling_clocks),
        cmocka_unit_test(duels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
