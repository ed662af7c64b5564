/* The oracle's text: what changes and what stays, when there is none, and that it computes what it is for: with gcc,
 * the wider evaluation is closer to the exact result than the sequential one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "frontend/emit/oracle.h"
#include <dlfcn.h>
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *rewrite(const char *text, enum rg__oracle_mode mode, const char *const *roots, char **why)
{
    struct rg__source s;
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_buf out = RG_BUF_INIT;
    const char *reason = NULL;
    rg__source_init(&s, rg_xstrdup(text), strlen(text));
    assert_int_equal(rg__oracle_text(&s, mode, roots, &out, &reason, &a), RG_OK);
    if (reason) assert_int_equal(out.len, 0);
    *why = rg_xstrdup(reason);
    rg__source_release(&s);
    rg_arena_release(&a);
    return rg_buf_steal(&out);
}

/* ---- what changes ---- */

struct change {
    const char *from, *f64, *wide; /* NULL: as it was */
};

static void check_changes(const struct change *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int wide = 0; wide < 2; wide++) {
            char *why, *got = rewrite(c[i].from, wide ? RG__ORACLE_LONG_DOUBLE : RG__ORACLE_F64, NULL, &why);
            const char *want = wide ? c[i].wide : c[i].f64;
            if (why) fail_msg("%s: no oracle: %s", c[i].from, why);
            assert_string_equal(got, want ? want : c[i].from);
            free(got);
        }
}

static void test_types(void **state)
{
    static const struct change t[] = {
        {"float a; double b;", "double a; double b;", "double a; long double b;"},
        {"long double c; double long d; long const double e;", NULL, NULL},
        {"struct p { float x[3]; int id; double m; };", "struct p { double x[3]; int id; double m; };",
         "struct p { double x[3]; int id; long double m; };"},
        {"typedef float real; real f(real x);", "typedef double real; real f(real x);",
         "typedef double real; real f(real x);"},
        {"_Float16 h; float _Complex z;", "double h; double _Complex z;", "double h; double _Complex z;"},
        {"int floaty, my_double; char *s = \"float 1.0f\"; // float\n/* float */", NULL, NULL},
        {"#pragma omp simd reduction(float)\nint x;", NULL, NULL},
        {"x = (float)y * sizeof(float);", "x = (double)y * sizeof(double);", "x = (double)y * sizeof(double);"},
    };
    check_changes(t, sizeof t / sizeof *t);
}

static void test_literals(void **state)
{
    static const struct change t[] = {
        {"a = 1.0f + 2.F + .5f;", "a = 1.0 + 2. + .5;", "a = 1.0 + 2. + .5;"},
        {"a = 0.1f;", "a = 0.10000000149011612;", "a = 0.10000000149011612;"},
        {"a = 0.1;", NULL, "a = 0.100000000000000005551L;"},
        {"a = 0.5 + 1e3 + 1e300;", NULL, "a = 0.5L + 1e3L + 1.0000000000000000525e+300L;"},
        {"a = 3.40282346638528859811704183484516925e+38F;", "a = 3.40282346638528859811704183484516925e+38;",
         "a = 3.40282346638528859811704183484516925e+38;"},
        {"a = 0x1.8p3f + 0x1.8p3;", "a = 0x1.8p3 + 0x1.8p3;", "a = 0x1.8p3 + 0x1.8p3L;"},
        {"a = 0.1L + 1.0l;", NULL, NULL},
        {"a = 0x1F + 10 + 077u + 1ull;", NULL, NULL},
        {"a = 0.1f16;", "a = 0.0999755859375;", "a = 0.0999755859375;"},
        {"a = 1e40f;", "a = 1e40;", "a = 1e40;"}, /* infinite as float: not written by anyone's intent */
    };
    check_changes(t, sizeof t / sizeof *t);
}

static void test_math(void **state)
{
    static const struct change t[] = {
        {"y = sqrtf(x) + fabsf(expf(x));", "y = __builtin_sqrt(x) + __builtin_fabs(__builtin_exp(x));",
         "y = __builtin_sqrt(x) + __builtin_fabs(__builtin_exp(x));"},
        {"y = sqrt(x) + fmaxl(x, 1);", NULL, "y = __builtin_sqrtl(x) + fmaxl(x, 1);"},
        {"y = __builtin_inff() + __builtin_sqrtf (x);", "y = __builtin_inf() + __builtin_sqrt (x);",
         "y = __builtin_inf() + __builtin_sqrt (x);"},
        {"y = modff(x, &i) + erff(x) + j0f(x);", "y = __builtin_modf(x, &i) + __builtin_erf(x) + j0(x);",
         "y = __builtin_modf(x, &i) + __builtin_erf(x) + j0(x);"},
        {"y = lgammaf_r(x, &s);", "y = lgamma_r(x, &s);", "y = lgamma_r(x, &s);"},
        {"extern float sqrtf(float);", "extern double sqrt(double);", "extern double sqrt(double);"},
        {"float (*f)(float) = expf;", "double (*f)(double) = exp;", "double (*f)(double) = exp;"},
        {"s.expf(x); p->expf = 1;", NULL, NULL},
        /* the user's own function or variable of such a name */
        {"static float cbrtf(float x) { return x; } float g(float x) { return cbrtf(x); }",
         "static double cbrtf(double x) { return x; } double g(double x) { return cbrtf(x); }",
         "static double cbrtf(double x) { return x; } double g(double x) { return cbrtf(x); }"},
        {"void g(int n) { int logf = n; logf++; }", NULL, NULL},
        {"int g(float x) { return _Generic(x, float: 1, double: 2, long double: 3); }",
         "int g(double x) { return _Generic(x, float: 1, double: 2, long double: 3); }",
         "int g(double x) { return _Generic(x, float: 1, double: 2, long double: 3); }"},
        {"y = __builtin_tgmath (sqrtf, sqrt, sqrtl, (fabsf(x)));",
         "y = __builtin_tgmath (sqrtf, sqrt, sqrtl, (__builtin_fabs(x)));",
         "y = __builtin_tgmath (sqrtf, sqrt, sqrtl, (__builtin_fabs(x)));"},
    };
    check_changes(t, sizeof t / sizeof *t);
}

/* System headers stay; a system macro used in the user's file is part of the user's code. */
static void test_regions(void **state)
{
    static const struct change t[] = {
        {"# 1 \"/usr/include/math.h\" 1 3 4\nextern float sqrtf(float);\n# 3 \"k.c\" 2\nfloat x = 1.f;\n",
         "# 1 \"/usr/include/math.h\" 1 3 4\nextern float sqrtf(float);\n# 3 \"k.c\" 2\ndouble x = 1.;\n",
         "# 1 \"/usr/include/math.h\" 1 3 4\nextern float sqrtf(float);\n# 3 \"k.c\" 2\ndouble x = 1.;\n"},
        {"float f(float x) { return x; }\n# 1 \"<regraph-shim>\"\nint t = sizeof(double); void c(void **a) { "
         "f(*(double *)a[0]); }",
         "double f(double x) { return x; }\n# 1 \"<regraph-shim>\"\nint t = sizeof(double); void c(void **a) { "
         "f(*(double *)a[0]); }",
         "double f(double x) { return x; }\n# 1 \"<regraph-shim>\"\nint t = sizeof(double); void c(void **a) { "
         "f(*(double *)a[0]); }"},
        {"# 1 \"k.c\"\nfloat f(float x) { return\n# 1 \"k.c\" 3 4\n(__builtin_inff ())\n# 1 \"k.c\"\n; }",
         "# 1 \"k.c\"\ndouble f(double x) { return\n# 1 \"k.c\" 3 4\n(__builtin_inf ())\n# 1 \"k.c\"\n; }",
         "# 1 \"k.c\"\ndouble f(double x) { return\n# 1 \"k.c\" 3 4\n(__builtin_inf ())\n# 1 \"k.c\"\n; }"},
    };
    check_changes(t, sizeof t / sizeof *t);
}

/* ---- when there is none ---- */

static const struct {
    const char *text;
    const char *why; /* part of the sentence; NULL: there is an oracle; '@' before it: one in F64 only */
} doubts[] = {
    /* unions */
    {"union u { float f; unsigned i; }; int k(float x) { union u v; v.f = x; return v.i; }", "a union"},
    {"typedef union { float f; unsigned i; } u; int k(float x) { u v; v.f = x; return v.i; }", "a union"},
    {"int k(float x) { union { unsigned char b[4]; float f; } v; v.f = x; return v.b[0]; }", "a union"},
    {"struct s { int tag; union { int i; float f; }; }; float k(struct s *p) { return p->f; }", "a union"},
    {"union v { struct { float x, y, z; }; float e[3]; }; float k(union v *p) { return p->e[0] + p->y; }", NULL},
    {"union u { int i; long l; }; int k(union u *p, float *x) { x[0] = 1; return p->i; }", NULL},
    {"union u { float f; int i; }; float k(float x) { return x; }", NULL},
    {"union u { double d; long l; }; long k(double x) { union u v; v.d = x; return v.l; }", "@a union"},
    /* pointer casts */
    {"int k(float f) { return *(int *)&f; }", "a pointer cast"},
    {"int k(const float *x, int n) { const unsigned *u = (const unsigned *)x; return u[n]; }", "a pointer cast"},
    {"float k(int i) { i = 0x5f3759df - (i >> 1); return *(float *)&i; }", "a pointer cast"},
    {"typedef unsigned int u32; u32 k(float f) { return *(u32 *)(void *)&f; }", "a pointer cast"},
    {"int k(float *x) { int *p = (void *)x; return *p; }", "another type's"},
    {"char k(float *x, int n) { return ((char *)x)[4 * n]; }", "a pointer cast"},
    {"double k(float *x) { return *(double *)x; }", "a pointer cast"},
    {"float k(unsigned char *b) { return *(float *)(b + 4); }", "a pointer cast"},
    {"float k(const void *a) { return *(const float *)a; }", NULL},
    {"struct v { float x, y; }; float k(float *p) { return ((struct v *)p)->y; }", NULL},
    {"int k(float x) { return (int)x; }", NULL},
    {"void g(void *); void k(float *x) { g((void *)x); }", NULL},
    {"struct s { int n; float v; }; float k(void *p) { struct s *q = (struct s *)p; return q->v; }", NULL},
    {"long k(double f) { return *(long *)&f; }", "@a pointer cast"},
    /* copies and byte counts */
    {"void *memcpy(void *, const void *, unsigned long); int k(float f) { int i; memcpy(&i, &f, sizeof i); return i; }",
     "copied into another"},
    {"int k(float f) { unsigned i; __builtin_memcpy(&i, &f, 4); return i; }", "copied into another"},
    {"void k(float *y, const float *x, int n) { __builtin_memcpy(y, x, n * sizeof(float)); }", NULL},
    {"void k(float *y, const float *x, int n) { __builtin_memcpy(y, x, n * sizeof *x); }", NULL},
    {"void k(float *y, const float *x, int n) { unsigned long b = n * sizeof(float); __builtin_memcpy(y, x, b); }",
     NULL},
    {"void k(float *y, const float *x, int n) { __builtin_memcpy(y, x, n * 4); }", "no sizeof"},
    {"void k(float *y, const float *x, int n) { __builtin_memcpy(y, x, n * sizeof(int)); }",
     "the size of another type"},
    {"void k(int *y, const int *x, int n) { float s = 0; __builtin_memcpy(y, x, n * sizeof(float)); y[0] = s; }",
     "the size of a floating-point"},
    {"void k(int *y, const int *x, int n) { __builtin_memcpy(y, x, 4 * n); }", NULL},
    {"struct s { float a; int b; }; void k(struct s *y, const struct s *x) { __builtin_memcpy(y, x, sizeof *y); }",
     NULL},
    {"void k(float *y, int n) { __builtin_memset(y, 0, n * sizeof(float)); }", NULL},
    {"void k(float *y, int n) { __builtin_memset(y, 0x7f, n * sizeof(float)); }", "a pattern of bits"},
    {"void k(float *y, int n) { __builtin_memset(y, 0, 4 * n); }", "no sizeof"},
    {"void *malloc(unsigned long); void k(int n) { float *t = (float *)malloc(n * sizeof(float)); t[0] = 0; }", NULL},
    {"void *malloc(unsigned long); void k(int n) { float *t = malloc(sizeof *t * n); t[0] = 0; }", NULL},
    {"void *malloc(unsigned long); void k(int n) { float *t = malloc(n * 4); t[0] = 0; }", "no sizeof"},
    {"void *malloc(unsigned long); void k(int n) { float *t = (float *)malloc(4 * n); t[0] = 0; }", "no sizeof"},
    {"void *malloc(unsigned long); void k(int n) { int *t = (int *)malloc(4 * n); t[0] = 0; }", NULL},
    {"void *malloc(unsigned long); void k(int n) { float **r = malloc(n * sizeof(float *)); r[0] = 0; }", NULL},
    /* others */
    {"typedef float v4 __attribute__((vector_size(16))); v4 k(v4 a) { return a; }", "a vector type"},
    {"void k(float *x) { __m128 v = _mm_load_ps(x); _mm_store_ps(x, v); }", "vector intrinsics"},
    {"float k(float x) { __asm__(\"\" : \"+x\"(x)); return x; }", "inline assembly"},
    {"float k(float x) { return (x + 12582912.0f) - 12582912.0f; }", "adding a power of two"},
    {"float k(unsigned s) { return (s >> 8) * (1.0f / 16777216.0f); }", NULL},
    {"float k(unsigned s) { return (s >> 9) / 8388608.0f; }", NULL},
    {"double k(double x) { return (x + 6755399441055744.0) - 6755399441055744.0; }", "@adding a power of two"},
    {"float dot(int, const float *, const float *); float k(const float *x) { return dot(3, x, x); }",
     "not defined in the file"},
    {"float dot(const float *x); float k(const float *x) { return dot(x); } float dot(const float *x) { return x[0]; }",
     NULL},
    {"# 1 \"/usr/include/cblas.h\" 1 3\nvoid cblas_sscal(int, float, float *, int);\n# 1 \"k.c\" 2\nvoid k(float *x) { "
     "cblas_sscal(3, 2, x, 1); }",
     "not defined in the file"},
    {"# 1 \"/usr/include/math.h\" 1 3\nfloat sqrtf(float);\n# 1 \"k.c\" 2\nvoid k(float *x) { x[0] = sqrtf(x[1]); }",
     NULL},
    {"extern float table[16]; float k(int i) { return table[i]; }", "another file"},
    {"extern float table[16]; float table[16]; float k(int i) { return table[i]; }", NULL},
    {"int scanf(const char *, ...); void k(float *x) { scanf(\"%f\", x); }", "read or written"},
    {"double k(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, double); }",
     "@a variable argument"},
    /* only what is reached */
    {"int bits(float f) { return *(int *)&f; } int main(void) { return bits(1); }", "a pointer cast"},
    {"float k(float x) { return x; } int main(void) { float f = 1; return *(int *)&f; }", NULL},
};

static void test_objections(void **state)
{
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        for (int wide = 0; wide < 2; wide++) {
            char *why, *text = rewrite(doubts[i].text, wide ? RG__ORACLE_LONG_DOUBLE : RG__ORACLE_F64, NULL, &why);
            const char *want = doubts[i].why;
            if (want && want[0] == '@') want = wide ? want + 1 : NULL;
            if (!want && why) fail_msg("%s\n  refused: %s", doubts[i].text, why);
            if (want && (!why || !strstr(why, want)))
                fail_msg("%s\n  expected \"%s\", got %s", doubts[i].text, want, why ? why : text);
            free(why);
            free(text);
        }
}

static void test_place_and_roots(void **state)
{
    static const char text[] =
        "# 1 \"dir/k.c\"\nfloat k(float x)\n{\n    return x;\n}\n\nint other(float x)\n{\n    return *(int *)&x;\n}\n"
        "float third(float x) { return k(x) + other(x); }\n";
    char *why, *out = rewrite(text, RG__ORACLE_F64, NULL, &why);
    assert_non_null(why);
    assert_non_null(strstr(why, "(dir/k.c:8)"));
    free(why);
    free(out);
    out = rewrite(text, RG__ORACLE_F64, (const char *const[]){"k", NULL}, &why);
    assert_null(why);
    assert_non_null(strstr(out, "int other(double x)"));
    free(out);
    out = rewrite(text, RG__ORACLE_F64, (const char *const[]){"third", NULL}, &why);
    assert_non_null(why);
    free(why);
    free(out);
}

/* ---- what it computes ---- */

struct built {
    void *handle[2]; /* the user's, the oracle's */
    char dir[64];
};

static void build(struct built *b, const char *code, enum rg__oracle_mode mode)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf e = RG_BUF_INIT;
    char path[100], *text[2], *why;
    snprintf(b->dir, sizeof b->dir, "/tmp/rg-oracle-XXXXXX");
    assert_non_null(mkdtemp(b->dir));
    snprintf(path, sizeof path, "%s/k.c", b->dir);
    assert_int_equal(rg_file_write(path, code, strlen(code), &err), RG_OK);
    if (rg__preprocess(path, "", NULL, &e, &err) != RG_OK) fail_msg("%s", err.text);
    text[0] = rg_buf_steal(&e);
    text[1] = rewrite(text[0], mode, NULL, &why);
    if (why) fail_msg("%s", why);
    for (int i = 0; i < 2; i++) {
        char lib[100], command[400];
        snprintf(path, sizeof path, "%s/k%d.i", b->dir, i);
        snprintf(lib, sizeof lib, "%s/k%d.so", b->dir, i);
        assert_int_equal(rg_file_write(path, text[i], strlen(text[i]), &err), RG_OK);
        /* whatever a prototype lost shows as an error */
        snprintf(command, sizeof command,
                 "${CC:-cc} -O1 -ffp-contract=off -fPIC -shared -Werror=incompatible-pointer-types "
                 "-Werror=implicit-function-declaration -Werror=builtin-declaration-mismatch -x c %s -o %s -lm",
                 path, lib);
        if (system(command)) fail_msg("does not build:\n%s", text[i]);
        b->handle[i] = dlopen(lib, RTLD_NOW | RTLD_LOCAL);
        if (!b->handle[i]) fail_msg("%s", dlerror());
        free(text[i]);
    }
}

static void *symbol(const struct built *b, int which, const char *name)
{
    void *p = dlsym(b->handle[which], name);
    assert_non_null(p);
    return p;
}

static void drop(struct built *b)
{
    char command[100];
    for (int i = 0; i < 2; i++) dlclose(b->handle[i]);
    snprintf(command, sizeof command, "rm -rf %s", b->dir);
    assert_int_equal(system(command), 0);
}

enum { COUNT = 200000 };

static double next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 40) / (1 << 24);
}

static void test_sum_and_dot(void **state)
{
    struct built b;
    build(&b,
          "float sum(int n, const float *x)\n{\n    float s = 0.0f;\n    for (int i = 0; i < n; i++) s += x[i];\n    "
          "return s;\n}\n"
          "float dot(int n, const float *x, const float *y)\n{\n    float s = 0.f;\n    for (int i = 0; i < n; i++) s "
          "+= x[i] * y[i];\n    return s;\n}\n",
          RG__ORACLE_F64);
    float *x = malloc(2 * COUNT * sizeof *x);
    double *w = malloc(2 * COUNT * sizeof *w);
    long double exact[2] = {0, 0};
    uint64_t seed = 7;
    for (int i = 0; i < 2 * COUNT; i++) w[i] = x[i] = (float)next(&seed);
    for (int i = 0; i < COUNT; i++) {
        exact[0] += w[i];
        exact[1] += (long double)w[i] * w[COUNT + i];
    }
    double narrow[2], wide[2];
    narrow[0] = (*(float (**)(int, const float *)) & (void *){symbol(&b, 0, "sum")})(COUNT, x);
    narrow[1] =
        (*(float (**)(int, const float *, const float *)) & (void *){symbol(&b, 0, "dot")})(COUNT, x, x + COUNT);
    wide[0] = (*(double (**)(int, const double *)) & (void *){symbol(&b, 1, "sum")})(COUNT, w);
    wide[1] =
        (*(double (**)(int, const double *, const double *)) & (void *){symbol(&b, 1, "dot")})(COUNT, w, w + COUNT);
    for (int i = 0; i < 2; i++) {
        double ne = (double)fabsl(narrow[i] / exact[i] - 1), we = (double)fabsl(wide[i] / exact[i] - 1);
        assert_true(ne > 1e-8);
        assert_true(we < 1e-12);
    }
    free(x);
    free(w);
    drop(&b);
}

/* A double function: long double against the sum with its rounding errors carried along. */
static void test_dot_double(void **state)
{
    struct built b;
    build(&b,
          "double dot(int n, const double *x, const float *w)\n{\n    double s = 0.1;\n    for (int i = 0; i < n; i++) "
          "s += x[i] * w[i];\n    return s;\n}\n",
          RG__ORACLE_LONG_DOUBLE);
    double *x = malloc(COUNT * sizeof *x), *wf = malloc(COUNT * sizeof *wf);
    long double *wx = malloc(COUNT * sizeof *wx), high = 0.1, low = 0;
    float *f = malloc(COUNT * sizeof *f);
    uint64_t seed = 11;
    for (int i = 0; i < COUNT; i++) {
        wx[i] = x[i] = (next(&seed) - 0.5) * 1.1;
        wf[i] = f[i] = (float)next(&seed);
        long double p = wx[i] * wf[i], t = high + p; /* two-sum; p itself is good to 2^-64 */
        long double z = t - high;
        low += (high - (t - z)) + (p - z);
        high = t;
    }
    long double exact = high + low;
    double narrow = (*(double (**)(int, const double *, const float *)) & (void *){symbol(&b, 0, "dot")})(COUNT, x, f);
    long double wide =
        (*(long double (**)(int, const long double *, const double *)) & (void *){symbol(&b, 1, "dot")})(COUNT, wx, wf);
    assert_true(fabsl(narrow - exact) > 0);
    assert_true(fabsl(wide - exact) * 100 < fabsl(narrow - exact));
    free(x);
    free(wx);
    free(wf);
    free(f);
    drop(&b);
}

/* Headers, a struct parameter, a helper, a sentinel, system macros, a scratch array. */
static void test_softmax(void **state)
{
    struct built b;
    build(&b,
          "#include <float.h>\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
          "struct scale { float by; int on; };\n"
          "static inline float scaled(const struct scale *s, float v) { return s->on ? v * s->by : v; }\n"
          "int softmax(int rows, int cols, struct scale s, const float *x, float *y)\n{\n"
          "    float *t = (float *)malloc(cols * sizeof(float));\n"
          "    for (int r = 0; r < rows; r++) {\n"
          "        float m = -FLT_MAX, sum = 0.0f;\n"
          "        memcpy(t, x + r * cols, cols * sizeof *t);\n"
          "        for (int c = 0; c < cols; c++) m = fmaxf(m, scaled(&s, t[c]));\n"
          "        for (int c = 0; c < cols; c++) sum += t[c] = expf(scaled(&s, t[c]) - m);\n"
          "        if (isnan(sum) || sum == INFINITY) return 1;\n"
          "        for (int c = 0; c < cols; c++) y[r * cols + c] = t[c] / sum;\n"
          "    }\n    free(t);\n    return 0;\n}\n",
          RG__ORACLE_F64);
    enum { ROWS = 3, COLS = 5000 };
    struct {
        float by;
        int on;
    } s = {0.7f, 1};
    struct {
        double by;
        int on;
    } ws = {0.7f, 1};
    float *x = malloc(ROWS * COLS * sizeof *x), *y = malloc(ROWS * COLS * sizeof *y);
    double *wx = malloc(ROWS * COLS * sizeof *wx), *wy = malloc(ROWS * COLS * sizeof *wy);
    uint64_t seed = 3;
    for (int i = 0; i < ROWS * COLS; i++) wx[i] = x[i] = (float)(next(&seed) * 20 - 10);
    assert_int_equal((*(int (**)(int, int, __typeof__(s), const float *, float *)) &
                      (void *){symbol(&b, 0, "softmax")})(ROWS, COLS, s, x, y),
                     0);
    assert_int_equal((*(int (**)(int, int, __typeof__(ws), const double *, double *)) &
                      (void *){symbol(&b, 1, "softmax")})(ROWS, COLS, ws, wx, wy),
                     0);
    double narrow_error = 0, wide_error = 0;
    for (int r = 0; r < ROWS; r++) {
        long double sum = 0;
        for (int c = 0; c < COLS; c++) sum += expl((long double)0.7f * wx[r * COLS + c]);
        for (int c = 0; c < COLS; c++) {
            long double exact = expl((long double)0.7f * wx[r * COLS + c]) / sum;
            narrow_error = fmax(narrow_error, (double)fabsl(y[r * COLS + c] / exact - 1));
            wide_error = fmax(wide_error, (double)fabsl(wy[r * COLS + c] / exact - 1));
        }
    }
    assert_true(narrow_error > 1e-7);
    assert_true(wide_error < 1e-13);
    free(x);
    free(y);
    free(wx);
    free(wy);
    drop(&b);
}

/* Every example has an oracle that the compiler takes. */
static void test_examples(void **state)
{
    static const char *const examples[] = {"saxpy",   "dot",     "gemv",   "sgemm", "transpose", "jacobi2d",
                                           "softmax", "rmsnorm", "conv2d", "nbody", "spmv",      "blackscholes"};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char path[80], *code;
        size_t len;
        struct built b;
        snprintf(path, sizeof path, "examples/%s.c", examples[i]);
        if (rg_file_read(path, 0, &code, &len, NULL) != RG_OK) fail_msg("%s: run from the repository's root", path);
        build(&b, code, i % 2 ? RG__ORACLE_F64 : RG__ORACLE_LONG_DOUBLE);
        free(code);
        drop(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),       cmocka_unit_test(test_literals),   cmocka_unit_test(test_math),
        cmocka_unit_test(test_regions),     cmocka_unit_test(test_objections), cmocka_unit_test(test_place_and_roots),
        cmocka_unit_test(test_sum_and_dot), cmocka_unit_test(test_dot_double), cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
