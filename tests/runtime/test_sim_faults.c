/* What kernels do wrong is found and named; what the device lacks is said; malformed PTX gives a message with a line.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include "tests/runtime/sim_fixture.h"

static int setup(void **state)
{
    struct sim *s = malloc(sizeof *s);
    sim_open(s, "sim_bugs.ptx");
    s->d.budget(s->d.self, 1e8);
    *state = s;
    return 0;
}
static int teardown(void **state)
{
    sim_close(*state);
    free(*state);
    return 0;
}

static void expect(struct sim *s, const char *kernel, int grid, int block, int shared, enum rg_outcome want,
                   const char *const *words, const struct sim_arg *a, int n)
{
    enum rg_outcome o = sim_launch_as(s, kernel, grid, 1, block, 1, shared, false, a, n);
    if (o != want) fail_msg("%s: %s (%s), not %s", kernel, rg_outcome_word(o), s->fault.message, rg_outcome_word(want));
    for (; *words; words++)
        if (!strstr(s->fault.message, *words)) fail_msg("%s: '%s' is not in '%s'", kernel, *words, s->fault.message);
}
#define EXPECT(kernel, grid, block, shared, outcome, words, ...)                                                       \
    do {                                                                                                               \
        struct sim_arg args_[] = {__VA_ARGS__};                                                                        \
        expect(s, kernel, grid, block, shared, RG_OUTCOME_##outcome, (const char *const[])words, args_,                \
               (int)(sizeof args_ / sizeof *args_));                                                                   \
    } while (0)
#define W(...)                                                                                                         \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

static void bounds(void **state)
{
    struct sim *s = *state;
    int n = 100;
    rg_addr x = sim_put(s, "input", NULL, 400), y = sim_put(s, "output", NULL, 400), none = 0;
    EXPECT("b_read", 1, 128, 0, BOUNDS,
           W("kernel b_read", "line 3", "block (0,0,0)", "thread (99,0,0)", "read of 4 bytes", "offset 400 of 'input'",
             "400 bytes (index 100)"),
           ARG(n), ARG(x), ARG(y));
    EXPECT("b_write", 2, 64, 0, BOUNDS,
           W("kernel b_write", "line 4", "block (1,0,0)", "thread (36,0,0)", "write", "'output'"), ARG(n), ARG(y));
    EXPECT("b_far", 1, 32, 0, BOUNDS, W("b_far", "outside of all buffers"), ARG(n), ARG(y));
    EXPECT("b_null", 1, 32, 0, BOUNDS, W("b_null", "null pointer", "read"), ARG(y), ARG(none));
    EXPECT("b_atomic", 1, 32, 0, BOUNDS, W("b_atomic", "atomic", "offset 400"), ARG(n), ARG(y));
    float one = 1;
    rg_addr z = sim_put(s, "z", NULL, 128);
    s->d.to_device(s->d.self, z, &one, 4, &s->err);
    EXPECT("b_shared", 1, 32, 0, BOUNDS, W("b_shared", "thread (31,0,0)", "offset 128 of shared memory", "128"),
           ARG(z));
    EXPECT("b_dynamic", 1, 32, 128, BOUNDS, W("b_dynamic", "shared memory"), ARG(z));
    EXPECT("b_dynamic", 1, 32, 256, OK, W(""), ARG(z));
    s->d.guards(s->d.self, &s->fault, &s->err);
    assert_int_equal(s->fault.outcome, RG_OUTCOME_OK);
}

static void barriers(void **state)
{
    struct sim *s = *state;
    rg_addr y = sim_put(s, "y", NULL, 400);
    EXPECT("b_barrier", 1, 32, 0, RACE, W("b_barrier", "barrier in divergent code"), ARG(y));
    EXPECT("b_shuffle", 1, 32, 0, RACE, W("b_shuffle", "never arrive"), ARG(y));
}

static void ends(void **state)
{
    struct sim *s = *state;
    int seven[64] = {0};
    seven[33] = 7;
    rg_addr y = sim_put(s, "y", seven, sizeof seven);
    EXPECT("b_trap", 1, 64, 0, CRASH, W("b_trap", "thread (33,0,0)", "trap"), ARG(y));
    seven[33] = 7000;
    y = sim_put(s, "y", seven, sizeof seven);
    EXPECT("b_assert", 1, 64, 0, CRASH, W("b_assert", "thread (33,0,0)", "assertion failed"), ARG(y));
    rg_addr c = sim_put(s, "c", NULL, 400);
    EXPECT("b_misaligned", 1, 32, 0, CRASH, W("b_misaligned", "misaligned"), ARG(c));
    s->d.budget(s->d.self, 1e6);
    EXPECT("b_hang", 1, 32, 0, TIMEOUT, W("b_hang", "line 11"), ARG(c));
}

static void lacking(void **state)
{
    struct sim *s = *state;
    rg_addr y = sim_put(s, "y", NULL, 400);
    EXPECT("b_cluster", 1, 1, 0, UNSUPPORTED, W("b_cluster", "barrier.cluster.arrive"), ARG(y));
    EXPECT("b_trap", 1, 1025, 0, UNSUPPORTED, W("1025", "1024"), ARG(y));
    EXPECT("b_dynamic", 1, 1, 300000, UNSUPPORTED, W("bytes of shared memory"), ARG(y));
}

static void recursion(void **state)
{
    struct sim *s = *state;
    int got, in[2] = {0, 12}, deep[2] = {0, 100000};
    rg_addr y = sim_put(s, "y", in, sizeof in);
    LAUNCH(s, "b_recursion", 1, 1, ARG(y));
    sim_get(s, &got, y, sizeof got);
    assert_int_equal(got, 144);
    y = sim_put(s, "y", deep, sizeof deep);
    EXPECT("b_recursion", 1, 1, 0, CRASH, W("b_recursion", "line 15", "stack overflow", "'fib'"), ARG(y));
}

static void host(void **state)
{
    struct sim *s = *state;
    rg_addr y = sim_put(s, "y", NULL, 400);
    char b[500];
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(s->d.to_device(s->d.self, y, b, 401, &e), RG_BUG);
    assert_non_null(strstr(e.text, "'y'"));
    rg_error_clear(&e);
    assert_int_equal(s->d.alloc(s->d.self, (size_t)1 << 60, "huge", &y, &e), RG_NOMEM);
    rg_error_clear(&e);
    /* large buffers cost nothing until touched, but together they end where this machine's memory does */
    rg_addr big[8];
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) / 16 * (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < 8; i++) assert_int_equal(s->d.alloc(s->d.self, bytes, "big", &big[i], &e), RG_OK);
    assert_int_equal(s->d.alloc(s->d.self, 8 * bytes, "too big", &y, &e), RG_NOMEM);
    rg_error_clear(&e);
    uint64_t v = 42, r = 0;
    s->d.to_device(s->d.self, big[7] + bytes - 8, &v, 8, &e);
    s->d.from_device(s->d.self, &r, big[7] + bytes - 8, 8, &e);
    assert_true(r == 42);
    for (int i = 0; i < 8; i++) s->d.release(s->d.self, big[i]);
    struct rg_device d;
    assert_int_equal(rg_device_open_sim("nosuch", &d, &e), RG_UNAVAILABLE);
    assert_non_null(strstr(e.text, "h200"));
}

/* Text that is wrong, and what the message must say. */
static void malformed(void **state)
{
    struct sim *s = *state;
    static const struct {
        const char *ptx, *says;
        int line;
    } cases[] = {
        {".version 9.0\n.target sm_90\n.address_size 32\n", "64-bit", 3},
        {".version 9.0\nhello", "directive expected", 2},
        {".visible .entry k()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, %r2, %r7;\n}", "unknown name '%r7'", 4},
        {".visible .entry k()\n{\nbra $L;\n}", "unknown label", 3},
        {".visible .entry k()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, %r2;\n}", "2 operands", 4},
        {".visible .entry k()\n{\n.reg .b32 %r<3>;.reg .b64 %d<3>;\nadd.s32 %r1, %d2, 4;\n}", "another size", 4},
        {".visible .entry k()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, %r2, 1", "expected before the end", 4},
        {".visible .entry k()\n{\nret;\n", "'}' expected", 4},
        {".visible .entry k()\n{\n.reg .b32 %r<99999999>;\n}", "register count", 3},
        {".global .align 3 .b8 x[4];", "power of two", 1},
        {".global .b8 x[2] = {1, 2, 3};", "too many initial values", 1},
        {".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [p+6];\n}", "beyond the parameter",
         4},
        {".visible .entry k()\n{\n.reg .b32 %r<3>;.reg .pred %p<2>;\nmov.u32 %p1, 1;\n}", "size", 4},
        {".visible .entry k()\n{\n.reg .b32 %r<3>;\nsetp.xx.s32 %r1, %r2, 1;\n}", "size", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *name = "k";
        struct rg_blob blob = {.ptx = cases[i].ptx, .ptx_len = strlen(cases[i].ptx), .n_kernels = 1, .lowered = &name};
        struct rg_error e = RG_ERROR_INIT;
        struct rg_module *m = NULL;
        assert_int_equal(s->d.load(s->d.self, &blob, &m, &s->fault, &e), RG_INPUT);
        if (!strstr(e.text, cases[i].says) || e.line != cases[i].line || strcmp(e.file, "ptx"))
            fail_msg("case %zu: %s:%d: '%s', not line %d '%s'", i, e.file, e.line, e.text, cases[i].line,
                     cases[i].says);
        assert_null(m);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {T(bounds),    T(barriers), T(ends),     T(lacking),
                                       T(recursion), T(host),     T(malformed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
