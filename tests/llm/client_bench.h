/* A model coder against a server that says what a script holds; what the tests of it share. */
#ifndef RG_TESTS_CLIENT_BENCH_H
#define RG_TESTS_CLIENT_BENCH_H
#include "fake_server.h"
#include "llm_fixture.h"

#define KEY "sk-test-0123456789"
#define SAME_CUDA "__global__ void parent(int n) { int TX=64; }\n" /* of parent_template */
#define SAME_PLAN "parent<<<1, 64>>>(n);"

struct script {
    int n;
    struct fake_reply replies[8]; /* request n gets reply n, later ones the last; body: literal, copied */
};

static inline void scripted(struct fake_server *s, int n, const char *head, const char *body, struct fake_reply *r)
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

static inline void bench_init(struct bench *b, const struct script *sc)
{
    memset(b, 0, sizeof *b);
    fixture_init(&b->f);
    fake_start(&b->s, scripted, (void *)(uintptr_t)sc);
    b->o = (struct rg_llm_options){.url = b->s.url,
                                   .model = "m",
                                   .key_env = "RG_TEST_KEY",
                                   .temperature = 0.2,
                                   .backoff_s = 0.01,
                                   .timeout_s = 5,
                                   .retries = 2};
}

static inline void bench_open(struct bench *b)
{
    if (rg_llm_new(&b->o, &b->f.p, &b->c, &b->err) != RG_OK) fail_msg("%s", b->err.text);
}

static inline void bench_release(struct bench *b)
{
    if (b->c.self) b->c.free(b->c.self);
    fake_stop(&b->s);
}

static inline void submit(struct bench *b, int id, struct rg_template *parent, const struct rg_step *step,
                          const struct rg_hint *h)
{
    assert_int_equal(b->c.submit(b->c.self, id, parent, step, "program", h, &b->err), RG_OK);
}

static inline struct rg_answer wait_answer(struct bench *b, double seconds)
{
    struct rg_answer a = {.id = -1};
    bool got = false;
    assert_int_equal(b->c.poll(b->c.self, seconds, &a, &got, &b->err), RG_OK);
    assert_true(got);
    assert_null(strstr(a.message, KEY));
    return a;
}

static inline struct rg_answer ask(struct bench *b)
{
    submit(b, 1, NULL, &step_parallelize, NULL);
    return wait_answer(b, 20);
}

static inline struct rg_llm_usage usage(struct bench *b)
{
    struct rg_llm_usage u;
    rg_llm_usage(&b->c, &u);
    return u;
}

static char *good, *prose, *refused, *cut, *diffy;

static inline int texts_make(void **state)
{
    setenv("RG_TEST_KEY", KEY "\n", 1);
    good = fake_completion(GOOD_REPLY, "stop", 1000, 50);
    prose = fake_completion("I would use more threads.", "stop", 900, 10);
    refused = fake_completion("REFUSED: nothing is reused", "stop", 900, 10);
    cut = fake_completion("```cuda\n__global__ void saxpy(", "length", 900, 10);
    diffy = fake_completion("```diff\n-__global__\n+__global__\n```", "stop", 900, 10);
    return 0;
}

static inline int texts_free(void **state)
{
    free(good);
    free(prose);
    free(refused);
    free(cut);
    free(diffy);
    return 0;
}
#endif
