/* What the supervisor does on GPUs alone, over a run worker of our own that stands in for one and believes what the
 * kernels' names say: who is right at the timed size, what may be pruned by estimate, hardware counters by an ncu of
 * our own, and races of the last by a compute-sanitizer of our own. test-deadline: 300 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "farm_fixture.h"
#include "runtime/farm/farm.h"
#include "runtime/data/layout.h"
#include <fcntl.h>
#include <rg/file.h>
#include <signal.h>
#include <sys/stat.h>

/* Slow enough for its time at the timed size, 1000 times the work, to be predicted at some seconds: a chain of
 * divisions, which takes much the same time on every processor. */
#define SAXPY(real)                                                                                                    \
    "void saxpy(int n, " real " a, const " real " *x, " real                                                           \
    " *y) { double chain = n; for (int k = 0; k < 1500000; k++) chain = 1 / (chain + 1); volatile double end = "       \
    "chain; (void)end; "                                                                                               \
    "for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; }"
static const char call[] = "saxpy(*(int*)a[0], *(float*)a[1], a[2], a[3])";
static char self[1000];

static struct rg_problem *slow_saxpy(bool oracle)
{
    struct rg_problem *p = fx_problem("saxpy", fx_saxpy_params, SAXPY("float"), call, NULL, "1000000;1000;37;5", 3);
    p->accumulates = true;
    if (!oracle) return p;
    p->oracle = RG_ORACLE_F64;
    p->oracle_c = fx_shim(p, SAXPY("double"), "saxpy(*(int*)a[0], *(double*)a[1], a[2], a[3])", true);
    return p;
}

/* --- the run worker --- */

static void say(int fd, const struct rg_msg *m)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__msg_print(&b, m);
    if (write(fd, b.data, b.len) != (ssize_t)b.len) _exit(3);
    rg_buf_release(&b);
}

/* What the first candidate wrote at the timed size, as the others are compared with. */
static void leave_anchor(const struct rg_problem *p, const struct rg_case *c, float error)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    struct rg_mapping m;
    if (rg__layout(&a, p, &p->sizes[c->size], true, &l, NULL) != RG_OK ||
        rg__shm_map(RG_SHM_FD, c->at, true, &m, NULL) != RG_OK)
        _exit(4);
    char *base = m.data;
    float factor = *(float *)(void *)(base + l.slots[1].input), *x = (float *)(void *)(base + l.slots[2].input),
          *y = (float *)(void *)(base + l.slots[3].input), *out = (float *)(void *)(base + l.slots[3].expect);
    for (int64_t i = 0; i < l.slots[3].elements; i++) out[i] = factor * x[i] + y[i] + error;
    rg__shm_unmap(&m);
    rg_arena_release(&a);
}

/* Beside ncu: the messages stand in a file. */
static int profiled_worker(const char *script, const char *memory)
{
    struct rg_msg m;
    FILE *f = fopen(script, "r");
    int fd = open(memory, O_RDWR), last = -1;
    struct rg_range range = {0, 0};
    char *line = NULL;
    size_t room = 0;
    for (ssize_t n; f && (n = getline(&line, &room, f)) > 0;) {
        if (rg__msg_parse(line, (size_t)n, &m, NULL) != RG_OK) return 2;
        last = m.kind;
        if (m.kind == RG_MSG_CASES && (m.n_cases != 1 || !m.cases[0].timed)) return 5;
        if (m.kind == RG_MSG_PROFILE) range = m.program.plan;
        rg__msg_release(&m);
    }
    free(line);
    if (f) fclose(f);
    struct rg_mapping text;
    if (last != RG_MSG_PROFILE || rg__shm_map(fd, range, false, &text, NULL) != RG_OK) return 6;
    int rc = strncmp(text.data, "first", 5) ? 7 : 0;
    rg__shm_unmap(&text);
    close(fd);
    return rc;
}

/* Which of the GPUs it stands in for: 0 no device file describes it; 1 one does, whose estimates are good; 2 they are
 * not. */
static int run_worker(int gpu)
{
    struct rg_counter low = {"prune_low_us", 50}, suspect = {"suspect", 1};
    struct rg_problem *p = slow_saxpy(true);
    struct rg_msg cases, m, r;
    bool has_cases = false;
    rg__msg_init(&m, RG_MSG_READY, 0);
    m.protocol = RG_PROTOCOL;
    m.role = "run", m.device = "Fake GPU", m.driver = "13.0", m.sandbox = "nothing", m.arch = "sm_90", m.compiler = "",
    m.peaks = "data sheet", m.hardware_counters = "missing";
    m.model = gpu ? "h200" : "", m.accuracy = gpu == 2 ? "Spearman median 0.5" : "";
    m.sms = 1, m.copy_bytes_s = m.dram_bytes_s = 1e12, m.fp32_flop_s = m.fp64_flop_s = 1e12, m.clock_hz = 1e9;
    say(1, &m);
    char *line = NULL;
    size_t room = 0;
    for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
        if (rg__msg_parse(line, (size_t)n, &m, NULL) != RG_OK) return 2;
        bool expected = false, may_move = false;
        rg__msg_init(&r, RG_MSG_DONE, m.id);
        r.sandbox = "nothing";
        if (m.kind == RG_MSG_CASES) {
            if (has_cases) rg__msg_release(&cases);
            cases = m;
            has_cases = true;
            say(1, &r);
            continue;
        }
        if (m.kind == RG_MSG_RUN) {
            struct rg_mapping text;
            if (rg__shm_map(RG_SHM_FD, m.program.plan, false, &text, NULL) != RG_OK) return 4;
            const char *name = text.data;
            bool bad = !strncmp(name, "bad", 3), first = !strncmp(name, "first", 5) || !strncmp(name, "long", 4);
            for (int i = 0; i < cases.n_cases; i++)
                if (cases.cases[i].timed) {
                    expected = cases.cases[i].expected;
                    may_move = cases.cases[i].may_move;
                    if (!m.anchored && !expected) leave_anchor(p, &cases.cases[i], bad ? 1 : 0);
                }
            rg__msg_init(&r, RG_MSG_EVALUATED, m.id);
            bool same = first || !m.anchored;    /* the first of all, or one like it */
            bool far = !strncmp(name, "far", 3); /* as far from the values in double as the C itself */
            bool wrong = expected ? bad || (far && may_move) : !same;
            r.outcome = rg_outcome_word(wrong ? RG_OUTCOME_WRONG : RG_OUTCOME_OK);
            r.disputed = wrong && (!expected || may_move);
            r.text = wrong ? expected ? "judged" : "disputed" : "";
            r.limiter = "unknown";
            r.time_us = 10;
            if (!strncmp(name, "first_quick", 11)) {
                if (m.again && !strncmp(name, "first_quick_bad", 15))
                    r.outcome = rg_outcome_word(RG_OUTCOME_WRONG), r.text = "seen through";
                r.time_us = m.again ? 3 : 1;
                if (!m.again) r.counters = &suspect, r.n_counters = 1;
            }
            r.anchored = !wrong;
            if (!strncmp(name, "long", 4) && m.time_us > 0 && m.prune == RG_PRUNE_MAY) {
                r.outcome = rg_outcome_word(RG_OUTCOME_PRUNED);
                r.text = "estimated at much";
                r.time_us = 0;
            }
            if (!strncmp(name, "long", 4) && m.prune == RG_PRUNE_MEASURE) r.counters = &low, r.n_counters = 1;
            rg__shm_unmap(&text);
        }
        say(1, &r);
        rg__msg_release(&m);
    }
    free(line);
    if (has_cases) rg__msg_release(&cases);
    rg_problem_free(p);
    return 0;
}

/* --- the tests --- */

#define NAMED(name)                                                                                                    \
    "__global__ void " name "(int n, float a, const float *x, float *y)\n{\n    int i = blockIdx.x * blockDim.x + "    \
    "threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n"
#define GIVES(name, want, says) gives(NAMED(name), name "<<<ceil_div(n, 256), 256>>>(n, a, x, y);", want, says)

static bool counters;
static volatile int leaving;
static const char *gpu = "cuda:0";
static enum rg_prune pruning;
static uint64_t seed = 1;

static void open_farm(struct rg_problem *p)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = self,
                                .device = gpu,
                                .launcher = launcher(),
                                .remote = 2,
                                .prune = pruning,
                                .compile_workers = 1,
                                .seed = seed,
                                .deadline_s = 60,
                                .arbiter_s = 10000 /* of a busy machine */,
                                .counters = counters,
                                .stop = &leaving};
    problem = p;
    if (rg_farm_start(&o, problem, &farm, &e) != RG_OK) fail_msg("%s", e.text);
    assert_false(farm->cases[farm->n_cases - 1].expected); /* predicted to take too long for every search */
}

static void close_farm(void)
{
    rg_farm_free(farm);
    rg_problem_free(problem);
    farm = NULL;
    problem = NULL;
}

/* One that differs from the first is judged by the user's C, once for all that follow. */
static void the_c_is_asked(void **state)
{
    open_farm(slow_saxpy(true));
    GIVES("first", RG_OUTCOME_OK, NULL);
    assert_int_equal(farm->arbiter.state, FARM_ARBITER_IDLE);
    GIVES("other", RG_OUTCOME_OK, NULL);
    assert_int_equal(farm->arbiter.state, FARM_ARBITER_JUDGED);
    assert_false(rg_farm_info(farm)->overruled);
    for (int i = 0; i < farm->arbiter.n; i++) assert_int_equal(farm->arbiter.fills[i]->kind, RG_MSG_ORACLE);
    GIVES("far", RG_OUTCOME_OK, NULL); /* how far the C moves is asked now */
    for (int i = 0; i < farm->arbiter.n; i++) assert_int_equal(farm->arbiter.fills[i]->kind, RG_MSG_SPREAD);
    int fills = farm->n_fills;
    GIVES("bad", RG_OUTCOME_WRONG, "judged");
    GIVES("another", RG_OUTCOME_OK, NULL);
    assert_int_equal(farm->n_fills, fills);
    for (int i = 0; i < farm->n_workers; i++)
        assert_true(farm->workers[i].role != FARM_REFERENCE || farm->workers[i].state == FARM_DOWN);
    close_farm();
}

/* What others were compared with may be what is wrong. */
static void the_first_may_be_wrong(void **state)
{
    open_farm(slow_saxpy(true));
    GIVES("bad_first", RG_OUTCOME_OK, NULL);
    GIVES("other", RG_OUTCOME_OK, NULL);
    assert_true(rg_farm_info(farm)->overruled);
    GIVES("bad", RG_OUTCOME_WRONG, "judged");
    close_farm();
}

/* Where it cannot be asked, the first one's word stands, and no search ends of it. */
static void where_nobody_can_tell(void **state)
{
    struct rg_problem *p = slow_saxpy(false);
    for (int i = 0; i < p->n_sizes; i++) p->sizes[i].work *= 1000; /* too much to be rounded at random */
    open_farm(p);
    GIVES("first", RG_OUTCOME_OK, NULL);
    GIVES("other", RG_OUTCOME_WRONG, "disputed");
    assert_int_equal(farm->arbiter.state, FARM_ARBITER_NONE_COMES);
    GIVES("first_like", RG_OUTCOME_OK, NULL);
    close_farm();
}

/* Without values in double there: what the C gives, and how far it moves when it rounds at random. */
static void asked_in_its_own_precision(struct rg_problem *p)
{
    open_farm(p);
    GIVES("first", RG_OUTCOME_OK, NULL);
    GIVES("other", RG_OUTCOME_OK, NULL);
    assert_int_equal(farm->arbiter.state, FARM_ARBITER_JUDGED);
    for (int i = 0; i < farm->arbiter.n; i++) {
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_layout l;
        struct rg_mapping m;
        const struct rg_case *c = &farm->arbiter.cases[i];
        assert_int_equal(farm->arbiter.fills[i]->kind, RG_MSG_SPREAD);
        assert_true(farm->arbiter.fills[i]->rounded);
        assert_int_equal(rg__layout(&a, farm->problem, &farm->problem->sizes[c->size], true, &l, NULL), RG_OK);
        assert_int_equal(rg__shm_map(farm->shm.fd, c->at, false, &m, NULL), RG_OK);
        const float *spread = (const float *)(const void *)((const char *)m.data + l.slots[3].spread);
        int moved = 0;
        for (int64_t k = 0; k < l.slots[3].elements; k++) moved += spread[k] > 0;
        assert_true(moved > 0);
        rg__shm_unmap(&m);
        rg_arena_release(&a);
    }
    GIVES("bad", RG_OUTCOME_WRONG, "judged");
    close_farm();
}

static void the_c_is_asked_in_its_own_precision(void **state)
{
    asked_in_its_own_precision(slow_saxpy(false));
    struct rg_problem *p = slow_saxpy(true); /* in double it is lost at the timed size alone */
    p->oracle_c = fx_shim(p, "#include <stdlib.h>\n" SAXPY("double"),
                          "if (*(int*)a[0] > 100000) abort(); saxpy(*(int*)a[0], *(double*)a[1], a[2], a[3])", true);
    asked_in_its_own_precision(p);
}

/* The arbiter is killed by hand: another goes on. Several candidates wait for it, and one is taken back. */
static void killed_meanwhile(void **state)
{
    open_farm(slow_saxpy(true));
    GIVES("first", RG_OUTCOME_OK, NULL);
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    static const char *const sources[] = {NAMED("o0"), NAMED("o1"), NAMED("bad")};
    static const char *const plans[] = {"o0<<<ceil_div(n, 256), 256>>>(n, a, x, y);",
                                        "o1<<<ceil_div(n, 256), 256>>>(n, a, x, y);",
                                        "bad<<<ceil_div(n, 256), 256>>>(n, a, x, y);"};
    for (int i = 0; i < 3; i++) {
        struct rg_source src = {(char *)(uintptr_t)sources[i], (char *)(uintptr_t)plans[i]};
        assert_int_equal(ev->submit(ev->self, 100 + i, &src, RG_EVAL_FULL, NULL), RG_OK);
    }
    bool killed = false, taken_back = false;
    int ok = 0, wrong = 0;
    for (double until = rg_now() + 120; ok + wrong < 2 && rg_now() < until;) {
        struct rg_eval_result r;
        bool got;
        struct rg_error e = RG_ERROR_INIT;
        if (ev->poll(ev->self, killed ? 0.05 : 0, &r, &got, &e) != RG_OK)
            fail_msg("%s", e.text); /* 0: it could begin and be over within one call */
        for (int i = 0; i < farm->n_workers && !killed; i++)
            if (farm->workers[i].fill) killed = kill(farm->workers[i].proc.pid, SIGKILL) == 0;
        if (killed && !taken_back) {
            ev->cancel(ev->self, 100);
            taken_back = true;
        }
        if (!got) continue;
        ok += r.e.outcome == RG_OUTCOME_OK;
        wrong += r.e.outcome == RG_OUTCOME_WRONG;
        assert_true(r.id == (r.e.outcome == RG_OUTCOME_OK ? 101 : 102));
    }
    assert_true(killed && ok == 1 && wrong == 1);
    close_farm();
}

/* --- beside the search --- */

#define QUICK(real)                                                                                                    \
    "void saxpy(int n, " real " a, const " real " *x, " real                                                           \
    " *y) { while (n == 13000000) __asm__ volatile(\"\"); for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; }"

/* One size takes the C long enough to be put off, one has no end. Accesses as the frontend counts them. */
static struct rg_problem *quick_saxpy(void)
{
    struct rg_problem *p =
        fx_problem("saxpy", fx_saxpy_params, QUICK("float"), call, NULL, "14000000;13000000;12000000;1000;37;5", 6);
    for (int i = 0; i < p->n_sizes; i++) p->sizes[i].work = 3.0 * (double)p->sizes[i].values[0];
    p->oracle = RG_ORACLE_F64;
    p->oracle_c = fx_shim(p, QUICK("double"), "saxpy(*(int*)a[0], *(double*)a[1], a[2], a[3])", true);
    return p;
}

static int sizes_verified(int64_t n)
{
    int found = 0;
    for (int i = 0; i < farm->n_cases; i++)
        found += !farm->cases[i].timed && problem->sizes[farm->cases[i].size].values[0] == n;
    return found;
}

/* A search may begin when the small sizes are there. What it ends with is verified at the large ones too, and at the
 * timed one against the C itself; a size that gives no reference is left out, and said to be. */
static void large_sizes_come_later(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = self,
                                .device = gpu,
                                .launcher = launcher(),
                                .remote = 2,
                                .compile_workers = 1,
                                .seed = seed,
                                .deadline_s = 60,
                                .reference_s = 3,
                                .beside = true,
                                .stop = &leaving};
    problem = quick_saxpy();
    if (rg_farm_start(&o, problem, &farm, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(sizes_verified(1000) > 0 && sizes_verified(12000000) == 0 && sizes_verified(13000000) == 0);
    assert_false(farm->cases[farm->n_cases - 1].expected); /* nor has the C been run at the timed size */
    static const struct rg_source first = {(char *)(uintptr_t)NAMED("first"),
                                           (char *)(uintptr_t) "first<<<ceil_div(n, 256), 256>>>(n, a, x, y);"};
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    assert_true(ev->doubts(ev->self, &first)); /* nobody knows it yet */
    GIVES("first", RG_OUTCOME_OK, NULL);
    ev->settle(ev->self, rg_now() + 100);
    assert_int_equal(sizes_verified(12000000), 1);
    assert_int_equal(sizes_verified(13000000), 0);
    if (!strstr(rg_farm_info(farm)->left_out, "n=13000000 (the C takes longer than 3 s there)"))
        fail_msg("'%s'", rg_farm_info(farm)->left_out);
    int timed = 0;
    for (int i = 0; i < farm->n_cases; i++) timed += farm->cases[i].timed && farm->cases[i].expected;
    assert_int_equal(timed, 2);                /* its first set, and those that there was no time for before */
    assert_true(ev->doubts(ev->self, &first)); /* it was ok in fewer */
    GIVES("first", RG_OUTCOME_OK, NULL);
    assert_false(ev->doubts(ev->self, &first));
    GIVES("bad", RG_OUTCOME_WRONG, "judged");
    close_farm();
}

/* Where no search follows everything is there at once; a time that is given ends the start as it ends a search. */
static void nothing_comes_later(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = self,
                                .device = gpu,
                                .launcher = launcher(),
                                .remote = 2,
                                .compile_workers = 1,
                                .seed = seed,
                                .deadline_s = 60,
                                .reference_s = 3,
                                .stop = &leaving};
    problem = quick_saxpy();
    assert_int_equal(rg_farm_start(&o, problem, &farm, &e), RG_INPUT);
    if (!strstr(e.text, "did not return within 3 s at n=13000000")) fail_msg("%s", e.text);
    rg_error_clear(&e);
    o.reference_s = 60;
    double since = rg_now();
    o.until = since + 2;
    assert_int_equal(rg_farm_start(&o, problem, &farm, &e), RG_LIMIT);
    if (!strstr(e.text, "no kernel was tried within the time given")) fail_msg("%s", e.text);
    assert_true(rg_now() - since < 2 + 3);
    rg_problem_free(problem);
    problem = NULL;
    farm = NULL;
}

/* --- pruning --- */

enum { LONGS = 40 };

/* Bit by candidate: was it timed? `reverse`: the other way round, several at once. */
static uint64_t timed_of_long_ones(bool reverse, enum rg_eval_purpose purpose)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    uint64_t timed = 0;
    GIVES("first", RG_OUTCOME_OK, NULL);
    for (int i = 0; i < LONGS; i++) {
        int number = reverse ? LONGS - 1 - i : i;
        char *cuda = rg_xasprintf("__global__ void long%d(int n, float a, const float *x, float *y)\n{\n    int i = "
                                  "blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n",
                                  number),
             *text = rg_xasprintf("long%d<<<ceil_div(n, 256), 256>>>(n, a, x, y);", number);
        struct rg_source src = {cuda, text};
        struct rg_error e = RG_ERROR_INIT;
        if (ev->submit(ev->self, 1000 + number, &src, purpose, &e) != RG_OK) fail_msg("%s", e.text);
        free(cuda);
        free(text);
    }
    for (int i = 0; i < LONGS; i++) {
        struct rg_eval_result r;
        bool got = false;
        assert_int_equal(ev->poll(ev->self, 100, &r, &got, NULL), RG_OK);
        assert_true(got && r.id >= 1000 && r.id < 1000 + LONGS);
        bool ok = r.e.outcome == RG_OUTCOME_OK;
        if (!ok && r.e.outcome != RG_OUTCOME_PRUNED) fail_msg("%s: %s", rg_outcome_word(r.e.outcome), r.e.message);
        assert_true(r.e.time_us == (ok ? 10 : 0));
        assert_int_equal(rg_evaluation_counter(&r.e, "prune_low_us") == 50, ok && purpose == RG_EVAL_FULL);
        if (ok) timed |= 1ull << (r.id - 1000);
    }
    return timed;
}

/* Some are timed all the same, by their source and the seed; what is to be measured for sure, or again, always is. */
static void one_in_twenty_is_timed(void **state)
{
    uint64_t timed[3];
    gpu = "cuda:1";
    pruning = RG_PRUNE_AUTO;
    for (int k = 0; k < 3; k++) {
        seed = k < 2 ? 1 : 2;
        open_farm(slow_saxpy(false));
        assert_true(rg_farm_info(farm)->prunes);
        timed[k] = timed_of_long_ones(k == 1, RG_EVAL_FULL);
        int n = __builtin_popcountll(timed[k]);
        if (n < 1 || n > 6) fail_msg("%d of %d were timed", n, LONGS);
        if (k == 0) assert_true(timed_of_long_ones(false, RG_EVAL_SURE) == (1ull << LONGS) - 1);
        if (k == 0) assert_true(timed_of_long_ones(false, RG_EVAL_AGAIN) == (1ull << LONGS) - 1);
        close_farm();
    }
    assert_true(timed[0] == timed[1]);
    assert_true(timed[0] != timed[2]);
    seed = 1;
}

static void pruning_is_what_was_asked_for(void **state)
{
    static const struct {
        const char *gpu;
        enum rg_prune asked;
        bool prunes;
        const char *says;
    } cases[] = {{"cuda:0", RG_PRUNE_ON, false, "no file in runtime/devices describes 'Fake GPU'"},
                 {"cuda:1", RG_PRUNE_OFF, false, "off: not asked for"},
                 {"cuda:1", RG_PRUNE_AUTO, true, "on: by estimates of sim:h200"},
                 {"cuda:2", RG_PRUNE_AUTO, false, "not good enough: Spearman median 0.5"},
                 {"cuda:2", RG_PRUNE_ON, true, "as asked for, although they are not good enough: Spearman median 0.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpu = cases[i].gpu;
        pruning = cases[i].asked;
        open_farm(slow_saxpy(false));
        const struct rg_farm_info *info = rg_farm_info(farm);
        if (info->prunes != cases[i].prunes || !strstr(info->prune, cases[i].says))
            fail_msg("case %zu: %s", i, info->prune);
        GIVES("first", RG_OUTCOME_OK, NULL);
        GIVES("long_one", cases[i].prunes ? RG_OUTCOME_PRUNED : RG_OUTCOME_OK, NULL);
        close_farm();
    }
    gpu = "cuda:0";
    pruning = RG_PRUNE_OFF;
}

/* --- hardware counters --- */

static char ncu_folder[] = "/tmp/regraph-ncu-XXXXXX", ncu_path[100], used[120];

/* An `ncu` that runs its target to the end as the real one does, unless `first` leaves before, and then says what
 * `answer` prints. */
static void fake_ncu(const char *first, const char *answer)
{
    FILE *f = fopen(ncu_path, "w");
    assert_non_null(f);
    fprintf(f,
            "#!/bin/bash\necho \"$*\" >>%s\n%s\nn=0; while [ $# -gt 0 ]; do case $1 in --log-file) log=$2; shift;; "
            "--metrics) metrics=$2; shift; n=1;; --csv) ;; -*) [ $n = 1 ] || shift;;\n"
            "  *) break;; esac; shift; done\n\"$@\" || { echo \"==ERROR== the target ended with $?\" >$log; exit 1; "
            "}\n%s\n",
            used, first, answer);
    fclose(f);
    assert_int_equal(chmod(ncu_path, 0755), 0);
    unlink(used);
}

static int asked(void)
{
    FILE *f = fopen(used, "r");
    int n = 0;
    for (int c; f && (c = fgetc(f)) != EOF;) n += c == '\n';
    if (f) fclose(f);
    return n;
}

static int profile(struct rg_counter *c)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = {(char *)(uintptr_t)NAMED("first"),
                            (char *)(uintptr_t) "first<<<ceil_div(n, 256), 256>>>(n, a, x, y);"};
    struct rg_error e = RG_ERROR_INIT;
    int n = -1;
    assert_non_null(ev->profile);
    if (ev->profile(ev->self, &src, c, &n, &e) != RG_OK) fail_msg("%s", e.text);
    return n;
}

static void counters_come_from_ncu(void **state)
{
    struct rg_counter c[RG_MAX_COUNTERS];
    fake_ncu("", "cat tests/data/ncu/two_launches.csv >$log");
    counters = true;
    open_farm(slow_saxpy(false));
    GIVES("first", RG_OUTCOME_OK, NULL);
    int n = profile(c);
    struct rg_evaluation e = {.n_counters = n};
    memcpy(e.counters, c, sizeof c);
    if (rg_evaluation_counter(&e, "hw_occupancy_pct") != 80)
        fail_msg("%d counters: %s", n, rg_farm_info(farm)->hardware_counters);
    assert_int_equal(asked(), 1);
    assert_non_null(strstr(rg_farm_info(farm)->hardware_counters, "read by /tmp/regraph-ncu-"));
    /* a metric that the chip does not know is left out from then on; the others are read */
    fake_ncu("", "case $metrics in *lts__t_sector_hit_rate*) cat tests/data/ncu/unknown.txt >$log;; *) grep -v ERROR "
                 "tests/data/ncu/two_launches.csv >$log;; esac");
    assert_true(profile(c) > 5);
    assert_int_equal(asked(), 2);
    assert_true(profile(c) > 5);
    assert_int_equal(asked(), 3);
    GIVES("first_again", RG_OUTCOME_OK, NULL);
    close_farm();
}

/* Whatever ncu does, the search goes on, and it is not asked again. */
static void counters_may_be_missing(void **state)
{
    static const struct {
        const char *first, *answer, *says;
    } ways[] = {{"", "cat tests/data/ncu/denied.txt >$log; exit 1", "ERR_NVGPUCTRPERM"},
                {"exit 3", "", "it wrote nothing"},
                {"kill -9 $$", "", "it wrote nothing"},
                {"", "echo '==ERROR== Failed to initialize the profiler: LibraryNotLoaded' >$log", "LibraryNotLoaded"},
                {"", "head -c 3000 /dev/urandom >$log", "no kernel was measured"},
                {"echo '==ERROR== x' >$log", "", "it wrote nothing"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct rg_counter c[RG_MAX_COUNTERS];
        fake_ncu(ways[i].first, ways[i].answer);
        counters = true;
        open_farm(slow_saxpy(false));
        GIVES("first", RG_OUTCOME_OK, NULL);
        assert_int_equal(profile(c), 0);
        const char *said = rg_farm_info(farm)->hardware_counters;
        if (strncmp(said, "missing: ncu: ", 14) || !strstr(said, ways[i].says))
            fail_msg("'%s' does not say '%s'", said, ways[i].says);
        int before = asked();
        assert_int_equal(profile(c), 0);
        assert_int_equal(asked(), before);
        GIVES("first_again", RG_OUTCOME_OK, NULL);
        close_farm();
    }
    counters = false;
    open_farm(slow_saxpy(false));
    assert_null(rg_farm_evaluator(farm)->profile);
    assert_string_equal(rg_farm_info(farm)->hardware_counters, "missing: switched off");
    close_farm();
}

/* The user leaves while it runs. */
static void counters_are_not_waited_for(void **state)
{
    struct rg_counter c[RG_MAX_COUNTERS];
    fake_ncu("sleep 25", "");
    counters = true;
    open_farm(slow_saxpy(false));
    GIVES("first", RG_OUTCOME_OK, NULL);
    leaving = 1;
    double from = rg_now();
    assert_int_equal(profile(c), 0);
    assert_true(rg_now() - from < 5);
    leaving = 0;
    close_farm();
}

/* --- faster than physics --- */

static pid_t run_pid(void)
{
    for (int i = 0; i < farm->n_workers; i++)
        if (farm->workers[i].role == FARM_RUN) return farm->workers[i].proc.pid;
    return 0;
}

/* It is verified again by a worker that has never seen it; what that one finds holds, and is marked. Once. */
static void too_fast_to_be_true(void **state)
{
    open_farm(slow_saxpy(false));
    GIVES("first", RG_OUTCOME_OK, NULL);
    pid_t before = run_pid();
    struct rg_evaluation e = evaluate(NAMED("first_quick"), "first_quick<<<ceil_div(n, 256), 256>>>(n, a, x, y);");
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s", e.message);
    assert_true(e.time_us == 3 && rg_evaluation_counter(&e, "suspect") == 1);
    pid_t after = run_pid();
    assert_true(after != before);
    e = evaluate(NAMED("first_quick"), "first_quick<<<ceil_div(n, 256), 256>>>(n, a, x, y);");
    assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "suspect") == 1 && run_pid() == after);
    GIVES("first_quick_bad", RG_OUTCOME_WRONG, "seen through");
    assert_true(run_pid() != after);
    GIVES("first_other", RG_OUTCOME_OK, NULL);
    close_farm();
}

/* --- races of what a search ends with --- */

static char sanitizer_path[120];

/* A `compute-sanitizer` that runs its target as the real one does and says what stands in the files given for its two
 * tools. */
static void fake_sanitizer(const char *first, const char *memcheck, const char *racecheck)
{
    FILE *f = fopen(sanitizer_path, "w");
    assert_non_null(f);
    fprintf(f,
            "#!/bin/bash\necho \"$*\" >>%s\n%s\nwhile [ $# -gt 0 ]; do case $1 in --log-file) log=$2; shift;; --tool) "
            "tool=$2; shift;; -*) shift;; *) break;; esac; shift; done\n"
            "\"$@\" || { echo \"========= Error: the target ended with $?\" >$log; exit 1; }\ncase $tool in memcheck) "
            "cat tests/data/sanitizer/%s;; racecheck) cat tests/data/sanitizer/%s;; esac >$log\n",
            used, first, memcheck, racecheck);
    fclose(f);
    assert_int_equal(chmod(sanitizer_path, 0755), 0);
    unlink(used);
}

static struct rg_evaluation look_again(const char *cuda, const char *text, enum rg_eval_purpose purpose)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = {(char *)(uintptr_t)cuda, (char *)(uintptr_t)text};
    struct rg_eval_result r = {0};
    bool got = false;
    struct rg_error e = RG_ERROR_INIT;
    if (ev->submit(ev->self, 9, &src, purpose, &e) != RG_OK || ev->poll(ev->self, 100, &r, &got, &e) != RG_OK)
        fail_msg("%s", e.text);
    assert_true(got && r.id == 9);
    return r.e;
}
#define SECOND(name) look_again(NAMED(name), name "<<<ceil_div(n, 256), 256>>>(n, a, x, y);", RG_EVAL_AGAIN)
#define LAST(name) look_again(NAMED(name), name "<<<ceil_div(n, 256), 256>>>(n, a, x, y);", RG_EVAL_LAST)

static bool unlooked(const char *cuda, const char *text)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = {(char *)(uintptr_t)cuda, (char *)(uintptr_t)text};
    return ev->unlooked(ev->self, &src);
}
#define UNLOOKED(name) unlooked(NAMED(name), name "<<<ceil_div(n, 256), 256>>>(n, a, x, y);")

static void sanitized(const char *memcheck, const char *racecheck, enum rg_outcome want, const char *says)
{
    fake_sanitizer("", memcheck, racecheck);
    open_farm(slow_saxpy(false));
    GIVES("first", RG_OUTCOME_OK, NULL);
    struct rg_evaluation e = SECOND("first");
    assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "race_checked") == 0);
    assert_int_equal(asked(), 0); /* only what the search ends with */
    assert_true(UNLOOKED("first"));
    e = LAST("first");
    assert_false(UNLOOKED("first"));
    if (e.outcome != want || !strstr(e.message, says)) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
    assert_int_equal(asked(), want == RG_OUTCOME_BOUNDS ? 1 : 2);
    if (want == RG_OUTCOME_OK) assert_true(rg_evaluation_counter(&e, "race_checked") == 1);
    e = SECOND("first"); /* known by now */
    assert_int_equal(e.outcome, want);
    e = LAST("first");
    assert_int_equal(e.outcome, want);
    assert_int_equal(asked(), want == RG_OUTCOME_BOUNDS ? 1 : 2);
    GIVES("first_again", RG_OUTCOME_OK, NULL);
    close_farm();
}

static void the_last_is_looked_at(void **state)
{
    sanitized("clean.txt", "no_race.txt", RG_OUTCOME_OK, "");
    sanitized("clean.txt", "warning.txt", RG_OUTCOME_OK, "");
    sanitized("read.txt", "no_race.txt", RG_OUTCOME_BOUNDS, "Invalid __global__ read of size 4 bytes at saxpy_k");
    sanitized("clean.txt", "race.txt", RG_OUTCOME_RACE, "Race reported between Write access");
}

/* Whatever the tool does, the search goes on, and what nobody looked at is marked. */
static void nobody_may_look(void **state)
{
    static const struct {
        const char *first, *memcheck, *says;
    } ways[] = {{"", "unable.txt", "terminated before first"},
                {"exit 3", "clean.txt", "it came to no end"},
                {"kill -9 $$", "clean.txt", "it came to no end"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        fake_sanitizer(ways[i].first, ways[i].memcheck, "no_race.txt");
        open_farm(slow_saxpy(false));
        assert_non_null(strstr(rg_farm_info(farm)->race_checks, sanitizer_path));
        struct rg_evaluation e = LAST("first");
        assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "race_checked") == 0);
        if (!strstr(rg_farm_info(farm)->race_checks, ways[i].says))
            fail_msg("'%s' does not say '%s'", rg_farm_info(farm)->race_checks, ways[i].says);
        e = LAST("first_other");
        assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "race_checked") == 0);
        assert_int_equal(asked(), 1);
        close_farm();
    }
    unlink(sanitizer_path);
    char real[400];
    if (rg_worker_sanitizer(real, sizeof real)) return; /* this machine has one */
    open_farm(slow_saxpy(false));
    assert_non_null(strstr(rg_farm_info(farm)->race_checks, "no compute-sanitizer"));
    struct rg_evaluation e = LAST("first");
    assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "race_checked") == 0);
    close_farm();
}

int main(int argc, char **argv)
{
    const char *script = NULL, *memory = "", *device = NULL;
    if (argc > 1 && !strcmp(argv[1], "--near")) return rg_worker_near_main(argc - 2, argv + 2);
    if (argc > 1 && !strcmp(argv[1], "--far")) return rg_worker_far_main(argc - 2, argv + 2);
    for (int i = 1; i + 1 < argc; i++) {
        if (!strcmp(argv[i], "--replay")) script = argv[i + 1];
        if (!strcmp(argv[i], "--memory")) memory = argv[i + 1];
        if (!strcmp(argv[i], "--device")) device = argv[i + 1];
    }
    if (script) return profiled_worker(script, memory);
    snprintf(self, sizeof self, "%s", argv[0]);
    find_worker_beside(argv[0]);
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--role")) {
            if (!strcmp(argv[i + 1], "run"))
                return run_worker(device && !strncmp(device, "cuda:", 5) ? atoi(device + 5) : 0);
            argv[0] = worker;
            execvp(worker, argv);
            return 127;
        }
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_c_is_asked),
                                       cmocka_unit_test(the_first_may_be_wrong),
                                       cmocka_unit_test(the_c_is_asked_in_its_own_precision),
                                       cmocka_unit_test(where_nobody_can_tell),
                                       cmocka_unit_test(killed_meanwhile),
                                       cmocka_unit_test(large_sizes_come_later),
                                       cmocka_unit_test(nothing_comes_later),
                                       cmocka_unit_test(one_in_twenty_is_timed),
                                       cmocka_unit_test(pruning_is_what_was_asked_for),
                                       cmocka_unit_test(counters_come_from_ncu),
                                       cmocka_unit_test(counters_may_be_missing),
                                       cmocka_unit_test(counters_are_not_waited_for),
                                       cmocka_unit_test(too_fast_to_be_true),
                                       cmocka_unit_test(the_last_is_looked_at),
                                       cmocka_unit_test(nobody_may_look)};
    if (getenv("RG_TEST_ONLY")) cmocka_set_test_filter(getenv("RG_TEST_ONLY"));
    if (!mkdtemp(ncu_folder)) return 1;
    snprintf(ncu_path, sizeof ncu_path, "%s/ncu", ncu_folder);
    snprintf(sanitizer_path, sizeof sanitizer_path, "%s/compute-sanitizer", ncu_folder);
    snprintf(used, sizeof used, "%s/used", ncu_folder);
    char *path = rg_xasprintf("%s:%s", ncu_folder, getenv("PATH"));
    setenv("PATH", path, 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(ncu_path);
    unlink(sanitizer_path);
    unlink(used);
    rmdir(ncu_folder);
    free(path);
    return failed;
}
