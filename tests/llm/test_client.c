/* The model coder against a server that misbehaves in every way services do. Loopback only. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "client_bench.h"
#include <rg/log.h>

static void too_many_requests(void **state)
{
    struct script sc = {
        2,
        {{.status = 429, .headers = "Retry-After: 1\r\n", .body = (char *)"{\"error\":{\"message\":\"slow down\"}}"},
         {.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    double t = rg_now();
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_true(rg_now() - t >= 0.95);
    assert_int_equal(b.s.requests, 2);
    assert_int_equal(usage(&b).calls, 1);
    assert_int_equal(usage(&b).retries, 1);
    rg_template_unref(a.tmpl);
    bench_release(&b);
}

static void retry_after_too_long(void **state)
{
    struct script sc = {1, {{.status = 429, .headers = "Retry-After: 3600\r\n", .body = (char *)"{}"}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    double t = rg_now();
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_SERVICE);
    assert_non_null(strstr(a.message, "3600 s"));
    assert_true(rg_now() - t < 3);
    bench_release(&b);
}

static void server_error_once(void **state)
{
    struct script sc = {3, {{.status = 500, .body = (char *)"oops"}, {.hang_up = true}, {.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(b.s.requests, 3);
    rg_template_unref(a.tmpl);
    bench_release(&b);
}

static void server_error_for_ever(void **state)
{
    struct script sc = {1, {{.status = 503, .body = (char *)"{\"error\":{\"message\":\"overloaded " KEY "\"}}"}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    for (int i = 0; i < 6; i++) {
        struct rg_answer a = ask(&b);
        assert_int_equal(a.kind, RG_ANSWER_FAILED);
        assert_int_equal(a.status, RG_SERVICE);
        assert_non_null(strstr(a.message, "HTTP 503"));
    }
    /* Three attempts, then two single probes, then nothing is sent any more. */
    assert_int_equal(b.s.requests, 5);
    assert_int_equal(usage(&b).failed, 6);
    bench_release(&b);
}

static void half_reply(void **state)
{
    struct script sc = {2, {{.body = (char *)"{\"choices\":", .claim = 5000}, {.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(b.s.requests, 2);
    rg_template_unref(a.tmpl);
    bench_release(&b);
}

static void slow(void **state)
{
    struct script sc = {1, {{.body = good, .delay_ms = 20000}}};
    struct bench b;
    bench_init(&b, &sc);
    b.o.timeout_s = 0.2;
    b.o.wall_s = 0.5;
    bench_open(&b);
    double t = rg_now();
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_SERVICE);
    assert_true(rg_now() - t < 3);
    assert_true(b.s.requests >= 2);
    bench_release(&b);
}

static void never_again_after_a_reply(void **state)
{
    static const struct {
        const char *body, *says;
    } cases[] = {{"<html>hello</html>", "no JSON"},
                 {"{\"choices\":[]}", "no choice"},
                 {"{\"choices\":[{\"message\":17}]}", "no choice"},
                 {"{\"choices\":[{\"message\":{\"content\":", "no JSON"},
                 {"[1,2]", "no choice"},
                 {"{\"error\":{\"message\":\"the model is loading\"}}", "the model is loading"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script sc = {1, {{.body = (char *)(uintptr_t)cases[i].body}}};
        struct bench b;
        bench_init(&b, &sc);
        bench_open(&b);
        struct rg_answer a = ask(&b);
        assert_int_equal(a.kind, RG_ANSWER_FAILED);
        assert_int_equal(a.status, RG_SERVICE);
        if (!strstr(a.message, cases[i].says)) fail_msg("'%s' does not say '%s'", a.message, cases[i].says);
        assert_int_equal(b.s.requests, 1);
        bench_release(&b);
    }
}

static void huge_reply(void **state)
{
    char *big = rg_xmalloc(3 << 20);
    memset(big, ' ', (3 << 20) - 1);
    big[(3 << 20) - 1] = '\0';
    struct script sc = {1, {{.body = big}}};
    struct bench b;
    bench_init(&b, &sc);
    b.o.reply_bytes = 1 << 16;
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_non_null(strstr(a.message, "larger than 65536 bytes"));
    assert_int_equal(b.s.requests, 1);
    bench_release(&b);
    free(big);
}

static void nobody_listens(void **state)
{
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    fake_stop(&b.s);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_SERVICE);
    assert_non_null(strstr(a.message, "127.0.0.1"));
    assert_non_null(strstr(a.message, "given up after 3 attempts"));
    b.c.free(b.c.self);
}

static void bad_key(void **state)
{
    struct script sc = {1,
                        {{.status = 401, .body = (char *)"{\"error\":{\"message\":\"Incorrect API key: " KEY "\"}}"}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.status, RG_SERVICE);
    assert_non_null(strstr(a.message, "Incorrect API key: ***"));
    a = ask(&b);
    assert_int_equal(a.status, RG_SERVICE);
    assert_int_equal(b.s.requests, 1);
    bench_release(&b);
}

static void redirects_are_not_followed(void **state)
{
    struct script sc = {2, {{.status = 307, .headers = "Location: /v1/elsewhere\r\n"}, {.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(b.s.requests, 1);
    bench_release(&b);
}

static void quirks_are_learnt(void **state)
{
    struct script sc = {
        3,
        {{.status = 400, .body = (char *)"{\"error\":{\"message\":\"Unsupported value: 'temperature'\"}}"},
         {.status = 400,
          .body = (char *)"{\"error\":{\"message\":\"Use 'max_completion_tokens' instead of 'max_tokens'\"}}"},
         {.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    b.o.reply_tokens = 777;
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(usage(&b).calls, 1);
    assert_null(strstr(b.s.last_body, "temperature"));
    assert_non_null(strstr(b.s.last_body, "\"max_completion_tokens\":777"));
    rg_template_unref(a.tmpl);
    bench_release(&b);
}

static void context_too_long(void **state)
{
    struct script sc = {
        2,
        {{.status = 400, .body = (char *)"{\"error\":{\"message\":\"maximum context length is 4096\"}}"},
         {.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_OK); /* the service itself is well */
    a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    rg_template_unref(a.tmpl);
    bench_release(&b);
}

static void budgets(void **state)
{
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    b.o.max_calls = 1;
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    rg_template_unref(a.tmpl);
    a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_LIMIT);
    assert_non_null(strstr(a.message, "1 model calls"));
    b.c.free(b.c.self);

    b.o.max_calls = 0;
    b.o.max_tokens = 4000; /* a request is some 2000, a reply says 1050 */
    bench_open(&b);
    int answered = 0;
    for (; answered < 10; answered++) {
        a = ask(&b);
        if (a.kind != RG_ANSWER_TEMPLATE) break;
        rg_template_unref(a.tmpl);
    }
    assert_int_equal(a.status, RG_LIMIT);
    assert_in_range(answered, 1, 3);
    assert_true(usage(&b).prompt_tokens + usage(&b).completion_tokens <= 4000);
    b.c.free(b.c.self);
    b.c.self = NULL;

    char prices[] = "/tmp/rg-prices-XXXXXX";
    int fd = mkstemp(prices);
    static const char table[] = "# USD per million\n* 1 2\nm 1000 2000\nmm 5 5\n";
    assert_int_equal(write(fd, table, sizeof table - 1), sizeof table - 1);
    close(fd);
    b.o.max_tokens = 0;
    b.o.prices = prices;
    b.o.max_cost = 5;
    bench_open(&b);
    for (answered = 0; answered < 10; answered++) {
        a = ask(&b);
        if (a.kind != RG_ANSWER_TEMPLATE) break;
        rg_template_unref(a.tmpl);
    }
    assert_int_equal(a.status, RG_LIMIT);
    assert_float_equal(usage(&b).cost, answered * 1.1, 1e-9);
    assert_true(usage(&b).cost <= 5);
    b.c.free(b.c.self);
    b.c.self = NULL;
    unlink(prices);

    b.o.prices = NULL;
    b.o.url = "https://api.example.com/v1";
    rg_error_clear(&b.err);
    assert_int_equal(rg_llm_new(&b.o, &b.f.p, &b.c, &b.err), RG_USAGE);
    assert_non_null(strstr(b.err.text, "price of 'm'"));
    bench_release(&b);
}

static void cancel(void **state)
{
    struct script sc = {1, {{.body = good, .delay_ms = 20000}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    submit(&b, 1, NULL, &step_parallelize, NULL);
    submit(&b, 2, NULL, &step_parallelize, NULL);
    struct rg_answer a;
    bool got;
    assert_int_equal(b.c.poll(b.c.self, 0.2, &a, &got, &b.err), RG_OK);
    assert_false(got);
    b.c.cancel(b.c.self, 1);
    b.c.cancel(b.c.self, 99); /* unknown: nothing */
    double t = rg_now();
    b.c.cancel(b.c.self, 2);
    assert_int_equal(b.c.poll(b.c.self, 5, &a, &got, &b.err), RG_OK);
    assert_false(got);
    assert_true(rg_now() - t < 1); /* nothing under way: no waiting */
    submit(&b, 3, NULL, &step_parallelize, NULL);
    bench_release(&b); /* with one in flight */
}

static void bounded_in_flight(void **state)
{
    struct script sc = {1, {{.body = good, .delay_ms = 50}}};
    struct bench b;
    bench_init(&b, &sc);
    b.o.in_flight = 2;
    bench_open(&b);
    for (int i = 0; i < 7; i++) submit(&b, i, NULL, &step_parallelize, NULL);
    unsigned seen = 0;
    for (int i = 0; i < 7; i++) {
        struct rg_answer a = wait_answer(&b, 20);
        assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
        seen |= 1u << a.id;
        rg_template_unref(a.tmpl);
    }
    assert_int_equal(seen, 127);
    assert_int_equal(b.s.max_active, 2);
    bench_release(&b);
}

static void bad_options(void **state)
{
    struct fixture f;
    struct rg_coder c;
    fixture_init(&f);
    static const char *const urls[] = {NULL,         "", "localhost", "ftp://x/v1", "http://", "file:///etc/passwd",
                                       "http://a b/"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct rg_error err = RG_ERROR_INIT;
        struct rg_llm_options o = {.url = urls[i], .model = "m", .temperature = -1};
        if (rg_llm_new(&o, &f.p, &c, &err) != RG_USAGE) fail_msg("url '%s' was accepted", urls[i]);
        assert_true(*err.text);
    }
    struct rg_error err = RG_ERROR_INIT;
    struct rg_llm_options o = {.url = "http://localhost:1", .temperature = -1};
    assert_int_equal(rg_llm_new(&o, &f.p, &c, &err), RG_USAGE); /* no model */
    rg_error_clear(&err);
    o.model = "m";
    o.key_env = "RG_BAD_KEY";
    setenv("RG_BAD_KEY", "a\r\nHost: evil", 1);
    assert_int_equal(rg_llm_new(&o, &f.p, &c, &err), RG_USAGE);
    assert_null(strstr(err.text, "evil"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_requests),
        cmocka_unit_test(retry_after_too_long),
        cmocka_unit_test(server_error_once),
        cmocka_unit_test(server_error_for_ever),
        cmocka_unit_test(half_reply),
        cmocka_unit_test(slow),
        cmocka_unit_test(never_again_after_a_reply),
        cmocka_unit_test(huge_reply),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(bad_key),
        cmocka_unit_test(redirects_are_not_followed),
        cmocka_unit_test(quirks_are_learnt),
        cmocka_unit_test(context_too_long),
        cmocka_unit_test(budgets),
        cmocka_unit_test(cancel),
        cmocka_unit_test(bounded_in_flight),
        cmocka_unit_test(bad_options),
    };
    return cmocka_run_group_tests(tests, texts_make, texts_free);
}
