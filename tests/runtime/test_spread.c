/* What the user's C itself cannot hold, no candidate must; what it holds, every one must. Each row is a function of the
 * shape f(n, a[n][n], b[n], y[n]); candidates are the same text compiled otherwise, as another machine rounds it.
 * test-deadline: 300 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "reference_fixture.h"
#include "runtime/data/compare.h"
#include "runtime/reference/ref_call.h"
#include <math.h>

struct row {
    const char *name, *body; /* ADD(s, i, n, e): s += e for i in 0 .. n-1, in the candidate's order */
    const char *input;       /* of a and b; NULL: default */
};

/* How a candidate sums: as the C does, from the end, or two halves side by side. */
static const char *const orders[] = {
    "#define ADD(s, i, n, e) for (int i = 0; i < (n); i++) s += (e)\n",
    "#define ADD(s, i, n, e) for (int i = (n) - 1; i >= 0; i--) s += (e)\n",
    ("#define ADD(s, i, n, e) do { T h_[2] = {0, 0}; for (int i = 0; i < (n); i++) h_[2 * i < (n)] += (e); s += h_[0] "
     "+ "
     "h_[1]; } while (0)\n"),
};
static const char *const contractions[] = {"-ffp-contract=off", "-ffp-contract=fast"};
enum { N_ORDERS = sizeof orders / sizeof *orders };

static char *text_of(const char *type, const char *order, const char *body)
{
    static char text[3000];
    snprintf(text, sizeof text,
             "#include <math.h>\ntypedef %s T;\n%svoid f(int n, const T *a, const T *b, T *y)\n{\n%s\n}\n", type, order,
             body);
    return text;
}

static const char call[] = "f(*(int *)a[0], a[1], a[2], a[3])";

/* Float, with its evaluation in double, or double with nothing wider. */
static struct rg_problem *problem_of(const struct row *r, const char *type, const char *sizes)
{
    struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                {"a", type, "n, n", RG_ROLE_IN, r->input, false},
                                {"b", type, "n", RG_ROLE_IN, r->input, false},
                                {"y", type, "n", RG_ROLE_OUT, NULL, false},
                                {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    bool single = !strcmp(type, "float");
    char *wide = single ? rg_xstrdup(text_of("double", orders[0], r->body)) : NULL;
    struct rg_problem *p = fx_problem("f", params, text_of(type, orders[0], r->body), call, wide, sizes, 2);
    p->accumulates = strstr(r->body, "ADD(") != NULL;
    free(wide);
    return p;
}

static void load(struct rg_problem *p, const char *text, const char *cflags, struct rg_library *out)
{
    struct rg_build b;
    struct rg_error e = RG_ERROR_INIT;
    const char *was = p->cflags;
    p->cflags = cflags;
    if (rg__build(p, text, "/tmp", false, &b, &e) != RG_OK || rg__library_load(p, &b, out, &e) != RG_OK)
        fail_msg("%s", e.text);
    rg__build_discard(&b);
    p->cflags = was;
}

/* Runs the candidate on a case; plant > 0: element `plant` of y is off by so much of their rms. */
static bool passes(struct rg_farm *f, const struct rg_case *c, const struct rg_library *l, double plant, char *text,
                   size_t size)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout layout;
    struct rg_mapping m;
    struct rg_call run;
    struct rg_error e = RG_ERROR_INIT;
    const struct rg_sizes *z = &f->problem->sizes[c->size];
    bool good = true;
    assert_int_equal(rg__layout(&a, f->problem, z, true, &layout, NULL), RG_OK);
    assert_int_equal(rg__shm_map(f->shm.fd, c->at, false, &m, NULL), RG_OK);
    assert_int_equal(rg__call_new(&run, f->problem, l, &layout, true, &e), RG_OK);
    rg__call_load(&run, m.data, RG_POISON);
    if (rg__call_run(&run, "a case", NULL, &e) != RG_OK) fail_msg("%s", e.text);
    for (int i = 0; i < layout.n && good; i++) {
        const struct rg_slot *t = &layout.slots[i];
        struct rg_compare cmp;
        struct rg_difference d;
        if (t->expect < 0) continue;
        double sum2 = 0, off;
        for (int64_t k = 0; k < t->elements && t->reals; k++)
            sum2 += rg__call_real(&run, i, k, 0) * rg__call_real(&run, i, k, 0);
        off = plant * sqrt(sum2 / (double)t->elements);
        if (plant > 0 && f->problem->params[i].elem == RG_F32)
            ((float *)run.a[i])[t->elements / 2] += (float)off;
        else if (plant > 0 && f->problem->params[i].elem == RG_F64)
            ((double *)run.a[i])[t->elements / 2] += off;
        rg__compare_case(&cmp, f->problem, z, &layout, i, m.data, run.a[i]);
        rg__compare(&cmp, &d);
        good = d.equal;
        if (!good) rg__compare_text(&cmp, &d, text, size);
    }
    rg__call_free(&run);
    rg__shm_unmap(&m);
    rg_arena_release(&a);
    return good;
}

static struct rg_farm *filled(struct rg_problem *p, const char *name)
{
    p->allow_trivial = true;
    struct rg_farm *f = farm_of(p);
    struct rg_error e = RG_ERROR_INIT;
    if (rg__farm_cases(f, &e) != RG_OK) fail_msg("%s: %s", name, e.text);
    return f;
}

/* Every candidate at every case. */
static void all_pass(struct rg_farm *f, struct rg_problem *p, const struct row *r, const char *type)
{
    for (int k = 0; k < 2 * N_ORDERS; k++) {
        struct rg_library l;
        char text[500];
        load(p, fx_shim(p, text_of(type, orders[k / 2], r->body), call, false), contractions[k % 2], &l);
        for (int i = 0; i < f->n_cases; i++)
            if (!f->cases[i].timed && !passes(f, &f->cases[i], &l, 0, text, sizeof text))
                fail_msg("%s in %s, sums %d, %s: input set %d: %s", r->name, type, k / 2, contractions[k % 2],
                         f->cases[i].seed, text);
        rg__library_close(&l);
    }
}

static const struct row well[] = {
    {"sum of positive terms", "for (int i = 0; i < n; i++) { T s = 0; ADD(s, j, n, a[i * n + j]); y[i] = s; }",
     "uniform 0.5 1.5"},
    {"product with a positive matrix",
     "for (int i = 0; i < n; i++) { T s = 0; ADD(s, j, n, a[i * n + j] * b[j]); y[i] = s; }", "uniform 0.5 1.5"},
    {"axpy", "for (int i = 0; i < n; i++) y[i] = a[0] * b[i] + a[i];", "uniform 0.5 1.5"},
    {"running sum", "T s = 0; for (int i = 0; i < n; i++) { s += b[i]; y[i] = s; }", "uniform 0.5 1.5"},
    {"three points", "for (int i = 0; i < n; i++) y[i] = b[i] + b[(i + 1) % n] + b[(i + n - 1) % n];",
     "uniform 0.5 1.5"},
    {"norms of rows",
     "for (int i = 0; i < n; i++) { T s = 0; ADD(s, j, n, a[i * n + j] * a[i * n + j]); y[i] = sqrt(s); }", NULL},
    {"forward substitution, dominant diagonal",
     "for (int i = 0; i < n; i++) { T s = b[i]; ADD(s, j, i, -a[i * n + j] * y[j]); y[i] = s / (n + a[i * n + i]); }",
     "uniform 0.5 1.5"},
    {"a sweep of Jacobi",
     "for (int i = 0; i < n; i++) { T s = 0; ADD(s, j, n, j == i ? 0 : a[i * n + j] * b[j]); y[i] = (b[i] + s) / (2 * "
     "n); }",
     "uniform 0.5 1.5"},
    {"polynomial of positive terms",
     "for (int i = 0; i < n; i++) { T s = 0; for (int k = 9; k >= 0; k--) s = s * b[i] + a[k % (n * n)]; y[i] = s; }",
     "uniform 0.5 1.5"},
    {"exponential", "for (int i = 0; i < n; i++) y[i] = exp(-b[i]);", "uniform 0.5 1.5"},
    {"soft maximum", "T s = 0; ADD(s, j, n, exp(b[j])); for (int i = 0; i < n; i++) y[i] = exp(b[i]) / s;",
     "uniform 0.5 1.5"},
    {"mean", "T s = 0; ADD(s, j, n, b[j]); for (int i = 0; i < n; i++) y[i] = b[i] * (s / n);", "uniform 0.5 1.5"},
    {"variance in two passes",
     "T s = 0, v = 0; ADD(s, j, n, b[j]); s /= n; ADD(v, j, n, (b[j] - s) * (b[j] - s)); for (int i = 0; i < n; i++) "
     "y[i] = (v + 1) / (i + 1);",
     NULL},
    {"largest of a row",
     "for (int i = 0; i < n; i++) { T m = a[i * n]; for (int j = 1; j < n; j++) m = m > a[i * n + j] ? m : a[i * n + "
     "j]; y[i] = m; }",
     "uniform 0.5 1.5"},
    {"convolution", "for (int i = 0; i < n; i++) { T s = 0; ADD(s, k, 5, b[(i + k) % n] * a[k % (n * n)]); y[i] = s; }",
     "uniform 0.5 1.5"},
    {"decaying average", "T s = b[0]; for (int i = 0; i < n; i++) { s = (T)0.75 * s + (T)0.25 * b[i]; y[i] = s; }",
     "uniform 0.5 1.5"},
    {"logistic map that settles",
     "for (int i = 0; i < n; i++) { T x = (T)0.3; for (int k = 0; k < 60; k++) x = (T)1.9 * x * (1 - x); y[i] = x * "
     "b[i]; }",
     "uniform 0.5 1.5"},
    {"square roots by Newton",
     "for (int i = 0; i < n; i++) { T x = b[i]; for (int k = 0; k < 8; k++) x = (T)0.5 * (x + b[i] / x); y[i] = x; }",
     "uniform 0.5 1.5"},
    {"iteration until nothing changes",
     "for (int i = 0; i < n; i++) { T x = 1, o = 0; for (int k = 0; x != o && k < 100000; k++) { o = x; x = (T)0.5 * "
     "(x + b[i] / x); if (fabs(x - o) < (T)1e-6 * x) o = x; } y[i] = x; }",
     "uniform 0.5 1.5"},
    {"rounded to a grid", "for (int i = 0; i < n; i++) y[i] = rint(b[i] * 8) + (T)1.3;", "uniform 0.5 1.5"},
};

static const struct row ill[] = {
    {"sum that cancels",
     "for (int i = 0; i < n; i++) { T s = 0; ADD(s, j, n, (j % 2 ? -1 : 1) * (a[i * n + j / 2 * 2] * 30000 + b[j])); "
     "y[i] = s; }",
     "uniform 0.5 1.5"},
    {"variance in one pass",
     "T s = 0, q = 0; ADD(s, j, n, b[j] + 3000); ADD(q, j, n, (b[j] + 3000) * (b[j] + 3000)); for (int i = 0; i < n; "
     "i++) y[i] = (q - s * s / n) * (i + 1);",
     "uniform 0.5 1.5"},
    {"elimination with a tiny pivot",
     "T p = (T)1e-6 * b[0]; for (int i = 0; i < n; i++) { T m = a[i * n] / p, u = b[i] - m * b[0], d = 1 - m * (T)1.0; "
     "T x = u / d; y[i] = (b[0] - x) / p; }",
     "uniform 0.5 1.5"},
    {"elimination of a Hilbert matrix",
     "T h[8][9]; for (int i = 0; i < 8; i++) { for (int j = 0; j < 8; j++) h[i][j] = (T)1 / (i + j + 1); h[i][8] = b[i "
     "% n]; }\n"
     "for (int k = 0; k < 8; k++) for (int i = k + 1; i < 8; i++) { T m = h[i][k] / h[k][k]; for (int j = k; j < 9; "
     "j++) h[i][j] -= m * h[k][j]; }\n"
     "for (int i = 7; i >= 0; i--) { T s = h[i][8]; for (int j = i + 1; j < 8; j++) s -= h[i][j] * h[j][8]; h[i][8] = "
     "s / h[i][i]; }\n"
     "for (int i = 0; i < n; i++) y[i] = h[i % 8][8];",
     "uniform 0.5 1.5"},
    {"logistic map in chaos",
     "for (int i = 0; i < n; i++) { T x = (T)0.3 + b[i] / 10; for (int k = 0; k < 60; k++) x = (T)3.9 * x * (1 - x); "
     "y[i] = x; }",
     "uniform 0.5 1.5"},
    {"near a root of order nine",
     "static const int c[] = {1, -18, 144, -672, 2016, -4032, 5376, -4608, 2304, -512};\n"
     "for (int i = 0; i < n; i++) { T x = 2 + (b[i] - 1) / 50, s = 0; for (int k = 0; k < 10; k++) s = s * x + c[k]; "
     "y[i] = s; }",
     "uniform 0.5 1.5"},
    {"small root of a quadratic", "for (int i = 0; i < n; i++) { T p = 900 + b[i]; y[i] = p - sqrt(p * p - b[i]); }",
     "uniform 0.5 1.5"},
    {"logarithm near one", "for (int i = 0; i < n; i++) { T x = b[i] * (T)1e-5; y[i] = log(1 + x * x * 1000 + x); }",
     "uniform 0.5 1.5"},
    {"exponential by its series",
     "for (int i = 0; i < n; i++) { T x = -9 - b[i], t = 1, s = 1; for (int k = 1; k < 60; k++) { t = t * x / k; s += "
     "t; } y[i] = s; }",
     "uniform 0.5 1.5"},
    {"Levinson-Durbin near singular",
     "T z[64], al = (T)-0.999 * b[0] / b[0], be = 1; int m = n < 64 ? n : 64; y[0] = al; for (int i = m; i < n; i++) "
     "y[i] = 0;\n"
     "for (int k = 1; k < m; k++) { be = (1 - al * al) * be; T s = 0; ADD(s, i, k, (1 - (k - i) * (T)0.001 * b[0] / "
     "b[0]) * y[i]);\n"
     "al = -((1 - (k + 1) * (T)0.001) + s) / be; for (int i = 0; i < k; i++) z[i] = y[i] + al * y[k - i - 1]; for (int "
     "i = 0; i < k; i++) y[i] = z[i]; y[k] = al; }",
     "uniform 0.5 1.5"},
    {"Gram-Schmidt of two equal directions",
     "T s = 0, d = 0, q = 0; ADD(s, j, n, b[j] * b[j]); s = sqrt(s);\n"
     "ADD(d, j, n, b[j] / s * (3 * b[j] + (T)1e-5 * a[j])); for (int i = 0; i < n; i++) y[i] = 3 * b[i] + (T)1e-5 * "
     "a[i] - d * (b[i] / s);\n"
     "ADD(q, j, n, y[j] * y[j]); q = sqrt(q) + (T)1e-30; for (int i = 0; i < n; i++) y[i] /= q;",
     "uniform 0.5 1.5"},
    {"inverse of an almost singular matrix",
     "for (int i = 0; i < n; i++) { T p = b[i], q = p * (T)1.0001, r = 1 / p, s = q * r * (T)0.99990001 / p * p; y[i] "
     "= 1 / (p * r - s); }",
     "uniform 0.5 1.5"},
    {"Bessel functions upwards",
     "for (int i = 0; i < n; i++) { T x = 1 + b[i] * (T)1e-6, j0 = (T)0.7651976865, j1 = (T)0.4400505857; for (int k = "
     "1; k < 12; k++) { T j2 = 2 * k / x * j1 - j0; j0 = j1; j1 = j2; } y[i] = j1; }",
     "uniform 0.5 1.5"},
    {"Muller's recurrence",
     "for (int i = 0; i < n; i++) { T u = 2 + b[i] * (T)1e-6, v = -4; for (int k = 0; k < 5; k++) { T w = 111 - 1130 / "
     "v + 3000 / (v * u); u = v; v = w; } y[i] = v; }",
     "uniform 0.5 1.5"},
    {"integrals by a recurrence",
     "for (int i = 0; i < n; i++) { T x = (T)0.36787944117 + b[i] * (T)1e-7; for (int k = 2; k < 14; k++) x = 1 - k * "
     "x; y[i] = x; }",
     "uniform 0.5 1.5"},
    {"sine of large products",
     "for (int i = 0; i < n; i++) { T x = b[i]; for (int k = 0; k < 12; k++) x = x * (T)3.7 + b[i]; y[i] = sin(x); }",
     "uniform 0.5 1.5"},
    {"difference quotient",
     "for (int i = 0; i < n; i++) { T h = (T)1e-5, x = b[i], u = x + h; y[i] = (u * u * u - x * x * x) / h; }",
     "uniform 0.5 1.5"},
    {"area of a needle",
     "for (int i = 0; i < n; i++) { T p = b[i] * 10, q = p * (T)0.5001, r = p * (T)0.49990002, s = (p + q + r) / 2; "
     "y[i] = sqrt(fabs(s * (s - p) * (s - q) * (s - r))); }",
     "uniform 0.5 1.5"},
    {"Lorenz' system",
     "for (int i = 0; i < n; i++) { T x = b[i], y_ = 1, z = 20; for (int k = 0; k < 2000; k++) { T p = 10 * (y_ - x), "
     "q = x * (28 - z) - y_, r = x * y_ - (T)2.6666667 * z; x += (T)0.01 * p; y_ += (T)0.01 * q; z += (T)0.01 * r; } "
     "y[i] = x; }",
     "uniform 0.5 1.5"},
    {"cross product of nearly parallel vectors",
     "for (int i = 0; i < n; i++) { T p = b[i], q = a[i], r = p * (T)1.7, s = q * (T)1.7000005; y[i] = p * s - q * r; "
     "}",
     "uniform 0.5 1.5"},
};

enum { N_WELL = sizeof well / sizeof *well, N_ILL = sizeof ill / sizeof *ill };

static void errors_are_found_where_the_c_is_exact(void **state)
{
    assert_int_equal(N_WELL, 20);
    for (int k = 0; k < N_WELL; k++) {
        struct rg_problem *p = problem_of(&well[k], "float", "100;40;17");
        struct rg_farm *f = filled(p, well[k].name);
        struct rg_library l;
        char text[500];
        all_pass(f, p, &well[k], "float");
        if (f->info.loose || !(f->info.digits > 4))
            fail_msg("%s: %g digits, loose %d", well[k].name, f->info.digits, f->info.loose);
        load(p, p->reference_c, "", &l);
        for (int i = 0; i < f->n_cases; i++)
            if (!f->cases[i].timed && passes(f, &f->cases[i], &l, rg_problem_rtol(p, RG_F32), text, sizeof text))
                fail_msg("%s: an error as large as the tolerance is not found", well[k].name);
        rg__library_close(&l);
        rg_farm_free(f);
        rg_problem_free(p);
    }
}

static void what_the_c_cannot_hold_nobody_must(void **state)
{
    assert_int_equal(N_ILL, 20);
    for (int k = 0; k < N_ILL; k++) {
        struct rg_problem *p = problem_of(&ill[k], "float", "100;40;17");
        struct rg_farm *f = filled(p, ill[k].name);
        all_pass(f, p, &ill[k], "float");
        if (!f->info.loose || strcmp(f->info.digits_of, "y"))
            fail_msg("%s: %g digits, loose %d", ill[k].name, f->info.digits, f->info.loose);
        rg_farm_free(f);
        rg_problem_free(p);
    }
}

/* Nothing wider to compare with: the C's own runs are all there is. */
static void without_an_oracle(void **state)
{
    for (int k = 0; k < N_ILL; k++) {
        struct rg_problem *p = problem_of(&ill[k], "double", "100;40;17");
        struct rg_farm *f = filled(p, ill[k].name);
        all_pass(f, p, &ill[k], "double");
        rg_farm_free(f);
        rg_problem_free(p);
    }
}

static const char ix_call[] = "f(*(int *)a[0], a[1], a[2])";

static struct rg_problem *integers(const char *body, const char *in_double, const char *sizes)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "float", "n", RG_ROLE_IN, NULL, false},
                                             {"y", "int", "n", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    return fx_problem("f", params, body, ix_call, in_double, sizes, 2);
}

/* Does a candidate pass at every case? *f: what the farm found out. */
static bool right(const char *body, const char *candidate, int64_t *undetermined)
{
    struct rg_problem *p = integers(body, NULL, "100;40;17");
    struct rg_farm *f = filled(p, "integers");
    struct rg_library l;
    char text[500];
    bool good = true;
    load(p, fx_shim(p, candidate, ix_call, false), "-ffp-contract=off", &l);
    for (int i = 0; i < f->n_cases; i++)
        good = good && (f->cases[i].timed || passes(f, &f->cases[i], &l, 0, text, sizeof text));
    *undetermined = f->info.undetermined;
    rg__library_close(&l);
    rg_farm_free(f);
    rg_problem_free(p);
    return good;
}

#define SMALLEST(compare)                                                                                              \
    "#include <math.h>\nvoid f(int n, const float *x, int *y) { for (int i = 0; i < n; i++) { int m = i; "             \
    "for (int j = i; j < n; j++) if (rintf(x[j] * 4) " compare " rintf(x[m] * 4)) m = j; y[i] = m; } }"
#define CHAOS(r)                                                                                                       \
    "void f(int n, const float *x, int *y) { for (int i = 0; i < n; i++) { float u = 0.3f + x[i] * x[i] / 1e6f; int "  \
    "k = 0; "                                                                                                          \
    "for (int t = 0; t < 80; t++) { u = " r "; k += u > 0.5f; } y[i] = k; } }"

static void integers_are_exact_where_the_c_is(void **state)
{
    int64_t open;
    /* ties: the first of them is what the C says, whatever is done to its inputs and to rint's direction */
    assert_true(right(SMALLEST("<"), SMALLEST("<"), &open));
    assert_int_equal(open, 0);
    assert_false(right(SMALLEST("<"), SMALLEST("<="), &open));
    /* comparisons of what rounding decides */
    assert_true(right(CHAOS("3.9f * u * (1 - u)"), CHAOS("3.9f * (u - u * u)"), &open));
    assert_true(open > 0);
    assert_false(right(CHAOS("1.9f * u * (1 - u)"), CHAOS("1.9f * u * (1 - u); k++"), &open));
    assert_int_equal(open, 0);
}

/* What one run in twenty shows is seen at a large size, whether an evaluation in double decides as the C or there is
 * none, and only there. The C counts its runs that round at random, those of all input sets of its one size together.
 */
static bool seen(int run, double work, bool in_double)
{
    char body[2][700];
    for (int k = 0; k < 2; k++)
        snprintf(body[k], sizeof body[k],
                 "void f(int n, const %s *x, int *y)\n{\n    static int runs;\n"
                 "    volatile float one = 1, three = 3, other = 25;\n"
                 "    float a = one / three, b = one / other; /* to nearest: up, and down */\n"
                 "    if (a < 0.33333334f || b >= 0.040000003f) runs++;\n"
                 "    for (int i = 0; i < n; i++) y[i] = (x[i] > 0) ^ (runs == %d);\n}\n",
                 k ? "double" : "float", run);
    struct rg_problem *p = integers(body[0], in_double ? body[1] : NULL, "100");
    p->sizes[0].work = work;
    struct rg_farm *f = filled(p, "rare decisions");
    bool undetermined = f->info.undetermined > 0;
    assert_in_range(f->n_cases, 1, 4);
    assert_int_equal(f->cases[0].in_double, in_double);
    rg_farm_free(f);
    rg_problem_free(p);
    return undetermined;
}

static void rare_decisions(void **state)
{
    assert_true(seen(4, 2e7, false));
    for (int in_double = 0; in_double < 2; in_double++) {
        assert_false(seen(20, 2e7, in_double));
        assert_true(seen(20, 1e8, in_double));
    }
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_found_where_the_c_is_exact),
        cmocka_unit_test(what_the_c_cannot_hold_nobody_must),
        cmocka_unit_test(without_an_oracle),
        cmocka_unit_test(integers_are_exact_where_the_c_is),
        cmocka_unit_test(rare_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
