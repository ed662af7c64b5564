/* Planted bugs are found, and the message names kernel, lines, threads and places; the same things done right pass. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

static struct cu cu;
enum { N = 1024 };
static rg_addr x, y, ints, zeros;

static int setup(void **state)
{
    cu_open(&cu, __FILE__, "bugs.cu");
    if (!cu.have) return 0;
    struct sim *s = &cu.s;
    float f[N];
    int k[N];
    for (int i = 0; i < N; i++) f[i] = (float)(i * 37 % 101) - 50.5f, k[i] = i * 13 % 97;
    k[0] = 5;
    x = sim_put(s, "x", f, sizeof f);
    ints = sim_put(s, "ints", k, sizeof k);
    zeros = sim_put(s, "zeros", NULL, 4 * N);
    y = sim_put(s, "y", NULL, 4 * N);
    return 0;
}
static int teardown(void **state)
{
    cu_close(&cu);
    return 0;
}

static void expect(const char *kernel, int grid, int block, enum rg_outcome want, const char *words,
                   const struct sim_arg *a, int n)
{
    struct sim *s = &cu.s;
    if (!cu.have) skip();
    s->d.budget(s->d.self, 1e6);
    s->d.check(s->d.self, 1e9);
    s->d.fill(s->d.self, zeros, 4 * N, 1, 0, &s->err);
    s->d.fill(s->d.self, y, 4 * N, 1, 0, &s->err);
    enum rg_outcome o = sim_launch_as(s, kernel, grid, 1, block, 1, 0, false, a, n);
    const char *m = s->fault.message;
    if (o != want) fail_msg("%s: %s (%s), not %s", kernel, rg_outcome_word(o), m, rg_outcome_word(want));
    if (!want) return;
    char mark[80], text[80];
    int line = cu_line(&cu, kernel), other;
    snprintf(mark, sizeof mark, "%s_2", kernel);
    other = cu_line(&cu, mark);
    char first[80], second[80];
    snprintf(first, sizeof first, "kernel %s, line %d,", kernel, line);
    snprintf(second, sizeof second, "kernel %s, line %d,", kernel, other);
    if (!line || (!strstr(m, first) && !strstr(m, second))) fail_msg("'%s' is not in '%s'", first, m);
    int length = snprintf(text, sizeof text, "line %d", strstr(m, first) ? other : line);
    const char *named = strstr(m + strlen("kernel "), text);
    while (named && isdigit((unsigned char)named[length])) named = strstr(named + 1, text);
    if (other && !named) fail_msg("'%s' is not in '%s'", text, m);
    if (!strstr(m, words)) fail_msg("%s: '%s' is not in '%s'", kernel, words, m);
    if (getenv("RG_TEST_SHOW")) print_message("%s: %s\n", rg_outcome_word(o), m);
}
#define EXPECT(kernel, grid, block, outcome, words, ...)                                                               \
    do {                                                                                                               \
        struct sim_arg args_[] = {__VA_ARGS__};                                                                        \
        expect(kernel, grid, block, RG_OUTCOME_##outcome, words, args_, (int)(sizeof args_ / sizeof *args_));          \
    } while (0)

static void shared_races(void **state)
{
    EXPECT("no_barrier", 1, 256, RACE, "of shared memory 'tile'", ARG(x), ARG(y));
    EXPECT("loop_carried", 1, 64, RACE, "no __syncthreads", ARG(x), ARG(y));
    EXPECT("skipped", 1, 64, RACE, "the other thread waits at the one of line", ARG(x), ARG(y));
    EXPECT("grid_wide", 1, 64, CRASH, "grid.sync() in a launch that is not [cooperative]", ARG(x), ARG(y));
    EXPECT("reduce_early", 1, 256, RACE, "'s'", ARG(x), ARG(y));
    EXPECT("no_syncwarp", 1, 32, RACE, "no __syncwarp between them", ARG(x), ARG(y));
    EXPECT("histogram_early", 1, 256, RACE, "atomic", ARG(ints), ARG(y));
    EXPECT("zeroed_late", 1, 256, RACE, "atomic of 4 bytes", ARG(ints), ARG(y));
    EXPECT("halves", 1, 256, RACE, "2 bytes", ARG(x), ARG(y));
}

/* What is a race of many is with one thread a read of what nobody wrote. */
static void one_thread(void **state)
{
    struct sim *s = &cu.s;
    if (!cu.have) skip();
    struct sim_arg a[] = {ARG(x), ARG(y)};
    s->d.check(s->d.self, 1e9);
    assert_int_equal(sim_launch_as(s, "loop_carried", 1, 1, 1, 1, 0, false, a, 2), RG_OUTCOME_WRONG);
    assert_non_null(strstr(s->fault.message, "uninitialised"));
}

static void global_races(void **state)
{
    int n = 512;
    EXPECT("global_sum", 2, 64, RACE, "'y'", ARG(x), ARG(y));
    EXPECT("scatter", 2, 128, RACE, "'y'", ARG(ints), ARG(y));
    EXPECT("next_block", 4, 64, RACE, "of block (0,0,0)", ARG(y), ARG(n));
    EXPECT("next_block", 1, 64, OK, "", ARG(y), ARG(n));
    EXPECT("last_block", 8, 64, RACE, "no fence and atomic", ARG(x), ARG(zeros),
           (struct sim_arg){&(rg_addr){zeros + 2048}, 8}, ARG(y));
    EXPECT("last_block_ok", 8, 64, OK, "", ARG(x), ARG(zeros), (struct sim_arg){&(rg_addr){zeros + 2048}, 8}, ARG(y));
    EXPECT("block_fence", 2, 1, RACE, "of block (0,0,0)", ARG(y), ARG(zeros),
           (struct sim_arg){&(rg_addr){y + 2048}, 8});
    EXPECT("unlocked", 4, 32, RACE, "", ARG(zeros), ARG(y), ARG(x));
    EXPECT("locked_ok", 4, 32, OK, "", ARG(zeros), ARG(y), ARG(x));
}

static void uninitialised(void **state)
{
    struct sim *s = &cu.s;
    if (!cu.have) skip();
    int n = 100, seven[256] = {3, 3, 3};
    rg_addr few = sim_put(s, "few", seven, sizeof seven);
    EXPECT("unset_shared", 1, 256, WRONG, "offset 1024 of shared memory 's'", ARG(x), ARG(y));
    EXPECT("unset_local", 1, 32, WRONG, "local memory", ARG(few), ARG(y));
    rg_addr scratch = sim_fresh(s, "scratch", 1024, false);
    EXPECT("unset_scratch", 1, 256, WRONG,
           "offset 400 of 'scratch' was never written; the value read there is stored as a result at line", ARG(x),
           ARG(scratch), ARG(y), ARG(n));
    scratch = sim_fresh(s, "scratch", 1024, false);
    n = 256;
    EXPECT("unset_scratch", 1, 256, OK, "", ARG(x), ARG(scratch), ARG(y), ARG(n));
    rg_addr count = sim_fresh(s, "count", 4, false);
    EXPECT("unset_counter", 1, 32, WRONG, "'count'", ARG(count), ARG(y));
    s->d.fill(s->d.self, count, 1, 4, 0, &s->err);
    EXPECT("unset_counter", 1, 32, OK, "", ARG(count), ARG(y));
    rg_addr out = sim_fresh(s, "out", 128, true), other = sim_fresh(s, "other", 128, true);
    EXPECT("unset_put_back", 1, 32, OK, "", ARG(out), ARG(n));
    EXPECT("unset_moved", 1, 32, WRONG, "offset 0 of 'out' was never written", ARG(out), ARG(other));
    EXPECT("unset_histogram", 1, 256, WRONG, "an atomic on offset", ARG(ints), ARG(y));
    rg_addr odd = sim_fresh(s, "odd", 32 * 16, true);
    static const uint8_t member[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    s->d.padding(s->d.self, odd, member, 16);
    EXPECT("copied_whole", 1, 4, OK, "", ARG(few), ARG(odd));
    EXPECT("copied_in_part", 1, 4, WRONG, "of local memory was never written", ARG(few), ARG(odd));
    EXPECT("wrong_pointer", 1, 32, WRONG, "is the address of a store", ARG(x), ARG(y));
}

static void together(void **state)
{
    int n = 96;
    EXPECT("divergent_barrier", 1, 64, RACE, "barrier in divergent code", ARG(y));
    EXPECT("uneven_loop", 1, 64, RACE, "barrier in divergent code", ARG(x), ARG(y), ARG(n));
    n = 128;
    EXPECT("uneven_loop", 1, 64, OK, "", ARG(x), ARG(y), ARG(n));
    EXPECT("inactive_lane", 1, 32, RACE, "is not active", ARG(x), ARG(y));
    EXPECT("inactive_lane_ok", 1, 32, OK, "", ARG(x), ARG(y));
    EXPECT("short_block", 1, 48, RACE, "is not active", ARG(x), ARG(y));
    EXPECT("short_block", 1, 64, OK, "", ARG(x), ARG(y));
    EXPECT("not_named", 1, 32, RACE, "does not name it", ARG(ints), ARG(y));
    EXPECT("no_wait", 1, 128, RACE, "no cp.async wait_group", ARG(x), ARG(y));
    EXPECT("early_wait", 1, 64, RACE, "no cp.async wait_group", ARG(x), ARG(y));
    EXPECT("wait_ok", 1, 64, OK, "", ARG(x), ARG(y));
}

static void others(void **state)
{
    int n = 1024;
    EXPECT("off_by_one", 9, 128, BOUNDS, "offset 4096 of", ARG(x), ARG(y), ARG(n));
    EXPECT("shared_bounds", 1, 256, BOUNDS, "of shared memory", ARG(x), ARG(y));
    EXPECT("hang", 2, 32, TIMEOUT, "", ARG(zeros), ARG(y));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_races), cmocka_unit_test(one_thread),
                                       cmocka_unit_test(global_races), cmocka_unit_test(uninitialised),
                                       cmocka_unit_test(together),     cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
