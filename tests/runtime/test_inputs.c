#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "fixture.h"
#include "runtime/data/half.h"
#include "runtime/data/inputs.h"
#include "runtime/data/inputs_draw.h"
#include "runtime/data/layout.h"
#include <math.h>
#include <unistd.h>

static struct rg_problem *one(const char *elem, const char *input, const char *sizes)
{
    const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                      {"x", elem, "n", RG_ROLE_IN, input, false},
                                      {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    return fx_problem("f", params, "void f(int n, void *x) {}", "f(0, 0)", NULL, sizes, 1);
}

static void *fill(const struct rg_problem *p, int seed, bool positive, int64_t n, enum rg_status want)
{
    struct rg_fill f = {.problem = p, .sizes = &p->sizes[0], .base = 42, .seed = seed, .positive = positive};
    void *to = malloc((size_t)(n * p->params[1].elem_bytes));
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg__input_fill(&f, 1, n, to, &e), want);
    return to;
}

static void same_seed_same_values(void **state)
{
    struct rg_problem *p = one("float", NULL, "600000");
    float *a = fill(p, 0, false, 600000, RG_OK), *b = fill(p, 0, false, 600000, RG_OK),
          *c = fill(p, 1, false, 600000, RG_OK);
    assert_memory_equal(a, b, 600000 * 4);
    assert_int_not_equal(memcmp(a, c, 600000 * 4), 0);
    double lo = 9, hi = -9, sum = 0;
    for (int i = 0; i < 600000; i++) {
        lo = fmin(lo, a[i]);
        hi = fmax(hi, a[i]);
        sum += a[i];
    }
    assert_true(lo >= -1 && lo < -0.99 && hi <= 1 && hi > 0.99 && fabs(sum / 600000) < 0.01);
    free(a);
    free(b);
    free(c);
    rg_problem_free(p);
}

/* Threads split the range: any element must be what a single draw gives. */
static void threads_do_not_show(void **state)
{
    struct rg_problem *p = one("int", "lcg 7 0 1000", "700001");
    int *a = fill(p, 0, false, 700001, RG_OK);
    uint32_t s = 7;
    for (int i = 0; i < 700001; i++) {
        s = s * 1664525u + 1013904223u;
        assert_int_equal(a[i], (int)((s >> 8) % 1000));
    }
    free(a);
    rg_problem_free(p);
}

static void styles_differ_and_positive_is_positive(void **state)
{
    struct rg_problem *p = one("double", NULL, "5000");
    for (int seed = 0; seed < RG_N_STYLES; seed++) {
        double *a = fill(p, seed, false, 5000, RG_OK), *b = fill(p, seed, true, 5000, RG_OK);
        bool negative = false;
        double sq = 0;
        for (int i = 0; i < 5000; i++) {
            negative = negative || a[i] < 0;
            assert_true(b[i] > 0.04);
            sq += a[i] * a[i];
        }
        assert_int_equal(negative, seed != 2);
        if (seed == 1) assert_true(fabs(sq / 5000 - 1) < 0.1);
        if (seed == 3) assert_true(sq / 5000 > 1000);
        free(a);
        free(b);
    }
    rg_problem_free(p);
}

static void integer_kinds(void **state)
{
    struct rg_problem *p = one("int", "uniform 0 n-1", "1000");
    int *a = fill(p, 0, false, 1000, RG_OK), hi = 0;
    for (int i = 0; i < 1000; i++) {
        assert_in_range(a[i], 0, 999);
        hi = a[i] > hi ? a[i] : hi;
    }
    assert_true(hi > 950);
    free(a);
    rg_problem_free(p);

    p = one("int", "permutation", "1000");
    for (int n = 1; n <= 1000; n = n * 3 + 1) {
        a = fill(p, 3, false, n, RG_OK);
        char *seen = calloc(1, (size_t)n);
        for (int i = 0; i < n; i++) {
            assert_in_range(a[i], 0, n - 1);
            assert_false(seen[a[i]]);
            seen[a[i]] = 1;
        }
        free(seen);
        free(a);
    }
    rg_problem_free(p);

    p = one("int", "prefix 20*n", "1001");
    a = fill(p, 0, false, 1001, RG_OK);
    assert_int_equal(a[0], 0);
    assert_int_equal(a[1000], 20020);
    for (int i = 0; i < 1000; i++) assert_in_range(a[i + 1] - a[i], 0, 41);
    free(a);
    rg_problem_free(p);

    p = one("short", "sorted -50 50", "300");
    short *b = fill(p, 0, false, 300, RG_OK);
    for (int i = 0; i < 299; i++) assert_true(b[i] <= b[i + 1]);
    assert_true(b[0] >= -50 && b[299] <= 50 && b[299] > 45);
    free(b);
    rg_problem_free(p);

    p = one("long", "affine 5 3", "100");
    long *c = fill(p, 0, false, 100, RG_OK);
    assert_int_equal(c[99], 5 + 3 * 99);
    free(c);
    rg_problem_free(p);
}

static void real_kinds(void **state)
{
    struct rg_problem *p = one("float", "uniform 0.5 2", "1000");
    float *a = fill(p, 0, false, 1000, RG_OK);
    for (int i = 0; i < 1000; i++) assert_true(a[i] >= 0.5f && a[i] < 2);
    free(a);
    rg_problem_free(p);
    p = one("double", "normal 10. 2.", "20000");
    double *d = fill(p, 0, false, 20000, RG_OK), mean = 0;
    for (int i = 0; i < 20000; i++) mean += d[i] / 20000;
    assert_true(fabs(mean - 10) < 0.1);
    free(d);
    rg_problem_free(p);
    p = one("float", "uniform 2 1", "10");
    free(fill(p, 0, false, 10, RG_INPUT));
    rg_problem_free(p);
}

static void halves_round_to_even(void **state)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        float f = rg__half_to_float((uint16_t)h);
        if (f != f)
            assert_true((rg__half_from_float(f) & 0x7c00) == 0x7c00);
        else
            assert_int_equal(rg__half_from_float(f), h);
    }
    assert_int_equal(rg__half_from_float(65519.f), 0x7bff);
    assert_int_equal(rg__half_from_float(65520.f), 0x7c00);
    assert_int_equal(rg__half_from_float(1.0f + 0x1p-11f), 0x3c00); /* tie to even */
    assert_int_equal(rg__half_from_float(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);
}

static const char *write_npy(const char *descr, const char *shape, const void *data, size_t n)
{
    static char path[] = "/tmp/regraph-test-XXXXXX.npy";
    strcpy(path, "/tmp/regraph-test-XXXXXX.npy");
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    char header[200];
    int h = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    unsigned char head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)h, 0};
    assert_int_equal(write(fd, head, 10), 10);
    assert_int_equal(write(fd, header, (size_t)h), h);
    assert_int_equal(write(fd, data, n), (ssize_t)n);
    close(fd);
    return path;
}

/* A string ends where it is said; a band is symmetric and dominated by its diagonal. */
static void strings_and_bands(void **state)
{
    struct rg_problem *p = one("char", "string 5 97 100", "8;9");
    char *s = fill(p, 0, false, 8, RG_OK);
    assert_int_equal(strlen(s), 5);
    assert_int_equal(strspn(s, "abcd"), 5);
    assert_true(!s[6] && !s[7]);
    free(s);
    rg_problem_free(p);
    enum { W = 5, N = 7 };
    double a[N][N] = {{0}};
    p = one("int", "band 5 7", "35;36");
    int *column = fill(p, 1, false, W * N, RG_OK);
    rg_problem_free(p);
    p = one("double", "band 5 7", "35;36");
    double *v = fill(p, 1, false, W * N, RG_OK);
    rg_problem_free(p);
    for (int k = 0; k < W * N; k++) {
        assert_in_range(column[k], 0, N - 1);
        a[k / W][column[k]] += v[k];
    }
    for (int i = 0; i < N; i++) {
        double off = 0;
        for (int j = 0; j < N; j++) {
            assert_true(a[i][j] == a[j][i]);
            if (j != i) off -= a[i][j];
        }
        assert_true(a[i][i] > off && off > 0);
    }
    free(column);
    free(v);
}

/* Rows of many lengths that hold their diagonal, which dominates them; a band stored by slots; a dense matrix. */
static void matrices_have_a_diagonal(void **state)
{
    enum { N = 40, TOTAL = 173, W = 3 };
    struct rg_problem *p = one("int", "prefix 173 1 1", "41;42");
    int *row = fill(p, 0, false, N + 1, RG_OK), *other = fill(p, 1, false, N + 1, RG_OK);
    rg_problem_free(p);
    p = one("int", "rows 173 40 1", "173;174");
    int *column = fill(p, 3, false, TOTAL, RG_OK);
    rg_problem_free(p);
    p = one("double", "rows 173 40 1", "173;174");
    double *v = fill(p, 2, false, TOTAL, RG_OK);
    rg_problem_free(p);
    bool differ = false;
    assert_memory_equal(row, other, (N + 1) * sizeof *row); /* columns go by them, whatever the seed */
    assert_int_equal(row[0], 1);
    assert_int_equal(row[N], TOTAL + 1);
    for (int i = 0; i < N; i++) {
        double off = 0, diagonal = 0;
        assert_true(row[i] < row[i + 1]);
        differ = differ || row[i + 1] - row[i] != row[1] - row[0];
        for (int k = row[i] - 1; k < row[i + 1] - 1; k++) {
            assert_in_range(column[k], 1, N);
            assert_true(k == row[i] - 1 || column[k] > column[k - 1]);
            *(column[k] - 1 == i ? &diagonal : &off) += fabs(v[k]);
        }
        assert_true(diagonal > off);
    }
    assert_true(differ);
    free(row), free(other), free(column), free(v);
    p = one("int", "band 3 40 1", "120;121");
    column = fill(p, 0, false, W * N, RG_OK);
    for (int i = 0; i < N; i++) assert_int_equal(column[(W / 2) * N + i], i);
    free(column);
    rg_problem_free(p);
    p = one("float", "dominant 40", "1600;1601");
    float *a = fill(p, 0, false, N * N, RG_OK);
    for (int i = 0; i < N; i++) {
        float off = 0;
        for (int j = 0; j < N; j++) {
            assert_true(a[i * N + j] == a[j * N + i]);
            if (i != j) off += fabsf(a[i * N + j]);
        }
        assert_true(a[i * N + i] > off);
    }
    free(a);
    rg_problem_free(p);
    p = one("int", "links 40 -1", "40;41");
    int *next = fill(p, 0, false, N, RG_OK), last = 0;
    for (int i = 0; i < N; i++) {
        assert_true(next[i] == -1 || (next[i] > i && next[i] < N));
        last += next[i] == -1;
    }
    assert_in_range(last, 2, N / 2);
    free(next);
    rg_problem_free(p);
    p = one("int", "links 40", "40;41");
    next = fill(p, 0, false, N, RG_OK);
    for (int i = 0; i < N; i++) assert_true(next[i] >= i && next[i] < N);
    free(next);
    rg_problem_free(p);
    p = one("int", "prefix 9 0 1", "21;22"); /* fewer than rows */
    row = fill(p, 0, false, 21, RG_OK);
    assert_true(row[0] == 0 && row[20] == 9);
    free(row);
    rg_problem_free(p);
}

static void files_are_read_and_checked(void **state)
{
    float v[6] = {1, 2, 3, 4, 5, 6};
    const char *path = write_npy("<f4", "6,", v, sizeof v);
    char input[100];
    snprintf(input, sizeof input, "file %s", path);
    struct rg_problem *p = one("float", input, "6;7");
    float *a = fill(p, 0, false, 6, RG_OK);
    assert_memory_equal(a, v, sizeof v);
    free(a);
    bool fits;
    assert_int_equal(rg__npy_fits(path, p, 1, &p->sizes[1], &fits, NULL), RG_OK);
    assert_false(fits);
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg__input_load(path, p, 1, &p->sizes[1], NULL, &e), RG_INPUT);
    assert_non_null(strstr(e.text, "(6)"));
    assert_non_null(strstr(e.text, "(7)"));
    rg_problem_free(p);
    p = one("double", input, "6");
    free(fill(p, 0, false, 6, RG_INPUT)); /* another type */
    rg_problem_free(p);
    unlink(path);
    p = one("float", "file /nonexistent.npy", "6");
    free(fill(p, 0, false, 6, RG_INPUT));
    rg_problem_free(p);
}

/* Long and short stretches of one value, others between them; at the timed size of several, all are drawn anew. */
static void plateaus_are_level(void **state)
{
    enum { N = 20000 };
    struct rg_problem *p = one("int", "plateaus -2000 2000", "20000");
    for (int several = 0; several < 2; several++) {
        p->sizes[0].timed = several;
        p->n_sizes = 1 + several;
        int *a = fill(p, 1, false, N, RG_OK), longest = 1, run = 1, apart = 0;
        for (int i = 0; i < N; i++) {
            assert_in_range(a[i] + 2000, 0, 4000);
            run = i && a[i] == a[i - 1] ? run + 1 : 1;
            longest = run > longest ? run : longest;
            apart += run == 1;
        }
        assert_true(several ? longest < 8 : longest >= 64);
        assert_true(several ? apart > 19000 : apart > 100 && apart < 19000);
        free(a);
    }
    p->n_sizes = 1;
    rg_problem_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plateaus_are_level),
        cmocka_unit_test(same_seed_same_values),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(styles_differ_and_positive_is_positive),
        cmocka_unit_test(integer_kinds),
        cmocka_unit_test(real_kinds),
        cmocka_unit_test(halves_round_to_even),
        cmocka_unit_test(strings_and_bands),
        cmocka_unit_test(matrices_have_a_diagonal),
        cmocka_unit_test(files_are_read_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
