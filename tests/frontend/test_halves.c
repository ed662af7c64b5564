/* Functions that call themselves for both halves of what they are given: which become loops over levels, and which stay
 * calls, as their order is not shown to be free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/frontend.h>
#include "ir/ctree_util.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS                                                                                                          \
    "for (int k = 0; k < n / 2; k++) { float u = x[k], v = x[k + n / 2]; x[k] = u + v; x[k + n / 2] = u - v; }"
#define CALLS "rec(x, n / 2); rec(x + n / 2, n / 2);"
#define HEAD "static void rec(float *x, int n) { if (n < 2) return; "
#define SPLIT                                                                                                          \
    "float e[n / 2], o[n / 2]; for (int k = 0; k < n / 2; k++) { e[k] = x[2 * k]; o[k] = x[2 * k + 1]; } "             \
    "rec(e, n / 2); rec(o, n / 2);"
#define JOIN "for (int k = 0; k < n / 2; k++) { x[k] = e[k] + k * o[k]; x[k + n / 2] = e[k] - k * o[k]; } }"
#define SWAP                                                                                                           \
    "static void two(float *a, float *b, int n, int s) { if (s >= n) return; two(b, a, n, 2 * s);"                     \
    " two(b + s, a + s, n, 2 * s); for (int i = 0; i < n; i += 2 * s) {"                                               \
    " a[i / 2] = b[i] + i * b[i + s]; a[(i + n) / 2] = b[i] - b[i + s]; } }"
#define SPARE                                                                                                          \
    "static void two(float *a, int n, float *t) { int k; if (n > 1) { for (k = 0; k < n / 2; k++) {"                   \
    " t[k] = a[2 * k]; t[k + n / 2] = a[2 * k + 1]; } two(t, n / 2, a); two(t + n / 2, n / 2, a);"                     \
    " for (k = 0; k < n / 2; k++) { a[k] = t[k] + k * t[k + n / 2]; a[k + n / 2] = t[k] - t[k + n / 2]; } } }"
#define COPIED "float *w = malloc(n * sizeof *w); for (int i = 0; i < n; i++) w[i] = x[i];"

static const struct {
    const char *what, *functions, *body;
    const char *size;
    bool levels;
} cases[] = {
    {"pairs, then both halves", HEAD PAIRS CALLS "}", "rec(x, n);", "n=64", true},
    {"both halves, then pairs", HEAD CALLS PAIRS "}", "rec(x, n);", "n=64", true},
    {"on both sides of the calls", HEAD PAIRS CALLS PAIRS "}", "rec(x, n);", "n=64", true},
    {"no power of two", HEAD PAIRS CALLS "}", "rec(x, n);", "n=60", false},
    {"more than a number of its type doubles up to", HEAD PAIRS CALLS "}", "rec(x, n);", "n=1073741824", false},
    {"the test around the calls", "static void rec(float *x, int n) { if (n != 1) { " CALLS PAIRS "} }", "rec(x, n);",
     "n=64", true},
    {"the test the other way round",
     "static void rec(float *x, int n) { if (n == 1) { x[0] *= 2; } else { " CALLS PAIRS "} }", "rec(x, n);", "n=64",
     true},
    {"a pair reaches its neighbour", HEAD CALLS "for (int k = 0; k < n / 2; k++) x[k] += x[k + 1]; }", "rec(x, n);",
     "n=64", false},
    {"a pair reaches in front of its call", HEAD CALLS "for (int k = 0; k < n / 2; k++) x[k] += x[k - n / 2]; }",
     "rec(x + n / 2, n / 2);", "n=64", false},
    {"a loop that is too long", HEAD CALLS "for (int k = 0; k <= n / 2; k++) x[k] += x[k + n / 2]; }", "rec(x, n);",
     "n=64", false},
    {"halves that overlap", HEAD "rec(x, n / 2); rec(x + n / 2 - 1, n / 2);" PAIRS "}", "rec(x, n);", "n=64", false},
    {"the same half twice", HEAD "rec(x, n / 2); rec(x, n / 2);" PAIRS "}", "rec(x, n);", "n=64", false},
    {"a quarter", HEAD "rec(x, n / 4); rec(x + n / 4, n / 4);" PAIRS "}", "rec(x, n);", "n=64", false},
    {"something between the calls", HEAD "rec(x, n / 2); x[n / 2] += x[0]; rec(x + n / 2, n / 2);" PAIRS "}",
     "rec(x, n);", "n=64", false},
    {"a counter of calls", "static int calls; " HEAD "calls++; " CALLS PAIRS "}",
     "calls = 0; rec(x, n); x[0] += calls;", "n=64", false},
    {"a sum that is made in front of the calls and asked for behind them",
     HEAD "float s = 0; for (int k = 0; k < n / 2; k++) s += x[k];" CALLS
          "for (int k = 0; k < n / 2; k++) x[k] += s; }",
     "rec(x, n);", "n=64", false},
    {"a number that follows from such a sum",
     HEAD "float s = 0; for (int k = 0; k < n / 2; k++) s += x[k]; float q = s / n;" CALLS
          "for (int k = 0; k < n / 2; k++) x[k] += q; }",
     "rec(x, n);", "n=64", false},
    {"a factor that runs along",
     HEAD CALLS "float w = 1; for (int k = 0; k < n / 2; k++) { x[k] += w * x[k + n / 2]; w *= 0.5f; } }", "rec(x, n);",
     "n=64", true},
    {"a number that is set in front of the calls",
     HEAD "float q = 1.0f / n; " CALLS "for (int k = 0; k < n / 2; k++) x[k] += q * x[k + n / 2]; }", "rec(x, n);",
     "n=64", true},
    {"a base of two", "static void rec(float *x, int n) { if (n <= 2) return; " CALLS PAIRS "}", "rec(x, n);", "n=64",
     false},
    {"data end it", "static void rec(float *x, int n) { if (n < 2 || x[0] > 1) return; " CALLS PAIRS "}", "rec(x, n);",
     "n=64", false},
    {"one element reaches another",
     "static void rec(float *x, int n) { if (n == 1) { x[0] += x[1]; return; } " CALLS PAIRS "}", "rec(x, n / 2);",
     "n=64", false},
    {"every other element in memory of the call", HEAD SPLIT JOIN, "rec(x, n);", "n=64", true},
    {"sorted out otherwise",
     HEAD "float e[n / 2], o[n / 2]; for (int k = 0; k < n / 2; k++) { e[k] = x[2 * k]; o[k] = x[2 * k]; } "
          "rec(e, n / 2); rec(o, n / 2);" JOIN,
     "rec(x, n);", "n=64", false},
    {"what was there is asked for again",
     HEAD SPLIT "for (int k = 0; k < n / 2; k++) { x[k] = e[k] + x[k]; x[k + n / 2] = e[k] - o[k]; } }", "rec(x, n);",
     "n=64", false},
    {"one half is left as it was", HEAD SPLIT "for (int k = 0; k < n / 2; k++) x[k] = e[k] + o[k]; }", "rec(x, n);",
     "n=64", false},
    {"memory of the call is read twice",
     HEAD SPLIT "for (int k = 0; k < n / 2; k++) { x[k] = e[k] + o[k]; x[k + n / 2] = e[k] - o[k]; } "
                "for (int k = 0; k < n / 2; k++) { x[k] = x[k] + e[k]; x[k + n / 2] = o[k]; } }",
     "rec(x, n);", "n=64", false},
    {"two arrays that swap", SWAP, COPIED "two(x, w, n, 1); free(w);", "n=64", true},
    {"two arrays that swap, the other asked for", SWAP, COPIED "two(x, w, n, 1); x[0] += w[1]; free(w);", "n=64",
     false},
    {"two arrays that swap, again and again", SWAP, COPIED "for (int r = 0; r < 3; r++) two(x, w, n, 1); free(w);",
     "n=64", false},
    {"scratch that is given", SPARE, "float *w = malloc(n * sizeof *w); two(x, n, w); free(w);", "n=64", true},
    {"scratch that is given, and asked for", SPARE, COPIED "two(x, n, w); x[0] += w[1]; free(w);", "n=64", false},
    {"a counter that is asked for behind its loop",
     HEAD "int k; float s; " CALLS
          "for (k = 0; k < n / 2; k++) x[k] += x[k + n / 2]; s = k; for (k = 0; k < n / 2; k++) x[k] += s; }",
     "rec(x, n);", "n=64", false},
    {"one array under two names", SWAP, "two(x, x + n / 2, n / 2, 1);", "n=64", false},
};

static bool calls(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM) return true;
    if (n->kind == RG_C_CALL && (!strcmp(n->text, "rec") || !strcmp(n->text, "two"))) return true;
    for (int i = 0; i < n->n; i++)
        if (calls(n->kid[i])) return true;
    return false;
}

static void levels(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[] = "/tmp/rg-halves-XXXXXX.c";
        int fd = mkstemps(file, 2);
        assert_true(fd >= 0);
        FILE *f = fdopen(fd, "w");
        fprintf(f, "#include <stdlib.h>\n%s\n#pragma regraph size(%s)\nvoid f(int n, float x[n])\n{\n%s\n}\n",
                cases[i].functions, cases[i].size, cases[i].body);
        fclose(f);
        struct rg_frontend_options o = {.file = file, .function = "f", .rtol = -1, .atol = -1};
        struct rg_problem *p = NULL;
        struct rg_ctree *t = NULL;
        struct rg_error err = RG_ERROR_INIT;
        if (rg_frontend_load(&o, &p, &t, &err) != RG_OK) fail_msg("%s: %s", cases[i].what, err.text);
        unlink(file);
        if (calls(t->root) == cases[i].levels)
            fail_msg("%s: %s", cases[i].what, cases[i].levels ? "it stays a call" : "it became loops over levels");
        bool must = false;
        for (int r = 0; r < p->n_require; r++) must = must || !strncmp(p->require_text[r], "536870912 % n", 13);
        if (must != cases[i].levels) fail_msg("%s: %s power of two is asked for", cases[i].what, must ? "a" : "no");
        rg_problem_free(p);
        rg_ctree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
