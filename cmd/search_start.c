/* --start: the kernel that a search begins from, out of a best.cu or a certificate. */
#include "cmd/search.h"
#include <rg/certificate.h>
#include <rg/file.h>
#include <rg/plan.h>
#include <stdlib.h>
#include <string.h>

struct search_start {
    struct rg_source source;
    struct rg_certificate *certificate; /* NULL: the steps are not known */
    struct rg_search_given given;
    const char **names;
    int64_t *values;
};

static enum rg_status from_certificate(struct search_start *t, const char *text, size_t len, const char *path,
                                       struct rg_error *err)
{
    char sha[65];
    enum rg_status st = rg_certificate_parse(text, len, path, &t->certificate, err);
    if (st != RG_OK) return st;
    const struct rg_certificate *c = t->certificate;
    t->source = (struct rg_source){rg_xstrdup(c->cuda), rg_xstrdup(c->plan)};
    rg_certificate_kernel_sha256(c->cuda, c->plan, sha);
    if (strcmp(sha, c->kernel_sha256))
        rg_cmd_message("warning: --start: the kernel in '%s' was changed since it was certified", path);
    return RG_OK;
}

/* The certificate beside a best.cu knows its steps, where it is still the same kernel. */
static void certificate_beside(struct search_start *t, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *beside = rg_xasprintf("%.*scertificate.json", slash ? (int)(slash - path) + 1 : 0, path), sha[65];
    struct rg_error none = RG_ERROR_INIT;
    struct rg_certificate *c = NULL;
    if (rg_file_exists(beside) && rg_certificate_load(beside, &c, &none) == RG_OK) {
        rg_certificate_kernel_sha256(t->source.cuda, t->source.plan, sha);
        if (!strcmp(sha, c->kernel_sha256))
            t->certificate = c;
        else
            rg_certificate_free(c);
    }
    free(beside);
}

/* Names and parameters of the plan against this problem: what can be told before anything is compiled. */
static enum rg_status fits(const struct rg_problem *p, const struct rg_source *src, struct rg_error *err)
{
    struct rg_plan *plan = NULL;
    enum rg_status st = rg_plan_parse(src->plan, &plan, err);
    if (st == RG_OK) st = rg_plan_check(plan, p, NULL, err);
    rg_plan_free(plan);
    return st;
}

static void take_steps(struct search_start *t)
{
    const struct rg_certificate *c = t->certificate;
    t->given.chain = c->chain;
    t->given.n_chain = c->n_chain;
    t->given.n_values = c->n_tunables;
    t->names = rg_xcalloc((size_t)c->n_tunables + 1, sizeof *t->names);
    t->values = rg_xcalloc((size_t)c->n_tunables + 1, sizeof *t->values);
    for (int i = 0; i < c->n_tunables; i++) {
        t->names[i] = c->tunables[i].name;
        t->values[i] = c->tunables[i].value;
    }
    t->given.names = t->names;
    t->given.values = t->values;
}

enum rg_status search_load_start(struct search_session *s, struct rg_error *err)
{
    const char *path = s->o.start;
    char *text;
    size_t len;
    if (!path) return RG_OK;
    enum rg_status st = rg_file_read(path, 0, &text, &len, err);
    if (st != RG_OK) {
        rg_error_prefix(err, "--start");
        return st;
    }
    struct search_start *t = s->start = rg_xcalloc(1, sizeof *t);
    size_t blank = strspn(text, " \t\r\n");
    bool json = blank < len && text[blank] == '{';
    st = json ? from_certificate(t, text, len, path, err)
              : rg_export_read(text, len, path, &t->source, &t->given.line, err);
    free(text);
    if (st == RG_OK && !json) {
        t->given.file = path;
        certificate_beside(t, path);
    }
    if (st == RG_OK && (st = fits(s->problem, &t->source, err)) != RG_OK)
        rg_error_prefix(err, "--start %s: its plan does not fit %s", path, s->problem->function);
    if (st != RG_OK) return st;
    if (t->certificate) {
        if (strcmp(t->certificate->problem_hash, s->problem->hash))
            rg_cmd_message("--start: '%s' is of another problem (sizes, inputs, tolerances or the C itself): its "
                           "kernel is verified against this one",
                           path);
        take_steps(t);
    }
    t->given.source = t->source;
    return RG_OK;
}

const struct rg_search_given *search_given(const struct search_session *s)
{
    return s->start ? &s->start->given : NULL;
}

void search_start_free(struct search_session *s)
{
    struct search_start *t = s->start;
    if (!t) return;
    rg_source_release(&t->source);
    rg_certificate_free(t->certificate);
    free(t->names);
    free(t->values);
    free(t);
    s->start = NULL;
}
