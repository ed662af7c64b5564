#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/compile/compiler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rg_compiler compiler;
static bool have;

static int open_it(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    have = rg__compiler_open(&compiler, &e) == RG_OK;
    if (!have) print_message("no NVRTC: %s\n", e.text);
    return 0;
}

static int close_it(void **state)
{
    if (have) rg__compiler_close(&compiler);
    return 0;
}

static struct rg_arena arena;

static struct rg_compiled compile(const char *source, const char *name)
{
    struct rg_compiled c;
    struct rg_error e = RG_ERROR_INIT;
    const char *names[] = {name};
    if (!have) skip();
    if (rg__compile(&compiler, &arena, source, "sm_90", 0, names, 1, &c, &e) != RG_OK) fail_msg("%s", e.text);
    return c;
}

/* Nothing but CUDA's own headers, however the directive is written; needs no NVRTC and no locked process. */
static void includes(void **state)
{
    static const char *const good[] = {
        "#include <math.h>\n",
        "#include \"math.h\"\n",
        " # include<stdint.h> // why\n",
        "#include <cuda/std/atomic>\n",
        "#include <mma.h>\n",
        "// #include \"/etc/passwd\"\n",
        "    // see #include <../x>\n",
        "#ifdef __has_include\n#if __has_include(<cuda_fp16.h>)\n#endif\n#endif\n",
        "#pragma unroll\nint include = 3; /* # */\n",
        "",
    };
    static const char *const bad[] = {
        "#include \"/etc/passwd\"\n",
        "#include </etc/passwd>\n",
        "#include \"notes.txt\"\n",
        "#include <../../etc/passwd>\n",
        "#inc\\\nlude \"/etc/passwd\"",
        "# /* \n */ include \"/etc/passwd\"\n",
        "/* \n// */ #include \"/etc/passwd\"\n",
        "%:include \"/etc/passwd\"\n",
        "#define F \"/etc/passwd\"\n#include F\n",
        "#include_next \"/etc/passwd\"\n",
        "#import \"/etc/passwd\"\n",
        "#embed \"/etc/passwd\"\n",
        "#if __has_include(\"/etc/shadow\")\n",
        "#if __has_include /**/ ( </root/.ssh/id_rsa> )\n",
        "char c = '\"'; // \"/*\"\n#include \"/etc/passwd\"\n",
        "auto s = R\"(\")\"; // \" /*\n#include \"/etc/passwd\"\n",
        "#include \"/etc/passwd",
        "#include",
        "int a; // # /*\n#include \"/etc/passwd\"\n",
        "int a; // __has_include /*\n#include \"/etc/passwd\"\n",
        "#include \"\"\n",
        "#include <a\\b>\n",
        "// a remark that goes on \\\n and ends\n#include \"x.h\"\n",
    };
    char message[400];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!rg__includes_allowed(&compiler, good[i], message, sizeof message)) fail_msg("%s: %s", good[i], message);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (rg__includes_allowed(&compiler, bad[i], message, sizeof message)) fail_msg("allowed: %s", bad[i]);
        assert_non_null(strstr(message, "only headers of CUDA"));
        assert_true(!strncmp(message, "candidate.cu(", 13));
    }
    assert_false(rg__includes_allowed(&compiler, "\n\n#include \"/etc/passwd\"\n", message, sizeof message));
    assert_string_equal(
        message,
        "candidate.cu(3): error: #include of /etc/passwd: only headers of CUDA can be included, by their plain name");
    char *far = malloc(9000);
    static const char *const heads[] = {"# /*", "#include /*", "#if __has_include /*", "#if __has_include( /*"};
    for (int i = 0; i < 4; i++) {
        int n = sprintf(far, "%s", heads[i]);
        memset(far + n, 'x', 5000);
        strcpy(far + n + 5000, i == 0   ? "*/ include \"/etc/passwd\"\n"
                               : i == 2 ? "*/ (\"/etc/passwd\")\n"
                                        : "*/ \"/etc/passwd\"\n");
        assert_false(rg__includes_allowed(&compiler, far, message, sizeof message));
    }
    free(far);
    struct rg_compiled c =
        compile("#include \"/proc/self/environ\"\n__global__ void k() {}\n", "k"); /* the compiler is asked first */
    assert_int_equal(c.outcome, RG_OUTCOME_COMPILE);
    assert_non_null(strstr(c.message, "only headers of CUDA"));
    rg__compiled_release(&c);
}

static void compiles_with_c_headers(void **state)
{
    struct rg_compiled c =
        compile("#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <float.h>\n#include <limits.h>\n"
                "#include <stdbool.h>\n#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n#include "
                "<cuda_runtime.h>\n"
                "__global__ void k(const float *x, float *y, int n)\n{\n    int32_t i = threadIdx.x; size_t u = i; "
                "uint8_t b = 3;\n"
                "    bool ok = i < INT_MAX && x[i] < FLT_MAX;\n    y[u] = x[i] == INFINITY ? NAN : (float)M_PI * b + "
                "ok + fminf(x[i], 2.f);\n"
                "    int64_t big = LLONG_MAX; y[1] += big + (float)DBL_MAX + UINT32_MAX;\n}\n",
                "k");
    assert_string_equal(c.message, "");
    assert_int_equal(c.outcome, RG_OUTCOME_OK);
    assert_string_equal(c.kernels[0].lowered, "_Z1kPKfPfi");
    assert_true(c.kernels[0].attributes.regs > 0 && c.kernels[0].attributes.max_threads == 1024);
    assert_non_null(strstr(c.ptx, ".loc"));
    assert_true(c.cubin_len > 100 && !memcmp(c.cubin, "\177ELF", 4));
    rg__compiled_release(&c);
}

static void compiles_cuda_and_cxx_headers(void **state)
{
    struct rg_compiled c =
        compile("#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <cmath>\n#include "
                "<algorithm>\n#include <cstdint>\n#include <limits>\n"
                "namespace cg = cooperative_groups;\n"
                "__global__ void k(float *x, const __half *h)\n{\n    cg::this_thread_block().sync();\n"
                "    x[0] = std::max(std::sqrt(x[1]), __half2float(h[0])) + std::numeric_limits<float>::max();\n}\n",
                "k");
    assert_string_equal(c.message, "");
    assert_int_equal(c.outcome, RG_OUTCOME_OK);
    rg__compiled_release(&c);
}

static void instantiates_templates(void **state)
{
    struct rg_compiled c =
        compile("template <int T> __global__ void mm(float *x) { __shared__ float s[T]; s[threadIdx.x % T] = x[0]; "
                "__syncthreads(); x[1] = s[0]; }\n",
                "mm<64>");
    assert_int_equal(c.outcome, RG_OUTCOME_OK);
    assert_string_equal(c.kernels[0].lowered, "_Z2mmILi64EEvPf");
    assert_int_equal(c.kernels[0].attributes.shared_bytes, 256);
    rg__compiled_release(&c);
}

static void reports_spills(void **state)
{
    struct rg_compiled c = compile(
        "__global__ void __launch_bounds__(1024, 2) k(float *x)\n{\n    float v[96];\n#pragma unroll\n"
        "    for (int i = 0; i < 96; i++) v[i] = x[i * 32 + threadIdx.x];\n    __syncthreads();\n#pragma unroll\n"
        "    for (int i = 0; i < 96; i++) x[i * 32 + threadIdx.x] = v[95 - i] * v[(i * 7) % 96];\n}\n",
        "k");
    assert_int_equal(c.outcome, RG_OUTCOME_OK);
    assert_true(c.kernels[0].spill_bytes > 0);
    assert_in_range(c.kernels[0].attributes.regs, 20, 32);
    rg__compiled_release(&c);
}

static void errors_show_the_line(void **state)
{
    struct rg_compiled c = compile("__global__ void k(float *x)\n{\n    x[0] = undefined_thing;\n    y = 3;\n}\n", "k");
    assert_int_equal(c.outcome, RG_OUTCOME_COMPILE);
    assert_non_null(strstr(c.message, "candidate.cu(3): error: identifier \"undefined_thing\" is undefined"));
    assert_non_null(strstr(c.message, "x[0] = undefined_thing;"));
    assert_null(strstr(c.message, "candidate.cu(4)")); /* the first error only */
    rg__compiled_release(&c);
}

static void missing_kernels_are_the_plans_fault(void **state)
{
    struct rg_compiled c = compile("__global__ void k(float *x) { x[0] = 1; }\n", "kk");
    assert_int_equal(c.outcome, RG_OUTCOME_PLAN);
    assert_non_null(strstr(c.message, "kk"));
    rg__compiled_release(&c);
}

static void one_hash_for_renamed_code(void **state)
{
    struct rg_compiled a = compile("__global__ void k(const float *x, float *y, int n) { int i = blockIdx.x * 256 + "
                                   "threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n",
                                   "k");
    struct rg_compiled b = compile("// a comment\n\n__global__ void k(const float *in, float *out, int count)\n{\n    "
                                   "int me = blockIdx.x * 256 + threadIdx.x;\n"
                                   "    if (me < count)\n        out[me] = 2 * in[me];\n}\n",
                                   "k");
    struct rg_compiled c = compile("__global__ void k(const float *x, float *y, int n) { int i = blockIdx.x * 256 + "
                                   "threadIdx.x; if (i < n) y[i] = 3 * x[i]; }\n",
                                   "k");
    assert_string_equal(a.hash, b.hash);
    assert_string_not_equal(a.hash, c.hash);
    rg__compiled_release(&a);
    rg__compiled_release(&b);
    rg__compiled_release(&c);
}

static void hash_ignores_numbering_only(void **state)
{
    char a[65], b[65], c[65];
    const char *x = "add.s32 %r1, %r2, %r3; // x\n\t.loc 1 2 3\n@%p1 bra $L__BB0_2;\n";
    const char *y = "add.s32   %r7, %r8, %r9;\n@%p4 bra $L__BB0_9;\n\n";
    const char *z = "add.s32 %r1, %r2, %r2;\n@%p1 bra $L__BB0_2;\n"; /* other data flow */
    rg__ptx_hash(x, strlen(x), a);
    rg__ptx_hash(y, strlen(y), b);
    rg__ptx_hash(z, strlen(z), c);
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(includes),
        cmocka_unit_test(compiles_with_c_headers),
        cmocka_unit_test(compiles_cuda_and_cxx_headers),
        cmocka_unit_test(instantiates_templates),
        cmocka_unit_test(reports_spills),
        cmocka_unit_test(errors_show_the_line),
        cmocka_unit_test(missing_kernels_are_the_plans_fault),
        cmocka_unit_test(one_hash_for_renamed_code),
        cmocka_unit_test(hash_ignores_numbering_only),
    };
    return cmocka_run_group_tests(tests, open_it, close_it);
}
