/* regraph-verify: does a certificate hold, here and now? */
#include "cmd/verify.h"
#include <rg/file.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int stop;
static volatile sig_atomic_t stop_signal;

static void on_signal(int sig)
{
    stop_signal = sig;
    stop = 1;
    signal(sig, SIG_DFL);
}

struct options {
    const char *path, *device;
    int64_t seed;
    bool json, verbose;
};

struct session {
    struct options o;
    struct rg_certificate *certificate;
    struct rg_problem *problem;
    struct rg_farm *farm;
    struct findings findings;
    struct rg_evaluation e;
    bool evaluated;
};

static int parse(int argc, char **argv, struct options *o)
{
    const struct rg_option table[] = {
        RG_OPTION_TEXT("device", 'd', &o->device, "DEV",
                       "cuda:N, sim:NAME (the certificate's kind: the first GPU, or the same\nsimulated device)"),
        RG_OPTION_INT("seed", 0, &o->seed, "N", 0, 9e18,
                      "of the inputs (the certificate's, so that they are the same bytes)"),
        RG_OPTION_FLAG("json", 0, &o->json, "one JSON document on stdout (regraph-verify/1)"),
        RG_OPTION_FLAG("verbose", 'v', &o->verbose, "what the workers do"),
    };
    const struct rg_command c = {
        .name = "regraph-verify",
        .example = "regraph-verify out/sgemm/certificate.json",
        .usage = "certificate.json [options]",
        .about =
            "Verifies and times the kernel of a certificate again, on this or another machine, as the search did: the\n"
            "problem, the kernel and its plan are in the certificate. Says line by line what agrees and what differs.",
        .options = table,
        .n_options = RG_N_OPTIONS(table),
        .min_args = 1,
        .max_args = 1,
        .notes =
            "A line is `ok` (as certified), `note` (other, as it may be), `warning` (10 % slower on the same device, "
            "say)\n"
            "or `differs` (it must not). It compiles and runs C and CUDA code from the certificate, where this kernel "
            "can\n"
            "(Landlock, seccomp) closed off: no files written, no network.\n"
            "Exit: 0 it holds; 1 something differs that must not; 2 usage; 3 no certificate, or its problem cannot be\n"
            "run here; 4 no such device, driver, library or compiler; 70 our bug; 128+n signal.",
    };
    return rg_cmd_parse_one(&c, argc, argv, &o->path);
}

/* "sim:h200" as it is; of GPUs the first, whatever number the certificate's had. */
static const char *device_of(const struct session *s)
{
    if (s->o.device) return s->o.device;
    return strncmp(s->certificate->device, "sim:", 4) ? "cuda:0" : s->certificate->device;
}

static enum rg_status evaluate(struct session *s, const struct rg_source *src, struct rg_error *err)
{
    struct rg_evaluator *ev = rg_farm_evaluator(s->farm);
    struct rg_eval_result r;
    bool got = false;
    enum rg_status st = ev->submit(ev->self, 1, src, RG_EVAL_LAST, err);
    while (st == RG_OK && !got) {
        if (stop) return rg_error_set(err, RG_CANCELED, "stopped");
        st = ev->poll(ev->self, 0.5, &r, &got, err);
    }
    if (st != RG_OK) return st;
    s->e = r.e;
    s->evaluated = true;
    return RG_OK;
}

static enum rg_status verify(struct session *s, struct rg_error *err)
{
    const struct rg_certificate *c = s->certificate;
    const struct rg_farm_options o = {
        .device = device_of(s),
        .cache_hot = !strcmp(c->cache, "hot"),
        .seed = (uint64_t)(s->o.seed >= 0 ? s->o.seed : c->seed),
        .limit_regs = (int)c->limit_regs,
        .limit_shared = c->limit_shared,
        .limit_memory = c->limit_memory,
        .limit_arch = c->limit_arch[0] ? c->limit_arch : NULL,
        .stop = &stop,
        .foreign = true,
    };
    struct rg_source src = {(char *)c->cuda, (char *)c->plan};
    enum rg_status st = rg_farm_start(&o, s->problem, &s->farm, err);
    if (st != RG_OK) return st;
    verify_machine(c, s->problem, rg_farm_info(s->farm), &s->findings);
    st = evaluate(s, &src, err);
    if (st != RG_OK) return st;
    if (s->o.seed < 0 || s->o.seed == c->seed)
        st = verify_cases(c, s->farm, s->e.outcome == RG_OUTCOME_OK ? &src : NULL, &s->findings, err);
    else
        finding_add(&s->findings, FINDING_NOTE, "inputs", "other values than the certificate's: seed %lld, not %lld",
                    (long long)s->o.seed, (long long)c->seed);
    if (st == RG_OK) {
        rg_farm_settle(s->farm);
        verify_evaluation(c, rg_farm_info(s->farm), &s->e, &s->findings);
    }
    return st;
}

/* The folder of a path: "." or what stands before the last '/'. */
static char *folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? rg_xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : rg_xstrdup(".");
}

static enum rg_status load(struct session *s, struct rg_error *err)
{
    enum rg_status st = rg_certificate_load(s->o.path, &s->certificate, err);
    if (st != RG_OK) return st;
    char *name = rg_xasprintf("%s, its problem", s->o.path), *dir = folder(s->o.path);
    st = rg_problem_from_json(s->certificate->problem_json, strlen(s->certificate->problem_json), name, &s->problem,
                              err);
    if (st == RG_OK) verify_integrity(s->certificate, s->problem, dir, &s->findings);
    free(name);
    free(dir);
    return st;
}

static void print(const struct session *s)
{
    const struct rg_certificate *c = s->certificate;
    static const char *const colours[] = {"32", "0", "33", "1;31"};
    printf("%s  certificate of %s by ReGraph %s\n", rg_cmd_paint(stdout, "1", c->function),
           c->created[0] ? c->created : "an unknown date", c->regraph);
    for (int i = 0; i < s->findings.n; i++) {
        const struct finding *f = &s->findings.items[i];
        char word[16];
        snprintf(word, sizeof word, "%-8s", finding_word(f->level));
        printf("  %s %-11s %s\n", rg_cmd_paint(stdout, colours[f->level], word), f->what, f->text);
    }
    bool hold = findings_hold(&s->findings);
    printf("%s\n", rg_cmd_paint(stdout, hold ? "1;32" : "1;31",
                                hold ? "the certificate holds" : "the certificate does NOT hold"));
}

int main(int argc, char **argv)
{
    struct session s = {.o = {.seed = -1}};
    struct rg_error err = RG_ERROR_INIT;
    rg_cmd_start("regraph-verify");
    int code = parse(argc, argv, &s.o);
    if (code >= 0) return rg_cmd_end(code);
    rg_cmd_verbosity(s.o.verbose ? 2 : 0);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGPIPE, SIG_IGN);
    enum rg_status st = load(&s, &err);
    if (st == RG_OK) st = verify(&s, &err);
    if (st == RG_OK) {
        if (s.o.json)
            verify_print_json(s.o.path, s.certificate, rg_farm_info(s.farm), &s.e, &s.findings);
        else
            print(&s);
        code = findings_hold(&s.findings) ? 0 : 1;
    } else {
        for (int i = 0; i < s.findings.n; i++) /* what was found before is worth knowing all the same */
            if (s.findings.items[i].level == FINDING_DIFFERS)
                rg_cmd_message("%s: %s", s.findings.items[i].what, s.findings.items[i].text);
        code = rg_cmd_fail(&err);
        if (st == RG_UNAVAILABLE && !s.o.device && s.certificate)
            rg_cmd_message("the certificate is of %s; --device chooses another, sim:h200 say", s.certificate->device);
    }
    if (stop_signal) code = 128 + (int)stop_signal;
    rg_farm_free(s.farm);
    rg_problem_free(s.problem);
    rg_certificate_free(s.certificate);
    free(s.findings.items);
    return rg_cmd_end(code);
}
