/* Record and replay: what was recorded is answered without network or key, anything else is a miss that says what
 * differs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "fake_server.h"
#include "llm/llm.h"
#include "llm_fixture.h"
#include <errno.h>

#define KEY "sk-record-987654321"
#define SHARED_REPLY                                                                                                   \
    "```cuda\n__global__ void t(int n) { __shared__ float s[4]; } // \xc3\xa9\n```\n```plan\nt<<<1, 1>>>(n);\n```"

/* Answers by what is asked; the first request for tile.shared gets prose, so that a repair is recorded too. */
static void model(struct fake_server *s, int n, const char *head, const char *body, struct fake_reply *r)
{
    const char *text = !strstr(body, "(tile.shared)")         ? GOOD_REPLY
                       : strstr(body, "no fenced code block") ? SHARED_REPLY
                                                              : "no code at all";
    r->body = fake_completion(text, "stop", 1000, 50);
}

struct run {
    char text[8192]; /* every answer of the session, as text */
    struct rg_llm_usage usage;
};

/* The same session whatever answers: root, then a step on its result, then a refused-by-budget-free third sample. */
static void session(const struct rg_llm_options *o, struct run *out)
{
    struct fixture f;
    struct rg_coder c;
    struct rg_error err = RG_ERROR_INIT;
    fixture_init(&f);
    if (rg_llm_new(o, &f.p, &c, &err) != RG_OK) fail_msg("%s", err.text);
    struct rg_template *parent = NULL;
    struct rg_buf b = RG_BUF_INIT;
    const struct rg_step *steps[] = {&step_parallelize, &step_shared};
    for (int i = 0; i < 2; i++) {
        struct rg_hint h = {.sample = 0};
        struct rg_answer a;
        bool got;
        assert_int_equal(c.submit(c.self, i, parent, steps[i], "program", &h, &err), RG_OK);
        assert_int_equal(c.poll(c.self, 20, &a, &got, &err), RG_OK);
        assert_true(got);
        rg_buf_printf(&b, "%d %d %s\n", a.kind, a.status, a.message);
        if (a.kind != RG_ANSWER_TEMPLATE) continue;
        struct rg_source s;
        assert_int_equal(rg_template_instantiate(a.tmpl, NULL, &s, &err), RG_OK);
        rg_buf_printf(&b, "%s\n%s%s", a.tmpl->key, s.cuda, s.plan);
        rg_source_release(&s);
        rg_template_unref(parent);
        parent = a.tmpl;
    }
    rg_template_unref(parent);
    rg_llm_usage(&c, &out->usage);
    snprintf(out->text, sizeof out->text, "%s", b.data);
    rg_buf_release(&b);
    c.free(c.self);
}

static char path[64];

static int fresh(void **state)
{
    snprintf(path, sizeof path, "/tmp/rg-record-%d.jsonl", (int)getpid());
    unlink(path);
    setenv("OPENAI_API_KEY", KEY, 1);
    return 0;
}

static int gone(void **state)
{
    unlink(path);
    return 0;
}

static void record_once(struct run *live)
{
    struct fake_server s;
    fake_start(&s, model, NULL);
    struct rg_llm_options o = {.url = s.url, .model = "m", .temperature = -1, .record = path};
    session(&o, live);
    fake_stop(&s);
    unsetenv("OPENAI_API_KEY");
}

static char *slurp(void)
{
    char *text;
    size_t n;
    assert_int_equal(rg_file_read(path, 0, &text, &n, NULL), RG_OK);
    return text;
}

static void spill(const char *text)
{
    assert_int_equal(rg_file_write(path, text, strlen(text), NULL), RG_OK);
}

static void replays_bit_for_bit(void **state)
{
    struct run live, replayed;
    record_once(&live);
    assert_non_null(strstr(live.text, "__shared__"));
    assert_int_equal(live.usage.calls, 3);
    assert_int_equal(live.usage.replayed, 0);
    char *record = slurp();
    assert_null(strstr(record, KEY));
    assert_null(strstr(record, "127.0.0.1"));
    free(record);
    struct rg_llm_options o = {.replay = path, .temperature = -1}; /* no url, no key, the record's model */
    session(&o, &replayed);
    assert_string_equal(live.text, replayed.text);
    assert_int_equal(replayed.usage.calls, 3);
    assert_int_equal(replayed.usage.replayed, 3);
    assert_int_equal(replayed.usage.prompt_tokens, live.usage.prompt_tokens);
    assert_int_equal(replayed.usage.completion_tokens, live.usage.completion_tokens);
}

static void recording_again_adds_nothing(void **state)
{
    struct run live;
    record_once(&live);
    char *one = slurp();
    record_once(&live);
    char *two = slurp();
    assert_string_equal(one, two);
    free(one);
    free(two);
}

static void miss(const struct rg_llm_options *o, const struct rg_step *step, int sample, const char *says)
{
    struct fixture f;
    struct rg_coder c;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_answer a;
    bool got;
    fixture_init(&f);
    if (rg_llm_new(o, &f.p, &c, &err) != RG_OK) fail_msg("%s", err.text);
    struct rg_hint h = {.sample = sample};
    assert_int_equal(c.submit(c.self, 4, NULL, step, "program", &h, &err), RG_OK);
    assert_int_equal(c.poll(c.self, 1, &a, &got, &err), RG_OK);
    assert_true(got);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_SERVICE);
    if (!strstr(a.message, says)) fail_msg("'%s' does not say '%s'", a.message, says);
    c.free(c.self);
}

static void a_miss_says_what_differs(void **state)
{
    struct run live;
    record_once(&live);
    struct rg_llm_options o = {.replay = path, .temperature = -1};
    miss(&o, &step_parallelize, 1, "another sample");
    miss(&o, &step_parallelize, 1, "but for its sample number");
    miss(&o, &step_shared, 0, "no answer to step 'tile.shared' at 'program' after '@start'");
    o.device_facts = "another device";
    miss(&o, &step_parallelize, 0, "nearest: step 'parallelize' after '@start' but for its problem text");
    o.device_facts = NULL;
    o.model = "other";
    miss(&o, &step_parallelize, 0, "but for its model ('m')");
    o.model = NULL;
    o.temperature = 0.5; /* a parameter is part of the key */
    miss(&o, &step_parallelize, 0, "no answer to step 'parallelize'");
}

static void bad_records(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "holds no request"},
        {"{\"note\": \"by hand\"}\n", "holds no request"},
        {"{\"format\": \"regraph-llm-record/9\"}\n", "unknown format"},
        {"{\"format\": \"regraph-llm-record/1\"}\nnonsense\n", ".jsonl"},
        {"{\"format\": \"regraph-llm-record/1\"}\n{\"key\": \"short\", \"reply\": {\"text\": \"x\"}}\n", "64 hex"},
        {"{\"key\": \"x\"}\n", "first line"},
        {"{\"format\": \"regraph-llm-record/1\"}\n[1]\n", "no object"}};
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        struct rg_llm_options o = {.replay = path, .model = "m", .temperature = -1};
        char text[1400];
        spill(cases[i].text);
        assert_int_equal(rg_llm_new(&o, &f.p, &c, &err), RG_INPUT);
        rg_error_format(&err, text, sizeof text);
        if (!strstr(text, cases[i].says)) fail_msg("'%s' does not say '%s'", text, cases[i].says);
    }
    struct rg_coder c;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_llm_options o = {
        .url = "http://localhost:1", .model = "m", .temperature = -1, .record = "/nowhere/at/all.jsonl"};
    assert_int_equal(rg_llm_new(&o, &f.p, &c, &err), RG_IO);
}

/* kill -9 in the middle of a write: the whole lines survive, and recording goes on after them. */
static void a_cut_line_is_dropped(void **state)
{
    struct run live, replayed;
    record_once(&live);
    char *whole = slurp();
    size_t n = strlen(whole);
    for (int i = 0; i < 2; i++) {
        char *cut = rg_xstrndup(whole, n - 40);
        spill(cut);
        free(cut);
        if (i) record_once(&live);
        struct rg_llm_options o = {.replay = path, .temperature = -1};
        session(&o, &replayed);
        assert_int_equal(replayed.usage.replayed, i ? 3 : 2);
        assert_int_equal(!strcmp(live.text, replayed.text), i);
    }
    free(whole);
}

/* With both, the new record holds just what was used of the old. */
static void replay_into_a_record(void **state)
{
    struct run live, replayed;
    char second[80];
    record_once(&live);
    char *all = slurp();
    snprintf(second, sizeof second, "%s.2", path);
    unlink(second);
    struct rg_llm_options o = {.replay = path, .temperature = -1, .record = second};
    session(&o, &replayed);
    char *copy;
    size_t n;
    assert_int_equal(rg_file_read(second, 0, &copy, &n, NULL), RG_OK);
    assert_string_equal(all, copy);
    free(copy);
    free(all);
    unlink(second);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fresh, gone)
    const struct CMUnitTest tests[] = {T(replays_bit_for_bit),      T(recording_again_adds_nothing),
                                       T(a_miss_says_what_differs), T(bad_records),
                                       T(a_cut_line_is_dropped),    T(replay_into_a_record)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
