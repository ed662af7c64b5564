/* The Driver API behind struct rg_device. Needs a GPU; every test skips without one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/compile/compiler.h"
#include "runtime/device.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "__device__ int counter;\n"
                             "__global__ void add(int n, const float *x, float *y) { int i = blockIdx.x * blockDim.x + "
                             "threadIdx.x; if (i < n) y[i] += x[i]; }\n"
                             "__global__ void beyond(int n, float *y) { y[n + threadIdx.x] = 1.0f; }\n"
                             "__global__ void wild(float *y) { *(float *)0x10 = 1.0f; }\n"
                             "__global__ void big(float *y) { extern __shared__ float s[]; s[threadIdx.x] = "
                             "y[threadIdx.x]; __syncthreads(); y[threadIdx.x] = 2.0f * s[threadIdx.x]; }\n";
static const char *const names[] = {"add", "beyond", "wild", "big"};
enum { ADD, BEYOND, WILD, BIG, N_KERNELS };

static struct rg_device dev;
static struct rg_module *module;
static struct rg_compiler compiler;
static struct rg_compiled compiled;
static struct rg_arena arena;
static bool have;
static struct rg_device_facts sheet; /* before the peaks were measured */

static int setup(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    if (rg_device_open_cuda(0, &dev, &e) != RG_OK) {
        print_message("no GPU: %s\n", e.text);
        return 0;
    }
    sheet = dev.facts;
    assert_string_equal(rg_device_cuda_peaks(&dev, NULL), "measured");
    have = true;
    if (rg__compiler_open(&compiler, &e) != RG_OK) fail_msg("%s", e.text);
    if (rg__compile(&compiler, &arena, source, dev.facts.arch, 0, names, N_KERNELS, &compiled, &e) != RG_OK ||
        compiled.outcome != RG_OUTCOME_OK)
        fail_msg("%s%s", e.text, compiled.message);
    const char *lowered[N_KERNELS];
    struct rg_kernel_attributes attributes[N_KERNELS] = {0};
    for (int i = 0; i < N_KERNELS; i++) lowered[i] = compiled.kernels[i].lowered;
    struct rg_fault f = {0};
    struct rg_blob b = {.cubin = compiled.cubin,
                        .cubin_len = compiled.cubin_len,
                        .n_kernels = N_KERNELS,
                        .lowered = lowered,
                        .attributes = attributes};
    if (dev.load(dev.self, &b, &module, &f, &e) != RG_OK || f.outcome != RG_OUTCOME_OK)
        fail_msg("%s%s", e.text, f.message);
    return 0;
}

static int teardown(void **state)
{
    if (!have) return 0;
    dev.unload(dev.self, module);
    rg__compiled_release(&compiled);
    rg__compiler_close(&compiler);
    rg_arena_release(&arena);
    dev.free(dev.self);
    return 0;
}

#define NEED_GPU()                                                                                                     \
    do {                                                                                                               \
        if (!have) skip();                                                                                             \
    } while (0)
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        struct rg_error err = RG_ERROR_INIT;                                                                           \
        struct rg_error *e_ = &err;                                                                                    \
        if ((call) != RG_OK) fail_msg("%s: %s", #call, e_->text);                                                      \
    } while (0)

static struct rg_fault launch(int kernel, int64_t grid, int64_t block, int64_t shared, int n, const void *const *args,
                              const size_t *bytes)
{
    struct rg_fault f = {0};
    struct rg_launch l = {.module = module,
                          .kernel = kernel,
                          .grid = {grid, 1, 1},
                          .block = {block, 1, 1},
                          .shared_bytes = shared,
                          .n_args = n,
                          .args = args,
                          .arg_bytes = bytes};
    OK(dev.launch(dev.self, &l, &f, e_));
    return f;
}

static void facts_are_plausible(void **state)
{
    NEED_GPU();
    print_message(
        "%s %s: %d SMs, %.0f MHz, DRAM %.2f TB/s, copies %.2f TB/s, fp32 %.1f TFLOP/s, fp64 %.1f, L2 %lld MB\n",
        dev.facts.name, dev.facts.arch, dev.facts.sms, dev.facts.clock_hz * 1e-6, dev.facts.dram_bytes_s * 1e-12,
        dev.facts.copy_bytes_s * 1e-12, dev.facts.fp32_flop_s * 1e-12, dev.facts.fp64_flop_s * 1e-12,
        (long long)dev.facts.l2_bytes >> 20);
    assert_true(dev.facts.sms > 0 && dev.facts.warp == 32 && dev.facts.clock_hz > 1e8);
    assert_true(dev.facts.copy_bytes_s > 0.3 * dev.facts.dram_bytes_s &&
                dev.facts.copy_bytes_s < 1.05 * dev.facts.dram_bytes_s);
    assert_true(dev.facts.l2_bytes > 1 << 18 && dev.facts.memory_bytes > (int64_t)1 << 30);
}

static void kernels_run_and_are_timed(void **state)
{
    NEED_GPU();
    enum { N = 1000003 };
    rg_addr x, y;
    float *h = malloc(N * sizeof *h);
    OK(dev.alloc(dev.self, N * 4, "x", &x, e_));
    OK(dev.alloc(dev.self, N * 4, "y", &y, e_));
    for (int i = 0; i < N; i++) h[i] = (float)i;
    OK(dev.to_device(dev.self, x, h, N * 4, e_));
    OK(dev.fill(dev.self, y, N, 4, 0x3f800000, e_));
    int n = N;
    const void *args[] = {&n, &x, &y};
    const size_t bytes[] = {4, 8, 8};
    OK(dev.flush(dev.self, e_));
    OK(dev.hold(dev.self, e_));
    OK(dev.mark(dev.self, 0, e_));
    assert_int_equal(launch(ADD, (N + 255) / 256, 256, 0, 3, args, bytes).outcome, RG_OUTCOME_OK);
    OK(dev.mark(dev.self, 1, e_));
    OK(dev.release_hold(dev.self, e_));
    struct rg_fault f = {0};
    double us;
    OK(dev.elapsed(dev.self, 0, 1, &us, &f, e_));
    print_message("add of %d floats, cold: %.2f us\n", N, us);
    assert_true(us > 0.5 && us < 1000);
    OK(dev.from_device(dev.self, h, y, N * 4, e_));
    for (int i = 0; i < N; i++) assert_true(h[i] == (float)i + 1.0f);
    OK(dev.guards(dev.self, &f, e_));
    assert_int_equal(f.outcome, RG_OUTCOME_OK);
    uint64_t h1, h2, h3;
    OK(dev.hash(dev.self, y, N * 4, &h1, e_));
    OK(dev.hash(dev.self, y, N * 4, &h2, e_));
    OK(dev.fill(dev.self, y + 4 * (N - 1), 1, 1, 7, e_));
    OK(dev.hash(dev.self, y, N * 4, &h3, e_));
    assert_true(h1 == h2 && h1 != h3);
    dev.release(dev.self, x);
    dev.release(dev.self, y);
    free(h);
}

/* Counted behind a held stream, as around samples. */
/* A veiled reference: what is within the bounds counts as right, nothing else does; and no value of it stands there. */
static void outputs_are_compared_on_the_device(void **state)
{
    NEED_GPU();
    enum { M = 100003 };
    for (int wide = 0; wide < 2; wide++) {
        float *got = malloc(M * sizeof *got), *veiled = malloc(M * sizeof *veiled);
        double *ref = malloc(M * sizeof *ref);
        int bytes = wide ? 8 : 4;
        rg_addr a, b;
        for (int i = 0; i < M; i++) {
            got[i] = (float)(i % 977 - 488);
            ref[i] = got[i] * (1 + (i % 2 ? 1e-4 : -1e-4));
            if (!wide) ((float *)ref)[i] = got[i] * (1 + (i % 2 ? 1e-4f : -1e-4f));
        }
        OK(dev.alloc(dev.self, M * sizeof *got, "got", &a, e_));
        OK(dev.alloc(dev.self, (size_t)M * (size_t)bytes, "ref", &b, e_));
        OK(dev.to_device(dev.self, a, got, M * sizeof *got, e_));
        OK(dev.to_device(dev.self, b, ref, (size_t)M * (size_t)bytes, e_));
        OK(dev.veil(dev.self, b, bytes, M, 12345, e_));
        OK(dev.from_device(dev.self, veiled, b, M * sizeof *veiled, e_));
        int same = 0;
        for (int i = 0; i < M; i++) same += veiled[i] == ((float *)ref)[i];
        assert_true(same < 10);
        struct rg_device_compare q = {.got = a,
                                      .veiled = b,
                                      .got_bytes = 4,
                                      .ref_bytes = bytes,
                                      .key = 12345,
                                      .n = M,
                                      .bounds = {.slack = 1e-6, .rtol = 2e-4, .base = 0, .fixed = INFINITY}};
        int64_t odd = -1;
        OK(dev.compare(dev.self, &q, &odd, e_));
        assert_int_equal(odd, 0);
        q.bounds.rtol = 0.5e-4;
        OK(dev.compare(dev.self, &q, &odd, e_));
        int zeros = 0;
        for (int i = 0; i < M; i++) zeros += got[i] == 0;
        assert_int_equal(odd, M - zeros);
        q.bounds.rtol = 2e-4;
        q.bounds.fixed = 1e-3; /* as asked besides: 10 and more are off by more */
        OK(dev.compare(dev.self, &q, &odd, e_));
        assert_true(odd > 0 && odd < M);
        q.bounds.fixed = INFINITY;
        got[M - 1] = NAN;
        got[77] = INFINITY;
        OK(dev.to_device(dev.self, a, got, M * sizeof *got, e_));
        OK(dev.compare(dev.self, &q, &odd, e_));
        assert_int_equal(odd, 2);
        dev.release(dev.self, a);
        dev.release(dev.self, b);
        free(got);
        free(veiled);
        free(ref);
    }
}

static void clocks_are_counted(void **state)
{
    if (!have) skip();
    struct rg_error e = RG_ERROR_INIT;
    struct rg_clocks c;
    double hz[RG_CLOCK_SLOTS];
    for (int i = 0; i < 5; i++) {
        struct rg_fault f = {0};
        assert_int_equal(dev.hold(dev.self, &e), RG_OK);
        for (int k = 0; k < RG_CLOCK_SLOTS; k++)
            if (dev.clock_queue(dev.self, k, &e) != RG_OK) fail_msg("%s", e.text);
        dev.release_hold(dev.self, NULL);
        assert_int_equal(dev.sync(dev.self, &f, &e), RG_OK);
        if (dev.clock_read(dev.self, hz, RG_CLOCK_SLOTS, &e) != RG_OK) fail_msg("%s", e.text);
    }
    bool told = dev.clocks && dev.clocks(dev.self, &c);
    print_message("counted %.1f and %.1f MHz of %.0f", hz[0] * 1e-6, hz[1] * 1e-6, dev.facts.clock_hz * 1e-6);
    if (told)
        print_message("; NVML: %.0f of %.0f MHz, memory %.0f of %.0f, limits %llx", c.sm_hz * 1e-6, c.sm_max_hz * 1e-6,
                      c.memory_hz * 1e-6, c.memory_max_hz * 1e-6, (unsigned long long)c.limits);
    print_message(told ? "\n" : "; no NVML\n");
    for (int k = 0; k < RG_CLOCK_SLOTS; k++)
        assert_true(hz[k] > 0.2 * dev.facts.clock_hz && hz[k] < 1.03 * dev.facts.clock_hz);
    assert_true(hz[0] > 0.97 * hz[1] && hz[0] < 1.03 * hz[1]);
}

/* Measured once, then found again to the digit; by what the device can do. */
static void peaks_are_kept(void **state)
{
    if (!have) skip();
    char dir[] = "/tmp/regraph-test-peaks-XXXXXX", command[100];
    assert_non_null(mkdtemp(dir));
    struct rg_device_facts first;
    dev.facts = sheet;
    assert_string_equal(rg_device_cuda_peaks(&dev, dir), "measured");
    first = dev.facts;
    print_message("copies %.3f of %.3f TB/s, fp32 %.1f of %.1f, fp64 %.2f of %.2f TFLOP/s\n",
                  first.copy_bytes_s * 1e-12, sheet.dram_bytes_s * 1e-12, first.fp32_flop_s * 1e-12,
                  sheet.fp32_flop_s * 1e-12, first.fp64_flop_s * 1e-12, sheet.fp64_flop_s * 1e-12);
    assert_true(first.fp32_flop_s > 0.6 * sheet.fp32_flop_s && first.fp32_flop_s < 1.02 * sheet.fp32_flop_s);
    assert_true(first.fp64_flop_s > 0.6 * sheet.fp64_flop_s && first.fp64_flop_s < 1.02 * sheet.fp64_flop_s);
    dev.facts = sheet;
    assert_string_equal(rg_device_cuda_peaks(&dev, dir), "measured before");
    assert_true(dev.facts.copy_bytes_s == first.copy_bytes_s && dev.facts.fp32_flop_s == first.fp32_flop_s &&
                dev.facts.fp64_flop_s == first.fp64_flop_s);
    char text[400];
    rg_device_cuda_counters(&dev, false, text, sizeof text);
    assert_non_null(strstr(text, "missing: "));
    snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

static void guard_zones_catch_writes_behind_the_end(void **state)
{
    NEED_GPU();
    rg_addr y;
    OK(dev.alloc(dev.self, 100 * 4, "y", &y, e_));
    int n = 103;
    const void *args[] = {&n, &y};
    const size_t bytes[] = {4, 8};
    struct rg_fault f = launch(BEYOND, 1, 1, 0, 2, args, bytes);
    OK(dev.sync(dev.self, &f, e_));
    OK(dev.guards(dev.self, &f, e_));
    assert_int_equal(f.outcome, RG_OUTCOME_BOUNDS);
    assert_non_null(strstr(f.message, "'y'"));
    assert_non_null(strstr(f.message, "12 bytes behind"));
    f = (struct rg_fault){0};
    OK(dev.guards(dev.self, &f, e_)); /* repaired */
    assert_int_equal(f.outcome, RG_OUTCOME_OK);
    dev.release(dev.self, y);
}

static void large_dynamic_shared_memory(void **state)
{
    NEED_GPU();
    rg_addr y;
    OK(dev.alloc(dev.self, 1024 * 4, "y", &y, e_));
    OK(dev.fill(dev.self, y, 1024, 4, 0x3f800000, e_));
    const void *args[] = {&y};
    const size_t bytes[] = {8};
    assert_int_equal(launch(BIG, 1, 1024, dev.facts.shared_per_block_optin, 1, args, bytes).outcome, RG_OUTCOME_OK);
    float first;
    OK(dev.from_device(dev.self, &first, y, 4, e_));
    assert_true(first == 2.0f);
    assert_int_equal(launch(BIG, 1, 1024, dev.facts.shared_per_block_optin + 4096, 1, args, bytes).outcome,
                     RG_OUTCOME_UNSUPPORTED);
    assert_true(launch(BIG, 1, 2048, 0, 1, args, bytes).outcome != RG_OUTCOME_OK);
    dev.release(dev.self, y);
}

static void graphs_replay(void **state)
{
    NEED_GPU();
    if (!dev.capture_begin) skip();
    enum { N = 1000 };
    rg_addr x, y;
    OK(dev.alloc(dev.self, N * 4, "x", &x, e_));
    OK(dev.alloc(dev.self, N * 4, "y", &y, e_));
    OK(dev.fill(dev.self, x, N, 4, 0x3f800000, e_));
    OK(dev.fill(dev.self, y, N, 4, 0, e_));
    int n = N;
    const void *args[] = {&n, &x, &y};
    const size_t bytes[] = {4, 8, 8};
    OK(dev.capture_begin(dev.self, e_));
    for (int i = 0; i < 10; i++) launch(ADD, 4, 256, 0, 3, args, bytes);
    void *graph;
    OK(dev.capture_end(dev.self, &graph, e_));
    for (int i = 0; i < 3; i++) OK(dev.graph_launch(dev.self, graph, e_));
    float h[N];
    OK(dev.from_device(dev.self, h, y, sizeof h, e_));
    assert_true(h[0] == 30.0f && h[N - 1] == 30.0f);
    dev.graph_free(dev.self, graph);
    dev.release(dev.self, x);
    dev.release(dev.self, y);
}

/* A sticky error poisons the process, so it happens in a child of its own that opens the device itself. */
static int wild_child(void)
{
    struct rg_device d;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_device_open_cuda(0, &d, &e) != RG_OK) return 2;
    const char *lowered[N_KERNELS];
    struct rg_kernel_attributes attributes[N_KERNELS] = {0};
    for (int i = 0; i < N_KERNELS; i++) lowered[i] = compiled.kernels[i].lowered;
    struct rg_blob b = {.cubin = compiled.cubin,
                        .cubin_len = compiled.cubin_len,
                        .n_kernels = N_KERNELS,
                        .lowered = lowered,
                        .attributes = attributes};
    struct rg_module *m;
    struct rg_fault f = {0};
    rg_addr y = 0;
    if (d.load(d.self, &b, &m, &f, &e) != RG_OK) return 3;
    const void *args[] = {&y};
    const size_t bytes[] = {8};
    struct rg_launch l = {.module = m,
                          .kernel = WILD,
                          .grid = {1, 1, 1},
                          .block = {1, 1, 1},
                          .n_args = 1,
                          .args = args,
                          .arg_bytes = bytes};
    if (d.launch(d.self, &l, &f, &e) != RG_OK || d.sync(d.self, &f, &e) != RG_OK) return 4;
    return f.outcome == RG_OUTCOME_BOUNDS ? 0 : 5;
}

static void sticky_errors_are_faults(void **state)
{
    NEED_GPU();
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = 0;
    pid_t pid = fork();
    if (pid == 0) {
        execl(self, self, "wild", (char *)NULL);
        _exit(9);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    /* and this process still works */
    rg_addr y;
    OK(dev.alloc(dev.self, 16, "y", &y, e_));
    dev.release(dev.self, y);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        struct rg_error e = RG_ERROR_INIT;
        if (rg_device_open_cuda(0, &dev, &e) != RG_OK || rg__compiler_open(&compiler, &e) != RG_OK ||
            rg__compile(&compiler, &arena, source, dev.facts.arch, 0, names, N_KERNELS, &compiled, &e) != RG_OK)
            return 8;
        return wild_child();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_plausible),
        cmocka_unit_test(kernels_run_and_are_timed),
        cmocka_unit_test(outputs_are_compared_on_the_device),
        cmocka_unit_test(clocks_are_counted),
        cmocka_unit_test(peaks_are_kept),
        cmocka_unit_test(guard_zones_catch_writes_behind_the_end),
        cmocka_unit_test(large_dynamic_shared_memory),
        cmocka_unit_test(graphs_replay),
        cmocka_unit_test(sticky_errors_are_faults),
    };
    return cmocka_run_group_tests_name("driver", tests, setup, teardown);
}
