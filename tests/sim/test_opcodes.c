/* Every instruction of opcodes.h on the simulated device against what an NVIDIA H200 gave for the same inputs
 * (tests/data/opcodes_h200.txt, written by tests/gpu/test_opcodes_cuda.c): to the bit, any NaN for any NaN, where
 * results are defined to the bit; within a bound for approximations and matrix products of fractions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/opcodes.h"
#include <rg/file.h>
#include <rg/hash.h>

/* What the device cannot be asked for, or answers differently for a reason. */
static const struct {
    const char *name, *why;
} apart[] = {
    {"atom.shared.add.noftz.f16x2", "the H200 leaves what was there"},
    {"atom.shared.add.noftz.bf16x2", "the H200 leaves what was there"},
};

static const char *answer(const char *all, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = all; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
        if (!strncmp(p, name, n) && p[n] == '|') return p + n + 1;
    return NULL;
}

static void as_the_gpu_gives(void **state)
{
    struct ops ops = ops_all();
    uint64_t *inputs = op_inputs(), *out = malloc(8 * (size_t)OP_OUT);
    char *path = rg_xasprintf("%.*s/../data/opcodes_h200.txt", (int)(strrchr(__FILE__, '/') - __FILE__), __FILE__),
         *all = NULL;
    size_t len;
    struct rg_error e = RG_ERROR_INIT;
    struct op_machine m;
    assert_int_equal(rg_file_read(path, 0, &all, &len, &e), RG_OK);
    if (rg_device_open_sim("h200", &m.d, &e) || op_open(&m, inputs, &e)) fail_msg("%s", e.text);
    int wrong = 0, compared = 0;
    for (int i = 0; i < ops.n; i++) {
        const struct op *p = &ops.at[i];
        const char *want = answer(all, p->name), *why = NULL;
        for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
            if (!strcmp(apart[k].name, p->name)) why = apart[k].why;
        if (!want || why) continue;
        struct rg_fault f;
        e = (struct rg_error)RG_ERROR_INIT;
        if (op_run(&m, p, out, &f, &e) || f.outcome) {
            print_message("%s: %s%s\n", p->name, e.text, f.message);
            wrong++;
            continue;
        }
        compared++;
        unsigned long long hash;
        if (sscanf(want, "hash %llx", &hash) == 1) {
            uint64_t h = 0;
            for (long k = 0; k < (long)OP_N * p->results; k++) {
                uint64_t v = op_canonical(p->out, out[k]);
                h = rg_hash64(&v, sizeof v, h);
            }
            if (h != hash) print_message("%s: not the bits of the H200\n", p->name), wrong++;
            continue;
        }
        struct op_diff d = {0, 0, 0, -1};
        const char *v = want + strlen("values");
        for (int k = 0; k < OP_SAMPLES; k++) {
            char *end;
            uint64_t w = strtoull(v, &end, 16);
            assert_true(end > v);
            v = end;
            op_compare(p, w, op_canonical(p->out, out[k * (OP_N / OP_SAMPLES)]), k * (OP_N / OP_SAMPLES), &d);
        }
        if (d.different)
            print_message("%s: %ld of %d samples beyond the bound, worst %g of %g\n", p->name, d.different, OP_SAMPLES,
                          d.worst, p->tol),
                wrong++;
    }
    print_message("%d instructions compared\n", compared);
    m.d.free(m.d.self);
    free(ops.at);
    free(inputs);
    free(out);
    free(all);
    free(path);
    assert_int_equal(wrong, 0);
    assert_true(compared > 1200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_gpu_gives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
