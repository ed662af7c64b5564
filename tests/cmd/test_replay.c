/* regraph-replay against what searches really wrote: runs of the engine with a fake coder and a fake evaluator learn
 * into one graph; replaying their journals in every order gives that graph, byte for byte. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <rg/file.h>
#include <rg/hash.h>
#include <rg/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a coder whose kernels are named by their chain --- */

struct fake {
    struct rg_answer answer; /* the one not yet fetched */
    bool waiting;
    struct rg_eval_result result;
    bool evaluated;
    uint64_t seed;
};

static void template_free(struct rg_template *t)
{
    for (int i = 0; i < t->n_chain; i++) {
        free(t->chain[i].step);
        free(t->chain[i].site);
    }
    free(t->chain);
    free(t->key);
    free(t);
}

static enum rg_status instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err)
{
    out->cuda = rg_xstrdup(t->key);
    out->plan = rg_xstrdup("");
    return RG_OK;
}

static const struct rg_template_ops ops = {.instantiate = instantiate, .free = template_free};

static enum rg_status sites(void *self, const struct rg_template *parent, const struct rg_step *step,
                            struct rg_site_list *out, struct rg_error *err)
{
    if (step->poly && (!parent || parent->n_chain < 6)) rg_site_list_add(out, "C", ~0u, true);
    return RG_OK;
}

static enum rg_status submit(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                             const char *site, const struct rg_hint *hint, struct rg_error *err)
{
    struct fake *f = self;
    struct rg_buf key = RG_BUF_INIT;
    rg_buf_printf(&key, "%s %s", parent ? parent->key : "", step->id);
    f->waiting = true;
    f->answer = (struct rg_answer){.id = id, .kind = RG_ANSWER_TEMPLATE};
    uint64_t h = rg_hash64(key.data, key.len, f->seed);
    if (h % 7 == 0) {
        rg_buf_release(&key);
        f->answer.kind = h % 2 ? RG_ANSWER_FAILED : RG_ANSWER_REFUSED;
        f->answer.outcome = RG_OUTCOME_PLAN;
        return RG_OK;
    }
    struct rg_template *t = rg_xcalloc(1, sizeof *t);
    *t = (struct rg_template){.ops = &ops, .refs = 1, .coder = "poly", .key = rg_buf_steal(&key)};
    t->n_chain = (parent ? parent->n_chain : 0) + 1;
    t->chain = rg_xcalloc((size_t)t->n_chain, sizeof *t->chain);
    for (int i = 0; i + 1 < t->n_chain; i++)
        t->chain[i] = (struct rg_link){rg_xstrdup(parent->chain[i].step), rg_xstrdup(parent->chain[i].site)};
    t->chain[t->n_chain - 1] = (struct rg_link){rg_xstrdup(step->id), rg_xstrdup(site)};
    f->answer.tmpl = t;
    return RG_OK;
}

static enum rg_status answer(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err)
{
    struct fake *f = self;
    *got = f->waiting;
    if (f->waiting) *out = f->answer;
    f->waiting = false;
    return RG_OK;
}

/* --- an evaluator: times and outcomes from the hash of the name --- */

static enum rg_status evaluate(void *self, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                               struct rg_error *err)
{
    struct fake *f = self;
    uint64_t h = rg_hash64(src->cuda, strlen(src->cuda), f->seed + 1);
    f->result = (struct rg_eval_result){.id = id};
    f->result.e.total_us = -1;
    f->result.e.estimated = true;
    rg_sha256_hex(src->cuda, strlen(src->cuda), f->result.e.ptx_hash);
    if (h % 5 == 0)
        f->result.e.outcome = (enum rg_outcome)(1 + h / 5 % 5);
    else
        f->result.e.time_us = 20 + (double)(h >> 8 & 1023);
    f->evaluated = true;
    return RG_OK;
}

static enum rg_status result(void *self, double seconds, struct rg_eval_result *out, bool *got, struct rg_error *err)
{
    struct fake *f = self;
    *got = f->evaluated;
    if (f->evaluated) *out = f->result;
    f->evaluated = false;
    return RG_OK;
}

static enum rg_status duel(void *self, const struct rg_source *a, const struct rg_source *b, struct rg_duel *out,
                           struct rg_error *err)
{
    struct fake *f = self;
    double t[2];
    const struct rg_source *s[2] = {a, b};
    for (int i = 0; i < 2; i++)
        t[i] = 20 + (double)(rg_hash64(s[i]->cuda, strlen(s[i]->cuda), f->seed + 1) >> 8 & 1023);
    *out = (struct rg_duel){t[0] / t[1], true, t[0], t[1]};
    return RG_OK;
}

static void cancel(void *self, int id) {}
static void no_free(void *self) {}

/* One run as regraph-search does it: search the graph file as it is now, then learn into it. */
static void run(int i, const char *graph, const char *journal)
{
    struct fake f = {.seed = (uint64_t)i * 1000};
    struct rg_coder coder = {.name = "poly",
                             .self = &f,
                             .sites = sites,
                             .submit = submit,
                             .poll = answer,
                             .cancel = cancel,
                             .free = no_free},
                    *coders[] = {&coder};
    struct rg_evaluator ev = {.self = &f,
                              .device = "sim:h200",
                              .arch = i == 2 ? "sim:a100" : "sim:h200",
                              .estimated = true,
                              .submit = evaluate,
                              .poll = result,
                              .duel = duel,
                              .cancel = cancel,
                              .free = no_free};
    char id[16];
    snprintf(id, sizeof id, "run%d", i);
    struct rg_search_options o = {.policy = i == 1 ? "random" : "mcgs",
                                  .seed = (uint64_t)i,
                                  .evals = 40,
                                  .in_flight = 1,
                                  .journal = journal,
                                  .run_id = id,
                                  .klass = i == 2 ? "stencil" : "contraction",
                                  .function = "f",
                                  .traits = ~0u,
                                  .max_mix = -1};
    struct rg_search_result r = {0};
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g;
    assert_int_equal(rg_regraph_load(graph, &g, &err), RG_OK);
    if (rg_search_run(&o, g, coders, 1, &ev, &r, &err) != RG_OK) fail_msg("search: %s", err.text);
    assert_true(r.n_rows > 3);
    if (rg_search_learn(graph, r.rows, r.n_rows, g, &err) != RG_OK) fail_msg("learn: %s", err.text);
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

static char dir[] = "/tmp/rg-replay-XXXXXX";

static int command(const char *arguments)
{
    const char *build = getenv("BUILD");
    char here[1024] = "";
    if (!build) build = "build";
    if (build[0] != '/') assert_non_null(getcwd(here, sizeof here - 1));
    if (build[0] != '/') here[strlen(here)] = '/';
    char *line = rg_xasprintf("cd '%s' && '%s%s/regraph-replay' %s 2>log", dir, here, build, arguments);
    int status = system(line);
    free(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *slurp(const char *name)
{
    char *path = rg_xasprintf("%s/%s", dir, name), *text = NULL;
    size_t len;
    if (rg_file_read(path, 0, &text, &len, NULL) != RG_OK) fail_msg("no %s", path);
    free(path);
    return text;
}

static void test_every_order(void **state)
{
    static const char *const orders[] = {"0 1 2", "0 2 1", "1 0 2", "1 2 0", "2 0 1", "2 1 0", "2 1 0 2 1 0"};
    char *before, *learnt;
    size_t len;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(rg_file_read("graphs/cuda.json", 0, &before, &len, NULL), RG_OK);
    char *graph = rg_xasprintf("%s/graph.json", dir), *first = rg_xasprintf("%s/before.json", dir);
    assert_int_equal(rg_file_write(first, before, len, NULL), RG_OK);
    assert_int_equal(rg_file_write(graph, before, len, NULL), RG_OK);
    for (int i = 0; i < 3; i++) {
        char *journal = rg_xasprintf("%s/%d.jsonl", dir, i);
        run(i, graph, journal);
        free(journal);
    }
    learnt = slurp("graph.json");
    assert_true(strlen(learnt) > len + 1000);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct rg_buf line = RG_BUF_INIT;
        for (const char *p = orders[i]; *p; p++)
            if (*p != ' ') rg_buf_printf(&line, "%c.jsonl ", *p);
        rg_buf_str(&line, "--graph before.json -o new.json");
        assert_int_equal(command(line.data), 0);
        char *got = slurp("new.json");
        assert_string_equal(got, learnt);
        free(got);
        rg_buf_release(&line);
    }
    /* On top of the learnt graph nothing changes. */
    assert_int_equal(command("1.jsonl 0.jsonl --graph graph.json -o new.json"), 0);
    char *again = slurp("new.json");
    assert_string_equal(again, learnt);
    free(again);
    free(graph);
    free(first);
    free(before);
    free(learnt);
}

/* A copy of a journal that was cut short (a crash, a full disk) beside the whole one changes nothing, whichever comes
 * first. */
static void test_cut_journal(void **state)
{
    char *whole = slurp("0.jsonl"), *path = rg_xasprintf("%s/cut.jsonl", dir), *a, *b;
    assert_int_equal(rg_file_write(path, whole, strlen(whole) * 2 / 3, NULL), RG_OK);
    assert_int_equal(command("0.jsonl cut.jsonl --graph before.json -o a.json"), 0);
    assert_int_equal(command("cut.jsonl 0.jsonl --graph before.json -o b.json"), 0);
    a = slurp("a.json");
    b = slurp("b.json");
    assert_string_equal(a, b);
    free(a);
    free(b);
    free(whole);
    free(path);
}

static void test_bad(void **state)
{
    assert_int_equal(command("--graph before.json -o x.json"), 2);
    assert_int_equal(command("0.jsonl -o x.json"), 2);
    assert_int_equal(command("0.jsonl --graph before.json"), 2);
    assert_int_equal(command("none.jsonl --graph before.json -o x.json"), 3);
    assert_int_equal(command("0.jsonl --graph none.json -o x.json"), 3);
    assert_int_equal(command("before.json --graph before.json -o x.json"), 3); /* no journal */
    char *path = rg_xasprintf("%s/x.json", dir);
    assert_false(rg_file_exists(path));
    free(path);
}

static int remove_dir(void **state)
{
    char *line = rg_xasprintf("rm -rf '%s'", dir);
    int status = system(line);
    free(line);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_order), cmocka_unit_test(test_cut_journal),
                                       cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, remove_dir);
}
