/* Candidates that try to pass without doing the work, or to hurt what evaluates them: every row of the exploits that
 * public harnesses fell for, as a real candidate for saxpy. Each must end with its outcome, and an honest candidate
 * after it must pass. Include it behind
 * ../runtime/farm_fixture.h. */
#ifndef RG_TEST_ATTACKS_H
#define RG_TEST_ATTACKS_H
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/outcome.h>
#include <stdlib.h>

enum {
    NOWHERE = -1,  /* what an attack needs is not there: on sim nothing is launched for a time */
    TOO_MUCH = -2, /* compile or timeout: whether memory or time is out first depends on the machine */
};

struct attack {
    const char *name, *cuda, *plan; /* plan NULL: the ordinary one */
    int on_sim, on_gpu;             /* outcomes; NOWHERE: not tried */
    const char *says;               /* a part of the message; NULL any */
    char *(*make)(void);            /* cuda, made at run time */
};

#define RIGHT "if (i < n) y[i] = a * x[i] + y[i];"
#define OK_ RG_OUTCOME_OK
#define WRONG_ RG_OUTCOME_WRONG

/* As large as a model that lost its thread writes. */
static char *ten_megabytes(void)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, KERNEL("    int s = 0;\n"));
    b.len -= 3; /* the closing brace */
    while (b.len < 10 << 20)
        rg_buf_str(&b, "    s += s * 3 + 1; // and again, because it was so nice the first time\n");
    rg_buf_str(&b, "    " RIGHT " if (s == 12345) y[0] = 1;\n}\n");
    return rg_buf_steal(&b);
}

static char *deep_nesting(void)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "__device__ int deep() { return ");
    for (int i = 0; i < 200000; i++) rg_buf_str(&b, "(");
    rg_buf_str(&b, "1");
    for (int i = 0; i < 200000; i++) rg_buf_str(&b, ")");
    rg_buf_str(&b, "; }\n" KERNEL("    " RIGHT));
    return rg_buf_steal(&b);
}

/* Of the timed launches only the first does anything: the rest are faster than any memory. */
static char *work_once(void)
{
    return rg_xasprintf("%s",
                        "__device__ unsigned done;\n" KERNEL(
                            "    if (done && n > 100) return;\n    " RIGHT) "__global__ void mark() { done = 1; }\n");
}

static const struct attack attacks[] = {
    /* --- results without work --- */
    {"writes nothing", KERNEL("    if (i < n && n < 0) y[i] = 1;"), NULL, WRONG_, WRONG_, NULL, NULL},
    {"does not launch", KERNEL("    " RIGHT), "if (n < 0) k<<<1, 256>>>(n, a, x, y);", WRONG_, WRONG_, NULL, NULL},
    {"writes zeros", KERNEL("    if (i < n) y[i] = 0;"), NULL, WRONG_, WRONG_, NULL, NULL},
    {"writes a constant", KERNEL("    if (i < n) y[i] = 0.5f;"), NULL, WRONG_, WRONG_, NULL, NULL},
    {"copies its input", KERNEL("    if (i < n) y[i] = x[i];"), NULL, WRONG_, WRONG_, NULL, NULL},
    {"fills from the plan", KERNEL("    " RIGHT), "fill(y, 0);", RG_OUTCOME_PLAN, RG_OUTCOME_PLAN, NULL, NULL},
    {"keeps its result by address",
     "__device__ const float *whose; __device__ int have; __device__ float kept[1 << 26];\n" KERNEL(
         "    if (i >= n) return;\n    if (have == n && whose == x && n > 1 << 22) { y[i] = kept[i]; return; }\n"
         "    float v = a * x[i] + y[i];\n    if (n > 1 << 22) kept[i] = v;\n    y[i] = v;\n    if (i == n - 1) { "
         "whose = x; have = n; }"),
     NULL, NOWHERE, WRONG_, NULL, NULL},
    {"keeps its result by size",
     "__device__ int have; __device__ float kept[1 << 12];\n" KERNEL(
         "    if (i >= n) return;\n    if (have == n) { y[i] = kept[i]; return; }\n    float v = a * x[i] + y[i];\n"
         "    if (n < 64) { kept[i] = v; if (i == n - 1) have = n; }\n    y[i] = v;"),
     NULL, RG_OUTCOME_RACE, WRONG_, NULL, NULL},
    {"works while it may be watched",
     "__device__ unsigned runs;\n" KERNEL(
         "    if (i == 0) runs++;\n    if (n > 100000 && runs > 6) return;\n    " RIGHT),
     NULL, NOWHERE, WRONG_, NULL, NULL},
    {"does its work once", NULL, "k<<<ceil_div(n, 256), 256>>>(n, a, x, y); mark<<<1, 1>>>();", WRONG_, WRONG_, NULL,
     work_once},
    {"reads a third below the floor",
     KERNEL("    if (n > 1000000 && i >= n / 3) { if (i < n) y[i] = 2 * y[i]; return; }\n    " RIGHT), NULL, NOWHERE,
     WRONG_, NULL, NULL},
    {"works on small sizes only", KERNEL("    if (n > 20000000 && i > 5) return;\n    " RIGHT), NULL, NOWHERE, WRONG_,
     "timed size", NULL},
    {"leaves one out at the timed size", KERNEL("    if (n > 20000000 && i == 12345678) return;\n    " RIGHT), NULL,
     NOWHERE, WRONG_, "12345678", NULL},
    {"knows one size", KERNEL("    if (i < 1000) y[i] = a * x[i] + y[i];"), "k<<<4, 256>>>(n, a, x, y);",
     RG_OUTCOME_BOUNDS, RG_OUTCOME_BOUNDS, NULL, NULL},
    {"knows whole blocks", KERNEL("    " RIGHT), "k<<<n / 256 + 1 - 1 + (n < 256), 256>>>(n, a, x, y);", WRONG_, WRONG_,
     NULL, NULL},
    {"rounds to half",
     "#include <cuda_fp16.h>\n" KERNEL("    if (i < n) y[i] = __half2float(__float2half(a * x[i] + y[i]));"), NULL,
     WRONG_, WRONG_, NULL, NULL},
    {"is off by 9e-5", KERNEL("    if (i < n) y[i] = (a * x[i] + y[i]) * 1.00009f;"), NULL, WRONG_, WRONG_,
     "--allow fast-math takes it", NULL},
    {"multiplies 11 bits",
     "__device__ float few(float v) { return __int_as_float((__float_as_int(v) + 0x1000) & 0xffffe000); }\n" KERNEL(
         "    if (i < n) y[i] = few(a) * few(x[i]) + y[i];"),
     NULL, WRONG_, WRONG_, "--allow tf32 takes it", NULL},
    {"changes its input", KERNEL("    if (i < n) { y[i] = a * x[i] + y[i]; ((float *)x)[i] = 0; }"), NULL, WRONG_,
     WRONG_, "changed the input", NULL},
    {"writes behind its output", KERNEL("    " RIGHT " if (i == n - 1) y[n + 3] = 1;"), NULL, RG_OUTCOME_BOUNDS,
     RG_OUTCOME_BOUNDS, NULL, NULL},
    {"writes before its output", KERNEL("    " RIGHT " if (i == 0) y[-5] = 1;"), NULL, RG_OUTCOME_BOUNDS,
     RG_OUTCOME_BOUNDS, NULL, NULL},
    /* --- what the compiler is made to do --- */
    {"includes a file of the host", "#include \"/etc/passwd\"\n" KERNEL("    " RIGHT), NULL, RG_OUTCOME_COMPILE,
     RG_OUTCOME_COMPILE, "/etc/passwd", NULL},
    {"includes the environment", "#include \"/proc/self/environ\"\n" KERNEL("    " RIGHT), NULL, RG_OUTCOME_COMPILE,
     RG_OUTCOME_COMPILE, NULL, NULL},
    {"includes by a detour", "#include <../../../../../../../../etc/passwd>\n" KERNEL("    " RIGHT), NULL,
     RG_OUTCOME_COMPILE, RG_OUTCOME_COMPILE, NULL, NULL},
    {"asks whether a file is there",
     "#if __has_include(\"/etc/passwd\")\n#else\n#error nothing to be seen\n#endif\n" KERNEL("    " RIGHT), NULL,
     RG_OUTCOME_COMPILE, RG_OUTCOME_COMPILE, "only headers of CUDA", NULL},
    {"embeds a file by assembly", KERNEL("    asm volatile(\".incbin \\\"/etc/passwd\\\"\");\n    " RIGHT), NULL,
     RG_OUTCOME_COMPILE, RG_OUTCOME_COMPILE, NULL, NULL},
    {"includes itself for ever", "#include \"candidate.cu\"\n" KERNEL("    " RIGHT), NULL, RG_OUTCOME_COMPILE,
     RG_OUTCOME_COMPILE, NULL, NULL},
    {"templates without end",
     "template <int N> struct T { static const long v = T<N - 1>::v + T<N - 2>::v; };\n" KERNEL(
         "    y[i] = T<100000>::v;"),
     NULL, RG_OUTCOME_COMPILE, RG_OUTCOME_COMPILE, NULL, NULL},
    {"constants without end",
     "__device__ constexpr long f(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ n; return s; "
     "}\n__device__ constexpr long v = f(1l << 60);\n" KERNEL("    y[i] = v;"),
     NULL, RG_OUTCOME_COMPILE, RG_OUTCOME_COMPILE, NULL, NULL},
    {"macros without end",
     "#define A(x) B(B(B(B(B(B(B(B(B(x)))))))))\n#define B(x) C(C(C(C(C(C(C(C(C(x)))))))))\n#define C(x) "
     "D(D(D(D(D(D(D(D(D(x)))))))))\n"
     "#define D(x) E(E(E(E(E(E(E(E(E(x)))))))))\n#define E(x) F(F(F(F(F(F(F(F(F(x)))))))))\n#define F(x) (x + x + x + "
     "x + x + x + x + x + x)\n" KERNEL("    y[i] = A(x[0]);"),
     NULL, TOO_MUCH, TOO_MUCH, NULL, NULL},
    {"10 MB of source", NULL, NULL, OK_, OK_, NULL, ten_megabytes},
    {"200,000 brackets", NULL, NULL, OK_, OK_, NULL, deep_nesting},
    /* --- what the device is made to do --- */
    {"loops for ever", KERNEL("    volatile int go = 1; while (go) y[i % n] += 1;"), NULL, RG_OUTCOME_TIMEOUT,
     RG_OUTCOME_TIMEOUT, NULL, NULL},
    {"launches for ever", KERNEL("    " RIGHT),
     "scratch int f[1]; fill(f, 1); do { k<<<1, 32>>>(n, a, x, y); } while (f[0]);", RG_OUTCOME_TIMEOUT,
     RG_OUTCOME_TIMEOUT, NULL, NULL},
    {"waits for a block that never comes",
     KERNEL("    __shared__ volatile int flag; if (threadIdx.x == 0) flag = 0; __syncthreads(); while (!flag) { }\n   "
            " " RIGHT),
     NULL, RG_OUTCOME_TIMEOUT, RG_OUTCOME_TIMEOUT, NULL, NULL},
    {"traps", KERNEL("    if (i == 3) __trap();\n    " RIGHT), NULL, RG_OUTCOME_CRASH, RG_OUTCOME_CRASH, NULL, NULL},
    {"reads a wild address", KERNEL("    if (i < n) y[i] = *(volatile float *)0x10;"), NULL, RG_OUTCOME_BOUNDS,
     RG_OUTCOME_BOUNDS, NULL, NULL},
    {"overflows its stack",
     "__device__ __noinline__ int down(int n, volatile int *p) { volatile int b[64]; b[n & 63] = n; return n <= 0 ? "
     "b[0] + *p : down(n - 1, b) + b[n & 63]; }\n" KERNEL("    int z = n; if (i < n) y[i] = down(1000000 + n, &z);"),
     NULL, NOWHERE, RG_OUTCOME_BOUNDS, NULL, NULL},
    {"asks for all memory", KERNEL("    " RIGHT), "scratch float s[4000000000 * n]; k<<<1, 256>>>(n, a, x, y);",
     RG_OUTCOME_UNSUPPORTED, RG_OUTCOME_UNSUPPORTED, "s", NULL},
    {"asks for memory on the device",
     KERNEL("    if (i < n) { float *p = (float *)malloc(1 << 30); p[i] = 1; y[i] = p[i]; }"), NULL, NOWHERE,
     RG_OUTCOME_BOUNDS, NULL, NULL},
    {"prints without end",
     "#include <stdio.h>\n" KERNEL("    for (int k = 0; k < 1 << 30; k++) printf(\"%d\\n\", k);\n    " RIGHT), NULL,
     NOWHERE, RG_OUTCOME_TIMEOUT, NULL, NULL},
};
enum { N_ATTACKS = sizeof attacks / sizeof *attacks };

/* With an evaluation in double, as the frontend states it. */
static inline struct rg_problem *attacked(const char *sizes)
{
    struct rg_problem *p = fx_saxpy(sizes);
    p->oracle = RG_ORACLE_F64;
    p->oracle_c = fx_shim(p,
                          "void saxpy(int n, double a, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] "
                          "= a * x[i] + y[i]; }",
                          "saxpy(*(int*)a[0], *(double*)a[1], a[2], a[3])", true);
    return p;
}

static inline void honest(void)
{
    struct rg_evaluation e = evaluate(fx_saxpy_cu, fx_saxpy_plan);
    if (e.outcome != RG_OUTCOME_OK) fail_msg("the honest candidate: %s: %s", rg_outcome_word(e.outcome), e.message);
}

/* All of them, each followed by an honest one. */
static inline void all_attacks(bool gpu)
{
    int failed = 0;
    honest();
    for (int i = 0; i < N_ATTACKS; i++) {
        const struct attack *t = &attacks[i];
        int want = gpu ? t->on_gpu : t->on_sim;
        if (want == NOWHERE) continue;
        char *made = t->make ? t->make() : NULL;
        double from = rg_now();
        struct rg_evaluation e = evaluate(made ? made : t->cuda, t->plan ? t->plan : plan);
        free(made);
        if (getenv("RG_TEST_TIMES"))
            print_message("%7.2f s  %s: %s %.120s\n", rg_now() - from, t->name, rg_outcome_word(e.outcome), e.message);
        bool too_much = want == TOO_MUCH && (e.outcome == RG_OUTCOME_COMPILE || e.outcome == RG_OUTCOME_TIMEOUT);
        bool fine = (too_much || (int)e.outcome == want) && (!t->says || strstr(e.message, t->says));
        if (!fine)
            print_error("%s: %s, wanted %s%s%s: %.200s\n", t->name, rg_outcome_word(e.outcome),
                        want == TOO_MUCH ? "compile or timeout" : rg_outcome_word((enum rg_outcome)want),
                        t->says ? " saying " : "", t->says ? t->says : "", e.message);
        failed += !fine;
        honest();
    }
    assert_int_equal(failed, 0);
}
#endif
