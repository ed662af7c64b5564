/* run.json and report.html in --out: what the run knows of itself that no journal tells, and the page that both make,
 * written anew while the search runs. Both are replaced as wholes. */
#include "base/json_util.h"
#include "cmd/report.h"
#include "cmd/search.h"
#include <math.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between two pages at least, and the share of the time that writing them takes at most. */
static const double page_every_s = 1.5, page_share = 0.005;
struct search_live {
    struct report_run *run;
    struct rg_buf command;
    double next; /* by rg_now() */
    double spent_s;
    bool failed;
};

static bool plain_word(const char *s)
{
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") == strlen(s);
}

/* As a POSIX shell reads it back. */
void search_command(int argc, char **argv, struct rg_buf *out)
{
    for (int i = 0; i < argc; i++) {
        if (i) rg_buf_char(out, ' ');
        if (plain_word(argv[i])) {
            rg_buf_str(out, argv[i]);
            continue;
        }
        rg_buf_char(out, '\'');
        for (const char *s = argv[i]; *s; s++) {
            if (*s == '\'')
                rg_buf_str(out, "'\\''");
            else
                rg_buf_char(out, *s);
        }
        rg_buf_char(out, '\'');
    }
}

/* Bytes that a call of the exported function moves at the timed size: every array to the device, as what a function
 * writes in part keeps the rest, and the outputs back; NaN unknown. */
static double moved_bytes(const struct rg_problem *p)
{
    double bytes = 0;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        int64_t n;
        if (q->kind != RG_PARAM_ARRAY) continue;
        if (rg_problem_elements(p, i, &p->sizes[0], &n, NULL) != RG_OK) return NAN;
        bytes += (double)n * (double)q->elem_bytes * (1 + (q->role != RG_ROLE_IN));
    }
    return bytes;
}

double search_transfer_ms(const struct search_session *s, const char **how)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    const struct rg_evaluation *e = &s->result.evaluation;
    if (!i->estimated) {
        *how = "measured";
        return s->result.best && e->total_us >= 0 ? (e->total_us - e->time_us) * 1e-3 : NAN;
    }
    *how = "estimated";
    return i->pcie_bytes_s > 0 ? moved_bytes(s->problem) / i->pcie_bytes_s * 1e3 : NAN;
}

double search_call_ms(const struct search_session *s)
{
    const char *how;
    return s->result.best ? s->result.evaluation.time_us * 1e-3 + search_transfer_ms(s, &how) : NAN;
}

double search_break_even(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    return i->sequential_ms > 0 ? report_break_even(s->seconds_total, i->sequential_ms, search_call_ms(s)) : NAN;
}

static void fact(json_t *o, const char *name, const char *text)
{
    if (text && *text) json_object_set_new(o, name, rg_json_text(text));
}

static json_t *model(const struct search_session *s)
{
    struct rg_llm_usage u;
    char text[200];
    json_t *o = json_object();
    if (!s->has_llm) return o;
    rg_llm_usage(&s->coders[s->n_coders - 1], &u);
    fact(o, "model", s->o.llm_model);
    snprintf(text, sizeof text, "%d, %d of them from the record, %d second requests after an unusable reply", u.calls,
             u.replayed, u.repairs);
    fact(o, "calls", text);
    snprintf(text, sizeof text, "%lld in (%lld cached), %lld out", (long long)u.prompt_tokens,
             (long long)u.cached_tokens, (long long)u.completion_tokens);
    fact(o, "tokens", text);
    if (u.cost >= 0) {
        snprintf(text, sizeof text, "$%.4f", u.cost);
        fact(o, "cost", text);
    } else
        fact(o, "cost", "unknown: no price is known (--llm-prices)");
    double per = search_cost_per_gain(s);
    snprintf(text, sizeof text, "$%.4f", per);
    if (isfinite(per)) fact(o, "cost of halving the time once", text);
    snprintf(text, sizeof text, "%d verified, %d declined, %d without usable code", search_accepted(s), u.refused,
             u.failed);
    fact(o, "its steps", text);
    return o;
}

static json_t *facts(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    struct rg_buf traits = RG_BUF_INIT, prepared = RG_BUF_INIT;
    json_t *o = json_object();
    fact(o, "prototype", s->problem->prototype);
    fact(o, "architecture", i->arch);
    fact(o, "driver", i->driver);
    fact(o, "compiler of kernels", i->nvrtc);
    fact(o, "closed to candidates", i->sandbox);
    fact(o, "races and stray accesses", i->race_checks);
    if (!i->estimated) fact(o, "pruning", i->prune);
    fact(o, "not verified at", i->left_out);
    search_prepared(s, &prepared);
    if (prepared.len) fact(o, "changed before the first step", prepared.data);
    rg_buf_release(&prepared);
    if (s->problem->assumed) fact(o, "assumed by the user, not proven", s->problem->assumed);
    for (int k = 0; k < RG_N_TRAITS; k++)
        if (s->problem->traits >> k & 1) rg_buf_printf(&traits, "%s%s", traits.len ? ", " : "", rg_trait_word(k));
    fact(o, "traits of the problem", traits.data);
    rg_buf_release(&traits);
    return o;
}

static enum rg_status run_json(struct search_session *s, bool closed, struct rg_error *err)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    const char *transfer_how;
    double transfer = search_transfer_ms(s, &transfer_how);
    bool wide = (s->problem->traits & RG_TRAIT_FP64) != 0;
    json_t *o = json_object();
    json_object_set_new(o, "schema", json_string("regraph-run/1"));
    json_object_set_new(o, "command", rg_json_text(s->live->command.data));
    json_object_set_new(o, "seconds", closed ? json_real(s->seconds_total) : json_null());
    json_object_set_new(o, "device_name", rg_json_text(i->name));
    json_object_set_new(o, "sequential_ms", i->sequential_ms >= 0 ? json_real(i->sequential_ms) : json_null());
    json_object_set_new(o, "sequential_how",
                        i->sequential_ms >= 0 ? json_string(rg_sequential_word(i->sequential_how)) : json_null());
    json_object_set_new(o, "threads", json_integer(i->baseline_threads));
    json_object_set_new(o, "threads_ms", i->baseline_ms >= 0 ? json_real(i->baseline_ms) : json_null());
    json_object_set_new(o, "sol_ms", i->sol_ms > 0 ? json_real(i->sol_ms) : json_null());
    bool moved = i->traffic != RG_TRAFFIC_UNKNOWN;
    json_object_set_new(o, "read_bytes", moved ? json_real(i->read_bytes) : json_null());
    json_object_set_new(o, "write_bytes", moved ? json_real(i->write_bytes) : json_null());
    json_object_set_new(o, "copy_bytes_s", i->copy_bytes_s > 0 ? json_real(i->copy_bytes_s) : json_null());
    json_object_set_new(o, "flop_s", rg_json_number(wide ? i->fp64_flop_s : i->fp32_flop_s));
    json_object_set_new(o, "peaks", rg_json_text(i->peaks));
    json_object_set_new(o, "transfer_ms", rg_json_number(transfer));
    json_object_set_new(
        o, "transfer_how",
        json_string(i->estimated ? "kernels estimated, transfers at the PCIe rate of the device file" : "measured"));
    json_object_set_new(o, "model", model(s));
    json_object_set_new(o, "facts", facts(s));
    json_object_set_new(o, "refusals", search_refusals(s, closed));
    char *text = rg_json_pretty(o), *path = rg_xasprintf("%s/run.json", s->out_dir);
    enum rg_status st = rg_file_write(path, text, strlen(text), err);
    free(text);
    free(path);
    json_decref(o);
    return st;
}

static enum rg_status page(struct search_session *s, bool closed, struct rg_error *err)
{
    struct search_live *l = s->live;
    struct rg_buf out = RG_BUF_INIT;
    bool first = !l->run; /* what changes in run.json later, the end tells */
    enum rg_status st = first || closed ? run_json(s, closed, err) : RG_OK;
    if (st == RG_OK && first)
        st = report_open(s->out_dir, &l->run, err);
    else if (st == RG_OK)
        st = report_update(l->run, err);
    if (st == RG_OK) {
        if (first || closed) report_beside(l->run);
        report_sources(l->run);
        if (closed) report_learnt(l->run);
        report_page((const struct report_run *const *)&l->run, 1, &(struct report_page_options){.live = !closed}, &out);
        char *path = rg_xasprintf("%s/report.html", s->out_dir);
        st = closed ? rg_file_write(path, out.data, out.len, err) : rg_file_replace(path, out.data, out.len, err);
        free(path);
    }
    rg_buf_release(&out);
    return st;
}

/* A report that can't be written is no reason to end a search: it is said once. */
static void page_or_say(struct search_session *s, bool closed)
{
    struct rg_error err = RG_ERROR_INIT;
    char text[1600];
    double began = rg_now();
    if (page(s, closed, &err) != RG_OK && !s->live->failed) {
        s->live->failed = true;
        rg_cmd_message("no report: %s", rg_error_format(&err, text, sizeof text));
    }
    double took = rg_now() - began, rest = took / page_share;
    s->live->spent_s += took;
    s->live->next = rg_now() + (rest > page_every_s ? rest : page_every_s);
}

void search_live_begin(struct search_session *s)
{
    if (!s->o.report) return;
    s->live = rg_xcalloc(1, sizeof *s->live);
    rg_buf_init(&s->live->command);
    search_command(s->argc, s->argv, &s->live->command);
}

void search_live(struct search_session *s)
{
    if (s->live && !s->live->failed && rg_now() >= s->live->next) page_or_say(s, false);
}

void search_live_end(struct search_session *s)
{
    if (!s->live || !s->have_result) return;
    page_or_say(s, true);
    rg_log(RG_LOG_DEBUG, "report.html took %.3f s of %.1f s", s->live->spent_s, s->seconds_total);
}

void search_live_chain(const struct search_session *s, struct rg_buf *out)
{
    struct report_run *r = NULL;
    double before = 0;
    bool sure = false; /* it was measured */
    if (s->result.n_chain < 2 || report_open(s->out_dir, &r, NULL) != RG_OK) return;
    for (int i = 0; r->closed && i < r->n_chain; i++) {
        const struct report_node *n = report_node(r, r->chain[i].node);
        double us = i == r->n_chain - 1 ? s->result.evaluation.time_us : n && n->measured ? n->us : 0;
        double about = us <= 0 && n && !n->measured ? n->expected_us : 0, shown = us > 0 ? us : about;
        char t[32];
        snprintf(t, sizeof t, i < r->n_first ? "at first" : "not timed");
        if (shown > 0)
            snprintf(t, sizeof t,
                     shown < 1e3   ? "%s%.4g us"
                     : shown < 1e6 ? "%s%.4g ms"
                                   : "%s%.4g s",
                     about > 0 ? "~" : "",
                     shown * (shown < 1e3   ? 1
                              : shown < 1e6 ? 1e-3
                                            : 1e-6));
        rg_buf_printf(out, "  %-11s %-10s %s@%s", i ? "" : "chain", t, r->chain[i].step, r->chain[i].site);
        if (shown > 0 && before > 0) rg_buf_printf(out, us > 0 && sure ? "  %.2fx" : "  ~%.3gx", before / shown);
        rg_buf_char(out, '\n');
        if (shown > 0) before = shown;
        sure = us > 0;
    }
    report_free(r);
}

bool search_live_failed(const struct search_session *s)
{
    return s->live->failed;
}

void search_live_free(struct search_session *s)
{
    if (!s->live) return;
    report_free(s->live->run);
    rg_buf_release(&s->live->command);
    free(s->live);
}
