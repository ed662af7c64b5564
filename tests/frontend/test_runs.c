/* Loops from run to run of like elements: which are taken by element, each asking whether a run begins with it. And
 * sums at a counter's place: which are scalars until the counter moves on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *tree_of(const char *loop)
{
    char path[] = "/tmp/test_runs_XXXXXX.c";
    int fd = mkstemps(path, 2);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fprintf(f,
            "#pragma regraph size(n=50) extent(a: n + 1) extent(b: n) extent(x: n) extent(v: n) extent(c: n)\n"
            "int prog(int n, int *a, const int *b, const float *x, int *v, int *c)\n"
            "{\n    int k = 0;\n%s\n    return k;\n}\n",
            loop);
    fclose(f);
    const struct rg_frontend_options o = {.file = path, .rtol = -1, .atol = -1};
    struct rg_problem *p = NULL;
    struct rg_ctree *t = NULL;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
    unlink(path);
    if (st != RG_OK) fail_msg("%s: %s", loop, err.text);
    struct rg_buf text = RG_BUF_INIT;
    rg_frontend_explain(&text, p, t);
    char *s = strdup(text.data);
    rg_buf_release(&text);
    rg_problem_free(p);
    rg_ctree_free(t);
    return s;
}

static const struct {
    const char *loop;
    bool taken;
} loops[] = {
    {"for (int i = 0; i < n;) { int j = i; while (j < n && b[j] == b[i]) j++; v[k] = b[i]; c[k++] = j - i; i = j; }",
     true},
    {"int i = 0; while (i < n) { int j = i + 1; while (j < n && b[i] == b[j]) ++j; c[k++] = j; i = j; }", true},
    {"int i = 0; while (i < n) { int j = i + 1; while (j < n && x[j] == x[i]) ++j; c[k++] = j; i = j; }", true},
    {"int i = 0, j; while (i < n) { int w = b[i]; j = i; while (j < n && b[j] == w) j++; c[k++] = w; i = j; }", true},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] == b[i] && x[j] == x[i]) j++; c[k++] = j; i = j; }",
     true},
    {"for (int i = 0; i < n; i++) { int m = 1; while (i < n - 1 && b[i] == b[i + 1]) { m++; i++; } c[k++] = m; }",
     true},
    {"for (int i = 0; i < n; i++) { while (i + 1 < n && b[i + 1] == b[i]) i++; v[k++] = b[i]; }", true},
    {"for (int i = 0; i < n; i++) { int f = i; while (i + 1 < n && x[i] <= x[i + 1]) i++; c[k++] = i - f; }", true},
    {"int i = 0; while (i < n) { int j = i; while (j + 1 < n && b[j + 1] == b[i]) j++; v[i] = j - i; i = j + 1; }",
     true},
    {"int i = 0; while (i < n) { int j = i; while (j + 1 < n && b[j + 1] == b[i]) j++; int m = i + j; "
     "for (; i <= j; i++) v[i] = m; }",
     true},
    {"int i = 0; while (i < n) { int j = i + 1; while (j < n && b[j] == b[i]) j++; int m = j; "
     "while (i < j) { v[i] = m; i++; } }",
     true},
    {"int i = 2; while (i < n) { int j = i + 1; while (j < n && b[j] == b[i]) j++; k++; i = j; }", true},
    /* whose walker is the loop's own, with the test behind the body, in it, or by how long the run is */
    {"for (int i = 0, j; i < n; i = j) { for (j = i; j < n && b[j] == b[i]; j++) ; v[k] = b[i]; c[k++] = j - i; }",
     true},
    {"int i = 0; while (i < n) { int w = b[i], s = 0; do { s += a[i]; i++; } while (i < n && b[i] == w); c[k++] = s; }",
     true},
    {"int i = 0; while (i < n) { float w = x[i]; int s = 0; do s += a[i++]; while (i < n && x[i] == w); c[k++] = s; }",
     true},
    {"int i = 0; while (i < n) { int f = i, s = 0; while (i < n && b[i] == b[f]) { s += a[i]; i++; } c[k++] = i - f; }",
     true},
    {"int i = 0; while (i < n) { int w = b[i], m = 1; while (i + m < n && b[i + m] == w) m++; c[k++] = m; i += m; }",
     true},
    {"int i = 0; while (i < n) { int w = b[i], m = 0; while (i < n && b[i] == w) { m++; i++; } v[k] = w; c[k++] = m; }",
     true},
    {"int i = 0; while (i < n) { int j; for (j = i + 1; j < n; j++) if (b[j] != b[i]) break; c[k++] = j; i = j; }",
     true},
    {"int i = 0; while (i < n) { int w = b[i]; for (;;) { i++; if (i == n || b[i] != w) break; } c[k++] = i; }", true},
    {"int w, i = 0; while (i < n) { w = b[i]; int j = i + 1; while (j != n && b[j] == w) j++; c[k++] = j; i = j; }",
     true},
    /* a length that is limited, a walk that other things end, a test of what is not the run's, of narrower places */
    {"int i = 0; while (i < n) { int w = b[i], m = 1; while (i + m < n && m < 9 && b[i + m] == w) m++; c[k++] = m; "
     "i += m; }",
     false},
    {"int i = 0; while (i < n) { int j = i + 1; for (; j < n && b[j] == b[i]; j++) if (a[j] > 9) break; c[k++] = j; "
     "i = j; }",
     true},
    {"int i = 0; while (i < n) { int w = b[i]; do { k++; i++; } while (i < n - 1 && b[i] == w); c[k] = i; }", false},
    {"int i = 0; while (i < n) { int w = b[i]; do { k++; i++; if (a[k] > 5) i++; } while (i < n && b[i] == w); }",
     false},
    {"int i = 0; while (i < n) { int w = b[i], m = 0; do { m++; i++; } while (i < n && b[i] != w); c[k++] = m; }",
     false},
    {"int w = 3, i = 0; while (i < n) { int u = w; w = b[i]; int j = i + 1; while (j < n && b[j] == u) j++; c[k++] = "
     "j; "
     "i = j; }",
     false},
    {"int i = 0; while (i < n) { char w = b[i]; int j = i + 1; while (j < n && b[j] == w) j++; c[k++] = j; i = j; }",
     false},
    {"int i = 0; while (i < n) { int j = i + 1; while (j < n && (char)b[j] == b[i]) j++; c[k++] = j; i = j; }", false},
    {"int i = 0; while (i < n) { int m = 2; while (i + m < n && b[i + m] == b[i]) m++; c[k++] = m; i += m; }", false},
    /* the next one does not begin behind it; its elements read, and set, what runs do */
    {"int i = 0; while (i < n) { int j = i; while (j + 1 < n && b[j + 1] == b[i]) j++; int m = i + j; "
     "for (; i < j; i++) v[i] = m; }",
     false},
    {"int i = 0; while (i < n) { int j = i; while (j + 1 < n && b[j + 1] == b[i]) j++; int m = v[0] + j; "
     "for (; i <= j; i++) v[i] = m; }",
     false},
    {"int i = 0; while (i < n) { int j = i; while (j + 1 < n && b[j + 1] == b[i]) j++; int m = j; "
     "for (; i <= j; i++) k += m; }",
     false},
    /* a run that goes by more than its neighbours */
    {"for (int i = 0; i < n;) { int j = i; while (j < n && b[j] <= b[i]) j++; c[k++] = j - i; i = j; if (j == i) i++; "
     "}",
     false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] <= b[i]) j++; c[k++] = j - i; i = j; }", false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] == b[i] && j - i < 9) j++; c[k++] = j; i = j; }",
     false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] == b[i] + 1) j++; c[k++] = j; i = j; }", false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] == b[i / 2]) j++; c[k++] = j; i = j; }", false},
    {"for (int i = 0; i < n; i++) { int m = 0; while (i < n - 1 && b[i] == b[i + 1] && m < 3) m++, i++; c[k++] = m; }",
     false},
    /* elements that change on the way, another end, a step that is skipped, a start that is read later */
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && a[j] == a[i]) j++; a[j] = 3; k++; i = j; }", false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n - 1 && b[j] == b[i]) j++; c[k++] = j; i = j; }", false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] == b[i]) j++; k++; i = j + 1; }", false},
    {"for (int i = 0; i < n;) { int j = i + 1; while (j < n && b[j] == b[i]) j++; if (j > 40) break; k++; i = j; }",
     false},
    {"int i = 0; while (i < n) { int j = i + 1; while (j < n && b[j] == b[i]) j++; k++; i = j; } k += i;", false},
    {"int i = a[0]; while (i < n) { int j = i + 1; while (j < n && b[j] == b[i]) j++; a[k++] = j; i = j; }", false},
};

static void test_loops(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char *text = tree_of(loops[i].loop);
        bool taken = strstr(text, " == 0 || ") || strstr(text, " == 2 || ");
        if (taken != loops[i].taken) fail_msg("%s: %s\n%s", loops[i].loop, taken ? "taken" : "not taken", text);
        free(text);
    }
}

#define MOVES "v[0] = b[0]; for (int i = 1; i < n; i++) "
static const struct {
    const char *loop;
    bool taken;
} sums[] = {
    {MOVES "if (b[i] != b[i - 1]) { k++; v[k] = a[i]; } else v[k] += a[i];", true},
    {MOVES "{ if (x[i] > 0) { c[k] = i; k++; v[k] = 0; } v[k] += a[i]; }", true},
    {MOVES "{ if (x[i] > 0) { k++; v[k] = a[i]; } else { v[k] -= a[i]; c[i] = v[k]; } }", true},
    {"k = -1; for (int i = 0; i < n; i++) { if (i == 0 || b[i] != b[i - 1]) { k++; v[k] = 0; } v[k] += a[i]; }", true},
    /* what was there before counts, other elements are asked for, the counter moves otherwise */
    {MOVES "if (b[i] != b[i - 1]) { k++; c[k] = a[i]; } else v[k] += a[i];", false},
    {MOVES "if (b[i] != b[i - 1]) { k++; v[k] += a[i]; } else v[k] += a[i];", false},
    {MOVES "if (b[i] != b[i - 1]) { k++; v[k] = v[0]; } else v[k] += a[i];", false},
    {MOVES "if (b[i] != b[i - 1]) { k++; v[k] = a[i]; } else { v[k] += a[i]; c[i] = v[i]; }", false},
    {MOVES "{ if (x[i] > 0) { k++; v[k] = a[i]; } else v[k] += a[i]; if (x[i] > 2) k--; }", false},
    {MOVES "{ if (x[i] > 0) { k++; if (x[i] > 1) v[k] = a[i]; } else v[k] += a[i]; }", false},
    {"for (int i = 1; i < n; i++) if (b[i] != b[i - 1]) { k++; v[k] = a[i]; } else v[k] += a[i];", false},
    {"k = -1; for (int i = 0; i < n; i++) { if (b[i] > 0) { k++; v[k] = 0; } if (k >= 0) v[k] += a[i]; }", false},
};

static void test_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        char *text = tree_of(sums[i].loop);
        bool taken = strstr(text, " v_2 = ") != NULL;
        if (taken != sums[i].taken) fail_msg("%s: %s\n%s", sums[i].loop, taken ? "taken" : "not taken", text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops), cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
