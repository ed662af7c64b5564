/* The model coder against a server that misbehaves in every way services do. Loopback only. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "fake_server.h"
#include "llm_fixture.h"
#include <rg/log.h>

#define KEY "sk-test-0123456789"
#define SAME_CUDA "__global__ void parent(int n) { /* TX=64 */ }\n" /* of parent_template */
#define SAME_PLAN "parent<<<1, 64>>>(n);"

struct script {
    int n;
    struct fake_reply replies[8]; /* request n gets reply n, later ones the last; body: literal, copied */
};

static void scripted(struct fake_server *s, int n, const char *head, const char *body, struct fake_reply *r)
{
    const struct script *sc = s->arg;
    *r = sc->replies[n < sc->n ? n : sc->n - 1];
    r->body = rg_xstrdup(r->body ? r->body : "");
}

struct bench {
    struct fixture f;
    struct fake_server s;
    struct rg_coder c;
    struct rg_llm_options o;
    struct rg_error err;
};

static void bench_init(struct bench *b, const struct script *sc)
{
    memset(b, 0, sizeof *b);
    fixture_init(&b->f);
    fake_start(&b->s, scripted, (void *)(uintptr_t)sc);
    b->o = (struct rg_llm_options){.url = b->s.url, .model = "m", .key_env = "RG_TEST_KEY", .temperature = 0.2, .backoff_s = 0.01,
                                   .timeout_s = 5, .retries = 2};
}

static void bench_open(struct bench *b)
{
    if (rg_llm_new(&b->o, &b->f.p, &b->c, &b->err) != RG_OK) fail_msg("%s", b->err.text);
}

static void bench_release(struct bench *b)
{
    if (b->c.self) b->c.free(b->c.self);
    fake_stop(&b->s);
}

static void submit(struct bench *b, int id, struct rg_template *parent, const struct rg_step *step, const struct rg_hint *h)
{
    assert_int_equal(b->c.submit(b->c.self, id, parent, step, "program", h, &b->err), RG_OK);
}

static struct rg_answer wait_answer(struct bench *b, double seconds)
{
    struct rg_answer a = {.id = -1};
    bool got = false;
    assert_int_equal(b->c.poll(b->c.self, seconds, &a, &got, &b->err), RG_OK);
    assert_true(got);
    assert_null(strstr(a.message, KEY));
    return a;
}

static struct rg_answer ask(struct bench *b)
{
    submit(b, 1, NULL, &step_parallelize, NULL);
    return wait_answer(b, 20);
}

static struct rg_llm_usage usage(struct bench *b)
{
    struct rg_llm_usage u;
    rg_llm_usage(&b->c, &u);
    return u;
}

static char *good, *prose, *refused, *cut, *diffy;

static int texts_make(void **state)
{
    setenv("RG_TEST_KEY", KEY "\n", 1);
    good = fake_completion(GOOD_REPLY, "stop", 1000, 50);
    prose = fake_completion("I would use more threads.", "stop", 900, 10);
    refused = fake_completion("REFUSED: nothing is reused", "stop", 900, 10);
    cut = fake_completion("```cuda\n__global__ void saxpy(", "length", 900, 10);
    diffy = fake_completion("```diff\n-__global__\n+__global__\n```", "stop", 900, 10);
    return 0;
}

static int texts_free(void **state)
{
    free(good);
    free(prose);
    free(refused);
    free(cut);
    free(diffy);
    return 0;
}

static void good_reply(void **state)
{
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    assert_true(b.c.stochastic);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(a.id, 1);
    assert_string_equal(a.tmpl->coder, "llm");
    assert_int_equal(a.tmpl->n_chain, 1);
    assert_string_equal(a.tmpl->chain[0].step, "parallelize");
    assert_string_equal(a.tmpl->chain[0].site, "program");
    struct rg_source src;
    assert_int_equal(rg_template_instantiate(a.tmpl, NULL, &src, &b.err), RG_OK);
    assert_string_equal(src.cuda, GOOD_CUDA);
    assert_string_equal(src.plan, GOOD_PLAN);
    rg_source_release(&src);
    rg_template_unref(a.tmpl);
    assert_non_null(strstr(b.s.last_head, "POST /v1/chat/completions "));
    assert_non_null(strstr(b.s.last_head, "Authorization: Bearer " KEY "\r\n"));
    assert_null(strstr(b.s.last_body, KEY));
    assert_non_null(strstr(b.s.last_body, "\"model\":\"m\""));
    assert_non_null(strstr(b.s.last_body, "\"temperature\":0.2"));
    assert_non_null(strstr(b.s.last_body, "One thread an iteration"));
    assert_non_null(strstr(b.s.last_body, "- `y`: float *, [n] elements, in and out"));
    assert_non_null(strstr(b.s.last_body, "n=1000 (timed); n=7"));
    assert_non_null(strstr(b.s.last_body, "There is no CUDA code yet"));
    struct rg_llm_usage u = usage(&b);
    assert_int_equal(u.calls, 1);
    assert_int_equal(u.prompt_tokens, 1000);
    assert_int_equal(u.completion_tokens, 50);
    assert_true(u.cost == 0); /* this machine is free */
    bench_release(&b);
}

/* The other coder's candidate is shown at the parent's best vector, with the last attempts; the result's chain goes on. */
static void parent_and_attempts(void **state)
{
    char *shared = fake_completion("```cuda\n__global__ void t(int n) { __shared__ float s[4]; }\n```\n```plan\nt<<<1, 1>>>(n);\n```", "stop", 1, 1);
    struct script sc = {1, {{.body = shared}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_vector v = {1, {128}};
    struct rg_evaluation e = {.limiter = RG_LIMIT_DRAM};
    struct rg_attempt at[3] = {{NULL, NULL, RG_OUTCOME_RACE, "oldest"},
                               {NULL, NULL, RG_OUTCOME_COMPILE, "note: x\nk.cu(3): error: 'foo' is undefined\n  foo = 1;\nk.cu(9): error: second"},
                               {"LASTCODE", "LASTPLAN", RG_OUTCOME_WRONG, "y[3] is 1, expected 2"}};
    struct rg_hint h = {.vector = &v, .evaluation = &e, .n_attempts = 3, .attempts = at};
    submit(&b, 9, &parent_template, &step_shared, &h);
    struct rg_answer a = wait_answer(&b, 20);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(a.tmpl->n_chain, 2);
    assert_string_equal(a.tmpl->chain[0].step, "coalesce");
    assert_string_equal(a.tmpl->chain[1].step, "tile.shared");
    assert_int_equal(a.tmpl->traits, RG_TRAIT_SHARED);
    assert_non_null(strstr(a.tmpl->key, "k1/llm:tile.shared@program#0+3"));
    rg_template_unref(a.tmpl);
    const char *body = b.s.last_body;
    assert_non_null(strstr(body, "TX=128"));
    assert_null(strstr(body, "TX=64"));
    assert_non_null(strstr(body, "What limits it: device memory bandwidth"));
    assert_non_null(strstr(body, "'foo' is undefined"));
    assert_non_null(strstr(body, "foo = 1;"));
    assert_null(strstr(body, "error: second"));
    assert_null(strstr(body, "note: x"));
    assert_null(strstr(body, "oldest"));
    assert_non_null(strstr(body, "wrong: y[3] is 1, expected 2"));
    assert_non_null(strstr(body, "LASTCODE"));
    assert_null(strstr(body, "There is no CUDA code yet"));
    assert_int_equal(parent_template.refs, 1000);
    bench_release(&b);
    free(shared);
}

static void too_many_requests(void **state)
{
    struct script sc = {2, {{.status = 429, .headers = "Retry-After: 1\r\n", .body = (char *)"{\"error\":{\"message\":\"slow down\"}}"}, {.body = good}}};
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
    struct script sc = {1, {{.status = 401, .body = (char *)"{\"error\":{\"message\":\"Incorrect API key: " KEY "\"}}"}}};
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
    struct script sc = {3, {{.status = 400, .body = (char *)"{\"error\":{\"message\":\"Unsupported value: 'temperature'\"}}"},
                            {.status = 400, .body = (char *)"{\"error\":{\"message\":\"Use 'max_completion_tokens' instead of 'max_tokens'\"}}"},
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
    struct script sc = {2, {{.status = 400, .body = (char *)"{\"error\":{\"message\":\"maximum context length is 4096\"}}"}, {.body = good}}};
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

static void one_repair(void **state)
{
    char *first[] = {prose, cut, diffy};
    const char *told[] = {"no fenced code block", "Be brief", "You sent a diff"};
    for (int i = 0; i < 3; i++) {
        struct script sc = {2, {{.body = first[i]}, {.body = good}}};
        struct bench b;
        bench_init(&b, &sc);
        bench_open(&b);
        struct rg_answer a = ask(&b);
        assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
        assert_int_equal(usage(&b).calls, 2);
        assert_int_equal(usage(&b).repairs, 1);
        assert_non_null(strstr(b.s.last_body, told[i]));
        rg_template_unref(a.tmpl);
        bench_release(&b);
    }
}

static void only_one_repair(void **state)
{
    struct script sc = {1, {{.body = prose}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_OK);
    assert_int_equal(a.outcome, RG_OUTCOME_COMPILE);
    assert_non_null(strstr(a.message, "no block"));
    assert_int_equal(b.s.requests, 2);
    bench_release(&b);
}

static void declined_and_not_applied(void **state)
{
    char *same = fake_completion("```cuda\n" SAME_CUDA "```\n```plan\n" SAME_PLAN "\n```\n", "stop", 900, 10);
    struct script sc = {3, {{.body = refused}, {.body = same}, {.body = same}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_REFUSED);
    assert_non_null(strstr(a.message, "nothing is reused"));
    submit(&b, 2, &parent_template, &step_shared, NULL); /* the reply is the current version, twice */
    a = wait_answer(&b, 20);
    assert_int_equal(a.kind, RG_ANSWER_REFUSED);
    assert_true(!strncmp(a.message, "not applied: ", 13));
    assert_int_equal(b.s.requests, 3);
    assert_int_equal(usage(&b).refused, 2);
    bench_release(&b);
    free(same);
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
    static const char *const urls[] = {NULL, "", "localhost", "ftp://x/v1", "http://", "file:///etc/passwd", "http://a b/"};
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

static enum rg_status looped_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out, struct rg_error *err)
{
    out->cuda = rg_xstrdup("__global__ void parent(int n) { }\n");
    out->plan = rg_xstrdup("for (int t = 0; t < n; t++) { parent<<<1, 64>>>(n); }\n");
    return RG_OK;
}
static const struct rg_template_ops looped_ops = {.instantiate = looped_instantiate, .free = parent_free};

static void sites_are_the_program(void **state)
{
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_site_list l = {0};
    assert_int_equal(b.c.sites(b.c.self, NULL, &step_shared, &l, &b.err), RG_OK);
    assert_int_equal(l.n, 1);
    assert_string_equal(l.items[0].name, "program");
    assert_false(l.items[0].exact);
    assert_int_equal(l.items[0].traits, RG_TRAIT_LOOP | RG_TRAIT_PARALLEL);
    assert_int_equal(b.c.sites(b.c.self, &parent_template, &step_shared, &l, &b.err), RG_OK);
    assert_int_equal(l.items[1].traits, RG_TRAIT_LOOP | RG_TRAIT_PARALLEL | RG_TRAIT_ATOMICS);
    rg_site_list_release(&l);
    bench_release(&b);
}

/* A step that has nothing to work on, or whose mark is there already, costs no call. */
static void not_applicable(void **state)
{
    static const struct {
        enum rg_needs needs;
        const char *pattern;
        enum rg_check_change change;
        bool at_root, at_one_launch, at_loop;
    } cases[] = {
        {RG_NEEDS_NOTHING, NULL, RG_CHECK_NONE, true, true, true},
        {RG_NEEDS_CODE, NULL, RG_CHECK_NONE, false, true, true},
        {RG_NEEDS_LAUNCHES, NULL, RG_CHECK_NONE, false, false, true},
        {RG_NEEDS_NO_BEST, NULL, RG_CHECK_NONE, true, true, true}, /* the search's business */
        {RG_NEEDS_NOTHING, "__global__", RG_CHECK_APPEARS, true, false, false},
        {RG_NEEDS_NOTHING, "__global__", RG_CHECK_RISES, true, true, true},
        {RG_NEEDS_NOTHING, "__syncthreads", RG_CHECK_APPEARS, true, true, true},
        {RG_NEEDS_NOTHING, "__syncthreads", RG_CHECK_FALLS, true, false, false},
        {RG_NEEDS_NOTHING, "<<<[^;]*>>>", RG_CHECK_CHANGES, true, true, true},
    };
    static struct rg_link chain[] = {{(char *)"coalesce", (char *)"program"}};
    struct rg_template looped = parent_template;
    looped.ops = &looped_ops;
    looped.key = (char *)"k2";
    looped.chain = chain;
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rg_step s = {.id = "x", .needs = cases[i].needs, .check_pattern = cases[i].pattern, .check_change = cases[i].change};
        struct rg_template *at[] = {NULL, &parent_template, &looped};
        const bool want[] = {cases[i].at_root, cases[i].at_one_launch, cases[i].at_loop};
        for (int k = 0; k < 3; k++) {
            struct rg_site_list l = {0};
            assert_int_equal(b.c.sites(b.c.self, at[k], &s, &l, &b.err), RG_OK);
            if (l.n != want[k]) fail_msg("case %d at %d: %d sites", (int)i, k, l.n);
            rg_site_list_release(&l);
        }
    }
    bench_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_applicable), cmocka_unit_test(good_reply), cmocka_unit_test(parent_and_attempts), cmocka_unit_test(too_many_requests),
        cmocka_unit_test(retry_after_too_long), cmocka_unit_test(server_error_once), cmocka_unit_test(server_error_for_ever),
        cmocka_unit_test(half_reply), cmocka_unit_test(slow), cmocka_unit_test(never_again_after_a_reply),
        cmocka_unit_test(huge_reply), cmocka_unit_test(nobody_listens), cmocka_unit_test(bad_key),
        cmocka_unit_test(redirects_are_not_followed), cmocka_unit_test(quirks_are_learnt), cmocka_unit_test(context_too_long),
        cmocka_unit_test(one_repair), cmocka_unit_test(only_one_repair), cmocka_unit_test(declined_and_not_applied),
        cmocka_unit_test(budgets), cmocka_unit_test(cancel), cmocka_unit_test(bounded_in_flight),
        cmocka_unit_test(bad_options), cmocka_unit_test(sites_are_the_program)};
    return cmocka_run_group_tests(tests, texts_make, texts_free);
}
