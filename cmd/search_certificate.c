/* certificate.json: what the run knows of its best kernel, so that it can be checked again elsewhere
 * (docs/certificate.md). */
#include "cmd/search.h"
#include <math.h>
#include <rg/certificate.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *now(struct rg_arena *a)
{
    struct tm tm;
    time_t t = time(NULL);
    char text[32] = "";
    if (gmtime_r(&t, &tm)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return rg_arena_strdup(a, text);
}

static void about_run(const struct search_session *s, struct rg_certificate *c)
{
    const struct search_options *o = &s->o;
    char text[600];
    c->regraph = rg_cmd_version();
    c->created = now(&c->arena);
    c->run = s->run_id;
    c->seed = o->seed;
    c->policy = o->apply ? "apply" : o->policy;
    c->objective = o->objective;
    c->cache = o->cache;
    c->graph_file = s->graph_path;
    c->graph_sha256 = s->graph_sha;
    c->evaluations = s->result.evaluations;
    c->limit_regs = s->limit_regs;
    c->limit_shared = s->limit_shared;
    c->limit_memory = s->limit_memory;
    c->limit_arch = s->limit_arch ? s->limit_arch : "";
    rg_cmd_processor(text, sizeof text);
    c->host_cpu = rg_arena_strdup(&c->arena, text);
    rg_cmd_compiler(s->problem->cflags, text, sizeof text);
    c->host_cc = rg_arena_strdup(&c->arena, text);
}

static void about_problem(const struct search_session *s, struct rg_certificate *c)
{
    const struct rg_problem *p = s->problem;
    char sha[65];
    char *json = rg_problem_to_json(p);
    c->function = p->function;
    c->prototype = p->prototype;
    c->problem_hash = p->hash;
    c->problem_json = rg_arena_strdup(&c->arena, json ? json : "");
    free(json);
    c->c_file = s->o.file ? s->o.file : "";
    c->c_sha256 = s->c_sha256;
    rg_sha256_hex(p->reference_c, strlen(p->reference_c), sha);
    c->reference_sha256 = rg_arena_strdup(&c->arena, sha);
    c->oracle = p->oracle == RG_ORACLE_F64 ? "f64" : "sequential";
    c->oracle_why = p->oracle_why ? p->oracle_why : "";
    c->trivial = p->allow_trivial;
    c->sizes = rg_arena_alloc(&c->arena, (size_t)(p->n_size_params + 1) * sizeof *c->sizes);
    for (int i = 0; i < p->n_size_params; i++)
        c->sizes[c->n_sizes++] =
            (struct rg_named_int){rg_param_shown(&p->params[p->size_params[i]]), p->sizes[0].values[i]};
    c->specialized = rg_arena_alloc(&c->arena, (size_t)(p->n_params + 1) * sizeof *c->specialized);
    for (int i = 0; i < p->n_params; i++) {
        int64_t v;
        if (p->params[i].kind == RG_PARAM_SCALAR && rg_problem_fixed(p, i, &v))
            c->specialized[c->n_specialized++] = (struct rg_named_int){rg_param_shown(&p->params[i]), v};
    }
    c->tolerances = rg_arena_alloc(&c->arena, (size_t)(p->n_params + 1) * sizeof *c->tolerances);
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->kind != RG_PARAM_ARRAY || q->role == RG_ROLE_IN) continue;
        bool exact = q->elem != RG_STRUCT && !rg_scalar_is_real(q->elem);
        enum rg_scalar type = q->elem == RG_STRUCT ? RG_F32 : q->elem;
        c->tolerances[c->n_tolerances++] =
            (struct rg_certified_output){rg_param_shown(q), exact ? 0 : rg_problem_rtol(p, type),
                                         exact ? 0 : rg_problem_atol(p, type), q->mismatch_share};
    }
}

static void about_device(const struct search_session *s, struct rg_certificate *c)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    c->device = i->device;
    c->arch = i->arch;
    c->driver = i->driver;
    c->nvrtc = i->nvrtc;
    c->sandbox = i->sandbox;
    c->sms = i->sms;
    c->clock_mhz = i->clock_hz > 0 ? i->clock_hz * 1e-6 : NAN;
    c->estimated = i->estimated;
    c->sol_ms = i->sol_ms >= 0 ? i->sol_ms : NAN;
    c->sequential_ms = i->sequential_ms >= 0 ? i->sequential_ms : NAN;
    c->threads = i->baseline_ms >= 0 ? i->baseline_threads : 0;
    c->threads_ms = i->baseline_ms >= 0 ? i->baseline_ms : NAN;
    c->sequential_how = i->sequential_ms < 0 ? "" : rg_sequential_word(i->sequential_how);
}

static void about_kernel(const struct search_session *s, struct rg_certificate *c)
{
    const struct rg_search_result *r = &s->result;
    const struct rg_evaluation *e = &r->evaluation;
    const struct rg_template *t = r->best;
    char sha[65];
    c->coder = t->coder;
    c->cuda = r->source.cuda;
    c->plan = r->source.plan;
    rg_certificate_kernel_sha256(c->cuda, c->plan, sha);
    c->kernel_sha256 = rg_arena_strdup(&c->arena, sha);
    c->ptx_sha256 = e->ptx_hash;
    c->chain = r->chain;
    c->n_chain = r->n_chain;
    c->tunables = rg_arena_alloc(&c->arena, (size_t)(t->tunables.n + 1) * sizeof *c->tunables);
    for (int i = 0; i < t->tunables.n; i++)
        c->tunables[c->n_tunables++] = (struct rg_named_int){t->tunables.items[i].name, r->vector.values[i]};
    c->max_error = e->max_error;
    c->rms_error = e->rms_error;
    c->kernel_ms = e->time_us * 1e-3;
    c->kernel_noise_ms = e->estimated ? NAN : e->noise_us * 1e-3;
    c->total_ms = e->total_us >= 0 ? e->total_us * 1e-3 : NAN;
    c->naive_ms = r->naive_us > 0 ? r->naive_us * 1e-3 : NAN;
    c->limiter = rg_limiter_word(e->limiter);
    c->n_counters = e->n_counters;
    memcpy(c->counters, e->counters, sizeof c->counters);
    c->sm_mhz = rg_evaluation_counter(e, "sm_mhz");
    c->memory_mhz = rg_evaluation_counter(e, "memory_mhz");
    c->varies = rg_evaluation_counter(e, "varies") > 0;
    c->suspect = rg_evaluation_counter(e, "suspect") > 0;
    c->unchecked = rg_evaluation_counter(e, "race_checked") == 0;
}

static enum rg_status about_files(const struct search_session *s, struct rg_certificate *c, struct rg_error *err)
{
    static const char *const names[] = {"best.cu", "regraph_host.h", "best.h",   "auto.c",
                                        "check.c", "reference.c",    "Makefile", "problem.json"};
    enum { N = sizeof names / sizeof names[0] };
    c->files = rg_arena_alloc(&c->arena, N * sizeof *c->files);
    enum rg_status st = RG_OK;
    for (int i = 0; i < N && st == RG_OK; i++) {
        char *path = rg_xasprintf("%s/%s", s->out_dir, names[i]), *text, sha[65];
        size_t len;
        if (rg_file_exists(path) && (st = rg_file_read(path, 0, &text, &len, err)) == RG_OK) {
            rg_sha256_hex(text, len, sha);
            c->files[c->n_files++] = (struct rg_certified_file){names[i], rg_arena_strdup(&c->arena, sha)};
            free(text);
        }
        free(path);
    }
    return st;
}

enum rg_status search_certificate(struct search_session *s, struct rg_error *err)
{
    struct rg_certificate *c = rg_certificate_new();
    struct rg_case_evidence *cases = NULL;
    about_run(s, c);
    about_problem(s, c);
    about_device(s, c);
    about_kernel(s, c);
    enum rg_status st = about_files(s, c, err);
    if (st == RG_OK) st = rg_farm_evidence(s->farm, &s->result.source, &cases, &c->n_cases, err);
    c->cases = cases;
    if (st == RG_OK) {
        char *text = rg_certificate_print(c), *path = rg_xasprintf("%s/certificate.json", s->out_dir);
        st = rg_file_write(path, text, strlen(text), err);
        free(text);
        if (st == RG_OK)
            s->certificate_path = path;
        else
            free(path);
    }
    free(cases);
    rg_certificate_free(c);
    return st;
}
