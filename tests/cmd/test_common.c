/* The programs' shared option parser. cmd/ is no library, so the unit is taken in as it is. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "cmd/common.c"
#include "cmd/describe.c"

static struct values {
    bool quiet, learn;
    const char *out, *coder;
    struct rg_strings sizes;
    int64_t evals;
    double ratio, time;
} v;

static const struct rg_option options[] = {
    RG_OPTION_HEADING("First"),
    RG_OPTION_FLAG("quiet", 'q', &v.quiet, "says less"),
    RG_OPTION_CLEAR("no-learn", &v.learn, "leaves the graph alone"),
    RG_OPTION_TEXT("out", 'o', &v.out, "DIR", "where\nthings go"),
    RG_OPTION_HEADING("Second"),
    RG_OPTION_LIST("size", 's', &v.sizes, "n=N", "sizes"),
    RG_OPTION_INT("evals", 'n', &v.evals, "N", 1, 1000, "how many"),
    RG_OPTION_REAL("ratio", 0, &v.ratio, "R", 0, 1, "how much"),
    RG_OPTION_SECONDS("time", 't', &v.time, "T", "how long"),
    RG_OPTION_CHOICE("coder", 0, &v.coder, "poly|llm|both", "who"),
};
static const struct rg_command command = {.name = "regraph-test",
                                          .example = "regraph-test x",
                                          .usage = "FILE...",
                                          .options = options,
                                          .n_options = RG_N_OPTIONS(options),
                                          .min_args = 1,
                                          .max_args = 2};

static struct rg_strings args;

/* Words separated by blanks; the exit code, -1 to go on. */
static int parse(const char *line)
{
    static char text[512];
    static char *argv[32];
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    argv[0] = text;
    for (char *p = strtok(text, " "); p; p = strtok(NULL, " ")) argv[argc++] = p;
    rg_strings_release(&args);
    rg_strings_release(&v.sizes);
    v = (struct values){.learn = true, .evals = 200, .coder = "both"};
    return rg_cmd_parse(&command, argc, argv, 1, &args);
}

static void test_values(void **state)
{
    assert_int_equal(
        parse("-q a.c --out=x -s n=1 --size n=2 -sn=3 --evals 7 --ratio .5 -t 10min --no-learn --coder llm b.c"), -1);
    assert_true(v.quiet && !v.learn);
    assert_string_equal(v.out, "x");
    assert_int_equal(v.sizes.n, 3);
    assert_string_equal(v.sizes.items[2], "n=3");
    assert_int_equal(v.evals, 7);
    assert_true(v.ratio == 0.5 && v.time == 600);
    assert_string_equal(v.coder, "llm");
    assert_int_equal(args.n, 2);
    assert_string_equal(args.items[1], "b.c");
    assert_int_equal(parse("-- -q"), -1); /* after -- everything is an argument */
    assert_false(v.quiet);
    assert_string_equal(args.items[0], "-q");
    assert_int_equal(parse("-"), -1);
    assert_string_equal(args.items[0], "-");
    assert_int_equal(parse("a --out= b"), -1);
    assert_string_equal(v.out, "");
    assert_int_equal(parse("a --out -q"), -1); /* a value may begin with a dash */
    assert_string_equal(v.out, "-q");
}

static void test_misuse(void **state)
{
    static const char *const lines[] = {"",
                                        "a b c",
                                        "a --nope",
                                        "a --evalsx 3",
                                        "a --eval 3",
                                        "a -z",
                                        "a --evals",
                                        "a --evals x",
                                        "a --evals 3.5",
                                        "a --evals 0",
                                        "a --evals 1001",
                                        "a --evals 99999999999999999999",
                                        "a --ratio 1.1",
                                        "a --ratio nan",
                                        "a --ratio inf",
                                        "a --ratio",
                                        "a --quiet=1",
                                        "a --time soon",
                                        "a --time -1",
                                        "a --coder gpt",
                                        "a --coder poly|llm",
                                        "a --coder="};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (parse(lines[i]) != RG_EXIT_USAGE) fail_msg("accepted: %s", lines[i]);
}

static void test_seconds(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"90", 90},  {"90s", 90},   {"1.5h", 5400}, {"500ms", 0.5}, {"10min", 600},
                {"2m", 120}, {"1d", 86400}, {"0", 0},       {".5", 0.5}};
    static const char *const bad[] = {"", "s", "-1", "+1", "nan", "inf", "1e999", "10 min", "5years", "0x10s "};
    double s;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (!rg_cmd_seconds(good[i].text, &s) || s != good[i].seconds) fail_msg("%s", good[i].text);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (rg_cmd_seconds(bad[i], &s)) fail_msg("%s gave %g", bad[i], s);
}

static void test_help(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    rg_cmd_help(&command, f);
    fclose(f);
    assert_string_equal(text, "Example:\n  regraph-test x\n\nUsage: regraph-test FILE...\n"
                              "\nFirst:\n"
                              "  -q, --quiet                 says less\n"
                              "      --no-learn              leaves the graph alone\n"
                              "  -o, --out DIR               where\n"
                              "                              things go\n"
                              "\nSecond:\n"
                              "  -s, --size n=N              sizes\n"
                              "  -n, --evals N               how many\n"
                              "      --ratio R               how much\n"
                              "  -t, --time T                how long\n"
                              "      --coder poly|llm|both   who\n"
                              "  -h, --help                  this text\n"
                              "      --version               the program's version\n"
                              "      --describe man|bash|zsh|fish\n"
                              "                              the manual page, or the completions of a shell\n");
    free(text);
}

static void test_colour(void **state)
{
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    assert_false(rg_cmd_color(stdout));
    assert_string_equal(rg_cmd_paint(stdout, "1", "text"), "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_misuse),
                                       cmocka_unit_test(test_seconds), cmocka_unit_test(test_help),
                                       cmocka_unit_test(test_colour)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rg_strings_release(&args);
    rg_strings_release(&v.sizes);
    return failed;
}
