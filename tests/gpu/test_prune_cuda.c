/* A search with --prune on a real GPU: what it says it pruned is what its journal holds. Skips without one.
 * test-deadline: 600 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <libgen.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/regraph-prune-XXXXXX", programs[1000];

static int setup(void **state)
{
    return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

/* A random walk over the steps of a product whose best takes some ms and whose naive kernel many times that: it comes
 * back to slow candidates when better ones are known, so estimates have something to keep from being timed. */
static int search(const char *out, const char *options)
{
    char *command =
        rg_xasprintf("%s/regraph-search examples/sgemm.c --size n=4096 --policy random --seed 3 --device cuda:0 "
                     "--patience 0 --time 100s --no-learn --json --quiet --out %s/%s %s >%s/%s.json 2>%s/%s.err",
                     programs, dir, out, options, dir, out, dir, out);
    int rc = system(command);
    free(command);
    assert_true(WIFEXITED(rc));
    return WEXITSTATUS(rc);
}

static char *text_of(const char *name)
{
    char path[200], *text = NULL;
    size_t len;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (rg_file_read(path, 0, &text, &len, NULL) != RG_OK) fail_msg("no %s", path);
    return text;
}

/* The first number behind "name": from `at` on; -1: none. */
static long number(const char *at, const char *name)
{
    char key[60];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *p = at ? strstr(at, key) : NULL;
    return p ? strtol(p + strlen(key), NULL, 10) : -1;
}

/* Lines of that kind that hold the text. */
static long lines_with(const char *journal, const char *kind, const char *says)
{
    long n = 0;
    for (const char *p = journal, *end; (end = strchr(p, '\n')); p = end + 1) {
        char *line = rg_xstrndup(p, (size_t)(end - p));
        n += strstr(line, kind) && strstr(line, says);
        free(line);
    }
    return n;
}

static long all_outcomes(const char *json)
{
    const char *p = strstr(json, "\"outcomes\":"), *end = p ? strchr(p, '}') : NULL;
    long n = 0;
    for (p = p ? strchr(p, '{') : NULL; p && (p = strchr(p + 1, ':')) && p < end;) n += strtol(p + 1, NULL, 10);
    return n;
}

static void check_counts(const char *name, bool must_be_on)
{
    char path[100];
    snprintf(path, sizeof path, "%s.json", name);
    char *json = text_of(path);
    snprintf(path, sizeof path, "%s/journal.jsonl", name);
    char *journal = text_of(path), *prune = strstr(json, "\"prune\":");
    assert_non_null(prune);
    bool on = !strncmp(strstr(prune, "\"on\":") + 5, " true", 5);
    long pruned = number(prune, "pruned"), measured = number(prune, "measured"),
         faster = number(prune, "faster_than_estimated"), evaluations = number(json, "evaluations");
    print_message("%s: %ld evaluations, %ld pruned, %ld timed all the same, %ld of them faster than estimated; %.*s\n",
                  name, evaluations, pruned, measured, faster, 200, strstr(prune, "\"how\""));
    if (must_be_on && !on) { /* no file describes this GPU: then nothing is pruned, and it says so */
        assert_non_null(strstr(prune, "no file in runtime/devices describes"));
        print_message("not a GPU that estimates are made for\n");
    }
    assert_int_equal(all_outcomes(json), evaluations);
    assert_int_equal(lines_with(journal, "\"line\":\"eval\"", "\"outcome\""), evaluations);
    assert_int_equal(lines_with(journal, "\"line\":\"eval\"", "\"outcome\":\"pruned\""), pruned);
    assert_int_equal(lines_with(journal, "\"line\":\"eval\"", "\"prune_low_us\""), measured);
    assert_true(faster >= 0 && faster <= measured);
    if (on)
        assert_true(pruned + measured > 0); /* else this shows nothing */
    else
        assert_int_equal(pruned + measured, 0);
    assert_int_equal(lines_with(journal, "\"line\":\"result\"", "\"outcome\":\"pruned\",\"measured\":true"),
                     lines_with(journal, "\"line\":\"result\"", "\"outcome\":\"pruned\""));
    assert_int_equal(lines_with(journal, "\"outcome\":\"pruned\"", "\"credit\":true"), 0);
    assert_int_equal(lines_with(journal, "\"line\":\"evidence\"", "pruned"), 0);
    free(json);
    free(journal);
}

static void counts_add_up(void **state)
{
    int rc = search("on", "--prune on --evals 60");
    if (rc == 4) skip();
    assert_int_equal(rc, 0);
    check_counts("on", true);
    char *command = rg_xasprintf(
        "%s/regraph-replay %s/on/journal.jsonl --graph %s/on/graph-before.json -o %s/learnt.json 2>/dev/null", programs,
        dir, dir, dir);
    assert_int_equal(system(command), 0);
    free(command);
    char *learnt = text_of("learnt.json");
    assert_null(strstr(learnt, "\"pruned\":"));
    free(learnt);
    assert_int_equal(search("on", "--prune on --evals 70 --resume"), 0);
    check_counts("on", true);
}

static void by_default_where_estimates_are_good(void **state)
{
    int rc = search("auto", "--evals 20");
    if (rc == 4) skip();
    assert_int_equal(rc, 0);
    char *json = text_of("auto.json");
    if (strstr(json, "NVIDIA H200\"")) assert_null(strstr(json, "are not good enough")); /* as they were measured */
    free(json);
    char *journal = text_of("auto/journal.jsonl");
    assert_non_null(strstr(journal, "\"prune\":\"o"));
    free(journal);
}

int main(int argc, char **argv)
{
    char self[1000], beside[1100];
    snprintf(self, sizeof self, "%s", argv[0]);
    snprintf(programs, sizeof programs, "%.900s/../..",
             dirname(self)); /* BUILD/tests/gpu/..., or a bundle: side by side */
    snprintf(beside, sizeof beside, "%s/regraph-search", programs);
    if (access(beside, X_OK)) snprintf(programs, sizeof programs, "%s", self);
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_add_up),
                                       cmocka_unit_test(by_default_where_estimates_are_good)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
