/* The model coder over real sockets: both protocols, streams, keys from files, proxies and certificates, quirk tables,
 * and the rest of what services do to their clients. test_client.c has the plain cases, test_requests.c what is asked.
 */
#include "session.h"
#include <dirent.h>
#include <rg/log.h>
#include <sys/stat.h>

#define KEY "sk-file-13579246810"

static void messages_protocol(void **state)
{
    struct session *t = *state;
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":"
                   "\"hm\"},{\"type\":\"text\",\"text\":\"");
    for (const char *c = GOOD_REPLY; *c; c++) rg_buf_printf(&b, *c == '\n' ? "\\n" : *c == '"' ? "\\\"" : "%c", *c);
    rg_buf_str(&b, "\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":100,\"cache_read_input_tokens\":900,"
                   "\"output_tokens\":70}}");
    body(t, b.data);
    rg_buf_release(&b);
    setenv("RG_TEST_KEY", KEY, 1);
    t->o.key_env = "RG_TEST_KEY";
    t->o.api = "messages";
    good(t);
    assert_non_null(strstr(t->s.last_head, "POST /v1/messages HTTP"));
    assert_non_null(strstr(t->s.last_head, "x-api-key: " KEY));
    assert_non_null(strstr(t->s.last_head, "anthropic-version: 2023-06-01"));
    assert_null(strstr(t->s.last_head, "Authorization"));
    assert_non_null(strstr(t->s.last_body, "\"system\":[{"));
    assert_non_null(strstr(t->s.last_body, "\"cache_control\""));
    assert_non_null(strstr(t->s.last_body, "\"max_tokens\":"));
    assert_null(strstr(t->s.last_body, "\"role\":\"system\""));
    assert_null(strstr(t->s.last_body, KEY));
    assert_int_equal(usage(t).prompt_tokens, 1000);
    assert_int_equal(usage(t).cached_tokens, 900);
    assert_int_equal(usage(t).completion_tokens, 70);
}

static void messages_cut_and_errors(void **state)
{
    struct session *t = *state;
    body(t, "{\"content\":[{\"type\":\"text\",\"text\":\"```cuda\\n__global__ void k() "
            "{\"}],\"stop_reason\":\"max_tokens\"}");
    body(t, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}");
    t->o.api = "messages";
    struct rg_answer a = ask_root(t);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_SERVICE);
    assert_non_null(strstr(a.message, "Overloaded"));
    assert_non_null(strstr(t->s.last_body, "Your reply was cut off"));
}

static void key_from_a_file(void **state)
{
    struct session *t = *state;
    says(t, GOOD_REPLY);
    t->o.key_file = file_in(t, "key", KEY "\nsecond line\n");
    char record[128];
    snprintf(record, sizeof record, "%s/record", t->dir);
    t->o.record = record;
    good(t);
    assert_non_null(strstr(t->s.last_head, "Authorization: Bearer " KEY "\r\n"));
    char line[600], *text;
    size_t n;
    rg_llm_budget(&t->c, line, sizeof line);
    assert_null(strstr(line, KEY));
    assert_non_null(strstr(line, "at most 200 calls"));
    assert_int_equal(rg_file_read(record, 0, &text, &n, NULL), RG_OK);
    assert_null(strstr(text, KEY));
    free(text);
    t->c.free(t->c.self);
    t->c.self = NULL;
    t->o.key_file = file_in(t, "empty", "\n");
    assert_int_equal(rg_llm_new(&t->o, &t->f.p, &t->c, &t->err), RG_USAGE);
    rg_error_clear(&t->err);
    t->o.key_file = "/nowhere/key";
    assert_int_not_equal(rg_llm_new(&t->o, &t->f.p, &t->c, &t->err), RG_OK);
}

/* Chat stream, messages stream, one that ends in the middle: the last counts as cut, so a repair follows. */
static void streams(void **state)
{
    struct session *t = *state;
    static const char chat[] =
        ": hello\n\ndata: "
        "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"```cuda\\n__global__ void "
        "saxpy(int n, float a, \"}}]}\r\n\r\n"
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"const float *x, float *y) "
        "{}\\n```\\n```plan\\nsaxpy<<<1, 1>>>(n, a, x, y);\\n```\"}}]}\n\n"
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":22}}\n\ndata: [DONE]\n\n";
    static const char messages[] =
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5}}}\n\n"
        "event: content_block_delta\ndata: "
        "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"```cuda\\n__global__ void "
        "k(int n) {}\\n```\\n\"}}\n\n"
        "event: content_block_delta\ndata: "
        "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"```plan\\nk<<<1, "
        "1>>>(n);\\n```\"}}\n\n"
        "event: message_delta\ndata: "
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":7}}\n\n";
    reply(t, (struct fake_reply){.body = rg_xstrdup(chat), .type = "text/event-stream", .chunked = true});
    reply(t, (struct fake_reply){.body = rg_xstrdup(messages), .type = "text/event-stream"});
    reply(t, (struct fake_reply){.body = rg_xstrndup(chat, 180), .type = "text/event-stream"});
    says(t, GOOD_REPLY);
    t->o.quirks = file_in(t, "quirks", "m stream\n");
    good(t);
    assert_non_null(strstr(t->s.last_body, "\"stream\":true"));
    assert_int_equal(usage(t).prompt_tokens, 11);
    assert_int_equal(usage(t).completion_tokens, 22);
    good(t);
    assert_int_equal(usage(t).prompt_tokens, 16);
    assert_int_equal(usage(t).completion_tokens, 29);
    good(t);
    assert_int_equal(usage(t).repairs, 1);
}

static void quirk_tables(void **state)
{
    struct session *t = *state;
    says(t, GOOD_REPLY);
    t->o.temperature = 0.5;
    t->o.reply_tokens = 99;
    t->o.quirks = file_in(
        t, "quirks",
        "# mine\n\nother no-system\nm no-temperature max-completion-tokens no-system effort=low body={\"top_k\":20}\n");
    good(t);
    assert_null(strstr(t->s.last_body, "temperature"));
    assert_non_null(strstr(t->s.last_body, "\"max_completion_tokens\":99"));
    assert_null(strstr(t->s.last_body, "\"role\":\"system\""));
    assert_non_null(strstr(t->s.last_body, "You are an expert CUDA engineer"));
    assert_non_null(strstr(t->s.last_body, "\"reasoning_effort\":\"low\""));
    assert_non_null(strstr(t->s.last_body, "\"top_k\":20"));
    t->c.free(t->c.self);
    t->c.self = NULL;
    t->o.quirks = file_in(t, "quirks", "m no-temperature\nzzz body={broken\n");
    assert_int_equal(rg_llm_new(&t->o, &t->f.p, &t->c, &t->err), RG_INPUT);
    assert_int_equal(t->err.line, 2);
}

static void limits_are_learnt(void **state)
{
    struct session *t = *state;
    reply(t, (struct fake_reply){.status = 400,
                                 .body = rg_xstrdup("{\"error\":{\"message\":\"max_tokens: 16384 > 8192, which is the "
                                                    "maximum allowed for m-20250101\"}}")});
    says(t, GOOD_REPLY);
    t->o.api = "messages";
    good(t);
    assert_non_null(strstr(t->s.last_body, "\"max_tokens\":8192"));
    assert_int_equal(usage(t).calls, 1);
}

static void built_in_quirks(void **state)
{
    struct session *t = *state;
    says(t, GOOD_REPLY);
    t->o.model = "openai/o3-mini";
    t->o.temperature = 0.5;
    t->o.reply_tokens = 7;
    good(t);
    assert_null(strstr(t->s.last_body, "temperature"));
    assert_non_null(strstr(t->s.last_body, "\"max_completion_tokens\":7"));
}

/* One of the environment is used for other machines, and told apart by no_proxy; never for this one. */
static void proxies(void **state)
{
    struct session *t = *state;
    char proxy[64];
    says(t, GOOD_REPLY);
    says(t, GOOD_REPLY);
    snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", t->s.port);
    setenv("http_proxy", proxy, 1);
    unsetenv("no_proxy");
    unsetenv("NO_PROXY");
    t->o.url = "http://model.invalid:81/v1";
    good(t);
    assert_non_null(strstr(t->s.last_head, "POST http://model.invalid:81/v1/chat/completions HTTP"));
    setenv("no_proxy", "model.invalid", 1);
    reopen(t);
    struct rg_answer a = ask_root(t);
    assert_int_equal(a.status, RG_SERVICE);
    assert_int_equal(t->s.requests, 1);
    unsetenv("no_proxy");
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    t->o.url = t->s.url;
    reopen(t);
    good(t);
    assert_int_equal(t->s.requests, 2);
    unsetenv("http_proxy");
}

static void rate_limits_and_failures_in_a_row(void **state)
{
    struct session *t = *state;
    reply(t, (struct fake_reply){.status = 429, .body = rg_xstrdup("{\"error\":\"slow down\"}")});
    reply(t, (struct fake_reply){.body = fake_completion(GOOD_REPLY, "stop", 1, 1), .reset = true});
    says(t, GOOD_REPLY);
    good(t);
    assert_int_equal(t->s.requests, 3);
    assert_int_equal(usage(t).calls, 1);
    assert_int_equal(usage(t).retries, 2);
}

static void slow_drip(void **state)
{
    struct session *t = *state;
    reply(t, (struct fake_reply){.body = fake_completion(GOOD_REPLY, "stop", 1, 1), .drip_ms = 40});
    t->o.timeout_s = 0.3;
    t->o.wall_s = 0.7;
    double start = rg_now();
    struct rg_answer a = ask_root(t);
    assert_int_equal(a.status, RG_SERVICE);
    assert_true(rg_now() - start < 4);
}

static void hundred_megabytes(void **state)
{
    struct session *t = *state;
    reply(t, (struct fake_reply){.body = fake_completion(GOOD_REPLY, "stop", 1, 1), .huge = 100u << 20});
    struct rg_answer a = ask_root(t);
    assert_int_equal(a.status, RG_SERVICE);
    assert_non_null(strstr(a.message, "larger than 8388608 bytes"));
    assert_int_equal(t->s.requests, 1);
}

static void wrong_content_types(void **state)
{
    struct session *t = *state;
    reply(t, (struct fake_reply){.body = rg_xstrdup("<!doctype html><title>Sign in</title>"), .type = "text/html"});
    reply(t, (struct fake_reply){.body = fake_completion(GOOD_REPLY, "stop", 1, 1), .type = "text/plain"});
    struct rg_answer a = ask_root(t);
    assert_int_equal(a.status, RG_SERVICE);
    assert_non_null(strstr(a.message, "no JSON"));
    good(t); /* what it is counts, not what it is called */
}

static void probe(void **state)
{
    struct session *t = *state;
    body(t, "{\"data\":[{\"id\":\"other\"},{\"id\":\"m\",\"max_model_len\":32768}]}");
    reply(t, (struct fake_reply){.status = 400,
                                 .body = rg_xstrdup("{\"error\":{\"message\":\"temperature is not supported\"}}")});
    says(t, "```cuda\n__global__ void scale(int n, float *x) {}\n```\n```plan\nscale<<<1, 1>>>(n, x);\n```\n");
    body(t, "{\"choices\":[{\"message\":{\"content\":\"a\"}},{\"message\":{\"content\":\"b\"}}]}");
    struct rg_llm_probe p;
    t->o.temperature = 0.3;
    assert_int_equal(rg_llm_probe(&t->o, &p, &t->err), RG_OK);
    assert_true(p.lists_models && p.has_model && p.answers && p.usable && p.samples);
    assert_int_equal(p.n_models, 2);
    assert_int_equal(p.context, 32768);
    assert_int_equal(p.prompt_tokens, 1000);
    assert_string_equal(p.quirks, " no-temperature");
    assert_int_equal(t->s.requests, 4);
}

static void probe_of_a_broken_server(void **state)
{
    struct session *t = *state;
    setenv("RG_TEST_KEY", KEY, 1);
    t->o.key_env = "RG_TEST_KEY";
    reply(t, (struct fake_reply){.status = 401, .body = rg_xstrdup("{\"error\":{\"message\":\"bad key " KEY "\"}}")});
    struct rg_llm_probe p;
    assert_int_equal(rg_llm_probe(&t->o, &p, &t->err), RG_OK);
    assert_false(p.lists_models || p.answers);
    assert_non_null(strstr(p.message, "HTTP 401: bad key ***"));
    assert_null(strstr(p.message, KEY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {T(messages_protocol),
                                       T(messages_cut_and_errors),
                                       T(key_from_a_file),
                                       T(streams),
                                       T(quirk_tables),
                                       T(limits_are_learnt),
                                       T(built_in_quirks),
                                       T(rate_limits_and_failures_in_a_row),
                                       T(slow_drip),
                                       T(hundred_megabytes),
                                       T(wrong_content_types),
                                       T(proxies),
                                       T(probe),
                                       T(probe_of_a_broken_server)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
