/* What estimates make of caches, contention and grids whose blocks differ: pairs of kernels of which it is known which
 * costs more. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

struct seen {
    double us, dram, warp_instructions, atomic_us;
};

static struct seen look(struct cu *c, const char *kernel, int blocks, int threads, const struct sim_arg *a, int n)
{
    struct sim *s = &c->s;
    struct rg_counter list[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    struct seen out = {0, 0, 0, 0};
    int k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    s->d.estimate_mode(s->d.self, true);
    s->d.mark(s->d.self, 0, &s->err);
    enum rg_outcome o = sim_launch_as(s, kernel, blocks, 1, threads, 1, 0, false, a, n);
    s->d.mark(s->d.self, 1, &s->err);
    s->d.estimate_mode(s->d.self, false);
    if (o) print_message("%s: %s\n", kernel, s->fault.message);
    assert_int_equal(o, RG_OUTCOME_OK);
    assert_int_equal(s->d.elapsed(s->d.self, 0, 1, &out.us, &s->fault, &s->err), RG_OK);
    k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    for (int i = 0; i < k; i++) {
        if (!strcmp(list[i].name, "dram_bytes")) out.dram = list[i].value;
        if (!strcmp(list[i].name, "warp_instructions")) out.warp_instructions = list[i].value;
        if (!strcmp(list[i].name, "atomic_us")) out.atomic_us = list[i].value;
    }
    return out;
}
#define LOOK(kernel, blocks, threads, ...)                                                                             \
    ({                                                                                                                 \
        struct sim_arg a_[] = {__VA_ARGS__};                                                                           \
        look(&c, kernel, blocks, threads, a_, (int)(sizeof a_ / sizeof *a_));                                          \
    })

static struct cu c;
static int setup(void **state)
{
    (void)state;
    cu_open(&c, __FILE__, "reuse.cu");
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    cu_close(&c);
    return 0;
}
static rg_addr room(size_t floats)
{
    return sim_put(&c.s, "room", NULL, floats * 4);
}

/* ptxas leaves a loop alone where the source says so: then each load waits for the one before. */
static void loops_left_alone(void **state)
{
    (void)state;
    if (!c.have) skip();
    int n = 1024;
    rg_addr x = room((size_t)n * 528 * 32), y = room(528 * 32);
    double slow = LOOK("rolled", 528, 32, ARG(n), ARG(x), ARG(y)).us,
           fast = LOOK("unrolled", 528, 32, ARG(n), ARG(x), ARG(y)).us;
    if (slow < 3 * fast) fail_msg("a load at a time %.1f us, eight %.1f", slow, fast);
}

/* A twentieth of the grid has nearly all the work, and a few sampled blocks do not meet it. */
static void islands(void **state)
{
    (void)state;
    if (!c.have) skip();
    int blocks = 20000, none = 0, from = 9100, to = 10100;
    rg_addr y = room((size_t)blocks);
    double empty = LOOK("island", blocks, 128, ARG(none), ARG(none), ARG(y)).warp_instructions,
           all = LOOK("island", blocks, 128, ARG(none), ARG(blocks), ARG(y)).warp_instructions,
           some = LOOK("island", blocks, 128, ARG(from), ARG(to), ARG(y)).warp_instructions,
           want = empty + (all - empty) / 20;
    if (some < 0.7 * want || some > 1.4 * want)
        fail_msg("%.3g warp instructions, not %.3g (none %.3g, all %.3g)", some, want, empty, all);
}

/* As many atomics on as many lines; only those of the blocks in flight queue side by side. */
static void lines_in_use(void **state)
{
    (void)state;
    if (!c.have) skip();
    int blocks = 1 << 15, lines = 64;
    rg_addr x = room((size_t)blocks * 256), word = room(64 * 32);
    double rows = LOOK("in_rows", blocks, 256, ARG(lines), ARG(x), ARG(word)).us,
           turn = LOOK("in_turn", blocks, 256, ARG(lines), ARG(x), ARG(word)).us;
    if (rows < 6 * turn) fail_msg("row by row %.1f us, in turn %.1f", rows, turn);
}

/* Four times as much as the table holds is read of it, which is half again as large as L2. */
static void tables(void **state)
{
    (void)state;
    if (!c.have) skip();
    int rows = 300000, blocks = rows / 2;
    rg_addr w = room((size_t)rows * 64), y = room(1024);
    double random = LOOK("at_random", blocks, 256, ARG(rows), ARG(w), ARG(y)).dram,
           cyclic = LOOK("again_and_again", blocks, 256, ARG(rows), ARG(w), ARG(y)).dram;
    if (random > 0.8 * cyclic || random < 0.3 * cyclic)
        fail_msg("%.3g bytes at random, %.3g over and over", random, cyclic);
}

/* A block reads its row twice: long rows of all blocks in flight push one another out of L2 in between. */
static void rows_read_twice(void **state)
{
    (void)state;
    if (!c.have) skip();
    int wide = 32768, narrow = 1024;
    rg_addr x = room((size_t)wide * 2112), y = room((size_t)132 * 512 * 128);
    double far = LOOK("twice", 2112, 128, ARG(wide), ARG(x), ARG(y)).dram / (2112.0 * wide * 4),
           near = LOOK("twice", 2112 * 32, 128, ARG(narrow), ARG(x), ARG(y)).dram / (2112.0 * wide * 4);
    if (far < 1.7 || near > 1.3)
        fail_msg("read from DRAM %.2f times where rows are long, %.2f where they are short", far, near);
}

static void local_memory(void **state)
{
    (void)state;
    if (!c.have) skip();
    int many = 2048, few = 8, blocks = 528;
    rg_addr y = room((size_t)blocks * 256);
    double large = LOOK("scratch", blocks, 256, ARG(many), ARG(y)).dram,
           small = LOOK("scratch", blocks, 256, ARG(few), ARG(y)).dram, all = blocks * 256.0 * many * 4;
    if (large < all || small > 0.01 * all)
        fail_msg("%.3g bytes of %.3g from DRAM, %.3g where little is used", large, all, small);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {T(loops_left_alone), T(islands),         T(lines_in_use),
                                       T(tables),           T(rows_read_twice), T(local_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
