/* Sums that are given up once they are too large: which are summed up to their end, as their type holds all of it. */
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

static char *tree_of(const char *type, const char *element, const char *body, const char *behind)
{
    char path[] = "/tmp/test_pruned_XXXXXX.c";
    int fd = mkstemps(path, 2);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fprintf(f,
            "#include <stdlib.h>\n#pragma regraph size(n=50, m=20) extent(a: n*m) extent(b: m)\n"
            "int prog(int n, long m, const %s *a, const %s *b)\n"
            "{\n    int who = -1;\n    %s best = 100;\n    for (int i = 0; i < n; i++) {\n        %s s = 0;\n"
            "        int left = 0;\n%s\n%s\n    }\n    return who + (best > 3) ;\n}\n",
            element, element, type, type, body, behind);
    fclose(f);
    const struct rg_frontend_options o = {.file = path, .rtol = -1, .atol = -1};
    struct rg_problem *p = NULL;
    struct rg_ctree *t = NULL;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
    unlink(path);
    if (st != RG_OK) fail_msg("%s: %s", body, err.text);
    struct rg_buf text = RG_BUF_INIT;
    rg_frontend_explain(&text, p, t);
    char *s = strdup(text.data);
    rg_buf_release(&text);
    rg_problem_free(p);
    rg_ctree_free(t);
    return s;
}

#define LESS "if (s < best) { best = s; who = i; }"
#define UNLESS "if (!left) { best = s; who = i; }"
#define OVER(term) "for (long k = 0; k < m; k++) { " term " if (s >= best) break; }"
#define FLAG(term) "for (long k = 0; k < m; k++) { " term " if (s >= best) { left = 1; break; } }"
#define A "a[i * m + k]"

static const struct {
    const char *type, *element, *loop, *behind;
    bool taken;
} loops[] = {
    {"int", "short", OVER("s += abs(" A " - b[k]);"), LESS, true},
    {"long", "short", OVER("int d = " A " - b[k]; if (d < 0) d = -d; s += d;"), LESS, true},
    {"long", "short", OVER("int d = " A " - b[k]; s += d > 0 ? d : -d;"), LESS, true},
    {"unsigned", "unsigned char", OVER("s += " A " > b[k] ? " A " - b[k] : b[k] - " A ";"), LESS, true},
    {"int", "signed char", OVER("s += (" A " - b[k]) * (" A " - b[k]);"), LESS, true},
    {"int", "unsigned char", OVER("s += __builtin_popcount(" A " ^ b[k]);"), LESS, true},
    {"int", "int", OVER("s += " A " != b[k];"), LESS, true},
    {"int", "int", OVER("if (" A " != b[k]) s++;"), LESS, true},
    {"int", "short", FLAG("s += abs(" A " - b[k]);"), UNLESS, true},
    {"int", "short", FLAG("s += abs(" A " - b[k]);"), "if (left == 0) { best = s; who = i; if (!best) break; }", true},
    {"float", "short", OVER("s += (float)abs(" A " - b[k]);"), LESS, true},
    /* a term that may be negative, or leave its type; a sum that may; a step of another kind; what data lead */
    {"int", "short", OVER("s += " A " - b[k];"), LESS, false},
    {"int", "int", OVER("s += abs(" A " - b[k]);"), LESS, false},
    {"long", "short", OVER("int d = " A " * b[k] * 2; s += d * d;"), LESS, false},
    {"int", "unsigned short", OVER("s += " A " * " A ";"), LESS, false},
    {"long", "short", OVER("int d = " A " - b[k]; s += d < 5 ? -d : d;"), LESS, false},
    {"long", "short", OVER("int d = " A " - b[k]; if (d < 5) d = -d; s += d;"), LESS, false},
    {"long", "short", OVER("int d = " A " - b[k]; s += d; if (d < 0) d = -d;"), LESS, false},
    {"unsigned", "unsigned", OVER("s += " A " > b[k] ? " A " - b[k] : b[k] - " A ";"), LESS, false},
    {"int", "short", OVER("s += abs(" A "); s /= 2;"), LESS, false},
    {"int", "unsigned char", OVER("s += b[" A "];"), LESS, false},
    /* asked in front of the last step, or not always; the flag is asked for more; numbers that may be none */
    {"int", "short", FLAG("") " s += 1;", UNLESS, false},
    {"int", "short", "for (long k = 0; k < m; k++) { if (s >= best) { left = 1; break; } s += abs(" A "); }", UNLESS,
     false},
    {"int", "short", "for (long k = 0; k < m; k++) { s += abs(" A "); if (k > 3) if (s >= best) { left = 1; break; } }",
     UNLESS, false},
    {"int", "short", FLAG("s += abs(" A " - b[k]);"), "if (!left) { best = s; who = i; } who += left;", false},
    {"float", "float", FLAG("s += " A " * " A ";"), UNLESS, false},
};

static void test_loops(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char *text = tree_of(loops[i].type, loops[i].element, loops[i].loop, loops[i].behind);
        const char *tree = strstr(text, "loop tree");
        bool taken = tree && !strstr(tree, "break") && !strstr(tree, "go_on") && !strstr(tree, "round") &&
                     !strstr(tree, "opaque");
        if (taken != loops[i].taken) fail_msg("%s: %s\n%s", loops[i].loop, taken ? "taken" : "not taken", text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
