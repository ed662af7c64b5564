/* The --json document, schema regraph-search/1 (docs/json.md). */
#include "base/json_members.h"
#include "cmd/search.h"
#include <math.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

static json_t *sizes(const struct search_session *s)
{
    json_t *o = json_object();
    for (int k = 0; k < s->problem->n_size_params; k++)
        json_object_set_new(o, rg_param_shown(&s->problem->params[s->problem->size_params[k]]),
                            json_integer(s->problem->sizes[0].values[k]));
    return o;
}

/* Each step with its site and the tunables it opened; those of an unknown step go to the last. */
static json_t *steps(const struct search_session *s)
{
    const struct rg_template *t = s->result.best;
    json_t *a = json_array();
    for (int i = 0; i < s->result.n_chain; i++) {
        json_t *tunables = json_object();
        int link_of = i - s->result.n_first; /* in the template's chain */
        for (int k = 0; k < t->tunables.n && link_of >= 0; k++)
            if (t->tunables.items[k].link == link_of || (t->tunables.items[k].link < 0 && link_of == t->n_chain - 1))
                json_object_set_new(tunables, t->tunables.items[k].name, json_integer(s->result.vector.values[k]));
        json_t *link = rg_members_json(rg_link_members, &s->result.chain[i]);
        json_object_set_new(link, "tunables", tunables);
        json_array_append_new(a, link);
    }
    return a;
}

static json_t *prepared(const struct search_session *s)
{
    int n;
    const struct rg_prepared *p = search_prepared_list(s, &n);
    json_t *a = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(a, json_pack("{s:s, s:s, s:i}", "step", rg_preparation_word(p[i].what), "loop", p[i].loop,
                                           "line", p[i].line));
    return a;
}

static json_t *best(const struct search_session *s)
{
    const struct rg_search_result *r = &s->result;
    if (!r->best) return json_null();
    const struct rg_evaluation *e = &r->evaluation;
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    double seconds = e->time_us * 1e-6, bytes = i->read_bytes + i->write_bytes;
    json_t *o = json_object();
    json_object_set_new(o, "kernel_ms", json_real(e->time_us * 1e-3));
    json_object_set_new(o, "total_ms", e->total_us >= 0 ? json_real(e->total_us * 1e-3) : json_null());
    const char *how;
    double transfer = search_transfer_ms(s, &how);
    json_object_set_new(o, "transfer_ms", rg_json_number(transfer));
    json_object_set_new(o, "transfer_how", isnan(transfer) ? json_null() : json_string(how));
    json_object_set_new(o, "call_ms", rg_json_number(search_call_ms(s)));
    json_object_set_new(o, "break_even_calls", rg_json_number(search_break_even(s)));
    json_object_set_new(o, "speedup_vs_naive", r->naive_us > 0 ? json_real(r->naive_us / e->time_us) : json_null());
    json_object_set_new(o, "speedup_vs_sequential", rg_json_number(search_vs_sequential(s)));
    json_object_set_new(o, "speedup_vs_threads", rg_json_number(search_vs_threads(s)));
    json_object_set_new(o, "sol_fraction", rg_json_number(search_sol_fraction(s)));
    json_object_set_new(o, "gb_s", i->traffic != RG_TRAFFIC_UNKNOWN ? json_real(bytes / seconds * 1e-9) : json_null());
    json_object_set_new(o, "gflop_s",
                        s->problem->flops >= 0 ? json_real(s->problem->flops / seconds * 1e-9) : json_null());
    json_object_set_new(o, "kernel", rg_json_text(e->kernel));
    json_object_set_new(o, "threads", rg_json_number(e->threads));
    json_object_set_new(o, "limiter", json_string(rg_limiter_word(e->limiter)));
    json_object_set_new(o, "steps", steps(s));
    json_object_set_new(o, "prepared", prepared(s));
    json_object_set_new(o, "source", s->best_path ? rg_json_text(s->best_path) : json_null());
    json_object_set_new(o, "certificate", s->certificate_path ? rg_json_text(s->certificate_path) : json_null());
    json_object_set_new(o, "max_error", rg_json_number(e->max_error));
    json_object_set_new(o, "extents_assumed",
                        s->problem->extent_note ? rg_json_text(s->problem->extent_note) : json_null());
    json_object_set_new(o, "inputs_note", s->problem->init_note ? rg_json_text(s->problem->init_note) : json_null());
    json_object_set_new(o, "idle", json_boolean(search_idle(s)));
    json_object_set_new(o, "assumed", s->problem->assumed ? rg_json_text(s->problem->assumed) : json_null());
    json_object_set_new(o, "not_verified_at",
                        i->left_out[0]                               ? rg_json_text(i->left_out)
                        : rg_farm_doubts(s->farm, &s->result.source) ? json_string("every size: the run ended before")
                                                                     : json_null());
    json_t *counters = json_object(), *hardware = json_object();
    for (int k = 0; k < e->n_counters; k++)
        json_object_set_new(rg_counter_of_hardware(e->counters[k].name) ? hardware : counters, e->counters[k].name,
                            rg_json_number(e->counters[k].value));
    for (const char *const *n = rg_hardware_counters(); *n; n++)
        if (!json_object_get(hardware, *n)) json_object_set_new(hardware, *n, json_null());
    char sha[65];
    rg_sha256_hex(r->source.cuda, strlen(r->source.cuda), sha);
    json_object_set_new(o, "counters", counters);
    json_object_set_new(
        o, "hardware",
        json_pack("{s:s, s:o, s:o}", "source_sha256", sha, "device", rg_json_text(i->device), "counters", hardware));
    return o;
}

static json_t *llm(const struct search_session *s)
{
    if (!s->has_llm) return json_null();
    struct rg_llm_usage u;
    rg_llm_usage(&s->coders[s->n_coders - 1], &u);
    json_t *fixes = json_object();
    for (int i = 0; i < RG_LLM_N_FIXES; i++)
        if (u.fixes[i]) json_object_set_new(fixes, rg_llm_fix_word(i), json_integer(u.fixes[i]));
    double per = search_cost_per_gain(s);
    return json_pack("{s:i, s:I, s:o, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:i, s:i, s:i, s:o, s:o}", "calls", u.calls,
                     "tokens", (json_int_t)(u.prompt_tokens + u.completion_tokens), "cost",
                     u.cost >= 0 ? json_real(u.cost) : json_null(), "replayed", u.replayed, "repairs", u.repairs,
                     "retries", u.retries, "refused", u.refused, "failed", u.failed, "prompt_tokens",
                     (json_int_t)u.prompt_tokens, "cached_tokens", (json_int_t)u.cached_tokens, "judged", u.judged,
                     "criticised", u.criticised, "accepted", search_accepted(s), "cost_per_gain", rg_json_number(per),
                     "fixes", fixes);
}

static json_t *uncertainty(const struct rg_farm_info *i)
{
    if (isnan(i->digits)) return json_null();
    json_t *open = i->undetermined ? json_pack("{s:I, s:o, s:o}", "values", (json_int_t)i->undetermined, "output",
                                               rg_json_text(i->undetermined_of), "at", rg_json_text(i->undetermined_at))
                                   : json_null();
    return json_pack("{s:o, s:o, s:o, s:b, s:o}", "digits", rg_json_number(i->digits), "output",
                     rg_json_text(i->digits_of), "at", rg_json_text(i->digits_at), "loose", i->loose, "undetermined",
                     open);
}

static json_t *not_numbers(const struct rg_farm_info *i)
{
    if (!i->n_nan && !i->n_infinite) return json_null();
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "nan", (json_int_t)i->n_nan, "infinite", (json_int_t)i->n_infinite,
                     "of", (json_int_t)i->odd_of_n, "output", rg_json_text(i->odd_of), "at", rg_json_text(i->odd_at));
}

void search_print_json(struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    const struct rg_search_result *r = &s->result;
    json_t *outcomes = json_object(), *o = json_object();
    for (int k = 0; k < RG_N_OUTCOMES; k++)
        if (r->outcomes[k]) json_object_set_new(outcomes, rg_outcome_word(k), json_integer(r->outcomes[k]));
    json_object_set_new(o, "schema", json_string("regraph-search/1"));
    json_object_set_new(o, "function", json_string(s->problem->function));
    json_object_set_new(o, "device", rg_json_text(i->device));
    json_object_set_new(o, "estimated", json_boolean(i->estimated));
    json_object_set_new(o, "run", json_string(s->run_id));
    json_object_set_new(o, "sizes", sizes(s));
    json_object_set_new(o, "sequential_ms", i->sequential_ms >= 0 ? json_real(i->sequential_ms) : json_null());
    json_object_set_new(o, "sequential_how",
                        i->sequential_ms >= 0 ? json_string(rg_sequential_word(i->sequential_how)) : json_null());
    json_object_set_new(o, "baseline_threads",
                        !i->baseline_threads ? json_null()
                                             : json_pack("{s:i, s:o, s:o}", "threads", i->baseline_threads, "ms",
                                                         i->baseline_ms >= 0 ? json_real(i->baseline_ms) : json_null(),
                                                         "note", rg_json_text(i->baseline_note)));
    json_object_set_new(o, "uncertainty", uncertainty(i));
    json_object_set_new(o, "not_numbers", not_numbers(i));
    json_object_set_new(o, "naive_ms", r->naive_us > 0 ? json_real(r->naive_us * 1e-3) : json_null());
    json_object_set_new(o, "sol_ms", i->sol_ms >= 0 ? json_real(i->sol_ms) : json_null());
    json_object_set_new(o, "sol_how", json_string(rg_traffic_word(i->traffic)));
    json_object_set_new(o, "sol_why", i->traffic_why[0] ? rg_json_text(i->traffic_why) : json_null());
    json_object_set_new(o, "compulsory_read_bytes",
                        i->traffic == RG_TRAFFIC_UNKNOWN ? json_null() : json_real(i->read_bytes));
    json_object_set_new(o, "compulsory_write_bytes",
                        i->traffic == RG_TRAFFIC_UNKNOWN ? json_null() : json_real(i->write_bytes));
    json_object_set_new(o, "evaluations", json_integer(r->evaluations));
    json_object_set_new(o, "outcomes", outcomes);
    json_object_set_new(o, "best", best(s));
    json_object_set_new(o, "refusals", search_refusals(s, true));
    search_parallel_json(s, o);
    json_object_set_new(o, "graph",
                        json_pack("{s:o, s:s, s:i}", "file", rg_json_text(s->graph_path), "sha256", s->graph_sha,
                                  "edges_updated", s->edges_updated));
    json_object_set_new(o, "llm", llm(s));
    json_object_set_new(
        o, "compile_cache",
        json_pack("{s:b, s:i, s:i}", "on", s->cache_dir != NULL, "hits", i->compile_hits, "compiled", i->compiled));
    json_object_set_new(o, "peaks",
                        json_pack("{s:o, s:o, s:o, s:s}", "copy_bytes_s",
                                  i->copy_bytes_s > 0 ? json_real(i->copy_bytes_s) : json_null(), "fp32_flop_s",
                                  i->fp32_flop_s > 0 ? json_real(i->fp32_flop_s) : json_null(), "fp64_flop_s",
                                  i->fp64_flop_s > 0 ? json_real(i->fp64_flop_s) : json_null(), "how", i->peaks));
    json_object_set_new(o, "hardware_counters", rg_json_text(i->hardware_counters));
    json_object_set_new(o, "prune",
                        json_pack("{s:b, s:o, s:i, s:i, s:i}", "on", i->prunes, "how", rg_json_text(i->prune), "pruned",
                                  r->outcomes[RG_OUTCOME_PRUNED], "measured", r->prune_measured,
                                  "faster_than_estimated", r->prune_missed));
    json_object_set_new(o, "run_workers",
                        json_pack("{s:i, s:f, s:f, s:f, s:o}", "n", i->devices, "busy_s", i->run_busy_s, "ready_s",
                                  i->run_ready_s, "open_s", i->run_open_s, "busy_share",
                                  i->run_ready_s > 0 ? json_real(i->run_busy_s / i->run_ready_s) : json_null()));
    json_object_set_new(o, "seed", json_integer(s->o.seed));
    json_object_set_new(o, "seconds",
                        json_pack("{s:f, s:f, s:f, s:f, s:f}", "total", s->seconds_total, "compile", i->compile_s,
                                  "verify", i->verify_s, "time", i->time_s, "coder", r->coder_s));
    char *text = rg_json_pretty(o);
    puts(text);
    free(text);
    json_decref(o);
}
