/* Every instruction of tests/sim/opcodes.h on cuda:0 and on the simulated device, with the same inputs; prints a table
 * of what differs. test_opcodes_cuda               needs a GPU, skips without one; RG_OPCODES_OUT=FILE also records
 * what the GPU gave, for tests/sim/test_opcodes.c (tests/data/opcodes_h200.txt) test_opcodes_cuda --ptx FOLDER  writes
 * the kernels, a file each, for ptxas test_opcodes_cuda --sim         runs them on the simulated device only and names
 * what it lacks test-deadline: 400 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/opcodes.h"
#include <rg/hash.h>

static struct ops ops;
static uint64_t *inputs;

static int write_ptx(const char *folder)
{
    for (int i = 0; i < ops.n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%04d.ptx", folder, i);
        FILE *f = fopen(path, "w");
        if (!f) return 1;
        struct rg_buf b = RG_BUF_INIT;
        op_text(&ops.at[i], 0, &b);
        fprintf(f, "// %s\n.version 8.6\n.target sm_90\n.address_size 64\n%s", ops.at[i].name, b.data);
        rg_buf_release(&b);
        fclose(f);
    }
    return 0;
}

static int sim_only(void)
{
    struct op_machine m;
    struct rg_error e = RG_ERROR_INIT;
    uint64_t *out = malloc(8 * (size_t)OP_OUT);
    int lacking = 0;
    if (!out || rg_device_open_sim("h200", &m.d, &e) || op_open(&m, inputs, &e)) return 1;
    for (int i = 0; i < ops.n; i++) {
        struct rg_fault f;
        e = (struct rg_error)RG_ERROR_INIT;
        if (op_run(&m, &ops.at[i], out, &f, &e) || f.outcome)
            printf("%-60s %s%s\n", ops.at[i].name, e.text, f.message), lacking++;
    }
    printf("%d instructions, %d not run\n", ops.n, lacking);
    m.d.free(m.d.self);
    free(out);
    return 0;
}

static void record(FILE *f, const struct op *p, const uint64_t *out)
{
    if (!f) return;
    long n = (long)OP_N * p->results;
    if (p->how == BY_BITS) {
        uint64_t h = 0;
        for (long i = 0; i < n; i++) {
            uint64_t v = op_canonical(p->out, out[i]);
            h = rg_hash64(&v, sizeof v, h);
        }
        fprintf(f, "%s|hash %016llx\n", p->name, (unsigned long long)h);
    } else {
        fprintf(f, "%s|values", p->name);
        for (int i = 0; i < OP_SAMPLES; i++)
            fprintf(f, " %llx", (unsigned long long)op_canonical(p->out, out[i * (OP_N / OP_SAMPLES)]));
        fprintf(f, "\n");
    }
}

static void the_same_on_both(void **state)
{
    struct op_machine gpu, sim;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_device_open_cuda(0, &gpu.d, &e) != RG_OK) {
        print_message("no GPU: %s\n", e.text);
        skip();
    }
    if (rg_device_open_sim("h200", &sim.d, &e) || op_open(&gpu, inputs, &e) || op_open(&sim, inputs, &e))
        fail_msg("%s", e.text);
    uint64_t *want = malloc(8 * (size_t)OP_OUT), *got = malloc(8 * (size_t)OP_OUT);
    assert_true(want && got);
    const char *path = getenv("RG_OPCODES_OUT");
    FILE *rec = path ? fopen(path, "w") : NULL;
    if (rec) fprintf(rec, "# %s, driver %s: test_opcodes_cuda\n", gpu.d.facts.name, gpu.d.facts.driver);
    int same = 0, within = 0, lacking = 0, off = 0, untried = 0;
    print_message("%-58s %8s %10s %9s  %s\n", "instruction", "differ", "worst", "nan bits", "first");
    for (int i = 0; i < ops.n; i++) {
        const struct op *p = &ops.at[i];
        struct rg_fault f;
        e = (struct rg_error)RG_ERROR_INIT;
        if (op_run(&gpu, p, want, &f, &e) || f.outcome) {
            print_message("%-58s the GPU does not run it: %s%s\n", p->name, e.text, f.message);
            untried++;
            continue;
        }
        record(rec, p, want);
        if (op_run(&sim, p, got, &f, &e) || f.outcome) {
            print_message("%-58s not simulated: %s%s\n", p->name, e.text, f.message);
            lacking++;
            continue;
        }
        struct op_diff d = {0, 0, 0, -1};
        for (int k = 0; k < OP_N * p->results; k++) op_compare(p, want[k], got[k], k, &d);
        if (d.different) {
            int k = d.first, t = k % OP_N;
            print_message("%-58s %8ld %10.3g %9ld  %llx, %llx, %llx: gpu %llx sim %llx\n", p->name, d.different,
                          d.worst, d.nans, (unsigned long long)inputs[(p->in[0] * 3 + 0) * OP_N + t],
                          (unsigned long long)inputs[(p->in[1] * 3 + 1) * OP_N + t],
                          (unsigned long long)inputs[(p->in[2] * 3 + 2) * OP_N + t], (unsigned long long)want[k],
                          (unsigned long long)got[k]);
            off++;
        } else if (p->how == BY_BITS) {
            same++;
            if (d.nans) print_message("%-58s %8d %10s %9ld\n", p->name, 0, "", d.nans);
        } else {
            within++;
            print_message("%-58s %8d %10.3g %9ld  of %.3g\n", p->name, 0, d.worst, d.nans, p->tol);
        }
    }
    if (rec) fclose(rec);
    print_message("%d instructions: %d equal to the bit, %d within their bound, %d differ, %d not simulated, %d not on "
                  "this GPU\n",
                  ops.n, same, within, off, lacking, untried);
    gpu.d.free(gpu.d.self);
    sim.d.free(sim.d.self);
    free(want);
    free(got);
    assert_int_equal(off, 0);
}

int main(int argc, char **argv)
{
    ops = ops_all();
    inputs = op_inputs();
    if (!inputs) return 1;
    int rc;
    if (argc == 3 && !strcmp(argv[1], "--ptx"))
        rc = write_ptx(argv[2]);
    else if (argc == 2 && !strcmp(argv[1], "--sim"))
        rc = sim_only();
    else {
        const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_on_both)};
        rc = cmocka_run_group_tests_name("opcodes", tests, NULL, NULL);
    }
    free(ops.at);
    free(inputs);
    return rc;
}
