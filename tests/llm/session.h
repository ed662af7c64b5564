/* A model coder at work against a server that says what the test tells it to, with a folder of its own. */
#ifndef RG_TESTS_LLM_SESSION_H
#define RG_TESTS_LLM_SESSION_H
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "fake_server.h"
#include "llm_fixture.h"

struct script {
    int n;
    struct fake_reply replies[8]; /* request n gets reply n, later ones the last; body: copied */
};
struct session {
    struct fixture f;
    struct fake_server s;
    struct script script;
    struct rg_coder c;
    struct rg_llm_options o;
    struct rg_error err;
    char dir[40];
};

static __attribute__((unused)) void scripted(struct fake_server *s, int n, const char *head, const char *body,
                                             struct fake_reply *r)
{
    const struct script *sc = s->arg;
    *r = sc->replies[n < sc->n ? n : sc->n - 1];
    r->body = rg_xstrdup(r->body ? r->body : "");
}

static __attribute__((unused)) int begin(void **state)
{
    struct session *t = rg_xcalloc(1, sizeof *t);
    fixture_init(&t->f);
    fake_start(&t->s, scripted, &t->script);
    t->o = (struct rg_llm_options){.url = t->s.url,
                                   .model = "m",
                                   .key_env = "RG_TEST_NO_KEY",
                                   .temperature = -1,
                                   .backoff_s = 0.01,
                                   .timeout_s = 5,
                                   .retries = 2};
    strcpy(t->dir, "/tmp/rg-service-XXXXXX");
    assert_non_null(mkdtemp(t->dir));
    *state = t;
    return 0;
}

static __attribute__((unused)) int end(void **state)
{
    struct session *t = *state;
    if (t->c.self) t->c.free(t->c.self);
    fake_stop(&t->s);
    for (int i = 0; i < t->script.n; i++) free(t->script.replies[i].body);
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", t->dir);
    if (system(command)) return 1;
    free(t);
    return 0;
}

static __attribute__((unused)) void reply(struct session *t, struct fake_reply r)
{
    t->script.replies[t->script.n++] = r;
}
static __attribute__((unused)) void says(struct session *t, const char *text)
{
    reply(t, (struct fake_reply){.body = fake_completion(text, "stop", 1000, 50)});
}
static __attribute__((unused)) void body(struct session *t, const char *json)
{
    reply(t, (struct fake_reply){.body = rg_xstrdup(json)});
}

static __attribute__((unused)) void reopen(struct session *t)
{
    if (t->c.self) t->c.free(t->c.self);
    t->c.self = NULL;
    rg_error_clear(&t->err);
    if (rg_llm_new(&t->o, &t->f.p, &t->c, &t->err) != RG_OK) fail_msg("%s", t->err.text);
}

static __attribute__((unused)) struct rg_answer wait_answer(struct session *t)
{
    struct rg_answer a = {0};
    bool got = false;
    assert_int_equal(t->c.poll(t->c.self, 30, &a, &got, &t->err), RG_OK);
    assert_true(got);
    return a;
}

static __attribute__((unused)) struct rg_answer ask(struct session *t, struct rg_template *parent,
                                                    const struct rg_step *step, const struct rg_hint *h)
{
    if (!t->c.self) reopen(t);
    assert_int_equal(t->c.submit(t->c.self, 1, parent, step, "program", h, &t->err), RG_OK);
    return wait_answer(t);
}

static __attribute__((unused)) struct rg_answer ask_root(struct session *t)
{
    struct rg_hint h = {0};
    return ask(t, NULL, &step_parallelize, &h);
}

static __attribute__((unused)) void good(struct session *t)
{
    struct rg_answer a = ask_root(t);
    if (a.kind != RG_ANSWER_TEMPLATE) fail_msg("%s", a.message);
    rg_template_unref(a.tmpl);
}

static __attribute__((unused)) struct rg_llm_usage usage(struct session *t)
{
    struct rg_llm_usage u;
    rg_llm_usage(&t->c, &u);
    return u;
}

static __attribute__((unused)) char *file_in(struct session *t, const char *name, const char *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", t->dir, name);
    assert_int_equal(rg_file_write(path, text, strlen(text), NULL), RG_OK);
    return path;
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
#endif
