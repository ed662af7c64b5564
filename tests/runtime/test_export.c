/* test-deadline: 400 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/runtime/plan_fixture.h"
#include <rg/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct export_case {
    const char *name, *params;
    int64_t sizes[4];
    const char *require, *host_decls, *device_decls, *cuda, *plan, *reference;
};

#define SHIM(in, call, out)                                                                                            \
    "\nvoid rg_shim_in(void **a) { " in " }\nvoid rg_shim_call(void **a) { " call                                      \
    " }\nvoid rg_shim_out(void **a) { " out " }\n"                                                                     \
    "int rg_shim_has_init = 0;\n"
#define BODY "struct body { float pos[3]; float mass; };\n"

static const struct export_case cases[] = {
    {"saxpy",
     "n:int a:float x:in:float[n] y:inout:float[n]",
     {1000},
     "n % 4 == 0",
     "",
     "",
     "__global__ void saxpy_k(int n, float a, const float *__restrict__ x, float *__restrict__ y)\n"
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }\n",
     "require(n <= 2000000000); saxpy_k<<<ceil_div(n, 256), 256>>>(n, a, x, y);",
     "int main(void) { return 1; }\nvoid saxpy(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) "
     "y[i] += a * x[i]; }" SHIM("", "saxpy(*(int *)a[0], *(float *)a[1], a[2], a[3]);", "")},
    /* Returns its value; scratch; kernels, macros and helpers that collide with every name there is; a fill; template
       kernels. */
    {"dot",
     "n:int x:in:float[n] y:in:float[n] result:out:float[1]",
     {1000},
     NULL,
     "",
     "",
     "#define n_threads 256\n#define x_y 3\n#define y yy\n"
     "template <int B> __global__ void dot_cuda(const float *x, const float *y, float *part, int m)\n"
     "{ float s = 0; for (int i = blockIdx.x * B + threadIdx.x; i < m; i += gridDim.x * B) s += x[i] * y[i];\n"
     "  atomicAdd(&part[blockIdx.x % 2], s); }\n"
     "__global__ void n(const float *part, float *rg_out) { *rg_out = part[0] + part[1]; }\n",
     "scratch float part[max(2, 1)]; fill(part, 0); dot_cuda<n_threads><<<min(64, ceil_div(n, 256)), 256>>>(x, y, "
     "part, n);\n"
     "n<<<1, 1>>>(part, result);",
     "float dot(int n, const float *x, const float *y) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; "
     "return s; }" SHIM("", "*(float *)a[3] = dot(*(int *)a[0], a[1], a[2]);", "")},
    /* A time loop with swaps, constants of the language, 64-bit extents, long expressions. */
    {"jacobi",
     "n:int m:int steps:int a:inout:double[n,m] b:inout:double[n,m]",
     {40, 30, 3},
     NULL,
     "",
     "",
     "__global__ void step(const double *a, double *b, int n, int m)\n"
     "{ int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;\n"
     "  if (i > 0 && j > 0 && i < n - 1 && j < m - 1) b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + "
     "a[(i - 1) * m + j] + a[(i + 1) * m + j]); }\n",
     "/* both sweeps */ copy(b, a); for (int t = 0; t < steps; t++) { dim3 g(ceil_div(m, 32), ceil_div(n, 8));\n"
     "step<<<g, dim3(32, 8)>>>(a, b, n, m); swap(a, b); }",
     "void jacobi(int n, int m, int steps, double a[n][m], double b[n][m]) {\n"
     "  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = a[i][j];\n"
     "  for (int t = 0; t < steps; t++) { double (*x)[m] = t % 2 ? b : a, (*z)[m] = t % 2 ? a : b;\n"
     "    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) z[i][j] = 0.25 * (x[i][j-1] + x[i][j+1] + "
     "x[i-1][j] + x[i+1][j]); }\n"
     "  if (steps % 2) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { double t = a[i][j]; a[i][j] = "
     "b[i][j]; b[i][j] = t; }\n}" SHIM("", "jacobi(*(int *)a[0], *(int *)a[1], *(int *)a[2], a[3], a[4]);", "")},
    /* Data-dependent loop, file-scope variables (one an array), reads, a symbol, vector types, unsigned fill. */
    {"levels",
     "n:int level:inout:int[n] next:global:in:int[n] scale:global:float w:global:in:float[4] out:out:float[n]",
     {100},
     NULL,
     "",
     "",
     "__constant__ float coef[4];\n__global__ void relax(const int *next, int *level, int *changed, int n)\n"
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && level[next[i] % n] > level[i] + 1) { level[next[i] "
     "% n] = level[i] + 1; *changed = 1; } }\n"
     "__global__ void put(float4 *out, const int4 *level, float s, int n4)\n"
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n4) out[i] = make_float4(level[i].x * s + coef[0], "
     "level[i].y * s + coef[0], level[i].z * s + coef[0], level[i].w * s + coef[0]); }\n",
     "scratch int changed[1]; copy(coef, w, 4); int rounds = 0;\n"
     "do { fill(changed, 0); relax<<<ceil_div(n, 128), 128>>>(next, level, changed, n); rounds++; } while (changed[0] "
     "&& rounds < n);\n"
     "int first = read(level, n - 1); if (level[0] >= 0 || first > 3) { put<<<ceil_div(n/4, 64), 64>>>(out, level, "
     "scale, n / 4); }\n"
     "for (int k = level[1]; k > level[0] + 1000000; k -= 1) fill(out, -INFINITY);",
     "int next[4096]; float scale, w[4];\nvoid levels(int n, int *level, float *out) { int changed; do { changed = 0; "
     "for (int i = 0; i < n; i++)\n"
     "  if (level[next[i] % n] > level[i] + 1) { level[next[i] % n] = level[i] + 1; changed = 1; } } while (changed);\n"
     "  for (int i = 0; i < n; i++) out[i] = level[i] * scale + w[0]; }\n#include <string.h>" SHIM(
         "memcpy(next, a[2], 4 * *(int *)a[0]); scale = *(float *)a[3]; memcpy(w, a[4], 16);",
         "levels(*(int *)a[0], a[1], a[5]);", "")},
    /* Structs by pointer and by value, half arrays, shared memory beyond 48 KiB, cooperative and cluster launches. */
    {"move",
     "n:int origin:body s:inout:body[n] h:inout:_Float16[n] flag:inout:unsigned_char[n]",
     {64},
     NULL,
     BODY,
     BODY,
     BODY "__global__ void shift(body *s, body o, int n)\n{ extern __shared__ float sh[]; int i = blockIdx.x * "
          "blockDim.x + threadIdx.x; sh[threadIdx.x] = 1;\n"
          "  if (i < n) s[i].mass += o.mass * sh[threadIdx.x]; }\n#include <cuda_fp16.h>\n"
          "__global__ void halve(__half *h, int n) { int i = threadIdx.x; if (i < n) h[i] = "
          "__float2half(__half2float(h[i]) * 0.5f); }\n"
          "__global__ void nothing(unsigned char *f, __half v) { }\n",
     "scratch struct body tmp[n]; scratch __half hs[3]; fill(tmp, 0); fill(hs, 0.5); fill(flag, -1);\n"
     "shift<<<ceil_div(n, 64), 64, n*sizeof(struct body) + 60000>>>(s, origin, n);\n"
     "halve<<<1, 64>>>(h, n); [cooperative] nothing<<<min(2, resident_blocks), 32>>>(flag, 1.5); [cluster(2)] "
     "nothing<<<ceil_div(n, 64)*2, 32>>>(flag, 2);",
     BODY "void move(int n, struct body origin, struct body *s, _Float16 *h, unsigned char *flag)\n"
          "{ for (int i = 0; i < n; i++) { s[i].mass += origin.mass; h[i] = h[i] * 0.5f; flag[i] = 255; } }" SHIM(
              "", "move(*(int *)a[0], *(struct body *)a[1], a[2], a[3], a[4]);", "")},
    /* Names that C allows and C++ does not, one that is a macro of the kernels' code; plan names likewise. */
    {"names",
     "new:int class:in:float[new] this:out:float[new] T:int rg_err:in:int[T]",
     {10, 3},
     NULL,
     "",
     "",
     "#define T 32\n#define rg1_x 1\n__global__ void names_cuda_device(const float *a, float *b, int n, const int *e) "
     "{ for (int i = threadIdx.x; i < n; i += T) b[i] = a[i] + e[0]; }\n",
     "int operator = new + T*0; names_cuda_device<<<1, 32>>>(class, this, operator, rg_err);",
     "void names(int new, const float *class, float *this, int T, const int *rg_err) { for (int i = 0; i < new; i++) "
     "this[i] = class[i] + rg_err[0]; }" SHIM("", "names(*(int *)a[0], a[1], a[2], *(int *)a[3], a[4]);", "")},
};

static struct rg_problem *problem_of(const struct export_case *c)
{
    struct rg_problem *p = make_problem(c->name, c->params, c->sizes);
    p->host_decls = c->host_decls;
    p->device_decls = c->device_decls;
    p->reference_c = c->reference;
    if (c->require) {
        p->n_require = 1;
        p->require = rg_arena_alloc(&p->arena, sizeof *p->require);
        p->require_text = rg_arena_alloc(&p->arena, sizeof *p->require_text);
        p->require_text[0] = c->require;
        assert_int_equal(rg_expr_parse_all(&p->arena, c->require, &p->require[0], NULL), RG_OK);
    }
    return p;
}

static char *folder(void)
{
    static char path[64];
    strcpy(path, "/tmp/rg-export-XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

static char *slurp(const char *dir, const char *name)
{
    char path[256], *text;
    size_t len;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(rg_file_read(path, 0, &text, &len, NULL), RG_OK);
    return text;
}

static void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *fmt, ...)
{
    char command[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(command, sizeof command, fmt, ap);
    va_end(ap);
    if (system(command)) fail_msg("%s", command);
}

/* Everything compiles as it is; where KEEP_EXPORTS names a folder the results stay there, to be run on a machine with a
 * GPU. */
static void compiles(void **state)
{
    bool nvcc = !system("command -v nvcc >/dev/null 2>&1 || test -x /usr/local/cuda/bin/nvcc");
    const char *keep = getenv("KEEP_EXPORTS");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *dir = folder();
        struct rg_problem *p = problem_of(&cases[i]);
        struct rg_error err = RG_ERROR_INIT;
        if (rg_export_write(dir, p, cases[i].cuda, cases[i].plan, "chain: parallelize\ntime: 1 us \\", NULL, &err) !=
            RG_OK)
            fail_msg("%s: %d:%d: %s", cases[i].name, err.line, err.column, err.text);
        shell("cd %s && cc -Wall -Wextra -Werror -c check.c && cc -w -c reference.c", dir);
        if (nvcc)
            shell("cd %s && PATH=$PATH:/usr/local/cuda/bin nvcc -arch=sm_90 -Werror all-warnings -c best.cu", dir);
        if (nvcc)
            shell("cd %s && printf '#include <cuda_runtime_api.h>\\n#include \"best.h\"\\n' > h.cpp && "
                  "c++ -fsyntax-only -I/usr/local/cuda/include h.cpp && make -n >/dev/null",
                  dir);
        if (nvcc) /* the names are there, with C linkage, and the user's C is asked for */
            shell("cd %s && nm best.o | grep -q ' T %s_cuda$' && nm best.o | grep -q ' T %s_cuda_device$' && nm best.o "
                  "| grep -q ' T %s_auto$' && "
                  "nm best.o | grep -q ' w %s$'",
                  dir, p->function, p->function, p->function, p->function);
        if (nvcc)
            shell("cd %s && PATH=$PATH:/usr/local/cuda/bin nvcc -arch=sm_90 -Werror all-warnings -D%s_no_auto -c "
                  "best.cu && ! nm best.o | grep -q '_auto$'",
                  dir, p->function);
        if (nvcc)
            shell("cd %s && rm reference.o && PATH=$PATH:/usr/local/cuda/bin make -s CC=cc check NVCCFLAGS=-arch=sm_90 "
                  "CFLAGS=-O1",
                  dir);
        if (keep)
            shell("mkdir -p %s && rm -rf %s/%s && cp -r %s %s/%s", keep, keep, p->function, dir, keep, p->function);
        shell("rm -rf %s", dir);
        drop_problem(p);
    }
    if (!nvcc) skip();
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) n++;
    return n;
}

static void readable(void **state)
{
    char *dir = folder();
    struct rg_problem *p = problem_of(&cases[0]);
    assert_int_equal(rg_export_write(dir, p, cases[0].cuda, cases[0].plan, "t", NULL, NULL), RG_OK);
    char *cu = slurp(dir, "best.cu"), *h = slurp(dir, "best.h");
    assert_non_null(strstr(cu, "saxpy_k<<<rg::dim(rg::ceil_div((int64_t)n, 256)), 256, 0, rg_stream>>>(n, a, x, y);"));
    assert_non_null(strstr(cu, "it is required that n % 4 == 0"));
    assert_non_null(
        strstr(cu, "if (!((int64_t)n <= 2000000000)) return \"the kernels require that n <= 2000000000\";"));
    assert_null(strstr(cu, "2^63")); /* one extent alone */
    assert_non_null(strstr(cu, "x and y overlap"));
    assert_non_null(strstr(h, "void saxpy_cuda(int n, float a, const float *x, float *y);"));
    assert_non_null(
        strstr(h, "cudaError_t saxpy_cuda_device(int n, float a, const float *x, float *y, cudaStream_t stream);"));
    free(cu);
    free(h);
    shell("rm -rf %s", dir);
    drop_problem(p);
    dir = folder();
    p = problem_of(&cases[2]);
    assert_int_equal(rg_export_write(dir, p, cases[2].cuda, cases[2].plan, "t", NULL, NULL), RG_OK);
    cu = slurp(dir, "best.cu");
    assert_non_null(strstr(cu, "if (8.0 * (double)((int64_t)n) * (double)((int64_t)m) > 9e18) return \"a, b would have "
                               "more than 2^63 bytes\";"));
    free(cu);
    shell("rm -rf %s", dir);
    drop_problem(p);
    /* A loop of launches is kept as a graph; what is launched once, or by what is read, is not. */
    const bool replays[] = {false, false, true, false, false, false};
    for (size_t i = 0; i < sizeof cases / sizeof *cases && i < 6; i++) {
        p = problem_of(&cases[i]);
        dir = folder();
        assert_int_equal(rg_export_write(dir, p, cases[i].cuda, cases[i].plan, "t", NULL, NULL), RG_OK);
        cu = slurp(dir, "best.cu");
        if (!strstr(cu, "return rg::replay(rg::bytes_of(n, m, steps, a, b), rg_stream") == replays[i])
            fail_msg("%s", cu);
        free(cu);
        shell("rm -rf %s", dir);
        drop_problem(p);
    }
    /* Extents, sizes and overlaps are each written once, however many functions ask; the rest is in the header beside
     * it. */
    p = problem_of(&cases[2]);
    dir = folder();
    assert_int_equal(rg_export_write(dir, p, cases[2].cuda, cases[2].plan, "t", "sm_80", NULL), RG_OK);
    cu = slurp(dir, "best.cu");
    char *makefile = slurp(dir, "Makefile"), *header = slurp(dir, "regraph_host.h");
    const int functions = count(cu, "const size_t n_a = (size_t)((int64_t)n*(int64_t)m);"),
              plan = count(cu, "rg::copy(b, a, (int64_t)n*(int64_t)m");
    assert_int_equal(plan, 1);
    assert_in_range(functions, 3, 4);
    assert_int_equal(count(cu, "(int64_t)n*(int64_t)m"), functions + plan);
    assert_int_equal(count(cu, "overlap("), 1);
    assert_int_equal(count(cu, "is not positive"), 2);
    assert_int_equal(count(cu, "static inline"), 0);
    free(cu);
    for (int i = 0; i < p->n_params; i++) p->params[i].least_one = !strcmp(p->params[i].name, "n");
    p->params[p->size_params[0]].least_one = true; /* an extent already */
    assert_int_equal(rg_export_write(dir, p, cases[2].cuda, cases[2].plan, "t", "sm_80", NULL), RG_OK);
    cu = slurp(dir, "best.cu");
    assert_int_equal(count(cu, "is not positive"), 2);
    assert_non_null(strstr(makefile, "-arch=sm_80"));
    assert_non_null(strstr(header, "SPDX-License-Identifier: MIT-0"));
    free(header);
    free(makefile);
    free(cu);
    shell("rm -rf %s", dir);
    drop_problem(p);
    /* File-scope variables come last; the result is returned. */
    p = problem_of(&cases[3]);
    dir = folder();
    assert_int_equal(rg_export_write(dir, p, cases[3].cuda, cases[3].plan, "t", NULL, NULL), RG_OK);
    h = slurp(dir, "best.h");
    assert_non_null(
        strstr(h, "void levels_cuda(int n, int *level, float *out, const int *next, float scale, const float *w);"));
    free(h);
    shell("rm -rf %s", dir);
    drop_problem(p);
}

/* best.cu of a C file that says `#define N 1024`: its names for what it calls so, and the verified code to a compiler.
 */
static void macros(void **state)
{
    static const char code[] =
        "#include <cuda_fp16.h>\n"
        "__global__ void __launch_bounds__(256) blur_k(const float *__restrict__ a, float *__restrict__ b, int n)\n{\n"
        "    constexpr int BX = 64;\n    __shared__ float tile[1024];\n"
        "    const int j = blockIdx.x * BX + threadIdx.x, i = blockIdx.y;\n"
        "    #pragma unroll\n    for (int q = 0; q < 1024; q++) tile[q] = 0;\n"
        "    for (int k = 0; k < 64; k++) tile[k] = 1;\n"
        "    if (i >= 1 && i < 1023 && j < min(j + 1, 1024)) b[(long long)i * 1026 + j] = a[i * 1024 + 1024] + "
        "tile[0];\n"
        "    if (j < 4096) b[j] = 1024.0f;\n}\n";
    static struct rg_constant constants[] = {{"N", 1024}, {"PAD", 2},       {"BX", 64},   {"M", 64}, {"L", 4096},
                                             {"K", 4096}, {"small", 30000}, {"E", 30000}, {"T", 256}};
    const struct export_case c = {"blur",
                                  "n:int a:in:float[1024,1024] b:out:float[1024,1026]",
                                  {5},
                                  NULL,
                                  "",
                                  "",
                                  code,
                                  "scratch int flags[1024]; fill(flags, 0); if (1 < 2) { for (int t = 0; t < n; t += "
                                  "3) { blur_k<<<dim3(16, 1024), "
                                  "64>>>(a, b, n); } }",
                                  "int x;"};
    struct rg_problem *p = problem_of(&c);
    p->function_source =
        "void blur(int n, const float a[N][N], float b[N][N + PAD])\n{\n"
        "    /* a[5][5] */ for (int i = 1; i < N - 1; i++) b[i][BX] = a[i][M] + L + K + small + E + T;\n}\n";
    p->constants = constants;
    p->n_constants = sizeof constants / sizeof *constants;
    char *dir = folder();
    struct rg_error err = RG_ERROR_INIT;
    if (rg_export_write(dir, p, c.cuda, c.plan,
                        "blur: void blur(int n, const float a[1024][1024], float b[1024][1026])", NULL, &err) != RG_OK)
        fail_msg("%s", err.text);
    char *cu = slurp(dir, "best.cu"), *h = slurp(dir, "best.h");
    assert_non_null(
        strstr(cu, "#include <cuda_fp16.h>\n#define N 1024 // as in the C\n#define PAD 2 // as in the C\n"));
    assert_non_null(strstr(cu, "if (i >= 1 && i < N - 1 && j < min(j + 1, N)) b[(long long)i * (N + PAD) + j] = "
                               "a[i * N + 1024] + tile[0];"));
    /* What may be something else stays: an unrolled loop, a tunable's value, two macros of one value. */
    assert_non_null(strstr(cu, "for (int q = 0; q < 1024; q++)"));
    assert_non_null(strstr(cu, "for (int k = 0; k < 64; k++)"));
    assert_non_null(strstr(cu, "if (j < 4096) b[j] = 1024.0f;"));
    assert_non_null(strstr(cu, "__shared__ float tile[1024];"));
    static const char *const unused[] = {"#define BX", "#define M", "#define L", "#define small", "#define T"};
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++) assert_null(strstr(cu, unused[i]));
    /* One name for as many elements; extents, prototype; nothing asked of sizes that are constants. */
    assert_non_null(strstr(cu, "const size_t n_b = (size_t)N * (N + PAD);"));
    assert_null(strstr(cu, "1050624"));
    assert_non_null(strstr(cu, "// blur: void blur(int n, const float a[N][N], float b[N][N + PAD])"));
    assert_non_null(strstr(h, "//   b: written, 1024 x 1026 elements (N x (N + PAD))"));
    assert_null(strstr(cu, "rg_check("));
    assert_null(strstr(cu, "if (1)"));
    assert_non_null(strstr(cu, "t += 3) {\n"));
    /* Read back, it is text that compiles by itself: the names are defined in it. */
    struct rg_source source;
    assert_int_equal(rg_export_read(cu, strlen(cu), "best.cu", &source, NULL, NULL), RG_OK);
    assert_non_null(strstr(source.cuda, "#define N 1024"));
    char *undo = rg_xasprintf("%s/kernel.c", dir), *want = rg_xasprintf("%s/verified.c", dir);
    assert_int_equal(rg_file_write(undo, source.cuda, strlen(source.cuda), NULL), RG_OK);
    assert_int_equal(rg_file_write(want, c.cuda, strlen(c.cuda), NULL), RG_OK);
    /* The same to a compiler, but for parentheses and what the compiler itself adds up. */
    shell("cd %s && mkdir inc && : > inc/cuda_fp16.h && cc -E -P -Iinc kernel.c | sed 's/1024 - 1/1023/; s/(1024 + "
          "2)/1026/' >k && cc -E -P -Iinc verified.c >v && diff k v",
          dir);
    free(undo);
    free(want);
    free((char *)source.cuda);
    free((char *)source.plan);
    /* A name that the kernels have for something of their own is theirs. */
    p->constants[0].name = "tile";
    free(cu);
    assert_int_equal(rg_export_write(dir, p, c.cuda, c.plan, "t", NULL, NULL), RG_OK);
    cu = slurp(dir, "best.cu");
    assert_null(strstr(cu, "#define tile"));
    assert_non_null(strstr(cu, "i < 1023"));
    free(cu);
    free(h);
    shell("rm -rf %s", dir);
    drop_problem(p);
}

/* What a program calls and links: NAME_auto of best.cu; of a file that alone can name what it uses, auto.c in it. */
static void use(void **state)
{
    struct rg_problem *p = problem_of(&cases[0]);
    struct rg_buf b = RG_BUF_INIT;
    rg_export_use(&b, p, "out");
    assert_string_equal(b.data, "call saxpy_auto() for saxpy(); link out/best.cu");
    rg_buf_reset(&b);
    p->in_file = true;
    p->file = "src/saxpy.c";
    rg_export_use(&b, p, "out");
    assert_string_equal(
        b.data,
        "put #include \"out/auto.c\" at the end of src/saxpy.c, link out/best.cu, call saxpy_auto() for saxpy()");
    rg_buf_reset(&b);
    p->in_file = false;
    p->params[2].indirect = true; /* and no arguments that say how to get at them */
    rg_export_use(&b, p, "out");
    assert_non_null(strstr(b.data, "call saxpy_cuda() of out/best.cu (there is no saxpy_auto(): "));
    rg_buf_release(&b);
    drop_problem(p);
}

/* check.c passes a right saxpy_cuda and fails a wrong one; here both are C. */
static void check_compares(void **state)
{
    static const char *const expressions[] = {"y[i] + a * x[i]", "y[i] + a * x[i] * 1.01f",
                                              "i == n - 1 ? y[i] : y[i] + a * x[i]", "0.0f / 0.0f"};
    char *dir = folder();
    struct rg_problem *p = problem_of(&cases[0]);
    assert_int_equal(rg_export_write(dir, p, cases[0].cuda, cases[0].plan, "t", NULL, NULL), RG_OK);
    for (int i = 0; i < 4; i++) {
        shell("cd %s && printf '#include \"best.h\"\nvoid saxpy_cuda(int n, float a, const float *x, float *y)"
              "{ for (int i = 0; i < n; i++) y[i] = %s; }\n' > fake.c && cc -O1 -w -Dmain=reference_main -c "
              "reference.c && "
              "cc -O1 -Wall -o check check.c fake.c reference.o -lm && if ./check --timed > log; then test %d = 0; "
              "else test %d != 0; fi",
              dir, expressions[i], i, i);
    }
    shell("rm -rf %s", dir);
    drop_problem(p);
}

/* NAME_auto has the user's own signature; file-scope variables and members of structures it finds by itself. */
static void signatures(void **state)
{
    static const struct {
        int i;
        const char *h, *said; /* of best.cu: which parameters it has */
    } want[] = {{0, "void saxpy_auto(int n, float a, const float *x, float *y);",
                 "// saxpy_cuda() is saxpy() on the GPU: the same parameters, host pointers."},
                {1, "float dot_auto(int rg1_v_n, const float *x, const float *rg1_v_y);",
                 "// dot_cuda() is dot() on the GPU: the same parameters, host pointers."},
                {3, "void levels_auto(int n, int *level, float *out);", /* it takes file-scope variables, too */
                 "// levels_cuda() is levels() on the GPU: the parameters that best.h lists, host pointers."}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char *dir = folder();
        struct rg_problem *p = problem_of(&cases[want[i].i]);
        assert_int_equal(rg_export_write(dir, p, cases[want[i].i].cuda, cases[want[i].i].plan, "t", NULL, NULL), RG_OK);
        char *h = slurp(dir, "best.h"), *cu = slurp(dir, "best.cu");
        if (!strstr(h, want[i].h)) fail_msg("%s", h);
        if (!strstr(cu, want[i].said)) fail_msg("%.600s", cu);
        bool same = strstr(want[i].said, "the same parameters") != NULL; /* best.h says which in the same way */
        if (!strstr(h,
                    same ? "() on the GPU, with the same parameters." : "() on the GPU, with parameters of its own: "))
            fail_msg("%.600s", h);
        free(h);
        free(cu);
        shell("rm -rf %s", dir);
        drop_problem(p);
    }
    /* a member of a structure is no argument, and is read out of it */
    char *dir = folder();
    struct rg_problem *p = problem_of(&cases[4]);
    p->params[0].origin = RG_ORIGIN_GLOBAL; /* n, as if it were origin.mass */
    p->params[0].c_name = "origin.mass";
    assert_int_equal(rg_export_write(dir, p, cases[4].cuda, cases[4].plan, "t", NULL, NULL), RG_OK);
    char *h = slurp(dir, "best.h"), *cu = slurp(dir, "best.cu");
    assert_non_null(strstr(h, "move_auto(struct body origin, struct body *s,"));
    assert_non_null(strstr(h, "() on the GPU, with parameters of its own: "));
    assert_null(strstr(cu, "the same parameters"));
    assert_non_null(strstr(cu, "memcpy(&n, (const unsigned char *)&origin + 12, sizeof n);"));
    free(h);
    free(cu);
    /* a half by value: C and C++ do not agree on it */
    p->params[0].origin = RG_ORIGIN_ARG;
    p->params[1].elem = RG_F16;
    assert_int_equal(
        rg_export_write(dir, p, "__global__ void k(unsigned char *f) {}", "k<<<1, 1>>>(flag);", "t", NULL, NULL),
        RG_OK);
    h = slurp(dir, "best.h");
    assert_non_null(strstr(h, "There is no move_auto(): "));
    assert_null(strstr(h, "void move_auto("));
    free(h);
    shell("rm -rf %s", dir);
    drop_problem(p);
}

/* What is exported reads back as it was verified, whatever macros stand around it; an edited file too. */
static void reads_back(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *dir = folder();
        struct rg_problem *p = problem_of(&cases[i]);
        struct rg_error err = RG_ERROR_INIT;
        struct rg_source src;
        char *plan = rg_xasprintf("%s\n", cases[i].plan);
        assert_int_equal(rg_export_write(dir, p, cases[i].cuda, plan, "t", NULL, NULL), RG_OK);
        char *cu = slurp(dir, "best.cu");
        if (rg_export_read(cu, strlen(cu), "best.cu", &src, NULL, &err) != RG_OK) fail_msg("%s", err.text);
        assert_string_equal(src.cuda, cases[i].cuda);
        assert_string_equal(src.plan, plan);
        rg_source_release(&src);
        char *mark = strstr(cu, "// ---- host side");
        memcpy(mark, "// ---- hose", 12);
        assert_int_equal(rg_export_read(cu, strlen(cu), "best.cu", &src, NULL, &err), RG_INPUT);
        assert_non_null(strstr(err.text, "no line \"// ---- host side ----\""));
        assert_null(src.cuda);
        free(cu);
        free(plan);
        shell("rm -rf %s", dir);
        drop_problem(p);
    }
}

static void refuses(void **state)
{
    struct rg_problem *p = problem_of(&cases[0]);
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg_export_write("/nonexistent/folder", p, cases[0].cuda, cases[0].plan, "t", NULL, &err), RG_IO);
    rg_error_clear(&err);
    assert_int_equal(rg_export_write("/tmp", p, cases[0].cuda, "saxpy_k<<<1>>>();", "t", NULL, &err), RG_INPUT);
    assert_int_equal(err.line, 1);
    drop_problem(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readable),   cmocka_unit_test(macros),
                                       cmocka_unit_test(use),        cmocka_unit_test(check_compares),
                                       cmocka_unit_test(refuses),    cmocka_unit_test(signatures),
                                       cmocka_unit_test(reads_back), cmocka_unit_test(compiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
