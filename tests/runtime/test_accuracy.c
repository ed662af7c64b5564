/* What a device file states of its estimates' accuracy: read strictly, and held against the goals. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/sim/model/model.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct rg_look good = {"2026-11-21", 20, 0.92, 0.75, 0.92, 19, 18, 1.5, 0.8}; /* each just met */

static bool met(const struct rg_look *l, int n, const char *says)
{
    struct rg_accuracy a = {.n = n};
    char why[400];
    for (int i = 0; i < n; i++) a.looks[i] = l[i];
    bool ok = rg__accuracy_good(&a, why, sizeof why);
    assert_int_equal(ok, !why[0]);
    if (says && !strstr(why, says)) fail_msg("'%s' does not say '%s'", why, says);
    return ok;
}

/* Every goal by itself, at its edge; every look; and no look at all. */
static void goals(void **state)
{
    assert_true(met(&good, 1, NULL));
    assert_false(met(NULL, 0, "states no accuracy"));
    const struct rg_look bad[] = {{"2026-11-21", 20, 0.919, 0.75, 0.92, 19, 18, 1.5, 0.8},
                                  {"2026-11-21", 20, 0.92, 0.749, 0.92, 19, 18, 1.5, 0.8},
                                  {"2026-11-21", 20, 0.92, 0.75, 0.919, 19, 18, 1.5, 0.8},
                                  {"2026-11-21", 20, 0.92, 0.75, 0.92, 18, 18, 1.5, 0.8},
                                  {"2026-11-21", 20, 0.92, 0.75, 0.92, 19, 17, 1.5, 0.8},
                                  {"2026-11-21", 20, 0.92, 0.75, 0.92, 19, 18, 1.51, 0.8},
                                  {"2026-11-21", 20, 0.92, 0.75, 0.92, 19, 18, 1.5, 0.799}};
    static const char *const says[] = {"Spearman median 0.919 (asked: 0.92)",   "Spearman worst 0.749 (asked: 0.75)",
                                       "pairs in order 0.919 (asked: 0.92)",    "top 3 of a share of 0.9 (asked: 0.95)",
                                       "1.15x in a share of 0.85 (asked: 0.9)", "worst regret 1.51 (asked: 1.5)",
                                       "within 1.5x 0.799 (asked: 0.8)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(met(&bad[i], 1, says[i]));
        struct rg_look two[2] = {good, bad[i]};
        assert_false(met(two, 2, says[i]));
        two[0] = bad[i], two[1] = good;
        assert_false(met(two, 2, says[i]));
    }
    const struct rg_look two[2] = {good, good};
    assert_true(met(two, 2, NULL));
}

/* --- the file --- */

static char dir[] = "/tmp/rg-accuracy-XXXXXX", path[64], *shipped;

static int setup(void **state)
{
    size_t len;
    const char *from = getenv("RG_DEVICES");
    char *h100 = rg_xasprintf("%s/h100.json", from ? from : "runtime/devices");
    if (!mkdtemp(dir) || rg_file_read(h100, 1 << 20, &shipped, &len, NULL) != RG_OK) return -1;
    snprintf(path, sizeof path, "%s/mine.json", dir);
    setenv("RG_DEVICES", dir, 1);
    free(h100);
    return 0;
}

static int teardown(void **state)
{
    unlink(path);
    rmdir(dir);
    free(shipped);
    return 0;
}

/* The shipped description with these members added. */
static enum rg_status load(const char *members, struct sim_model *m, struct rg_error *e)
{
    char *text = rg_xasprintf("{%s%s%s", members, *members ? "," : "", strchr(shipped, '{') + 1);
    assert_int_equal(rg_file_write(path, text, strlen(text), NULL), RG_OK);
    free(text);
    rg_error_clear(e);
    return rg__sim_model_load("mine", m, e);
}

#define LOOK(when, problems, median, worst, pairs, top3, small, regret, within)                                        \
    "{\"when\": " when ", \"problems\": " problems ", \"spearman_median\": " median ", \"spearman_worst\": " worst     \
    ", \"pairs\": " pairs ", \"top3\": " top3 ", \"regret_small\": " small ", \"regret_worst\": " regret               \
    ", \"within\": " within "}"
#define ACCURACY(looks) "\"accuracy\": {\"where\": \"a bench\", \"unseen\": [" looks "]}"
#define RIGHT LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "0.97", "10", "9", "1.4", "0.9")

static void read_as_written(void **state)
{
    struct sim_model m;
    struct rg_error e = RG_ERROR_INIT;
    if (load(ACCURACY(RIGHT ", " LOOK("\"2026-12-01\"", "2", "1", "-1", "0", "0", "2", "1.15", "1")), &m, &e) != RG_OK)
        fail_msg("%s", e.text);
    const struct rg_look *l = m.accuracy.looks;
    assert_int_equal(m.accuracy.n, 2);
    assert_string_equal(l[0].when, "2026-11-21");
    assert_true(l[0].problems == 10 && l[0].spearman_median == 0.95 && l[0].spearman_worst == 0.8 &&
                l[0].pairs == 0.97 && l[0].top3 == 10 && l[0].regret_small == 9 && l[0].regret_worst == 1.4 &&
                l[0].within == 0.9);
    assert_true(l[1].spearman_worst == -1 && l[1].regret_small == 2);
    if (load("", &m, &e) != RG_OK) fail_msg("%s", e.text);
    assert_int_equal(m.accuracy.n, 0); /* nothing is stated */
}

static void errors(void **state)
{
    static const struct {
        const char *members, *says;
    } bad[] = {
        {"\"accuracy\": 0.95", "\"accuracy\" must be an object"},
        {"\"accuracy\": {\"unseen\": [" RIGHT "]}", "needs \"where\""},
        {"\"accuracy\": {\"where\": \"\", \"unseen\": [" RIGHT "]}", "needs \"where\""},
        {"\"accuracy\": {\"where\": \"a bench\"}", "needs \"unseen\""},
        {ACCURACY(""), "needs \"unseen\""},
        {ACCURACY(RIGHT "," RIGHT "," RIGHT "," RIGHT "," RIGHT "," RIGHT "," RIGHT "," RIGHT "," RIGHT),
         "1 to 8 looks"},
        {"\"accuracy\": {\"where\": \"a bench\", \"good\": true, \"unseen\": [" RIGHT "]}", "\"good\" is no member"},
        {ACCURACY("7"), "must hold objects"},
        {ACCURACY(RIGHT ", {}"), "look 2 of \"unseen\": \"when\" must be the day"},
        {ACCURACY(LOOK("\"yesterday\"", "10", "0.95", "0.8", "0.97", "10", "9", "1.4", "0.9")),
         "look 1 of \"unseen\": \"when\""},
        {ACCURACY(LOOK("\"2026-11-21\"", "0", "0.95", "0.8", "0.97", "0", "0", "1.4", "0.9")), "\"problems\""},
        {ACCURACY(LOOK("\"2026-11-21\"", "9.5", "0.95", "0.8", "0.97", "9", "9", "1.4", "0.9")), "\"problems\""},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "95", "0.8", "0.97", "10", "9", "1.4", "0.9")),
         "\"spearman_median\" must be a number from -1 to 1"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.7", "0.8", "0.97", "10", "9", "1.4", "0.9")),
         "\"spearman_worst\" is above"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "97", "10", "9", "1.4", "0.9")),
         "\"pairs\" must be a share"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "0.97", "11", "9", "1.4", "0.9")),
         "\"top3\" must be a number of problems"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "0.97", "10", "10", "1.4", "0.9")),
         "\"regret_small\" contradicts"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "0.97", "10", "9", "1.1", "0.9")),
         "\"regret_small\" contradicts"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "0.97", "10", "9", "0.9", "0.9")),
         "\"regret_worst\" must be a number from 1"},
        {ACCURACY(LOOK("\"2026-11-21\"", "10", "0.95", "0.8", "0.97", "10", "9", "1.4", "\"all\"")),
         "\"within\" must be a share"},
        {ACCURACY("{\"speed\": 1, "
                  "\"when\": \"2026-11-21\"}"),
         "\"speed\" is no member"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sim_model m;
        struct rg_error e = RG_ERROR_INIT;
        if (load(bad[i].members, &m, &e) != RG_INPUT) fail_msg("taken: %s", bad[i].members);
        if (!strstr(e.text, bad[i].says) || !strstr(e.file, "mine.json"))
            fail_msg("'%s' of '%s' does not say '%s'", e.text, e.file, bad[i].says);
    }
}

/* A GPU has the description that names it, if it is the whole of it. */
static void by_name(void **state)
{
    struct sim_model m;
    struct rg_error e = RG_ERROR_INIT;
    char name[32] = "";
    char *gpus = strstr(shipped, "\"gpus\""); /* two members of a name: the last one counts */
    assert_non_null(gpus);
    memcpy(gpus, "\"gpu_\"", 6);
    assert_int_equal(load("\"gpus\": [\"Acme One\", \"Acme Two\"]", &m, &e), RG_OK);
    int sms = m.facts.sms;
    assert_true(rg_device_sim_of("Acme Two", sms, name, sizeof name));
    assert_string_equal(name, "mine");
    assert_false(rg_device_sim_of("Acme Two", sms / 2, name, sizeof name)); /* a part of it */
    assert_false(rg_device_sim_of("Acme", sms, name, sizeof name));
    assert_false(rg_device_sim_of("Acme Two Super", sms, name, sizeof name));
    assert_int_equal(load("\"gpus\": \"Acme\"", &m, &e), RG_INPUT);
    assert_non_null(strstr(e.text, "\"gpus\" must be a list"));
    assert_int_equal(load("\"gpus\": [7]", &m, &e), RG_INPUT);
    assert_non_null(strstr(e.text, "\"gpus\" must hold names"));
    assert_false(
        rg_device_sim_of("Acme Two", sms, name, sizeof name)); /* a file that cannot be read describes nothing */
    memcpy(gpus, "\"gpus\"", 6);
}

/* What is shipped for the H200 stands as it was measured: the last look met every goal, and what it was is in the file.
 */
static void the_h200_as_measured(void **state)
{
    struct sim_model m;
    struct rg_error e = RG_ERROR_INIT;
    char why[600];
    assert_int_equal(rg__sim_model_load("h200", &m, &e), RG_OK); /* the built-in one */
    assert_int_equal(m.accuracy.n, 1);
    assert_int_equal(m.accuracy.looks[0].problems, 10);
    if (!rg__accuracy_good(&m.accuracy, why, sizeof why)) fail_msg("%s", why);
    m.accuracy.looks[0].within = 0.77; /* the look before it */
    assert_false(rg__accuracy_good(&m.accuracy, why, sizeof why));
    assert_non_null(strstr(why, "10 problems: share within 1.5x 0.77 (asked: 0.8)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goals), cmocka_unit_test(read_as_written),
                                       cmocka_unit_test(errors), cmocka_unit_test(by_name),
                                       cmocka_unit_test(the_h200_as_measured)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
