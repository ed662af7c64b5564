/* Order-free stores: which loops are proven to go by what they found, and which are not. Each loop is written in a
 * function of its own; where it is taken, it reads a copy, or sets flags as elements. */
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

/* The loop tree as --explain prints it, and what was assumed. */
static char *tree_of(const char *loop, unsigned assume, char **assumed)
{
    char path[] = "/tmp/test_scattered_XXXXXX.c";
    int fd = mkstemps(path, 2);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fprintf(f,
            "#pragma regraph size(n=50, m=20, d=3) extent(a: m) extent(b: m) extent(k: n) extent(f: n) extent(w: n)\n"
            "#pragma regraph require(d >= 0)\n"
            "int prog(int n, int m, int d, const int *k, const int *f, const int *w, int *a, int *b)\n"
            "{\n    int flag = 0, count = 0;\n%s\n    a[0] = b[m - 1];\n    return flag * 3 + count;\n}\n",
            loop);
    fclose(f);
    const struct rg_frontend_options o = {.file = path, .rtol = -1, .atol = -1, .assume = assume};
    struct rg_problem *p = NULL;
    struct rg_ctree *t = NULL;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
    unlink(path);
    if (st != RG_OK) fail_msg("%s: %s", loop, err.text);
    struct rg_buf b = RG_BUF_INIT;
    rg_frontend_explain(&b, p, t);
    char *text = strdup(b.data);
    *assumed = p->assumed ? strdup(p->assumed) : NULL;
    rg_buf_release(&b);
    rg_problem_free(p);
    rg_ctree_free(t);
    return text;
}

static const struct {
    const char *loop;
    bool free; /* proven */
} loops[] = {
    {"for (int i = 0; i < n; i++) if (a[k[i]] < 0) { a[k[i]] = 1; flag = 1; }", true},
    {"for (int i = 0; i < n; i++) if (a[f[i]] == d && a[k[i]] < 0) { a[k[i]] = d + 1; flag = 1; }", true},
    {"for (int i = 0; i < n; i++) if (a[f[i]] == d && a[k[i]] > d + 1) { a[k[i]] = d + 1; flag = 1; }", true},
    {"for (int i = 0; i < n; i++) if (a[f[i]] == d && a[k[i]] == -1) { a[k[i]] = d + 1; count++; }", true},
    {"for (int i = 0; i < n; i++) { count++; if (!a[k[i]]) { a[k[i]] = 4; b[k[i]] = 2; } }", true},
    {"for (int i = 0; i < n; i++) if (w[i] < a[k[i]]) { a[k[i]] = w[i]; flag = 1; }", true},
    {"for (int i = 0; i < n; i++) if (a[k[i]] < w[i] + d) { flag = 1; a[k[i]] = w[i] + d; }", true},
    {"for (int i = 0; i < m; i++) if (a[i] < 0 && (a[(i + 1) % m] == 2 || a[f[i]] == 2)) { a[i] = 3; flag = 1; }",
     true},
    {"for (int i = 0; i < n; i++) if (a[k[i]] < 4) { a[k[i]] = 3; count++; }", true}, /* 3 is below 4, too */
    /* what is stored answers otherwise than what was there */
    {"for (int i = 0; i < n; i++) if (a[f[i]] && !a[k[i]]) { a[k[i]] = 1; flag = 1; }", false},
    {"for (int i = 0; i < n; i++) if (a[f[i]] > d && a[k[i]] < 0) { a[k[i]] = d + 1; flag = 1; }", false},
    {"for (int i = 0; i < n; i++) if (a[f[i]] == d && a[k[i]] != 9) { a[k[i]] = d + 1; flag = 1; }", false},
    /* a step beside it that only the first one makes */
    {"for (int i = 0; i < n; i++) if (!a[k[i]]) { if (w[i] > 2) flag = 1; a[k[i]] = 1; }", false},
    {"for (int i = 0; i < n; i++) if (!a[k[i]]) { a[k[i]] = 1; b[f[i]] = 2; }", false},
    {"for (int i = 0; i < n; i++) if (!a[k[i]]) { a[k[i]] = 1; b[k[i]] = w[i]; }", false},
    {"for (int i = 0; i < n; i++) if (!a[k[i]]) a[k[i]] = 1; else count++;", false},
    {"for (int i = 0; i < n; i++) if (w[i] < a[k[i]]) { a[k[i]] = w[i]; count++; }", false},
    /* values that differ */
    {"for (int i = 0; i < n; i++) if (a[k[i]] < 0) { a[k[i]] = i; flag = 1; }", false},
    {"for (int i = 0; i < n; i++) { if (w[i] < a[k[i]]) { a[k[i]] = w[i]; flag = 1; } count += a[f[i]]; }", false},
    {"for (int i = 0; i < n; i++) { if (a[k[i]] < 0) { a[k[i]] = 1; flag = 1; } if (w[i] > 3) flag = 2; }", false},
};

static void proofs(void **state)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char *assumed, *text = tree_of(loops[i].loop, 0, &assumed);
        bool taken = strstr(text, "_before") || strstr(text, "_at[0]");
        if (taken != loops[i].free) fail_msg("%s is %s:\n%s", loops[i].loop, taken ? "taken" : "left", text);
        assert_null(assumed);
        free(text);
    }
}

static void assumptions(void **state)
{
    static const struct {
        const char *loop, *says;
    } words[] = {
        /* each iteration has its own place, and asks for those of others */
        {"for (int i = 0; i < m; i++) a[i] = a[k[i]] / 2 + b[i];", "order-free: loop i"},
        {"for (int i = 0; i < n; i++) if (a[f[i]] && !a[k[i]]) { a[k[i]] = 1; flag = 1; }", "order-free: loop i"},
        /* proven, or nothing that needs it */
        {"for (int i = 0; i < n; i++) if (a[k[i]] < 0) { a[k[i]] = 1; flag = 1; }", NULL},
        {"for (int i = 0; i < m / 2; i++) a[2 * i] = a[2 * i + 1];", NULL},
        {"for (int i = 0; i < m; i++) a[i] = b[k[i]];", NULL},
        /* nobody says who stores last; rounds over one place */
        {"for (int i = 0; i < n; i++) if (a[f[i]] > w[i]) a[k[i]] = i;", NULL},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *assumed, *text = tree_of(words[i].loop, RG_ASSUME_ORDER_FREE, &assumed);
        bool as_said = words[i].says ? assumed && strstr(assumed, words[i].says) == assumed : !assumed;
        if (!as_said) fail_msg("%s: '%s'\n%s", words[i].loop, assumed ? assumed : "nothing assumed", text);
        assert_true(!words[i].says || strstr(text, "assumed, not proven"));
        free(assumed);
        free(text);
    }
    char *assumed, *rounds = "for (int r = 0; r < d; r++) for (int i = 0; i < m; i++) a[i] = a[k[i]] + b[i];";
    char *text = tree_of(rounds, RG_ASSUME_ORDER_FREE, &assumed);
    assert_non_null(assumed);
    assert_non_null(strstr(assumed, "loop i")); /* the round, not the loop over rounds */
    assert_null(strstr(assumed, "loop r"));
    free(assumed);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(proofs), cmocka_unit_test(assumptions)};
    setenv("RG_VERIFY", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
