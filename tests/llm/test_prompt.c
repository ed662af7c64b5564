/* Prompts: the embedded texts are the files, overrides are checked, values are never expanded, foreign text can't break
 * out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "llm/llm.h"
#include "llm_fixture.h"
#include <dirent.h>
#include <rg/file.h>
#include <rg/frontend.h>
#include <rg/poly.h>
#include <rg/regraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kernel; /* what kernel_template prints */
static enum rg_status kernel_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                         struct rg_error *err)
{
    *out = (struct rg_source){rg_xstrdup(kernel), rg_xstrdup("relax<<<ceil_div(n, 256), 256>>>(n);\n")};
    return RG_OK;
}
static const struct rg_template_ops kernel_ops = {.instantiate = kernel_instantiate, .free = parent_free};
static struct rg_template kernel_template = {.ops = &kernel_ops, .refs = 1 << 20, .coder = "llm", .key = (char *)"k"};

static void embedded_is_current(void **state)
{
    for (int i = 0; i < RG__N_PROMPTS; i++) {
        char path[128], *text;
        size_t n;
        snprintf(path, sizeof path, "llm/prompts/%s.txt", rg__prompt_name(i));
        assert_int_equal(rg_file_read(path, 0, &text, &n, NULL), RG_OK);
        if (strcmp(text, rg__prompt_builtin(i)))
            fail_msg("llm/prompts.inc is older than %s: run llm/embed-prompts.sh", path);
        free(text);
    }
    struct rg__prompts p; /* and passes its own check */
    struct rg_error err = RG_ERROR_INIT;
    if (rg__prompts_load(&p, "llm/prompts", &err) != RG_OK) fail_msg("%s", err.text);
    rg__prompts_release(&p);
}

static void expansion(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    const struct rg__var vars[] = {{"a", "A{{b}}"}, {"b", ""}, {"c", NULL}};
    rg__prompt_expand(&b, "x {{a}} {{#a}}yes{{/a}}{{#b}}no{{/b}}{{#c}}no {{a}}{{/c}} {{ {{not a tag}} {{", vars, 3);
    assert_string_equal(b.data, "x A{{b}} yes {{ {{not a tag}} {{");
    rg_buf_reset(&b);
    rg__prompt_expand(&b, "1\n{{#b}}\ngone\n{{/b}}\n{{#a}}\nkept\n{{/a}}\n2\n", vars, 3);
    assert_string_equal(b.data, "1\nkept\n2\n");
    rg_buf_release(&b);
}

static void overrides(void **state)
{
    char dir[] = "/tmp/rg-prompts-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    struct rg__prompts p;
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg__prompts_load(&p, dir, &err), RG_INPUT); /* none there */
    snprintf(path, sizeof path, "%s/step.txt", dir);
    assert_int_equal(rg_file_write(path, "do {{id}}", 9, NULL), RG_OK);
    rg_error_clear(&err);
    assert_int_equal(rg__prompts_load(&p, dir, &err), RG_OK);
    assert_string_equal(p.text[RG__PROMPT_STEP], "do {{id}}");
    assert_string_equal(p.text[RG__PROMPT_SYSTEM], rg__prompt_builtin(RG__PROMPT_SYSTEM));
    rg__prompts_release(&p);
    static const char *const bad[] = {"line one\n{{unknown}}", "x\n{{#id}} no end", "x\n{{/id}}",
                                      "x\n{{#id}}{{#hint}}{{/hint}}{{/id}}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rg_error_clear(&err);
        assert_int_equal(rg_file_write(path, bad[i], strlen(bad[i]), NULL), RG_OK);
        assert_int_equal(rg__prompts_load(&p, dir, &err), RG_INPUT);
        assert_int_equal(err.line, 2);
        assert_string_equal(err.file, path);
    }
    unlink(path);
    rmdir(dir);
}

static void fences_hold(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__fenced(&b, "c", "a\n```\nb\n````\n");
    assert_string_equal(b.data, "`````c\na\n```\nb\n````\n`````");
    rg_buf_release(&b);
}

static void problem_text(void **state)
{
    struct fixture f;
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    fixture_init(&f);
    f.p.function_source = "void f() { /* caf\xe9 \x01 {{device}} */ }";
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_problem(&b, &p, &f.p, NULL, RG__PROBLEM_WHOLE);
    assert_non_null(strstr(b.data, "caf?  {{device}}"));
    assert_null(strstr(b.data, "Device:"));
    assert_non_null(strstr(b.data, "- `x`: const float *, [n] elements, in\n"));
    const char *seen[8] = {NULL};
    for (int i = 0; i < f.p.n_params; i++)
        if (!strcmp(f.p.params[i].name, "x")) seen[i] = "0 .. 3, ascending by 0 .. 2, 1.5 on average";
    const struct rg__facts known = {.inputs = seen};
    rg_buf_reset(&b);
    rg__describe_problem(&b, &p, &f.p, &known, RG__PROBLEM_WHOLE);
    assert_non_null(strstr(b.data, "- `x`: const float *, [n] elements, in, when timed 0 .. 3, ascending by 0 .. 2, "
                                   "1.5 on average\n"));
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

/* What is said of precision follows what would be accepted. */
static void exactness_text(void **state)
{
    static const struct {
        unsigned allow;
        double rtol;
        const char *said;
    } cases[] = {{0, -1, "\nExactness: results far less exact than the C's own rounding are wrong."},
                 {RG_ALLOW_TF32, -1, "\nExactness: products of tf32 operands are accepted; "},
                 {RG_ALLOW_FAST_MATH, -1, "\nExactness: a relative error up to 0.0001 is accepted.\n"},
                 {0, 0.01, "\nExactness: a relative error up to 0.01 is accepted.\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct rg__prompts p;
        struct rg_buf b = RG_BUF_INIT;
        fixture_init(&f);
        f.p.oracle = RG_ORACLE_F64;
        f.p.oracle_c = "";
        f.p.allow = cases[i].allow;
        f.p.rtol = cases[i].rtol;
        f.p.atol = -1;
        assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
        rg__describe_problem(&b, &p, &f.p, NULL, RG__PROBLEM_WHOLE);
        assert_non_null(strstr(b.data, cases[i].said));
        rg_buf_reset(&b);
        for (int k = 0; k < f.p.n_params; k++)
            if (f.p.params[k].role != RG_ROLE_IN) f.p.params[k].elem = RG_I32;
        rg__describe_problem(&b, &p, &f.p, NULL, RG__PROBLEM_WHOLE);
        assert_null(strstr(b.data, "Exactness"));
        rg_buf_release(&b);
        rg__prompts_release(&p);
    }
}

static void step_text(void **state)
{
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    int64_t values[] = {16, 32, 64};
    struct rg_tunable t[] = {{.name = "TILE", .n_values = 3, .values = values},
                             {.name = "K", .n_values = 1, .values = values}};
    struct rg_step s = step_shared;
    s.tunables.n = 2;
    s.tunables.items = t;
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_step(&b, &p, &s, "program", NULL, "unroll, fuse", RG__REQUEST_WHOLE);
    assert_non_null(strstr(b.data, "# The step to apply: Stage tiles (tile.shared)\nStage reused tiles.\n"));
    assert_non_null(strstr(b.data, "work: TILE 16, 32 or 64; K 16 ("));
    assert_non_null(strstr(b.data, "Before:\n```\na\n```\nAfter:\n```\nb\n```\n"));
    assert_null(strstr(b.data, "Precondition"));
    assert_non_null(strstr(b.data, "begin your reply with `INSTEAD: its name`: unroll, fuse.\n"));
    assert_null(strstr(b.data, "{{"));
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

static void short_error(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__short_error(&b, "warning: w\nfoo.cu(3): error: one\n  x y\n    ^\nfoo.cu(4): error: two\n", 300);
    assert_string_equal(b.data, "foo.cu(3): error: one\n  x y\n    ^");
    rg_buf_reset(&b);
    rg__short_error(&b, "y[3] is 1, expected 2", 10);
    assert_string_equal(b.data, "y[3] is 1,");
    rg_buf_reset(&b);
    rg__short_error(&b, "", 10);
    assert_string_equal(b.data, "");
    char message[600];
    snprintf(message, sizeof message,
             "kernel relax, line 47, block (0,0,0), thread (3,0,0): %0400d (at rows=3, cols=5)", 0);
    rg__short_error(&b, message, 300);
    assert_in_range(b.len, 280, 310);
    assert_non_null(strstr(b.data, "line 47, block (0,0,0)"));
    assert_non_null(strstr(b.data, "(at rows=3, cols=5)")); /* sizes are what a guard is for */
    rg_buf_release(&b);
}

static void clean_text(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {{"a\tb\n", "a\tb\n"},
                 {"\x1b[31m\x7f", "[31m"},
                 {"\xc3\xa9", "\xc3\xa9"},
                 {"\xc3", "?"},
                 {"\xe0\x80\x80", "???"},
                 {"\xed\xa0\x80", "???"},
                 {"\xf4\x90\x80\x80", "????"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
                 {"\xc0\xaf", "??"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *s = rg__clean_text(cases[i].in, strlen(cases[i].in));
        assert_string_equal(s, cases[i].out);
        free(s);
    }
}

/* Of the file a model sees what the function needs and what its author says of it: neither helpers that nobody calls,
 * nor those of init. */
static void what_is_needed(void **state)
{
    static const char code[] =
        "#define UNUSED 77\n#define EPS 1e-6f\n/* nobody calls it */\nstatic float nobody(float x) { return x * 3; }\n"
        "static int hash(int i) { return (i * 1103515245 + 12345) & 0x7fffffff; }\nstatic float inner(float d) { "
        "return d < EPS ? 0 : d; }\n"
        "static float weight(float d) { return 1 / inner(d); }\nvoid init_f(int n, float *x) { for (int i = 0; i < n; "
        "i++) x[i] = hash(i); }\n"
        "/* not this one */\nint other; /* nor this */\n/* Relaxes u.\n *\n   The rim stays. */\n// one line "
        "more\n#pragma regraph size(n=100) init(init_f)\n"
        "void f(int n, const float *x, float *u)\n{\n    for (int i = 0; i < n; i++) u[i] = weight(x[i]);\n}\n";
    char path[] = "/tmp/rg-needed-XXXXXX.c";
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0 && write(fd, code, sizeof code - 1) == (ssize_t)(sizeof code - 1));
    close(fd);
    const struct rg_frontend_options o = {.file = path, .function = "f", .rtol = -1, .atol = -1};
    struct rg_problem *p;
    struct rg_ctree *tree;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_frontend_load(&o, &p, &tree, &err) != RG_OK) fail_msg("%s", err.text);
    static const char above[] = "/* Relaxes u.\n *\n   The rim stays. */\n// one line more\nvoid f(";
    if (strncmp(p->function_source, above, sizeof above - 1)) fail_msg("%s", p->function_source);
    static const char *const seen[] = {"EPS", "weight(", "inner("}, *const unseen[] = {"UNUSED", "nobody", "hash",
                                                                                       "init_f"};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) assert_non_null(strstr(p->context_source, seen[i]));
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) assert_null(strstr(p->context_source, unseen[i]));
    unlink(path);
    if (tree) rg_ctree_free(tree);
    rg_problem_free(p);
}

/* Macros that macros name, those of the user's headers, and declarations that any of these name; no other. */
static void what_macros_need(void **state)
{
    static const char header[] = "#define WALL (SOLID + 0)\n#define HIDDEN 1\n",
                      code[] = "#include \"rg-needed-macros.h\"\n#define SOLID 1 // of flags\n#define N 77\n"
                               "#define FLUID(i) (flag[i] != WALL)\n#define DEBUG_LEVEL 2\n"
                               "typedef struct { int levels; } stats;\ntypedef enum { RED, BLACK } color;\n"
                               "typedef double real;\ntypedef struct {\n    real w;\n}\nweights;\n"
                               "static const weights table[2] = {{1}, {2}};\n#define WEIGHT(k) table[k].w\n"
                               "static int unrelated[4];\n"
                               "#pragma regraph size(n=100)\nvoid f(int n, const int *flag, double *u)\n{\n#if "
                               "DEBUG_LEVEL > 3\n    n--;\n#endif\n"
                               "    for (int i = 0; i < n; i++)\n"
                               "        if (FLUID(i)) u[i] = WEIGHT(BLACK); // HIDDEN\n}\n";
    char dir[] = "/tmp/rg-needed-XXXXXX", path[64], with[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/f.c", dir);
    snprintf(with, sizeof with, "%s/rg-needed-macros.h", dir);
    assert_int_equal(rg_file_write(path, code, sizeof code - 1, NULL), RG_OK);
    assert_int_equal(rg_file_write(with, header, sizeof header - 1, NULL), RG_OK);
    const struct rg_frontend_options o = {.file = path, .function = "f", .rtol = -1, .atol = -1};
    struct rg_problem *p;
    struct rg_ctree *tree;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_frontend_load(&o, &p, &tree, &err) != RG_OK) fail_msg("%s", err.text);
    assert_string_equal(p->context_source,
                        "#define WALL (SOLID + 0)\n#define SOLID 1 // of flags\n#define FLUID(i) (flag[i] != WALL)\n"
                        "#define DEBUG_LEVEL 2\n#define WEIGHT(k) table[k].w\n"
                        "typedef enum { RED, BLACK } color;\ntypedef double real;\n"
                        "typedef struct {\n    real w;\n}\nweights;\nstatic const weights table[2] = {{1}, {2}};\n");
    unlink(path);
    unlink(with);
    rmdir(dir);
    if (tree) rg_ctree_free(tree);
    rg_problem_free(p);
}

/* What is known of loops is told in the C's own words: its lines and names, each line once, and of a reduction that it
 * is all that is in the way. */
static void loops_in_words_of_the_c(void **state)
{
    static const char code[] =
        "static double around(int n, const double u[n], int i) { return u[i - 1] + u[i + 1]; }\n"
        "/* Relaxes u. */\n#pragma regraph size(n=100)\n"
        "int f(int n, const int flag[n], double u[n], double *res)\n{\n    int rounds = 0;\n    double change;\n"
        "    for (int i = 0; i < n; i++) u[i] *= 0.5; // halves\n    do {\n        change = 0;\n"
        "        for (int color = 0; color < 2; color++) {\n"
        "            for (int i = 1 + color; i < n - 1; i += 2) {\n                if (flag[i]) continue;\n"
        "                double d = 0.5 * around(n, u, i) - u[i];\n                u[i] += d;\n"
        "                if (d > change) change = d;\n            }\n        }\n        rounds++;\n"
        "    } while (change > 1e-6 && rounds < 50);\n    *res = change;\n    return rounds;\n}\n";
    char path[] = "/tmp/rg-loops-XXXXXX.c";
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0 && write(fd, code, sizeof code - 1) == (ssize_t)(sizeof code - 1));
    close(fd);
    const struct rg_frontend_options o = {.file = path, .function = "f", .rtol = -1, .atol = -1};
    struct rg_problem *p;
    struct rg_ctree *tree;
    struct rg_coder c;
    struct rg_buf b = RG_BUF_INIT;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_frontend_load(&o, &p, &tree, &err) != RG_OK) fail_msg("%s", err.text);
    assert_int_equal(rg_poly_new(p, tree, &c, NULL), RG_OK);
    rg_poly_loop_facts(&c, &b);
    assert_string_equal(
        b.data, "    `for (int i = 0; i < n; i++) u[i] *= 0.5;`: parallel\n"
                "    `do`: sequential: output dependence on change: `if (d > change) change = d;`\n"
                "        `for (int color = 0; color < 2; color++)`: sequential: flow dependence on u: line 1 and "
                "`u[i] += d;`\n"
                "            `for (int i = 1 + color; i < n - 1; i += 2)`: parallel but for a reduction (max) to "
                "change: `if (d > change) change = d;`\n");
    rg_buf_release(&b);
    c.free(c.self);
    unlink(path);
    rg_ctree_free(tree);
    rg_problem_free(p);
}

/* Errors stand with the line they are about; all those of a plan are told. */
static void errors_with_lines(void **state)
{
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    const struct rg_attempt a[] = {
        {"line one\n  s[t] = x[i];\n", "int k = 1;\n  k<<<q, 1>>>(z);\n", RG_OUTCOME_PLAN,
         "plan:2:7: unknown name 'q'\nplan:2:15: 'z' is no buffer"},
        {"line one\n  s[t] = x[i];\n", "", RG_OUTCOME_RACE, "race: write at line 2 against the read at line 1"}};
    const struct rg_hint h = {.n_attempts = 2, .attempts = a};
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_attempts(&b, &p, &h, RG__REQUEST_WHOLE);
    assert_non_null(strstr(
        b.data, "- plan: plan:2:7: unknown name 'q'\n    plan:2:15: 'z' is no buffer\n    line 2: k<<<q, 1>>>(z);\n"));
    assert_non_null(strstr(
        b.data,
        "- race: race: write at line 2 against the read at line 1\n    line 2: s[t] = x[i];\n    line 1: line one\n"));
    rg_buf_reset(&b); /* the line of constants that stands before a model's plan is not the model's */
    const struct rg_attempt own = {"#define T 3\n",
                                   "int T = 3; // constants of the device code\nint k = 1;\nk<<<q, T>>>(z);\n",
                                   RG_OUTCOME_PLAN, "plan:3:5: unknown name 'q'\nplan:3:13: 'z' is no buffer"};
    const struct rg_hint once = {.n_attempts = 1, .attempts = &own};
    rg__describe_attempts(&b, &p, &once, RG__REQUEST_WHOLE);
    assert_non_null(strstr(b.data, "- plan: plan:2:5: unknown name 'q'\n    plan:2:13: 'z' is no buffer\n    line 2: "
                                   "k<<<q, T>>>(z);\n"));
    assert_non_null(strstr(b.data, "```plan\nint k = 1;\nk<<<q, T>>>(z);\n```"));
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

/* By what a step is known is told; those that say only what for ask for no single step. */
static void step_is_known_by(void **state)
{
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    struct rg_step how = {.id = "unroll",
                          .poly = "unroll",
                          .check_pattern = "#pragma\\s+unroll",
                          .check_change = RG_CHECK_RISES},
                   free_step = {.id = "improve", .check_pattern = ";", .check_change = RG_CHECK_CHANGES};
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_step(&b, &p, &how, "program", NULL, "", RG__REQUEST_WHOLE);
    assert_non_null(strstr(b.data, "\nApply this one step and keep everything else as it is"));
    assert_non_null(strstr(b.data, "if in code or plan matches of the regular expression `#pragma\\s+unroll` become "
                                   "more; else it is kept as something else.\nReply with"));
    rg_buf_reset(&b);
    rg__describe_step(&b, &p, &free_step, "program", NULL, "", RG__REQUEST_WHOLE);
    assert_null(strstr(b.data, "this one step"));
    assert_null(strstr(b.data, "regular expression"));
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

/* What limits the current version is said in words: blocks against multiprocessors, shares of kernels, what was tried.
 */
static void facts_of_current(void **state)
{
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    const struct rg_source src = {(char *)"int T;\n",
                                  (char *)"int T = 3; // constants of the device code\nk<<<T, 1>>>();\n"};
    struct rg_evaluation e = {.outcome = RG_OUTCOME_OK,
                              .time_us = 10,
                              .n_counters = 9,
                              .counters = {{"regs", 32},
                                           {"launches", 8},
                                           {"waits", 7},
                                           {"blocks", 61},
                                           {"share_a", 0.75},
                                           {"share_b", 0.246},
                                           {"share_c", 0.004},
                                           {"most_threads", 1024},
                                           {"one_thread_share", 0}}};
    const struct rg_tried tried[] = {
        {"unroll", RG_OUTCOME_OK, 1.5}, {"fuse", RG_OUTCOME_OK, 0.9}, {"tile", RG_OUTCOME_RACE, 0}};
    const struct rg_hint h = {.evaluation = &e, .naive_us = 40, .best_us = 5, .n_tried = 3, .tried = tried};
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_current(&b, &p, &src, &h, 132, RG__REQUEST_WHOLE);
    assert_non_null(strstr(b.data, "Time: 10 us; the naive kernel takes 40 us, the best so far 5 us\n"));
    assert_non_null(
        strstr(b.data, "Launches: the largest has 61 blocks for 132 multiprocessors, 8 in all, the plan waits for the "
                       "device 7 times to read what it goes by, a 75%, b 25%\n"));
    assert_null(strstr(b.data, "waits 7"));
    assert_non_null(strstr(b.data, "Counters: regs 32\n")); /* once each, and nothing that is the report's alone */
    assert_non_null(strstr(b.data, "Tried here: gained: unroll 1.50x; no gain: fuse 0.90x, tile race\n"));
    assert_non_null(strstr(b.data, "```plan\nk<<<T, 1>>>();\n```")); /* as the model wrote it */
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

/* What two attempts in a row have in common is said once. */
static void same_error_once(void **state)
{
    struct rg__prompts p;
    struct rg_attempt attempts[] = {
        {(char *)"int a;\n", (char *)"k<<<1, 1>>>(x);\n", RG_OUTCOME_PLAN, (char *)"plan:1:13: unknown name 'x'"},
        {(char *)"int b;\n", (char *)"k<<<1, 1>>>(x);\n", RG_OUTCOME_PLAN, (char *)"plan:1:13: unknown name 'x'"}};
    const struct rg_hint h = {.n_attempts = 2, .attempts = attempts};
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    for (int same = 1; same >= 0; same--) {
        struct rg_buf b = RG_BUF_INIT;
        if (!same) attempts[1].message = (char *)"plan:1:13: unknown name 'y'";
        rg__describe_attempts(&b, &p, &h, RG__REQUEST_WHOLE);
        const char *first = strstr(b.data, "unknown name 'x'");
        assert_non_null(first);
        assert_int_equal(strstr(b.data, "\n- the same once more\n") != NULL, same);
        assert_int_equal(strstr(b.data, "unknown name 'y'") != NULL, !same);
        assert_null(strstr(first + 1, "unknown name 'x'"));
        rg_buf_release(&b);
    }
    rg__prompts_release(&p);
}

/* The worked example is one of the problem's kind, or none is shown. */
static void worked_examples_fit(void **state)
{
    static const struct {
        uint32_t traits;
        const char *shown; /* NULL: none */
    } cases[] = {
        {RG_TRAIT_CARRIED | RG_TRAIT_STENCIL | RG_TRAIT_FP32 | RG_TRAIT_REUSE, "anti-diagonal"}, /* an alignment */
        {RG_TRAIT_CARRIED | RG_TRAIT_STENCIL | RG_TRAIT_INTEGER, "anti-diagonal"},
        {RG_TRAIT_STENCIL | RG_TRAIT_TIME_LOOP | RG_TRAIT_FP32, "Smoothing"},
        {RG_TRAIT_STENCIL | RG_TRAIT_IRREGULAR | RG_TRAIT_CARRIED | RG_TRAIT_FP64, "Smoothing"},
        {RG_TRAIT_INDIRECT | RG_TRAIT_IRREGULAR | RG_TRAIT_FP32, "Shortest distances"},
        {RG_TRAIT_STENCIL | RG_TRAIT_PARALLEL | RG_TRAIT_FP32, NULL}}; /* a filter: one launch does it */
    struct rg__prompts prompts;
    assert_int_equal(rg__prompts_load(&prompts, NULL, NULL), RG_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rg_problem p = {.traits = cases[i].traits};
        struct rg_buf b = RG_BUF_INIT;
        rg__describe_root(&b, &prompts, &p, NULL, RG__REQUEST_WHOLE);
        assert_int_equal(strstr(b.data, "worked example") != NULL, cases[i].shown != NULL);
        if (cases[i].shown && !strstr(b.data, cases[i].shown)) fail_msg("%zu: %s", i, b.data);
        rg_buf_release(&b);
    }
    rg__prompts_release(&prompts);
}

/* Rules, problem, worked example and any step of the graph together: at most 3000 tokens (3.5 bytes each) for functions
 * of 60 lines, beside the version that is shown. */
#define OTHERS "coarsen.register, histogram.private, tile.two.level, prefetch.register, wavefront, grid.sync, improve"
static void assert_short(const struct rg_problem *p, const struct rg_regraph *g, const char *name)
{
    enum { MOST = 3000 };
    struct rg__prompts prompts;
    struct rg_buf fixed = RG_BUF_INIT, b = RG_BUF_INIT;
    int lines = 0;
    for (const char *s = p->function_source; *s; s++) lines += *s == '\n';
    for (const char *s = p->context_source; *s; s++) lines += *s == '\n';
    if (lines > 60) return;
    assert_int_equal(rg__prompts_load(&prompts, NULL, NULL), RG_OK);
    const struct rg__facts known = {
        "sim:h200, sm_90, 132 multiprocessors, copy bandwidth 4.28 TB/s, fp32 66.9 TFLOP/s, at most 227 KB of shared "
        "memory a block, "
        "65536 registers a multiprocessor, L2 50 MB; nothing takes less than 0.00373 us on it",
        NULL, NULL};
    rg_buf_str(&fixed, prompts.text[RG__PROMPT_SYSTEM]);
    rg__describe_problem(&fixed, &prompts, p, &known, RG__PROBLEM_WHOLE);
    rg__describe_root(&fixed, &prompts, p, NULL, RG__REQUEST_WHOLE);
    for (int i = 0; i < rg_regraph_steps(g); i++) {
        rg_buf_reset(&b);
        rg__describe_step(&b, &prompts, rg_regraph_step(g, i), "program", NULL, OTHERS, RG__REQUEST_WHOLE);
        double tokens = (double)(fixed.len + b.len) / 3.5;
        if (tokens > MOST) fail_msg("%s, %s: some %.0f tokens", name, rg_regraph_step(g, i)->id, tokens);
    }
    rg_buf_release(&fixed);
    rg_buf_release(&b);
    rg__prompts_release(&prompts);
}

/* With --llm-context 8192 every step's request of every example fits, at the root and with a kernel and a failed
 * attempt. */
static void examples_fit_a_small_context(void **state)
{
    enum { CONTEXT = 8192, REPLY = 2048 };
    struct rg_regraph *g;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_regraph_load("graphs/cuda.json", &g, &err) != RG_OK) fail_msg("%s", err.text);
    char *text, *start, *end;
    size_t n;
    assert_int_equal(rg_file_read("tests/llm/bfs/queue_warp.txt", 0, &text, &n, NULL), RG_OK);
    start = strstr(text, "```cuda\n") + 8;
    end = strstr(start, "```");
    char *cuda = rg_xstrndup(start, (size_t)(end - start));
    kernel = cuda;
    const struct rg_attempt attempts[] = {
        {cuda, "relax<<<1, 1>>>(n);\n", RG_OUTCOME_COMPILE,
         "candidate.cu(3): error: identifier \"x\" is undefined\n    x = 1;\n    ^"},
        {cuda, "relax<<<1, 1>>>(n);\n", RG_OUTCOME_WRONG, "level[7] is 3, expected 2 (n=1009)"}};
    DIR *d = opendir("examples");
    int examples = 0, requests = 0;
    for (struct dirent *e; (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        if (len < 3 || strcmp(e->d_name + len - 2, ".c")) continue;
        char path[300], dir[] = "/tmp/rg-context-XXXXXX", command[64];
        snprintf(path, sizeof path, "examples/%s", e->d_name);
        assert_non_null(mkdtemp(dir));
        const struct rg_frontend_options f = {.file = path, .rtol = -1, .atol = -1};
        struct rg_problem *p;
        struct rg_ctree *tree;
        rg_error_clear(&err);
        if (rg_frontend_load(&f, &p, &tree, &err) != RG_OK) fail_msg("%s: %s", path, err.text);
        assert_short(p, g, path);
        const struct rg_llm_options o = {
            .defer = dir,
            .model = "m",
            .temperature = -1,
            .context = CONTEXT,
            .max_calls = 1 << 20,
            .device_facts = "NVIDIA H200, sm_90, 132 multiprocessors, copy bandwidth 4.10 TB/s, fp32 67.0 TFLOP/s"};
        struct rg_coder c;
        if (rg_llm_new(&o, p, &c, &err) != RG_OK) fail_msg("%s: %s", path, err.text);
        for (int i = 0; i < 2 * rg_regraph_steps(g); i++) {
            struct rg_answer a;
            bool got, with_parent = i & 1;
            struct rg_evaluation ev = {
                .limiter = RG_LIMIT_DRAM, .n_counters = 2, .counters = {{"regs", 32}, {"occupancy", 0.5}}};
            struct rg_hint h = {
                .evaluation = with_parent ? &ev : NULL, .n_attempts = with_parent ? 2 : 0, .attempts = attempts};
            assert_int_equal(c.submit(c.self, i, with_parent ? &kernel_template : NULL, rg_regraph_step(g, i / 2),
                                      "program", &h, &err),
                             RG_OK);
            assert_int_equal(c.poll(c.self, 1, &a, &got, &err), RG_OK);
            assert_true(got);
            if (a.status != RG_DEFERRED) fail_msg("%s, %s: %s", path, rg_regraph_step(g, i / 2)->id, a.message);
            requests++;
        }
        c.free(c.self);
        DIR *written = opendir(dir);
        for (struct dirent *r; (r = readdir(written));) {
            char *request;
            snprintf(path, sizeof path, "%s/%s", dir, r->d_name);
            if (strlen(r->d_name) != 69 || rg_file_read(path, 0, &request, &n, NULL) != RG_OK) continue;
            if (n > (size_t)(CONTEXT - REPLY) * 3 * 11 / 10)
                fail_msg("%s: a request of %zu bytes", e->d_name, n); /* a tenth is JSON */
            free(request);
        }
        closedir(written);
        snprintf(command, sizeof command, "rm -r %s", dir);
        assert_int_equal(system(command), 0);
        if (tree) rg_ctree_free(tree);
        rg_problem_free(p);
        examples++;
    }
    closedir(d);
    assert_true(examples >= 12);
    assert_int_equal(requests, examples * 2 * rg_regraph_steps(g));
    rg_regraph_free(g);
    free(cuda);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedded_is_current), cmocka_unit_test(expansion),
        cmocka_unit_test(overrides),           cmocka_unit_test(fences_hold),
        cmocka_unit_test(problem_text),        cmocka_unit_test(exactness_text),
        cmocka_unit_test(step_text),           cmocka_unit_test(short_error),
        cmocka_unit_test(clean_text),          cmocka_unit_test(what_is_needed),
        cmocka_unit_test(what_macros_need),    cmocka_unit_test(loops_in_words_of_the_c),
        cmocka_unit_test(errors_with_lines),   cmocka_unit_test(step_is_known_by),
        cmocka_unit_test(facts_of_current),    cmocka_unit_test(same_error_once),
        cmocka_unit_test(worked_examples_fit), cmocka_unit_test(examples_fit_a_small_context)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
