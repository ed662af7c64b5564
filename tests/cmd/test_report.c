/* What a report is made of: differences of texts, importance, break-even, escapes, and journals as they grow. */
#include "cmd/asset.h"
#include "cmd/report.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const struct rg_asset *rg_web_asset(const char *name)
{
    return NULL; /* a build without npm */
}

/* What stays of a difference when lines that begin with `drop`, and the signs, are taken away. */
static void side(const char *diff, char drop, char *out)
{
    *out = 0;
    for (const char *s = diff; *s;) {
        size_t n = strcspn(s, "\n") + 1;
        if (*s != drop && *s != '@') strncat(out, s + 1, n - 1);
        s += n;
    }
}

static void differences(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    report_diff("a\nb\nc\n", "a\nx\nc\n", &b);
    assert_non_null(strstr(b.data, "-b\n"));
    assert_non_null(strstr(b.data, "+x\n"));
    assert_non_null(strstr(b.data, " a\n"));
    rg_buf_reset(&b);
    report_diff("same\n", "same\n", &b);
    assert_string_equal(b.data, "");
    rg_buf_reset(&b);
    report_diff("", "1\n2\n", &b);
    assert_string_equal(b.data, "+1\n+2\n");
    rg_buf_reset(&b);
    report_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nX\n", &b); /* three lines around what changed */
    assert_string_equal(b.data, "@@ -6 +6 @@\n 6\n 7\n 8\n-9\n+X\n");
    /* of short texts every line is in the difference: both can be had back, and it is as short as a longest common part
     * leaves it */
    unsigned seed = 1;
    for (int round = 0; round < 3000; round++) {
        char a[32] = "", c[32] = "", back[64];
        int na = rand_r(&seed) % 5, nc = rand_r(&seed) % 5;
        for (int i = 0; i < na; i++) strcat(a, rand_r(&seed) % 2 ? "x\n" : "y\n");
        for (int i = 0; i < nc; i++) strcat(c, rand_r(&seed) % 2 ? "x\n" : "y\n");
        rg_buf_reset(&b);
        report_diff(a, c, &b);
        if (!strcmp(a, c)) {
            assert_string_equal(b.data, "");
            continue;
        }
        side(b.data, '+', back);
        assert_string_equal(back, a);
        side(b.data, '-', back);
        assert_string_equal(back, c);
        int common[6][6] = {{0}}, edits = 0;
        for (int i = 1; i <= na; i++)
            for (int k = 1; k <= nc; k++)
                common[i][k] = a[2 * i - 2] == c[2 * k - 2]          ? common[i - 1][k - 1] + 1
                               : common[i - 1][k] > common[i][k - 1] ? common[i - 1][k]
                                                                     : common[i][k - 1];
        for (const char *s = b.data; *s; s++) edits += (*s == '+' || *s == '-') && (s == b.data || s[-1] == '\n');
        assert_int_equal(edits, na + nc - 2 * common[na][nc]);
    }
    rg_buf_release(&b);
}

static void importance(void **state)
{
    struct report_run r = {0};
    struct report_eval evals[8];
    struct report_value values[8][2];
    for (int i = 0; i < 8; i++) { /* two versions: the time is of A and of the version, B has no say */
        values[i][0] = (struct report_value){"A", i & 1};
        values[i][1] = (struct report_value){"B", i >> 1 & 1};
        evals[i] =
            (struct report_eval){.node = i >> 2, .vector = {2, values[i]}, .us = (i & 1 ? 4 : 1) * (i >> 2 ? 100 : 1)};
    }
    r.evals = evals;
    r.n_evals = 8;
    struct report_importance *all;
    assert_int_equal(report_importance(&r, &all), 2);
    assert_string_equal(all[0].name, "A");
    assert_true(fabs(all[0].share - 1) < 1e-12);
    assert_true(fabs(all[1].share) < 1e-12);
    assert_int_equal(all[0].n, 8);
    free(all);
    evals[7].us = 0; /* what failed does not count */
    assert_int_equal(report_importance(&r, &all), 2);
    assert_int_equal(all[0].n, 7);
    free(all);
}

static void break_even(void **state)
{
    assert_true(report_break_even(10, 12, 2) == 1000); /* 10 s, 10 ms a call */
    assert_true(report_break_even(10.001, 12, 2) == 1001);
    assert_true(isnan(report_break_even(10, 2, 2))); /* never */
    assert_true(isnan(report_break_even(10, 1, 2)));
    assert_true(isnan(report_break_even(10, NAN, 2)));
}

static void escapes(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_xml(&b, "<a href=\"x\" title='y'>&\x01\n");
    assert_string_equal(b.data, "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;?\n");
    rg_buf_release(&b);
}

static const char *const head =
    "{\"line\":\"run\",\"schema\":\"regraph-journal/1\",\"run\":\"r\",\"function\":\"f</"
    "script><b>\",\"class\":\"\",\"program\":\"p\",\"device\":\"sim:h200\",\"estimated\":true,"
    "\"coders\":[\"poly\"],\"graph\":{\"name\":\"g\",\"sha256\":\"00\"},\"options\":{\"policy\":\"mcgs\",\"seed\":"
    "\"1\",\"apply\":null},\"clock\":{\"evals\":9,\"t\":0.5}}\n";
#define ACTION(a, parent, step)                                                                                        \
    "{\"line\":\"action\",\"a\":" #a ",\"purpose\":\"search\",\"parent\":" #parent ",\"step\":\"" step                 \
    "\",\"site\":\"C\",\"coder\":\"poly\",\"clock\":{\"t\":1}}\n"
#define EVAL(a, v, us, outcome, message)                                                                               \
    "{\"line\":\"eval\",\"a\":" #a ",\"vector\":{\"BX\":" #v "},\"source\":\"s" #a #v                                  \
    "\",\"evaluation\":{\"outcome\":\"" outcome "\",\"message\":\"" message "\",\"time_us\":" #us                      \
    "},\"clock\":{\"t\":2}}\n"
#define RESULT(a, node, us)                                                                                            \
    "{\"line\":\"result\",\"a\":" #a ",\"node\":" #node ",\"outcome\":\"ok\",\"measured\":true,\"time_us\":" #us       \
    ",\"vector\":{\"BX\":16},\"clock\":{\"t\":3}}\n"
#define END "{\"line\":\"end\",\"reason\":\"evals\",\"evaluations\":2,\"clock\":{\"t\":4}}\n"
#define FINAL(node, us)                                                                                                \
    "{\"line\":\"final\",\"nodes\":2,\"naive_us\":100.0,\"node\":" #node ",\"time_us\":" #us                           \
    ",\"vector\":{\"BX\":16},\"chain\":[{\"step\":\"one\",\"site\":\"C\"},{\"step\":\"two\",\"site\":\"C\"}],"         \
    "\"clock\":{\"t\":5}}\n"

static void add(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void journals_grow(void **state)
{
    char path[] = "/tmp/rg-report-XXXXXX";
    close(mkstemp(path));
    struct report_run *r = NULL;
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(report_open(path, &r, &err), RG_INPUT); /* empty */
    add(path, head);
    rg_error_clear(&err);
    assert_int_equal(report_open(path, &r, &err), RG_OK);
    assert_int_equal(r->n_chain, 0);
    add(path, ACTION(0, 0, "one") EVAL(0, 16, 50.0, "ok", "") RESULT(0, 1, 50.0) "{\"line\":\"action\",\"a\":1,\"purp");
    assert_int_equal(report_update(r, &err), RG_OK); /* half a line is for later */
    assert_int_equal(r->n_evals, 1);
    assert_int_equal(r->n_actions, 1);
    assert_string_equal(r->chain[0].step, "one");
    assert_true(r->best_us == 50);
    add(path,
        "ose\":\"search\",\"parent\":1,\"step\":\"two\",\"site\":\"C\",\"coder\":\"poly\",\"clock\":{\"t\":1}}\n" EVAL(
            1, 16, 25.0, "ok", "") EVAL(1, 32, 0.0, "wrong", "<img src=x onerror=alert(1)>") RESULT(1, 2, 25.0));
    assert_int_equal(report_update(r, &err), RG_OK);
    assert_int_equal(r->n_chain, 2);
    assert_string_equal(r->chain[1].step, "two");
    assert_string_equal(report_node(r, 2)->source, "s116");
    assert_false(r->closed);
    /* a closing section is void when the run goes on */
    add(path, END ACTION(2, 2, "late") EVAL(2, 16, 5.0, "ok", "") RESULT(2, 3, 5.0) FINAL(2, 25.0));
    assert_int_equal(report_update(r, &err), RG_OK);
    assert_true(r->closed);
    assert_int_equal(r->n_evals, 4);
    add(path, "{\"line\":\"resume\",\"clock\":{\"t\":6}}\n");
    assert_int_equal(report_update(r, &err), RG_OK);
    assert_false(r->closed);
    assert_int_equal(r->n_evals, 3);
    assert_int_equal(r->n_nodes, 2);
    assert_true(r->best_us == 25);
    add(path, END FINAL(2, 24.0));
    assert_int_equal(report_update(r, &err), RG_OK);
    assert_true(r->best_us == 24);
    assert_int_equal(r->chain[0].node, 1);
    assert_int_equal(r->chain[1].node, 2);
    /* nothing that a journal says is markup */
    struct rg_buf page = RG_BUF_INIT;
    report_page((const struct report_run *const *)&r, 1, &(struct report_page_options){false}, &page);
    assert_null(strstr(page.data, "<img"));
    assert_null(strstr(page.data, "</script><b>"));
    assert_non_null(strstr(page.data, "f&lt;/script&gt;&lt;b&gt;"));
    assert_non_null(strstr(page.data, "f\\u003c/script>"));
    assert_non_null(strstr(page.data, "&lt;img src=x onerror=alert(1)&gt;"));
    assert_non_null(strstr(page.data, "<svg"));
    rg_buf_release(&page);
    report_free(r);
    unlink(path);
}

/* A model's second answer to the same step stands at a version of its own: the chain goes over that which the best was
 * made from. */
static void twins_on_the_way(void **state)
{
    char path[] = "/tmp/rg-report-XXXXXX";
    close(mkstemp(path));
    struct report_run *r = NULL;
    struct rg_error err = RG_ERROR_INIT;
    add(path, head);
    add(path, ACTION(0, 0, "one") EVAL(0, 16, 0.0, "wrong", "") RESULT(0, 1, 0.0));
    add(path, ACTION(1, 0, "one") EVAL(1, 16, 50.0, "ok", "") RESULT(1, 2, 50.0));
    add(path, ACTION(2, 2, "two") EVAL(2, 16, 25.0, "ok", "") RESULT(2, 3, 25.0) END FINAL(3, 25.0));
    assert_int_equal(report_open(path, &r, &err), RG_OK);
    assert_int_equal(r->n_chain, 2);
    assert_int_equal(r->chain[0].node, 2);
    assert_int_equal(r->chain[1].node, 3);
    report_free(r);
    unlink(path);
}

/* A version that the search went past says what was expected of it, and one that was measured its time. */
static void expected_on_the_way(void **state)
{
    char path[] = "/tmp/rg-report-XXXXXX";
    close(mkstemp(path));
    struct report_run *r = NULL;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf page = RG_BUF_INIT;
    add(path, head);
    add(path, ACTION(0, 0, "one") "{\"line\":\"result\",\"a\":0,\"node\":1,\"outcome\":\"ok\",\"measured\":false,"
                                  "\"time_us\":0.0,\"clock\":{\"t\":3}}\n");
    add(path, ACTION(1, 1, "two") EVAL(1, 16, 25.0, "ok", "") RESULT(1, 2, 25.0) END);
    add(path,
        "{\"line\":\"final\",\"nodes\":2,\"naive_us\":100.0,\"node\":2,\"time_us\":25.0,\"vector\":{\"BX\":16},"
        "\"chain\":[{\"step\":\"one\",\"site\":\"C\"},{\"step\":\"two\",\"site\":\"C\"}],\"clock\":{\"expected\":["
        "{\"node\":1,\"time_us\":40.5},{\"node\":2,\"time_us\":7.25},{\"node\":99,\"time_us\":1.0}],\"t\":5}}\n");
    assert_int_equal(report_open(path, &r, &err), RG_OK);
    report_page((const struct report_run *const *)&r, 1, &(struct report_page_options){false}, &page);
    assert_non_null(strstr(page.data, "not measured, about 40.5 \302\265s"));
    assert_non_null(strstr(page.data, "about 1.62&times;")); /* 40.5 / 25: the gain of the step behind it */
    assert_null(strstr(page.data, "7.25"));
    assert_null(strstr(page.data, "A gain below 1"));
    rg_buf_release(&page);
    report_free(r);
    unlink(path);
}

/* A chain whose middle is slower says why that is no mistake. */
static void slower_on_the_way(void **state)
{
    char path[] = "/tmp/rg-report-XXXXXX";
    close(mkstemp(path));
    struct report_run *r = NULL;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf page = RG_BUF_INIT;
    add(path, head);
    add(path, ACTION(0, 0, "one") EVAL(0, 16, 100.0, "ok", "") RESULT(0, 1, 100.0));
    add(path, ACTION(1, 1, "two") EVAL(1, 16, 125.0, "ok", "") RESULT(1, 2, 125.0));
    add(path, ACTION(2, 2, "three") EVAL(2, 16, 25.0, "ok", "") RESULT(2, 3, 25.0) END);
    add(path, "{\"line\":\"final\",\"nodes\":3,\"naive_us\":100.0,\"node\":3,\"time_us\":25.0,\"vector\":{\"BX\":16},"
              "\"chain\":[{\"step\":\"one\",\"site\":\"C\"},{\"step\":\"two\",\"site\":\"C\"},"
              "{\"step\":\"three\",\"site\":\"C\"}],\"clock\":{\"t\":5}}\n");
    assert_int_equal(report_open(path, &r, &err), RG_OK);
    report_page((const struct report_run *const *)&r, 1, &(struct report_page_options){false}, &page);
    assert_non_null(strstr(page.data, "0.80&times;"));
    assert_non_null(strstr(page.data, ">5.00&times;"));
    assert_non_null(strstr(page.data, "A gain below 1"));
    rg_buf_release(&page);
    report_free(r);
    unlink(path);
}

/* The page tells what an edge learnt, and how many taught nothing as the coder declined. */
static void edges_that_learn(void **state)
{
    char path[] = "/tmp/rg-report-XXXXXX";
    close(mkstemp(path));
    struct report_run *r = NULL;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf page = RG_BUF_INIT;
#define EDGE(to, more)                                                                                                 \
    "{\"line\":\"evidence\",\"from\":\"@start\",\"to\":\"" to "\",\"coder\":\"llm\"," more ",\"clock\":{\"t\":1}}\n"
    add(path, head);
    add(path, ACTION(0, 0, "one") EVAL(0, 16, 25.0, "ok", "") RESULT(0, 1, 25.0) END);
    add(path, EDGE("one", "\"n\":2,\"ok\":1,\"sum\":100000,\"max\":100000,\"refused\":1"));
    add(path, EDGE("two", "\"n\":0,\"ok\":0,\"refused\":3") EDGE("three", "\"n\":0,\"ok\":0,\"refused\":1"));
    assert_int_equal(report_open(path, &r, &err), RG_OK);
    report_page((const struct report_run *const *)&r, 1, &(struct report_page_options){false}, &page);
    assert_non_null(strstr(page.data, "tried 2 times, worked 1"));
    assert_non_null(strstr(page.data, "; declined 1 time</td>"));
    assert_null(strstr(page.data, "tried 0 times"));
    assert_non_null(strstr(page.data, "On 2 further edges the coder declined the step"));
    rg_buf_release(&page);
    report_free(r);
    unlink(path);
}

/* What several actions were declined with stands once, with how many there were. */
static void declined_alike(void **state)
{
    char path[] = "/tmp/rg-report-XXXXXX";
    close(mkstemp(path));
    struct report_run *r = NULL;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf page = RG_BUF_INIT;
#define DECLINED(a, message)                                                                                           \
    "{\"line\":\"answer\",\"a\":" #a                                                                                   \
    ",\"kind\":\"refused\",\"outcome\":\"refused\",\"status\":0,\"message\":\"" message "\",\"clock\":{\"t\":1}}\n"
    add(path, head);
    add(path, ACTION(0, 0, "one") DECLINED(0, "nothing to gain") ACTION(1, 0, "two") DECLINED(1, "nothing to gain"));
    add(path, ACTION(2, 0, "three") DECLINED(2, "something else") ACTION(3, 0, "four") DECLINED(3, "nothing to gain"));
    assert_int_equal(report_open(path, &r, &err), RG_OK);
    report_page((const struct report_run *const *)&r, 1, &(struct report_page_options){false}, &page);
    char *first = strstr(page.data, "<td class=\"message\">nothing to gain</td>");
    assert_non_null(first);
    assert_null(strstr(first + 1, "<td class=\"message\">nothing to gain</td>"));
    assert_non_null(
        strstr(page.data, "poly: one@C<details><summary>and 2 more</summary><div>two@C</div><div>four@C</div>"));
    assert_non_null(strstr(page.data, "something else</td><td>poly: three@C</td>"));
    rg_buf_release(&page);
    report_free(r);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences),         cmocka_unit_test(importance),
                                       cmocka_unit_test(break_even),          cmocka_unit_test(escapes),
                                       cmocka_unit_test(journals_grow),       cmocka_unit_test(twins_on_the_way),
                                       cmocka_unit_test(expected_on_the_way), cmocka_unit_test(slower_on_the_way),
                                       cmocka_unit_test(declined_alike),      cmocka_unit_test(edges_that_learn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
