/* Where the reference counts the rounds of a loop that data end: the place in the text that it is compiled from, and
 * that the text with a count there is C still. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/file.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIANGLE                                                                                                       \
    "for (int r = 0; r < n; r++) { int s = 1; for (int j = 0; j < r; j++) s += a[j] ^ b[j]; a[r] = s; "                \
    "if (s == 12345) break; }"
#define STEP "for (int i = 0; i < n; i++) if (a[i] < b[i]) { a[i]++; changed = 1; }"
static const struct {
    const char *loop, *body; /* how its body begins; NULL: no such loop, or not told which */
} loops[] = {
    {"do { changed = 0; " STEP " } while (changed);", "{ changed = 0;"},
    {"changed = 1; while (changed && n > 0) { changed = 0; " STEP " }", "{ changed = 0;"},
    {"for (int r = 0; r < 999; r++) { changed = 0; " STEP " if (!changed) break; }", "{ changed = 0;"},
    {"for (int r = 0; r < m; r++) { changed = 0; " STEP "\n if (!changed) break; }", "{ changed = 0;"},
    {"changed = 1; if (n < 3) while (changed) { changed = 0; " STEP " } else a[0] = 7;", "{ changed = 0;"},
    {"int w = 0; MACRO(5) do { changed = 0; " STEP " } while (changed);", "{ changed = 0;"},
    {"do { changed = 0; a[0] += a[0] < b[0]; changed = a[0] < b[0]; } while (changed);", NULL}, /* no loop in it */
    {"changed = 0; " STEP, NULL},
};

static struct rg_problem *load_tree(const char *loop, struct rg_ctree **t)
{
    char path[] = "/tmp/test_rounds_XXXXXX.c";
    FILE *f = fdopen(mkstemps(path, 2), "w");
    assert_non_null(f);
    fprintf(f,
            "#define MACRO(x) w += (x) * (x) + (x); a[0] += 0 * w;\n"
            "#pragma regraph size(n=50, m=20) extent(a: n) extent(b: n) input(a: constant(0)) input(b: uniform(0, 9))\n"
            "void prog(int n, int m, int *a, const int *b)\n{\n    int changed = 0;\n    %s\n}\n",
            loop);
    fclose(f);
    const struct rg_frontend_options o = {.file = path, .rtol = -1, .atol = -1};
    struct rg_problem *p = NULL;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_frontend_load(&o, &p, t, &err);
    unlink(path);
    if (st != RG_OK) fail_msg("%s: %s", loop, err.text);
    return p;
}

static struct rg_problem *load(const char *loop)
{
    struct rg_ctree *t = NULL;
    struct rg_problem *p = load_tree(loop, &t);
    rg_ctree_free(t);
    return p;
}

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct rg_problem *p = load(loops[i].loop);
        const char *at = p->round_at ? p->reference_c + p->round_at : NULL, *want = loops[i].body;
        if (!at != !want || (want && strncmp(at, want, strlen(want))))
            fail_msg("%s: %.40s", loops[i].loop, at ? at : "none");
        if (want) assert_int_equal(p->round_line, 6);
        rg_problem_free(p);
    }
}

/* A round of a triangle is the average one, not its tip; none is told where most of the work stands elsewhere. */
static void test_round(void **state)
{
    (void)state;
    static const struct {
        const char *loops;
        double least, most;
    } work[] = {
        {TRIANGLE, 25, 200},
        {"a[0] = 0; for (int r = 0; r < 2; r++) { changed = 0; " STEP " if (!changed) break; }", 100, 300},
        {"for (int r = 0; r < n; r++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) a[r] += b[k] & "
         "1;" TRIANGLE,
         0, 0},
    };
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        struct rg_ctree *t = NULL;
        struct rg_problem *p = load_tree(work[i].loops, &t);
        double round[64] = {0};
        assert_true(p->n_sizes <= 64);
        rg_frontend_rounds(p, t, round);
        if (round[0] < work[i].least || round[0] > work[i].most) fail_msg("%s: %g", work[i].loops, round[0]);
        rg_ctree_free(t);
        rg_problem_free(p);
    }
}

/* Another folder's markers are longer: the place moves, the problem is the same. */
static void test_hash(void **state)
{
    (void)state;
    struct rg_problem *p = load(loops[0].loop);
    char *was = strdup(p->hash);
    p->round_at += 100;
    rg_problem_rehash(p);
    assert_string_equal(p->hash, was);
    free(was);
    rg_problem_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_round),
                                       cmocka_unit_test(test_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
