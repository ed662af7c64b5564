/* Pointers and numbers followed by value: which memory has a size that is an expression of the parameters, by what its
 * number holds at that place, and which has none, so that the function stays text. */
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

static const struct {
    const char *what, *helpers, *body; /* `w` is what a wrapper of malloc gives; y[i] must go by it */
    const char *extent;                /* of w; NULL: nobody knows */
} cases[] = {
    {"set, changed, set again", "", "int c = n; c = 2 * c; w = get(c * sizeof *w); c = x[0];", "2*n"},
    {"reset behind the loop that counts it", "",
     "int c = 0; for (int i = 0; i < n; i++) c++; c = n; w = get(c * sizeof *w);", "n"},
    {"counted by data", "", "int c = n; for (int i = 0; i < n; i++) c += x[i] > 0; w = get(c * sizeof *w);", NULL},
    {"one way or the other", "", "int c = n; if (x[0] > 0) c = 2 * n; w = get(c * sizeof *w);", NULL},
    {"alike on both ways", "", "int c; if (x[0] > 0) c = n; else c = n; w = get(c * sizeof *w);", "n"},
    {"set through its address", "static void put(int *to, int v) { *to = v; }",
     "int c; put(&c, n + 1); w = get(c * sizeof *w);", "n + 1"},
    {"set through its address, and through it again", "static void put(int *to, int v) { *to = v; }",
     "int c; put(&c, n); put(&c, x[0]); w = get(c * sizeof *w);", NULL},
    {"its address is kept", "static void put(int *to, int v) { int *also = to; *also = v; }",
     "int c = n; put(&c, x[0]); w = get(c * sizeof *w);", NULL},
    {"a member that is reset when all is over", "struct box { int c; float *at; };",
     "struct box b; b.c = n; b.at = get(b.c * sizeof *w); w = b.at; memset(&b, 0, sizeof b);", "n"},
    {"rounded up by a literal",
     "static void reach(float sigma, int *to) { int h = (int)ceilf(2.5f * sigma); *to = 2 * h + 1; }",
     "int c; reach(1.4f, &c); w = get((n + c) * sizeof *w);", "n + 9"},
    {"rounded where a float decides",
     "static void reach(float sigma, int *to) { int h = (int)ceilf(2.5f * sigma); *to = 2 * h + 1; }",
     "int c; reach(1.2f, &c); w = get((n + c) * sizeof *w);", "n + (2*whole + 1)"},
    {"rounded by data", "", "int c = (int)ceilf(y[0]); w = get((n + c) * sizeof *w);", NULL},
    {"the least power of two", "", "int c = 1; while (c < 2 * n) c <<= 1; w = get(c * sizeof *w);", "c"},
    {"a power of two from data on", "", "int c = 1; while (c < x[0]) c <<= 1; w = get(c * sizeof *w);", NULL},
    {"a jump forward past nothing that it needs", "",
     "int c = n; w = get(c * sizeof *w); if (x[0] > 5) goto out; c = 7; out: y[0] = c;", "n"},
    {"a jump from another value", "", "int c = n; if (x[0] > 5) goto on; c = 2 * n; on: w = get(c * sizeof *w);", NULL},
    {"a jump back", "", "int c = n, k = 0; again: c += 1; if (++k < x[0]) goto again; w = get(c * sizeof *w);", NULL},
    {"what another case sets", "",
     "int c = n; switch (x[0]) { case 0: c = 4; break; case 1: y[0] = 1; default: w = get(c * sizeof *w); }", NULL},
    {"what the case itself sets", "",
     "int c = n; switch (x[0]) { case 0: c = 4; break; case 1: break; } c = 3 * n; w = get(c * sizeof *w);", "3*n"},
    {"what a loop's step sets", "",
     "int c; for (c = n; w == NULL || c < n; c = 2 * n) { if (!w) w = get(c * sizeof *w); }", NULL},
    {"a counter that steps by more than one operator", "static int made;",
     "made = n; made += x[0]; made ^= 3; w = get(made * sizeof *w);", NULL},
    {"a counter that steps", "static int made;", "made = n; ++made; w = get(made * sizeof *w);", NULL},
    {"shifted constants", "enum { BITS = 4 };", "w = get((sizeof *w << BITS) + n * sizeof *w);", "16 + n"},
};

static struct rg_ctree *read_one(size_t i, struct rg_problem **p)
{
    char file[] = "/tmp/rg-followed-XXXXXX.c";
    int fd = mkstemps(file, 2);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fprintf(f,
            "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
            "static void *get(size_t bytes) { void *p = malloc(bytes); if (!p) exit(1); return p; }\n%s\n"
            "#pragma regraph size(n=50) input(x: uniform(0, n - 1))\n"
            "void f(int n, const int x[n], float y[n])\n{\n    float *w = NULL;\n    { %s }\n"
            "    for (int i = 0; i < n; i++) w[x[i]] = i * 0.5f;\n"
            "    for (int i = 0; i < n; i++) y[i] = w[x[n - 1 - i]];\n    free(w);\n}\n",
            cases[i].helpers, cases[i].body);
    fclose(f);
    struct rg_frontend_options o = {.file = file, .function = "f", .rtol = -1, .atol = -1};
    struct rg_ctree *t = NULL;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_frontend_load(&o, p, &t, &err) != RG_OK) fail_msg("%s: %s", cases[i].what, err.text);
    unlink(file);
    return t;
}

static void sizes(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rg_problem *p = NULL;
        struct rg_ctree *t = read_one(i, &p);
        const struct rg_expr *extent = NULL;
        struct rg_buf text = RG_BUF_INIT;
        for (int a = 0; a < t->n_arrays; a++)
            if (t->arrays[a].mallocd && rg__c_mentions_array(t->root, a)) extent = t->arrays[a].dims[0];
        if (extent) rg_expr_print(&text, extent, NULL, NULL);
        bool known = extent && cases[i].extent && strstr(text.data, cases[i].extent);
        if (cases[i].extent && !known)
            fail_msg("%s: the memory has %s elements, not %s", cases[i].what, extent ? text.data : "who knows how many",
                     cases[i].extent);
        if (!cases[i].extent && !rg__mentions_kind(t->root, RG_C_VERBATIM))
            fail_msg("%s: the memory has %s elements", cases[i].what, extent ? text.data : "no");
        rg_buf_release(&text);
        rg_problem_free(p);
        rg_ctree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
